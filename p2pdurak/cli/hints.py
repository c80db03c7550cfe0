"""Hints in a game against a bot: what a strong bot would play in the player's place, and what speaks for it.

It owns who may have a hint and when, and what becomes of one that comes too late; it knows no key and no screen.
The bot that is asked is given the player's own view: it knows no more than he does.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from p2pdurak.bots import think
from p2pdurak.bots.seat import STAND_IN, Later
from p2pdurak.bots.thought import Thought
from p2pdurak.bots.worker import BotFailed, Worker
from p2pdurak.events import Advice, Event, Refused
from p2pdurak.rules.state import Phase
from p2pdurak.rules.view import View
from p2pdurak.table.duel import Duel

LEVEL: Final = "hard"
"""Who gives the hints: the strongest there is, whoever is played against."""

ONLY_BOTS: Final = "Hints are for games against a bot."

ON_ITS_WAY: Final = "Your hint is on its way."


class Hints:
    """Answers a player who wants to know what to play.

    Args:
        seed: of the dice; the same position gets the same hint.
        duel: the match as it stands when it is asked for; None before there is one.
        later: runs the thinking aside.
        show: takes the hint, or the reason why there is none.
    """

    def __init__(self, seed: str, duel: Callable[[], Duel | None], later: Later, show: Callable[[Event], None]) -> None:
        self._worker = Worker(LEVEL, f"{seed} hint")
        self._duel = duel
        self._later = later
        self._show = show
        self._asked: View | None = None
        self._advice: Advice | None = None

    def ask(self) -> None:
        """Think about the position, aside; or say at once why there is no hint."""
        view, reason = self._position()
        if view is None:
            self._show(Refused("hint", reason))
        elif view != self._asked:
            self._asked, self._advice = view, None
            self._later(lambda: self._think(view), lambda thought: self._thought(view, thought))
        else:
            self._show(Refused("hint", ON_ITS_WAY) if self._advice is None else self._advice)

    def close(self) -> None:
        """End the process of the bot, if one was ever asked."""
        self._worker.close()

    def _position(self) -> tuple[View | None, str]:
        """What is to be thought about; else the reason why nothing is."""
        duel = self._duel()
        game = None if duel is None else duel.game
        view = None if game is None else game.view
        if game is None or view is None:
            return None, "The cards are not dealt yet."
        if game.ended or view.state.phase is Phase.OVER:
            return None, "This game is over."
        if view.state.phase is Phase.QUESTION:
            return None, "Wait a moment: the two programs find out who attacks first."
        if not view.my_turn:
            return None, "It is not your turn."
        if not view.complete:
            return None, "Your new cards are on their way; wait a moment."
        return view, ""

    def _think(self, view: View) -> Thought:
        try:
            return self._worker.think(view)
        except BotFailed:
            return think(STAND_IN, view, Random(0))  # noqa: S311 -- it throws no dice

    def _thought(self, view: View, thought: Thought) -> None:
        """Pass a hint on, unless the game has gone on meanwhile, or another position was asked about."""
        if view == self._asked and view == self._position()[0]:
            self._advice = Advice(thought.action, view, thought.value, thought.trials)
            self._show(self._advice)
