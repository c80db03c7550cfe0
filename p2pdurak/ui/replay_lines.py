"""A recording in line mode: every move as a line, told from outside, with the hands that may be seen.

It owns which lines there are and their order; it never redraws, and does not know where the recording comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from p2pdurak.recording import Hands, RecordedMove, Recording
from p2pdurak.rules.cards import Card
from p2pdurak.rules.state import BoutOutcome, Phase, State
from p2pdurak.ui.card_words import CardStyle, sort_hand, suit_word
from p2pdurak.ui.prompts import move_text
from p2pdurak.ui.replay_words import (
    Shown,
    audit_line,
    bout_end,
    called,
    ending,
    first_attack,
    game_line,
    rules_line,
)


def replay_lines(game: Recording, style: CardStyle, shown: Shown, begin: int = 0) -> Iterator[str]:
    """Tell a game to its end.

    Args:
        game: the recording.
        style: how cards are written.
        shown: whose hands to show where they can be seen.
        begin: leave out the bouts that are over after so many moves; 0 tells everything from the deal on.
    """
    teller = _Teller(game, style, shown)
    first = _bout_begin(game, begin)
    before, hands = game.after(first)
    yield from teller.head(before, hands)
    for move in game.moves[first:]:
        yield from teller.move(move, before)
        before = move.after
    yield from teller.end()


def _bout_begin(game: Recording, moves: int) -> int:
    """The number of moves after which the bout, or the search for its first attacker, began that `moves` leads into."""
    for at in range(min(moves, len(game.moves)), 0, -1):
        state, _ = game.after(at)
        if state.phase is not Phase.QUESTION and not state.table:
            return at
    return 0


class _Teller:
    def __init__(self, game: Recording, style: CardStyle, shown: Shown) -> None:
        self._game = game
        self._style = style
        self._shown = shown
        self._names = called(game)

    def head(self, state: State, hands: Hands) -> Iterator[str]:
        game, trump = self._game, self._game.start.trump
        yield from (game_line(game), rules_line(game), audit_line(game))
        indicator = game.start.indicator
        under = "" if indicator is None else f". {self._style.card(indicator)} lies under the talon"
        yield f"Trump: {suit_word(trump)}{under}"
        if state.phase is Phase.OVER:
            return
        yield from self._hands(hands)
        if state.phase is not Phase.QUESTION:
            yield from self._bout(state)

    def move(self, move: RecordedMove, before: State) -> Iterator[str]:
        clock = " (by the clock)" if move.auto else ""
        yield f"  {self._names[move.seat]}: {move_text(move.action, before, self._style)}{clock}"
        if before.phase is Phase.QUESTION and move.after.phase is not Phase.QUESTION:
            yield from self._bout(move.after)
        if move.bout_end is not None:
            yield from self._bout_end(move, move.bout_end.outcome)

    def _bout_end(self, move: RecordedMove, outcome: BoutOutcome) -> Iterator[str]:
        state = move.after
        counts = ", ".join(f"{name} {hand.count}" for name, hand in zip(self._names, state.hands, strict=True))
        yield f"  {bout_end(outcome)} {counts}, talon {state.talon}"
        if state.phase is not Phase.OVER:
            yield from self._hands(move.hands)
            yield from self._bout(state)

    def _bout(self, state: State) -> Iterator[str]:
        if state.bout == 1:
            yield first_attack(self._names[state.attacker])
        yield f"Bout {state.bout}"

    def _hands(self, hands: Hands) -> Iterator[str]:
        for seat, cards in enumerate(hands):
            if self._shown is Shown.NONE or (self._shown is Shown.MINE and seat != self._game.seat):
                continue
            yield f"  {self._names[seat]} holds {'unseen cards' if cards is None else self._cards(cards)}"

    def _cards(self, cards: Sequence[Card]) -> str:
        return self._style.cards(sort_hand(tuple(cards), self._game.start.trump)) or "nothing"

    def end(self) -> Iterator[str]:
        game = self._game
        yield ending(game)
        if game.result is None:
            return
        _, hands = game.after(len(game.moves))
        for seat, cards in enumerate(hands):
            if cards:
                yield f"  {self._names[seat]} is left with {self._cards(cards)}"
