"""Cards as numbers: suits, ranks, text, and which card beats which.

It owns the 36 cards and their one text form; it does not know hands, turns or symbols on a screen.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NewType

Card = NewType("Card", int)
"""A card is suit * 9 + rank, 0..35. The order of numbers is the order c d h s, then 6 up to ace."""

RANKS: Final = 9
CARDS: Final = 36


class Suit(IntEnum):
    """The four suits, in the order that settles ties."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3


class Rank(IntEnum):
    """The nine ranks from the six up to the ace, which is high."""

    SIX = 0
    SEVEN = 1
    EIGHT = 2
    NINE = 3
    TEN = 4
    JACK = 5
    QUEEN = 6
    KING = 7
    ACE = 8


RANK_LETTERS: Final = "6789TJQKA"
SUIT_LETTERS: Final = "cdhs"

DECK: Final[tuple[Card, ...]] = tuple(Card(number) for number in range(CARDS))

# Looked up many thousand times a second: a table is several times faster than building the Enum member.
_SUIT_OF: Final = tuple(Suit(card // RANKS) for card in DECK)
_RANK_OF: Final = tuple(Rank(card % RANKS) for card in DECK)
_TEXT_OF: Final = tuple(RANK_LETTERS[card % RANKS] + SUIT_LETTERS[card // RANKS] for card in DECK)
_CARD_OF: Final = {text: card for card, text in zip(DECK, _TEXT_OF, strict=True)}


def suit_of(card: Card) -> Suit:
    """The suit of a card."""
    return _SUIT_OF[card]


def rank_of(card: Card) -> Rank:
    """The rank of a card."""
    return _RANK_OF[card]


def card_of(suit: Suit, rank: Rank) -> Card:
    """The card of this suit and rank."""
    return Card(suit * RANKS + rank)


def beats(card: Card, attack: Card, trump: Suit) -> bool:
    """Whether `card` beats `attack`: higher in the same suit, or a trump on a card that is none."""
    if card // RANKS == attack // RANKS:
        return card > attack
    return card // RANKS == trump


def card_text(card: Card) -> str:
    """The text form, a rank letter and a suit letter: `Th` is the ten of hearts."""
    return _TEXT_OF[card]


def parse_card(text: str) -> Card:
    """Read a card; the strict inverse of `card_text`.

    Raises:
        ValueError: with a sentence, for anything but one of the 36 texts.
    """
    card = _CARD_OF.get(text)
    if card is None:
        raise ValueError(
            f"{text!r} is no card: a card is a rank of {RANK_LETTERS} and a suit of {SUIT_LETTERS}, as in Th"
        )
    return card
