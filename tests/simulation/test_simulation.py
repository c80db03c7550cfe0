"""Runs of two honest seats on a hostile line, by seed: nothing breaks, and what is broken on purpose is found."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

from tests.simulation.__main__ import main
from tests.simulation.bulk import Kind, play_of, run, run_many, run_seed, run_seeds
from tests.simulation.line import Faults, Line, storm
from tests.simulation.mistakes import MISTAKES, Mistake
from tests.simulation.plays import durak, short
from tests.simulation.watch import Invariant, Violation
from tests.simulation.world import World

WORKERS = 2
SEEDS_MAX = 60
"""Every mistake shows in fewer runs; most in the first."""


def broken(kind: Kind, seeds: range) -> list[tuple[int, object]]:
    """Run the seeds here: those that broke something, with what they broke."""
    return [(seed, found) for seed, found in run_seeds(kind, seeds) if isinstance(found, str)]


def first_broken(kind: Kind) -> Invariant | None:
    """What the first seed that breaks something breaks."""
    for seed in range(1, SEEDS_MAX):
        try:
            run(kind, World(seed, play_of(seed)))
        except Violation as violation:
            return violation.invariant
    return None


def test_some_safety_seeds_break_nothing() -> None:
    assert broken(Kind.SAFETY, range(1, 11)) == []


def test_some_liveness_seeds_finish() -> None:
    assert broken(Kind.LIVENESS, range(1, 9)) == []


def test_whole_durak_finishes_when_the_faults_stop() -> None:
    outcome = World(3, durak(3)).run_liveness()
    assert outcome.finished
    assert outcome.deaths > 0


@pytest.mark.slow
def test_two_thousand_safety_seeds_break_nothing() -> None:
    total = run_many(Kind.SAFETY, range(2000), WORKERS)
    assert total.broken == []
    assert (total.runs, total.durak) == (2000, 50)
    assert total.finished > 1800


@pytest.mark.slow
def test_five_hundred_liveness_seeds_finish() -> None:
    total = run_many(Kind.LIVENESS, range(10_000, 10_500), WORKERS)
    assert total.broken == []
    assert total.finished == 500


@pytest.mark.slow
def test_real_proofs_change_nothing() -> None:
    total = run_many(Kind.LIVENESS, range(4), WORKERS, real=True)
    assert total.broken == []
    assert total.finished == total.durak == 4


# What a run is


def test_number_gives_the_same_run_again() -> None:
    stories: list[list[str]] = [[], [], []]
    for seed, story in zip((5, 5, 6), stories, strict=True):
        World(seed, short(seed), story=story).run_safety()
    assert stories[0] == stories[1] != stories[2]


def test_telling_the_story_changes_no_run() -> None:
    assert World(5, short(5), story=[]).run_safety() == World(5, short(5)).run_safety()


def test_storms_bring_every_fault_and_leave_each_out() -> None:
    storms = [storm(Random(seed)) for seed in range(100)]
    for name in Faults.__dataclass_fields__:
        rates = {getattr(faults, name) for faults in storms}
        assert len(rates) > 2, name
        assert name == "delay_s" or 0.0 in rates, name


def test_calm_line_brings_everything_once_and_unchanged() -> None:
    line = Line(Random(1))
    came = [line.carry(1, b"packet") for _ in range(100)]
    assert all([each[1:] for each in copies] == [(1, b"packet", "")] for copies in came)
    assert all(0 < in_s <= line.faults.delay_s < inf for copies in came for in_s, *_ in copies)


def test_line_that_is_cut_brings_nothing_to_that_seat() -> None:
    line = Line(Random(1), cut=frozenset({1}))
    assert [line.carry(1, b"packet"), len(line.carry(0, b"packet"))] == [[], 1]


# What it finds


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_mistake_is_found(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.make(monkeypatch)
    assert first_broken(mistake.kind) is mistake.breaks


def test_seed_that_breaks_something_is_told_with_what_it_broke(monkeypatch: pytest.MonkeyPatch) -> None:
    MISTAKES[0].make(monkeypatch)
    seed, found = run_seed(Kind.SAFETY, 1)
    assert seed == 1
    assert "WRITE_AHEAD" in str(found)


def test_any_other_error_of_a_run_is_told_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(World, "step", lambda _: 1 // 0)
    assert run_seed(Kind.SAFETY, 9) == (9, "ZeroDivisionError: integer division or modulo by zero")


# The command


def test_command_tells_the_story_of_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "5", "--kind", "liveness"]) == 0
    told = capsys.readouterr().out
    assert "seat 0 starts with 0 records (life 0)" in told
    assert "seat 0 makes record 0" in told
    assert "the faults stop" in told
    assert "finished=True" in told


def test_command_fails_where_a_run_breaks_something(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    MISTAKES[0].make(monkeypatch)
    assert main(["--seed", "1"]) == 1
    assert "broken: WRITE_AHEAD" in capsys.readouterr().out


@pytest.mark.slow
def test_command_sums_up_many_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--safety", "0..4", "--liveness", "4..6", "--workers", "2"]) == 0
    told = capsys.readouterr().out
    assert "4 safety seeds (1 of them durak): 0 broken" in told
    assert "2 liveness seeds (0 of them durak): 0 broken, 2 games finished" in told
