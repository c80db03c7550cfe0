"""What every key and click does at a player's seat."""

from __future__ import annotations

import pytest

from p2pdurak.events import Claim, Late, Leave, Link, LinkState, Play, Rematch, Resign, Say
from p2pdurak.rules.actions import Attack, Beat, Done, Take
from p2pdurak.ui.commands import AskHint
from p2pdurak.ui.draw.canvas import Jump, Press, Touch
from p2pdurak.ui.live.keys import Local
from p2pdurak.ui.live.mover import GUARD_S
from p2pdurak.ui.live.play_model import PlayModel
from tests.ui.live.seats import (
    BEATEN,
    DEFENDING,
    HELPLESS,
    LATER_S,
    LEADING,
    LED,
    NINE_C,
    START_S,
    TAKEN,
    TEN_C,
    WAITING,
    at_turn,
    cards,
    moved,
    result,
    say,
    seated,
    turn,
    typed,
)

# Hand of LEADING, hearts are trump: 6♣ 9♣ 9♦ K♦ A♠ 7♥
SIX_C, NINE_D, KING_D, ACE_S, SEVEN_H = cards("6c 9d Kd As 7h")


def focus(model: PlayModel):
    return model.screen(LATER_S).focus


def notice(model: PlayModel, now: float = LATER_S) -> str:
    shown = model.screen(now).notice
    return "" if shown is None else shown.text


def title(model: PlayModel) -> str:
    panel = model.screen(LATER_S).panel
    return "" if panel is None else panel.title


# Focus.


@pytest.mark.parametrize(
    ("keys", "card"),
    [
        ("right", NINE_C),
        ("right right left", NINE_C),
        ("left", SEVEN_H),
        ("left right", SIX_C),
        ("end", SEVEN_H),
        ("end home", SIX_C),
        ("down", NINE_D),
        ("right down", KING_D),
        ("right down down", ACE_S),
        ("up", SEVEN_H),
        ("9", NINE_C),
        ("9 9", NINE_D),
        ("9 9 9", NINE_C),
        ("k", KING_D),
        ("K", KING_D),
        ("a", ACE_S),
        ("7", SEVEN_H),
        ("8", SIX_C),
        ("ф", ACE_S),
        ("л", KING_D),
    ],
)
def test_keys_move_the_focus(keys, card):
    model = at_turn(LEADING)
    typed(model, keys)
    assert focus(model) == card


def test_tab_goes_around_the_cards_that_can_be_played():
    model = at_turn(DEFENDING)  # 10♣ and J♥ beat 9♣
    assert focus(model) == TEN_C
    typed(model, "tab")
    assert focus(model) == cards("Jh")[0]
    typed(model, "tab")
    assert focus(model) == TEN_C
    typed(model, "s-tab")
    assert focus(model) == cards("Jh")[0]


def test_tab_stays_where_nothing_can_be_played():
    model = at_turn(HELPLESS)
    before = focus(model)
    typed(model, "tab s-tab")
    assert focus(model) == before


def test_s_sorts_by_rank_and_back_with_trumps_last_and_the_focus_on_its_card():
    model = at_turn(LEADING)
    typed(model, "9 s")
    screen = model.screen(LATER_S)
    assert (screen.bottom.cards, screen.by_suit, screen.focus) == (cards("6c 9c 9d Kd As 7h"), False, NINE_C)
    typed(model, "s")
    assert model.screen(LATER_S).by_suit


def test_the_hand_can_be_sorted_by_rank_from_the_beginning():
    model = PlayModel("durak", by_suit=False)
    assert not model.screen(LATER_S).by_suit


# Playing.


@pytest.mark.parametrize("key", ["enter", "space"])
def test_enter_and_space_play_the_card_in_focus(key):
    assert typed(at_turn(LEADING), f"9 {key}") == Play(Attack(NINE_C))


def test_a_defender_beats_with_the_card_in_focus():
    assert typed(at_turn(DEFENDING), "enter") == Play(Beat(TEN_C))


@pytest.mark.parametrize("key", ["t", "T", "е", "ف"])
def test_t_takes(key):
    assert typed(at_turn(DEFENDING), key) == Play(Take())


@pytest.mark.parametrize("key", ["d", "в", "ي"])
def test_d_is_done(key):
    assert typed(at_turn(BEATEN), key) == Play(Done())


def test_a_card_that_cannot_be_played_says_why():
    model = at_turn(DEFENDING)
    assert typed(model, "8 enter") is None
    assert notice(model) == "8♣ does not beat 9♣. Beat it with another card, or take."


@pytest.mark.parametrize(
    ("view", "key", "reason"),
    [
        (LEADING, "t", "Only the defender takes, and you attack."),
        (LEADING, "d", "The table is empty: lead a card first."),
        (DEFENDING, "d", "Only the attacker says done. You defend: beat the card, or take."),
        (WAITING, "t", "It is not your turn."),
        (WAITING, "enter", "It is not your turn."),
    ],
)
def test_a_move_that_is_not_allowed_says_why(view, key, reason):
    model = at_turn(view)
    assert typed(model, key) is None
    assert notice(model) == reason


def test_a_press_right_after_the_turn_began_plays_nothing():
    model = at_turn(LEADING)
    assert model.press("enter", START_S + GUARD_S - 0.01) is None
    assert model.press("enter", START_S + 2 * GUARD_S) == Play(Attack(SIX_C))


def test_a_held_key_plays_one_card():
    model = at_turn(LEADING)
    assert model.press("enter", LATER_S) == Play(Attack(SIX_C))
    presses = [model.press("enter", LATER_S + 0.03 * count) for count in range(1, 30)]
    assert presses == [None] * 29


def test_a_double_press_does_not_play_into_the_next_turn():
    model = at_turn(LEADING)
    model.press("enter", LATER_S)
    model.show(moved(0, Attack(NINE_C), BEATEN), LATER_S)
    model.show(turn(BEATEN), LATER_S + 0.3)
    assert model.press("enter", LATER_S + 0.4) is None


def test_nothing_is_played_before_the_deal_and_after_the_end():
    assert PlayModel("durak").press("t", LATER_S) is None
    assert typed(seated(turn(LEADING), result()), "enter") is None


# The mouse.


def test_a_click_focuses_and_one_more_plays():
    model = at_turn(LEADING)
    assert model.touch(Touch(NINE_D), LATER_S) is None
    assert focus(model) == NINE_D
    assert model.touch(Touch(NINE_D), LATER_S) == Play(Attack(NINE_D))


def test_the_first_click_on_the_card_that_the_turn_chose_plays_nothing():
    model = at_turn(LEADING)
    assert model.touch(Touch(SIX_C), LATER_S) is None
    assert model.touch(Touch(SIX_C), LATER_S) == Play(Attack(SIX_C))


def test_a_click_on_a_key_is_that_key():
    assert at_turn(DEFENDING).touch(Press("t"), LATER_S) == Play(Take())


@pytest.mark.parametrize("target", [Touch(TEN_C), Jump(3)])
def test_a_click_on_something_else_does_nothing(target):
    model = at_turn(LEADING)
    assert model.touch(target, LATER_S) is None
    assert focus(model) == SIX_C


def test_cards_under_a_panel_cannot_be_clicked():
    model = at_turn(LEADING)
    typed(model, "?")
    model.touch(Touch(NINE_D), LATER_S)
    assert focus(model) == SIX_C


# Chat.


def test_a_slash_opens_chat_and_enter_sends_it():
    model = at_turn(LEADING)
    typed(model, "/")
    say(model, "take it, q?")
    assert model.screen(LATER_S).entry == "take it, q?"
    assert model.press("enter", LATER_S) == Say("take it, q?")
    assert model.screen(LATER_S).entry is None


def test_escape_drops_what_was_typed():
    model = at_turn(LEADING)
    typed(model, "/ t d")
    assert model.press("escape", LATER_S) is None
    assert model.screen(LATER_S).entry is None


def test_an_empty_line_is_not_sent():
    assert typed(at_turn(LEADING), "/ space enter") is None


@pytest.mark.parametrize(
    ("keys", "text"),
    [("backspace", "good luc"), ("delete", "good luc"), ("c-u", ""), ("c-w", "good "), ("c-w c-w", ""), ("left", None)],
)
def test_a_chat_line_can_be_edited(keys, text):
    model = at_turn(LEADING)
    typed(model, "/")
    say(model, "good luck")
    typed(model, keys)
    assert model.screen(LATER_S).entry == ("good luck" if text is None else text)


def test_letters_of_any_layout_are_typed_as_they_are():
    model = at_turn(LEADING)
    typed(model, ".")
    say(model, "беру")
    assert model.screen(LATER_S).entry == "беру"


def test_pasted_text_goes_into_the_chat_line_on_one_line():
    model = at_turn(LEADING)
    typed(model, "/")
    model.paste("good\nluck\x1b[2J", LATER_S)
    assert model.screen(LATER_S).entry == "good luck[2J"


def test_a_chat_line_is_cut_to_what_may_be_sent():
    model = at_turn(LEADING)
    typed(model, "/")
    model.paste("x" * 500, LATER_S)
    assert len(model.screen(LATER_S).entry or "") == 200


def test_pasted_text_presses_no_keys():
    model = at_turn(DEFENDING)
    model.paste("t", LATER_S)
    assert model.screen(LATER_S) == at_turn(DEFENDING).screen(LATER_S)


# Panels.


@pytest.mark.parametrize(("key", "name"), [("?", "Keys"), ("f1", "Keys"), (",", "Keys"), ("i", "Proven so far")])
def test_a_key_opens_its_panel_and_closes_it_again(key, name):
    model = at_turn(LEADING)
    typed(model, key)
    assert title(model) == name
    typed(model, key)
    assert title(model) == ""


@pytest.mark.parametrize("key", ["escape", "enter", "q"])
def test_a_panel_can_be_closed_without_playing_a_card(key):
    model = at_turn(LEADING)
    assert typed(model, f"? {key}") is None
    assert title(model) == ""


def test_one_panel_leads_to_the_other():
    model = at_turn(LEADING)
    typed(model, "? i")
    assert title(model) == "Proven so far"
    typed(model, "?")
    assert title(model) == "Keys"


def test_a_panel_is_scrolled_and_stays_within_its_lines():
    model = at_turn(LEADING)

    def scroll(keys: str) -> int:
        typed(model, keys)
        panel = model.screen(LATER_S).panel
        return -1 if panel is None else panel.scroll

    assert scroll("?") == 0
    assert scroll("down down up") == 1
    assert scroll("up up") == 0
    assert scroll("pagedown") == 8
    assert scroll("home") == 0
    assert scroll("pagedown " * 99) < 99
    assert scroll("?") == -1


def test_no_card_is_played_under_a_panel():
    model = at_turn(LEADING)
    assert typed(model, "i t d space 9") is None
    assert focus(model) == SIX_C


def test_the_help_lists_every_key():
    model = at_turn(LEADING)
    typed(model, "?")
    panel = model.screen(LATER_S).panel
    text = "" if panel is None else "\n".join(line.text for line in panel.lines)
    for key in [*"6789 0jqka tdhs/imwvnr?", "Tab", "Enter", "Space", "Ctrl-L", "Ctrl-C", "F10", "F1", "left", "up"]:
        assert key in text


# The program around the table.


@pytest.mark.parametrize("key", ["h", "H", "р"])
@pytest.mark.parametrize("view", [LEADING, WAITING], ids=["in turn", "out of turn"])
def test_a_hint_is_asked_of_the_program_around_the_table_which_knows_whether_there_is_one(key, view):
    assert typed(at_turn(view), key) == AskHint()


def test_a_hint_can_be_asked_for_at_the_end_too_and_is_refused_there():
    assert typed(seated(result()), "h") == AskHint()


def test_no_hint_is_asked_for_behind_a_panel_or_in_the_chat_line():
    assert typed(at_turn(LEADING), "? h") is None
    assert typed(at_turn(LEADING), "/ h") is None


@pytest.mark.parametrize(("key", "wish"), [("m", Local.MOUSE), ("ь", Local.MOUSE), ("c-l", Local.REDRAW)])
def test_some_keys_are_for_the_program_around_the_table(key, wish):
    assert typed(at_turn(LEADING), key) is wish


@pytest.mark.parametrize("key", ["c-c", "f10"])
def test_leaving_asks_first_and_the_second_time_does_not(key):
    model = at_turn(LEADING)
    assert model.press(key, LATER_S) is None
    assert title(model) == "Leave the game?"
    assert model.press(key, LATER_S) is Local.NOW_LEAVE


@pytest.mark.parametrize(("key", "wish"), [("r", Resign()), ("l", Leave()), ("escape", None), ("n", None)])
def test_the_question_before_leaving_has_its_answers(key, wish):
    model = at_turn(LEADING)
    assert typed(model, f"c-c {key}") == wish
    assert title(model) == ""


def test_other_keys_leave_the_question_open():
    model = at_turn(LEADING)
    assert typed(model, "c-c enter t q /") is None
    assert title(model) == "Leave the game?"


def test_ctrl_c_asks_from_the_chat_line_too():
    model = at_turn(LEADING)
    typed(model, "/ c-c")
    assert (title(model), model.screen(LATER_S).entry) == ("Leave the game?", None)


def test_no_plain_letter_leaves_or_resigns():
    model = at_turn(LEADING)
    assert typed(model, "q r l n w v") is None
    assert title(model) == ""


# A claim.


def test_a_claim_is_offered_in_a_panel_and_made_by_v():
    model = seated(turn(WAITING), Late(0, 60, claimable=True), view=WAITING)
    assert title(model) == "Wait, or claim the win?"
    assert typed(model, "v") == Claim()


def test_whoever_waits_can_still_claim():
    model = seated(turn(WAITING), Late(0, 60, claimable=True), view=WAITING)
    assert typed(model, "w") is None
    assert title(model) == ""
    assert model.screen(LATER_S).hints[0].key == "v"
    assert typed(model, "м") is None
    assert title(model) == "Wait, or claim the win?"
    assert typed(model, "м") == Claim()


def test_one_can_chat_while_a_claim_is_offered():
    model = seated(turn(WAITING), Late(0, 60, claimable=True), view=WAITING)
    typed(model, "/ v")
    assert model.screen(LATER_S).entry == "v"
    typed(model, "escape")
    assert title(model) == "Wait, or claim the win?"


def test_whether_a_win_can_be_claimed_is_for_the_table_to_say():
    model = seated(turn(WAITING), LinkState(Link.DOWN, None, 40), view=WAITING)
    assert typed(model, "v") is None
    assert title(model) == "Wait, or claim the win?"
    assert typed(model, "v") == Claim()


def test_a_claim_that_is_asked_for_on_the_own_turn_is_refused_at_once():
    model = at_turn(LEADING)
    assert typed(model, "v") is None
    assert (title(model), notice(model)) == ("", "The win can be claimed only while the other player owes a step.")


def test_a_turn_of_our_own_closes_what_was_asked_about_a_claim():
    model = seated(turn(LED), view=LED)
    typed(model, "v")
    model.show(turn(BEATEN), START_S)
    assert title(model) == ""


# The end.


@pytest.mark.parametrize(
    ("key", "wish"),
    [("n", Rematch()), ("т", Rematch()), ("r", Local.REPLAY), ("q", Local.QUIT), ("c-c", Local.QUIT), ("t", None)],
)
def test_keys_at_the_end(key, wish):
    assert typed(seated(result()), key) == wish


def test_chat_goes_on_at_the_end():
    model = seated(result())
    typed(model, "/ g g")
    assert model.press("enter", LATER_S) == Say("gg")


def test_help_can_be_read_at_the_end():
    model = seated(result())
    typed(model, "?")
    assert title(model) == "Keys"
    typed(model, "escape")
    assert title(model) == "The end of game 1"


def test_there_is_no_rematch_where_the_match_is_over():
    model = seated(result(more=False))
    assert typed(model, "n") is None
    assert notice(model) == "There is nobody to ask for a rematch."


def test_there_is_no_replay_of_a_game_that_was_not_saved():
    assert typed(seated(result(log="")), "r") is None


def test_a_closed_table_keeps_its_end_but_nobody_can_be_asked():
    model = seated(result())
    model.close()
    panel = model.screen(LATER_S).panel
    assert panel is not None
    assert [hint.key for hint in panel.hints] == ["r", "q"]
    assert typed(model, "n") is None
    assert typed(model, "/ q") is Local.QUIT


def test_a_table_that_closed_in_the_middle_of_a_game_can_only_be_left():
    model = at_turn(LEADING)
    model.close()
    shown = model.screen(LATER_S)
    assert (shown.prompt, shown.choosing, shown.clock) == ("The table is closed", False, None)
    assert [hint.key for hint in shown.hints] == ["q", "?"]
    assert typed(model, "enter") is None
    assert typed(model, "q") is Local.QUIT
    assert typed(model, "c-c") is Local.QUIT


def test_leaving_before_the_first_deal_asks_nothing():
    assert PlayModel("durak").press("c-c", LATER_S) is Local.QUIT


def test_a_pile_on_is_played_like_any_card():
    assert typed(at_turn(TAKEN), "enter") == Play(Attack(NINE_D))
