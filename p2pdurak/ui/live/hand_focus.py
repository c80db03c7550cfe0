"""Which card of the own hand is in focus, and how it moves.

It owns the order of the hand on the screen and the place in it; it plays nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby
from typing import Final

from p2pdurak.rules.cards import Card, Suit, rank_of, suit_of
from p2pdurak.ui.card_words import RANK_WORDS, sort_hand

RANK_KEYS: Final = ("6", "7", "8", "9", "0", "j", "q", "k", "a")
"""A key for each rank, from the six up; `0` is the ten."""


def rank_name(key: str) -> str:
    """The rank that a key stands for, in words: `king`."""
    return RANK_WORDS[RANK_KEYS.index(key)]


class HandFocus:
    """The hand in its order of display, and the card in focus.

    Attributes:
        by_suit: the order is by suit and then rank; else by rank and then suit. Trumps are last in both.
        card: in focus; None in an empty hand, and where the player has to choose by himself.
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
        waits = self.card is None and bool(self.order)
        place = 0 if self.card is None else self.order.index(self.card)
        self._trump = trump
        self.order = sort_hand(cards, trump, by_suit=self.by_suit)
        if self.card not in self.order and not waits:
            self.card = self.order[min(place, len(self.order) - 1)] if self.order else None
            self.chosen = False

    def begin_turn(self, playable: Collection[Card], *, spare_trumps: bool = False) -> None:
        """Go to the first card that can be played, unless the player has put the focus on one.

        Args:
            playable: the cards that can be played.
            spare_trumps: he need not play at all, so that no trump comes into focus by itself: a habit would give it
                away.
        """
        if self.chosen and self.card in playable:
            return
        self.chosen = False
        offered = [card for card in self.order if card in playable]
        free = [card for card in offered if not spare_trumps or suit_of(card) != self._trump]
        if free:
            self.card = free[0]
        elif offered or self.card is None:
            self.card = None if offered else next(iter(self.order), None)

    def sort(self) -> None:
        """Change the order."""
        self.by_suit = not self.by_suit
        self.order = sort_hand(self.order, self._trump, by_suit=self.by_suit)

    def choose(self, card: Card) -> None:
        """Put the focus on a card of the hand."""
        self.card, self.chosen = card, True

    def holds_rank(self, key: str) -> bool:
        """Whether a card of this key's rank is in the hand."""
        return any(rank_of(card) == RANK_KEYS.index(key) for card in self.order)

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
            case _ if key in RANK_KEYS:
                self._go_on([card for card in self.order if rank_of(card) == RANK_KEYS.index(key)], forward=True)
            case _:
                return False
        return True

    def _go_on(self, among: Collection[Card], *, forward: bool) -> None:
        """To the next one of some cards in the order of the hand, around its ends."""
        place = -1 if self.card is None else self.order.index(self.card)
        following = (*self.order[place + 1 :], *self.order[: place + 1])
        previous = (*reversed(self.order[: max(0, place)]), *reversed(self.order[max(0, place) :]))
        card = next((card for card in (following if forward else previous) if card in among), None)
        if card is not None:
            self.choose(card)

    def _change_suit(self, *, forward: bool) -> None:
        """To the same place in the neighbouring suit, where the hand is in suits."""
        if self.card is None:
            self._go_on(self.order, forward=forward)
            return
        if not self.by_suit:
            return
        suits = [tuple(cards) for _, cards in groupby(self.order, suit_of)]
        row = next(number for number, cards in enumerate(suits) if self.card in cards)
        place = suits[row].index(self.card)
        to = suits[(row + (1 if forward else -1)) % len(suits)]
        self.choose(to[min(place, len(to) - 1)])
