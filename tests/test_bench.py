"""The benchmarks count and report what they should; how fast anything is, is never asserted."""

from __future__ import annotations

import importlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from nacl import bindings

import fairdeck
import p2pdurak
from fairdeck import group, sign
from fairdeck.group import EDWARDS25519, base, times_base
from fairdeck.log import MAGIC, Tag, encode_entry
from p2pdurak.transport.url import BrokerUrl
from tests.e2e.brokers import Mosquitto

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
def main(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str]], int]:
    monkeypatch.syspath_prepend(SCRIPTS)
    command: Callable[[list[str]], int] = importlib.import_module("benchmarks.__main__").main
    return command


@pytest.fixture
def broker_load(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("benchmarks.broker_load")


@pytest.fixture
def scale(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("benchmarks.scale")


@pytest.fixture
def share(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("benchmarks.share")


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
def test_number_that_measures_nothing_is_refused_with_a_sentence(
    main: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str], number: str
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["deal", "--repetitions", number])
    assert refused.value.code == 2
    assert f"{number!r} is no number from 1 up" in capsys.readouterr().err


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


# Many games at once

NOWHERE = "mqtt://127.0.0.1:1"
"""Nothing listens on the first port of a machine."""


@pytest.mark.slow
@pytest.mark.broker
def test_scale_plays_every_game_to_its_end_and_finds_every_log_true(mosquitto: Mosquitto) -> None:
    done = bench("scale", "--games", "2", "--broker", mosquitto.url, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert (found["begun"], found["finished"], found["problems"]) == (2, 2, [])
    assert (found["logs"], found["audited"], found["true"]) == (4, 4, 4)
    assert found["moves"] > 40
    assert found["packets"] > found["moves"], "deals and acknowledgements are packets too"
    assert 0 < found["move_p50_s"] <= found["move_p99_s"]
    assert found["ratio_p50"] > 0
    assert found["raw_late"] == 0
    assert found["broker_cpu_s"] > 0
    assert found["broker_memory"] > 0


@pytest.mark.slow
@pytest.mark.broker
def test_games_that_are_broken_off_are_told_as_such_and_their_logs_still_agree(mosquitto: Mosquitto) -> None:
    done = bench("scale", "--games", "2", "--pace", "1", "--seconds", "5", "--broker", mosquitto.url)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{'games begun / finished':<44}2 / 0\n" in done.stdout
    assert "PROBLEM" not in done.stdout


@pytest.mark.slow
@pytest.mark.broker
def test_latency_measures_every_reference_of_a_typed_move(mosquitto: Mosquitto) -> None:
    done = bench("latency", "--games", "1", "--broker", mosquitto.url, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert found["moves"] > 20
    assert found["needed_s"] == pytest.approx(found["trip_s"] + 2 * found["sync_s"] + found["proofs_s"])
    assert 0 < found["proofs_s"] < found["steps_s"]
    assert found["ratio"] == pytest.approx(found["move_s"] / found["needed_s"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["scale", "--games", "2"], "--broker"),
        (["scale", "--broker", NOWHERE], "--games"),
        (["scale", "--broker", NOWHERE, "--games", "0"], "'0' is no number from 1 up"),
        (["scale", "--broker", NOWHERE, "--games", "2", "--pace", "-1"], "'-1' is no number of seconds from 0 up"),
        (["scale", "--broker", NOWHERE, "--games", "2", "--seconds", "inf"], "'inf' is no number of seconds"),
        (["scale", "--broker", "http://127.0.0.1", "--games", "2"], "http:// is not spoken here"),
        (["latency"], "--broker"),
    ],
)
def test_scale_and_latency_refuse_what_they_cannot_do_with_a_sentence_and_2(
    main: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(words)
    assert refused.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("words", [["scale", "--games", "1"], ["latency"]])
def test_broker_that_is_not_there_is_told_with_its_address_and_3(
    main: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main([*words, "--broker", NOWHERE]) == 3
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("The broker 127.0.0.1:1 cannot be reached: ")


@pytest.mark.parametrize("games", [1, 5, 100])
def test_each_table_belongs_to_one_process(scale: ModuleType, tmp_path: Path, games: int) -> None:
    shares = scale.split(games, [BrokerUrl.parse(NOWHERE)], 0.0, None, tmp_path)
    assert sorted(place for share in shares for place in share.places) == list(range(games))


def test_what_lasts_only_until_the_last_table_has_begun_is_not_counted(scale: ModuleType, share: ModuleType) -> None:
    shares = [share.Share((), (0, 10), 5.0, 100.0, 0.1, 130.0, Path(), 1)]
    assert scale.window(shares, [99.5, 100.5, 101.5, 129.0, 131.0]) == (101.5, 130.0)


def test_broker_is_found_by_the_port_it_listens_on(broker_load: ModuleType) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = BrokerUrl("127.0.0.1", listening.getsockname()[1])
        assert broker_load.listeners([url]) == (os.getpid(),)
    assert broker_load.listeners([url]) == ()


def test_process_of_another_machine_is_not_looked_for(broker_load: ModuleType) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert broker_load.listeners([BrokerUrl("cards.example.org", listening.getsockname()[1])]) == ()


def test_load_of_a_process_is_what_linux_says_and_an_ended_one_counts_nothing(broker_load: ModuleType) -> None:
    load = broker_load.load_of([os.getpid()])
    assert 0 < load.cpu_s <= sum(os.times()[:2]) + 0.1
    assert load.memory_bytes > 1_000_000
    assert broker_load.load_of([1 << 22]) == broker_load.Load(0.0, 0)


@pytest.mark.parametrize(
    ("ours", "theirs", "finished", "expected"),
    [
        ("abc", "abc", True, None),
        ("abc", "ab", False, None),
        ("abc", "ab", True, "one log has 1 records that the other lacks"),
        ("abc", "abd", False, "two logs of one game differ"),
        ("abc", "", False, None),
        ("a" * 20, "", False, "one log has 20 records that the other lacks"),
    ],
)
def test_logs_of_both_sides_must_agree_but_for_what_is_on_its_way(
    share: ModuleType, tmp_path: Path, ours: str, theirs: str, *, finished: bool, expected: str | None
) -> None:
    logs = [tmp_path / "ours", tmp_path / "theirs"]
    for path, records in zip(logs, (ours, theirs), strict=True):
        path.write_bytes(MAGIC + b"".join(encode_entry(Tag.RECORD, record.encode()) for record in records))
    assert share.disagreement(logs, finished=finished) == expected


def test_finished_game_without_its_two_logs_is_a_problem(share: ModuleType) -> None:
    assert share.disagreement([], finished=True) == "a game has left 0 logs"
    assert share.disagreement([], finished=False) is None
