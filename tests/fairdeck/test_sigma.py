"""The three proofs about logarithms: what is true verifies, and nothing else does, word by word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import pytest

from fairdeck.errors import Malformed
from fairdeck.group import EDWARDS25519, Group, Point, encode_scalar, hash_to_scalar, times_base
from fairdeck.sigma import (
    Nonces,
    Unequal,
    prove_equal,
    prove_key,
    prove_unequal,
    verify_equal,
    verify_key,
    verify_unequal,
)
from tests.fairdeck.cheap import CHEAP, Integers, SeededRng
from tests.fairdeck.forge import bad_points, words_altered

Q: Final = EDWARDS25519.order
X: Final = 31415926535
CTX: Final = b"context of this proof, seat 0...."


def point(s: int, group: Group = EDWARDS25519) -> Point:
    return times_base(group, s)


Y: Final = point(X)
A: Final = point(271828)
D: Final = X * A
ITEMS: Final = tuple(Unequal(point(100 + i), point(200 + i)) for i in range(3))
RNG: Final = SeededRng("sigma")

KEY: Final = prove_key(CTX, X, Y, RNG)
EQUAL: Final = prove_equal(CTX, X, Y, A, D, RNG)
UNEQUAL: Final = prove_unequal(CTX, X, Y, ITEMS, RNG)


@dataclass(frozen=True, slots=True)
class Case:
    """A right proof, how to verify it, and how many of its words are points."""

    proof: bytes
    verify: Callable[[bytes], bool]
    points: int


CASES: Final = {
    "key": Case(KEY, lambda proof: verify_key(CTX, Y, proof), 0),
    "equal": Case(EQUAL, lambda proof: verify_equal(CTX, Y, A, D, proof), 0),
    "unequal": Case(UNEQUAL, lambda proof: verify_unequal(CTX, Y, ITEMS, proof), 3),
}
each_proof = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


@each_proof
def test_right_proof_verifies(case: Case) -> None:
    assert case.verify(case.proof)


@each_proof
def test_proof_with_any_word_altered_is_refused(case: Case) -> None:
    for word, altered in words_altered(case.proof, EDWARDS25519, case.points):
        assert not case.verify(altered), word


@each_proof
def test_proof_of_zeros_is_refused(case: Case) -> None:
    zeros = case.proof[: 32 * case.points] + bytes(len(case.proof) - 32 * case.points)
    assert not case.verify(zeros)


@each_proof
def test_proof_of_another_length_is_malformed(case: Case) -> None:
    for proof in (b"", case.proof[:-1], case.proof[:-32], case.proof + b"\x00", case.proof + bytes(32)):
        with pytest.raises(Malformed, match="must be"):
            case.verify(proof)


@each_proof
def test_scalar_in_its_second_encoding_is_malformed(case: Case) -> None:
    for word in range(case.points, len(case.proof) // 32):
        again = int.from_bytes(case.proof[32 * word : 32 * word + 32], "little") + Q
        with pytest.raises(Malformed, match="not below the order"):
            case.verify(case.proof[: 32 * word] + again.to_bytes(32, "little") + case.proof[32 * word + 32 :])


@pytest.mark.parametrize(
    ("ctx", "Y_named"),
    [(b"another context", Y), (CTX + b"\x00", Y), (CTX, Y + A), (CTX, -1 * Y), (CTX, A)],
    ids=["ctx", "longer ctx", "other key", "negated key", "A"],
)
def test_proofs_do_not_hold_in_another_context_or_for_another_key(ctx: bytes, Y_named: Point) -> None:
    assert not verify_key(ctx, Y_named, KEY)
    assert not verify_equal(ctx, Y_named, A, D, EQUAL)
    assert not verify_unequal(ctx, Y_named, ITEMS, UNEQUAL)


def test_one_kind_of_proof_is_not_another() -> None:
    assert not verify_key(CTX, Y, prove_equal(CTX, X, Y, point(1), Y, RNG))
    assert not verify_equal(CTX, Y, point(1), Y, KEY)


@pytest.mark.parametrize("x", [X + 1, Q - X, 0])
def test_whoever_does_not_know_the_key_cannot_prove_it(x: int) -> None:
    assert not verify_key(CTX, Y, prove_key(CTX, x, Y, RNG))


# Equal logarithms


@pytest.mark.parametrize(
    ("base_point", "share"),
    [(A + Y, D), (A, D + A), (A, -1 * D), (-1 * A, D), (D, A), (2 * A, 2 * D)],
    ids=["A", "D", "negated D", "negated A", "swapped", "both doubled"],
)
def test_equality_does_not_hold_for_another_pair(base_point: Point, share: Point) -> None:
    assert not verify_equal(CTX, Y, base_point, share, EQUAL)


@pytest.mark.parametrize("share", [(X + 1) * A, -1 * D, A, Y])
def test_wrong_share_cannot_be_proven(share: Point) -> None:
    assert not verify_equal(CTX, Y, A, share, prove_equal(CTX, X, Y, A, share, RNG))


def test_share_under_another_key_cannot_be_proven() -> None:
    assert not verify_equal(CTX, Y, A, (X + 1) * A, prove_equal(CTX, X + 1, Y, A, (X + 1) * A, RNG))


# Unequal logarithms


def held(s: int = 300) -> Unequal:
    """The false claim: V is x A, the card is held."""
    return Unequal(point(s), X * point(s))


def test_card_that_is_held_cannot_be_denied_honestly() -> None:
    for items in ((held(),), (ITEMS[0], held(), ITEMS[1])):
        with pytest.raises(Malformed, match="no element"):
            verify_unequal(CTX, Y, items, prove_unequal(CTX, X, Y, items, RNG))


def denial_by(item: Unequal, a: int, b: int, W: Point) -> bytes:
    """A denial of one claim with chosen (a, b) = (z, zx) and W, following the prover's steps."""
    k1, k2 = 1111, 2222
    T1, T2 = k1 * item.V - k2 * item.A, k1 * Y - point(k2)
    absorbed = [CTX, point(1).data, Y.data, item.A.data, item.V.data, W.data, T1.data, T2.data]
    c = hash_to_scalar(EDWARDS25519, "challenge unequal", *absorbed)
    return W.data + encode_scalar(c) + encode_scalar((k1 + c * a) % Q) + encode_scalar((k2 + c * b) % Q)


def test_these_tests_follow_the_provers_steps() -> None:
    item, z = ITEMS[0], 777
    proof = denial_by(item, z, z * X % Q, z * item.V - (z * X) * item.A)
    assert verify_unequal(CTX, Y, (item,), proof)


def test_denial_with_another_exponent_than_the_key_is_refused() -> None:
    """The second equation is what ties b to a and Y: W is no identity here, and the first equation holds."""
    item, z, other = held(), 777, X + 5
    W = z * item.V - (z * other) * item.A
    assert not W.is_identity
    assert not verify_unequal(CTX, Y, (item,), denial_by(item, z, z * other % Q, W))


def test_denial_with_zero_as_blinding_is_refused() -> None:
    item = held()
    with pytest.raises(Malformed):
        verify_unequal(CTX, Y, (item,), denial_by(item, 0, 0, Point(EDWARDS25519, EDWARDS25519.identity)))


def test_denial_with_an_invented_W_is_refused() -> None:
    item, z = held(), 777
    assert not verify_unequal(CTX, Y, (item,), denial_by(item, z, z * X % Q, point(5)))


@pytest.mark.parametrize("data", bad_points().values(), ids=bad_points().keys())
def test_denial_with_a_bad_W_is_malformed(data: bytes) -> None:
    with pytest.raises(Malformed, match="no element"):
        verify_unequal(CTX, Y, ITEMS, UNEQUAL[:32] + data + UNEQUAL[64:])


def test_denial_of_nothing_is_malformed() -> None:
    with pytest.raises(Malformed):
        verify_unequal(CTX, Y, (), encode_scalar(1))


@pytest.mark.parametrize(
    "items",
    [ITEMS[:2], (*ITEMS, ITEMS[0]), (ITEMS[0], ITEMS[0], ITEMS[2])],
    ids=["omitted", "added", "repeated"],
)
def test_denial_of_other_items_than_the_verifiers_is_refused(items: tuple[Unequal, ...]) -> None:
    proof = prove_unequal(CTX, X, Y, items, RNG)
    if len(items) == len(ITEMS):
        assert not verify_unequal(CTX, Y, ITEMS, proof)
    else:
        with pytest.raises(Malformed):
            verify_unequal(CTX, Y, ITEMS, proof)


def test_denial_does_not_hold_for_another_card_or_order() -> None:
    for items in (
        (*ITEMS[:2], Unequal(ITEMS[2].A, ITEMS[2].V + A)),
        (*ITEMS[:2], Unequal(ITEMS[2].A + A, ITEMS[2].V)),
        ITEMS[::-1],
    ):
        assert not verify_unequal(CTX, Y, items, UNEQUAL)


# The drawing of secrets


def nonces(
    seed: str = "nonces", *, x: int = X, purpose: str = "p", statement: bytes = b"s", group: Group = CHEAP
) -> Nonces:
    return Nonces(group, SeededRng(seed), x, purpose, statement)


def constant(_: int) -> bytes:
    """A generator that is broken, or a snapshot that was restored."""
    return bytes(32)


def test_every_name_and_index_has_a_secret_of_its_own() -> None:
    drawn = Nonces(CHEAP, constant, X, "p", b"s")
    secrets = [drawn.draw(name, index) for name in ("k", "w", "wh", "z", "rho", "r") for index in range(60)]
    assert len(set(secrets)) == len(secrets)


def test_the_same_secret_twice_comes_out_different() -> None:
    drawn = nonces()
    assert drawn.draw("k") != drawn.draw("k")


def test_broken_generator_still_gives_other_secrets_for_another_statement_key_or_purpose() -> None:
    drawn = {
        Nonces(CHEAP, constant, x, purpose, statement).draw("k")
        for x in (X, X + 1)
        for purpose in ("p", "q")
        for statement in (b"s", b"t")
    }
    assert len(drawn) == 8


def test_broken_generator_gives_other_responses_for_another_statement() -> None:
    """With one nonce for two challenges x could be computed: s - s' = (c - c') x."""
    proofs = [prove_equal(ctx, X, Y, A, D, constant) for ctx in (b"one", b"two")]
    (c1, s1), (c2, s2) = (
        (int.from_bytes(proof[:32], "little"), int.from_bytes(proof[32:], "little")) for proof in proofs
    )
    assert (s1 - s2) * pow(c1 - c2, -1, Q) % Q != X


class TwoElements(Integers):
    """A group so small that half of all draws are zero."""

    order = 2  # type: ignore[misc]


def test_zero_is_never_drawn() -> None:
    drawn = nonces(group=TwoElements())
    assert {drawn.draw("k", index) for index in range(50)} == {1}


def test_seed_of_a_permutation_is_64_bytes_of_its_own() -> None:
    drawn = Nonces(CHEAP, constant, X, "p", b"s")
    assert len(drawn.seed("permutation")) == 64
    assert int.from_bytes(drawn.seed("permutation"), "little") % CHEAP.order != drawn.draw("rho")
