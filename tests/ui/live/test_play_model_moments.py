"""What stays at a player's seat for a moment, what ends with the moment, and what each face of the screen says then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.events import (
    Again,
    Claim,
    Drew,
    Event,
    Late,
    Link,
    LinkState,
    Opener,
    Play,
    Reason,
    Refused,
    Rematch,
    Said,
    Shuffling,
    Trouble,
    Turn,
    Waiting,
)
from p2pdurak.rules.actions import Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.state import Pair, Phase
from p2pdurak.rules.view import View
from p2pdurak.ui.draw.canvas import Press, Touch, cells
from p2pdurak.ui.draw.screen import Notice, Screen, Told, Tone
from p2pdurak.ui.live.keys import Local
from p2pdurak.ui.live.last_bout import SHOWN_S
from p2pdurak.ui.live.play_model import PlayModel
from tests.ui.live.seats import (
    BEATEN,
    DEFENDING,
    HELPLESS,
    LATER_S,
    LEADING,
    LED,
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
    say,
    seated,
    turn,
    typed,
    view_after,
)

UP = LinkState(Link.UP, 40)
DOWN = LinkState(Link.DOWN, None, 1)
GONE = Late(1, 60, claimable=True)
SEVEN_H = cards("7h")[0]
TRUMPS_TO_ADD = view_after(0, "9c 6c 7c 8c 9h Td", Attack(NINE_C), Beat(TEN_C))  # 9♥ and 10♦ may be thrown in
ONLY_TRUMPS_TO_ADD = view_after(0, "9c 6c 7c 8c 9h Ah", Attack(NINE_C), Beat(TEN_C))  # 9♥ alone may be


def screen(model: PlayModel, later: float = 0.0) -> Screen:
    return model.screen(START_S + later)


def said(model: PlayModel, later: float = 0.0) -> str:
    notice = screen(model, later).notice
    return "" if notice is None else notice.text


def panel(model: PlayModel, now: float = LATER_S) -> str:
    shown = model.screen(now).panel
    return "" if shown is None else "\n".join((shown.title, *(line.text for line in shown.lines)))


def keys(model: PlayModel, later: float = 10.0) -> list[str]:
    shown = screen(model, later)
    return [hint.key for hint in (shown.hints if shown.panel is None else shown.panel.hints)]


# The bout that has just ended.


def beaten_off() -> PlayModel:
    return seated(moved(0, Done(), WAITING), turn(WAITING), view=replace(BEATEN, seat=1))


def test_a_bout_that_was_beaten_off_stays_for_a_moment():
    model = beaten_off()
    shown = screen(model)
    assert (shown.table, shown.prompt, shown.tone) == ((Pair(NINE_C, TEN_C),), "Beaten off", Tone.PLAIN)
    assert model.due(START_S) == pytest.approx(min(SHOWN_S, 1.0))
    assert (screen(model, SHOWN_S).table, screen(model, SHOWN_S).prompt) == ((), "ilya attacks")


@pytest.mark.parametrize(
    ("before", "event", "table", "prompt"),
    [
        (TAKEN, moved(0, Done(), LEADING), (Pair(NINE_C, None),), "mira takes the cards"),
        (TAKEN, moved(0, Attack(NINE_D), LEADING), (Pair(NINE_C, None), Pair(NINE_D, None)), "mira takes the cards"),
        (LED, moved(1, Beat(TEN_C), LEADING), (Pair(NINE_C, TEN_C),), "Beaten off"),
        (DEFENDING, moved(1, Take(), WAITING), (Pair(NINE_C, None),), "You take the cards"),
    ],
)
def test_the_last_card_of_a_bout_can_be_seen(before: View, event: Event, table: tuple[Pair, ...], prompt: str) -> None:
    shown = screen(seated(event, view=before))
    assert (shown.table, shown.prompt) == (table, prompt)


@pytest.mark.parametrize("key", ["left", "x", "c-l", "?", "/"])
def test_any_key_clears_the_bout_that_has_ended(key: str) -> None:
    model = beaten_off()
    model.press(key, START_S)
    assert screen(model).table == ()


def test_a_click_clears_it_too():
    model = beaten_off()
    model.touch(Touch(TEN_C), START_S)
    assert screen(model).table == ()


def test_the_next_card_clears_it():
    model = beaten_off()
    model.show(moved(0, Attack(NINE_C), DEFENDING), START_S)
    assert screen(model).table == (Pair(NINE_C, None),)


@pytest.mark.parametrize("event", [dealt(LEADING, 2), Shuffling("you", 1)])
def test_the_next_deal_clears_it(event: Event) -> None:
    model = seated(moved(0, Done(), LEADING), result(), event, view=BEATEN)
    assert screen(model).table == ()


def test_the_end_waits_for_the_last_bout():
    over = replace(LEADING, state=replace(LEADING.state, phase=Phase.OVER))
    model = seated(moved(0, Done(), over), result(), view=BEATEN)
    assert (screen(model).panel, screen(model).table) == (None, (Pair(NINE_C, TEN_C),))
    assert keys(model, 0) == ["n", "r", "/", "q"]
    assert panel(model, START_S + SHOWN_S).startswith("The end of game 1")


def test_a_game_that_ends_between_two_bouts_shows_its_end_at_once():
    assert screen(seated(result("win", Reason.RESIGN))).panel is not None


# The line.


def test_that_the_line_is_there_is_told_only_after_it_was_missed():
    assert screen(seated(UP, UP)).notice is None
    assert said(seated(LinkState(Link.SLOW, 40, None, 6), UP)) == "mira is connected, 40 ms"


@pytest.mark.parametrize("bad", [LinkState(Link.OWN_DOWN, None, attempt=1), LinkState(Link.DOWN, None)])
def test_a_notice_about_the_line_goes_when_the_line_changes(bad: LinkState) -> None:
    assert "connected" not in said(seated(DOWN, UP, bad))


# What ends with the next move.


@pytest.mark.parametrize("event", [Refused("take", "It is not your turn."), Drew(cards("8h"), LED), Late(1, 9, False)])
def test_refusals_and_draws_end_with_the_next_move_and_chat_stays(event: Event) -> None:
    model = seated(Said(1, "hi"), event, view=LED)
    assert said(model) != "mira: hi"
    model.show(moved(1, Beat(TEN_C), BEATEN), START_S)
    assert said(model) == "mira: hi"


def test_who_attacks_first_is_told_until_somebody_has_moved():
    sentence = "You attack first: 7♥ is the lowest trump in the two hands."
    model = seated(moved(1, Deny((TEN_C,)), LEADING), moved(0, Show(SEVEN_H), LEADING), Opener(0, SEVEN_H))
    assert screen(model).told == (Told("", None, sentence, bout=1),)
    assert said(model, 1000) == sentence
    model.show(moved(0, Attack(NINE_C), LED), START_S)
    assert screen(model).notice is None


def test_an_end_judged_again_takes_the_place_of_the_first():
    model = seated(result("none", Reason.LEFT), result(score=(0, 5, 0)))
    assert "You win!" in panel(model)
    assert "you 0, mira 5" in panel(model)
    assert screen(model).bottom.duraks == 0


def test_why_an_end_was_judged_again_stays_below_it_and_only_the_last_reason_does():
    reasons = Waiting("What mira did has come late."), Waiting("Your claim of the win is void.")
    model = seated(result("win", Reason.CLAIMED), *reasons, result("none", Reason.LEFT))
    assert said(model, 1000) == "Your claim of the win is void."
    model.show(dealt(LEADING, 2), START_S)
    assert screen(model).notice is None


# Names.


def friend_called(name: str, *events: Event, view: View = LEADING) -> PlayModel:
    model = PlayModel("k7q2m")
    for event in (replace(dealt(view), names=(name, name)), *events):
        model.show(event, START_S)
    return model


def test_a_friend_with_our_name_is_your_friend_in_every_sentence():
    model = friend_called("root", turn(LED), view=LED)
    assert (screen(model).top.name, screen(model).prompt) == ("your friend", "Your friend defends")
    model.show(result(names=("root", "root")), START_S)
    model.show(Again(1), START_S)
    assert said(model) == "Your friend wants to play again."
    assert "Your friend is the durak. You win!" in panel(model)
    assert "Your friend wants to play again: n plays." in panel(model)


def test_the_shuffle_of_a_friend_with_our_name_is_told_without_it():
    ended = result(names=("root", "root"))
    assert said(friend_called("root", ended, Shuffling("you", 1), Shuffling("root", 2))) == (
        "Shuffling: you ok, your friend ok, proofs 2/2"
    )


LONG = "Bartholomew-of-the-Woods"
NARROW_CELLS, CLOCK_CELLS = 38, 31
"""What a prompt has room for in 40 columns, alone and beside a clock."""


@pytest.mark.parametrize(
    "view",
    [LEADING, DEFENDING, HELPLESS, BEATEN, TAKEN, WAITING, LED, replace(BEATEN, seat=1), replace(TAKEN, seat=1),
     view_after(0, "6c 9c"), view_after(0, "9c 6c 7c 8c Kd Ah", Attack(NINE_C), Take()),
     replace(LEADING, state=replace(LEADING.state, phase=Phase.QUESTION, question=0))],
)  # fmt: skip
def test_every_prompt_beside_a_clock_fits_into_the_narrowest_screen(view: View) -> None:
    model = PlayModel()
    names = ("ilya", LONG) if view.seat == 0 else (LONG, "mira")
    model.show(replace(dealt(view), names=names), START_S)
    model.show(Turn(0, view, 25), START_S)
    assert cells(screen(model).prompt) <= CLOCK_CELLS
    assert "…" not in screen(model).prompt.split(" ", 1)[-1]


@pytest.mark.parametrize("event", [GONE, moved(0, Done(), LEADING), moved(1, Take(), LEADING)])
def test_a_claim_and_the_end_of_a_bout_fit_too(event: Event) -> None:
    model = PlayModel()
    for shown in (replace(dealt(TAKEN), names=("ilya", LONG)), turn(TAKEN), event):
        model.show(shown, START_S)
    assert cells(screen(model).prompt) <= CLOCK_CELLS


@pytest.mark.parametrize("outcome", ["win", "loss", "draw", "none"])
def test_every_end_fits_into_the_narrowest_screen(outcome: str) -> None:
    model = PlayModel()
    for shown in (replace(dealt(LEADING), names=("ilya", LONG)), result(outcome, names=("ilya", LONG))):
        model.show(shown, START_S)
    sign = 2 if screen(model).tone is Tone.GOOD else 0
    assert cells(screen(model).prompt) + sign <= NARROW_CELLS


# Chat.


def test_an_open_chat_line_shows_what_was_said_last():
    model = at_turn(LEADING)
    model.show(Said(1, "good luck " * 15), START_S)
    typed(model, "/")
    shown = screen(model, 1).panel
    assert shown is not None
    assert (shown.title, shown.lines) == ("Chat", (Notice("mira: " + ("good luck " * 15), Tone.CHAT),))
    typed(model, "escape")
    assert screen(model, 1).panel is None


def test_an_open_chat_line_where_nothing_was_said_hides_nothing():
    model = at_turn(LEADING)
    typed(model, "/")
    assert screen(model, 1).panel is None


def test_chat_lies_over_the_end_while_it_is_typed():
    model = seated(Said(1, "gg"), result())
    typed(model, "/")
    assert panel(model) == "Chat\nmira: gg"
    typed(model, "escape")
    assert panel(model).startswith("The end of game 1")


# A claim.


def test_v_always_asks_before_it_claims():
    model = seated(turn(LED), GONE, view=LED)
    assert typed(model, "w v") is None
    assert panel(model).startswith("Wait, or claim the win?")
    assert typed(model, "v") == Claim()


def test_a_claim_is_not_offered_over_an_open_chat_line_but_when_it_closes():
    model = seated(turn(LED), view=LED)
    typed(model, "/")
    model.show(GONE, START_S)
    assert screen(model).panel is None
    assert screen(model).prompt == "Close the chat to claim the win"
    assert cells(screen(model).prompt) <= CLOCK_CELLS
    say(model, "wv")
    assert screen(model).entry == "wv"
    typed(model, "escape")
    assert panel(model).startswith("Wait, or claim the win?")


def test_a_claim_is_offered_when_the_player_has_read_enough():
    model = seated(turn(LED), view=LED)
    typed(model, "?")
    model.show(GONE, START_S)
    typed(model, "escape")
    assert panel(model).startswith("Wait, or claim the win?")


def test_a_claim_that_is_not_possible_any_more_is_not_offered_later():
    model = seated(turn(LED), view=LED)
    typed(model, "/")
    model.show(GONE, START_S)
    model.show(moved(1, Take(), TAKEN), START_S)
    typed(model, "escape")
    assert screen(model, 1).panel is None


def test_after_a_claim_nobody_is_asked_or_talked_to_who_is_gone():
    model = seated(result("win", Reason.CLAIMED, durak=None, by=0, more=False))
    assert keys(model) == ["r", "q"]
    assert typed(model, "/") is None
    assert (said(model, 1), screen(model, 1).entry) == ("Nobody is there to read it.", None)


# The rematch.


def test_whoever_asks_for_a_rematch_waits_and_is_not_offered_it_again():
    model = seated(result(), Again(0))
    assert panel(model).splitlines()[2] == "mira is asked for a rematch."
    assert keys(model) == ["r", "/", "q"]
    assert typed(model, "n") is None
    assert said(model, 1) == "mira is asked already; wait for the answer."


def test_at_the_end_of_a_game_against_a_bot_there_is_no_chat():
    model = seated(result())
    model.advised = True
    assert keys(model) == ["n", "r", "q"]
    assert typed(model, "/") is None
    assert (said(model, 1), screen(model, 1).entry) == ("A bot reads no chat.", None)


def test_whoever_is_asked_can_play():
    model = seated(result(), Again(1))
    shown = screen(model).panel
    assert shown is not None
    assert (shown.hints[0].key, shown.hints[0].text) == ("n", "play")
    assert typed(model, "n") == Rematch()


def test_the_next_game_forgets_who_asked():
    model = seated(result(), Again(0), Again(1), dealt(LEADING, 2), result())
    assert "play again" not in panel(model)
    assert keys(model)[0] == "n"


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Said(1, "gg"), "mira: gg"),
        (Again(1), "mira wants to play again."),
        (Waiting("mira has left the table."), "mira has left the table."),
        (Trouble("left", "Gone."), "Gone."),
        (UP, ""),
    ],
)
def test_what_matters_to_a_player_who_looks_at_a_replay_can_be_asked(event: Event, text: str) -> None:
    model = seated(result(), event)
    assert model.elsewhere(event) == text


# The end.


@pytest.mark.parametrize(
    ("home", "shown"),
    [("/home/ilya", "Log: ~/7.dlog"), ("/home/ilya/", "Log: ~/7.dlog"), ("/home/il", "Log: /home/ilya/7.dlog"),
     ("", "Log: /home/ilya/7.dlog")],
)  # fmt: skip
def test_the_home_folder_is_shown_short(home: str, shown: str) -> None:
    model = PlayModel(home=home)
    for event in (dealt(LEADING), result()):
        model.show(event, START_S)
    assert shown in panel(model).splitlines()


def test_the_number_of_the_game_is_shown():
    assert screen(seated(dealt(LEADING, 3))).game == 3


# Keys that do nothing say so.


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("8", "You hold no eight."),
        ("q", "You hold no queen."),
        ("x", "x is no key here; ? lists them."),
        ("日", "日 is no key here; ? lists them."),
        ("n", "n is a key for the end of the game; Ctrl-C leaves."),
        ("r", "r is a key for the end of the game; Ctrl-C leaves."),
    ],
)
def test_a_key_that_does_nothing_says_why(key: str, reason: str) -> None:
    model = at_turn(LEADING)
    assert typed(model, key) is None
    assert said(model, 1) == reason


def test_an_unknown_letter_at_the_end_says_so_and_under_a_panel_nothing_is_said():
    model = seated(result())
    typed(model, "x")
    assert said(model, 1) == "x is no key here; ? lists them."
    reading = at_turn(LEADING)
    typed(reading, "? x")
    assert screen(reading, 1).notice is None


def test_m_says_whose_the_mouse_is_now():
    model = PlayModel(mouse=True)
    assert typed(model, "m") is Local.MOUSE
    assert (said(model, 1), model.mouse) == ("The mouse is the terminal's now.", False)
    typed(model, "m")
    assert (said(model, 1), model.mouse) == ("The mouse is the table's now.", True)


# Panels.


def test_a_panel_scrolls_to_its_end_as_far_as_the_picture_says():
    model = at_turn(LEADING)
    typed(model, "?")
    model.scrollable(5)

    def scroll(key: str) -> int:
        typed(model, key)
        shown = screen(model, 1).panel
        return -1 if shown is None else shown.scroll

    assert [scroll(key) for key in ("end", "down", "up", "home", "pagedown")] == [5, 5, 4, 0, 5]


def test_the_next_panel_begins_at_its_top():
    model = at_turn(LEADING)
    typed(model, "? end i")
    shown = screen(model, 1).panel
    assert shown is not None
    assert shown.scroll == 0


def test_the_end_can_be_scrolled_too():
    model = seated(result())
    typed(model, "end")
    shown = screen(model, 1).panel
    assert shown is not None
    assert shown.scroll > 0


# Trumps are not given away.


def test_throwing_in_begins_at_a_card_that_is_no_trump():
    assert screen(at_turn(TRUMPS_TO_ADD)).focus == cards("Td")[0]


@pytest.mark.parametrize("move", [Beat(TEN_C), Take()])
def test_where_only_trumps_can_be_added_none_is_in_focus_until_it_is_chosen(move: Beat | Take) -> None:
    model = at_turn(view_after(0, "9c 6c 7c 8c 9h Ah", Attack(NINE_C), move))
    assert screen(model).focus is None
    assert typed(model, "enter") is None
    assert said(model, 1) == "Only trumps can be added: choose one with an arrow or Tab; d is done."
    typed(model, "tab")
    assert screen(model).focus == cards("9h")[0]
    assert model.press("enter", LATER_S + 1) == Play(Attack(cards("9h")[0]))


@pytest.mark.parametrize(
    ("key", "card"), [("right", "6c"), ("left", "Ah"), ("tab", "9h"), ("down", "6c"), ("9", "9h"), ("end", "Ah")]
)
def test_every_key_of_the_focus_finds_a_card_where_none_was(key: str, card: str) -> None:
    model = at_turn(ONLY_TRUMPS_TO_ADD)
    typed(model, key)
    assert screen(model).focus == cards(card)[0]


def test_a_trump_that_the_player_has_chosen_stays_in_focus():
    model = seated(turn(LEADING))
    typed(model, "7")
    view = view_after(0, "7c 6c 9c 7h 9h Ah", Attack(cards("7c")[0]), Beat(cards("8c")[0]))
    model.show(turn(view), START_S)
    assert screen(model).focus == SEVEN_H


def test_a_lead_and_a_defence_have_their_focus_as_ever():
    assert screen(at_turn(view_after(0, "6h 7h 8h 9h Th Ah"))).focus == cards("6h")[0]
    assert screen(at_turn(view_after(1, "8d 7d 6d 7s 8s Jh", Attack(NINE_C)))).focus == cards("Jh")[0]


def test_without_a_card_in_focus_the_next_turn_finds_one():
    model = at_turn(ONLY_TRUMPS_TO_ADD)
    model.show(moved(0, Done(), WAITING), START_S)
    model.show(turn(DEFENDING), START_S)
    assert screen(model).focus is not None


def test_a_click_on_a_key_clears_the_bout_as_the_key_does():
    model = beaten_off()
    model.touch(Press("s"), START_S)
    assert screen(model).table == ()
