"""Every limit is reached once and passed once: what is as long as it may be goes through, one more does not."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from msgspec.structs import replace as with_fields

from fairdeck import limits
from fairdeck.channel import Channel
from fairdeck.epochs import Epochs, Timers
from fairdeck.errors import LocalError, Malformed
from fairdeck.log import MAGIC, Damage, Tag, encode_entry, read
from fairdeck.packets import NO_BOOT, OVERHEAD_BYTES, Ack, Acks, Ping, Post, Record, decode_message, encode_message
from fairdeck.sealing import NO_NONCE, Epoch, Hello, Offer, StrayPacketError, encode_hello, session_keys
from fairdeck.streams import Posts, Records
from fairdeck.wire import (
    ZEROS,
    Body,
    Kind,
    Move,
    NoteKind,
    Shuffle1,
    decode_note,
    decode_record,
    encode_note,
    encode_record,
    pack,
    unpack,
)
from p2pdurak.events import Event, Said
from p2pdurak.safe_text import SafeText
from p2pdurak.table.chat import Chat
from tests.fairdeck.blame import body_of
from tests.fairdeck.games import record_of

SIGNATURE: Final = bytes(64)
KEYS: Final = session_keys(bytes(range(32)))
BOOT: Final = b"bootboot"
MOVE: Final = Move(b"\x02", False, 0, (), (), ())


def is_read(body: Body) -> bool:
    """Whether a record with this body is one."""
    try:
        decode_record(encode_record(ZEROS, 0, 0, ZEROS, body, ZEROS) + SIGNATURE)
    except Malformed:
        return False
    return True


def is_too_long(data: bytes, decode: Callable[[bytes], object]) -> bool:
    """Whether the length alone is what is wrong with these bytes."""
    try:
        decode(data)
    except Malformed as error:
        return "too long" in str(error)
    return False


def start(kind: Kind, **changes: object) -> bool:
    return is_read(with_fields(body_of(record_of(kind)), **changes))


def handshake(size: int) -> bool:
    """No start0 of canonical form is as long as its cap: here the options are too long as well."""
    body = body_of(record_of(Kind.START0))
    rest = len(encode_record(ZEROS, 0, 0, ZEROS, with_fields(body, options=bytes(512)), ZEROS) + SIGNATURE) - 512
    data = encode_record(ZEROS, 0, 0, ZEROS, with_fields(body, options=bytes(size - rest)), ZEROS) + SIGNATURE
    return len(data) == size and not is_too_long(data, decode_record)


def blob_record(body: Callable[[bytes], Body], size: int) -> bool:
    """A record of a kind that holds as long a blob as makes it `size` bytes long."""
    rest = len(encode_record(ZEROS, 0, 0, ZEROS, body(bytes(size - 512)), ZEROS)) + len(SIGNATURE) - (size - 512)
    return is_read(body(bytes(size - rest)))


def note(**changes: object) -> bytes:
    place: dict[str, object] = {"sid": ZEROS, "seat": 0, "kind": NoteKind.OPEN, "seq": 0, "head": ZEROS, "body": b""}
    return encode_note(**(place | changes)) + SIGNATURE  # type: ignore[arg-type]


def note_body(size: int) -> bool:
    try:
        decode_note(note(body=bytes(size)))
    except Malformed:
        return False
    return True


def array(parts: int) -> bool:
    try:
        unpack(pack([0] * parts))
    except Malformed:
        return False
    return True


def log_of_size(size: int) -> bool:
    """The bytes behind the magic are no entry: only the reason may be another."""
    return read(MAGIC.ljust(size, b"\0")).damage is not Damage.TOO_LONG


def entries(tag: Tag, count: int) -> bool:
    return read(MAGIC + count * encode_entry(tag, b"x")).damage is None


def packet(size: int) -> bool:
    """A message whose packet would have `size` bytes without its padding."""
    head = len(pack([0, 1, 0, NO_BOOT, 0, 1, 0])) + len(b"\xc5\x00\x00") + 2
    try:
        encode_message(Acks(1, 0, NO_BOOT, 0), Record(1, 0, bytes(size - head - OVERHEAD_BYTES)))
    except LocalError:
        return False
    return True


def count(number: int) -> bool:
    try:
        decode_message(encode_message(Acks(1, 0, NO_BOOT, number), Ping(number)))
    except Malformed:
        return False
    return True


class Nobody:
    """A channel whose posts go nowhere."""

    def post(self, kind: int, body: bytes, now: float) -> None:
        """Take it."""


def chat(size: int) -> bool:
    """The one byte that can be shown is the last; nothing is said where it is cut off."""
    heard: list[Event] = []
    Chat(Nobody(), 0, heard.append).hear(b"\x07" * (size - 1) + b"x", 100.0)  # type: ignore[arg-type]
    return heard == [Said(1, SafeText("x"))]


def records_ahead(ahead: int) -> bool:
    """Whether a record that comes so many places too early is kept until the others have come."""
    records = Records()
    records.open_game(1)
    records.arrive(1, ahead, b"early")
    arrived = [event.record for seq in range(ahead) for event in records.arrive(1, seq, b"late")]
    return b"early" in arrived


def posts_ahead(ahead: int) -> bool:
    posts = Posts(BOOT)
    posts.arrive(Post(b"theirown", 0, ahead, 1, b"early"))
    arrived = [event.body for n in range(ahead) for event in posts.arrive(Post(b"theirown", 0, n, 1, b"late"))]
    return b"early" in arrived


def flight(size: int) -> bool:
    records = Records()
    records.open_game(1)
    for _ in range(size):
        records.append(b"record")
    return len(records.take_flight()) == size


def posts_waiting(size: int) -> bool:
    posts = Posts(BOOT)
    try:
        for _ in range(size):
            posts.add(1, b"post")
    except LocalError:
        return False
    return True


def post_of_size(size: int) -> bool:
    try:
        Posts(BOOT).add(1, bytes(size))
    except LocalError:
        return False
    data = encode_message(Acks(1, 0, NO_BOOT, 0), Post(BOOT, 0, 0, 1, bytes(size)))
    return decode_message(data)[1] == Post(BOOT, 0, 0, 1, bytes(size))


def strangers(number: int) -> list[bytes]:
    """HELLOs of the peer, each of another run of his program."""
    rng = random.Random(7)
    return [encode_hello(KEYS, 1, Hello(rng.randbytes(32), NO_NONCE, bytes(32))) for _ in range(number)]


def hellos_waiting(number: int) -> bool:
    """Each is answered in a packet of its own, for as many as are kept until somebody takes them."""
    epochs = Epochs(KEYS, 0, random.Random(1).randbytes, Timers())
    for hello in strangers(number):
        epochs.hear_hello(hello, 0.0)
    return len(epochs.hellos) == number


def late_packets(size: int) -> bool:
    """Whether of so many packets the first is still opened when it comes behind the last."""
    rng = random.Random(3)
    offers = [Offer(rng.randbytes(32), X25519PrivateKey.from_private_bytes(rng.randbytes(32))) for _ in (0, 1)]
    hellos = [Hello(offers[seat].nonce, offers[1 - seat].nonce, offers[seat].public) for seat in (0, 1)]
    host, guest = Epoch(KEYS, 0, offers[0], hellos[1]), Epoch(KEYS, 1, offers[1], hellos[0])
    packets = [host.seal(encode_message(Acks(1, 0, NO_BOOT, 0), Ack())) for _ in range(size)]
    guest.open(packets[-1])
    try:
        guest.open(packets[0])
    except StrayPacketError:
        return False
    return True


def pings_open(number: int) -> bool:
    """Whether the first of so many pings still counts when its answer comes."""
    rng = random.Random(5)
    host, guest = (Channel(bytes(range(32)), seat, rng.randbytes) for seat in (0, 1))
    host.connect(0.0)
    guest.connect(0.0)
    for _ in range(10):
        for sender, hearer in ((host, guest), (guest, host)):
            for packet in sender.packets_to_send():
                hearer.receive(packet, 0.0)
    sent = []
    for beat in range(number):
        host.tick(100.0 + 3.0 * beat)
        sent.append(host.packets_to_send())
    for packet in sent[0]:
        guest.receive(packet, 200.0)
    for packet in guest.packets_to_send():
        host.receive(packet, 200.0)
    return host.rtt_s is not None


def nonces_kept(number: int) -> bool:
    """Whether the first of so many HELLOs is still known, and so gets no second answer at once."""
    epochs = Epochs(KEYS, 0, random.Random(1).randbytes, Timers())
    first, *others = strangers(number)
    for hello in (first, *others, first):
        epochs.hellos.clear()
        epochs.hear_hello(hello, 0.0)
    return epochs.hellos == []


FITS: Final[dict[str, Callable[[int], bool]]] = {
    "RECORD_BYTES_MAX": lambda size: blob_record(lambda blob: Shuffle1(blob, b"", b""), size),
    "HANDSHAKE_RECORD_BYTES_MAX": handshake,
    "MOVE_RECORD_BYTES_MAX": lambda size: blob_record(lambda blob: with_fields(MOVE, shares=(blob,)), size),
    "NOTE_BYTES_MAX": lambda size: not is_too_long(bytes(size), decode_note),
    "NOTE_BODY_BYTES_MAX": note_body,
    "NAME_BYTES_MAX": lambda size: start(Kind.START1, name="x" * size),
    "OPTIONS_BYTES_MAX": lambda size: start(Kind.START0, options=bytes(size)),
    "DATE_LETTERS_MAX": lambda size: start(Kind.START0, date="x" * size),
    "ACTION_BYTES_MAX": lambda size: is_read(with_fields(MOVE, action=bytes(size))),
    "GAMES_MAX": lambda number: start(Kind.START0, game=number),
    "THINK_MS_MAX": lambda number: is_read(with_fields(MOVE, think_ms=number)),
    "ARRAY_PARTS_MAX": array,
    "LOG_BYTES_MAX": log_of_size,
    "RECORDS_MAX": lambda number: entries(Tag.RECORD, number),
    "NOTES_MAX": lambda number: entries(Tag.NOTE, number),
    "PACKET_BYTES_MAX": packet,
    "COUNT_MAX": count,
    "CHAT_BYTES_MAX": chat,
    "POST_BYTES_MAX": post_of_size,
    "RECORDS_AHEAD_MAX": records_ahead,
    "POSTS_AHEAD_MAX": posts_ahead,
    "FLIGHT_MAX": flight,
    "POSTS_WAITING_MAX": posts_waiting,
    "LATE_PACKETS_MAX": late_packets,
    "PINGS_OPEN_MAX": pings_open,
    "NONCES_KEPT": nonces_kept,
    "HELLOS_WAITING_MAX": hellos_waiting,
}
"""Whether something of this size goes through."""


def test_every_limit_has_its_case() -> None:
    assert {name for name in vars(limits) if name.isupper()} == set(FITS)


@pytest.mark.parametrize("name", FITS)
def test_what_reaches_a_limit_goes_through_and_one_more_does_not(name: str) -> None:
    limit = getattr(limits, name)
    assert FITS[name](limit)
    assert not FITS[name](limit + 1)


def test_places_in_a_game_are_as_many_as_its_records() -> None:
    last = encode_record(ZEROS, limits.RECORDS_MAX - 1, 0, ZEROS, MOVE, ZEROS) + SIGNATURE
    assert decode_record(last).seq == limits.RECORDS_MAX - 1
    with pytest.raises(Malformed):
        decode_record(encode_record(ZEROS, limits.RECORDS_MAX, 0, ZEROS, MOVE, ZEROS) + SIGNATURE)
    with pytest.raises(Malformed):
        decode_note(note(seq=limits.RECORDS_MAX))


def test_acknowledgement_may_name_every_record_of_the_longest_game() -> None:
    whole = Acks(1, limits.RECORDS_MAX, NO_BOOT, 0)
    assert decode_message(encode_message(whole, Ack())) == (whole, Ack())
    with pytest.raises(Malformed):
        decode_message(encode_message(Acks(1, limits.RECORDS_MAX + 1, NO_BOOT, 0), Ack()))


def test_longest_handshake_record_stays_under_its_cap() -> None:
    body = with_fields(
        body_of(record_of(Kind.START0)),
        suite=255,
        cards=255,
        options=bytes(limits.OPTIONS_BYTES_MAX),
        name="\U0001f0a1" * 16,
        date="\U0001f0a1" * limits.DATE_LETTERS_MAX,
        game=limits.GAMES_MAX,
        opener=3,
    )
    data = encode_record(ZEROS, limits.RECORDS_MAX - 1, 1, ZEROS, body, ZEROS) + SIGNATURE
    assert decode_record(data).body == body
    assert len(data) == 983 < limits.HANDSHAKE_RECORD_BYTES_MAX
