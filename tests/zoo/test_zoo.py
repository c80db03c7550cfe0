"""Every animal of the zoo is let loose once, in each seat that it can sit in, against an honest session.

What it sends must be refused with the right reason, blamed on its author where it proves something and on nobody
where it proves nothing; the victim must keep what he had; and what he saves must convince whoever reads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pytest

from fairdeck.audit import Finding, audit
from fairdeck.errors import Cheating, FairdeckError, Unexpected
from fairdeck.game import Seat
from fairdeck.log import Tag
from fairdeck.notes import NOTE_LABEL
from fairdeck.referee import RECORD_LABEL
from fairdeck.sign import is_signed
from fairdeck.wire import Start0, Start1, decode_note, decode_record
from p2pdurak.durak import DURAK
from tests.fairdeck.cheap import DurakSession
from tests.fairdeck.forge import log_of
from tests.zoo.cage import Animal, Cage, caged
from tests.zoo.families import FAMILIES

ANIMALS = [(animal, seat) for family in FAMILIES for animal in family.members for seat in animal.seats]


def named(animal: Animal, seat: Seat) -> str:
    return f"{animal.name}, by {('the host', 'the guest')[seat]}"


each = pytest.mark.parametrize(
    ("animal", "seat"),
    [
        pytest.param(animal, seat, id=named(animal, seat), marks=[pytest.mark.slow] if animal.suite else [])
        for animal, seat in ANIMALS
    ],
)
"""Those in the real group are slow: a whole game has to be played there first."""

in_both_groups = pytest.mark.parametrize(
    "suite", [pytest.param(0, id="cheap group"), pytest.param(1, id="real group", marks=pytest.mark.slow)]
)

HARMLESS = {Finding.OK, Finding.INCOMPLETE, Finding.FOLLOWED}
"""What an audit finds in a log in which nothing is wrong; OK after a resign."""

Held = tuple[list[bytes], list[bytes]]
"""The records and notes that a session holds."""


@dataclass(frozen=True)
class Fate:
    """What came of an attack: what was sent, what the victim had before it, and what his session raised."""

    cage: Cage
    sent: bytes
    before: Held
    error: FairdeckError | None

    @property
    def accused(self) -> Seat | None:
        return self.error.accused if isinstance(self.error, Cheating) else None


def held(session: DurakSession) -> Held:
    return list(session.records), [note.data for note in session.notes]


def take(session: DurakSession, tag: Tag, data: bytes) -> FairdeckError | None:
    try:
        if tag is Tag.RECORD:
            session.receive(data)
        else:
            session.receive_note(data)
    except FairdeckError as error:
        return error
    return None


@cache
def fate_of(animal: Animal, seat: Seat) -> Fate:
    cage = caged(animal, seat)
    sent = animal.forge(cage)
    before = held(cage.honest)
    return Fate(cage, sent, before, take(cage.honest, animal.tag, sent))


def evidence_of(animal: Animal, fate: Fate) -> bytes:
    """What a player saves when something is wrong: his log, and behind it what shows the misdeed."""
    records, notes = fate.before
    return log_of([*records, fate.sent], notes) if animal.tag is Tag.RECORD else log_of(records, [*notes, fate.sent])


def is_signed_by(fate: Fate, seat: Seat, data: bytes) -> bool:
    """Whether a piece of evidence is a record or note under the key of this seat."""
    key = fate.cage.referee.verification_key(seat)
    try:
        record = decode_record(data)
    except FairdeckError:
        note = decode_note(data)
        return note.seat == seat and key is not None and is_signed(key, NOTE_LABEL, note.signed, note.signature)
    body = record.body
    if key is None and isinstance(body, (Start0, Start1)):
        key = body.vk
    return record.seat == seat and key is not None and is_signed(key, RECORD_LABEL, record.signed, record.signature)


def those_with(animals: list[tuple[Animal, Seat]], fault: Callable[[Animal, Seat, Fate], bool]) -> list[str]:
    """The names of those of whom something is true that must not be."""
    return [named(animal, seat) for animal, seat in animals if fault(animal, seat, fate_of(animal, seat))]


def of_suite(suite: int) -> list[tuple[Animal, Seat]]:
    return [(animal, seat) for animal, seat in ANIMALS if animal.suite == suite]


@each
def test_attack_is_refused_for_the_right_reason_and_blamed_on_its_author_or_nobody(animal: Animal, seat: Seat) -> None:
    fate = fate_of(animal, seat)
    assert type(fate.error) is animal.error
    assert re.search(animal.why, str(fate.error))
    assert fate.accused == (seat if animal.error is Cheating else None)


@in_both_groups
def test_evidence_holds_what_was_sent_and_bears_the_authors_signature_throughout(suite: int) -> None:
    def is_weak(animal: Animal, seat: Seat, fate: Fate) -> bool:
        evidence = fate.error.evidence if isinstance(fate.error, Cheating) else (fate.sent,)
        signed = animal.error is not Cheating or all(is_signed_by(fate, seat, data) for data in evidence)
        return fate.sent not in evidence or not signed

    assert those_with(of_suite(suite), is_weak) == []


@in_both_groups
def test_victim_keeps_what_he_had(suite: int) -> None:
    assert those_with(of_suite(suite), lambda _, __, fate: held(fate.cage.honest) != fate.before) == []


@in_both_groups
def test_victim_signs_and_takes_nothing_more_after_a_bad_record(suite: int) -> None:
    def goes_on(animal: Animal, seat: Seat, fate: Fate) -> bool:
        victim, honest = fate.cage.honest, fate.cage.record.data
        ended = victim.failed is fate.error and not victim.owes_step and not victim.our_move
        return not ended or not isinstance(take(victim, Tag.RECORD, honest), Unexpected)

    assert those_with([case for case in of_suite(suite) if case[0].tag is Tag.RECORD], goes_on) == []


def test_bad_note_ends_no_game() -> None:
    notes = [case for case in ANIMALS if case[0].tag is Tag.NOTE]
    assert notes
    assert those_with(notes, lambda _, __, fate: fate.cage.honest.failed is not None) == []


@in_both_groups
def test_victim_is_told_in_a_sentence(suite: int) -> None:
    def is_gibberish(animal: Animal, seat: Seat, fate: Fate) -> bool:
        text = str(fate.error)
        return not re.fullmatch(r"[A-Z].{10,300}", text) or bool(re.search(r"\\x|b'|0x|Traceback|Error", text))

    assert those_with(of_suite(suite), is_gibberish) == []


@in_both_groups
def test_cheaters_own_program_would_not_have_taken_it_either(suite: int) -> None:
    """What he sees when he looks at it with the honest program: the same verdict on himself."""

    def sees_otherwise(animal: Animal, seat: Seat, fate: Fate) -> bool:
        error = take(fate.cage.cheater, Tag.RECORD, fate.sent)
        accused = error.accused if isinstance(error, Cheating) else None
        return (type(error), accused) != (animal.error, fate.accused)

    assert those_with([case for case in of_suite(suite) if case[0].tag is Tag.RECORD], sees_otherwise) == []


# The log of the victim, and the evidence that he saves


samples = pytest.mark.parametrize(
    "animals",
    [
        pytest.param(of_suite(0)[::12], id="one in twelve"),
        pytest.param(of_suite(0), id="cheap group", marks=pytest.mark.slow),
        pytest.param(of_suite(1), id="real group", marks=pytest.mark.slow),
    ],
)


@samples
def test_log_of_the_victim_accuses_nobody(animals: list[tuple[Animal, Seat]]) -> None:
    def accuses(animal: Animal, seat: Seat, fate: Fate) -> bool:
        found = audit(log_of(*fate.before), DURAK, fate.cage.honest.referee.suites, proofs=not animal.suite)
        return found.accused is not None or found.finding not in HARMLESS

    assert those_with(animals, accuses) == []


@samples
def test_saved_evidence_convinces_its_reader_of_the_same(animals: list[tuple[Animal, Seat]]) -> None:
    """Also what proves nothing: no log that anybody can write makes the victim the accused."""

    def reads_otherwise(animal: Animal, seat: Seat, fate: Fate) -> bool:
        found = audit(evidence_of(animal, fate), DURAK, fate.cage.honest.referee.suites)
        return found.accused != (seat if animal.is_proven else None) or (animal.is_proven and found.finding in HARMLESS)

    assert those_with(animals, reads_otherwise) == []
