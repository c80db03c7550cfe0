"""Lines that are typed, or written by a program, while the event loop runs.

It owns the reading of a descriptor; it does not know what a line means.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from typing import Final

READ_BYTES_MAX: Final = 4096
"""A line that is longer loses its beginning; no command is a tenth as long."""

AFTER_END_S: Final = 0.2
"""How long a terminal is left alone after its Ctrl-D."""

Take = Callable[[str | None], None]
"""Takes a line, or None where there are no more; called in the loop's thread or in one of its own."""


class TypedLines:
    """Reads lines from a file descriptor until there are no more, or until it is told to stop."""

    def __init__(self, take: Take, fd: int = 0) -> None:
        self._take = take
        self._fd = fd
        self._rest = b""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._again: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to read.

        A terminal is read only when a line is there, so that whoever wants its keys later finds nobody waiting for
        them. A pipe or a file is read in a thread: the loop cannot wait for a file. It is a daemon over the bare
        descriptor, for Python's own stdin object would hold a lock at exit while it waits.
        """
        if os.isatty(self._fd):
            self._loop = asyncio.get_running_loop()
            self._loop.add_reader(self._fd, self._read_once)
        else:
            threading.Thread(target=self._read_all, name="typed lines", daemon=True).start()

    def stop(self) -> None:
        """Leave the terminal to somebody else; harmless when nothing is read."""
        if self._again is not None:
            self._again.cancel()
        if self._loop is not None:
            self._loop.remove_reader(self._fd)
            self._loop = None

    def _read_all(self) -> None:
        while self._read():
            pass

    def _read_once(self) -> None:
        """Read what was typed. After Ctrl-D more may follow; a terminal that is gone would tell of its end forever."""
        if self._read() or self._loop is None:
            return
        loop = self._loop
        loop.remove_reader(self._fd)
        self._again = loop.call_later(AFTER_END_S, loop.add_reader, self._fd, self._read_once)

    def _read(self) -> bool:
        """Read what is there; False at the end."""
        try:
            data = os.read(self._fd, READ_BYTES_MAX)
        except OSError:
            data = b""
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[-READ_BYTES_MAX:]
        for line in lines:
            self._take(line.decode("utf-8", "replace").strip("\r"))
        if data:
            return True
        if self._rest:
            self._take(self._rest.decode("utf-8", "replace"))
            self._rest = b""
        self._take(None)
        return False
