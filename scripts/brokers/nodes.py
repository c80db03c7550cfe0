"""Processes that serve on 127.0.0.1: started, waited for, killed, and started again on the same port.

It owns processes and their logs; it knows no kind of broker.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

LOOPBACK: Final = "127.0.0.1"

READY_S: Final = 60.0
"""Only a broken node takes longer: three at once on a busy machine took 12 s."""

STOP_S: Final = 5.0
_LOOK_AGAIN_S: Final = 0.05
_LOG_TAIL: Final = 1500


class CannotStart(Exception):
    """A broker cannot be had here; the text is a sentence that says what to do."""


class NotInstalled(CannotStart):
    """A program is missing; the text names the package that brings it."""


def program(name: str, package: str, folder: str = "") -> str:
    """Return the path of a program, also where only root's PATH leads; in `folder` first.

    Raises:
        NotInstalled: the sentence names the Debian package.
    """
    folders = os.pathsep.join((folder, os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
    found = shutil.which(name, path=folders)
    if found is None:
        raise NotInstalled(f"{name} is not installed. On Debian or Ubuntu: apt install {package}")
    return found


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 that nobody uses now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def accepts(port: int) -> bool:
    """Whether something listens on a port of 127.0.0.1."""
    with suppress(OSError), socket.create_connection((LOOPBACK, port), timeout=1):
        return True
    return False


class Node:
    """One process of a broker, with a log of its own.

    Args:
        name: how messages call it.
        command: the program and its arguments.
        port: the MQTT port on 127.0.0.1.
        log: where its output goes.
        ready: whether it can be used; default: its port accepts connections.
        environment: variables that it gets besides our own.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        port: int,
        log: Path,
        ready: Callable[[], bool] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.port = port
        self._command = tuple(command)
        self._log = log
        self._ready = ready or (lambda: accepts(port))
        self._environment = os.environ | dict(environment or {})
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process, or None while there is none."""
        return None if self._process is None else self._process.pid

    def spawn(self) -> None:
        """Start the process and wait for nothing.

        Raises:
            CannotStart: somebody else listens on the port; he would be taken for our broker.
        """
        if accepts(self.port):
            raise CannotStart(f"Port {self.port} of {LOOPBACK} is in use. Choose another with --port.")
        with self._log.open("ab") as sink:
            # A session of its own: Ctrl-C in a terminal reaches us alone, and we end it.
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                env=self._environment,
                start_new_session=True,
            )

    def wait_ready(self) -> None:
        """Wait until it can be used.

        Raises:
            CannotStart: it ended, or took too long; the text ends with its log.
        """
        deadline = time.monotonic() + READY_S
        while not self._ready():
            if self._process is None or self._process.poll() is not None or time.monotonic() > deadline:
                said = self._log.read_text(errors="replace")[-_LOG_TAIL:]
                raise CannotStart(f"{self.name} did not start. It said:\n{said}")
            time.sleep(_LOOK_AGAIN_S)

    def start(self) -> None:
        """Start it, on the same port as before, and wait until it can be used."""
        self.spawn()
        self.wait_ready()

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)  # RabbitMQ's program is a script with Erlang below it
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """Ask it to end; kill it if it does not."""
        if self._process is not None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_S)
            self.kill()


@dataclass(frozen=True, slots=True)
class Served:
    """A broker or cluster: `with served: ...` starts all nodes, and stops them at the end.

    Attributes:
        nodes: its processes.
        urls: one address a node, as `--broker` takes it, in the order of `nodes`.
        stranger: an address of the first node with a login that it refuses, or None where everybody is let in.
        aside: processes that the nodes need, started before them.
        settle: what a new cluster needs once, when all nodes are up.
    """

    nodes: tuple[Node, ...]
    urls: tuple[str, ...]
    stranger: str | None = None
    aside: tuple[Node, ...] = ()
    settle: Callable[[], None] = lambda: None

    def __enter__(self) -> Self:
        try:
            for helper in self.aside:
                helper.start()
            for node in self.nodes:
                node.spawn()
            for node in self.nodes:
                node.wait_ready()
            self.settle()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _stop(self) -> None:
        for node in (*self.nodes, *self.aside):
            node.stop()
