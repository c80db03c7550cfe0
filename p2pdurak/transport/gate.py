"""What a client may say to the embedded broker, checked packet by packet before the broker's library sees a byte.

It owns the grammar of the few MQTT packets that the game uses, and their limits. It knows no socket, no clock and no
broker: bytes in, the same or tamer bytes out, or a refusal that ends the connection.

The library behind it keeps retained messages for strangers, fires wills past the access list, holds a task for five
seconds per unacknowledged message, never ends a silent client and has no limit on a packet's size. None of that can be
asked for here: only CONNECT (clean session, no will), PUBLISH at QoS 0, SUBSCRIBE, UNSUBSCRIBE, PINGREQ and DISCONNECT
pass. Inner lengths must add up exactly, or bytes behind a short packet would be read as the next one, unchecked.
The library takes a client's subscriptions away when another says CONNECT under the same client id, and tells him
nothing. So the id that a client gives itself never reaches it: each connection gets a name of ours.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from fairdeck.limits import PACKET_BYTES_MAX
from p2pdurak.transport.base import TOPIC

PACKET_BODY_MAX: Final = PACKET_BYTES_MAX + 256
"""A packet of the channel behind a topic of at most 140 letters."""

TOPICS_MAX: Final = 32
"""Subscriptions of one connection. A host at the table has three; the broker walks through all of them per message."""

CLIENT_ID_MAX: Final = 64
"""Ours are 21 letters; other honest ones have 23 by the standard."""

LOGIN_MAX: Final = 256
"""User and password are read and ignored: who can reach this broker may use it."""

IDLE_S_MAX: Final = 90.0
"""No client needs more than a minute between two pings; without a keepalive of its own it gets this."""

CONNECT_S: Final = 5.0
"""How long a new connection may take to say who it is."""


class Kind(IntEnum):
    """Packet types of MQTT 3.1.1 that pass; the high four bits of the first byte."""

    CONNECT = 1
    PUBLISH = 3
    SUBSCRIBE = 8
    UNSUBSCRIBE = 10
    PINGREQ = 12
    DISCONNECT = 14


FLAGS: Final = {Kind.SUBSCRIBE: 2, Kind.UNSUBSCRIBE: 2}
"""The low four bits; 0 for all others. For PUBLISH 0 also means QoS 0, not a duplicate and not retained."""

EMPTY: Final = (Kind.PINGREQ, Kind.DISCONNECT)


class RefusedError(Exception):
    """A client broke the rules; its connection ends. The text is for a log, not for a player."""


class Gate:
    """The rules for one connection.

    Attributes:
        idle_s: how many seconds the next packet may take.
        connected: whether CONNECT has come.
    """

    def __init__(self, name: str) -> None:
        """Begin with nothing said.

        Args:
            name: the client id that is handed on in place of the client's own; no other connection may have it.
        """
        self._name = name.encode("ascii")
        self.idle_s = CONNECT_S
        self.connected = False
        self._topics: set[bytes] = set()

    def admit(self, first: int, body: bytes) -> bytes:
        """Check one packet.

        Args:
            first: the first byte, type and flags.
            body: everything behind the length field, at most `PACKET_BODY_MAX` bytes.

        Returns:
            The body to hand on: CONNECT under our name, without its keepalive (we watch the clock); SUBSCRIBE at QoS 0.

        Raises:
            RefusedError: it must not be handed on.
        """
        kind = first_byte(first, connected=self.connected)
        match kind:
            case Kind.CONNECT:
                body = self._connect(body)
            case Kind.PUBLISH:
                topic, at = _text(body, 0)
                _check_topic(topic)
                if len(body) - at > PACKET_BYTES_MAX:
                    raise RefusedError("payload too large")
            case Kind.SUBSCRIBE:
                body = self._subscribe(body)
            case Kind.UNSUBSCRIBE:
                self._unsubscribe(body)
            case Kind.PINGREQ | Kind.DISCONNECT:
                if body:
                    raise RefusedError("bytes in an empty packet")
        return body

    def _connect(self, body: bytes) -> bytes:
        head = b"\x00\x04MQTT\x04"
        if body[: len(head)] != head or len(body) < len(head) + 3:
            raise RefusedError("not MQTT 3.1.1")
        flags, keepalive = body[7], int.from_bytes(body[8:10], "big")
        if flags & 0b0011_1111 != 0b10:
            raise RefusedError("a will, a session to keep, or a reserved flag")
        client_id, at = _text(body, 10)
        if len(client_id) > CLIENT_ID_MAX:
            raise RefusedError("client id too long")
        login = body[at:]
        for bit in (0x80, 0x40):
            if flags & bit:
                word, at = _text(body, at)
                if len(word) > LOGIN_MAX:
                    raise RefusedError("login too long")
        if at != len(body):
            raise RefusedError("bytes behind CONNECT")
        self.connected = True
        self.idle_s = min(keepalive * 1.5, IDLE_S_MAX) if keepalive else IDLE_S_MAX
        return body[:8] + b"\x00\x00" + len(self._name).to_bytes(2, "big") + self._name + login

    def _subscribe(self, body: bytes) -> bytes:
        tame, at = bytearray(body), _packet_id(body)
        while at < len(body):
            topic, at = _text(body, at)
            if at >= len(body) or body[at] > 2:
                raise RefusedError("no QoS behind a topic")
            tame[at] = 0
            at += 1
            self._topics.add(topic)
        if len(self._topics) > TOPICS_MAX:
            raise RefusedError("too many subscriptions")
        return bytes(tame)

    def _unsubscribe(self, body: bytes) -> None:
        at = _packet_id(body)
        while at < len(body):
            topic, at = _text(body, at)
            self._topics.discard(topic)


def first_byte(first: int, *, connected: bool) -> Kind:
    """Check type and flags of a packet, before its length is read or its body awaited.

    Raises:
        RefusedError: a type that is not served, wrong flags, or CONNECT at the wrong time.
    """
    try:
        kind = Kind(first >> 4)
    except ValueError:
        raise RefusedError("packet type not served") from None
    if first & 0x0F != FLAGS.get(kind, 0):
        raise RefusedError("flags: only QoS 0, never retained")
    if (kind is Kind.CONNECT) == connected:
        raise RefusedError("CONNECT comes first and once")
    return kind


def message(body: bytes) -> tuple[str, bytes]:
    """Split the body of a PUBLISH that was admitted into topic and payload."""
    topic, at = _text(body, 0)
    return topic.decode("ascii"), body[at:]


def topic_is_ours(topic: str) -> bool:
    """Tell whether `topic` may be published to or listened to: no wildcards, nothing outside the game."""
    return TOPIC.fullmatch(topic) is not None


def _check_topic(topic: bytes) -> None:
    # Latin-1 reads any byte; whatever is not a-z, 0-9 or a slash fails the pattern.
    if not topic_is_ours(topic.decode("latin-1")):
        raise RefusedError("not a topic of the game")


def _packet_id(body: bytes) -> int:
    if len(body) < 5 or body[:2] == b"\x00\x00":
        raise RefusedError("no packet id or no topic")
    return 2


def _text(body: bytes, at: int) -> tuple[bytes, int]:
    """Return a length-prefixed string at `at` and the place behind it."""
    end = at + 2 + int.from_bytes(body[at : at + 2], "big")
    if at + 2 > len(body) or end > len(body):
        raise RefusedError("a length points outside the packet")
    text = body[at + 2 : end]
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        raise RefusedError("not UTF-8") from None
    return text, end
