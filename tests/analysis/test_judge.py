"""A judged game: exact where it can be, honest about what could be known, and the same every time."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import cache
from typing import Final

import pytest

from p2pdurak.analysis.endings import solve
from p2pdurak.analysis.judge import SWING, TURNING_MAX, Budget, Progress, analyse
from p2pdurak.analysis.moments import course
from p2pdurak.analysis.report import Analysis, Depth, Exact, NothingToAnalyse
from p2pdurak.recording import Recording
from p2pdurak.rules.engine import legal_actions
from p2pdurak.rules.open_game import OpenGame
from p2pdurak.rules.options import Options
from p2pdurak.rules.state import Phase
from tests.analysis.recordings import blinded, naive, open_at, played, recorded, resigned, scripted, swapped

SMALL: Final = {depth: Budget(games=6, half=12, nodes=20_000) for depth in Depth}
VALUES: Final = {Exact.WIN: 1, Exact.DRAW: 0, Exact.LOSS: -1}
SEEDS: Final = range(8)


def judged(game: Recording, progress: Progress = lambda _done, _all: None) -> Analysis:
    return analyse(game, Depth.QUICK, progress, SMALL)


@cache
def clumsy(seed: int) -> tuple[Recording, Analysis]:
    """A game with blunders in it."""
    game = played(seed, ("easy", "easy"))
    return game, judged(game)


@pytest.mark.slow
def test_exact_verdicts_are_those_of_a_search_that_looks_at_everything_by_the_rules_engine() -> None:
    seen = set()
    for game, analysis in map(clumsy, SEEDS):
        known: dict[OpenGame, int] = {}
        for move in analysis.moves:
            before = open_at(game, move.index - 1)
            if move.exact_before is None or sum(map(len, before.hands)) + len(before.state.table_cards) > 7:
                continue
            sign = -1 if move.seat else 1
            assert VALUES[move.exact_before] == sign * naive(before, known)
            assert move.exact_after is not None
            assert VALUES[move.exact_after] == sign * naive(open_at(game, move.index), known)
            seen.add((move.exact_before, move.exact_after))
    assert (Exact.WIN, Exact.LOSS) in seen


@pytest.mark.slow
def test_blunder_is_what_changes_an_exact_result_for_the_worse_and_nothing_else() -> None:
    blunders = 0
    for _, analysis in map(clumsy, SEEDS):
        for move in analysis.moves:
            before, after = move.exact_before, move.exact_after
            worse = before is not None and after is not None and VALUES[after] < VALUES[before]
            assert move.blunder == worse
            blunders += move.blunder
    assert blunders > 3


@pytest.mark.slow
def test_no_move_makes_an_exact_result_better_for_who_makes_it() -> None:
    for _, analysis in map(clumsy, SEEDS):
        for move in analysis.moves:
            if move.exact_before is not None and move.exact_after is not None:
                assert VALUES[move.exact_after] <= VALUES[move.exact_before]


@pytest.mark.slow
def test_better_move_of_a_blunder_keeps_what_was_there() -> None:
    looked = 0
    for game, analysis in map(clumsy, SEEDS):
        for move in analysis.moves:
            before = open_at(game, move.index - 1)
            if not move.blunder or move.best is None or sum(map(len, before.hands)) > 7:
                continue
            after, _ = before.play(move.seat, move.best)
            assert naive(after, {}) == naive(before, {})
            looked += 1
    assert looked > 0


def test_last_chance_is_the_result() -> None:
    for game, analysis in map(clumsy, (1, 3)):
        winner = game.result.winner
        assert analysis.points()[-1] == (0.5 if winner is None else 1 - winner)


def test_what_a_player_could_know_does_not_depend_on_what_was_hidden_from_him() -> None:
    game = resigned(played(3), 24, seat=1)
    end, seat = open_at(game, 24), 0
    hidden = next(card for card in end.hands[1] if card not in end.state.hands[1].known)
    other = swapped(game, hidden, end.talon[0])
    assert other != game

    def known(analysis: Analysis) -> list[object]:
        return [(move.chance_known, move.best, move.gain) for move in analysis.moves if move.seat == seat]

    one, two = judged(game), judged(other)
    assert known(one) == known(two)
    assert one.points() != two.points()


def test_same_game_is_judged_alike_and_another_log_by_other_dice() -> None:
    game, analysis = clumsy(3)
    assert judged(game) == analysis
    assert judged(replace(game, head="cd" * 32)).points() != analysis.points()


def test_game_and_analysis_can_be_sent_to_another_process() -> None:
    game, analysis = clumsy(3)
    sent = analyse, game, analysis
    assert pickle.loads(pickle.dumps(sent)) == sent


def test_progress_is_told_step_by_step_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    judged(played(0), progress=lambda done, steps: told.append((done, steps)))
    assert [done for done, _ in told] == list(range(1, told[0][1] + 1))


def test_analysis_ends_with_what_the_progress_raises() -> None:
    def stop(done: int, steps: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judged(played(0), progress=stop)


def test_game_without_a_result_is_not_judged() -> None:
    game = played(0)
    with pytest.raises(NothingToAnalyse, match="not finished"):
        judged(replace(game, moves=game.moves[:10], result=None, end="left"))


def test_game_without_a_card_played_is_not_judged() -> None:
    game = played(0)
    answers = sum(game.after(index)[0].phase is Phase.QUESTION for index in range(len(game.moves)))
    with pytest.raises(NothingToAnalyse, match="before a card was played"):
        judged(resigned(game, answers, seat=1))


def test_resigned_game_is_judged_as_far_as_it_went() -> None:
    analysis = judged(resigned(played(3), 30, seat=0))
    assert len(analysis.moves) == 30
    assert 0 < (analysis.points()[-1] or 0) < 1


def test_answers_to_the_question_for_the_lowest_trump_are_forced_and_change_nothing() -> None:
    analysis = judged(played(0))
    answers = [move for move in analysis.moves if move.action.__class__.__name__ in ("Show", "Deny")]
    assert answers
    assert all(move.forced and move.chance_known is None for move in answers)
    assert len({analysis.points()[index] for index in range(len(answers))}) == 1


def test_forced_moves_are_those_without_a_choice() -> None:
    game, analysis = clumsy(3)
    for move in analysis.moves:
        state, hands = game.after(move.index - 1)
        assert move.forced == (len(legal_actions(state, hands[move.seat])) == 1)


@pytest.mark.slow
def test_turning_points_are_few_and_one_of_a_bout() -> None:
    for game, analysis in map(clumsy, SEEDS):
        estimated = [move for move in analysis.moves if move.turning and not move.blunder]
        bouts = [game.after(move.index - 1)[0].bout for move in estimated]
        assert len(bouts) == len(set(bouts)) <= TURNING_MAX
        assert not any(move.forced for move in estimated)


@pytest.mark.slow
def test_no_move_turned_the_game_by_raising_the_chance_of_who_made_it() -> None:
    estimated = 0
    for _, analysis in map(clumsy, SEEDS):
        points = analysis.points()
        for move in analysis.moves:
            before, after = points[move.index - 1 : move.index + 1]
            assert before is not None
            assert after is not None
            # Where the result is exact after the move, its swing is measured between estimates that are not told.
            if move.turning and not move.blunder and move.exact_after is None:
                assert (before - after) * (-1 if move.seat else 1) >= SWING
                estimated += 1
    assert estimated > 3


def test_nothing_is_exact_and_nothing_a_blunder_while_two_cards_or_more_are_in_the_talon() -> None:
    borders = 0
    for game, analysis in map(clumsy, range(4)):
        for move in analysis.moves:
            talon = game.after(move.index - 1)[0].talon
            if talon > 1:
                assert (move.exact_before, move.exact_after, move.blunder) == (None, None, False)
            borders += talon == 2
    assert borders > 0


def test_ending_is_not_searched_while_two_cards_or_more_are_in_the_talon() -> None:
    for game, _ in map(clumsy, range(4)):
        values = solve(course(game), 20_000, lambda: None).values
        talons = [game.after(index)[0].talon for index in range(len(values))]
        assert [value for value, talon in zip(values, talons, strict=True) if talon > 1 and value is not None] == []
        assert any(value is not None for value in values)


def test_every_blunder_is_a_turning_point() -> None:
    _, analysis = clumsy(1)
    blunders = {move.index for move in analysis.moves if move.blunder}
    assert blunders
    assert blunders <= set(analysis.turning_points)


def test_player_whose_friend_shows_no_key_is_told_what_he_could_know_and_what_is_exact() -> None:
    game = played(3)
    whole, half = judged(game), judged(blinded(game, seat=0))
    assert half.blind
    assert not whole.blind
    assert half.moves[5].chance_seen is None
    for move, same in zip(half.moves, whole.moves, strict=True):
        assert (move.exact_before, move.exact_after, move.blunder) == (
            same.exact_before,
            same.exact_after,
            same.blunder,
        )
        if game.after(move.index - 1)[0].talon > 1:
            assert (move.chance_known is None) == (move.seat == 1 or same.chance_known is None)
            if move.seat == 0:
                assert (move.chance_known, move.best, move.gain) == (same.chance_known, same.best, same.gain)


@pytest.mark.parametrize("options", [Options(pile_on=False), Options(first_bout_limit=5)])
def test_games_by_other_options_are_judged(options: Options) -> None:
    game = played(5, ("easy", "easy"), options)
    winner = game.result.winner
    assert judged(game).points()[-1] == (0.5 if winner is None else 1 - winner)


def test_recordings_of_these_tests_are_replayed_by_their_own_script() -> None:
    game = played(4)
    assert recorded(open_at(game, 0), scripted(move.action for move in game.moves)).moves == game.moves
