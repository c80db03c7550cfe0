"""One mirrored pair: two games of the same deal, with the seats swapped.

It owns the deal, the play by the rules engine and the time of every choice; it knows no statistics.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from time import process_time

from arena_games.players import player
from p2pdurak.bots import Bot, dice
from p2pdurak.rules.cards import DECK
from p2pdurak.rules.engine import outcome, to_act
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import CLASSIC
from p2pdurak.rules.state import Phase


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays whom, and the seed from which every deal and every choice follows."""

    names: tuple[str, str]
    seed: str


@dataclass(frozen=True, slots=True)
class PairResult:
    """What a pair gave the first player.

    Attributes:
        halves: his points in half points, 0 to 4: two for a win, one for a draw.
        draws: how many of the two games were drawn.
        times_s: how much processor time each choice among several took, by player; other programs do not count.
    """

    halves: int
    draws: int
    times_s: tuple[tuple[float, ...], tuple[float, ...]]


def play_pair(match: Match, number: int) -> PairResult:
    """Play pair `number` of a match."""
    bots = (player(match.names[0]), player(match.names[1]))
    seed = f"{match.seed} {number}"
    deck = list(DECK)
    Random(seed).shuffle(deck)
    times: tuple[list[float], list[float]] = ([], [])
    halves = draws = 0
    for swapped in (False, True):
        seats = (1, 0) if swapped else (0, 1)
        winner = _play(deal_open(CLASSIC, deck, None), bots, seats, seed, times)
        draws += winner is None
        halves += 1 if winner is None else 2 * (seats[winner] == 0)
    return PairResult(halves, draws, (tuple(times[0]), tuple(times[1])))


def _play(
    game: OpenGame,
    bots: tuple[Bot, Bot],
    seats: tuple[int, int],
    seed: str,
    times: tuple[list[float], list[float]],
) -> int | None:
    """Play one game to its end; the winning seat, None for a draw. `seats` says which bot sits where."""
    while (seat := to_act(game.state)) is not None:
        view, who = game.view(seat), seats[seat]
        if view.state.phase is Phase.QUESTION:
            game, _ = game.play(seat, view.answer())
            continue
        rng = dice(f"{seed} {who}", view)
        begin = process_time()
        action = bots[who](view, rng)
        if len(view.legal_actions()) > 1:
            times[who].append(process_time() - begin)
        game, _ = game.play(seat, action)
    end = outcome(game.state)
    return None if end is None else end.winner
