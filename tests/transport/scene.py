"""What the tests of `MqttTransport` share: a stage that must be left clean, and a broker that does as it is told."""

import asyncio
import gc
from contextlib import asynccontextmanager, suppress

from p2pdurak.transport.base import Packet
from p2pdurak.transport.mqtt import BrokerUrl, MqttTransport, Pace
from tests.transport.raw import packet, text

A, B, C = "p2pdurak/1/a", "p2pdurak/1/b", "p2pdurak/1/c"
QUICK = Pace(echo_s=0.5, quiet_s=0.1, dead_s=0.2, retry_min_s=0.01, retry_max_s=0.1)


def play(scene):
    """Run `scene()`; it must leave no task behind, and nothing may reach the loop's exception handler."""
    reports = []

    async def main():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: reports.append(context))
        await scene()
        if rest := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(rest, timeout=0.2)  # asyncio's own, for a connection that was just accepted
        if rest := asyncio.all_tasks() - {asyncio.current_task()}:
            raise AssertionError(f"tasks left behind: {rest}")
        gc.collect()  # unread exceptions are reported when their future dies
        await asyncio.sleep(0)

    gc.freeze()  # what lives already need not be searched again and again
    try:
        asyncio.run(main())
    finally:
        gc.unfreeze()
    if reports:
        raise AssertionError(f"reported to the loop: {reports}")


@asynccontextmanager
async def connected(url, *topics, pace=QUICK):
    transport = MqttTransport([BrokerUrl.parse(url)], pace)
    await transport.start(topics)
    try:
        yield transport
    finally:
        await transport.close()


async def until(transport, kind):
    """Take events until one of `kind` comes, and return it."""
    async with asyncio.timeout(20):
        while True:
            event = await transport.incoming.get()
            if isinstance(event, kind):
                return event


async def exchange(one, topic, other, payload):
    """Send `payload` until it arrives, as the channel does."""
    while True:
        one.send(topic, payload)
        try:
            async with asyncio.timeout(0.2):
                while True:
                    event = await other.incoming.get()
                    if event == Packet(topic, payload):
                        return
        except TimeoutError:
            continue


class Clerk:
    """A broker by the book, without the book: answers CONNECT and SUBSCRIBE with given codes, and carries nothing."""

    def __init__(self, connack=0, suback=0, greets=True, hangs_up=False, says=b""):
        self.connack, self.suback, self.greets, self.hangs_up, self.says = connack, suback, greets, hangs_up, says
        self.came, self.left = [], asyncio.Event()
        self._writers, self._tasks = [], []

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_):
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._tasks)

    def _accept(self, reader, writer):
        self._tasks.append(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader, writer):
        self.came.append(asyncio.get_running_loop().time())
        self._writers.append(writer)
        if not self.greets:
            if self.hangs_up:
                writer.close()
            with suppress(ConnectionError):
                await reader.read()
            self.left.set()
            return
        try:
            while head := await reader.readexactly(2):
                body = await reader.readexactly(head[1])
                if head[0] >> 4 == 1:
                    writer.write(b"\x20\x02\x00" + bytes([self.connack]))
                elif head[0] >> 4 == 8:
                    writer.write(packet(0x90, body[:2] + bytes([self.suback])) + self.says)
                elif self.hangs_up and body.startswith(text(A)):
                    writer.close()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
