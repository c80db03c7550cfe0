"""Real programs for end-to-end tests: `host` and `join` as processes that speak JSON.

It owns starting them, reading their events and typing commands; it knows nothing of what a test is about.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120.0
"""A busy machine may take long; only a hanging program takes longer."""

Event = dict[str, Any]


class Seat:
    """One running program in JSON mode."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        environment = {
            **os.environ,
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "protocol"))),
        }
        for name in ("P2PDURAK_BROKER", "P2PDURAK_CODE", "P2PDURAK_NAME", "P2PDURAK_PROG"):
            environment.pop(name, None)
        self.data = folder / "data" / "p2pdurak"
        self.events: list[Event] = []
        self._read = 0
        self._queue: queue.Queue[Event | None] = queue.Queue()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "p2pdurak", *arguments, "--json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=folder,
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in _open(self.process.stdout):
            self._queue.put(json.loads(line))
        self._queue.put(None)

    def type(self, line: str) -> None:
        stdin = _open(self.process.stdin)
        stdin.write(line + "\n")
        stdin.flush()

    def close_input(self) -> None:
        """Type nothing any more, as a script that is at its end."""
        _open(self.process.stdin).close()

    def next(self) -> Event | None:
        event = self._queue.get(timeout=PATIENCE_S)
        if event is not None:
            self.events.append(event)
        return event

    def until(self, kind: str, fits: Callable[[Event], bool] = lambda _: True) -> Event:
        """Read on to the next event of a kind; a program that ends without it fails the test."""
        while (event := self.next()) is not None:
            if event["event"] == kind and fits(event):
                return event
        raise AssertionError(f"ended without {kind}: {self.events[-5:]}, {self.stderr()}")

    def play_until(self, kind: str, choose: Callable[[list[str]], str]) -> Event:
        """Answer every turn of ours with a legal command until an event of a kind comes."""
        while (event := self.next()) is not None:
            if event["event"] == kind:
                return event
            if event["event"] == "turn" and event.get("legal") not in (None, ["done"]):
                self.type(choose(event["legal"]))
        raise AssertionError(f"ended without {kind}: {self.events[-5:]}, {self.stderr()}")

    def end(self) -> int:
        """Read to the end and return the exit code."""
        while self.next() is not None:
            pass
        return self.process.wait(timeout=PATIENCE_S)

    def stderr(self) -> str:
        return _open(self.process.stderr).read()

    def results(self) -> list[Event]:
        return [event for event in self.events if event["event"] == "result"]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                _open(stream).close()
            except OSError:
                continue


def _open(stream: IO[str] | None) -> IO[str]:
    if stream is None:
        raise AssertionError("the program was started without this pipe")
    return stream


def run(
    folder: Path, *arguments: str, stdin: str | None = None, stdout: IO[str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command of the program to its end."""
    return subprocess.run(
        [sys.executable, "-m", "p2pdurak", *arguments],
        input=stdin or "",
        stdout=stdout or subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        timeout=PATIENCE_S,
        check=False,
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("P2PDURAK_")},
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "protocol"))),
        },
    )
