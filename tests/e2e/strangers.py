"""Strangers at a broker: they listen to what others say, and then flood, bomb, replay, forge, and hold sockets open.

It owns what is sent and how fast, in a thread of its own. It knows no game: it has what a wire or a wildcard shows.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections import deque
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from tests.transport import raw

TOPIC_ROOT = "p2pdurak/1/"
RECORDED_MAX = 400
"""Packets of the game that are kept for replay: the latest, and those were all of a short game."""


class Recorder:
    """Takes MQTT apart: keeps each packet of the game that goes by, and each client id that somebody connects with."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.seen: deque[tuple[str, bytes]] = deque(maxlen=RECORDED_MAX)

    def topics(self) -> list[str]:
        return sorted({topic for topic, _ in tuple(self.seen)})

    def take(self, data: bytearray) -> None:
        """Take whole MQTT packets off the front of `data`, and keep what is published."""
        while len(data) >= 2:
            length, at = 0, 1
            while True:
                if at >= len(data):
                    return
                length |= (data[at] & 0x7F) << (7 * (at - 1))
                at += 1
                if data[at - 1] < 0x80:
                    break
            if len(data) < at + length:
                return
            first, body = data[0], bytes(data[at : at + length])
            del data[: at + length]
            if first >> 4 == 1:
                self.ids.append(body[12 : 12 + int.from_bytes(body[10:12], "big")].decode("ascii", "replace"))
            if first >> 4 == 3:
                end = 2 + int.from_bytes(body[:2], "big")
                topic = body[2:end].decode("ascii", "replace")
                if topic.startswith(TOPIC_ROOT) and "/echo/" not in topic:
                    self.seen.append((topic, body[end:]))


class Strangers:
    """Attackers in a thread: `with Strangers(port) as strangers`; they know what came by `strangers.port`, a wire.

    Attributes:
        port: where players connect so that they are overheard.
        sent: how many packets the flood has brought to the broker.
        sockets: how many silent sockets were opened.
        bombs: how many packets far above every limit were begun.
        thefts: how often somebody connected with an id of a player.
    """

    def __init__(self, broker_port: int, seed: int = 1) -> None:
        self._target = broker_port
        self._rng = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="strangers", daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()
        self.recorder = Recorder()
        self.port = 0
        self.sent = 0
        self.sockets = 0
        self.bombs = 0
        self.thefts = 0

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open_wire(), self._loop).result(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def flood(self, per_s: int, connections: int) -> None:
        """Send garbage, replays and forgeries to every topic overheard so far and from now on."""
        for _ in range(connections):
            self._begin(self._flood(per_s / connections))

    def bomb(self) -> None:
        """Send packets of 200 KB and 1 MB to every topic, again and again, each over a connection of its own."""
        self._begin(self._bomb())

    def hold_sockets(self, number: int) -> None:
        """Keep so many connections open that say nothing; those that are closed are opened anew."""
        self._begin(self._hold(number))

    def steal(self) -> None:
        """Connect again and again with every client id that was overheard so far."""
        for client_id in tuple(self.recorder.ids):
            self._begin(self._steal(client_id))

    def overhear(self) -> None:
        """Subscribe to everything, as mosquitto allows, and keep it."""
        self._begin(self._overhear())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        def start() -> None:
            task = self._loop.create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        self._loop.call_soon_threadsafe(start)

    def _run(self) -> None:
        self._loop.set_exception_handler(lambda *_: None)  # the broker cuts us off in the middle of everything
        self._loop.run_forever()

    async def _open_wire(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])

    async def _stop(self) -> None:
        self._server.close()
        tasks = tuple(asyncio.all_tasks() - {asyncio.current_task()})
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        pumps = (self._pump(reader, far_writer, bytearray()), self._pump(far_reader, writer, None))
        try:
            await asyncio.gather(*pumps)
        finally:
            far_writer.transport.abort()
            writer.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, copy: bytearray | None) -> None:
        while data := await source.read(65536):
            sink.write(data)
            if copy is not None:
                copy += data
                self.recorder.take(copy)
            await sink.drain()
        raise ConnectionResetError  # ends the other direction too

    async def _join(self) -> raw.Stranger:
        stranger = raw.Stranger(self._target, greet=False)
        await stranger.__aenter__()
        stranger.say(raw.connect(client_id=f"s{self._rng.getrandbits(64):x}", keepalive=0))
        await stranger.hear()
        return stranger

    async def _flood(self, per_s: float) -> None:
        while True:
            with suppress(OSError):
                stranger = await self._join()
                said, began = 0, time.monotonic()
                while not stranger.writer.is_closing():
                    owed = min(round((time.monotonic() - began) * per_s) - said, 100)
                    for _ in range(owed):
                        stranger.say(self._noise())
                    said += max(0, owed)
                    self.sent += max(0, owed)
                    await stranger.writer.drain()
                    await asyncio.sleep(0.02)
            await asyncio.sleep(0.1)

    def _noise(self) -> bytes:
        """Make one packet for a topic of the game: garbage, a replay, or a replay with one bit flipped."""
        seen = self.recorder.seen
        if not seen:
            return raw.PING
        topic, packet = seen[self._rng.randrange(len(seen))]
        match self._rng.randrange(3):
            case 0:
                return raw.publish(topic, self._rng.randbytes(self._rng.choice((0, 1, 26, 256, 256, 1024))))
            case 1:
                return raw.publish(topic, packet)
            case _:
                flipped = bytearray(packet or b"\x00")
                flipped[self._rng.randrange(len(flipped))] ^= 1 << self._rng.randrange(8)
                return raw.publish(topic, bytes(flipped))

    async def _bomb(self) -> None:
        while True:
            for topic in self.recorder.topics():
                for size in (200_000, 1_000_000):
                    with suppress(OSError):
                        stranger = await self._join()
                        stranger.say(raw.publish(topic, bytes(size)))
                        with suppress(TimeoutError):
                            await asyncio.wait_for(stranger.writer.drain(), 1)
                        self.bombs += 1
                        await asyncio.sleep(0.05)
                        stranger.writer.transport.abort()
            await asyncio.sleep(0.2)

    async def _hold(self, number: int) -> None:
        held: list[asyncio.StreamWriter] = []
        while True:
            with suppress(OSError):
                while len(held) < number:
                    _, writer = await asyncio.open_connection("127.0.0.1", self._target)
                    held.append(writer)
                    self.sockets += 1
            await asyncio.sleep(0.5)
            held = [writer for writer in held if not writer.is_closing()]

    async def _steal(self, client_id: str) -> None:
        while True:
            with suppress(OSError):
                thief = raw.Stranger(self._target, greet=False)
                await thief.__aenter__()
                thief.say(raw.connect(client_id=client_id))
                await thief.hear()
                self.thefts += 1
                await asyncio.sleep(0.1)
                thief.writer.transport.abort()
            await asyncio.sleep(0.05)

    async def _overhear(self) -> None:
        stranger = await self._join()
        stranger.say(raw.subscribe("#"))
        data = bytearray()
        while chunk := await stranger.reader.read(65536):
            data += chunk
            self.recorder.take(data)


class Peak:
    """Watches how much memory processes have ever held, until they end: `with Peak(pid, ...) as peak`."""

    def __init__(self, *pids: int) -> None:
        self.kib = dict.fromkeys(pids, 0)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(10)

    def _watch(self) -> None:
        while not self._over.wait(0.1):
            for pid in self.kib:
                with suppress(OSError):
                    for line in Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines():
                        if line.startswith("VmHWM:"):
                            self.kib[pid] = max(self.kib[pid], int(line.split()[1]))
