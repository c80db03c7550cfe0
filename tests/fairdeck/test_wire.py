"""Every signed message as bytes: one form each, and nothing else is read."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any, Final

import msgpack
import pytest

from fairdeck import limits
from fairdeck.errors import Malformed
from fairdeck.packets import Ack, Acks, Payload, Ping, Pong, Post, Sync, decode_message, encode_message
from fairdeck.packets import Record as Packed
from fairdeck.wire import (
    BODIES,
    BYTES_MAX,
    VERSION,
    ZEROS,
    Kind,
    Move,
    NoteKind,
    Record,
    Shares,
    Start1,
    decode_note,
    decode_record,
    encode_note,
    encode_record,
    pack,
    record_head,
    unpack,
)
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.games import played, record_of
from tests.fairdeck.naive_wire import is_message, is_note, is_record

SIGNATURE: Final = bytes(64)
KINDS: Final = list(Kind)
SAMPLES: Final = {kind.name.lower(): record_of(kind) for kind in KINDS}
SAMPLES["bare move"] = decode_record(played().records[played().at(Kind.MOVE, 0, lambda move: not move.proof)])
SAMPLES["move with everything"] = decode_record(
    played().records[played().at(Kind.MOVE, 0, lambda move: bool(move.remask and move.proof and move.shares))]
)
NOTES: Final = [note.data for note in played().host.notes]
each_sample = pytest.mark.parametrize("record", SAMPLES.values(), ids=SAMPLES.keys())


def values_of(record: Record) -> list[Any]:
    """A record as the plain list that is packed."""
    value = unpack(record.signed)
    assert isinstance(value, tuple)
    return [list(part) if isinstance(part, tuple) else part for part in value]


def malformed(data: bytes, decode: Callable[[bytes], object] = decode_record) -> bool:
    """Whether the bytes are refused; any other error than `Malformed` fails the test."""
    try:
        decode(data)
    except Malformed:
        return True
    return False


def refused_value(value: object) -> bool:
    return malformed(msgpack.packb(value, use_bin_type=True) + SIGNATURE)


# What is right


@each_sample
def test_record_comes_back_from_its_bytes(record: Record) -> None:
    again = decode_record(record.data)
    assert again == record
    signed = encode_record(again.sid, again.seq, again.seat, again.prev, again.body, again.digest)
    assert signed == record.signed == record.data[:-64]
    assert record.signature == record.data[-64:]


@pytest.mark.parametrize("data", NOTES)
def test_note_comes_back_from_its_bytes(data: bytes) -> None:
    note = decode_note(data)
    assert encode_note(note.sid, note.seat, note.kind, note.seq, note.head, note.body) == note.signed
    assert note.data == data


def test_head_of_a_record_is_over_its_bytes_and_its_signature() -> None:
    record = SAMPLES["shares"]
    assert record.head == record_head(record.data)
    assert record_head(record.data[:-1] + bytes([record.data[-1] ^ 1])) != record.head


def test_every_kind_has_a_body_and_a_cap() -> None:
    assert set(BODIES) == set(BYTES_MAX) == set(Kind)


def test_honest_records_fit_their_caps_with_room() -> None:
    for data in played().records:
        record = decode_record(data)
        assert len(data) <= BYTES_MAX[record.kind]


# Bytes


@each_sample
def test_every_strict_prefix_is_malformed(record: Record) -> None:
    assert all(malformed(record.data[:length]) for length in range(len(record.data)))


@pytest.mark.parametrize("data", NOTES)
def test_every_strict_prefix_of_a_note_is_malformed(data: bytes) -> None:
    assert all(malformed(data[:length], decode_note) for length in range(len(data)))


@each_sample
def test_trailing_byte_is_malformed(record: Record) -> None:
    for tail in (b"\x00", b"\x90", b"\xc0", b"\xff"):
        assert malformed(record.signed + tail + record.signature)


LARGE: Final = ("shuffle0", "shuffle1", "move", "move with everything")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LARGE else []) for name in SAMPLES]
)
def test_every_bit_flip_of_a_record_is_malformed_or_another_canonical_one(name: str) -> None:
    record = SAMPLES[name]
    for bit in range(8 * len(record.data)):
        flipped = bytearray(record.data)
        flipped[bit // 8] ^= 1 << bit % 8
        try:
            other = decode_record(bytes(flipped))
        except Malformed:
            continue
        signed = encode_record(other.sid, other.seq, other.seat, other.prev, other.body, other.digest)
        assert signed + other.signature == bytes(flipped) != record.data


def test_every_bit_flip_of_a_note_is_malformed_or_another_canonical_note() -> None:
    for bit in range(8 * len(NOTES[0])):
        flipped = bytearray(NOTES[0])
        flipped[bit // 8] ^= 1 << bit % 8
        try:
            other = decode_note(bytes(flipped))
        except Malformed:
            continue
        signed = encode_note(other.sid, other.seat, other.kind, other.seq, other.head, other.body)
        assert signed + other.signature == bytes(flipped) != NOTES[0]


def hostile() -> dict[str, bytes]:
    """Bytes that no honest program sends, before a signature."""
    families = (0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF)
    long = {f"length 2^32-1 under {head:#x}": bytes([head]) + b"\xff\xff\xff\xff" + bytes(80) for head in families}
    deep = {f"arrays {depth} deep": b"\x91" * depth + b"\x90" for depth in (100, 511, 512, 513, 1023, 1024, 12000)}
    maps = {f"maps {depth} deep": b"\x81\xa0" * depth + b"\x80" for depth in (1, 512, 5000)}
    one = {
        "nothing": b"",
        "unused byte": b"\xc1",
        "nil": b"\xc0",
        "zero": b"\x00",
        "text": b"\xa5hello",
        "empty array": b"\x90",
        "empty map": b"\x80",
        "many empty maps": b"\xdc\x27\x10" + b"\x80" * 10_000,
        "many empty arrays": b"\xdc\x27\x10" + b"\x90" * 10_000,
        "extension": b"\xd4\x05\x00",
        "empty extension": b"\xc7\x00\x05",
        "timestamp": b"\xd6\xff\x00\x00\x00\x00",
        "empty timestamp": b"\xc7\x00\xff",
        "not a number": b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
        "no UTF-8": b"\xa1\xff",
        "surrogate": b"\xa3\xed\xa0\x80",
        "array too long": b"\xdc\x00\x41" + b"\x00" * 65,
    }
    return one | long | deep | maps


@pytest.mark.parametrize("data", hostile().values(), ids=hostile().keys())
def test_hostile_bytes_are_malformed(data: bytes) -> None:
    assert malformed(data + SIGNATURE)
    assert malformed(data + SIGNATURE, decode_note)
    body = pack([VERSION, ZEROS, 0, 0, ZEROS, 5])[1:]
    assert malformed(b"\x98" + body + data + pack(ZEROS) + SIGNATURE)


@pytest.mark.parametrize("depth", [1024, 100_000, 1_000_000])
@pytest.mark.parametrize("opened", [b"\x91", b"\x81\xa0", b"\x92\x90"], ids=["arrays", "maps", "arrays beside arrays"])
def test_no_depth_of_nesting_does_more_than_be_malformed(opened: bytes, depth: int) -> None:
    """Also where no cap of a message has cut it short."""
    with pytest.raises(Malformed):
        unpack(opened * depth + b"\x90")
    with pytest.raises(Malformed):
        unpack(opened * depth)


@pytest.mark.parametrize("filling", [b"\x80", b"\x90", b"\x91\x90", b"\xa0", b"\xc4\x00", b"\x00"])
def test_hostile_bytes_of_the_largest_size_take_little_memory(filling: bytes) -> None:
    count = (limits.RECORD_BYTES_MAX - len(SIGNATURE) - 3) // len(filling)
    data = b"\xdc" + count.to_bytes(2, "big") + filling * count + SIGNATURE
    tracemalloc.start()
    refused = malformed(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refused
    assert peak < 2 * 1024 * 1024


@pytest.mark.parametrize("data", [None, 5, "x" * 100, [0] * 100, bytearray(100), memoryview(bytes(100))])
def test_only_bytes_are_messages(data: Any) -> None:
    assert malformed(data)
    assert malformed(data, decode_note)


@pytest.mark.parametrize("odd", [b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82"])
def test_name_that_is_no_utf8_is_malformed(odd: bytes) -> None:
    """Among them a lone surrogate and a second form of the zero character."""
    values = values_of(SAMPLES["start1"])
    right = pack(with_value(values, (6, 0), "x" * len(odd)))
    head = bytes([0xA0 + len(odd)])
    assert right.count(head + b"x" * len(odd)) == 1
    assert not malformed(right + SIGNATURE)
    assert malformed(right.replace(head + b"x" * len(odd), head + odd) + SIGNATURE)


@pytest.mark.parametrize("data", [b"\xc1", b"\xc0\xc0", b"\x92\x01", b"\x81\x01\x02", b"\xd4\x05\x00", b"\xa1\xff"])
def test_unpacking_refuses_what_is_no_value_of_this_protocol(data: bytes) -> None:
    with pytest.raises(Malformed, match="no msgpack"):
        unpack(data)


@pytest.mark.parametrize("length", [limits.RECORD_BYTES_MAX + 1, 10 * 1024 * 1024])
def test_bytes_over_the_cap_are_refused_before_they_are_read(length: int) -> None:
    with pytest.raises(Malformed, match="empty or too long"):
        decode_record(b"\xc1" * length)


@pytest.mark.parametrize("length", [limits.NOTE_BYTES_MAX + 1, 10 * 1024 * 1024])
def test_notes_over_the_cap_are_refused_before_they_are_read(length: int) -> None:
    with pytest.raises(Malformed, match="empty or too long"):
        decode_note(b"\xc1" * length)


def of_length(kind: Kind, length: int) -> bytes:
    """A record of exactly this length, as one blob of it is as long as it must be."""
    for blob in range(length - 600, length):
        parts = (bytes(blob),)
        body = Move(b"\x02", False, 0, parts, (), ()) if kind is Kind.MOVE else Shares(*parts)
        data = encode_record(ZEROS, 0, 0, ZEROS, body, ZEROS) + SIGNATURE
        if len(data) == length:
            return data
    raise AssertionError("no blob gives this length")


@pytest.mark.parametrize("kind", [Kind.SHARES, Kind.MOVE])
def test_record_may_be_as_long_as_the_cap_of_its_kind_and_no_longer(kind: Kind) -> None:
    assert decode_record(of_length(kind, BYTES_MAX[kind])).kind is kind
    with pytest.raises(Malformed, match="too long for its kind"):
        decode_record(of_length(kind, BYTES_MAX[kind] + 1))


def test_start_records_have_a_lower_cap() -> None:
    """512 bytes of options fit, 1,024 bytes in all are the end: a start0 cannot hide a longer name or options."""
    values = values_of(SAMPLES["start0"])
    values[6][2] = bytes(limits.OPTIONS_BYTES_MAX)
    assert not refused_value(values)
    values[6][2] = bytes(limits.OPTIONS_BYTES_MAX + 1)
    assert refused_value(values)


@pytest.mark.parametrize("length", [0, 1, 63, 64])
def test_signature_alone_is_no_message(length: int) -> None:
    assert malformed(bytes(length))
    assert malformed(bytes(length), decode_note)


# Forms


def grown(head: bytes) -> bytes | None:
    """The next longer form of a msgpack head and its length or number."""
    first = head[0]
    if first <= 0x7F:
        return b"\xcc" + head
    if 0x90 <= first <= 0x9F:
        return b"\xdc\x00" + bytes([first & 0x0F])
    if 0xA0 <= first <= 0xBF:
        return b"\xd9" + bytes([first & 0x1F])
    longer = {0xC4: 0xC5, 0xC5: 0xC6, 0xCC: 0xCD, 0xCD: 0xCE, 0xCE: 0xCF, 0xD9: 0xDA, 0xDC: 0xDD}
    width = {0xC4: 1, 0xC5: 2, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xD9: 1, 0xDC: 2}
    if first not in longer:
        return None
    number = head[1 : 1 + width[first]]
    return bytes([longer[first]]) + bytes(len(number)) + number


def heads_of(value: object, at: int = 0) -> list[tuple[int, int]]:
    """Where each head of a packed value stands, and how many bytes it takes."""
    packed = pack(value)
    match value:
        case bool():
            return []
        case int():
            return [(at, len(packed))]
        case bytes():
            return [(at, len(packed) - len(value))]
        case str():
            return [(at, len(packed) - len(value.encode()))]
        case tuple() | list():
            heads = [(at, 1 if len(value) < 16 else 3)]
            inner = at + heads[0][1]
            for part in value:
                heads += heads_of(part, inner)
                inner += len(pack(part))
            return heads
        case _:
            raise AssertionError("a record holds nothing else")


@each_sample
def test_longer_form_of_any_number_string_bytes_or_array_is_malformed(record: Record) -> None:
    heads = heads_of(unpack(record.signed))
    assert len(heads) > 8
    for at, width in heads:
        longer = grown(record.signed[at : at + width])
        if longer is not None:
            with pytest.raises(Malformed, match="canonical form"):
                decode_record(record.signed[:at] + longer + record.signed[at + width :] + SIGNATURE)


# Types, arity, bounds

FOREIGN: Final = [
    None,
    True,
    False,
    1.0,
    float("nan"),
    {},
    {"a": 1},
    {1: 2, 3: 4},
    "text",
    "QUJD",
    b"bytes",
    (),
    (1,),
    -1,
    2**31 + 1,
    2**63,
    2**64 - 1,
    msgpack.ExtType(5, b""),
    msgpack.ExtType(5, b"abc"),
    msgpack.Timestamp(1, 0),
]


def kind_of_value(value: object) -> type:
    return tuple if isinstance(value, list) else type(value)


def places(values: list[Any]) -> list[tuple[int, ...]]:
    """Every field of the envelope and of the body."""
    return [(i,) for i in range(8)] + [(6, i) for i in range(len(values[6]))]


def with_value(values: list[Any], place: tuple[int, ...], value: object) -> list[Any]:
    changed = [list(part) if isinstance(part, list) else part for part in values]
    if len(place) == 1:
        changed[place[0]] = value
    else:
        changed[place[0]][place[1]] = value
    return changed


@each_sample
def test_value_of_another_type_is_malformed_in_every_field(record: Record) -> None:
    """Among them: bool for int and int for bool, float for int, text for bytes and bytes for text, nil, maps, ext."""
    values = values_of(record)
    for place in places(values):
        now = values[place[0]] if len(place) == 1 else values[place[0]][place[1]]
        for foreign in FOREIGN:
            if type(foreign) is not kind_of_value(now):
                assert refused_value(with_value(values, place, foreign)), (place, foreign)


@each_sample
def test_missing_and_surplus_fields_are_malformed(record: Record) -> None:
    values = values_of(record)
    assert not refused_value(values)
    for i in range(8):
        assert refused_value(values[:i] + values[i + 1 :])
    for i in range(len(values[6])):
        assert refused_value(with_value(values, (6,), values[6][:i] + values[6][i + 1 :]))
    assert refused_value([*values, 0])
    assert refused_value([*values, b""])
    assert refused_value(with_value(values, (6,), [*values[6], b""]))
    assert refused_value(with_value(values, (6,), []))


OUT_OF_BOUNDS: Final[dict[str, list[tuple[tuple[int, ...], object]]]] = {
    "start0": [
        ((1,), bytes(31)),
        ((1,), bytes(33)),
        ((2,), -1),
        ((2,), limits.RECORDS_MAX),
        ((3,), 2),
        ((3,), -1),
        ((4,), b""),
        ((5,), 6),
        ((5,), 255),
        ((7,), bytes(31)),
        ((6, 0), 256),
        ((6, 1), 256),
        ((6, 1), -1),
        ((6, 2), bytes(513)),
        ((6, 3), "x" * 65),
        ((6, 3), "я" * 33),
        ((6, 4), "x" * 21),
        ((6, 5), bytes(31)),
        ((6, 6), bytes(33)),
        ((6, 7), b""),
        ((6, 8), 0),
        ((6, 8), 2**31 + 1),
        ((6, 9), bytes(31)),
        ((6, 10), 4),
        ((6, 10), -1),
    ],
    "start1": [
        ((6, 0), "x" * 65),
        ((6, 0), "\U0001f0a1" * 17),
        ((6, 1), bytes(31)),
        ((6, 2), bytes(33)),
        ((6, 3), b""),
        ((6, 4), bytes(63)),
        ((6, 4), bytes(65)),
    ],
    "shuffle0": [((6, 0), bytes(31)), ((6, 1), bytes(33)), ((6, 2), bytes(65))],
    "bare move": [
        ((6, 0), bytes(65)),
        ((6, 2), -1),
        ((6, 2), 2**31 + 1),
        ((6, 3), (b"", b"", b"")),
        ((6, 4), (b"", b"", b"")),
        ((6, 5), (b"", b"", b"")),
        ((6, 3), ("",)),
        ((6, 3), ((),)),
    ],
}


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [(name, place, value) for name, cases in OUT_OF_BOUNDS.items() for place, value in cases],
)
def test_values_out_of_bounds_are_malformed(name: str, place: tuple[int, ...], value: object) -> None:
    assert refused_value(with_value(values_of(SAMPLES[name]), place, value))


def test_names_of_64_bytes_are_read_and_longer_ones_named() -> None:
    start1 = SAMPLES["start1"].body
    assert isinstance(start1, Start1)
    values = values_of(SAMPLES["start1"])
    for name in ("x" * 64, "я" * 32, "\U0001f0a1" * 16, ""):
        assert not refused_value(with_value(values, (6, 0), name))
    with pytest.raises(Malformed, match="more than 64 bytes"):
        decode_record(pack(with_value(values, (6, 0), "я" * 33)) + SIGNATURE)


def test_another_version_is_named() -> None:
    values = with_value(values_of(SAMPLES["start0"]), (0,), 2)
    with pytest.raises(Malformed, match="version 2; this program speaks version 1"):
        decode_record(pack(values) + SIGNATURE)


def test_body_of_another_kind_is_malformed() -> None:
    for record in SAMPLES.values():
        for kind in KINDS:
            if kind is not record.kind:
                assert refused_value(with_value(values_of(record), (5,), int(kind))), (record.kind, kind)


NOTE_VALUES: Final = (ZEROS, 0, int(NoteKind.CLAIM), 7, ZEROS, b"")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        *((i, foreign) for i in range(6) for foreign in FOREIGN if type(foreign) is not type(NOTE_VALUES[i])),
        (0, bytes(31)),
        (1, 2),
        (1, -1),
        (2, 5),
        (3, limits.RECORDS_MAX),
        (3, -1),
        (4, bytes(33)),
        (5, bytes(257)),
    ],
)
def test_note_with_a_wrong_field_is_malformed(place: int, value: object) -> None:
    values = list(NOTE_VALUES)
    values[place] = value
    assert malformed(msgpack.packb(values, use_bin_type=True) + SIGNATURE, decode_note)


@pytest.mark.parametrize("value", ["a text", -1, 2**40, None], ids=["text", "negative", "too large", "nil"])
def test_sentence_about_a_wrong_field_is_ours_and_no_library_s(value: object) -> None:
    values = values_of(SAMPLES["start0"])
    values[6][-1] = value

    with pytest.raises(Malformed) as refused:
        decode_record(msgpack.packb(values, use_bin_type=True) + SIGNATURE)

    assert str(refused.value) == "A message with a wrong field, or with too many of them or too few."


def test_note_of_another_arity_or_form_is_malformed() -> None:
    right = pack(NOTE_VALUES)
    assert not malformed(right + SIGNATURE, decode_note)
    for values in (NOTE_VALUES[:-1], (*NOTE_VALUES, b""), ()):
        assert malformed(pack(values) + SIGNATURE, decode_note)
    assert malformed(right.replace(b"\x07", b"\xcc\x07", 1) + SIGNATURE, decode_note)
    assert malformed(right + b"\x00" + SIGNATURE, decode_note)


# A second reader


def mutated(data: bytes, rng: SeededRng) -> bytes:
    """A message with one to three small faults."""
    changed = bytearray(data)
    for _ in range(1 + rng.below(3)):
        # Heads and short fields stand at the front; faults in the long blobs behind are all alike.
        at = rng.below(min(len(changed), 400) if rng.below(4) else len(changed))
        match rng.below(5):
            case 0:
                changed[at] ^= 1 << rng.below(8)
            case 1:
                changed[at] = rng.below(256)
            case 2:
                del changed[at]
            case 3:
                changed.insert(at, rng.below(256))
            case _:
                changed[at : at + rng.below(4)] = changed[at : at + 1 + rng.below(4)]
    return bytes(changed)


TIMES: Final = pytest.mark.parametrize("count", [4000, pytest.param(20_000, marks=pytest.mark.slow)])


@TIMES
def test_second_reader_agrees_on_records_and_mutations(count: int) -> None:
    rng = SeededRng(f"{count} mutations")
    records = [record.data for record in SAMPLES.values()]
    small = [SAMPLES[name].data for name in ("start0", "start1", "shares", "bare move")]
    read = {True: 0, False: 0}
    for number in range(count):
        source = records if number % 4 == 0 else small
        data = mutated(source[rng.below(len(source))], rng)
        taken = not malformed(data)
        assert taken == is_record(data), data.hex()
        read[taken] += 1
    assert min(read.values()) > count // 20, "both answers must be tried often"


@TIMES
def test_second_reader_agrees_on_notes_and_mutations(count: int) -> None:
    rng = SeededRng(f"{count} notes")
    read = {True: 0, False: 0}
    for _ in range(count):
        data = mutated(NOTES[rng.below(2)], rng)
        taken = not malformed(data, decode_note)
        assert taken == is_note(data), data.hex()
        read[taken] += 1
    assert min(read.values()) > count // 20, "both answers must be tried often"


def sealed_messages() -> list[bytes]:
    """One message of each kind, and one of each size on the wire."""
    acks = Acks(2, 31, b"bootboot", 300)
    payloads: list[Payload] = [
        Packed(2, 31, SAMPLES["bare move"].data),
        Packed(2, 3, SAMPLES["shuffle1"].data),
        Post(b"bootboot", 0, 7, 2, NOTES[0]),
        Post(b"bootboot", 250, 256, 255, b""),
        Ack(),
        Sync(bytes(range(32)), seen=True),
        Ping(0),
        Ping(2**53),
        Pong(65536),
    ]
    return [encode_message(acks, payload) for payload in payloads]


def test_every_strict_prefix_of_a_sealed_message_is_malformed() -> None:
    for data in sealed_messages()[2:]:
        assert all(malformed(data[:length], decode_message) for length in range(len(data)))


@TIMES
def test_second_reader_agrees_on_sealed_messages_and_mutations(count: int) -> None:
    rng = SeededRng(f"{count} messages")
    messages = sealed_messages()
    assert all(map(is_message, messages))
    read = {True: 0, False: 0}
    for number in range(count):
        data = bytearray(messages[rng.below(len(messages))])
        for _ in range(1 + rng.below(2)):
            at = rng.below(min(len(data), 80) if number % 8 else len(data))
            data[at] = data[at] ^ 1 << rng.below(8) if rng.below(2) else rng.below(256)
        if number % 10 == 0:
            data = bytearray(mutated(bytes(data), rng))
        taken = not malformed(bytes(data), decode_message)
        assert taken == is_message(bytes(data)), data.hex()
        read[taken] += 1
    assert min(read.values()) > count // 20, "both answers must be tried often"


def test_second_reader_takes_every_record_of_a_game() -> None:
    assert all(map(is_record, played().records))
    assert all(map(is_note, NOTES))
