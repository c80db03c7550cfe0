"""Analyses for the tests of replays: written down and not found, so that every number in a picture is known.

It owns their making; what must be seen of them stands in the tests.
"""

from __future__ import annotations

from dataclasses import replace

from p2pdurak.analysis.report import VERSION, Analysis, Depth, Exact, MoveReport
from p2pdurak.recording import Recording
from p2pdurak.rules.actions import Action

TURNS = (20, 40, 62)
"""The turning points of `analysis_of`; the last one is a blunder."""

EXACT_FROM = 60
"""From this move on the result is exact."""

SEEN, KNOWN = 0.3, 0.45
"""Seat 0's chances after every move that is not exact."""


def analysis_of(
    game: Recording, depth: Depth = Depth.QUICK, *, blind: bool = False, best: Action | None = None
) -> Analysis:
    """An analysis of a game of more than 62 moves.

    Args:
        game: the recording.
        depth: how deep it is said to be.
        blind: whether there is no hindsight.
        best: what would have been better at every turning point.
    """
    moves = tuple(_move(game, index, best) for index in range(1, len(game.moves) + 1))
    if blind:
        moves = tuple(replace(move, chance_seen=None) for move in moves)
    return Analysis(game.head, depth, VERSION, None if blind else 0.42, moves)


def flat(analysis: Analysis) -> Analysis:
    """The same without a turning point."""
    return replace(analysis, moves=tuple(replace(move, turning=False, blunder=False) for move in analysis.moves))


def _move(game: Recording, index: int, best: Action | None) -> MoveReport:
    move, turning = game.moves[index - 1], index in TURNS
    before, after = _worth(index - 1, move.seat), _worth(index, move.seat)
    blunder = (before, after) == (Exact.WIN, Exact.LOSS)
    chance = SEEN if index < EXACT_FROM else 1.0 * ((_worth(index, 0)) is Exact.WIN)
    return MoveReport(
        n=move.n,
        index=index,
        seat=move.seat,
        action=move.action,
        forced=False,
        chance_seen=chance,
        chance_known=KNOWN if index < EXACT_FROM else chance,
        exact_before=before,
        exact_after=after,
        best=best if turning else None,
        gain=None if best is None or not turning else 0.2,
        turning=turning,
        blunder=blunder,
    )


def _worth(moves: int, seat: int) -> Exact | None:
    """What the game is worth to a seat after so many moves: the last turning point throws a win away."""
    if moves < EXACT_FROM:
        return None
    return Exact.WIN if (moves < TURNS[-1]) == (seat == 0) else Exact.LOSS
