"""A bot at a table: it thinks aside, at a pace that can be followed, and its failure is not the end of a game.

It owns how a level is asked for its move while the game goes on; it does not know how a level chooses.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Protocol, TypeVar

from p2pdurak.bots import LEVELS, Bot, dice
from p2pdurak.bots.worker import BotFailed, Worker
from p2pdurak.rules.actions import Action
from p2pdurak.rules.view import View

T = TypeVar("T")

QUICK: frozenset[str] = frozenset({"easy", "medium"})
"""Levels that answer faster than a process could be asked."""

STAND_IN = "medium"
"""Who plays on for a bot whose process fails: the best of the quick ones."""


class Later(Protocol):
    """Runs a slow function aside and hands its result to a second one."""

    def __call__(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        """Do so."""


class BotSeat:
    """One seat with a bot.

    Args:
        level: one of `LEVELS`.
        seed: of its dice.
        later: runs its thinking aside.
        pace_s: it takes at least so long for a move; 0: as fast as it can.
    """

    def __init__(self, level: str, seed: str, later: Later, pace_s: float = 0.0) -> None:
        self._level = level
        self._seed = seed
        self._later = later
        self._pace_s = pace_s
        self._worker = None if level in QUICK else Worker(level, seed)

    def ask(self, bot: Bot, view: View, play: Callable[[Action], None]) -> None:
        """Find the action for a view whose turn it is, and hand it to `play`."""
        if self._worker is None and self._pace_s == 0:
            play(bot(view, dice(self._seed, view)))
        else:
            self._later(lambda: self._think(bot, view), play)

    def close(self) -> None:
        """End the process, if there is one."""
        if self._worker is not None:
            self._worker.close()

    def _think(self, bot: Bot, view: View) -> Action:
        began = time.monotonic()
        action = self._choose(bot, view)
        time.sleep(max(0.0, self._pace_s - (time.monotonic() - began)))
        return action

    def _choose(self, bot: Bot, view: View) -> Action:
        if self._worker is None:
            return bot(view, dice(self._seed, view))
        try:
            return self._worker.choose(view)
        except BotFailed:
            return LEVELS[STAND_IN](view, Random(self._seed))  # noqa: S311 - a bot need not be secret
