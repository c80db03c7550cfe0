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
from fairdeck.errors import Cheating, Desync, FairdeckError, Malformed, Unexpected
from fairdeck.game import A, Game, S
from fairdeck.group import SUITES, Group, Point, card_numbers
from fairdeck.log import Damage, Saved, read
from fairdeck.notes import End, Verdict, check_among, check_beside, check_note, judge, opened_keys
from fairdeck.referee import Followed, Referee, check_equivocation, follow, new_referee, present
from fairdeck.wire import Kind, Move, Note, Record, Shuffle0, Shuffle1, decode_record


class Finding(Enum):
    """The verdict on a log, in one word."""

    OK = "ok"
    FOLLOWED = "followed"
    INCOMPLETE = "incomplete"
    TORN = "torn"
    INVALID = "invalid"
    UNSUPPORTED = "unsupported"
    UNREADABLE = "unreadable"


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
    """

    finding: Finding
    saved: Saved
    checks: list[Check] = field(default_factory=list)
    steps: list[Followed[S, A]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    verdict: Verdict = field(default_factory=lambda: Verdict(End.RUNNING))
    accused: int | None = None

    @property
    def referee(self) -> Referee[S, A] | None:
        """The last state that the chain reaches."""
        return self.steps[-1].referee if self.steps else None

    def passed(self, name: str, text: str) -> None:
        """Note a check that holds."""
        self.checks.append(Check(name, holds=True, text=text))

    def failed(self, name: str, text: str, finding: Finding = Finding.INVALID) -> Audit[S, A]:
        """Note the check that ends the audit."""
        self.checks.append(Check(name, holds=False, text=text))
        self.finding = finding
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
    records: list[Record] = []
    for place, data in enumerate(found.saved.records):
        try:
            record = decode_record(data)
        except Malformed as error:
            found.failed("chain", f"record {place}: {error}")
            return False
        if _is_fork(found.saved.records, record):
            break  # whether it proves equivocation is known once the chain before it holds
        if record.seq != place or (records and record.prev != records[-1].head):
            found.failed("chain", f"record {place} does not follow the one before it")
            return False
        records.append(record)
    found.passed("chain", "every record names the one before it")
    return True


def _is_fork(records: Sequence[bytes], record: Record) -> bool:
    """Whether the last entry is a second, different record for a place: so a player saves an equivocation."""
    return records[-1] == record.data and record.seq < len(records) - 1 and records[record.seq] != record.data


def _check_fork(referee: Referee[S, A], records: Sequence[bytes]) -> None:
    last = decode_record(records[-1])
    if _is_fork(records, last):
        check_equivocation(referee, records[last.seq], records[-1])


def _check_game(found: Audit[S, A], game: Game[S, A], suites: Mapping[int, Group], proofs: bool) -> bool:
    referee = new_referee(game, suites)
    for place, data in enumerate(found.saved.records):
        try:
            if data == found.saved.records[-1]:
                _check_fork(referee, found.saved.records)
            step = follow(referee, data, verify=proofs)
        except Cheating as error:
            found.accused = error.accused
            found.failed("record", f"record {place}, by seat {error.accused}: {error}")
            return False
        except Desync as error:
            found.accused = decode_record(data).seat
            found.failed("state", f"record {place}, by seat {found.accused}: {error}")
            return False
        except FairdeckError as error:
            found.failed("record", f"record {place}: {error}")
            return False
        found.steps.append(step)
        referee = step.referee
    _report_game(found, proofs)
    return True


def _report_game(found: Audit[S, A], proven: bool) -> None:
    kinds = [step.record.kind for step in found.steps]
    moves = [step.record.body for step in found.steps if isinstance(step.record.body, Move)]
    shuffles = kinds.count(Kind.SHUFFLE0) + kinds.count(Kind.SHUFFLE1)
    found.passed("signatures", f"{len(kinds)} of {len(kinds)} records are signed by the seat they name")
    if shuffles and proven:
        found.passed("shuffles", f"{shuffles} of 2 shuffles are proven")
    if moves:
        proofs = sum(len(move.proof) for move in moves)
        remasks = sum(bool(move.remask) for move in moves)
        found.passed("moves", f"{len(moves)} moves by the rules, {proofs} cards opened or denied, {remasks} remasks")
        shares = sum(bool(move.shares) for move in moves) + kinds.count(Kind.SHARES) + kinds.count(Kind.SHUFFLE1)
        if proven:
            found.passed("shares", f"{shares} lists of shares, each proven and exactly those owed")
        found.passed("states", "both seats held the same state after every move")


def _check_notes(found: Audit[S, A]) -> bool:
    referee = found.referee
    for place, data in enumerate(found.saved.notes):
        try:
            if referee is None:
                raise Unexpected("A note before the first record.")
            note = check_note(referee, found.saved.records, data)
            check_among(referee, found.notes, note)
            found.notes.append(note)
            for step in found.steps:
                check_beside((note,), step.record)
        except FairdeckError as error:
            found.accused = error.accused if isinstance(error, Cheating) else None
            found.failed("notes", f"note {place}: {error}")
            return False
    if found.notes:
        found.passed("notes", ", ".join(f"{note.kind.name.lower()} by seat {note.seat}" for note in found.notes))
    if referee is not None:
        found.verdict = judge(referee, found.notes)
    return True


def _conclude(found: Audit[S, A]) -> None:
    """Say how the game ended, or who owes the next step: a chain cannot show that it was not cut short."""
    verdict, saved = found.verdict, found.saved
    if saved.torn:
        found.failed("end", f"the last {saved.torn} bytes are the beginning of an entry", Finding.TORN)
        return
    match verdict.end:
        case End.CARDS if verdict.loser is None:
            found.passed("result", "a draw, nobody is the durak")
        case End.CARDS:
            found.passed("result", f"seat {verdict.loser} is the durak")
        case End.RESIGN:
            found.passed("result", f"seat {verdict.loser} resigned and is the durak")
        case End.CLAIMED:
            found.failed("result", f"seat {verdict.winner} claimed the win; a claim is no proof", Finding.INCOMPLETE)
        case End.LEFT | End.DESYNC | End.RUNNING:
            found.failed("result", _unfinished(found), Finding.INCOMPLETE)


def _unfinished(found: Audit[S, A]) -> str:
    if found.referee is None:
        return "the game has not begun: seat 0 owes the first record"
    owed = found.referee.owed
    whose = "" if owed is None else f": seat {owed.seat} owes the next step ({owed.kind.name.lower()})"
    why = {End.LEFT: "somebody left", End.DESYNC: "a desync was noted"}.get(
        found.verdict.end, "the game is not finished"
    )
    return why + whose


# The audit that trusts no proof: with both game keys every ciphertext of the whole game can be opened.


def _check_opened(found: Audit[S, A]) -> bool:
    """Whether what both game keys open is a fair game; True where they are not both shown."""
    keys = opened_keys(found.notes)
    if found.referee is None or keys[0] is None or keys[1] is None:
        return True
    problem = "" if found.verdict.final else "the game keys were shown before the end of the game"
    problem = problem or _opened_decks(found, keys[0] + keys[1]) or _opened_remasks(found, (keys[0], keys[1]))
    if problem:
        found.failed("opened", problem)
        return False
    count = len(present(found.referee.deck).cards)
    found.passed("opened", f"{count} of {count} cards: both decks and every remask opened, none missing or doubled")
    return True


def _opened_decks(found: Audit[S, A], x: int) -> str:
    """Open both shuffled decks with the sum of both keys."""
    group = present(found.referee).group
    for step in found.steps:
        body = step.record.body
        if isinstance(body, (Shuffle0, Shuffle1)):
            cards = present(step.referee.start0).cards
            deck = decode_deck(group, body.deck, cards)
            if sorted(_opened(group, x, deck, cards)) != list(range(cards)):
                return f"the deck of seat {step.record.seat} is not the {cards} cards"
    return ""


def _opened_remasks(found: Audit[S, A], keys: tuple[int, int]) -> str:
    """Open each hand before and after its remask with its owner's key."""
    before: Deck | None = None
    for step in found.steps:
        body, seat = step.record.body, step.record.seat
        if isinstance(body, Move) and body.remask and before is not None:
            group, cards = before.group, len(before.cards)
            hand = [Ciphertext(entry.A, entry.B) for entry in before.hands[seat]]
            remasked = decode_deck(group, body.remask[0], len(hand))
            if sorted(_opened(group, keys[seat], hand, cards)) != sorted(_opened(group, keys[seat], remasked, cards)):
                return f"a remask of seat {seat} changed his hand (record {step.record.seq})"
        before = step.referee.deck
    return ""


def _opened(group: Group, x: int, masked: Sequence[Ciphertext], cards: int) -> list[int]:
    """The card numbers behind ciphertexts; -1 for one that is no card."""
    numbers = card_numbers(group, cards)
    return [numbers.get(_message(x, one).data, -1) for one in masked]


def _message(x: int, masked: Ciphertext) -> Point:
    return masked.C2 - x * masked.C1
