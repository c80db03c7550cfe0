"""One shuffled deck as everybody at the table sees it: masked cards, hidden hands, shares given and owed.

It owns the public side of dealing and the checks on every share, opening and denial.
It knows no secret (that is `hand`), no record and no rules.

A hidden hand is an ordered list of entries (A, B, batch): A = C1, B = C2 - D_other, which is an ElGamal ciphertext
under its owner's key alone. The deal is one batch, each refill another. Before a card leaves a list of two or more
batches the whole list is shuffled and remasked, so that nobody can link when a card was drawn and when it was played.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from fairdeck.elgamal import Ciphertext, deck_hash
from fairdeck.errors import LocalError, Malformed
from fairdeck.game import Layout, Seat
from fairdeck.group import (
    POINT_BYTES,
    Group,
    Point,
    base,
    card_numbers,
    card_points,
    decode_point,
    decode_points,
    hash_to_scalar,
    total,
)
from fairdeck.shuffle import check_shuffle
from fairdeck.sigma import PROOF_BYTES, Unequal, verify_equal, verify_unequal
from fairdeck.transcript import context, hash32

OPENING_BYTES: Final = 1 + POINT_BYTES + PROOF_BYTES

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """A hidden card of a hand, masked under its owner's key alone."""

    A: Point
    B: Point
    batch: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card on its way into a hand: its owner cannot see it before the other seat's share arrives."""

    position: int
    batch: int


@dataclass(frozen=True, slots=True)
class Deck:
    """The public state of a deck after both shuffles. Every change gives a new value.

    Attributes:
        group: the suite.
        sid: 32 bytes, the session.
        keys: Y of seat 0 and seat 1.
        cards: the masked cards by position.
        hash: 32 bytes over `cards`.
        layout: where each position goes.
        hands: hidden entries by seat.
        drawn: by receiving seat, cards that still lack the other seat's share.
        upcard_shares: by author, his shares at the upcards once given.
        stock_drawn: how many stock cards have been drawn.
        batches: by seat, the number of the next batch.
    """

    group: Group
    sid: bytes
    keys: tuple[Point, Point]
    cards: tuple[Ciphertext, ...]
    hash: bytes
    layout: Layout
    hands: tuple[tuple[Entry, ...], tuple[Entry, ...]]
    drawn: tuple[tuple[Drawn, ...], tuple[Drawn, ...]]
    upcard_shares: tuple[tuple[Point, ...], tuple[Point, ...]]
    stock_drawn: int
    batches: tuple[int, int]

    def owed(self, author: Seat) -> tuple[int, ...]:
        """Positions of which `author` still owes his share, ascending."""
        hand = [card.position for card in self.drawn[1 - author]]
        shown = () if self.upcard_shares[author] else self.layout.upcards
        return tuple(sorted((*hand, *shown)))

    def upcards(self) -> tuple[int, ...]:
        """The numbers of the face-up cards, once both seats have given their shares.

        Raises:
            Malformed: a share opened something that is no card.
        """
        numbers = card_numbers(self.group, len(self.cards))
        opened = []
        for i, position in enumerate(self.layout.upcards):
            M = self.cards[position].C2 - self.upcard_shares[0][i] - self.upcard_shares[1][i]
            if M.data not in numbers:
                raise Malformed("A face-up card that is no card of the deck.")
            opened.append(numbers[M.data])
        return tuple(opened)

    def hand_hash(self, seat: Seat) -> bytes:
        """32 bytes over the hidden hand of a seat: what openings and denials are bound to."""
        return hash32(
            "hand",
            self.sid,
            bytes([seat]),
            *(e.A.data + e.B.data + bytes([e.batch]) for e in self.hands[seat]),
        )

    def must_remask(self, seat: Seat) -> bool:
        """Whether an opening by `seat` must first shuffle his hand: when it holds two or more batches."""
        return len({entry.batch for entry in self.hands[seat]}) > 1


def deal(group: Group, sid: bytes, keys: tuple[Point, Point], cards: tuple[Ciphertext, ...], layout: Layout) -> Deck:
    """The deck after both shuffles, with every share still owed.

    Args:
        group: the suite.
        sid: 32 bytes.
        keys: Y of seat 0 and seat 1.
        cards: one ciphertext a position.
        layout: where each position goes; its hands are dealt as one batch each.
    """
    hands = layout.hands
    return Deck(
        group=group,
        sid=sid,
        keys=keys,
        cards=cards,
        hash=deck_hash(cards),
        layout=layout,
        hands=((), ()),
        drawn=(tuple(Drawn(p, 0) for p in sorted(hands[0])), tuple(Drawn(p, 0) for p in sorted(hands[1]))),
        upcard_shares=((), ()),
        stock_drawn=0,
        batches=(1, 1),
    )


def draw(deck: Deck, seat: Seat, count: int) -> Deck:
    """Give the next `count` stock cards to `seat`, face down, as a new batch.

    Raises:
        LocalError: the game draws more than the stock holds.
    """
    if count == 0:
        return deck
    positions = deck.layout.stock[deck.stock_drawn : deck.stock_drawn + count]
    if len(positions) != count:
        raise LocalError("The game draws more cards than the stock holds.")
    batch = deck.batches[seat] % 256
    new = tuple(Drawn(p, batch) for p in positions)
    return replace(
        deck,
        drawn=with_seat(deck.drawn, seat, deck.drawn[seat] + new),
        stock_drawn=deck.stock_drawn + count,
        batches=with_seat(deck.batches, seat, deck.batches[seat] + 1),
    )


def with_seat(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    """The pair with one seat's value changed."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


# Shares (SPEC: Shares). D_p = x A_p for each position p owed. One weight a position, hashed after every D is absorbed,
# joins them into A = sum w_p A_p and D = sum w_p D_p, about which one equal-logarithms proof is made. (Weights that
# were fixed before the D would let a cheater choose two wrong shares whose errors cancel.)


def share_statement(deck: Deck, author: Seat, positions: tuple[int, ...], D: tuple[Point, ...]) -> bytes:
    """32 bytes over everything a batch of shares claims; the weights and the proof are bound to it."""
    return hash32(
        "share statement",
        context(deck.sid, author, "share"),
        base(deck.group).data,
        deck.keys[author].data,
        deck.hash,
        bytes(positions),
        b"".join(deck.cards[p].C1.data for p in positions),
        b"".join(d.data for d in D),
    )


def share_weights(deck: Deck, statement: bytes, positions: tuple[int, ...]) -> list[int]:
    """One scalar a position."""
    return [hash_to_scalar(deck.group, "share weight", statement, bytes([p])) for p in positions]


def weighted(weights: Iterable[int], points: Iterable[Point]) -> Point:
    """Sum w_p P_p over at least one position."""
    return total(w * P for w, P in zip(weights, points, strict=True))


def take_shares(deck: Deck, author: Seat, data: bytes, *, verify: bool = True) -> Deck:
    """Check the shares that `author` owes and let the cards arrive in their hands.

    Args:
        deck: the deck before.
        author: the seat that gives them.
        data: 32 bytes for each position of `deck.owed(author)`, then a proof of 64 bytes.
        verify: False only for shares that we made ourselves.

    Raises:
        Malformed: not exactly the shares owed, or the proof does not hold.
    """
    positions = deck.owed(author)
    if not positions or len(data) != POINT_BYTES * len(positions) + PROOF_BYTES:
        raise Malformed(f"The shares owed are for {len(positions)} cards.")
    D = decode_points(deck.group, data[:-PROOF_BYTES])
    if verify:
        statement = share_statement(deck, author, positions, D)
        weights = share_weights(deck, statement, positions)
        A_sum = weighted(weights, (deck.cards[p].C1 for p in positions))
        D_sum = weighted(weights, D)
        if not verify_equal(statement, deck.keys[author], A_sum, D_sum, data[-PROOF_BYTES:]):
            raise Malformed("A share that does not open its card.")
    return _arrive(deck, author, dict(zip(positions, D, strict=True)))


def _arrive(deck: Deck, author: Seat, shares: dict[int, Point]) -> Deck:
    owner = 1 - author
    new = tuple(
        Entry(deck.cards[card.position].C1, deck.cards[card.position].C2 - shares[card.position], card.batch)
        for card in deck.drawn[owner]
    )
    shown = deck.upcard_shares[author] or tuple(shares[p] for p in deck.layout.upcards)
    return replace(
        deck,
        hands=with_seat(deck.hands, owner, deck.hands[owner] + new),
        drawn=with_seat(deck.drawn, owner, ()),
        upcard_shares=with_seat(deck.upcard_shares, author, shown),
    )


# Openings (SPEC: Opening). j ‖ D ‖ proof: D = x A_j with a proof bound to the hand and to j; M = B_j - D is the card.


def opening_context(deck: Deck, seat: Seat, index: int) -> bytes:
    """32 bytes that bind an opening to the game, the hand as it is now and the place in it."""
    return hash32("open statement", context(deck.sid, seat, "open"), deck.hand_hash(seat), bytes([index]))


def take_opening(
    deck: Deck, seat: Seat, card: int, remask: tuple[bytes, ...], opening: bytes, *, verify: bool = True
) -> Deck:
    """Check that `seat` holds `card` hidden, and take it out of his hidden hand.

    Args:
        deck: the deck before.
        seat: whose card is opened.
        card: the number named by the action.
        remask: (new hand, proof) where the hand holds two or more batches, otherwise empty.
        opening: 97 bytes: index, D, proof.
        verify: False only for an opening that we made ourselves.

    Raises:
        Malformed: a remask missing or surplus, or a proof that does not hold, or another card than the one named.
    """
    deck = take_remask(deck, seat, remask, verify=verify)
    if len(opening) != OPENING_BYTES:
        raise Malformed(f"An opening must be {OPENING_BYTES} bytes.")
    index, D = opening[0], decode_point(deck.group, opening[1 : 1 + POINT_BYTES])
    if index >= len(deck.hands[seat]):
        raise Malformed("An opening of a card beyond the end of the hand.")
    entry = deck.hands[seat][index]
    if verify:
        ctx = opening_context(deck, seat, index)
        if not verify_equal(ctx, deck.keys[seat], entry.A, D, opening[1 + POINT_BYTES :]):
            raise Malformed("An opening whose proof does not hold.")
    if entry.B - D != card_points(deck.group, len(deck.cards))[card]:
        raise Malformed("An opening that shows another card than the one named.")
    rest = deck.hands[seat][:index] + deck.hands[seat][index + 1 :]
    return replace(deck, hands=with_seat(deck.hands, seat, rest))


def take_remask(deck: Deck, seat: Seat, remask: tuple[bytes, ...], *, verify: bool = True) -> Deck:
    """Replace the hidden hand of `seat` by its remasked self where that is required, and refuse it where it is not.

    Raises:
        Malformed: required and missing, forbidden and present, or its proof does not hold.
    """
    if not deck.must_remask(seat):
        if remask:
            raise Malformed("A hand was remasked that must not be.")
        return deck
    if len(remask) != 2:
        raise Malformed("A hand must be remasked before a card leaves it.")
    ctx = context(deck.sid, seat, "remask")
    out = check_shuffle(ctx, deck.keys[seat], as_ciphertexts(deck, seat), *remask, verify=verify)
    return merged(deck, seat, out)


def as_ciphertexts(deck: Deck, seat: Seat) -> tuple[Ciphertext, ...]:
    """The hidden hand as ciphertexts under its owner's key."""
    return tuple(Ciphertext(entry.A, entry.B) for entry in deck.hands[seat])


def merged(deck: Deck, seat: Seat, out: tuple[Ciphertext, ...]) -> Deck:
    """The deck with the remasked list as the hand of `seat`: one batch, whatever it was before."""
    batch = deck.hands[seat][0].batch
    hand = tuple(Entry(masked.C1, masked.C2, batch) for masked in out)
    return replace(deck, hands=with_seat(deck.hands, seat, hand))


# Denials (SPEC: Denial). For each own entry j and denied card t, V = B_j - M_t would be x A_j if the entry were t.


def absent_context(deck: Deck, seat: Seat, cards: tuple[int, ...]) -> bytes:
    """32 bytes that bind a denial to the game, the whole hand as it is now and the cards denied."""
    return hash32("absent statement", context(deck.sid, seat, "absent"), deck.hand_hash(seat), bytes(cards))


def absent_items(deck: Deck, seat: Seat, cards: tuple[int, ...]) -> list[Unequal]:
    """The claims in their one order, by entry and then by card; made by prover and verifier alike."""
    M = card_points(deck.group, len(deck.cards))
    return [Unequal(entry.A, entry.B - M[card]) for entry in deck.hands[seat] for card in cards]


def check_absent(deck: Deck, seat: Seat, cards: tuple[int, ...], proof: bytes) -> None:
    """Demand the proof that none of the hidden cards of `seat` is one of `cards`.

    Raises:
        Malformed: it cannot be read or does not hold.
    """
    ctx = absent_context(deck, seat, cards)
    if not verify_unequal(ctx, deck.keys[seat], absent_items(deck, seat, cards), proof):
        raise Malformed("A denial whose proof does not hold.")
