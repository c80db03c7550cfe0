"""Packets over a broker: the same tests with the embedded one and with mosquitto, and with brokers that misbehave."""

import asyncio
import gc
import os
import socket
import ssl
import subprocess
import sys
from contextlib import asynccontextmanager, suppress

import pytest

from p2pdurak.transport import link as link_module
from p2pdurak.transport.base import INCOMING_MAX, Down, NotAllowed, Packet, Unreachable, Up
from p2pdurak.transport.mqtt import OUTGOING_MAX, BrokerUrl, MqttTransport, Pace
from tests.e2e.brokers import Wire, free_port, make_certificates
from tests.transport.raw import packet, publish, text

A, B, C = "p2pdurak/1/a", "p2pdurak/1/b", "p2pdurak/1/c"
QUICK = Pace(echo_s=0.5, quiet_s=0.1, dead_s=0.2, retry_min_s=0.01, retry_max_s=0.1)


def play(scene):
    """Run `scene()`; it must leave no task behind, and nothing may reach the loop's exception handler."""
    reports = []

    async def main():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: reports.append(context))
        await scene()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        gc.collect()  # unread exceptions are reported when their future dies
        await asyncio.sleep(0)

    gc.freeze()  # what lives already need not be searched again and again
    try:
        asyncio.run(main())
    finally:
        gc.unfreeze()
    assert reports == []


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


# Brokers that refuse


def refused(url, kind):
    """Return the sentence with which `url` is refused."""
    sentences = []

    async def scene():
        transport = MqttTransport([BrokerUrl.parse(url)], QUICK)
        with pytest.raises(kind) as caught:
            await transport.start([A])
        sentences.append(str(caught.value))
        await transport.close()

    play(scene)
    (sentence,) = sentences
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_a_closed_port_is_told_in_a_sentence():
    port = free_port()
    assert f"127.0.0.1:{port} cannot be reached: nothing listens there" in refused(f"127.0.0.1:{port}", Unreachable)


def test_an_unknown_name_is_told_in_a_sentence(monkeypatch):
    def unknown(*_):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    url = BrokerUrl("nowhere.example", 1883)

    async def scene():
        monkeypatch.setattr(socket, "getaddrinfo", unknown)
        with pytest.raises(Unreachable, match=r"nowhere\.example.*looked up"):
            await MqttTransport([url]).start([A])

    play(scene)


def test_a_network_that_is_down_is_told_in_a_sentence(monkeypatch):
    def unreachable(*_, **__):
        raise OSError(101, "Network is unreachable")

    async def scene():
        monkeypatch.setattr(socket, "create_connection", unreachable)
        with pytest.raises(Unreachable, match="Network is unreachable"):
            await MqttTransport([BrokerUrl("127.0.0.1", 1)]).start([A])

    play(scene)


@pytest.mark.parametrize(
    ("clerk", "kind", "about"),
    [
        (Clerk(connack=1), Unreachable, "not as an MQTT broker"),
        (Clerk(connack=2), Unreachable, "client identifier"),
        (Clerk(connack=3), Unreachable, "server unavailable"),
        (Clerk(connack=4), NotAllowed, "without user and password"),
        (Clerk(connack=5), NotAllowed, "not authorized"),
        (Clerk(suback=0x80), NotAllowed, "does not let this user listen"),
        (Clerk(greets=False, hangs_up=True), Unreachable, "not as an MQTT broker"),
        (Clerk(greets=False), Unreachable, "no answer in time"),
    ],
)
def test_a_broker_that_refuses_is_told_in_a_sentence(clerk, kind, about, monkeypatch):
    monkeypatch.setattr(link_module, "STEP_S", 0.3)

    async def scene():
        async with clerk:
            transport = MqttTransport([BrokerUrl.parse(clerk.url)])
            with pytest.raises(kind, match=about) as caught:
                await transport.start([A])
            assert clerk.url in str(caught.value)
            await transport.close()

    play(scene)


def test_who_was_not_greeted_in_time_leaves_no_open_socket(monkeypatch):
    monkeypatch.setattr(link_module, "STEP_S", 0.1)

    async def scene():
        async with Clerk(greets=False) as clerk:
            with pytest.raises(Unreachable):
                await MqttTransport([BrokerUrl.parse(clerk.url)]).start([A])
            async with asyncio.timeout(5):
                await clerk.left.wait()

    play(scene)


def test_a_topic_that_is_refused_later_is_not_kept_and_the_link_stands():
    async def scene():
        async with Clerk() as clerk, connected(clerk.url, A, pace=Pace(echo_s=0.01)) as transport:
            await until(transport, Up)
            clerk.suback = 0x80
            with pytest.raises(NotAllowed, match=r"p2pdurak/1/\.\.\."):
                await transport.listen(A, B)
            assert list(transport._topics) == [A]
            assert transport.incoming.empty()

    play(scene)


@pytest.mark.broker
def test_the_right_password_opens(mosquitto_with_password):
    async def scene():
        async with connected(mosquitto_with_password.url, A) as transport:
            await exchange(transport, A, transport, b"in")

    play(scene)


@pytest.mark.broker
@pytest.mark.parametrize("login", ["mira:wrong@", "nobody:s3cret@", ""])
def test_a_wrong_login_is_told_without_the_password(mosquitto_with_password, login):
    sentence = refused(f"mqtt://{login}127.0.0.1:{mosquitto_with_password.port}", NotAllowed)
    assert "wrong" not in sentence
    assert "s3cret" not in sentence
    assert (login.split(":")[0] or "without user") in sentence


@pytest.mark.broker
def test_an_encrypted_link_carries_packets(start_mosquitto, tmp_path):
    server = start_mosquitto(certificates=make_certificates(tmp_path))

    async def scene():
        async with connected(server.url, A) as transport:
            await exchange(transport, A, transport, bytes(16384))
            server.kill()
            await until(transport, Down)
            server.start()
            await exchange(transport, A, transport, b"again")
            assert transport.address == f"mqtts://127.0.0.1:{server.port}"

    play(scene)


@pytest.mark.broker
def test_a_certificate_of_a_stranger_is_refused(start_mosquitto, tmp_path):
    server = start_mosquitto(certificates=make_certificates(tmp_path))
    assert "certificate is not trusted" in refused(f"mqtts://127.0.0.1:{server.port}", Unreachable)


@pytest.mark.broker
def test_a_certificate_for_another_name_is_refused(start_mosquitto, tmp_path):
    server = start_mosquitto(certificates=make_certificates(tmp_path))
    url = f"mqtts://localhost:{server.port}?cafile={tmp_path / 'ca.pem'}"
    assert "certificate is not trusted" in refused(url, Unreachable)


@pytest.mark.broker
def test_plain_and_encrypted_ports_are_told_apart(start_mosquitto, tmp_path):
    encrypted, plain = start_mosquitto(certificates=make_certificates(tmp_path)), start_mosquitto()
    assert "mqtts://" in refused(f"mqtt://127.0.0.1:{encrypted.port}", Unreachable)
    assert "does not speak TLS" in refused(f"mqtts://127.0.0.1:{plain.port}", Unreachable)


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_ca_file_that_cannot_be_used_is_told_in_a_sentence(tmp_path, content):
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)
    assert str(path) in refused(f"mqtts://127.0.0.1:1?cafile={path}", Unreachable)


def test_certificates_are_checked_by_default():
    async def scene():
        context = await MqttTransport([BrokerUrl("h", 1, tls=True)])._tls(BrokerUrl("h", 1, tls=True))
        assert context.verify_mode is ssl.CERT_REQUIRED
        assert context.check_hostname

    play(scene)


# Brokers that misbehave


def test_a_broker_without_an_echo_is_used_all_the_same():
    async def scene():
        pace = Pace(echo_s=0.05, quiet_s=0.05, dead_s=0.05)
        async with Clerk() as clerk, connected(clerk.url, A, pace=pace) as transport:
            assert await transport.incoming.get() == Up(None, again=False)
            await asyncio.sleep(0.3)
            assert transport.incoming.empty()

    play(scene)


@pytest.mark.parametrize(
    "junk",
    [publish(A, bytes(16385)), publish("other", b"x"), publish(B, b"x"), packet(0x30, text(b"\xff\xfe") + b"x")],
)
def test_junk_from_the_broker_is_not_handed_on(junk):
    async def scene():
        clerk = Clerk(says=junk + publish(A, b"card"))
        async with clerk, connected(clerk.url, A, pace=Pace(echo_s=0.01)) as transport:
            assert await until(transport, Packet) == Packet(A, b"card")

    play(scene)


@pytest.mark.parametrize(
    "junk", [packet(0x30, text("p2pdurak/#") + b"x"), packet(0x20, b""), b"\x30\xff\xff\xff\xff\xff", b"\xf0\x00"]
)
def test_a_broker_that_breaks_the_protocol_costs_only_the_connection(junk):
    async def scene():
        async with Clerk() as clerk, connected(clerk.url, A, pace=Pace(echo_s=0.01)) as transport:
            await until(transport, Up)
            clerk._writers[0].write(junk)
            clerk._writers[0].write(publish(A, b"card"))
            assert isinstance(await until(transport, (Down, Packet)), (Down, Packet))

    play(scene)


def test_a_broker_that_hangs_up_again_and_again_is_not_hammered():
    async def scene():
        pace = Pace(echo_s=0.01, retry_min_s=0.02)
        async with Clerk(hangs_up=True) as clerk, connected(clerk.url, A, pace=pace) as transport:
            for _ in range(6):
                await until(transport, Up)
                transport.send(A, b"x")
            gaps = [later - sooner for sooner, later in zip(clerk.came, clerk.came[1:], strict=False)]
            assert gaps[-1] > gaps[0]

    play(scene)


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
