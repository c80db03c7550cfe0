from random import Random

import pytest

from p2pdurak.rules.actions import Deny, Done, Show
from p2pdurak.rules.cards import DECK, Suit, card_text, parse_card, suit_of
from p2pdurak.rules.engine import IllegalAction, Refusal, answer, apply, asked, deal, legal_actions, to_act
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import CLASSIC, NAMED, Options
from p2pdurak.rules.questions import QUESTIONS, questions
from p2pdurak.rules.state import HAND_CARDS, Hand, Phase
from tests.rules.games import cards, random_deal, shuffled
from tests.rules.naive import naive_opener


def answered(game: OpenGame) -> tuple[OpenGame, int]:
    """The game after all questions, and how many there were."""
    count = 0
    while game.state.phase is Phase.QUESTION:
        seat = to_act(game.state)
        game, _ = game.play(seat, answer(game.state, game.hands[seat]))
        count += 1
    return game, count


def trumpless_deck(rng: Random) -> list:
    """A deck that deals no trump to either hand."""
    trump = rng.choice(list(Suit))
    plain = [card for card in shuffled(rng) if suit_of(card) != trump]
    trumps = [card for card in shuffled(rng) if suit_of(card) == trump]
    return [*plain[:12], *plain[12:], *trumps]


def test_both_seats_answer_for_each_trump_and_the_first_alternates():
    walk = questions(Suit.HEARTS, parse_card("7h"))
    texts = [(seat, " ".join(map(card_text, asked_for))) for seat, asked_for in walk]
    assert texts[:6] == [(0, "6h"), (1, "6h"), (1, "8h"), (0, "8h"), (0, "9h"), (1, "9h")]


def test_the_indicator_is_never_asked_for():
    for indicator in DECK:
        walk = questions(suit_of(indicator), indicator)
        assert all(indicator not in asked_for for _, asked_for in walk)


def test_without_trumps_ranks_are_asked_over_three_suits_and_seat_0_is_first():
    walk = questions(Suit.DIAMONDS, parse_card("6d"))
    assert walk[16:20] == (
        (0, cards("6c 6h 6s")),
        (1, cards("6c 6h 6s")),
        (0, cards("7c 7h 7s")),
        (1, cards("7c 7h 7s")),
    )


def test_there_are_28_questions_at_most():
    assert QUESTIONS == 28
    assert all(len(questions(suit_of(card), card)) == 28 for card in DECK)


def test_the_first_show_opens_the_game():
    state = deal(CLASSIC, parse_card("Kh"), None)
    state = apply(state, Deny(cards("6h"))).state
    step = apply(state, Show(parse_card("6h")))
    assert (step.state.phase, step.state.attacker, step.state.bout, step.state.cap) == (Phase.ATTACK, 1, 1, 6)
    assert step.state.hands == (Hand((), 6), Hand(cards("6h"), 5))
    assert step.state.question is None
    assert (step.draws, step.bout_end) == ((), None)


def test_the_opener_may_lead_another_card_than_the_shown_one():
    state = apply(deal(CLASSIC, parse_card("Kh"), None), Show(parse_card("6h"))).state
    assert apply(state, legal_actions(state, cards("6c 6h"))[0]).state.table[0].attack == parse_card("6c")


def test_the_lower_first_cap_holds_after_the_questions_too():
    state = deal(Options(first_bout_limit=5), parse_card("Kh"), None)
    assert apply(state, Show(parse_card("6h"))).state.cap == 5


@pytest.mark.parametrize("name", ["classic", "table"])
def test_the_opener_is_who_a_look_at_both_hands_names(name):
    rng = Random(7)
    for number in range(300):
        deck = trumpless_deck(rng) if number % 3 == 0 else shuffled(rng)
        game, count = answered(deal_open(NAMED[name], deck, None))
        hands = [[card_text(card) for card in hand] for hand in game.hands]
        opener, shown = naive_opener(hands, card_text(deck[-1])[1], host_if_trumpless=name == "table")
        known = [card_text(card) for hand in game.state.hands for card in hand.known]
        assert game.state.attacker == opener
        assert known == ([] if shown is None else [shown])
        assert count <= QUESTIONS


def test_with_trumpless_host_the_last_denied_trump_opens_for_seat_0():
    game, count = answered(deal_open(NAMED["table"], trumpless_deck(Random(1)), None))
    assert (game.state.attacker, game.state.phase, count) == (0, Phase.ATTACK, 16)
    assert game.state.hands == (Hand((), 6), Hand((), 6))


def test_the_longest_search_takes_28_answers():
    # No trump, nothing below the jack, and all jacks with seat 1, who is asked last.
    high = cards("Qc Qd Qs Kc Kd Ks Jc Jd Js Ac Ad As")
    interleaved = [card for pair in zip(high[:6], high[6:], strict=True) for card in pair]
    rest = [card for card in DECK if card not in high and suit_of(card) != Suit.HEARTS]
    deck = [*interleaved, *rest, *(card for card in DECK if suit_of(card) == Suit.HEARTS)]
    game, count = answered(deal_open(CLASSIC, deck, None))
    assert count == 28
    assert game.state.attacker == 1
    assert game.state.hands[1].known == cards("Jc")


def test_denying_everything_to_the_end_is_refused():
    state = deal(CLASSIC, parse_card("Kh"), None)
    for _ in range(QUESTIONS - 1):
        state = apply(state, Deny(asked(state)[1])).state
    assert asked(state) == (1, cards("Jc Jd Js"))
    assert legal_actions(state) == (Show(parse_card("Jc")), Show(parse_card("Jd")), Show(parse_card("Js")))
    with pytest.raises(IllegalAction) as caught:
        apply(state, Deny(asked(state)[1]))
    assert caught.value.refusal is Refusal.CANNOT_DENY


def test_of_two_cards_of_one_rank_the_first_in_suit_order_is_shown():
    state = deal(CLASSIC, parse_card("Kh"), None)
    for _ in range(16):
        state = apply(state, Deny(asked(state)[1])).state
    assert answer(state, cards("6s 6d 9c")) == Show(parse_card("6d"))
    assert answer(state, cards("7s 7d 9c")) == Deny(cards("6c 6d 6s"))


def test_a_player_has_one_answer_and_an_onlooker_counts_with_both():
    state = deal(CLASSIC, parse_card("Kh"), None)
    assert legal_actions(state, cards("6h 7c")) == (Show(parse_card("6h")),)
    assert legal_actions(state, cards("7h 7c")) == (Deny(cards("6h")),)
    assert legal_actions(state) == (Show(parse_card("6h")), Deny(cards("6h")))


def test_nobody_is_asked_outside_the_search():
    state = deal(CLASSIC, parse_card("Kh"), 0)
    for question in (asked, lambda state: answer(state, ())):
        with pytest.raises(IllegalAction) as caught:
            question(state)
        assert caught.value.refusal is Refusal.NOT_ASKED


def test_a_search_takes_about_five_answers():
    rng = Random(11)
    counts = [answered(random_deal(rng))[1] for _ in range(1500)]
    assert 4.5 < sum(counts) / len(counts) < 5.5


def test_about_one_deal_in_48_holds_no_trump():
    """Exactly 27 choose 12 of 35 choose 12: of the 35 cards beside the indicator 8 are trumps."""
    share = 1.0
    for index in range(2 * HAND_CARDS):
        share *= (27 - index) / (35 - index)
    assert round(100 * share, 3) == 2.083


def test_answers_of_the_bout_are_no_answers_here():
    with pytest.raises(IllegalAction):
        apply(deal(CLASSIC, parse_card("Kh"), None), Done())
