"""Packets over an MQTT broker, or over a cluster of them, with a link that heals itself.

It owns when to connect, what to subscribe, when a link counts as dead, and the order of attempts. It does not know what
a packet means, and it never waits for the broker to acknowledge one: a pending acknowledgement outlives the link by its
whole time-out, and no level of MQTT's service kept every packet when brokers were killed. The channel above does.
"""

from __future__ import annotations

import asyncio
import secrets
import ssl
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import aiomqtt

from fairdeck.limits import PACKET_BYTES_MAX
from p2pdurak.transport.base import (
    TOPIC_ROOT,
    Down,
    IncomingQueue,
    NotAllowed,
    Packet,
    TransportError,
    Unreachable,
    Up,
    check_packet,
    checked_topic,
)
from p2pdurak.transport.link import Link
from p2pdurak.transport.url import BrokerUrl

__all__ = ["BrokerUrl", "MqttTransport", "Pace"]

OUTGOING_MAX: Final = 256
"""Packets waiting for the socket: 4 MiB at most. The channel repeats what is lost, so more would only be stale."""

FLUSH_S: Final = 0.3
"""How long `close` waits for packets to leave. A resignation is one packet; a dead link must not hold the player."""

CLOSE_S: Final = 6.0
"""A connection attempt under way ends by itself within two steps; `close` does not wait longer than that."""

SHORT_LIFE_S: Final = 1.0
"""A link that lived less than this may be dropped by the broker on purpose: then the next attempt waits longer."""

_JITTER: Final = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class Pace:
    """How patient the transport is, in seconds.

    Attributes:
        start_s: no further broker is tried at the start after this.
        echo_s: how long the first echo through the broker may take.
        quiet_s: after this much silence the link is tested with an echo.
        dead_s: an echo that is out for this long means that the link is dead.
        retry_min_s: the wait before the first attempt to return; it doubles
        retry_max_s: up to this.
    """

    start_s: float = 5.0
    echo_s: float = 1.0
    quiet_s: float = 3.0
    dead_s: float = 3.0
    retry_min_s: float = 0.05
    retry_max_s: float = 2.0


class MqttTransport:
    """A `Transport` over one broker, or over the nodes of one cluster.

    Attributes:
        incoming: packets and news of the link.
        unsent: how many packets were dropped because the link was down or the socket too slow.
    """

    def __init__(self, urls: Sequence[BrokerUrl], pace: Pace | None = None) -> None:
        """Prepare; nothing is opened before `start`.

        Args:
            urls: at least one; all of them must carry the same messages (a cluster), for they are tried in turn.
            pace: time limits, for tests.

        Raises:
            ValueError: no URL.
        """
        if not urls:
            raise ValueError("a transport needs at least one broker")
        self.incoming = IncomingQueue()
        self.unsent = 0
        self._urls = tuple(urls)
        self._turn = 0
        self._pace = pace or Pace()
        self._topics: dict[str, None] = {}
        self._outgoing: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(OUTGOING_MAX)
        self._link: Link | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._heard = 0
        self._echo_topic = f"{TOPIC_ROOT}echo/{secrets.token_hex(16)}"
        self._echo: tuple[bytes, asyncio.Future[float]] | None = None
        self._echoes = False
        self._contexts: dict[BrokerUrl, ssl.SSLContext] = {}

    @property
    def address(self) -> str:
        """The broker in use, or tried last, without user and password."""
        return self._urls[self._turn].address

    async def start(self, topics: Sequence[str]) -> None:
        """Connect and subscribe; see `Transport.start`. Each URL gets one try."""
        self._topics.update(dict.fromkeys(checked_topic(topic) for topic in topics))
        deadline = asyncio.get_running_loop().time() + self._pace.start_s
        refusals: list[TransportError] = []
        for turn in range(len(self._urls)):
            if refusals and asyncio.get_running_loop().time() > deadline:
                break
            self._turn = turn
            try:
                link = await self._connect(again=False)
            except TransportError as problem:
                refusals.append(problem)
            else:
                self._keeper = asyncio.create_task(self._keep(link), name="p2pdurak link keeper")
                return
        kind = NotAllowed if any(isinstance(problem, NotAllowed) for problem in refusals) else Unreachable
        raise kind("\n".join(str(problem) for problem in refusals)) from refusals[-1]

    async def listen(self, *topics: str) -> None:
        """Subscribe to more topics; see `Transport.listen`."""
        fresh = [checked_topic(topic) for topic in topics if topic not in self._topics]
        self._topics.update(dict.fromkeys(fresh))
        if self._link is None or not fresh:
            return  # the next connection subscribes to everything
        try:
            await self._link.join(fresh)
        except NotAllowed:
            self._drop_topics(fresh)
            raise
        except aiomqtt.MqttError:
            return  # the link is going; the keeper sees it too

    async def forget(self, *topics: str) -> None:
        """Unsubscribe; see `Transport.forget`."""
        gone = [topic for topic in topics if topic in self._topics]
        self._drop_topics(gone)
        if self._link is not None and gone:
            with suppress(aiomqtt.MqttError):
                await self._link.unsubscribe(gone)

    def send(self, topic: str, payload: bytes) -> None:
        """Send a packet; see `Transport.send`."""
        check_packet(topic, payload)
        if self._link is None:
            self.unsent += 1
            return
        try:
            self._outgoing.put_nowait((topic, payload))
        except asyncio.QueueFull:
            self.unsent += 1

    async def close(self) -> None:
        """Disconnect and end every task; see `Transport.close`. Closing twice does no harm."""
        if self._keeper is None:
            return
        keeper, self._keeper = self._keeper, None
        if self._link is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(FLUSH_S):
                    await self._outgoing.join()
        keeper.cancel()
        done, _ = await asyncio.wait({keeper}, timeout=CLOSE_S)
        if self._link is not None:  # the keeper was cancelled before its first step
            await self._link.close()
            self._link = None
        for task in done:
            if not task.cancelled():
                task.result()  # a fault of ours must not vanish

    async def _keep(self, link: Link) -> None:
        """Use `link` until it ends, come back, and so on until cancelled."""
        loop = asyncio.get_running_loop()
        short_lives = 0
        while True:
            born = loop.time()
            reason = await self._use(link)
            _heed_cancel()
            short_lives = short_lives + 1 if loop.time() - born < SHORT_LIFE_S else 0
            link = await self._return(reason, short_lives)

    async def _use(self, link: Link) -> str:
        """Send, watch and test `link` until it ends; the sentence says how it ended."""
        steps = link.lost(), self._send_all(link), self._test(link)
        tasks = [asyncio.create_task(step) for step in steps]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._link = None
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._discard_outgoing()
            await link.close()
        reason = f"The connection to {self.address} was lost."
        for task in done:
            try:
                task.result()
            except aiomqtt.MqttError:
                pass
            except _FellSilent:
                reason = f"The broker {self.address} fell silent."
        return reason

    async def _return(self, reason: str, short_lives: int) -> Link:
        """Try to connect, this broker first and then the others in turn, until it works."""
        delay_s = min(self._pace.retry_min_s * 2 ** min(short_lives, 3), self._pace.retry_max_s)
        attempt = 0
        while True:
            attempt += 1
            self.incoming.offer(Down(reason, attempt))
            # Two players who lost the same broker must not come back in step.
            await asyncio.sleep(delay_s * _JITTER.uniform(0.5, 1.5))
            try:
                return await self._connect(again=True)
            except TransportError as problem:
                reason = str(problem)
            self._turn = (self._turn + 1) % len(self._urls)
            delay_s = min(delay_s * 2, self._pace.retry_max_s)

    async def _connect(self, *, again: bool) -> Link:
        """Make one attempt at the broker whose turn it is.

        Raises:
            TransportError: a sentence.
        """
        url = self._urls[self._turn]
        # Random, so it tells nobody who we are. A fresh one each time: whoever connects with the one we had has thrown
        # us out once, and would again. 23 letters are allowed.
        client_id = "d" + secrets.token_hex(10)
        link = Link(url, client_id, self._deliver, await self._tls(url))
        try:
            await link.open()
            round_trip_s = await self._settle(link)
            _heed_cancel()
        except aiomqtt.MqttError as problem:
            await link.close()
            raise Unreachable(f"The broker {url} closed the connection at once. Try again later.") from problem
        except BaseException:
            await link.close()
            raise
        self._link = link
        self.incoming.offer(Up(round_trip_s, again))
        return link

    async def _settle(self, link: Link) -> float | None:
        """Subscribe to everything wanted, also what is added meanwhile, and measure the round trip in seconds."""
        await link.join([self._echo_topic])
        round_trip_s = await self._send_echo(link)
        self._echoes = round_trip_s is not None
        joined: set[str] = set()
        while fresh := [topic for topic in self._topics if topic not in joined]:
            await link.join(fresh)
            joined.update(fresh)
        return round_trip_s

    async def _tls(self, url: BrokerUrl) -> ssl.SSLContext | None:
        if not url.tls:
            return None
        if url not in self._contexts:
            try:  # reads some 150 CA certificates: too slow for the loop that also draws the table
                self._contexts[url] = await asyncio.to_thread(ssl.create_default_context, cafile=url.cafile)
            except OSError as problem:
                raise Unreachable(
                    f"The CA file {url.cafile} for the broker {url} cannot be used ({problem.strerror or problem}). "
                    "Check the path after ?cafile=; it must be a PEM file."
                ) from problem
        return self._contexts[url]

    async def _send_all(self, link: Link) -> None:
        while self._link is link:
            topic, payload = await self._outgoing.get()
            try:
                # At QoS 0 this waits only until the socket took the bytes, which is the back-pressure wanted.
                await link.publish(topic, payload)
            finally:
                self._outgoing.task_done()

    async def _test(self, link: Link) -> None:
        """Find out that the link is dead long before TCP does.

        Raises:
            _FellSilent: nothing came for the whole time, not even our own echo.
        """
        parts = 4  # after a suspend or a stopped process one part is over at once; the others give late bytes a chance
        while self._link is link:
            heard = self._heard
            await asyncio.sleep(self._pace.quiet_s)
            if not self._echoes or self._heard != heard:
                continue
            await link.publish(self._echo_topic, b"")
            for _ in range(parts):
                await asyncio.sleep(self._pace.dead_s / parts)
                if self._heard != heard:
                    break
            else:
                raise _FellSilent

    async def _send_echo(self, link: Link) -> float | None:
        """Return the seconds that a packet takes to ourselves, or None if it does not come back in time."""
        loop = asyncio.get_running_loop()
        token = secrets.token_bytes(8)
        came_back: asyncio.Future[float] = loop.create_future()
        self._echo = (token, came_back)
        sent = loop.time()
        await link.publish(self._echo_topic, token)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pace.echo_s):
                return await came_back - sent
        return None

    def _deliver(self, topic: str, payload: bytes) -> None:
        self._heard += 1
        if topic == self._echo_topic:
            if self._echo is not None and self._echo[0] == payload and not self._echo[1].done():
                self._echo[1].set_result(asyncio.get_running_loop().time())
        elif topic in self._topics and len(payload) <= PACKET_BYTES_MAX:
            self.incoming.offer(Packet(topic, payload))

    def _drop_topics(self, topics: Sequence[str]) -> None:
        for topic in topics:
            self._topics.pop(topic, None)

    def _discard_outgoing(self) -> None:
        """What did not leave with its link is stale when the next one stands; the channel sends it anew."""
        while not self._outgoing.empty():
            self._outgoing.get_nowait()
            self._outgoing.task_done()
            self.unsent += 1


def _heed_cancel() -> None:
    """Raise CancelledError if this task was cancelled: `wait_for`, before Python 3.12, sometimes swallows that."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


class _FellSilent(Exception):
    """Nothing came through the link, not even our own echo."""
