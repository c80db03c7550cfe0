"""Shufflers who would pass where one defence is missing: a marked card, and generators with known logarithms.

It owns these two forgeries in the real group; the vectors made of them show what each defence is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nacl import bindings as sodium

from fairdeck.elgamal import Ciphertext, encode_deck, remask
from fairdeck.group import EDWARDS25519, Edwards25519, Point, encode_scalar, hash_to_scalar, times_base
from fairdeck.shuffle import Permuted, Statement, permute, prove_shuffle, verify_shuffle
from fairdeck.transcript import hash64
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.forge import SMALL_ORDER

ORDER: Final = EDWARDS25519.order
HALF: Final = bytes.fromhex(SMALL_ORDER["order 2"])


class WholeCurve(Edwards25519):
    """The group as a careless program has it: points marked by the point of order two pass."""

    def is_element(self, data: bytes) -> bool:
        return super().is_element(data) or super().is_element(sodium.crypto_core_ed25519_add(data, HALF))

    def mul_encoded(self, s: int, p: bytes) -> bytes:
        if p == self.identity or super().is_element(p):
            return super().mul_encoded(s, p)
        product = super().mul_encoded(s, sodium.crypto_core_ed25519_add(p, HALF))
        return sodium.crypto_core_ed25519_add(product, HALF) if s % 2 else product


def marked(ctx: bytes, x: int, inp: Sequence[Ciphertext], place: int, *, second_half: bool) -> tuple[bytes, bytes]:
    """A shuffle in which one card bears the point of order two, with a proof that the whole curve accepts.

    The factors of the marked point must be even, which one draw in four gives.
    """
    careless = WholeCurve()
    Y = times_base(careless, x)
    before = tuple(Ciphertext(Point(careless, m.C1.data), Point(careless, m.C2.data)) for m in inp)
    for attempt in range(200):
        rng = SeededRng(f"marked {attempt}")
        done = permute(ctx, x, Y, before, rng)
        one, mark = done.out[place], Point(careless, HALF)
        spoilt = Ciphertext(one.C1, one.C2 + mark) if second_half else Ciphertext(one.C1 + mark, one.C2)
        out = (*done.out[:place], spoilt, *done.out[place + 1 :])
        statement = Statement(ctx, Y, before, out)
        proof = prove_shuffle(statement, x, Permuted(out, done.permutation, done.rho), rng)
        if verify_shuffle(statement, proof):
            return encode_deck(out), proof
    raise AssertionError("one draw in four must do")


def rigged_generators(n: int) -> tuple[Point, ...]:
    """H, H_1 .. H_n of a program that takes multiples of G: every logarithm is known."""
    return tuple(times_base(EDWARDS25519, log) for log in _logs(n))


def _logs(n: int) -> list[int]:
    return [1000 + i for i in range(n + 1)]


def doubled_card(ctx: bytes, Y: Point, inp: Sequence[Ciphertext]) -> tuple[Statement, bytes]:
    """A "shuffle" that turns the first card into twice itself, proven by one who knows the generators' logarithms.

    He opens his commitments to whatever the verifier's equations ask for: u'_0 = u_0 / 2, which is no permutation.
    """
    n, rng = len(inp), SeededRng("doubled card")
    rho = [1 + rng.below(ORDER - 1) for _ in range(n)]
    twice = Ciphertext(2 * inp[0].C1, 2 * inp[0].C2)
    out = tuple(remask(EDWARDS25519, Y, masked, rho[i]) for i, masked in enumerate((twice, *inp[1:])))
    statement = Statement(ctx, Y, tuple(inp), out)
    h, *hi = _logs(n)
    gamma, eta, theta, wp = ([1 + rng.below(ORDER - 1) for _ in range(n)] for _ in range(4))
    tau = [1 + rng.below(ORDER - 1) for _ in range(4)]
    c_perm, chat, th = (_points(values) for values in (gamma, eta, theta))
    generators = b"".join(P.data for P in rigged_generators(n))
    G = times_base(EDWARDS25519, 1)
    absorbed = (ctx, G.data, Y.data, generators, encode_deck(inp), encode_deck(out))
    seed = hash64("shuffle seed", *absorbed, c_perm)
    u = [hash_to_scalar(EDWARDS25519, "shuffle u", seed, k.to_bytes(2, "big")) for k in range(n)]
    up = [u[0] * pow(2, -1, ORDER) % ORDER, *u[1:]]
    t = _points(tau[:3]) + b"".join(_sum(wp, out, tau[3], G, Y))
    c = hash_to_scalar(EDWARDS25519, "challenge shuffle", *absorbed, c_perm, chat, t, th)
    product = 1
    for value in u:
        product = product * value % ORDER
    sp = [wp[i] + c * up[i] for i in range(n)]
    chain = (h, *eta)
    s = [
        tau[0] + c * (sum(gamma) - sum(hi)),
        tau[1] + c * (eta[-1] - product * h),
        tau[2] - sum(sp[i] * hi[i] for i in range(n)) + c * sum(u[k] * gamma[k] for k in range(n)),
        tau[3] + c * sum(up[i] * rho[i] for i in range(n)),
        *(theta[i] - sp[i] * chain[i] + c * eta[i] for i in range(n)),
        *sp,
    ]
    return statement, c_perm + chat + b"".join(encode_scalar(value % ORDER) for value in (c, *s))


def _points(logs: Sequence[int]) -> bytes:
    return b"".join(times_base(EDWARDS25519, log).data for log in logs)


def _sum(factors: Sequence[int], out: Sequence[Ciphertext], less: int, G: Point, Y: Point) -> tuple[bytes, bytes]:
    """The sum of factor times ciphertext, less a mask."""
    C1, C2 = (-less) * G, (-less) * Y
    for factor, masked in zip(factors, out, strict=True):
        C1, C2 = C1 + factor * masked.C1, C2 + factor * masked.C2
    return C1.data, C2.data
