"""Every message that is signed, as bytes: canonical msgpack, decoded strictly or not at all.

It owns the shapes of records and notes; it does not know whether one is right, or right now.

A record is `[version, sid, seq, seat, prev, kind, body, digest]` in positional msgpack, followed by its 64-byte
signature. Decoding has one order: size cap, msgpack with limits, exact types (an int is no bool is no float), exact
arity, then the value is encoded again and must give the same bytes. Whatever fails is `Malformed`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any, Final, TypeVar

import msgpack
import msgspec
from msgspec import Meta, Struct

from fairdeck import limits
from fairdeck.errors import Malformed
from fairdeck.sign import SIGNATURE_BYTES
from fairdeck.transcript import hash32

VERSION: Final = 1
ZEROS: Final = bytes(32)

Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
Proof = Annotated[bytes, Meta(min_length=64, max_length=64)]
Blob = Annotated[bytes, Meta(max_length=limits.RECORD_BYTES_MAX)]
Optionally = Annotated[tuple[Blob, ...], Meta(max_length=2)]
Name = Annotated[str, Meta(max_length=limits.NAME_BYTES_MAX)]
Small = Annotated[int, Meta(ge=0, le=255)]
SeatNumber = Annotated[int, Meta(ge=0, le=1)]


class Kind(IntEnum):
    """What a record is; the number is on the wire."""

    START0 = 0
    START1 = 1
    SHUFFLE0 = 2
    SHUFFLE1 = 3
    SHARES = 4
    MOVE = 5


class NoteKind(IntEnum):
    """What a note says; the number is on the wire."""

    RESIGN = 0
    LEAVE = 1
    CLAIM = 2
    DESYNC = 3
    OPEN = 4


class Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Positional on the wire: the order of the fields is the format."""


class Start0(Message, frozen=True):
    """The host's proposal: who, what game, under which options, after which game, and his commitment."""

    suite: Small
    cards: Small
    options: Annotated[bytes, Meta(max_length=limits.OPTIONS_BYTES_MAX)]
    name: Name
    date: Annotated[str, Meta(max_length=limits.DATE_LETTERS_MAX)]
    vk: Hash
    commit: Hash
    exporter: Hash
    game: Annotated[int, Meta(ge=1, le=limits.GAMES_MAX)]
    link: Hash
    opener: Annotated[int, Meta(ge=0, le=3)]


class Start1(Message, frozen=True):
    """The guest's answer: his key for this game with its proof of possession (64 bytes)."""

    name: Name
    vk: Hash
    nonce: Hash
    Y: Hash
    possession: Proof


class Shuffle0(Message, frozen=True):
    """The host opens his commitment and shuffles the first deck."""

    nonce: Hash
    Y: Hash
    possession: Proof
    deck: Blob
    proof: Blob


class Shuffle1(Message, frozen=True):
    """The guest shuffles the host's deck and gives his shares for the host's hand and the upcards."""

    deck: Blob
    proof: Blob
    shares: Blob


class Shares(Message, frozen=True):
    """Shares owed (32 bytes each, positions ascending) and one proof for all (64 bytes)."""

    shares: Blob


class Move(Message, frozen=True):
    """One action with whatever it must prove and the shares that its author owes after it.

    `remask` is empty or (new hand, proof); `proof` is empty or one opening or denial; `shares` is empty or one blob.
    """

    action: Annotated[bytes, Meta(max_length=limits.ACTION_BYTES_MAX)]
    auto: bool
    think_ms: Annotated[int, Meta(ge=0, le=limits.THINK_MS_MAX)]
    remask: Optionally
    proof: Optionally
    shares: Optionally


Body = Start0 | Start1 | Shuffle0 | Shuffle1 | Shares | Move

BODIES: Final[dict[Kind, type[Message]]] = {
    Kind.START0: Start0,
    Kind.START1: Start1,
    Kind.SHUFFLE0: Shuffle0,
    Kind.SHUFFLE1: Shuffle1,
    Kind.SHARES: Shares,
    Kind.MOVE: Move,
}

BYTES_MAX: Final = {
    Kind.START0: limits.HANDSHAKE_RECORD_BYTES_MAX,
    Kind.START1: limits.HANDSHAKE_RECORD_BYTES_MAX,
    Kind.SHUFFLE0: limits.RECORD_BYTES_MAX,
    Kind.SHUFFLE1: limits.RECORD_BYTES_MAX,
    Kind.SHARES: limits.MOVE_RECORD_BYTES_MAX,
    Kind.MOVE: limits.MOVE_RECORD_BYTES_MAX,
}


class Envelope(Message, frozen=True):
    """A record before its body is read."""

    version: Small
    sid: Hash
    seq: Annotated[int, Meta(ge=0, lt=limits.RECORDS_MAX)]
    seat: SeatNumber
    prev: Hash
    kind: Kind
    body: tuple[Any, ...]
    digest: Hash


class Record(Struct, frozen=True):
    """A decoded record with the bytes it came in: hashes are always over those, never over a re-encoding."""

    sid: bytes
    seq: int
    seat: int
    prev: bytes
    kind: Kind
    body: Body
    digest: bytes
    signed: bytes
    signature: bytes

    @property
    def data(self) -> bytes:
        """The record as it stands on the wire and in the log."""
        return self.signed + self.signature

    @property
    def head(self) -> bytes:
        """The hash by which the next record names this one."""
        return record_head(self.data)


class NoteBody(Message, frozen=True):
    """A signed statement outside the chain."""

    sid: Hash
    seat: SeatNumber
    kind: NoteKind
    seq: Annotated[int, Meta(ge=0, lt=limits.RECORDS_MAX)]
    head: Hash
    body: Annotated[bytes, Meta(max_length=limits.NOTE_BODY_BYTES_MAX)]


class Note(Struct, frozen=True):
    """A decoded note with the bytes it came in. `seq` and `head` are the last record its author had seen."""

    sid: bytes
    seat: int
    kind: NoteKind
    seq: int
    head: bytes
    body: bytes
    signed: bytes
    signature: bytes

    @property
    def data(self) -> bytes:
        """The note as it stands on the wire and in the log."""
        return self.signed + self.signature


def version_of(data: bytes) -> int | None:
    """The protocol version that a record of any version names; None where the bytes are no record of any.

    Every version keeps this much: a record is an array of at most 15 parts, and the first is a number below 128.
    """
    array = len(data) > 1 and data[0] & 0xF0 == 0x90
    return data[1] if array and data[1] < 0x80 else None


def record_head(data: bytes) -> bytes:
    """32 bytes over a record and its signature."""
    return hash32("record", data)


def encode_record(sid: bytes, seq: int, seat: int, prev: bytes, body: Body, digest: bytes) -> bytes:
    """The bytes of a record that are signed."""
    kind = next(kind for kind, shape in BODIES.items() if isinstance(body, shape))
    return pack([VERSION, sid, seq, seat, prev, int(kind), _plain(body), digest])


def encode_note(sid: bytes, seat: int, kind: NoteKind, seq: int, head: bytes, body: bytes) -> bytes:
    """The bytes of a note that are signed."""
    return pack([sid, seat, int(kind), seq, head, body])


def decode_record(data: bytes) -> Record:
    """Read a record and its signature; who signed it is not checked here.

    Raises:
        Malformed: with the reason.
    """
    signed, signature = _split(data, limits.RECORD_BYTES_MAX)
    value = unpack(signed)
    envelope = convert(value, Envelope)
    if envelope.version != VERSION:
        raise Malformed(f"A record of protocol version {envelope.version}; this program speaks version {VERSION}.")
    if len(data) > BYTES_MAX[envelope.kind]:
        raise Malformed("A record that is too long for its kind.")
    body: Any = convert(envelope.body, BODIES[envelope.kind])
    if isinstance(body, (Start0, Start1)) and len(body.name.encode()) > limits.NAME_BYTES_MAX:
        raise Malformed(f"A name of more than {limits.NAME_BYTES_MAX} bytes.")
    _demand_canonical(value, signed)
    return Record(
        sid=envelope.sid,
        seq=envelope.seq,
        seat=envelope.seat,
        prev=envelope.prev,
        kind=envelope.kind,
        body=body,
        digest=envelope.digest,
        signed=signed,
        signature=signature,
    )


def decode_note(data: bytes) -> Note:
    """Read a note and its signature; who signed it is not checked here.

    Raises:
        Malformed: with the reason.
    """
    signed, signature = _split(data, limits.NOTE_BYTES_MAX)
    value = unpack(signed)
    note = convert(value, NoteBody)
    _demand_canonical(value, signed)
    return Note(note.sid, note.seat, note.kind, note.seq, note.head, note.body, signed, signature)


def _split(data: object, bytes_max: int) -> tuple[bytes, bytes]:
    if not isinstance(data, bytes) or not SIGNATURE_BYTES < len(data) <= bytes_max:
        raise Malformed("A message that is empty or too long.")
    return data[:-SIGNATURE_BYTES], data[-SIGNATURE_BYTES:]


def _plain(message: Message) -> list[Any]:
    return [getattr(message, field) for field in message.__struct_fields__]


def pack(value: object) -> bytes:
    """Canonical msgpack: the shortest form of everything, which is what the library writes."""
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def unpack(data: bytes) -> object:
    """Read one msgpack value of arrays, strings, bytes and numbers.

    Raises:
        Malformed: trailing or missing bytes, too deep, too long, not UTF-8, an extension type.
    """
    size = len(data)
    try:
        value: object = msgpack.unpackb(
            data,
            raw=False,
            use_list=False,
            strict_map_key=True,
            max_str_len=size,
            max_bin_len=size,
            max_array_len=min(size, limits.ARRAY_PARTS_MAX),
            max_map_len=0,
            max_ext_len=0,
        )
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as error:
        raise Malformed("Bytes that are no msgpack of this protocol.") from error
    return value


MessageT = TypeVar("MessageT", bound=Message)


def convert(value: object, shape: type[MessageT]) -> MessageT:
    """Give an unpacked value its exact type.

    Raises:
        Malformed: a wrong type, a wrong number of fields, a number or length out of bounds.
    """
    try:
        return msgspec.convert(value, type=shape, strict=True, builtin_types=(bytes,))
    except (msgspec.ValidationError, RecursionError) as error:
        raise Malformed("A message with a wrong field, or with too many of them or too few.") from error


def _demand_canonical(value: object, data: bytes) -> None:
    if pack(value) != data:
        raise Malformed("A message that is not in its one canonical form.")
