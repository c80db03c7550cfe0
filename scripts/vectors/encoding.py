"""Vectors of the bytes of records and notes: one canonical form each, and everything that is nearly one.

It owns hostile and careless encodings; signatures are zeros here, as who signed is another question.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgpack

from fairdeck import limits
from fairdeck.wire import VERSION, Kind, NoteKind, decode_note, decode_record
from vectors.form import Case, Group, VectorFile, invalid, valid

HASH: Final = tuple(bytes([n] * 32) for n in range(16))
PROOF: Final = bytes(range(64))
OPTIONS: Final = b"any text that the game knows"
NO_SIGNATURE: Final = bytes(64)

HEADER: Final = (
    "Record: record is the signed bytes and 64 bytes of signature. Note: note is the same for a note.",
    "Whether they can be read is asked, not who signed them (the signatures are zeros), nor what blobs hold.",
    "fields: what they say. head: the hash by which the next record names this one.",
)

BODIES: Final[dict[Kind, list[Any]]] = {
    Kind.START0: [1, 36, OPTIONS, "Mira", "2026-11-30", *HASH[1:4], 1, HASH[0], 2],
    Kind.START1: ["Oleg", *HASH[4:7], PROOF],
    Kind.SHUFFLE0: [HASH[7], HASH[8], PROOF, b"deck", b"proof"],
    Kind.SHUFFLE1: [b"deck", b"proof", b"shares"],
    Kind.SHARES: [b"shares"],
    Kind.MOVE: [b"\x00\x07", False, 1500, [b"hand", b"proof"], [b"opening"], [b"shares"]],
}
NOTE: Final[list[Any]] = [HASH[1], 1, int(NoteKind.OPEN), 61, HASH[2], HASH[3]]


def record(which: Kind, /, *, body: list[Any] | None = None, **changes: Any) -> list[Any]:
    """The parts of a record, of which some are changed."""
    seat = 1 if which in {Kind.START1, Kind.SHUFFLE1} else 0
    parts = {"version": VERSION, "sid": HASH[1], "seq": int(which), "seat": seat, "prev": HASH[2], "kind": int(which)}
    parts |= {"body": BODIES[which] if body is None else body, "digest": HASH[3]}
    return list((parts | changes).values())


def packed(value: Any) -> bytes:
    """The canonical bytes with a signature of zeros."""
    data: bytes = msgpack.packb(value, use_bin_type=True)
    return data + NO_SIGNATURE


def encoding() -> VectorFile:
    """encoding.json."""
    groups = (
        Group("Record", tuple(_records())),
        Group("Record", tuple(_bad_bytes())),
        Group("Record", tuple(_bad_values())),
        Group("Record", tuple(_bounds())),
        Group("Note", tuple(_notes())),
    )
    return VectorFile("encoding.json", "Encoding", HEADER, groups)


def _read(comment: str, data: bytes) -> Case:
    read = decode_record(data)
    value = msgpack.unpackb(data[:-64])
    names = ("version", "sid", "seq", "seat", "prev", "kind", "body", "digest")
    return valid(comment, record=data, fields=dict(zip(names, value, strict=True)), head=read.head)


def _records() -> Iterator[Case]:
    for kind in Kind:
        yield _read(kind.name.lower(), packed(record(kind)))
    bare = [b"\x02", True, 0, [], [], []]
    yield _read("a move that proves nothing and owes nothing", packed(record(Kind.MOVE, body=bare)))
    start0 = BODIES[Kind.START0]
    yield _read(
        "an empty name, no options, no date", packed(record(Kind.START0, body=[*start0[:2], b"", "", "", *start0[5:]]))
    )
    longest = [*start0[:2], bytes(512), "\u00e9" * 32, "d" * 20, *start0[5:8], 2**31, HASH[0], 3]
    yield _read(
        "the longest fields of start0: a name of 64 bytes in 32 letters", packed(record(Kind.START0, body=longest))
    )
    yield _read("the highest seq", packed(record(Kind.SHARES, seq=limits.RECORDS_MAX - 1)))
    thought = [b"\x02", False, 2**31, [], [], []]
    yield _read("the longest thought", packed(record(Kind.MOVE, body=thought)))
    cap = limits.MOVE_RECORD_BYTES_MAX
    yield _read(f"a record of {cap} bytes, the most of its kind", _of_length(cap))


def _of_length(length: int) -> bytes:
    """A shares record of exactly this length."""
    room = length - len(packed(record(Kind.SHARES, body=[bytes(8000)])))
    return packed(record(Kind.SHARES, body=[bytes(8000 + room)]))


def _no(comment: str, flag: str, data: bytes) -> Case:
    return invalid(comment, flag, record=data)


def _bad_bytes() -> Iterator[Case]:
    """Bytes that are no canonical form of a record."""
    for kind in (Kind.START0, Kind.MOVE):
        value = record(kind)
        signed = packed(value)[:-64]
        yield from _lengths(kind, signed)
        for comment, data in _longer_forms(value):
            yield _no(f"{kind.name.lower()}: {comment} in a longer form", "NonCanonical", data + NO_SIGNATURE)
    yield _no("above the cap of its kind by one byte", "TooLong", _of_length(limits.MOVE_RECORD_BYTES_MAX + 1))
    wide = [*BODIES[Kind.START1][:1], *BODIES[Kind.START1][1:4], bytes(64)]
    yield _no("a handshake of more than 1,024 bytes", "TooLong", packed(record(Kind.START1, body=[*wide, bytes(900)])))
    yield _no("above every cap", "TooLong", packed(record(Kind.SHUFFLE1, body=[bytes(12000), bytes(200), b""])))
    for comment, flag, data in _hostile():
        yield _no(comment, flag, data + NO_SIGNATURE)
        head = packed(record(Kind.SHARES))[:-64]
        at = head.index(b"\x91")  # in place of the body
        yield _no(f"as the body: {comment}", flag, head[:at] + data + b"\xc4\x20" + HASH[3] + NO_SIGNATURE)


def _lengths(kind: Kind, signed: bytes) -> Iterator[Case]:
    name = kind.name.lower()
    for cut in (1, 2, 40, len(signed) - 1):
        yield _no(f"{name}: only the first {cut} bytes", "Truncated", signed[:cut] + NO_SIGNATURE)
    yield _no(f"{name}: no signature", "Truncated", signed[:64])
    for tail in (b"\x00", b"\x90", b"\xc0", b"\xff"):
        yield _no(f"{name}: {tail.hex()} behind it", "TrailingBytes", signed + tail + NO_SIGNATURE)
    yield _no(f"{name}: twice", "TrailingBytes", signed * 2 + NO_SIGNATURE)


def _longer_forms(value: list[Any]) -> Iterator[tuple[str, bytes]]:
    """The same value with one head in a longer form than it needs."""
    names = ("version", "sid", "seq", "seat", "prev", "kind", "body", "digest")
    packer = msgpack.Packer(use_bin_type=True)
    parts = [packer.pack(part) for part in value]
    yield "the array", b"\xdc\x00\x08" + b"".join(parts)
    yield "the array (32)", b"\xdd\x00\x00\x00\x08" + b"".join(parts)
    for i, name in enumerate(names):
        longer = _longer(value[i], parts[i])
        if longer:
            yield name, b"\x98" + b"".join([*parts[:i], longer, *parts[i + 1 :]])
    inner = [packer.pack(part) for part in value[6]]
    for j, part in enumerate(value[6]):
        longer = _longer(part, inner[j])
        if longer:
            body = bytes([0x90 + len(inner)]) + b"".join([*inner[:j], longer, *inner[j + 1 :]])
            yield f"part {j} of the body", b"\x98" + b"".join([*parts[:6], body, parts[7]])


def _longer(value: Any, data: bytes) -> bytes:
    match value:
        case bool():
            return b""
        case int():
            return b"\xcd" + value.to_bytes(2, "big") if value < 256 else b"\xcf" + value.to_bytes(8, "big")
        case bytes():
            return b"\xc6" + len(value).to_bytes(4, "big") + value
        case str():
            return b"\xda" + len(value.encode()).to_bytes(2, "big") + value.encode()
        case _:
            return b"\xdc" + len(value).to_bytes(2, "big") + data[1:]


def _hostile() -> Iterator[tuple[str, str, bytes]]:
    one = {
        "nothing": ("Truncated", b""),
        "the unused byte c1": ("WrongType", b"\xc1"),
        "nil": ("WrongType", b"\xc0"),
        "a number": ("WrongType", b"\x00"),
        "text": ("WrongType", b"\xa5hello"),
        "an empty array": ("WrongArity", b"\x90"),
        "an empty map": ("WrongType", b"\x80"),
        "a map": ("WrongType", b"\x81\xa1a\x01"),
        "an extension": ("WrongType", b"\xd4\x05\x00"),
        "a timestamp": ("WrongType", b"\xd6\xff\x00\x00\x00\x00"),
        "not a number": ("WrongType", b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"),
        "text that is no UTF-8": ("BadText", b"\xa1\xff"),
        "a surrogate": ("BadText", b"\xa3\xed\xa0\x80"),
        "arrays 600 deep": ("TooDeep", b"\x91" * 600 + b"\x90"),
        "arrays 1100 deep": ("TooDeep", b"\x91" * 1100 + b"\x90"),
        "an array that claims 2^32 - 1 parts": ("TooLong", b"\xdd\xff\xff\xff\xff" + bytes(40)),
        "bytes that claim to be 2^32 - 1": ("TooLong", b"\xc6\xff\xff\xff\xff" + bytes(40)),
        "text that claims 2^32 - 1 bytes": ("TooLong", b"\xdb\xff\xff\xff\xff" + bytes(40)),
        "a map that claims 2^32 - 1 pairs": ("TooLong", b"\xdf\xff\xff\xff\xff" + bytes(40)),
        "an extension that claims 2^32 - 1 bytes": ("TooLong", b"\xc9\xff\xff\xff\xff" + bytes(40)),
        "an array of 65 numbers": ("TooLong", b"\xdc\x00\x41" + bytes(65)),
    }
    for comment, (flag, data) in one.items():
        yield comment, flag, data


FOREIGN: Final[tuple[tuple[str, Any], ...]] = (
    ("nil", None),
    ("true", True),
    ("1.0", 1.0),
    ("a map", {"a": 1}),
    ("text", "text"),
    ("32 bytes of text", "t" * 32),
    ("bytes", b"bytes"),
    ("an array", [1]),
    ("-1", -1),
    ("2^64 - 1", 2**64 - 1),
    ("an extension", msgpack.ExtType(5, b"abc")),
)


def _bad_values() -> Iterator[Case]:
    """Each part once as nil, true, a float, a map, text for bytes, bytes for text, a number out of all bounds."""
    for kind in Kind:
        value = record(kind)
        places = [(6, j) for j in range(len(value[6]))] + ([(i,) for i in range(8)] if kind is Kind.MOVE else [])
        for place in places:
            for comment, foreign in FOREIGN:
                if _is_refused(kind, place, foreign):
                    where = f"{kind.name.lower()}, part {'.'.join(map(str, place))}"
                    yield _no(f"{where} is {comment}", "WrongType", packed(_with(value, place, foreign)))
    for kind in Kind:
        body = BODIES[kind]
        for comment, wrong in (("a part too few", body[:-1]), ("a part too many", [*body, 0]), ("empty", [])):
            yield _no(f"{kind.name.lower()}: {comment}", "WrongArity", packed(record(kind, body=wrong)))
    parts = record(Kind.SHARES)
    for comment, wrong in (("without a digest", parts[:-1]), ("with a ninth part", [*parts, b""])):
        yield _no(comment, "WrongArity", packed(wrong))
    yield _no("a map of parts", "WrongType", packed(dict(enumerate(parts))))


def _is_refused(kind: Kind, place: tuple[int, ...], foreign: Any) -> bool:
    """Whether the foreign value has another type or size than the part; a few fit by chance."""
    part = record(kind)
    for i in place:
        part = part[i]
    if isinstance(part, bool):
        return foreign is not True
    if isinstance(part, int):
        return True
    if isinstance(part, str):
        return not isinstance(foreign, str)
    if isinstance(part, bytes):
        free = kind is not Kind.START1 and (kind, place) not in _FIXED
        return not (isinstance(foreign, bytes) and free)
    return True


_FIXED: Final = {
    *((Kind.START0, (6, j)) for j in (5, 6, 7, 9)),
    *((Kind.SHUFFLE0, (6, j)) for j in (0, 1, 2)),
    *((Kind.MOVE, (i,)) for i in (1, 4, 7)),
}
"""Bytes of exactly 32 or 64."""


def _with(value: list[Any], place: tuple[int, ...], foreign: Any) -> list[Any]:
    changed = [list(part) if isinstance(part, list) else part for part in value]
    if len(place) == 1:
        changed[place[0]] = foreign
    else:
        changed[place[0]][place[1]] = foreign
    return changed


def _bounds() -> Iterator[Case]:
    """Numbers and lengths one beyond their bounds."""
    move, start0, start1 = BODIES[Kind.MOVE], BODIES[Kind.START0], BODIES[Kind.START1]
    for comment, value in (
        ("version 0", record(Kind.SHARES, version=0)),
        ("version 2", record(Kind.SHARES, version=2)),
        ("version 256", record(Kind.SHARES, version=256)),
        ("seat 2", record(Kind.SHARES, seat=2)),
        ("kind 6", record(Kind.SHARES, kind=6)),
        ("seq 8,192", record(Kind.SHARES, seq=limits.RECORDS_MAX)),
        ("a body of another kind", record(Kind.SHARES, kind=int(Kind.MOVE))),
        ("think_ms 2^31 + 1", record(Kind.MOVE, body=[*move[:2], 2**31 + 1, *move[3:]])),
        ("three parts of a remask", record(Kind.MOVE, body=[*move[:3], [b"", b"", b""], *move[4:]])),
        ("three proofs", record(Kind.MOVE, body=[*move[:4], [b"", b"", b""], move[5]])),
        ("three lists of shares", record(Kind.MOVE, body=[*move[:5], [b"", b"", b""]])),
        ("nil for no proof", record(Kind.MOVE, body=[*move[:4], None, move[5]])),
        ("an action of 65 bytes", record(Kind.MOVE, body=[bytes(65), *move[1:]])),
        ("suite 256", record(Kind.START0, body=[256, *start0[1:]])),
        ("256 cards", record(Kind.START0, body=[1, 256, *start0[2:]])),
        ("options of 513 bytes", record(Kind.START0, body=[*start0[:2], bytes(513), *start0[3:]])),
        ("a name of 65 bytes in 33 letters", record(Kind.START0, body=[*start0[:3], "\u00e9" * 32 + "e", *start0[4:]])),
        ("a name of 65 letters", record(Kind.START1, body=["n" * 65, *start1[1:]])),
        ("a date of 21 letters", record(Kind.START0, body=[*start0[:4], "d" * 21, *start0[5:]])),
        ("game 0", record(Kind.START0, body=[*start0[:8], 0, *start0[9:]])),
        ("game 2^31 + 1", record(Kind.START0, body=[*start0[:8], 2**31 + 1, *start0[9:]])),
        ("opener 4", record(Kind.START0, body=[*start0[:10], 4])),
    ):
        yield _no(comment, "OutOfBounds", packed(value))
    for length in (0, 31, 33, 64):
        for name in ("sid", "prev", "digest"):
            changed: dict[str, Any] = {name: bytes(length)}
            yield _no(f"{name} of {length} bytes", "WrongLength", packed(record(Kind.SHARES, **changed)))
        yield _no(
            f"vk of {length} bytes",
            "WrongLength",
            packed(record(Kind.START1, body=["Oleg", bytes(length), *start1[2:]])),
        )
    for length in (0, 63, 65):
        body = [*start1[:4], bytes(length)]
        yield _no(f"a proof of possession of {length} bytes", "WrongLength", packed(record(Kind.START1, body=body)))
    bad_name = packed(record(Kind.START1)).replace(b"\xa4Oleg", b"\xa4Ole\xff")
    yield _no("a name that is no UTF-8", "BadText", bad_name)
    yield _no(
        "a name with an overlong letter", "BadText", packed(record(Kind.START1)).replace(b"\xa4Oleg", b"\xa4Ol\xc1\xa5")
    )


def _note(comment: str, value: list[Any]) -> Case:
    data = packed(value)
    read = decode_note(data)
    names = ("sid", "seat", "kind", "seq", "head", "body")
    if read.data != data:
        raise AssertionError("a note is its bytes")
    return valid(comment, note=data, fields=dict(zip(names, value, strict=True)))


def _notes() -> Iterator[Case]:
    for kind in NoteKind:
        body = HASH[3] if kind is NoteKind.OPEN else b""
        yield _note(kind.name.lower(), [*NOTE[:2], int(kind), *NOTE[3:5], body])
    yield _note("the longest body", [*NOTE[:5], bytes(256)])
    signed = packed(NOTE)[:-64]
    for comment, flag, data in (
        ("cut", "Truncated", signed[:-1] + NO_SIGNATURE),
        ("a signature alone", "Truncated", NO_SIGNATURE),
        ("a byte behind it", "TrailingBytes", signed + b"\x00" + NO_SIGNATURE),
        ("the array in a longer form", "NonCanonical", b"\xdc\x00\x06" + signed[1:] + NO_SIGNATURE),
        ("too long", "TooLong", packed([*NOTE[:5], bytes(1000)])),
    ):
        yield invalid(comment, flag, note=data)
    for comment, flag, value in (
        ("seat 2", "OutOfBounds", [NOTE[0], 2, *NOTE[2:]]),
        ("kind 5", "OutOfBounds", [*NOTE[:2], 5, *NOTE[3:]]),
        ("seq 8,192", "OutOfBounds", [*NOTE[:3], 8192, *NOTE[4:]]),
        ("a body of 257 bytes", "OutOfBounds", [*NOTE[:5], bytes(257)]),
        ("nil for an empty body", "WrongType", [*NOTE[:5], None]),
        ("text for a body", "WrongType", [*NOTE[:5], "text"]),
        ("a boolean for a seat", "WrongType", [NOTE[0], True, *NOTE[2:]]),
        ("a float for a kind", "WrongType", [*NOTE[:2], 1.0, *NOTE[3:]]),
        ("sid of 31 bytes", "WrongLength", [bytes(31), *NOTE[1:]]),
        ("head of 33 bytes", "WrongLength", [*NOTE[:4], bytes(33), NOTE[5]]),
        ("a part too few", "WrongArity", NOTE[:-1]),
        ("a part too many", "WrongArity", [*NOTE, b""]),
        ("a record", "WrongArity", record(Kind.SHARES)),
        ("nothing but an empty array", "WrongArity", []),
    ):
        yield invalid(comment, flag, note=packed(value))
