"""Which card of the own hand is in focus, and how it moves.

It owns the order of the hand on the screen and the place in it; it plays nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby
from typing import Final

from p2pdurak.rules.cards import Card, Suit, rank_of, suit_of
from p2pdurak.ui.card_words import sort_hand

RANK_KEYS: Final = "67890jqka"
"""A key for each rank, from the six up; `0` is the ten."""


class HandFocus:
    """The hand in its order of display, and the card in focus.

    Attributes:
        by_suit: the order is by suit and then rank; else by rank and then suit. Trumps are last in both.
        card: in focus; None only in an empty hand.
        chosen: the player himself put the focus there.
        order: the cards that can be seen.
    """

    def __init__(self, *, by_suit: bool) -> None:
        self.by_suit = by_suit
        self.card: Card | None = None
        self.chosen = False
        self.order: tuple[Card, ...] = ()
        self._trump = Suit.CLUBS

    def hold(self, cards: Collection[Card], trump: Suit) -> None:
        """Take these cards into the hand: the focus stays on its card, or goes to its neighbour if that is gone."""
        place = 0 if self.card is None else self.order.index(self.card)
        self._trump = trump
        self.order = sort_hand(cards, trump, by_suit=self.by_suit)
        if self.card not in self.order:
            self.card = self.order[min(place, len(self.order) - 1)] if self.order else None
            self.chosen = False

    def begin_turn(self, playable: Collection[Card]) -> None:
        """Go to the first card that can be played, unless the player has put the focus on one."""
        if self.chosen and self.card in playable:
            return
        self.chosen = False
        self.card = next((card for card in self.order if card in playable), self.card)

    def sort(self) -> None:
        """Change the order."""
        self.by_suit = not self.by_suit
        self.order = sort_hand(self.order, self._trump, by_suit=self.by_suit)

    def choose(self, card: Card) -> None:
        """Put the focus on a card of the hand."""
        self.card, self.chosen = card, True

    def press(self, key: str, playable: Collection[Card]) -> bool:
        """Move the focus as a key says; False if the key does not move it."""
        match key:
            case "left" | "right":
                self._go_on(self.order, forward=key == "right")
            case "tab" | "s-tab":
                self._go_on(playable, forward=key == "tab")
            case "up" | "down":
                self._change_suit(forward=key == "down")
            case "home" | "end":
                self._go_on(self.order[:1] if key == "home" else self.order[-1:], forward=True)
            case _ if len(key) == 1 and key in RANK_KEYS:
                self._go_on([card for card in self.order if rank_of(card) == RANK_KEYS.index(key)], forward=True)
            case _:
                return False
        return True

    def _go_on(self, among: Collection[Card], *, forward: bool) -> None:
        """To the next one of some cards in the order of the hand, around its ends."""
        if self.card is None:
            return
        place = self.order.index(self.card)
        following = (*self.order[place + 1 :], *self.order[: place + 1])
        previous = (*reversed(self.order[:place]), *reversed(self.order[place:]))
        card = next((card for card in (following if forward else previous) if card in among), None)
        if card is not None:
            self.choose(card)

    def _change_suit(self, *, forward: bool) -> None:
        """To the same place in the neighbouring suit, where the hand is in suits."""
        if self.card is None or not self.by_suit:
            return
        suits = [tuple(cards) for _, cards in groupby(self.order, suit_of)]
        row = next(number for number, cards in enumerate(suits) if self.card in cards)
        place = suits[row].index(self.card)
        to = suits[(row + (1 if forward else -1)) % len(suits)]
        self.choose(to[min(place, len(to) - 1)])
