"""Attacks on the two shuffles of the deck, by the host and by the guest.

It owns lists that are no shuffle, and proofs that were made for something else; each prover follows every step of the
proof honestly but for its one deviation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from msgspec.structs import replace as with_fields

from fairdeck.elgamal import Ciphertext, encode_deck, first_deck, remask
from fairdeck.group import POINT_BYTES, Point, card_points, times_base
from fairdeck.referee import present
from fairdeck.shuffle import Permuted, Statement, permute, prove_shuffle, shuffle
from fairdeck.transcript import context
from fairdeck.wire import decode_record
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.forge import NOT_CANONICAL, OFF_CURVE, SMALL_ORDER, forged, mixed_order, with_card
from tests.fairdeck.games import played
from tests.zoo.cage import SHUFFLE, SHUFFLE1, Animal, Cage, Family

Masked = tuple[Ciphertext, ...]
CARDS: Final = 36


def joint_key(cage: Cage) -> Point:
    return cage.Y + (present(cage.referee.keys[1]) if cage.seat == 0 else present(cage.referee.keys[0]))


def input_of(cage: Cage) -> Masked:
    """What this seat has to shuffle: the deck in its first order, or the host's shuffle."""
    return first_deck(cage.group, joint_key(cage), CARDS) if cage.seat == 0 else cage.referee.shuffled


def statement_of(cage: Cage, *, purpose: str = "shuffle") -> Statement:
    """The right statement, with a shuffle yet to be put in."""
    ctx = context(cage.referee.sid, cage.seat, purpose)
    return Statement(ctx, joint_key(cage), input_of(cage), ())


def permuted(cage: Cage) -> Permuted:
    statement = statement_of(cage)
    return permute(statement.ctx, cage.x, statement.Y, statement.inp, SeededRng("a cheater's shuffle"))


def sending(cage: Cage, deck: bytes, proof: bytes) -> bytes:
    return forged(cage.referee, cage.seat, with_fields(cage.body, deck=deck, proof=proof))


def proving(spoil: Callable[[Cage, Permuted], Masked]) -> Callable[[Cage], bytes]:
    """A list that is no shuffle, with a proof that follows every step of the prover."""

    def forge(cage: Cage) -> bytes:
        honest = permuted(cage)
        out = spoil(cage, honest)
        statement = replace(statement_of(cage), out=out)
        proof = prove_shuffle(statement, cage.x, replace(honest, out=out), SeededRng("a cheater's proof"))
        return sending(cage, encode_deck(out), proof)

    return forge


def edited(edit: Callable[[bytes, bytes], tuple[bytes, bytes]]) -> Callable[[Cage], bytes]:
    """The honest deck and its proof, changed behind the prover's back."""
    return lambda cage: sending(cage, *edit(cage.body.deck, cage.body.proof))


# Lists that are no shuffle


def a_card(cage: Cage, card: int, rho: int = 99) -> Ciphertext:
    """A card of the cheater's choice under randomness that he knows."""
    return Ciphertext(times_base(cage.group, rho), card_points(cage.group, CARDS)[card] + rho * joint_key(cage))


def replaced(cage: Cage, honest: Permuted) -> Masked:
    return with_card(honest.out, 0, a_card(cage, 35))


def no_card(cage: Cage, honest: Permuted) -> Masked:
    return with_card(honest.out, 0, Ciphertext(honest.out[0].C1, honest.out[0].C2 + cage.Y))


def doubled(cage: Cage, honest: Permuted) -> Masked:
    return with_card(honest.out, 0, remask(cage.group, joint_key(cage), honest.out[1], 55))


def doubled_exactly(cage: Cage, honest: Permuted) -> Masked:
    return with_card(honest.out, 0, honest.out[1])


def one_first_half(cage: Cage, honest: Permuted) -> Masked:
    """The share for the one card would be that for the other too."""
    return with_card(honest.out, 0, Ciphertext(honest.out[1].C1, honest.out[0].C2))


def swapped(cage: Cage, honest: Permuted) -> Masked:
    return (honest.out[1], honest.out[0], *honest.out[2:])


def scaled(cage: Cage, honest: Permuted) -> Masked:
    return tuple(Ciphertext(2 * masked.C1, 2 * masked.C2) for masked in honest.out)


def under_one_key(cage: Cage, honest: Permuted) -> Masked:
    """Under his own key alone he could follow every card."""
    inp = input_of(cage)
    pairs = zip(honest.permutation, honest.rho, strict=True)
    return tuple(remask(cage.group, cage.Y, inp[k], rho) for k, rho in pairs)


def errors_that_cancel(cage: Cage, honest: Permuted) -> Masked:
    first, second = honest.out[:2]
    return (Ciphertext(first.C1, first.C2 + cage.Y), Ciphertext(second.C1, second.C2 - cage.Y), *honest.out[2:])


def not_shuffled(cage: Cage, honest: Permuted) -> Masked:
    return first_deck(cage.group, joint_key(cage), CARDS)


def a_card_taken_twice(cage: Cage) -> bytes:
    """He permutes by what is no permutation, and knows all that an honest prover knows."""
    honest, statement = permuted(cage), statement_of(cage)
    p = (honest.permutation[1], *honest.permutation[1:])
    pairs = zip(p, honest.rho, strict=True)
    out = tuple(remask(cage.group, statement.Y, statement.inp[k], rho) for k, rho in pairs)
    statement = replace(statement, out=out)
    proof = prove_shuffle(statement, cage.x, Permuted(out, p, honest.rho), SeededRng("a cheater's proof"))
    return sending(cage, encode_deck(out), proof)


# Proofs of something else


def shuffled_as(cage: Cage, *, ctx: bytes | None = None, Y: Point | None = None, inp: Masked = ()) -> bytes:
    """A true shuffle with a true proof, but of another context, key or input."""
    right = statement_of(cage)
    done = shuffle(ctx or right.ctx, cage.x, Y or right.Y, inp or right.inp, SeededRng("elsewhere"))
    return sending(cage, encode_deck(done.out), done.proof)


def of_another_game(cage: Cage) -> bytes:
    return shuffled_as(cage, ctx=context(bytes(32), cage.seat, "shuffle"))


def of_the_other_seat(cage: Cage) -> bytes:
    return shuffled_as(cage, ctx=context(cage.referee.sid, 1 - cage.seat, "shuffle"))


def of_another_purpose(cage: Cage) -> bytes:
    return shuffled_as(cage, ctx=context(cage.referee.sid, cage.seat, "remask"))


def of_another_key(cage: Cage) -> bytes:
    return shuffled_as(cage, Y=cage.Y)


def of_the_first_deck(cage: Cage) -> bytes:
    """The guest passes over the host's shuffle, so that he alone would know where each card lies."""
    return shuffled_as(cage, inp=first_deck(cage.group, joint_key(cage), CARDS))


def replayed(cage: Cage) -> bytes:
    """The deck and proof of an earlier game between the same two."""
    other = decode_record(played("another game").records[cage.record.seq]).body
    return sending(cage, other.deck, other.proof)  # type: ignore[union-attr]


def sent_back(cage: Cage) -> bytes:
    host = decode_record(cage.honest.records[2]).body
    return sending(cage, host.deck, host.proof)  # type: ignore[union-attr]


# Bytes


def with_point(data: bytes, place: int = 0) -> Callable[[Cage], bytes]:
    at = POINT_BYTES * place
    return edited(lambda deck, proof: (deck[:at] + data + deck[at + POINT_BYTES :], proof))


def marked(torsion: str) -> Callable[[Cage], bytes]:
    """A point of small order added to the first half of one card, whose way through the deck he would see."""
    return edited(lambda deck, proof: (mixed_order(deck[:32], torsion) + deck[32:], proof))


def marked_in_the_second_half(deck: bytes, proof: bytes) -> tuple[bytes, bytes]:
    return deck[:32] + mixed_order(deck[32:64], "order 2") + deck[64:], proof


def marked_in_the_proof(deck: bytes, proof: bytes) -> tuple[bytes, bytes]:
    return deck, mixed_order(proof[:32], "order 2") + proof[32:]


def scalar_too_high(cage: Cage) -> bytes:
    """The same last answer in its second encoding."""
    s = int.from_bytes(cage.body.proof[-32:], "little") + cage.group.order
    return sending(cage, cage.body.deck, cage.body.proof[:-32] + s.to_bytes(32, "little"))


LISTS: Final = Family(
    "The deck",
    "Shuffle",
    (
        Animal("a card replaced by one of his choice", SHUFFLE, proving(replaced), "cards were changed"),
        Animal("something in the deck that is no card", SHUFFLE, proving(no_card), "cards were changed"),
        Animal("a card twice, remasked", SHUFFLE, proving(doubled), "cards were changed"),
        Animal("a card twice, by a permutation that is none", SHUFFLE, a_card_taken_twice, "cards were changed"),
        Animal("a card twice, byte for byte", SHUFFLE, proving(doubled_exactly), "occurs twice"),
        Animal("one first half for two cards", SHUFFLE, proving(one_first_half), "occurs twice"),
        Animal("two cards swapped against the proof", SHUFFLE, proving(swapped), "cards were changed"),
        Animal("two errors that cancel in the sum of the deck", SHUFFLE, proving(errors_that_cancel), "were changed"),
        Animal("all ciphertexts doubled", SHUFFLE, proving(scaled), "cards were changed"),
        Animal("cards remasked under his key alone", SHUFFLE, proving(under_one_key), "cards were changed"),
        Animal("a deck that was not shuffled", SHUFFLE, proving(not_shuffled), "occurs twice"),
        Animal(
            "cards swapped after proving", SHUFFLE, edited(lambda d, p: (d[64:128] + d[:64] + d[128:], p)), "changed"
        ),
        Animal(
            "the halves of a card swapped", SHUFFLE, edited(lambda d, p: (d[32:64] + d[:32] + d[64:], p)), "changed"
        ),
        Animal("a short deck", SHUFFLE, edited(lambda d, p: (d[:-64], p)), "must be 2304 bytes"),
        Animal("a long deck", SHUFFLE, edited(lambda d, p: (d + d[:64], p)), "must be 2304 bytes"),
        Animal("a deck of broken length", SHUFFLE, edited(lambda d, p: (d[:-1], p)), "must be 2304 bytes"),
    ),
)

PROOFS: Final = Family(
    "The proof of a shuffle",
    "Shuffle",
    (
        Animal("a proof of another game", SHUFFLE, of_another_game, "cards were changed"),
        Animal("a proof of the other seat", SHUFFLE, of_the_other_seat, "cards were changed"),
        Animal("a proof of a remask, for a shuffle", SHUFFLE, of_another_purpose, "cards were changed"),
        Animal("a proof under his key alone", SHUFFLE, of_another_key, "cards were changed"),
        Animal("deck and proof of an earlier game", SHUFFLE, replayed, "cards were changed"),
        Animal("the first deck shuffled instead of the host's", SHUFFLE1, of_the_first_deck, "were changed", (1,)),
        Animal("the host's own shuffle sent back", SHUFFLE1, sent_back, "cards were changed", (1,)),
        Animal("no proof", SHUFFLE, edited(lambda d, _: (d, b"")), "must be 4768 bytes"),
        Animal("a short proof", SHUFFLE, edited(lambda d, p: (d, p[:-32])), "must be 4768 bytes"),
        Animal("a long proof", SHUFFLE, edited(lambda d, p: (d, p + bytes(32))), "must be 4768 bytes"),
        Animal("a proof of zeros", SHUFFLE, edited(lambda d, p: (d, bytes(len(p)))), "no element"),
        Animal("a second encoding of an answer", SHUFFLE, scalar_too_high, "not below the order", section="Scalars"),
    ),
)

POINTS: Final = Family(
    "Points in the deck",
    "Points",
    (
        *(
            Animal(
                f"the identity point as {half}",
                SHUFFLE,
                with_point(bytes(31).join((b"\x01", b"")), place),
                "no element",
                suite=1,
            )
            for place, half in ((0, "a first half"), (1, "a second half"))
        ),
        Animal("a card marked by order 2", SHUFFLE, marked("order 2"), "no element", suite=1),
        Animal("a card marked by order 4", SHUFFLE, marked("order 4"), "no element", suite=1),
        Animal("a card marked by order 8", SHUFFLE, marked("order 8"), "no element", suite=1),
        Animal("a second half marked by order 2", SHUFFLE, edited(marked_in_the_second_half), "no element", suite=1),
        Animal("a commitment marked by order 2", SHUFFLE, edited(marked_in_the_proof), "no element", suite=1),
        Animal(
            "a point of order 2 for a card",
            SHUFFLE,
            with_point(bytes.fromhex(SMALL_ORDER["order 2"])),
            "no element",
            suite=1,
        ),
        Animal(
            "a second encoding of a card",
            SHUFFLE,
            with_point(bytes.fromhex(NOT_CANONICAL["y = p + 3"])),
            "no element",
            suite=1,
        ),
        Animal("a card off the curve", SHUFFLE, with_point(bytes.fromhex(OFF_CURVE["y = 7"])), "no element", suite=1),
    ),
)

FAMILIES: Final = (LISTS, PROOFS, POINTS)
