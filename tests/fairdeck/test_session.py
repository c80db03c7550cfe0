"""Two sessions in lockstep: who may do what when, whom a session refuses, and what an error leaves behind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest
from msgspec.structs import replace as with_fields

from fairdeck import seating as seating_module
from fairdeck.errors import Cheating, Desync, FairdeckError, LocalError, Malformed, Unexpected
from fairdeck.game import IllegalAction, Seat
from fairdeck.group import EDWARDS25519, SUITES
from fairdeck.notes import End
from fairdeck.referee import Stage, present
from fairdeck.seating import Proposal, game_key
from fairdeck.session import Session
from fairdeck.sign import SigningKey
from fairdeck.transcript import hash32
from fairdeck.wire import ZEROS, Kind, Move, NoteKind, decode_note, decode_record, encode_record
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Attack, Deny, Done, Take
from p2pdurak.rules.cards import DECK
from p2pdurak.rules.options import CLASSIC, format_options
from p2pdurak.rules.state import Phase
from tests.fairdeck.cheap import (
    CHEAP,
    CHEAP_SUITES,
    EXPORTER,
    GUEST,
    HOST,
    DurakSession,
    Integers,
    Pair,
    SeededRng,
    dealt,
    in_bout,
    lowest,
    seating,
    sit_down,
    view_of,
)
from tests.fairdeck.forge import forged, forged_note, resigned
from tests.fairdeck.games import played

PROPOSAL: Final = Proposal(format_options(CLASSIC).encode(), 2, "2026-11-30", 0)
STRANGER: Final = SigningKey.from_seed(b"a stranger's key" * 2)


def new_session(seat: Seat, seed: str = "a session", **changes: Any) -> DurakSession:
    proposal = PROPOSAL if seat == 0 else None
    return Session(DURAK, seat, seating(seat, **changes), SeededRng(f"{seed}/{seat}"), proposal, CHEAP_SUITES)


def after(count: int, seed: str = "a game") -> Pair:
    """A pair that has exchanged so many records."""
    return sit_down(seed).play(lowest, lambda pair: len(pair.records) == count)


def refuses(session: DurakSession, data: bytes, error: type[FairdeckError], why: str) -> None:
    """The record is refused, nothing of it is kept, and the session is in error for good."""
    records, referee = session.records.copy(), session.referee
    with pytest.raises(error, match=why) as caught:
        session.receive(data)
    assert session.failed is caught.value
    assert (session.records, session.referee) == (records, referee)
    assert not session.owes_step
    assert not session.our_move
    with pytest.raises(Unexpected, match="ended with an error"):
        session.receive(data)
    with pytest.raises(LocalError):
        session.step()
    with pytest.raises(LocalError):
        session.act(Done())


# Before the deal


def test_host_begins_and_the_guest_answers_when_he_has_accepted() -> None:
    host, guest = new_session(0), new_session(1)
    assert (host.owes_step, guest.owes_step) == (True, False)
    guest.receive(host.step())
    assert (host.owes_step, guest.owes_step) == (False, False)
    with pytest.raises(LocalError, match="nothing to send"):
        guest.step()
    guest.accept()
    host.receive(guest.step())
    assert (host.owes_step, guest.owes_step) == (True, False)


def test_records_of_a_deal_come_in_turns() -> None:
    kinds = [decode_record(data).kind for data in played().records[:5]]
    assert kinds == [Kind.START0, Kind.START1, Kind.SHUFFLE0, Kind.SHUFFLE1, Kind.SHARES]
    assert [decode_record(data).seat for data in played().records[:5]] == [0, 1, 0, 1, 0]


def test_nothing_can_be_sent_out_of_turn() -> None:
    host, guest = new_session(0), new_session(1)
    for session in (host, guest):
        with pytest.raises(LocalError, match="not your turn"):
            session.act(Done())
    host.step()
    with pytest.raises(LocalError, match="nothing to send"):
        host.step()


def test_host_without_a_proposal_cannot_begin() -> None:
    host = Session(DURAK, 0, seating(0), SeededRng("none"), None, CHEAP_SUITES)
    with pytest.raises(LocalError, match="Only the host can propose"):
        host.step()


def test_cheap_suite_cannot_be_proposed_by_a_program_that_has_only_the_real_one() -> None:
    host = Session(DURAK, 0, seating(0), SeededRng("cheap"), PROPOSAL)
    with pytest.raises(LocalError, match="does not know"):
        host.step()
    assert host.records == []


def test_cheap_suite_cannot_be_forced_on_a_program_that_has_only_the_real_one() -> None:
    guest = Session(DURAK, 1, seating(1), SeededRng("real"), None)
    refuses(guest, new_session(0).step(), Unexpected, "A group that this program does not know")
    guest = Session(DURAK, 1, seating(1), SeededRng("real"), None, SUITES)
    refuses(guest, new_session(0).step(), Unexpected, "A group that this program does not know")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"exporter": bytes(32)}, "another connection"),
        ({"number": 2}, "does not follow the last one"),
        ({"link": b"\x01" * 32}, "does not follow the last one"),
        ({"number": 2, "link": b"\x01" * 32}, "does not follow the last one"),
        ({"peer": STRANGER.public}, "somebody else"),
    ],
)
def test_guest_refuses_a_game_of_another_connection_match_or_player(changes: dict[str, Any], why: str) -> None:
    refuses(new_session(1, **changes), new_session(0).step(), Unexpected, why)


@pytest.mark.parametrize("changes", [{"suite": 1}, {"cards": 52}, {"options": b"redeal=on"}, {"options": b""}], ids=str)
def test_guest_refuses_a_proposal_that_he_does_not_know(changes: dict[str, Any]) -> None:
    start0 = with_fields(decode_record(new_session(0).step()).body, **changes)
    refuses(new_session(1), forged(new_session(0).referee, 0, start0), Unexpected, "does not")


def test_host_refuses_another_guest_in_a_rematch() -> None:
    host, guest = new_session(0, peer=STRANGER.public), new_session(1)
    guest.accept()
    guest.receive(host.step())
    refuses(host, guest.step(), Unexpected, "somebody else")


def test_players_who_know_each_other_meet_again() -> None:
    host, guest = new_session(0, peer=GUEST.public), new_session(1, peer=HOST.public)
    guest.accept()
    guest.receive(host.step())
    host.receive(guest.step())
    assert host.referee.stage is Stage.SHUFFLE0


def test_nobody_plays_against_his_own_key() -> None:
    host = new_session(0, identity=GUEST)
    refuses(new_session(1), host.step(), Unexpected, "your own identity key")


def test_host_names_a_guest_who_signs_with_the_hosts_own_key() -> None:
    host = new_session(0)
    host.step()
    body = with_fields(decode_record(after(2).records[1]).body, vk=HOST.public)
    refuses(host, forged(host.referee, 1, body, key=HOST), Cheating, "same identity key")


def test_peer_cannot_answer_in_the_seat_of_the_guest() -> None:
    """Else the host would play both seats, and the guest would look on."""
    host, accomplice, guest = new_session(0), new_session(1, "accomplice", identity=STRANGER), new_session(1)
    accomplice.accept()
    start0 = host.step()
    guest.receive(start0)
    accomplice.receive(start0)
    refuses(guest, accomplice.step(), Unexpected, "takes your own seat")


def test_peer_cannot_propose_in_the_seat_of_the_host() -> None:
    usurper = new_session(0, "usurper", identity=GUEST)
    refuses(new_session(0), usurper.step(), Unexpected, "takes your own seat")


# Secrets


def test_secrets_are_drawn_at_the_beginning_and_give_the_key() -> None:
    host = new_session(0)
    entropy, nonce = host.secrets
    assert (len(entropy), len(nonce)) == (64, 32)
    host.step()
    assert host.x == game_key(CHEAP, entropy)
    assert host.secrets == (entropy, nonce)


class ThreeElements(Integers):
    """A group so small that every edge of the range is met."""

    order = 3  # type: ignore[misc]


def test_game_key_is_from_one_to_the_order_minus_one() -> None:
    assert {game_key(ThreeElements(), bytes([n])) for n in range(50)} == {1, 2}


def test_two_sessions_have_two_keys() -> None:
    first, second = new_session(0, "one"), new_session(0, "two")
    assert first.secrets[0] != second.secrets[0]
    assert first.secrets[1] != second.secrets[1]


# Play


def test_both_see_their_own_hands_and_the_same_state() -> None:
    pair = sit_down().play(until=in_bout)
    assert pair.host.state == pair.guest.state
    hands = [set(view_of(session).hand) for session in pair.seats]
    assert [len(hand) for hand in hands] == [6, 6]
    assert not hands[0] & hands[1]
    assert present(pair.host.state).indicator not in hands[0] | hands[1]


def test_nothing_is_seen_before_the_deal() -> None:
    host = new_session(0)
    assert host.state is None
    assert host.hidden_cards == ()
    with pytest.raises(Unexpected):
        _ = host.last


def test_last_record_is_remembered_with_what_it_did() -> None:
    pair = sit_down().play(until=in_bout)
    pair.step()
    assert pair.host.last == pair.guest.last
    assert pair.host.last.record.data == pair.records[-1]
    assert isinstance(pair.host.last.action, Attack)


def test_illegal_action_is_refused_and_nothing_is_signed() -> None:
    pair = sit_down().play(until=in_bout)
    mover = pair.mover
    before = len(mover.records)
    held = set(mover.hidden_cards)
    for action in (Done(), Take(), Deny((DECK[0],))):
        with pytest.raises(IllegalAction):
            mover.act(action)
    not_held = next(card for card in DECK if card not in held and card != present(mover.state).indicator)
    with pytest.raises(LocalError, match="not in your hand"):
        mover.act(Attack(not_held))
    with pytest.raises(IllegalAction):
        mover.act(Attack(present(present(mover.state).indicator)))
    assert len(mover.records) == before
    mover.act(lowest(view_of(mover)))


def test_held_trump_cannot_be_denied() -> None:
    pair = sit_down("g8").play(until=dealt)
    while present(pair.referee.state).phase is Phase.QUESTION:
        mover = pair.mover
        answer = view_of(mover).answer()
        if not isinstance(answer, Deny):
            with pytest.raises(LocalError, match="You hold a card"):
                mover.act(Deny((answer.card,)))
            return
        pair.step()
    pytest.fail("somebody must have shown a card")


def test_flags_and_times_of_a_move_stand_in_its_record() -> None:
    pair = sit_down().play(until=in_bout)
    mover = pair.mover
    body = decode_record(mover.act(lowest(view_of(mover)), auto=True, think_ms=1234)).body
    assert isinstance(body, Move)
    assert (body.auto, body.think_ms) == (True, 1234)


def test_session_in_whose_hands_the_game_is_not_cannot_move() -> None:
    pair = sit_down().play(until=in_bout)
    other = pair.seats[1 - pair.mover.seat]
    assert not other.our_move
    with pytest.raises(LocalError, match="not your turn"):
        other.act(Take())


# Errors


def test_malformed_record_ends_the_session() -> None:
    pair = after(5)
    refuses(pair.seats[1 - pair.mover.seat], b"\xc1" * 100, Malformed, "no msgpack")


@pytest.mark.parametrize("count", [2, 3, 4, 8, 20])
def test_cheating_ends_the_session_with_the_evidence(count: int) -> None:
    pair = after(count)
    honest = pair.seats[1 - pair.mover.seat]
    shares = decode_record(played().records[4]).body
    data = forged(honest.referee, pair.mover.seat, shares)
    refuses(honest, data, Cheating, "out of turn|does not open its card")
    assert isinstance(honest.failed, Cheating)
    assert (honest.failed.accused, honest.failed.evidence) == (pair.mover.seat, (data,))


@pytest.mark.parametrize("count", [0, 1, 2, 4, 9])
def test_changed_digest_is_a_desync(count: int) -> None:
    pair = after(count)
    other = pair.seats[1 - pair.mover.seat]
    data = resigned(decode_record(pair.make()), digest=bytes(31) + b"\x01")
    refuses(other, data, Desync, f"after record {count}")


def test_record_of_another_game_ends_the_session() -> None:
    pair, other = after(6), after(6, "another game")
    refuses(pair.seats[1 - pair.mover.seat], other.make(), Unexpected, "does not follow|another game")


def test_second_record_for_a_place_accuses_its_author_with_both() -> None:
    pair = sit_down().play(until=in_bout)
    mover, other = pair.mover, pair.seats[1 - pair.mover.seat]
    before = mover.referee
    first = pair.step()
    body = decode_record(first).body
    assert isinstance(body, Move)
    second = forged(before, mover.seat, with_fields(body, think_ms=77))
    refuses(other, second, Cheating, "Two different records were signed")
    assert isinstance(other.failed, Cheating)
    assert (other.failed.accused, other.failed.evidence) == (mover.seat, (first, second))


def test_record_that_is_held_already_is_refused() -> None:
    """The channel delivers each record once; whatever comes again did not come from it."""
    pair = after(6)
    refuses(pair.host, pair.records[3], Unexpected, "already taken")


def test_skipped_record_is_refused() -> None:
    pair = after(6)
    ahead = after(9)
    refuses(pair.host, ahead.records[8], Unexpected, "came where record 6 belongs")


# After a crash


def restored(seat: Seat, seed: str = "a game") -> DurakSession:
    """A session with the secrets that were saved before the first record: here the same seed gives them."""
    role = ("host", "guest")[seat]
    session = Session(
        DURAK, seat, seating(seat), SeededRng(f"{seed}/{role}"), PROPOSAL if seat == 0 else None, CHEAP_SUITES
    )
    session.accept()
    return session


@pytest.mark.parametrize("seat", [0, 1])
def test_own_records_that_the_peer_still_holds_are_adopted_and_the_game_goes_on(seat: Seat) -> None:
    pair = after(12)
    again = restored(seat)
    for data in pair.records:
        again.receive(data)
    assert again.referee == pair.referee
    assert again.hidden_cards == pair.seats[seat].hidden_cards
    seats = (again, pair.guest) if seat == 0 else (pair.host, again)
    assert Pair(seats).play(lowest).referee.over


def test_session_that_lost_its_records_and_moves_anew_is_caught() -> None:
    """Why nothing may be signed before the peer's records are in: the same place would be signed twice."""
    pair = sit_down().play(until=in_bout)
    count = len(pair.records)
    seat = pair.mover.seat
    snapshot = restored(seat)
    for data in pair.records:
        snapshot.receive(data)
    pair.step(lowest)
    card = max(card for card in snapshot.hidden_cards)
    refuses(pair.seats[1 - seat], snapshot.act(Attack(DECK[card])), Cheating, "Two different records")
    assert len(pair.seats[1 - seat].records) == count + 1


# Notes


def test_note_goes_to_the_other_side_and_is_kept_once() -> None:
    pair = after(8)
    data = pair.host.note(NoteKind.RESIGN)
    note = pair.guest.receive_note(data)
    assert note == decode_note(data)
    assert pair.guest.receive_note(data) is None
    assert [held.data for held in pair.guest.notes] == [held.data for held in pair.host.notes] == [data]
    assert pair.host.verdict == pair.guest.verdict
    assert (pair.host.verdict.end, pair.host.verdict.loser) == (End.RESIGN, 0)


@pytest.mark.parametrize("kind", [NoteKind.RESIGN, NoteKind.LEAVE, NoteKind.CLAIM])
def test_after_giving_up_a_session_is_silent_but_takes_what_arrives(kind: NoteKind) -> None:
    pair = sit_down().play(lowest, in_bout)
    mover, silent = pair.mover, pair.seats[1 - pair.mover.seat]
    crossing = mover.act(lowest(view_of(mover)))
    silent.note(kind)
    silent.receive(crossing)
    assert silent.records == mover.records
    assert present(silent.referee.owed).seat == silent.seat
    assert not silent.our_move
    assert not silent.owes_step
    with pytest.raises(LocalError, match="not your turn"):
        silent.act(Take())


def test_win_cannot_be_claimed_on_ones_own_turn() -> None:
    pair = sit_down().play(lowest, in_bout)
    mover, other = pair.mover, pair.seats[1 - pair.mover.seat]
    with pytest.raises(LocalError, match="whose turn it is"):
        mover.note(NoteKind.CLAIM)
    with pytest.raises(Unexpected, match="whose turn it is"):
        other.receive_note(forged_note(mover.referee, mover.seat, NoteKind.CLAIM))
    assert mover.our_move
    assert other.verdict.end is End.RUNNING


def test_silent_session_owes_no_step_either() -> None:
    pair = sit_down().play(lowest, lambda now: len(now.records) > 8 and now.mover.owes_step)
    silent = pair.mover
    silent.note(NoteKind.RESIGN)
    with pytest.raises(LocalError, match="nothing to send"):
        silent.step()


@pytest.mark.parametrize("kind", [NoteKind.DESYNC])
def test_other_notes_do_not_silence(kind: NoteKind) -> None:
    pair = sit_down().play(lowest, in_bout)
    pair.note(pair.mover.seat, kind)
    assert pair.mover.our_move


def test_session_refuses_a_record_after_the_resign_of_its_author() -> None:
    pair = sit_down().play(lowest, in_bout)
    mover, other = pair.mover, pair.seats[1 - pair.mover.seat]
    resign = forged_note(mover.referee, mover.seat, NoteKind.RESIGN)
    other.receive_note(resign)
    data = mover.act(lowest(view_of(mover)))
    refuses(other, data, Cheating, "after its author had resigned")
    assert isinstance(other.failed, Cheating)
    assert (other.failed.accused, other.failed.evidence) == (mover.seat, (resign, data))


def test_unsigned_record_in_our_name_after_our_resign_accuses_nobody() -> None:
    """Nothing that the other side can write makes us the accused."""
    pair = sit_down().play(lowest, in_bout)
    owing = pair.mover
    owing.note(NoteKind.RESIGN)
    record = decode_record(owing.records[-1])
    data = encode_record(
        record.sid, len(owing.records), owing.seat, record.head, Move(b"\x03", False, 0, (), (), ()), ZEROS
    )
    refuses(owing, data + bytes(64), Malformed, "not signed")


def test_note_that_has_seen_what_cannot_exist_ends_no_game() -> None:
    """Whose turn it is not has made no record that we do not have."""
    pair = sit_down().play(lowest, in_bout)
    owing = pair.mover
    note = forged_note(pair.referee, 1 - owing.seat, NoteKind.RESIGN, seq=pair.referee.seq + 1, head=b"h" * 32)
    with pytest.raises(Unexpected, match="cannot exist"):
        owing.receive_note(note)
    assert owing.verdict.end is End.RUNNING


def test_note_that_has_seen_a_record_of_ours_that_we_have_not_made_ends_no_game() -> None:
    """It may be honest as long as its author owes a record; once that is there, it tells of one that cannot exist."""
    pair = sit_down().play(lowest, in_bout)
    mover, other = pair.mover, pair.seats[1 - pair.mover.seat]
    seen = pair.referee.seq + 2
    note = forged_note(pair.referee, mover.seat, NoteKind.RESIGN, seq=seen, head=b"h" * 32)
    assert other.receive_note(note) is not None
    refuses(other, mover.act(lowest(view_of(mover))), Unexpected, "cannot exist")
    assert other.verdict.end is End.RUNNING


def test_winning_move_that_crosses_a_resign_counts() -> None:
    pair = sit_down("crossing").play(lowest)
    last = pair.records[-1]
    winner = decode_record(last).seat
    resigner = restored(1 - winner, "crossing")
    for data in pair.records[:-1]:
        resigner.receive(data)
    resign = resigner.note(NoteKind.RESIGN)
    assert resigner.verdict.loser == resigner.seat
    resigner.receive(last)
    pair.seats[winner].receive_note(resign)
    assert resigner.verdict == pair.seats[winner].verdict
    assert resigner.verdict.end is End.CARDS


def test_resigns_that_cross_are_judged_alike_on_both_sides() -> None:
    pair = sit_down().play(lowest, in_bout)
    owing = pair.mover.seat
    notes = [session.note(NoteKind.RESIGN) for session in pair.seats]
    for session in pair.seats:
        session.receive_note(notes[1 - session.seat])
    assert pair.host.verdict.loser == pair.guest.verdict.loser == owing
    assert pair.host.link == pair.guest.link


def test_claim_then_move_voids_the_claim() -> None:
    pair = sit_down().play(lowest, in_bout)
    mover, claimer = pair.mover, pair.seats[1 - pair.mover.seat]
    claim = claimer.note(NoteKind.CLAIM)
    assert claimer.verdict.end is End.CLAIMED
    claimer.receive(mover.act(lowest(view_of(mover))))
    mover.receive_note(claim)
    assert claimer.verdict.end is mover.verdict.end is End.RUNNING


@pytest.mark.parametrize("seat", [0, 1])
def test_note_in_ones_own_name_from_outside_is_refused(seat: Seat) -> None:
    pair = after(8)
    resign = forged_note(pair.referee, seat, NoteKind.RESIGN)
    with pytest.raises(Unexpected, match="our own name"):
        pair.seats[seat].receive_note(resign)
    assert pair.seats[seat].verdict.end is End.RUNNING


def test_resign_for_the_other_seat_is_refused() -> None:
    pair = after(8)
    with pytest.raises(Malformed, match="not signed by the seat"):
        pair.guest.receive_note(forged_note(pair.referee, 1, NoteKind.RESIGN, key=HOST))


def test_false_notes_change_nothing() -> None:
    pair = after(8)
    for changes in ({"sid": bytes(32)}, {"head": bytes(32)}, {"seq": 7}, {"body": b"x", "kind": NoteKind.OPEN}):
        note: dict[str, Any] = {"kind": NoteKind.RESIGN} | changes
        with pytest.raises((Unexpected, Malformed)):
            pair.guest.receive_note(forged_note(pair.referee, 0, **note))
    assert pair.guest.notes == []
    assert pair.guest.failed is None


def test_second_note_of_a_kind_is_refused_on_both_sides() -> None:
    """Seventeen of them would make the log unreadable."""
    pair = after(8)
    pair.note(0, NoteKind.DESYNC)
    with pytest.raises(LocalError, match="same kind"):
        pair.host.note(NoteKind.DESYNC, b"again")
    with pytest.raises(Unexpected, match="same kind"):
        pair.guest.receive_note(forged_note(pair.referee, 0, NoteKind.DESYNC, body=b"again"))


def test_note_that_names_another_record_of_its_author_is_caught_when_the_record_comes() -> None:
    pair = sit_down().play(lowest, in_bout)
    mover, other = pair.mover, pair.seats[1 - pair.mover.seat]
    seq = len(pair.records) + 1
    false = forged_note(mover.referee, mover.seat, NoteKind.DESYNC, seq=seq, head=bytes(32))
    other.receive_note(false)
    data = mover.act(lowest(view_of(mover)))
    refuses(other, data, Cheating, "names another record")
    assert isinstance(other.failed, Cheating)
    assert other.failed.evidence == (false, data)


def test_note_that_overtakes_a_record_counts_when_the_record_is_there() -> None:
    pair = sit_down().play(lowest, in_bout)
    mover, other = pair.mover, pair.seats[1 - pair.mover.seat]
    data = mover.act(lowest(view_of(mover)))
    other.receive_note(mover.note(NoteKind.RESIGN))
    assert other.verdict.end is End.RUNNING
    other.receive(data)
    assert other.verdict == mover.verdict
    assert other.verdict.loser == mover.seat


def test_no_note_can_be_written_before_one_has_sat_down() -> None:
    for session in (new_session(0), new_session(1)):
        with pytest.raises(LocalError):
            session.note(NoteKind.LEAVE)
        assert session.notes == []
        assert not session.verdict.final


# Keys shown


def test_key_is_shown_only_after_the_end() -> None:
    pair = after(8)
    for session in pair.seats:
        with pytest.raises(LocalError, match="only after the end"):
            session.open_note()
        with pytest.raises(LocalError, match="before the end"):
            session.note(NoteKind.OPEN, session.x.to_bytes(32, "little"))
        assert session.notes == []


def test_key_is_never_shown_after_a_claim_or_a_leave() -> None:
    for kind in (NoteKind.CLAIM, NoteKind.LEAVE):
        pair = sit_down().play(lowest, in_bout)
        pair.note(1 - pair.mover.seat, kind)
        for session in pair.seats:
            with pytest.raises(LocalError, match="only after the end"):
                session.open_note()


def test_key_shown_before_the_end_is_refused() -> None:
    pair = after(8)
    early = forged_note(pair.referee, 0, NoteKind.OPEN, body=pair.host.x.to_bytes(32, "little"))
    with pytest.raises(Unexpected, match="before the end"):
        pair.guest.receive_note(early)


def test_another_key_than_the_hosts_is_refused() -> None:
    pair = after(8)
    pair.note(0, NoteKind.RESIGN)
    false = forged_note(pair.referee, 0, NoteKind.OPEN, body=pair.guest.x.to_bytes(32, "little"))
    with pytest.raises(Unexpected, match="not the one of the game"):
        pair.guest.receive_note(false)


def test_both_show_their_keys_after_a_resign() -> None:
    pair = after(8)
    pair.note(0, NoteKind.RESIGN)
    pair.open_both()
    assert [note.kind for note in pair.host.notes].count(NoteKind.OPEN) == 2


# The next game


def test_link_names_the_game_and_what_decided_it() -> None:
    pair = after(8)
    running = pair.host.link
    assert running == pair.guest.link == hash32("link", pair.referee.head, b"")
    data = pair.note(0, NoteKind.RESIGN)
    assert pair.host.link == pair.guest.link == hash32("link", pair.referee.head, data) != running


def test_next_game_of_a_match_follows_the_last_one() -> None:
    first = played()
    brought: dict[str, Any] = {"number": 2, "link": first.host.link}
    host = new_session(0, peer=GUEST.public, **brought)
    guest = new_session(1, peer=HOST.public, **brought)
    guest.accept()
    assert Pair((host, guest)).play(lowest).referee.over
    assert host.referee.sid != first.referee.sid
    assert host.link != first.host.link


def test_seating_holds_what_a_player_brings() -> None:
    mine = seating(0)
    assert (mine.number, mine.link, mine.peer, mine.exporter) == (1, ZEROS, None, EXPORTER)
    assert replace(mine, number=2).number == 2


@pytest.mark.parametrize(("hashed", "key"), [(0, 1), (-2, -1), (-1, 1)])
def test_game_key_is_never_zero_whatever_the_hash_gives(hashed: int, key: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers below zero are counted back from the order of the group."""
    order = EDWARDS25519.order
    monkeypatch.setattr(seating_module, "hash64", lambda *_: (hashed % order).to_bytes(64, "little"))
    assert game_key(EDWARDS25519, bytes(64)) == key % order


def test_move_after_the_own_claim_accuses_its_author() -> None:
    """Whoever has claimed the win signs no more records: a claim is no way to look at the answer first."""
    pair = sit_down().play(lowest, in_bout)
    claimer = pair.seats[1 - pair.mover.seat]
    other = pair.mover
    claim = forged_note(claimer.referee, claimer.seat, NoteKind.CLAIM)
    other.receive_note(claim)
    claimer.receive(other.act(lowest(view_of(other))))
    while claimer.referee.owed is not None and claimer.referee.owed.seat != claimer.seat:
        claimer.receive(pair.make())
    refuses(other, pair.make(), Cheating, "after its author had claimed the win")


def test_key_shown_ahead_of_a_record_that_ends_nothing_is_refused_with_it() -> None:
    """A note that overtakes its author's record is judged when the record is there."""
    pair = sit_down().play(lowest, in_bout)
    mover, other = pair.mover, pair.seats[1 - pair.mover.seat]
    data = mover.act(lowest(view_of(mover)))
    key = mover.x.to_bytes(32, "little")
    other.receive_note(forged_note(mover.referee, mover.seat, NoteKind.OPEN, body=key))
    refuses(other, data, Unexpected, "before the end of the game")
