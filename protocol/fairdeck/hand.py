"""What one seat can do with its own key: see its cards, give shares, open, deny, remask.

It owns the secret x of one game; it checks nothing that comes from the peer (that is `deck`).
"""

from __future__ import annotations

from fairdeck.deck import (
    Deck,
    absent_context,
    absent_items,
    as_ciphertexts,
    merged,
    opening_context,
    share_statement,
    share_weights,
    weighted,
)
from fairdeck.elgamal import encode_deck
from fairdeck.errors import LocalError
from fairdeck.game import Seat
from fairdeck.group import Point, card_numbers
from fairdeck.shuffle import shuffle
from fairdeck.sigma import Rng, prove_equal, prove_unequal
from fairdeck.transcript import context


class Holder:
    """One seat's secret in one game, with a memory of the cards it has already unmasked."""

    def __init__(self, seat: Seat, x: int, rng: Rng) -> None:
        self.seat = seat
        self._x = x
        self._rng = rng
        self._seen: dict[bytes, int] = {}

    def cards(self, deck: Deck) -> tuple[int, ...]:
        """The numbers of our hidden cards, in the order of the hidden hand.

        Raises:
            LocalError: an entry that is no card; the proofs exclude it.
        """
        return tuple(self._unmask(deck, entry.A, entry.B) for entry in deck.hands[self.seat])

    def _unmask(self, deck: Deck, A: Point, B: Point) -> int:
        if A.data not in self._seen:
            card = card_numbers(deck.group, len(deck.cards)).get((B - self._x * A).data)
            if card is None:
                raise LocalError("A card of our own hand cannot be opened.")
            self._seen[A.data] = card
        return self._seen[A.data]

    def shares(self, deck: Deck) -> bytes:
        """All shares that we owe, with their proof: 32 bytes a card and 64 (SPEC: Shares)."""
        positions = deck.owed(self.seat)
        A = [deck.cards[p].C1 for p in positions]
        D = tuple(self._x * A_p for A_p in A)
        statement = share_statement(deck, self.seat, positions, D)
        A_sum = weighted(share_weights(deck, statement, positions), A)
        proof = prove_equal(statement, self._x, deck.keys[self.seat], A_sum, self._x * A_sum, self._rng)
        return b"".join(d.data for d in D) + proof

    def remask(self, deck: Deck) -> tuple[Deck, tuple[bytes, ...]]:
        """Shuffle our hidden hand if it must be (SPEC: Remask).

        Returns:
            The deck with the new hand, and what goes into the record: (new hand, proof), or nothing.
        """
        if not deck.must_remask(self.seat):
            return deck, ()
        ctx, hand = context(deck.sid, self.seat, "remask"), as_ciphertexts(deck, self.seat)
        shuffled = shuffle(ctx, self._x, deck.keys[self.seat], hand, self._rng)
        return merged(deck, self.seat, shuffled.out), (encode_deck(shuffled.out), shuffled.proof)

    def opening(self, deck: Deck, card: int) -> bytes:
        """Open one hidden card: index, D and proof, 97 bytes (SPEC: Opening).

        Raises:
            LocalError: we do not hold it.
        """
        cards = self.cards(deck)
        if card not in cards:
            raise LocalError("That card is not in your hand.")
        index = cards.index(card)
        entry = deck.hands[self.seat][index]
        D, ctx = self._x * entry.A, opening_context(deck, self.seat, index)
        proof = prove_equal(ctx, self._x, deck.keys[self.seat], entry.A, D, self._rng)
        return bytes([index]) + D.data + proof

    def denial(self, deck: Deck, cards: tuple[int, ...]) -> bytes:
        """Prove that none of our hidden cards is one of `cards` (SPEC: Denial).

        Raises:
            LocalError: we hold one of them.
        """
        if set(cards) & set(self.cards(deck)):
            raise LocalError("You hold a card that was to be denied.")
        ctx, items = absent_context(deck, self.seat, cards), absent_items(deck, self.seat, cards)
        return prove_unequal(ctx, self._x, deck.keys[self.seat], items, self._rng)
