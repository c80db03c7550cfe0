"""Two copies of one game as one log: the longer chain with the notes of both, or the proof of a fork.

It owns how two chains relate and the bytes that come of it; it judges nothing: the audit of those bytes does.

Only one seat may speak at a time, so two honest copies of a game differ in their ends at most. Where they differ
before, the seat whose turn it was has signed two records for one place, and both together are its proof.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from fairdeck.errors import Malformed
from fairdeck.log import MAGIC, Saved, Tag, encode_entry, read
from fairdeck.wire import Note, decode_note, decode_record

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
        left_out: how many of those cannot stand in one log with the rest.
        data: one log of both, as bytes; of two different games nothing. A fork is saved as a player saves one: the
            first chain, and behind it the other record for the place where they part.
    """

    relation: Relation
    shared: int
    differing: tuple[bytes, ...]
    notes: tuple[int, int]
    left_out: int
    data: bytes


def merge(first: bytes, second: bytes) -> Merged:
    """Put two logs together (SPEC: Two copies); never raises for any bytes.

    What is torn or damaged in either is left out; so are the second log's notes where the chains part, as they are
    about a course that the merged log does not hold. Of notes that hold in their own copy, two kinds would spoil the
    other: a second one of a kind by one seat, and one that tells of records beyond the longer chain.

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
            return Merged(Relation.OTHER_GAME, shared, differing, counts, 0, b"")
        return Merged(Relation.FORK, shared, differing, counts, 0, _log((*one.records, differing[1]), one.notes))
    longer = max(one.records, other.records, key=len)
    notes = _united(one, other, len(longer))
    data = _log(longer, notes)
    left_out = len(one.notes) + counts[1] - len(notes)
    return Merged(_relation(len(one.records) - len(other.records)), shared, (), counts, left_out, data)


def _shared(one: Saved, other: Saved) -> int:
    pairs = zip(one.records, other.records, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one.records), len(other.records)))


def _only_in(one: Saved, other: Saved) -> tuple[bytes, ...]:
    return tuple(note for note in one.notes if note not in other.notes)


def _united(one: Saved, other: Saved, count: int) -> tuple[bytes, ...]:
    """The notes of both that can stand in one log of `count` records: of each seat and kind the first."""
    united: dict[object, bytes] = {}
    for copy in (one, other):
        complete = len(copy.records) == count
        for data, note in _decoded(copy.notes):
            if note is None:
                united.setdefault(data, data)
            elif complete or note.seq <= count:
                united.setdefault((note.seat, note.kind), data)
    return tuple(united.values())


def _decoded(notes: Iterable[bytes]) -> Iterable[tuple[bytes, Note | None]]:
    for data in notes:
        try:
            yield data, decode_note(data)
        except Malformed:
            yield data, None


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
