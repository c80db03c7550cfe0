"""What every event, and time, does to the picture of a player's seat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.events import (
    Advice,
    Again,
    Bout,
    Broker,
    Code,
    Drew,
    Knock,
    Late,
    Link,
    LinkState,
    Offer,
    Opener,
    Peer,
    Reason,
    Refused,
    Said,
    Shuffling,
    Trouble,
    Turn,
    Waiting,
    WrongTry,
)
from p2pdurak.rules.actions import Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.match import Opener as OpensBy
from p2pdurak.rules.state import BoutOutcome
from p2pdurak.ui.draw.screen import Clock, Line, Notice, Screen, Seated, Told, Tone
from p2pdurak.ui.live.play_model import PlayModel
from tests.ui.live.seats import (
    BEATEN,
    DEFENDING,
    HELPLESS,
    LATER_S,
    LEADING,
    LED,
    NAMES,
    NINE_C,
    NINE_D,
    START_S,
    TAKEN,
    TEN_C,
    WAITING,
    at_turn,
    cards,
    dealt,
    moved,
    result,
    seated,
    turn,
    typed,
    view_after,
)


def screen(model: PlayModel, later: float = 0.0) -> Screen:
    return model.screen(START_S + later)


def text(notice: Notice | None) -> str:
    return "" if notice is None else notice.text


def end(model: PlayModel) -> list[str]:
    panel = model.screen(LATER_S).panel
    return [] if panel is None else [line.text for line in panel.lines]


def forced_done() -> PlayModel:
    return at_turn(view_after(0, "9c 6c 7c 8c Kd Ah", Attack(NINE_C), Beat(TEN_C)))


# The deal.


def test_before_the_first_deal_the_table_is_bare():
    bare = screen(PlayModel("durak"))
    assert (bare.talon, bare.indicator, bare.table, bare.bottom.cards, bare.top.cards) == (36, None, (), (), ())


def test_the_deal_shows_the_sorted_hand_six_backs_and_the_indicator():
    shown = screen(seated())
    assert shown.bottom == Seated("ilya", cards("6c 9c 9d Kd As 7h"), 0, turn=True)
    assert shown.top == Seated("mira", (None,) * 6, 0)
    assert (shown.indicator, shown.talon, shown.beaten, shown.bout) == (cards("Kh")[0], 24, 0, 1)


def test_the_title_can_be_changed():
    model = PlayModel("durak")
    model.title = "k7q2m"
    assert screen(model).title == "k7q2m"


def test_a_friend_with_our_name_is_told_apart():
    view = LEADING
    model = PlayModel("durak")
    model.show(replace(dealt(view), names=("ilya", "ilya")), START_S)
    assert (screen(model).top.name, screen(model).bottom.name) == ("your friend", "ilya")


def test_cards_on_their_way_stand_face_down_and_nothing_is_asked():
    shown = screen(seated(view=view_after(0, "6c 9c")))
    assert shown.bottom.cards == (*cards("6c 9c"), None, None, None, None)
    assert (shown.prompt, shown.tone, shown.choosing) == ("Your new cards are on their way", Tone.PLAIN, False)


@pytest.mark.parametrize(
    "event",
    [
        Broker("mqtt://x", 3),
        Code("k7q2m-a-b-c", "p2pdurak join k7q2m-a-b-c"),
        WrongTry(2),
        Offer((("pile_on", "on"),), ask=False),
        Bout(BoutOutcome.BEATEN, 0, (6, 6), 20),
    ],
)
def test_some_events_are_told_elsewhere(event):
    model = seated()
    model.show(event, START_S)
    assert screen(model).notice is None


def test_who_joins_is_told_with_the_safety_words():
    model = PlayModel("durak")
    for event in (Peer("mira", "ab", "copper-lamp"), Knock("mira", "copper-lamp")):
        model.show(event, START_S)
        assert "copper-lamp" in text(screen(model).notice)


def test_the_shuffles_are_told_stage_by_stage():
    model = PlayModel("durak")
    model.show(Shuffling("you", 1), START_S)
    assert text(screen(model).notice) == "Shuffling: you ok, proofs 1/2"
    model.show(Shuffling("mira", 2), START_S)
    assert text(screen(model, 100).notice) == "Shuffling: you ok, mira ok, proofs 2/2"
    model.show(dealt(LEADING), START_S)
    assert screen(model).notice is None


def test_who_attacks_first_is_told_with_the_reason():
    shown = screen(seated(Opener(1, cards("7h")[0])))
    sentence = "mira attacks first: 7♥ is the lowest trump in the two hands."
    assert text(shown.notice) == sentence
    assert shown.told[-1] == Told("", None, sentence, bout=1)


# Turns.


@pytest.mark.parametrize(
    ("view", "prompt", "tone"),
    [
        (LEADING, "Your attack", Tone.MINE),
        (DEFENDING, "Beat 9♣", Tone.MINE),
        (HELPLESS, "Nothing beats 9♣: take", Tone.MINE),
        (BEATEN, "Throw in more, or finish", Tone.MINE),
        (TAKEN, "Pile on, or finish", Tone.MINE),
        (WAITING, "ilya attacks", Tone.PLAIN),
        (LED, "mira defends", Tone.PLAIN),
        (replace(BEATEN, seat=1), "ilya may throw in", Tone.PLAIN),
        (replace(TAKEN, seat=1), "ilya may pile on", Tone.PLAIN),
    ],
)
def test_the_prompt_says_what_is_to_be_done_or_who_does_it(view, prompt, tone):
    shown = screen(at_turn(view))
    assert (shown.prompt, shown.tone) == (prompt, tone)


def test_a_forced_done_is_shown_as_such():
    assert screen(forced_done()).prompt == "Nothing to throw in: done"
    piled = at_turn(view_after(0, "9c 6c 7c 8c Kd Ah", Attack(NINE_C), Take()))
    assert screen(piled).prompt == "Nothing to pile on: done"


def test_the_search_for_the_first_attacker_asks_nothing():
    asked = replace(LEADING, state=replace(LEADING.state, phase=type(LEADING.state.phase).QUESTION, question=0))
    shown = screen(seated(view=asked))
    assert shown.prompt == "Who has the lowest trump?"
    assert (shown.choosing, shown.top.turn, shown.bottom.turn) == (False, False, False)


def test_the_arrow_stands_at_whoever_is_to_act():
    assert [seat.turn for seat in (screen(at_turn(LEADING)).top, screen(at_turn(LEADING)).bottom)] == [False, True]
    assert [seat.turn for seat in (screen(at_turn(WAITING)).top, screen(at_turn(WAITING)).bottom)] == [True, False]


def test_playable_are_exactly_the_cards_that_may_be_played():
    assert screen(at_turn(DEFENDING)).playable == set(cards("Tc Jh"))
    assert screen(at_turn(BEATEN)).playable == {NINE_D}
    assert screen(at_turn(WAITING)).playable == set()


def test_nothing_is_chosen_before_the_turn_is_announced():
    assert not screen(seated()).choosing


@pytest.mark.parametrize(
    ("view", "keys"),
    [
        (LEADING, ["enter", "/", "?", "c-c", "i"]),
        (DEFENDING, ["enter", "t", "/", "?", "c-c", "i"]),
        (HELPLESS, ["t", "/", "?", "c-c", "i"]),
        (BEATEN, ["enter", "d", "/", "?", "c-c", "i"]),
        (WAITING, ["/", "?", "c-c", "i"]),
    ],
)
def test_the_hints_are_the_keys_that_do_something_now(view, keys):
    assert [hint.key for hint in screen(at_turn(view)).hints] == keys


@pytest.mark.parametrize(
    ("view", "keys"), [(BEATEN, ["enter", "d", "h", "?", "c-c", "i"]), (WAITING, ["?", "c-c", "i"])]
)
def test_against_a_bot_the_key_for_advice_is_shown_on_the_own_turn_and_never_the_one_for_chat(view, keys):
    model = at_turn(view)
    model.advised = True
    assert [hint.key for hint in screen(model).hints] == keys


def test_a_bot_reads_no_chat_and_the_key_for_it_says_so():
    model = at_turn(LEADING)
    model.advised = True
    typed(model, "/")
    assert screen(model).entry is None
    notice = screen(model).notice
    assert notice is not None
    assert notice.text == "A bot reads no chat."


def test_advice_stands_below_the_table_until_the_next_move():
    model = at_turn(LEADING)
    model.show(Advice(Attack(NINE_C), LEADING, 1, 0), START_S)
    notice = screen(model).notice
    assert notice is not None
    assert notice.text == "Hint: attack 9♣. Exact: this wins."
    model.show(moved(0, Attack(NINE_C), LED), LATER_S)
    assert screen(model).notice is None


def test_the_hints_are_those_of_the_chat_line_while_it_is_open():
    model = at_turn(LEADING)
    typed(model, "/")
    assert [hint.key for hint in screen(model).hints] == ["enter", "escape"]


# Focus.


def test_a_turn_begins_on_the_first_card_that_can_be_played():
    assert screen(at_turn(BEATEN)).focus == NINE_D
    assert screen(at_turn(DEFENDING)).focus == TEN_C


def test_the_own_focus_is_kept_where_its_card_can_be_played():
    model = seated(turn(WAITING), view=WAITING)
    typed(model, "j")
    model.show(moved(0, Attack(NINE_C), DEFENDING), START_S)
    model.show(turn(DEFENDING), START_S)
    assert screen(model).focus == cards("Jh")[0]


def test_the_own_focus_is_given_up_where_its_card_cannot_be_played():
    model = seated(turn(WAITING), view=WAITING)
    typed(model, "8")
    model.show(moved(0, Attack(NINE_C), DEFENDING), START_S)
    model.show(turn(DEFENDING), START_S)
    assert screen(model).focus == TEN_C


def test_there_is_no_focus_in_the_turn_of_the_other_unless_the_player_has_moved_it():
    model = at_turn(WAITING)
    assert screen(model).focus is None
    typed(model, "right")
    assert screen(model).focus is not None


def test_the_focus_stays_put_when_cards_are_drawn():
    model = seated(turn(LEADING))
    typed(model, "k")
    model.show(Drew(cards("6d"), replace(LEADING, hand=(*LEADING.hand, *cards("6d")))), START_S)
    assert screen(model).focus == cards("Kd")[0]


def test_the_focus_goes_to_the_neighbour_of_a_card_that_is_gone():
    model = seated(turn(LEADING))
    typed(model, "9")
    model.show(moved(0, Attack(NINE_C), LED), START_S)
    model.show(turn(BEATEN), START_S)
    assert screen(model).focus == NINE_D


# Moves.


@pytest.mark.parametrize(
    ("before", "event", "told"),
    [
        (LEADING, moved(0, Attack(NINE_C), LED), Told("ilya", Attack(NINE_C), "attack", bout=1)),
        (LED, moved(1, Beat(TEN_C), BEATEN), Told("mira", Beat(TEN_C), "beat", bout=1)),
        (BEATEN, moved(0, Attack(NINE_D), BEATEN), Told("ilya", Attack(NINE_D), "throw in", bout=1)),
        (TAKEN, moved(0, Attack(NINE_D), TAKEN), Told("ilya", Attack(NINE_D), "pile on", bout=1)),
        (LED, moved(1, Take(), TAKEN, auto=True), Told("mira", Take(), "take", auto=True, bout=1)),
        (BEATEN, moved(0, Done(), LEADING), Told("ilya", Done(), "done", bout=1)),
    ],
)
def test_every_move_is_a_line_of_the_log(before, event, told):
    assert screen(seated(event, view=before)).told == (told,)


def test_the_questions_for_the_lowest_trump_are_no_moves_of_the_log():
    answers = (moved(1, Deny((TEN_C,)), LEADING), moved(0, Show(cards("7h")[0]), LEADING))
    assert screen(seated(*answers, view=LEADING)).told == ()


def test_a_move_belongs_to_the_bout_that_it_ends():
    later = replace(LEADING, state=replace(LEADING.state, bout=2))
    assert screen(seated(moved(0, Done(), later), view=BEATEN)).told[-1].bout == 1


def test_a_take_is_said_at_the_table_until_the_bout_ends():
    model = seated(moved(1, Take(), TAKEN), view=LED)
    assert screen(model).said == "mira: take"
    model.show(moved(0, Attack(NINE_D), TAKEN), START_S)
    assert screen(model).said == "mira: take"
    model.show(moved(0, Done(), LEADING), START_S)
    assert screen(model).said == ""


def test_a_done_is_said_until_the_next_move():
    view = replace(BEATEN, seat=1)
    model = seated(moved(0, Done(), WAITING), view=view)
    assert screen(model).said == "ilya: done"
    model.show(moved(0, Attack(NINE_C), DEFENDING), START_S)
    assert screen(model).said == ""


def test_what_the_clock_played_for_us_is_told():
    model = seated(moved(1, Take(), replace(TAKEN, seat=1), auto=True), view=DEFENDING)
    assert screen(model).notice == Notice("The clock played for you: take", Tone.ALARM)


def test_what_the_clock_played_for_the_other_is_only_marked():
    shown = screen(seated(moved(1, Take(), TAKEN, auto=True), view=LED))
    assert (shown.notice, shown.told[-1].auto) == (None, True)


def test_own_draws_are_told_for_a_while():
    model = seated(Drew(cards("8h Qs"), LEADING))
    assert text(screen(model).notice) == "you: draw Q♠, 8♥"
    assert screen(model, 60).notice is None


# The clock.


def test_the_clock_counts_down_from_the_turn():
    model = at_turn(LEADING)
    assert screen(model).clock == Clock(25, 25)
    assert screen(model, 10.5).clock == Clock(15, 25)
    assert screen(model, 99).clock == Clock(0, 25)


def test_the_clock_of_the_other_counts_too():
    assert screen(at_turn(WAITING), 5).clock == Clock(20, 25)


def test_there_is_no_clock_without_seconds_or_after_the_move():
    assert screen(at_turn(LEADING, 0)).clock is None
    assert screen(seated(turn(LEADING), moved(0, Attack(NINE_C), LED))).clock is None


def test_the_picture_is_due_when_the_clock_changes():
    model, now, seen = at_turn(LEADING), START_S + 0.1, []
    while (due := model.due(now)) is not None:
        clock = model.screen(now).clock
        seen.append(-1 if clock is None else clock.left_s)
        now += due
    assert seen == list(range(25, 0, -1))
    assert model.screen(now).clock == Clock(0, 25)


def test_little_time_is_told_with_what_the_clock_will_play():
    model = at_turn(DEFENDING)
    assert screen(model, 19).notice is None
    assert screen(model, 20).notice == Notice("5 s left; then the clock plays for you: take", Tone.ALARM)


def test_little_time_is_no_alarm_where_only_one_move_is_left_or_the_other_thinks():
    assert screen(forced_done(), 23).notice is None
    assert screen(at_turn(WAITING), 23).notice is None


# The line.


@pytest.mark.parametrize(
    ("link", "later", "line"),
    [
        (LinkState(Link.UP, 38), 5, Line(Link.UP, 38)),
        (LinkState(Link.SLOW, 38, None, 6), 2.5, Line(Link.SLOW, 38, 8)),
        (LinkState(Link.DOWN, 38, 42, 18), 2.5, Line(Link.DOWN, 38, 40)),
        (LinkState(Link.DOWN, 38, 42, 18), 99, Line(Link.DOWN, 38, 0)),
        (LinkState(Link.DOWN, 38), 9, Line(Link.DOWN, 38)),
        (LinkState(Link.OWN_DOWN, None, attempt=3), 9, Line(Link.OWN_DOWN, None, None, 3)),
    ],
)
def test_the_line_counts_between_two_events(link, later, line):
    assert screen(seated(link), later).line == line


def test_the_last_round_trip_is_remembered():
    assert screen(seated(LinkState(Link.UP, 38), LinkState(Link.DOWN, None))).line == Line(Link.DOWN, 38)


@pytest.mark.parametrize(
    ("link", "notice"),
    [
        (LinkState(Link.SLOW, 38, None, 6), Notice("mira is slow, 8 s")),
        (LinkState(Link.DOWN, None, 42), Notice("mira is offline and may return (0:40)", Tone.ALARM)),
        (LinkState(Link.DOWN, None), Notice("mira is offline and may return", Tone.ALARM)),
        (LinkState(Link.OWN_DOWN, None, attempt=3), Notice("you are offline, reconnecting (3)", Tone.ALARM)),
    ],
)
def test_a_bad_line_is_told_as_long_as_it_is_bad(link, notice):
    assert screen(seated(link), 2).notice == notice


def test_a_return_is_told_for_a_while():
    model = seated(LinkState(Link.DOWN, None), LinkState(Link.UP, 40))
    assert screen(model).notice == Notice("mira is connected, 40 ms", Tone.GOOD)
    assert screen(model, 60).notice is None


def test_the_picture_is_due_while_the_line_counts():
    assert seated(LinkState(Link.SLOW, 38, None, 6)).due(START_S + 0.25) == pytest.approx(0.75)
    assert seated(LinkState(Link.DOWN, 38, 42)).due(START_S + 0.25) == pytest.approx(0.75)
    assert seated(LinkState(Link.DOWN, 38)).due(START_S) is None


def test_who_is_late_is_told():
    assert screen(seated(Late(1, 30, claimable=False))).notice == Notice("mira is late, 30 s", Tone.ALARM)


GONE = Late(1, 60, claimable=True)
DOWN = LinkState(Link.DOWN, None, 1)


@pytest.mark.parametrize("events", [(DOWN, GONE), (LinkState(Link.DOWN, None, 0),)])
def test_a_claim_is_offered_by_prompt_and_panel(events):
    shown = screen(seated(turn(LED), *events, view=LED))
    assert (shown.prompt, shown.tone) == ("Keep waiting, or claim the win", Tone.MINE)
    assert shown.notice == Notice("mira is gone", Tone.ALARM)
    assert shown.panel is not None
    assert "A claim is a note in the log, and proves nothing." in " ".join(line.text for line in shown.panel.lines)


def test_who_is_heard_but_does_not_move_is_told_apart():
    shown = screen(seated(turn(LED), GONE, view=LED))
    assert shown.notice == Notice("mira does not move", Tone.ALARM)


@pytest.mark.parametrize(
    "back",
    [LinkState(Link.UP, 40), LinkState(Link.SLOW, 40, None, 7), LinkState(Link.OWN_DOWN, None), DOWN,
     moved(1, Take(), TAKEN), result()],
)  # fmt: skip
def test_the_offer_vanishes_when_the_other_returns(back):
    shown = screen(seated(turn(LED), DOWN, GONE, back, view=LED))
    assert shown.panel is None or shown.panel.title == "The end of game 1"
    assert "claim" not in shown.prompt
    assert all(hint.key != "v" for hint in shown.hints)


def test_who_is_heard_again_and_still_does_not_move_can_be_given_up():
    assert "claim" in screen(seated(turn(LED), GONE, LinkState(Link.SLOW, 40, None, 7), view=LED)).prompt


def test_an_offer_does_not_close_what_the_player_reads():
    model = seated(turn(LED), view=LED)
    typed(model, "?")
    model.show(GONE, START_S)
    panel = screen(model).panel
    assert panel is not None
    assert panel.title == "Keys"


# What is said.


def test_chat_is_shown_for_a_while_and_stays_in_the_log():
    model = seated(Said(1, "good luck"), Said(0, "you too"))
    assert screen(model).notice == Notice("ilya: you too", Tone.CHAT)
    assert [(line.who, line.word) for line in screen(model).told] == [("mira", "good luck"), ("ilya", "you too")]
    assert screen(model, 60).notice is None


def test_chat_comes_back_after_what_covered_it():
    model = seated(Said(1, "good luck"), Refused("take", "It is not your turn."))
    assert screen(model).notice == Notice("It is not your turn.")
    assert screen(model, 10).notice == Notice("mira: good luck", Tone.CHAT)


def test_the_picture_is_due_when_a_notice_goes():
    model = seated(Said(1, "good luck"))
    due = model.due(START_S)
    assert due is not None
    assert screen(model, due).notice is None


def test_chat_is_kept_for_the_next_game_and_moves_are_not():
    model = seated(Said(1, "gg"), moved(0, Attack(NINE_C), LED), result(), dealt(LEADING, 2))
    assert [line.word for line in screen(model).told] == ["gg"]


def test_waiting_is_told():
    assert text(screen(seated(Waiting("It takes long."))).notice) == "It takes long."


def test_trouble_stays_with_who_did_it_and_where_the_proof_lies():
    model = seated(Trouble("cheat", "The proof fails.", 1, "/tmp/x.evidence"), Said(1, "oops"))
    assert screen(model).notice == Notice("mira: oops", Tone.CHAT)
    assert screen(model, 1000).notice == Notice("Cheating is proven.", Tone.ALARM)


# The end.


def test_the_end_tells_all_there_is_to_know():
    assert end(seated(result(next_opener=OpensBy.SEAT0))) == [
        "mira is the durak. You win!",
        "✓ Verified: the deal, both shuffles and every move are proven.",
        "mira holds: 8♣, 6♦",
        "Log: /home/ilya/7.dlog",
        "Durak so far: you 2, mira 1, draws 0.",
        "You attack first in the rematch.",
    ]


def test_the_end_shows_the_cards_that_were_left_and_the_score():
    shown = screen(seated(result()))
    assert shown.top == Seated("mira", cards("8c 6d"), 1)
    assert (shown.bottom.duraks, shown.bottom.turn) == (2, False)
    assert (shown.prompt, shown.tone) == ("mira is the durak. You win!", Tone.GOOD)
    assert shown.focus is None


def test_cards_that_were_never_shown_stay_face_down():
    assert screen(seated(result(hands=(None, None)))).top.cards == (None,) * 6


@pytest.mark.parametrize(
    ("ended", "first", "tone"),
    [
        (result("loss"), "You are the durak. mira wins.", Tone.MINE),
        (result("draw"), "A draw: both hands are empty, and nobody is the durak.", Tone.MINE),
        (result(reason=Reason.RESIGN), "mira resigned. mira is the durak. You win!", Tone.GOOD),
        (result("none", Reason.LEFT, by=1), "mira left the table before the end. The game has no result.", Tone.MINE),
        (result("none", Reason.CHEAT, by=1), "The game ends because cheating is proven. The game has no result.",
         Tone.ALARM),
    ],
)  # fmt: skip
def test_every_end_has_its_sentence(ended, first, tone):
    panel = screen(seated(Opener(0, None), ended)).panel
    assert panel is not None
    assert panel.lines[0] == Notice(first, tone)


def test_what_is_not_verified_is_not_ticked():
    assert "Not everything is verified; p2pdurak verify on the log tells what is." in end(
        seated(result(verified=False))
    )


@pytest.mark.parametrize(
    ("opener", "sentence"),
    [
        (OpensBy.SEAT0, "You attack first in the rematch."),
        (OpensBy.SEAT1, "mira attacks first in the rematch."),
        (OpensBy.ASK, "The lowest trump attacks first in the rematch."),
        (OpensBy.COIN, "A coin of both players says who attacks first in the rematch."),
        (None, "The rules say who attacks first in the rematch."),
    ],
)
def test_the_end_says_who_attacks_first_in_the_rematch(opener: OpensBy | None, sentence: str) -> None:
    assert end(seated(result(next_opener=opener)))[-1] == sentence


def test_a_match_that_is_over_says_so():
    assert end(seated(result(more=False)))[-1] == "The match is over."


def test_the_end_closes_what_the_player_read():
    model = seated()
    typed(model, "?")
    model.show(result(), START_S)
    assert screen(model).panel is not None
    assert end(model)[0] == "mira is the durak. You win!"


def test_a_wish_for_a_rematch_is_told_until_something_happens():
    model = seated(result(), Again(1))
    assert text(screen(model).notice) == "mira wants to play again."
    assert end(model)[1] == "mira wants to play again: n plays."
    model.show(dealt(LEADING, 2), START_S)
    assert screen(model).notice is None


def test_an_end_that_changes_late_is_told_anew():
    model = seated(result("none", Reason.LEFT), result())
    assert (end(model)[0], model.result) == ("mira is the durak. You win!", result())


def test_the_next_game_clears_the_table():
    model = seated(result(), Shuffling("mira", 1))
    shown = screen(model)
    assert (shown.panel, shown.bottom.cards, shown.top.cards, shown.talon) == (None, (), (), 36)
    assert shown.prompt == "The cards are shuffled and dealt"
    model.show(dealt(LEADING, 2), START_S)
    assert screen(model).bottom.cards == cards("6c 9c 9d Kd As 7h")
    assert screen(model).bottom.duraks == 2


def test_trouble_before_the_next_deal_brings_the_end_back_without_a_rematch():
    model = seated(result(), Shuffling("mira", 1), Trouble("left", "Your friend has left before the cards were dealt."))
    assert end(model)[-1] == "The match is over."


def test_a_new_match_begins_without_a_score():
    assert screen(seated(result(), dealt(LEADING))).bottom.duraks == 0


def test_it_can_be_asked_whether_a_game_is_over():
    model = seated()
    assert (model.ended, model.result, model.view) == (False, None, LEADING)
    model.show(result(), START_S)
    assert (model.ended, model.result) == (True, result())
    model.show(dealt(LEADING, 2), START_S)
    assert not model.ended


def test_time_alone_changes_nothing_but_what_it_shows():
    model = seated(Said(1, "hi"), Turn(0, LEADING, 25))
    model.advance(START_S + 100)
    assert screen(model, 100).notice is not None  # the clock
    assert NAMES[0] == screen(model, 100).bottom.name
