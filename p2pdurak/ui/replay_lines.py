"""A recording in line mode: every move as a line, told from outside, with the hands that may be seen.

It owns the wording of a replay; it never redraws, and does not know where the recording comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final, assert_never

from p2pdurak.recording import Hands, RecordedMove, Recording
from p2pdurak.rules.actions import Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import Card
from p2pdurak.rules.options import CLASSIC, differences
from p2pdurak.rules.state import BoutOutcome, Phase, State
from p2pdurak.ui.words import CardStyle, sort_hand, suit_word


class Shown(Enum):
    """Whose hands a replay shows."""

    MINE = "mine"
    ALL = "all"
    NONE = "none"


ENDS: Final = {
    "claimed": "The win was claimed: the other side was gone. A claim is no proof.",
    "left": "Somebody left before the end. There is no result.",
    "desync": "Both programs disagreed. There is no result.",
    "running": "The log ends here. The game is not finished.",
}


def replay_lines(game: Recording, style: CardStyle, shown: Shown) -> Iterator[str]:
    """Tell a game from the deal to its end.

    Args:
        game: the recording.
        style: how cards are written.
        shown: whose hands to show where they can be seen.
    """
    teller = _Teller(game, style, shown)
    yield from teller.head()
    before = game.start
    for move in game.moves:
        yield from teller.move(move, before)
        before = move.after
    yield from teller.end()


class _Teller:
    def __init__(self, game: Recording, style: CardStyle, shown: Shown) -> None:
        self._game = game
        self._style = style
        self._shown = shown
        self._roles = (f"{game.names[0]} (host)", f"{game.names[1]} (guest)")
        self._names = self._roles if game.names[0] == game.names[1] else game.names

    def head(self) -> Iterator[str]:
        game, trump = self._game, self._game.start.trump
        yield f"Game {game.number}, {game.date}: {self._roles[0]} and {self._roles[1]}"
        changed = differences(game.options, CLASSIC)
        rules = ", ".join(f"{name} {value}" for name, value, _ in changed)
        yield f"Rules: {'classic, but ' + rules if changed else 'classic'}"
        yield f"Audit: {game.finding}"
        indicator = game.start.indicator
        under = "" if indicator is None else f". {self._style.card(indicator)} lies under the talon"
        yield f"Trump: {suit_word(trump)}{under}"
        yield from self._hands(game.dealt)
        if game.start.phase is not Phase.QUESTION:
            yield f"{self._names[game.start.attacker]} attacks first"
            yield "Bout 1"

    def move(self, move: RecordedMove, before: State) -> Iterator[str]:
        yield f"  {self._names[move.seat]}: {self._does(move, before)}{' (by the clock)' if move.auto else ''}"
        if before.phase is Phase.QUESTION and move.after.phase is not Phase.QUESTION:
            yield f"{self._names[move.after.attacker]} attacks first"
            yield "Bout 1"
        if move.bout_end is not None:
            yield from self._bout_end(move, move.bout_end.outcome)

    def _does(self, move: RecordedMove, before: State) -> str:
        match move.action:
            case Attack(card):
                verb = "pile on" if before.phase is Phase.PILE_ON else "throw in" if before.table else "attack"
                return f"{verb} {self._style.card(card)}"
            case Take():
                return "take"
            case Done():
                return "done"
            case Show(card):
                return f"show {self._style.card(card)}"
            case Deny(cards):
                return f"no {self._style.cards(cards)}"
            case Beat(card):
                return f"beat {self._style.card(card)}"
            case _:
                assert_never(move.action)

    def _bout_end(self, move: RecordedMove, outcome: BoutOutcome) -> Iterator[str]:
        state = move.after
        how = "Beaten off" if outcome is BoutOutcome.BEATEN else "Taken"
        counts = ", ".join(f"{name} {hand.count}" for name, hand in zip(self._names, state.hands, strict=True))
        yield f"  {how}. {counts}, talon {state.talon}"
        if state.phase is not Phase.OVER:
            yield from self._hands(move.hands)
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
        if game.result is None:
            yield ENDS.get(game.end, ENDS["running"])
            return
        if game.result.durak is None:
            yield "A draw: nobody is the durak"
        else:
            how = " by resigning" if game.end == "resign" else ""
            yield f"{self._names[game.result.durak]} is the durak{how}"
        last = game.moves[-1].hands if game.moves else game.dealt
        for seat, cards in enumerate(last):
            if cards:
                yield f"  {self._names[seat]} is left with {self._cards(cards)}"
