"""The arena counts and reports what it should; how strong or fast anything is, is never asserted."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import fairdeck
import p2pdurak
from tests.bots.tables import dealt

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def arena(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the arena as `scripts/arena` does, on the same packages as this test."""
    homes = [SCRIPTS, *(Path(package.__path__[0]).parent for package in (p2pdurak, fairdeck))]
    return subprocess.run(
        [sys.executable, "-P", "-m", "arena_games", *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, homes))},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    for name in ("players", "pairs", "figures"):
        importlib.import_module(f"arena_games.{name}")
    return importlib.import_module("arena_games")


# The command


def test_match_is_told_with_interval_elo_draws_and_times() -> None:
    done = arena("greedy", "random", "--pairs", "5", "--processes", "1")
    assert (done.returncode, done.stderr) == (0, "")
    first, second, greedy, other = done.stdout.splitlines()
    assert first.startswith("greedy v random: ")
    assert first.endswith("in 5 mirrored pairs (seed 1)")
    assert second.startswith("Elo +")
    assert second.endswith("of 10")
    for name, line in (("greedy", greedy), ("random", other)):
        assert line.startswith(f"{name}: mean ")
        assert all(word in line for word in ("p50", "p95", "max", "ms a move (processor)"))


def test_match_of_one_seed_is_the_same_again_in_any_number_of_processes() -> None:
    reports = [json.loads(arena("easy", "medium", "--pairs", "6", "--json", "--processes", n).stdout) for n in "12"]
    for report in reports:
        assert set(report.pop("ms_a_move")) == {"a", "b"}
    assert reports[0] == reports[1]
    assert (reports[0]["a"], reports[0]["b"], reports[0]["pairs"]) == ("easy", "medium", 6)


def test_sequential_test_stops_as_soon_as_it_is_clear() -> None:
    done = arena("greedy", "random", "--pairs", "500", "--sprt")
    assert "in 50 mirrored pairs" in done.stdout
    assert "sequential test of Elo 0 against 20: stronger" in done.stdout


def test_sequential_test_tells_a_program_its_verdict_and_the_interval_in_elo() -> None:
    report = json.loads(arena("greedy", "random", "--pairs", "500", "--sprt", "--json").stdout)
    assert (report["pairs"], report["sprt"]) == (50, {"elo": [0.0, 20.0], "verdict": "stronger"})
    low, high = report["elo_interval"]
    assert 0 < low < report["elo"] < high


def test_player_plays_himself_evenly() -> None:
    report = json.loads(arena("greedy", "greedy", "--pairs", "20", "--json", "--processes", "1").stdout)
    assert (report["score"], report["half_width"], report["elo"]) == (0.5, 0.0, 0.0)
    assert (report["elo_interval"], report["sprt"]) == ([0.0, 0.0], None)


@pytest.mark.slow
def test_speed_tells_the_engines_and_the_solver_by_number_of_cards() -> None:
    done = arena("--speed")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines[:4]] == [
        "bare loop of a million",
        "random games of the rules engine",
        "random games of the fast table",
        "games played out by the heuristic",
    ]
    assert any(line.startswith("endings of 12 cards: ") for line in lines[4:])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["guru", "easy"], "'guru' is no player: it is one of random, greedy, medium+solver, easy, medium, hard"),
        (["easy", "hard:speed=9"], "'speed=9' is no change of the budget"),
        (["easy", "hard:worlds=many"], "'worlds=many' is no change of the budget"),
        (
            ["easy", "hard:worlds=0"],
            "'worlds=0' is no change of the budget: worlds or nodes, = and a whole number from 1 up",
        ),
        (["easy", "hard:nodes=-1"], "'nodes=-1' is no change of the budget"),
        (["easy", "hard:gain=nan"], "'gain=nan' is no change of the budget"),
        (["easy", "hard:doubt=-0.5"], "'doubt=-0.5' is no change of the budget"),
        (["easy", "medium:worlds=9"], "'medium:worlds=9' is no player"),
        (["easy"], "name two players"),
        (["easy", "easy", "--pairs", "0"], "'0' is no number from 1 up"),
    ],
)
def test_wrong_argument_is_a_sentence_and_exit_code_2(arguments: list[str], told: str) -> None:
    done = arena(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_script_may_be_executed() -> None:
    assert os.access(SCRIPTS / "arena", os.X_OK)


# Pairs


def test_pair_of_two_equal_players_is_shared(modules: ModuleType) -> None:
    result = modules.pairs.play_pair(modules.pairs.Match(("greedy", "greedy"), "s"), 3)
    assert result.halves == 2
    assert len(result.times_s[0]) == len(result.times_s[1]) > 10


def test_other_budget_of_hard_has_its_numbers(modules: ModuleType) -> None:
    player = modules.players.player("hard:worlds=3,nodes=5,gain=1.5,doubt=3")
    (budget,) = player.args
    assert (budget.worlds, budget.nodes, budget.gain, budget.doubt) == (3, 5, 1.5, 3.0)


@pytest.mark.parametrize("name", ["random", "greedy", "medium+solver"])
def test_baseline_plays_legally(modules: ModuleType, name: str) -> None:
    view = dealt(Random(2)).view(0)
    assert modules.players.player(name)(view, Random(1)) in view.legal_actions()


def test_yardstick_with_the_solver_finds_the_only_winning_lead(modules: ModuleType) -> None:
    from p2pdurak.rules.actions import Attack
    from p2pdurak.rules.cards import parse_card
    from p2pdurak.rules.view import View
    from tests.rules.games import at, cards

    view = View(0, at("h", "6h 6s 8d", "7s Jd Jh Qc"), tuple(sorted(cards("6h 6s 8d"))))
    assert modules.players.player("medium+solver")(view, Random(0)) == Attack(parse_card("8d"))


# Figures


def results(modules: ModuleType, *halves: int) -> list[object]:
    return [modules.pairs.PairResult(each, 0, ((0.001,), (0.002, 0.004))) for each in halves]


def test_score_is_the_mean_of_pairs_and_its_interval_comes_from_their_spread(modules: ModuleType) -> None:
    found = modules.figures.figures(results(modules, 4, 2, 2, 0))
    assert (found.pairs, found.score) == (4, 0.5)
    assert found.half_width == pytest.approx(1.96 * (1 / 6 / 4) ** 0.5)


def test_verdict_is_open_until_the_ratio_reaches_a_bound(modules: ModuleType) -> None:
    ratios = (9.0, -9.0, 0.5, -0.5)
    verdicts = [modules.figures.Figures(100, 0.5, 0.1, 0, ratio).verdict for ratio in ratios]
    assert verdicts == ["stronger", "not stronger", "open", "open"]


def test_interval_in_elo_has_the_ends_of_the_interval_of_the_score(modules: ModuleType) -> None:
    assert modules.figures.Figures(100, 0.5, 0.25, 0, 0.0).elo_interval == pytest.approx((-191, 191), abs=1.0)


def test_likelihood_ratio_points_to_the_right_hypothesis(modules: ModuleType) -> None:
    better = modules.figures.figures(results(modules, *[4, 2, 4] * 30))
    worse = modules.figures.figures(results(modules, *[0, 2, 1] * 30))
    even = modules.figures.figures(results(modules, 4, 0, 2, 2))
    assert better.decided
    assert worse.decided
    assert better.llr > 0 > worse.llr
    assert not even.decided


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (191, 0.75), (-191, 0.25), (1600, 1), (-1600, 0)])
def test_elo_of_a_score(modules: ModuleType, elo: int, score: float) -> None:
    assert modules.figures.elo(score) == pytest.approx(elo, abs=1.0)
    if 0 < score < 1:
        assert modules.figures.expected(modules.figures.elo(score)) == pytest.approx(score)


def test_times_are_told_in_milliseconds_and_for_each_player(modules: ModuleType) -> None:
    played = results(modules, 4, 0)
    assert modules.figures.times_ms(played, 0) == pytest.approx({"mean": 1, "p50": 1, "p95": 1, "max": 1})
    assert modules.figures.times_ms(played, 1) == pytest.approx({"mean": 3, "p50": 2, "p95": 4, "max": 4})
    assert modules.figures.times_ms([], 0) == {}
