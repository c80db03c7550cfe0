"""Folders and files that are not as they should be, and who may read what a game leaves; with real programs."""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.seats import Seat, run
from tests.faults.killing import BOT
from tests.table.pairs import Pair

pytestmark = pytest.mark.slow

USAGE, INTERNAL, INVALID = 2, 1, 4
COMMANDS = (("host", "--bind", "127.0.0.1"), ("join", "ABC-DEF-GHJ"), ("resume",), ("play",))


def games(folder: Path) -> Path:
    """The folder of games as the program finds it."""
    path = folder / "data" / "p2pdurak" / "games"
    path.mkdir(parents=True, mode=0o700)
    path.parent.chmod(0o700)
    return path


def says_one_sentence(folder: Path, *arguments: str) -> str:
    """Run a command that cannot work; what it says on standard error."""
    done = run(folder, *arguments)
    assert done.returncode in {INTERNAL, USAGE}, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()
    return done.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize("bits", [0o770, 0o707, 0o500], ids=["group may write", "others may write", "read-only"])
def test_folder_with_wrong_rights_is_refused_by_every_command_with_the_remedy(
    tmp_path: Path, command: tuple[str, ...], bits: int
) -> None:
    path = games(tmp_path)
    path.chmod(bits)
    assert "chmod 700" in says_one_sentence(tmp_path, *command)
    path.chmod(0o700)


def in_place_of_the_log(path: Path, kind: str) -> None:
    """Put something else where a log was."""
    original = path.with_name("kept.moved")
    path.rename(original)
    match kind:
        case "link":
            path.symlink_to(original)
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case _:
            path.symlink_to(path.with_name("nowhere"))


@pytest.mark.parametrize("kind", ["link", "fifo", "folder", "dangling link"])
def test_what_is_no_log_is_never_gone_on_with(tmp_path: Path, kind: str) -> None:
    pair = Pair(tmp_path / "table").deal().move().crash(0, 1)
    log = pair.host.logs()[0]
    folder = games(tmp_path)
    folder.rmdir()
    pair.host.store.games.rename(folder)
    path = folder / log.name
    before = path.read_bytes()
    in_place_of_the_log(path, kind)
    says_one_sentence(tmp_path, "resume", str(path))
    assert (folder / "kept.moved").read_bytes() == before


@pytest.mark.parametrize("umask", [0o000, 0o077], ids=oct)
def test_what_a_game_leaves_is_for_its_owner_alone_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    for role in ("host", "guest"):
        (tmp_path / role).mkdir()
    former = os.umask(umask)
    try:
        with ExitStack() as running:
            host = Seat(tmp_path / "host", "host", *BOT, "--bind", "127.0.0.1")
            running.callback(host.close)
            guest = Seat(tmp_path / "guest", "join", host.until("code")["code"], *BOT)
            running.callback(guest.close)
            guest.until("move")
            during = list(modes(host.data)) + list(modes(guest.data))
            assert (host.end(), guest.end()) == (0, 0)
            after = list(modes(host.data)) + list(modes(guest.data))
    finally:
        os.umask(former)
    assert {path.suffix for path, _ in during} >= {".dlog", ".keys", ".key"}
    for path, bits in during + after:
        assert bits == (0o700 if path.is_dir() else 0o600), path


def modes(folder: Path) -> list[tuple[Path, int]]:
    return [(path, stat.S_IMODE(path.stat().st_mode)) for path in (folder, *folder.rglob("*"))]
