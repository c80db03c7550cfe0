"""A whole game judged: what every move was worth, and which ones turned it.

It owns the order of the work, its budgets and what counts as a turning point; it reads no clock and no file, so that
the same game at the same depth is always judged alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from p2pdurak.analysis.endings import Ending, solve
from p2pdurak.analysis.moments import Course, course
from p2pdurak.analysis.report import VERSION, Analysis, Depth, Exact, MoveReport, NothingToAnalyse
from p2pdurak.analysis.trials import NOTHING, Comparison, chance_of, compare, confirmed, imagined, played_out
from p2pdurak.bots.fast import Mask, action_of, legal_moves, play
from p2pdurak.bots.knowledge import knowledge
from p2pdurak.bots.solver import DRAW, LOSS, WIN
from p2pdurak.recording import Recording
from p2pdurak.rules.state import Seat

SWING: Final = 0.15
"""The least change of a chance that turns a game: less is not told apart from the luck of a quick look."""

TURNING_MAX: Final = 3
"""So many moves at most turn a game, besides those that changed an exact result: a list of everything tells nothing."""

SEARCHED_EVERY: Final = 400
"""One world is searched, and one more for so many in each half: a search is a thousand times as dear as a game."""

Progress = Callable[[int, int], None]
"""Told how many steps are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is looked at: counts and no clock.

    Attributes:
        games: played on from each position with every card seen.
        half: worlds in each half, for each move that was possible as far as the player could know.
        nodes: positions of the exact search, in the whole game.
    """

    games: int
    half: int
    nodes: int


BUDGETS: Final = {
    Depth.QUICK: Budget(games=200, half=100, nodes=100_000),
    Depth.FULL: Budget(games=2500, half=1000, nodes=1_000_000),
}


def analyse(
    game: Recording,
    depth: Depth,
    progress: Progress = lambda _done, _all: None,
    budgets: Mapping[Depth, Budget] = BUDGETS,
) -> Analysis:
    """Judge a finished game.

    What comes of it depends on the arguments alone, so that it may be done in another process; what `progress` raises
    ends it.

    Args:
        game: the recording, with as many cards in sight as there are keys.
        depth: how much is looked at.
        progress: told of every step.
        budgets: how much that is.

    Raises:
        NothingToAnalyse: the game has no result, or ended before a card was played.
    """
    if game.result is None:
        raise NothingToAnalyse("This game is not finished: without a result there is nothing to analyse.")
    seen = course(game)
    if all(move is None for move in seen.moves):
        raise NothingToAnalyse("This game ended before a card was played: there is nothing to analyse.")
    judge = _Judge(game, seen, budgets[depth], progress)
    ending = solve(seen, judge.budget.nodes, judge.step)
    known = tuple(judge.known(index) for index in range(len(seen.moves)))
    sensible = judge.sensible(ending)
    advised = judge.advised(sensible, known)
    moves = tuple(judge.report(index, ending, known[index], advised) for index in range(len(seen.moves)))
    turning = judge.turning(ending, known, sensible, advised)
    reports = tuple(replace(move, turning=move.blunder or move.index - 1 in turning) for move in moves)
    return Analysis(game.head, depth, VERSION, advised[0], reports)


@dataclass(slots=True)
class _Judge:
    game: Recording
    course: Course
    budget: Budget
    progress: Progress
    done: int = 0

    def step(self) -> None:
        """One more step is done: three for each move, two for the end."""
        self.done += 1
        self.progress(self.done, 3 * len(self.course.moves) + 2)

    def _dice(self, what: str, index: int) -> Callable[[], float]:
        """The luck of one step: what is found for one move depends on no other."""
        return Random(f"{self.game.head} {what} {index}").random  # noqa: S311 -- an analysis need not be secret

    # ---- as far as a player could know ----

    def known(self, index: int) -> Comparison:
        """A move among the others; nothing where its player knew every card, which is judged otherwise."""
        self.step()
        moment, played = self.course.moments[index], self.course.moves[index]
        view = moment.view()
        if view is None or played is None or moment.open:
            return NOTHING
        known = knowledge(view)
        others = [move for move in legal_moves(known.position) if move != played]
        half, trial = self.budget.half, imagined(known, self._dice("known", index))
        found = compare(played, others, half, view.seat, trial)
        worlds = 1 + half // SEARCHED_EVERY
        return confirmed(found, played, known, worlds, self.budget.nodes, self._dice("searched", index))

    # ---- in hindsight ----

    def sensible(self, ending: Ending) -> tuple[float | None, ...]:
        """Seat 0's chance at each moment, every card seen: exact, or when both play on sensibly."""
        chances: list[float | None] = []
        for index in range(len(self.course.moments) - 1, -1, -1):
            self.step()
            value = ending.values[index]
            if value is not None:
                chances.append(chance_of(value))
            elif chances and self.course.moments[index].forced:
                chances.append(chances[-1])  # nothing was chosen, and so nothing has changed
            else:
                chances.append(self._played_out(index))
        return tuple(reversed(chances))

    def advised(self, sensible: Sequence[float | None], known: Sequence[Comparison]) -> tuple[float | None, ...]:
        """The same, where a player who could have known better does what is better, if in hindsight it is so too."""
        pairs = enumerate(zip(sensible, known, strict=False))
        return (*(self._advised(index, chance, compared) for index, (chance, compared) in pairs), sensible[-1])

    def _advised(self, index: int, chance: float | None, compared: Comparison) -> float | None:
        better = None if chance is None or compared.best is None else self._played_out(index, compared.best)
        if chance is None or better is None:
            return chance
        return (min if self.game.moves[index].seat else max)(chance, better)

    def _played_out(self, index: int, move: Mask | None = None) -> float | None:
        position, world = self.course.sight(index), self.course.world
        if position is None:
            return None
        begin = position if move is None else play(position, world, move)
        return played_out(begin, world, self.budget.games, self._dice("seen", index))

    # ---- what turned it ----

    def turning(
        self,
        ending: Ending,
        known: Sequence[Comparison],
        sensible: Sequence[float | None],
        advised: Sequence[float | None],
    ) -> frozenset[int]:
        """The moves that lost the most of their makers' chances, one of a bout at most; no exact results among them."""
        swings: dict[int, float] = {}
        for index, compared in enumerate(known):
            moment = self.course.moments[index]
            if moment.forced or ending.values[index] is not None:
                continue
            before, after = advised[index], self._estimate(index + 1, ending, sensible)
            sign = -1 if self.game.moves[index].seat else 1
            # A chance that rose was given away by nobody: sensible play is only an estimate of what could be had.
            swings[index] = compared.gain if before is None or after is None else sign * (before - after)
        most: dict[int, int] = {}
        for index in sorted(swings, key=lambda index: swings[index]):
            if swings[index] >= SWING:
                most[self.course.moments[index].state.bout] = index
        return frozenset(sorted(most.values(), key=lambda index: -swings[index])[:TURNING_MAX])

    def _estimate(self, index: int, ending: Ending, sensible: Sequence[float | None]) -> float | None:
        """Seat 0's chance at a moment as an estimate even where it is exact: else the two kinds would be compared."""
        while index < len(self.course.moves) and self.course.moments[index].forced:
            index += 1
        return sensible[index] if ending.values[index] is None else self._played_out(index)

    # ---- move by move ----

    def report(self, index: int, ending: Ending, known: Comparison, chances: Sequence[float | None]) -> MoveReport:
        """What there is to say about a move but whether it was a turning point."""
        move, moment = self.game.moves[index], self.course.moments[index]
        before, after = (ending.values[index], ending.values[index + 1]) if moment.open else (None, None)
        lost = 0 if before is None or after is None else (before - after) * (-1 if move.seat else 1)
        if moment.open:
            known = Comparison(chances[index + 1], ending.better.get(index), max(lost, 0) / 2)
        view = moment.view()
        knows = None if view is None or known.best is None else knowledge(view)
        return MoveReport(
            n=move.n,
            index=index + 1,
            seat=move.seat,
            action=move.action,
            forced=moment.forced,
            chance_seen=chances[index + 1],
            chance_known=known.chance,
            exact_before=_exact(before, move.seat),
            exact_after=_exact(after, move.seat),
            best=None if known.best is None or knows is None else action_of(known.best, knows.position, knows.trump),
            gain=None if known.best is None else known.gain,
            turning=False,
            blunder=lost > 0,
        )


def _exact(value: int | None, seat: Seat) -> Exact | None:
    """A value of seat 0's in the words of a seat."""
    return None if value is None else _WORDS[-value if seat else value]


_WORDS: Final = {WIN: Exact.WIN, DRAW: Exact.DRAW, LOSS: Exact.LOSS}
