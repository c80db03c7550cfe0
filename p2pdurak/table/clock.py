"""The rules of time: a move's clock, how long a forced `done` waits, when the other side is late or may be given up.

It owns numbers and pure functions of seconds; it reads no clock.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Final

LATE_GRACE_S: Final = 5.0
"""Over the limit by this much is late: his clock started when our record reached him, and ours when he said so."""

SILENCE_CLAIM_S: Final = 60.0
"""Not heard for this long while he owes a step: the win may be claimed."""

STALL_CLAIM_S: Final = 120.0
"""Heard, but not moving: the win may be claimed after this, or after the move timer and a minute if that is longer."""

SLOW_S: Final = 6.0
"""Two heartbeats missed."""

DOWN_S: Final = 15.0
"""Five heartbeats missed: offline, and may return."""

THOUGHT_S: Final = (0.6, 8.0)
"""The bounds of an automatic `done`: faster would be seen to be a machine, slower would be rude."""

THOUGHTS_KEPT: Final = 8
"""Own attack decisions to draw from: the recent ones, so that the wait fits the player's mood."""


class AutoDone(Enum):
    """What happens when `done` is the only thing a player can do."""

    MASKED = "masked"
    INSTANT = "instant"
    ASK = "ask"


@dataclass(slots=True)
class Turning:
    """The step that is owed now, as far as time matters."""

    records: int = -1
    since: float = 0.0
    announced: bool = False
    auto_done_at: float | None = None


class Thoughts:
    """How long this player took for his recent attack decisions; an automatic `done` takes one of these times.

    Two thirds of all `done` are forced: if they came at once, their timing would tell that nothing fits.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._recent: deque[float] = deque(maxlen=THOUGHTS_KEPT)

    def remember(self, seconds: float) -> None:
        """Keep the time of a decision that was the player's own."""
        self._recent.append(seconds)

    def like_one(self, limit_s: float) -> float:
        """A time to wait, in seconds: within the bounds, and within the clock where there is one (0: none)."""
        low, high = THOUGHT_S
        drawn = self._random.choice(self._recent) if self._recent else self._random.uniform(low, 3.0)
        drawn *= self._random.uniform(0.8, 1.25)
        bounded = min(max(drawn, low), high)
        return min(bounded, 0.8 * limit_s) if limit_s else bounded


def late_after(timer_s: int) -> float | None:
    """Seconds from the peer's acknowledgement until he is late; None without a clock."""
    return timer_s + LATE_GRACE_S if timer_s else None


def stall_claim_after(timer_s: int) -> float | None:
    """Seconds of stalling until the win may be claimed; None without a clock: then only silence counts."""
    return max(STALL_CLAIM_S, timer_s + 60.0) if timer_s else None


def claim_in(silent_s: float, stalled_s: float, timer_s: int) -> float:
    """Seconds until the win may be claimed, not above zero if it may be now.

    Args:
        silent_s: since the peer was last heard.
        stalled_s: since he acknowledged the record that put him to move.
        timer_s: the agreed move timer, 0 for none.
    """
    stall = stall_claim_after(timer_s)
    by_silence = SILENCE_CLAIM_S - silent_s
    return by_silence if stall is None else min(by_silence, stall - stalled_s)
