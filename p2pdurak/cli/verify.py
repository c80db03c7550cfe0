"""`p2pdurak verify`: every check of a saved game, one a line, and the verdict; of two copies, what they are together.

It owns how an audit and a merge are told; it checks nothing itself.
"""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeck.audit import Audit, Check, Finding, audit
from fairdeck.merge import Merged, Relation, merge
from fairdeck.wire import record_head
from p2pdurak.cli.saved import INVALID, UNFINISHED, USAGE, fail, with_store
from p2pdurak.durak import DURAK
from p2pdurak.files import StoreError
from p2pdurak.replay import VOID, find_log, void_claim
from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import State
from p2pdurak.safe_text import clean_name
from p2pdurak.store import Store, read_log, save_log

CODES: Final = {Finding.OK: 0, Finding.INCOMPLETE: UNFINISHED}
COPIES: Final = 2

_SEAT: Final = re.compile(r"\bseat ([01])\b")
_HEAD_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class _Copy:
    """One log that could be read from the disk, and what was found in it."""

    path: Path
    data: bytes
    found: Audit[State, Action]

    @property
    def code(self) -> int:
        return CODES.get(self.found.finding, INVALID)


def run(options: argparse.Namespace) -> int:
    """Verify logs, and two copies of one game together.

    Returns:
        Of copies that were merged, the code of what they are together; else the highest of all logs: 0 verified,
        2 no such file, 4 not finished, 5 not to be trusted.
    """
    if options.save is not None and len(options.logs) != COPIES:
        return fail("Only two copies of one game can be saved as one log.", USAGE)
    return with_store(lambda store: _verify(store, options))


def _verify(store: Store, options: argparse.Namespace) -> int:
    copies, codes = [], []
    for name in options.logs:
        copy = _read(store, name)
        if copy is None:
            codes.append(USAGE)  # the others are verified all the same
            continue
        copies.append(copy)
        codes.append(copy.code)
        _tell(copy, as_json=options.json)
    if len(options.logs) == len(copies) == COPIES:
        return _together(copies[0], copies[1], options)
    return max(codes)


def _read(store: Store, name: str) -> _Copy | None:
    try:
        path = find_log(name, store.logs())
        data = read_log(path)
    except StoreError as error:
        fail(str(error), USAGE)
        return None
    return _Copy(path, data, audit(data, DURAK))


def _tell(copy: _Copy, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"log": str(copy.path), **_fields(copy.found)}, ensure_ascii=False))
        return
    print(copy.path.name)
    for check in copy.found.checks:
        print(_line(check, copy.found))
    print(f"  {copy.found.finding.value}")


def _line(check: Check, found: Audit[State, Action]) -> str:
    mark = "ok  " if check.holds else "open" if found.finding is Finding.INCOMPLETE else "FAIL"
    return f"  {mark}  {check.name}: {_told(check, found)}"


def _told(check: Check, found: Audit[State, Action]) -> str:
    """What a check found, with the players' names beside their seats."""
    text, claimer = check.text, void_claim(found)
    if check.name == "result" and not check.holds and claimer is not None:
        text = f"seat {claimer} claimed the win, but the step of seat {1 - claimer} was under way: the claim is void"
    names = _names(found)
    return _SEAT.sub(lambda seat: f"{names[int(seat[1])]} ({seat[0]})" if names[int(seat[1])] else seat[0], text)


def _names(found: Audit[State, Action]) -> tuple[str, str]:
    """Both names as far as the log tells them, safe to show."""
    last = found.referee
    host, guest = (None, None) if last is None else (last.start0, last.start1)
    return "" if host is None else clean_name(host.name), "" if guest is None else clean_name(guest.name)


def _fields(found: Audit[State, Action]) -> dict[str, object]:
    failed = next((check for check in found.checks if not check.holds), None)
    of_a_note = failed is not None and failed.name == "notes"
    owed = found.owed
    return {
        "verdict": found.finding.value,
        "accused": found.accused,
        "why": None if failed is None else failed.text,
        "record": None if of_a_note else found.place,
        "note": found.place if of_a_note else None,
        "owes": None if owed is None else {"seat": owed.seat, "record": owed.kind.name.lower()},
        "checks": [{"name": check.name, "holds": check.holds, "text": check.text} for check in found.checks],
        "end": found.verdict.end.value if void_claim(found) is None else VOID,
        "durak": found.verdict.loser if found.verdict.final else None,
        "head": None if found.referee is None else found.referee.head.hex(),
    }


# Two copies of one game.


def _together(one: _Copy, other: _Copy, options: argparse.Namespace) -> int:
    """Tell what two logs are together, and return the exit code."""
    broken = next((copy for copy in (one, other) if not copy.found.finding.readable), None)
    merged = None if broken is not None else merge(one.data, other.data)
    if merged is None or merged.relation is Relation.OTHER_GAME:
        why = "They are logs of two different games." if broken is None else f"{broken.path.name} cannot be trusted."
        _tell_apart(one, other, why, as_json=options.json)
        if options.save is not None:
            return fail(f"Nothing was saved. {why}", USAGE)
        return max(one.code, other.code)
    both = _Copy(Path(options.save or ""), merged.data, audit(merged.data, DURAK))
    _tell_merged(one, other, both, merged, as_json=options.json)
    if options.save is not None:
        save_log(both.path, both.data)
    return both.code


def _tell_apart(one: _Copy, other: _Copy, why: str, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"logs": [str(one.path), str(other.path)], "copies": None, "why": why}, ensure_ascii=False))
    else:
        print(f"Both together\n  not merged: {why}")


def _tell_merged(one: _Copy, other: _Copy, both: _Copy, merged: Merged, *, as_json: bool) -> None:
    if as_json:
        logs = [str(one.path), str(other.path)]
        heads = [record_head(record).hex() for record in merged.differing]
        copies = {"logs": logs, "copies": merged.relation.value, "shared": merged.shared, "heads": heads}
        print(json.dumps({**copies, "left_out": merged.left_out, **_fields(both.found)}, ensure_ascii=False))
        return
    print("Both together")
    for sentence in _relation_lines(one, other, merged):
        print(f"  {sentence}")
    print(_line(both.found.checks[-1], both.found))
    print(f"  {both.found.finding.value}")


def _relation_lines(one: _Copy, other: _Copy, merged: Merged) -> list[str]:
    """How the chains of two copies relate, and whose notes the other lacks."""
    more = abs(len(one.found.saved.records) - len(other.found.saved.records))
    match merged.relation:
        case Relation.SAME | Relation.OTHER_GAME:
            lines = [f"the same {merged.shared} records"]
        case Relation.FIRST_LONGER:
            lines = [f"the same {merged.shared} records, and {more} more in {one.path.name}"]
        case Relation.SECOND_LONGER:
            lines = [f"the same {merged.shared} records, and {more} more in {other.path.name}"]
        case Relation.FORK:
            heads = (record_head(record).hex()[:_HEAD_DIGITS] for record in merged.differing)
            named = " and ".join(f"{h} in {copy.path.name}" for h, copy in zip(heads, (one, other), strict=True))
            return [f"the same {merged.shared} records, then they part: record {merged.shared} is {named}"]
    for copy, count in zip((one, other), merged.notes, strict=True):
        if count:
            lines.append(f"{_notes(count)} only in {copy.path.name}")
    if merged.left_out:
        lines.append(f"{_notes(merged.left_out)} left out: what one copy holds of them, the other contradicts")
    return lines


def _notes(count: int) -> str:
    return f"{count} note" if count == 1 else f"{count} notes"
