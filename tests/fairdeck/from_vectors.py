"""Values of the program out of the fields of a vector: hidden hands, decks whose shares are owed.

It owns the way from hexadecimal digits to dataclasses; it knows no result and checks nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from fairdeck.deck import Deck, Entry, deal
from fairdeck.elgamal import Ciphertext, decode_deck
from fairdeck.game import Layout, Seat
from fairdeck.group import EDWARDS25519, Point, decode_point, times_base

CARDS: Final = 36
NO_CARD: Final = Ciphertext(times_base(EDWARDS25519, 1), times_base(EDWARDS25519, 2))
"""What stands for the cards of a deck of which only the hands matter."""


def element(data: str | bytes) -> Point:
    """A point that a vector states to be right."""
    return decode_point(EDWARDS25519, bytes.fromhex(data) if isinstance(data, str) else data)


def hand_of(entries: Sequence[Mapping[str, Any]]) -> tuple[Entry, ...]:
    """A hidden hand: A, B and batch of each entry."""
    return tuple(Entry(element(entry["A"]), element(entry["B"]), entry["batch"]) for entry in entries)


def deck_with_hand(sid: bytes, seat: Seat, Y: Point, hand: tuple[Entry, ...]) -> Deck:
    """A deck of which only one seat's hidden hand is known."""
    empty: tuple[Entry, ...] = ()
    return Deck(
        group=EDWARDS25519,
        sid=sid,
        keys=(Y, Y),
        cards=(NO_CARD,) * CARDS,
        hash=bytes(32),
        layout=Layout(((), ()), (), ()),
        hands=(hand, empty) if seat == 0 else (empty, hand),
        drawn=((), ()),
        upcard_shares=((), ()),
        stock_drawn=0,
        batches=(1, 1),
    )


def deck_owing(sid: bytes, author: Seat, Y: Point, cards: bytes, positions: Sequence[int]) -> Deck:
    """A deck of which `author` owes his shares at exactly these positions."""
    masked = decode_deck(EDWARDS25519, cards, len(cards) // 64)
    hands = ((), tuple(positions)) if author == 0 else (tuple(positions), ())
    stock = tuple(p for p in range(len(masked)) if p not in positions)
    return deal(EDWARDS25519, sid, (Y, Y), masked, Layout(hands, (), stock))
