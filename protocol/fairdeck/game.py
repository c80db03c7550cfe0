"""The contract between the protocol and a game of cards.

It owns what a game must answer; it knows no game. The game sees what an onlooker at the table sees: cards are numbers,
and a card in somebody's hidden hand enters the state only through an action that names it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

Seat = int
"""0 is the host, 1 the guest."""


class IllegalAction(Exception):
    """The rules refuse an action, a deal or options; the text says why in a sentence."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Positions of the shuffled deck: dealt to each seat, turned face up, and the stock in the order it is drawn."""

    hands: tuple[tuple[int, ...], tuple[int, ...]]
    upcards: tuple[int, ...]
    stock: tuple[int, ...]

    @property
    def cards(self) -> int:
        """How many cards the deck has."""
        return len(self.hands[0]) + len(self.hands[1]) + len(self.upcards) + len(self.stock)


@dataclass(frozen=True, slots=True)
class Open:
    """The action must prove: I hold this hidden card, and here it is."""

    card: int


@dataclass(frozen=True, slots=True)
class Absent:
    """The action must prove: none of my hidden cards is one of these."""

    cards: tuple[int, ...]


Demand = Open | Absent


@dataclass(frozen=True, slots=True)
class Draw:
    """The rules give `count` stock cards to `seat`, face down."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended by its rules; both are None in a draw."""

    winner: Seat | None
    loser: Seat | None


S = TypeVar("S")
A = TypeVar("A")


class Game(Protocol[S, A]):
    """What the protocol asks of a game with states S and actions A. No method changes a state."""

    @property
    def layout(self) -> Layout:
        """Where each card of the shuffled deck goes."""

    def check_options(self, options: bytes) -> None:
        """Raise IllegalAction for options that this game does not know."""

    def check_opener(self, options: bytes, opener: int, *, first: bool) -> None:
        """Raise IllegalAction for a way to settle who opens that these options do not give.

        Args:
            options: known to this game.
            opener: a seat, or 2 for questions, or 3 for a coin.
            first: whether this is the first game of a match; who opens a later one hangs on the game before it.
        """

    def start(self, options: bytes, upcards: tuple[int, ...], opener: Seat | None) -> S:
        """The state after the deal; opener None: the rules find out by questions."""

    def to_act(self, state: S) -> Seat | None:
        """The one seat that may act, or None when the game is over."""

    def demand(self, state: S, action: A) -> Demand | None:
        """What the action must prove about its author's hidden hand."""

    def apply(self, state: S, action: A) -> tuple[S, tuple[Draw, ...]]:
        """The state after the action, and the draws; raises IllegalAction."""

    def encode(self, action: A) -> bytes:
        """At most 64 bytes, one encoding for each action."""

    def decode(self, data: bytes) -> A:
        """The inverse of `encode`; raises IllegalAction for bytes that are no encoding."""

    def digest(self, state: S) -> bytes:
        """32 bytes over the whole public state."""

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended by its rules, or None while it goes on."""
