"""Vectors of the shuffle: a list permuted and remasked, its proof, and everything else that could be done to cards.

It owns the cheats of a shuffler; the same proof serves decks and hands, which differ in key and purpose.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from fairdeck.elgamal import Ciphertext, encode_deck, first_deck, remask
from fairdeck.group import EDWARDS25519, Point, card_points
from fairdeck.shuffle import Permuted, Statement, permute, prove_shuffle
from fairdeck.transcript import context
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.forge import with_card
from vectors import trace
from vectors.form import Case, Group, VectorFile, invalid, sharing, valid
from vectors.group import bad_points, bad_scalars
from vectors.logarithms import ORDER, SID, damaged, point, with_word
from vectors.rigging import doubled_card, marked, rigged_generators

X: Final = (1111111111111111111111111111111111111111, 2222222222222222222222222222222222222223)
Y: Final = point(sum(X))
SMALL: Final = 3

HEADER: Final = (
    "Shuffle: inp and out are lists of n ciphertexts C1 | C2, 64 bytes each; proof has 32 (4n + 5) bytes:",
    "c_1..c_n, chat_1..chat_n, c, s1, s2, s3, s4, sh_1..sh_n, sp_1..sp_n. ctx is the context of (sid, seat, purpose).",
    "Points of inp are right always. Refuse out or a proof that cannot be read, a point twice in out, a wrong proof.",
    "seed is 64 bytes; u, productOfU and challenge are scalars, t1 t2 t3 t41 t42 th what the verifier computes.",
    "generators: the constants with which a reader would have taken the forgery.",
)


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A statement with the names its context is made of, and the proof."""

    sid: bytes
    seat: int
    purpose: str
    Y: Point
    inp: tuple[Ciphertext, ...]
    out: bytes
    proof: bytes

    @property
    def ctx(self) -> bytes:
        """The 32 bytes that bind the proof."""
        return context(self.sid, self.seat, self.purpose)

    def values(self) -> dict[str, Any]:
        """What stands in the file."""
        names = {"sid": self.sid, "seat": self.seat, "purpose": self.purpose, "ctx": self.ctx, "Y": self.Y.data}
        return names | {"inp": encode_deck(self.inp), "out": self.out, "proof": self.proof}


@cache
def honest(n: int, purpose: str = "shuffle", seat: int = 0, seed: str = "") -> tuple[Shuffle, Permuted]:
    """A right shuffle of a deck under both keys, or of a hand under one."""
    key = Y if purpose == "shuffle" else point(X[seat])
    inp = first_deck(EDWARDS25519, key, n) if purpose == "shuffle" else _hand(key, n)
    rng, ctx = SeededRng(f"shuffle vectors {n} {purpose} {seat} {seed}"), context(SID, seat, purpose)
    done = permute(ctx, X[seat], key, inp, rng)
    proof = prove_shuffle(Statement(ctx, key, inp, done.out), X[seat], done, rng)
    return Shuffle(SID, seat, purpose, key, inp, encode_deck(done.out), proof), done


def _hand(key: Point, n: int) -> tuple[Ciphertext, ...]:
    M = card_points(EDWARDS25519, 36)
    return tuple(Ciphertext(point(77 + i), M[5 * i] + (77 + i) * key) for i in range(n))


def shuffles() -> VectorFile:
    """shuffle.json."""
    groups = (
        Group("Shuffle", tuple(_right())),
        sharing("Shuffle", honest(2)[0].values(), _damaged(2)),
        sharing("Shuffle", honest(SMALL)[0].values(), _wrong()),
        sharing("Shuffle", honest(36)[0].values(), _of_36()),
    )
    return VectorFile("shuffle.json", "Shuffle", HEADER, groups)


def _right() -> Iterator[Case]:
    for n, purpose, seat in (
        *((2, "shuffle", 0), (3, "shuffle", 1), (6, "shuffle", 0), (36, "shuffle", 0), (36, "shuffle", 1)),
        *((2, "remask", 0), (6, "remask", 1), (7, "remask", 0)),
    ):
        one, done = honest(n, purpose, seat)
        statement = Statement(one.ctx, one.Y, one.inp, done.out)
        traced = {"permutation": done.permutation} | trace.shuffle(statement, one.proof)
        yield valid(f"{purpose} of {n} by seat {seat}", **one.values(), **traced)


def _damaged(n: int) -> Iterator[Case]:
    right, _ = honest(n)
    for comment, flag, proof in damaged(right.proof, 2 * n):
        yield invalid(f"{n} cards: {comment}", flag, **replace(right, proof=proof).values())


def _wrong() -> Iterator[Case]:
    yield from _damaged(SMALL)
    yield from _unreadable()
    yield from _moved()
    yield from _cheats()
    yield from _forgeries()


def _unreadable() -> Iterator[Case]:
    right, done = honest(SMALL)
    for comment, flag, data in bad_points():
        yield invalid(f"a first half: {comment}", flag, **replace(right, out=with_word(right.out, 2, data)).values())
    for comment, flag, data in list(bad_points())[:4]:
        yield invalid(f"a second half: {comment}", flag, **replace(right, out=with_word(right.out, 3, data)).values())
        for word, name in ((1, "c_2"), (5, "chat_3")):
            yield invalid(
                f"{name}: {comment}", flag, **replace(right, proof=with_word(right.proof, word, data)).values()
            )
    for comment, data in list(bad_scalars())[:3]:
        proof = with_word(right.proof, 2 * SMALL, data)
        yield invalid(f"the challenge is {comment}", "ScalarNotReduced", **replace(right, proof=proof).values())
    for comment, out in (
        ("a list of no card", b""),
        ("a card left out", right.out[:-64]),
        ("half a card left out", right.out[:-32]),
        ("a card more", right.out + bytes(remask(EDWARDS25519, Y, done.out[0], 9))),
        ("a byte more", right.out + b"\0"),
    ):
        yield invalid(comment, "WrongLength", **replace(right, out=out).values())


def _moved() -> Iterator[Case]:
    """A right proof under another game, seat, purpose, key or input."""
    right, done = honest(SMALL)
    yield invalid("replayed in another game", "WrongSession", **replace(right, sid=bytes(32)).values())
    yield invalid("my own shuffle sent back by the other seat", "WrongSeat", **replace(right, seat=1).values())
    for purpose in ("remask", "key", "share"):
        moved = replace(right, purpose=purpose)
        yield invalid(f"taken for the purpose {purpose!r}", "WrongPurpose", **moved.values())
    hand, _ = honest(6, "remask", 1)
    yield invalid("a remask taken for a shuffle", "WrongPurpose", **replace(hand, purpose="shuffle").values())
    yield invalid("a remask under the other's key", "WrongKey", **replace(hand, Y=point(X[0])).values())
    yield invalid("a shuffle under one key only", "WrongKey", **replace(right, Y=point(X[0])).values())
    other_input = tuple(remask(EDWARDS25519, Y, masked, 5) for masked in right.inp)
    comment = "made from another input: deck0 instead of the other's deck"
    yield invalid(comment, "WrongStatement", **replace(right, inp=other_input).values())
    swapped = (right.inp[1], right.inp[0], *right.inp[2:])
    yield invalid("two cards of the input swapped", "WrongStatement", **replace(right, inp=swapped).values())
    again, _ = honest(SMALL, seed="another")
    yield invalid("the proof of another shuffle", "WrongStatement", **replace(right, proof=again.proof).values())
    for i, j, name in (
        *((0, 1, "c_1 and c_2"), (3, 4, "chat_1 and chat_2"), (0, 3, "c_1 and chat_1"), (7, 8, "s1 and s2")),
        *((9, 10, "s3 and s4"), (11, 12, "sh_1 and sh_2"), (14, 15, "sp_1 and sp_2"), (11, 14, "sh_1 and sp_1")),
    ):
        words = [right.proof[k : k + 32] for k in range(0, len(right.proof), 32)]
        words[i], words[j] = words[j], words[i]
        moved = replace(right, proof=b"".join(words))
        yield invalid(f"{name} swapped", "SwappedWords", **moved.values())
    swapped_out = (done.out[1], done.out[0], *done.out[2:])
    moved = replace(right, out=encode_deck(swapped_out))
    yield invalid("two cards swapped after proving", "WrongStatement", **moved.values())


def _cheats() -> Iterator[Case]:
    """Lists that are no shuffle of the input, with the proof that the prover's steps give for them."""
    right, done = honest(SMALL)
    M, out = card_points(EDWARDS25519, 36), done.out
    foreign = Ciphertext(point(99), M[20] + 99 * Y)
    lists = {
        "a card is replaced by another": ("ReplacedCard", with_card(out, 1, foreign)),
        "a card is there twice, masked anew": ("DuplicateCard", with_card(out, 1, remask(EDWARDS25519, Y, out[0], 3))),
        "a card is there twice, byte by byte": ("DuplicateCard", with_card(out, 1, out[0])),
        "two cards have one first half": ("EqualHalves", with_card(out, 1, Ciphertext(out[0].C1, out[1].C2))),
        "two cards have one second half": ("EqualHalves", with_card(out, 1, Ciphertext(out[1].C1, out[0].C2))),
        "a first half stands as a second half": ("EqualHalves", with_card(out, 1, Ciphertext(out[1].C1, out[0].C1))),
        "a card is no card": ("ReplacedCard", with_card(out, 1, Ciphertext(out[1].C1, out[1].C2 + point(1)))),
        "a card is masked under one key only": (
            "WrongKey",
            with_card(out, 1, Ciphertext(out[1].C1 + point(4), out[1].C2 + 4 * point(X[0]))),
        ),
        "every ciphertext is doubled": ("ScaledCards", tuple(Ciphertext(2 * m.C1, 2 * m.C2) for m in out)),
        "every ciphertext is negated": ("ScaledCards", tuple(Ciphertext(-1 * m.C1, -1 * m.C2) for m in out)),
        "the halves are swapped": ("WrongOrder", tuple(Ciphertext(m.C2, m.C1) for m in out)),
        "remasked after proving": ("WrongStatement", tuple(remask(EDWARDS25519, Y, m, 1) for m in out)),
        "only second halves are altered": (
            "ReplacedCard",
            (Ciphertext(out[0].C1, out[0].C2 + point(1)), Ciphertext(out[1].C1, out[1].C2 - point(1)), out[2]),
        ),
    }
    for comment, (flag, wrong) in lists.items():
        statement = Statement(right.ctx, Y, right.inp, wrong)
        proof = prove_shuffle(statement, X[0], replace(done, out=wrong), SeededRng("cheat"))
        yield invalid(comment, flag, **replace(right, out=encode_deck(wrong), proof=proof).values())
    twice = replace(done, permutation=(done.permutation[0], *done.permutation[:1], *done.permutation[2:]))
    statement = Statement(right.ctx, Y, right.inp, out)
    proof = prove_shuffle(statement, X[0], twice, SeededRng("cheat"))
    yield invalid("the commitment is to no permutation", "ModifiedProof", **replace(right, proof=proof).values())


def _forgeries() -> Iterator[Case]:
    """Proofs that hold for a reader without one of the defences."""
    right, done = honest(SMALL)
    for name, second_half in (("first", False), ("second", True)):
        out, proof = marked(right.ctx, X[0], right.inp, 0, second_half=second_half)
        values = replace(right, Y=point(X[0]), inp=right.inp, out=out, proof=proof).values()
        yield invalid(
            f"the {name} half of a card bears the point of order 2; every equation holds", "MarkedPoint", **values
        )
    statement, proof = doubled_card(right.ctx, Y, right.inp)
    generators = rigged_generators(SMALL)
    if trace.shuffle(statement, proof, generators)["challenge"] != proof[64 * SMALL : 64 * SMALL + 32]:
        raise AssertionError("this forgery must hold under its own generators")
    values = replace(right, out=encode_deck(statement.out), proof=proof).values()
    comment = "a card is doubled; the proof holds for generators with known logarithms"
    yield invalid(comment, "KnownLogarithms", **values, generators=[P.data for P in generators])
    same = replace(done, rho=(done.rho[0], done.rho[0], done.rho[2]))
    masks = zip(same.permutation, same.rho, strict=True)
    alike = tuple(remask(EDWARDS25519, Y, right.inp[k], rho) for k, rho in masks)
    statement = Statement(right.ctx, Y, right.inp, alike)
    proof = prove_shuffle(statement, X[0], replace(same, out=alike), SeededRng("same mask"))
    values = replace(right, out=encode_deck(alike), proof=proof).values()
    yield invalid("two cards bear one mask, so one first half; every equation holds", "EqualHalves", **values)
    zeros = right.proof[: 64 * SMALL] + bytes(len(right.proof) - 64 * SMALL)
    yield invalid("every scalar is zero", "ModifiedProof", **replace(right, proof=zeros).values())
    c = (int.from_bytes(right.proof[64 * SMALL : 64 * SMALL + 32], "little") * 2 % ORDER).to_bytes(32, "little")
    proof = with_word(right.proof, 2 * SMALL, c)
    yield invalid("the challenge is doubled", "ModifiedProof", **replace(right, proof=proof).values())


def _of_36() -> Iterator[Case]:
    right, done = honest(36)
    mirrored = with_card(done.out, 20, remask(EDWARDS25519, Y, done.out[21], 3))
    statement = Statement(right.ctx, Y, right.inp, mirrored)
    proof = prove_shuffle(statement, X[0], replace(done, out=mirrored), SeededRng("cheat"))
    values = replace(right, out=encode_deck(mirrored), proof=proof).values()
    yield invalid("36 cards: one is there twice, another is missing", "DuplicateCard", **values)
    last = (int.from_bytes(right.proof[-32:], "little") + 1) % ORDER
    altered = replace(right, proof=with_word(right.proof, 148, last.to_bytes(32, "little")))
    yield invalid("36 cards: the last word is altered", "ModifiedProof", **altered.values())
    yield invalid("36 cards: sent back by the other seat", "WrongSeat", **replace(right, seat=1).values())
