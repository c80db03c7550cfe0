"""Attacks in the search for the lowest trump: false denials, false shows, questions passed over.

It owns the forgeries; each follows the honest steps but for its one deviation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from fairdeck.deck import absent_context, absent_items
from fairdeck.game import Seat
from fairdeck.group import Point, encode_scalar, hash_to_scalar, times_base
from fairdeck.referee import present
from fairdeck.sigma import Unequal, prove_unequal
from fairdeck.wire import Move
from p2pdurak.rules.questions import questions
from tests.fairdeck.cheap import DurakReferee, SeededRng
from tests.fairdeck.forge import forged, words_altered
from tests.zoo.cage import DENIAL, SHOW, Animal, Cage, Family, stand
from tests.zoo.openings import opened
from tests.zoo.shares import second_encoding

Forge = Callable[[Cage], bytes]
Blinding = Callable[[int, Unequal], tuple[int, int, Point]]
"""From the place of a claim and the claim to (a, b) and W."""

RNG_SEED: Final = "a cheater's denial"


def moving(cage: Cage, action: bytes, proof: bytes) -> bytes:
    return forged(cage.referee, cage.seat, Move(action, False, 0, (), (proof,), ()))


def asked(cage: Cage) -> tuple[int, ...]:
    return tuple(cage.body.action[1:])


# A trump that is held: the moment is one at which an honest player would show it.


def items_of(cage: Cage) -> list[Unequal]:
    return absent_items(cage.deck, cage.seat, asked(cage))


def denying(cage: Cage, proof: bytes) -> bytes:
    return moving(cage, bytes([5, *asked(cage)]), proof)


def denied_honestly(cage: Cage) -> bytes:
    """By the honest steps: the W of the card that he holds is the identity."""
    ctx = absent_context(cage.deck, cage.seat, asked(cage))
    return denying(cage, prove_unequal(ctx, cage.x, cage.Y, items_of(cage), SeededRng(RNG_SEED)))


Points = Sequence[Point]
Challenge = Callable[[bytes, Point, Sequence[Unequal], Points, Points, Points], int]


def right_challenge(ctx: bytes, Y: Point, items: Sequence[Unequal], W: Points, T1: Points, T2: Points) -> int:
    absorbed = [ctx, times_base(Y.group, 1).data, Y.data]
    for item, *rest in zip(items, W, T1, T2, strict=True):
        absorbed += [item.A.data, item.V.data, *(point.data for point in rest)]
    return hash_to_scalar(Y.group, "challenge unequal", *absorbed)


def by_steps(cage: Cage, blind: Blinding, challenge: Challenge = right_challenge) -> bytes:
    """A denial with chosen (a, b) and W for each item; the rest follows the honest steps."""
    items, q, Y = items_of(cage), cage.group.order, cage.Y
    a, b, W = zip(*(blind(i, item) for i, item in enumerate(items)), strict=True)
    rng = SeededRng(RNG_SEED)
    k1, k2 = [1 + rng.below(q - 1) for _ in items], [1 + rng.below(q - 1) for _ in items]
    T1 = [k1[i] * item.V - k2[i] * item.A for i, item in enumerate(items)]
    T2 = [k1[i] * Y - times_base(cage.group, k2[i]) for i in range(len(items))]
    c = challenge(absent_context(cage.deck, cage.seat, asked(cage)), Y, items, W, T1, T2)
    out = [point.data for point in W] + [encode_scalar(c)]
    out += [encode_scalar((k1[i] + c * a[i]) % q) for i in range(len(items))]
    out += [encode_scalar((k2[i] + c * b[i]) % q) for i in range(len(items))]
    return denying(cage, b"".join(out))


def with_another_exponent(cage: Cage, challenge: Challenge = right_challenge) -> bytes:
    """W = z (V - y A) with a y that is not his secret is no identity, and the first equation holds."""
    q = cage.group.order

    def blind(i: int, item: Unequal) -> tuple[int, int, Point]:
        z, y = 77 + i, cage.x + 5
        return z, z * y % q, z * item.V - (z * y) * item.A

    return by_steps(cage, blind, challenge)


def with_zero_blinding(cage: Cage) -> bytes:
    return by_steps(cage, lambda i, item: (0, 0, Point(cage.group, cage.group.identity)))


def with_an_invented_W(cage: Cage) -> bytes:
    q = cage.group.order

    def blind(i: int, item: Unequal) -> tuple[int, int, Point]:
        z = 77 + i
        W = z * item.V - (z * cage.x) * item.A
        return z, z * cage.x % q, times_base(cage.group, 5) if W.is_identity else W

    return by_steps(cage, blind)


def about(choose: Callable[[Cage, list[Unequal]], Sequence[Unequal]]) -> Forge:
    """A true denial of other items than those that the victim will list."""

    def forge(cage: Cage) -> bytes:
        ctx, items = absent_context(cage.deck, cage.seat, asked(cage)), choose(cage, items_of(cage))
        return denying(cage, prove_unequal(ctx, cage.x, cage.Y, items, SeededRng(RNG_SEED)))

    return forge


def not_held(cage: Cage, items: list[Unequal]) -> list[Unequal]:
    return [item for item in items if item.V != cage.x * item.A]


def omitted(cage: Cage, items: list[Unequal]) -> list[Unequal]:
    return not_held(cage, items)


def repeated(cage: Cage, items: list[Unequal]) -> list[Unequal]:
    """Another entry stands twice, in the place of the one that he must not talk about."""
    others = not_held(cage, items)
    return [others[0] if item.V == cage.x * item.A else item for item in items]


def of_another_card(cage: Cage) -> bytes:
    """A true denial of a card that he does not hold, for the question about the one that he holds."""
    other = next(card for card in range(36) if card not in cage.holder.cards(cage.deck))
    return denying(cage, cage.holder.denial(cage.deck, (other,)))


# Denials of cards that are not held, and yet wrong


def elsewhere(**changes: Any) -> Forge:
    """The right denial, but bound to another game or another hand."""

    def forge(cage: Cage) -> bytes:
        other = replace(cage.deck, **changes)
        return denying(cage, cage.holder.denial(other, asked(cage)))

    return forge


def of_the_other_seat(cage: Cage) -> bytes:
    """Bound to the seat of the victim, whose hand lacks the card too or not."""
    ctx = absent_context(cage.deck, 1 - cage.seat, asked(cage))
    return denying(cage, prove_unequal(ctx, cage.x, cage.Y, items_of(cage), SeededRng(RNG_SEED)))


def altered(word: int) -> Forge:
    """One 32-byte word changed: six W, the challenge, twelve answers."""
    return lambda cage: denying(cage, dict(words_altered(cage.body.proof[0], cage.group, 6))[word])


def in_second_encoding(cage: Cage) -> bytes:
    return denying(cage, second_encoding(cage.body.proof[0]))


def replayed(cage: Cage) -> bytes:
    """His denial of an earlier question for this one."""
    return denying(cage, stand(DENIAL, cage.seat).body.proof[0])


def second_denial(referee: DurakReferee, record: Any) -> bool:
    return DENIAL(referee, record) and record.seq >= 7


# Questions


def question_of(cage: Cage, nth: int) -> tuple[Seat, tuple[int, ...]]:
    state = present(cage.referee.state)
    return questions(state.trump, present(state.indicator))[present(state.question) + nth]


def passed_over(cage: Cage) -> bytes:
    """He answers the next question but one that is his, and not this one."""
    later = next(cards for seat, cards in (question_of(cage, n) for n in range(1, 4)) if seat == cage.seat)
    return moving(cage, bytes([5, *later]), cage.holder.denial(cage.deck, later))


def claims_it(cage: Cage) -> bytes:
    """He shows one of his cards and says that it is the trump which was asked for."""
    return moving(cage, bytes([4, *asked(cage)]), opened(cage, cage.deck, 0))


def shows_another(cage: Cage) -> bytes:
    """He truly shows a card that nobody has asked for."""
    card = cage.holder.cards(cage.deck)[0]
    return moving(cage, bytes([4, card]), cage.holder.opening(cage.deck, card))


def leads_instead(cage: Cage) -> bytes:
    card = cage.holder.cards(cage.deck)[0]
    return moving(cage, bytes([0, card]), cage.holder.opening(cage.deck, card))


NO_DENIAL: Final = "A denial whose proof does not hold"
DENIALS: Final = Family(
    "Denials",
    "Denial",
    (
        Animal("a held trump denied by the honest steps", SHOW, denied_honestly, "no element"),
        Animal("a held trump denied with zero as blinding", SHOW, with_zero_blinding, "no element"),
        Animal("a held trump denied with another exponent", SHOW, with_another_exponent, NO_DENIAL),
        Animal("a held trump denied with an invented W", SHOW, with_an_invented_W, NO_DENIAL),
        Animal("a held trump left out of the denial", SHOW, about(omitted), "A denial of 6 claims must be"),
        Animal("another card denied twice for a held trump", SHOW, about(repeated), NO_DENIAL),
        Animal("a denial of another card for a held trump", SHOW, of_another_card, NO_DENIAL),
        Animal("a denial replayed for another card", second_denial, replayed, NO_DENIAL),
        Animal("a denial of another game", DENIAL, elsewhere(sid=bytes(32)), NO_DENIAL),
        Animal("a denial of the other seat", DENIAL, of_the_other_seat, NO_DENIAL),
        Animal("a denial with another W", DENIAL, altered(0), NO_DENIAL),
        Animal("a denial with another challenge", DENIAL, altered(6), NO_DENIAL),
        Animal("a denial with another answer", DENIAL, altered(18), NO_DENIAL),
        Animal("a denial in its second encoding", DENIAL, in_second_encoding, "not below", section="Scalars"),
        Animal("a short denial", DENIAL, lambda cage: denying(cage, cage.body.proof[0][:-96]), "of 6 claims"),
        Animal("an empty denial", DENIAL, lambda cage: denying(cage, b""), "of 6 claims"),
    ),
)

QUESTIONS: Final = Family(
    "Questions for the lowest trump",
    "Moves",
    (
        Animal("a question passed over", DENIAL, passed_over, "exactly the cards that were asked"),
        Animal("a trump claimed that he does not hold", DENIAL, claims_it, "another card than the one named"),
        Animal("a card shown that nobody has asked for", DENIAL, shows_another, "exactly the cards that were asked"),
        Animal("a lead while he is being asked", DENIAL, leads_instead, "."),
    ),
)

FAMILIES: Final = (DENIALS, QUESTIONS)
