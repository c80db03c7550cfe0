"""A program in a bare terminal: a pseudo terminal without a screen behind it, so that every byte can be seen.

It owns the terminal and its closing; what must be seen stands in the tests.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path

from tests.e2e.seats import PATIENCE_S, ROOT


class BareTerminal:
    """One program in a terminal of its own, which does not control it: closing the terminal sends no signal."""

    def __init__(self, folder: Path, *arguments: str, term: str = "xterm-256color") -> None:
        self._master, slave = pty.openpty()
        self._open = True
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.shown = b""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "p2pdurak", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            cwd=folder,
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith("P2PDURAK_")},
                "XDG_DATA_HOME": str(folder / "data"),
                "XDG_CONFIG_HOME": str(folder / "config"),
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

    def hang_up(self) -> int:
        """Close the terminal under the program and return its exit code."""
        self._close_terminal()
        return self.process.wait(timeout=PATIENCE_S)

    def _close_terminal(self) -> None:
        if self._open:
            self._open = False
            os.close(self._master)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._close_terminal()
