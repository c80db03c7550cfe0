"""What the facts about a broker mean for a game.

It owns the sentences and what to do; it opens no connection.
"""

from __future__ import annotations

import math
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, assert_never

from fairdeck.packets import PACKET_SIZES
from p2pdurak.doctor.finding import Area, Figure, Finding, Outcome
from p2pdurak.transport.base import TransportError
from p2pdurak.transport.broker import EmbeddedBroker
from p2pdurak.transport.link import refusal
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
    visit,
)
from p2pdurak.transport.url import BadUrl, BrokerUrl, broker_url

DAY_S: Final = 86_400
EXPIRES_SOON_DAYS: Final = 14
SLOW_S: Final = 0.5
"""A move is some six trips until both screens have it; beyond this the table feels slow."""

LOOPBACK: Final = "127.0.0.1"
OPERATOR: Final = "Ask its operator, or name another broker with --broker."

CERTIFICATE: Final = {
    9: ("is not valid yet", "Check this machine's date, or tell the broker's operator."),
    10: ("has expired", "Check this machine's date, or tell the broker's operator."),
    18: ("is signed by nobody but itself", "If you know it, give it as the CA: mqtts://HOST?cafile=PATH."),
    19: ("comes from a CA that is not known here", "Give the file of the CA: mqtts://HOST?cafile=PATH."),
    20: ("comes from a CA that is not known here", "Give the file of the CA: mqtts://HOST?cafile=PATH."),
    62: ("is for another name", "Write the address with the name that the certificate is for."),
    64: ("is for another address", "Write the address with the name that the certificate is for."),
}
"""OpenSSL's codes of verification (x509_vfy.h) that a player can do something about."""

Clock = Callable[[], float]
Show = Callable[[Finding], None]


async def examine(named: Sequence[str], now: Clock, show: Show, *, sizes: Sequence[int] = PACKET_SIZES) -> None:
    """Check brokers one after the other.

    Args:
        named: addresses and presets; none: the embedded broker is started here and checked.
        now: gives the seconds since 1970.
        show: takes each finding as soon as it is there.
        sizes: the payloads that must pass, in bytes, from small to large.
    """
    if not named:
        await _examine_embedded(now, show, sizes)
    for text in named:
        try:
            url = broker_url(text)
        except BadUrl as problem:
            show(_failed("address", str(problem)))  # without the text, for it may hold a password
        else:
            await _examine_one(url, now, show, sizes)


async def _examine_embedded(now: Clock, show: Show, sizes: Sequence[int]) -> None:
    try:
        async with EmbeddedBroker(LOOPBACK) as broker:
            show(_ok("embedded broker", f"It starts; for this check it listens at {broker.address}."))
            await _examine_one(BrokerUrl(broker.bind, broker.port), now, show, sizes)
    except TransportError as problem:
        found = _failed("embedded broker", str(problem))
        # Who joins his friends' games needs none.
        missing = isinstance(problem.__cause__, ImportError)
        show(replace(found, outcome=Outcome.WARNING) if missing else found)


async def _examine_one(url: BrokerUrl, now: Clock, show: Show, sizes: Sequence[int]) -> None:
    await visit(url, sizes, lambda fact: show(replace(judged(fact, url, now()), broker=str(url))))


def judged(fact: Fact, url: BrokerUrl, now_s: float) -> Finding:
    """What one fact means.

    Args:
        fact: of this broker.
        url: the broker.
        now_s: seconds since 1970.
    """
    match fact:
        case Looked():
            found = ", ".join(fact.addresses)
            return _ok("name", f"{url.host} is {found}.", {"addresses": list(fact.addresses)})
        case Connected():
            return _ok(
                "tcp", f"Port {url.port} takes a connection in {_ms(fact.after_s)}.", {"ms": _rounded(fact.after_s)}
            )
        case Encrypted():
            return _encrypted(fact, now_s)
        case LoggedIn():
            who = f"as {url.user}" if url.user else "without a login"
            return _ok("login", f"The broker lets you in {who} (CONNACK 0, accepted).", {"code": 0})
        case Subscribed():
            return _ok("topics", "The topics of the game may be listened to.")
        case Echoed():
            return _echoed(fact)
        case Sized():
            return _sized(fact)
        case Acknowledged():
            more = "QoS 1 works too" if fact.delivered else "QoS 1 does not work here"
            text = f"QoS 0 works, which is all that the game uses; {more}."
            return _ok("qos", text, {"qos0": True, "qos1": fact.delivered})
        case Broken():
            return _broken(fact, url)
        case _:
            assert_never(fact)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of all values does not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _encrypted(fact: Encrypted, now_s: float) -> Finding:
    days = math.floor((fact.expires_at - now_s) / DAY_S)
    until = datetime.fromtimestamp(fact.expires_at, UTC).strftime("%Y-%m-%d")
    text = f"{fact.version}, and the certificate is trusted until {until} ({days} days)."
    figures: dict[str, Figure] = {"version": fact.version, "days": days, "expires": until}
    if days < EXPIRES_SOON_DAYS:
        return Finding("tls", Outcome.WARNING, text, "Tell the operator to renew it.", Area.BROKER, None, figures)
    return _ok("tls", text, figures)


def _echoed(fact: Echoed) -> Finding:
    back = len(fact.trips_s)
    figures: dict[str, Figure] = {"sent": fact.asked, "came_back": back}
    if back < fact.asked:
        text = f"Of {fact.asked} packets sent to ourselves, one after the other, {back} came back."
        return _failed("round trip", text, f"The broker does not carry this game reliably. {OPERATOR}", figures)
    p50, p99 = (percentile(fact.trips_s, share) for share in (0.5, 0.99))
    text = f"A packet comes back after {_ms(p50)}, and 99 of 100 within {_ms(p99)} ({back} packets)."
    figures |= {"p50_ms": _rounded(p50), "p99_ms": _rounded(p99)}
    if p50 > SLOW_S:
        return Finding(
            "round trip", Outcome.WARNING, text, "A nearer broker makes a quicker game.", Area.BROKER, None, figures
        )
    return _ok("round trip", text, figures)


def _sized(fact: Sized) -> Finding:
    largest, needed = max(fact.passed, default=0), max(fact.tried)
    figures: dict[str, Figure] = {"largest": largest, "needed": needed}
    if largest >= needed:
        return _ok("packet size", f"A packet of {needed} bytes passes, the largest of this game.", figures)
    text = f"Packets of {largest} bytes pass, larger ones do not; a shuffle needs {needed}."
    return _failed(
        "packet size", text, "Its operator must allow packets of 17 KiB (mosquitto: max_packet_size).", figures
    )


def _broken(fact: Broken, url: BrokerUrl) -> Finding:
    problem, check = fact.problem, str(fact.step)
    match fact.step, problem:
        case _, TransportError():
            return _failed(check, str(problem), "", {} if fact.code is None else {"code": fact.code})
        case Step.NAME, TimeoutError():
            return _failed(check, f"{url.host} is not looked up in time.", "Check your network and its name server.")
        case Step.CAFILE, OSError():
            why = problem.strerror if problem.errno and not isinstance(problem, ssl.SSLError) else "it is no PEM file"
            return _failed(check, f"The CA file {url.cafile} cannot be used: {why}.", "Check the path after ?cafile=.")
        case Step.TLS, TimeoutError():
            text = "The port takes a connection and then says nothing."
            return _failed(check, text, "Check the port; that of mqtts is usually 8883.")
        case Step.TLS, ssl.SSLCertVerificationError():
            unknown = f"is not trusted ({problem.verify_message})", "Check the name, or give mqtts://HOST?cafile=PATH."
            what, advice = CERTIFICATE.get(problem.verify_code, unknown)
            return _failed(check, f"The broker's certificate {what}.", advice, {"code": problem.verify_code})
        case _:
            return _failed(check, str(refusal(url, _caused_by(problem))))


def _caused_by(problem: Exception) -> Exception:
    """The shape in which `refusal` looks for a fault of the network: behind what the library raised over it."""
    raised = OSError()
    raised.__context__ = problem
    return raised


def _ok(check: str, message: str, figures: Mapping[str, Figure] | None = None) -> Finding:
    return Finding(check, Outcome.OK, message, "", Area.BROKER, None, figures or {})


def _failed(check: str, message: str, advice: str = "", figures: Mapping[str, Figure] | None = None) -> Finding:
    return Finding(check, Outcome.FAILED, message, advice, Area.BROKER, None, figures or {})


def _rounded(seconds: float) -> float:
    return round(seconds * 1000, 2)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"
