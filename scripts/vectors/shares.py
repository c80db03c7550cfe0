"""Vectors of shares: half the opening of cards for the other seat, many under one proof.

It owns the wrong shares that one proof for all of them must not let pass; it knows no hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from fairdeck.deck import (
    Deck,
    share_statement,
    share_weights,
    weighted,
)
from fairdeck.elgamal import Ciphertext, deck_hash, encode_deck, first_deck
from fairdeck.game import Seat
from fairdeck.group import EDWARDS25519, Point, card_points, encode_scalar
from fairdeck.hand import Holder
from fairdeck.shuffle import permute
from fairdeck.sigma import prove_equal
from fairdeck.transcript import context, hash32
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.from_vectors import deck_owing
from vectors import trace
from vectors.form import Case, Group, VectorFile, invalid, valid
from vectors.group import bad_points
from vectors.logarithms import SID, altered_words, point, second_forms, with_word
from vectors.shuffles import X, Y

OTHER_SID: Final = bytes(32)
KEYS: Final = (point(X[0]), point(X[1]))
M: Final = card_points(EDWARDS25519, 36)

SHARES_HEADER: Final = (
    "Shares: sid, cards (a deck, 64 bytes a card), deckHash, and Y, the key of the author, belong to the group.",
    "author owes exactly the positions named, in this order; shares is D for each, then a proof c | s.",
    "statement = hash32('share statement', context(sid, author, 'share'), G, Y, deckHash, positions, all A, all D),",
    "weight of p = H('share weight', statement, p) as a scalar; ASum and DSum are the weighted sums;",
    "the proof is one of equal logarithms for (Y, ASum, DSum) in the context `statement`.",
)


@cache
def dealt_deck() -> tuple[Ciphertext, ...]:
    """Twelve masked cards."""
    rng = SeededRng("share vectors")
    return permute(context(SID, 1, "shuffle"), X[1], Y, first_deck(EDWARDS25519, Y, 12), rng).out


def shares() -> VectorFile:
    """shares.json."""
    cards = encode_deck(dealt_deck())
    groups = []
    for author, cases in ((1, tuple(_shares())), (0, tuple(_shares_of_host()))):
        values = {
            "sid": SID,
            "author": author,
            "Y": KEYS[author].data,
            "cards": cards,
            "deckHash": deck_hash(dealt_deck()),
        }
        groups.append(Group("Shares", cases, values))
    return VectorFile("shares.json", "Shares", SHARES_HEADER, groups)


def _owing(author: Seat, positions: Sequence[int], sid: bytes = SID) -> Deck:
    return deck_owing(sid, author, KEYS[author], encode_deck(dealt_deck()), positions)


def _given(author: Seat, positions: Sequence[int], x: int | None = None, sid: bytes = SID) -> bytes:
    return Holder(author, X[author] if x is None else x, SeededRng("shares")).shares(_owing(author, positions, sid))


def _traced(author: Seat, positions: tuple[int, ...], data: bytes) -> dict[str, Any]:
    deck = _owing(author, positions)
    D = [Point(EDWARDS25519, data[32 * i : 32 * i + 32]) for i in range(len(positions))]
    statement = share_statement(deck, author, positions, tuple(D))
    weights = share_weights(deck, statement, positions)
    A_sum = weighted(weights, (deck.cards[p].C1 for p in positions))
    D_sum = weighted(weights, D)
    sums = {"statement": statement, "weights": [encode_scalar(w) for w in weights]}
    sums |= {"ASum": A_sum.data, "DSum": D_sum.data}
    return sums | trace.equal(statement, KEYS[author], A_sum, D_sum, data[-64:])


def _shares_of_host() -> Iterator[Case]:
    positions = (1, 3, 5, 11)
    right = _given(0, positions)
    yield valid("four positions by seat 0", positions=positions, shares=right, **_traced(0, positions, right))
    theirs = _given(1, positions)
    yield invalid("the shares of the other seat", "WrongSeat", positions=positions, shares=theirs)
    for comment, data in altered_words(right, 4):
        yield invalid(comment, "ModifiedProof", positions=positions, shares=data)


def _shares() -> Iterator[Case]:
    positions = (0, 2, 4, 11)
    right = _given(1, positions)
    yield valid("four positions by seat 1", positions=positions, shares=right, **_traced(1, positions, right))
    one = _given(1, (6,))
    yield valid("one position", positions=(6,), shares=one, **_traced(1, (6,), one))
    two = _given(1, (6, 7))
    yield valid("two positions", positions=(6, 7), shares=two, **_traced(1, (6, 7), two))
    for comment, data in altered_words(right, 4):
        yield invalid(comment, "ModifiedProof", positions=positions, shares=data)
    for comment, data in second_forms(right, 4):
        yield invalid(comment, "ScalarNotReduced", positions=positions, shares=data)
    for comment, data in altered_words(one, 1):
        yield invalid(f"one position: {comment}", "ModifiedProof", positions=(6,), shares=data)
    for comment, flag, data in bad_points():
        yield invalid(f"a share is {comment}", flag, positions=positions, shares=with_word(right, 1, data))
    yield from _miscounted(positions, right)
    yield from _moved_shares(positions, right)
    yield from _wrong_shares(positions)


def _miscounted(positions: tuple[int, ...], right: bytes) -> Iterator[Case]:
    for comment, owed, data in (
        ("a share is missing", positions, right[32:]),
        ("a share too many", positions, right[:32] + right),
        ("shares for three positions where four are owed", positions, _given(1, positions[:3])),
        ("shares for five positions where four are owed", positions, _given(1, (0, 2, 4, 6, 11))),
        ("nothing", positions, b""),
        ("a proof alone", positions, right[-64:]),
        ("half a proof", positions, right[:-32]),
        ("a byte more", positions, right + b"\0"),
    ):
        yield invalid(comment, "WrongLength", positions=owed, shares=data)


def _moved_shares(positions: tuple[int, ...], right: bytes) -> Iterator[Case]:
    other_game = _given(1, positions, sid=OTHER_SID)
    yield invalid("shares of another game", "WrongSession", positions=positions, shares=other_game)
    yield invalid("shares under another key", "WrongKey", positions=positions, shares=_given(1, positions, x=X[1] + 1))
    elsewhere = _given(1, (0, 2, 4, 10))
    yield invalid("shares for other positions", "WrongStatement", positions=positions, shares=elsewhere)
    swapped = right[32:64] + right[:32] + right[64:]
    yield invalid("two shares swapped", "SwappedWords", positions=positions, shares=swapped)
    yield invalid(
        "c and s swapped", "SwappedWords", positions=positions, shares=right[:-64] + right[-32:] + right[-64:-32]
    )
    for purpose in ("open", "remask"):
        deck, D = _owing(1, positions), _right_D(positions)
        statement = _statement(deck, positions, D, purpose)
        data = _proven(deck, positions, D, statement)
        yield invalid(f"made for the purpose {purpose!r}", "WrongPurpose", positions=positions, shares=data)


def _right_D(positions: Sequence[int]) -> list[Point]:
    return [X[1] * dealt_deck()[p].C1 for p in positions]


def _statement(deck: Deck, positions: Sequence[int], D: Sequence[Point], purpose: str = "share") -> bytes:
    return hash32(
        "share statement",
        context(SID, 1, purpose),
        point(1).data,
        KEYS[1].data,
        deck.hash,
        bytes(positions),
        b"".join(deck.cards[p].C1.data for p in positions),
        b"".join(d.data for d in D),
    )


def _proven(deck: Deck, positions: tuple[int, ...], D: Sequence[Point], statement: bytes) -> bytes:
    """Shares with the proof that the prover's steps give for them."""
    weights = share_weights(deck, statement, positions)
    A_sum = weighted(weights, (deck.cards[p].C1 for p in positions))
    proof = prove_equal(statement, X[1], KEYS[1], A_sum, weighted(weights, D), SeededRng("proven"))
    return b"".join(d.data for d in D) + proof


def _wrong_shares(positions: tuple[int, ...]) -> Iterator[Case]:
    deck, D = _owing(1, positions), _right_D(positions)

    def proven(*errors: Point) -> bytes:
        wrong = [d + e for d, e in zip(D, errors, strict=False)] + D[len(errors) :]
        return _proven(deck, positions, wrong, share_statement(deck, 1, positions, tuple(wrong)))

    yield invalid("one share is wrong by G", "WrongShare", positions=positions, shares=proven(point(1)))
    turned = proven(M[3] - M[7])
    yield invalid("a share that turns card 3 into card 7", "WrongShare", positions=positions, shares=turned)
    yield from _cancelling(deck, positions, D, M[3] - M[7])
    yield invalid("all shares negated", "WrongShare", positions=positions, shares=proven(*(-2 * d for d in D)))
    uniform = b"".join(d.data for d in D)
    proof = prove_equal(context(SID, 1, "share"), X[1], KEYS[1], deck.cards[0].C1, D[0], SeededRng("bare"))
    yield invalid("only the first share is proven", "WeakChallenge", positions=positions, shares=uniform + proof)


def _cancelling(deck: Deck, positions: tuple[int, ...], D: Sequence[Point], E: Point) -> Iterator[Case]:
    """Two wrong shares whose errors cancel under weights that do not depend on them; the proof is made for these."""
    early = _statement(deck, positions, [])
    w = share_weights(deck, early, positions)
    ones = [1] * len(positions)
    for comment, weights, errors, bound in (
        ("two errors that cancel where all weights are 1", ones, (E, -1 * E), True),
        ("two errors that cancel where the weights leave the shares out", w, (w[1] * E, -w[0] * E), True),
        ("the same, and the proof is not bound to the shares either", w, (w[1] * E, -w[0] * E), False),
    ):
        wrong = [D[0] + errors[0], D[1] + errors[1], *D[2:]]
        statement = share_statement(deck, 1, positions, tuple(wrong)) if bound else early
        A_sum = weighted(weights, (deck.cards[p].C1 for p in positions))
        proof = prove_equal(statement, X[1], KEYS[1], A_sum, weighted(weights, wrong), SeededRng("cancel"))
        data = b"".join(d.data for d in wrong) + proof
        yield invalid(comment, "CancellingErrors", positions=positions, shares=data)
