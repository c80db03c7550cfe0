"""Two copies of one game as one log: the longer chain with the notes of both, or the proof of a fork.

It owns how two chains relate and the bytes that come of it; it judges nothing: the audit of those bytes does.

Only one seat may speak at a time, so two honest copies of a game differ in their ends at most. Where they differ
before, the seat whose turn it was has signed two records for one place, and both together are its proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from fairdeck.errors import Malformed
from fairdeck.log import MAGIC, Saved, Tag, encode_entry, read
from fairdeck.wire import decode_record

START1 = 1
"""The place of the record that names the game: in it and behind it all records have its session id."""


class Relation(Enum):
    """How the chains of two logs relate."""

    SAME = "same"
    FIRST_LONGER = "first longer"
    SECOND_LONGER = "second longer"
    FORK = "fork"
    OTHER_GAME = "other game"


@dataclass(frozen=True, slots=True)
class Merged:
    """What two logs are together.

    Attributes:
        relation: of their chains.
        shared: how many records from the first on are the same in both.
        differing: of a fork, the record of each at the place `shared`.
        notes: how many notes stand in the first log alone, and in the second alone.
        data: one log of both, as bytes; of two different games nothing. A fork is saved as a player saves one: the
            first chain, and behind it the other record for the place where they part.
    """

    relation: Relation
    shared: int
    differing: tuple[bytes, ...]
    notes: tuple[int, int]
    data: bytes


def merge(first: bytes, second: bytes) -> Merged:
    """Put two logs together (SPEC: Two copies); never raises for any bytes.

    What is torn or damaged in either is left out; so are the second log's notes where the chains part, as they are
    about a course that the merged log does not hold.

    Args:
        first: the bytes of a log whose audit holds.
        second: the bytes of another one.
    """
    one, other = read(first), read(second)
    shared = _shared(one, other)
    alone = _only_in(one, other), _only_in(other, one)
    counts = len(alone[0]), len(alone[1])
    if shared < min(len(one.records), len(other.records)):
        differing = one.records[shared], other.records[shared]
        if _names_another_game(shared, *differing):
            return Merged(Relation.OTHER_GAME, shared, differing, counts, b"")
        return Merged(Relation.FORK, shared, differing, counts, _log((*one.records, differing[1]), one.notes))
    longer = max(one.records, other.records, key=len)
    data = _log(longer, (*one.notes, *alone[1]))
    return Merged(_relation(len(one.records) - len(other.records)), shared, (), counts, data)


def _shared(one: Saved, other: Saved) -> int:
    pairs = zip(one.records, other.records, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one.records), len(other.records)))


def _only_in(one: Saved, other: Saved) -> tuple[bytes, ...]:
    return tuple(note for note in one.notes if note not in other.notes)


def _names_another_game(place: int, one: bytes, other: bytes) -> bool:
    """Whether records that differ at a place begin different games; the session id hangs on the first two."""
    if place != START1:
        return place < START1
    try:
        return decode_record(one).sid != decode_record(other).sid
    except Malformed:
        return False


def _relation(longer_by: int) -> Relation:
    if longer_by == 0:
        return Relation.SAME
    return Relation.FIRST_LONGER if longer_by > 0 else Relation.SECOND_LONGER


def _log(records: tuple[bytes, ...], notes: tuple[bytes, ...]) -> bytes:
    entries = [encode_entry(Tag.RECORD, record) for record in records]
    return MAGIC + b"".join([*entries, *(encode_entry(Tag.NOTE, note) for note in notes)])
