"""A game as a value: what was dealt, played and drawn, as far as its writer knows.

It owns the record and the way to it from a played game and back; it does not know its text, or where it is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.bouts import Step
from p2pdurak.rules.cards import Card
from p2pdurak.rules.engine import apply, check_turn, outcome
from p2pdurak.rules.state import Outcome, Phase, Seat, State

Seen = tuple[Card | None, ...]
"""Cards as far as they are known; None stands for one that the writer of the record did not see."""

Move = tuple[Seat, Action, bool]
"""Who acted, what he did, and whether his clock played it for him."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in the search for the lowest trump."""

    seat: Seat
    action: Show | Deny


@dataclass(frozen=True, slots=True)
class Played:
    """An action of a bout; `auto` says that the clock played it."""

    action: Attack | Beat | Take | Done
    auto: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """Talon cards that `seat` drew after a bout, in their order; the indicator, if it is among them, is the last."""

    seat: Seat
    cards: Seen


@dataclass(frozen=True, slots=True)
class BoutRecord:
    """One bout: who attacked, what was played, and what was drawn after it. The last one may have been cut short."""

    attacker: Seat
    played: tuple[Played, ...]
    draws: tuple[Drawn, ...] = ()


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A whole game.

    Attributes:
        tags: names and values, in order; a name is of letters, digits, `_` and `-`.
        indicator: the card turned face up at the deal; None in a position whose talon was empty from the start.
        hands: the two dealt hands, indexed by seat.
        opening: the seat that attacks first because that was settled before the deal; else the answers in the search
            for the lowest trump.
        bouts: the bouts in order.
        result: the end of the game, also by resignation; None if it has none.
    """

    tags: tuple[tuple[str, str], ...]
    indicator: Card | None
    hands: tuple[Seen, Seen]
    opening: Seat | tuple[Answer, ...]
    bouts: tuple[BoutRecord, ...]
    result: Outcome | None


def from_moves(
    tags: Iterable[tuple[str, str]],
    start: State,
    moves: Iterable[Move],
    *,
    hands: tuple[Sequence[Card], Sequence[Card]] = ((), ()),
    stock: Sequence[Card | None] = (),
    result: Outcome | None = None,
) -> GameRecord:
    """Record a game by playing it through.

    Args:
        tags: names and values for the head of the record.
        start: the state after the deal.
        moves: every action from there on, answers about the lowest trump included; those have no clock, so a
            record keeps no `auto` flag for them.
        hands: the dealt cards that the writer knows, indexed by seat; the rest is recorded as unknown.
        stock: the face-down talon in draw order, None for cards the writer did not see; unknown where it is too short.
        result: how the game ended if not by the rules, as after a resignation.

    Raises:
        IllegalAction: if a move is not legal or is not of the seat to act.
        ValueError: if `hands` has more cards than were dealt.
    """
    scribe = _Scribe(start, stock)
    for seat, action, auto in moves:
        scribe.play(seat, action, auto=auto)
    scribe.close_bout(())
    dealt = (_dealt(start, 0, hands[0]), _dealt(start, 1, hands[1]))
    opening = tuple(scribe.answers) if start.phase is Phase.QUESTION else start.attacker
    ended = outcome(scribe.state) or result
    return GameRecord(tuple(tags), start.indicator, dealt, opening, tuple(scribe.bouts), ended)


def to_moves(record: GameRecord) -> tuple[Move, ...]:
    """The moves of a record, in order: what `from_moves` was given."""
    answers = () if isinstance(record.opening, int) else record.opening
    moves: list[Move] = [(answer.seat, answer.action, False) for answer in answers]
    for bout in record.bouts:
        for played in bout.played:
            match played.action:
                case Attack() | Done():
                    seat = bout.attacker
                case Beat() | Take():
                    seat = 1 - bout.attacker
                case _:
                    assert_never(played.action)
            moves.append((seat, played.action, played.auto))
    return tuple(moves)


def _dealt(start: State, seat: Seat, cards: Sequence[Card]) -> Seen:
    """The dealt hand in ascending order, the unknown cards behind."""
    hand = start.hands[seat]
    known = sorted({*hand.known, *cards})
    if len(known) > hand.count:
        raise ValueError(f"seat {seat} was dealt {hand.count} cards, and {len(known)} are named")
    return (*known, *[None] * (hand.count - len(known)))


class _Scribe:
    """Plays the moves and writes down what happens."""

    def __init__(self, start: State, stock: Sequence[Card | None]) -> None:
        self.state = start
        self.answers: list[Answer] = []
        self.bouts: list[BoutRecord] = []
        self._attacker: Seat = start.attacker
        self._played: list[Played] = []
        self._stock = iter(stock)

    def play(self, seat: Seat, action: Action, *, auto: bool) -> None:
        check_turn(self.state, seat)
        before, step = self.state, apply(self.state, action)
        self.state = step.state
        match action:
            case Show() | Deny():
                self.answers.append(Answer(seat, action))
            case Attack() | Beat() | Take() | Done():
                self._attacker = before.attacker
                self._played.append(Played(action, auto))
            case _:
                assert_never(action)
        if step.bout_end is not None:
            self.close_bout(self._draws(before, step))

    def close_bout(self, draws: tuple[Drawn, ...]) -> None:
        if self._played:
            self.bouts.append(BoutRecord(self._attacker, tuple(self._played), draws))
            self._played = []

    def _draws(self, before: State, step: Step) -> tuple[Drawn, ...]:
        cards: dict[Seat, list[Card | None]] = {}
        for draw in step.draws:
            cards[draw.seat] = [next(self._stock, None) for _ in range(draw.count)]
        if before.indicator is not None and step.state.indicator is None:
            drawer = 0 if before.indicator in step.state.hands[0].known else 1
            cards.setdefault(drawer, []).append(before.indicator)
        return tuple(Drawn(seat, tuple(seen)) for seat, seen in cards.items())
