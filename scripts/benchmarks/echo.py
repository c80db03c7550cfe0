"""The raw round trip of a broker: a packet to ourselves, and nothing of the game around it.

It owns two connections, one that speaks and one that listens; it knows no channel and no record.
"""

from __future__ import annotations

import asyncio
import secrets
import ssl
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, Self

from p2pdurak.transport.base import TOPIC_ROOT
from p2pdurak.transport.link import Link
from p2pdurak.transport.url import BrokerUrl

PACKET_BYTES: Final = 1024
"""What most moves need; the channel knows no size between this and a quarter of it."""

LATE_S: Final = 5.0


class Echo:
    """A packet's way through the broker: `async with Echo(urls) as echo: await echo.trip()`.

    In a cluster the packet comes in through the first node and goes out through the second, like those of players who
    are spread over the nodes.
    """

    def __init__(self, urls: Sequence[BrokerUrl]) -> None:
        self._topic = f"{TOPIC_ROOT}echo/{secrets.token_hex(16)}"
        self._speaker = _link(urls[0], lambda _topic, _payload: None)
        self._listener = _link(urls[1 % len(urls)], self._hear)
        self._awaited: tuple[bytes, asyncio.Future[float]] | None = None

    async def __aenter__(self) -> Self:
        """Connect.

        Raises:
            TransportError: a sentence.
        """
        try:
            await self._speaker.open()
            await self._listener.open()
            await self._listener.join([self._topic])
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def _close(self) -> None:
        await self._speaker.close()
        await self._listener.close()

    async def trip(self) -> float | None:
        """Seconds until a packet is back; None if it is late by far."""
        came_back: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        payload = secrets.token_bytes(PACKET_BYTES)
        self._awaited = (payload, came_back)
        sent = time.monotonic()
        try:
            async with asyncio.timeout(LATE_S):
                await self._speaker.publish(self._topic, payload)
                return await came_back - sent
        except TimeoutError:
            return None

    def _hear(self, _topic: str, payload: bytes) -> None:
        if self._awaited is not None and self._awaited[0] == payload and not self._awaited[1].done():
            self._awaited[1].set_result(time.monotonic())


def _link(url: BrokerUrl, deliver: Callable[[str, bytes], None]) -> Link:
    tls = ssl.create_default_context(cafile=url.cafile) if url.tls else None
    return Link(url, "d" + secrets.token_hex(10), deliver, tls)
