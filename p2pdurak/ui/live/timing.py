"""Seconds that count down or up on the screen, and sentences that stay for a while.

It owns when a number or a sentence changes by itself; it reads no clock: the time is told to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, inf
from typing import Final

from p2pdurak.ui.draw.screen import Notice

_ROUNDING_S: Final = 1e-6
"""Times are sums of floating-point numbers: at the moment that was promised the number must have changed."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """So many seconds that are left since a moment."""

    seconds: int
    since: float

    def left(self, now: float) -> int:
        """Whole seconds that are left, counting a begun one."""
        return max(0, ceil(self.seconds - (now - self.since) - _ROUNDING_S))

    def due(self, now: float) -> float | None:
        """Seconds until `left` changes; None when nothing is left."""
        left = self.left(now)
        return None if left == 0 else max(0.0, self.since + self.seconds - (left - 1) - now)


@dataclass(frozen=True, slots=True)
class Countup:
    """So many seconds that have passed already at a moment."""

    seconds: int
    since: float

    def passed(self, now: float) -> int:
        """Whole seconds that have passed."""
        return self.seconds + max(0, floor(now - self.since + _ROUNDING_S))

    def due(self, now: float) -> float:
        """Seconds until `passed` changes."""
        return max(0.0, self.since + self.passed(now) - self.seconds + 1 - now)


class Board:
    """Sentences that are there for a while; the newest that still is covers the others."""

    def __init__(self) -> None:
        self._posted: list[tuple[Notice, float]] = []

    def post(self, notice: Notice, now: float, for_s: float = inf) -> None:
        """Say something for so long; without a time, until `wipe`."""
        self.advance(now)
        self._posted.append((notice, now + for_s))

    def advance(self, now: float) -> None:
        """Forget what has been there long enough."""
        self._posted = [(notice, until) for notice, until in self._posted if until > now]

    def wipe(self) -> None:
        """Take away what had no time of its own."""
        self._posted = [(notice, until) for notice, until in self._posted if until < inf]

    def notice(self, now: float) -> Notice | None:
        """What is to be read now."""
        return next((notice for notice, until in reversed(self._posted) if until > now), None)

    def due(self, now: float) -> float | None:
        """Seconds until that changes by itself."""
        until = next((until for _, until in reversed(self._posted) if until > now), inf)
        return None if until == inf else until - now


def soonest(*times: float | None) -> float | None:
    """The first of some moments, where None is never."""
    return min((time for time in times if time is not None), default=None)
