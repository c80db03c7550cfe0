"""The saved log of one game as bytes: entries that are appended and never changed.

It owns the form of the file and its hashes; it opens no file, checks no signature and knows no game.

    magic | entry | entry ...      entry = length (4 bytes, big-endian) | tag (1) | payload | hash (32)

`length` counts tag and payload. The hash of a record entry is the one by which the next record names it, so the record
entries are the same bytes on both sides; notes stand between or behind them under a hash of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from fairdeck import limits
from fairdeck.transcript import HASH_BYTES, hash32
from fairdeck.wire import record_head

MAGIC_NAME: Final = b"p2pdurak log "
MAGIC: Final = MAGIC_NAME + b"1\n"
LENGTH_BYTES: Final = 4


class Tag(Enum):
    """What an entry holds."""

    RECORD = b"R"
    NOTE = b"N"


class Damage(Enum):
    """What is wrong with the bytes of a log, each with its sentence."""

    UNREADABLE = "This is no log of this program."
    UNSUPPORTED = "This log is of a version that this program does not read."
    TOO_LONG = "This log is longer, or has more entries, than any game can have."
    LENGTH = "An entry has an impossible length."
    TAG = "An entry is neither a record nor a note."
    HASH = "The bytes of an entry do not fit its hash."


@dataclass(frozen=True, slots=True)
class Saved:
    """What could be read of a log.

    Attributes:
        records: as signed, in order.
        notes: as signed, in order.
        whole: how many bytes from the start of the file are whole entries.
        torn: bytes behind them that are the beginning of an entry.
        damage: what stopped the reading, if anything did.
    """

    records: tuple[bytes, ...]
    notes: tuple[bytes, ...]
    whole: int
    torn: int
    damage: Damage | None

    @property
    def chain(self) -> bytes:
        """The record entries alone: the same bytes in the logs of both players."""
        return b"".join(encode_entry(Tag.RECORD, record) for record in self.records)


def entry_hash(tag: Tag, payload: bytes) -> bytes:
    """32 bytes that stand behind the payload in the file."""
    return record_head(payload) if tag is Tag.RECORD else hash32("log note", payload)


def encode_entry(tag: Tag, payload: bytes) -> bytes:
    """One entry as it is appended."""
    length = (1 + len(payload)).to_bytes(LENGTH_BYTES, "big")
    return length + tag.value + payload + entry_hash(tag, payload)


def read(data: bytes) -> Saved:
    """Read a log up to its end or to the first damage; never raises for any bytes."""
    if not data.startswith(MAGIC):
        return _no_log(data)
    if len(data) > limits.LOG_BYTES_MAX:
        return Saved((), (), 0, 0, Damage.TOO_LONG)
    records: list[bytes] = []
    notes: list[bytes] = []
    at, damage = len(MAGIC), None
    while at < len(data):
        entry = _read_entry(data, at)
        if entry is None:
            break
        if isinstance(entry, Damage):
            damage = entry
            break
        tag, payload, at = entry
        (records if tag is Tag.RECORD else notes).append(payload)
        if len(records) > limits.RECORDS_MAX or len(notes) > limits.NOTES_MAX:
            damage = Damage.TOO_LONG
            break
    return Saved(tuple(records), tuple(notes), at, 0 if damage else len(data) - at, damage)


def _no_log(data: bytes) -> Saved:
    if MAGIC.startswith(data) and data:
        return Saved((), (), 0, len(data), None)
    damage = Damage.UNSUPPORTED if data.startswith(MAGIC_NAME) else Damage.UNREADABLE
    return Saved((), (), 0, 0, damage)


def _read_entry(data: bytes, at: int) -> tuple[Tag, bytes, int] | Damage | None:
    """The entry at `at` and where the next one begins; None where the file ends within it."""
    if at + LENGTH_BYTES > len(data):
        return None
    length = int.from_bytes(data[at : at + LENGTH_BYTES], "big")
    if not 1 < length <= 1 + limits.RECORD_BYTES_MAX:
        return Damage.LENGTH
    start = at + LENGTH_BYTES
    end = start + length + HASH_BYTES
    if end > len(data):
        return None
    try:
        tag = Tag(data[start : start + 1])
    except ValueError:
        return Damage.TAG
    payload = data[start + 1 : start + length]
    if entry_hash(tag, payload) != data[start + length : end]:
        return Damage.HASH
    return tag, payload, end
