"""The public state of a game, and the bytes and digest that both players compare.

It owns what an onlooker at the table sees: cards that are known, and counts of those that are not. It refuses to
know a hidden card, and how one state follows from another.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Final

from p2pdurak.rules.cards import Card, Suit
from p2pdurak.rules.options import Options, format_options

Seat = int
"""0 is the host, 1 the guest. A seat is identity; who attacks is a role and changes."""

HAND_CARDS: Final = 6
"""A hand is dealt with six cards and refilled up to six."""

ATTACK_LIMIT: Final = 6
"""A bout never holds more attack cards than this."""


class Phase(Enum):
    """What the game waits for."""

    QUESTION = "first"
    """An answer in the search for the lowest trump."""
    ATTACK = "attack"
    """A lead, a throw-in or done: every attack on the table is beaten."""
    DEFEND = "defend"
    """The one unbeaten attack is to be beaten, or the cards taken."""
    PILE_ON = "pileon"
    """The defender takes; the attacker may add cards, or is done."""
    OVER = "over"
    """Nothing: the game has ended by the rules."""


class BoutOutcome(Enum):
    """How a bout ended."""

    BEATEN = "beaten"
    """Every attack was beaten: the table went to the discard."""
    PICKUP = "pickup"
    """The defender took the table."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as an onlooker sees it: `known` cards in ascending order, and how many more are `hidden`."""

    known: tuple[Card, ...]
    hidden: int

    @property
    def count(self) -> int:
        """How many cards the hand holds."""
        return len(self.known) + self.hidden


def with_hand(hands: tuple[Hand, Hand], seat: Seat, hand: Hand) -> tuple[Hand, Hand]:
    """The two hands with that of `seat` replaced."""
    return (hand, hands[1]) if seat == 0 else (hands[0], hand)


@dataclass(frozen=True, slots=True)
class Pair:
    """An attack on the table and the card that beat it, if any."""

    attack: Card
    beaten_by: Card | None


@dataclass(frozen=True, slots=True)
class State:
    """Everything that both players know about a running game.

    Attributes:
        options: what was agreed.
        trump: the trump suit.
        indicator: the face-up last card of the talon; None once drawn.
        hands: the two hands, indexed by seat.
        attacker: who attacks in this bout; 0 while that is being asked, who would be next in a finished game.
        phase: what the game waits for.
        table: the pairs of this bout in the order they were laid.
        cap: how many attack cards this bout may hold; 0 in a finished game.
        talon: cards left to draw, the indicator counted; 0 exactly when `indicator` is None.
        discard: the cards beaten off so far, ascending.
        bout: the number of this bout, from 1; in a finished game that of the last one.
        question: how many questions for the lowest trump were denied so far; None outside `Phase.QUESTION`.
    """

    options: Options
    trump: Suit
    indicator: Card | None
    hands: tuple[Hand, Hand]
    attacker: Seat
    phase: Phase
    table: tuple[Pair, ...]
    cap: int
    talon: int
    discard: tuple[Card, ...]
    bout: int
    question: int | None

    @property
    def defender(self) -> Seat:
        """Who defends in this bout."""
        return 1 - self.attacker

    @property
    def table_cards(self) -> tuple[Card, ...]:
        """Every card on the table, in the order they were laid."""
        return tuple(card for pair in self.table for card in (pair.attack, pair.beaten_by) if card is not None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game by the rules; both None for a draw."""

    winner: Seat | None
    durak: Seat | None


_LABEL: Final = b"p2pdurak/1/rules-state\n"
_NO_CARD: Final = 255  # no card has this number


def encode_state(state: State) -> bytes:
    """The state as canonical bytes: equal states give equal bytes, different ones different bytes.

    Every field is framed by its length (two bytes, big-endian), in the order of the class.
    """
    table = bytes(
        number
        for pair in state.table
        for number in (pair.attack, _NO_CARD if pair.beaten_by is None else pair.beaten_by)
    )
    fields = (
        format_options(state.options).encode("ascii"),
        bytes([state.trump]),
        _optional(state.indicator),
        bytes(state.hands[0].known),
        bytes([state.hands[0].hidden]),
        bytes(state.hands[1].known),
        bytes([state.hands[1].hidden]),
        bytes([state.attacker]),
        state.phase.value.encode("ascii"),
        table,
        bytes([state.cap]),
        bytes([state.talon]),
        bytes(state.discard),
        state.bout.to_bytes(2, "big"),
        _optional(state.question),
    )
    return b"".join(len(field).to_bytes(2, "big") + field for field in fields)


def _optional(number: int | None) -> bytes:
    return b"" if number is None else bytes([number])


def digest(state: State) -> bytes:
    """The 32-byte hash of the whole public state: both players must hold the same one after every action."""
    return sha256(_LABEL + encode_state(state)).digest()
