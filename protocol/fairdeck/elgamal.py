"""ElGamal masks on cards, under the sum of both keys or under one.

It owns the two-point ciphertext and its arithmetic; it proves nothing and knows no seat.

    Enc_Y(M, r) = (r G, M + r Y)     share of x_i: D = x_i C1     open: M = C2 - D_0 - D_1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fairdeck.errors import Malformed
from fairdeck.group import POINT_BYTES, Group, Point, base, card_points, decode_points, times_base
from fairdeck.transcript import hash32

CIPHERTEXT_BYTES: Final = 2 * POINT_BYTES


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """One masked card: two points, 64 bytes on the wire."""

    C1: Point
    C2: Point

    def __bytes__(self) -> bytes:
        return self.C1.data + self.C2.data


def first_deck(group: Group, Y: Point, cards: int) -> tuple[Ciphertext, ...]:
    """The unshuffled deck: (G, M_c + Y), that is randomness 1, so that no identity element occurs anywhere."""
    G = base(group)
    return tuple(Ciphertext(G, M + Y) for M in card_points(group, cards))


def remask(group: Group, Y: Point, masked: Ciphertext, rho: int) -> Ciphertext:
    """The same card under fresh randomness: (C1 + rho G, C2 + rho Y)."""
    return Ciphertext(masked.C1 + times_base(group, rho), masked.C2 + rho * Y)


def encode_deck(deck: Sequence[Ciphertext]) -> bytes:
    """64 bytes a card, in order."""
    return b"".join(bytes(masked) for masked in deck)


def decode_deck(group: Group, data: bytes, cards: int) -> tuple[Ciphertext, ...]:
    """Read a deck from a peer.

    Args:
        group: the suite of this game.
        data: 64 bytes a card.
        cards: how many there must be.

    Raises:
        Malformed: wrong length, a bad point, or two equal points. (A known difference between two first halves would
            turn the share for one card into the share for another.)
    """
    if len(data) != cards * CIPHERTEXT_BYTES:
        raise Malformed(f"A deck of {cards} masked cards must be {cards * CIPHERTEXT_BYTES} bytes.")
    points = decode_points(group, data)
    if len(set(points)) != len(points):
        raise Malformed("A deck in which one point occurs twice.")
    return tuple(Ciphertext(points[i], points[i + 1]) for i in range(0, len(points), 2))


def deck_hash(deck: Sequence[Ciphertext]) -> bytes:
    """32 bytes that stand for a deck in later proofs."""
    return hash32("deck", encode_deck(deck))
