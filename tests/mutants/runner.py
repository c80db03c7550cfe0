"""Run the tests of every mutant: python -m tests.mutants.runner [part of a name ...]; one line of JSON for each.

It owns processes and verdicts. The libraries are imported once, then each mutant gets a fork of this process, in which
nothing of the game is imported yet. Two forks run side by side. A fork that hangs is ended by the timeout of its test.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pytest

from tests.mutants.inject import StaleMutantError, inject
from tests.mutants.mutants import MUTANTS, Mutant

TESTS = Path(__file__).parents[1]
AT_ONCE = 2
TEST_S = 60

LIBRARIES = (
    "aiomqtt", "amqtt.broker", "cryptography.hazmat.primitives.ciphers.aead", "hypothesis", "msgpack", "msgspec",
    "nacl.bindings", "platformdirs", "prompt_toolkit", "spake2",
)  # fmt: skip


class Verdict(Enum):
    """What became of a mutant, or of the program as it is."""

    KILLED = "killed"
    SURVIVED = "survived"
    BROKEN = "broken"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Run:
    """One fork: what it is called, what is changed in it, and the tests it runs."""

    name: str
    mutant: Mutant | None
    tests: tuple[str, ...]


def runs(wanted: Sequence[str] = ()) -> Iterator[Run]:
    """The unchanged program with all tests, then for each test of each mutant one run."""
    mutants = [mutant for mutant in MUTANTS if not wanted or any(part in mutant.name for part in wanted)]
    yield Run("as it is", None, tuple(dict.fromkeys(test for mutant in mutants for test in mutant.tests)))
    for mutant in mutants:
        for test in mutant.tests:
            yield Run(mutant.name, mutant, (test,))


def judge(run: Run) -> Verdict:
    """Run the tests in this process, which is spoilt for anything else after it."""
    if run.mutant is not None:
        try:
            inject(run.mutant)
        except StaleMutantError:
            return Verdict.STALE
    ids = [str(TESTS / test) for test in run.tests]
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        arguments = ["-q", "-x", "-p", "no:cacheprovider", "--timeout", str(TEST_S), "--timeout-method", "signal"]
        code = pytest.main([*arguments, *ids])
    # Whatever is neither "all passed" nor "one failed" is a fault of the list: no such test, or a change that does
    # not even import.
    return {pytest.ExitCode.OK: Verdict.SURVIVED, pytest.ExitCode.TESTS_FAILED: Verdict.KILLED}.get(
        pytest.ExitCode(code), Verdict.BROKEN
    )


def forked(work: Callable[[], Verdict]) -> tuple[int, int]:
    """Start `work` in a fork; its process id, and where its verdict can be read."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, reader
    verdict = Verdict.BROKEN
    try:
        verdict = work()
    finally:
        os.write(writer, verdict.value.encode())
        os._exit(0)


def verdicts(todo: Iterable[Run]) -> Iterator[tuple[Run, Verdict]]:
    """Judge all runs, some at a time, in their order."""
    waiting: list[tuple[Run, int, int]] = []
    for run in todo:
        waiting.append((run, *forked(lambda run=run: judge(run))))
        if len(waiting) == AT_ONCE:
            yield _collected(waiting.pop(0))
    while waiting:
        yield _collected(waiting.pop(0))


def _collected(started: tuple[Run, int, int]) -> tuple[Run, Verdict]:
    run, child, reader = started
    with os.fdopen(reader, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return run, Verdict(told.decode()) if told else Verdict.BROKEN


def main(wanted: Sequence[str]) -> None:
    """Print the verdict of every run."""
    for name in LIBRARIES:
        __import__(name)
    for run, verdict in verdicts(runs(wanted)):
        print(json.dumps({"name": run.name, "tests": run.tests, "verdict": verdict.value}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
