"""A session that comes back after a crash: the same secrets, the same bytes, no word before the peer is heard."""

from __future__ import annotations

from typing import Any

import pytest

from fairdeck.errors import LocalError
from fairdeck.game import Seat
from fairdeck.notes import End
from fairdeck.seating import Kept, Proposal
from fairdeck.session import Session
from fairdeck.wire import NoteKind, decode_note
from p2pdurak.durak import DURAK
from p2pdurak.rules.options import CLASSIC, format_options
from tests.fairdeck.cheap import CHEAP_SUITES, DurakSession, Pair, SeededRng, in_bout, lowest, seating, sit_down
from tests.fairdeck.games import played

PROPOSAL = Proposal(format_options(CLASSIC).encode(), 2, "2026-11-30", 0)


def after(count: int) -> Pair:
    """A pair that has exchanged so many records."""
    return sit_down().play(lowest, lambda pair: len(pair.records) == count)


def kept_of(session: DurakSession, lost: int = 0) -> Kept:
    """What a write-ahead disk holds of a session, perhaps without the newest records."""
    records = session.records[: len(session.records) - lost]
    return Kept(*session.secrets, records, [note.data for note in session.notes])


def come_back(seat: Seat, kept: Kept, **changes: Any) -> DurakSession:
    proposal = PROPOSAL if seat == 0 else None
    rng = SeededRng(f"a later process/{seat}")
    return Session(DURAK, seat, seating(seat, **changes), rng, proposal, CHEAP_SUITES, kept)


def back_in(pair: Pair, seat: Seat, lost: int = 0) -> DurakSession:
    return come_back(seat, kept_of(pair.seats[seat], lost))


@pytest.mark.parametrize("count", [1, 3, 8, 20])
@pytest.mark.parametrize("seat", [0, 1])
def test_session_comes_back_as_it_was(seat: Seat, count: int) -> None:
    pair = after(count)
    again = back_in(pair, seat)
    assert (again.records, again.referee) == (pair.records, pair.seats[seat].referee)
    assert (again.secrets, again.hidden_cards) == (pair.seats[seat].secrets, pair.seats[seat].hidden_cards)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("count", [1, 4, 12])
def test_game_goes_on_to_its_end_after_a_crash(seat: Seat, count: int) -> None:
    pair = after(count)
    again = back_in(pair, seat)
    again.accept()
    again.reconcile(count)
    seats = (again, pair.guest) if seat == 0 else (pair.host, again)
    assert Pair(seats).play(lowest).referee.over


def test_nothing_is_signed_before_the_peer_has_said_what_he_holds() -> None:
    pair = after(4)  # the host owes shares
    again = back_in(pair, 0)
    assert (pair.host.owes_step, again.owes_step, again.reconciled) == (True, False, False)
    with pytest.raises(LocalError, match="nothing to send"):
        again.step()
    with pytest.raises(LocalError, match="not here yet"):
        again.note(NoteKind.RESIGN)
    again.reconcile(4)
    assert again.owes_step


def test_no_move_is_made_before_the_peer_has_said_what_he_holds() -> None:
    pair = sit_down().play(until=in_bout)
    seat = pair.mover.seat
    again = back_in(pair, seat)
    assert (pair.mover.our_move, again.our_move) == (True, False)
    again.reconcile(len(pair.records))
    assert again.our_move


def test_lost_records_are_adopted_from_the_peer_before_anything_is_signed() -> None:
    pair = after(5)
    again = back_in(pair, 0, lost=3)  # shuffle0 and the shares are ours, shuffle1 is not
    again.reconcile(5)
    signing = []
    for data in pair.records[2:]:
        signing.append(again.owes_step or again.our_move)
        again.receive(data)
    assert signing == [False, False, False]
    assert again.reconciled
    assert again.referee == pair.referee


def test_peer_who_has_lost_more_than_we_have_keeps_us_from_nothing() -> None:
    pair = after(4)
    again = back_in(pair, 0)
    again.reconcile(1)
    assert again.owes_step


def test_note_of_the_peer_waits_until_the_records_that_it_tells_of_can_be_there() -> None:
    pair = after(8)
    note = pair.host.note(NoteKind.LEAVE)
    again = back_in(pair, 1, lost=4)
    for count in range(4, 8):
        with pytest.raises(LocalError, match="not here yet"):
            again.receive_note(note)
        again.reconcile(8)
        again.receive(pair.records[count])
    assert again.receive_note(note) == decode_note(note)


def test_peer_cannot_silence_a_session_by_telling_of_records_that_do_not_exist() -> None:
    pair = after(4)
    pair.host.reconcile(5000)
    assert pair.host.owes_step
    again = back_in(pair, 0)
    again.reconcile(4)
    again.reconcile(5000)
    assert again.owes_step


def test_seat_that_has_saved_only_its_secrets_keeps_its_key() -> None:
    pair = after(0)
    again = come_back(0, Kept(*pair.host.secrets))
    again.reconcile(0)
    assert again.step() == pair.host.step()


def test_seat_that_lost_its_whole_chain_takes_its_own_first_record_back() -> None:
    pair = after(2)
    again = come_back(0, Kept(*pair.host.secrets))
    again.reconcile(2)
    assert not again.owes_step
    for data in pair.records:
        again.receive(data)
    assert again.owes_step


@pytest.mark.parametrize("kind", [NoteKind.RESIGN, NoteKind.LEAVE, NoteKind.CLAIM])
def test_who_had_given_up_is_still_silent_after_a_crash(kind: NoteKind) -> None:
    pair = after(8)
    seat = 1 - pair.mover.seat if kind is NoteKind.CLAIM else pair.mover.seat
    pair.note(seat, kind)
    again = back_in(pair, seat)
    again.reconcile(8)
    assert not again.owes_step
    assert not again.our_move
    assert again.verdict == pair.seats[seat].verdict


def test_notes_of_both_seats_come_back_with_the_end_of_the_game() -> None:
    pair = played()
    again = back_in(pair, 1)
    assert [note.data for note in again.notes] == [note.data for note in pair.guest.notes]
    assert again.verdict.end is End.CARDS
    again.reconcile(len(pair.records))
    assert again.receive_note(pair.host.notes[0].data) is None


def test_game_key_can_be_shown_after_a_crash() -> None:
    pair = sit_down().play(lowest)
    again = back_in(pair, 0)
    again.reconcile(len(pair.records))
    assert again.open_note() == pair.host.open_note()


@pytest.mark.parametrize("seat", [0, 1])
def test_secrets_of_another_game_are_refused(seat: Seat) -> None:
    pair = after(4)
    other = sit_down("another game").seats[seat].secrets
    for secrets in (other, (other[0], pair.seats[seat].secrets[1]), (pair.seats[seat].secrets[0], other[1])):
        with pytest.raises(LocalError, match="secrets beside it belong to another game"):
            come_back(seat, Kept(*secrets, pair.records))


@pytest.mark.parametrize("place", [0, 4, 7])
def test_damaged_log_accuses_nobody(place: int) -> None:
    pair = after(8)
    records = pair.records.copy()
    records[place] = records[place][:-1] + bytes([records[place][-1] ^ 1])
    with pytest.raises(LocalError, match="cannot be gone on with"):
        come_back(0, Kept(*pair.host.secrets, records))


def test_damaged_note_accuses_nobody() -> None:
    pair = after(8)
    note = pair.note(1, NoteKind.RESIGN)
    with pytest.raises(LocalError, match="cannot be gone on with"):
        come_back(0, Kept(*pair.host.secrets, pair.records, [note[:-1]]))


def test_log_of_the_other_seat_or_of_another_line_is_refused() -> None:
    pair = after(4)
    with pytest.raises(LocalError, match="your own identity key, or takes your own seat"):
        come_back(1, kept_of(pair.guest), identity=seating(0).identity)
    with pytest.raises(LocalError, match="another connection"):
        come_back(1, kept_of(pair.guest), exporter=bytes(32))


def test_what_is_kept_shows_no_secret_when_it_is_printed() -> None:
    entropy, nonce = b"e" * 64, b"n" * 32
    assert repr(Kept(entropy, nonce)) == "Kept(0 records)"
