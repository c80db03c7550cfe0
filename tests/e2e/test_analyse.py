"""`p2pdurak analyse`, run as a player runs it, on the log of a real game."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.e2e.bare_terminal import BareTerminal
from tests.e2e.seats import Seat, run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A player's folder with one game against a bot, whose log both have opened."""
    folder = tmp_path_factory.mktemp("home")
    player = Seat(folder, "play", "--level", "easy", "--name", "ilya", "--auto-done", "instant", "--seed", "01")
    try:
        player.play_until("result", lambda legal: legal[0])
        code = player.end()
    finally:
        player.close()
    if code != 0:
        raise AssertionError(f"the game ended with {code}")
    return folder


def log_of(home: Path) -> Path:
    return next((home / "data" / "p2pdurak" / "games").glob("*.dlog"))


def test_report_tells_every_move_a_chart_and_the_turning_points(home: Path) -> None:
    done = run(home, "analyse", "--ascii")
    moves = len(json.loads(run(home, "analyse", "--json").stdout)["moves"])

    assert (done.returncode, done.stderr) == (0, "")
    assert f"\n {moves:>4} " in done.stdout
    assert "\n100|" in done.stdout
    assert "turning point" in done.stdout.casefold()
    assert done.stdout.isascii()


def test_json_is_one_object_about_this_log(home: Path) -> None:
    done = run(home, "analyse", "last", "--json")
    found = json.loads(done.stdout)

    assert found["format"] == "p2pdurak analysis 1"
    assert found["head"] == json.loads(run(home, "logs", "--json").stdout)["head"]
    assert found["depth"] == "quick"


def test_analysis_is_kept_beside_the_log_and_is_no_game_of_its_own(home: Path) -> None:
    first = run(home, "analyse", "last", "--json").stdout
    kept = log_of(home).with_suffix(".quick.analysis.json")

    assert kept.read_text("utf-8") == first.strip()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert len(run(home, "logs").stdout.splitlines()) == 1


def test_broken_file_beside_the_log_is_written_anew(home: Path) -> None:
    first = run(home, "analyse", "last", "--json").stdout
    kept = log_of(home).with_suffix(".quick.analysis.json")
    kept.write_bytes(b"\xff nonsense")

    assert run(home, "analyse", "last", "--json").stdout == first
    assert kept.read_text("utf-8") == first.strip()


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (("last", "--depth", "deep"), "invalid choice: 'deep'", 2),
        (("nowhere",), "There is no log 'nowhere'", 2),
        (("broken.dlog",), "no log of this program", 5),
        (("empty.dlog",), "no log of this program", 5),
        (("data",), "it is no file", 2),
    ],
)
def test_what_cannot_be_analysed_is_said_in_a_sentence(
    home: Path, arguments: tuple[str, ...], said: str, code: int
) -> None:
    (home / "broken.dlog").write_bytes(b"no log")
    (home / "empty.dlog").touch()
    done = run(home, "analyse", *arguments)

    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("records", "said"), [(-3, "not finished"), (3, "before the cards were dealt")])
def test_unfinished_game_is_said_to_be_so_with_2(home: Path, tmp_path: Path, records: int, said: str) -> None:
    from fairdeck.log import MAGIC, Tag, encode_entry, read

    kept = read(log_of(home).read_bytes()).records[:records]
    log = tmp_path / "cut.dlog"
    log.write_bytes(MAGIC + b"".join(encode_entry(Tag.RECORD, record) for record in kept))
    done = run(tmp_path, "analyse", str(log))

    assert done.returncode == 2
    assert said in done.stderr


def test_game_whose_keys_were_never_shown_is_analysed_without_hindsight(home: Path, tmp_path: Path) -> None:
    from fairdeck.log import MAGIC, Tag, encode_entry, read

    records = read(log_of(home).read_bytes()).records
    log = tmp_path / "sealed.dlog"
    log.write_bytes(MAGIC + b"".join(encode_entry(Tag.RECORD, record) for record in records))
    done = run(tmp_path, "analyse", str(log))

    assert done.returncode == 0
    assert "There is no hindsight" in done.stdout


def test_ctrl_c_ends_an_analysis_at_once_without_a_traceback_and_keeps_nothing(home: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.dlog"
    log.write_bytes(log_of(home).read_bytes())
    terminal = BareTerminal(tmp_path, "analyse", str(log), "--depth", "full")
    try:
        terminal.wait(b"Analysing [")
        terminal.process.send_signal(signal.SIGINT)
        code = terminal.end()
    finally:
        terminal.close()

    assert code == 130
    assert b"Traceback" not in terminal.shown
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["game.dlog"]
