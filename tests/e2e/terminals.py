"""Terminals for end-to-end tests: a private tmux server, keys into it, and what stands on its screens.

It owns the terminals; what must be seen stands in the tests.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.e2e.seats import PATIENCE_S, ROOT


class Terminals:
    """A private tmux server with a terminal for each player."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._socket = str(folder / "tmux")

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", self._socket, "-f", os.devnull, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout

    def open(self, name: str, *arguments: str, columns: int = 80, rows: int = 24, environment: str = "") -> None:
        """Start the program in a terminal of its own and keep the terminal when it ends.

        Args:
            name: of the terminal.
            arguments: of the program, as a shell reads them.
            columns: of the terminal.
            rows: of the terminal.
            environment: further variables, as a shell reads them before a command.
        """
        path = os.pathsep.join((str(ROOT), str(ROOT / "protocol")))
        command = (
            f"cd '{self._folder}'; XDG_DATA_HOME='{self._folder}/data' XDG_CONFIG_HOME='{self._folder}/config'"
            f" PYTHONPATH='{path}' LC_ALL=C.UTF-8 {environment} '{sys.executable}' -m p2pdurak {' '.join(arguments)};"
            " echo ended with $?; sleep 600"
        )
        self._tmux("new-session", "-d", "-s", name, "-x", str(columns), "-y", str(rows), command)

    def lines(self, name: str) -> list[str]:
        return self._tmux("capture-pane", "-p", "-J", "-S", "-3000", "-t", name).rstrip().split("\n")

    def type(self, name: str, line: str) -> None:
        if line:
            self._tmux("send-keys", "-t", name, "-l", line)
        self._tmux("send-keys", "-t", name, "Enter")

    def press(self, name: str, key: str) -> None:
        self._tmux("send-keys", "-t", name, key)

    def wait(self, name: str, pattern: str) -> re.Match[str]:
        """Wait until a line of the terminal matches."""
        ends_at = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends_at:
            for line in self.lines(name):
                if found := re.search(pattern, line):
                    return found
            time.sleep(0.1)
        raise AssertionError(f"{pattern} never came:\n" + "\n".join(self.lines(name)))

    def screen(self, name: str) -> str:
        """What stands on the screen just now."""
        return self._tmux("capture-pane", "-p", "-t", name)

    def painted(self, name: str) -> str:
        """The screen with its colours as escape sequences."""
        return self._tmux("capture-pane", "-p", "-e", "-t", name)

    def until(self, name: str, seen: Callable[[str], bool]) -> str:
        """Wait until the screen is as wanted."""
        ends_at = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends_at:
            screen = self.screen(name)
            if seen(screen):
                return screen
            time.sleep(0.05)
        raise AssertionError("never seen:\n" + self.screen(name))

    def resize(self, name: str, columns: int, rows: int) -> None:
        self._tmux("resize-window", "-t", name, "-x", str(columns), "-y", str(rows))

    def is_full_screen(self, name: str) -> bool:
        """Whether the program has taken the whole screen."""
        return self._tmux("display-message", "-p", "-t", name, "#{alternate_on}").strip() == "1"

    def process(self, name: str) -> int:
        """The process number of the program in a terminal."""
        shell = self._tmux("display-message", "-p", "-t", name, "#{pane_pid}").strip()
        return int(Path(f"/proc/{shell}/task/{shell}/children").read_text().split()[0])

    def close_one(self, name: str) -> None:
        """Close a terminal under the program."""
        self._tmux("kill-session", "-t", name)

    def close(self) -> None:
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True, check=False)
