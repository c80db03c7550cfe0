"""The audit of a saved log: every check that its bytes allow, from hashes to an audit that trusts no proof.

It owns the order of the checks and the verdict; it opens no file and knows no game but its argument. Hashes come before
signatures and signatures before proofs, so that damage is found fast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Generic

from fairdeck.deck import Deck
from fairdeck.elgamal import Ciphertext, decode_deck
from fairdeck.errors import Cheating, Desync, FairdeckError, Malformed, Unexpected, Unsupported
from fairdeck.game import A, Game, S
from fairdeck.group import SUITES, Group, Point, card_numbers
from fairdeck.log import Damage, Saved, read
from fairdeck.notes import (
    End,
    Verdict,
    check_ahead,
    check_among,
    check_beside,
    check_note,
    check_note_author,
    judge,
    opened_keys,
)
from fairdeck.referee import Followed, Owed, Referee, check_equivocation, follow, new_referee, present
from fairdeck.wire import VERSION, Kind, Move, Note, Record, Shuffle0, Shuffle1, decode_record, version_of


class Finding(Enum):
    """The verdict on a log, in one word (SPEC: Verdicts).

    OK: everything holds, and the game has a result.
    FOLLOWED: the same without a look at proofs, for lists; no verdict on the cards.
    INCOMPLETE: everything holds, and there is no result.
    TORN: the file ends within an entry; what stands before holds.
    INVALID: something does not hold.
    EQUIVOCATION: the log holds two records that one seat has signed for one place.
    UNSUPPORTED: another version of this program may be able to read it.
    UNREADABLE: it is no log.
    """

    OK = "ok"
    FOLLOWED = "followed"
    INCOMPLETE = "incomplete"
    TORN = "torn"
    INVALID = "invalid"
    EQUIVOCATION = "equivocation"
    UNSUPPORTED = "unsupported"
    UNREADABLE = "unreadable"

    @property
    def readable(self) -> bool:
        """Whether what stands in the log can be believed, as far as it goes."""
        return self in {Finding.OK, Finding.FOLLOWED, Finding.INCOMPLETE, Finding.TORN}


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the audit: what was looked at, whether it holds, and how much of it there was or what is wrong."""

    name: str
    holds: bool
    text: str


@dataclass(slots=True)
class Audit(Generic[S, A]):
    """Everything found out about a log.

    Attributes:
        finding: the verdict.
        checks: in the order in which they were made; the last one tells why an invalid log is invalid.
        saved: what could be read.
        steps: the records that were followed, with the state after each.
        notes: the notes that hold.
        verdict: how the game ended, once the chain holds.
        accused: the seat that is proven to have broken the protocol, if one is.
        place: the number of the record, or of the note, at which the audit stopped; of a place that was signed twice,
            its own. None where the file itself is damaged.
        owed: who owes which record next where a log that holds has no result.
    """

    finding: Finding
    saved: Saved
    checks: list[Check] = field(default_factory=list)
    steps: list[Followed[S, A]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    verdict: Verdict = field(default_factory=lambda: Verdict(End.RUNNING))
    accused: int | None = None
    place: int | None = None
    owed: Owed | None = None

    @property
    def referee(self) -> Referee[S, A] | None:
        """The last state that the chain reaches."""
        return self.steps[-1].referee if self.steps else None

    def passed(self, name: str, text: str) -> None:
        """Note a check that holds."""
        self.checks.append(Check(name, holds=True, text=text))

    def failed(
        self, name: str, text: str, finding: Finding = Finding.INVALID, *, place: int | None = None
    ) -> Audit[S, A]:
        """Note the check that ends the audit, and at which record or note it did."""
        self.checks.append(Check(name, holds=False, text=text))
        self.finding, self.place = finding, place
        return self


DAMAGE_FINDINGS: Final = {Damage.UNREADABLE: Finding.UNREADABLE, Damage.UNSUPPORTED: Finding.UNSUPPORTED}


def audit(data: bytes, game: Game[S, A], suites: Mapping[int, Group] = SUITES, *, proofs: bool = True) -> Audit[S, A]:
    """Check a log in full; never raises for any bytes.

    Args:
        data: the bytes of the file.
        game: the rules that the log is about.
        suites: the groups that this program knows.
        proofs: False only follows the game, for a list of many logs: hashes, signatures and rules are checked, but
            the finding is then at best `FOLLOWED`, which is no verdict on the cards.
    """
    saved = read(data)
    found: Audit[S, A] = Audit(Finding.OK, saved)
    if saved.damage is not None:
        at = f" (at record {len(saved.records)}, byte {saved.whole})" if saved.whole else ""
        return found.failed("file", saved.damage.value + at, DAMAGE_FINDINGS.get(saved.damage, Finding.INVALID))
    found.passed("file", f"{len(saved.records)} records and {len(saved.notes)} notes, every hash fits")
    if not _check_chain(found) or not _check_game(found, game, suites, proofs) or not _check_notes(found):
        return found
    if not proofs:
        found.finding = Finding.FOLLOWED
    elif not _check_opened(found):
        return found
    _conclude(found)
    return found


def _check_chain(found: Audit[S, A]) -> bool:
    """Whether each record names the one before it; no proof has been looked at yet."""
    head = None
    for place, data in enumerate(found.saved.records):
        if place == 0 and version_of(data) not in {None, VERSION}:
            text = f"record 0 is of protocol version {version_of(data)}; this program reads version {VERSION}"
            found.failed("chain", text, Finding.UNSUPPORTED, place=0)
            return False
        try:
            record = decode_record(data)
        except Malformed as error:
            found.failed("chain", f"record {place}: {error}", place=place)
            return False
        if _is_fork(found.saved.records, record):
            break  # whether it proves equivocation is known once the chain before it holds
        if record.seq != place or (head is not None and record.prev != head):
            found.failed("chain", f"record {place} does not follow the one before it", place=place)
            return False
        head = record.head
    if found.saved.records:
        found.passed("chain", "every record names the one before it")
    return True


def _is_fork(records: Sequence[bytes], record: Record) -> bool:
    """Whether the last entry is a second, different record for a place: so a player saves an equivocation."""
    return records[-1] == record.data and record.seq < len(records) - 1 and records[record.seq] != record.data


def _check_game(found: Audit[S, A], game: Game[S, A], suites: Mapping[int, Group], proofs: bool) -> bool:
    referee = new_referee(game, suites)
    records = found.saved.records
    for place, data in enumerate(records):
        if place == len(records) - 1 and _is_fork(records, decode_record(data)):
            return _check_fork(found, referee, place)
        try:
            step = follow(referee, data, verify=proofs)
        except FairdeckError as error:
            _refuse(found, place, error)
            return False
        found.steps.append(step)
        referee = step.referee
    _report_game(found, proofs)
    return True


def _check_fork(found: Audit[S, A], referee: Referee[S, A], place: int) -> bool:
    """Whether the last entry proves that a seat has signed two records for one place; either way the log ends here."""
    theirs = found.saved.records[place]
    seq = decode_record(theirs).seq
    try:
        check_equivocation(referee, found.saved.records[seq], theirs)
    except Cheating as error:
        found.accused = error.accused
        text = f"record {seq} twice, by seat {error.accused}: {error}"
        found.failed("equivocation", text, Finding.EQUIVOCATION, place=seq)
    except FairdeckError as error:
        _refuse(found, place, error)
    return False


def _refuse(found: Audit[S, A], place: int, error: FairdeckError) -> None:
    """Note why a record cannot be followed, and whom that accuses."""
    match error:
        case Cheating(accused=accused):
            found.accused = accused
            found.failed("record", f"record {place}, by seat {accused}: {error}", place=place)
        case Desync(accused=accused):
            found.accused = accused
            found.failed("state", f"record {place}, by seat {accused}: {error}", place=place)
        case Unsupported():
            found.failed("record", f"record {place}: {error}", Finding.UNSUPPORTED, place=place)
        case _:
            found.failed("record", f"record {place}: {error}", place=place)


def _report_game(found: Audit[S, A], proven: bool) -> None:
    kinds = [step.record.kind for step in found.steps]
    moves = [step.record.body for step in found.steps if isinstance(step.record.body, Move)]
    shuffles = kinds.count(Kind.SHUFFLE0) + kinds.count(Kind.SHUFFLE1)
    if not kinds:
        return
    found.passed("signatures", f"{len(kinds)} of {len(kinds)} records are signed by the seat they name")
    if shuffles and proven:
        found.passed("shuffles", f"{shuffles} of 2 shuffles are proven")
    if not moves:
        return
    found.passed("moves", f"{len(moves)} moves by the rules")
    if proven:
        answers = sum(len(move.proof) for move in moves)
        remasks = sum(bool(move.remask) for move in moves)
        shares = sum(bool(move.shares) for move in moves) + kinds.count(Kind.SHARES) + kinds.count(Kind.SHUFFLE1)
        found.passed("cards", f"{answers} of {answers} moves that show or deny a hidden card prove it")
        found.passed("remasks", f"{remasks} of {remasks} hands that had grown were remasked before a card was shown")
        found.passed("shares", f"{shares} lists of shares, each proven and exactly those owed")
    found.passed("states", "both seats held the same state after every move")


def _check_notes(found: Audit[S, A]) -> bool:
    for place, data in enumerate(found.saved.notes):
        try:
            found.notes.append(_checked_note(found, data))
        except FairdeckError as error:
            found.accused = error.accused if isinstance(error, Cheating) else None
            found.failed("notes", f"note {place}: {error}", place=place)
            return False
    if found.notes:
        found.passed("notes", ", ".join(f"{note.kind.name.lower()} by seat {note.seat}" for note in found.notes))
    if found.referee is not None:
        found.verdict = judge(found.referee, found.notes)
    return True


def _checked_note(found: Audit[S, A], data: bytes) -> Note:
    referee = found.referee
    if referee is None:
        raise Unexpected("A note before the first record.")
    said = check_note_author(referee, data)
    for step in found.steps:
        check_beside((said,), step.record)  # first: what its author has signed both ways is more than a wrong note
    note = check_note(referee, found.saved.records, data)
    check_among(referee, found.notes, note)
    if referee.over:  # else the records that it has seen may have been cut off
        check_ahead(referee, note)
    return note


def _conclude(found: Audit[S, A]) -> None:
    """Say how the game ended, or who owes the next step: a chain cannot show that it was not cut short."""
    verdict, torn = found.verdict, found.saved.torn
    if not verdict.final:
        found.owed = Owed(0, Kind.START0) if found.referee is None else found.referee.owed
    if torn:
        found.failed("end", f"the last {torn} bytes are the beginning of an entry", Finding.TORN)
        return
    match verdict.end:
        case End.CARDS if verdict.loser is None:
            found.passed("result", "a draw, nobody is the durak")
        case End.CARDS:
            found.passed("result", f"seat {verdict.loser} is the durak")
        case End.RESIGN:
            found.passed("result", f"seat {verdict.loser} resigned and is the durak")
        case End.CLAIMED | End.LEFT | End.DESYNC | End.RUNNING:
            found.failed("result", _unfinished(found), Finding.INCOMPLETE)


def _unfinished(found: Audit[S, A]) -> str:
    if found.referee is None:
        return "the game has not begun: seat 0 owes the first record"
    owed, verdict = found.owed, found.verdict
    author = None if verdict.note is None else verdict.note.seat
    why = {
        End.CLAIMED: f"seat {author} claimed the win, and a claim is no proof",
        End.LEFT: f"seat {author} left",
        End.DESYNC: f"seat {author} noted that the states differ",
    }.get(verdict.end, "the game is not finished")
    whose = "" if owed is None else f": seat {owed.seat} owes the next step ({owed.kind.name.lower()})"
    seen = max((note.seq for note in found.notes), default=0) - found.referee.seq
    return why + whose + (f"; a note tells of {seen} more" if seen > 0 else "")


# The audit that trusts no proof: with both game keys every ciphertext of the whole game can be opened.


def _check_opened(found: Audit[S, A]) -> bool:
    """Whether what both game keys open is a fair game; True where they are not both shown, or too early to be heard."""
    referee = found.referee
    if referee is None:
        return True
    keys = opened_keys([note for note in found.notes if note.seq <= referee.seq])
    if keys[0] is None or keys[1] is None:
        return True
    problem = _opened_decks(found, keys[0] + keys[1]) or _opened_remasks(found, (keys[0], keys[1]))
    if problem is not None:
        found.accused = problem.seat
        found.failed("opened", f"record {problem.seq}, by seat {problem.seat}: {problem.text}", place=problem.seq)
        return False
    count = len(present(referee.deck).cards)
    found.passed("opened", f"{count} of {count} cards: both decks and every remask opened, none missing or doubled")
    return True


@dataclass(frozen=True, slots=True)
class _Rigged:
    """A record in which ciphertexts open to what they may not; every proof notwithstanding its author has cheated."""

    seq: int
    seat: int
    text: str


def _opened_decks(found: Audit[S, A], x: int) -> _Rigged | None:
    """Open both shuffled decks, the host's first, with the sum of both keys."""
    group = present(found.referee).group
    for step in found.steps:
        body, record = step.record.body, step.record
        if isinstance(body, (Shuffle0, Shuffle1)):
            cards = present(step.referee.start0).cards
            deck = decode_deck(group, body.deck, cards)
            if sorted(_opened(group, x, deck, cards)) != list(range(cards)):
                return _Rigged(record.seq, record.seat, f"the deck of seat {record.seat} is not the {cards} cards")
    return None


def _opened_remasks(found: Audit[S, A], keys: tuple[int, int]) -> _Rigged | None:
    """Open each hand before and after its remask with its owner's key."""
    before: Deck | None = None
    for step in found.steps:
        body, seat = step.record.body, step.record.seat
        if isinstance(body, Move) and body.remask and before is not None:
            group, cards = before.group, len(before.cards)
            hand = [Ciphertext(entry.A, entry.B) for entry in before.hands[seat]]
            remasked = decode_deck(group, body.remask[0], len(hand))
            if sorted(_opened(group, keys[seat], hand, cards)) != sorted(_opened(group, keys[seat], remasked, cards)):
                return _Rigged(step.record.seq, seat, f"a remask of seat {seat} changed his hand")
        before = step.referee.deck
    return None


def _opened(group: Group, x: int, masked: Sequence[Ciphertext], cards: int) -> list[int]:
    """The card numbers behind ciphertexts; -1 for one that is no card."""
    numbers = card_numbers(group, cards)
    return [numbers.get(_message(x, one).data, -1) for one in masked]


def _message(x: int, masked: Ciphertext) -> Point:
    return masked.C2 - x * masked.C1
