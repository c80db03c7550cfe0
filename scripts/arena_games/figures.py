"""Score, interval, Elo and the sequential test, from the results of pairs.

It owns the statistics; it plays nothing. A pair counts as one observation, because its two games share a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log10, sqrt
from typing import Final

from arena_games.pairs import PairResult

Z95: Final = 1.96
SPRT_ELO: Final = (0.0, 20.0)
"""The two hypotheses of the sequential test."""
SPRT_BOUND: Final = log(0.95 / 0.05)
"""Both kinds of error are one in twenty."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What some pairs say about the first player."""

    pairs: int
    score: float
    half_width: float
    draws: int
    llr: float

    @property
    def decided(self) -> bool:
        """Whether the sequential test has come to its end."""
        return abs(self.llr) >= SPRT_BOUND

    @property
    def verdict(self) -> str:
        """What the sequential test says of the first player: `stronger`, `not stronger`, or `open`."""
        if not self.decided:
            return "open"
        return "stronger" if self.llr > 0 else "not stronger"

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The differences in Elo at both ends of the 95 % interval of the score."""
        return elo(self.score - self.half_width), elo(self.score + self.half_width)


def figures(results: Sequence[PairResult]) -> Figures:
    """Count the results of at least one pair."""
    scores = [result.halves / 4 for result in results]
    pairs = len(scores)
    mean = sum(scores) / pairs
    variance = sum((score - mean) ** 2 for score in scores) / max(1, pairs - 1)
    low, high = map(expected, SPRT_ELO)
    # The likelihood ratio of two normal means. A little variance for the first pairs, which may all be alike.
    llr = pairs * (high - low) * (2 * mean - low - high) / (2 * (variance + 0.05 / pairs))
    return Figures(pairs, mean, Z95 * sqrt(variance / pairs), sum(result.draws for result in results), llr)


def expected(elo: float) -> float:
    """The score that a difference in Elo predicts."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo(score: float) -> float:
    """The difference in Elo that a score stands for; cut off where one point in ten thousand is lost."""
    kept = min(max(score, 1e-4), 1 - 1e-4)
    return -400 * log10(1 / kept - 1)


def times_ms(results: Sequence[PairResult], who: int) -> dict[str, float]:
    """Mean, median, 95th percentile and maximum of the time of a choice among several."""
    times = sorted(time for result in results for time in result.times_s[who])
    if not times:
        return {}
    last = len(times) - 1
    chosen = {
        "mean": sum(times) / len(times),
        "p50": times[last // 2],
        "p95": times[last * 95 // 100],
        "max": times[-1],
    }
    return {name: 1000 * time for name, time in chosen.items()}
