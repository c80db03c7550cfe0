"""Every mutant of the list is killed by the tests it names, and by each of them alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutants.inject import StaleMutantError, mutated, source_of
from tests.mutants.mutants import MUTANTS, Mutant

TREE = Path(__file__).parents[2]
NAMES = [mutant.name for mutant in MUTANTS]


@pytest.mark.parametrize("mutant", MUTANTS, ids=NAMES)
def test_text_that_a_mutant_changes_stands_once_in_its_module(mutant: Mutant) -> None:
    assert mutated(mutant, source_of(mutant.module)) != source_of(mutant.module)


@pytest.mark.parametrize(("old", "times"), [("no such text", 0), ("import", 7)])
def test_text_that_is_gone_or_not_unique_is_told_with_the_name_of_the_mutant(old: str, times: int) -> None:
    stale = replace(MUTANTS[0], old=old)
    source = "import a\n" * times
    with pytest.raises(StaleMutantError, match=f"occurs {times} times in .* written anew: {stale.name}"):
        mutated(stale, source)


def test_mutants_have_names_of_their_own_and_tests_that_exist() -> None:
    assert len(set(NAMES)) == len(MUTANTS) > 20
    for mutant in MUTANTS:
        for test in mutant.tests:
            file, name = test.split("::")
            assert f"def {name}(" in (TREE / "tests" / file).read_text(encoding="utf-8"), test


@pytest.fixture(scope="module")
def verdicts() -> dict[str, dict[str, str]]:
    """By name of the mutant, the verdict of each of its tests, or of all tests on the unchanged program."""
    words = [sys.executable, "-P", "-m", "tests.mutants.runner"]
    path = {"PYTHONPATH": f"{TREE}:{TREE / 'protocol'}", "PATH": "", "HOME": str(TREE / "no home")}
    done = subprocess.run(words, cwd=TREE, env=path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, dict[str, str]] = defaultdict(dict)
    for line in done.stdout.splitlines():
        run = json.loads(line)
        told[run["name"]][" ".join(run["tests"])] = run["verdict"]
    return told


@pytest.mark.slow
def test_unchanged_program_passes_every_test_that_is_to_kill_a_mutant(verdicts: dict[str, dict[str, str]]) -> None:
    assert list(verdicts["as it is"].values()) == ["survived"]


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=NAMES)
def test_mutant_is_killed_by_each_of_its_tests(mutant: Mutant, verdicts: dict[str, dict[str, str]]) -> None:
    assert verdicts[mutant.name] == dict.fromkeys(mutant.tests, "killed")
