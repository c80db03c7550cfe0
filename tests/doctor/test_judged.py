"""What the facts about a broker mean: every outcome with its sentence, without a network."""

from __future__ import annotations

import socket
import ssl

import pytest

from p2pdurak.doctor.brokers import DAY_S, judged, percentile
from p2pdurak.doctor.finding import Area, Finding, Outcome
from p2pdurak.transport.base import NotAllowed
from p2pdurak.transport.probe import (
    Acknowledged,
    Broken,
    Connected,
    Echoed,
    Encrypted,
    Fact,
    LoggedIn,
    Looked,
    Sized,
    Step,
    Subscribed,
)
from p2pdurak.transport.url import BrokerUrl

NOW_S = 1_800_000_000.0
URL = BrokerUrl("h.example", 8883, tls=True, user="mira", password="s3cret", cafile="ca.pem")


def judge(fact: Fact) -> Finding:
    return judged(fact, URL, NOW_S)


def untrusted(code: int) -> ssl.SSLCertVerificationError:
    problem = ssl.SSLCertVerificationError(1, "certificate verify failed")
    problem.verify_code, problem.verify_message = code, "as OpenSSL says it"
    return problem


@pytest.mark.parametrize(
    ("fact", "check", "told"),
    [
        (Looked(("192.0.2.7", "2001:db8::7")), "name", "h.example is 192.0.2.7, 2001:db8::7."),
        (Connected(0.0123), "tcp", "Port 8883 takes a connection in 12.3 ms."),
        (LoggedIn(), "login", "as mira (CONNACK 0"),
        (Subscribed(), "topics", "may be listened to"),
        (Acknowledged(delivered=True), "qos", "QoS 1 works too"),
        (Acknowledged(delivered=False), "qos", "QoS 1 does not work here"),
        (Sized((256, 16384), (256, 16384)), "packet size", "16384 bytes passes"),
        (Echoed((0.001,) * 49 + (0.2,), 50), "round trip", "after 1.0 ms, and 99 of 100 within 200.0 ms"),
        (Encrypted("TLSv1.3", NOW_S + 14 * DAY_S), "tls", "(14 days)"),
    ],
)
def test_step_that_went_well_is_ok(fact: Fact, check: str, told: str) -> None:
    found = judge(fact)
    assert (found.check, found.outcome, found.advice) == (check, Outcome.OK, "")
    assert told in found.message


@pytest.mark.parametrize(
    ("fact", "check", "told"),
    [
        (Encrypted("TLSv1.2", NOW_S + 14 * DAY_S - 1), "tls", "(13 days)"),
        (Echoed((0.6,) * 50, 50), "round trip", "600.0 ms"),
    ],
)
def test_drawback_is_a_warning_with_advice(fact: Fact, check: str, told: str) -> None:
    found = judge(fact)
    assert (found.check, found.outcome) == (check, Outcome.WARNING)
    assert told in found.message
    assert found.advice.endswith(".")


@pytest.mark.parametrize(
    ("fact", "check", "told"),
    [
        (Sized((256, 1024), (256, 1024, 16384)), "packet size", "Packets of 1024 bytes pass"),
        (
            Echoed((0.001,) * 49, 50),
            "round trip",
            "Of 50 packets sent to ourselves, one after the other, 49 came back.",
        ),
        (Echoed((), 50), "round trip", "0 came back"),
        (Broken(Step.NAME, socket.gaierror(socket.EAI_NONAME, "no")), "name", "cannot be looked up"),
        (Broken(Step.NAME, TimeoutError()), "name", "not looked up in time"),
        (Broken(Step.TCP, ConnectionRefusedError()), "tcp", "nothing listens there"),
        (Broken(Step.TCP, TimeoutError()), "tcp", "no answer in time"),
        (Broken(Step.TCP, OSError(101, "Network is unreachable")), "tcp", "Network is unreachable"),
        (Broken(Step.CAFILE, FileNotFoundError(2, "No such file")), "ca file", "ca.pem cannot be used: No such file."),
        (Broken(Step.CAFILE, ssl.SSLError(0, "[X509: NO_CERTIFICATE]")), "ca file", "it is no PEM file"),
        (Broken(Step.TLS, untrusted(10)), "tls", "certificate has expired"),
        (Broken(Step.TLS, untrusted(9)), "tls", "is not valid yet"),
        (Broken(Step.TLS, untrusted(18)), "tls", "signed by nobody but itself"),
        (Broken(Step.TLS, untrusted(19)), "tls", "CA that is not known"),
        (Broken(Step.TLS, untrusted(20)), "tls", "CA that is not known"),
        (Broken(Step.TLS, untrusted(62)), "tls", "for another name"),
        (Broken(Step.TLS, untrusted(64)), "tls", "for another address"),
        (Broken(Step.TLS, untrusted(26)), "tls", "not trusted (as OpenSSL says it)"),
        (Broken(Step.TLS, ssl.SSLError(1, "WRONG_VERSION_NUMBER")), "tls", "does not speak TLS"),
        (Broken(Step.TLS, TimeoutError()), "tls", "then says nothing"),
        (Broken(Step.LOGIN, NotAllowed("The broker refuses."), 5), "login", "The broker refuses."),
        (Broken(Step.TOPICS, NotAllowed("The broker does not let.")), "topics", "does not let"),
    ],
)
def test_step_that_failed_is_told_in_a_sentence_without_the_password(fact: Fact, check: str, told: str) -> None:
    found = judge(fact)
    assert (found.check, found.outcome, found.area) == (check, Outcome.FAILED, Area.BROKER)
    assert told in found.message
    assert found.message.endswith((".", ". "))
    assert "s3cret" not in f"{found}"


def test_return_code_of_connack_stands_in_the_figures() -> None:
    assert judge(Broken(Step.LOGIN, NotAllowed("The broker refuses."), 5)).figures == {"code": 5}


@pytest.mark.parametrize(
    ("values", "share", "value"),
    [
        ((3.0,), 0.5, 3.0),
        ((2.0, 1.0), 0.5, 1.0),
        ((1.0, 2.0, 3.0), 0.5, 2.0),
        (tuple(map(float, range(1, 101))), 0.99, 99.0),
    ],
)
def test_percentile_is_the_nearest_rank(values: tuple[float, ...], share: float, value: float) -> None:
    assert percentile(values, share) == value
