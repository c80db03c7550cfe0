"""Vectors of playing from a hidden hand: openings with their remask, and denials.

It owns the cheats around a hidden hand; what a hand is, is given as its list of entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from fairdeck.deck import (
    Deck,
    Entry,
    absent_context,
    absent_items,
    as_ciphertexts,
    merged,
    opening_context,
    with_seat,
)
from fairdeck.elgamal import Ciphertext, encode_deck
from fairdeck.game import Seat
from fairdeck.group import EDWARDS25519, Point, encode_scalar, hash_to_scalar
from fairdeck.hand import Holder
from fairdeck.shuffle import Permuted, Statement, permute, prove_shuffle
from fairdeck.sigma import Unequal, prove_equal, prove_unequal
from fairdeck.transcript import context, hash32
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.forge import with_card
from tests.fairdeck.from_vectors import deck_with_hand
from vectors import trace
from vectors.form import Case, Group, VectorFile, invalid, valid
from vectors.group import bad_points
from vectors.logarithms import ORDER, SID, altered_words, damaged, point, with_word
from vectors.shares import KEYS, OTHER_SID, M
from vectors.shuffles import X, Y

# Openings

OPENING_HEADER: Final = (
    "Opening: sid, seat, Y (the key of seat), the hidden hand (A, B, batch) and handHash belong to the group.",
    "remask is empty or [new hand, proof], required exactly where the hand holds two or more batches;",
    "after it every entry has the batch of the first. opening is index (1 byte) | D | c | s, about the list after it.",
    "listHash is the hash of that list, ctx = hash32('open statement', context(sid, seat, 'open'), listHash, index);",
    "the proof is one of equal logarithms for (Y, A, D); B - D must be the point of `card`. The deck has 36 cards.",
)
HAND: Final = (8, 0, 17, 22, 35, 9)
REFILLED: Final = (*HAND, 30, 4)


def _hand(seat: Seat, cards: Sequence[int], dealt: int = 6) -> tuple[Entry, ...]:
    """Masked cards: the first so many in batch 0, the others in batch 1."""
    return tuple(
        Entry(point(500 + i), M[card] + (500 + i) * KEYS[seat], int(i >= dealt)) for i, card in enumerate(cards)
    )


def _deck(seat: Seat, cards: Sequence[int], sid: bytes = SID, dealt: int = 6) -> Deck:
    return deck_with_hand(sid, seat, KEYS[seat], _hand(seat, cards, dealt))


def _shown(deck: Deck, seat: Seat) -> dict[str, Any]:
    hand = [{"A": e.A.data, "B": e.B.data, "batch": e.batch} for e in deck.hands[seat]]
    return {"sid": deck.sid, "seat": seat, "Y": deck.keys[seat].data, "hand": hand, "handHash": deck.hand_hash(seat)}


def openings() -> VectorFile:
    """openings.json."""
    one, two = _deck(0, HAND), _deck(1, REFILLED)
    pair = _deck(1, (14, 21), dealt=1)
    groups = (
        Group("Opening", tuple(_openings(one)), _shown(one, 0)),
        Group("Opening", tuple(_remasked(two)), _shown(two, 1)),
        Group("Opening", tuple(_pair(pair)), _shown(pair, 1)),
    )
    return VectorFile("openings.json", "Opening", OPENING_HEADER, groups)


def _holder(seat: Seat, x: int | None = None) -> Holder:
    return Holder(seat, X[seat] if x is None else x, SeededRng("openings"))


def _traced_opening(deck: Deck, seat: Seat, opening: bytes) -> dict[str, Any]:
    """Of a deck after its remask."""
    index, D = opening[0], Point(EDWARDS25519, opening[1:33])
    entry, ctx = deck.hands[seat][index], opening_context(deck, seat, index)
    values = {"listHash": deck.hand_hash(seat), "ctx": ctx, "opened": (entry.B - D).data}
    return values | trace.equal(ctx, deck.keys[seat], entry.A, D, opening[33:])


def _openings(deck: Deck) -> Iterator[Case]:
    for card in HAND:
        data = _holder(0).opening(deck, card)
        yield valid(f"card {card}", card=card, remask=(), opening=data, **_traced_opening(deck, 0, data))
    right = _holder(0).opening(deck, HAND[1])

    def wrong(comment: str, flag: str, data: bytes, card: int = HAND[1], remask: tuple[bytes, ...] = ()) -> Case:
        return invalid(comment, flag, card=card, remask=remask, opening=data)

    for comment, flag, proof in damaged(right[1:], 1):
        yield wrong(comment, flag, right[:1] + proof)
    for comment, flag, data in bad_points():
        yield wrong(f"D is {comment}", flag, right[:1] + data + right[33:])
    for index in (0, 2, 5, 6, 7, 255):
        yield wrong(f"place {index} instead of 1", "WrongIndex", bytes([index]) + right[1:])
    for card in (8, 1, 35):
        yield wrong(f"card {card} is named, card 0 opened", "OtherCard", right, card)
    for comment, flag, other in (
        ("made for another game", "WrongSession", _holder(0).opening(_deck(0, HAND, OTHER_SID), 0)),
        ("made for the hand before a card left it", "OldHand", _holder(0).opening(_deck(0, (*HAND, 1), dealt=7), 0)),
        ("made for the hand after a card left it", "OldHand", _holder(0).opening(_deck(0, HAND[:-1]), 0)),
    ):
        yield wrong(comment, flag, other)
    yield from (wrong(*case) for case in _lies(deck, 0, 1))
    remasked = _forced_remask(deck, 0)
    data = _holder(0).opening(merged(deck, 0, remasked[0]), 0)
    yield wrong("remasked where it must not be", "SurplusRemask", data, 0, remasked[1])
    yield wrong("an empty remask", "SurplusRemask", right, 0, (b"", b""))


def _lies(deck: Deck, seat: Seat, index: int) -> Iterator[tuple[str, str, bytes]]:
    """Openings of a card as another, proven by the prover's steps."""
    entry, ctx = deck.hands[seat][index], opening_context(deck, seat, index)
    D = X[seat] * entry.A + (M[0] - M[8])  # opens card 0 as card 8
    proof = prove_equal(ctx, X[seat], deck.keys[seat], entry.A, D, SeededRng("lie"))
    yield "opened as another card", "WrongShare", bytes([index]) + D.data + proof
    right = X[seat] * entry.A
    for comment, flag, other in (
        ("bound to another place", "WrongIndex", opening_context(deck, seat, index + 1)),
        ("bound to no hand", "WeakChallenge", context(SID, seat, "open")),
        ("made for the purpose 'share'", "WrongPurpose", _opening_ctx(deck, seat, index, "share")),
        ("made at the other seat", "WrongSeat", _opening_ctx(deck, 1 - seat, index, "open", seat)),
    ):
        proof = prove_equal(other, X[seat], deck.keys[seat], entry.A, right, SeededRng("lie"))
        yield comment, flag, bytes([index]) + right.data + proof


def _opening_ctx(deck: Deck, seat: Seat, index: int, purpose: str, owner: Seat | None = None) -> bytes:
    hand = deck.hand_hash(seat if owner is None else owner)
    return hash32("open statement", context(SID, seat, purpose), hand, bytes([index]))


def _forced_remask(deck: Deck, seat: Seat, key: Point | None = None, purpose: str = "remask") -> Any:
    """A remask with chosen key and purpose: the new list and what goes into a record."""
    Y_used, hand = deck.keys[seat] if key is None else key, as_ciphertexts(deck, seat)
    ctx, rng = context(SID, seat, purpose), SeededRng(f"remask {purpose}")
    done = permute(ctx, X[seat], Y_used, hand, rng)
    proof = prove_shuffle(Statement(ctx, Y_used, hand, done.out), X[seat], done, rng)
    return done.out, (encode_deck(done.out), proof), done


def _remasked(deck: Deck) -> Iterator[Case]:
    """A hand of two batches."""
    out, parts, done = _forced_remask(deck, 1)
    after = merged(deck, 1, out)
    for card in (9, 4):
        data = _holder(1).opening(after, card)
        yield valid(f"card {card}", card=card, remask=parts, opening=data, **_traced_opening(after, 1, data))
    right = _holder(1).opening(after, 9)

    def wrong(comment: str, flag: str, remask: tuple[bytes, ...] = parts, data: bytes = right, card: int = 9) -> Case:
        return invalid(comment, flag, card=card, remask=remask, opening=data)

    yield wrong("the remask is missing", "MissingRemask", (), _holder(1).opening(deck, 9))
    yield wrong("the remask is missing, the opening is of the new list", "MissingRemask", ())
    yield wrong("the remask has one part", "MissingRemask", parts[:1])
    yield wrong("the opening is of the list before the remask", "OldHand", parts, _holder(1).opening(deck, 9))
    yield wrong("a proof of another remask", "WrongStatement", (parts[0], _forced_remask(deck, 1, None, "share")[1][1]))
    yield wrong("list and proof swapped", "WrongOrder", (parts[1], parts[0]))
    yield wrong("a card left out", "WrongLength", (parts[0][:-64], parts[1]))
    for purpose in ("shuffle", "open"):
        new, forced, _ = _forced_remask(deck, 1, None, purpose)
        yield wrong(f"for the purpose {purpose!r}", "WrongPurpose", forced, _holder(1).opening(merged(deck, 1, new), 9))
    new, forced, _ = _forced_remask(deck, 1, Y)
    yield wrong("remasked under the key of both", "WrongKey", forced)
    yield from (wrong(*case) for case in _rigged_remasks(deck, done))
    for comment, flag, proof in list(damaged(parts[1], 16))[::5]:
        yield wrong(f"the proof of the remask: {comment}", flag, (parts[0], proof))


def _rigged_remasks(deck: Deck, done: Permuted) -> Iterator[tuple[str, str, tuple[bytes, ...]]]:
    out, hand, ctx = done.out, as_ciphertexts(deck, 1), context(SID, 1, "remask")
    for comment, flag, wrong in (
        ("a card is replaced", "ReplacedCard", with_card(out, 0, Ciphertext(point(9), M[1] + 9 * KEYS[1]))),
        (
            "a card is there twice",
            "DuplicateCard",
            with_card(out, 0, Ciphertext(out[1].C1 + point(1), out[1].C2 + KEYS[1])),
        ),
        ("a card is there twice, byte by byte", "DuplicateCard", with_card(out, 0, out[1])),
    ):
        proof = prove_shuffle(Statement(ctx, KEYS[1], hand, wrong), X[1], replace(done, out=wrong), SeededRng("rig"))
        yield comment, flag, (encode_deck(wrong), proof)


def _pair(deck: Deck) -> Iterator[Case]:
    out, parts, _ = _forced_remask(deck, 1)
    after = merged(deck, 1, out)
    data = _holder(1).opening(after, 21)
    yield valid("of two cards of two batches", card=21, remask=parts, opening=data, **_traced_opening(after, 1, data))
    yield invalid("not remasked", "MissingRemask", card=21, remask=(), opening=_holder(1).opening(deck, 21))
    # The list after the remask, with the batches it had before: its hash is another.
    old = tuple(replace(e, batch=deck.hands[1][i].batch) for i, e in enumerate(after.hands[1]))
    kept = replace(after, hands=with_seat(after.hands, 1, old))
    data = _holder(1).opening(kept, 21)
    yield invalid("the batches were kept in the hash of the list", "WrongBatch", card=21, remask=parts, opening=data)


# Denials

DENIAL_HEADER: Final = (
    "UnequalLogarithms: proof is W of each item, c, s1 of each, s2 of each, for Y = x G and V != x A in every item.",
    "T1 = s1 V - s2 A - c W, T2 = s1 Y - s2 G; challenge = H('challenge unequal', ctx, G, Y, then A, V, W, T1, T2",
    "of each item) as a scalar. No W may be the identity. At least one item.",
    "Denial: that none of the hidden hand (A, B, batch) of seat is one of `cards`. ctx = hash32('absent statement',",
    "context(sid, seat, 'absent'), handHash, cards); items: for each entry, for each card t: A, V = B - M_t.",
)
CTX: Final = context(SID, 0, "absent")


def denials() -> VectorFile:
    """denials.json."""
    six, eight = _deck(0, HAND), _deck(1, REFILLED)
    groups = (
        Group("UnequalLogarithms", tuple(_unequals())),
        Group("Denial", tuple(_denials(six, 0)), _shown(six, 0)),
        Group("Denial", tuple(_denials_of_refilled(eight)), _shown(eight, 1)),
    )
    return VectorFile("denials.json", "Denial", DENIAL_HEADER, groups)


def _item_values(items: Sequence[Unequal]) -> list[dict[str, bytes]]:
    return [{"A": item.A.data, "V": item.V.data} for item in items]


def _unequals() -> Iterator[Case]:
    items = tuple(Unequal(point(100 + i), point(200 + i)) for i in range(2))
    rng = SeededRng("unequal vectors")

    def values(claims: Sequence[Unequal], proof: bytes, ctx: bytes = CTX, Y_named: Point = KEYS[0]) -> dict[str, Any]:
        return {"ctx": ctx, "Y": Y_named.data, "items": _item_values(claims), "proof": proof}

    for claims in (items[:1], items):
        proof = prove_unequal(CTX, X[0], KEYS[0], claims, rng)
        traced = trace.unequal(CTX, KEYS[0], claims, proof)
        yield valid(f"items: {len(claims)}", **values(claims, proof), **traced)
        for comment, flag, data in damaged(proof, len(claims)):
            yield invalid(f"items: {len(claims)}; {comment}", flag, **values(claims, data))
    for comment, flag, data in bad_points():
        yield invalid(f"W is {comment}", flag, **values(items, with_word(proof, 1, data)))
    for comment, claims in (
        ("an item left out", items[:1]),
        ("an item repeated", (*items, items[0])),
        ("the items swapped", items[::-1]),
        ("another V", (items[0], Unequal(items[1].A, items[0].V))),
        ("another A", (items[0], Unequal(items[0].A, items[1].V))),
        ("no items", ()),
    ):
        yield invalid(comment, "WrongStatement", **values(claims, proof))
    yield invalid("no items, and a challenge", "WrongStatement", **values((), encode_scalar(1)))
    yield invalid("another key", "WrongKey", **values(items, proof, Y_named=KEYS[1]))
    for ctx, flag in ((context(SID, 1, "absent"), "WrongSeat"), (context(OTHER_SID, 0, "absent"), "WrongSession")):
        yield invalid("another context", flag, **values(items, proof, ctx))
    held = Unequal(point(300), X[0] * point(300))
    for comment, flag, data in _false_denials(held):
        yield invalid(comment, flag, **values((held,), data))


def _false_denials(item: Unequal) -> Iterator[tuple[str, str, bytes]]:
    """Denials of a card that is held: V = x A."""
    z, x = 777, X[0]
    identity = Point(EDWARDS25519, EDWARDS25519.identity)
    yield "held; by the prover's steps, so W is the identity", "HeldCard", _denied(item, z, z * x, identity)
    yield "held; z = 0", "HeldCard", _denied(item, 0, 0, identity)
    other = x + 5
    W = z * item.V - (z * other % ORDER) * item.A
    yield "held; another exponent than the key", "WrongKey", _denied(item, z, z * other, W)
    yield "held; W is invented", "HeldCard", _denied(item, z, z * x, point(5))
    unbound = _denied(item, z, z * other, W, second=False)
    yield "held; the challenge leaves out T2, which ties the exponent to the key", "WeakChallenge", unbound


def _denied(item: Unequal, a: int, b: int, W: Point, *, second: bool = True) -> bytes:
    """A denial of one claim with chosen a, b and W, by the prover's steps."""
    k1, k2 = 1111, 2222
    T1, T2 = k1 * item.V - k2 * item.A, k1 * KEYS[0] - point(k2)
    absorbed = [CTX, point(1).data, KEYS[0].data, item.A.data, item.V.data, W.data, T1.data]
    c = hash_to_scalar(EDWARDS25519, "challenge unequal", *absorbed, *([T2.data] if second else []))
    return W.data + encode_scalar(c) + encode_scalar((k1 + c * a) % ORDER) + encode_scalar((k2 + c * b) % ORDER)


def _denial(deck: Deck, seat: Seat, cards: tuple[int, ...], x: int | None = None) -> bytes:
    """By the prover's steps, whether it is true or not."""
    ctx, items = absent_context(deck, seat, cards), absent_items(deck, seat, cards)
    return prove_unequal(ctx, X[seat] if x is None else x, deck.keys[seat], items, SeededRng(f"denial {cards}"))


def _traced_denial(deck: Deck, seat: Seat, cards: tuple[int, ...], proof: bytes) -> dict[str, Any]:
    ctx, items = absent_context(deck, seat, cards), absent_items(deck, seat, cards)
    return {"ctx": ctx, "items": _item_values(items)} | trace.unequal(ctx, deck.keys[seat], items, proof)


def _denials(deck: Deck, seat: Seat) -> Iterator[Case]:
    for cards in ((1,), (18, 27, 34)):
        proof = _denial(deck, seat, cards)
        yield valid(f"cards {cards}", cards=cards, proof=proof, **_traced_denial(deck, seat, cards, proof))
    right = _denial(deck, seat, (1,))
    for comment, data in list(altered_words(right, 6)):
        yield invalid(comment, "ModifiedProof", cards=(1,), proof=data)
    for card in HAND[:3]:
        proof = _denial(deck, seat, (card,))
        yield invalid(f"card {card} is held", "HeldCard", cards=(card,), proof=proof)
    yield invalid("one of three is held", "HeldCard", cards=(18, 17, 34), proof=_denial(deck, seat, (18, 17, 34)))
    for card in (0, 2, 35):
        yield invalid(f"replayed for card {card}", "WrongStatement", cards=(card,), proof=right)
    yield invalid("made with another key", "WrongKey", cards=(1,), proof=_denial(deck, seat, (1,), X[0] + 1))
    three = _denial(deck, seat, (18, 27, 34))
    yield invalid("the cards in another order", "WrongOrder", cards=(27, 18, 34), proof=three)
    yield invalid("two cards of three", "WrongStatement", cards=(18, 27), proof=three)
    yield invalid(
        "made for another game", "WrongSession", cards=(1,), proof=_denial(_deck(0, HAND, OTHER_SID), 0, (1,))
    )
    shorter = _deck(0, HAND[:-1])
    yield invalid("one entry of the hand is left out", "OldHand", cards=(1,), proof=_denial(shorter, 0, (1,)))
    items = absent_items(deck, seat, (18, 27, 34))
    by_card = [items[3 * j + t] for t in range(3) for j in range(6)]
    proof = prove_unequal(absent_context(deck, seat, (18, 27, 34)), X[0], KEYS[0], by_card, SeededRng("by card"))
    yield invalid("items by card and then by entry", "WrongOrder", cards=(18, 27, 34), proof=proof)


def _denials_of_refilled(deck: Deck) -> Iterator[Case]:
    """A denial never remasks: the list is as it is, with its batches."""
    proof = _denial(deck, 1, (3,))
    yield valid("eight entries of two batches", cards=(3,), proof=proof, **_traced_denial(deck, 1, (3,), proof))
    one_batch = _deck(1, REFILLED, dealt=8)
    yield invalid("made for the list in one batch", "WrongBatch", cards=(3,), proof=_denial(one_batch, 1, (3,)))
    yield invalid("card 4 of the refill is held", "HeldCard", cards=(4,), proof=_denial(deck, 1, (4,)))
