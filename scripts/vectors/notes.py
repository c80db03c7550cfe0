"""Vectors of notes: what a signed statement beside the chain must be, and what chain and notes together decide.

It owns the notes; the chains are one that stands in its first bout, and one that the rules have ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from fairdeck.group import EDWARDS25519, encode_scalar
from fairdeck.notes import NOTE_LABEL
from fairdeck.referee import RECORD_LABEL
from fairdeck.sign import SigningKey
from fairdeck.wire import ZEROS, NoteKind, decode_note, decode_record
from p2pdurak.rules.options import FirstAttacker, Options
from tests.fairdeck.cheap import IDENTITIES, dealt, lowest, sit_down
from tests.fairdeck.forge import forged_note, log_of
from vectors.form import Case, Group, VectorFile
from vectors.games import model
from vectors.saved import HEADER, Base, failing, holding

STRANGER: Final = SigningKey.from_seed(b"a stranger's key" * 2)
RESIGN, LEAVE, CLAIM, DESYNC, OPEN = NoteKind


@cache
def begun() -> Base:
    """A game in which the host has opened and four moves were made."""
    options = Options(first_attacker=FirstAttacker.HOST)
    pair = sit_down("notes", options=options, opener=0, suite=1).play(lowest, dealt)
    for _ in range(4):
        pair.step(lowest)
    return Base(pair)


@cache
def ended() -> Base:
    """A game that the rules have ended."""
    return Base(model())


def notes() -> VectorFile:
    """notes.json."""
    groups = (
        Group("EditedLog", (*_judged(begun()), *_false(begun())), begun().values()),
        Group("EditedLog", tuple(_after_the_end(ended())), ended().values()),
    )
    return VectorFile("notes.json", "Notes", HEADER, groups)


def _note(base: Base, seat: int, kind: NoteKind, seen: int | None = None, **changes: Any) -> bytes:
    """A note by a seat that has seen so many records; all of them, where no number is given."""
    state = base.states[-1 if seen is None else seen]
    return forged_note(state, seat, kind, **({"sid": base.states[-1].sid} | changes))


def _holds(base: Base, comment: str, word: str, *notes: bytes) -> Case:
    return holding(base, comment, log_of(base.records, notes), word)


def _judged(base: Base) -> Iterator[Case]:
    """What the notes of an unfinished game decide."""
    n, owing = len(base.records), base.pair.mover.seat
    yield _holds(base, "no note", "incomplete")
    for seat in (0, 1):
        yield _holds(base, f"seat {seat} resigns", "ok", _note(base, seat, RESIGN))
        yield _holds(base, f"seat {seat} leaves", "incomplete", _note(base, seat, LEAVE))
        yield _holds(base, f"seat {seat} notes a desync", "incomplete", _note(base, seat, DESYNC))
        early = _note(base, seat, RESIGN, 3)
        if seat == 0:
            continue
        log = log_of(base.records[:3], [early])
        yield holding(base, "a resign before anybody can know a card is a leave", log, "incomplete")
    yield _holds(base, "the seat that waits claims the win", "incomplete", _note(base, 1 - owing, CLAIM))
    both = [_note(base, seat, RESIGN) for seat in (0, 1)]
    yield _holds(base, "both resign after the same record: the seat that owes the step loses", "ok", *both)
    yield _holds(base, "the same in the other order", "ok", *both[::-1])
    last = base.records[-1]
    quiet = 1 - decode_seat(last)
    before = _note(base, quiet, RESIGN, n - 1)
    yield _holds(base, "a resign that crosses a record of the other seat", "ok", before)
    yield _holds(base, "both resign: the one that had seen less loses", "ok", _note(base, 1 - quiet, RESIGN), before)
    claim = _note(base, quiet, CLAIM, n - 1)
    yield _holds(base, "a claim is void once the chain has grown", "incomplete", claim)
    yield _holds(base, "a resign after a void claim", "ok", claim, _note(base, 1 - quiet, RESIGN))
    ahead = _note(base, 0, RESIGN, n, seq=n + 1, head=bytes([1] * 32))
    yield _holds(base, "a resign that has seen more than this file is left out", "incomplete", ahead)
    both = [_note(base, 1 - owing, CLAIM), _note(base, owing, LEAVE)]
    yield _holds(base, "a claim, and the other leaves", "incomplete", *both)
    both = [_note(base, 0, LEAVE), _note(base, 0, RESIGN)]
    yield _holds(base, "a resign counts before a leave", "ok", *both)
    yield _holds(base, "a desync and a leave", "incomplete", _note(base, 0, DESYNC), _note(base, 1, LEAVE))
    earlier = _note(base, 1, LEAVE, 6)
    yield _holds(base, "whoever left may come back and go on", "incomplete", earlier)
    unseen = _note(base, 0, LEAVE, 0, head=ZEROS)
    yield _holds(base, "a leave that has seen nothing", "incomplete", unseen)


def decode_seat(data: bytes) -> int:
    """The seat that a record names."""
    return decode_record(data).seat


def _false(base: Base) -> Iterator[Case]:
    """Notes that cannot stand, and notes that convict."""
    resign, owing, n = _note(base, 0, RESIGN), base.pair.mover.seat, len(base.records)
    note = decode_note(resign)
    xs = [encode_scalar(seat.x) for seat in base.pair.seats]

    def bad(comment: str, flag: str, *notes: bytes, place: int | None = None, accused: int | None = None) -> Case:
        at = len(notes) - 1 if place is None else place
        return failing(base, comment, flag, log_of(base.records, notes), accused=accused, place=at)

    yield bad("about another game", "WrongSession", _note(base, 0, RESIGN, sid=bytes([1] * 32)))
    yield bad("about no game", "WrongSession", _note(base, 0, RESIGN, sid=ZEROS))
    yield bad("about another course of the game", "WrongPlace", _note(base, 1, LEAVE, 6, head=bytes([1] * 32)))
    yield bad("with the head of the record before", "WrongPlace", _note(base, 0, RESIGN, head=base.states[-2].head))
    yield bad("about nothing seen, with a head", "WrongPlace", _note(base, 0, LEAVE, seq=0))
    yield bad("signed by the other seat", "WrongSignature", _note(base, 0, RESIGN, key=IDENTITIES[1]))
    yield bad("signed by a stranger", "WrongSignature", _note(base, 1, LEAVE, key=STRANGER))
    yield bad("not signed", "WrongSignature", note.signed + bytes(64))
    under_record = note.signed + IDENTITIES[0].sign(RECORD_LABEL, note.signed)
    yield bad("signed under the label of records", "WrongLabel", under_record)
    other_seat = decode_note(_note(base, 1, RESIGN))
    moved = other_seat.signed + IDENTITIES[0].sign(NOTE_LABEL, other_seat.signed)
    yield bad("in the other seat's name", "WrongSignature", moved)
    yield bad("the same note twice", "SecondNote", resign, resign)
    author = decode_seat(base.records[-1])
    two = [_note(base, 1 - author, RESIGN, n - 1), _note(base, 1 - author, RESIGN)]
    yield bad("two resigns by one seat", "SecondNote", *two)
    yield bad("bytes that are no note", "NoEntry", b"x" * 100)
    yield bad("a record as a note", "NoEntry", base.records[4])
    yield bad("a right note, then one that is none", "NoEntry", resign, b"x" * 100)
    yield bad("a claim on the claimer's own turn", "WrongClaim", _note(base, owing, CLAIM))
    for seat in (0, 1):
        shown = _note(base, seat, OPEN, body=xs[seat])
        yield bad(f"seat {seat} shows its key before the end", "EarlyKey", shown)
    claim = _note(base, 1 - owing, CLAIM)
    yield bad("a key is shown after a claim", "EarlyKey", claim, _note(base, owing, OPEN, body=xs[owing]))
    for kind, word in ((RESIGN, "resigned"), (CLAIM, "claimed the win")):
        last_words = _note(base, author, kind, n - 1)
        yield bad(f"a record was signed after its author had {word}", "AfterLastWords", last_words, accused=author)
    early = _note(base, 0, RESIGN, 4)
    other = _note(base, author, LEAVE, head=bytes([1] * 32))
    yield bad("names another record of its author for the last place", "Equivocation", other, accused=author)
    other = _note(base, 1 - author, LEAVE, head=bytes([1] * 32))
    yield bad("names another record of the other seat for the last place", "WrongPlace", other)
    yield bad("a resign long before one's own records", "AfterLastWords", early, accused=0)


def _after_the_end(base: Base) -> Iterator[Case]:
    """A game that the rules have ended: no note changes its result, and both keys open it."""
    xs, n = [encode_scalar(seat.x) for seat in base.pair.seats], len(base.records)
    shown = [_note(base, seat, OPEN, body=xs[seat]) for seat in (0, 1)]
    yield _holds(base, "both keys are shown", "ok", *shown)
    yield _holds(base, "in the other order", "ok", *shown[::-1])
    yield _holds(base, "one key is shown", "ok", shown[0])
    yield _holds(base, "a resign after the end", "ok", _note(base, 0, RESIGN))
    quiet = 1 - decode_seat(base.records[-1])
    crossing = _note(base, quiet, RESIGN, n - 1)
    yield _holds(base, "a resign that crosses the last record", "ok", crossing)
    yield _holds(base, "a leave and a desync", "ok", _note(base, 0, LEAVE), _note(base, 1, DESYNC))

    def bad(comment: str, flag: str, *notes: bytes, accused: int | None = None) -> Case:
        log = log_of(base.records, notes)
        return failing(base, comment, flag, log, accused=accused, place=len(notes) - 1)

    yield bad("the other seat's key", "WrongKey", _note(base, 0, OPEN, body=xs[1]))
    yield bad("a key that is not the game's", "WrongKey", _note(base, 0, OPEN, body=encode_scalar(5)))
    yield bad("a key of 31 bytes", "WrongLength", _note(base, 0, OPEN, body=xs[0][:31]))
    yield bad("no key", "WrongLength", _note(base, 0, OPEN))
    second = (int.from_bytes(xs[0], "little") + EDWARDS25519.order).to_bytes(32, "little")
    yield bad("a key in its second form", "ScalarNotReduced", _note(base, 0, OPEN, body=second))
    yield bad("a key twice", "SecondNote", shown[0], shown[0])
    last = decode_seat(base.records[-1])
    yield bad("a resign before one's own last record", "AfterLastWords", _note(base, last, RESIGN, n - 1), accused=last)
    ahead = _note(base, 0, LEAVE, seq=n + 1, head=bytes([1] * 32))
    yield bad("a note about records behind the end", "WrongPlace", ahead)
    other = _note(base, quiet, OPEN, body=xs[quiet], head=bytes(32))
    yield bad("a key about another course of the game", "WrongPlace", other)
    other = _note(base, last, OPEN, body=xs[last], head=bytes(32))
    yield bad("the same by the author of the record that it names otherwise", "Equivocation", other, accused=last)
