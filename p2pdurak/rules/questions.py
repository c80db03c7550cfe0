"""The questions that find the holder of the lowest trump.

It owns who is asked for which cards, in which order; it does not know how an answer is proven.

Trump ranks go up, the indicator left out; both seats answer for each, and who answers first alternates. If nobody
holds a trump, the ranks of the other three suits follow, seat 0 always before seat 1.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from p2pdurak.rules.cards import DECK, RANKS, Card, Suit, rank_of, suit_of
from p2pdurak.rules.state import Seat

Question = tuple[Seat, tuple[Card, ...]]
"""Who answers, for which cards."""

TRUMP_QUESTIONS: Final = 2 * (RANKS - 1)
"""Two seats, and the eight trumps that are not the indicator."""

_PLAIN_RANKS_ASKED: Final = 6
# If nobody holds a trump, both hands of six come from the other 27 cards. Five ranks make 15 of them and leave 12, all
# in the hands, so the sixth rank always finds one: 28 questions at most, and the last of them cannot be denied.

QUESTIONS: Final = TRUMP_QUESTIONS + 2 * _PLAIN_RANKS_ASKED


@cache
def questions(trump: Suit, indicator: Card) -> tuple[Question, ...]:
    """All questions of a deal, in the order they are asked; the first `Show` ends them.

    Args:
        trump: the trump suit.
        indicator: the face-up card, which is in neither hand.
    """
    walk: list[Question] = []
    trumps = [card for card in DECK if suit_of(card) == trump and card != indicator]
    for index, card in enumerate(trumps):
        order = (0, 1) if index % 2 == 0 else (1, 0)
        walk.extend((seat, (card,)) for seat in order)
    for rank in range(_PLAIN_RANKS_ASKED):
        cards = tuple(card for card in DECK if rank_of(card) == rank and suit_of(card) != trump)
        walk.extend((seat, cards) for seat in (0, 1))
    return tuple(walk)
