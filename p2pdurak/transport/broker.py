"""The embedded broker: a game needs no server of anybody's.

It owns the listening socket, the number of connections and a clean end. What a client may say is in `gate`, the broker
itself is a library behind `strict`, imported only here and only when a broker is started.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from p2pdurak.transport.base import TransportError
from p2pdurak.transport.url import BrokerUrl

if TYPE_CHECKING:
    from p2pdurak.transport.strict import PacketReader, StrictBroker

CONNECTIONS_MAX: Final = 64
"""Two players need two; the rest is for reconnects that the broker has not noticed yet, and for strangers' noise."""

LINGER_S: Final = 0.5
"""How long a closing connection may take to send its last bytes."""

SHUTDOWN_S: Final = 5.0
"""More than the library ever needed to stop; after this its tasks are cancelled."""


def lan_address() -> str:
    """Return the address of this machine in its network, or 127.0.0.1 where there is no network.

    The socket is only asked which address it would send from; nothing is sent.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documents: no such machine exists
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


@dataclass(frozen=True, slots=True)
class _Client:
    """One connection: our name for it, where it comes from, and what is read from it."""

    name: str
    address: str
    packets: PacketReader


class EmbeddedBroker:
    """A broker in this process and this event loop: `async with EmbeddedBroker() as broker: ... broker.address`.

    The same object may be entered again after it was left; with a port of its own it takes the same one at once.
    """

    def __init__(self, bind: str | None = None, port: int = 0) -> None:
        """Prepare; nothing is opened yet.

        Args:
            bind: address to listen on; None means `lan_address()`.
            port: TCP port; 0 means any free one. It is kept when the object is entered again.
        """
        self.bind = lan_address() if bind is None else bind
        self.port = port
        self._broker: StrictBroker | None = None
        self._server: asyncio.Server | None = None
        self._clients: dict[asyncio.Task[None], _Client] = {}
        self._names = (f"c{number}" for number in count())

    @property
    def address(self) -> str:
        """`host:port`, as a friend types it."""
        return BrokerUrl(self.bind, self.port).address

    async def __aenter__(self) -> Self:
        """Start to listen.

        Raises:
            TransportError: the library is missing, or the address or port cannot be had; a sentence says what to do.
        """
        try:
            from p2pdurak.transport.strict import StrictBroker  # noqa: PLC0415 - an extra that many do without
        except ImportError as missing:
            raise TransportError(
                "This installation has no broker of its own. "
                'Install it with: pip install "p2pdurak[broker]", or name a broker with --broker HOST:PORT.'
            ) from missing
        try:
            self._server = await asyncio.start_server(self._accept, self.bind, self.port, start_serving=False)
        except OSError as problem:
            raise TransportError(self._cannot_listen(problem)) from problem
        self.port = int(self._server.sockets[0].getsockname()[1])
        self._broker = StrictBroker()
        await self._broker.start()
        await self._server.start_serving()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening, close every connection and end every task; the port is free at once."""
        if self._server is None or self._broker is None:
            return
        server, self._server = self._server, None
        broker, self._broker = self._broker, None
        server.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(SHUTDOWN_S):
                await broker.shutdown()
        clients = list(self._clients)
        for client in clients:
            client.cancel()
        await asyncio.gather(*clients, return_exceptions=True)
        await server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = str((writer.get_extra_info("peername") or ("",))[0])
        if self._broker is None or not self._make_room(address):
            writer.transport.abort()
            return
        from p2pdurak.transport.strict import PacketReader  # noqa: PLC0415 - loaded since the broker is up

        name = next(self._names)
        client = _Client(name, address, PacketReader(reader, self._broker, name))
        task = asyncio.get_running_loop().create_task(self._serve(self._broker, client, writer))
        self._clients[task] = client
        task.add_done_callback(self._clients.pop)

    def _make_room(self, address: str) -> bool:
        """Keep the number of connections bounded, and let no address keep the others out.

        Who never said who he is goes first, the oldest of the address that has the most such connections. If all have
        greeted, the address with the most of them loses its newest to one that has fewer.
        """
        staying = {task: client for task, client in self._clients.items() if not task.cancelling()}
        if len(staying) < CONNECTIONS_MAX:
            return True
        mute = {task: client for task, client in staying.items() if not client.packets.gate.connected}
        shares = Counter(client.address for client in (mute or staying).values())
        busiest, most = shares.most_common(1)[0]
        if not mute and most <= shares[address] + 1:
            return False
        order = staying if mute else reversed(staying)
        next(task for task in order if task in (mute or staying) and staying[task].address == busiest).cancel()
        return True

    async def _serve(self, broker: StrictBroker, client: _Client, writer: asyncio.StreamWriter) -> None:
        from p2pdurak.transport.strict import LISTENER, CuttingWriter  # noqa: PLC0415 - loaded since the broker is up

        try:
            await broker.external_connected(client.packets, CuttingWriter(writer), LISTENER)
        except Exception:  # noqa: BLE001, S110 - a stranger's bytes may find any fault of the library; only he is cut off
            pass
        finally:
            await broker.forget(client.name)
            writer.close()
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(LINGER_S):
                    await writer.wait_closed()
            writer.transport.abort()

    def _cannot_listen(self, problem: OSError) -> str:
        """Say why the address cannot be had, and what to do."""
        where = self.address
        match problem.errno:
            case errno.EADDRINUSE:
                return f"Port {self.port} of {self.bind} is taken by another program. Choose one with --port, or 0."
            case errno.EADDRNOTAVAIL:
                return f"This machine has no address {self.bind}. Choose one of its own with --bind."
            case errno.EACCES | errno.EPERM:
                return f"The system does not allow listening on {where}. Choose a port above 1023."
            case _:
                reason = problem.strerror or "the address is not understood"
                return f"Cannot listen on {where}: {reason}. Choose another address with --bind."
