"""Durak behind the protocol's contract: bytes of actions, what they must prove, and what the layout deals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairdeck.game import Absent, Draw, IllegalAction, Open, Outcome
from p2pdurak.durak import DURAK, LAYOUT
from p2pdurak.rules import engine
from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import DECK, Card, parse_card
from p2pdurak.rules.options import CLASSIC, NAMED, format_options
from p2pdurak.rules.state import Phase, State, digest
from tests.rules.games import at, cards

ACTIONS: list[Action] = [
    *map(Attack, DECK),
    *map(Beat, DECK),
    *map(Show, DECK),
    Take(),
    Done(),
    *(Deny((card,)) for card in DECK),
    Deny(cards("6c 6d 6h")),
]


def state_after(*actions: Action) -> State:
    state = at("s", "6c 7c ?4", "?6", indicator="As", talon=24)
    for action in actions:
        state, _ = DURAK.apply(state, action)
    return state


def test_action_and_its_bytes_are_an_inverse_pair() -> None:
    assert [DURAK.decode(DURAK.encode(action)) for action in ACTIONS] == ACTIONS


def test_different_actions_have_different_bytes() -> None:
    assert len({DURAK.encode(action) for action in ACTIONS}) == len(ACTIONS)


def test_every_short_string_is_an_action_that_encodes_to_it_or_refused() -> None:
    """There is no second way to write an action: the signed bytes are the only ones."""
    strings = [
        bytes([kind, *rest]) for kind in range(8) for rest in ((), (0,), (35,), (36,), (255,), (1, 2), (1, 2, 3))
    ]
    for data in [b"", *strings, bytes([5, 1, 2, 3, 4]), bytes([0, 1, 1])]:
        try:
            action = DURAK.decode(data)
        except IllegalAction:
            continue
        assert DURAK.encode(action) == data


ODD_HEX = "- 00 0024 00ff 000102 01 0200 0300 04 05 06 0501020304 ff 0000000000000000"


@pytest.mark.parametrize("odd", ODD_HEX.split())
def test_bytes_that_are_no_action_are_refused(odd: str) -> None:
    with pytest.raises(IllegalAction):
        DURAK.decode(bytes.fromhex(odd.strip("-")))


def test_layout_deals_six_cards_each_by_turns_and_turns_up_the_last() -> None:
    assert LAYOUT.hands == (tuple(range(0, 12, 2)), tuple(range(1, 12, 2)))
    assert (LAYOUT.upcards, LAYOUT.stock, LAYOUT.cards) == ((35,), tuple(range(12, 35)), 36)


def test_hidden_card_must_be_opened_and_a_known_one_not() -> None:
    state = state_after()
    assert DURAK.demand(state, Attack(parse_card("9d"))) == Open(parse_card("9d"))
    assert DURAK.demand(state, Attack(parse_card("6c"))) is None


def test_take_and_done_prove_nothing() -> None:
    lead = Attack(parse_card("6c"))
    assert DURAK.demand(state_after(lead), Take()) is None
    assert DURAK.demand(state_after(lead, Take()), Done()) is None


def test_denial_must_be_proven_for_the_cards_it_names() -> None:
    state = DURAK.start(format_options(CLASSIC).encode(), (parse_card("As"),), None)
    assert state.phase is Phase.QUESTION
    asked = engine.asked(state)[1]
    assert DURAK.demand(state, Deny(asked)) == Absent(tuple(map(int, asked)))


def test_refill_is_told_as_draws_without_the_indicator() -> None:
    state = at("s", "6c", "?6", indicator="As", talon=3)
    state, nothing = DURAK.apply(state, Attack(parse_card("6c")))
    assert nothing == ()
    state, draws = DURAK.apply(state, Take())
    assert draws == (Draw(0, 2),)
    assert state.hands[0].known == (parse_card("As"),)


def test_refusal_of_the_rules_comes_as_one_of_the_protocol_with_its_sentence() -> None:
    with pytest.raises(IllegalAction, match="The attacker must lead a card"):
        DURAK.apply(state_after(), Done())


@pytest.mark.parametrize("card", [-1, 36, 255])
def test_card_that_is_not_in_the_deck_is_refused_by_the_rules_too(card: int) -> None:
    with pytest.raises(IllegalAction):
        DURAK.apply(state_after(), Attack(Card(card)))


@pytest.mark.parametrize("name", NAMED)
def test_canonical_options_start_a_game_with_them(name: str) -> None:
    state = DURAK.start(format_options(NAMED[name]).encode(), (0,), 1)
    assert (state.options, state.attacker, state.phase) == (NAMED[name], 1, Phase.ATTACK)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe",
        b"first_attacker=lowest_trump",
        format_options(CLASSIC).encode() + b"\n",
        format_options(CLASSIC).encode().replace(b"=6", b"=7"),
        format_options(CLASSIC).encode().replace(b"move_timer=25", b"move_timer=025"),
        b"\n".join(reversed(format_options(CLASSIC).encode().split(b"\n"))),
    ],
    ids=["empty", "no UTF-8", "one line", "line break behind", "unknown value", "other digits", "other order"],
)
def test_options_in_any_other_form_are_refused(text: bytes) -> None:
    with pytest.raises(IllegalAction, match="Options that this program does not know"):
        DURAK.check_options(text)


def test_digest_is_that_of_the_rules() -> None:
    state = state_after()
    assert DURAK.digest(state) == digest(state)
    assert DURAK.digest(replace(state, cap=5)) != DURAK.digest(state)


def test_outcome_names_winner_and_durak_and_neither_in_a_draw() -> None:
    won, _ = DURAK.apply(DURAK.apply(at("s", "6c", "7c 8c"), Attack(parse_card("6c")))[0], Beat(parse_card("7c")))
    drawn, _ = DURAK.apply(DURAK.apply(at("s", "6c", "7c"), Attack(parse_card("6c")))[0], Beat(parse_card("7c")))
    assert DURAK.outcome(won) == Outcome(0, 1)
    assert DURAK.outcome(drawn) == Outcome(None, None)
    assert DURAK.outcome(state_after()) is None


def test_nobody_acts_in_a_finished_game() -> None:
    over, _ = DURAK.apply(DURAK.apply(at("s", "6c", "7c"), Attack(parse_card("6c")))[0], Beat(parse_card("7c")))
    assert DURAK.to_act(over) is None
