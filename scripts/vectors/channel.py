"""Vectors of the line between two players: the key exchange behind a join code, and the packets of the channel.

It owns the messages and packets that must be refused; when a packet is sent is no matter of bytes, and not here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgpack
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from fairdeck import limits
from fairdeck.group import encode_scalar
from fairdeck.packets import Ack, Acks, Payload, Ping, Pong, Post, Record, Sync, encode_message
from fairdeck.pake import Pake
from fairdeck.sealing import NO_NONCE, Epoch, Hello, Offer, SessionKeys, encode_hello, session_keys
from fairdeck.transcript import hash32
from vectors.form import Case, Group, VectorFile, invalid, valid
from vectors.group import bad_points

PAKE_HEADER: Final = (
    "KeyExchange: x of the guest and y of the host, the messages that they send, and what comes of them;",
    "transcript is T. An invalid test states a value that the right words, nameplate and messages do not give.",
    "KeyExchangeMessage: what a role, which has sent `own`, is sent by the other side: taken or malformed.",
)
PACKETS_HEADER: Final = (
    "SessionKeys: everything derived from the session secret. Hello: whether packet is a HELLO that `seat` has made.",
    "Epoch: nonces and X25519 keys of both seats, the epoch's id, and packets of seat `sender` in this order: a list",
    "of [packet, opened], where opened is the padded message, or null for a packet that must be dropped.",
    "An epoch is invalid where a key gives an all-zero result. Message: a padded message and what it says.",
)


# The key exchange


def _rng(scalar: int) -> Callable[[int], bytes]:
    return lambda count: scalar.to_bytes(count, "big")


def _exchange(nameplate: str, words: str, x: int, y: int, host_words: str = "") -> dict[str, Any]:
    guest = Pake("guest", nameplate, words.encode(), _rng(x))
    host = Pake("host", nameplate, (host_words or words).encode(), _rng(y))
    keys = host.finish(guest.message)
    transcript = hash32("pake transcript", b"guest", guest.message, b"host", host.message, nameplate.encode())
    return {
        "nameplate": nameplate,
        "words": words,
        "x": encode_scalar(x),
        "y": encode_scalar(y),
        "guestMessage": guest.message,
        "hostMessage": host.message,
        "transcript": transcript,
        "sessionSecret": keys.session_secret,
        "confirmGuest": keys.confirm_guest,
        "confirmHost": keys.confirm_host,
    }


X: Final = 31415926535897932384626433832795028841971
Y: Final = 27182818284590452353602874713526624977572


def pake() -> VectorFile:
    """pake.json."""
    groups = (Group("KeyExchange", tuple(_exchanges())), Group("KeyExchangeMessage", tuple(_messages_of_pake())))
    return VectorFile("pake.json", "Key exchange", PAKE_HEADER, groups)


def _exchanges() -> Iterator[Case]:
    right = _exchange("k7q2m", "otter-kiosk-lamp", X, Y)
    yield valid("two honest sides", **right)
    yield valid("other words", **_exchange("k7q2m", "amber-river-stone", X, Y))
    yield valid("another nameplate", **_exchange("abcde", "otter-kiosk-lamp", Y, X))
    others = {
        "other words at the host": _exchange("k7q2m", "otter-kiosk-lamp", X, Y, "otter-kiosk-lamb"),
        "another nameplate": _exchange("k7q2n", "otter-kiosk-lamp", X, Y),
        "another x": _exchange("k7q2m", "otter-kiosk-lamp", X + 1, Y),
    }
    for comment, other in others.items():
        for name in ("sessionSecret", "confirmGuest", "confirmHost"):
            flag = "WrongCode" if "words" in comment else "WrongStatement"
            yield invalid(f"{name} of {comment}", flag, **(right | {name: other[name]}))
    swapped = {"confirmGuest": right["confirmHost"], "confirmHost": right["confirmGuest"]}
    yield invalid("the confirmations of the roles swapped", "WrongSeat", **(right | swapped))


def _messages_of_pake() -> Iterator[Case]:
    right = _exchange("k7q2m", "otter-kiosk-lamp", X, Y)
    guest, host = right["guestMessage"], right["hostMessage"]

    def taken(role: str, message: bytes) -> dict[str, Any]:
        own, scalar = (guest, X) if role == "guest" else (host, Y)
        common = {"nameplate": "k7q2m", "words": "otter-kiosk-lamp", "scalar": encode_scalar(scalar)}
        return common | {"role": role, "own": own, "message": message}

    yield valid("the guest's message", **taken("host", guest))
    yield valid("the host's message", **taken("guest", host))
    for role, message in (("host", guest), ("guest", host)):
        letter = message[:1]
        for comment, flag, data in bad_points():
            if role == "host":
                yield invalid(f"a message with {comment}", flag, **taken(role, letter + data))
        own = guest if role == "guest" else host
        for comment, flag, data in (
            ("its own message sent back", "Reflection", own),
            ("its own point under the other's letter", "Reflection", letter + own[1:]),
            ("an unknown letter", "WrongSeat", b"S" + message[1:]),
            ("no letter", "WrongLength", message[1:]),
            ("a byte more", "WrongLength", message + b"\0"),
            ("a byte less", "WrongLength", message[:-1]),
            ("nothing", "WrongLength", b""),
        ):
            yield invalid(f"{comment}, to the {role}", flag, **taken(role, data))


# Packets

SECRET: Final = bytes(range(32))
ACKS: Final = Acks(3, 17, b"bootboot", 5)


def packets() -> VectorFile:
    """packets.json."""
    groups = (
        Group("SessionKeys", tuple(_session_keys())),
        Group("Hello", tuple(_hellos()), {"secret": SECRET}),
        Group("Epoch", tuple(_epochs()), {"secret": SECRET}),
        Group("Message", tuple(_messages())),
    )
    return VectorFile("packets.json", "Channel", PACKETS_HEADER, groups)


def _shown(keys: SessionKeys) -> dict[str, Any]:
    parts = {"secret": keys.secret, "conversation": keys.conversation, "hello0": keys.hello[0], "hello1": keys.hello[1]}
    return parts | {"topic": keys.topic, "exporter": keys.exporter, "safety": keys.safety}


def _session_keys() -> Iterator[Case]:
    right, other = _shown(session_keys(SECRET)), _shown(session_keys(bytes(32)))
    yield valid("a secret", **right)
    yield valid("a secret of zeros", **other)
    for name in ("conversation", "hello0", "hello1", "topic", "exporter", "safety"):
        yield invalid(f"{name} of another secret", "WrongKey", **(right | {name: other[name]}))
    swapped = right | {"hello0": right["hello1"], "hello1": right["hello0"]}
    yield invalid("the keys of the seats swapped", "WrongSeat", **swapped)


def _hellos() -> Iterator[Case]:
    keys, hello = session_keys(SECRET), Hello(bytes([1] * 32), bytes([2] * 32), bytes([3] * 32))
    for seat in (0, 1):
        for comment, one in (("an answer", hello), ("a first", Hello(hello.nonce, NO_NONCE, hello.public))):
            named = {"nonce": one.nonce, "echo": one.echo, "public": one.public}
            yield valid(f"{comment} by seat {seat}", seat=seat, packet=encode_hello(keys, seat, one), **named)
    right = encode_hello(keys, 0, hello)
    yield invalid("sent back to its author", "Reflection", seat=1, packet=right)
    stranger = encode_hello(session_keys(bytes(32)), 0, hello)
    yield invalid("of another session", "WrongSession", seat=0, packet=stranger)
    for place, name in ((0, "type"), (1, "conversation"), (9, "seat"), (10, "nonce"), (42, "echo"), (74, "key")):
        yield invalid(f"a bit of its {name} is altered", "ModifiedPacket", seat=0, packet=_flip(right, place))
    for place, name in ((106, "padding"), (224, "code"), (255, "code's end")):
        yield invalid(f"a bit of its {name} is altered", "ModifiedPacket", seat=0, packet=_flip(right, place))
    for length in (0, 1, 106, 255, 257):
        yield invalid(f"{length} bytes", "WrongLength", seat=0, packet=(right + b"\0")[:length])


def _flip(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def _offers() -> tuple[Offer, Offer]:
    one, two = (Offer(bytes([n] * 32), X25519PrivateKey.from_private_bytes(bytes([10 + n] * 32))) for n in (1, 2))
    return one, two


def _pair(secret: bytes = SECRET) -> tuple[Epoch, Epoch]:
    mine, theirs = _offers()
    keys = session_keys(secret)
    host = Epoch(keys, 0, mine, Hello(theirs.nonce, mine.nonce, theirs.public))
    return host, Epoch(keys, 1, theirs, Hello(mine.nonce, theirs.nonce, mine.public))


def _epoch_values(public1: bytes | None = None) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for seat, (offer, byte) in enumerate(zip(_offers(), (11, 12), strict=True)):
        values |= {f"nonce{seat}": offer.nonce, f"private{seat}": bytes([byte] * 32), f"public{seat}": offer.public}
    return values | ({} if public1 is None else {"public1": public1})


def _epochs() -> Iterator[Case]:
    common = _epoch_values()
    for sender in (0, 1):
        pair = _pair()
        messages = [
            encode_message(ACKS, payload) for payload in (Sync(bytes([7] * 32), False), Ack(), Ping(1), Pong(1))
        ]
        sealed = [pair[sender].seal(message) for message in messages]
        reflected = pair[1 - sender].seal(messages[0])
        stranger = _pair(bytes(32))[sender].seal(messages[0])
        script = [
            *([packet, message] for packet, message in zip(sealed[:2], messages[:2], strict=True)),
            [sealed[0], None],
            [_flip(sealed[3], 60), None],
            [_flip(sealed[3], 25), None],
            [_flip(sealed[3], 3), None],
            [_flip(sealed[3], 12), None],
            [_flip(sealed[3], 17), None],
            [sealed[3][:-1] + bytes([sealed[3][-1] ^ 1]), None],
            [reflected, None],
            [stranger, None],
            [sealed[3], messages[3]],
            [sealed[2], messages[2]],
            [sealed[2], None],
        ]
        comment = f"by seat {sender}: in order, again, altered, reflected, of another session, late"
        yield valid(comment, "Replay", sender=sender, ident=pair[0].ident, packets=script, **common)
    p = 2**255 - 19
    low_order = [0, 1, p - 1, p, p + 1]
    low = [number.to_bytes(32, "little") for number in low_order]
    low += [bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")]
    low += [bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157")]
    ident = _pair()[0].ident
    for public in low:
        values = _epoch_values(public)
        yield invalid("the key of seat 1 is of low order", "SmallOrder", sender=1, ident=ident, packets=[], **values)


PAYLOADS: Final[tuple[tuple[str, Payload, list[Any]], ...]] = (
    ("record", Record(3, 17, b"a record"), [3, 17, b"a record"]),
    ("post", Post(b"bootbo0t", 2, 4, 1, b"hello"), [b"bootbo0t", 2, 4, 1, b"hello"]),
    ("ack", Ack(), []),
    ("sync", Sync(bytes([7] * 32), True), [bytes([7] * 32), True]),
    ("ping", Ping(9), [9]),
    ("pong", Pong(2**53), [2**53]),
)


def _messages() -> Iterator[Case]:
    head = [3, 17, b"bootboot", 5]
    for kind, (name, payload, parts) in enumerate(PAYLOADS):
        yield valid(name, message=encode_message(ACKS, payload), fields=[kind, *head, *parts])
    for comment, flag, packed in _bad_messages(head):
        yield invalid(comment, flag, message=_padded(packed))
    right = encode_message(ACKS, PAYLOADS[0][1])
    yield invalid("a byte of the padding is not zero", "NonCanonical", message=right[:-1] + b"\x01")
    size = int.from_bytes(right[:2], "big")
    yield invalid("the length is one short", "Truncated", message=(size - 1).to_bytes(2, "big") + right[2:])
    yield invalid("the length is one long", "TrailingBytes", message=(size + 1).to_bytes(2, "big") + right[2:])
    yield invalid("padded to the next size", "NonCanonical", message=right.ljust(1024 - 42, b"\0"))
    yield invalid("not padded", "WrongLength", message=right[: 2 + size])
    for message in (b"", b"\0", bytes(214)):
        yield invalid(f"{len(message)} zeros", "Truncated", message=message)


def _padded(packed: bytes) -> bytes:
    content = len(packed).to_bytes(2, "big") + packed
    room = next(size - 42 for size in (256, 1024, 4096, 16384) if size - 42 >= len(content))
    return content.ljust(room, b"\0")


def _bad_messages(head: list[Any]) -> Iterator[tuple[str, str, bytes]]:
    for comment, flag, value in (
        ("kind 6", "OutOfBounds", [6, *head]),
        ("kind -1", "OutOfBounds", [-1, *head]),
        ("true for a kind", "WrongType", [True, *head, 9]),
        ("a float for a kind", "WrongType", [2.0, *head]),
        ("an ack with a part", "WrongArity", [2, *head, 1]),
        ("a ping without a token", "WrongArity", [4, *head]),
        ("a ping with two", "WrongArity", [4, *head, 1, 2]),
        ("a record without bytes", "WrongArity", [0, *head, 3, 17]),
        ("a head cut short", "WrongArity", [2, *head[:-1]]),
        ("nothing but an empty array", "WrongArity", []),
        ("a number", "WrongType", 5),
        ("a map", "WrongType", {0: 1}),
        ("a token above 2^53", "OutOfBounds", [4, *head, 2**53 + 1]),
        ("a negative token", "OutOfBounds", [4, *head, -1]),
        ("place 8,193", "OutOfBounds", [2, 3, limits.RECORDS_MAX + 1, *head[2:]]),
        ("a boot of 7 bytes", "WrongLength", [2, *head[:2], b"bootboo", 5]),
        ("a post of kind 256", "OutOfBounds", [1, *head, b"bootboot", 2, 4, 256, b""]),
        ("a post of 2,049 bytes", "OutOfBounds", [1, *head, b"bootboot", 2, 4, 1, bytes(2049)]),
        ("text for the bytes of a post", "WrongType", [1, *head, b"bootboot", 2, 4, 1, "text"]),
        ("a sync whose hash is short", "WrongLength", [3, *head, bytes(31), True]),
        ("a sync with 1 for true", "WrongType", [3, *head, bytes(32), 1]),
        ("nil for a place", "WrongType", [2, 3, None, *head[2:]]),
    ):
        yield comment, flag, msgpack.packb(value)
    right = msgpack.packb([4, *head, 9])
    yield "a number in a longer form", "NonCanonical", right[:-1] + b"\xcc\x09"
    yield "the array in a longer form", "NonCanonical", b"\xdc\x00\x06" + right[1:]
