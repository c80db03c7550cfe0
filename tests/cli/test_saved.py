"""What the commands on saved games tell of a game that was cut, claimed or not begun, and of a fault of ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from fairdeck.wire import Kind, NoteKind
from p2pdurak.cli.main import run
from p2pdurak.cli.saved import with_store
from tests.fairdeck.forge import forged_note, log_of
from tests.fairdeck.games import played_for_real

pytestmark = pytest.mark.slow

Save = Callable[[bytes], Path]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player's folder of his own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "data" / "p2pdurak"


@pytest.fixture
def save(home: Path) -> Save:
    """Put a log among the saved games."""

    def put(data: bytes) -> Path:
        path = home / "games" / "2026-11-30-k7q2m-1-host.dlog"
        path.parent.mkdir(parents=True, mode=0o700)
        path.write_bytes(data)
        path.chmod(0o600)
        return path

    return put


@cache
def with_a_void_claim() -> bytes:
    """A game whose host claims the win before the guest's step reaches him."""
    pair = played_for_real()
    seats = [referee.owed.seat for referee in pair.before if referee.owed is not None]
    place = next(at for at in range(pair.at(Kind.MOVE, 3), len(seats)) if seats[at] == 1)
    return log_of(pair.records[: place + 1], [forged_note(pair.before[place], 0, NoteKind.CLAIM)])


def test_verify_says_that_a_claim_is_void_and_whose_step_was_under_way(
    save: Save, capsys: pytest.CaptureFixture[str]
) -> None:
    save(with_a_void_claim())
    assert run(["verify", "last"]) == 4
    told = capsys.readouterr().out
    sentence = "Mira (seat 0) claimed the win, but the step of Oleg (seat 1) was under way: the claim is void"
    assert f"  open  result: {sentence}\n" in told
    assert "  ok    notes: claim by Mira (seat 0)\n" in told


def test_logs_says_that_a_claim_is_void(save: Save, capsys: pytest.CaptureFixture[str]) -> None:
    save(with_a_void_claim())
    assert run(["logs"]) == 0
    assert "  no result (claim void)  " in capsys.readouterr().out


@pytest.mark.parametrize("command", [["logs", "--json"], ["verify", "last", "--json"]])
def test_programs_are_told_that_a_claim_is_void(
    command: list[str], save: Save, capsys: pytest.CaptureFixture[str]
) -> None:
    save(with_a_void_claim())
    run(command)
    assert json.loads(capsys.readouterr().out)["end"] == "void"


def test_verify_names_who_owes_the_next_step(save: Save, capsys: pytest.CaptureFixture[str]) -> None:
    pair = played_for_real()
    save(log_of(pair.records[:20]))
    assert run(["verify", "last"]) == 4
    owing = ("Mira (seat 0)", "Oleg (seat 1)")[pair.before[20].owed.seat]  # type: ignore[union-attr]
    assert f"the game is not finished: {owing} owes the next step" in capsys.readouterr().out


def test_seat_whose_name_is_not_in_the_log_stays_a_number(save: Save, capsys: pytest.CaptureFixture[str]) -> None:
    save(log_of(played_for_real().records[:1]))
    assert run(["verify", "last"]) == 4
    assert "the game is not finished: seat 1 owes the next step" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("end", "sentence"),
    [(None, "The game ended before the cards were dealt."), (-9, "The file is cut off before the cards were dealt.")],
)
def test_replay_says_why_there_are_no_cards(
    end: int | None, sentence: str, save: Save, capsys: pytest.CaptureFixture[str]
) -> None:
    save(log_of(played_for_real().records[:3])[:end])
    assert run(["replay", "last"]) == 4
    assert capsys.readouterr().err == sentence + "\n"


def test_fault_of_ours_becomes_a_sentence_that_names_a_file(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home.mkdir(parents=True)
    assert with_store(lambda _store: 1 // 0) == 1
    told = capsys.readouterr().err
    (crash,) = home.glob("crash-*.txt")
    assert told.startswith("The program has a fault and had to stop.")
    assert str(crash) in told
    assert "ZeroDivisionError" in crash.read_text("utf-8")
