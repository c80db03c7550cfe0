"""What `verify` says of one log and of two copies, to people and to programs, and with which exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from fairdeck.log import MAGIC, Tag, encode_entry
from fairdeck.wire import Kind, NoteKind, decode_record
from p2pdurak.cli.main import run
from tests.fairdeck.blame import body_of
from tests.fairdeck.cheap import lowest, sit_down
from tests.fairdeck.forge import forged, forged_note, log_of, resigned
from tests.fairdeck.games import played_for_real, saved

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player's folder of his own, in which the test is."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def records() -> list[bytes]:
    return played_for_real().records


def moved_otherwise(nth: int) -> tuple[int, bytes]:
    """The place of a move, and another one by its author for it."""
    place = played_for_real().at(Kind.MOVE, nth)
    record = decode_record(records()[place])
    body = with_fields(body_of(record), think_ms=77)
    return place, forged(played_for_real().before[place], record.seat, body)


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def objects(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in told(capsys).splitlines()]


# One log


def logs() -> dict[str, tuple[bytes, int]]:
    """A log for each verdict, and the code that tells it."""
    place, other = moved_otherwise(9)
    unsigned = records()[place][:-1] + bytes([records()[place][-1] ^ 1])
    return {
        "ok": (saved(played_for_real()), 0),
        "incomplete": (log_of(records()[:40]), 4),
        "torn": (saved(played_for_real())[:-9], 5),
        "invalid": (log_of([*records()[:place], unsigned, *records()[place + 1 :]]), 5),
        "equivocation": (log_of([*records(), other]), 5),
        "unsupported": (MAGIC.replace(b"1", b"2") + bytes(80), 5),
        "unreadable": (b"no log", 5),
    }


@pytest.mark.parametrize("word", ["ok", "incomplete", "torn", "invalid", "equivocation", "unsupported", "unreadable"])
def test_each_verdict_has_its_word_in_text_and_json_and_its_code(
    word: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, code = logs()[word]
    (home / "game.dlog").write_bytes(data)
    assert run(["verify", "game.dlog"]) == code
    assert told(capsys).endswith(f"\n  {word}\n")
    assert run(["verify", "game.dlog", "--json"]) == code
    (found,) = objects(capsys)
    assert found["verdict"] == word
    assert (found["why"] is None) == (word == "ok")


def test_programs_are_told_record_reason_and_culprit(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = played_for_real().at(Kind.MOVE, 9)
    record = decode_record(records()[place])
    (home / "game.dlog").write_bytes(log_of([*records()[:place], resigned(record, digest=bytes(32))]))
    assert run(["verify", "game.dlog", "--json"]) == 5
    (found,) = objects(capsys)
    assert (found["accused"], found["record"], found["note"]) == (record.seat, place, None)
    assert f"Both sides hold different states after record {place}" in found["why"]


def test_programs_are_told_which_note_is_false(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    resign = forged_note(played_for_real().referee, 0, NoteKind.RESIGN)
    (home / "game.dlog").write_bytes(log_of(records(), [resign, resign]))
    assert run(["verify", "game.dlog", "--json"]) == 5
    (found,) = objects(capsys)
    assert (found["record"], found["note"], found["accused"]) == (None, 1, None)


def test_programs_are_told_who_owes_what(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = played_for_real().at(Kind.SHARES)
    (home / "game.dlog").write_bytes(log_of(records()[:place]))
    run(["verify", "game.dlog", "--json"])
    (found,) = objects(capsys)
    assert found["owes"] == {"seat": 0, "record": "shares"}


# Two copies


def test_two_copies_are_told_to_be_one_game_with_what_the_one_lacks(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one is torn, the other has no notes: together they are whole."""
    whole = saved(played_for_real())
    (home / "a.dlog").write_bytes(log_of(records()[:-3]) + encode_entry(Tag.RECORD, records()[-3])[:-1])
    (home / "b.dlog").write_bytes(whole)
    assert run(["verify", "a.dlog", "b.dlog"]) == 0
    count = len(records())
    together = told(capsys).split("Both together\n")[1].splitlines()
    assert together[0] == f"  the same {count - 3} records, and 3 more in b.dlog"
    assert together[1] == "  2 notes only in b.dlog"
    assert together[2].startswith("  ok    result: ")
    assert together[3] == "  ok"


def test_two_copies_as_json_are_an_object_each_and_one_together(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "a.dlog").write_bytes(log_of(records()[:-3]))
    (home / "b.dlog").write_bytes(saved(played_for_real()))
    assert run(["verify", "b.dlog", "a.dlog", "--json"]) == 0
    one, other, both = objects(capsys)
    assert (one["verdict"], other["verdict"], both["verdict"]) == ("ok", "incomplete", "ok")
    assert (both["copies"], both["shared"], both["heads"]) == ("first longer", len(records()) - 3, [])
    assert both["left_out"] == 0
    assert both["logs"] == ["b.dlog", "a.dlog"]
    assert both["head"] == one["head"]


@pytest.mark.parametrize(("count", "sentence"), [(1, "1 note left out"), (2, "2 notes left out")])
def test_notes_that_cannot_stand_together_are_left_out_and_counted(
    count: int, sentence: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each copy holds notes of its own for the same purpose: the first copy's stand."""
    before = played_for_real().before
    early, late = ([forged_note(before[place], seat, NoteKind.LEAVE) for seat in (0, 1)[:count]] for place in (38, 40))
    (home / "a.dlog").write_bytes(log_of(records()[:40], early))
    (home / "b.dlog").write_bytes(log_of(records()[:40], late))
    assert run(["verify", "a.dlog", "b.dlog", "--save", "both.dlog"]) == 4
    together = told(capsys).split("Both together\n")[1]
    assert f"  {sentence}: what one copy holds of them, the other contradicts\n" in together
    assert (home / "both.dlog").read_bytes() == (home / "a.dlog").read_bytes()


def test_copies_that_contradict_each_other_nowhere_leave_no_note_out(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "a.dlog").write_bytes(saved(played_for_real()))
    (home / "b.dlog").write_bytes(log_of(records()))
    assert run(["verify", "a.dlog", "b.dlog"]) == 0
    assert "left out" not in told(capsys)


@pytest.mark.parametrize("save", [False, True])
def test_fork_names_both_records_and_its_author_and_gives_5(
    save: bool, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, other = moved_otherwise(9)
    seat = decode_record(other).seat
    (home / "a.dlog").write_bytes(log_of(records()))
    (home / "b.dlog").write_bytes(log_of([*records()[:place], other]))
    assert run(["verify", "a.dlog", "b.dlog", *(["--save", "proof.dlog"] if save else [])]) == 5
    together = told(capsys).split("Both together\n")[1]
    heads = [decode_record(data).head.hex() for data in (records()[place], other)]
    assert f"record {place} is {heads[0][:12]} in a.dlog and {heads[1][:12]} in b.dlog" in together
    name = ("Mira", "Oleg")[seat]
    reason = f"record {place} twice, by {name} (seat {seat}): Two different records were signed for one place."
    assert f"  FAIL  equivocation: {reason}\n" in together
    assert together.endswith("\n  equivocation\n")
    run(["verify", "a.dlog", "b.dlog", "--json"])
    found = objects(capsys)[-1]
    assert (found["verdict"], found["copies"], found["accused"], found["record"]) == (
        "equivocation",
        "fork",
        seat,
        place,
    )
    assert found["heads"] == heads
    assert (home / "proof.dlog").exists() == save
    if save:
        assert run(["verify", "proof.dlog"]) == 5
        assert told(capsys).endswith("\n  equivocation\n")


def test_two_different_games_are_told_apart_and_keep_their_own_codes(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = sit_down("another", suite=1).play(lowest, lambda pair: len(pair.records) == 7).records
    (home / "a.dlog").write_bytes(saved(played_for_real()))
    (home / "b.dlog").write_bytes(log_of(other))
    assert run(["verify", "a.dlog", "b.dlog"]) == 4
    assert told(capsys).endswith("Both together\n  not merged: They are logs of two different games.\n")
    assert run(["verify", "a.dlog", "b.dlog", "--json"]) == 4
    assert objects(capsys)[-1]["copies"] is None


def test_copy_that_cannot_be_trusted_is_merged_with_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(saved(played_for_real()))
    data[20_000] ^= 1
    (home / "a.dlog").write_bytes(saved(played_for_real()))
    (home / "b.dlog").write_bytes(data)
    assert run(["verify", "a.dlog", "b.dlog", "--save", "both.dlog"]) == 2
    shown = capsys.readouterr()
    assert "  not merged: b.dlog cannot be trusted.\n" in shown.out
    assert shown.err == "Nothing was saved. b.dlog cannot be trusted.\n"
    assert not (home / "both.dlog").exists()
    assert run(["verify", "a.dlog", "b.dlog"]) == 5


def test_merged_log_is_saved_for_its_owner_alone_and_over_nothing(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "a.dlog").write_bytes(log_of(records()))
    (home / "b.dlog").write_bytes(saved(played_for_real())[:-1])
    assert run(["verify", "a.dlog", "b.dlog", "--save", "both.dlog"]) == 0
    assert (home / "both.dlog").stat().st_mode & 0o777 == 0o600
    assert run(["verify", "both.dlog"]) == 0
    kept = (home / "both.dlog").read_bytes()
    assert run(["verify", "a.dlog", "b.dlog", "--save", "both.dlog"]) == 2
    assert "both.dlog is there already" in capsys.readouterr().err
    assert (home / "both.dlog").read_bytes() == kept


def test_saving_needs_two_copies(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "a.dlog").write_bytes(log_of(records()))
    assert run(["verify", "a.dlog", "--save", "both.dlog"]) == 2
    assert capsys.readouterr().err == "Only two copies of one game can be saved as one log.\n"


def test_three_logs_are_verified_each_alone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "a.dlog").write_bytes(log_of(records()[:9]))
    assert run(["verify", "a.dlog", "a.dlog", "a.dlog"]) == 4
    assert "Both together" not in told(capsys)
