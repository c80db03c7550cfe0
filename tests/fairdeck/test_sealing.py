"""The locks of the channel, layer alone: HELLO, epochs, the window, and the messages inside."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import msgpack
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from fairdeck import limits
from fairdeck.errors import LocalError, Malformed
from fairdeck.packets import (
    NO_BOOT,
    OVERHEAD_BYTES,
    PACKET_SIZES,
    Ack,
    Acks,
    Payload,
    Ping,
    Pong,
    Post,
    Record,
    Sync,
    decode_message,
    encode_message,
)
from fairdeck.sealing import (
    NO_NONCE,
    Epoch,
    Hello,
    Offer,
    StrayPacketError,
    decode_hello,
    encode_hello,
    session_keys,
)

KEYS = session_keys(bytes(range(32)))
ACKS = Acks(3, 17, b"bootboot", 5)
PURE_ACK = Ack()
HEADER_BYTES = 26

# Every value of X25519 whose multiples by any secret key are zero, as in RFC 7748 section 6.1 and Curve25519's page.
LOW_ORDER = [
    bytes(32),
    (1).to_bytes(32, "little"),
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
    (2**255 - 20).to_bytes(32, "little"),
    (2**255 - 19).to_bytes(32, "little"),
    (2**255 - 18).to_bytes(32, "little"),
]


def new_offer(rng: random.Random) -> Offer:
    return Offer(rng.randbytes(32), X25519PrivateKey.from_private_bytes(rng.randbytes(32)))


def epoch_pair(seed: int = 1) -> tuple[Epoch, Epoch]:
    rng = random.Random(seed)
    mine, theirs = new_offer(rng), new_offer(rng)
    return (
        Epoch(KEYS, 0, mine, Hello(theirs.nonce, mine.nonce, theirs.public)),
        Epoch(KEYS, 1, theirs, Hello(mine.nonce, theirs.nonce, mine.public)),
    )


def message(payload: Payload = PURE_ACK) -> bytes:
    return encode_message(ACKS, payload)


def flip(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


# --- session keys -------------------------------------------------------------------------------------------


def test_every_key_of_a_session_is_its_own() -> None:
    parts = [KEYS.secret, KEYS.hello[0], KEYS.hello[1], KEYS.exporter]
    assert len(set(parts)) == 4
    assert len({part[:8] for part in [*parts, KEYS.conversation, bytes.fromhex(KEYS.topic)]}) == 6


def test_another_secret_gives_other_keys_throughout() -> None:
    other = session_keys(bytes(32))
    assert not {KEYS.conversation, *KEYS.hello, KEYS.topic, KEYS.exporter, KEYS.safety} & {
        other.conversation, *other.hello, other.topic, other.exporter, other.safety,
    }  # fmt: skip


def test_the_safety_words_get_twenty_two_bits() -> None:
    figures = [session_keys(bytes([n]) * 32).safety for n in range(64)]
    assert max(figures) < 2**22
    assert max(figures) >= 2**21


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_secret_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(LocalError):
        session_keys(bytes(size))


def test_keys_do_not_appear_in_a_repr() -> None:
    assert KEYS.exporter.hex() not in repr(KEYS)
    assert repr(KEYS.secret) not in repr(KEYS)


# --- HELLO --------------------------------------------------------------------------------------------------


def test_a_hello_comes_back_as_it_was_written() -> None:
    hello = Hello(b"n" * 32, b"e" * 32, b"p" * 32)
    assert decode_hello(KEYS, 1, encode_hello(KEYS, 1, hello)) == hello


def test_a_hello_with_any_bit_flipped_is_refused() -> None:
    packet = encode_hello(KEYS, 0, Hello(b"n" * 32, b"e" * 32, b"p" * 32))
    for bit in range(8 * len(packet)):
        with pytest.raises(StrayPacketError):
            decode_hello(KEYS, 0, flip(packet, bit))


def test_a_hello_cut_or_lengthened_is_refused() -> None:
    packet = encode_hello(KEYS, 0, Hello(b"n" * 32, b"e" * 32, b"p" * 32))
    for other in [*(packet[:size] for size in range(len(packet))), packet + b"\0"]:
        with pytest.raises(StrayPacketError):
            decode_hello(KEYS, 0, other)


def test_own_hello_sent_back_is_refused() -> None:
    packet = encode_hello(KEYS, 0, Hello(b"n" * 32, NO_NONCE, b"p" * 32))
    with pytest.raises(StrayPacketError):
        decode_hello(KEYS, 1, packet)


def test_own_hello_sent_back_with_the_other_seat_written_in_is_refused() -> None:
    packet = bytearray(encode_hello(KEYS, 0, Hello(b"n" * 32, NO_NONCE, b"p" * 32)))
    packet[9] = 1
    with pytest.raises(StrayPacketError):
        decode_hello(KEYS, 1, bytes(packet))


def test_each_seat_signs_its_hello_with_a_key_of_its_own() -> None:
    other = replace(KEYS, hello=(KEYS.hello[0], bytes(32)))
    packet = encode_hello(other, 1, Hello(b"n" * 32, NO_NONCE, b"p" * 32))
    with pytest.raises(StrayPacketError):
        decode_hello(KEYS, 1, packet)


def test_a_hello_of_another_session_is_refused() -> None:
    packet = encode_hello(session_keys(bytes(32)), 1, Hello(b"n" * 32, NO_NONCE, b"p" * 32))
    with pytest.raises(StrayPacketError):
        decode_hello(KEYS, 1, packet)


@pytest.mark.parametrize("public", LOW_ORDER, ids=range(len(LOW_ORDER)))
def test_a_low_order_key_is_refused(public: bytes) -> None:
    with pytest.raises(Malformed):
        Epoch(KEYS, 0, new_offer(random.Random(1)), Hello(b"n" * 32, NO_NONCE, public))


# --- sealed packets -----------------------------------------------------------------------------------------


def test_each_side_opens_what_the_other_seals() -> None:
    host, guest = epoch_pair()
    assert guest.open(host.seal(message())) == message()
    assert host.open(guest.seal(message())) == message()


def test_a_sealed_packet_begins_with_type_conversation_epoch_sender_and_counter() -> None:
    for seat, end in enumerate(epoch_pair()):
        for counter in range(3):
            header = b"\x02" + KEYS.conversation + end.ident + bytes([seat]) + counter.to_bytes(8, "big")
            assert end.seal(message())[:HEADER_BYTES] == header


def test_an_epoch_depends_on_the_session_secret() -> None:
    rng = random.Random(2)
    mine, theirs = new_offer(rng), new_offer(rng)
    host = Epoch(replace(KEYS, secret=bytes(32)), 0, mine, Hello(theirs.nonce, mine.nonce, theirs.public))
    guest = Epoch(KEYS, 1, theirs, Hello(mine.nonce, theirs.nonce, mine.public))
    with pytest.raises(StrayPacketError):
        guest.open(host.seal(message()))


def test_an_epoch_depends_on_both_nonces_and_on_the_exchanged_keys() -> None:
    rng = random.Random(2)
    mine, theirs = new_offer(rng), new_offer(rng)
    guest = Epoch(KEYS, 1, theirs, Hello(mine.nonce, theirs.nonce, mine.public))
    other_key = Offer(mine.nonce, X25519PrivateKey.from_private_bytes(rng.randbytes(32)))
    other_nonce = Offer(rng.randbytes(32), mine.private)
    for offer in (other_key, other_nonce):
        host = Epoch(KEYS, 0, offer, Hello(theirs.nonce, offer.nonce, theirs.public))
        with pytest.raises(StrayPacketError):
            guest.open(host.seal(message()))


def test_a_flipped_header_bit_is_refused() -> None:
    host, guest = epoch_pair()
    packet = host.seal(message())
    for bit in range(8 * HEADER_BYTES):
        with pytest.raises(StrayPacketError):
            guest.open(flip(packet, bit))
    assert guest.open(packet) == message()


def test_a_flipped_ciphertext_bit_is_refused() -> None:
    host, guest = epoch_pair()
    packet = host.seal(message())
    for bit in range(8 * HEADER_BYTES, 8 * len(packet)):
        with pytest.raises(StrayPacketError):
            guest.open(flip(packet, bit))


def test_a_cut_tag_is_refused() -> None:
    host, guest = epoch_pair()
    packet = host.seal(message())
    for size in range(len(packet)):
        with pytest.raises(StrayPacketError):
            guest.open(packet[:size])
    assert guest.open(packet) == message()


def test_own_packets_sent_back_are_refused() -> None:
    host, _ = epoch_pair()
    with pytest.raises(StrayPacketError):
        host.open(host.seal(message()))


def test_own_packets_sent_back_with_the_other_seat_written_in_are_refused() -> None:
    host, _ = epoch_pair()
    packet = bytearray(host.seal(message()))
    packet[17] = 1
    with pytest.raises(StrayPacketError):
        host.open(bytes(packet))


def test_a_packet_of_another_epoch_is_refused() -> None:
    host, _ = epoch_pair(1)
    _, guest = epoch_pair(2)
    with pytest.raises(StrayPacketError):
        guest.open(host.seal(message()))


def test_one_packet_replayed_a_thousand_times_is_opened_once() -> None:
    host, guest = epoch_pair()
    packet = host.seal(message())
    guest.open(packet)
    for _ in range(1000):
        with pytest.raises(StrayPacketError):
            guest.open(packet)


def test_packets_out_of_order_are_each_opened_once() -> None:
    host, guest = epoch_pair()
    packets = [host.seal(message(Ping(n))) for n in range(limits.LATE_PACKETS_MAX)]
    random.Random(3).shuffle(packets)
    opened = [guest.open(packet) for packet in packets]
    assert sorted(opened) == sorted(message(Ping(n)) for n in range(limits.LATE_PACKETS_MAX))
    for packet in packets:
        with pytest.raises(StrayPacketError):
            guest.open(packet)


def test_the_window_ends_where_it_says() -> None:
    host, guest = epoch_pair()
    packets = [host.seal(message()) for _ in range(limits.LATE_PACKETS_MAX + 2)]
    guest.open(packets[-1])
    guest.open(packets[2])
    with pytest.raises(StrayPacketError):
        guest.open(packets[1])


def test_a_jump_over_the_whole_window_forgets_and_refuses_what_lies_behind() -> None:
    host, guest = epoch_pair()
    packets = [host.seal(message()) for _ in range(3 * limits.LATE_PACKETS_MAX)]
    guest.open(packets[0])
    guest.open(packets[-1])
    for packet in (packets[0], packets[1], packets[-1], packets[2 * limits.LATE_PACKETS_MAX - 1]):
        with pytest.raises(StrayPacketError):
            guest.open(packet)
    assert guest.open(packets[2 * limits.LATE_PACKETS_MAX]) == message()


def test_an_authentic_jump_over_most_counters_costs_no_memory() -> None:
    host, guest = epoch_pair()
    guest.open(host.seal(message()))
    host._counter = 2**63  # a peer with a program of his own can do this
    assert guest.open(host.seal(message())) == message()
    assert guest.open(host.seal(message())) == message()


def test_a_forged_counter_does_not_move_the_window() -> None:
    host, guest = epoch_pair()
    first, second = host.seal(message()), host.seal(message())
    guest.open(first)
    for counter in (2**63, 2**64 - 1, limits.LATE_PACKETS_MAX, 5):
        with pytest.raises(StrayPacketError):
            guest.open(second[:18] + counter.to_bytes(8, "big") + second[26:])
    assert guest.open(second) == message()


def test_a_refused_packet_does_not_use_up_its_counter() -> None:
    host, guest = epoch_pair()
    packet = host.seal(message())
    with pytest.raises(StrayPacketError):
        guest.open(flip(packet, 8 * len(packet) - 1))
    assert guest.open(packet) == message()


# --- messages -----------------------------------------------------------------------------------------------

PAYLOADS: list[Payload] = [
    Record(1, 0, b""),
    Record(2**53, limits.RECORDS_MAX, bytes(limits.RECORD_BYTES_MAX)),
    Post(b"bootboot", 0, 0, 0, b""),
    Post(b"bootboot", 2**53, 2**53, 255, bytes(limits.POST_BYTES_MAX)),
    Ack(),
    Sync(bytes(32), False),
    Sync(b"h" * 32, True),
    Ping(0),
    Pong(2**53),
]


@pytest.mark.parametrize("payload", PAYLOADS, ids=repr)
def test_a_message_comes_back_as_it_was_written(payload: Payload) -> None:
    assert decode_message(encode_message(ACKS, payload)) == (ACKS, payload)


def test_a_packet_has_one_of_four_sizes_whatever_it_carries() -> None:
    host, _ = epoch_pair()
    sizes = {len(host.seal(message(Record(1, 1, bytes(size))))) for size in range(0, limits.RECORD_BYTES_MAX + 1, 37)}
    assert sizes == set(PACKET_SIZES)
    assert len(encode_hello(KEYS, 0, Hello(NO_NONCE, NO_NONCE, NO_NONCE))) in PACKET_SIZES


def test_a_message_gets_the_smallest_size_that_holds_it() -> None:
    frame = len(msgpack.packb([0, 3, 17, b"bootboot", 5, 1, 1, bytes(200)])) - 200 + 2
    room = PACKET_SIZES[0] - OVERHEAD_BYTES - frame
    assert len(message(Record(1, 1, bytes(room)))) == PACKET_SIZES[0] - OVERHEAD_BYTES
    assert len(message(Record(1, 1, bytes(room + 1)))) == PACKET_SIZES[1] - OVERHEAD_BYTES


def test_what_fits_no_packet_is_not_written() -> None:
    with pytest.raises(LocalError):
        message(Record(1, 1, bytes(limits.PACKET_BYTES_MAX)))


def padded(packed: bytes, size: int | None = None) -> bytes:
    room = next(size - OVERHEAD_BYTES for size in PACKET_SIZES if size - OVERHEAD_BYTES >= len(packed) + 2)
    return ((len(packed) if size is None else size).to_bytes(2, "big") + packed).ljust(room, b"\0")


HEAD = [2, 3, 17, b"bootboot", 5]
BAD_ARRAYS: dict[str, object] = {
    "nothing": None,
    "a number": 5,
    "bytes": b"abc",
    "a map": {2: 3},
    "an empty array": [],
    "too short": HEAD[:4],
    "one part too many": [*HEAD, 1],
    "eleven parts": [*HEAD, *range(6)],
    "unknown kind": [6, *HEAD[1:]],
    "negative kind": [-1, *HEAD[1:]],
    "bool as kind": [True, *HEAD[1:], b"bootboot", 0, 0, 0, b""],
    "float as game": [2, 3.0, *HEAD[2:]],
    "nil as place": [2, 3, None, *HEAD[3:]],
    "bool as place": [2, 3, True, *HEAD[3:]],
    "place over the longest game": [2, 3, limits.RECORDS_MAX + 1, *HEAD[3:]],
    "game over 2^53": [2, 2**53 + 1, *HEAD[2:]],
    "negative post": [*HEAD[:4], -1],
    "text as boot": [2, 3, 17, "bootboot", 5],
    "base64 text as boot": [2, 3, 17, "Ym9vdGJvb3Q=", 5],
    "short boot": [2, 3, 17, b"bootboo", 5],
    "long boot": [2, 3, 17, b"bootboot!", 5],
    "timestamp as post": [*HEAD[:4], msgpack.Timestamp(5)],
    "ext as post": [*HEAD[:4], msgpack.ExtType(5, b"")],
    "map as post": [*HEAD[:4], {}],
    "array as post": [*HEAD[:4], [5]],
    "record without bytes": [0, *HEAD[1:], 1, 1],
    "record as text": [0, *HEAD[1:], 1, 1, ""],
    "record too long": [0, *HEAD[1:], 1, 1, bytes(limits.RECORD_BYTES_MAX + 1)],
    "record past the longest game": [0, *HEAD[1:], 1, limits.RECORDS_MAX + 1, b""],
    "post kind 256": [1, *HEAD[1:], b"bootboot", 0, 0, 256, b""],
    "post too long": [1, *HEAD[1:], b"bootboot", 0, 0, 0, bytes(limits.POST_BYTES_MAX + 1)],
    "post with a short boot": [1, *HEAD[1:], b"boot", 0, 0, 0, b""],
    "sync with a short head": [3, *HEAD[1:], bytes(31), False],
    "sync with a number as flag": [3, *HEAD[1:], bytes(32), 0],
    "ping with bytes": [4, *HEAD[1:], b"\0"],
    "ping with bool": [4, *HEAD[1:], False],
    "pong over 2^53": [5, *HEAD[1:], 2**53 + 1],
}  # fmt: skip


@pytest.mark.parametrize("array", BAD_ARRAYS.values(), ids=BAD_ARRAYS)
def test_a_message_of_the_wrong_form_is_malformed(array: object) -> None:
    with pytest.raises(Malformed):
        decode_message(padded(msgpack.packb(array)))


ACK = bytes(msgpack.packb(HEAD))
BAD_BYTES: dict[str, bytes] = {
    "empty": b"",
    "one byte": b"\0",
    "only zeros": bytes(214),
    "an unused byte": padded(b"\xc1"),
    "a trailing byte": padded(ACK + b"\0"),
    "a second message": padded(ACK + ACK),
    "length too short": padded(ACK, len(ACK) - 1),
    "length too long": padded(ACK, len(ACK) + 1),
    "length past the end": padded(ACK, 65535),
    "padding that is not zero": padded(ACK)[:-1] + b"\1",
    "a larger size than needed": padded(ACK).ljust(PACKET_SIZES[1] - OVERHEAD_BYTES, b"\0"),
    "a size between": padded(ACK) + b"\0",
    "a number in two bytes": padded(b"\x95\xcc\x02" + ACK[2:]),
    "an array in three bytes": padded(b"\xdc\0\x05" + ACK[1:]),
    "bytes in three bytes": padded(ACK.replace(b"\xc4\x08", b"\xc5\0\x08")),
    "2^32-1 elements": padded(b"\xdd\xff\xff\xff\xff"),
    "2^32-1 bytes": padded(b"\xc6\xff\xff\xff\xff"),
    "a text of 2^32-1": padded(b"\xdb\xff\xff\xff\xff"),
    "a map of 2^32-1": padded(b"\xdf\xff\xff\xff\xff"),
    "arrays 2,000 deep": padded(b"\x91" * 2000),
    "text that is no UTF-8": padded(b"\x95\x02\x03\xa1\xff\xc4\x08bootboot\x05"),
}  # fmt: skip


@pytest.mark.parametrize("data", BAD_BYTES.values(), ids=BAD_BYTES)
def test_bytes_that_no_honest_program_writes_are_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        decode_message(data)


def test_every_bit_flip_of_a_message_is_malformed_or_another_message_in_its_one_form() -> None:
    written = message(Post(b"bootboot", 1, 2, 3, b"hello"))
    for bit in range(8 * len(written)):
        try:
            decoded = decode_message(flip(written, bit))
        except Malformed:
            continue
        assert encode_message(*decoded) == flip(written, bit)


def test_random_changes_never_raise_anything_but_malformed() -> None:
    rng = random.Random(4)
    changes: list[Callable[[bytes], bytes]] = [
        lambda data: flip(data, rng.randrange(8 * len(data))),
        lambda data: data[: rng.randrange(len(data))],
        lambda data: data[: rng.randrange(40)] + rng.randbytes(rng.randrange(8)) + data[rng.randrange(40) :],
    ]
    for _ in range(5000):
        data = rng.choice(changes)(rng.choice(changes)(message(rng.choice(PAYLOADS[2:]))) + b"\0")
        try:
            decoded = decode_message(data)
        except Malformed:
            continue
        assert encode_message(*decoded) == data


def test_before_the_first_post_the_acknowledged_run_is_zeros() -> None:
    acks = Acks(0, 0, NO_BOOT, 0)
    assert decode_message(encode_message(acks, Ack())) == (acks, Ack())
