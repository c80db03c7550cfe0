"""Brokers that refuse, and brokers that misbehave: a sentence for the first, patience with the second."""

import asyncio
import socket
import ssl

import pytest

from p2pdurak.transport import link as link_module
from p2pdurak.transport.base import Down, NotAllowed, Packet, Unreachable, Up
from p2pdurak.transport.mqtt import BrokerUrl, MqttTransport, Pace
from tests.e2e.brokers import free_port, make_certificates
from tests.transport.raw import packet, publish, text
from tests.transport.scene import QUICK, A, B, Clerk, connected, exchange, play, until

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
