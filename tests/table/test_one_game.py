"""One game from one seat: the move clock, what plays by itself, and what is on disk before anything is sent."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fairdeck import log
from fairdeck.group import EDWARDS25519, SUITES, card_numbers
from fairdeck.log import MAGIC, Tag, encode_entry
from fairdeck.wire import Kind, Move, decode_record
from p2pdurak import files
from p2pdurak.events import Bout, Dealt, Drew, Moved, Play, Refused, Resign, Shuffling, Turn
from p2pdurak.files import StoreError
from p2pdurak.rules.actions import Action, Attack, Done, Take
from p2pdurak.rules.options import CLASSIC
from p2pdurak.rules.state import Phase
from p2pdurak.store import read_log, read_secrets, secrets_path
from p2pdurak.table.chair import PostKind
from p2pdurak.table.clock import AutoDone
from p2pdurak.table.sitting import Phase as MatchPhase
from tests.fairdeck.cheap import lowest
from tests.table.pairs import Pair, Side

Sit = Callable[..., Pair]


def moved(side: Side) -> list[Moved]:
    return side.told(Moved)


def last_move(pair: Pair) -> Move:
    body = decode_record(pair.host.game.session.records[-1]).body
    assert isinstance(body, Move)
    return body


def mover(pair: Pair) -> Side:
    return pair.sides[pair.mover]


def has_choice(pair: Pair) -> bool:
    """Whether the attacker may throw in, or be done."""
    view = mover(pair).view
    return bool(view.state.table) and view.state.phase is not Phase.DEFEND and not view.forced_done


def is_forced(pair: Pair) -> bool:
    return mover(pair).view.forced_done


def played_until(pair: Pair, met: Callable[[Pair], bool]) -> Pair:
    pair.deal().play(until=lambda: met(pair))
    if pair.host.game.ended:
        raise AssertionError("the game ended before that")
    return pair


# The clock.


def test_clock_does_nothing_a_tenth_of_a_second_before_its_end(sit: Sit) -> None:
    pair = sit().deal()
    before = len(moved(pair.host))
    pair.wait(24.9)
    assert len(moved(pair.host)) == before


def test_clock_leads_the_lowest_card_for_a_player_who_lets_it_run_out(sit: Sit) -> None:
    pair = sit().deal()
    expected = mover(pair).view.timeout_action()
    pair.wait(25.1)
    last = moved(pair.host)[-1]
    assert isinstance(expected, Attack)
    assert (last.action, last.auto) == (expected, True)
    assert last_move(pair).auto


def test_clock_takes_for_a_defender_although_he_could_beat(sit: Sit) -> None:
    def can_beat(pair: Pair) -> bool:
        view = mover(pair).view
        return view.state.phase is Phase.DEFEND and len(view.legal_actions()) > 1

    pair = played_until(sit(), can_beat)
    pair.wait(25.1)
    last = moved(pair.guest)[-1]
    assert (last.action, last.auto) == (Take(), True)


def test_clock_is_done_for_an_attacker_who_could_throw_in_and_says_so(sit: Sit) -> None:
    pair = played_until(sit(), has_choice)
    pair.wait(25.1)
    last = moved(pair.guest)[-1]
    assert (last.action, last.auto) == (Done(), True)


def test_done_that_was_forced_anyway_is_not_marked_as_played_by_the_clock(sit: Sit) -> None:
    pair = played_until(sit(auto_done=AutoDone.ASK), is_forced)
    pair.wait(24.9)
    assert is_forced(pair)
    pair.wait(0.2)
    last = moved(pair.guest)[-1]
    assert (last.action, last.auto) == (Done(), False)


@pytest.mark.parametrize("timer_s", [5, 60])
def test_agreed_seconds_are_those_of_the_clock(sit: Sit, timer_s: int) -> None:
    pair = sit(options=replace(CLASSIC, move_timer=timer_s)).deal()
    before = len(moved(pair.host))
    pair.wait(timer_s - 0.1)
    assert len(moved(pair.host)) == before
    pair.wait(0.2)
    assert len(moved(pair.host)) == before + 1


def test_game_without_a_clock_waits_for_ever(sit: Sit) -> None:
    pair = sit(options=replace(CLASSIC, move_timer=0)).deal()
    before = len(moved(pair.host))
    pair.wait(1000.0)
    assert len(moved(pair.host)) == before
    assert [turn.seconds for turn in pair.host.told(Turn)] == [0]


def test_clock_begins_anew_with_every_step(sit: Sit) -> None:
    pair = sit().deal()
    for _ in range(6):
        pair.wait(20.0).move()
    assert not any(move.auto for move in moved(pair.host))


def test_clock_begins_when_all_own_cards_can_be_seen(sit: Sit) -> None:
    pair = sit(bots=True).connect().finish()
    for seat, side in enumerate(pair.sides):
        own = [turn for turn in side.told(Turn) if turn.seat == seat]
        assert own
        assert all(turn.view.complete for turn in own)


def test_clock_and_key_press_in_one_tick_make_one_record(sit: Sit) -> None:
    pair = sit().deal()
    side = mover(pair)
    pair.wait(24.9)
    choice, before = side.view.legal_actions()[-1], len(side.game.session.records)
    pair.now += 0.2
    side.duel.tick(pair.now)
    side.duel.command(Play(choice), pair.now)
    pair.pump()
    assert len(pair.host.game.session.records) == before + 1
    assert last_move(pair).auto
    assert side.told(Refused) == [Refused("play", "It is not your turn.")]


def test_key_press_just_before_the_clock_is_looked_at_counts(sit: Sit) -> None:
    pair = sit().deal()
    side = mover(pair)
    pair.wait(24.9)
    choice, before = side.view.legal_actions()[-1], len(side.game.session.records)
    pair.now += 0.2
    side.duel.command(Play(choice), pair.now)
    side.duel.tick(pair.now)
    pair.pump()
    assert len(pair.host.game.session.records) == before + 1
    assert (moved(side)[-1].action, moved(side)[-1].auto) == (choice, False)


def test_clock_of_a_machine_that_slept_an_hour_plays_one_move_for_it(sit: Sit) -> None:
    pair = sit().deal()
    side = mover(pair)
    before = len(side.game.session.records)
    pair.now += 3600.0
    side.duel.tick(pair.now)
    side.duel.tick(pair.now)
    assert len(side.game.session.records) == before + 1


def test_seconds_that_a_player_thought_stand_in_his_record(sit: Sit) -> None:
    pair = sit().deal().wait(3.25).move()
    assert last_move(pair).think_ms == 3250


# What plays by itself.


@pytest.mark.parametrize("timer_s", [25, 5, 0])
def test_forced_done_looks_like_thought(sit: Sit, timer_s: int) -> None:
    pair = sit(auto_done=AutoDone.MASKED, options=replace(CLASSIC, move_timer=timer_s)).deal()
    waits = []
    while len(waits) < 4 and not pair.host.game.ended:
        if not is_forced(pair):
            pair.wait(1.5).move()
            continue
        before, began = len(moved(pair.host)), pair.now
        pair.run(lambda before=before: len(moved(pair.host)) > before)
        waits.append(pair.now - began)
        assert (moved(pair.host)[before].action, moved(pair.host)[before].auto) == (Done(), False)
    assert len(waits) == 4
    assert all(0.6 <= wait <= (0.8 * timer_s or 8.0) + 0.01 for wait in waits)


def test_player_is_asked_for_what_only_he_can_do(sit: Sit) -> None:
    pair = sit(auto_done=AutoDone.MASKED).deal()
    asked = []
    while not pair.host.game.ended:
        asked.append(is_forced(pair))
        expected = [seat == pair.mover and not is_forced(pair) for seat in (0, 1)]
        assert [side.duel.asks for side in pair.sides] == expected
        pair.move()
    assert set(asked) == {False, True}


@pytest.mark.parametrize(("games", "asked"), [(0, True), (2, False)])
def test_player_is_asked_for_another_game_unless_he_said_how_many(sit: Sit, games: int, asked: bool) -> None:
    pair = sit(games=(games, 0)).deal().do(0, Resign())
    pair.run(lambda: pair.host.duel.phase is MatchPhase.RESTING)
    assert pair.host.duel.asks == asked


def test_forced_done_may_be_hurried_by_the_player(sit: Sit) -> None:
    pair = played_until(sit(auto_done=AutoDone.MASKED), is_forced)
    before = len(pair.host.game.session.records)
    seat = pair.mover
    pair.do(seat, Play(Done()))
    dones = [move for move in moved(pair.host) if move.n >= before]
    assert dones[0].action == Done()
    pair.wait(10.0)
    assert [move.action for move in moved(pair.host) if move.n >= before].count(Done()) == 1


def test_forced_done_is_instant_for_who_wants_it_so(sit: Sit) -> None:
    pair = sit(auto_done=AutoDone.INSTANT).deal()
    while not pair.host.game.ended:
        assert not is_forced(pair)
        pair.move()
    assert any(move.action == Done() for move in moved(pair.host))


def test_forced_done_is_asked_for_where_the_player_wants_to_be_asked(sit: Sit) -> None:
    pair = played_until(sit(auto_done=AutoDone.ASK), is_forced)
    pair.wait(20.0)
    assert is_forced(pair)


def test_done_with_a_choice_is_never_said_for_the_player_before_his_time(sit: Sit) -> None:
    pair = played_until(sit(auto_done=AutoDone.MASKED), has_choice)
    pair.wait(24.0)
    assert has_choice(pair)


def test_question_for_the_lowest_trump_is_answered_without_the_player(sit: Sit) -> None:
    pair = sit().deal()
    answers = [move for move in moved(pair.host) if not isinstance(move.action, Attack)]
    assert answers
    assert pair.now < 1001.0
    assert {turn.view.state.phase for side in pair.sides for turn in side.told(Turn)} == {Phase.ATTACK}


# What is told.


def test_both_see_the_shuffles_then_their_six_cards_and_each_only_his_own(sit: Sit) -> None:
    pair = sit().deal()
    for seat, side in enumerate(pair.sides):
        assert [event.proofs for event in side.told(Shuffling)] == [1, 2]
        (dealt,) = side.told(Dealt)
        assert (dealt.game, dealt.seat, len(dealt.hand)) == (1, seat, 6)
    host, guest = (side.told(Dealt)[0] for side in pair.sides)
    assert host.indicator == guest.indicator
    assert not set(host.hand) & set(guest.hand)


def test_every_card_that_comes_to_a_hand_is_told_once(sit: Sit) -> None:
    pair = sit(bots=True).connect().finish()
    for seat, side in enumerate(pair.sides):
        seen = [*side.told(Dealt)[0].hand, *(card for drew in side.told(Drew) for card in drew.cards)]
        assert len(seen) == len(set(seen))
        assert len(seen) + len(side.told(Drew)) > 6
        played = {move.action.card for move in moved(side) if move.seat == seat and hasattr(move.action, "card")}
        picked_up = {card for turn in side.told(Turn) for card in turn.view.mine.known}
        assert played <= set(seen) | picked_up


def test_moves_are_told_alike_on_both_sides(sit: Sit) -> None:
    pair = sit(bots=True).connect().finish()
    host, guest = ([(m.n, m.seat, m.action, m.auto) for m in moved(side)] for side in pair.sides)
    assert host == guest
    assert pair.host.told(Bout) == pair.guest.told(Bout)


# Files.


def spy_on_the_channel(side: Side, seen: list[bytes]) -> None:
    """Note what reaches the channel that is not in the log yet."""
    channel = side.duel.channel
    append, post = channel.append, channel.post

    def missing(tag: Tag, payload: bytes) -> bool:
        return encode_entry(tag, payload) not in side.logs()[-1].read_bytes()

    def spied_append(record: bytes, now: float) -> None:
        seen.extend([record] if missing(Tag.RECORD, record) else [])
        append(record, now)

    def spied_post(kind: int, body: bytes, now: float) -> None:
        seen.extend([body] if kind == PostKind.NOTE and missing(Tag.NOTE, body) else [])
        post(kind, body, now)

    channel.append, channel.post = spied_append, spied_post  # type: ignore[method-assign]


@pytest.mark.parametrize("end", ["by the rules", "by a resign"])
def test_no_record_and_no_note_reaches_the_channel_before_it_is_on_disk(sit: Sit, end: str) -> None:
    pair = sit(auto_done=AutoDone.INSTANT)
    seen: list[bytes] = []
    for side in pair.sides:
        spy_on_the_channel(side, seen)
    pair.deal()
    if end == "by a resign":
        pair.do(0, Resign())
    pair.play().wait(1.0)
    assert pair.host.game.ended
    assert seen == []


def test_secrets_are_on_disk_before_the_first_own_record_is_made(sit: Sit) -> None:
    pair = sit()
    found: list[bool] = []
    for side in pair.sides:
        append = side.duel.channel.append

        def spied(record: bytes, now: float, side: Side = side, append: Any = append) -> None:
            if decode_record(record).seat == side.duel.player.seat:
                saved = read_secrets(side.logs()[-1])
                found.append(saved is not None and (saved.entropy, saved.nonce) == side.game.session.secrets)
            append(record, now)

        side.duel.channel.append = spied  # type: ignore[method-assign]
    pair.deal()
    assert len(found) > 4
    assert all(found)


def test_secrets_go_when_both_game_keys_stand_in_the_log(sit: Sit) -> None:
    pair = sit(bots=True).connect().finish()
    paths = [secrets_path(side.logs()[0]) for side in pair.sides]
    assert all(path.exists() for path in paths)
    for side in pair.sides:
        side.duel.close()
    assert not any(path.exists() for path in paths)


def test_secrets_stay_when_the_keys_were_not_shown(sit: Sit) -> None:
    pair = sit(bots=True, options=replace(CLASSIC, open=False)).connect().finish()
    for side in pair.sides:
        side.duel.close()
    assert all(read_secrets(side.logs()[0]) is not None for side in pair.sides)


def test_log_is_let_go_once_and_closing_twice_is_no_harm(sit: Sit) -> None:
    pair = sit(bots=True).connect().finish()
    pair.host.duel.close()
    pair.host.duel.close()


@pytest.mark.slow
def test_no_log_and_no_packet_holds_a_card_or_a_secret(sit: Sit) -> None:
    """What an opened card is follows from its ciphertext and the share; the card itself is written nowhere."""
    pair = sit(bots=True, suites=SUITES).connect().finish()
    secrets = [part for side in pair.sides for part in side.game.session.secrets[:1]]
    keys = [side.game.session.x.to_bytes(32, "little") for side in pair.sides]
    points = list(card_numbers(EDWARDS25519, 36))
    bytes_out = b"".join(packet for _, packet in pair.sent)
    for side in pair.sides:
        data = read_log(side.logs()[0])
        assert not [part for part in (*points, *secrets) if part in data]
        assert not [key for key in keys if key in side.saved().chain]
    assert not [part for part in (*points, *secrets, *keys) if part in bytes_out]


def test_records_name_a_card_only_when_it_is_played(sit: Sit) -> None:
    """Before a card is known to all, the one byte of an action that names it has not been in any log."""
    pair = sit(bots=True).connect().finish()
    named: set[int] = set()
    for step in pair.audit(pair.host.logs()[0]).steps:
        if isinstance(step.record.body, Move) and step.action is not None and hasattr(step.action, "card"):
            named.add(step.action.card)
        state = step.referee.state
        if state is not None and step.record.kind is Kind.MOVE:
            public = {card for pair_ in state.table for card in (pair_.attack, pair_.beaten_by)} | set(state.discard)
            public |= {card for hand in state.hands for card in hand.known}
            assert named <= public


# A disk that fails in the middle of a game.


class FullDisk:
    """The module `os` of a disk that takes so many writes and no more."""

    def __init__(self, writes: int) -> None:
        self._left = writes

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def write(self, fd: int, data: bytes) -> int:
        self._left -= 1
        if self._left < 0:
            os.write(fd, data[:7])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return os.write(fd, data)


@pytest.mark.parametrize("writes", [0, 1, 2, 3, 4, 5, 7, 9, 11, 14, 18, 25, 40, 60])
def test_whoever_cannot_save_a_record_has_not_sent_it(sit: Sit, monkeypatch: pytest.MonkeyPatch, writes: int) -> None:
    pair = sit(bots=True)
    monkeypatch.setattr(files, "os", FullDisk(writes))
    with pytest.raises(StoreError, match="cannot be"):
        pair.connect().finish()
    monkeypatch.undo()
    chains = []
    for side in pair.sides:
        saved = side.saved() if side.logs() else log.read(MAGIC)
        assert (list(saved.records), saved.torn) == (side.duel.channel._records.chain, 0)
        chains.append(saved.records)
    short, long = sorted(chains, key=len)
    assert long[: len(short)] == short


def test_action_that_the_view_does_not_list_is_refused_and_changes_nothing(sit: Sit) -> None:
    pair = sit().deal()
    side = mover(pair)
    before = len(side.game.session.records)
    others: list[Action] = [Done(), Take(), *(Attack(card) for card in pair.sides[1 - pair.mover].view.hand)]
    for action in others:
        pair.do(pair.mover, Play(action))
    assert len(side.game.session.records) == before
    assert len(side.told(Refused)) == len(others)
    pair.move(policy=lowest)
    assert len(side.game.session.records) == before + 1
