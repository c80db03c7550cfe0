"""Many runs at once, on as many processes as asked: which seeds broke something, and what all of them amounted to.

It owns the choice of the game for a seed and the sum of the outcomes; a run itself is `world`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from enum import Enum
from multiprocessing import get_context
from typing import Any, Final

from tests.simulation.plays import durak, short
from tests.simulation.process import Play
from tests.simulation.watch import Violation
from tests.simulation.world import Outcome, World

DURAK_EVERY: Final = 40
"""A whole game of durak costs as much as five short ones, and its line and its crashes are no different."""

CHUNK_MAX: Final = 25
"""Seeds that go to a worker at once."""


class Kind(Enum):
    """What a run has to show."""

    SAFETY = "safety"
    LIVENESS = "liveness"


@dataclass(slots=True)
class Sum:
    """What many runs amounted to.

    Attributes:
        runs: how many there were; `durak` of them were whole games of durak, `finished` came to the end of the game.
        broken: seeds with what they broke.
        ends: how the games ended.
        gap_s: the longest time without progress in calm weather.
        faults: how often each fault of the line struck.
    """

    runs: int = 0
    durak: int = 0
    finished: int = 0
    events: int = 0
    records: int = 0
    deaths: int = 0
    gap_s: float = 0.0
    ends: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    broken: list[tuple[int, str]] = field(default_factory=list)

    def add(self, seed: int, found: Outcome | str, *, durak: bool) -> None:
        """Add a run: its outcome, or what it broke."""
        self.runs += 1
        self.durak += durak
        if isinstance(found, str):
            self.broken.append((seed, found))
            return
        self.finished += found.finished
        self.events += found.events
        self.records += found.records
        self.deaths += found.deaths
        self.gap_s = max(self.gap_s, found.gap_s)
        self.ends[found.end.value] += 1
        self.faults.update(found.faults)

    def lines(self, kind: Kind) -> list[str]:
        """The sum in words."""
        faults = ", ".join(f"{count} {what}" for what, count in self.faults.most_common())
        ends = ", ".join(f"{count} {what}" for what, count in self.ends.most_common())
        runs = f"{self.runs} {kind.value} seeds ({self.durak} of them durak)"
        return [
            f"{runs}: {len(self.broken)} broken, {self.finished} games finished",
            f"{self.events} events, {self.records} records, {self.deaths} deaths of a process",
            f"ends: {ends}",
            f"packets: {faults}",
            *([f"longest standstill in calm weather: {self.gap_s:.1f} s"] if kind is Kind.LIVENESS else []),
            *(f"seed {seed}: {text}" for seed, text in self.broken[:20]),
        ]


def is_durak(seed: int) -> bool:
    """Whether a seed plays durak where nothing else is asked for."""
    return seed % DURAK_EVERY == 0


def play_of(seed: int) -> Play[Any, Any]:
    """The game of a seed."""
    return durak(seed) if is_durak(seed) else short(seed)


def run(kind: Kind, world: World) -> Outcome:
    """One run.

    Raises:
        Violation: it broke something.
    """
    return world.run_safety() if kind is Kind.SAFETY else world.run_liveness()


def run_seed(kind: Kind, seed: int, *, real: bool = False) -> tuple[int, Outcome | str]:
    """One run of a seed, as it comes back from another process."""
    play: Play[Any, Any] = durak(seed, real=True) if real else play_of(seed)
    try:
        return seed, run(kind, World(seed, play))
    except Violation as broken:
        return seed, str(broken)
    except Exception as fault:  # noqa: BLE001  # any other error of one run is a finding too, and its seed must be told
        return seed, f"{type(fault).__name__}: {fault}"


def run_seeds(kind: Kind, seeds: Sequence[int], *, real: bool = False) -> list[tuple[int, Outcome | str]]:
    """Some runs in this process."""
    return [run_seed(kind, seed, real=real) for seed in seeds]


def run_many(
    kind: Kind, seeds: Sequence[int], workers: int, *, real: bool = False, told: Callable[[int], None] = lambda _: None
) -> Sum:
    """Many runs.

    Args:
        kind: what they have to show.
        seeds: one each.
        workers: so many processes.
        real: whether to play durak with real proofs.
        told: hears how many are done.
    """
    total = Sum()
    size = min(max(1, len(seeds) // (4 * workers)), CHUNK_MAX)
    chunks = [seeds[at : at + size] for at in range(0, len(seeds), size)]
    # A fresh interpreter for each worker: a fork would take the threads of whoever calls along.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for results in _in_order(pool, kind, chunks, real):
            for seed, found in results:
                total.add(seed, found, durak=real or is_durak(seed))
            told(total.runs)
    return total


def _in_order(
    pool: ProcessPoolExecutor, kind: Kind, chunks: Iterable[Sequence[int]], real: bool
) -> Iterable[list[tuple[int, Outcome | str]]]:
    running = [pool.submit(run_seeds, kind, chunk, real=real) for chunk in chunks]
    return (each.result() for each in running)
