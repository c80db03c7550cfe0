"""Real programs: killed at any time, out of room on the disk, at a terminal that must be given back."""

from __future__ import annotations

import os
import pty
import resource
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import pytest

from fairdeck.audit import Finding, audit
from p2pdurak.durak import DURAK
from p2pdurak.store import read_log
from tests.e2e.seats import PATIENCE_S, ROOT, Seat
from tests.faults.killing import BOT, is_kept, newest, play_with_kills, wrongs

pytestmark = pytest.mark.slow

KILLS_IN_CI = 16
TRIES = 20
LEFT_SCREEN = b"\x1b[?1049l"
TOOK_SCREEN = b"\x1b[?1049h"


def test_games_whose_programs_are_killed_at_random_end_verified_on_both_sides(tmp_path: Path) -> None:
    games = list(play_with_kills(tmp_path, KILLS_IN_CI, [None]))
    assert [wrong for game in games for wrong in wrongs(game)] == []
    assert sum(kill.back_s is not None for game in games for kill in game.kills) > KILLS_IN_CI // 2


@pytest.mark.parametrize("who", ["host", "guest"])
def test_a_program_that_may_write_no_more_stops_with_a_sentence_and_goes_on_when_it_may(
    tmp_path: Path, who: str
) -> None:
    for role in ("host", "guest"):
        (tmp_path / role).mkdir()
    with ExitStack() as running:

        def start(role: str, *arguments: str) -> Seat:
            program = Seat(tmp_path / role, *arguments)
            running.callback(program.close)
            return program

        seats = {"host": start("host", "host", *BOT, "--bind", "127.0.0.1")}
        seats["guest"] = start("guest", "join", seats["host"].until("code")["code"], *BOT)
        full = seats[who]
        full.until("move")
        path = newest(full)
        assert path is not None
        resource.prlimit(full.process.pid, resource.RLIMIT_FSIZE, (path.stat().st_size + 100,) * 2)
        assert full.end() == 1
        told = [event for event in full.events if event["event"] == "error"]
        assert [event["kind"] for event in told] == ["disk"]
        assert "p2pdurak resume" in told[0]["message"]
        assert audit(read_log(path), DURAK).finding is Finding.INCOMPLETE
        seats[who] = start(who, "resume", str(path), *BOT)
        assert [program.end() for program in seats.values()] == [0, 0]
        results = [program.results()[-1] for program in seats.values()]
    assert results[0]["head"] == results[1]["head"]
    assert all(result["verified"] for result in results)


class AtTerminal:
    """A game against a bot in a terminal of its own."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data" / "p2pdurak"
        self._main, self.side = pty.openpty()
        termios.tcsetwinsize(self.side, (24, 80))
        self.before = termios.tcgetattr(self.side)
        self.written = bytearray()
        self._changed = threading.Condition()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "p2pdurak", "play"],
            stdin=self.side,
            stdout=self.side,
            stderr=self.side,
            cwd=folder,
            start_new_session=True,
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith("P2PDURAK_")},
                "XDG_DATA_HOME": str(folder / "data"),
                "XDG_CONFIG_HOME": str(folder / "config"),
                "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "protocol"))),
                "TERM": "xterm-256color",
                "LC_ALL": "C.UTF-8",
            },
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                data = os.read(self._main, 65536)
            except OSError:
                return
            with self._changed:
                self.written += data
                self._changed.notify_all()

    def until(self, seen: Callable[[bytes], bool]) -> None:
        """Wait until what was written is as wanted."""
        with self._changed:
            if not self._changed.wait_for(lambda: seen(bytes(self.written)), PATIENCE_S):
                raise AssertionError(bytes(self.written[-500:]))

    def press(self, keys: bytes) -> None:
        os.write(self._main, keys)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.side)
        os.close(self._main)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_terminal_is_as_before_after_a_signal_at_any_time(
    tmp_path: Path, number: signal.Signals, seed: int
) -> None:
    seat = AtTerminal(tmp_path)
    chance = Random(seed)
    try:
        seat.until(lambda written: TOOK_SCREEN in written)
        for _ in range(chance.randint(0, 3)):
            seat.press(chance.choice([b"\r", b"t", b"d", b"?", b"i"]))
        for _ in range(TRIES if number == signal.SIGINT else 1):  # two that come together count as one
            seat.process.send_signal(number)
            with suppress(subprocess.TimeoutExpired):
                seat.process.wait(1.0)
                break
        assert seat.process.wait(PATIENCE_S) == 128 + number
        seat.until(lambda written: written.count(LEFT_SCREEN) >= written.count(TOOK_SCREEN))
        assert termios.tcgetattr(seat.side) == seat.before
        assert b"Traceback" not in seat.written
        log = max((seat.data / "games").glob("*.dlog"))
        assert audit(read_log(log), DURAK).finding in {Finding.INCOMPLETE, Finding.OK}
        assert number == signal.SIGINT or is_kept(log)
    finally:
        seat.close()
