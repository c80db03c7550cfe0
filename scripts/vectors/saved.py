"""Logs as vectors: what is expected of one, and one log as a few edits of another.

It owns the form of the tests in notes.json and logs.json; which logs there are stands in the modules of these names.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any, Final

from fairdeck.audit import Audit, audit
from fairdeck.log import LENGTH_BYTES, MAGIC
from fairdeck.referee import present
from fairdeck.transcript import HASH_BYTES
from fairdeck.wire import NoteKind
from p2pdurak.durak import DURAK
from tests.fairdeck.cheap import DurakReferee, Pair
from tests.fairdeck.forge import forged_note, log_of
from vectors.form import Case, invalid, valid

HEADER: Final = (
    "EditedLog: log, of a group, is the base64 of a saved log; the log of a test is that one after its edits.",
    "An edit [at, remove, insert] takes `remove` bytes away at offset `at` and puts `insert` there. Every offset is",
    "one of the group's log; edits ascend and do not overlap. Records that both logs begin with may be followed once.",
    "verdict is the word; accused the seat that is proven to have cheated, or null; place the number of the record, or",
    "of the note, at which the reader stops, null where it is none (damage of the file) or where nothing is wrong.",
    "Of logs that hold (ok, incomplete, torn): records and notes are counted, end is cards, resign, claimed, left,",
    "desync or running, with winner and loser, and owed is [seat, kind of record] where somebody owes the next step.",
    "result is valid for ok and incomplete.",
)
GAP: Final = 8
"""Equal bytes between two edits that are not worth a new edit."""


@dataclass(frozen=True, slots=True)
class Base:
    """A log that others are edits of.

    Attributes:
        pair: the game behind it.
        notes: as they stand in it.
    """

    pair: Pair
    notes: tuple[bytes, ...] = ()

    @property
    def records(self) -> list[bytes]:
        """The chain."""
        return self.pair.records

    @property
    def states(self) -> list[DurakReferee]:
        """The state before each record, and the last one."""
        return [*self.pair.before, self.pair.referee]

    @property
    def log(self) -> bytes:
        """The file."""
        return log_of(self.records, self.notes)

    def values(self) -> dict[str, str]:
        """What stands in the group."""
        return {"log": b64encode(self.log).decode("ascii")}


def open_notes(pair: Pair) -> tuple[bytes, ...]:
    """Both seats show their keys."""
    keys = [seat.x.to_bytes(32, "little") for seat in pair.seats]
    return tuple(forged_note(pair.referee, seat, NoteKind.OPEN, body=keys[seat]) for seat in (0, 1))


def holding(base: Base, comment: str, log: bytes, word: str, *flags: str) -> Case:
    """A log in which nothing is wrong, or only the end is torn: what it says is read off by following the rules."""
    found = audit(log, DURAK, proofs=False)
    if not found.finding.readable:
        raise AssertionError(f"{comment}: {found.checks[-1]}")
    make = invalid if word == "torn" else valid
    return make(comment, *flags, edits=edits(base.log, log), verdict=word, accused=None, place=None, **_said(found))


def _said(found: Audit[Any, Any]) -> dict[str, Any]:
    verdict, owed = found.verdict, found.owed
    return {
        "records": len(found.saved.records),
        "notes": len(found.saved.notes),
        "end": verdict.end.value,
        "winner": verdict.winner,
        "loser": verdict.loser,
        "owed": None if owed is None else [owed.seat, int(owed.kind)],
    }


def failing(
    base: Base,
    comment: str,
    flag: str,
    log: bytes,
    word: str = "invalid",
    accused: int | None = None,
    place: int | None = None,
) -> Case:
    """A log that does not hold."""
    return invalid(comment, flag, edits=edits(base.log, log), verdict=word, accused=accused, place=place)


def edits(old: bytes, new: bytes) -> list[list[Any]]:
    """What makes one log of the other: first whole entries that differ, then the bytes that differ in them."""
    olds, news, found, at = _pieces(old), _pieces(new), [], 0
    offsets = [0, *accumulate(map(len, olds))]
    for what, i1, i2, j1, j2 in SequenceMatcher(None, olds, news, autojunk=False).get_opcodes():
        if what != "equal":
            at = offsets[i1]
            found += _edits_within(at, b"".join(olds[i1:i2]), b"".join(news[j1:j2]))
    return found


def _pieces(log: bytes) -> list[bytes]:
    """The first line and the entries, as far as there are whole ones; then the rest."""
    pieces, at = [log[: len(MAGIC)]], len(MAGIC)
    while at < len(log):
        end = at + LENGTH_BYTES + int.from_bytes(log[at : at + LENGTH_BYTES], "big") + HASH_BYTES
        pieces.append(log[at:end])
        at = end
    return pieces


def _edits_within(at: int, old: bytes, new: bytes) -> list[list[Any]]:
    if len(old) != len(new):
        start = _common(old, new)
        end = _common(old[start:][::-1], new[start:][::-1])
        return [[at + start, len(old) - start - end, new[start : len(new) - end]]]
    found: list[list[Any]] = []
    for place in (place for place in range(len(old)) if old[place] != new[place]):
        start = found[-1][0] - at if found and place - (found[-1][0] - at) - found[-1][1] < GAP else place
        if start == place:
            found.append([at + place, 0, b""])
        found[-1][1:] = [place + 1 - start, new[start : place + 1]]
    return found


def _common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def trace(base: Base) -> list[list[Any]]:
    """For each record from the deal on, what follows it: seat, kind, the game's digest, and who owes what."""
    lines: list[list[Any]] = []
    for place, referee in enumerate(base.states[1:]):
        owed = referee.owed
        game = None if referee.state is None else referee.game.digest(present(referee.state))
        lines.append([place, referee.head, game, None if owed is None else [owed.seat, int(owed.kind)]])
    return lines
