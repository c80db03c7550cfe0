"""Permute and remask a list of ciphertexts, and prove that nothing else was done to it.

It owns the shuffle and its proof; it does not know whether the list is a deck or a hand, nor whose turn it is.

The proof is the one of Terelius and Wikström in the form of Haenni, Locher, Koenig and Dubuis, "Pseudo-Code Algorithms
for Verifiable Re-Encryption Mix-Nets" (FC 2017 workshops), proven sound for this variant by Haines (arXiv 1901.08371).
In their letters, with p the permutation, `inp` and `out` the lists of N ciphertexts under Y:

    out[i] = inp[p(i)] + (rho_i G, rho_i Y)
    1  c_{p(i)} = r_{p(i)} G + H_i                                  commitment to the permutation matrix
    2  u_k = H(statement, c)_k,  u'_i = u_{p(i)}                    the verifier's challenges
    3  chat_0 = H, chat_i = rh_i G + u'_i chat_{i-1}                chain that ends in the product of all u
    4  t1 = w1 G, t2 = w2 G, t3 = w3 G + sum wp_i H_i,
       t41 = sum wp_i out_i.C1 - w4 G, t42 = sum wp_i out_i.C2 - w4 Y, th_i = wh_i G + wp_i chat_{i-1}
    5  c = H(statement, c, chat, t)
       s1 = w1 + c sum r, s2 = w2 + c sum rh_i v_i, s3 = w3 + c sum r_k u_k, s4 = w4 + c sum rho_i u'_i,
       sh_i = wh_i + c rh_i, sp_i = wp_i + c u'_i                   (v_N = 1, v_{i-1} = u'_i v_i)
    6  proof = c_1..c_N, chat_1..chat_N, c, s1..s4, sh, sp          32 (4 N + 5) bytes: 4,768 for 36 cards
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha512

from fairdeck.elgamal import Ciphertext, decode_deck, encode_deck, remask
from fairdeck.errors import Malformed
from fairdeck.group import (
    Point,
    base,
    decode_points,
    decode_scalars,
    encode_scalar,
    hash_to_scalar,
    pedersen_points,
    times_base,
    total,
)
from fairdeck.sigma import Nonces, Rng
from fairdeck.transcript import hash64


def proof_bytes(cards: int) -> int:
    """How long the proof of a shuffle of `cards` ciphertexts is, in bytes."""
    return 32 * (4 * cards + 5)


@dataclass(frozen=True, slots=True)
class Statement:
    """What is proven: `out` is `inp` permuted and remasked under Y, for the game, seat and purpose in `ctx`."""

    ctx: bytes
    Y: Point
    inp: tuple[Ciphertext, ...]
    out: tuple[Ciphertext, ...]

    def absorb(self) -> tuple[bytes, ...]:
        """Every byte of the statement, with all constants, for the hash."""
        group = self.Y.group
        constants = b"".join(H.data for H in pedersen_points(group, len(self.inp)))
        return (
            self.ctx,
            base(group).data,
            self.Y.data,
            constants,
            encode_deck(self.inp),
            encode_deck(self.out),
        )


@dataclass(frozen=True, slots=True)
class Permuted:
    """A shuffle that is yet to be proven, with its secrets: `out[i]` is `inp[permutation[i]]`, remasked by `rho[i]`."""

    out: tuple[Ciphertext, ...]
    permutation: tuple[int, ...]
    rho: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The output list, its proof, and where each card went: `out[i]` holds the card of `inp[permutation[i]]`."""

    out: tuple[Ciphertext, ...]
    proof: bytes
    permutation: tuple[int, ...]


def shuffle(ctx: bytes, x: int, Y: Point, inp: Sequence[Ciphertext], rng: Rng) -> Shuffled:
    """Shuffle and prove (SPEC: Shuffle).

    Args:
        ctx: 32 bytes that bind the proof to game, seat and purpose.
        x: the shuffler's secret; it only strengthens the drawing of the secrets.
        Y: the key under which the cards are masked.
        inp: 2 to 52 ciphertexts.
        rng: fresh random bytes.

    Returns:
        The output list and a proof of `proof_bytes(len(inp))` bytes.
    """
    permuted = permute(ctx, x, Y, inp, rng)
    statement = Statement(ctx, Y, tuple(inp), permuted.out)
    return Shuffled(permuted.out, prove_shuffle(statement, x, permuted, rng), permuted.permutation)


def permute(ctx: bytes, x: int, Y: Point, inp: Sequence[Ciphertext], rng: Rng) -> Permuted:
    """The shuffle without its proof: out[i] = inp[p(i)] + (rho_i G, rho_i Y). The arguments are those of `shuffle`."""
    group, n = Y.group, len(inp)
    nonces = Nonces(group, rng, x, "shuffle", ctx + Y.data + encode_deck(inp))
    p = permutation(nonces.seed("permutation"), n)
    rho = tuple(nonces.draw("rho", i) for i in range(n))
    return Permuted(tuple(remask(group, Y, inp[p[i]], rho[i]) for i in range(n)), p, rho)


def permutation(seed: bytes, n: int) -> tuple[int, ...]:
    """A uniform permutation of 0..n-1 from a seed: Fisher-Yates with rejection, so that it has no bias.

    Args:
        seed: 64 secret bytes.
        n: at most 255.
    """
    stream = _byte_stream(seed)
    p = list(range(n))
    for i in range(n - 1, 0, -1):
        limit = 256 - 256 % (i + 1)
        j = next(stream)
        while j >= limit:
            j = next(stream)
        j %= i + 1
        p[i], p[j] = p[j], p[i]
    return tuple(p)


def _byte_stream(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from sha512(seed + counter.to_bytes(4, "big")).digest()
        counter += 1


def prove_shuffle(statement: Statement, x: int, permuted: Permuted, rng: Rng) -> bytes:
    """Prove that `out` is `inp` permuted and remasked as in `permuted`, in `proof_bytes(N)` bytes.

    The shuffler's secret `x` only strengthens the secrets that are drawn with `rng`.
    """
    p, rho = permuted.permutation, permuted.rho
    group, Y, out, n = statement.Y.group, statement.Y, statement.out, len(p)
    q = group.order
    H, *Hi = pedersen_points(group, n)
    nonces = Nonces(group, rng, x, "shuffle proof", b"".join(statement.absorb()))

    r = [nonces.draw("r", k) for k in range(n)]
    c_perm: list[Point] = [H] * n
    for i in range(n):
        c_perm[p[i]] = times_base(group, r[p[i]]) + Hi[i]
    u = _challenges(statement, c_perm)
    up = [u[p[i]] for i in range(n)]

    # chat_i = R_i G + U_i H is the same point as the recurrence of step 3 and needs no earlier point.
    rh = [nonces.draw("rh", i) for i in range(n)]
    R, U, chat, R_before, U_before = 0, 1, [], [], []
    for i in range(n):
        R_before.append(R)
        U_before.append(U)
        R, U = (rh[i] + up[i] * R) % q, up[i] * U % q
        chat.append(times_base(group, R) + U * H)

    w1, w2, w3, w4 = (nonces.draw("w", i) for i in range(1, 5))
    wh = [nonces.draw("wh", i) for i in range(n)]
    wp = [nonces.draw("wp", i) for i in range(n)]
    t = [
        times_base(group, w1),
        times_base(group, w2),
        total([times_base(group, w3), *(wp[i] * Hi[i] for i in range(n))]),
        total(wp[i] * out[i].C1 for i in range(n)) - times_base(group, w4),
        total(wp[i] * out[i].C2 for i in range(n)) - w4 * Y,
    ]
    # th_i = wh_i G + wp_i chat_{i-1} = (wh_i + wp_i R_{i-1}) G + (wp_i U_{i-1}) H: one fixed-base call is cheaper.
    th = [times_base(group, wh[i] + wp[i] * R_before[i]) + wp[i] * U_before[i] * H for i in range(n)]
    c = _challenge(statement, c_perm, chat, t, th)

    v, rh_sum = 1, 0
    for i in range(n - 1, -1, -1):
        rh_sum += rh[i] * v
        v = v * up[i] % q
    s = [
        w1 + c * sum(r),
        w2 + c * rh_sum,
        w3 + c * sum(r[k] * u[k] for k in range(n)),
        w4 + c * sum(rho[i] * up[i] for i in range(n)),
    ]
    s += [wh[i] + c * rh[i] for i in range(n)]
    s += [wp[i] + c * up[i] for i in range(n)]
    points = b"".join(P.data for P in (*c_perm, *chat))
    return points + encode_scalar(c) + b"".join(encode_scalar(value % q) for value in s)


def verify_shuffle(statement: Statement, proof: bytes) -> bool:
    """Whether `proof` shows that `out` is a permutation of `inp`, remasked under Y, and nothing else.

    Args:
        statement: with decoded lists of equal length N.
        proof: `proof_bytes(N)` bytes.

    Raises:
        Malformed: if the proof cannot be read.
    """
    group, Y, inp, out = statement.Y.group, statement.Y, statement.inp, statement.out
    n = len(inp)
    if len(out) != n or len(proof) != proof_bytes(n):
        raise Malformed(f"The proof of a shuffle of {n} cards must be {proof_bytes(n)} bytes.")
    points = decode_points(group, proof[: 64 * n])
    c_perm, chat = points[:n], points[n:]
    c, s1, s2, s3, s4, *rest = decode_scalars(group, proof[64 * n :])
    sh, sp = rest[:n], rest[n:]
    H, *Hi = pedersen_points(group, n)
    u = _challenges(statement, c_perm)

    product = 1
    for u_k in u:
        product = product * u_k % group.order
    chain = (H, *chat)
    t = [
        times_base(group, s1) - c * (total(c_perm) - total(Hi)),
        times_base(group, s2) - c * (chat[-1] - product * H),
        total([times_base(group, s3), *(sp[i] * Hi[i] for i in range(n))])
        - total((c * u[k]) * c_perm[k] for k in range(n)),
        total(sp[i] * out[i].C1 for i in range(n))
        - times_base(group, s4)
        - total((c * u[k]) * inp[k].C1 for k in range(n)),
        total(sp[i] * out[i].C2 for i in range(n)) - s4 * Y - total((c * u[k]) * inp[k].C2 for k in range(n)),
    ]
    th = [times_base(group, sh[i]) + sp[i] * chain[i] - c * chat[i] for i in range(n)]
    return c == _challenge(statement, c_perm, chat, t, th)


def _challenges(statement: Statement, c_perm: Sequence[Point]) -> list[int]:
    """u_k: one seed over the whole statement and the commitment, expanded at k."""
    group = statement.Y.group
    seed = hash64("shuffle seed", *statement.absorb(), b"".join(C.data for C in c_perm))
    return [hash_to_scalar(group, "shuffle u", seed, k.to_bytes(2, "big")) for k in range(len(c_perm))]


def _challenge(
    statement: Statement,
    c_perm: Sequence[Point],
    chat: Sequence[Point],
    t: Sequence[Point],
    th: Sequence[Point],
) -> int:
    parts = [b"".join(P.data for P in points) for points in (c_perm, chat, t, th)]
    return hash_to_scalar(statement.Y.group, "challenge shuffle", *statement.absorb(), *parts)


def check_shuffle(
    ctx: bytes, Y: Point, inp: tuple[Ciphertext, ...], data: bytes, proof: bytes, *, verify: bool = True
) -> tuple[Ciphertext, ...]:
    """Decode the output list of a shuffle and demand its proof.

    Args:
        ctx: 32 bytes that bind the proof to game, seat and purpose.
        Y: the key under which the cards are masked.
        inp: our own copy of the input; never one that the peer names.
        data: the output list, 64 bytes a card.
        proof: `proof_bytes(len(inp))` bytes.
        verify: False only for a list that we shuffled ourselves.

    Raises:
        Malformed: the list or the proof cannot be read, or the proof is wrong.
    """
    out = decode_deck(Y.group, data, len(inp))
    if verify and not verify_shuffle(Statement(ctx, Y, inp, out), proof):
        raise Malformed("The proof of a shuffle does not hold: cards were changed, added or dropped.")
    return out
