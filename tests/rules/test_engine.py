from dataclasses import replace
from random import Random

import pytest

from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import DECK, Card, Suit, parse_card
from p2pdurak.rules.engine import (
    BoutEnd,
    Draw,
    IllegalAction,
    Refusal,
    apply,
    check_turn,
    deal,
    legal_actions,
    outcome,
    position,
    reveals,
    to_act,
)
from p2pdurak.rules.options import CLASSIC, Options
from p2pdurak.rules.state import BoutOutcome, Hand, Outcome, Pair, Phase, State, digest
from tests.rules.games import at, cards, hand, random_choice, random_deal, steps


def attack(text: str) -> Attack:
    return Attack(parse_card(text))


def beat(text: str) -> Beat:
    return Beat(parse_card(text))


def play(state: State, *actions: Action) -> State:
    for action in actions:
        state = apply(state, action).state
    return state


def refusal(state: State, action: Action) -> Refusal:
    before = digest(state)
    with pytest.raises(IllegalAction) as caught:
        apply(state, action)
    assert digest(state) == before
    return caught.value.refusal


# ---- the deal and positions ----


def test_a_deal_hides_six_cards_each_and_turns_one_up():
    state = deal(CLASSIC, parse_card("Kh"), 1)
    assert state.hands == (Hand((), 6), Hand((), 6))
    assert (state.trump, state.indicator, state.talon) == (Suit.HEARTS, parse_card("Kh"), 24)
    assert (state.phase, state.attacker, state.bout, state.cap) == (Phase.ATTACK, 1, 1, 6)
    assert (state.table, state.discard, state.question) == ((), (), None)


def test_a_deal_without_an_opener_begins_with_questions():
    state = deal(CLASSIC, parse_card("Kh"), None)
    assert (state.phase, state.question, state.attacker) == (Phase.QUESTION, 0, 0)


def test_any_card_may_be_the_indicator_the_ace_too():
    assert {deal(CLASSIC, card, 0).trump for card in DECK} == set(Suit)
    assert deal(CLASSIC, parse_card("As"), 0).trump is Suit.SPADES


def test_a_position_sorts_what_it_is_given():
    state = position(Suit.HEARTS, (Hand(cards("Kd 6c"), 0), Hand(cards("7s"), 0)), 0, discard=cards("9d 8d"))
    assert state.hands[0].known == cards("6c Kd")
    assert state.discard == cards("8d 9d")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"hands": (hand(""), hand("7c"))}, "empty hand"),
        ({"hands": (hand("6c"), hand(""))}, "empty hand"),
        ({"hands": (hand("6c 7c"), hand("7c"))}, "two places"),
        ({"hands": (hand("6c 6c"), hand("7c"))}, "two places"),
        ({"discard": cards("6c")}, "two places"),
        ({"hands": (Hand((Card(36),), 0), hand("7c"))}, "no card of the deck"),
        ({"attacker": 2}, "attacker is seat 0 or 1"),
        ({"bout": 0}, "counted from 1"),
        ({"talon": 1}, "talon is empty exactly when"),
        ({"indicator": parse_card("6h")}, "talon is empty exactly when"),
        ({"hands": (Hand((), -1), hand("7c"))}, "talon"),
        ({"talon": 2, "indicator": parse_card("6d")}, "must be a trump"),
        ({"talon": 34, "indicator": parse_card("6h"), "hands": (hand("6c ?1"), hand("7c"))}, "more than 36"),
    ],
)
def test_a_position_that_no_game_reaches_is_refused(wrong, sentence):
    parts = {"trump": Suit.HEARTS, "hands": (hand("6c"), hand("7c")), "attacker": 0, **wrong}
    with pytest.raises(ValueError, match=sentence):
        position(parts.pop("trump"), parts.pop("hands"), parts.pop("attacker"), **parts)


# ---- whose turn ----


def test_the_attacker_leads_and_the_defender_answers():
    state = at("h", "6c 6d 6s", "7c Kd Ks")
    assert to_act(state) == 0
    state = play(state, attack("6c"))
    assert (to_act(state), state.phase) == (1, Phase.DEFEND)
    state = play(state, beat("7c"))
    assert (to_act(state), state.phase) == (0, Phase.ATTACK)
    state = play(state, attack("6d"), Take())
    assert (to_act(state), state.phase) == (0, Phase.PILE_ON)


def test_nobody_acts_in_a_finished_game():
    over = play(at("s", "6c", "9d 8h"), attack("6c"), Take())
    assert to_act(over) is None
    assert legal_actions(over) == legal_actions(over, cards("9d")) == ()


def test_a_turn_is_checked_by_seat():
    state = at("h", "6c", "7c 8c")
    check_turn(state, 0)
    with pytest.raises(IllegalAction) as caught:
        check_turn(state, 1)
    assert caught.value.refusal is Refusal.NOT_YOUR_TURN
    with pytest.raises(IllegalAction) as caught:
        check_turn(play(state, attack("6c"), Take()), 0)
    assert caught.value.refusal is Refusal.GAME_OVER


# ---- the bout ----


def test_a_lead_may_be_any_card_of_the_hand():
    assert legal_actions(at("h", "6c Kd 9h", "7c 8c")) == (attack("6c"), attack("Kd"), attack("9h"))


def test_a_throw_in_matches_attack_and_defence_cards():
    state = play(at("h", "6c Td 6s Kd", "Tc 8c 9c"), attack("6c"), beat("Tc"))
    assert legal_actions(state) == (attack("Td"), attack("6s"), Done())


def test_the_defender_may_take_although_he_could_beat():
    state = play(at("h", "6c 6d", "7c 8c"), attack("6c"))
    assert legal_actions(state) == (beat("7c"), beat("8c"), Take())
    assert play(state, Take()).phase is Phase.PILE_ON


def test_a_pile_on_matches_the_table_and_needs_no_answer():
    state = play(at("h", "6c Td Ts Kd", "Tc 8c 9c"), attack("6c"), beat("Tc"), attack("Td"), Take())
    assert legal_actions(state) == (attack("Ts"), Done())


def test_the_cap_is_fixed_when_the_bout_begins():
    state = at("h", "6c 6d 6s 6h", "7c 7d Kc Ks")
    assert state.cap == 4
    assert play(state, attack("6c"), beat("7c"), attack("6d"), beat("7d")).cap == 4


def test_the_cap_is_never_more_than_six():
    assert at("h", "6c", "7c ?9").cap == 6


def test_the_first_bout_may_have_a_lower_cap():
    five = Options(first_bout_limit=5)
    assert deal(five, parse_card("Kh"), 0).cap == 5
    assert at("h", "6c ?5", "?6", options=five, bout=2).cap == 6
    after = play(at("h", "6c ?5", "?6", options=five, talon=9, indicator="Ah"), attack("6c"), Take(), Done())
    assert (after.bout, after.cap) == (2, 6)


def test_a_small_hand_caps_the_first_bout_too():
    assert at("h", "6c", "7c ?2", options=Options(first_bout_limit=5)).cap == 3


# ---- public endings ----


def test_a_bout_beaten_up_to_the_cap_ends_by_itself():
    step = apply(
        play(at("h", "6c 6d Kd", "7c 7d", talon=1, indicator="Ah"), attack("6c"), beat("7c"), attack("6d")), beat("7d")
    )
    assert step.bout_end == BoutEnd(BoutOutcome.BEATEN, 0, ())
    assert step.state.discard == cards("6c 7c 6d 7d")


SIX_PAIRS = ["6c 9c", "6d 9d", "6s 9s", "9h Th", "Tc Jc", "Td Jd"]


def beaten(state: State, pairs: list[str]) -> State:
    for pair in pairs:
        lead, beaten_by = pair.split()
        assert state.phase is Phase.ATTACK
        state = play(state, attack(lead), beat(beaten_by))
    return state


def test_six_beaten_attacks_end_a_bout_whatever_the_hands_still_hold():
    state = beaten(at("h", "6c 6d 6s 9h Tc Td Kc", "9c 9d 9s Th Jc Jd Kd Ks", bout=2), SIX_PAIRS[:5])
    step = apply(play(state, attack("Td")), beat("Jd"))
    assert step.bout_end == BoutEnd(BoutOutcome.BEATEN, 0, ())
    assert step.state.hands == (hand("Kc"), hand("Kd Ks"))


def test_five_beaten_attacks_end_a_first_bout_that_is_limited():
    five = Options(first_bout_limit=5)
    state = beaten(at("h", "6c 6d 6s 9h Tc Td", "9c 9d 9s Th Jc Jd", options=five), SIX_PAIRS[:4])
    assert apply(play(state, attack("Tc")), beat("Jc")).bout_end == BoutEnd(BoutOutcome.BEATEN, 0, ())


def test_a_bout_ends_when_the_attacker_has_beaten_out_his_last_card():
    step = apply(play(at("h", "6c", "7c 8c 9c", talon=2, indicator="Ah"), attack("6c")), beat("7c"))
    assert step.bout_end == BoutEnd(BoutOutcome.BEATEN, 0, ())


def test_a_last_card_on_the_table_still_has_to_be_beaten():
    state = play(at("h", "6c", "7c 8c"), attack("6c"))
    assert state.phase is Phase.DEFEND
    assert outcome(state) is None


def test_a_full_cap_with_an_unbeaten_attack_does_not_end_the_bout():
    state = play(at("s", "6c 6d 6h", "7c 7d"), attack("6c"), beat("7c"), attack("6d"))
    assert (len(state.table), state.cap, state.phase) == (2, 2, Phase.DEFEND)


def test_a_take_at_the_cap_ends_the_bout_at_once():
    step = apply(play(at("s", "6c 6d 6h", "7c 9h"), attack("6c"), beat("7c"), attack("6d")), Take())
    assert step.bout_end == BoutEnd(BoutOutcome.PICKUP, 0, cards("6c 7c 6d"))


def test_a_take_against_an_empty_hand_ends_the_bout_at_once():
    step = apply(play(at("s", "6c", "7c 9h Kc", talon=1, indicator="As"), attack("6c")), Take())
    assert step.bout_end == BoutEnd(BoutOutcome.PICKUP, 0, cards("6c"))


def test_without_pile_on_a_take_ends_the_bout_at_once():
    state = play(at("s", "6c 6d 6h", "7c 9h Kc", options=Options(pile_on=False)), attack("6c"))
    assert apply(state, Take()).bout_end == BoutEnd(BoutOutcome.PICKUP, 0, cards("6c"))


def test_a_pile_on_up_to_the_cap_ends_the_bout():
    state = play(at("s", "6c 6d 6h", "9h Kc"), attack("6c"), Take())
    assert apply(state, attack("6d")).bout_end == BoutEnd(BoutOutcome.PICKUP, 0, cards("6c 6d"))


def test_a_pile_on_of_the_last_card_ends_the_bout():
    state = play(at("s", "6c 6d", "9h Kc Qc Jc"), attack("6c"), Take())
    assert apply(state, attack("6d")).bout_end == BoutEnd(BoutOutcome.PICKUP, 0, cards("6c 6d"))


# ---- the end of a bout ----


def test_after_a_beaten_bout_the_defender_attacks():
    state = play(at("h", "6c Kd", "7c 8c", attacker=1, bout=3), attack("7c"), Take(), Done())
    assert state.attacker == 1
    state = play(at("h", "6c Kd", "7c 8d"), attack("6c"), beat("7c"), Done())
    assert (state.attacker, state.bout, state.phase) == (1, 2, Phase.ATTACK)


def test_after_a_pickup_the_same_player_attacks_and_the_cards_are_known():
    step = apply(play(at("h", "6c Kd ?1", "7d ?4"), attack("6c"), Take()), Done())
    assert step.bout_end == BoutEnd(BoutOutcome.PICKUP, 0, cards("6c"))
    assert step.state.attacker == 0
    assert step.state.hands[1] == Hand(cards("6c 7d"), 4)


def test_the_attacker_draws_first_and_as_a_block():
    state = play(at("s", "6c 9d ?2", "7c Td ?2", talon=6, indicator="As"), attack("6c"), beat("7c"))
    step = apply(state, Done())
    assert step.draws == (Draw(0, 3), Draw(1, 2))
    assert step.state.hands == (hand("9d ?5"), hand("As Td ?4"))
    assert (step.state.talon, step.state.indicator) == (0, None)


def test_the_attacker_may_get_the_last_cards():
    state = play(at("s", "6c 9d", "7c Td", talon=3, indicator="As"), attack("6c"), beat("7c"))
    step = apply(state, Done())
    assert step.draws == (Draw(0, 2),)
    assert step.state.hands == (hand("9d As ?2"), hand("Td"))


def test_the_indicator_alone_is_drawn_without_a_draw():
    step = apply(play(at("s", "6c 9d", "7c Td", talon=1, indicator="As"), attack("6c"), beat("7c")), Done())
    assert step.draws == ()
    assert step.state.hands[0] == hand("9d As")
    assert step.state.trump is Suit.SPADES


def test_six_or_more_cards_draw_nothing():
    state = play(at("s", "6c 9d ?5", "Kc ?6", talon=5, indicator="As"), attack("6c"), Take())
    step = apply(state, Done())
    assert step.draws == ()
    assert step.state.talon == 5


def test_the_defender_of_a_pickup_draws_too_if_he_is_short():
    step = apply(play(at("s", "6c 9d", "Kc", talon=9, indicator="As"), attack("6c")), Take())
    assert step.draws == (Draw(0, 5), Draw(1, 3))
    assert step.state.hands == (hand("9d ?5"), hand("6c Kc As ?3"))


# ---- the end of the game ----


def test_whoever_has_no_cards_after_the_refill_has_won():
    over = play(at("s", "6c", "7c 9d"), attack("6c"), beat("7c"))
    assert (over.phase, over.cap, over.bout) == (Phase.OVER, 0, 1)
    assert outcome(over) == Outcome(winner=0, durak=1)


def test_two_empty_hands_are_a_draw():
    assert outcome(play(at("s", "6c", "7c"), attack("6c"), beat("7c"))) == Outcome(None, None)


def test_the_refill_comes_before_the_end():
    over = play(at("s", "6c", "7c", talon=1, indicator="As"), attack("6c"), beat("7c"))
    assert outcome(over) == Outcome(winner=1, durak=0)
    assert over.cap == 0
    assert over.hands == (hand("As"), hand(""))


def test_an_empty_hand_with_cards_in_the_talon_ends_nothing():
    state = play(at("s", "6c", "7c 9d", talon=4, indicator="As"), attack("6c"), beat("7c"))
    assert outcome(state) is None
    assert state.hands[0] == hand("As ?3")


# ---- hidden cards ----


def test_a_hidden_card_enters_the_state_when_it_is_played():
    state = deal(CLASSIC, parse_card("Kh"), 0)
    after = play(state, attack("6c"))
    assert after.hands[0] == Hand((), 5)
    assert after.table == (Pair(parse_card("6c"), None),)


def test_a_known_card_is_played_from_the_known_ones():
    after = play(at("h", "6c 7c ?2", "?3"), attack("6c"))
    assert after.hands[0] == hand("7c ?2")


@pytest.mark.parametrize("card", ["Kd", "Qh", "8d", "6c", "Tc"])
def test_a_card_that_everybody_sees_elsewhere_cannot_be_hidden(card):
    # In turn: known in the other hand, the indicator, discarded, and both cards of a pair on the table.
    state = play(at("h", "?4", "Kd ?4", talon=3, indicator="Qh", discard="8d"), attack("6c"), beat("Tc"))
    assert refusal(state, attack(card)) is Refusal.NOT_HELD


def test_without_hidden_cards_only_known_ones_can_be_played():
    assert refusal(at("h", "6c", "7c"), attack("8c")) is Refusal.NOT_HELD


def test_an_action_reveals_exactly_a_card_from_the_hidden_part():
    state = at("h", "6c ?1", "7c ?1")
    assert reveals(state, attack("6c")) is None
    assert reveals(state, attack("8c")) == parse_card("8c")
    defending = play(state, attack("6c"))
    assert reveals(defending, beat("7c")) is None
    assert reveals(defending, beat("9c")) == parse_card("9c")
    assert reveals(defending, Take()) is reveals(defending, Done()) is None
    asking = deal(CLASSIC, parse_card("6c"), None)
    assert reveals(asking, Show(parse_card("7c"))) == parse_card("7c")
    assert reveals(asking, Deny(cards("7c"))) is None


def test_nothing_is_revealed_in_a_finished_game():
    over = play(at("s", "6c", "7c 9d"), attack("6c"), beat("7c"))
    assert reveals(over, attack("8c")) is None


# ---- refusals ----

LEADING = at("h", "6c Kd", "7c 8d")
DEFENDING = play(LEADING, attack("6c"))
BEATEN = play(DEFENDING, beat("7c"))
PILING = play(at("h", "6c 6d Kd", "7c 8d 8c"), attack("6c"), Take())
OVER = play(at("s", "6c", "9d 8h"), attack("6c"), Take())
ASKING = deal(CLASSIC, parse_card("7c"), None)
PLAIN_QUESTION = replace(ASKING, question=16)
LAST_QUESTION = replace(ASKING, question=27)

REFUSED = [
    (Refusal.GAME_OVER, OVER, attack("9d")),
    (Refusal.GAME_OVER, OVER, Take()),
    (Refusal.GAME_OVER, OVER, Done()),
    (Refusal.GAME_OVER, OVER, Show(parse_card("6c"))),
    (Refusal.NOT_HELD, LEADING, attack("7c")),
    (Refusal.NOT_HELD, LEADING, attack("9c")),
    (Refusal.NOT_HELD, DEFENDING, beat("Kd")),
    (Refusal.NOT_HELD, PILING, attack("7c")),
    (Refusal.NO_SUCH_CARD, LEADING, Attack(Card(36))),
    (Refusal.NO_SUCH_CARD, LEADING, Attack(Card(-1))),
    (Refusal.NO_SUCH_CARD, play(at("h", "?2", "?2"), attack("6c")), Beat(Card(99))),
    (Refusal.MUST_LEAD, LEADING, Done()),
    (Refusal.RANK_NOT_ON_TABLE, BEATEN, attack("Kd")),
    (Refusal.RANK_NOT_ON_TABLE, PILING, attack("Kd")),
    (Refusal.BEAT_OR_TAKE, DEFENDING, Done()),
    (Refusal.BEAT_OR_TAKE, DEFENDING, attack("8d")),
    (Refusal.DOES_NOT_BEAT, DEFENDING, beat("8d")),
    (Refusal.NOTHING_TO_BEAT, LEADING, Take()),
    (Refusal.NOTHING_TO_BEAT, LEADING, beat("6c")),
    (Refusal.NOTHING_TO_BEAT, BEATEN, Take()),
    (Refusal.NOTHING_TO_BEAT, PILING, Take()),
    (Refusal.NOTHING_TO_BEAT, PILING, beat("8c")),
    (Refusal.ANSWER_FIRST, ASKING, attack("6c")),
    (Refusal.ANSWER_FIRST, ASKING, beat("6c")),
    (Refusal.ANSWER_FIRST, ASKING, Take()),
    (Refusal.ANSWER_FIRST, ASKING, Done()),
    (Refusal.NOT_ASKED, LEADING, Show(parse_card("6c"))),
    (Refusal.NOT_ASKED, DEFENDING, Deny(cards("6h"))),
    (Refusal.NOT_ASKED, PILING, Show(parse_card("8c"))),
    (Refusal.WRONG_ANSWER, ASKING, Show(parse_card("8c"))),
    (Refusal.WRONG_ANSWER, ASKING, Show(parse_card("7c"))),
    (Refusal.WRONG_ANSWER, ASKING, Deny(cards("8c"))),
    (Refusal.WRONG_ANSWER, ASKING, Deny(())),
    (Refusal.WRONG_ANSWER, ASKING, Deny(cards("6c 8c"))),
    (Refusal.WRONG_ANSWER, PLAIN_QUESTION, Deny(cards("6d 6s 6h"))),
    (Refusal.WRONG_ANSWER, PLAIN_QUESTION, Deny(cards("6d 6h 6s 6s"))),
    (Refusal.WRONG_ANSWER, PLAIN_QUESTION, Deny(cards("6d 6h"))),
    (Refusal.CANNOT_DENY, LAST_QUESTION, Deny(cards("Jd Jh Js"))),
]


@pytest.mark.parametrize(("expected", "state", "action"), REFUSED)
def test_an_illegal_action_is_refused_with_its_reason_and_changes_nothing(expected, state, action):
    assert refusal(state, action) is expected


def test_every_reason_for_a_refusal_is_reached():
    # NOT_YOUR_TURN belongs to check_turn: apply is told what is done, not by whom.
    assert {expected for expected, _, _ in REFUSED} | {Refusal.NOT_YOUR_TURN} == set(Refusal)


def test_every_reason_is_a_sentence():
    assert all(reason.value[0].isupper() and reason.value.endswith(".") for reason in Refusal)
    assert str(IllegalAction(Refusal.MUST_LEAD)) == Refusal.MUST_LEAD.value


# ---- legal actions ----


def every_action() -> list[Action]:
    return [*map(Attack, DECK), *map(Beat, DECK), *map(Show, DECK), *(Deny((card,)) for card in DECK), Take(), Done()]


def accepted(state: State, action: Action) -> bool:
    try:
        apply(state, action)
    except IllegalAction:
        return False
    return True


def test_an_onlooker_lists_exactly_what_the_rules_accept():
    rng = Random(3)
    for _ in range(3):
        for game, *_ in steps(random_deal(rng), random_choice(rng)):
            accepts = {action for action in every_action() if accepted(game.state, action)}
            assert set(legal_actions(game.state)) == accepts


def test_a_player_may_do_what_an_onlooker_lists_with_the_cards_he_holds():
    rng = Random(4)
    for _ in range(20):
        for game, seat, *_ in steps(random_deal(rng, opener=0), random_choice(rng)):
            held = game.hands[seat]
            own = [
                action
                for action in legal_actions(game.state)
                if not isinstance(action, Attack | Beat) or action.card in held
            ]
            assert list(legal_actions(game.state, held)) == own


def test_apply_leaves_the_state_as_it_was():
    rng = Random(5)
    for game, _, action, step, _ in steps(random_deal(rng), random_choice(rng)):
        assert apply(game.state, action) == step
