"""What must hold after an evening at which something failed, as a list of what does not.

It owns the comparison of what was signed, what is saved and what was said; it plays nothing.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from fairdeck.audit import Audit, Finding, audit
from fairdeck.notes import End
from fairdeck.wire import decode_record
from p2pdurak.durak import DURAK
from p2pdurak.events import Trouble
from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import State
from p2pdurak.store import read_log
from tests.fairdeck.cheap import CHEAP_SUITES
from tests.faults.evening import Evening, Place, WornPair, place_of
from tests.table.pairs import Side

HARMLESS: Final = frozenset({"left"})
"""Trouble that a friend who never came back explains."""

Saved = Audit[State, Action]


def wrongs(evening: Evening) -> list[str]:
    """Everything that is not as it must be; nothing after an honest evening, whatever failed."""
    pair = evening.pair
    saved = [_audits(side) for side in pair.sides]
    found = ["secrets are gone that no log holds"] if evening.gone_without_keys else []
    for seat in (0, 1):
        found += _accusations(seat, pair.sides[seat])
        found += _signatures(seat, pair, saved[seat])
        found += [f"seat {seat}: {one.finding.value}" for one in saved[seat] if not _is_fine(one, evening)]
    return found + _differences(saved[0], saved[1], lost=bool(evening.lost))


def _audits(side: Side) -> list[Saved]:
    """The logs of a seat by game; where it died before it had signed anything, there was no game."""
    logs = [audit(read_log(path), DURAK, CHEAP_SUITES) for path in side.logs()]
    seat = side.duel.player.seat
    return [one for one in logs if any(decode_record(record).seat == seat for record in one.saved.records)]


def _is_fine(one: Saved, evening: Evening) -> bool:
    """Whether a game is over and proven; where a seat had not begun it, its beginning is enough."""
    if evening.lost:
        return one.finding in {Finding.OK, Finding.INCOMPLETE, Finding.TORN}
    return one.finding is Finding.OK and one.verdict.end in {End.CARDS, End.RESIGN}


def _accusations(seat: int, side: Side) -> list[str]:
    told = [trouble for trouble in side.told(Trouble) if trouble.kind not in HARMLESS]
    files = sorted(path.name for path in side.store.games.iterdir() if not path.name.endswith((".dlog", ".keys")))
    evidence = sorted(path.name for path in side.store.games.glob("*.evidence.*"))
    return [f"seat {seat} is told {trouble}" for trouble in told] + [
        f"seat {seat}: {name}" for name in files + evidence
    ]


def _signatures(seat: int, pair: WornPair, saved: list[Saved]) -> list[str]:
    """Every record that was given to the line stands in a log, and nothing else at its place."""
    there: dict[Place, set[bytes]] = defaultdict(set)
    for one in saved:
        for record in one.saved.records:
            there[place_of(record)].add(record)
    found = []
    for record in pair.signed[seat]:
        place = place_of(record)
        if record not in there[place]:
            found.append(f"seat {seat} has lost its record {place[1]}")
        there[place].add(record)
        if len(there[place]) > 1:
            found.append(f"seat {seat} has signed twice for place {place[1]}")
    return found


def _differences(ours: list[Saved], theirs: list[Saved], *, lost: bool) -> list[str]:
    """Both hold the same chain; a seat that did not come back to a game holds the beginning of it."""
    found = [] if lost or len(ours) == len(theirs) else ["one has more games than the other"]
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False), 1):
        a, b = one.saved.records, other.saved.records
        shared = min(len(a), len(b))
        if a[:shared] != b[:shared] or (a != b and not lost):
            found.append(f"game {number} differs: {len(a)} and {len(b)} records")
    return found
