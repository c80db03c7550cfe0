"""A saved game on a real terminal: the screen is taken, shows the game, and is given back however it ends."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.seats import PATIENCE_S, ROOT
from tests.fairdeck.games import played_for_real, saved

pytestmark = pytest.mark.slow

TAKEN, GIVEN_BACK = b"\x1b[?1049h", b"\x1b[?1049l"

WHOLE = "\x0c"
"""Ctrl-L: what has changed is else written piece by piece, without what is as before."""


class Viewer:
    """`p2pdurak replay` in a terminal of its own."""

    def __init__(self, log: Path, *flags: str, term: str = "xterm-256color") -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.shown = b""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "p2pdurak", "replay", str(log), *flags],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            cwd=log.parent,
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith("P2PDURAK_")},
                "XDG_DATA_HOME": str(log.parent / "data"),
                "XDG_CONFIG_HOME": str(log.parent / "config"),
                "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "protocol"))),
                "LC_ALL": "C.UTF-8",
                "TERM": term,
            },
        )
        os.close(slave)

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def wait(self, *texts: bytes) -> None:
        """Read until each text has been shown."""
        while not all(text in self.shown for text in texts):
            if not self._read():
                raise AssertionError(f"{texts} never came: {self.shown!r}")

    def end(self) -> int:
        """Read to the end and return the exit code."""
        while self._read():
            pass
        return self.process.wait(timeout=PATIENCE_S)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], PATIENCE_S)
        if not ready:
            raise AssertionError(f"nothing more came: {self.shown!r}")
        try:
            data = os.read(self._master, 65536)
        except OSError:  # so Linux says that the other end is closed
            return False
        self.shown += data
        return bool(data)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "game.dlog"
    path.write_bytes(saved(played_for_real()))
    path.chmod(0o600)
    return path


@pytest.fixture
def view(log: Path) -> Iterator[Callable[..., Viewer]]:
    opened: list[Viewer] = []

    def open_viewer(*flags: str, **options: str) -> Viewer:
        opened.append(Viewer(log, *flags, **options))
        return opened[-1]

    yield open_viewer
    for viewer in opened:
        viewer.close()


def test_replay_takes_the_screen_and_q_gives_it_back(view: Callable[..., Viewer]) -> None:
    viewer = view()
    viewer.wait(TAKEN, b"Mira - Oleg", b"0/70")
    viewer.type("g12\r" + WHOLE)
    viewer.wait(b"12/70")
    viewer.type("q")

    assert viewer.end() == 0
    assert GIVEN_BACK in viewer.shown


def test_flags_say_where_it_begins_how_fast_it_is_and_whose_hands_are_shown(view: Callable[..., Viewer]) -> None:
    viewer = view("--from", "40", "--speed", "2", "--hands", "none", "--ascii")
    viewer.wait(b"40/70", b"2x", b":::")
    viewer.type("\x03")

    assert viewer.end() == 0
    assert "│".encode() not in viewer.shown


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_gives_the_screen_back(number: signal.Signals, view: Callable[..., Viewer]) -> None:
    viewer = view()
    viewer.wait(TAKEN, b"0/70")
    viewer.process.send_signal(number)

    assert viewer.end() == 128 + number
    assert GIVEN_BACK in viewer.shown


@pytest.mark.parametrize(("flags", "term"), [(["--plain"], "xterm"), (["--words"], "xterm"), ([], "dumb")])
def test_lines_are_shown_where_they_are_wanted_or_nothing_else_can_be(
    flags: list[str], term: str, view: Callable[..., Viewer]
) -> None:
    viewer = view(*flags, term=term)

    assert viewer.end() == 0
    assert TAKEN not in viewer.shown
    assert b"is the durak" in viewer.shown


def test_lines_begin_with_the_bout_that_is_asked_for(view: Callable[..., Viewer]) -> None:
    viewer = view("--plain", "--from", "40")

    assert viewer.end() == 0
    assert b"Bout 7\r\n" in viewer.shown
    assert b"Bout 6\r\n" not in viewer.shown
