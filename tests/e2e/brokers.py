"""Brokers for tests, all on 127.0.0.1: mosquitto as a process, the embedded broker in a thread, and a bad wire.

It owns starting, killing and restarting them on a port that stays the same. It knows nothing of the game.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import shutil
import socket
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from brokers.certificates import Certificates, make_certificates
from brokers.nodes import free_port
from p2pdurak.transport.broker import EmbeddedBroker

__all__ = [
    "Certificates",
    "EmbeddedInThread",
    "Mosquitto",
    "RunningBroker",
    "Wire",
    "find_mosquitto",
    "free_port",
    "make_certificates",
]

READY_S = 15.0
"""A busy machine may take seconds to start a process; only a broken one takes longer."""


class RunningBroker(Protocol):
    """What both kinds of broker offer to a test."""

    url: str
    port: int

    def start(self) -> None:
        """Start, on the same port as before, and wait until it accepts connections."""

    def kill(self) -> None:
        """Stop at once; every connection breaks."""


def find_mosquitto() -> str | None:
    """Return the path of mosquitto, also where only root's PATH leads, or None."""
    return shutil.which("mosquitto", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin")))


class Mosquitto:
    """mosquitto in a folder of its own; also a context manager."""

    def __init__(
        self,
        folder: Path,
        login: tuple[str, str] | None = None,
        certificates: Certificates | None = None,
    ) -> None:
        program = find_mosquitto()
        if program is None:
            raise FileNotFoundError("mosquitto is not installed")
        self._program = program
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        user = f"{login[0]}:{login[1]}@" if login else ""
        self.url = f"{'mqtts' if certificates else 'mqtt'}://{user}127.0.0.1:{self.port}"
        if certificates:
            self.url += f"?cafile={certificates.ca}"
        self._configure(login, certificates)

    def _configure(self, login: tuple[str, str] | None, certificates: Certificates | None) -> None:
        lines = [
            f"listener {self.port} 127.0.0.1",
            "set_tcp_nodelay true",
            "max_packet_size 262144",
            "persistence false",
            f"user {getpass.getuser()}",  # root would become another user, who may not read the folder
            f"allow_anonymous {'false' if login else 'true'}",
        ]
        if login:
            passwords = self._folder / "passwords"
            tool = shutil.which("mosquitto_passwd") or "mosquitto_passwd"
            subprocess.run([tool, "-b", "-c", passwords, *login], check=True, capture_output=True)
            lines.append(f"password_file {passwords}")
        if certificates:
            lines += [f"certfile {certificates.server}", f"keyfile {certificates.key}"]
        (self._folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")

    def start(self) -> None:
        """Start, on the same port as before, and wait until it accepts connections."""
        log = self._folder / "mosquitto.log"
        with log.open("ab") as sink:
            command = [self._program, "-c", str(self._folder / "mosquitto.conf")]
            self._process = subprocess.Popen(command, stdout=sink, stderr=sink)
        deadline = time.monotonic() + READY_S
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"mosquitto did not start:\n{log.read_text(errors='replace')}")
            time.sleep(0.02)

    def kill(self) -> None:
        """Stop at once, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Mosquitto:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


class EmbeddedInThread:
    """The embedded broker with a loop of its own, for tests that want it to live beside them."""

    def __init__(self) -> None:
        self._broker = EmbeddedBroker("127.0.0.1")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._leave: asyncio.Event | None = None
        self._up = threading.Event()
        self._problem: BaseException | None = None

    @property
    def port(self) -> int:
        """The port, known once started."""
        return self._broker.port

    @property
    def url(self) -> str:
        """The address, known once started."""
        return f"mqtt://{self._broker.address}"

    def start(self) -> None:
        """Start, on the same port as before, and wait until it accepts connections."""
        self._up.clear()
        self._thread = threading.Thread(target=self._run, name="embedded broker", daemon=True)
        self._thread.start()
        if not self._up.wait(READY_S) or self._problem is not None:
            raise RuntimeError("the embedded broker did not start") from self._problem

    def kill(self) -> None:
        """Stop; every connection breaks."""
        if self._thread is not None and self._loop is not None and self._leave is not None:
            self._loop.call_soon_threadsafe(self._leave.set)
            self._thread.join(READY_S)
            self._thread = None

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as problem:  # noqa: BLE001 - the waiting test raises it
            self._problem = problem
        finally:
            self._up.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._leave = asyncio.Event()
        async with self._broker:
            self._up.set()
            await self._leave.wait()

    def __enter__(self) -> EmbeddedInThread:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


class Wire:
    """A TCP proxy that can be cut, or hold everything back without a word: `async with Wire(port) as wire`."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self.port = 0

    async def __aenter__(self) -> Wire:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        await self.cut()

    def hold(self) -> None:
        """Swallow nothing and pass nothing on: a black hole until `release`."""
        self._flowing.clear()

    def release(self) -> None:
        """Let everything flow again, also what was held."""
        self._flowing.set()

    async def cut(self) -> None:
        """Break every connection now; new ones are accepted."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._server is None:  # a connection that was on its way when the wire went
            writer.transport.abort()
            return
        task = asyncio.get_running_loop().create_task(self._carry(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
            pumps = [asyncio.create_task(self._pump(reader, far_writer))]
            pumps.append(asyncio.create_task(self._pump(far_reader, writer)))
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                far_writer.transport.abort()
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
        except OSError:
            pass  # the broker is down: the client sees a connection that breaks
        finally:
            writer.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                await self._flowing.wait()
                sink.write(data)
                await sink.drain()
