"""The hard level: every candidate tried in the same sampled worlds, and exact endgames.

It owns what is searched and when to stop; it knows neither the clock nor any card that its view does not show. Whoever
has a clock may hand in some `Patience`, which ends a search early.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Final

from p2pdurak.bots.fast import Mask, action_of, legal_moves, play
from p2pdurak.bots.knowledge import Knowledge, knowledge
from p2pdurak.bots.medium import sensible
from p2pdurak.bots.policy import play_out
from p2pdurak.bots.solver import GaveUp, Solver
from p2pdurak.bots.thought import Patience, Thought, endless
from p2pdurak.rules.actions import Action
from p2pdurak.rules.view import View


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is looked at for one move; a count and no clock, so that a choice can be had again.

    Attributes:
        worlds: sampled at most.
        batch: worlds between two looks at whether it is decided.
        nodes: of the exact search.
        gain: how many standard errors above the heuristic's move another must be.
        doubt: how many below it a candidate is given up.
    """

    worlds: int = 400
    batch: int = 40
    nodes: int = 40_000
    gain: float = 2.0
    doubt: float = 2.0


FULL: Final = Budget()


def choose(view: View, rng: Random) -> Action:
    """Choose among the legal actions of a view whose turn it is."""
    return choose_within(FULL, view, rng)


def choose_within(budget: Budget, view: View, rng: Random) -> Action:
    """The same with another budget."""
    return think_within(budget, view, rng).action


def think_within(budget: Budget, view: View, rng: Random, patience: Patience = endless) -> Thought:
    """The same with what speaks for it.

    Args:
        budget: how much is looked at.
        view: what this player may know.
        rng: decides which worlds are sampled.
        patience: asked between batches of worlds, and every some thousand positions of the exact search. While it
            lasts, it changes nothing.
    """
    known = knowledge(view)
    moves = legal_moves(known.position)
    if len(moves) == 1:
        return Thought(action_of(moves[0], known.position, known.trump))
    first = sensible(known)
    moves.remove(first)
    found = _exact(known, [first, *moves], budget, patience) if known.exact else None
    if found is None:
        found = _sampled(known, first, moves, budget, rng.random, patience)
    return Thought(action_of(found.move, known.position, known.trump), found.value, found.trials)


@dataclass(frozen=True, slots=True)
class _Found:
    """A move, and what speaks for it, as in a `Thought`."""

    move: Mask
    value: int | None = None
    trials: int = 0


def _exact(known: Knowledge, moves: Sequence[Mask], budget: Budget, patience: Patience = endless) -> _Found | None:
    """The first of the best moves; None if that is too much to find out."""
    position, world = known.sample(float)
    try:
        values = Solver(world, budget.nodes, patience).values(position, moves)
    except GaveUp:
        return None
    best = max(values, key=lambda move: values[move])
    return _Found(best, values[best])


@dataclass(slots=True)
class _Gain:
    """What a move gained over the heuristic's in the same worlds."""

    move: Mask
    total: int = 0
    squares: int = 0

    def add(self, gain: int) -> None:
        self.total += gain
        self.squares += gain * gain

    def mean(self, worlds: int) -> float:
        return self.total / worlds

    def error(self, worlds: int) -> float:
        """The standard error of the mean; never nothing, for few worlds that agree prove little."""
        mean = self.total / worlds
        return sqrt(max(self.squares / worlds - mean * mean, 1 / worlds) / worlds)


def _sampled(
    known: Knowledge,
    first: Mask,
    others: Sequence[Mask],
    budget: Budget,
    random: Callable[[], float],
    patience: Patience,
) -> _Found:
    """The move that wins most worlds, but the heuristic's unless another is better for certain."""
    sign = -1 if known.seat else 1
    candidates = [_Gain(move) for move in others]
    done = 0
    while candidates and done < budget.worlds and (not done or patience()):
        for _ in range(budget.batch):
            position, world = known.sample(random)
            standard = play_out(play(position, world, first), world)
            for candidate in candidates:
                candidate.add(sign * (play_out(play(position, world, candidate.move), world) - standard))
        done += budget.batch
        candidates = [c for c in candidates if c.mean(done) + budget.doubt * c.error(done) > 0]
    better = [c for c in candidates if c.mean(done) > budget.gain * c.error(done)]
    move = max(better, key=lambda c: c.total).move if better else first
    return _Found(move, trials=1 if known.exact else done)


def solved_else_sensible(view: View, rng: Random) -> Action:  # noqa: ARG001 -- every player is called alike
    """Exact endgames and the heuristic before them: the yardstick for what the sampling is worth."""
    known = knowledge(view)
    moves = legal_moves(known.position)
    first = sensible(known)
    moves.remove(first)
    found = _exact(known, [first, *moves], FULL) if known.exact and moves else None
    return action_of(first if found is None else found.move, known.position, known.trump)
