"""The adapters between a socket and the broker's library."""

import asyncio

import pytest

pytest.importorskip("amqtt")

from amqtt.errors import NoDataError

from p2pdurak.transport.strict import BURST_BYTES, PACKET_COST, RATE_BYTES_S, PacketReader
from tests.transport.raw import DISCONNECT, PING, connect, packet, publish, subscribe, unsubscribe

T = "p2pdurak/1/x"


class Post:
    """Records what would be handed out."""

    def __init__(self):
        self.busy = False
        self.messages = []
        self.ears = 1

    def is_busy(self):
        return self.busy

    def listeners(self, topic):
        return self.ears

    async def internal_message_broadcast(self, topic, data):
        self.messages.append((topic, data))


def reader(data, post=None):
    stream = asyncio.StreamReader()
    stream.feed_data(data)
    return PacketReader(stream, post or Post(), "stranger")


async def take(packets, size):
    taken = b""
    while len(taken) < size:
        taken += await packets.read(size - len(taken))
    return taken


def test_packets_come_out_as_they_went_in():
    async def scene():
        says = [
            connect(keepalive=0),
            subscribe(T),
            subscribe(*(f"{T}{n:0100}" for n in range(20))),
            unsubscribe(T),
            PING,
        ]
        packets = reader(b"".join(says))
        for said in says:
            assert await packets.read(1) == said[:1]
            assert await packets.read(0) == b""
            assert await take(packets, len(said) - 1) == said[1:]

    asyncio.run(scene())


def test_messages_go_straight_to_the_broker_in_order():
    async def scene():
        post = Post()
        says = [connect(keepalive=0), publish(T), publish(T, bytes(200)), publish(T, bytes(16384)), DISCONNECT]
        packets = reader(b"".join(says), post)
        assert await packets.read() == says[0]
        assert await packets.read() == DISCONNECT
        assert post.messages == [(T, b""), (T, bytes(200)), (T, bytes(16384))]

    asyncio.run(scene())


def test_a_read_never_runs_into_the_next_packet():
    async def scene():
        packets = reader(connect(keepalive=0) + PING)
        assert await packets.read(1000) == connect(keepalive=0)
        assert await packets.read() == PING

    asyncio.run(scene())


@pytest.mark.parametrize("head", [packet(0x30, bytes(20_000))[:4], b"\x30\xff\xff\xff\x7f"])
def test_a_packet_that_is_too_large_is_refused_before_its_body_comes(head):
    async def scene():
        packets = reader(connect(keepalive=0) + head)
        await packets.read()
        with pytest.raises(NoDataError):
            await asyncio.wait_for(packets.read(), 20)  # the client itself might take 90 s

    asyncio.run(scene())


def test_the_others_get_their_turn_between_two_packets():
    async def scene():
        packets = reader(connect() + PING * 50)
        turns = 0

        async def other():
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(other())
        for _ in range(51):
            await packets.read()
        task.cancel()
        assert turns >= 50

    asyncio.run(scene())


@pytest.mark.parametrize("after", [b"\x00\x00", packet(0x30, bytes(20_000)), b"\x30\xff\xff\xff\x01", publish("other")])
def test_after_a_refusal_nothing_more_is_read(after):
    async def scene():
        packets = reader(connect() + after + PING)
        await packets.read()
        for _ in range(3):
            with pytest.raises(NoDataError):
                await packets.read(1)

    asyncio.run(scene())


def test_the_end_of_the_connection_ends_the_reading():
    async def scene():
        stream = asyncio.StreamReader()
        packets = PacketReader(stream, Post(), "stranger")
        stream.feed_data(connect()[:5])
        stream.feed_eof()
        with pytest.raises(NoDataError):
            await packets.read(1)

    asyncio.run(scene())


def test_the_library_can_end_the_reading():
    async def scene():
        packets = reader(connect())
        packets.feed_eof()
        with pytest.raises(NoDataError):
            await packets.read(1)

    asyncio.run(scene())


def test_a_flooder_is_read_no_faster_than_the_allowance(monkeypatch):
    monkeypatch.setattr("p2pdurak.transport.strict.BURST_BYTES", 10 * PACKET_COST)
    monkeypatch.setattr("p2pdurak.transport.strict.RATE_BYTES_S", 0)

    async def scene():
        packets = reader(connect() + PING * 100)
        taken = []

        async def read_all():
            while True:
                taken.append(await packets.read())

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(read_all(), 0.1)
        assert len(taken) == 10

    asyncio.run(scene())


@pytest.mark.parametrize(("ears", "messages"), [(0, 22), (1, 22), (5, 5), (60, 1)])
def test_a_message_counts_as_often_as_it_has_listeners(ears, messages, monkeypatch):
    monkeypatch.setattr("p2pdurak.transport.strict.BURST_BYTES", 22 * (PACKET_COST + 16))
    monkeypatch.setattr("p2pdurak.transport.strict.RATE_BYTES_S", 0)

    async def scene():
        post = Post()
        post.ears = ears
        packets = reader(connect() + publish(T) * 100, post)
        await packets.read()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(packets.read(), 0.05)
        assert len(post.messages) == messages

    asyncio.run(scene())


def test_the_allowance_comes_back_with_time(monkeypatch):
    monkeypatch.setattr("p2pdurak.transport.strict.BURST_BYTES", 2 * PACKET_COST)

    async def scene():
        packets = reader(connect() + PING * 20)
        for _ in range(21):
            assert await packets.read()

    asyncio.run(scene())


def test_a_game_is_far_below_the_allowance():
    assert RATE_BYTES_S >= 10 * 16384 + 100 * PACKET_COST
    assert BURST_BYTES >= 32 * (16384 + PACKET_COST)


def test_nobody_is_read_while_the_broker_is_behind():
    async def scene():
        post = Post()
        post.busy = True
        packets = reader(connect(), post)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await packets.read()
        post.busy = False
        assert await packets.read()

    asyncio.run(scene())
