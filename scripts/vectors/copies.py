"""Vectors of two copies of one game: one log of both, or the proof that a seat signed two records for one place.

It owns the pairs of logs; what a log alone must be is in the vectors of logs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace as with_fields

from fairdeck.log import Tag, encode_entry
from fairdeck.wire import Move, NoteKind, Record, decode_record
from tests.fairdeck.cheap import Pair
from tests.fairdeck.forge import forged, forged_note, log_of, resigned
from vectors.form import Case, Group, VectorFile, invalid, valid
from vectors.logs import the_model
from vectors.notes import begun
from vectors.saved import Base, edits

HEADER: Final = (
    "TwoCopies: log, of the group, is the base64 of a saved log; first, second and merged are that one after edits",
    "[at, remove, insert]: `remove` bytes at offset `at` of the group's log give way to `insert`; they ascend.",
    "relation is same, first longer, second longer, fork or other game; of another game nothing is merged (null).",
    "Putting together is defined for logs that do not hold by themselves too; some here do not.",
    "verdict and accused are those of the merged log; result is valid where that is ok or incomplete.",
)


def copies() -> VectorFile:
    """copies.json."""
    whole, short = the_model(), begun()
    groups = (
        Group("TwoCopies", (*_united(whole), *_forks(whole)), whole.values()),
        Group("TwoCopies", tuple(_running(short)), short.values()),
    )
    return VectorFile("copies.json", "Two copies", HEADER, groups)


def _case(
    base: Base,
    comment: str,
    first: bytes,
    second: bytes,
    relation: str,
    merged: bytes | None,
    word: str,
    *flags: str,
    accused: int | None = None,
) -> Case:
    make = valid if word in {"ok", "incomplete"} else invalid
    return make(
        comment,
        *flags,
        first=edits(base.log, first),
        second=edits(base.log, second),
        relation=relation,
        merged=None if merged is None else edits(base.log, merged),
        verdict=word,
        accused=accused,
    )


def _united(base: Base) -> Iterator[Case]:
    """Copies of which one chain begins the other."""
    records, (host, guest) = base.records, base.notes
    whole, one, other = base.log, log_of(records, [host]), log_of(records, [guest])
    short = log_of(records[:30])
    yield _case(base, "the same twice", whole, whole, "same", whole, "ok")
    yield _case(base, "each has one key", one, other, "same", whole, "ok")
    yield _case(base, "the notes of the first stand first", other, one, "same", log_of(records, [guest, host]), "ok")
    yield _case(base, "the second is cut short", whole, short, "first longer", whole, "ok")
    yield _case(base, "the first is cut short", short, whole, "second longer", whole, "ok")
    yield _case(
        base,
        "the longer one lacks a key",
        log_of(records[:30], [host]),
        other,
        "second longer",
        log_of(records, [host, guest]),
        "ok",
    )
    both_short = log_of(records[:9]), log_of(records[:30])
    yield _case(base, "both are cut short", *both_short, "second longer", short, "incomplete")
    torn = log_of(records[:30]) + encode_entry(Tag.RECORD, records[30])[:50]
    yield _case(base, "what is torn is left out", torn, log_of(records[:9]), "first longer", short, "incomplete")


def _second(base: Base, place: int) -> tuple[Record, bytes]:
    """The record of a place, and another one that its author signs; of a move, one that is as right as the first."""
    record = decode_record(base.records[place])
    if isinstance(record.body, Move):
        return record, resigned(record, body=with_fields(record.body, think_ms=99))
    return record, resigned(record, digest=bytes(31) + b"\x01")


def _forks(base: Base) -> Iterator[Case]:
    """Copies in which a seat has signed two records for one place, and copies of two games."""
    records, notes = base.records, base.notes
    for place in (2, 4, 6, 9, 12, 16, 20, 30, len(records) - 1):
        record, second = _second(base, place)
        there = log_of([*records[:place], second])
        evidence = log_of([*records, second], notes)
        flags = ("Equivocation",)
        comment = f"seat {record.seat} has signed two records for place {place}"
        yield _case(base, comment, base.log, there, "fork", evidence, "equivocation", *flags, accused=record.seat)
    record, second = _second(base, 6)
    there = log_of([*records[:6], second])
    turned = log_of([*records[:6], second, records[6]])
    comment = "the same, the other copy first"
    yield _case(base, comment, there, base.log, "fork", turned, "equivocation", "Equivocation", accused=record.seat)
    state = base.states[0]
    other_start = forged(state, 0, with_fields(decode_record(records[0]).body, date="2026-12-01"))
    yield _case(
        base, "two proposals are two games", base.log, log_of([other_start]), "other game", None, "none", "SplicedChain"
    )
    guest = decode_record(records[1])
    other_guest = forged(base.states[1], 1, with_fields(guest.body, nonce=bytes(32)))
    comment = "two answers that make two sessions are two games"
    yield _case(base, comment, base.log, log_of([records[0], other_guest]), "other game", None, "none", "SplicedChain")
    _, second = _second(base, 1)
    evidence = log_of([*records, second], notes)
    comment = "two answers in one session are a fork"
    yield _case(
        base,
        comment,
        base.log,
        log_of([records[0], second]),
        "fork",
        evidence,
        "equivocation",
        "Equivocation",
        accused=1,
    )


def _running(base: Base) -> Iterator[Case]:
    """A game that has not ended."""
    pair: Pair = base.pair
    resign = forged_note(pair.referee, 0, NoteKind.RESIGN)
    leave = forged_note(pair.referee, 1, NoteKind.LEAVE)
    with_resign, with_leave = log_of(base.records, [resign]), log_of(base.records, [leave])
    merged = log_of(base.records, [resign, leave])
    yield _case(base, "a resign stands in one copy only", base.log, with_resign, "same", with_resign, "ok")
    yield _case(base, "a resign in one and a leave in the other", with_resign, with_leave, "same", merged, "ok")
    earlier = forged_note(base.states[-2], 1 - decode_record(base.records[-1]).seat, NoteKind.RESIGN)
    later = forged_note(base.states[-1], 1 - decode_record(base.records[-1]).seat, NoteKind.RESIGN)
    one, other = log_of(base.records[:-1], [earlier]), log_of(base.records, [later])
    united = log_of(base.records, [earlier])
    comment = "of two different resigns by one seat the first copy's stands"
    yield _case(base, comment, one, other, "second longer", united, "ok", "SecondNote")
    beyond = forged_note(
        base.states[-2], decode_record(base.records[-1]).seat, NoteKind.LEAVE, seq=len(base.records) + 1
    )
    cut = log_of(base.records[:-1], [beyond])
    comment = "a note of the shorter copy that tells of more than the longer has"
    yield _case(base, comment, cut, base.log, "second longer", base.log, "incomplete", "SecondNote")
    yield from _unreadable(base)


def _unreadable(base: Base) -> Iterator[Case]:
    """Copies with notes that no reader can decode: each stays once, and what is merged does not hold either."""
    one, other = log_of(base.records, [b"\xc1" * 80]), log_of(base.records, [b"\xc1" * 81])
    both = log_of(base.records, [b"\xc1" * 80, b"\xc1" * 81])
    flag = "NoEntry"
    yield _case(base, "a note that does not decode, in the first", one, base.log, "same", one, "invalid", flag)
    yield _case(base, "the same in the second", base.log, one, "same", one, "invalid", flag)
    yield _case(base, "the same in both stays once", one, one, "same", one, "invalid", flag)
    yield _case(base, "two that do not decode are two", one, other, "same", both, "invalid", flag)
