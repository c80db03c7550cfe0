"""The broker inside one process."""

import asyncio

import pytest

from p2pdurak.transport.base import Down, Packet, Unreachable, Up
from p2pdurak.transport.memory import Faults, MemoryHub

A, B = "p2pdurak/1/a", "p2pdurak/1/b"


def drain(transport):
    return [transport.incoming.get_nowait() for _ in range(transport.incoming.qsize())]


async def pair(hub):
    one, other = hub.transport(), hub.transport()
    await one.start([A])
    await other.start([B])
    assert drain(one) == drain(other) == [Up(0.0, again=False)]
    return one, other


def test_a_packet_reaches_who_listens_and_nobody_else():
    async def scene():
        one, other = await pair(MemoryHub())
        one.send(B, b"card")
        assert drain(other) == [Packet(B, b"card")]
        assert drain(one) == []

    asyncio.run(scene())


def test_who_listens_to_his_own_topic_hears_himself():
    async def scene():
        one, _ = await pair(MemoryHub())
        one.send(A, b"echo")
        assert drain(one) == [Packet(A, b"echo")]

    asyncio.run(scene())


def test_topics_are_added_and_forgotten():
    async def scene():
        one, other = await pair(MemoryHub())
        await other.listen(A)
        one.send(A, b"1")
        await other.forget(A, B)
        one.send(A, b"2")
        one.send(B, b"3")
        assert drain(other) == [Packet(A, b"1")]

    asyncio.run(scene())


def test_a_hub_that_is_down_loses_packets_and_tells_everybody():
    async def scene():
        hub = MemoryHub()
        one, other = await pair(hub)
        hub.down()
        hub.down()
        one.send(B, b"lost")
        hub.up()
        hub.up()
        one.send(B, b"found")
        assert drain(other) == [Down("The wire is cut.", 1), Up(0.0, again=True), Packet(B, b"found")]

    asyncio.run(scene())


def test_nobody_can_start_while_the_hub_is_down():
    async def scene():
        hub = MemoryHub()
        hub.down()
        with pytest.raises(Unreachable, match="memory"):
            await hub.transport().start([A])

    asyncio.run(scene())


def test_after_close_nothing_comes_or_goes():
    async def scene():
        one, other = await pair(MemoryHub())
        await other.close()
        await other.close()
        one.send(B, b"late")
        other.send(A, b"late")
        assert drain(one) == drain(other) == []

    asyncio.run(scene())


def test_foreign_topics_are_refused():
    async def scene():
        one, _ = await pair(MemoryHub())
        with pytest.raises(ValueError, match="not a topic"):
            one.send("elsewhere", b"")
        with pytest.raises(ValueError, match="not a topic"):
            await one.listen("p2pdurak/1/#")

    asyncio.run(scene())


def trial(seed):
    async def scene():
        hub = MemoryHub(Faults(seed=seed, loss=0.3, duplicate=0.3, delay_s_max=0.02))
        one, other = await pair(hub)
        for number in range(100):
            one.send(B, bytes([number]))
        await asyncio.sleep(0.1)
        return [packet.payload[0] for packet in drain(other)]

    return asyncio.run(scene())


def test_faults_lose_double_and_reorder():
    got = trial(7)
    assert 0 < len(set(got)) < 100
    assert len(got) > len(set(got))
    assert got != sorted(got)


def test_the_same_seed_gives_the_same_faults():
    assert sorted(trial(5)) == sorted(trial(5)) != sorted(trial(6))


def test_a_packet_on_the_way_is_lost_when_the_hub_goes_down():
    async def scene():
        hub = MemoryHub(Faults(delay_s_max=0.05))
        one, other = await pair(hub)
        one.send(B, b"late")
        hub.down()
        hub.up()
        await asyncio.sleep(0.08)
        assert drain(other)[2:] == []

    asyncio.run(scene())
