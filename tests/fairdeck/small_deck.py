"""A deck of ten cards, in the real group unless another is named, dealt three and three, with both secrets at hand.

It owns the shortest way to a dealt deck; it plays no game and makes no record.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from fairdeck.deck import Deck, deal, take_shares
from fairdeck.deck import draw as draw_from
from fairdeck.elgamal import first_deck
from fairdeck.game import Layout, Seat
from fairdeck.group import EDWARDS25519, Group, times_base
from fairdeck.hand import Holder
from fairdeck.shuffle import permute
from fairdeck.transcript import context
from tests.fairdeck.cheap import SeededRng

SID: Final = b"the session of these small games"
SECRETS: Final = (1111111, 2222222)
LAYOUT: Final = Layout(hands=((0, 2, 4), (1, 3, 5)), upcards=(9,), stock=(6, 7, 8))


def holder(seat: Seat, x: int | None = None, seed: str = "holder") -> Holder:
    """A seat with its secret, or with another one."""
    return Holder(seat, SECRETS[seat] if x is None else x, SeededRng(f"{seed}/{seat}"))


@cache
def undealt(sid: bytes = SID, group: Group = EDWARDS25519) -> Deck:
    """Shuffled, with every share still owed."""
    keys = (times_base(group, SECRETS[0]), times_base(group, SECRETS[1]))
    Y = keys[0] + keys[1]
    ctx, first = context(sid, 1, "shuffle"), first_deck(group, Y, LAYOUT.cards)
    cards = permute(ctx, SECRETS[1], Y, first, SeededRng("small deck")).out
    return deal(group, sid, keys, cards, LAYOUT)


@cache
def dealt(sid: bytes = SID, group: Group = EDWARDS25519) -> Deck:
    """Both hands and the upcard are there."""
    deck = undealt(sid, group)
    for author in (1, 0):
        deck = take_shares(deck, author, holder(author).shares(deck))
    return deck


@cache
def drawn_up(sid: bytes = SID, group: Group = EDWARDS25519) -> Deck:
    """Seat 0 holds three cards of the deal and two of a refill."""
    deck = draw_from(dealt(sid, group), 0, 2)
    return take_shares(deck, 1, holder(1).shares(deck))
