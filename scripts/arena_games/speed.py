"""How fast the engines and the solver are, next to a bare loop of the same Python on the same machine.

It owns measuring and its report; it sets no limit, because times belong to a machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from time import process_time
from timeit import repeat
from typing import Final

from p2pdurak.bots import fast
from p2pdurak.bots.fast import Position, World
from p2pdurak.bots.policy import play_out
from p2pdurak.bots.solver import GaveUp, Solver
from p2pdurak.rules.cards import DECK
from p2pdurak.rules.engine import to_act
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import CLASSIC

BARE_MS: Final = 9.65
"""What the bare loop took where the goals were set; a rate times (ours / this) is the rate there."""

GAMES: Final = 3000
ENDINGS: Final = 500
CARDS: Final = range(8, 17)
NODES: Final = 100_000


def report() -> str:
    """Measure everything, in about a minute."""
    bare_ms = 1000 * min(repeat("for i in range(1000000): pass", number=1, repeat=7, timer=process_time))
    lines = [f"bare loop of a million: {bare_ms:.2f} ms ({bare_ms / BARE_MS:.2f} times that of the goals)"]
    positions = [_as_fast(_deal(number)) for number in range(GAMES)]
    rng = Random(1)
    rates = {
        "random games of the rules engine": _rate(lambda number: _random_game(_deal(number), rng), GAMES // 10),
        "random games of the fast table": _rate(lambda number: fast.random_game(*positions[number], rng.random), GAMES),
        "games played out by the heuristic": _rate(lambda number: play_out(*positions[number]), GAMES),
    }
    lines += [f"{name}: {rate:,.0f} a second, scaled {rate * bare_ms / BARE_MS:,.0f}" for name, rate in rates.items()]
    return "\n".join([*lines, *_solver_lines()])


def _rate(run: Callable[[int], object], count: int) -> float:
    """Runs a second, the best of three: of processor time, so that other programs do not count."""
    best = 0.0
    for _ in range(3):
        begin = process_time()
        for number in range(count):
            run(number)
        best = max(best, count / (process_time() - begin))
    return best


def _deal(number: int) -> OpenGame:
    deck = list(DECK)
    Random(number).shuffle(deck)
    return deal_open(CLASSIC, deck, 0)


def _as_fast(game: OpenGame) -> tuple[Position, World]:
    trump, bits = game.state.trump, fast.BITS[game.state.trump]
    world = fast.world_of([bits[card] for card in game.talon], pile_on=True)
    return fast.position_of(game.state, [fast.mask_of(hand, trump) for hand in game.hands]), world


def _random_game(game: OpenGame, rng: Random) -> None:
    while (seat := to_act(game.state)) is not None:
        game, _ = game.play(seat, rng.choice(game.legal_actions()))


# ---- the solver ----


@dataclass(frozen=True, slots=True)
class _Solved:
    ms: float
    done: bool


def _solver_lines() -> Iterator[str]:
    by_cards: dict[int, list[_Solved]] = {}
    for number in range(ENDINGS):
        position, world = _ending(number)
        cards = (position[0] | position[1]).bit_count()
        if cards in CARDS:
            by_cards.setdefault(cards, []).append(_solve(position, world))
    for cards, solved in sorted(by_cards.items()):
        times = sorted(each.ms for each in solved)
        done = sum(each.done for each in solved)
        yield (
            f"endings of {cards} cards: {done} of {len(solved)} solved within {NODES:,} nodes,"
            f" median {times[len(times) // 2]:.1f} ms, longest {times[-1]:.0f} ms"
        )


def _ending(number: int) -> tuple[Position, World]:
    """The first bout with at most one card in the talon, after play that is cheap and now and then random."""
    rng = Random(number)
    position, world = _as_fast(_deal(number))
    size = len(world[0]) - 1
    while not fast.is_over(position) and (position[2] or size - position[6] > 1):
        moves = fast.legal_moves(position)
        position = fast.play(position, world, moves[0] if rng.random() < 0.85 else rng.choice(moves))
    return position, world


def _solve(position: Position, world: World) -> _Solved:
    solver = Solver(world, NODES)
    begin = process_time()
    try:
        solver.value(position)
    except GaveUp:
        return _Solved(1000 * (process_time() - begin), done=False)
    return _Solved(1000 * (process_time() - begin), done=True)
