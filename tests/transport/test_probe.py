"""A broker step by step: against brokers that refuse, fall silent or cut off, and against real ones."""

from __future__ import annotations

import asyncio
import datetime as dt
import socket
import ssl
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from p2pdurak.transport import link as link_module
from p2pdurak.transport.probe import (
    Acknowledged,
    Broken,
    Connected,
    Echoed,
    Encrypted,
    LoggedIn,
    Looked,
    Sized,
    Step,
    Subscribed,
    _Visitor,
    visit,
)
from p2pdurak.transport.url import BrokerUrl
from tests.e2e.brokers import EmbeddedInThread, Mosquitto, RunningBroker, free_port
from tests.transport.scene import Clerk, play

SIZES = (256, 16384)


def facts(url: str, step_s: float = 20.0, sizes: tuple[int, ...] = SIZES) -> list[Any]:
    found: list[Any] = []
    play(lambda: visit(BrokerUrl.parse(url), sizes, found.append, step_s=step_s))
    return found


def facts_of(clerk: Clerk, step_s: float = 0.2) -> list[Any]:
    found: list[Any] = []

    async def scene() -> None:
        async with clerk:
            await visit(BrokerUrl.parse(clerk.url), SIZES, found.append, step_s=step_s)

    play(scene)
    return found


def kinds(found: list[Any]) -> list[type]:
    return [type(fact) for fact in found]


def test_good_broker_passes_every_step(any_broker: RunningBroker) -> None:
    found = facts(any_broker.url)
    assert kinds(found) == [Looked, Connected, LoggedIn, Subscribed, Echoed, Sized, Acknowledged]
    assert found[0] == Looked(("127.0.0.1",))
    assert (len(found[4].trips_s), min(found[4].trips_s) > 0) == (50, True)
    assert found[5] == Sized(SIZES, SIZES)


@pytest.mark.broker
def test_broker_with_qos_1_is_found(mosquitto: Mosquitto) -> None:
    assert facts(mosquitto.url)[-1] == Acknowledged(delivered=True)


def test_embedded_broker_has_no_qos_1(embedded_broker: EmbeddedInThread) -> None:
    assert facts(embedded_broker.url)[-1] == Acknowledged(delivered=False)


def test_size_at_which_the_broker_cuts_off_is_the_first_not_passed(embedded_broker: EmbeddedInThread) -> None:
    found = facts(embedded_broker.url, sizes=(256, 1024, 17000, 18000))
    assert found[5] == Sized((256, 1024), (256, 1024, 17000, 18000))


def test_closed_port_ends_the_visit_at_the_connection() -> None:
    found = facts(f"127.0.0.1:{free_port()}")
    assert kinds(found) == [Looked, Broken]
    assert (found[-1].step, type(found[-1].problem)) == (Step.TCP, ConnectionRefusedError)


def test_name_that_is_not_known_ends_the_visit_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    (found,) = facts("nowhere.example")
    assert (found.step, type(found.problem)) == (Step.NAME, socket.gaierror)


def test_name_server_that_does_not_answer_is_waited_for_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    release = asyncio.Event()

    async def silent(_: BrokerUrl) -> tuple[str, ...]:
        await release.wait()
        return ()

    monkeypatch.setattr("p2pdurak.transport.probe._look_up", silent)
    (found,) = facts("nowhere.example", step_s=0.05)
    assert (found.step, type(found.problem)) == (Step.NAME, TimeoutError)


@pytest.mark.parametrize(
    ("connack", "code", "about"),
    [(3, 3, "server unavailable"), (4, 4, "user name or password"), (5, 5, "not authorized")],
)
def test_refused_login_gives_the_return_code_and_a_sentence(connack: int, code: int, about: str) -> None:
    found = facts_of(Clerk(connack=connack))
    assert kinds(found) == [Looked, Connected, Broken]
    assert (found[-1].step, found[-1].code) == (Step.LOGIN, code)
    assert about in str(found[-1].problem)


def test_refused_topic_ends_the_visit() -> None:
    found = facts_of(Clerk(suback=0x80))
    assert kinds(found) == [Looked, Connected, LoggedIn, Broken]
    assert found[-1].step is Step.TOPICS


def test_socket_that_says_nothing_is_no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "STEP_S", 0.1)
    found = facts_of(Clerk(greets=False))
    assert (found[-1].step, "no answer in time" in str(found[-1].problem)) == (Step.LOGIN, True)


def test_broker_that_carries_nothing_is_asked_no_more() -> None:
    found = facts_of(Clerk(), step_s=0.05)
    assert kinds(found) == [Looked, Connected, LoggedIn, Subscribed, Echoed]
    assert found[-1] == Echoed((), 50)


def test_echo_that_comes_late_is_not_taken_for_the_next_one() -> None:
    async def scene() -> None:
        visitor = _Visitor(BrokerUrl("h", 1), None, 1.0)
        came_back: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        visitor._awaited = (b"second", came_back)
        visitor._heard(visitor.topic, b"first")
        visitor._heard("p2pdurak/1/other", b"second")
        assert not came_back.done()
        visitor._heard(visitor.topic, b"second")
        assert came_back.done()

    asyncio.run(scene())


def test_visit_that_is_given_up_leaves_nothing_behind() -> None:
    async def scene() -> None:
        async with Clerk() as clerk:
            subscribed = asyncio.Event()

            def tell(fact: object) -> None:
                if isinstance(fact, Subscribed):
                    subscribed.set()

            visiting = asyncio.create_task(visit(BrokerUrl.parse(clerk.url), SIZES, tell))
            await subscribed.wait()
            visiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await visiting

    play(scene)


# TLS, at a server that knows nothing of MQTT: the handshake comes first.

NOW = dt.datetime.now(dt.UTC)
DAY = dt.timedelta(days=1)


def certificate(folder: Path, address: str = "127.0.0.1", ends_at: dt.datetime = NOW + 9 * DAY) -> Path:
    """A certificate that is its own CA, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "p2pdurak test")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), NOW - 30 * DAY, ends_at)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "server.pem"
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(made.public_bytes(pem) + secret)
    return path


def handshake(server: Path, cafile: Path | None) -> Any:
    """The fact of the step TLS at a server with this certificate."""
    found: list[Any] = []

    async def scene() -> None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(server)
        listener = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=context)
        port = listener.sockets[0].getsockname()[1]
        try:
            query = f"?cafile={cafile}" if cafile else ""
            await visit(BrokerUrl.parse(f"mqtts://127.0.0.1:{port}{query}"), SIZES, found.append)
        finally:
            listener.close()

    asyncio.run(scene())
    return found[2]


def test_trusted_certificate_gives_its_end(tmp_path: Path) -> None:
    server = certificate(tmp_path)
    fact = handshake(server, server)
    assert type(fact) is Encrypted
    assert (fact.version[:5], fact.expires_at) == ("TLSv1", int((NOW + 9 * DAY).timestamp()))


@pytest.mark.parametrize(
    ("made", "trusted", "code"),
    [({"ends_at": NOW - DAY}, True, 10), ({}, False, 18), ({"address": "127.0.0.2"}, True, 64)],
    ids=["expired", "nobody vouches for it", "for another address"],
)
def test_certificate_that_is_not_trusted_gives_the_reason(
    tmp_path: Path, made: dict[str, Any], trusted: bool, code: int
) -> None:
    server = certificate(tmp_path, **made)
    fact = handshake(server, server if trusted else None)
    assert (fact.step, fact.problem.verify_code) == (Step.TLS, code)


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_ca_file_that_cannot_be_used_is_a_step_of_its_own(tmp_path: Path, content: str | None) -> None:
    cafile = tmp_path / "ca.pem"
    if content is not None:
        cafile.write_text(content)
    assert handshake(certificate(tmp_path), cafile).step is Step.CAFILE


def test_port_without_tls_gives_no_certificate() -> None:
    found: list[Any] = []

    async def scene() -> None:
        async with Clerk(greets=False, hangs_up=True) as clerk:
            await visit(BrokerUrl.parse(f"mqtts://{clerk.url}"), SIZES, found.append)

    play(scene)
    assert (kinds(found), found[-1].step) == ([Looked, Connected, Broken], Step.TLS)
