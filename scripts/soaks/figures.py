"""What a run of games with faults amounts to.

It owns the comparing of both logs, their verification, and the table; it starts nothing but `p2pdurak verify`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fairdeck.log import read
from soaks.game import Played

SEATS: Final = 2


@dataclass(slots=True)
class Figures:
    """The sums over all games of a run.

    Attributes:
        broker: its name.
        kill: what was killed.
        faults: injected, `in_shuffle` of them before the deal.
        games: begun; `finished` of them to the end, with the same verdict on both sides.
        records: in both logs of all games together, `lost` of them in one log and not in the other.
        logs: found, `verified` of them.
        recoveries: in seconds; see `Played`.
        downs: in seconds; see `Played`.
        problems: sentences, each with the folder where everything is kept.
    """

    broker: str
    kill: str
    faults: int = 0
    in_shuffle: int = 0
    games: int = 0
    finished: int = 0
    records: int = 0
    lost: int = 0
    logs: int = 0
    verified: int = 0
    recoveries: list[float] = field(default_factory=list)
    downs: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether every game ended, nothing was lost and every log was verified."""
        whole = self.games == self.finished and self.logs == self.verified == SEATS * self.games
        return whole and self.lost == 0 and not self.problems

    def add(self, played: Played) -> None:
        """Count a game, and check its logs."""
        self.games += 1
        self.faults += played.faults
        self.in_shuffle += played.shuffle_faults
        self.recoveries += played.recoveries
        self.downs += played.downs
        problem = played.problem or _disagreement(played)
        found = sorted(played.folder.glob("*/data/p2pdurak/games/*.dlog"))
        if problem is not None:
            self.problems.append(f"{played.folder}: {problem}")
        else:
            self.finished += 1
        chains = [read(path.read_bytes()).records for path in found]
        self.records += sum(len(chain) for chain in chains)
        self.lost += lost_records(chains)
        self.logs += len(found)
        self.verified += _verified(found)

    def text(self) -> str:
        """For people."""
        rows = [
            ("faults injected", f"{self.faults} ({self.kill} killed; {self.in_shuffle} of them before the deal)"),
            ("games", f"{self.games}, finished alike on both sides: {self.finished}"),
            ("records", f"{self.records}, lost: {self.lost}"),
            ("recovery", f"{_spread(self.recoveries)} (from the kill to the next new move at the other player)"),
            ("away", f"{_spread(self.downs)} (from the kill until what was killed runs again)"),
            ("logs verified", f"{self.verified} of {self.logs}"),
        ]
        lines = [f"broker: {self.broker}"] + [f"  {name:<16} {value}" for name, value in rows]
        return "\n".join(lines + [f"  PROBLEM {problem}" for problem in self.problems])

    def data(self) -> dict[str, object]:
        """For programs; times in seconds."""
        return {
            "broker": self.broker,
            "kill": self.kill,
            "faults": self.faults,
            "in_shuffle": self.in_shuffle,
            "games": self.games,
            "finished": self.finished,
            "records": self.records,
            "lost": self.lost,
            "recovery_p50": quantile(self.recoveries, 0.5),
            "recovery_p95": quantile(self.recoveries, 0.95),
            "recovery_max": max(self.recoveries, default=None),
            "away_p50": quantile(self.downs, 0.5),
            "logs": self.logs,
            "verified": self.verified,
            "problems": self.problems,
        }


def lost_records(chains: Sequence[Sequence[bytes]]) -> int:
    """Count the records of two copies of a game that the other copy lacks, or has otherwise.

    Of a game without two copies everything is lost.
    """
    if len(chains) != SEATS:
        return sum(len(chain) for chain in chains)
    ours, theirs = chains
    same = sum(mine == other for mine, other in zip(ours, theirs, strict=False))
    return len(ours) + len(theirs) - 2 * same


def quantile(values: Sequence[float], part: float) -> float | None:
    """The value below which `part` (0 to 1) of the values lie, by nearest rank; None without values."""
    if not values:
        return None
    return sorted(values)[min(int(part * len(values)), len(values) - 1)]


def _spread(values: Sequence[float]) -> str:
    if not values:
        return "-"
    p50, p95 = quantile(values, 0.5), quantile(values, 0.95)
    return f"p50 {p50:.2f} s, p95 {p95:.2f} s, longest {max(values):.2f} s, n = {len(values)}"


def _disagreement(played: Played) -> str | None:
    """What the two programs tell differently, or that one did not end well."""
    ours, theirs = played.results[0], played.results[1]
    for name in ("durak", "head", "reason"):
        if ours[name] != theirs[name]:
            return f"the two sides differ in {name}: {ours[name]!r} and {theirs[name]!r}"
    return None if set(played.codes.values()) == {0} else f"exit codes {played.codes}"


def _verified(logs: Sequence[Path]) -> int:
    """How many logs `p2pdurak verify` finds whole and true; each is checked by itself."""
    good = 0
    for path in logs:
        words = [sys.executable, "-P", "-m", "p2pdurak", "verify", "--json", str(path)]
        environment = os.environ | {"XDG_DATA_HOME": str(path.parents[2])}
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        good += done.returncode == 0 and all(json.loads(line) for line in done.stdout.splitlines())
    return good
