"""Notes: signed statements about a game that stand outside its chain, and what they decide.

It owns the check of a note and the judgement of a whole game; it knows no secret and no file.

The chain comes first: an end by the rules beats every note. Then a resign counts, of two the one that had seen less,
and on a tie that of the seat owing the step. A claim is void on the claimer's own turn, and once the chain has grown.
Before the guest's shuffle nobody can know a card, so leaving is neutral there, and a resign is no more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from fairdeck.errors import Cheating, Malformed, Unexpected
from fairdeck.game import A, S, Seat
from fairdeck.group import decode_scalar, times_base
from fairdeck.referee import Referee, present
from fairdeck.sign import is_signed
from fairdeck.wire import ZEROS, Note, NoteKind, Record, decode_note, record_head

NOTE_LABEL: Final = "sign note"
UNCOUNTED_RECORDS: Final = 3
"""start0, start1, shuffle0: a head among these is before anybody could know a card."""


LAST_WORDS: Final = {NoteKind.RESIGN: "resigned", NoteKind.CLAIM: "claimed the win"}
"""After these their author signs no record; what he signed before may still be on its way."""


class End(Enum):
    """How a game stands or ended."""

    RUNNING = "running"
    CARDS = "cards"
    RESIGN = "resign"
    CLAIMED = "claimed"
    LEFT = "left"
    DESYNC = "desync"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What chain and notes say together. `note` is the one that decided, if a note did."""

    end: End
    winner: Seat | None = None
    loser: Seat | None = None
    note: Note | None = None

    @property
    def final(self) -> bool:
        """Whether there is a result that both sides share."""
        return self.end in {End.CARDS, End.RESIGN}


def check_note(referee: Referee[S, A], records: Sequence[bytes], data: bytes) -> Note:
    """Read a note about this game and demand that it is right.

    Args:
        referee: the public state of the game.
        records: the chain so far.
        data: the note with its signature.

    Raises:
        Malformed: it cannot be read or is not signed by the seat it names.
        Unexpected: it is about another game or another chain, or reveals a key that is not its author's.
    """
    note = check_note_author(referee, data)
    if note.seq <= len(records):
        head = record_head(records[note.seq - 1]) if note.seq else ZEROS
        if note.head != head:
            raise Unexpected("A note about another course of this game.")
    if note.kind is NoteKind.OPEN:
        _check_opened_key(referee, note)
    return note


def check_note_author(referee: Referee[S, A], data: bytes) -> Note:
    """Read a note and demand that it is about this game and signed by the seat it names; what it says may be false.

    Raises:
        Malformed, Unexpected: as `check_note` says.
    """
    note = decode_note(data)
    if note.sid != referee.sid:
        raise Unexpected("A note about another game.")
    key = referee.verification_key(note.seat)
    if key is None or not is_signed(key, NOTE_LABEL, note.signed, note.signature):
        raise Malformed("A note that is not signed by the seat it names.")
    return note


def check_among(referee: Referee[S, A], held: Sequence[Note], note: Note) -> None:
    """Demand that a note can stand beside those that are held already.

    A note may come before a record that its author has seen; it is judged when the chain has come that far.

    Raises:
        Unexpected: a second note of one kind by one seat, a claim on the claimer's own turn, or a game key shown
            before the end of the game.
    """
    if any((note.seat, note.kind) == (other.seat, other.kind) for other in held):
        raise Unexpected("A second note of the same kind.")
    owed = referee.owed
    if note.kind is NoteKind.CLAIM and note.seq == referee.seq and owed is not None and owed.seat == note.seat:
        raise Unexpected("The win was claimed by the seat whose turn it is.")
    if note.kind is NoteKind.OPEN and note.seq <= referee.seq and not judge(referee, held).final:
        raise Unexpected("A game key was shown before the end of the game.")


def check_ahead(referee: Referee[S, A], note: Note) -> None:
    """Demand that a note which has seen more than we have can be honest.

    Only one seat may speak at a time, so what its author has seen beyond our chain can only be records of his own.

    Raises:
        Unexpected: the next record is not his to make, or none is: what he says he has seen cannot exist.
    """
    owed = referee.owed
    if note.seq > referee.seq and (owed is None or owed.seat != note.seat):
        raise Unexpected("A note about records that cannot exist.")


def check_beside(held: Sequence[Note], record: Record) -> None:
    """Demand that a record of the chain does not contradict a note by the same seat.

    Raises:
        Cheating: he had resigned or claimed the win before it, or names another record of his for its place.
    """
    for note in held:
        evidence = (note.data, record.data)
        if note.seat != record.seat:
            continue
        if note.kind in LAST_WORDS and note.seq <= record.seq:
            raise Cheating(record.seat, f"A record was signed after its author had {LAST_WORDS[note.kind]}.", evidence)
        if note.seq == record.seq + 1 and note.head != record.head:
            raise Cheating(record.seat, "A note names another record of its author than the one he sent.", evidence)


def _check_opened_key(referee: Referee[S, A], note: Note) -> None:
    x = decode_scalar(referee.group, note.body)
    if times_base(referee.group, x) != referee.keys[note.seat]:
        raise Unexpected("A game key was shown that is not the one of the game.")


def opened_keys(notes: Sequence[Note]) -> tuple[int | None, int | None]:
    """The game keys that the notes reveal, by seat."""
    keys: list[int | None] = [None, None]
    for note in notes:
        if note.kind is NoteKind.OPEN:
            keys[note.seat] = int.from_bytes(note.body, "little")
    return keys[0], keys[1]


def judge(referee: Referee[S, A], notes: Sequence[Note]) -> Verdict:
    """Say how a game stands, from its chain and the checked notes about it.

    A note about records that have not come is left out: whether it is true cannot be known yet.
    """
    notes = [note for note in notes if note.seq <= referee.seq]
    if referee.over:
        outcome = referee.game.outcome(present(referee.state))
        return Verdict(End.CARDS) if outcome is None else Verdict(End.CARDS, outcome.winner, outcome.loser)
    resigned = _first_resign(referee, notes)
    if resigned is not None:
        return Verdict(End.RESIGN, 1 - resigned.seat, resigned.seat, resigned)
    return _without_result(referee, notes)


def _first_resign(referee: Referee[S, A], notes: Sequence[Note]) -> Note | None:
    resigns = [note for note in notes if note.kind is NoteKind.RESIGN and note.seq > UNCOUNTED_RECORDS]
    owing = referee.owed.seat if referee.owed is not None else 0
    return min(resigns, key=lambda note: (note.seq, note.seat != owing), default=None)


def _without_result(referee: Referee[S, A], notes: Sequence[Note]) -> Verdict:
    owed = referee.owed
    for note in notes:
        claims = note.kind is NoteKind.CLAIM and note.seq == referee.seq and referee.counts
        if claims and owed is not None and owed.seat != note.seat:
            return Verdict(End.CLAIMED, note.seat, 1 - note.seat, note)
    for note in notes:
        if note.kind in {NoteKind.LEAVE, NoteKind.RESIGN}:
            return Verdict(End.LEFT, None, note.seat if note.seq > UNCOUNTED_RECORDS else None, note)
    for note in notes:
        if note.kind is NoteKind.DESYNC:
            return Verdict(End.DESYNC, None, None, note)
    return Verdict(End.RUNNING)
