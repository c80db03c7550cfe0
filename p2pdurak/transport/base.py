"""The contract of every transport: topics in, opaque packets out, and news of the link.

It owns the events, the errors and the bounded queue they arrive in. It does not know what a packet means, and it
promises nothing about delivery: packets may be lost, doubled, late or forged, and the channel above mends that.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from fairdeck.limits import PACKET_BYTES_MAX

TOPIC_ROOT: Final = "p2pdurak/1/"
"""Every topic of this version starts so; the embedded broker serves nothing else."""

TOPIC: Final = re.compile(r"p2pdurak/1/[a-z0-9/]{1,128}", re.ASCII)
"""What all brokers accept: NATS refuses dots and spaces, and wildcards would be somebody else's mail."""

INCOMING_MAX: Final = 512
"""Events that wait for the reader. An honest peer has 16 records in flight, so more is a flood: at most 8 MiB."""


class TransportError(Exception):
    """Something about the broker failed; the text is a sentence that names it and says what to do."""


class Unreachable(TransportError):
    """No broker could be reached, or what answered is not one."""


class NotAllowed(TransportError):
    """A broker answered and refused: wrong user or password, or a topic that it does not permit."""


@dataclass(frozen=True, slots=True)
class Up:
    """Connected and subscribed. `round_trip_s` is the time of an echo through the broker, None if none came back.

    `again` tells a return after a drop from the first time: packets may have been lost in between.
    """

    round_trip_s: float | None
    again: bool


@dataclass(frozen=True, slots=True)
class Down:
    """The link is gone. `reason` is a sentence; `attempt` counts the tries to return, from 1."""

    reason: str
    attempt: int


@dataclass(frozen=True, slots=True)
class Packet:
    """A message as it came: anybody may have written it."""

    topic: str
    payload: bytes


Incoming = Up | Down | Packet


class IncomingQueue(asyncio.Queue[Incoming]):
    """The bounded queue between a transport and its reader.

    Attributes:
        dropped: how many packets were thrown away because nobody read.
    """

    def __init__(self) -> None:
        super().__init__(INCOMING_MAX)
        self.dropped = 0

    def offer(self, event: Incoming) -> None:
        """Add `event` without ever waiting.

        A packet that finds the queue full is lost, as on any network. News of the link is never lost, for it decides
        what the reader does next: the oldest event makes room.
        """
        if self.full():
            self.dropped += 1
            if isinstance(event, Packet):
                return
            self.get_nowait()
        self.put_nowait(event)


class Transport(Protocol):
    """Carries packets by topic. One reader takes from `incoming`; anybody may `send`."""

    @property
    def address(self) -> str:
        """The broker as sentences name it, never with a password."""

    @property
    def incoming(self) -> asyncio.Queue[Incoming]:
        """Packets and news of the link, oldest first; bounded."""

    async def start(self, topics: Sequence[str]) -> None:
        """Connect and subscribe; afterwards the transport reconnects for ever by itself.

        Args:
            topics: what to listen to from the start.

        Raises:
            Unreachable: no broker answers within about 5 s.
            NotAllowed: a broker refuses this user or these topics.
        """

    async def listen(self, *topics: str) -> None:
        """Subscribe to more topics, now and after every reconnect.

        Raises:
            NotAllowed: the broker refuses a topic; then none of them is kept.
        """

    async def forget(self, *topics: str) -> None:
        """Unsubscribe; packets of these topics no longer arrive."""

    def send(self, topic: str, payload: bytes) -> None:
        """Send a packet, at most once. Never waits; while the link is down the packet is dropped.

        Raises:
            ValueError: the topic or the size is one that no broker has to carry: a fault of the caller.
        """

    async def close(self) -> None:
        """Give waiting packets a moment to leave, disconnect, and end every task."""


def checked_topic(topic: str) -> str:
    """Return `topic` if it is one of ours.

    Raises:
        ValueError: it has other characters, is too long, or lies outside `p2pdurak/1/`.
    """
    if TOPIC.fullmatch(topic) is None:
        raise ValueError(f"not a topic of this protocol: {topic!r}")
    return topic


def check_packet(topic: str, payload: bytes) -> None:
    """Refuse what `send` must not be given.

    Raises:
        ValueError: a foreign topic, or more than `PACKET_BYTES_MAX` bytes.
    """
    checked_topic(topic)
    if len(payload) > PACKET_BYTES_MAX:
        raise ValueError(f"a packet of {len(payload)} bytes is over the limit of {PACKET_BYTES_MAX}")
