"""Every place of an evening at which something can fail, and the evening played with the fault there.

It owns the list of crash points and the kinds of evening; it judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from random import Random

from tests.faults.evening import Evening, WornPair
from tests.faults.seam import GROWING, Fault, Plan


class Kind(Enum):
    """How the evening goes that is disturbed."""

    MATCH = "two people play two games, each resigned after a few moves"
    BOTS = "two bots play one game to its last card"


@dataclass(frozen=True, slots=True)
class Point:
    """One fault at one call; `call` says what was asked for."""

    seat: int
    number: int
    call: str
    fault: Fault


def evening(kind: Kind, folder: Path, plan: Plan) -> Evening:
    """Play such an evening with these faults."""
    match kind:
        case Kind.MATCH:
            return Evening(WornPair(folder, plan), games=2, resign_at=12).pass_by()
        case Kind.BOTS:
            return Evening(WornPair(folder, plan, bots=True)).pass_by()


def points(kind: Kind, folder: Path) -> Iterator[Point]:
    """All of them: the calls of an evening at which nothing fails, each with every fault that it can have."""
    for seat, calls in enumerate(evening(kind, folder, {}).pair.seam.calls):
        for number, call in enumerate(calls):
            for fault in Fault:
                if _fits(fault, call.split()[0]):
                    yield Point(seat, number, call, fault)


def _fits(fault: Fault, name: str) -> bool:
    match fault:
        case Fault.KILL | Fault.EIO:
            return True
        case Fault.TORN | Fault.SHORT:
            return name == "write"
        case Fault.FULL:
            return name in GROWING
        case Fault.POWER:
            return name in {"fsync", "send"}


def telling(found: list[Point]) -> list[Point]:
    """One point for each kind of call and fault of either seat in each stretch of the evening, and all of its end."""
    seen, chosen = set(), []
    ends = {seat: max(point.number for point in found if point.seat == seat) for seat in (0, 1)}
    for point in found:
        key = (point.seat, point.call, point.fault, point.number // STRETCH)
        if key not in seen or point.number >= ends[point.seat] - ENDING:
            seen.add(key)
            chosen.append(point)
    return chosen


STRETCH = 45
ENDING = 12
"""So many calls, and more, save the end of a game."""


def many_faults(seed: int, calls: tuple[int, int]) -> Plan:
    """Kills, full disks and failing calls here and there through one evening, on both sides."""
    chance = Random(seed)
    kinds = (Fault.KILL, Fault.KILL, Fault.TORN, Fault.POWER, Fault.EIO, Fault.FULL, Fault.SHORT)
    plan: dict[tuple[int, int], Fault] = {}
    for seat, count in enumerate(calls):
        for number in sorted(chance.sample(range(BEGUN, 2 * count), k=6)):
            plan[seat, number] = chance.choice(kinds)
    return plan


BEGUN = 30
"""By then both have on their disks what a new program needs."""
