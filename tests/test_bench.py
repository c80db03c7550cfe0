"""The benchmarks count and report what they should; how fast anything is, is never asserted."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from nacl import bindings

import fairdeck
import p2pdurak
from fairdeck import group, sign
from fairdeck.group import EDWARDS25519, base, times_base

TREE = Path(__file__).resolve().parents[1]
SCRIPTS = TREE / "scripts"


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the benchmarks as `scripts/bench` does, on the same packages as this test."""
    homes = [SCRIPTS, *(Path(package.__path__[0]).parent for package in (p2pdurak, fairdeck))]
    return subprocess.run(
        [sys.executable, "-P", "-m", "benchmarks", *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, homes))},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def floor(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("benchmarks.floor")


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("benchmarks.game")


@pytest.fixture
def deal(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("benchmarks.deal")


# The command

ROWS = [
    ("shuffle", 2_304),
    ("prove", 4_768),
    ("verify", 7_072),
    ("shuffle, prove, verify", 7_072),
    ("opening", 97),
    ("check the opening", 97),
    ("remask of 6", 1_312),
    ("check the remask", 1_312),
    ("denial by 6 cards", 608),
    ("check the denial", 608),
    ("shares for 6", 256),
    ("check the shares", 256),
]


def test_deal_tells_the_length_of_the_proof_and_a_ratio_in_every_row() -> None:
    done = bench("deal", "--repetitions", "1")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "proof of a shuffle: 4,768 bytes, as designed" in lines
    for name, size in ROWS:
        row = next(line for line in lines if line.startswith(f"{name:<26}"))
        operation_ms, floor_ms, ratio, calls, told_size, *_ = row[26:].split()
        assert min(map(float, (operation_ms, floor_ms, ratio, calls))) > 0
        assert told_size == f"{size:,}"


@pytest.mark.slow
def test_deal_gives_programs_the_same_rows() -> None:
    done = bench("deal", "--repetitions", "1", "--json")
    report = json.loads(done.stdout)
    assert (report["benchmark"], report["repetitions"], report["proof_bytes"]) == ("deal", 1, 4_768)
    assert [(row["name"], row["bytes"]) for row in report["rows"]] == ROWS
    assert all(row["ratio"] > 0 for row in report["rows"])


@pytest.mark.slow
def test_game_counts_messages_trips_and_bytes() -> None:
    done = bench("game", "--games", "1", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (figures,) = json.loads(done.stdout)["games"]
    assert figures["trips_to_hands"] == 5
    assert 5 <= figures["trips_to_attack"] <= figures["records_to_attack"] <= figures["records"]
    assert figures["trips"] <= figures["records"]
    assert 2 * 4_768 < figures["card_bytes"] < figures["record_bytes"]
    assert figures["ratio"] > 0
    assert figures["log_bytes"] > figures["record_bytes"]
    assert figures["audit_calls"] > 838, "an audit checks more than one shuffle"
    assert figures["audit_ratio"] > 0


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_number_that_measures_nothing_is_refused_with_a_sentence(number: str) -> None:
    done = bench("deal", "--repetitions", number)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{number!r} is no number from 1 up" in done.stderr


def test_script_may_be_executed() -> None:
    assert os.access(SCRIPTS / "bench", os.X_OK)


# The floor


def test_floor_holds_every_libsodium_call_of_an_operation_in_order(floor: ModuleType) -> None:
    point = base(EDWARDS25519)
    with floor.recording() as calls:
        product = 2 * point
        _ = product + point
    assert calls == [
        (bindings.crypto_scalarmult_ed25519_noclamp, ((2).to_bytes(32, "little"), point.data)),
        (bindings.crypto_core_ed25519_add, (product.data, point.data)),
    ]


def test_recorded_signature_is_a_call_too(floor: ModuleType) -> None:
    key = sign.SigningKey.from_seed(bytes(32))
    with floor.recording() as calls:
        key.sign("label", b"message")
    assert [function for function, _ in calls] == [bindings.crypto_sign]


def test_recording_changes_no_result(floor: ModuleType) -> None:
    with floor.recording():
        recorded = times_base(EDWARDS25519, 7)
    assert recorded == times_base(EDWARDS25519, 7)


def test_libsodium_is_given_back_even_after_an_error(floor: ModuleType) -> None:
    with pytest.raises(ZeroDivisionError), floor.recording():
        _ = 1 // 0
    assert (group.sodium, sign.sodium) == (bindings, bindings)


def test_replay_makes_each_call_once_with_its_arguments(floor: ModuleType) -> None:
    made: list[tuple[int, int]] = []

    def call(first: int, second: int) -> None:
        made.append((first, second))

    floor.replay([(call, (1, 2)), (call, (3, 4))])
    assert made == [(1, 2), (3, 4)]


def test_first_run_is_not_measured_so_that_constants_do_not_count(floor: ModuleType) -> None:
    constants: list[object] = []

    def operation() -> None:
        if not constants:
            constants.append(times_base(EDWARDS25519, 5))
        times_base(EDWARDS25519, 6)

    assert floor.measure(operation, 1).calls == 1


# What is told


def test_report_names_the_rows_over_the_limit_and_a_proof_of_another_length(
    deal: ModuleType, floor: ModuleType
) -> None:
    def row(name: str, ratio: float) -> object:
        return deal.Row(deal.Case(name, list, 1), floor.Measured(ratio, 1.0, ratio, 1))

    text = deal.DealReport(1, (row("slow", 1.21), row("fast", 1.2)), 4_800).text()
    assert "over 1.2 times the floor: slow\n" in text
    assert "proof of a shuffle: 4,800 bytes, and not 4,768" in text


# The games


@pytest.mark.slow
def test_game_of_one_seed_is_the_same_game_again(game: ModuleType) -> None:
    assert game.play(3).records == game.play(3).records


def test_games_of_two_seeds_differ_from_the_first_commitment_on(game: ModuleType) -> None:
    hosts = [game.sit_down(seed)[0].step() for seed in (3, 4)]
    assert hosts[0] != hosts[1]


@pytest.mark.parametrize(("seats", "expected"), [("", 0), ("0", 1), ("000", 1), ("0011", 2), ("01010", 5)])
def test_records_in_a_row_of_one_seat_are_one_trip(game: ModuleType, seats: str, expected: int) -> None:
    records = [Spoken(int(seat)) for seat in seats]
    assert game.trips(records) == expected


class Spoken:
    """As much of a record as a trip depends on."""

    def __init__(self, seat: int) -> None:
        self.seat = seat


@pytest.mark.slow
def test_the_screen_is_measured_against_references_of_the_same_run() -> None:
    done = bench("screen", "--seconds", "1", "--json")

    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert found["start_ratio"] > 1
    assert 0 < found["tick_bytes"] < found["key_bytes"] < found["first_paint_bytes"]
