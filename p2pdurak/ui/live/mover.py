"""A key or a click on its way to a move of the game.

It owns the guard against hasty presses and the choice of the action among the legal ones; it makes none up.
"""

from __future__ import annotations

from math import inf
from typing import Final

from p2pdurak.events import Play
from p2pdurak.rules.cards import Card, card_text
from p2pdurak.ui.commands import Problem, parse_command
from p2pdurak.ui.live.hand_focus import RANK_KEYS
from p2pdurak.ui.live.table_state import STYLE, TableState

GUARD_S: Final = 0.25
"""A second press of a double press, or a held key, comes within this time and must not play a card of the next turn."""

END_GUARD_S: Final = 1.0
"""What is pressed so soon after the end of the game has come into view was meant for the game."""

_PLAY_KEYS: Final = frozenset({*RANK_KEYS, "n", "r", "t", "d"})


class Mover:
    """Plays what is asked for at one seat."""

    def __init__(self, table: TableState) -> None:
        self._table = table
        self._pressed_at = -inf

    def play(self, typed: str, now: float) -> Play | Problem | None:
        """Pick the action among the legal ones, or say why it is not there; nothing comes of a hasty press."""
        hasty = now - max(self._pressed_at, self._table.turn_at or -inf) < GUARD_S
        self._pressed_at = now
        return None if hasty else self._found(typed)

    def play_card(self, card: Card | None, now: float) -> Play | Problem | None:
        """Play the card in focus."""
        if card is not None:
            return self.play(card_text(card), now)
        only_trumps = "Only trumps can be added: choose one with an arrow or Tab; d is done."
        return Problem(only_trumps) if self._table.playable else None

    def was_for_play(self, key: str, shown_at: float, now: float) -> bool:
        """Whether a key that means something in play, too, comes too soon to be meant for the end.

        Args:
            key: its name.
            shown_at: when nothing hid the end any more.
            now: seconds.
        """
        return key in _PLAY_KEYS and now < max(self._table.ended_at, shown_at) + END_GUARD_S

    def _found(self, typed: str) -> Play | Problem:
        table = self._table
        if table.ended:
            return Problem("This game is over.")
        if table.view is not None and table.view.my_turn and not table.choosing:
            return Problem("Your new cards are on their way; wait a moment.")
        found = parse_command(typed, table.view, style=STYLE)
        return found if isinstance(found, Play | Problem) else Problem("That cannot be played.")
