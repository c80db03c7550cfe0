"""Chances by playing on, many times: with every card seen, and in worlds that a player could not tell apart.

It owns how moves are compared by chance, and what makes a difference certain enough to be told; it knows no recording.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from p2pdurak.bots.fast import Mask, Position, World, is_over, legal_moves, mover, play, result
from p2pdurak.bots.knowledge import Knowledge
from p2pdurak.bots.policy import decide, play_out
from p2pdurak.bots.solver import GaveUp, Solver
from p2pdurak.rules.state import Seat

SLIP: Final = 0.125
"""How often a player does anything at all instead of what is sensible, when a game is played on with every card seen.

Where nothing is hidden, sensible play alone has one outcome. In games of the bots the chances were nearest to what came
of them with slips of a tenth to a seventh."""

CERTAIN: Final = 2.0
"""Standard errors by which one move must be better than another, in each half of the worlds."""

LEFT_MAX: Final = 3
"""Cards in the talon, at most, where what the heuristic's games say is put to an exact search; before, none ends."""

SEARCH_MAX: Final = 120_000
"""Positions that one such search may look at: half a second."""

Trial = Callable[[Sequence[Mask]], Sequence[int]]
"""Plays one more game for each of some moves, and tells what it was worth to the side that makes them."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A move among the others.

    Attributes:
        chance: seat 0's after it; None where it cannot be told.
        best: a better move; None if none is for certain.
        gain: by how much that one raises the chance of the seat that makes it; 0 without one.
    """

    chance: float | None
    best: Mask | None = None
    gain: float = 0.0


NOTHING: Final = Comparison(None)
"""Where nothing can be compared."""


def chance_of(value: float) -> float:
    """The chance that belongs to a mean value: 1 won, 0 drawn, -1 lost."""
    return (value + 1) / 2


# ---- with every card seen ----


def played_out(position: Position, world: World, games: int, random: Callable[[], float]) -> float:
    """Seat 0's chance when everything is known and both sides play on sensibly, with slips."""
    return chance_of(sum(_play_on(position, world, random) for _ in range(games)) / games)


def _play_on(position: Position, world: World, random: Callable[[], float]) -> int:
    size = len(world[0]) - 1
    while position[2] or (position[0] and position[1]):
        if random() < SLIP:
            moves = legal_moves(position)
            move = moves[int(random() * len(moves))]
        else:
            move = decide(position, size - position[6])
        position = play(position, world, move)
    return result(position)


# ---- as far as a player could know ----


def imagined(known: Knowledge, random: Callable[[], float]) -> Trial:
    """Worlds for a view, each with the same chance; the moves are tried in the same one."""
    sign = -1 if known.seat else 1

    def try_in_a_world(moves: Sequence[Mask]) -> Sequence[int]:
        position, world = known.sample(random)
        return [sign * play_out(play(position, world, move), world) for move in moves]

    return try_in_a_world


# ---- what is better ----


def compare(played: Mask, others: Sequence[Mask], half: int, seat: Seat, trial: Trial) -> Comparison:
    """Compare a move with the others that were possible.

    The better one is picked in one half of the worlds and its gain measured in the other: the best of many looks better
    than it is in the worlds in which it was picked.

    Args:
        played: the move.
        others: the other legal moves.
        half: the worlds in each half.
        seat: whose move it is.
        trial: gives the worlds.
    """
    first = [trial([played, *others]) for _ in range(half)]
    best = max(range(1, 1 + len(others)), key=lambda at: sum(row[at] for row in first), default=0)
    gain, error = _gain([row[best] - row[0] for row in first])
    picked = best > 0 and gain > CERTAIN * error
    second = [trial([played, others[best - 1]] if picked else [played]) for _ in range(half)]
    mean = sum(row[0] for row in (*first, *second)) / (2 * half) * (-1 if seat else 1)
    if picked:
        gain, error = _gain([row[1] - row[0] for row in second])
        if gain > CERTAIN * error:
            return Comparison(chance_of(mean), others[best - 1], gain / 2)
    return Comparison(chance_of(mean))


def confirmed(
    found: Comparison, played: Mask, known: Knowledge, worlds: int, nodes: int, random: Callable[[], float]
) -> Comparison:
    """A comparison without its better move, unless that is worth more when both play on without a mistake.

    The heuristic misreads some endings alike in every world; so what rests on its games is asked again of a search, in
    a few worlds that the player could not tell apart. Where no search comes to its end, it is not told either.

    Args:
        found: what the heuristic's games say.
        played: the move that was made.
        known: what its player could know.
        worlds: to search in.
        nodes: positions that may be looked at in each.
        random: gives the worlds.
    """
    if found.best is None or known.left > LEFT_MAX:
        return found
    gains = []
    for _ in range(worlds):
        position, world = known.sample(random)
        solver = Solver(world, min(nodes, SEARCH_MAX))
        try:
            values = [_value(solver, play(position, world, move)) for move in (found.best, played)]
        except GaveUp:
            continue
        gains.append((values[0] - values[1]) * (-1 if known.seat else 1))
    return found if sum(gains) > 0 else Comparison(found.chance)


def _value(solver: Solver, position: Position) -> int:
    """What a position is worth to seat 0."""
    value = solver.value(position)
    return -value if not is_over(position) and mover(position) else value


def _gain(differences: Sequence[int]) -> tuple[float, float]:
    """The mean and its standard error; never nothing, for few worlds that agree prove little."""
    count = len(differences)
    mean = sum(differences) / count
    squares = sum(difference * difference for difference in differences) / count
    return mean, sqrt(max(squares - mean * mean, 1 / count) / count)
