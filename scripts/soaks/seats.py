"""Two programs that play each other in JSON mode, and may die and come back.

It owns the processes and the moment at which each event was read; it decides nothing about the game.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

LINE_MAX: Final = 1 << 20
"""More than any event; a stream of asyncio wants a limit."""

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Heard:
    """An event of a seat; `event` is None when the program has ended. `at` is a moment of `time.monotonic`."""

    seat: int
    life: int
    at: float
    event: Event | None


class Seat:
    """One player's program, each life of it a process, all with one folder.

    Attributes:
        life: how often it was started, from 1.
        typed_at: when the last command was typed.
    """

    def __init__(self, number: int, folder: Path, heard: asyncio.Queue[Heard]) -> None:
        self.number = number
        self.folder = folder
        self.life = 0
        self.typed_at = 0.0
        self._heard = heard
        self._process: asyncio.subprocess.Process | None = None
        self._readers: list[asyncio.Task[None]] = []

    @property
    def pid(self) -> int | None:
        """The process of the present life."""
        return None if self._process is None else self._process.pid

    async def start(self, *words: str) -> None:
        """Begin a life with a command of the program."""
        self.life += 1
        self.folder.mkdir(parents=True, exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("P2PDURAK_")}
        folders = {"XDG_DATA_HOME": str(self.folder / "data"), "XDG_CONFIG_HOME": str(self.folder / "config")}
        with (self.folder / "errors").open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "p2pdurak", *words, "--json"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                env=kept | folders,
                limit=LINE_MAX,
            )
        self._readers.append(asyncio.create_task(self._listen(self._process, self.life)))

    async def _listen(self, process: asyncio.subprocess.Process, life: int) -> None:
        if process.stdout is not None:
            async for line in process.stdout:
                with (self.folder / "events").open("ab") as told:  # to look at when a run was not clean
                    told.write(line)
                with suppress(ValueError):  # a killed program may leave half a line
                    self._heard.put_nowait(Heard(self.number, life, time.monotonic(), json.loads(line)))
        await process.wait()
        self._heard.put_nowait(Heard(self.number, life, time.monotonic(), None))

    def type(self, line: str) -> None:
        """Type a command; a program that has just died does not read it."""
        self.typed_at = time.monotonic()
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, RuntimeError):
                self._process.stdin.write(f"{line}\n".encode())

    def kill(self) -> None:
        """End this life as a power cut would."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def end(self) -> int | None:
        """Make sure that it has ended; the exit code of the last life."""
        self.kill()
        await asyncio.gather(*self._readers)
        return None if self._process is None else self._process.returncode


def connected_port(pid: int, ports: Sequence[int]) -> int | None:
    """Tell to which of some ports of 127.0.0.1 a process is connected now, by Linux's own tables."""
    sockets = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            sockets.add(str(descriptor.readlink()))
    for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]:
        parts = line.split()
        far, state, inode = parts[2], parts[3], parts[9]
        port = int(far.rpartition(":")[2], 16)
        if state == "01" and port in ports and f"socket:[{inode}]" in sockets:
            return port
    return None
