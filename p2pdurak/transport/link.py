"""One connection to a broker: opened once, used until it ends, then thrown away.

It owns what aiomqtt and paho leave open, late or loud, and the sentences for what can go wrong while connecting.
It does not know which topics matter, and it never connects twice: a used client object "connects" although refused.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import aiomqtt
from aiomqtt.exceptions import MqttConnectError

from p2pdurak.transport.base import NotAllowed, TransportError, Unreachable
from p2pdurak.transport.url import BrokerUrl

if TYPE_CHECKING:
    from paho.mqtt.client import Client as PahoClient
    from paho.mqtt.client import DisconnectFlags, MQTTMessage, SocketLike
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

STEP_S: Final = 2.5
"""The longest wait for one step: the TCP connection, the TLS handshake, CONNACK, SUBACK. Two steps make 5 s."""

GOODBYE_S: Final = 0.5
"""How long a DISCONNECT may take before the socket is closed without it."""

KEEPALIVE_S: Final = 10
"""The broker drops a client that was silent for 1.5 times this; our own echoes find dead links sooner."""

REFUSED: Final = 0x80
"""SUBACK codes from here on mean that the broker does not permit the topic."""

NO_DELAY: Final = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)
"""Without it a round trip takes 92 ms on this machine's own loopback instead of 0.5 ms: small packets wait."""

_CREDENTIALS: Final = frozenset({"Bad user name or password", "Not authorized", "Banned"})

_QUIET: Final = logging.getLogger("mqtt")
_QUIET.propagate = False  # a warning printed by the library would scribble over the table
_QUIET.addHandler(logging.NullHandler())


class Link(aiomqtt.Client):
    """A connection attempt and the connection it becomes. Use it once: `open`, then `close` whatever happened.

    The overrides touch protected names of aiomqtt 2.5, which pyproject.toml pins below 3; each says why.
    """

    def __init__(
        self, url: BrokerUrl, client_id: str, deliver: Callable[[str, bytes], None], tls: ssl.SSLContext | None
    ) -> None:
        super().__init__(
            url.host,
            url.port,
            username=url.user,
            password=url.password,
            logger=_QUIET,
            identifier=client_id,
            clean_session=True,
            timeout=STEP_S,
            keepalive=KEEPALIVE_S,
            tls_context=tls,
            socket_options=NO_DELAY,
        )
        self._url = url
        self._deliver = deliver
        self._client.connect_timeout = STEP_S

    async def open(self) -> None:
        """Connect and log in.

        Raises:
            Unreachable: no broker answers there.
            NotAllowed: it refuses this user.
        """
        # The connecting thread cannot be stopped. A cancel waits for it (at most one step), else its socket would
        # appear in the loop after everybody has gone; the interpreter waits for that thread on exit anyway.
        # For the CONNACK behind it nobody waits any more.
        opening = asyncio.ensure_future(self.__aenter__())
        try:
            await asyncio.shield(opening)
        except (aiomqtt.MqttError, ValueError) as problem:
            raise refusal(self._url, problem) from problem
        except asyncio.CancelledError:
            if not self._connected.done():
                self._connected.set_exception(aiomqtt.MqttError("cancelled before CONNACK"))
            await asyncio.wait({opening})
            if not opening.cancelled():
                opening.exception()
            raise

    async def join(self, topics: Iterable[str]) -> None:
        """Subscribe to `topics` at QoS 0.

        Raises:
            NotAllowed: the broker refuses one of them.
            aiomqtt.MqttError: the link broke.
        """
        wanted = [(topic, 0) for topic in topics]
        codes = await self.subscribe(wanted)
        if any((code if isinstance(code, int) else code.value) >= REFUSED for code in codes):
            raise NotAllowed(
                f"The broker {self._url} does not let this user listen to the topics of the game (p2pdurak/1/...). "
                "Ask its operator, or name another with --broker."
            )

    async def lost(self) -> None:
        """Wait until the link ends.

        Raises:
            aiomqtt.MqttError: it ended; this is the only way out.
        """
        async for _ in self.messages:  # none comes this way: see `_on_message`
            pass

    async def close(self) -> None:
        """Say goodbye if the link still stands, then leave no socket, no task and no unread exception behind."""
        connected = self._connected.done() and not self._connected.cancelled() and not self._connected.exception()
        if connected and not self._disconnected.done():
            self.timeout = GOODBYE_S
            with suppress(aiomqtt.MqttError):
                await self.__aexit__(None, None, None)
        # aiomqtt leaves the socket open when CONNACK is late, a goodbye gets stuck or a callback raised.
        if self._client.socket() is not None:
            self._client._sock_close()
        for future in (self._connected, self._disconnected):
            if future.done() and not future.cancelled():
                future.exception()
        if self._misc_task is not None:
            self._misc_task.cancel()
            await asyncio.gather(self._misc_task, return_exceptions=True)

    def _on_message(self, client: PahoClient, userdata: Any, message: MQTTMessage) -> None:  # noqa: ANN401, ARG002
        # Straight into our own bounded queue: aiomqtt's would be a second one, with a new task for every message.
        with suppress(UnicodeDecodeError):
            self._deliver(message.topic, bytes(message.payload))

    def _on_disconnect(
        self,
        client: PahoClient,
        userdata: Any,  # noqa: ANN401
        flags: DisconnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        # A socket closed before CONNACK is news: aiomqtt would sit out its whole time-out instead.
        if not self._connected.done():
            self._connected.set_exception(aiomqtt.MqttError("closed before CONNACK"))
        super()._on_disconnect(client, userdata, flags, reason_code, properties)

    def _on_socket_register_write(self, client: PahoClient, userdata: Any, sock: SocketLike) -> None:  # noqa: ANN401, ARG002
        # aiomqtt remembers the descriptor for the next round of the loop; if the link drops in between, the loop
        # prints a traceback, or watches whatever socket got that number next.
        def write() -> None:
            try:
                client.loop_write()
            except Exception as problem:  # noqa: BLE001 - whatever it is, this connection is over
                if not self._disconnected.done():
                    self._disconnected.set_exception(problem)

        def register() -> None:
            if client.socket() is sock:
                self._loop.add_writer(sock.fileno(), write)

        self._loop.call_soon_threadsafe(register)


def refusal(url: BrokerUrl, problem: Exception) -> TransportError:
    """Turn what `Link.open` met into a sentence that names the broker and says what to do."""
    if isinstance(problem, MqttConnectError):
        said = str(problem.rc)
        if said in _CREDENTIALS:
            who = f"the user {url.user}" if url.user else "a client without user and password"
            return NotAllowed(
                f"The broker {url} refuses {who} ({said.lower()}). "
                "Check the login: mqtt://USER:PASSWORD@HOST:PORT, with characters like @ or / as %40, %2F."
            )
        return Unreachable(f"The broker {url} refuses the connection ({said.lower()}). Try again later or another one.")
    match problem.__context__:
        case ConnectionRefusedError():
            what = "nothing listens there. Is the broker running? Check the address and the port."
        case socket.gaierror():
            what = "its name cannot be looked up. Check the spelling and your network."
        case ssl.SSLCertVerificationError() as fault:
            what = (
                f"its certificate is not trusted ({fault.verify_message}). Check the name, or give the file of its CA: "
                "mqtts://HOST?cafile=PATH."
            )
        case ssl.SSLError() | ConnectionResetError() if url.tls:
            what = "it does not speak TLS on that port. Try mqtt:// instead of mqtts://, or another port."
        case TimeoutError():
            what = "no answer in time. Check the address, a firewall, and whether the port wants mqtts://."
        case OSError() as fault:
            what = f"{fault.strerror or 'the network failed'}. Check your network and the address."
        case _:
            what = (
                "something answers, but not as an MQTT broker. Check the port, and whether it wants mqtts://; "
                "a cluster answers so while too few of its nodes run."
            )
    return Unreachable(f"The broker {url} cannot be reached: {what}")
