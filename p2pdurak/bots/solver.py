"""Exact endgames: who wins when both hands are known and both play without a mistake.

It owns the search for the true value of a position; it knows nothing of chance, of hidden cards or of style.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from p2pdurak.bots.fast import Mask, Position, World, is_over, legal_moves, mover, play, result
from p2pdurak.bots.thought import Patience, endless

WIN: Final = 1
DRAW: Final = 0
LOSS: Final = -1

DEPTH_MAX: Final = 400
"""Moves ahead. Real endings need far fewer; Python would stop at a thousand calls inside each other."""

NODES: Final = 60_000
"""Positions looked at before giving up, where nothing else is asked for: a fraction of a second."""

TABLE_MAX: Final = 400_000
"""Positions kept: about 100 MB. When it is full, the search goes on and keeps no more."""


ASKED_EVERY: Final = 1 << 11
"""Positions between two looks at whether there is still time: some milliseconds."""


class GaveUp(Exception):
    """The node budget or the time is spent; nothing is known about the position."""


@dataclass(slots=True)
class Solver:
    """Solves positions of one world, and remembers what it has found for the next question.

    Attributes:
        world: the talon, which must be known: in real games it holds at most the indicator.
        nodes: how many more positions may be looked at.
        patience: asked now and then whether there is time for more.
    """

    world: World
    nodes: int = NODES
    patience: Patience = endless
    _known: dict[Position, tuple[int, int]] = field(default_factory=dict)

    def value(self, position: Position) -> int:
        """WIN, DRAW or LOSS for the side to move (in a finished game: for seat 0).

        Raises:
            GaveUp: when the nodes or the patience are spent.
        """
        value = self._search(position, LOSS, WIN, 0)
        return -value if not is_over(position) and mover(position) else value

    def values(self, position: Position, moves: Iterable[Mask] | None = None) -> dict[Mask, int]:
        """The value of each move for the side that makes it. After a winning move, the rest is left out.

        Args:
            position: a game that is not over.
            moves: what to look at, in this order; every legal move by default.

        Raises:
            GaveUp: when the nodes or the patience are spent.
        """
        sign = -1 if mover(position) else 1
        values = {}
        for move in legal_moves(position) if moves is None else moves:
            values[move] = sign * self._search(play(position, self.world, move), LOSS, WIN, 1)
            if values[move] == WIN:
                break
        return values

    def _search(self, position: Position, alpha: int, beta: int, depth: int) -> int:
        """The value for seat 0, as far as it lies between alpha and beta."""
        if is_over(position):
            return result(position)
        low, high = self._known.get(position, (LOSS, WIN))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        self.nodes -= 1
        if self.nodes < 0 or depth > DEPTH_MAX or (not self.nodes % ASKED_EVERY and not self.patience()):
            raise GaveUp
        best = self._best(position, max(alpha, low), min(beta, high), depth)
        if best <= alpha:
            high = min(high, best)
        elif best >= beta:
            low = max(low, best)
        else:
            low = high = best
        if len(self._known) < TABLE_MAX:
            self._known[position] = (low, high)
        return best

    def _best(self, position: Position, alpha: int, beta: int, depth: int) -> int:
        world, deeper = self.world, depth + 1
        if mover(position) == 0:
            best = LOSS
            for move in legal_moves(position):
                best = max(best, self._search(play(position, world, move), max(alpha, best), beta, deeper))
                if best >= beta:
                    break
            return best
        best = WIN
        for move in legal_moves(position):
            best = min(best, self._search(play(position, world, move), alpha, min(beta, best), deeper))
            if best <= alpha:
                break
        return best
