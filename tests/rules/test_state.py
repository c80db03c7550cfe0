from dataclasses import fields, replace
from random import Random

import pytest

from p2pdurak.rules.actions import Attack
from p2pdurak.rules.cards import CARDS, DECK, Suit, parse_card
from p2pdurak.rules.engine import apply, deal
from p2pdurak.rules.options import CLASSIC, NAMED
from p2pdurak.rules.state import Hand, Pair, Phase, State, digest, encode_state
from tests.rules.games import at, cards, random_choice, random_deal, steps

STATE = apply(
    at("h", "6c Kd ?2", "Tc ?4", indicator="Qh", talon=3, discard="7d 8d", bout=4), Attack(parse_card("6c"))
).state

PERTURBED = {
    "options": [replace(CLASSIC, open=False), NAMED["table"]],
    "trump": [Suit.CLUBS],
    "indicator": [None, parse_card("Ah"), parse_card("6c")],
    "hands": [
        (STATE.hands[1], STATE.hands[0]),
        (Hand(STATE.hands[0].known, 3), STATE.hands[1]),
        (Hand((), 3), STATE.hands[1]),
        (STATE.hands[0], Hand(cards("Td"), 4)),
        (STATE.hands[0], Hand(cards("Tc Td"), 3)),
        (STATE.hands[0], Hand(cards("Tc"), 3)),
    ],
    "attacker": [1],
    "phase": [phase for phase in Phase if phase is not Phase.DEFEND],
    "table": [
        (),
        (Pair(parse_card("6d"), None),),
        (Pair(parse_card("6c"), parse_card("7c")),),
        (Pair(parse_card("6c"), None), Pair(parse_card("6d"), None)),
    ],
    "cap": [0, 4, 6],
    "talon": [0, 2, 4],
    "discard": [(), cards("7d"), cards("7d 8d 9d"), cards("7d 8h")],
    "bout": [1, 5, 4 + 256],
    "question": [0, 1],
}


def test_every_field_of_the_state_is_perturbed_below():
    assert {field.name for field in fields(State)} == set(PERTURBED)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in PERTURBED.items() for value in values])
def test_a_change_of_any_field_changes_the_digest(name, value):
    changed = replace(STATE, **{name: value})
    assert changed != STATE
    assert encode_state(changed) != encode_state(STATE)
    assert digest(changed) != digest(STATE)


def test_a_digest_is_32_bytes_and_the_same_for_equal_states():
    again = replace(STATE)
    assert again is not STATE
    assert digest(again) == digest(STATE)
    assert len(digest(STATE)) == 32


def test_the_digest_of_a_fixed_deal_never_changes():
    """A change here is a change of the protocol: two versions would call each other desynchronised."""
    state = deal(CLASSIC, parse_card("Kh"), None)
    assert digest(state).hex() == "b5eb58f058e0095a94d834023b519704efd1170a81c01af5f8321eb9caf87be0"


def test_different_states_of_random_games_have_different_bytes():
    rng = Random(1)
    seen: dict[bytes, State] = {}
    for _ in range(20):
        for _, _, _, step, _ in steps(random_deal(rng), random_choice(rng)):
            assert seen.setdefault(encode_state(step.state), step.state) == step.state
    assert len(seen) > 1500


def test_the_encoding_can_hold_the_extremes_of_the_rules():
    most = Hand(tuple(parse_card(text) for text in ("6c",)), CARDS - 1)
    state = replace(STATE, hands=(most, most), bout=342, cap=6, discard=tuple(range(CARDS)))
    assert len(encode_state(state)) < 512


def test_an_unbeaten_attack_is_not_taken_for_one_beaten_by_any_card():
    tables = [(Pair(parse_card("Ad"), beaten_by),) for beaten_by in (None, *DECK)]
    assert len({encode_state(replace(STATE, table=table)) for table in tables}) == 37


def test_a_hand_counts_known_and_hidden_cards():
    assert Hand(cards("6c 7c"), 3).count == 5


def test_the_table_cards_are_listed_as_they_were_laid():
    table = (Pair(parse_card("8c"), parse_card("Tc")), Pair(parse_card("Td"), None))
    assert replace(STATE, table=table).table_cards == cards("8c Tc Td")


def test_the_defender_is_the_other_seat():
    assert [replace(STATE, attacker=seat).defender for seat in (0, 1)] == [1, 0]
