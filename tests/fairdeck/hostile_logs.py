"""Files that somebody may put where a log belongs, and edits by which somebody may try to change one.

It owns their bytes; what a reader must say to each stands in the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace as with_fields

from fairdeck import limits
from fairdeck.log import MAGIC, Tag, encode_entry
from fairdeck.wire import (
    ZEROS,
    Message,
    Move,
    Record,
    Shares,
    Shuffle0,
    Shuffle1,
    Start0,
    Start1,
    decode_record,
    encode_record,
)
from tests.fairdeck.cheap import IDENTITIES
from tests.fairdeck.forge import sign_record

UNSIGNED: Final = bytes(64)


def no_chain_that_anybody_signed(count: int = limits.RECORDS_MAX, blob: int = 0) -> bytes:
    """As many records as a log may hold, each in its place and with the right hashes, under signatures of zeros."""
    entries, prev = [], ZEROS
    for seq in range(count):
        data = encode_record(ZEROS, seq, seq % 2, prev, Shares(bytes(blob)), ZEROS) + UNSIGNED
        entries.append(encode_entry(Tag.RECORD, data))
        prev = decode_record(data).head
    return MAGIC + b"".join(entries)


TINY: Final = encode_entry(Tag.RECORD, b"x")
SECOND_VERSION: Final = MAGIC.replace(b"1", b"2")

FILES: Final[dict[str, tuple[str, Callable[[], bytes]]]] = {
    "empty": ("unreadable", lambda: b""),
    "another program's": ("unreadable", lambda: b"\x7fELF" + bytes(1000)),
    "zeros up to the limit": ("unreadable", lambda: bytes(limits.LOG_BYTES_MAX)),
    "zeros beyond the limit": ("unreadable", lambda: bytes(limits.LOG_BYTES_MAX + 1)),
    "text with other line ends": ("unsupported", lambda: MAGIC.replace(b"\n", b"\r\n")),
    "another version": ("unsupported", lambda: SECOND_VERSION + TINY),
    "another version beyond the limit": ("unsupported", lambda: SECOND_VERSION + bytes(limits.LOG_BYTES_MAX)),
    "beginning of the first line": ("torn", lambda: MAGIC[:7]),
    "first line alone": ("incomplete", lambda: MAGIC),
    "zeros behind the first line": ("invalid", lambda: MAGIC + bytes(1000)),
    "longest length": ("invalid", lambda: MAGIC + b"\xff\xff\xff\xff"),
    "longest length and bytes": ("invalid", lambda: MAGIC + b"\xff\xff\xff\xff" + bytes(100_000)),
    "length of nothing": ("invalid", lambda: MAGIC + b"\x00\x00\x00\x01R" + bytes(32)),
    "beyond the limit by a byte": ("invalid", lambda: MAGIC.ljust(limits.LOG_BYTES_MAX + 1, b"\0")),
    "a million tiny records": ("invalid", lambda: MAGIC + 1_000_000 * TINY),
    "as many tiny records as fit": ("invalid", lambda: MAGIC + (limits.LOG_BYTES_MAX // len(TINY) - 1) * TINY),
    "as many tiny records as are read": ("invalid", lambda: MAGIC + limits.RECORDS_MAX * TINY),
    "a million tiny notes": ("invalid", lambda: MAGIC + 1_000_000 * encode_entry(Tag.NOTE, b"x")),
    "note before all records": ("invalid", lambda: MAGIC + encode_entry(Tag.NOTE, bytes(100))),
    "long chain that nobody signed": ("invalid", no_chain_that_anybody_signed),
    "thick chain that nobody signed": ("invalid", lambda: no_chain_that_anybody_signed(1000, 8000)),
}
"""The verdict on files that are no log, and their bytes."""


# Edits by somebody who can hash and cannot sign.


def rechained(records: Sequence[bytes], place: int) -> list[bytes]:
    """The records with each from `place` on naming the one before it as it now is; every signature stays."""
    chain = list(records)
    for at in range(max(place, 1), len(chain)):
        record = decode_record(chain[at])
        chain[at] = written(record, prev=decode_record(chain[at - 1]).head, seq=at)
    return chain


def written(record: Record, **changes: Any) -> bytes:
    """A record with some fields changed under its old signature."""
    fields = {name: getattr(record, name) for name in ("sid", "seq", "seat", "prev", "body", "digest")}
    return encode_record(**(fields | changes)) + record.signature


def _other(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:] if data else b"x"


EDITS: Final[dict[type[Message], dict[str, Callable[[Any], Message]]]] = {
    Start0: {
        "name": lambda body: with_fields(body, name="Mary"),
        "date": lambda body: with_fields(body, date="2025-01-01"),
        "options": lambda body: with_fields(body, options=body.options.replace(b"pile_on=on", b"pile_on=off")),
        "key": lambda body: with_fields(body, vk=IDENTITIES[1].public),
        "commitment": lambda body: with_fields(body, commit=_other(body.commit)),
        "number of the game": lambda body: with_fields(body, game=2, link=b"link" * 8),
    },
    Start1: {
        "name": lambda body: with_fields(body, name="Olga"),
        "key": lambda body: with_fields(body, vk=IDENTITIES[0].public),
        "nonce": lambda body: with_fields(body, nonce=_other(body.nonce)),
    },
    Shuffle0: {"nonce": lambda body: with_fields(body, nonce=_other(body.nonce))},
    Shuffle1: {"deck": lambda body: with_fields(body, deck=_other(body.deck))},
    Shares: {"shares": lambda body: with_fields(body, shares=_other(body.shares))},
    Move: {
        "action": lambda body: with_fields(body, action=b"\x02" if body.action != b"\x02" else b"\x03"),
        "time": lambda body: with_fields(body, think_ms=body.think_ms + 1),
        "clock": lambda body: with_fields(body, auto=not body.auto),
    },
}
"""What somebody might like to change in a game, by kind of record."""


def edited_bodies(record: Record) -> dict[str, Message]:
    """The body of a record with one thing changed, by what it is."""
    return {name: edit(record.body) for name, edit in EDITS[type(record.body)].items()}


def signed_anew_by(seat: int, records: Sequence[bytes], place: int) -> list[bytes]:
    """The chain with the records of `seat` from `place` on signed anew, and those of the other as he signed them."""
    chain = list(records)
    for at in range(max(place, 1), len(chain)):
        record = decode_record(chain[at])
        data = written(record, prev=decode_record(chain[at - 1]).head)
        chain[at] = sign_record(IDENTITIES[seat], data[:-64]) if record.seat == seat else data
    return chain
