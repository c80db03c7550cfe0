"""Attacks on the remask of a hand, by which cards could be changed or followed.

It owns the forgeries; each follows the honest steps but for its one deviation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from fairdeck.deck import as_ciphertexts, merged
from fairdeck.elgamal import Ciphertext, encode_deck, remask
from fairdeck.group import Point, card_points, times_base
from fairdeck.shuffle import Permuted, Statement, permute, prove_shuffle, shuffle
from fairdeck.transcript import context
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.forge import mixed_order, with_card
from tests.zoo.cage import OPENING, REMASK, Animal, Cage, Family, stand
from tests.zoo.openings import opened
from tests.zoo.shares import sending

Masked = tuple[Ciphertext, ...]
Forge = Callable[[Cage], bytes]


def hand_of(cage: Cage) -> Masked:
    return as_ciphertexts(cage.deck, cage.seat)


def statement_of(cage: Cage) -> Statement:
    return Statement(context(cage.deck.sid, cage.seat, "remask"), cage.Y, hand_of(cage), ())


def permuted(cage: Cage) -> Permuted:
    right = statement_of(cage)
    return permute(right.ctx, cage.x, cage.Y, right.inp, SeededRng("a cheater's remask"))


def played_card(cage: Cage) -> int:
    return int(cage.body.action[1])


def sent(cage: Cage, out: Masked, proof: bytes) -> bytes:
    """The honest move from another list of hidden cards, with its card opened where it then lies, or at the front."""
    deck = merged(cage.deck, cage.seat, out)
    M = card_points(cage.group, 36)[played_card(cage)]
    index = next((i for i, masked in enumerate(out) if masked.C2 - cage.x * masked.C1 == M), 0)
    return sending(cage, remask=(encode_deck(out), proof), proof=(opened(cage, deck, index),))


def proving(spoil: Callable[[Cage, Permuted], Masked]) -> Forge:
    """A list that is no remask, with a proof that follows every step of the prover."""

    def forge(cage: Cage) -> bytes:
        honest = permuted(cage)
        out = spoil(cage, honest)
        statement = replace(statement_of(cage), out=out)
        return sent(cage, out, prove_shuffle(statement, cage.x, replace(honest, out=out), SeededRng("proof")))

    return forge


def other_place(cage: Cage, honest: Permuted) -> int:
    """A place whose card is not the one that he plays now."""
    cards = cage.holder.cards(cage.deck)
    return next(i for i, k in enumerate(honest.permutation) if cards[k] != played_card(cage))


def replaced(cage: Cage, honest: Permuted) -> Masked:
    """One of his cards becomes one that lies elsewhere."""
    held = cage.holder.cards(cage.deck)
    wanted = next(card for card in range(35, -1, -1) if card not in held)
    new = Ciphertext(times_base(cage.group, 9), card_points(cage.group, 36)[wanted] + 9 * cage.Y)
    return with_card(honest.out, other_place(cage, honest), new)


def doubled(cage: Cage, honest: Permuted) -> Masked:
    place = other_place(cage, honest)
    copy = remask(cage.group, cage.Y, honest.out[(place + 1) % len(honest.out)], 55)
    return with_card(honest.out, place, copy)


def dropped(cage: Cage) -> bytes:
    honest = permuted(cage)
    proof = prove_shuffle(replace(statement_of(cage), out=honest.out), cage.x, honest, SeededRng("proof"))
    place = other_place(cage, honest)
    return sent(cage, honest.out[:place] + honest.out[place + 1 :], proof)


def added(cage: Cage) -> bytes:
    honest = permuted(cage)
    proof = prove_shuffle(replace(statement_of(cage), out=honest.out), cage.x, honest, SeededRng("proof"))
    new = Ciphertext(times_base(cage.group, 9), card_points(cage.group, 36)[35] + 9 * cage.Y)
    return sent(cage, (*honest.out, new), proof)


def doubled_exactly(cage: Cage, honest: Permuted) -> Masked:
    place = other_place(cage, honest)
    return with_card(honest.out, place, honest.out[(place + 1) % len(honest.out)])


def shuffled_as(cage: Cage, *, ctx: bytes | None = None, Y: Point | None = None, inp: Masked = ()) -> bytes:
    right = statement_of(cage)
    done = shuffle(ctx or right.ctx, cage.x, Y or cage.Y, inp or right.inp, SeededRng("elsewhere"))
    return sent(cage, done.out, done.proof)


def of_another_purpose(cage: Cage) -> bytes:
    return shuffled_as(cage, ctx=context(cage.deck.sid, cage.seat, "shuffle"))


def of_the_other_seat(cage: Cage) -> bytes:
    return shuffled_as(cage, ctx=context(cage.deck.sid, 1 - cage.seat, "remask"))


def of_another_game(cage: Cage) -> bytes:
    return shuffled_as(cage, ctx=context(bytes(32), cage.seat, "remask"))


def under_both_keys(cage: Cage) -> bytes:
    return shuffled_as(cage, Y=cage.deck.keys[0] + cage.deck.keys[1])


def of_another_hand(cage: Cage) -> bytes:
    """A true remask of other cards: those of the deck's first positions, under his key for once."""
    return shuffled_as(cage, inp=cage.deck.cards[: len(hand_of(cage))])


def missing(cage: Cage) -> bytes:
    """Without it everybody could see in which refill the card came."""
    index = cage.holder.cards(cage.deck).index(played_card(cage))
    return sending(cage, remask=(), proof=(opened(cage, cage.deck, index),))


def forbidden(cage: Cage) -> bytes:
    return shuffled_as(cage)


def opened_from_the_list_before(cage: Cage) -> bytes:
    """The remask is right, and the opening refers to the hand as it was before."""
    index = cage.holder.cards(cage.deck).index(played_card(cage))
    return sending(cage, proof=(opened(cage, cage.deck, index),))


def replayed(cage: Cage) -> bytes:
    return sending(cage, remask=stand(REMASK, cage.seat).body.remask)


def later(referee: object, record: object) -> bool:
    return REMASK(referee, record) and record.seq > 20  # type: ignore[arg-type, attr-defined]


def marked(cage: Cage) -> bytes:
    deck, proof = cage.body.remask
    return sending(cage, remask=(mixed_order(deck[:32], "order 2") + deck[32:], proof))


def swapped(cage: Cage) -> bytes:
    deck, proof = cage.body.remask
    return sending(cage, remask=(deck[64:128] + deck[:64] + deck[128:], proof))


REMASKS: Final = Family(
    "Remasks",
    "Remask",
    (
        Animal("a remask that replaces a card", REMASK, proving(replaced), "cards were changed"),
        Animal("a remask that doubles a card", REMASK, proving(doubled), "cards were changed"),
        Animal("a remask that doubles a card byte for byte", REMASK, proving(doubled_exactly), "occurs twice"),
        Animal("a remask that drops a card", REMASK, dropped, "masked cards must be"),
        Animal("a remask that adds a card", REMASK, added, "masked cards must be"),
        Animal("a remask under both keys", REMASK, under_both_keys, "cards were changed"),
        Animal("a remask of other cards than his hand", REMASK, of_another_hand, "cards were changed"),
        Animal("a proof of a shuffle, for a remask", REMASK, of_another_purpose, "cards were changed"),
        Animal("a remask proven for the other seat", REMASK, of_the_other_seat, "cards were changed"),
        Animal("a remask proven in another game", REMASK, of_another_game, "cards were changed"),
        Animal("a remask of an earlier hand", later, replayed, "were changed|must be"),
        Animal("a hand swapped after the remask was proven", REMASK, swapped, "cards were changed"),
        Animal("a remask that is missing", REMASK, missing, "must be remasked"),
        Animal("half a remask", REMASK, lambda cage: sending(cage, remask=cage.body.remask[:1]), "must be remasked"),
        Animal("a remask where none is due", OPENING, forbidden, "must not be"),
        Animal("an opening from the list before the remask", REMASK, opened_from_the_list_before, "An opening"),
        Animal("a remask marked by order 2", REMASK, marked, "no element", suite=1, section="Points"),
    ),
)


FAMILIES: Final = (REMASKS,)
