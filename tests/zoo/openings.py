"""Attacks on openings: a card that is not held, another one than is named, a proof of something else.

It owns the forgeries; each follows the honest steps but for its one deviation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from fairdeck.deck import (
    Deck,
    opening_context,
    share_statement,
)
from fairdeck.game import IllegalAction
from fairdeck.group import Point, card_points
from fairdeck.referee import present
from fairdeck.sigma import prove_equal
from p2pdurak.durak import DURAK
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.forge import mixed_order, words_altered
from tests.zoo.cage import (
    OPENING,
    Animal,
    Cage,
    Family,
    stand,
)
from tests.zoo.shares import RNG_SEED, Forge, second_encoding, sending


def opened(cage: Cage, deck: Deck, index: int, *, D: Point | None = None, x: int = 0, name: int | None = None) -> bytes:
    """An opening made step by step; `name` is the index that it gives for its own."""
    secret, entry = x or cage.x, deck.hands[cage.seat][index]
    shown = secret * entry.A if D is None else D
    named = index if name is None else name
    ctx = opening_context(deck, cage.seat, named)
    proof = prove_equal(ctx, secret, deck.keys[cage.seat], entry.A, shown, SeededRng(RNG_SEED))
    return bytes([named]) + shown.data + proof


def laying(cage: Cage, card: int, opening: bytes) -> bytes:
    """The honest move with another card, and this opening."""
    return sending(cage, action=bytes([cage.body.action[0], card]), proof=(opening,), shares=())


def place_of(cage: Cage) -> int:
    """Where the card of the honest move lies in the cheater's hand."""
    return int(cage.body.proof[0][0])


def not_held(cage: Cage) -> bytes:
    """He names the highest card that he does not hold, and opens one that he does."""
    held = cage.holder.cards(cage.deck)
    wanted = next(card for card in range(35, -1, -1) if card not in held)
    return laying(cage, wanted, opened(cage, cage.deck, 0))


def as_any_other(cage: Cage) -> bytes:
    """The D that would make any entry the card he wants: proven by a false proof."""
    entry = cage.deck.hands[cage.seat][0]
    wanted = next(card for card in range(35, -1, -1) if card not in cage.holder.cards(cage.deck))
    D = entry.B - card_points(cage.group, 36)[wanted]
    return laying(cage, wanted, opened(cage, cage.deck, 0, D=D))


def names_another(cage: Cage) -> bytes:
    """Both cards are his: he opens the one and names the other."""
    first, second = cage.holder.cards(cage.deck)[:2]
    return laying(cage, first, opened(cage, cage.deck, cage.holder.cards(cage.deck).index(second)))


def from_the_talon(cage: Cage) -> bytes:
    """The entry's first half is taken from a card that still lies in the talon."""
    A = cage.deck.cards[34].C1
    ctx = opening_context(cage.deck, cage.seat, 0)
    proof = prove_equal(ctx, cage.x, cage.Y, A, cage.x * A, SeededRng(RNG_SEED))
    return laying(cage, 35, b"\x00" + (cage.x * A).data + proof)


def at_another_index(cage: Cage) -> bytes:
    index = place_of(cage)
    other = (index + 1) % len(cage.deck.hands[cage.seat])
    return sending(cage, proof=(opened(cage, cage.deck, index, name=other),))


def beyond_the_end(cage: Cage) -> bytes:
    return sending(cage, proof=(bytes([200]) + cage.body.proof[0][1:],))


def with_another_secret(cage: Cage) -> bytes:
    return sending(cage, proof=(opened(cage, cage.deck, place_of(cage), x=777),))


def in_another_hand(cage: Cage) -> bytes:
    """Bound to a list of hidden cards that is not his hand as it is now."""
    hands = cage.deck.hands
    shorter = (hands[0][:-1], hands[1]) if cage.seat == 0 else (hands[0], hands[1][:-1])
    return sending(cage, proof=(opened(cage, replace(cage.deck, hands=shorter), min(place_of(cage), 4)),))


def of_an_earlier_game(cage: Cage) -> bytes:
    elsewhere = replace(cage.deck, sid=bytes(32))
    return sending(cage, proof=(opened(cage, elsewhere, place_of(cage)),))


def by_the_other_seats_purpose(cage: Cage) -> bytes:
    """A share of the same card is no opening of it: the proof is bound to its use."""
    entry = cage.deck.hands[cage.seat][place_of(cage)]
    ctx, D = share_statement(cage.deck, cage.seat, (), ()), cage.x * entry.A
    proof = prove_equal(ctx, cage.x, cage.Y, entry.A, D, SeededRng(RNG_SEED))
    return sending(cage, proof=(bytes([place_of(cage)]) + D.data + proof,))


def laid_before(cage: Cage) -> bytes:
    """The card and the opening of an earlier move of his, once more."""
    first = stand(OPENING, cage.seat)
    return sending(cage, action=first.body.action, proof=first.body.proof)


def second_opening(referee: Any, record: Any) -> bool:
    """An opening by somebody who has opened a card before, from a hand that has not been remasked since."""
    return OPENING(referee, record) and record.seq > 12


def altered(word: int) -> Forge:
    """One 32-byte word of the opening's D and proof changed."""

    def forge(cage: Cage) -> bytes:
        opening = cage.body.proof[0]
        return sending(cage, proof=(opening[:1] + dict(words_altered(opening[1:], cage.group, 1))[word],))

    return forge


def in_second_encoding(cage: Cage) -> bytes:
    return sending(cage, proof=(second_encoding(cage.body.proof[0]),))


def illegal(cage: Cage) -> bytes:
    """He holds the card and proves it; the rules do not let him lay it now."""
    deck, holder, verb = cage.deck, cage.holder, cage.body.action[0]
    for card in holder.cards(deck):
        action = bytes([verb, card])
        try:
            DURAK.apply(present(cage.referee.state), DURAK.decode(action))
        except IllegalAction:
            return sending(cage, action=action, proof=(holder.opening(deck, card),), shares=())
    raise LookupError("every card may be laid here")


def throwing_in_or_beating(referee: Any, record: Any) -> bool:
    return OPENING(referee, record) and bool(present(referee.state).table)


OPENINGS: Final = Family(
    "Openings",
    "Opening",
    (
        Animal("a card that he does not hold", OPENING, not_held, "another card than the one named"),
        Animal("a card opened as any other", OPENING, as_any_other, "An opening whose proof"),
        Animal("one card named, another of his opened", OPENING, names_another, "another card than the one named"),
        Animal("a card of the talon", OPENING, from_the_talon, "An opening whose proof"),
        Animal("a card that he has played already", second_opening, laid_before, "An opening|another card|not|must"),
        Animal("an opening at another index", OPENING, at_another_index, "An opening whose proof"),
        Animal("an opening beyond the end of the hand", OPENING, beyond_the_end, "beyond the end"),
        Animal("an opening with another secret", OPENING, with_another_secret, "An opening whose proof"),
        Animal("an opening from another list of cards", OPENING, in_another_hand, "An opening"),
        Animal("an opening proven in another game", OPENING, of_an_earlier_game, "An opening whose proof"),
        Animal("a share in place of an opening", OPENING, by_the_other_seats_purpose, "An opening whose proof"),
        Animal("an opening with another D", OPENING, altered(0), "An opening whose proof"),
        Animal("an opening with another challenge", OPENING, altered(1), "An opening whose proof"),
        Animal("an opening with another answer", OPENING, altered(2), "An opening whose proof"),
        Animal("an opening in its second encoding", OPENING, in_second_encoding, "not below", section="Scalars"),
        Animal("no opening", OPENING, lambda cage: sending(cage, proof=()), "proof missing"),
        Animal("two openings", OPENING, lambda cage: sending(cage, proof=cage.body.proof * 2), "one too many"),
        Animal("a short opening", OPENING, lambda cage: sending(cage, proof=(cage.body.proof[0][:-1],)), "97 bytes"),
        Animal("a card of his that the rules refuse", throwing_in_or_beating, illegal, ".", section="Moves"),
        Animal(
            "an opening marked by order 2",
            OPENING,
            lambda cage: sending(
                cage,
                proof=(
                    cage.body.proof[0][:1] + mixed_order(cage.body.proof[0][1:33], "order 2") + cage.body.proof[0][33:],
                ),
            ),
            "no element",
            suite=1,
            section="Points",
        ),
    ),
)

FAMILIES: Final = (OPENINGS,)
