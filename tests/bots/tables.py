"""Short ways to put the fast table beside the rules engine, for the tests of the bots."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from p2pdurak.bots import fast
from p2pdurak.bots.fast import Mask, Position, World
from p2pdurak.rules.cards import DECK
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import CLASSIC, Options


def dealt(rng: Random, options: Options = CLASSIC, opener: int | None = 0) -> OpenGame:
    deck = list(DECK)
    rng.shuffle(deck)
    return deal_open(options, deck, opener)


def as_fast(game: OpenGame) -> tuple[Position, World]:
    """The same position and talon as integers."""
    trump, bits = game.state.trump, fast.BITS[game.state.trump]
    hands = [fast.mask_of(hand, trump) for hand in game.hands]
    world = fast.world_of([bits[card] for card in game.talon], pile_on=game.state.options.pile_on)
    return fast.position_of(game.state, hands), world


def left(position: Position, world: World) -> int:
    """The cards in the talon."""
    return len(world[0]) - 1 - position[6]


def fast_games(count: int, seed: int) -> Iterator[tuple[Position, World]]:
    """Every position of some random games that is not over."""
    rng = Random(seed)
    for _ in range(count):
        position, world = as_fast(dealt(rng))
        while not fast.is_over(position):
            yield position, world
            position = fast.play(position, world, rng.choice(fast.legal_moves(position)))


def endings(count: int, seed: int, cards_max: int) -> Iterator[tuple[Position, World]]:
    """The first position of random games, about one a game, with at most so many cards in play and a known talon."""
    rng = Random(seed)
    for _ in range(count):
        position, world = as_fast(dealt(rng))
        while not fast.is_over(position):
            moves = fast.legal_moves(position)
            if left(position, world) <= 1 and in_play(position).bit_count() <= cards_max:
                yield position, world
                break
            position = fast.play(position, world, moves[0] if rng.random() < 0.8 else rng.choice(moves))


def in_play(position: Position) -> Mask:
    return position[0] | position[1] | position[2]
