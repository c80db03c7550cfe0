"""Packets over a broker: the same tests with the embedded one and with mosquitto."""

import asyncio
import os
import socket
import subprocess
import sys

import pytest

from p2pdurak.transport import link as link_module
from p2pdurak.transport.base import INCOMING_MAX, Down, Packet, Unreachable, Up
from p2pdurak.transport.mqtt import OUTGOING_MAX, BrokerUrl, MqttTransport, Pace
from tests.e2e.brokers import Wire, free_port
from tests.transport.raw import Stranger
from tests.transport.scene import QUICK, A, B, C, connected, exchange, play, until

# A broker that works


def test_packets_go_to_and_fro(any_broker):
    async def scene():
        async with connected(any_broker.url, A) as one, connected(any_broker.url, B) as other:
            assert isinstance(await one.incoming.get(), Up)
            assert isinstance(await other.incoming.get(), Up)
            for number in range(50):
                one.send(B, bytes([number]) * 1000)
                assert await other.incoming.get() == Packet(B, bytes([number]) * 1000)
                other.send(A, bytes([number]))
                assert await one.incoming.get() == Packet(A, bytes([number]))

    play(scene)


def test_connecting_measures_the_round_trip(any_broker):
    async def scene():
        async with connected(any_broker.url) as transport:
            up = await transport.incoming.get()
            assert 0 < up.round_trip_s < 0.5
            assert not up.again
            assert transport.address == f"127.0.0.1:{any_broker.port}"

    play(scene)


def test_small_packets_are_not_held_back_by_the_socket(any_broker):
    async def scene():
        async with connected(any_broker.url) as transport:
            assert transport._link._client.socket().getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    play(scene)


def test_the_play_goes_on_when_the_broker_is_killed_and_started_again(any_broker):
    async def scene():
        async with connected(any_broker.url, A) as one, connected(any_broker.url, B) as other:
            for number in range(3):
                await exchange(one, B, other, bytes([number]))
                await exchange(other, A, one, bytes([number]))
                await asyncio.to_thread(any_broker.kill)
                for transport in (one, other):
                    down = await until(transport, Down)
                    assert f"127.0.0.1:{any_broker.port}" in down.reason
                    assert down.attempt == 1
                await asyncio.to_thread(any_broker.start)
                for transport in (one, other):
                    assert (await until(transport, Up)).again
            await exchange(one, B, other, b"last")

    play(scene)


def test_while_the_broker_is_away_the_attempts_are_counted_and_packets_are_dropped(any_broker):
    async def scene():
        async with connected(any_broker.url, A) as transport:
            await until(transport, Up)
            await asyncio.to_thread(any_broker.kill)
            assert [(await until(transport, Down)).attempt for _ in range(4)] == [1, 2, 3, 4]
            before = transport.unsent
            transport.send(A, b"into the void")
            assert transport.unsent == before + 1

    play(scene)


def test_topics_are_added_and_forgotten_also_over_a_reconnect(any_broker):
    async def scene():
        async with connected(any_broker.url, A) as one, connected(any_broker.url, A, B) as other:
            await other.listen(B, C)
            await other.forget(A)
            await exchange(one, C, other, b"1")
            await asyncio.to_thread(any_broker.kill)
            await until(one, Down)
            await until(other, Down)
            await other.forget(B)
            await other.listen("p2pdurak/1/d")
            await asyncio.to_thread(any_broker.start)
            await until(one, Up)
            await until(other, Up)
            for topic in (A, B, C):
                one.send(topic, b"2")
            await exchange(one, "p2pdurak/1/d", other, b"3")
            await exchange(one, C, other, b"4")
            assert set(other._topics) == {C, "p2pdurak/1/d"}

    play(scene)


def test_a_forgotten_topic_is_quiet(any_broker):
    async def scene():
        async with connected(any_broker.url, A, B) as transport:
            await until(transport, Up)
            await transport.forget(A)
            transport.send(A, b"forgotten")
            transport.send(B, b"heard")
            assert await until(transport, Packet) == Packet(B, b"heard")

    play(scene)


def test_an_unread_flood_is_bounded_and_counted(any_broker):
    async def scene():
        async with connected(any_broker.url, A) as transport, connected(any_broker.url) as other:
            while not transport.incoming.dropped:
                for _ in range(50):
                    other.send(A, bytes(100))
                await asyncio.sleep(0.01)
            assert transport.incoming.qsize() == INCOMING_MAX

    play(scene)


def test_sending_never_waits_and_what_does_not_fit_is_dropped(any_broker):
    async def scene():
        async with connected(any_broker.url, A) as transport:
            for _ in range(OUTGOING_MAX + 10):
                transport.send(A, b"x")
            assert transport.unsent == 10

    play(scene)


def test_what_was_sent_just_before_closing_still_leaves(any_broker):
    async def scene():
        async with connected(any_broker.url, A) as other:
            async with connected(any_broker.url) as one:
                for number in range(20):
                    one.send(A, bytes([number]))
            for number in range(20):
                assert await until(other, Packet) == Packet(A, bytes([number]))

    play(scene)


def test_misuse_is_an_error_of_the_caller(any_broker):
    async def scene():
        async with connected(any_broker.url, A) as transport:
            with pytest.raises(ValueError, match="not a topic"):
                transport.send("elsewhere", b"")
            with pytest.raises(ValueError, match="over the limit"):
                transport.send(A, bytes(16385))
            with pytest.raises(ValueError, match="not a topic"):
                await transport.listen("p2pdurak/1/#")

    play(scene)


def test_a_transport_needs_a_broker():
    with pytest.raises(ValueError, match="at least one"):
        MqttTransport([])


# A bad wire


def test_a_cut_link_comes_back_by_itself(any_broker):
    async def scene():
        async with Wire(any_broker.port) as wire, connected(f"127.0.0.1:{wire.port}", A) as transport:
            for number in range(10):
                await exchange(transport, A, transport, bytes([number]))
                await wire.cut()
                await until(transport, Down)
                assert (await until(transport, Up)).again

    play(scene)


def own_id(transport):
    return transport._link._client._client_id.decode()


def test_each_connection_has_a_client_id_of_its_own(any_broker):
    async def scene():
        async with Wire(any_broker.port) as wire, connected(f"127.0.0.1:{wire.port}", A) as one:
            await until(one, Up)
            ids = {own_id(one)}
            for _ in range(3):
                await wire.cut()
                await until(one, Up)
                ids.add(own_id(one))
            assert len(ids) == 4

    play(scene)


def test_whoever_connects_with_our_client_id_again_and_again_interrupts_us_once_at_most(any_broker):
    async def scene():
        async with connected(any_broker.url, A) as one:
            await until(one, Up)
            stolen = own_id(one)
            for number in range(5):
                async with Stranger(any_broker.port, client_id=stolen) as thief:
                    await exchange(one, A, one, bytes([number]))
                    assert await thief.is_served()
            assert one._link is not None

    play(scene)


def test_a_link_that_swallows_everything_is_noticed_and_replaced(any_broker):
    async def scene():
        async with Wire(any_broker.port) as wire, connected(f"127.0.0.1:{wire.port}", A) as transport:
            await until(transport, Up)
            wire.hold()
            assert "fell silent" in (await until(transport, Down)).reason
            wire.release()
            assert (await until(transport, Up)).again
            await exchange(transport, A, transport, b"back")

    play(scene)


def test_a_quiet_link_that_works_is_left_alone(any_broker):
    async def scene():
        async with connected(any_broker.url, A) as transport:
            await until(transport, Up)
            await asyncio.sleep(1)  # several times quiet_s and dead_s
            assert transport.incoming.empty()

    play(scene)


def test_closing_a_link_that_swallows_everything_does_not_hang(any_broker):
    async def scene():
        slow = Pace(quiet_s=60)
        async with Wire(any_broker.port) as wire, connected(f"127.0.0.1:{wire.port}", A, pace=slow) as transport:
            wire.hold()
            for _ in range(OUTGOING_MAX):
                transport.send(A, bytes(16384))
            await asyncio.sleep(0.05)

    play(scene)


def test_a_start_that_is_cancelled_leaves_nothing_behind(any_broker, monkeypatch):
    monkeypatch.setattr(link_module, "STEP_S", 0.3)

    async def scene():
        async with Wire(any_broker.port) as wire:
            for hold in (False, True):
                wire.hold() if hold else wire.release()
                for delay_s in (0, 0.001, 0.005, 0.02):
                    transport = MqttTransport([BrokerUrl("127.0.0.1", wire.port)])
                    start = asyncio.create_task(transport.start([A]))
                    await asyncio.sleep(delay_s)
                    start.cancel()
                    await asyncio.wait({start})
                    await transport.close()

    play(scene)


def test_a_start_that_is_cancelled_does_not_wait_for_a_broker_that_says_nothing(monkeypatch):
    monkeypatch.setattr(link_module, "STEP_S", 1000.0)

    async def scene():
        heard = asyncio.Event()

        async def say_nothing(reader, writer):
            heard.set()
            await reader.read()
            writer.close()

        server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
        transport = MqttTransport([BrokerUrl("127.0.0.1", server.sockets[0].getsockname()[1])])
        start = asyncio.create_task(transport.start([A]))
        await heard.wait()
        start.cancel()
        await asyncio.wait({start})
        assert start.cancelled()
        await transport.close()
        server.close()
        await server.wait_closed()

    play(scene)


# Several brokers


def test_a_dead_broker_is_passed_over_at_the_start(any_broker):
    async def scene():
        transport = MqttTransport([BrokerUrl("127.0.0.1", free_port()), BrokerUrl.parse(any_broker.url)])
        await transport.start([A])
        assert transport.address == f"127.0.0.1:{any_broker.port}"
        await transport.close()

    play(scene)


def test_when_a_node_dies_the_next_one_is_taken(any_broker):
    async def scene():
        async with Wire(any_broker.port) as node:
            urls = [BrokerUrl("127.0.0.1", node.port), BrokerUrl.parse(any_broker.url)]
            transport = MqttTransport(urls, QUICK)
            await transport.start([A])
            await until(transport, Up)
            node._server.close()
            await node.cut()
            assert (await until(transport, Up)).again
            assert transport.address == f"127.0.0.1:{any_broker.port}"
            await transport.close()

    play(scene)


def test_when_no_broker_answers_the_sentence_names_them_all():
    async def scene():
        ports = [free_port(), free_port()]
        transport = MqttTransport([BrokerUrl("127.0.0.1", port) for port in ports])
        with pytest.raises(Unreachable) as caught:
            await transport.start([A])
        for port in ports:
            assert f"127.0.0.1:{port}" in str(caught.value)
        await transport.close()

    play(scene)


# The end


def test_closing_while_the_broker_is_away_leaves_nothing_behind(any_broker):
    async def scene():
        async with connected(any_broker.url, A) as transport:
            await until(transport, Up)
            await asyncio.to_thread(any_broker.kill)
            await until(transport, Down)
            await until(transport, Down)

    play(scene)


def test_closing_twice_or_before_the_start_does_no_harm(any_broker):
    async def scene():
        transport = MqttTransport([BrokerUrl.parse(any_broker.url)])
        await transport.close()
        await transport.start([A])
        await transport.close()
        await transport.close()

    play(scene)


QUIET_SCENE = """
import asyncio
from p2pdurak.transport.base import Down
from p2pdurak.transport.broker import EmbeddedBroker
from p2pdurak.transport.mqtt import BrokerUrl, MqttTransport

async def main():
    broker = EmbeddedBroker("127.0.0.1")
    async with broker:
        transport = MqttTransport([BrokerUrl("127.0.0.1", broker.port)])
        await transport.start(["p2pdurak/1/a"])
        for junk in (b"GET / HTTP/1.1\\r\\n\\r\\n", b"\\x10\\x00", b""):
            _, writer = await asyncio.open_connection("127.0.0.1", broker.port)
            writer.write(junk)
            writer.close()
        for _ in range(200):
            transport.send("p2pdurak/1/a", bytes(1000))
        await asyncio.sleep(0.1)
        transport._link._client._easy_log(8, "what the library says about a bad link: %s", "much")
    while not isinstance(await transport.incoming.get(), Down):
        pass
    await asyncio.sleep(0.2)
    await transport.close()

asyncio.run(main())
"""


def test_neither_strangers_nor_a_drop_write_to_the_terminal():
    pytest.importorskip("amqtt")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", QUIET_SCENE], check=False, env=environment, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
