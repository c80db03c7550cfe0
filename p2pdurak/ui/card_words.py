"""Cards in writing: as short signs, letters or words, in colour or plain, and the order in which a hand is shown.

It owns the spelling of a card; it does not know what a card is played for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from p2pdurak.rules.cards import SUIT_LETTERS, Card, Suit, rank_of, suit_of

_RANK_TEXTS: Final = ("6", "7", "8", "9", "10", "J", "Q", "K", "A")
RANK_WORDS: Final = ("six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SUIT_SIGNS: Final = "♣♦♥♠"
_SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
_SUIT_COLOURS: Final = (32, 94, 31, None)
"""SGR codes of the four-colour deck: green, bright blue (dark blue drowns on black), red, the terminal's own."""


@dataclass(frozen=True, slots=True)
class CardStyle:
    """How a card is written: `10♥`, `10h` (ascii) or `ten of hearts` (words), in its suit's colour or plain."""

    ascii: bool = False
    words: bool = False
    colour: bool = False

    def card(self, card: Card) -> str:
        """Write one card."""
        colour = _SUIT_COLOURS[suit_of(card)]
        text = self._plain(card)
        return f"\x1b[{colour}m{text}\x1b[39m" if self.colour and colour is not None else text

    def cards(self, cards: Iterable[Card]) -> str:
        """Write cards in the order given, with commas between."""
        return ", ".join(map(self.card, cards))

    def _plain(self, card: Card) -> str:
        if self.words:
            return spell_card(card)
        return _RANK_TEXTS[rank_of(card)] + (SUIT_LETTERS if self.ascii else SUIT_SIGNS)[suit_of(card)]


ASCII_CARDS: Final = CardStyle(ascii=True)


def spell_card(card: Card) -> str:
    """Write a card in words: `ten of hearts`."""
    return f"{rank_word(card)} of {suit_word(suit_of(card))}"


def rank_word(card: Card) -> str:
    """Write a card's rank in words: `ten`."""
    return RANK_WORDS[rank_of(card)]


def suit_word(suit: Suit) -> str:
    """Write a suit in words: `hearts`."""
    return _SUIT_WORDS[suit]


def sort_hand(cards: Iterable[Card], trump: Suit, *, by_suit: bool = True) -> tuple[Card, ...]:
    """Sort cards by suit, then rank, or the other way round; in both ways with the trumps last."""

    def order(card: Card) -> tuple[bool, int, int]:
        suit, rank = suit_of(card), rank_of(card)
        return (suit == trump, suit, rank) if by_suit else (suit == trump, rank, suit)

    return tuple(sorted(cards, key=order))
