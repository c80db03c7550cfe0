"""The commands on saved games, run as a player runs them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from p2pdurak.rules.notation import format_game, parse_game
from tests.e2e.seats import Seat, run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A player's folder with one game, seen from both seats."""
    folder = tmp_path_factory.mktemp("home")
    host = Seat(folder, "host", "--bot", "easy", "--bind", "127.0.0.1", "--name", "ilya")
    guest = Seat(folder, "join", host.until("code")["code"], "--bot", "easy", "--name", "mira")
    try:
        codes = (host.end(), guest.end())
    finally:
        host.close()
        guest.close()
    if codes != (0, 0):
        raise AssertionError(f"the game ended with {codes}")
    return folder


def saved(home: Path) -> list[Path]:
    return sorted((home / "data" / "p2pdurak" / "games").glob("*.dlog"))


def test_logs_lists_both_sides_with_names_and_result(home: Path) -> None:
    done = run(home, "logs")

    assert done.returncode == 0
    assert done.stdout.count("ilya - mira") == 2
    assert "host.dlog" in done.stdout
    assert "guest.dlog" in done.stdout


def test_logs_as_json_is_an_object_a_line(home: Path) -> None:
    games = [json.loads(line) for line in run(home, "logs", "--json").stdout.splitlines()]

    assert [game["names"] for game in games] == [["ilya", "mira"]] * 2
    assert sorted(game["seat"] for game in games) == [0, 1] or games[0]["head"] == games[1]["head"]


def test_a_damaged_log_is_listed_and_the_others_too(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "data", tmp_path / "data")
    damaged = tmp_path / "data" / "p2pdurak" / "games" / "2026-01-01-bad00-1-host.dlog"
    damaged.write_bytes(b"no log")
    damaged.chmod(0o600)

    done = run(tmp_path, "logs")

    assert done.returncode == 0
    assert "  unreadable: This is no log of this program" in done.stdout
    assert done.stdout.count("ilya - mira") == 2


def test_verify_prints_a_line_a_check_and_exits_with_0(home: Path) -> None:
    done = run(home, "verify", str(saved(home)[0]))

    assert done.returncode == 0
    for check in ("file", "chain", "signatures", "shuffles", "moves", "shares", "states", "opened", "result"):
        assert f"  ok    {check}: " in done.stdout
    assert done.stdout.endswith("\n  ok\n")


def test_verify_of_an_edited_log_says_where_and_exits_with_5(home: Path, tmp_path: Path) -> None:
    data = bytearray(saved(home)[0].read_bytes())
    data[20_000] ^= 1
    edited = tmp_path / "edited.dlog"
    edited.write_bytes(data)

    done = run(tmp_path, "verify", str(edited))

    assert done.returncode == 5
    assert "  FAIL  file: The bytes of an entry do not fit its hash. (at record" in done.stdout
    assert done.stdout.endswith("\n  invalid\n")


def test_verify_of_a_log_cut_between_records_says_who_owes_the_next_step(home: Path, tmp_path: Path) -> None:
    from fairdeck.log import MAGIC, Tag, encode_entry, read

    records = read(saved(home)[0].read_bytes()).records[:-1]
    cut = tmp_path / "cut.dlog"
    cut.write_bytes(MAGIC + b"".join(encode_entry(Tag.RECORD, record) for record in records))

    done = run(tmp_path, "verify", str(cut))

    assert done.returncode == 4
    assert "owes the next step" in done.stdout
    assert done.stdout.endswith("\n  incomplete\n")


def test_verify_as_json_names_the_verdict(home: Path) -> None:
    found = json.loads(run(home, "verify", str(saved(home)[0]), "--json").stdout)

    assert found["verdict"] == "ok"
    assert found["accused"] is None


def test_verify_finds_the_two_sides_of_a_game_to_be_one_chain(home: Path) -> None:
    done = run(home, "verify", "host", "guest")

    assert done.returncode == 0
    together = done.stdout.split("Both together\n")[1]
    assert together.startswith("  the same ")
    assert " more in " not in together
    assert together.endswith("\n  ok\n")


def test_verify_of_one_side_cut_and_the_other_is_whole_again_and_can_be_saved(home: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.dlog"
    cut.write_bytes(saved(home)[0].read_bytes()[:-2000])
    whole = tmp_path / "whole.dlog"

    codes = [run(home, "verify", str(cut)).returncode]
    codes.append(run(home, "verify", str(cut), str(saved(home)[1]), "--save", str(whole)).returncode)
    codes.append(run(home, "verify", str(whole)).returncode)

    assert codes == [5, 0, 0]
    assert whole.stat().st_mode & 0o777 == 0o600


def test_replay_shows_both_hands_of_an_opened_game(home: Path) -> None:
    done = run(home, "replay", "last", "--plain", "--ascii")

    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert any(line.startswith("  ilya holds ") for line in lines)
    assert any(line.startswith("  mira holds ") for line in lines)
    assert not any("unseen" in line for line in lines)
    assert "is the durak" in done.stdout or "A draw" in done.stdout


def test_replay_of_a_game_that_was_never_opened_shows_only_the_own_hand(home: Path, tmp_path: Path) -> None:
    from fairdeck.log import MAGIC, Tag, encode_entry, read

    records = read(saved(home)[0].read_bytes()).records[:-3]
    log = tmp_path / "unopened.dlog"
    log.write_bytes(MAGIC + b"".join(encode_entry(Tag.RECORD, record) for record in records))

    done = run(tmp_path, "replay", str(log), "--plain")

    assert done.returncode == 0
    assert "ilya holds unseen cards" in done.stdout
    assert "mira holds unseen cards" in done.stdout
    assert "The game is not finished" in done.stdout


def test_export_as_text_can_be_read_back(home: Path) -> None:
    done = run(home, "export", "last", "--to", "text")

    assert done.returncode == 0
    assert format_game(parse_game(done.stdout)) == done.stdout


def test_export_as_json_holds_every_move_and_36_cards(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "game.json"

    done = run(home, "export", "last", "--to", "json", "-o", str(target))

    assert done.returncode == 0
    game = json.loads(target.read_text("utf-8"))
    assert game["format"] == "p2pdurak game 1"
    cards = [*game["hands"][0], *game["hands"][1], *game["talon"], game["indicator"]]
    assert len(set(cards)) == len(cards) == 36
    assert game["moves"][-1]["n"] == 4 + len(game["moves"]) + sum(
        b["n"] - a["n"] - 1 for a, b in zip(game["moves"], game["moves"][1:], strict=False)
    )


@pytest.mark.parametrize("command", [["verify"], ["replay"], ["export", "--to", "text"]])
def test_a_log_that_is_not_there_gives_a_sentence_and_2(command: list[str], tmp_path: Path) -> None:
    done = run(tmp_path, *command, "nowhere.dlog")

    assert done.returncode == 2
    assert "There is no log 'nowhere.dlog'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("data", [b"", b"\x00" * 100, b"p2pdurak log 9\n", b"p2pdurak log 1\n\xff\xff\xff\xff"])
def test_a_broken_log_gives_a_sentence_and_5(data: bytes, tmp_path: Path) -> None:
    log = tmp_path / "broken.dlog"
    log.write_bytes(data)

    for command in (["verify"], ["replay"], ["export", "--to", "json"]):
        done = run(tmp_path, *command, str(log))
        assert done.returncode == 5, (command, done)
        assert "Traceback" not in done.stderr


def test_verify_goes_on_behind_a_log_that_is_not_there(home: Path) -> None:
    done = run(home, "verify", "nowhere", "last")

    assert done.returncode == 2
    assert "There is no log 'nowhere'" in done.stderr
    assert done.stdout.endswith("\n  ok\n")


def test_an_honest_log_without_cards_is_unfinished_to_every_command(home: Path, tmp_path: Path) -> None:
    from fairdeck.log import MAGIC, Tag, encode_entry, read

    records = read(saved(home)[0].read_bytes()).records[:3]
    log = tmp_path / "undealt.dlog"
    log.write_bytes(MAGIC + b"".join(encode_entry(Tag.RECORD, record) for record in records))

    codes = [run(tmp_path, *command, str(log)).returncode for command in (["verify"], ["replay"])]

    assert codes == [4, 4]


def test_keys_of_another_game_beside_a_log_open_nothing(home: Path, tmp_path: Path) -> None:
    from fairdeck.log import MAGIC, Tag, encode_entry, read

    records = read(saved(home)[0].read_bytes()).records[:-3]
    log = tmp_path / "other.dlog"
    log.write_bytes(MAGIC + b"".join(encode_entry(Tag.RECORD, record) for record in records))
    log.with_suffix(".keys").write_text(json.dumps({"seat": 0, "entropy": "00" * 64, "nonce": "00" * 32}))

    done = run(tmp_path, "replay", str(log))

    assert done.returncode == 0
    assert "ilya holds unseen cards" in done.stdout


@pytest.mark.parametrize("command", [["logs"], ["replay", "last"], ["export", "last", "--to", "text"]])
def test_a_full_disk_behind_standard_output_gives_a_sentence(command: list[str], home: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = run(home, *command, stdout=full)

    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_logs_without_a_game_says_so(tmp_path: Path) -> None:
    done = run(tmp_path, "logs")

    assert (done.returncode, done.stdout) == (0, "")
    assert "No game has been saved yet" in done.stderr
