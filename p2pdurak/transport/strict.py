"""The broker library with our limits around it: the only module that imports amqtt.

It owns the adapters between one socket and the library, and the few methods of its broker that must behave otherwise.
It does not listen, and it does not know who may connect.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from contextlib import suppress
from typing import Any, Final, Protocol

from amqtt.adapters import ReaderAdapter, WriterAdapter
from amqtt.broker import Broker
from amqtt.contexts import BrokerConfig, ListenerConfig, ListenerType
from amqtt.errors import NoDataError
from amqtt.mqtt.constants import QOS_0

from p2pdurak.transport.gate import PACKET_BODY_MAX, Gate, Kind, RefusedError, first_byte, message, topic_is_ours

LISTENER: Final = "default"
"""The library insists on a listener of this name."""

BACKLOG_MAX: Final = 1000
"""Messages that wait inside the broker; beyond, nobody's next packet is read until it has caught up."""

UNREAD_BYTES_MAX: Final = 256 * 1024
"""What a client may leave unread. A stopped player for ten seconds is some 30 KiB; a deaf one is cut off."""

RATE_BYTES_S: Final = 512 * 1024
"""What one client may have delivered for long, each copy counted with `PACKET_COST`: 500 small packets a second to one
listener, 8 a second to the sixty of a stranger who would have one packet cost us sixty."""

BURST_BYTES: Final = 1024 * 1024
"""What it may send at once after a pause: a thousand small packets, or 60 of the largest."""

PACKET_COST: Final = 1024
"""The work of a packet that its own bytes do not show."""

_QUIET: Final = logging.getLogger("amqtt")
_QUIET.propagate = False  # anything printed would scribble over the table
_QUIET.addHandler(logging.NullHandler())
_QUIET.setLevel(logging.CRITICAL + 1)  # it says something for each packet


class StrictBroker(Broker):  # type: ignore[misc]  # the library publishes no types
    """The library's broker; connections come through `external_connected`, already behind a `PacketReader`."""

    def __init__(self) -> None:
        listener = ListenerConfig(type=ListenerType.EXTERNAL, bind="none:0")
        super().__init__(BrokerConfig(listeners={LISTENER: listener}, plugins={}))

    def is_busy(self) -> bool:
        """Tell whether too many messages wait inside."""
        return bool(self._broadcast_queue.qsize() > BACKLOG_MAX)

    def listeners(self, topic: str) -> int:
        """Return how many connections a message to `topic` goes to."""
        return len(self._subscriptions.get(topic, ()))

    async def forget(self, name: str) -> None:
        """Drop all that is kept of a connection that is over, however it ended.

        The library leaves the session of a task that was cancelled "connected", with its subscriptions, for ever.
        """
        await self._cleanup_session(name)

    async def _run_broadcast(self, running_tasks: Any) -> None:  # noqa: ANN401, ARG002
        # The library compares each message with every topic that anybody listens to, and starts a task per delivery.
        # Without wildcards a topic is its own key, and our writer never waits, so neither is needed.
        message = await self._broadcast_queue.get()
        for session, _ in tuple(self._subscriptions.get(message["topic"], ())):
            handler = self._get_handler(session)
            if handler is None or session.transitions.state != "connected":
                continue
            with suppress(Exception):  # whatever is wrong with one listener, the others get theirs
                await handler.mqtt_publish(message["topic"], message["data"], QOS_0, retain=False)

    async def _topic_filtering(self, session: Any, topic: str, action: Any) -> bool:  # noqa: ANN401, ARG002
        # The library asks its plugins in tasks. That waits in the middle of walking through the subscriptions, and a
        # client that subscribes just then breaks the walk. This answer comes at once.
        return topic_is_ours(topic)

    async def _authenticate(self, session: Any, _: Any) -> bool:  # noqa: ANN401
        session.is_anonymous = True  # its session is forgotten when it goes
        return True

    async def _handle_unsubscription(self, client_session: Any, handler: Any, subscribe_waiter: Any) -> None:  # noqa: ANN401
        # The library keeps an empty list for every topic ever left, and walks through them for each message.
        await super()._handle_unsubscription(client_session, handler, subscribe_waiter)
        for topic in subscribe_waiter.result().topics:
            if not self._subscriptions.get(topic, True):
                del self._subscriptions[topic]


class Post(Protocol):
    """What a reader needs of the broker."""

    def is_busy(self) -> bool:
        """Tell whether nobody should be read now."""

    def listeners(self, topic: str) -> int:
        """Return how many connections a message to `topic` goes to."""

    async def internal_message_broadcast(self, topic: str, data: bytes) -> None:
        """Hand a message to all who listen to `topic`."""


class PacketReader(ReaderAdapter):  # type: ignore[misc]  # the library publishes no types
    """Reads whole packets from a socket, shows each to a `Gate`, and serves the library from what passed.

    Messages go straight to the broker's one queue: on the library's own way there, what a client said just before it
    left is lost, and each client has an unbounded queue more. Every limit on a client's speed is kept by not reading:
    TCP then slows the client down.
    """

    def __init__(self, stream: asyncio.StreamReader, post: Post, name: str) -> None:
        self.gate = Gate(name)
        self._stream = stream
        self._post = post
        self._packet = b""
        self._over = False
        self._allowance = float(BURST_BYTES)
        self._counted = asyncio.get_running_loop().time()

    async def read(self, n: int = -1) -> bytes:
        """Return `n` bytes of the current packet, fewer at its end; at a packet's start wait for the next one."""
        if n == 0:
            return b""
        if not self._packet:
            self._packet = await self._next()
        chunk = self._packet if n < 0 else self._packet[:n]
        self._packet = self._packet[len(chunk) :]
        return chunk

    def feed_eof(self) -> None:
        """Serve nothing more."""
        self._over = True

    async def _next(self) -> bytes:
        """Wait for a packet that concerns the library; messages are handed out on the way.

        Raises:
            NoDataError: the client is gone, too slow, or broke the rules; the library then ends the connection.
        """
        while not self._over:
            await self._slow_down()
            try:
                first, body = await self._take()
            except (RefusedError, TimeoutError, OSError, asyncio.IncompleteReadError) as problem:
                self._over = True
                raise NoDataError(str(problem)) from problem
            cost = PACKET_COST + len(body)
            if first >> 4 != Kind.PUBLISH:
                self._allowance -= cost
                return bytes([first]) + _length_field(len(body)) + body
            topic, payload = message(body)
            self._allowance -= cost * max(1, self._post.listeners(topic))
            await self._post.internal_message_broadcast(topic, payload)
        raise NoDataError("the connection is over")

    async def _take(self) -> tuple[int, bytes]:
        async with asyncio.timeout(self.gate.idle_s):
            first = (await self._stream.readexactly(1))[0]
            first_byte(first, connected=self.gate.connected)
            body = await self._stream.readexactly(await self._length())
        return first, self.gate.admit(first, body)

    async def _length(self) -> int:
        length = 0
        for place in range(3):  # a fourth byte would mean more than 2 MiB
            byte = (await self._stream.readexactly(1))[0]
            length |= (byte & 0x7F) << (7 * place)
            if byte < 0x80:
                if length > PACKET_BODY_MAX:
                    break
                return length
        raise RefusedError("packet too large")

    async def _slow_down(self) -> None:
        # Without a pause all that has arrived would be taken in one go, and the game in this process would stand still.
        await asyncio.sleep(0)
        loop = asyncio.get_running_loop()
        while True:
            now = loop.time()
            self._allowance = min(BURST_BYTES, self._allowance + (now - self._counted) * RATE_BYTES_S)
            self._counted = now
            if self._allowance > 0 and not self._post.is_busy():
                return
            await asyncio.sleep(0.01)


class CuttingWriter(WriterAdapter):  # type: ignore[misc]  # the library publishes no types
    """Writes to a socket without ever waiting, and cuts off a client that does not read.

    The library starts a task for each delivery, and each would wait here for a deaf client, for ever and with its
    message in hand.
    """

    def __init__(self, stream: asyncio.StreamWriter) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        """Queue `data`."""
        if self._stream.is_closing():
            return
        if self._stream.transport.get_write_buffer_size() > UNREAD_BYTES_MAX:
            self._stream.transport.abort()
            return
        self._stream.write(data)

    async def drain(self) -> None:
        """Wait for nothing."""

    def get_peer_info(self) -> tuple[str, int] | None:
        """Return address and port of the client; None if it has already gone."""
        peer = self._stream.get_extra_info("peername")
        return (peer[0], peer[1]) if peer else None

    def get_ssl_info(self) -> ssl.SSLObject | None:
        """Return None: this broker speaks plain TCP, the packets are sealed."""
        return None

    async def close(self) -> None:
        """Close once the queued bytes have left, without waiting for it."""
        self._stream.close()


def _length_field(length: int) -> bytes:
    field = bytearray()
    while True:
        length, low = divmod(length, 0x80)
        field.append(low | (0x80 if length else 0))
        if not length:
            return bytes(field)
