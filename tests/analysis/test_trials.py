"""Comparing moves by chance: what is told of a difference is measured where it was not picked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

from p2pdurak.analysis.moments import course
from p2pdurak.analysis.trials import Comparison, chance_of, compare, confirmed, imagined, played_out
from p2pdurak.bots.fast import PASS, legal_moves
from p2pdurak.bots.knowledge import knowledge
from tests.analysis.real_games import real
from tests.analysis.recordings import open_at, played
from tests.bots.tables import as_fast

Trial = Callable[[Sequence[int]], Sequence[int]]


def coins(rng: Random, worth: dict[int, float]) -> Trial:
    """A world in which each move wins by a coin of its own."""
    return lambda moves: [1 if rng.random() < worth[move] else -1 for move in moves]


def test_no_move_is_told_to_be_better_where_all_are_the_same_coin() -> None:
    rng, worth = Random(1), dict.fromkeys((1, 2, 4, 8, 16, 32), 0.5)
    found = [compare(1, (2, 4, 8, 16, 32), 50, 0, coins(rng, worth)) for _ in range(300)]
    assert sum(each.best is not None for each in found) <= 6


def test_gain_is_that_of_the_half_in_which_the_move_was_not_picked() -> None:
    # In the first half the fourth move wins every world and the one that was made none; in the second it wins 3 in 4.
    played_in = iter(range(1000))

    def trial(moves: Sequence[int]) -> Sequence[int]:
        world = next(played_in)
        return [-1 if move != 4 or (world >= 100 and world % 4 == 0) else 1 for move in moves]

    found = compare(1, (2, 4), 100, 0, trial)
    assert (found.best, found.gain) == (4, pytest.approx(0.75))


def test_move_that_was_better_in_one_half_only_is_not_told() -> None:
    played_in = iter(range(1000))

    def trial(moves: Sequence[int]) -> Sequence[int]:
        lucky = next(played_in) < 100
        return [1 if move == 4 and lucky else -1 for move in moves]

    assert compare(1, (2, 4), 100, 0, trial).best is None


def test_gain_of_a_better_move_is_not_exaggerated() -> None:
    rng = Random(2)
    worth = {1: 0.3} | dict.fromkeys((2, 4, 8, 16), 0.7)
    found = [compare(1, (2, 4, 8, 16), 60, 0, coins(rng, worth)) for _ in range(200)]
    gains = [each.gain for each in found if each.best is not None]
    assert len(gains) > 190
    assert sum(gains) / len(gains) == pytest.approx(0.4, abs=0.02)


def test_chance_is_that_of_seat_0_whoever_moves() -> None:
    rng = Random(3)
    assert [compare(1, (), 50, seat, coins(rng, {1: 1.0})).chance for seat in (0, 1)] == [1.0, 0.0]


def test_chance_counts_a_draw_as_half_a_win() -> None:
    assert [chance_of(value) for value in (1, 0, -1)] == [1.0, 0.5, 0.0]


def test_moves_are_tried_in_the_same_world() -> None:
    game = open_at(played(3), 20)
    known = knowledge(game.view(game.state.attacker if game.state.phase.value != "defend" else game.state.defender))
    move = legal_moves(known.position)[0]
    trial = imagined(known, Random(4).random)
    assert all(first == second for first, second in (trial([move, move]) for _ in range(40)))


def test_game_is_played_out_to_a_chance_and_slips_make_it_more_than_one_game() -> None:
    position, world = as_fast(open_at(played(3), 20))
    chances = {played_out(position, world, 40, Random(seed).random) for seed in range(4)}
    assert all(0 < chance < 1 for chance in chances)
    assert len(chances) > 1


@pytest.mark.slow
def test_move_that_wins_by_force_all_the_same_is_not_told_to_have_a_better_one() -> None:
    # By the heuristic's games 8c loses every world, and the take wins them all.
    seen = course(real("eleven"))
    view, played_move = seen.moments[65].view(), seen.moves[65]
    assert view is not None
    assert played_move is not None
    known = knowledge(view)
    found = compare(played_move, [PASS], 50, known.seat, imagined(known, Random(5).random))
    assert (found.best, found.gain) == (PASS, 1.0)
    assert confirmed(found, played_move, known, 1, 100_000, Random(6).random) == Comparison(found.chance)


def test_better_move_is_told_near_the_end_only_where_a_search_comes_to_its_end_and_agrees() -> None:
    game = open_at(played(3), len(played(3).moves) - 3)
    view = game.view(0 if game.state.attacker == 0 else 1)
    view = view if view.my_turn else game.view(1 - view.seat)
    known = knowledge(view)
    moves = legal_moves(known.position)
    found = Comparison(0.5, moves[0], 0.5)
    assert confirmed(found, moves[-1], known, 1, 0, Random(6).random) == Comparison(0.5)
