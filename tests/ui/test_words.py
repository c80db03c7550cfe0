"""Sentences for cards, seats, and why somebody attacks first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.events import Advice, Dealt, Late, Opener, Peer, Reason, Result, Turn
from p2pdurak.rules.actions import Attack, Take
from p2pdurak.rules.cards import DECK, Suit, parse_card
from p2pdurak.rules.engine import apply
from p2pdurak.rules.options import CLASSIC, NAMED, Options, set_option
from p2pdurak.rules.positions import deal
from p2pdurak.rules.view import View
from p2pdurak.ui.card_words import CardStyle, sort_hand
from p2pdurak.ui.prompts import prompt
from p2pdurak.ui.scene import Scene
from p2pdurak.ui.words import describe

NINE_H, TEN_H, KING_H, SEVEN_S = (parse_card(text) for text in ("9h", "Th", "Kh", "7s"))


def cards(text: str):
    return tuple(map(parse_card, text.split()))


def scene(options: Options = CLASSIC, last: Result | None = None) -> Scene:
    return Scene(("ilya", "mira"), 0, "mira", deal(options, KING_H, 0), last)


def ended(durak: int | None, reason: Reason = Reason.CARDS) -> Result:
    return Result("", durak, reason, ("ilya", "mira"), 0, "", "", True, (None, None), (0, 0, 0), True)


@pytest.mark.parametrize(
    ("style", "text"),
    [
        (CardStyle(), "10♥, 7♠"),
        (CardStyle(ascii=True), "10h, 7s"),
        (CardStyle(words=True), "ten of hearts, seven of spades"),
        (CardStyle(colour=True), "\x1b[31m10♥\x1b[39m, 7♠"),
    ],
)
def test_cards_are_written_in_the_chosen_style(style, text):
    assert style.cards((TEN_H, SEVEN_S)) == text


@pytest.mark.parametrize("style", [CardStyle(), CardStyle(ascii=True), CardStyle(words=True)])
def test_no_two_cards_are_written_alike(style):
    assert len({style.card(card) for card in DECK}) == 36


def test_a_hand_is_sorted_by_suit_then_rank_with_trumps_last():
    assert sort_hand(cards("As 6h Kd 7s Ac Td"), Suit.DIAMONDS) == cards("Ac 6h 7s As Td Kd")


def test_we_are_you_and_the_friend_has_a_name():
    assert (scene().who(0), scene().who(1)) == ("you", "mira")


@pytest.mark.parametrize("name", ["you", "YOU", "ilya", "Ilya"])
def test_a_friend_cannot_pass_for_us(name):
    assert replace(scene(), names=("ilya", name)).who(1) == "your friend"


def test_a_short_scene_cuts_names_so_that_the_verb_stays_in_view():
    long = replace(scene(), names=("ilya", "Bartholomew-of-the-Woods"))
    assert (long.short().who(1), scene().short().who(1)) == ("Bartholomew…", "mira")


def test_names_that_are_cut_alike_are_not_mistaken_for_each_other():
    alike = replace(scene(), names=("Bartholomew-Senior", "Bartholomew-Junior"))
    assert (alike.who(1), alike.short().who(1)) == ("Bartholomew-Junior", "your friend")


def test_somebody_told_by_his_name_is_called_as_at_the_table():
    same = replace(scene(), names=("ilya", "ilya"))
    assert (same.called("ilya"), same.called("you"), scene().called("mira")) == ("your friend", "you", "mira")
    assert Scene().called("mira") == "mira"


def test_the_friend_has_a_name_before_the_deal():
    before = Scene().after(Peer("mira", "ab", "copper-lamp"))
    assert describe(Late(1, 30, False), before, CardStyle()) == ("the guest is late, 30 s",)
    assert before.peer() == "mira"


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        (NINE_H, "mira attacks first: 9♥ is the lowest trump in the two hands."),
        (SEVEN_S, "mira attacks first: nobody holds a trump, and 7♠ is the lowest card."),
    ],
)
def test_a_shown_card_says_why_somebody_attacks_first(card, sentence):
    assert describe(Opener(1, card), scene(), CardStyle()) == (sentence,)


def test_an_opener_is_told_even_when_nothing_else_is_known():
    assert describe(Opener(1, None), Scene(), CardStyle()) == ("the guest attacks first.",)
    assert describe(Opener(1, NINE_H), Scene(), CardStyle()) == ("the guest attacks first: 9♥ was shown.",)


@pytest.mark.parametrize(
    ("options", "last", "seat", "reason"),
    [
        (NAMED["table"], None, 0, ": nobody holds a trump, so the host begins."),
        (set_option(CLASSIC, "first_attacker", "host"), None, 0, ": the options let the host begin."),
        (set_option(CLASSIC, "first_attacker", "coin"), None, 0, ": the coin of both players fell so."),
        (CLASSIC, ended(1), 0, ": the winner of the last game begins."),
        (CLASSIC, ended(1, Reason.RESIGN), 0, ": the winner of the last game begins."),
        (CLASSIC, ended(0), 0, "."),
        (CLASSIC, ended(None), 0, ": after a draw the same player attacks first."),
        (set_option(CLASSIC, "after_draw", "other"), ended(None), 0, ": after a draw the other player attacks first."),
        (NAMED["club"], ended(None), 0, ": the first attack changes from game to game."),
        (
            set_option(CLASSIC, "first_attacker", "coin"),
            ended(None, Reason.LEFT),
            0,
            ": the coin of both players fell so.",
        ),
    ],
)
def test_without_a_shown_card_the_options_or_the_last_game_say_why(options, last, seat, reason):
    assert describe(Opener(seat, None), scene(options, last), CardStyle()) == ("You attack first" + reason,)


def test_a_new_match_forgets_the_last_game():
    view = View(0, deal(CLASSIC, KING_H, 0), cards("6c 9c 9d Kd 7h As"))
    dealt = Dealt(1, 0, ("ilya", "mira"), view.hand, KING_H, view)
    assert scene(last=ended(1)).after(dealt).last is None
    assert scene(last=ended(1)).after(replace(dealt, game=2)).last == ended(1)


def test_a_hand_with_cards_on_their_way_asks_for_patience():
    view = View(0, deal(CLASSIC, KING_H, 0), cards("6c 9c"))
    assert prompt(view, CardStyle()) == "Your new cards are on their way; wait a moment"


def test_the_questions_about_the_first_attack_ask_nothing_of_the_player():
    view = View(0, deal(CLASSIC, KING_H, None), cards("6c 9c 9d Kd 7h As"))
    assert describe(Turn(0, view, 25), scene(), CardStyle()) == ()


LEADING = View(0, deal(CLASSIC, KING_H, 0), cards("7s 9h Th 9c Qd Ac"))


@pytest.mark.parametrize(
    ("value", "trials", "why"),
    [
        (1, 0, "Exact: this wins."),
        (0, 0, "Exact: this draws, and nothing wins."),
        (-1, 0, "Exact: every move loses."),
        (None, 400, "Nothing clearly better in 400 trials."),
        (None, 1, "A guess: this ending is too long to work out."),
        (None, 0, "A rule of thumb."),
    ],
)
def test_a_hint_says_the_move_and_no_more_for_it_than_was_found_out(value: int | None, trials: int, why: str) -> None:
    told = describe(Advice(Attack(SEVEN_S), LEADING, value, trials), scene(), CardStyle())
    assert told == (f"Hint: attack 7♠. {why}",)


def test_a_hint_says_so_where_there_is_nothing_to_choose() -> None:
    view = View(1, apply(deal(CLASSIC, KING_H, 0), Attack(parse_card("Ah"))).state, cards("7s 9h Th 9c Qd Ac"))
    told = describe(Advice(Take(), view, None, 0), scene(), CardStyle())
    assert told == ("Hint: take. It is your only move.",)
