"""The heuristic: what a sensible player does, and the same in whole games played out."""

from __future__ import annotations

from random import Random

import pytest

from p2pdurak.bots import fast
from p2pdurak.bots.medium import choose
from p2pdurak.bots.policy import decide, play_out
from p2pdurak.rules.actions import Attack, Beat, Done, Take, action_text
from p2pdurak.rules.cards import parse_card
from p2pdurak.rules.engine import apply
from p2pdurak.rules.options import Options
from p2pdurak.rules.state import State
from p2pdurak.rules.view import View
from tests.bots.tables import as_fast, dealt, fast_games, left
from tests.rules.games import at, cards


def by_single_moves(position: fast.Position, world: fast.World) -> int:
    while not fast.is_over(position):
        position = fast.play(position, world, decide(position, left(position, world)))
    return fast.result(position)


def test_game_played_out_is_the_game_of_single_decisions() -> None:
    positions = list(fast_games(60, seed=1))[::5]
    assert len(positions) > 1000
    for position, world in positions:
        assert play_out(position, world) == by_single_moves(position, world)


def test_game_played_out_without_pile_on_keeps_to_that_option() -> None:
    rng = Random(3)
    for _ in range(100):
        position, world = as_fast(dealt(rng, Options(pile_on=False)))
        assert play_out(position, world) == by_single_moves(position, world)


def test_finished_game_is_worth_its_result() -> None:
    world = fast.world_of((), pile_on=True)
    assert [play_out((a, d, 0, 0, 0, 1, 0, 0), world) for a, d in ((0, 1), (0, 0), (1, 0))] == [1, 0, -1]


def test_decision_is_always_legal() -> None:
    for position, world in list(fast_games(30, seed=2)):
        assert decide(position, left(position, world)) in fast.legal_moves(position)


# What it does, by examples


def chosen(state: State, held: str, seat: int = 0) -> str:
    return action_text(choose(View(seat, state, tuple(sorted(cards(held)))), Random(0)))


def early(talon: int = 24) -> State:
    return at("s", "?6", "?6", indicator="9s", talon=talon)


@pytest.mark.parametrize(
    ("held", "lead"),
    [("7c 9d Jh Kd 6s As", "7c"), ("7c 8d 8h Kd 6s As", "8d"), ("6s 7s 8s Ts Js Qs", "6s")],
    ids=["the cheapest plain card", "a pair", "a trump where there is nothing else"],
)
def test_leads(held: str, lead: str) -> None:
    assert chosen(early(), held) == lead


def defending(attack: str, talon: int = 24) -> State:
    return apply(early(talon), Attack(parse_card(attack))).state


@pytest.mark.parametrize(
    ("attack", "held", "answer"),
    [
        ("7c", "8c Kc 6d 7d 6s As", "8c"),
        ("7c", "6c 6d 7d 8d 8h As", "take"),
        ("7c", "6c 6d 7d 8d 8h 6h", "take"),
    ],
    ids=["the cheapest that beats", "no dear trump is spent on a plain card", "nothing beats"],
)
def test_beats_or_takes_early_in_the_game(attack: str, held: str, answer: str) -> None:
    assert chosen(defending(attack), held, seat=1) == answer


def test_nothing_is_taken_at_the_end_that_can_be_beaten() -> None:
    state = apply(at("s", "7c Kd Kh", "6c 6d As"), Attack(parse_card("7c"))).state
    assert choose(View(1, state, tuple(sorted(cards("6c 6d As")))), Random(0)) == Beat(parse_card("As"))


def test_end_leads_what_the_other_hand_cannot_beat() -> None:
    state = at("s", "7c Kd 9h Th", "8c 9c Qd 8h")
    assert chosen(state, "7c Kd 9h Th") == "9h"


def test_end_beats_with_what_lets_nothing_be_thrown_in() -> None:
    state = apply(at("s", "7c 8d Kd", "8c 9c Qd"), Attack(parse_card("7c"))).state
    assert chosen(state, "8c 9c Qd", seat=1) == "9c"


def test_trump_is_not_thrown_in_early() -> None:
    state = apply(defending("7c"), Beat(parse_card("8c"))).state
    view = View(0, state, tuple(sorted(cards("9d Jh Kd Ah 8s"))))
    assert choose(view, Random(0)) == Done()
    assert isinstance(choose(View(1, defending("As"), tuple(sorted(cards("6c 6d 7d 8d 8h 6h")))), Random(0)), Take)
