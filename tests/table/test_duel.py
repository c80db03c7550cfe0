"""A match of two honest players: proposal and consent, game after game, chat, and every way in which a game ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from fairdeck.audit import Finding
from fairdeck.game import Seat
from fairdeck.log import Tag, encode_entry
from fairdeck.notes import End
from fairdeck.wire import Start0, decode_record
from p2pdurak.bots import LEVELS, Bot
from p2pdurak.events import (
    Accept,
    Again,
    Claim,
    Command,
    Dealt,
    Decline,
    Knock,
    Late,
    Leave,
    Link,
    LinkState,
    Moved,
    Offer,
    Opener,
    Peer,
    Play,
    Reason,
    Refused,
    Rematch,
    Resign,
    Result,
    Said,
    Say,
    Shuffling,
    Trouble,
    Waiting,
)
from p2pdurak.rules.actions import Action, Take
from p2pdurak.rules.engine import apply, outcome, to_act
from p2pdurak.rules.match import GameEnd, Match
from p2pdurak.rules.options import CLASSIC, NAMED, AfterDraw, Options, RematchFirst, option_pairs
from p2pdurak.rules.view import View
from p2pdurak.store import read_log
from p2pdurak.table.chair import Habits
from p2pdurak.table.chat import CHATS_WAITING_MAX
from p2pdurak.table.clock import AutoDone
from p2pdurak.table.consent import NOT_LET_IN
from p2pdurak.table.duel import MEET_WAIT_S, NOT_HEARD, UNDEALT_SILENCE_S
from p2pdurak.table.parting import SETTLE_S
from p2pdurak.table.players import Exit
from p2pdurak.table.sitting import CLOSE_WAIT_S, Phase
from tests.fairdeck.cheap import lowest
from tests.table.pairs import Pair, Side

Sit = Callable[..., Pair]

UNOPENED = replace(CLASSIC, open=False)


def exits(pair: Pair) -> list[Exit]:
    return [side.duel.exit for side in pair.sides]


def outcomes(pair: Pair) -> list[tuple[str, Reason, Seat | None]]:
    return [(side.result.outcome, side.result.reason, side.result.by) for side in pair.sides]


def refusals(side: Side) -> list[str]:
    return [event.reason for event in side.told(Refused)]


def end(outcome: str, reason: Reason, by: Seat | None) -> tuple[str, Reason, Seat | None]:
    return outcome, reason, by


def nobody_is_accused(pair: Pair) -> bool:
    return not any(
        event.accused is not None or event.kind == "cheat" for side in pair.sides for event in side.told(Trouble)
    )


# A whole match.


def test_match_of_two_games_by_bots_leaves_equal_chains_and_verified_logs(sit: Sit) -> None:
    pair = sit(bots=True, games=(2, 2)).connect().finish()
    for game in (1, 2):
        host, guest = (side.saved(game) for side in pair.sides)
        assert host.chain == guest.chain
        for side in pair.sides:
            found = pair.audit(side.logs()[game - 1])
            assert (found.finding, found.checks[-2].name) == (Finding.OK, "opened")
    assert exits(pair) == [Exit.FINISHED] * 2
    assert [result.verified for side in pair.sides for result in side.told(Result)] == [True] * 4


def test_both_sides_tell_the_same_result(sit: Sit) -> None:
    pair = sit(bots=True, games=(3, 3)).connect().finish()
    for host, guest in zip(pair.host.told(Result), pair.guest.told(Result), strict=True):
        assert {host.outcome, guest.outcome} in ({"win", "loss"}, {"draw"})
        assert (host.durak, host.head, host.score, host.hands) == (guest.durak, guest.head, guest.score, guest.hands)


def test_result_shows_both_hands_that_were_left_once_the_keys_are_shown(sit: Sit) -> None:
    result = sit(bots=True).connect().finish().host.result
    winner = 1 - result.durak if result.durak is not None else 0
    assert result.hands[winner] == ()
    assert None not in result.hands


def test_result_hides_the_other_hand_where_keys_are_not_shown(sit: Sit) -> None:
    pair = sit(options=UNOPENED).deal().move()
    pair.do(0, Resign()).wait(1.0)
    assert pair.host.result.hands[1] is None
    assert pair.guest.result.hands[0] is None
    assert [side.result.verified for side in pair.sides] == [True, True]


def test_score_counts_the_duraks_of_the_match(sit: Sit) -> None:
    pair = sit().deal()
    scores = []
    for seat in (0, 1, 1):
        pair.do(seat, Resign()).wait(1.0)
        scores.append([side.result.score for side in pair.sides])
        pair.do(0, Rematch()).do(1, Rematch()).run(lambda: pair._in_play)
    assert scores == [[(1, 0, 0)] * 2, [(1, 1, 0)] * 2, [(1, 2, 0)] * 2]


def test_logs_are_named_by_day_code_game_and_role_and_nothing_of_the_peer(sit: Sit) -> None:
    pair = sit(bots=True, games=(2, 2), names=("../../etc/passwd", "\x1b[2J$(reboot)")).connect().finish()
    names = [[path.name for path in side.logs()] for side in pair.sides]
    assert names == [[f"2026-11-30-k7q2m-{game}-{role}.dlog" for game in (1, 2)] for role in ("host", "guest")]


def test_match_ends_after_the_games_that_were_asked_for(sit: Sit) -> None:
    pair = sit(bots=True, games=(3, 3)).connect().finish()
    assert [result.more for result in pair.host.told(Result)] == [True, True, False]
    assert len(pair.guest.logs()) == 3


def test_match_ends_early_when_the_other_side_wants_fewer_games(sit: Sit) -> None:
    pair = sit(bots=True, games=(1, 5)).connect().finish()
    assert [len(side.told(Result)) for side in pair.sides] == [1, 1]
    assert exits(pair) == [Exit.FINISHED] * 2


def test_each_side_meets_the_other_by_his_clean_name_and_the_same_safety_words(sit: Sit) -> None:
    pair = sit(names=("Mi\x1b[31mra\u202e", "O" * 80)).deal()
    host, guest = (side.told(Peer) for side in pair.sides)
    assert [peer.name for peer in guest] == ["Mi[31mra"]
    assert [peer.name for peer in host] == ["O" * 24]
    assert host[0].safety == guest[0].safety
    assert host[0].key == pair.guest.duel.player.key.public.hex()


def test_name_of_many_bytes_is_cut_at_a_whole_letter(sit: Sit) -> None:
    pair = sit(names=("Mira", "ж" * 31 + "€" * 9)).deal()
    start1 = decode_record(pair.host.game.session.records[1]).body
    assert start1.name == "ж" * 31  # type: ignore[union-attr]


# A game over a bad line.


@pytest.mark.parametrize("seed", range(6))
def test_match_is_played_to_its_end_over_a_line_that_loses_doubles_and_reorders(sit: Sit, seed: int) -> None:
    pair = sit(bots=True, games=(2, 2), seed=f"line {seed}")
    pair.spoil(seed)
    pair.connect().run(lambda: all(len(side.told(Result)) == 2 for side in pair.sides), limit_s=3000)
    for game in (1, 2):
        assert pair.host.saved(game).chain == pair.guest.saved(game).chain
    assert [result.outcome != "none" for side in pair.sides for result in side.told(Result)] == [True] * 4
    assert nobody_is_accused(pair)


def test_game_goes_on_after_both_were_cut_off_for_a_while(sit: Sit) -> None:
    pair = sit().deal().move()
    for side in pair.sides:
        side.duel.down(1)
    pair.silent = {0, 1}
    pair.wait(20.0)
    pair.silent = set()
    for side in pair.sides:
        side.duel.up(pair.now)
    pair.wait(1.0).play().wait(1.0)
    assert [side.result.reason for side in pair.sides] == [Reason.CARDS] * 2
    states = [event.state for event in pair.host.told(LinkState)]
    lost = states.index(Link.OWN_DOWN)
    assert states[lost : lost + 2] == [Link.OWN_DOWN, Link.UP]


# Proposal and consent.


def test_guest_sees_every_option_and_is_asked(sit: Sit) -> None:
    pair = sit(ask=True, options=NAMED["table"]).connect()
    assert pair.guest.told(Offer) == [Offer(option_pairs(NAMED["table"]), ask=True)]
    assert pair.guest.duel.offered
    assert pair.host.told(Offer) == []


def test_nothing_is_dealt_or_saved_by_the_guest_before_he_accepts(sit: Sit) -> None:
    pair = sit(ask=True).connect().wait(30.0)
    assert pair.guest.logs() == []
    assert [side.told(Dealt) for side in pair.sides] == [[], []]


def test_game_begins_when_the_guest_accepts(sit: Sit) -> None:
    pair = sit(ask=True).connect()
    pair.do(1, Accept())
    assert [len(side.told(Dealt)) for side in pair.sides] == [1, 1]


def test_guest_who_declines_ends_the_match_for_both_with_exit_code_2(sit: Sit) -> None:
    pair = sit(ask=True).connect()
    pair.do(1, Decline()).finish()
    assert exits(pair) == [Exit.REFUSED] * 2
    assert pair.host.trouble == Trouble("options", "Your friend does not accept these rules.")


@pytest.mark.parametrize("command", [Accept(), Decline()])
def test_there_is_nothing_to_answer_before_an_offer(sit: Sit, command: Accept | Decline) -> None:
    pair = sit().deal()
    pair.do(1, command)
    assert refusals(pair.guest)[0].startswith("There is nothing to ")
    assert pair.guest.duel.phase is Phase.PLAYING


def test_guest_who_has_named_every_option_is_not_asked(sit: Sit) -> None:
    pair = sit(ask=True, pins=option_pairs(CLASSIC)).connect()
    assert pair.guest.told(Offer) == [Offer(option_pairs(CLASSIC), ask=False)]
    assert len(pair.guest.told(Dealt)) == 1


def test_guest_who_has_named_some_options_is_asked_about_the_others(sit: Sit) -> None:
    pair = sit(ask=True, pins=(("move_timer", "25"),)).connect()
    assert pair.guest.duel.offered


def test_other_options_than_the_guest_named_end_the_match_with_both_values_told_to_both(sit: Sit) -> None:
    pair = sit(ask=True, pins=(("move_timer", "0"), ("pile_on", "off"))).connect().finish()
    assert exits(pair) == [Exit.REFUSED] * 2
    for side in pair.sides:
        for value in ("move_timer: the guest wants 0, the host 25", "pile_on: the guest wants off, the host on"):
            assert value in side.trouble.message
    assert pair.guest.logs() == []


def test_rematch_is_not_asked_about_again(sit: Sit) -> None:
    pair = sit(ask=True).connect()
    pair.do(1, Accept()).do(0, Resign()).wait(1.0)
    pair.do(0, Rematch()).do(1, Rematch()).run(lambda: pair._in_play)
    assert [offer.ask for offer in pair.guest.told(Offer)] == [True, False]


def test_friend_who_has_the_code_and_never_comes_is_not_waited_for(sit: Sit) -> None:
    pair = sit()
    pair.host.duel.up(pair.now)
    pair.silent = {0, 1}
    pair.wait(MEET_WAIT_S + 1.0)
    assert pair.host.duel.closed
    assert pair.host.trouble.kind == "left"
    assert pair.host.duel.exit is Exit.NOT_FINISHED


# A host who wants to be asked before the friend is let in.


def test_host_is_asked_before_anything_is_shuffled(sit: Sit) -> None:
    pair = sit(confirm=True).connect().wait(30.0)
    (peer,) = pair.host.told(Peer)
    assert pair.host.told(Knock) == [Knock("Oleg", peer.safety)]
    assert pair.host.duel.knocked
    assert not pair.host.duel.offered
    assert [side.told(Shuffling) for side in pair.sides] == [[], []]


def test_friend_who_is_let_in_plays(sit: Sit) -> None:
    pair = sit(confirm=True).connect().wait(30.0)
    pair.do(0, Accept())
    assert [len(side.told(Dealt)) for side in pair.sides] == [1, 1]
    assert not pair.host.duel.knocked


def test_friend_who_is_not_let_in_is_told_and_no_game_counts(sit: Sit) -> None:
    pair = sit(confirm=True).connect()
    pair.do(0, Decline()).finish()
    assert exits(pair) == [Exit.REFUSED] * 2
    assert pair.guest.told(Trouble) == [Trouble("refused", NOT_LET_IN)]
    assert pair.host.told(Waiting)[-1].text == "You did not let your friend in, so there is no game."
    assert [(side.told(Result), side.duel.match) for side in pair.sides] == [([], Match())] * 2


def test_host_may_leave_in_place_of_an_answer(sit: Sit) -> None:
    pair = sit(confirm=True).connect()
    pair.do(0, Leave()).finish()
    assert exits(pair) == [Exit.NOT_FINISHED] * 2


def test_friend_who_does_not_wait_for_the_answer_is_said_to_have_left(sit: Sit) -> None:
    pair = sit(confirm=True).connect()
    pair.do(1, Leave()).finish()
    assert pair.host.trouble == Trouble("left", "Your friend has left before the cards were dealt.")
    assert pair.host.duel.exit is Exit.NOT_FINISHED


@pytest.mark.parametrize("command", [Resign(), Claim(), Rematch(), Play(Take())])
def test_nothing_can_be_played_before_the_answer(sit: Sit, command: Command) -> None:
    pair = sit(confirm=True).connect()
    pair.do(0, command)
    assert len(refusals(pair.host)) == 1
    assert pair.host.duel.knocked


def test_host_is_asked_once_a_match(sit: Sit) -> None:
    pair = sit(confirm=True).connect()
    pair.do(0, Accept()).do(0, Resign()).wait(1.0)
    pair.do(0, Rematch()).do(1, Rematch()).run(lambda: pair._in_play)
    assert len(pair.host.told(Knock)) == 1


def test_bot_that_was_told_to_ask_waits_for_the_answer_longer_than_for_a_record(sit: Sit) -> None:
    pair = sit(bots=True, confirm=True)
    pair.guest.duel.sitting.player = replace(pair.guest.duel.player, habits=Habits(AutoDone.ASK))
    pair.connect().wait(SETTLE_S + 30.0)
    assert pair.host.duel.knocked
    pair.do(0, Accept())
    assert [len(side.told(Dealt)) for side in pair.sides] == [1, 1]
    assert not pair.host.duel.closed


def test_friend_whose_program_speaks_out_of_turn_at_the_door_is_not_let_in(sit: Sit) -> None:
    pair = sit(confirm=True).connect()
    pair.send_record(1, b"garbage").finish()
    assert pair.host.told(Result) == []
    assert pair.host.duel.exit is Exit.CHEATED


# Who opens.


def opener_of(pair: Pair, game: int) -> int:
    """What the first record of a game says about who opens it."""
    body = decode_record(pair.host.saved(game).records[0]).body
    assert isinstance(body, Start0)
    return body.opener


def after_one_game(sit: Sit, options: Options, durak: Seat) -> Pair:
    pair = sit(options=options).deal()
    pair.do(durak, Resign()).wait(1.0)
    return pair.do(0, Rematch()).do(1, Rematch()).run(lambda: pair._in_play)


@pytest.mark.parametrize("durak", [0, 1])
def test_winner_attacks_first_in_the_next_game(sit: Sit, durak: Seat) -> None:
    pair = after_one_game(sit, CLASSIC, durak)
    assert (opener_of(pair, 1), opener_of(pair, 2)) == (2, 1 - durak)
    assert [side.told(Opener)[-1] for side in pair.sides] == [Opener(1 - durak, None)] * 2
    assert pair.mover == 1 - durak


@pytest.mark.parametrize("durak", [0, 1])
def test_first_attack_alternates_where_that_was_agreed(sit: Sit, durak: Seat) -> None:
    pair = after_one_game(sit, replace(CLASSIC, rematch_first=RematchFirst.ALTERNATE), durak)
    assert opener_of(pair, 2) == 1 - pair.host.told(Opener)[0].seat


@pytest.mark.parametrize(("after_draw", "opener"), [(AfterDraw.SAME, 1), (AfterDraw.OTHER, 0)])
def test_opener_after_a_draw_is_the_agreed_one(sit: Sit, after_draw: AfterDraw, opener: Seat) -> None:
    pair = sit(options=replace(CLASSIC, after_draw=after_draw))
    drawn = GameEnd(opener=1, winner=None, durak=None, finished=True, resigned=False, claimed=False)
    for side in pair.sides:
        side.duel.sitting.match, side.duel.sitting.link = Match().add(drawn), b"d" * 32
    pair.deal()
    assert pair.host.told(Opener)[-1].seat == opener


def test_game_after_one_without_a_result_opens_like_a_first_game(sit: Sit) -> None:
    pair = sit().deal()
    pair.silent = {pair.mover}
    claimer = 1 - pair.mover
    pair.wait(61.0).do(claimer, Claim())
    pair.silent = set()
    pair.wait(10.0)
    pair.do(0, Rematch()).do(1, Rematch()).run(lambda: len(pair.host.told(Dealt)) == 2)
    assert opener_of(pair, 2) == 2


# The rematch.


def test_wish_for_a_rematch_is_told_to_the_other_side_once(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).wait(1.0).do(0, Rematch())
    for _ in range(5):
        pair.do(0, Rematch())
    assert pair.guest.told(Again) == [Again(0)]
    assert pair.guest.duel.resting


def test_wish_that_comes_before_the_own_result_is_told_after_it(sit: Sit) -> None:
    pair = sit(wait_aside=True).deal()
    pair.do(0, Resign()).wait(1.0)
    pair.host.aside.popleft()()
    pair.do(0, Rematch())
    assert pair.guest.told(Again) == []
    pair.guest.aside.popleft()()
    assert [type(event) for event in pair.guest.events[-2:]] == [Result, Again]


def test_rematch_in_the_middle_of_a_game_is_refused(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Rematch())
    assert refusals(pair.host) == ["A rematch can be asked for when a game is over."]


def test_games_of_a_match_are_linked_by_their_hashes(sit: Sit) -> None:
    pair = after_one_game(sit, CLASSIC, 0)
    first, second = (decode_record(pair.guest.saved(game).records[0]).body for game in (1, 2))
    assert isinstance(first, Start0)
    assert isinstance(second, Start0)
    assert (first.game, first.link) == (1, bytes(32))
    assert second.game == 2
    assert second.link != bytes(32)


def test_friend_who_leaves_after_the_game_is_told_and_ends_the_match(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).wait(1.0).do(0, Leave()).finish()
    assert pair.guest.told(Waiting)[-1] == Waiting("Your friend has left the table.")
    assert exits(pair) == [Exit.FINISHED] * 2


# Chat.


def test_chat_goes_both_ways_and_is_shown_on_both_sides(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Say("good luck")).do(1, Say("  same to you "))
    expected = [Said(0, "good luck"), Said(1, "same to you")]
    assert [side.told(Said) for side in pair.sides] == [expected, expected]


def test_chat_before_anybody_is_there_is_refused(sit: Sit) -> None:
    pair = sit()
    pair.do(0, Say("hello?"))
    assert refusals(pair.host) == ["There is nobody to talk to yet."]


@pytest.mark.parametrize("nothing", ["", "   ", "\x00\x1b\x07", "\u200b\u2066", "\ud800"])
def test_chat_of_nothing_visible_is_refused(sit: Sit, nothing: str) -> None:
    pair = sit().deal()
    pair.do(0, Say(nothing))
    assert refusals(pair.host) == ["There is nothing to say."]
    assert pair.guest.told(Said) == []


def test_third_line_in_a_second_and_a_half_waits_its_turn(sit: Sit) -> None:
    pair = sit().deal()
    for count in range(10):
        pair.do(0, Say(f"line {count}"))
    assert len(pair.guest.told(Said)) == 4
    assert set(refusals(pair.host)) == {"Two lines a second are enough."}
    pair.wait(0.5).do(0, Say("again"))
    assert pair.guest.told(Said)[-1] == Said(0, "again")


def test_long_chat_is_cut_alike_on_both_sides(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Say("x" * 100_000)).do(1, Say("界" * 5000))
    assert pair.host.told(Said) == pair.guest.told(Said)
    assert [len(said.text) for said in pair.host.told(Said)] == [200, 100]


def test_chat_to_a_friend_who_is_away_never_fills_the_room_that_the_end_of_a_game_needs(sit: Sit) -> None:
    pair = sit(options=replace(CLASSIC, move_timer=0)).deal()
    pair.silent = {1}
    for _ in range(300):
        pair.do(0, Say("are you there?")).wait(0.5)
    assert len(pair.host.told(Said)) == CHATS_WAITING_MAX
    assert refusals(pair.host)[-1] == "Your friend is away and has a lot to read already."
    pair.silent = set()
    pair.wait(10.0).do(0, Say("there you are"))
    assert pair.guest.told(Said)[-1] == Said(0, "there you are")
    pair.do(0, Resign()).wait(1.0)
    assert outcomes(pair)[1] == end("win", Reason.RESIGN, 0)


# Resign.


@pytest.mark.parametrize("seat", [0, 1])
def test_resign_makes_the_resigner_the_durak(sit: Sit, seat: Seat) -> None:
    pair = sit().deal().move()
    pair.do(seat, Resign()).wait(1.0)
    expected = ["win", "win"]
    expected[seat] = "loss"
    assert outcomes(pair) == [end(word, Reason.RESIGN, seat) for word in expected]
    assert [side.result.durak for side in pair.sides] == [seat, seat]
    assert [pair.audit(side.logs()[0]).finding for side in pair.sides] == [Finding.OK] * 2
    assert exits(pair) == [Exit.FINISHED] * 2


@pytest.mark.parametrize("options", [CLASSIC, UNOPENED], ids=["opened", "unopened"])
@pytest.mark.parametrize("moves", [0, 1, 2])
def test_crossing_resigns_give_both_sides_one_result(sit: Sit, options: Options, moves: int) -> None:
    pair = sit(options=options).deal()
    for _ in range(moves):
        pair.move()
    owing = pair.mover
    pair.holding = {0, 1}
    pair.do(0, Resign()).do(1, Resign()).release().wait(1.0)
    assert [side.result.durak for side in pair.sides] == [owing, owing]
    pair.do(0, Rematch()).do(1, Rematch()).run(lambda: len(pair.host.told(Dealt)) == 2)


def before_the_last_move(sit: Sit, options: Options, *, mover_wins: bool) -> Pair:
    """A game one move before its end, which the mover wins or loses by it."""
    for seed in range(100):
        pair = sit(options=options, auto_done=AutoDone.INSTANT, seed=f"end {seed}").deal()
        while to_act(after := apply(pair.mover_view.state, lowest(pair.mover_view)).state) is not None:
            pair.move()
        ended = outcome(after)
        if ended is not None and ended.winner is not None and (ended.winner == pair.mover) == mover_wins:
            return pair
    raise AssertionError("no game ends like that")


@pytest.mark.parametrize("options", [CLASSIC, UNOPENED], ids=["opened", "unopened"])
@pytest.mark.parametrize("mover_wins", [True, False], ids=["by the winner", "by the durak"])
def test_move_that_ends_the_game_beats_a_resign_that_crossed_it(sit: Sit, options: Options, mover_wins: bool) -> None:
    pair = before_the_last_move(sit, options, mover_wins=mover_wins)
    mover = pair.mover
    pair.holding = {0, 1}
    pair.move().do(1 - mover, Resign()).release().wait(1.0)
    durak = 1 - mover if mover_wins else mover
    told = [[(result.reason, result.durak) for result in side.told(Result)] for side in pair.sides]
    assert told == [[(Reason.CARDS, durak)]] * 2
    assert pair.host.saved().chain == pair.guest.saved().chain


def test_record_that_crossed_a_resign_is_in_both_logs(sit: Sit) -> None:
    pair = sit(options=UNOPENED).deal()
    mover = pair.mover
    pair.holding = {0, 1}
    pair.move().do(1 - mover, Resign()).release().wait(1.0)
    assert pair.host.saved().chain == pair.guest.saved().chain
    assert [side.result.durak for side in pair.sides] == [1 - mover] * 2


def test_resign_to_a_friend_who_is_away_is_told_after_a_while_and_holds_when_he_returns(sit: Sit) -> None:
    pair = sit().deal()
    pair.silent = {0, 1}
    pair.do(0, Resign()).wait(6.0)
    assert pair.host.result.outcome == "loss"
    pair.silent = set()
    pair.wait(10.0)
    assert outcomes(pair) == [end("loss", Reason.RESIGN, 0), end("win", Reason.RESIGN, 0)]


def test_game_key_that_comes_after_the_result_is_still_saved(sit: Sit) -> None:
    pair = sit().deal()
    pair.silent = {1}
    pair.do(0, Resign()).wait(6.0)
    notes = len(pair.host.saved().notes)
    pair.silent = set()
    pair.wait(10.0)
    assert len(pair.host.saved().notes) == notes + 1
    assert pair.audit(pair.host.logs()[0]).checks[-2].name == "opened"


def test_resign_before_the_cards_are_dealt_is_refused_with_the_other_word(sit: Sit) -> None:
    pair = sit(ask=True).connect()
    for seat in (0, 1):
        pair.do(seat, Resign())
        assert refusals(pair.sides[seat]) == ["There is no game to give up. To go away, type leave."]


def test_nothing_is_played_after_a_resign(sit: Sit) -> None:
    pair = sit().deal()
    mover = pair.mover
    choice = pair.sides[mover].view.legal_actions()[0]
    pair.do(1 - mover, Resign())
    before = len(pair.host.game.session.records)
    pair.do(mover, Play(choice)).wait(40.0)
    assert len(pair.host.game.session.records) == before
    assert refusals(pair.sides[mover]) == ["There is no game in which to play that."]


# Leave.


@pytest.mark.parametrize("seat", [0, 1])
def test_leaving_before_the_deal_is_neutral_and_told(sit: Sit, seat: Seat) -> None:
    pair = sit(ask=True).connect()
    pair.do(seat, Leave()).finish()
    assert pair.sides[1 - seat].trouble == Trouble("left", "Your friend has left before the cards were dealt.")
    assert exits(pair) == [Exit.NOT_FINISHED] * 2
    assert [side.told(Result) for side in pair.sides] == [[], []]
    assert all(side.saved().notes == () for side in pair.sides if side.logs())


@pytest.mark.parametrize("leaver", [0, 1])
def test_leaving_while_the_other_accepts_accuses_nobody(sit: Sit, leaver: Seat) -> None:
    pair = sit(ask=True).connect()
    pair.holding = {0, 1}
    pair.do(1, Accept()).do(leaver, Leave()).release().finish()
    assert nobody_is_accused(pair)
    assert [event.kind for event in pair.sides[1 - leaver].told(Trouble)] == ["left"]


@pytest.mark.parametrize("backwards", [False, True])
def test_packets_of_a_leaver_may_overtake_each_other(sit: Sit, backwards: bool) -> None:
    pair = sit(ask=True).connect()
    pair.holding = {1}
    pair.do(1, Accept()).do(1, Leave())
    if backwards:
        pair.held.reverse()
    pair.release().finish()
    assert pair.host.trouble.kind == "left"
    assert nobody_is_accused(pair)


@pytest.mark.parametrize("seat", [0, 1])
def test_leaving_a_dealt_game_leaves_it_without_a_result_and_names_who_left(sit: Sit, seat: Seat) -> None:
    pair = sit().deal().move()
    pair.do(seat, Leave()).finish()
    assert outcomes(pair) == [end("none", Reason.LEFT, seat)] * 2
    assert exits(pair) == [Exit.NOT_FINISHED] * 2
    for side in pair.sides:
        found = pair.audit(side.logs()[0])
        assert (found.finding, found.verdict.end, found.verdict.loser) == (Finding.INCOMPLETE, End.LEFT, seat)


def test_leaving_in_the_moment_of_the_check_is_not_forgotten(sit: Sit) -> None:
    pair = sit(wait_aside=True).deal()
    pair.do(0, Resign()).wait(1.0).do(0, Leave())
    pair.host.aside.popleft()()
    assert pair.host.duel.phase is Phase.CLOSING
    assert pair.host.result.more is False


def test_time_to_say_goodbye_counts_from_the_result_however_long_its_check_took(sit: Sit) -> None:
    pair = sit(wait_aside=True).deal()
    pair.silent = {1}
    pair.do(0, Leave()).wait(10.0)
    pair.host.aside.popleft()()
    pair.wait(CLOSE_WAIT_S - 0.5)
    assert pair.host.duel.phase is Phase.CLOSING
    pair.wait(1.0)
    assert pair.host.duel.closed


def test_leaving_while_the_end_is_awaited_still_shows_the_result(sit: Sit) -> None:
    pair = sit().deal()
    pair.silent = {0, 1}
    pair.do(0, Resign())
    assert pair.host.told(Result) == []
    pair.do(0, Leave())
    assert pair.host.result.outcome == "loss"


def test_goodbye_in_the_middle_of_a_game_ends_it_after_a_grace_for_a_last_record(sit: Sit) -> None:
    pair = sit().deal()
    pair.host.duel.sitting.close(pair.now, Exit.NOT_FINISHED)
    pair.pump()
    assert pair.guest.told(Result) == []
    pair.finish()
    assert pair.guest.result.by == 0
    assert pair.guest.result.reason is Reason.LEFT


def test_last_record_of_a_side_that_says_goodbye_is_waited_for(sit: Sit) -> None:
    pair = before_the_last_move(sit, CLASSIC, mover_wins=True)
    mover = pair.mover
    pair.holding = {mover}
    pair.move()
    record = pair.held.pop(0)
    pair.do(mover, Leave())
    pair.held.append(record)
    pair.release().finish()
    assert pair.sides[1 - mover].result.reason is Reason.CARDS


def test_leaving_side_does_not_wait_for_ever_for_a_goodbye(sit: Sit) -> None:
    pair = sit().deal()
    pair.silent = {1}
    pair.do(0, Leave()).wait(CLOSE_WAIT_S + 0.1)
    assert pair.host.duel.closed


# Late, and the claim.


def mover_is_gone(sit: Sit, **options: object) -> tuple[Pair, Side, Seat]:
    """Whoever has the move vanishes; who waits for him, and his seat."""
    pair = sit(**options).deal()
    seat = 1 - pair.mover
    pair.silent = {pair.mover}
    return pair, pair.sides[seat], seat


def stalls(side: Side) -> None:
    """A peer whose client is there, and does not play for him when his clock has run out."""
    side.game.tick = lambda now: None  # type: ignore[method-assign]
    side.game.next_deadline = lambda: None  # type: ignore[method-assign]


def test_friend_is_late_five_seconds_over_his_clock(sit: Sit) -> None:
    pair = sit().deal()
    waiting = pair.sides[1 - pair.mover]
    stalls(pair.sides[pair.mover])
    pair.wait(29.0)
    assert waiting.told(Late) == []
    pair.wait(2.0)
    assert waiting.told(Late) == [Late(pair.mover, 30, claimable=False)]


@pytest.mark.parametrize(("seconds", "claimable"), [(59.0, False), (61.0, True)])
def test_win_may_be_claimed_after_a_minute_of_silence(sit: Sit, seconds: float, claimable: bool) -> None:
    pair, waiting, seat = mover_is_gone(sit)
    pair.wait(seconds)
    assert any(late.claimable for late in waiting.told(Late)) == claimable
    pair.do(seat, Claim())
    assert bool(waiting.told(Result)) == claimable
    assert bool(refusals(waiting)) != claimable


@pytest.mark.parametrize(("seconds", "claimable"), [(24.9, False), (61.0, False), (119.0, False), (121.5, True)])
def test_win_may_be_claimed_after_two_minutes_of_stalling(sit: Sit, seconds: float, claimable: bool) -> None:
    pair = sit().deal()
    seat = 1 - pair.mover
    stalls(pair.sides[pair.mover])
    pair.wait(seconds).do(seat, Claim())
    assert bool(pair.sides[seat].told(Result)) == claimable


def test_claimed_game_is_told_as_such_on_both_sides_and_is_no_proof(sit: Sit) -> None:
    pair = sit().deal()
    mover, seat = pair.mover, 1 - pair.mover
    stalls(pair.sides[mover])
    pair.wait(121.5).do(seat, Claim())
    expected = ["loss", "loss"]
    expected[seat] = "win"
    assert outcomes(pair) == [end(word, Reason.CLAIMED, seat) for word in expected]
    for side in pair.sides:
        assert (side.result.verified, side.result.durak, side.result.score) == (False, None, (0, 0, 0))
        assert pair.audit(side.logs()[0]).finding is Finding.INCOMPLETE
    assert exits(pair) == [Exit.NOT_FINISHED] * 2


def test_no_key_is_shown_after_a_claim(sit: Sit) -> None:
    pair, waiting, seat = mover_is_gone(sit)
    pair.wait(61.0).do(seat, Claim()).wait(10.0)
    assert [note.kind.name for note in waiting.game.session.notes] == ["CLAIM"]


def test_win_is_never_claimed_on_the_own_turn(sit: Sit) -> None:
    pair = sit(options=replace(CLASSIC, move_timer=0)).deal()
    mover = pair.mover
    pair.silent = {1 - mover}
    pair.wait(600.0).do(mover, Claim())
    assert refusals(pair.sides[mover]) == ["The win can be claimed only while the other side owes a step."]
    assert pair.sides[mover].told(Late) == []


def test_win_is_never_claimed_while_the_own_link_is_down(sit: Sit) -> None:
    pair, waiting, seat = mover_is_gone(sit)
    waiting.duel.down(1)
    pair.wait(600.0).do(seat, Claim())
    assert refusals(waiting) == ["Your own link is down; the win cannot be claimed."]
    assert waiting.told(Late) == []


def test_own_outage_gives_no_claim_when_it_is_over(sit: Sit) -> None:
    pair, waiting, seat = mover_is_gone(sit)
    waiting.duel.down(1)
    pair.silent = {0, 1}
    pair.wait(100.0)
    waiting.duel.up(pair.now)
    pair.wait(1.0).do(seat, Claim())
    assert waiting.told(Late) == []
    assert refusals(waiting) == ["The win can be claimed in 59 s, if nothing comes until then."]


def test_win_is_never_claimed_after_the_end(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).wait(1.0)
    pair.silent = {0}
    pair.wait(300.0).do(1, Claim())
    assert refusals(pair.guest)[-1] == "The win can be claimed only while the other side owes a step."
    assert pair.guest.told(Late) == []


def test_win_is_never_claimed_before_the_cards_are_dealt(sit: Sit) -> None:
    pair = sit(ask=True).connect()
    pair.wait(600.0).do(0, Claim())
    assert refusals(pair.host) == ["The win can be claimed only while the other side owes a step."]
    assert pair.host.told(Late) == []


def test_offer_to_claim_vanishes_when_the_friend_returns(sit: Sit) -> None:
    pair, waiting, seat = mover_is_gone(sit, options=replace(CLASSIC, move_timer=0))
    pair.wait(61.0)
    assert waiting.told(Late)[-1].claimable
    pair.silent = set()
    pair.wait(5.0).do(seat, Claim())
    assert waiting.told(LinkState)[-1].state is Link.UP
    assert refusals(waiting)[-1].startswith("The win can be claimed in ")
    pair.move()
    assert pair.host.told(Result) == []


def test_claim_is_void_when_a_move_that_was_made_before_it_arrives(sit: Sit) -> None:
    pair, waiting, seat = mover_is_gone(sit)
    pair.wait(61.0).do(seat, Claim())
    assert waiting.result.outcome == "win"
    pair.silent = set()
    pair.wait(10.0)
    assert outcomes(pair) == [end("none", Reason.CLAIMED, seat)] * 2
    assert waiting.told(Waiting)[-2].text.endswith("did before the end has come late.")
    assert waiting.told(Waiting)[-1].text == "Your claim of the win is void: your friend's step was already on its way."
    assert pair.sides[1 - seat].told(Waiting)[-1].text == (
        "Your friend's claim of the win is void: your step was already on its way."
    )
    assert pair.host.saved().chain == pair.guest.saved().chain
    assert waiting.game.verdict.end is End.RUNNING


def test_after_a_void_claim_a_rematch_can_be_played(sit: Sit) -> None:
    pair, waiting, seat = mover_is_gone(sit)
    pair.wait(61.0).do(seat, Claim()).do(seat, Rematch())
    pair.silent = set()
    pair.wait(10.0).do(1 - seat, Rematch()).run(lambda: pair._in_play and len(pair.host.told(Dealt)) == 2)
    assert waiting.result.score == (0, 0, 0)


def test_program_in_the_chair_claims_by_itself(sit: Sit) -> None:
    pair, waiting, _ = mover_is_gone(sit)
    waiting.duel.sitting.player = replace(waiting.duel.player, habits=Habits(AutoDone.INSTANT, LEVELS["easy"]), games=1)
    pair.wait(70.0)
    assert waiting.result.reason is Reason.CLAIMED
    assert waiting.duel.closed


def test_program_in_the_chair_does_not_wait_for_ever_for_a_friend_who_vanishes_before_the_deal(sit: Sit) -> None:
    pair = sit(ask=True)
    pair.guest.duel.sitting.player = replace(pair.guest.duel.player, habits=Habits(AutoDone.INSTANT, LEVELS["easy"]))
    pair.connect()
    pair.silent = {0}
    pair.wait(59.0)
    assert not pair.guest.duel.closed
    pair.wait(10.0)
    assert pair.guest.duel.closed
    assert refusals(pair.guest) == []


@pytest.mark.parametrize("confirm", [False, True])
def test_host_gives_up_half_a_minute_after_a_guest_fell_silent_before_the_deal(sit: Sit, confirm: bool) -> None:
    pair = sit(ask=not confirm, confirm=confirm).connect()
    pair.silent = {1}
    pair.wait(UNDEALT_SILENCE_S - 1)
    assert not pair.host.duel.sitting.leaving
    pair.wait(2.0)
    assert pair.host.trouble == Trouble("left", NOT_HEARD)
    pair.wait(CLOSE_WAIT_S)
    assert (pair.host.duel.closed, pair.host.duel.exit) == (True, Exit.NOT_FINISHED)


def test_host_whose_own_link_is_down_gives_nobody_up(sit: Sit) -> None:
    pair = sit(ask=True).connect()
    pair.host.duel.down(1)
    pair.silent = {0, 1}
    pair.wait(300.0)
    assert pair.host.told(Trouble) == []


def test_guest_waits_for_a_silent_host_as_long_as_he_likes(sit: Sit) -> None:
    pair = sit(ask=True).connect()
    pair.silent = {0}
    pair.wait(300.0)
    assert pair.guest.told(Trouble) == []


def test_silence_before_the_next_deal_of_a_match_ends_nothing(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).wait(1.0).do(1, Rematch())
    pair.silent = {1}
    pair.do(0, Rematch()).wait(300.0)
    assert pair.host.duel.view is None
    assert pair.host.told(Trouble) == []


def test_program_in_the_chair_waits_for_a_friend_who_reads_the_rules(sit: Sit) -> None:
    pair = sit(ask=True)
    pair.host.duel.sitting.player = replace(pair.host.duel.player, habits=Habits(AutoDone.INSTANT, LEVELS["easy"]))
    pair.connect().wait(500.0)
    assert not pair.host.duel.closed
    assert refusals(pair.host) == []


# The check of the log.


def test_result_of_a_log_that_was_damaged_on_disk_is_not_verified(sit: Sit) -> None:
    pair = sit(wait_aside=True).deal()
    pair.do(0, Resign()).wait(1.0)
    path = pair.host.logs()[0]
    data = bytearray(read_log(path))
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    for side in pair.sides:
        side.aside.popleft()()
    assert [side.result.verified for side in pair.sides] == [False, True]


def test_notes_of_both_stand_in_both_logs(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).wait(1.0)
    host, guest = (side.saved().notes for side in pair.sides)
    assert sorted(host) == sorted(guest)
    assert len(host) == 3
    assert all(encode_entry(Tag.NOTE, note) in read_log(pair.host.logs()[0]) for note in guest)


def test_moves_after_the_result_are_not_told_twice(sit: Sit) -> None:
    pair = sit(bots=True).connect().finish()
    numbers = [move.n for move in pair.host.told(Moved)]
    assert numbers == sorted(set(numbers))


# Bots that think aside.


class Slow:
    """Bots whose thoughts are kept until the test lets them out."""

    def __init__(self) -> None:
        self.thoughts: deque[Callable[[], None]] = deque()
        self.asked = 0

    def __call__(self, bot: Bot, view: View, play: Callable[[Action], None]) -> None:
        self.asked += 1
        action = bot(view, Random(self.asked))
        self.thoughts.append(lambda: play(action))


def test_match_of_bots_that_think_aside_ends_like_any_other(sit: Sit) -> None:
    slow = Slow()
    pair = sit(bots=True, asks=slow).connect()
    for _ in range(2000):
        if all(side.told(Result) for side in pair.sides):
            break
        if slow.thoughts:
            slow.thoughts.popleft()()
        pair.wait(0.1)
    assert [side.result.reason for side in pair.sides] == [Reason.CARDS] * 2
    assert pair.host.saved().chain == pair.guest.saved().chain


def test_a_bot_is_asked_once_a_turn_however_often_time_passes(sit: Sit) -> None:
    slow = Slow()
    pair = sit(bots=True, asks=slow).connect().wait(3.0)
    assert len(slow.thoughts) == slow.asked == 1
    pair.wait(3.0)
    assert slow.asked == 1


def test_a_thought_that_comes_after_the_clock_has_played_changes_nothing(sit: Sit) -> None:
    slow = Slow()
    pair = sit(bots=True, asks=slow).connect().wait(30.0)
    late = slow.thoughts.popleft()
    chain = pair.host.saved().chain
    assert any(event.auto for event in pair.host.told(Moved))
    late()
    assert pair.host.saved().chain == chain
    assert nobody_is_accused(pair)
