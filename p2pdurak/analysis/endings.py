"""The true value of every position of a game's ending, where the search reaches it.

It owns which positions are asked for and in which order; the search itself is the bots'. It asks only where both
players knew every card, so that what it finds could have been found at the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from p2pdurak.analysis.moments import Course
from p2pdurak.bots.fast import Mask, Position, is_over, legal_moves, mover, play
from p2pdurak.bots.solver import GaveUp, Solver

NODES_SHARE: Final = 4
"""One position may spend no more than a share of what is left: else the first hard one would be the last one."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What is certain.

    Attributes:
        values: at each moment, what the game was worth to seat 0: 1 won, 0 drawn, -1 lost; None where not known.
        better: for a move that gave something away, by its index from 0, the cheapest one that would not have.
    """

    values: tuple[int | None, ...]
    better: dict[int, Mask]


def solve(course: Course, nodes: int, step: Callable[[], None]) -> Ending:
    """Solve the ending from its last position backwards, so that each one rests on what came of it.

    Args:
        course: the game.
        nodes: positions that may be looked at.
        step: called for every moment.
    """
    moments = course.moments
    values: list[int | None] = [None] * len(moments)
    better: dict[int, Mask] = {}
    solver = _Thrift(Solver(course.world, 0), nodes)
    for index in range(len(moments) - 1, -1, -1):
        step()
        moment, position = moments[index], moments[index].position
        if position is None or not moment.open:
            continue
        after = values[index + 1] if index + 1 < len(moments) else None
        values[index] = after if after is not None and moment.forced else solver.value(position)
        if values[index] is not None and after is not None and values[index] != after:
            move = solver.keeping(position, values[index])
            if move is not None:
                better[index] = move
    return Ending(tuple(values), better)


class _Thrift:
    """A solver with an allowance.

    Args:
        solver: remembers what it has found from one question to the next.
        nodes: what all questions together may spend.
    """

    def __init__(self, solver: Solver, nodes: int) -> None:
        self._solver = solver
        self._left = nodes

    def value(self, position: Position) -> int | None:
        """What a position is worth to seat 0; None if that is too much to find out."""
        self._solver.nodes = granted = self._left // NODES_SHARE
        try:
            value = self._solver.value(position)
        except GaveUp:
            return None
        finally:
            self._left -= granted - max(0, self._solver.nodes)
        # Of a game that is over, the solver tells what it is worth to seat 0 as we do.
        return -value if not is_over(position) and mover(position) else value

    def keeping(self, position: Position, value: int | None) -> Mask | None:
        """The cheapest move that keeps the value."""
        moves = legal_moves(position)
        return next((move for move in moves if self.value(play(position, self._solver.world, move)) == value), None)
