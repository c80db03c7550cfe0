"""`p2pdurak doctor`: what may keep a game from working, one line a check.

It owns the order of the checks, the report and its exit code; what is checked, and what is wrong, it does not know. The
checks are loaded one after the other, for a library that cannot be loaded is a finding too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from p2pdurak.doctor.finding import Area, Finding, Outcome
from p2pdurak.doctor.program import check_program
from p2pdurak.ui.line_out import LineOut

OK: Final = 0
CODES: Final = {Area.PROGRAM: 1, Area.SETTINGS: 2, Area.BROKER: 3}
"""The exit code of what failed; of several the lowest."""

OUTCOME_CELLS: Final = 9
CHECK_CELLS: Final = 17


class Report:
    """What was found so far, printed as it comes."""

    def __init__(self, out: LineOut, *, as_json: bool) -> None:
        self._out = out
        self._as_json = as_json
        self._failed: list[Area] = []
        self._warnings = 0
        self._broker: str | None = None

    def add(self, finding: Finding) -> None:
        """Print a finding, and keep what it means for the exit code.

        Raises:
            OSError: nobody reads any more.
        """
        if finding.outcome is Outcome.FAILED:
            self._failed.append(finding.area)
        self._warnings += finding.outcome is Outcome.WARNING
        if self._as_json:
            self._write(json.dumps(fields(finding), ensure_ascii=False))
            return
        if finding.broker not in {None, self._broker}:
            self._write(f"Broker {finding.broker}:")
        self._broker = finding.broker or self._broker
        text = f"{finding.message} {finding.advice}".rstrip()
        self._write(f"{finding.outcome:<{OUTCOME_CELLS}}{finding.check:<{CHECK_CELLS}}{text}")

    def close(self) -> int:
        """Print what it comes to, for people, and return the exit code."""
        if not self._as_json:
            self._write(self._sum())
        return min((CODES[area] for area in self._failed), default=OK)

    def _sum(self) -> str:
        match len(self._failed), self._warnings:
            case 0, 0:
                return "All is well."
            case 0, count:
                return f"All works; there {'is 1 warning' if count == 1 else f'are {count} warnings'}."
            case count, _:
                return f"{count} {'check' if count == 1 else 'checks'} failed."

    def _write(self, line: str) -> None:
        self._out.write(line, whole=True)
        if self._out.problem is not None:
            raise self._out.problem


def fields(finding: Finding) -> dict[str, object]:
    """A finding as it stands in a line of `--json`; docs/doctor.md names every key."""
    return {
        "check": finding.check,
        "broker": finding.broker,
        "outcome": finding.outcome.value,
        "message": finding.message,
        "advice": finding.advice,
        "figures": dict(finding.figures),
    }


def run(options: argparse.Namespace) -> int:
    """Check everything, the brokers last; 0 if nothing failed, else 1 program, 2 settings, 3 broker."""
    report = Report(LineOut(sys.stdout), as_json=options.json)
    for finding in check_program():
        report.add(finding)
    try:
        _check_the_rest(options.broker, report)
    except ImportError as error:
        text = f"A library cannot be loaded ({error})."
        report.add(Finding("loading", Outcome.FAILED, text, "Install this program afresh."))
    return report.close()


def _check_the_rest(brokers: Sequence[str], report: Report) -> None:
    """What needs the libraries.

    Raises:
        ImportError: one of them is missing or broken.
    """
    from p2pdurak.doctor.machine import check_files, check_settings, check_terminal, this_screen
    from p2pdurak.doctor.self_test import check_libraries
    from p2pdurak.settings import SettingsError, load

    for finding in (*check_libraries(os.urandom, time.perf_counter), *check_terminal(this_screen())):
        report.add(finding)
    folder, named = None, tuple(brokers)
    try:
        settings = load()
    except SettingsError as error:
        report.add(Finding("settings", Outcome.FAILED, str(error), "", Area.SETTINGS))
    else:
        folder, named = settings.data, named or settings.brokers
        for finding in (check_settings(settings), *check_files(settings)):
            report.add(finding)
    _check_brokers(named, report, folder)


def _check_brokers(named: Sequence[str], report: Report, folder: Path | None) -> None:
    from p2pdurak.cli.crash import note_fault
    from p2pdurak.doctor.brokers import examine
    from p2pdurak.settings import EMBEDDED

    def keep_fault(_loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        if folder is not None:  # asyncio would print it over the report
            note_fault(folder, context)

    with asyncio.Runner() as runner:
        runner.get_loop().set_exception_handler(keep_fault)
        runner.run(examine(() if named == (EMBEDDED,) else named, time.time, report.add))
