"""Short ways to build positions and to play games through, for the tests of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from p2pdurak.rules.actions import Action
from p2pdurak.rules.cards import DECK, SUIT_LETTERS, Card, Suit, parse_card
from p2pdurak.rules.engine import Step, position, to_act
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import CLASSIC, Options
from p2pdurak.rules.state import Hand, Seat, State

Chooser = Callable[[OpenGame, tuple[Action, ...]], Action]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(word) for word in text.split())


def suit(letter: str) -> Suit:
    return Suit(SUIT_LETTERS.index(letter))


def hand(text: str) -> Hand:
    """`6c Kd ?3` is a hand of two known and three hidden cards."""
    words = text.split()
    hidden = sum(int(word[1:]) for word in words if word.startswith("?"))
    return Hand(tuple(sorted(parse_card(word) for word in words if not word.startswith("?"))), hidden)


def at(
    trump: str,
    host: str,
    guest: str,
    *,
    indicator: str | None = None,
    talon: int = 0,
    discard: str = "",
    attacker: Seat = 0,
    options: Options = CLASSIC,
    bout: int = 1,
) -> State:
    return position(
        suit(trump),
        (hand(host), hand(guest)),
        attacker,
        indicator=None if indicator is None else parse_card(indicator),
        talon=talon,
        discard=cards(discard),
        options=options,
        bout=bout,
    )


def shuffled(rng: Random) -> list[Card]:
    deck = list(DECK)
    rng.shuffle(deck)
    return deck


def steps(game: OpenGame, choose: Chooser) -> Iterator[tuple[OpenGame, Seat, Action, Step, OpenGame]]:
    """Play to the end; yields each action with the games before and after it."""
    while (seat := to_act(game.state)) is not None:
        action = choose(game, game.legal_actions())
        after, step = game.play(seat, action)
        yield game, seat, action, step, after
        game = after


def random_choice(rng: Random) -> Chooser:
    return lambda _, actions: rng.choice(actions)


def random_deal(rng: Random, options: Options = CLASSIC, opener: Seat | None = None) -> OpenGame:
    return deal_open(options, shuffled(rng), opener)


def striding_deck(stride: int, start: int) -> Sequence[Card]:
    """A fixed deck without any random generator; `stride` has no common factor with 36."""
    return tuple(DECK[(start + stride * index) % 36] for index in range(36))
