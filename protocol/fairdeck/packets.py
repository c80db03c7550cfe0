"""What the sealed channel says: its messages, and the few sizes they are padded to.

It owns the messages inside sealed packets and their bytes.
It does not know keys, nor when a message is sent, nor what it changes.

A message is `length 2 | msgpack | zeros`, the msgpack an array `[kind, game, place, boot, post, ...]`: the
acknowledgements of `Acks` first, then the parts of the kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Final, assert_never

import msgpack
from msgspec import Meta, ValidationError, convert

from fairdeck import limits
from fairdeck.errors import LocalError, Malformed
from fairdeck.transcript import HASH_BYTES

PACKET_SIZES: Final = (256, 1024, 4 * 1024, limits.PACKET_BYTES_MAX)
"""Sizes on the wire, in bytes: a few, so that a size tells a broker little about the move."""

OVERHEAD_BYTES: Final = 26 + 16
"""What a sealed packet adds to its message: the header and the tag."""

BOOT_BYTES: Final = 8
NO_BOOT: Final = bytes(BOOT_BYTES)


@dataclass(frozen=True, slots=True)
class Acks:
    """What the sender has, in every message: `place` records of `game` on disk, posts of `boot` up to `post`."""

    game: int
    place: int
    boot: bytes
    post: int


@dataclass(frozen=True, slots=True)
class Record:
    """Record `seq` of game `game`, as signed."""

    game: int
    seq: int
    record: bytes


@dataclass(frozen=True, slots=True)
class Post:
    """Post number `n` of the run `boot`; every post below `first` is known to have arrived."""

    boot: bytes
    first: int
    n: int
    kind: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Ack:
    """Nothing but the acknowledgements."""


@dataclass(frozen=True, slots=True)
class Sync:
    """The first message of an epoch: hash of the last record on disk; `seen`: the peer's SYNC is already here."""

    head: bytes
    seen: bool


@dataclass(frozen=True, slots=True)
class Ping:
    """A heartbeat; the peer returns the token."""

    token: int


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to the ping with this token."""

    token: int


Payload = Record | Post | Ack | Sync | Ping | Pong


class Kind(IntEnum):
    """The first element of a message."""

    RECORD = 0
    POST = 1
    ACK = 2
    SYNC = 3
    PING = 4
    PONG = 5


_Kind = Annotated[int, Meta(ge=0, le=int(max(Kind)))]
_Count = Annotated[int, Meta(ge=0, le=limits.COUNT_MAX)]
_Place = Annotated[int, Meta(ge=0, le=limits.RECORDS_MAX)]
_Boot = Annotated[bytes, Meta(min_length=BOOT_BYTES, max_length=BOOT_BYTES)]
_Hash = Annotated[bytes, Meta(min_length=HASH_BYTES, max_length=HASH_BYTES)]
_Record = Annotated[bytes, Meta(max_length=limits.RECORD_BYTES_MAX)]
_PostKind = Annotated[int, Meta(ge=0, le=255)]
_Body = Annotated[bytes, Meta(max_length=limits.POST_BYTES_MAX)]

_Head = tuple[_Kind, _Count, _Place, _Boot, _Count]
_RecordParts = tuple[_Count, _Place, _Record]
_PostParts = tuple[_Boot, _Count, _Count, _PostKind, _Body]
_SyncParts = tuple[_Hash, bool]
_HEAD_PARTS: Final = 5
_PARTS_MAX: Final = _HEAD_PARTS + 5

_UNREADABLE: Final = "The other side sent a sealed message that cannot be read."


def encode_message(acks: Acks, payload: Payload) -> bytes:
    """Write a message and pad it, so that its packet gets the smallest of the four sizes that holds it."""
    kind, parts = _parts(payload)
    packed: bytes = msgpack.packb([int(kind), acks.game, acks.place, acks.boot, acks.post, *parts])
    content = len(packed).to_bytes(2, "big") + packed
    rooms = (size - OVERHEAD_BYTES for size in PACKET_SIZES)
    room = next((room for room in rooms if room >= len(content)), None)
    if room is None:
        raise LocalError("That is too large for one packet.")
    return content.ljust(room, b"\0")


def _parts(payload: Payload) -> tuple[Kind, tuple[int | bytes, ...]]:
    match payload:
        case Record(game, seq, record):
            return Kind.RECORD, (game, seq, record)
        case Post(boot, first, n, kind, body):
            return Kind.POST, (boot, first, n, kind, body)
        case Ack():
            return Kind.ACK, ()
        case Sync(head, seen):
            return Kind.SYNC, (head, seen)
        case Ping(token):
            return Kind.PING, (token,)
        case Pong(token):
            return Kind.PONG, (token,)
        case _:
            assert_never(payload)


def decode_message(message: bytes) -> tuple[Acks, Payload]:
    """Read a padded message of the peer.

    Raises:
        Malformed: it is not exactly what `encode_message` writes.
    """
    size = int.from_bytes(message[:2], "big")
    try:
        raw = msgpack.unpackb(
            message[2 : 2 + size], raw=False, use_list=False, strict_map_key=True, max_array_len=_PARTS_MAX,
            max_bin_len=limits.RECORD_BYTES_MAX, max_str_len=0, max_map_len=0, max_ext_len=0,
        )  # fmt: skip
        if not isinstance(raw, tuple):
            raise Malformed(_UNREADABLE)
        kind, game, place, boot, post = convert(raw[:_HEAD_PARTS], type=_Head, strict=True, builtin_types=(bytes,))
        payload = _payload(Kind(kind), raw[_HEAD_PARTS:])
    except (ValueError, ValidationError, msgpack.UnpackException):
        raise Malformed(_UNREADABLE) from None
    decoded = (Acks(game, place, boot, post), payload)
    if encode_message(*decoded) != message:  # one form only: shortest numbers, zero padding, smallest size
        raise Malformed(_UNREADABLE)
    return decoded


def _payload(kind: Kind, parts: tuple[object, ...]) -> Payload:
    match kind:
        case Kind.RECORD:
            return Record(*convert(parts, type=_RecordParts, strict=True, builtin_types=(bytes,)))
        case Kind.POST:
            return Post(*convert(parts, type=_PostParts, strict=True, builtin_types=(bytes,)))
        case Kind.ACK:
            convert(parts, type=tuple[()], strict=True)
            return Ack()
        case Kind.SYNC:
            return Sync(*convert(parts, type=_SyncParts, strict=True, builtin_types=(bytes,)))
        case Kind.PING:
            return Ping(*convert(parts, type=tuple[_Count], strict=True))
        case Kind.PONG:
            return Pong(*convert(parts, type=tuple[_Count], strict=True))
        case _:
            assert_never(kind)
