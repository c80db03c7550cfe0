"""Attacks on shares, by which the other seat comes to see its cards and both see the indicator.

It owns the forgeries; each follows the honest steps but for its one deviation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from msgspec.structs import replace as with_fields

from fairdeck.deck import (
    Deck,
    share_statement,
    share_weights,
    weighted,
)
from fairdeck.game import Seat
from fairdeck.group import EDWARDS25519, Point, card_points, encode_scalar, times_base
from fairdeck.referee import act, dealt_by_guest, present
from fairdeck.sigma import prove_equal
from fairdeck.wire import Kind, Move
from p2pdurak.durak import DURAK
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.forge import NOT_CANONICAL, forged, mixed_order
from tests.zoo.cage import (
    DEALING,
    GIVING,
    LATER_SHARES,
    NOT_GIVING,
    Animal,
    Cage,
    Family,
    stand,
)

Forge = Callable[[Cage], bytes]
RNG_SEED: Final = "a cheater's proof"


def sending(cage: Cage, **changes: Any) -> bytes:
    return forged(cage.referee, cage.seat, with_fields(cage.body, **changes))


# Shares


def giving_deck(cage: Cage) -> Deck:
    """The deck at the moment at which the cheater's shares are looked at."""
    body = cage.body
    if cage.record.kind is Kind.SHUFFLE1:
        return dealt_by_guest(cage.referee, body.deck, body.proof, verify=False)
    if cage.record.kind is Kind.SHARES:
        return cage.deck
    action = DURAK.decode(body.action)
    return present(act(cage.referee, cage.seat, action, body.remask, body.proof, verify=False).deck)


def giving(cage: Cage, shares: bytes) -> bytes:
    """The honest record with other shares in it."""
    if isinstance(cage.body, Move):
        return sending(cage, shares=(shares,))
    return sending(cage, shares=shares)


def given(cage: Cage) -> bytes:
    """The honest shares."""
    return cage.body.shares[0] if isinstance(cage.body, Move) else cage.body.shares


def proven(deck: Deck, seat: Seat, D: Sequence[Point], x: int, positions: Sequence[int] = ()) -> bytes:
    """Shares with a proof made as the honest one is, for whatever points."""
    places = tuple(positions) or deck.owed(seat)
    statement = share_statement(deck, seat, places, tuple(D))
    weights = share_weights(deck, statement, places)
    A_sum, D_sum = weighted(weights, (deck.cards[p].C1 for p in places)), weighted(weights, D)
    proof = prove_equal(statement, x, deck.keys[seat], A_sum, D_sum, SeededRng(RNG_SEED))
    return b"".join(point.data for point in D) + proof


def right_shares(deck: Deck, seat: Seat, x: int) -> list[Point]:
    return [x * deck.cards[p].C1 for p in deck.owed(seat)]


def falsifying(falsify: Callable[[Cage, Deck, list[Point]], list[Point]]) -> Forge:
    """False shares under a proof that follows the honest steps."""

    def forge(cage: Cage) -> bytes:
        deck = giving_deck(cage)
        D = falsify(cage, deck, right_shares(deck, cage.seat, cage.x))
        return giving(cage, proven(deck, cage.seat, D, cage.x))

    return forge


def one_wrong(cage: Cage, deck: Deck, D: list[Point]) -> list[Point]:
    return [D[0] + cage.Y, *D[1:]]


def last_wrong(cage: Cage, deck: Deck, D: list[Point]) -> list[Point]:
    """The last position of the deal is the indicator: with it the trump would change."""
    M = card_points(cage.group, 36)
    return [*D[:-1], D[-1] + M[0] - M[35]]


def another_card(cage: Cage, deck: Deck, D: list[Point]) -> list[Point]:
    """The victim would see a card of the cheater's choice in place of his own, if that one were known."""
    M = card_points(cage.group, 36)
    return [D[0] + M[35] - M[0], *D[1:]]


def cancelling(cage: Cage, deck: Deck, D: list[Point]) -> list[Point]:
    error = times_base(cage.group, 5)
    return [D[0] + error, D[1] - error, *D[2:]]


def cancelling_by_weights(cage: Cage, deck: Deck, D: list[Point]) -> list[Point]:
    """He computes the weights first, from the right shares, and chooses errors that cancel under them."""
    positions = deck.owed(cage.seat)
    w = share_weights(deck, share_statement(deck, cage.seat, positions, tuple(D)), positions)
    error = times_base(cage.group, 5)
    return [D[0] + w[1] * error, D[1] - w[0] * error, *D[2:]]


def exchanged(cage: Cage, deck: Deck, D: list[Point]) -> list[Point]:
    return [D[1], D[0], *D[2:]]


def of_the_talon(cage: Cage, deck: Deck, D: list[Point]) -> list[Point]:
    return [cage.x * deck.cards[34].C1, *D[1:]]


def of_his_own_hand(cage: Cage, deck: Deck, D: list[Point]) -> list[Point]:
    return [cage.x * deck.cards[deck.layout.hands[cage.seat][0]].C1, *D[1:]]


def under_another_key(cage: Cage) -> bytes:
    deck = giving_deck(cage)
    return giving(cage, proven(deck, cage.seat, right_shares(deck, cage.seat, 777), 777))


def in_another_game(cage: Cage) -> bytes:
    deck = giving_deck(cage)
    elsewhere = replace(deck, sid=bytes(32))
    return giving(cage, proven(elsewhere, cage.seat, right_shares(deck, cage.seat, cage.x), cage.x))


def for_another_deck(cage: Cage) -> bytes:
    deck = giving_deck(cage)
    return giving(cage, proven(replace(deck, hash=bytes(32)), cage.seat, right_shares(deck, cage.seat, cage.x), cage.x))


def weighted_in_advance(cage: Cage) -> bytes:
    """All weights one: what a batch proof without weights would be."""
    deck = giving_deck(cage)
    D = cancelling(cage, deck, right_shares(deck, cage.seat, cage.x))
    positions = deck.owed(cage.seat)
    statement = share_statement(deck, cage.seat, positions, tuple(D))
    A_sum, D_sum = weighted([1] * len(D), (deck.cards[p].C1 for p in positions)), weighted([1] * len(D), D)
    proof = prove_equal(statement, cage.x, cage.Y, A_sum, D_sum, SeededRng(RNG_SEED))
    return giving(cage, b"".join(point.data for point in D) + proof)


def edited(edit: Callable[[bytes], bytes]) -> Forge:
    return lambda cage: giving(cage, edit(given(cage)))


def without_the_indicator(cage: Cage) -> bytes:
    deck = giving_deck(cage)
    positions = deck.owed(cage.seat)[:-1]
    D = [cage.x * deck.cards[p].C1 for p in positions]
    return giving(cage, proven(deck, cage.seat, D, cage.x, positions))


def second_encoding(proof: bytes) -> bytes:
    """The same last answer as a number that is not below the order."""
    return proof[:-32] + encode_scalar(int.from_bytes(proof[-32:], "little") + EDWARDS25519.order)


def unasked(cage: Cage) -> bytes:
    """Shares that nobody owes, as if the victim were to give some in return."""
    old = stand(LATER_SHARES, cage.seat).body.shares
    return sending(cage, shares=(old,))


NO_SHARE: Final = "A share that does not open its card"
SHARES: Final = Family(
    "Shares",
    "Shares",
    (
        Animal("a wrong share", DEALING, falsifying(one_wrong), NO_SHARE),
        Animal("a wrong share of a card just drawn", LATER_SHARES, falsifying(one_wrong), NO_SHARE),
        Animal("a wrong share with a move", GIVING, falsifying(one_wrong), NO_SHARE),
        Animal("a share that turns a card into another", DEALING, falsifying(another_card), NO_SHARE),
        Animal("a share that turns the indicator into another card", DEALING, falsifying(last_wrong), NO_SHARE),
        Animal("two errors that cancel in a sum of shares", DEALING, falsifying(cancelling), NO_SHARE),
        Animal(
            "errors that cancel under weights known in advance", DEALING, falsifying(cancelling_by_weights), NO_SHARE
        ),
        Animal("errors that cancel under a proof without weights", DEALING, weighted_in_advance, NO_SHARE),
        Animal("two shares exchanged", DEALING, falsifying(exchanged), NO_SHARE),
        Animal("a share of a card of the talon", DEALING, falsifying(of_the_talon), NO_SHARE),
        Animal("a share of his own hand instead", DEALING, falsifying(of_his_own_hand), NO_SHARE),
        Animal("shares under another key", DEALING, under_another_key, NO_SHARE),
        Animal("shares proven in another game", DEALING, in_another_game, NO_SHARE),
        Animal("shares proven for another deck", DEALING, for_another_deck, NO_SHARE),
        Animal("the indicator's share withheld", DEALING, without_the_indicator, "shares owed are for 7 cards"),
        Animal("no shares", DEALING, edited(lambda _: b""), "shares owed are for 7 cards"),
        Animal("a share missing", LATER_SHARES, edited(lambda data: data[32:]), "shares owed are for"),
        Animal("a share too many", LATER_SHARES, edited(lambda data: data[:32] + data), "shares owed are for"),
        Animal("shares withheld with a move", GIVING, lambda cage: sending(cage, shares=()), "gives 0 lists"),
        Animal("shares twice with a move", GIVING, lambda cage: sending(cage, shares=(given(cage),) * 2), "2 lists"),
        Animal("shares that nobody owes", NOT_GIVING, unasked, "gives 1 lists"),
        Animal("an answer in its second encoding", DEALING, edited(second_encoding), "not below", section="Scalars"),
        Animal(
            "a share marked by order 2",
            DEALING,
            edited(lambda data: mixed_order(data[:32], "order 2") + data[32:]),
            "no element",
            suite=1,
            section="Points",
        ),
        Animal(
            "a share in its second encoding",
            DEALING,
            edited(lambda data: bytes.fromhex(NOT_CANONICAL["y = p"]) + data[32:]),
            "no element",
            suite=1,
            section="Points",
        ),
    ),
)

FAMILIES: Final = (SHARES,)
