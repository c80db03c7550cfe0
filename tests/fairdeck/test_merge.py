"""Two copies of one game: what they are together, and the proof where they part."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import pytest
from msgspec.structs import replace as with_fields

from fairdeck.audit import Audit, Finding, audit
from fairdeck.game import Seat
from fairdeck.log import MAGIC, Tag, encode_entry
from fairdeck.merge import Merged, Relation, merge
from fairdeck.notes import End
from fairdeck.wire import Kind, NoteKind, decode_record
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import State
from tests.fairdeck.blame import body_of, there
from tests.fairdeck.cheap import CHEAP_SUITES, IDENTITIES, Pair, SeededRng, in_bout, lowest, sit_down
from tests.fairdeck.forge import forged, forged_note, log_of, resigned
from tests.fairdeck.games import played

RECORDS: Final = played().records
NOTES: Final = [note.data for note in played().host.notes]
LOG: Final = log_of(RECORDS, NOTES)
COUNT: Final = len(RECORDS)


def judged(merged: Merged) -> Audit[State, Action]:
    return audit(merged.data, DURAK, CHEAP_SUITES)


def related(one: bytes, other: bytes) -> tuple[Relation, int]:
    merged = merge(one, other)
    return merged.relation, merged.shared


# One chain, shorter or longer


def test_equal_copies_are_one_log() -> None:
    assert merge(LOG, LOG) == Merged(Relation.SAME, COUNT, (), (0, 0), 0, LOG)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 30, COUNT - 1])
def test_prefix_gives_way_to_the_longer_copy(count: int) -> None:
    short = log_of(RECORDS[:count])
    assert merge(short, LOG) == Merged(Relation.SECOND_LONGER, count, (), (0, len(NOTES)), 0, LOG)
    assert merge(LOG, short) == Merged(Relation.FIRST_LONGER, count, (), (len(NOTES), 0), 0, LOG)


def test_two_torn_copies_make_a_whole_one() -> None:
    """The one lost its last record and the notes behind it, the other a note in its middle and what came then."""
    entries = [encode_entry(Tag.RECORD, data) for data in RECORDS]
    notes = [encode_entry(Tag.NOTE, data) for data in NOTES]
    one = MAGIC + b"".join(entries) + notes[0] + notes[1][:9]
    other = MAGIC + b"".join(entries[:-1]) + entries[-1][:-1]
    assert {audit(data, DURAK, CHEAP_SUITES).finding for data in (one, other)} == {Finding.TORN}
    for merged in (merge(one, other), merge(other, one)):
        assert judged(merged).finding is Finding.OK
        assert merged.data == log_of(RECORDS, NOTES[:1])


def test_notes_are_united_the_first_copys_first_and_each_once() -> None:
    one, other = log_of(RECORDS, NOTES[:1]), log_of(RECORDS, NOTES[::-1])
    assert merge(one, other) == Merged(Relation.SAME, COUNT, (), (0, 1), 0, LOG)
    assert merge(other, one).data == log_of(RECORDS, NOTES[::-1])
    assert "opened" in [check.name for check in judged(merge(one, other)).checks]


def test_merging_again_changes_nothing() -> None:
    one, other = log_of(RECORDS[:40], NOTES[:1]), log_of(RECORDS, NOTES[1:])
    merged = merge(one, other).data
    assert merge(merged, one).data == merge(merged, other).data == merge(merged, merged).data == merged


def unfinished() -> Pair:
    return sit_down("unfinished").play(lowest, in_bout)


def test_resign_that_only_one_copy_holds_decides_both() -> None:
    pair = unfinished()
    resign = forged_note(pair.referee, 0, NoteKind.RESIGN)
    merged = merge(log_of(pair.records), log_of(pair.records, [resign]))
    found = judged(merged)
    assert (found.finding, found.verdict.end, found.verdict.loser) == (Finding.OK, End.RESIGN, 0)


def test_claim_of_one_copy_is_void_where_the_other_goes_on() -> None:
    pair = unfinished()
    seat = 1 - pair.mover.seat
    claimed = log_of(pair.records, [forged_note(pair.referee, seat, NoteKind.CLAIM)])
    assert audit(claimed, DURAK, CHEAP_SUITES).verdict.end is End.CLAIMED
    pair.step(lowest)
    found = judged(merge(claimed, log_of(pair.records)))
    assert (found.finding, found.verdict.end, found.accused) == (Finding.INCOMPLETE, End.RUNNING, None)


def test_record_in_one_copy_after_a_resign_in_the_other_names_its_author() -> None:
    """Neither copy shows it alone."""
    pair = unfinished()
    seat = pair.mover.seat
    resigned_first = log_of(pair.records, [forged_note(pair.referee, seat, NoteKind.RESIGN)])
    pair.step(lowest)
    moved = log_of(pair.records)
    assert audit(moved, DURAK, CHEAP_SUITES).accused is None
    found = judged(merge(moved, resigned_first))
    assert (found.finding, found.checks[-1].name, found.accused) == (Finding.INVALID, "notes", seat)


def test_second_note_of_one_kind_by_one_seat_spoils_no_copy() -> None:
    """Else whoever signs two of them could make his friend's log look invalid."""
    pair = unfinished()
    early = forged_note(pair.referee, 0, NoteKind.LEAVE)
    pair.step(lowest)
    late = forged_note(pair.referee, 0, NoteKind.LEAVE)
    one, other = log_of(pair.records, [early]), log_of(pair.records, [late])
    for first, second in ((one, other), (other, one)):
        merged = merge(first, second)
        assert (merged.left_out, merged.notes, merged.data) == (1, (1, 1), first)
        assert judged(merged).finding is Finding.INCOMPLETE


def test_note_of_a_cut_copy_about_records_beyond_the_whole_chain_is_left_out() -> None:
    beyond = forged_note(played().before[30], decode_record(RECORDS[30]).seat, NoteKind.LEAVE, seq=COUNT + 1)
    cut = log_of(RECORDS[:30], [beyond])
    assert audit(cut, DURAK, CHEAP_SUITES).finding is Finding.INCOMPLETE
    for merged in (merge(cut, LOG), merge(LOG, cut)):
        assert (merged.left_out, merged.data) == (1, LOG)


# Two games


@cache
def another() -> list[bytes]:
    return sit_down("another game").play(lowest).records


def test_two_games_are_not_merged() -> None:
    merged = merge(LOG, log_of(another()))
    assert merged == Merged(Relation.OTHER_GAME, 0, (RECORDS[0], another()[0]), (len(NOTES), 0), 0, b"")
    assert related(log_of(RECORDS[:1]), log_of(another()[:1])) == (Relation.OTHER_GAME, 0)


def answered(seed: str, **changes: object) -> bytes:
    """The guest's answer to the proposal of the played game, made by another session of his."""
    body = with_fields(body_of(decode_record(RECORDS[1])), nonce=SeededRng(seed)(32), **changes)
    return forged(there(1)[0], 1, body)


def test_two_answers_to_one_proposal_that_name_different_games_are_two_games() -> None:
    assert related(LOG, log_of([RECORDS[0], answered("again")])) == (Relation.OTHER_GAME, 1)
    assert merge(LOG, log_of(RECORDS[:1])).relation is Relation.FIRST_LONGER


# Forks


@cache
def other_way(place: int) -> tuple[bytes, ...]:
    """The same game up to another record at `place`, which is as right as the one that was sent."""
    referee, record = there(place)
    moved = forged(referee, record.seat, with_fields(record.body, think_ms=77))
    return (*RECORDS[:place], moved)


@pytest.mark.parametrize("place", [played().at(Kind.MOVE, nth) for nth in (0, 20, -1)])
@pytest.mark.parametrize("swapped", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_fork_proves_equivocation_against_its_author(place: int, swapped: bool) -> None:
    copies = [LOG, log_of(other_way(place))]
    assert all(audit(data, DURAK, CHEAP_SUITES).finding.readable for data in copies)
    if swapped:
        copies.reverse()
    merged = merge(*copies)
    assert (merged.relation, merged.shared) == (Relation.FORK, place)
    assert set(merged.differing) == {RECORDS[place], other_way(place)[place]}
    found = judged(merged)
    seat = decode_record(RECORDS[place]).seat
    assert (found.finding, found.accused, found.place) == (Finding.EQUIVOCATION, seat, place)


def test_notes_are_no_part_of_the_proof_of_a_fork_that_they_do_not_know() -> None:
    pair = sit_down("unfinished").play(lowest, in_bout)
    place = len(pair.records)
    step = pair.step(lowest)
    one = log_of(pair.records)
    author = decode_record(step).seat
    moved = forged(pair.before[place], author, with_fields(body_of(decode_record(step)), think_ms=77))
    head = decode_record(moved).head
    about_the_other = forged_note(pair.referee, 0, NoteKind.LEAVE, head=head)
    merged = merge(one, log_of([*pair.records[:place], moved], [about_the_other]))
    assert merged.notes == (0, 1)
    found = judged(merged)
    assert (found.finding, found.accused) == (Finding.EQUIVOCATION, author)
    assert found.saved.notes == ()


def test_two_answers_in_one_game_are_a_fork_of_the_guest() -> None:
    """His name is no part of what names the game."""
    other = forged(there(1)[0], 1, with_fields(body_of(decode_record(RECORDS[1])), name="Olga"))
    merged = merge(LOG, log_of([RECORDS[0], other]))
    assert (merged.relation, merged.shared) == (Relation.FORK, 1)
    found = judged(merged)
    assert (found.finding, found.accused, found.place) == (Finding.EQUIVOCATION, 1, 1)


@pytest.mark.parametrize(
    "edit",
    [
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: resigned(decode_record(data), IDENTITIES[1 - decode_record(data).seat], digest=bytes(32)),
    ],
    ids=["edited by a stranger", "signed by the other seat"],
)
def test_fork_that_its_author_has_not_signed_proves_nothing(edit: Callable[[bytes], bytes]) -> None:
    edited = log_of([*RECORDS[:30], edit(RECORDS[30])])
    assert audit(edited, DURAK, CHEAP_SUITES).finding is Finding.INVALID
    found = judged(merge(LOG, edited))
    assert (found.finding, found.accused) == (Finding.INVALID, None)


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_no_edit_of_one_copy_accuses_an_honest_seat(seat: Seat) -> None:
    """One seat edits its copy as it likes, with its own key only; together with ours it never names us."""
    rng = SeededRng(f"editor {seat}")
    for _ in range(40):
        place = 2 + rng.below(COUNT - 2)
        record = decode_record(RECORDS[place])
        changed = resigned(record, IDENTITIES[seat], digest=rng(32), seat=(record.seat, seat)[rng.below(2)])
        merged = merge(LOG, log_of([*RECORDS[:place], changed]))
        assert judged(merged).accused in {None, seat}


# Any bytes


@pytest.mark.parametrize("data", [b"", MAGIC[:4], MAGIC, b"p2pdurak log 2\n", MAGIC + b"\xff" * 40, bytes(100)])
def test_bytes_that_hold_no_record_give_way_to_those_that_do(data: bytes) -> None:
    assert merge(data, LOG).data == merge(LOG, data).data == LOG


def test_records_that_cannot_be_read_are_a_fork_that_proves_nothing() -> None:
    for place in (1, 2, 30):
        merged = merge(LOG, log_of([*RECORDS[:place], b"x" * 100]))
        assert merged.relation is Relation.FORK
        assert (judged(merged).finding, judged(merged).accused) == (Finding.INVALID, None)


@pytest.mark.slow
def test_mutated_copies_never_make_the_merge_fail() -> None:
    rng = SeededRng("mutated copies")
    for _ in range(200):
        data = bytearray(LOG)
        for _ in range(1 + rng.below(3)):
            data[rng.below(len(data))] = rng.below(256)
        merged = merge(bytes(data), LOG)
        assert merged.relation is Relation.OTHER_GAME or merged.data.startswith(MAGIC)


def test_copy_that_is_evidence_itself_stays_so() -> None:
    place = played().at(Kind.MOVE, 20)
    evidence = log_of([*RECORDS, other_way(place)[place]])
    for merged in (merge(evidence, LOG), merge(LOG, evidence)):
        assert (judged(merged).finding, judged(merged).place) == (Finding.EQUIVOCATION, place)
