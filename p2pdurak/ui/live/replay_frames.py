"""The pictures of a recorded game: the table after any number of its moves.

It owns what an onlooker sees there, and whose cards lie open; it knows no key, and nothing of time or of playing on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from p2pdurak.events import Names
from p2pdurak.recording import Recording
from p2pdurak.rules.actions import Done, Take
from p2pdurak.rules.cards import Card
from p2pdurak.rules.engine import to_act
from p2pdurak.rules.notation import bout_line, opening_line
from p2pdurak.rules.state import Phase, Seat
from p2pdurak.ui.card_words import CardStyle, sort_hand
from p2pdurak.ui.draw.screen import Screen, Seated, Told
from p2pdurak.ui.prompts import move_word
from p2pdurak.ui.replay_words import Shown, bout_end, called, ending, what_is_next

TOLD_MAX: Final = 40
"""More lines of the log than any terminal shows beside the table."""

DAY_CHARS: Final = len("2026-11-30")
"""What a title has room for; the time of day stands among the proofs."""

ANSWERS_MAX: Final = 6
"""So many answers of the search for the first attacker fit into a line of any terminal."""

_STYLE: Final = CardStyle()


@dataclass(frozen=True, slots=True)
class Sight:
    """Where an onlooker stands: whose side is at the bottom, which counts as his own, and which hands he sees."""

    bottom: Seat
    shown: Shown

    def sees(self, seat: Seat) -> bool:
        """Whether the hand of a seat lies open for him."""
        return self.shown is Shown.ALL or (self.shown is Shown.MINE and seat == self.bottom)


class Frames:
    """A recording, laid out once for pictures of every place in it.

    Attributes:
        names: what the players are called, by seat.
        marks: the numbers of moves after which a bout ends.
        stops: the numbers of moves at which a bout, or the search for the first attacker, begins or the game ends.
    """

    def __init__(self, game: Recording) -> None:
        self._game = game
        self.names = called(game)
        self._told = _told(game, self.names)
        self._notation = _notation(game)
        self.marks = tuple(at for at, move in enumerate(game.moves, start=1) if move.bout_end is not None)
        self.stops = tuple(sorted({0, len(game.moves), *self.marks, *_first_attacks(game)}))

    @property
    def last(self) -> int:
        """The number of moves of the game."""
        return len(self._game.moves)

    def unseen(self, seat: Seat) -> bool:
        """Whether some cards of a hand can never be shown."""
        return any(self._game.after(moves)[1][seat] is None for moves in range(self.last + 1))

    def at(self, moves: int, sight: Sight) -> Screen:
        """The table after so many moves, without anything that lies over or beside it."""
        game = self._game
        state, _ = game.after(moves)
        over = moves == self.last and (game.result is not None or game.end != "running")
        return Screen(
            title=f"{game.date[:DAY_CHARS]} {' - '.join(self.names)}",
            bout=0 if state.phase is Phase.QUESTION else state.bout,
            top=self._seated(moves, 1 - sight.bottom, sight, over),
            bottom=self._seated(moves, sight.bottom, sight, over),
            trump=state.trump,
            indicator=state.indicator,
            talon=state.talon,
            beaten=len(state.discard),
            table=state.table,
            prompt=self._prompt(moves),
            said=self._said(moves, 1 - sight.bottom),
            told=self._told[max(0, moves - TOLD_MAX) : moves],
            notation=self._notation[moves],
        )

    def _prompt(self, moves: int) -> str:
        if moves == self.last:
            return ending(self._game)
        ended = self._game.moves[moves - 1].bout_end if moves else None
        following = what_is_next(self._game.after(moves)[0], self.names, _STYLE)
        return following if ended is None else f"{bout_end(ended.outcome)} {following}"

    def _seated(self, moves: int, seat: Seat, sight: Sight, over: bool) -> Seated:
        turn = not over and to_act(self._game.after(moves)[0]) == seat
        return Seated(self.names[seat], self._cards(moves, seat, sight), turn=turn)

    def _cards(self, moves: int, seat: Seat, sight: Sight) -> tuple[Card | None, ...]:
        """The hand as far as it may and can be seen, what lies face down behind it."""
        state, hands = self._game.after(moves)
        hand, opened = state.hands[seat], hands[seat]
        if not sight.sees(seat):
            return (None,) * hand.count
        seen = sort_hand(hand.known if opened is None else opened, state.trump)
        return (*seen, *(None,) * (hand.count - len(seen)))

    def _said(self, moves: int, seat: Seat) -> str:
        """What a player has just said; that he takes holds until the bout ends."""
        state, _ = self._game.after(moves)
        if state.phase is Phase.PILE_ON:
            return f"{self.names[seat]}: take" if state.defender == seat else ""
        move = self._game.moves[moves - 1] if moves else None
        if move is None or move.seat != seat or not isinstance(move.action, Take | Done):
            return ""
        return f"{self.names[seat]}: {self._told[moves - 1].word}"


def _told(game: Recording, names: Names) -> tuple[Told, ...]:
    lines, before = [], game.start
    for move in game.moves:
        bout = 0 if before.phase is Phase.QUESTION else before.bout
        lines.append(Told(names[move.seat], move.action, move_word(move.action, before), move.auto, bout))
        before = move.after
    return tuple(lines)


def _notation(game: Recording) -> tuple[str, ...]:
    """The line of the game's text that each number of moves has come to."""
    record = game.record()
    if isinstance(record.opening, int):
        lines = [opening_line(record.opening)]
    else:
        lines = [_last_answers(opening_line(record.opening[:count])) for count in range(len(record.opening) + 1)]
    for number, bout in enumerate(record.bouts, start=1):
        played = (bout.played[:count] for count in range(1, len(bout.played) + 1))
        undrawn = replace(bout, draws=())  # what was drawn may be hidden
        lines.extend(bout_line(number, replace(undrawn, played=so_far)) for so_far in played)
    return tuple(lines)


def _last_answers(line: str) -> str:
    """The line about the first attacker, without its middle where there were many answers: the last ones are news."""
    words = line.split(" ")
    return line if len(words) <= 2 + ANSWERS_MAX else " ".join([*words[:2], "…", *words[-ANSWERS_MAX:]])


def _first_attacks(game: Recording) -> tuple[int, ...]:
    """Where the search for the first attacker has ended."""
    phases = (game.start.phase, *(move.after.phase for move in game.moves))
    return tuple(
        at
        for at, (before, after) in enumerate(pairwise(phases), start=1)
        if before is Phase.QUESTION and after is not Phase.QUESTION
    )
