"""A broker inside one process: bots, offline games and tests talk over it.

It owns the fan-out by topic and, on request, the faults of a bad network from a seeded generator.
It knows no socket; nothing leaves the process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from p2pdurak.transport.base import Down, IncomingQueue, Packet, Unreachable, Up, check_packet, checked_topic


@dataclass(frozen=True, slots=True)
class Faults:
    """How bad the network is. The same seed and the same sends give the same faults.

    Attributes:
        seed: of the generator.
        loss: share of deliveries that never arrive, 0 to 1.
        duplicate: share of deliveries that arrive twice, 0 to 1.
        delay_s_max: each delivery waits a random time up to this, so packets overtake each other.
    """

    seed: int = 0
    loss: float = 0.0
    duplicate: float = 0.0
    delay_s_max: float = 0.0


class MemoryHub:
    """The broker: `transport()` plugs in one more program; `down()` and `up()` pull and mend the wire of all."""

    def __init__(self, faults: Faults | None = None, address: str = "memory") -> None:
        self.address = address
        self._faults = faults or Faults()
        self._rng = Random(self._faults.seed)  # noqa: S311 - a fault model, not a secret
        self._connected: list[MemoryTransport] = []
        self._late: set[asyncio.TimerHandle] = set()
        self.is_up = True

    def transport(self) -> MemoryTransport:
        """Return a new transport of this hub, not started yet."""
        return MemoryTransport(self)

    def down(self, reason: str = "The wire is cut.") -> None:
        """Cut everybody off: what is on the way is lost, what is sent now too."""
        if not self.is_up:
            return
        self.is_up = False
        for handle in self._late:
            handle.cancel()
        self._late.clear()
        for member in self._connected:
            member.incoming.offer(Down(reason, 1))

    def up(self) -> None:
        """Connect everybody again."""
        if self.is_up:
            return
        self.is_up = True
        for member in self._connected:
            member.incoming.offer(Up(0.0, again=True))

    def join(self, member: MemoryTransport) -> None:
        """Let `member` take part.

        Raises:
            Unreachable: the hub is down.
        """
        if not self.is_up:
            raise Unreachable(f"Nothing answers at {self.address}: the wire is cut.")
        self._connected.append(member)

    def leave(self, member: MemoryTransport) -> None:
        """Forget `member`."""
        if member in self._connected:
            self._connected.remove(member)

    def publish(self, packet: Packet) -> None:
        """Hand `packet` to every listener of its topic, the sender too if it listens, with this hub's faults."""
        if not self.is_up:
            return
        for member in self._connected:
            if packet.topic in member.topics and self._rng.random() >= self._faults.loss:
                copies = 2 if self._rng.random() < self._faults.duplicate else 1
                for _ in range(copies):
                    self._carry(member, packet)

    def _carry(self, member: MemoryTransport, packet: Packet) -> None:
        if self._faults.delay_s_max <= 0:
            member.take(packet)
            return

        def arrive() -> None:
            self._late.discard(handle)
            member.take(packet)

        delay_s = self._rng.uniform(0, self._faults.delay_s_max)
        handle = asyncio.get_running_loop().call_later(delay_s, arrive)
        self._late.add(handle)


class MemoryTransport:
    """One program's end of a `MemoryHub`; a `Transport`."""

    def __init__(self, hub: MemoryHub) -> None:
        self.incoming = IncomingQueue()
        self.topics: set[str] = set()
        self._hub = hub
        self._open = False

    @property
    def address(self) -> str:
        """The name of the hub."""
        return self._hub.address

    async def start(self, topics: Sequence[str]) -> None:
        """Connect; see `Transport.start`."""
        self.topics.update(checked_topic(topic) for topic in topics)
        self._hub.join(self)
        self._open = True
        self.incoming.offer(Up(0.0, again=False))

    async def listen(self, *topics: str) -> None:
        """Listen to more topics."""
        self.topics.update(checked_topic(topic) for topic in topics)

    async def forget(self, *topics: str) -> None:
        """Listen to these topics no longer."""
        self.topics.difference_update(topics)

    def send(self, topic: str, payload: bytes) -> None:
        """Send a packet; see `Transport.send`."""
        check_packet(topic, payload)
        if self._open:
            self._hub.publish(Packet(topic, payload))

    def take(self, packet: Packet) -> None:
        """Receive a packet from the hub; late ones for a forgotten topic or after `close` are lost."""
        if self._open and packet.topic in self.topics:
            self.incoming.offer(packet)

    async def close(self) -> None:
        """Leave the hub."""
        self._open = False
        self._hub.leave(self)
