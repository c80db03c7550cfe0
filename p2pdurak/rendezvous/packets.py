"""The packets of a meeting as bytes, and the topics they travel on.

It owns their form and strict decoding; it does not know whether a packet is due, or true.

    packet  [version, kind, attempt (16 bytes), payload]   canonical msgpack, at most 1 KiB

Every version of the protocol keeps these four fields and topics, so that programs of different releases can tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Final

from msgspec import Meta

from fairdeck.errors import Malformed
from fairdeck.pake import CONFIRM_BYTES, MESSAGE_BYTES
from fairdeck.transcript import hash32
from fairdeck.wire import Message, convert, pack, unpack

VERSION: Final = 1
ATTEMPT_BYTES: Final = 16

VERSIONS_TOLD_MAX: Final = 4
"""Other versions that are reported; anybody can make up 254 of them."""

PACKET_BYTES_MAX: Final = 1024
"""Our own packets have at most 56 bytes; other versions may need more."""


@dataclass(frozen=True, slots=True)
class RendezvousTopics:
    """Where the packets of one nameplate go: the guest publishes on `to_host`, the host on `to_guest`."""

    to_host: str
    to_guest: str


def topics(nameplate: str) -> RendezvousTopics:
    """Name the two topics of a nameplate, of letters, digits and slashes only; the words have no part in them."""
    place = hash32("rendezvous", nameplate.encode("ascii"))[:16].hex()
    return RendezvousTopics(to_host=f"p2pdurak/1/rv/{place}/host", to_guest=f"p2pdurak/1/rv/{place}/guest")


class Kind(IntEnum):
    """What a packet is; the number is on the wire."""

    OPEN = 1
    ANSWER = 2
    CONFIRM = 3
    ACCEPT = 4
    WRONG = 5
    BUSY = 6
    GONE = 7


class Why(IntEnum):
    """Why a host says GONE; the number is its payload."""

    LATE = 1
    TAKEN = 2
    SPENT = 3
    EXPIRED = 4
    VERSION = 5


class Packet(Message, frozen=True):
    """One packet. The payload is a PAKE message, a confirmation, the confirmation refused, nothing, or a `Why`."""

    version: Annotated[int, Meta(ge=1, le=255)]
    kind: Annotated[int, Meta(ge=1, le=255)]
    attempt: Annotated[bytes, Meta(min_length=ATTEMPT_BYTES, max_length=ATTEMPT_BYTES)]
    payload: Annotated[bytes, Meta(max_length=PACKET_BYTES_MAX)]


_PAYLOAD_BYTES: Final = {
    Kind.OPEN: MESSAGE_BYTES,
    Kind.ANSWER: MESSAGE_BYTES,
    Kind.CONFIRM: CONFIRM_BYTES,
    Kind.ACCEPT: CONFIRM_BYTES,
    Kind.WRONG: CONFIRM_BYTES,
    Kind.BUSY: 0,
    Kind.GONE: 1,
}


def encode_packet(kind: Kind, attempt: bytes, payload: bytes = b"") -> bytes:
    """Write a packet of our version."""
    return pack([VERSION, kind.value, attempt, payload])


def decode_packet(data: bytes) -> Packet:
    """Read a packet; of another version than ours, only its form is checked.

    Raises:
        Malformed: too long, no canonical msgpack of four fields, or a kind or payload that this version has not.
    """
    if len(data) > PACKET_BYTES_MAX:
        raise Malformed(f"A rendezvous packet has at most {PACKET_BYTES_MAX} bytes.")
    packet = convert(unpack(data), Packet)
    if pack([packet.version, packet.kind, packet.attempt, packet.payload]) != data:
        raise Malformed("A rendezvous packet that is not in its one canonical form.")
    if packet.version == VERSION:
        _demand_known(packet)
    return packet


def _demand_known(packet: Packet) -> None:
    try:
        kind = Kind(packet.kind)
        if kind is Kind.GONE:
            Why(int.from_bytes(packet.payload, "big"))
    except ValueError as error:
        raise Malformed("A rendezvous packet of no kind that this version has.") from error
    if len(packet.payload) != _PAYLOAD_BYTES[kind]:
        raise Malformed("A rendezvous packet with a payload of the wrong length.")
