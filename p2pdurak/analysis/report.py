"""The values of a finished analysis: one report a move, and what all of them say together.

It owns their meaning; it does not know how they are found, kept or shown.

A chance is a number from 0 to 1: of winning, a draw counted as half a win. It is always that of seat 0, whoever moves,
so that one line can be drawn through a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import Seat

VERSION: Final = 2
"""Of the method: an analysis by another one is not comparable, and is made anew."""


class Depth(Enum):
    """How much is looked at."""

    QUICK = "quick"
    FULL = "full"


class Exact(Enum):
    """What a position is worth when both sides play on without a mistake."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class MoveReport:
    """One move.

    Attributes:
        n: the number of its record in the chain, as in the recording.
        index: its place among the moves of the game, from 1.
        seat: who made it.
        action: what he did.
        forced: nothing else was legal.
        chance_seen: hindsight: seat 0's chance after the move, both hands and the order of the talon known, when both
            sides play on sensibly; if the next move is a known mistake, better. None where a hand cannot be seen.
        chance_known: seat 0's chance after the move, as far as the player who made it could know. None for an answer in
            the search for the lowest trump, and where his own hand cannot be seen.
        exact_before: what the game was worth to this player before the move, for certain; None where that is not known.
            It is only asked where both players could know every card.
        exact_after: the same after the move.
        best: a better action that he could have found, exact or by the heuristic's games; None where none is told.
        gain: by how much `best` raises his chance (not seat 0's), as far as he could know; None without `best`.
        turning: a turning point: a blunder, or one of the few moves that lost the most of their maker's chance.
        blunder: the move changed the exact result for the worse. Nothing else is called so.
    """

    n: int
    index: int
    seat: Seat
    action: Action
    forced: bool
    chance_seen: float | None
    chance_known: float | None
    exact_before: Exact | None
    exact_after: Exact | None
    best: Action | None
    gain: float | None
    turning: bool
    blunder: bool


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game.

    Attributes:
        head: the hash of the last record of the log that it is about, in hex.
        depth: how much was looked at.
        version: of the method.
        start_chance: hindsight: seat 0's chance after the deal; None where a hand cannot be seen.
        moves: a report for every move, in order.
    """

    head: str
    depth: Depth
    version: int
    start_chance: float | None
    moves: tuple[MoveReport, ...]

    @property
    def turning_points(self) -> tuple[int, ...]:
        """The indexes of the turning points, from 1, in order."""
        return tuple(move.index for move in self.moves if move.turning)

    @property
    def blind(self) -> bool:
        """Whether a hand could not be seen, so that there is no hindsight."""
        return self.start_chance is None

    def points(self) -> tuple[float | None, ...]:
        """What a chart shows: seat 0's chance after the deal and after each move, in hindsight where there is any."""
        moves = (move.chance_known if move.chance_seen is None else move.chance_seen for move in self.moves)
        return (self.start_chance, *moves)


class NothingToAnalyse(Exception):
    """A game without a result, or without a card played; the sentence says so."""
