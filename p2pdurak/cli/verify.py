"""`p2pdurak verify`: every check of a saved game, one a line, and the verdict."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

from fairdeck.audit import Audit, Finding, audit
from p2pdurak.cli.saved import INVALID, UNFINISHED, USAGE, fail, with_store
from p2pdurak.durak import DURAK
from p2pdurak.replay import find_log
from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import State
from p2pdurak.store import Store, StoreError, read_log

CODES: Final = {Finding.OK: 0, Finding.INCOMPLETE: UNFINISHED}


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
            print(f"  {'ok  ' if check.holds else 'FAIL' if _broken(found) else 'open'}  {check.name}: {check.text}")
        print(f"  {found.finding.value}")
    return CODES.get(found.finding, INVALID)


def _broken(found: Audit[State, Action]) -> bool:
    return found.finding is not Finding.INCOMPLETE


def _fields(path: Path, found: Audit[State, Action]) -> dict[str, object]:
    return {
        "log": str(path),
        "verdict": found.finding.value,
        "accused": found.accused,
        "checks": [{"name": check.name, "holds": check.holds, "text": check.text} for check in found.checks],
        "end": found.verdict.end.value,
        "durak": found.verdict.loser if found.verdict.final else None,
        "head": None if found.referee is None else found.referee.head.hex(),
    }
