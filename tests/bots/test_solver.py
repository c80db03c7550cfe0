"""Exact endgames: the published positions, a naive search as the oracle, and the budget."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2pdurak.bots import fast
from p2pdurak.bots.fast import Position, World
from p2pdurak.bots.solver import ASKED_EVERY, DRAW, LOSS, WIN, GaveUp, Solver
from p2pdurak.rules.cards import card_text
from tests.bots.tables import endings, fast_games
from tests.rules.games import cards, suit

CASES = json.loads((Path(__file__).parent / "cases" / "endgames.json").read_text("utf-8"))["cases"]
NO_TALON = fast.world_of((), pile_on=True)


def led_by_a(trump: str, a: str, b: str) -> Position:
    first, second = (fast.mask_of(cards(text), suit(trump)) for text in (a, b))
    return first, second, 0, 0, fast.OPEN, min(6, second.bit_count()), 0, 0


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_only_the_best_lead_wins(case: dict[str, str]) -> None:
    trump = suit(case["trump"])
    position = led_by_a(case["trump"], case["A"], case["B"])
    values = {}
    for move in fast.legal_moves(position):
        values |= Solver(NO_TALON).values(position, [move])
    by_text = {card_text(fast.card_at(move, trump)): value for move, value in values.items()}
    expected = dict.fromkeys(case["A"].split(), LOSS) | dict.fromkeys(case.get("only_draw", ()), DRAW)
    assert by_text == expected | {case["best"]: WIN}
    assert Solver(NO_TALON).value(position) == WIN


def naive(position: Position, world: World, known: dict[Position, int]) -> int:
    """The value for seat 0, by looking at everything."""
    if fast.is_over(position):
        return fast.result(position)
    if position not in known:
        better = min if fast.mover(position) else max
        after = (fast.play(position, world, move) for move in fast.legal_moves(position))
        known[position] = better(naive(child, world, known) for child in after)
    return known[position]


def test_values_are_those_of_a_search_without_any_pruning() -> None:
    seen = set()
    for position, world in endings(120, seed=1, cards_max=9):
        sign = -1 if fast.mover(position) else 1
        known: dict[Position, int] = {}
        solver = Solver(world)
        value = sign * naive(position, world, known)
        assert Solver(world).value(position) == value
        for move in fast.legal_moves(position):
            assert solver.values(position, [move])[move] == sign * naive(fast.play(position, world, move), world, known)
        seen.add((value, sign))
    assert {(value, sign) for value in (WIN, LOSS) for sign in (1, -1)} <= seen


@pytest.mark.slow
def test_solver_that_is_asked_many_questions_gives_each_of_them_its_true_value() -> None:
    asked = 0
    for position, world in endings(18, seed=6, cards_max=11):
        known: dict[Position, int] = {}
        naive(position, world, known)
        solver = Solver(world, nodes=10**7)
        below = [*reversed(known)]  # the ending itself first: what it leaves in the table is met again in the others
        for each in below[:: max(1, len(below) // 1000)]:
            sign = -1 if fast.mover(each) else 1
            assert solver.value(each) == sign * known[each]
            asked += 1
    assert asked > 10_000


def test_value_is_told_for_the_side_to_move() -> None:
    position = led_by_a("h", "6h 6s 8d", "7s Jd Jh Qc")
    assert Solver(NO_TALON).value((*position[:7], 1)) == WIN
    after = fast.play(position, NO_TALON, fast.mask_of(cards("8d"), suit("h")))
    assert fast.mover(after) == 1
    assert Solver(NO_TALON).value(after) == LOSS


def test_finished_game_has_the_value_of_its_result_for_seat_0() -> None:
    assert [Solver(NO_TALON).value((a, d, 0, 0, 0, 1, 0, 1)) for a, d in ((0, 1), (0, 0), (1, 0))] == [-1, 0, 1]


def test_search_stops_at_the_first_winning_move() -> None:
    position = led_by_a("h", "6c 8d Td", "6d 8c Ac")
    moves = [fast.mask_of(cards(text), suit("h")) for text in ("6c", "8d", "Td")]
    assert list(Solver(NO_TALON).values(position, moves)) == moves[:2]


def test_search_gives_up_when_the_nodes_are_spent() -> None:
    position, world = next(iter(fast_games(1, seed=1)))
    with pytest.raises(GaveUp):
        Solver(world, nodes=1000).value(position)


def test_search_gives_up_when_there_is_no_more_time() -> None:
    position, world = next(iter(fast_games(1, seed=1)))
    asked: list[bool] = []

    def patience() -> bool:
        asked.append(len(asked) < 2)
        return asked[-1]

    solver = Solver(world, nodes=100 * ASKED_EVERY, patience=patience)
    with pytest.raises(GaveUp):
        solver.value(position)
    assert (asked, solver.nodes) == ([True, True, False], 97 * ASKED_EVERY)


def test_solver_that_has_found_a_value_needs_no_nodes_for_it_again() -> None:
    position = led_by_a("h", "6h 6s 8d", "7s Jd Jh Qc")
    solver = Solver(NO_TALON)
    solver.value(position)
    solver.nodes = 0
    assert solver.value(position) == WIN


def test_every_ending_of_ten_cards_is_solved_with_few_nodes() -> None:
    for position, world in endings(60, seed=2, cards_max=10):
        solver = Solver(world, nodes=20_000)
        assert solver.value(position) in (WIN, DRAW, LOSS)
