"""The embedded broker: what it serves, what it refuses, and how it starts and ends."""

import asyncio
import socket
import sys

import pytest

pytest.importorskip("amqtt")

from p2pdurak.transport import broker as broker_module
from p2pdurak.transport.base import Packet, TransportError, Up
from p2pdurak.transport.broker import CONNECTIONS_MAX, EmbeddedBroker, lan_address
from p2pdurak.transport.mqtt import BrokerUrl, MqttTransport
from tests.transport.raw import (
    CONNACK,
    DISCONNECT,
    Stranger,
    connect,
    packet,
    publish,
    subscribe,
    subscribe_body,
    text,
    unsubscribe,
)

T = "p2pdurak/1/x"
GRANTED, REFUSED = b"\x90\x03\x00\x01\x00", b"\x90\x03\x00\x01\x80"


def serve(scene):
    """Run `scene(broker)` with a broker, and see that it leaves no task behind and reports nothing to the loop."""
    reports = []

    async def main():
        asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context))
        async with EmbeddedBroker("127.0.0.1") as broker:
            await scene(broker)
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())
    assert reports == []


async def started(broker, *topics):
    transport = MqttTransport([BrokerUrl.parse(broker.address)])
    await transport.start(topics)
    assert isinstance(await transport.incoming.get(), Up)
    return transport


# What it serves


def test_two_players_play_while_the_host_runs_the_broker_in_his_own_loop():
    async def scene(broker):
        host, guest = await started(broker, T + "h"), await started(broker, T + "g")
        for number in range(100):
            host.send(T + "g", bytes([number]))
            assert await guest.incoming.get() == Packet(T + "g", bytes([number]))
            guest.send(T + "h", bytes([number]))
            assert await host.incoming.get() == Packet(T + "h", bytes([number]))
        await host.close()
        await guest.close()

    serve(scene)


def test_the_largest_packet_of_the_channel_passes():
    async def scene(broker):
        host = await started(broker, T)
        host.send(T, bytes(16384))
        assert await host.incoming.get() == Packet(T, bytes(16384))
        await host.close()

    serve(scene)


def test_the_round_trip_is_measured_on_connecting():
    async def scene(broker):
        host = MqttTransport([BrokerUrl.parse(broker.address)])
        await host.start([T])
        up = await host.incoming.get()
        assert 0 < up.round_trip_s < 1
        await host.close()

    serve(scene)


def test_a_topic_of_the_game_is_granted_at_qos_0_whatever_is_asked():
    async def scene(broker):
        async with Stranger(broker.port) as stranger:
            stranger.say(subscribe(T, qos=2))
            assert await stranger.hear() == GRANTED
            stranger.say(publish(T, b"card"))
            assert await stranger.hear() == publish(T, b"card")

    serve(scene)


def test_after_unsubscribing_nothing_comes_and_nothing_is_kept():
    async def scene(broker):
        async with Stranger(broker.port) as stranger:
            for _ in range(3):
                stranger.say(subscribe(T))
                assert await stranger.hear() == GRANTED
                stranger.say(unsubscribe(T))
                assert await stranger.hear() == b"\xb0\x02\x00\x01"
            stranger.say(publish(T, b"card"))
            assert await stranger.is_served()
            assert not broker._broker.subscriptions

    serve(scene)


# What it refuses


@pytest.mark.parametrize(
    "topic", ["#", "+", "p2pdurak/#", "p2pdurak/1/#", "p2pdurak/1/+", "$SYS/#", "other", "p2pdurak/1/X"]
)
def test_a_wildcard_or_foreign_subscription_is_refused(topic):
    async def scene(broker):
        async with Stranger(broker.port) as stranger, Stranger(broker.port) as other:
            stranger.say(subscribe(topic))
            assert await stranger.hear() == REFUSED
            other.say(publish(T, b"card"))
            assert await other.is_served()
            assert await stranger.is_served()

    serve(scene)


@pytest.mark.parametrize(
    "says",
    [
        publish("other", b"x"),
        publish("$SYS/x", b"x"),
        publish(T, b"x", flags=1),
        publish(T, b"x", flags=8),
        packet(0x32, text(T) + b"\x00\x01x"),
        packet(0x34, text(T) + b"\x00\x01x"),
        publish(T, bytes(16385)),
        publish(T, bytes(100_000)),
        publish(T, bytes(1_000_000)),
        b"\x30\xff\xff\xff\x7f",
        b"\x30\xff\xff\xff\xff\xff",
        connect(),
        packet(0x82, subscribe_body(T) + b"\x00"),
        packet(0xC0, publish(T, b"smuggled")),
        b"\x00\x00",
        b"\xf0\x00",
        subscribe(*(f"{T}{number}" for number in range(33))),
    ],
)
def test_who_breaks_the_rules_is_cut_off_and_the_others_play_on(says):
    async def scene(broker):
        async with Stranger(broker.port, greet=False) as honest, Stranger(broker.port, greet=False) as stranger:
            honest.say(connect(client_id="honest") + subscribe(T))
            assert [await honest.hear(), await honest.hear()] == [CONNACK, GRANTED]
            stranger.say(connect())
            assert await stranger.hear() == CONNACK
            stranger.say(says)
            assert await stranger.hear() == b""
            honest.say(publish(T, b"card"))
            assert await honest.hear() == publish(T, b"card")

    serve(scene)


@pytest.mark.parametrize(
    "says",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        publish(T, b"x"),
        connect(level=5),
        connect(flags=0x26, tail=text("other") + text("bye")),
        connect(flags=0x00),
        DISCONNECT,
    ],
)
def test_who_does_not_greet_properly_is_cut_off(says):
    async def scene(broker):
        async with Stranger(broker.port, greet=False) as stranger:
            stranger.say(says)
            assert await stranger.hear() == b""

    serve(scene)


def test_who_does_not_greet_at_all_is_cut_off(monkeypatch):
    monkeypatch.setattr("p2pdurak.transport.gate.CONNECT_S", 0.1)

    async def scene(broker):
        async with Stranger(broker.port, greet=False) as silent, Stranger(broker.port, greet=False) as slow:
            slow.say(connect()[:-1])
            assert await silent.hear() == b""
            assert await slow.hear() == b""

    serve(scene)


def test_who_falls_silent_is_cut_off_after_one_and_a_half_keepalives():
    async def scene(broker):
        async with Stranger(broker.port, greet=False) as stranger:
            stranger.say(connect(keepalive=1))
            assert await stranger.hear() == CONNACK
            assert await stranger.is_served()
            assert await stranger.hear() == b""

    serve(scene)


def test_nothing_is_retained_for_strangers_and_no_will_is_fired():
    async def scene(broker):
        async with Stranger(broker.port) as stranger:
            stranger.say(publish(T, b"last words", flags=1))
            assert await stranger.hear() == b""
        async with Stranger(broker.port) as late:
            late.say(subscribe(T))
            assert await late.hear() == GRANTED
            late.say(publish("p2pdurak/1/y"))
            assert await late.is_served()
        assert not broker._broker.retained_messages

    serve(scene)


def test_who_does_not_read_is_cut_off_and_costs_bounded_memory(monkeypatch):
    monkeypatch.setattr("p2pdurak.transport.strict.RATE_BYTES_S", 1e9)
    monkeypatch.setattr("p2pdurak.transport.strict.UNREAD_BYTES_MAX", 10_000)

    async def scene(broker):
        async with Stranger(broker.port) as deaf, Stranger(broker.port, greet=False) as loud:
            deaf.say(subscribe(T))
            assert await deaf.hear() == GRANTED
            deaf.writer.transport.pause_reading()
            loud.say(connect(client_id="loud"))
            assert await loud.hear() == CONNACK
            for _ in range(200):  # 64 MB: more than any system keeps for a socket that nobody reads
                loud.say(publish(T, bytes(16000)) * 20)
                assert await loud.is_served()
                if len(broker._clients) == 1:
                    return
            pytest.fail("a client that does not read is still served")

    serve(scene)


def test_silent_sockets_do_not_keep_a_player_out():
    async def scene(broker):
        silent = [await Stranger(broker.port, greet=False).__aenter__() for _ in range(CONNECTIONS_MAX + 10)]
        async with Stranger(broker.port) as player:
            assert await player.is_served()
        for stranger in silent:
            stranger.writer.transport.abort()

    serve(scene)


def test_the_number_of_connections_is_bounded(monkeypatch):
    monkeypatch.setattr(broker_module, "CONNECTIONS_MAX", 2)

    async def scene(broker):
        async with Stranger(broker.port) as one, Stranger(broker.port, greet=False) as two:
            two.say(connect(client_id="two"))
            assert await two.hear() == CONNACK
            async with Stranger(broker.port, greet=False) as three:
                three.say(connect(client_id="three"))
                assert await three.hear() == b""
            assert await one.is_served()
            assert await two.is_served()

    serve(scene)


def test_an_address_that_takes_every_place_does_not_keep_the_others_out(monkeypatch):
    monkeypatch.setattr(broker_module, "CONNECTIONS_MAX", 4)

    async def scene(broker):
        crowd = [await Stranger(broker.port).__aenter__() for _ in range(4)]
        async with (
            Stranger(broker.port, source="127.0.0.2") as host,
            Stranger(broker.port, source="127.0.0.3") as guest,
        ):
            assert await host.is_served()
            assert await guest.is_served()
            assert [await stranger.is_served() for stranger in crowd] == [True, True, False, False]
            async with Stranger(broker.port, greet=False) as fifth:
                fifth.say(connect())
                assert await fifth.hear() == b"", "the crowd has its share"
            assert await host.is_served()
        for stranger in crowd:
            stranger.writer.transport.abort()

    serve(scene)


def test_silent_sockets_of_one_address_do_not_push_out_a_greeting_of_another(monkeypatch):
    monkeypatch.setattr(broker_module, "CONNECTIONS_MAX", 4)

    async def scene(broker):
        async with Stranger(broker.port, greet=False, source="127.0.0.2") as slow:
            silent = [await Stranger(broker.port, greet=False).__aenter__() for _ in range(20)]
            slow.say(connect())
            assert await slow.hear() == CONNACK
        for stranger in silent:
            stranger.writer.transport.abort()

    serve(scene)


def test_who_takes_the_client_id_of_another_takes_nothing_from_him():
    async def scene(broker):
        async with Stranger(broker.port) as player:
            player.say(subscribe(T))
            assert await player.hear() == GRANTED
            for _ in range(3):
                async with Stranger(broker.port) as thief:
                    thief.say(publish(T, b"card"))
                    assert await player.hear() == publish(T, b"card")
                    assert await thief.is_served()
            assert await player.is_served()

    serve(scene)


@pytest.mark.parametrize("goes", ["cut off", "with a word", "for breaking the rules"])
def test_of_a_connection_that_is_over_nothing_is_kept(goes):
    async def scene(broker):
        async with Stranger(broker.port) as leaver, Stranger(broker.port) as player:
            leaver.say(subscribe(*(f"{T}{number}" for number in range(32))))
            assert (await leaver.hear())[:1] == GRANTED[:1]
            match goes:
                case "cut off":
                    leaver.writer.transport.abort()
                case "with a word":
                    leaver.say(DISCONNECT)
                case _:
                    leaver.say(publish("elsewhere"))
            while len(broker._clients) > 1:
                assert await player.is_served()
            assert list(broker._broker.sessions) == ["c1"]
            assert broker._broker.subscriptions == {}

    serve(scene)


def test_a_listener_that_fails_does_not_keep_a_message_from_the_next(monkeypatch):
    async def scene(broker):
        async with Stranger(broker.port) as first, Stranger(broker.port) as second:
            for listener in (first, second):
                listener.say(subscribe(T))
                assert await listener.hear() == GRANTED

            async def fail(*_, **__):
                raise RuntimeError("a fault of the library")

            monkeypatch.setattr(broker._broker.sessions["c0"][1], "mqtt_publish", fail)
            first.say(publish(T, b"card"))
            assert await second.hear() == publish(T, b"card")

    serve(scene)


def test_an_unfinished_packet_does_not_hold_a_place_for_ever(monkeypatch):
    monkeypatch.setattr("p2pdurak.transport.gate.IDLE_S_MAX", 0.05)

    async def scene(broker):
        async with Stranger(broker.port) as half:
            half.say(publish(T, b"card")[:-1])
            assert await half.hear() == b""

    serve(scene)


def test_a_side_that_says_it_sends_no_more_is_let_go():
    async def scene(broker):
        async with Stranger(broker.port) as half, Stranger(broker.port) as player:
            half.writer.write_eof()
            assert await half.hear() == b""
            while len(broker._clients) > 1:
                assert await player.is_served()

    serve(scene)


def test_a_flood_is_slowed_down_and_a_game_goes_on_beside_it():
    async def scene(broker):
        host = await started(broker, T + "h")
        async with Stranger(broker.port) as flooder:
            flooder.say(publish(T, b"noise") * 20_000)
            for number in range(50):
                host.send(T + "h", bytes([number]))
                assert await host.incoming.get() == Packet(T + "h", bytes([number]))
        await host.close()

    serve(scene)


def test_who_comes_and_goes_while_a_packet_is_handed_out_breaks_nothing():
    async def scene(broker):
        host = await started(broker, T + "h")

        async def come_and_go(name):
            for _ in range(10):
                async with Stranger(broker.port, greet=False) as stranger:
                    stranger.say(connect(client_id=name) + subscribe(f"{T}{name}") + unsubscribe(f"{T}{name}"))
                    assert [await stranger.hear(), await stranger.hear()] == [CONNACK, GRANTED]

        async def play():
            for number in range(100):
                host.send(T + "h", bytes([number]))
                assert await host.incoming.get() == Packet(T + "h", bytes([number]))

        async with asyncio.TaskGroup() as group:
            group.create_task(play())
            for name in ("a", "b", "c"):
                group.create_task(come_and_go(name))
        await host.close()

    serve(scene)


# How it starts and ends


def test_the_same_port_can_be_had_again_at_once_with_clients_connected():
    async def scene():
        broker = EmbeddedBroker("127.0.0.1")
        ports = []
        for _ in range(3):
            async with broker, Stranger(broker.port) as stranger:
                assert await stranger.is_served()
                ports.append(broker.port)
        assert len(set(ports)) == 1

    asyncio.run(scene())


def test_leaving_ends_all_connections():
    async def scene():
        async with EmbeddedBroker("127.0.0.1") as broker:
            greeted = await Stranger(broker.port).__aenter__()
            silent = await Stranger(broker.port, greet=False).__aenter__()
        assert await greeted.hear() == b""
        assert await silent.hear() == b""
        greeted.writer.transport.abort()
        silent.writer.transport.abort()
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scene())


def test_the_address_is_what_a_friend_types():
    async def scene(broker):
        assert broker.address == f"127.0.0.1:{broker.port}"
        assert broker.port > 0

    serve(scene)


def test_a_port_that_is_taken_is_told_in_a_sentence():
    async def scene():
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            with pytest.raises(TransportError, match=f"Port {port} of 127.0.0.1 is taken"):
                await EmbeddedBroker("127.0.0.1", port).__aenter__()

    asyncio.run(scene())


@pytest.mark.parametrize("bind", ["192.0.2.200", "256.1.1.1"])
def test_an_address_that_cannot_be_had_is_told_in_a_sentence(bind):
    async def scene():
        with pytest.raises(TransportError, match=rf"{bind}.*--bind\.$"):
            await EmbeddedBroker(bind).__aenter__()

    asyncio.run(scene())


def test_without_the_library_a_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "amqtt.broker", None)
    monkeypatch.delitem(sys.modules, "p2pdurak.transport.strict", raising=False)

    async def scene():
        with pytest.raises(TransportError, match=r'pip install "p2pdurak\[broker\]".*--broker'):
            await EmbeddedBroker("127.0.0.1").__aenter__()

    asyncio.run(scene())


def test_the_address_in_the_network_is_an_address_or_loopback():
    assert socket.inet_aton(lan_address())


def test_without_a_network_the_address_is_loopback(monkeypatch):
    class NoNetwork(socket.socket):
        def connect(self, address):
            raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(socket, "socket", NoNetwork)
    assert lan_address() == "127.0.0.1"
