"""Sigma protocols made non-interactive: key possession, equal logarithms, unequal logarithms.

It owns three proofs and the drawing of their secrets; it knows no deck, hand or seat: what a proof is bound to comes in
as context bytes, and each challenge absorbs the context and the whole statement.

    key      Schnorr:             Y = x G
    equal    Chaum-Pedersen:      Y = x G and D = x A
    unequal  Camenisch-Shoup:     Y = x G and V != x A
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from fairdeck.errors import Malformed
from fairdeck.group import (
    Group,
    Point,
    base,
    decode_point,
    decode_scalars,
    encode_scalar,
    hash_to_scalar,
    times_base,
)
from fairdeck.transcript import hash64

Rng = Callable[[int], bytes]
"""Gives that many fresh random bytes; the operating system's in play, a seeded one in tests."""

PROOF_BYTES: Final = 64
FRESH_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Nonces:
    """Draws every secret of one proof, each under its own name and index.

    A nonce is H("nonce", purpose, name, index, x, transcript so far, 32 fresh bytes): a bad generator or a restored
    snapshot alone then reveals nothing as long as x is good. Two equal nonces would reveal the card and x.
    """

    group: Group
    rng: Rng
    x: int
    purpose: str
    statement: bytes

    def draw(self, name: str, index: int = 0) -> int:
        """A secret scalar in [1, order - 1]."""
        while True:
            k = int.from_bytes(self.seed(name, index), "little") % self.group.order
            if k:
                return k

    def seed(self, name: str, index: int = 0) -> bytes:
        """64 secret bytes, for a scalar or a permutation."""
        return hash64(
            "nonce",
            self.purpose.encode("ascii"),
            name.encode("ascii"),
            index.to_bytes(4, "big"),
            encode_scalar(self.x),
            self.statement,
            self.rng(FRESH_BYTES),
        )


def _encode(c: int, s: int) -> bytes:
    return encode_scalar(c) + encode_scalar(s)


def _decode(group: Group, proof: bytes) -> tuple[int, int]:
    if len(proof) != PROOF_BYTES:
        raise Malformed("A proof of a logarithm must be 64 bytes.")
    c, s = decode_scalars(group, proof)
    return c, s


# Key possession (SPEC: Key possession; Schnorr 1991).
#   T = k G,  c = H(ctx, G, Y, T),  s = k + c x;   verify  T = s G - c Y


def prove_key(ctx: bytes, x: int, Y: Point, rng: Rng) -> bytes:
    """Prove knowledge of x with Y = x G: 64 bytes (c, s).

    Args:
        ctx: 32 bytes that bind the proof to game, seat and purpose.
        x: the secret scalar.
        Y: its public point.
        rng: fresh random bytes.
    """
    group = Y.group
    k = Nonces(group, rng, x, "key", ctx + Y.data).draw("k")
    c = _key_challenge(ctx, Y, times_base(group, k))
    return _encode(c, (k + c * x) % group.order)


def verify_key(ctx: bytes, Y: Point, proof: bytes) -> bool:
    """Whether `proof` (64 bytes) shows that its author knows the logarithm of Y.

    Raises:
        Malformed: if the proof cannot be read.
    """
    c, s = _decode(Y.group, proof)
    return c == _key_challenge(ctx, Y, times_base(Y.group, s) - c * Y)


def _key_challenge(ctx: bytes, Y: Point, T: Point) -> int:
    return hash_to_scalar(Y.group, "challenge key", ctx, base(Y.group).data, Y.data, T.data)


# Equal logarithms (SPEC: Equal logarithms; Chaum and Pedersen 1992).
#   T1 = k G, T2 = k A,  c = H(ctx, G, Y, A, D, T1, T2),  s = k + c x;   verify  T1 = s G - c Y, T2 = s A - c D


def prove_equal(ctx: bytes, x: int, Y: Point, A: Point, D: Point, rng: Rng) -> bytes:
    """Prove that Y = x G and D = x A for one x: 64 bytes (c, s).

    Args:
        ctx: bytes that bind the proof to game, seat, purpose and whatever else the caller names.
        x: the secret scalar.
        Y: x G.
        A: the second base.
        D: x A.
        rng: fresh random bytes.
    """
    group = Y.group
    k = Nonces(group, rng, x, "equal", ctx + Y.data + A.data + D.data).draw("k")
    c = _equal_challenge(ctx, Y, A, D, times_base(group, k), k * A)
    return _encode(c, (k + c * x) % group.order)


def verify_equal(ctx: bytes, Y: Point, A: Point, D: Point, proof: bytes) -> bool:
    """Whether `proof` (64 bytes) shows that D has to A the logarithm that Y has to G.

    Raises:
        Malformed: if the proof cannot be read.
    """
    c, s = _decode(Y.group, proof)
    T1 = times_base(Y.group, s) - c * Y
    T2 = s * A - c * D
    return c == _equal_challenge(ctx, Y, A, D, T1, T2)


def _equal_challenge(ctx: bytes, Y: Point, A: Point, D: Point, T1: Point, T2: Point) -> int:
    items = (base(Y.group).data, Y.data, A.data, D.data, T1.data, T2.data)
    return hash_to_scalar(Y.group, "challenge equal", ctx, *items)


# Unequal logarithms (SPEC: Denial; Camenisch and Shoup 2003, section 6).
# For each item (A, V), where V = x A would mean that the card is held:
#   W = z (V - x A), never the identity;  show knowledge of (a, b) = (z, z x) with W = a V - b A and O = a Y - b G:
#   T1 = k1 V - k2 A, T2 = k1 Y - k2 G,  one c for all items,  s1 = k1 + c z, s2 = k2 + c z x
#   verify  T1 = s1 V - s2 A - c W,  T2 = s1 Y - s2 G
# The second equation ties b to a and Y; without it the blinding proves nothing.


@dataclass(frozen=True, slots=True)
class Unequal:
    """One claim V != x A."""

    A: Point
    V: Point


UNEQUAL_ITEM_BYTES: Final = 96
"""W, s1 and s2; the whole proof is one challenge longer."""


def prove_unequal(ctx: bytes, x: int, Y: Point, items: Sequence[Unequal], rng: Rng) -> bytes:
    """Prove V != x A for every item: 96 bytes an item and 32 for the challenge.

    Args:
        ctx: bytes that bind the proof to game, seat, hand and cards.
        x: the secret scalar.
        Y: x G.
        items: at least one claim; each must be true, or the proof will not verify.
        rng: fresh random bytes.
    """
    group = Y.group
    q = group.order
    nonces = Nonces(group, rng, x, "absent", ctx + b"".join(i.A.data + i.V.data for i in items))
    z = [nonces.draw("z", i) for i in range(len(items))]
    k1 = [nonces.draw("k1", i) for i in range(len(items))]
    k2 = [nonces.draw("k2", i) for i in range(len(items))]
    W = [z[i] * item.V - (z[i] * x % q) * item.A for i, item in enumerate(items)]
    T1 = [k1[i] * item.V - k2[i] * item.A for i, item in enumerate(items)]
    T2 = [k1[i] * Y - times_base(group, k2[i]) for i in range(len(items))]
    c = _unequal_challenge(ctx, Y, items, W, T1, T2)
    out = [w.data for w in W] + [encode_scalar(c)]
    out += [encode_scalar((k1[i] + c * z[i]) % q) for i in range(len(items))]
    out += [encode_scalar((k2[i] + c * z[i] * x) % q) for i in range(len(items))]
    return b"".join(out)


def verify_unequal(ctx: bytes, Y: Point, items: Sequence[Unequal], proof: bytes) -> bool:
    """Whether `proof` shows V != x A for every item, with x the logarithm of Y.

    Raises:
        Malformed: if the proof cannot be read, or a W is the identity (which would mean equality).
    """
    group, n = Y.group, len(items)
    if n == 0 or len(proof) != UNEQUAL_ITEM_BYTES * n + 32:
        raise Malformed(f"A denial of {n} claims must be {UNEQUAL_ITEM_BYTES * n + 32} bytes.")
    W = [decode_point(group, proof[32 * i : 32 * i + 32]) for i in range(n)]
    c, *s = decode_scalars(group, proof[32 * n :])
    s1, s2 = s[:n], s[n:]
    T1 = [s1[i] * item.V - s2[i] * item.A - c * W[i] for i, item in enumerate(items)]
    T2 = [s1[i] * Y - times_base(group, s2[i]) for i in range(n)]
    return c == _unequal_challenge(ctx, Y, items, W, T1, T2)


def _unequal_challenge(
    ctx: bytes,
    Y: Point,
    items: Sequence[Unequal],
    W: Sequence[Point],
    T1: Sequence[Point],
    T2: Sequence[Point],
) -> int:
    absorbed = [ctx, base(Y.group).data, Y.data]
    for item, w, t1, t2 in zip(items, W, T1, T2, strict=True):
        absorbed += [item.A.data, item.V.data, w.data, t1.data, t2.data]
    return hash_to_scalar(Y.group, "challenge unequal", *absorbed)
