"""Saved games as strangers may send them: every command says a sentence to each, and tells the same game every time."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from fairdeck import limits
from fairdeck.log import MAGIC
from fairdeck.wire import NoteKind
from p2pdurak.cli.main import run
from p2pdurak.export import to_json
from p2pdurak.replay import load
from p2pdurak.rules.state import digest
from tests.e2e.seats import PATIENCE_S, ROOT
from tests.fairdeck.cheap import in_bout, lowest, sit_down
from tests.fairdeck.forge import forged_note, log_of
from tests.fairdeck.games import played_for_real, saved
from tests.fairdeck.hostile_logs import FILES

pytestmark = pytest.mark.slow

MEMORY_BYTES_MAX = 64 * 1024 * 1024
COMMANDS = (["verify"], ["replay", "--plain"], ["export", "--to", "json"], ["export", "--to", "text"])
CODES = {"ok": 0, "incomplete": 4, "torn": 5, "invalid": 5, "unsupported": 5, "unreadable": 5}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player's folder of his own, in which the test is."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def no_crash(home: Path) -> bool:
    """Whether no fault of ours was written down."""
    return not list(home.rglob("crash-*.txt"))


# Files that are no log


@pytest.mark.parametrize("name", FILES)
def test_every_command_says_a_sentence_to_a_file_that_is_no_log(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict, made = FILES[name]
    (home / "game.dlog").write_bytes(made())
    for command, *flags in COMMANDS:
        tracemalloc.start()
        code = run([command, "game.dlog", *flags])
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        told = capsys.readouterr()
        # What ends before its cards is no fault to those who would show them, torn or not.
        assert code == (4 if verdict == "torn" and command != "verify" else CODES[verdict])
        assert (told.err if command != "verify" else told.out).strip()
        assert verdict in (told.err if command != "verify" else told.out) or code == 4
        assert peak < MEMORY_BYTES_MAX
    assert no_crash(home)


def limited() -> None:
    """Half a gigabyte of address space, and half a minute of work."""
    resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
    resource.setrlimit(resource.RLIMIT_CPU, (30, 30))


@pytest.mark.parametrize("name", ["a million tiny records", "thick chain that nobody signed", "zeros beyond the limit"])
def test_large_file_takes_neither_the_machines_memory_nor_its_time(name: str, home: Path) -> None:
    verdict, made = FILES[name]
    (home / "game.dlog").write_bytes(made())
    done = subprocess.run(
        [sys.executable, "-m", "p2pdurak", "verify", "game.dlog"],
        cwd=home,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "protocol")))},
        preexec_fn=limited,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (5, "")
    assert done.stdout.endswith(f"\n  {verdict}\n")


@pytest.mark.parametrize(
    "name", ["a folder", "/dev/zero", "a pipe", "a link to nothing", "a link to itself", "\0", "x" * 300]
)
def test_name_behind_which_there_is_no_file_gives_a_sentence_and_2(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "a folder").mkdir()
    os.mkfifo(home / "a pipe")
    (home / "a link to nothing").symlink_to("nothing")
    (home / "a link to itself").symlink_to("a link to itself")
    for command, *flags in COMMANDS:
        assert run([command, name, *flags]) == 2
        assert capsys.readouterr().err.endswith(".\n")
    assert no_crash(home)


# A folder with such files


def test_folder_with_such_files_lists_every_game_and_says_what_the_others_are(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = home / "data" / "p2pdurak" / "games"
    games.mkdir(parents=True, mode=0o700)
    (games / "2026-11-30-good0-1-host.dlog").write_bytes(saved(played_for_real()))
    for at, (_, made) in enumerate(FILES.values()):
        (games / f"2026-11-30-bad{at:02}-1-host.dlog").write_bytes(made())
    (games / "folder.dlog").mkdir()
    os.mkfifo(games / "pipe.dlog")
    (games / "nothing.dlog").symlink_to("nothing")
    (games / "itself.dlog").symlink_to("itself.dlog")
    (games / "zero.dlog").symlink_to("/dev/zero")
    (games / "2026-11-30-good1-1-guest.dlog").write_bytes(saved(played_for_real()))

    assert run(["logs"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(FILES) + 5
    assert sum("Mira - Oleg" in line for line in lines) == 2
    assert sum("cannot be read" in line for line in lines) == 5
    for line, (verdict, _) in zip([line for line in lines if "-bad" in line], FILES.values(), strict=True):
        assert f"  {verdict}: " in line or verdict in {"torn", "incomplete"}
    assert run(["logs", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(told) == len(lines)
    assert sum("error" in game for game in told) == len(FILES) + 5
    assert no_crash(home)


def test_result_that_a_note_claims_is_no_result(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = sit_down("claimed", suite=1).play(lowest, in_bout)
    claimer = 1 - pair.mover.seat
    (home / "game.dlog").write_bytes(log_of(pair.records, [forged_note(pair.referee, claimer, NoteKind.CLAIM)]))
    assert run(["verify", "game.dlog", "--json"]) == 4
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["end"], found["durak"]) == ("incomplete", "claimed", None)
    assert run(["export", "game.dlog", "--to", "json"]) == 0
    game = json.loads(capsys.readouterr().out)
    assert (game["winner"], game["durak"]) == (None, None)


# The same game every time


def test_game_loaded_three_times_is_the_same_game(home: Path) -> None:
    path = home / "game.dlog"
    path.write_bytes(saved(played_for_real()))
    first, second, third = (load(path, ()) for _ in range(3))
    assert first == second == third
    states = [[digest(move.after) for move in game.moves] for game in (first, second, third)]
    assert states[0] == states[1] == states[2]
    assert len(set(states[0])) == len(first.moves)
    assert to_json(first) == to_json(third)


def shown(home: Path, **changes: str) -> str:
    """The hash of all that the commands print of a game, in an environment of its own."""
    total = hashlib.sha256()
    for command in (
        ["verify", "game.dlog", "--json"],
        ["verify", "game.dlog"],
        ["replay", "game.dlog", "--plain", "--ascii"],
        ["export", "game.dlog", "--to", "json"],
        ["export", "game.dlog", "--to", "text"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "p2pdurak", *command],
            cwd=home,
            env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "protocol"))), **changes},
            capture_output=True,
            timeout=PATIENCE_S,
            check=True,
        )
        total.update(done.stdout)
    return total.hexdigest()


def test_nothing_that_is_told_of_a_game_hangs_on_the_seed_of_hashes_or_on_the_language(home: Path) -> None:
    """Among them one that writes its digits otherwise, and one whose small i is no I."""
    (home / "game.dlog").write_bytes(saved(played_for_real()))
    told = {
        shown(home, PYTHONHASHSEED=seed, LANG=language, LC_ALL=language)
        for seed, language in (("0", "C"), ("1", "ar_EG.UTF-8"), ("2", "tr_TR.UTF-8"), ("0", "C.UTF-8"))
    }
    assert len(told) == 1


def test_replay_tells_the_same_at_every_speed_and_from_every_place(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "game.dlog").write_bytes(saved(played_for_real()))
    told = []
    for flags in (["--speed", "1"], ["--speed", "8"], ["--speed", "0.25"]):
        assert run(["replay", "game.dlog", "--plain", "--ascii", *flags]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] == told[2]
    whole = told[0].splitlines()
    for place in (1, 7, 40):
        assert run(["replay", "game.dlog", "--plain", "--ascii", "--from", str(place)]) == 0
        rest = capsys.readouterr().out.splitlines()
        assert rest[-5:] == whole[-5:]
        assert set(rest[-20:]) <= set(whole)


def test_file_of_many_gigabytes_is_not_read_beyond_the_limit(home: Path) -> None:
    """No more than one byte over the limit is ever read, however long a file is."""
    with (home / "game.dlog").open("wb") as file:
        file.write(MAGIC)
        file.truncate(1 << 36)
    tracemalloc.start()
    assert run(["verify", "game.dlog"]) == 5
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert limits.LOG_BYTES_MAX < peak < 4 * limits.LOG_BYTES_MAX
