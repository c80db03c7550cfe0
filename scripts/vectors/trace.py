"""The values inside the proofs, as a verifier meets them: where a second implementer looks for his mistake.

It owns a second, plain writing of each verification; it decides nothing, and takes only proofs that can be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairdeck.elgamal import encode_deck
from fairdeck.group import (
    Group,
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
from fairdeck.shuffle import Statement
from fairdeck.sigma import Unequal
from fairdeck.transcript import hash64


def key(ctx: bytes, Y: Point, proof: bytes) -> dict[str, Any]:
    """T and the challenge of a proof of possession."""
    c, s = decode_scalars(Y.group, proof)
    T = times_base(Y.group, s) - c * Y
    challenge = hash_to_scalar(Y.group, "challenge key", ctx, base(Y.group).data, Y.data, T.data)
    return {"T": T.data, "challenge": encode_scalar(challenge)}


def equal(ctx: bytes, Y: Point, A: Point, D: Point, proof: bytes) -> dict[str, Any]:
    """T1, T2 and the challenge of a proof of equal logarithms."""
    c, s = decode_scalars(Y.group, proof)
    T1, T2 = times_base(Y.group, s) - c * Y, s * A - c * D
    absorbed = (base(Y.group), Y, A, D, T1, T2)
    challenge = hash_to_scalar(Y.group, "challenge equal", ctx, *(P.data for P in absorbed))
    return {"T1": T1.data, "T2": T2.data, "challenge": encode_scalar(challenge)}


def unequal(ctx: bytes, Y: Point, items: Sequence[Unequal], proof: bytes) -> dict[str, Any]:
    """W, T1 and T2 of each item, and the challenge of a proof of unequal logarithms."""
    group, n = Y.group, len(items)
    W = decode_points(group, proof[: 32 * n])
    c, *s = decode_scalars(group, proof[32 * n :])
    T1 = [s[i] * item.V - s[n + i] * item.A - c * W[i] for i, item in enumerate(items)]
    T2 = [s[i] * Y - times_base(group, s[n + i]) for i in range(n)]
    absorbed = [part for i, item in enumerate(items) for part in (item.A, item.V, W[i], T1[i], T2[i])]
    challenge = hash_to_scalar(group, "challenge unequal", ctx, base(group).data, Y.data, *(P.data for P in absorbed))
    return {"W": _datas(W), "T1": _datas(T1), "T2": _datas(T2), "challenge": encode_scalar(challenge)}


def shuffle(statement: Statement, proof: bytes, constants: Sequence[Point] = ()) -> dict[str, Any]:
    """The seed, every u_k, every t and the challenge of a shuffle; `constants` replace the generators H, H_i."""
    group, Y, inp, out = statement.Y.group, statement.Y, statement.inp, statement.out
    n, G = len(inp), base(statement.Y.group)
    points = decode_points(group, proof[: 64 * n])
    c_perm, chat = points[:n], points[n:]
    c, s1, s2, s3, s4, *rest = decode_scalars(group, proof[64 * n :])
    sh, sp = rest[:n], rest[n:]
    H, *Hi = constants or pedersen_points(group, n)
    absorbed = (statement.ctx, G.data, Y.data, _joined((H, *Hi)), encode_deck(inp), encode_deck(out))
    seed = hash64("shuffle seed", *absorbed, _joined(c_perm))
    u = [hash_to_scalar(group, "shuffle u", seed, k.to_bytes(2, "big")) for k in range(n)]
    product = _product(group, u)
    t = {
        "t1": s1 * G - c * (total(c_perm) - total(Hi)),
        "t2": s2 * G - c * (chat[-1] - product * H),
        "t3": total([s3 * G, *(sp[i] * Hi[i] for i in range(n))]) - c * total(u[k] * c_perm[k] for k in range(n)),
        "t41": total(sp[i] * out[i].C1 for i in range(n)) - s4 * G - c * total(u[k] * inp[k].C1 for k in range(n)),
        "t42": total(sp[i] * out[i].C2 for i in range(n)) - s4 * Y - c * total(u[k] * inp[k].C2 for k in range(n)),
    }
    chain = (H, *chat)
    th = [sh[i] * G + sp[i] * chain[i] - c * chat[i] for i in range(n)]
    parts = (_joined(c_perm), _joined(chat), _joined(list(t.values())), _joined(th))
    challenge = hash_to_scalar(group, "challenge shuffle", *absorbed, *parts)
    return {
        "seed": seed,
        "u": [encode_scalar(value) for value in u],
        "productOfU": encode_scalar(product),
        **{name: point.data for name, point in t.items()},
        "th": _datas(th),
        "challenge": encode_scalar(challenge),
    }


def _product(group: Group, values: Sequence[int]) -> int:
    product = 1
    for value in values:
        product = product * value % group.order
    return product


def _datas(points: Sequence[Point]) -> list[bytes]:
    return [point.data for point in points]


def _joined(points: Sequence[Point]) -> bytes:
    return b"".join(point.data for point in points)
