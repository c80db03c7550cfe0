"""`p2pdurak verify`: every check of a saved game, one a line, and the verdict.

It owns how an audit is told; it checks nothing itself.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Final

from fairdeck.audit import Audit, Check, Finding, audit
from p2pdurak.cli.saved import INVALID, UNFINISHED, USAGE, fail, with_store
from p2pdurak.durak import DURAK
from p2pdurak.replay import VOID, find_log, void_claim
from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import State
from p2pdurak.safe_text import clean_name
from p2pdurak.store import Store, StoreError, read_log

CODES: Final = {Finding.OK: 0, Finding.INCOMPLETE: UNFINISHED}

_SEAT: Final = re.compile(r"\bseat ([01])\b")


def run(options: argparse.Namespace) -> int:
    """Verify logs and return the highest of their codes: 0 verified, 2 unreadable, 4 not finished, 5 not trusted."""
    return with_store(lambda store: max(_verify(store, name, as_json=options.json) for name in options.logs))


def _verify(store: Store, name: str, *, as_json: bool) -> int:
    try:
        path = find_log(name, store.logs())
        found = audit(read_log(path), DURAK)
    except StoreError as error:
        return fail(str(error), USAGE)  # the others are verified all the same
    if as_json:
        print(json.dumps(_fields(path, found), ensure_ascii=False))
    else:
        print(path.name)
        for check in found.checks:
            mark = "ok  " if check.holds else "FAIL" if _broken(found) else "open"
            print(f"  {mark}  {check.name}: {_told(check, found)}")
        print(f"  {found.finding.value}")
    return CODES.get(found.finding, INVALID)


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


def _broken(found: Audit[State, Action]) -> bool:
    return found.finding is not Finding.INCOMPLETE


def _fields(path: Path, found: Audit[State, Action]) -> dict[str, object]:
    return {
        "log": str(path),
        "verdict": found.finding.value,
        "accused": found.accused,
        "checks": [{"name": check.name, "holds": check.holds, "text": check.text} for check in found.checks],
        "end": found.verdict.end.value if void_claim(found) is None else VOID,
        "durak": found.verdict.loser if found.verdict.final else None,
        "head": None if found.referee is None else found.referee.head.hex(),
    }
