"""A program that dies comes back to its game: what is on the disk is enough, and nothing is signed twice."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fairdeck.audit import Finding
from fairdeck.errors import LocalError
from fairdeck.notes import End, opened_keys
from fairdeck.packets import Record
from fairdeck.streams import Records
from fairdeck.wire import Kind, NoteKind, decode_record
from p2pdurak.events import (
    Claim,
    Command,
    Dealt,
    Knock,
    Leave,
    Link,
    LinkState,
    Moved,
    Play,
    Reason,
    Refused,
    Rematch,
    Resign,
    Trouble,
    Turn,
)
from p2pdurak.rules.options import CLASSIC
from p2pdurak.store import read_secrets
from p2pdurak.table.coming_back import LATER_GAME, NOT_OURS, OTHER_COURSE
from p2pdurak.table.duel import UNDEALT_SILENCE_S
from p2pdurak.table.kept_game import KeptError, kept_beside
from p2pdurak.table.parting import NOT_YET
from p2pdurak.table.sitting import Phase
from tests.fairdeck.cheap import IDENTITIES, lowest
from tests.table.pairs import Pair, Side

Sit = Callable[..., Pair]
SEATS = ((0,), (1,), (0, 1))


class Miser(Records):
    """Says what he holds, and sends nothing of it."""

    __slots__ = ()

    def take_flight(self) -> list[Record]:
        return []


def chains(pair: Pair, game: int = 1) -> tuple[tuple[bytes, ...], ...]:
    return tuple(side.saved(game).records for side in pair.sides)


def chain_of(pair: Pair, seat: int) -> list[bytes]:
    """The records that a seat holds."""
    return list(pair.sides[seat].game.session.records)


def last_of(pair: Pair, seat: int, kind: Kind) -> int:
    """The place of the last record of a kind that a seat has made and the other one holds."""
    held = enumerate(decode_record(data) for data in chain_of(pair, 1 - seat))
    return max(place for place, record in held if (record.seat, record.kind) == (seat, kind))


def is_kept(side: Side) -> bool:
    """Whether a new process of this side could go on."""
    try:
        return bool(side.logs()) and kept_beside(side.logs()[-1]) is not None
    except KeptError:
        return False


def both_reconciled(pair: Pair) -> bool:
    return all(side.game.session.reconciled for side in pair.sides)


def both_rest(pair: Pair) -> bool:
    return all(side.duel.phase is Phase.RESTING for side in pair.sides)


def the_game_is_whole(pair: Pair) -> None:
    host, guest = chains(pair)
    assert host == guest
    for side in pair.sides:
        assert pair.audit(side.logs()[0]).finding is Finding.OK
        assert side.game.verdict.end is End.CARDS


def after_moves(pair: Pair, moves: int) -> Pair:
    for _ in range(moves):
        pair.move()
    return pair


# At every instant.


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
def test_a_game_goes_on_whatever_is_killed_before_every_single_move(sit: Sit, seats: tuple[int, ...]) -> None:
    pair = sit().deal()
    while not pair.host.game.ended:
        pair.crash(*seats).come_back(*seats).run(lambda: both_reconciled(pair))
        pair.move()
    pair.run(lambda: both_rest(pair))
    the_game_is_whole(pair)


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("packets", range(0, 60, 8))
def test_a_deal_goes_on_after_a_crash_at_every_packet(sit: Sit, seats: tuple[int, ...], packets: int) -> None:
    pair = sit()
    for side in pair.sides:
        side.duel.up(pair.now)
    pair.carry(packets)
    able = [seat for seat in seats if is_kept(pair.sides[seat])]
    pair.crash(*able).come_back(*able)
    pair.run(lambda: pair._in_play)
    after_moves(pair, 3)
    host, guest = chains(pair)
    assert host == guest


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("packets", range(0, 16, 5))
def test_an_end_is_known_to_both_with_both_keys_after_a_crash_at_every_packet_of_it(
    sit: Sit, seats: tuple[int, ...], packets: int
) -> None:
    pair = played_but_the_last_move(sit)
    mover = pair.mover
    pair.sides[mover].duel.command(Play(lowest(pair.mover_view)), pair.now)
    pair.carry(packets)
    able = [seat for seat in seats if is_kept(pair.sides[seat])]
    pair.crash(*able).come_back(*able).run(lambda: both_rest(pair)).wait(5.0)
    the_game_is_whole(pair)
    for side in pair.sides:
        assert None not in opened_keys(side.game.session.notes)
        assert [note for note in side.saved().notes if note] == [note.data for note in side.game.session.notes]


def played_but_the_last_move(sit: Sit) -> Pair:
    """A game whose next move ends it: found by playing the same game once before."""
    whole = sit().deal().play()
    length = len(whole.host.game.session.records)
    return sit().deal().play(lambda: False) if not length else _until(sit().deal(), length - 1)


def _until(pair: Pair, records: int) -> Pair:
    return pair.play(lambda: len(pair.host.game.session.records) >= records)


@pytest.mark.slow
def test_a_program_that_holds_the_end_waits_for_a_friend_who_died_before_it(sit: Sit) -> None:
    pair = sit(bots=True)
    for side in pair.sides:
        side.duel.up(pair.now)
    while not any(side.duel.game is not None and side.game.ended for side in pair.sides):
        pair.carry(1)
        if not pair.line:
            pair._step(pair.now + 1.0)
    ended = next(seat for seat, side in enumerate(pair.sides) if side.game.ended)
    pair.crash(1 - ended).wait(30.0).come_back(1 - ended).finish()
    the_game_is_whole(pair)


# What the player sees.


def test_who_comes_back_is_told_the_whole_game_as_it_stands(sit: Sit) -> None:
    pair = after_moves(sit().deal(), 9)
    before, view = pair.guest.told(Moved), pair.guest.view
    pair.crash(1).come_back(1)
    assert pair.guest.told(Moved) == before
    assert pair.guest.view == view
    assert len(pair.guest.told(Dealt)) == 1


def test_the_friend_is_offline_until_he_is_heard(sit: Sit) -> None:
    pair = after_moves(sit().deal(), 3).crash(0, 1).come_back(1).wait(2.0)
    assert [event.state for event in pair.guest.told(LinkState)] == [Link.DOWN]
    pair.come_back(0).wait(2.0)
    assert pair.guest.told(LinkState)[-1].state is Link.UP


def test_who_kept_his_program_sees_his_friend_go_and_return_and_nothing_else(sit: Sit) -> None:
    pair = after_moves(sit().deal(), 3).wait(1.0)
    seen = len(pair.host.events)
    pair.crash(1).wait(20.0).come_back(1).wait(3.0)
    assert {type(event) for event in pair.host.events[seen:]} <= {LinkState}
    assert pair.host.told(LinkState)[-1].state is Link.UP


def test_nobody_is_asked_for_his_move_before_it_is_sure_what_the_friend_holds(sit: Sit) -> None:
    pair = after_moves(sit().deal(), 3)
    mover = pair.mover
    pair.crash(0, 1).come_back(mover).wait(3.0)
    side = pair.sides[mover]
    assert side.told(Turn) == []
    pair.do(mover, Play(side.view.legal_actions()[0]))
    assert side.told(Refused) == [Refused("play", NOT_YET)]
    pair.come_back(1 - mover).wait(1.0)
    assert side.told(Turn)[-1].seat == mover
    pair.move()
    assert chains(pair)[0] == chains(pair)[1]


def test_a_host_who_wants_to_be_asked_is_asked_again(sit: Sit) -> None:
    pair = sit(confirm=True).connect()
    assert pair.host.duel.knocked
    pair.crash(0).come_back(0).wait(1.0)
    assert pair.host.duel.knocked
    assert len(pair.host.told(Knock)) == 1
    assert len(pair.host.game.session.records) == 2


# A match.


@pytest.mark.slow
def test_score_and_link_are_kept_in_the_second_game_of_a_match(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).run(lambda: both_rest(pair))
    pair.do(0, Rematch()).do(1, Rematch()).run(lambda: pair._in_play)
    pair.crash(0, 1).come_back(0, 1).run(lambda: both_reconciled(pair))
    pair.play().run(lambda: both_rest(pair))
    assert chains(pair, 2)[0] == chains(pair, 2)[1]
    for side in pair.sides:
        assert sum(side.result.score) == 2
        assert side.result.verified
    pair.do(0, Rematch()).do(1, Rematch()).run(lambda: pair._in_play)


def test_a_host_who_dies_as_the_next_game_begins_brings_his_friend_along(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).run(lambda: both_rest(pair))
    pair.do(1, Rematch())
    pair.sides[0].duel.command(Rematch(), pair.now)
    assert len(pair.host.logs()) == 2
    pair.crash(0).come_back(0)
    pair.run(lambda: pair._in_play, limit_s=60.0)
    pair.wait(20.0)
    assert not any(side.told(Trouble) for side in pair.sides)


@pytest.mark.slow
def test_a_wish_for_the_game_that_goes_on_is_no_wish_for_the_next(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).run(lambda: both_rest(pair))
    pair.holding.add(1)
    pair.do(0, Rematch())
    pair.do(1, Rematch())
    pair.release()
    pair.crash(0).come_back(0)
    pair.run(lambda: pair._in_play)
    pair.play().run(lambda: both_rest(pair))
    pair.do(1, Rematch()).wait(30.0)
    assert not pair.guest.told(Trouble)


# Notes.


@pytest.mark.parametrize(
    ("command", "reason"), [(Resign(), Reason.RESIGN), (Claim(), Reason.CLAIMED), (Leave(), Reason.LEFT)]
)
def test_what_was_said_while_a_friend_was_away_he_learns_when_he_is_back(
    sit: Sit, command: Command, reason: Reason
) -> None:
    pair = after_moves(sit().deal(), 4)
    away = pair.mover
    pair.crash(away).wait(90.0)
    pair.sides[1 - away].duel.command(command, pair.now)
    pair.come_back(away).wait(8.0)
    for side in pair.sides:
        assert side.result.reason is reason
    assert pair.host.game.verdict == pair.guest.game.verdict


def test_a_note_that_the_peer_acknowledged_and_lost_is_told_again(sit: Sit) -> None:
    pair = after_moves(sit().deal(), 4)
    mover = pair.mover
    pair.sides[mover].duel.channel.append = lambda record, now: None  # type: ignore[method-assign]  # it is never sent
    pair.move()
    pair.do(mover, Resign())
    assert pair.sides[1 - mover].game.session.notes[0].kind is NoteKind.RESIGN
    assert pair.sides[1 - mover].saved().notes == (), "it is about a record that has not come"
    pair.crash(0, 1).come_back(0, 1).wait(8.0)
    assert all(side.result.reason is Reason.RESIGN for side in pair.sides)
    assert chains(pair)[0] == chains(pair)[1]


def test_a_note_waits_that_comes_before_the_records_which_were_lost(sit: Sit) -> None:
    pair = after_moves(sit().deal(), 2)
    shares = last_of(pair, 0, Kind.SHARES)
    records = pair.guest.duel.channel._records
    pair.crash(0).grow_old(0, shares).do(1, Resign())
    records.__class__ = Miser
    pair.come_back(0).wait(8.0)
    assert pair.host.game.session.notes == []
    assert len(pair.host.saved().records) == shares
    records.__class__ = Records
    pair.run(lambda: both_rest(pair))
    assert all(side.result.reason is Reason.RESIGN for side in pair.sides)
    assert pair.host.game.verdict == pair.guest.game.verdict
    assert chains(pair)[0] == chains(pair)[1]


# Giving up.


@pytest.mark.slow
def test_who_leaves_before_his_friend_is_heard_signs_nothing_and_may_come_back_again(sit: Sit) -> None:
    pair = after_moves(sit().deal(), 4).crash(0, 1).come_back(0)
    pair.do(0, Resign())
    assert pair.host.told(Refused)[-1] == Refused("resign", NOT_YET)
    pair.do(0, Leave())
    assert pair.host.duel.closed
    pair.host.duel.close()
    assert pair.host.saved().notes == ()
    pair.dead.add(0)
    pair.come_back(0, 1).run(lambda: both_reconciled(pair))
    pair.play().run(lambda: both_rest(pair))
    the_game_is_whole(pair)


def test_who_comes_back_alone_may_claim_after_the_rules_of_conduct(sit: Sit) -> None:
    pair = after_moves(sit().deal(), 4)
    waits = 1 - pair.mover
    pair.crash(0, 1).come_back(waits).wait(55.0)
    side = pair.sides[waits]
    pair.do(waits, Claim())
    assert "can be claimed in" in side.told(Refused)[-1].reason
    pair.wait(10.0).do(waits, Claim()).wait(1.0)
    assert side.result.reason is Reason.CLAIMED
    pair.come_back(1 - waits).wait(8.0)
    assert pair.sides[1 - waits].result.reason is Reason.CLAIMED


def test_who_keeps_back_what_he_says_he_holds_can_be_claimed_after_two_minutes(sit: Sit) -> None:
    pair = after_moves(sit(options=replace(CLASSIC, move_timer=0)).deal(), 4)
    liar = pair.mover
    pair.sides[liar].duel.channel._records.chain.append(b"no record")
    pair.sides[liar].duel.channel._records.__class__ = Miser
    pair.crash(1 - liar).come_back(1 - liar).wait(110.0)
    side = pair.sides[1 - liar]
    assert not side.game.session.reconciled
    pair.do(1 - liar, Claim())
    assert side.told(Refused)
    pair.wait(15.0).do(1 - liar, Claim()).wait(1.0)
    assert side.result.reason is Reason.CLAIMED


def test_a_guest_who_has_answered_is_waited_for_and_one_who_has_not_is_not(sit: Sit) -> None:
    pair = sit()
    for side in pair.sides:
        side.duel.up(pair.now)
    while len(pair.host.game.session.records if pair.host.duel.game else ()) < 2:
        pair.carry(1)
    pair.crash(1).wait(2 * UNDEALT_SILENCE_S)
    assert not pair.host.duel.closed
    pair.come_back(1).run(lambda: pair._in_play)


# An older copy, another copy.


@pytest.mark.parametrize(
    ("seat", "kind"),
    [
        pytest.param(1, Kind.START1, marks=pytest.mark.slow),
        pytest.param(0, Kind.SHUFFLE0, marks=pytest.mark.slow),
        (1, Kind.SHUFFLE1),
        (0, Kind.SHARES),
        pytest.param(0, Kind.MOVE, marks=pytest.mark.slow),
        (1, Kind.MOVE),
    ],
)
def test_an_older_copy_takes_in_what_it_has_lost_before_it_signs(sit: Sit, seat: int, kind: Kind) -> None:
    """A bot plays, so whatever is owed would be made at once, and otherwise than before."""
    pair = sit(bots=True)
    for side in pair.sides:
        side.duel.up(pair.now)
    while pair.sides[1 - seat].duel.game is None or len(chain_of(pair, 1 - seat)) < 10:
        pair.carry(1)
    held = chain_of(pair, 1 - seat)
    lost = last_of(pair, seat, kind)
    pair.crash(seat).grow_old(seat, lost).come_back(seat).finish()
    assert not any(side.told(Trouble) for side in pair.sides)
    assert chain_of(pair, seat)[: len(held)] == held
    the_game_is_whole(pair)


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_an_older_copy_of_the_folder_is_played_on_with(sit: Sit, tmp_path: Path, seat: int) -> None:
    pair = after_moves(sit().deal(), 5)
    side = pair.sides[seat]
    shutil.copytree(side.store.folder, tmp_path / "older")
    after_moves(pair, 7).crash(seat)
    shutil.rmtree(side.store.folder)
    shutil.copytree(tmp_path / "older", side.store.folder)
    pair.come_back(seat).run(lambda: both_reconciled(pair))
    assert chains(pair)[0] == chains(pair)[1]
    pair.play().run(lambda: both_rest(pair))
    the_game_is_whole(pair)
    assert not any(side.told(Trouble) for side in pair.sides)


def test_an_older_copy_of_an_earlier_game_is_told_so(sit: Sit, tmp_path: Path) -> None:
    pair = after_moves(sit().deal(), 2)
    shutil.copytree(pair.guest.store.folder, tmp_path / "older")
    pair.do(0, Resign()).run(lambda: both_rest(pair))
    pair.do(0, Rematch()).do(1, Rematch()).run(lambda: pair._in_play)
    pair.crash(1)
    shutil.rmtree(pair.guest.store.folder)
    shutil.copytree(tmp_path / "older", pair.guest.store.folder)
    pair.come_back(1).wait(3.0)
    assert pair.guest.trouble.message == LATER_GAME


def test_a_copy_that_was_played_on_elsewhere_stops_before_it_signs(sit: Sit, tmp_path: Path) -> None:
    pair = after_moves(sit().deal(), 4)
    seat = pair.mover
    side = pair.sides[seat]
    shutil.copytree(side.store.folder, tmp_path / "copy")
    actions = side.view.legal_actions()
    pair.do(seat, Play(actions[0])).crash(seat)
    shutil.rmtree(side.store.folder)
    shutil.copytree(tmp_path / "copy", side.store.folder)
    pair.come_back(seat, connect=False)
    copy = pair.sides[seat]
    copy.game.session.reconcile(0)  # as a process that came back while its friend was still there
    copy.game.play(actions[-1], pair.now)
    copy.duel.up(pair.now)
    pair.pump()
    assert copy.told(Trouble)[-1].message == OTHER_COURSE
    assert copy.duel.closed
    assert not pair.sides[1 - seat].told(Trouble), "the friend never sees a second record for one place"


# What is on the disk.


def test_what_a_new_process_needs_is_there_before_a_record_of_ours_leaves(sit: Sit) -> None:
    pair = sit()
    for side in pair.sides:
        side.duel.up(pair.now)
    for _ in range(60):
        pair.carry(1)
        for side in pair.sides:
            ours = [record for record in side.saved().records if side.logs()] if side.logs() else []
            if any(decode_record(record).seat == side.duel.player.seat for record in ours):
                assert is_kept(side)


def test_nothing_to_come_back_to_stays_of_a_game_that_was_left(sit: Sit) -> None:
    pair = after_moves(sit(options=replace(CLASSIC, open=False)).deal(), 3)
    pair.do(0, Resign()).run(lambda: both_rest(pair))
    pair.do(0, Leave()).do(1, Leave()).finish()
    for side in pair.sides:
        assert is_kept(side)
        side.duel.close()
        assert not is_kept(side)
        secrets = read_secrets(side.logs()[0])
        assert secrets is not None, "our own hand can still be looked at"
        assert secrets.match is None


def test_a_program_that_is_stopped_leaves_what_a_new_one_needs(sit: Sit) -> None:
    pair = after_moves(sit().deal(), 3)
    pair.host.duel.close()
    assert is_kept(pair.host)


def test_an_identity_that_has_not_played_the_game_is_refused(sit: Sit) -> None:
    pair = after_moves(sit().deal(), 3).crash(0)
    pair.host.duel.sitting.player = replace(pair.host.duel.player, key=IDENTITIES[1])
    with pytest.raises(LocalError, match=NOT_OURS):
        pair.come_back(0)
