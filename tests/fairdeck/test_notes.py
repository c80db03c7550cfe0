"""Notes: what they must be, what they may stand beside, and how chain and notes together are judged."""

from __future__ import annotations

from typing import Any, Final

import pytest

from fairdeck.errors import Cheating, FairdeckError, Malformed, Unexpected
from fairdeck.game import Seat
from fairdeck.group import encode_scalar
from fairdeck.notes import (
    UNCOUNTED_RECORDS,
    End,
    Verdict,
    check_ahead,
    check_among,
    check_beside,
    check_note,
    judge,
    opened_keys,
)
from fairdeck.referee import Stage, present
from fairdeck.wire import ZEROS, Kind, Note, NoteKind, decode_note, decode_record
from tests.fairdeck.cheap import GUEST, HOST, DurakReferee
from tests.fairdeck.forge import forged_note, resigned
from tests.fairdeck.games import drawn, played

RECORDS: Final = played().records
STATES: Final = (*played().before, played().referee)
MIDDLE: Final = 40
KEYS: Final = (HOST, GUEST)


def note(kind: NoteKind, seat: Seat, seq: int = MIDDLE, **changes: Any) -> Note:
    """A note by a seat that has seen `seq` records of the finished game."""
    return decode_note(forged_note(STATES[seq], seat, kind, **changes))


def owing(seq: int) -> Seat:
    return present(STATES[seq].owed).seat


def refused(data: bytes, error: type[FairdeckError], why: str, seq: int = MIDDLE) -> None:
    with pytest.raises(error, match=why):
        check_note(STATES[seq], RECORDS[:seq], data)


# What a note must be


@pytest.mark.parametrize("kind", [NoteKind.RESIGN, NoteKind.LEAVE, NoteKind.CLAIM, NoteKind.DESYNC])
@pytest.mark.parametrize("seq", [2, 10, MIDDLE])
def test_note_about_any_record_of_the_chain_is_right(kind: NoteKind, seq: int) -> None:
    for seat in (0, 1):
        right = note(kind, seat, seq)
        assert check_note(STATES[MIDDLE], RECORDS[:MIDDLE], right.data) == right


def test_note_signed_by_anybody_else_is_malformed() -> None:
    for seat in (0, 1):
        data = forged_note(STATES[MIDDLE], seat, NoteKind.RESIGN, key=KEYS[1 - seat])
        refused(data, Malformed, "not signed by the seat")


def test_note_with_an_altered_signature_is_malformed() -> None:
    data = note(NoteKind.RESIGN, 0).data
    refused(data[:-1] + bytes([data[-1] ^ 1]), Malformed, "not signed by the seat")


def test_record_signature_under_a_note_is_malformed() -> None:
    signed = note(NoteKind.RESIGN, 0).signed
    refused(signed + HOST.sign("sign record", signed), Malformed, "not signed by the seat")


def test_bytes_that_are_no_note_are_malformed() -> None:
    refused(RECORDS[MIDDLE], Malformed, "wrong field|too long")


def test_note_about_another_game_is_refused() -> None:
    refused(note(NoteKind.RESIGN, 0, sid=bytes(32)).data, Unexpected, "another game")


def test_note_of_a_seat_that_is_not_known_yet_is_malformed() -> None:
    data = forged_note(STATES[1], 1, NoteKind.LEAVE)
    refused(data, Malformed, "not signed by the seat", seq=1)


@pytest.mark.parametrize("seq", [2, 10, MIDDLE - 1, MIDDLE])
def test_note_with_another_head_than_the_chain_is_refused(seq: int) -> None:
    refused(note(NoteKind.RESIGN, 0, seq, head=bytes(32)).data, Unexpected, "another course")
    refused(note(NoteKind.RESIGN, 0, seq, head=STATES[seq - 1].head).data, Unexpected, "^A note about another course")


def test_note_about_no_record_names_no_head() -> None:
    nothing = note(NoteKind.LEAVE, 0, seq=0, head=ZEROS, sid=STATES[MIDDLE].sid)
    assert check_note(STATES[MIDDLE], RECORDS[:MIDDLE], nothing.data).seq == 0
    refused(forged_note(STATES[MIDDLE], 0, NoteKind.LEAVE, seq=0), Unexpected, "another course")


def test_note_may_come_before_the_records_that_its_author_has_seen() -> None:
    early = note(NoteKind.RESIGN, 0, MIDDLE + 3)
    assert check_note(STATES[MIDDLE], RECORDS[:MIDDLE], early.data) == early


# Keys shown


def open_note(seat: Seat, x: int | bytes, seq: int = len(RECORDS)) -> Note:
    return note(NoteKind.OPEN, seat, seq, body=x if isinstance(x, bytes) else encode_scalar(x))


def test_key_of_the_game_can_be_shown() -> None:
    for seat in (0, 1):
        shown = open_note(seat, played().seats[seat].x)
        assert check_note(STATES[-1], RECORDS, shown.data) == shown
    both = [open_note(seat, played().seats[seat].x) for seat in (1, 0)]
    assert opened_keys(both) == (played().host.x, played().guest.x)
    assert opened_keys(both[:1]) == (None, played().guest.x)
    assert opened_keys([note(NoteKind.RESIGN, 0)]) == (None, None)


@pytest.mark.parametrize("seat", [0, 1])
def test_another_key_than_that_of_the_game_is_refused(seat: Seat) -> None:
    x, other = played().seats[seat].x, played().seats[1 - seat].x
    q = STATES[-1].group.order
    for wrong in (other, x + 1, q - x, 0, 1):
        refused(open_note(seat, wrong).data, Unexpected, "not the one of the game", seq=len(RECORDS))
    for wrong_bytes in (b"", encode_scalar(x)[:-1], encode_scalar(x) + b"\x00", (q + x).to_bytes(32, "little")):
        refused(open_note(seat, wrong_bytes).data, Malformed, "scalar", seq=len(RECORDS))


# What stands beside a note


def stands(referee: DurakReferee, held: list[Note], new: Note) -> bool:
    try:
        check_among(referee, held, new)
    except Unexpected:
        return False
    return True


def test_each_seat_may_write_one_note_of_each_kind() -> None:
    held: list[Note] = []
    now = STATES[MIDDLE + 1]
    for kind in (NoteKind.RESIGN, NoteKind.LEAVE, NoteKind.CLAIM, NoteKind.DESYNC):
        for seat in (0, 1):
            assert stands(now, held, note(kind, seat))
            held.append(note(kind, seat))
            assert not stands(now, held, note(kind, seat))
            assert not stands(now, held, note(kind, seat, MIDDLE - 1, body=b"again"))


def test_claim_on_the_claimers_own_turn_is_refused() -> None:
    seat = owing(MIDDLE)
    assert not stands(STATES[MIDDLE], [], note(NoteKind.CLAIM, seat))
    assert stands(STATES[MIDDLE], [], note(NoteKind.CLAIM, 1 - seat))
    assert stands(STATES[MIDDLE], [], note(NoteKind.CLAIM, seat, MIDDLE - 1))
    assert stands(STATES[-1], [], note(NoteKind.CLAIM, seat, len(RECORDS)))


def test_key_is_shown_after_an_end_by_the_rules() -> None:
    assert stands(STATES[-1], [], open_note(0, played().host.x))
    assert not stands(STATES[MIDDLE], [], open_note(0, played().host.x, MIDDLE))


def test_key_is_shown_after_a_resign() -> None:
    shown = open_note(0, played().host.x, MIDDLE)
    assert stands(STATES[MIDDLE], [note(NoteKind.RESIGN, 0)], shown)
    assert stands(STATES[MIDDLE], [note(NoteKind.RESIGN, 1)], shown)


@pytest.mark.parametrize("kind", [NoteKind.CLAIM, NoteKind.LEAVE, NoteKind.DESYNC])
def test_key_is_not_shown_after_any_other_note(kind: NoteKind) -> None:
    held = [note(kind, 1 - owing(MIDDLE))]
    assert not stands(STATES[MIDDLE], held, open_note(0, played().host.x, MIDDLE))


def test_key_may_come_before_the_record_that_ended_the_game() -> None:
    assert stands(STATES[-2], [], open_note(0, played().host.x))


def test_record_after_the_resign_of_its_author_accuses_him() -> None:
    record = decode_record(RECORDS[MIDDLE])
    for seq in (MIDDLE, MIDDLE - 1):
        resign = note(NoteKind.RESIGN, record.seat, seq)
        with pytest.raises(Cheating, match="after its author had resigned") as caught:
            check_beside([resign], record)
        assert (caught.value.accused, caught.value.evidence) == (record.seat, (resign.data, record.data))


def test_record_may_cross_a_resign_of_the_other_seat_or_stand_before_one() -> None:
    record = decode_record(RECORDS[MIDDLE])
    check_beside([note(NoteKind.RESIGN, 1 - record.seat, MIDDLE)], record)
    check_beside([note(NoteKind.RESIGN, record.seat, MIDDLE + 1)], record)
    check_beside([], record)


def test_note_that_names_another_record_of_its_author_accuses_him() -> None:
    """He signed two: one is here, and of the other he gives the hash."""
    record = decode_record(RECORDS[MIDDLE])
    false = note(NoteKind.DESYNC, record.seat, MIDDLE + 1, head=bytes(32))
    with pytest.raises(Cheating, match="names another record") as caught:
        check_beside([false], record)
    assert (caught.value.accused, caught.value.evidence) == (record.seat, (false.data, record.data))
    check_beside([note(NoteKind.DESYNC, 1 - record.seat, MIDDLE + 1, head=bytes(32))], record)
    with pytest.raises(Cheating):
        check_beside([note(NoteKind.CLAIM, record.seat, MIDDLE + 1)], decode_record(resigned(record, digest=ZEROS)))


# The judgement


def test_game_without_notes_is_running_until_its_chain_ends() -> None:
    assert {judge(state, ()).end for state in STATES[:-1]} == {End.RUNNING}
    verdict = judge(STATES[-1], ())
    assert verdict.end is End.CARDS
    assert {verdict.winner, verdict.loser} == {0, 1}
    assert verdict.final


def test_draw_is_an_end_by_cards_that_nobody_has_lost() -> None:
    assert judge(drawn().referee, ()) == Verdict(End.CARDS, None, None)


def test_end_by_the_rules_beats_every_note() -> None:
    everything = [note(kind, seat, len(RECORDS) - 1) for kind in list(NoteKind)[:4] for seat in (0, 1)]
    assert judge(STATES[-1], everything) == judge(STATES[-1], ())


@pytest.mark.parametrize("seat", [0, 1])
def test_resign_loses(seat: Seat) -> None:
    resign = note(NoteKind.RESIGN, seat)
    for later in (MIDDLE, MIDDLE + 1, MIDDLE + 5):
        assert judge(STATES[later], [resign]) == Verdict(End.RESIGN, 1 - seat, seat, resign)
    assert judge(STATES[MIDDLE], [resign]).final


@pytest.mark.parametrize("seat", [0, 1])
def test_of_two_resigns_the_one_that_had_seen_less_loses(seat: Seat) -> None:
    early, late = note(NoteKind.RESIGN, seat, MIDDLE - 1), note(NoteKind.RESIGN, 1 - seat, MIDDLE)
    for notes in ([early, late], [late, early]):
        assert judge(STATES[MIDDLE], notes) == Verdict(End.RESIGN, 1 - seat, seat, early)


@pytest.mark.parametrize("seq", range(8, 24))
def test_of_two_resigns_at_one_place_the_seat_that_owes_the_step_loses(seq: int) -> None:
    both = [note(NoteKind.RESIGN, seat, seq) for seat in (0, 1)]
    for notes in (both, both[::-1]):
        assert judge(STATES[seq], notes).loser == owing(seq)


def lying_note() -> Note:
    return decode_note(forged_note(STATES[MIDDLE], 1, NoteKind.RESIGN, seq=8000, head=bytes(32)))


def test_resign_that_pretends_to_have_seen_more_does_not_win_the_tie() -> None:
    honest, liar = note(NoteKind.RESIGN, 0), lying_note()
    assert judge(STATES[MIDDLE], [liar]).end is End.RUNNING
    assert judge(STATES[MIDDLE], [honest, liar]).loser == 0


def test_note_counts_once_the_chain_has_come_as_far_as_it() -> None:
    early = note(NoteKind.RESIGN, 0, MIDDLE + 2)
    assert [judge(STATES[MIDDLE + n], [early]).end for n in range(4)] == [End.RUNNING] * 2 + [End.RESIGN] * 2


@pytest.mark.parametrize("seq", range(2, UNCOUNTED_RECORDS + 1))
@pytest.mark.parametrize("kind", [NoteKind.RESIGN, NoteKind.LEAVE])
def test_before_the_second_shuffle_leaving_and_resigning_are_neutral(kind: NoteKind, seq: int) -> None:
    gone = note(kind, 1, seq)
    assert judge(STATES[seq], [gone]) == Verdict(End.LEFT, None, None, gone)
    assert not judge(STATES[seq], [gone]).final


def test_resign_right_after_the_second_shuffle_counts() -> None:
    seq = UNCOUNTED_RECORDS + 1
    assert decode_record(RECORDS[seq - 1]).kind is Kind.SHUFFLE1
    assert STATES[seq].stage is Stage.DEAL
    assert judge(STATES[seq], [note(NoteKind.RESIGN, 1, seq)]).loser == 1


def test_leaving_after_the_second_shuffle_is_unfinished_for_the_leaver() -> None:
    gone = note(NoteKind.LEAVE, 0)
    assert judge(STATES[MIDDLE], [gone]) == Verdict(End.LEFT, None, 0, gone)


def test_claim_counts_only_while_the_chain_stands_still() -> None:
    seat = 1 - owing(MIDDLE)
    claim = note(NoteKind.CLAIM, seat)
    assert judge(STATES[MIDDLE], [claim]) == Verdict(End.CLAIMED, seat, 1 - seat, claim)
    assert not judge(STATES[MIDDLE], [claim]).final
    assert judge(STATES[MIDDLE + 1], [claim]).end is End.RUNNING


def test_claim_is_void_after_one_more_record_even_if_the_other_seat_owes_the_next_too() -> None:
    seqs = [seq for seq in range(8, len(RECORDS) - 1) if owing(seq) == owing(seq + 1)]
    assert seqs
    for seq in seqs:
        claim = note(NoteKind.CLAIM, 1 - owing(seq), seq)
        assert [judge(STATES[later], [claim]).end for later in (seq, seq + 1)] == [End.CLAIMED, End.RUNNING]


def test_claim_on_the_claimers_own_turn_would_be_void() -> None:
    assert judge(STATES[MIDDLE], [note(NoteKind.CLAIM, owing(MIDDLE))]).end is End.RUNNING


def test_claim_counts_from_the_moment_on_when_leaving_counts() -> None:
    """A host who has seen his hand and keeps back the shares that he owes can be given up too."""
    ends = [judge(STATES[seq], [note(NoteKind.CLAIM, 1 - owing(seq), seq)]).end for seq in (2, 3, 4)]
    assert ends == [End.RUNNING, End.RUNNING, End.CLAIMED]


@pytest.mark.parametrize("kind", list(NoteKind))
def test_note_about_records_that_cannot_exist_is_refused(kind: NoteKind) -> None:
    """Ahead of our chain there can only be records of the seat that owes the next one."""
    with pytest.raises(Unexpected, match="cannot exist"):
        check_ahead(STATES[MIDDLE], note(kind, 1 - owing(MIDDLE), MIDDLE + 1))
    check_ahead(STATES[MIDDLE], note(kind, owing(MIDDLE), MIDDLE + 1))


def test_resign_goes_before_a_claim_and_a_claim_before_leaving() -> None:
    seat = 1 - owing(MIDDLE)
    claim, resign, leave = note(NoteKind.CLAIM, seat), note(NoteKind.RESIGN, seat), note(NoteKind.LEAVE, 1 - seat)
    assert judge(STATES[MIDDLE], [claim, leave, resign]).end is End.RESIGN
    assert judge(STATES[MIDDLE], [leave, claim]).end is End.CLAIMED


def test_desync_is_nobodys_loss() -> None:
    told = note(NoteKind.DESYNC, 0)
    assert judge(STATES[MIDDLE], [told]) == Verdict(End.DESYNC, None, None, told)
