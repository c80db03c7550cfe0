"""A broker looked at one step at a time: name, connection, certificate, login, topics, echoes, sizes, qualities.

It owns the steps, their order and their time limits, and gives what it met as facts. It judges nothing, and it carries
no game.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import aiomqtt
from aiomqtt.exceptions import MqttConnectError

from p2pdurak.transport.base import TOPIC_ROOT, TransportError
from p2pdurak.transport.link import Link
from p2pdurak.transport.url import BrokerUrl

STEP_S: Final = 5.0
"""The longest wait for one step; `Link` waits half of it for CONNACK and as long for SUBACK."""

ECHOES: Final = 50

CONNACK_CODES: Final = {
    "Unsupported protocol version": 1,
    "Client identifier not valid": 2,
    "Server unavailable": 3,
    "Bad user name or password": 4,
    "Not authorized": 5,
}
"""The return codes of MQTT 3.1.1 (section 3.2.2.3), by the words of the library, which has newer numbers."""


class Step(StrEnum):
    """What is tried, in this order; each needs the ones before it, but for the last two."""

    NAME = "name"
    TCP = "tcp"
    CAFILE = "ca file"
    TLS = "tls"
    LOGIN = "login"
    TOPICS = "topics"
    ECHO = "echo"
    SIZE = "packet size"
    QOS = "qos"


@dataclass(frozen=True, slots=True)
class Looked:
    """The name has these IP addresses."""

    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Connected:
    """Something listens; the connection took so many seconds."""

    after_s: float


@dataclass(frozen=True, slots=True)
class Encrypted:
    """TLS stands, with a certificate that is trusted until `expires_at`, in seconds since 1970."""

    version: str
    expires_at: float


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """CONNACK 0."""


@dataclass(frozen=True, slots=True)
class Subscribed:
    """SUBACK for a topic of the game."""


@dataclass(frozen=True, slots=True)
class Echoed:
    """Packets that came back to us, and the seconds that each was away; fewer than `asked` if one did not."""

    trips_s: tuple[float, ...]
    asked: int


@dataclass(frozen=True, slots=True)
class Sized:
    """The payloads that came back, of those that were tried, in bytes, from small to large."""

    passed: tuple[int, ...]
    tried: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Whether a packet at QoS 1 was taken and came back."""

    delivered: bool


@dataclass(frozen=True, slots=True)
class Broken:
    """A step that failed, which ends the visit.

    Attributes:
        step: which.
        problem: what was raised, for the judge.
        code: the return code of CONNACK, where that was it.
    """

    step: Step
    problem: Exception
    code: int | None = None


Fact = Looked | Connected | Encrypted | LoggedIn | Subscribed | Echoed | Sized | Acknowledged | Broken


Tell = Callable[[Fact], None]


async def visit(url: BrokerUrl, sizes: Sequence[int], tell: Tell, *, step_s: float = STEP_S) -> None:
    """Try one broker, step by step.

    Args:
        url: which.
        sizes: payloads to send, in bytes, from small to large.
        tell: takes a fact as soon as it is known; `Broken` is the last one.
        step_s: the longest wait for a step, in seconds.
    """
    step = Step.NAME
    tls: ssl.SSLContext | None = None
    try:
        async with asyncio.timeout(step_s):
            addresses = await _look_up(url)
        tell(Looked(addresses))
        step = Step.TCP
        began = asyncio.get_running_loop().time()
        async with asyncio.timeout(step_s):
            address = await _first_open(addresses, url.port)
        tell(Connected(asyncio.get_running_loop().time() - began))
        if url.tls:
            step = Step.CAFILE
            tls = await asyncio.to_thread(ssl.create_default_context, cafile=url.cafile)
            step = Step.TLS
            async with asyncio.timeout(step_s):
                tell(await _shake_hands(url, address, tls))
    except OSError as problem:  # a TimeoutError is one, and so is a certificate that is not trusted
        tell(Broken(step, problem))
        return
    if await _talk(_Visitor(url, tls, step_s), sizes, tell):
        tell(Acknowledged(await _acknowledges(_Visitor(url, tls, step_s))))


async def _talk(visitor: _Visitor, sizes: Sequence[int], tell: Tell) -> bool:
    """Everything behind the connection, which `Link` makes anew as it does for a game; whether packets come back."""
    step = Step.LOGIN
    try:
        await visitor.link.open()
        tell(LoggedIn())
        step = Step.TOPICS
        await visitor.link.join([visitor.topic])
        tell(Subscribed())
        trips = await visitor.echoes(ECHOES)
        tell(Echoed(trips, ECHOES))
        if trips:  # where nothing comes back, no size says anything
            tell(Sized(await visitor.passing(sizes), tuple(sizes)))
        return bool(trips)
    except (TransportError, aiomqtt.MqttError) as problem:
        tell(Broken(step, problem, _connack(problem)))
        return False
    finally:
        await visitor.link.close()


class _Visitor:
    """One connection that listens to itself."""

    def __init__(self, url: BrokerUrl, tls: ssl.SSLContext | None, step_s: float) -> None:
        self.link = Link(url, "d" + secrets.token_hex(10), self._heard, tls)
        self.topic = f"{TOPIC_ROOT}echo/{secrets.token_hex(16)}"
        self._step_s = step_s
        self._awaited: tuple[bytes, asyncio.Future[float]] | None = None

    async def echoes(self, count: int) -> tuple[float, ...]:
        """Send small packets one after the other; stop at the first that does not come back."""
        trips: list[float] = []
        while len(trips) < count and (trip_s := await self.trip(secrets.token_bytes(32))) is not None:
            trips.append(trip_s)
        return tuple(trips)

    async def passing(self, sizes: Sequence[int]) -> tuple[int, ...]:
        """The sizes that come back; after the first that does not, nothing larger is tried."""
        passed: list[int] = []
        for size in sizes:
            if await self.trip(secrets.token_bytes(size)) is None:
                break
            passed.append(size)
        return tuple(passed)

    async def trip(self, payload: bytes, qos: int = 0) -> float | None:
        """The seconds until `payload` is back; None if it is late, or the link broke over it."""
        loop = asyncio.get_running_loop()
        came_back: asyncio.Future[float] = loop.create_future()
        self._awaited = (payload, came_back)
        lost = asyncio.ensure_future(self.link.lost())
        # Beside the wait for the echo: where a broker cuts off, an acknowledgement would be waited for in vain.
        sending = asyncio.ensure_future(self.link.publish(self.topic, payload, qos))
        sent = loop.time()
        ends: set[asyncio.Future[float] | asyncio.Future[None]] = {came_back, lost}
        try:
            await asyncio.wait(ends, timeout=self._step_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            lost.cancel()
            sending.cancel()
            await asyncio.gather(lost, sending, return_exceptions=True)
        return came_back.result() - sent if came_back.done() else None

    def _heard(self, topic: str, payload: bytes) -> None:
        if topic != self.topic or self._awaited is None:
            return
        expected, came_back = self._awaited
        if payload == expected and not came_back.done():
            came_back.set_result(asyncio.get_running_loop().time())


async def _acknowledges(visitor: _Visitor) -> bool:
    """Whether QoS 1 works; on a connection of its own, for a broker may cut it off."""
    try:
        await visitor.link.open()
        await visitor.link.subscribe(visitor.topic, 1)
        return await visitor.trip(secrets.token_bytes(32), qos=1) is not None
    except (TransportError, aiomqtt.MqttError):
        return False
    finally:
        await visitor.link.close()


def _connack(problem: Exception) -> int | None:
    cause = problem.__cause__
    return CONNACK_CODES.get(str(cause.rc)) if isinstance(cause, MqttConnectError) else None


async def _look_up(url: BrokerUrl) -> tuple[str, ...]:
    """The addresses of a name, each once, as the system orders them.

    Raises:
        OSError: there are none.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[tuple[str, ...]] = loop.create_future()

    def look() -> None:
        # In a thread that nobody waits for: a resolver without a network may take half a minute to say so.
        try:
            infos = socket.getaddrinfo(url.host, url.port, type=socket.SOCK_STREAM)
        except OSError as problem:
            tell(None, problem)
        else:
            tell(tuple(dict.fromkeys(str(info[4][0]) for info in infos)), None)

    def tell(addresses: tuple[str, ...] | None, problem: OSError | None) -> None:
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, addresses, problem)

    def settle(addresses: tuple[str, ...] | None, problem: OSError | None) -> None:
        if found.done():
            return
        if addresses is None:
            found.set_exception(problem or OSError("no address"))
        else:
            found.set_result(addresses)

    threading.Thread(target=look, name="p2pdurak look up", daemon=True).start()
    return await found


async def _first_open(addresses: Sequence[str], port: int) -> str:
    """The first address that takes a connection.

    Raises:
        OSError: none does; the last one's reason.
    """
    problem = OSError("no address")
    for address in addresses:
        try:
            _, writer = await asyncio.open_connection(address, port)
        except OSError as refused:
            problem = refused
        else:
            writer.transport.abort()
            return address
    raise problem


async def _shake_hands(url: BrokerUrl, address: str, tls: ssl.SSLContext) -> Encrypted:
    """The TLS handshake by itself.

    Raises:
        OSError: it failed; a certificate that is not trusted is one, too.
    """
    _, writer = await asyncio.open_connection(address, url.port, ssl=tls, server_hostname=url.host)
    try:
        connection: ssl.SSLObject = writer.get_extra_info("ssl_object")
        certificate = connection.getpeercert() or {}
        return Encrypted(connection.version() or "TLS", ssl.cert_time_to_seconds(str(certificate["notAfter"])))
    finally:
        writer.transport.abort()
