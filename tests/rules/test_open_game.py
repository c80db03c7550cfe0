import pytest

from p2pdurak.rules.actions import Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import DECK, parse_card
from p2pdurak.rules.engine import IllegalAction, Refusal
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import CLASSIC
from tests.rules.games import at, cards


def test_cards_are_dealt_by_their_positions():
    game = deal_open(CLASSIC, DECK, 0)
    assert game.hands == (tuple(DECK[0:12:2]), tuple(DECK[1:12:2]))
    assert game.talon == DECK[12:]
    assert game.state.indicator == parse_card("As")


def test_the_talon_is_drawn_in_order_attacker_first():
    game = OpenGame(
        at("s", "?4", "?5", indicator="As", talon=4),
        (cards("6c 9d 9h Kc"), cards("7c Td Th Kd Jc")),
        cards("Jd Jh Qd As"),
    )
    for seat, action in [(0, Attack(parse_card("6c"))), (1, Beat(parse_card("7c"))), (0, Done())]:
        game, step = game.play(seat, action)
    assert game.hands == (tuple(sorted(cards("9d 9h Kc Jd Jh Qd"))), tuple(sorted(cards("Jc Td Th Kd As"))))
    assert game.talon == ()
    assert [draw.count for draw in step.draws] == [3]


def test_taken_cards_go_to_the_defender():
    game = OpenGame(at("s", "?2", "?2"), (cards("6c Kc"), cards("9d Td")), ())
    game, _ = game.play(0, Attack(parse_card("6c")))
    game, _ = game.play(1, Take())
    game, _ = game.play(0, Done())
    assert game.hands == (cards("Kc"), cards("6c 9d Td"))


def test_a_card_that_only_the_rules_cannot_rule_out_is_refused():
    game = OpenGame(at("s", "?2", "?2"), (cards("6c Kc"), cards("9d Td")), ())
    with pytest.raises(IllegalAction) as caught:
        game.play(0, Attack(parse_card("7c")))
    assert caught.value.refusal is Refusal.NOT_HELD


def test_the_other_seat_cannot_act():
    game = deal_open(CLASSIC, DECK, 0)
    with pytest.raises(IllegalAction) as caught:
        game.play(1, Attack(game.hands[1][0]))
    assert caught.value.refusal is Refusal.NOT_YOUR_TURN


@pytest.mark.parametrize(
    ("held", "lie", "refusal"),
    [
        ("6h", Deny(cards("6h")), Refusal.WRONG_ANSWER),
        ("9c", Show(cards("6h")[0]), Refusal.NOT_HELD),
    ],
)
def test_a_false_answer_about_the_lowest_trump_is_refused(held, lie, refusal):
    first = cards(held)[0]
    rest = [card for card in DECK if card not in (first, *cards("6h Kh"))]
    missing = [card for card in cards("6h") if card != first]
    game = deal_open(CLASSIC, [first, *rest, *missing, *cards("Kh")], None)
    with pytest.raises(IllegalAction) as caught:
        game.play(0, lie)
    assert caught.value.refusal is refusal
    assert game.legal_actions() != (lie,)
