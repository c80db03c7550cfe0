"""Many games at once over one broker: what it carries, how fast, and what it uses.

It owns the processes that play, the raw round trips beside them, the broker's use of the machine, and the report; how
a game is played is `share`.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import math
import multiprocessing
import os
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.broker_load import Load, listeners, load_of
from benchmarks.echo import Echo
from benchmarks.share import Done, Played, Share, play_share
from p2pdurak.transport.url import BrokerUrl

MANY: Final = 100
"""From so many games on, unpaced players would measure Python."""

PACE_S: Final = 5.0
APART_S: Final = 0.4
"""Paced games begin so far apart: a deal takes 0.15 s of a core, and shall not drown what is measured."""

START_S: Final = 2.0
"""What a process needs to begin."""

TABLES_A_PROCESS: Final = 4
"""With fewer tables one event loop does it; there are never more processes than cores."""

AUDITS_MAX: Final = 20
"""Finished games of which both logs are checked in full; each check takes a quarter of a second."""

TRIPS_BEFORE: Final = 50
TRIP_EACH_S: Final = 0.05
LOOK_EACH_S: Final = 1.0
SHORTEST_S: Final = 0.001
"""A run in which nothing happened lasts so long, so that rates can be told."""

MB: Final = 1e6


@dataclass(slots=True)
class Watch:
    """What is seen from outside while games go on.

    Attributes:
        before_s: raw round trips before the first game.
        trips: raw round trips meanwhile: when, of `time.monotonic`, and seconds.
        late: packets of these that did not come back in time.
        pids: the broker's processes; none where they are not found.
        began: when the first look was taken, of `time.monotonic`, `ended` when the last was.
        first: what they used at the first look, before the first game, `last` when all was over.
        memory_bytes: the most that was seen.
    """

    pids: tuple[int, ...]
    before_s: list[float] = field(default_factory=list)
    trips: list[tuple[float, float]] = field(default_factory=list)
    late: int = 0
    began: float = 0.0
    ended: float = 0.0
    first: Load = field(default_factory=lambda: Load(0.0, 0))
    last: Load = field(default_factory=lambda: Load(0.0, 0))
    memory_bytes: int = 0

    def begin(self) -> None:
        """Take the first look, before there is a game."""
        self.began = time.monotonic()
        self.first = load_of(self.pids)

    def look(self) -> None:
        """Read what the broker uses now."""
        self.ended = time.monotonic()
        self.last = load_of(self.pids)
        self.memory_bytes = max(self.memory_bytes, self.last.memory_bytes)


@dataclass(frozen=True, slots=True)
class ScaleReport:
    """A run.

    Attributes:
        games: at once.
        pace_s: seconds between two moves of one player.
        since: when the last table began, `until` when the run ended; moves are counted in between.
        done: what each process did.
        watch: what was seen from outside.
    """

    games: int
    pace_s: float
    since: float
    until: float
    done: tuple[Done, ...]
    watch: Watch

    @property
    def played(self) -> list[Played]:
        """Every game that was begun."""
        return [game for done in self.done for game in done.played]

    def data(self) -> dict[str, object]:
        """For programs: seconds and bytes; None where nothing was measured."""
        played = self.played
        moves = [move for game in played for move in game.moves]
        counted = [took for at, took in moves if self.since <= at <= self.until]
        raw = [took for at, took in self.watch.trips if self.since <= at <= self.until]
        return {
            "games": self.games,
            "pace_s": self.pace_s,
            "begun": len(played),
            "finished": sum(game.finished for game in played),
            "seconds": self.until - self.since,
            "moves": len(moves),
            "moves_per_s": len(counted) / (self.until - self.since),
            "move_p50_s": quantile(counted, 0.5),
            "move_p99_s": quantile(counted, 0.99),
            "raw_before_p50_s": quantile(self.watch.before_s, 0.5),
            "raw_p50_s": quantile(raw, 0.5),
            "raw_p99_s": quantile(raw, 0.99),
            "raw_trips": len(self.watch.trips),
            "raw_late": self.watch.late,
            "ratio_p50": _ratio(quantile(counted, 0.5), quantile(raw, 0.5)),
            "ratio_p99": _ratio(quantile(counted, 0.99), quantile(raw, 0.99)),
            **self._sent(),
            **self._used(len(moves)),
            "players_cpu_s": sum(done.cpu_s for done in self.done),
            "processes": len(self.done),
            "logs": sum(len(game.logs) for game in played),
            "audited": sum(done.audited for done in self.done),
            "true": sum(done.true for done in self.done),
            "problems": sorted({game.problem for game in played if game.problem is not None}),
            "load_1min": os.getloadavg()[0],
        }

    def _sent(self) -> dict[str, object]:
        finished = [game for game in self.played if game.finished]
        return {
            "packets_per_game": median(game.packets for game in finished) if finished else None,
            "bytes_per_game": median(game.sent_bytes for game in finished) if finished else None,
            "packets": sum(game.packets for game in self.played),
            "bytes": sum(game.sent_bytes for game in self.played),
        }

    def _used(self, moves: int) -> dict[str, object]:
        watch = self.watch
        if not watch.pids:
            return dict.fromkeys(
                ("broker_cpu_s", "broker_s", "broker_cpu_per_move_s", "broker_memory", "memory_per_game")
            )
        cpu_s = watch.last.cpu_s - watch.first.cpu_s
        return {
            "broker_cpu_s": cpu_s,
            "broker_s": watch.ended - watch.began,
            "broker_cpu_per_move_s": cpu_s / moves if moves else None,
            "broker_memory": watch.memory_bytes,
            "memory_per_game": (watch.memory_bytes - watch.first.memory_bytes) / self.games,
        }

    def text(self) -> str:
        """For people."""
        found = self.data()
        pace = f"a move each {self.pace_s:g} s and player" if self.pace_s else "as fast as they can"
        lines = [f"{self.games} games at once, {pace}", ""]
        for label, keys, factor, unit in ROWS:
            cells = " / ".join(_cell(found[key], factor) for key in keys)
            lines.append(f"{label:<44}{cells} {unit}".rstrip())
        lines += ["", "Every pair of logs was compared, record by record."]
        lines += [f"PROBLEM {problem}" for problem in sorted({g.problem for g in self.played if g.problem is not None})]
        return "\n".join(lines)


ROWS: Final = (
    ("games begun / finished", ("begun", "finished"), 1.0, ""),
    ("moves", ("moves",), 1.0, ""),
    ("moves a second, over", ("moves_per_s", "seconds"), 1.0, "s"),
    ("move, from written to event, p50 / p99", ("move_p50_s", "move_p99_s"), 1e3, "ms"),
    ("raw round trip meanwhile, p50 / p99", ("raw_p50_s", "raw_p99_s"), 1e3, "ms"),
    ("  before the first game, p50", ("raw_before_p50_s",), 1e3, "ms"),
    ("  late by 5 s or more", ("raw_late",), 1.0, ""),
    ("move / raw round trip, p50 / p99", ("ratio_p50", "ratio_p99"), 1.0, ""),
    ("packets a game, bytes a game", ("packets_per_game", "bytes_per_game"), 1.0, ""),
    ("broker: processor", ("broker_cpu_s",), 1.0, "s"),
    ("  a move", ("broker_cpu_per_move_s",), 1e6, "us"),
    ("broker: most memory", ("broker_memory",), 1 / MB, "MB"),
    ("  a game, above that before the first", ("memory_per_game",), 1e-3, "kB"),
    ("players: processor, in processes", ("players_cpu_s", "processes"), 1.0, ""),
    ("logs / checked in full / found true", ("logs", "audited", "true"), 1.0, ""),
    ("load of the machine at the end", ("load_1min",), 1.0, ""),
)


def quantile(values: Sequence[float], part: float) -> float | None:
    """The value below which `part` (0 to 1) of the values lie, by nearest rank; None without values."""
    return sorted(values)[min(int(part * len(values)), len(values) - 1)] if values else None


def _ratio(one: float | None, other: float | None) -> float | None:
    return None if one is None or not other else one / other


def _cell(value: object, factor: float) -> str:
    if not isinstance(value, int | float):
        return "-"
    scaled = value * factor
    return f"{scaled:,.0f}" if scaled >= 100 or scaled == int(scaled) else f"{scaled:.2f}"


def measure_scale(options: argparse.Namespace) -> ScaleReport:
    """Play `options.games` games at once, and watch.

    Raises:
        TransportError: no broker; a sentence.
    """
    return asyncio.run(_run(options))


async def _run(options: argparse.Namespace) -> ScaleReport:
    games: int = options.games
    urls: list[BrokerUrl] = options.broker
    pace_s: float = options.pace if options.pace is not None else (PACE_S if games >= MANY else 0.0)
    watch = Watch(tuple(options.broker_pid or listeners(urls)))
    async with Echo(urls) as echo:
        for _ in range(TRIPS_BEFORE):
            _note(watch, watch.before_s, await echo.trip())
        with tempfile.TemporaryDirectory(prefix="p2pdurak-bench-") as folder:
            shares = split(games, urls, pace_s, options.seconds, Path(folder))
            watch.begin()
            watching = asyncio.create_task(_watch(watch, echo))
            done = await _in_processes(shares)
            watch.look()
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
    since, until = window(shares, [at for one in done for game in one.played for at, _ in game.moves])
    return ScaleReport(games, pace_s, since, until, tuple(done), watch)


def window(shares: Sequence[Share], moves: Sequence[float]) -> tuple[float, float]:
    """When moves are counted: from the first after all tables have begun to the last, or to the end of the run."""
    begun = max(share.begin + max(share.places) * share.apart_s for share in shares)
    since = min((at for at in moves if at >= begun), default=begun)
    until = min([max(moves, default=since), *(share.end for share in shares if share.end is not None)])
    return since, max(until, since + SHORTEST_S)


def split(games: int, urls: Sequence[BrokerUrl], pace_s: float, seconds: float | None, folder: Path) -> list[Share]:
    """Give every process of a run its tables; there are as many processes as cores, or fewer."""
    processes = min(os.cpu_count() or 1, math.ceil(games / TABLES_A_PROCESS))
    begin = time.monotonic() + START_S
    return [
        Share(
            urls=tuple(url.with_password() for url in urls),
            places=tuple(range(process, games, processes)),
            pace_s=pace_s,
            begin=begin,
            apart_s=APART_S if pace_s else 0.0,
            end=None if seconds is None else begin + seconds,
            folder=folder,
            audits=math.ceil(AUDITS_MAX / processes),
        )
        for process in range(processes)
    ]


async def _in_processes(shares: Sequence[Share]) -> list[Done]:
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(len(shares), multiprocessing.get_context("spawn")) as pool:
        return await asyncio.gather(*(loop.run_in_executor(pool, play_share, share) for share in shares))


async def _watch(watch: Watch, echo: Echo) -> None:
    """Send packets to ourselves and look at the broker, again and again, until cancelled."""
    looks = itertools.cycle([True] + [False] * (round(LOOK_EACH_S / TRIP_EACH_S) - 1))
    while True:
        if next(looks):
            watch.look()
        sent = time.monotonic()
        trips: list[float] = []
        _note(watch, trips, await echo.trip())
        watch.trips += [(sent, took) for took in trips]
        await asyncio.sleep(TRIP_EACH_S)


def _note(watch: Watch, trips: list[float], took_s: float | None) -> None:
    if took_s is None:
        watch.late += 1
    else:
        trips.append(took_s)
