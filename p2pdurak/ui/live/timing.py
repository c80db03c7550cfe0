"""Seconds that count down or up on the screen, and sentences that stay for a while.

It owns when a number or a sentence changes by itself; it reads no clock: the time is told to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
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


class Topic(Enum):
    """What a sentence is about, and so what may end it before its time."""

    NEWS = "news"
    """Chat and news: only their time ends them."""
    STEP = "step"
    """This step of the game: the next move ends it."""
    LINE = "line"
    """The line to the other player: the next change of the line ends it."""
    STAGE = "stage"
    """A stage between two games: the next one ends it."""
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class _Posted:
    notice: Notice
    until: float
    topic: Topic


class Board:
    """Sentences that are there for a while; the newest that still is covers the others."""

    def __init__(self) -> None:
        self._posted: tuple[_Posted, ...] = ()

    def post(self, notice: Notice, now: float, for_s: float = inf, topic: Topic = Topic.NEWS) -> None:
        """Say something for so long; without a time, until it is dropped."""
        self.advance(now)
        self._posted = (*self._posted, _Posted(notice, now + for_s, topic))

    def advance(self, now: float) -> None:
        """Forget what has been there long enough."""
        self._posted = tuple(posted for posted in self._posted if posted.until > now)

    def drop(self, *topics: Topic) -> None:
        """Take away all that was about these."""
        self._posted = tuple(posted for posted in self._posted if posted.topic not in topics)

    def notice(self, now: float) -> Notice | None:
        """What is to be read now."""
        posted = self._newest(now)
        return None if posted is None else posted.notice

    def due(self, now: float) -> float | None:
        """Seconds until that changes by itself."""
        posted = self._newest(now)
        return None if posted is None or posted.until == inf else posted.until - now

    def _newest(self, now: float) -> _Posted | None:
        return next((posted for posted in reversed(self._posted) if posted.until > now), None)


def soonest(*times: float | None) -> float | None:
    """The first of some moments, where None is never."""
    return min((time for time in times if time is not None), default=None)
