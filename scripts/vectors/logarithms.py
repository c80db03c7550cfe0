"""Vectors of the proofs about logarithms: possession of a key, and equal logarithms.

It owns what is altered, moved and forged; the context of each proof is given as bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from fairdeck.group import EDWARDS25519, Point, encode_scalar, hash_to_group, hash_to_scalar, times_base
from fairdeck.sigma import prove_equal, prove_key
from fairdeck.transcript import context
from tests.fairdeck.cheap import SeededRng
from vectors import trace
from vectors.form import Case, Group, VectorFile, invalid, valid
from vectors.group import bad_points, bad_scalars

ORDER: Final = EDWARDS25519.order
X: Final = 31415926535897932384626433832795028841971
OTHER_X: Final = 27182818284590452353602874713526624977572
SID: Final = bytes(range(32))

KEY_HEADER: Final = (
    "KeyPossession: proof is c | s. ctx is the context of (sid, seat, 'key').",
    "T = s G - c Y; challenge = H('challenge key', ctx, G, Y, T) as a scalar; the proof holds where challenge = c.",
)
EQUAL_HEADER: Final = (
    "EqualLogarithms: proof is c | s, for Y = x G and D = x A. ctx is any bytes; every point is given.",
    "T1 = s G - c Y, T2 = s A - c D; challenge = H('challenge equal', ctx, G, Y, A, D, T1, T2) as a scalar.",
)


def point(s: int) -> Point:
    """S times the base point."""
    return times_base(EDWARDS25519, s)


def altered_words(proof: bytes, points: int = 0) -> Iterator[tuple[str, bytes]]:
    """Each word of a proof changed to another that can be read: the first so many are points."""
    for word in range(len(proof) // 32):
        old = proof[32 * word : 32 * word + 32]
        if word < points:
            new = EDWARDS25519.add_encoded(old, EDWARDS25519.mul_base(1))
        else:
            new = encode_scalar((int.from_bytes(old, "little") + 1) % ORDER)
        yield f"word {word} is altered", proof[: 32 * word] + new + proof[32 * word + 32 :]


def with_word(proof: bytes, word: int, data: bytes) -> bytes:
    """A proof with another word."""
    return proof[: 32 * word] + data + proof[32 * word + 32 :]


def second_forms(proof: bytes, points: int = 0) -> Iterator[tuple[str, bytes]]:
    """Each scalar of a proof in its second encoding."""
    for word in range(points, len(proof) // 32):
        again = int.from_bytes(proof[32 * word : 32 * word + 32], "little") + ORDER
        yield f"word {word} is a scalar plus the order", with_word(proof, word, again.to_bytes(32, "little"))


def other_lengths(proof: bytes) -> Iterator[tuple[str, bytes]]:
    """A proof cut and grown."""
    for length in (0, len(proof) - 32, len(proof) - 1, len(proof) + 1, len(proof) + 32):
        yield f"{length} bytes instead of {len(proof)}", (proof + bytes(32))[:length]


def damaged(proof: bytes, points: int = 0) -> Iterator[tuple[str, str, bytes]]:
    """Comment, flag and bytes of everything that one word or the length can have wrong."""
    for comment, data in altered_words(proof, points):
        yield comment, "ModifiedProof", data
    for comment, data in second_forms(proof, points):
        yield comment, "ScalarNotReduced", data
    for comment, data in other_lengths(proof):
        yield comment, "WrongLength", data


def key_proofs() -> VectorFile:
    """key_proof.json."""
    return VectorFile("key_proof.json", "Key possession", KEY_HEADER, (Group("KeyPossession", tuple(_keys())),))


def _key(Y: bytes, proof: bytes, *, sid: bytes = SID, seat: int = 0, traced: bool = False) -> dict[str, Any]:
    ctx = context(sid, seat, "key")
    values = {"sid": sid, "seat": seat, "ctx": ctx, "Y": Y, "proof": proof}
    return values | (trace.key(ctx, Point(EDWARDS25519, Y), proof) if traced else {})


def _keys() -> Iterator[Case]:
    rng = SeededRng("key vectors")
    proofs = {}
    for seat in (0, 1):
        for x in (X, OTHER_X, 1, ORDER - 1):
            proofs[seat, x] = prove_key(context(SID, seat, "key"), x, point(x), rng)
            comment = f"seat {seat}, x {x if x == 1 else 'the highest' if x == ORDER - 1 else 'any'}"
            yield valid(comment, **_key(point(x).data, proofs[seat, x], seat=seat, traced=True))
    right, Y = proofs[0, X], point(X)
    for comment, flag, proof in damaged(right):
        yield invalid(comment, flag, **_key(Y.data, proof))
    yield invalid("c and s swapped", "WrongOrder", **_key(Y.data, right[32:] + right[:32]))
    yield invalid("zeros", "ModifiedProof", **_key(Y.data, bytes(64)))
    yield invalid("replayed in another game", "WrongSession", **_key(Y.data, right, sid=bytes(32)))
    yield invalid("replayed at the other seat", "WrongSeat", **_key(Y.data, right, seat=1))
    for purpose in ("shuffle", "share", "open"):
        proof = prove_key(context(SID, 0, purpose), X, Y, rng)
        yield invalid(f"made for the purpose {purpose!r}", "WrongPurpose", **_key(Y.data, proof))
    yield from _rogue_keys(right)


def _rogue_keys(right: bytes) -> Iterator[Case]:
    """Keys made of another's: their owner does not know the logarithm and takes the other's proof."""
    theirs = point(X)
    for comment, Y in (
        ("the other's key negated, under his proof", -1 * theirs),
        ("a key minus the other's, so that the sum is known", point(OTHER_X) - theirs),
        ("the other's key doubled", 2 * theirs),
        ("a point whose logarithm nobody knows", hash_to_group(EDWARDS25519, "test", b"rogue")),
    ):
        yield invalid(comment, "RogueKey", **_key(Y.data, right))
        c = hash_to_scalar(EDWARDS25519, "challenge key", context(SID, 0, "key"), Y.data, point(5).data)
        forged = encode_scalar(c) + encode_scalar(5)
        yield invalid(f"{comment}; the challenge leaves out G", "WeakChallenge", **_key(Y.data, forged))
    # With a challenge that leaves out Y the key may be chosen after it: Y = (s G - T) / c.
    T, s = point(1234), 5678
    ctx = context(SID, 0, "key")
    c = hash_to_scalar(EDWARDS25519, "challenge key", ctx, point(1).data, T.data)
    Y = pow(c, -1, ORDER) * (point(s) - T)
    forged = encode_scalar(c) + encode_scalar(s)
    yield invalid("the key was chosen after a challenge that leaves it out", "WeakChallenge", **_key(Y.data, forged))
    for comment, flag, data in bad_points():
        yield invalid(f"the key is {comment}", flag, **_key(data, right))


def equal_logarithms() -> VectorFile:
    """equal.json."""
    groups = (Group("EqualLogarithms", tuple(_equals())),)
    return VectorFile("equal.json", "Equal logarithms", EQUAL_HEADER, groups)


CTX: Final = context(SID, 0, "share")


def _equal(proof: bytes, A: Point, D: Point, *, Y: Point | None = None, ctx: bytes = CTX, traced: bool = False) -> Any:
    Y = point(X) if Y is None else Y
    values = {"ctx": ctx, "Y": Y.data, "A": A.data, "D": D.data, "proof": proof}
    return values | (trace.equal(ctx, Y, A, D, proof) if traced else {})


def _equals() -> Iterator[Case]:
    rng, Y = SeededRng("equal vectors"), point(X)
    A = hash_to_group(EDWARDS25519, "test", b"A")
    D = X * A
    for comment, first in (("any A", A), ("A is G", point(1)), ("A is Y", Y)):
        proof = prove_equal(CTX, X, Y, first, X * first, rng)
        yield valid(comment, **_equal(proof, first, X * first, traced=True))
    right = prove_equal(CTX, X, Y, A, D, rng)
    for comment, flag, proof in damaged(right):
        yield invalid(comment, flag, **_equal(proof, A, D))
    for comment, first, second in (
        ("D plus G", A, D + point(1)),
        ("D negated", A, -1 * D),
        ("A negated", -1 * A, D),
        ("A and D swapped", D, A),
        ("both doubled", 2 * A, 2 * D),
        ("another A", A + Y, D),
    ):
        yield invalid(comment, "WrongStatement", **_equal(right, first, second))
    for comment, share in (("D = (x + 1) A", (X + 1) * A), ("D = -x A", -1 * D), ("D = A", A), ("D = Y", Y)):
        forged = prove_equal(CTX, X, Y, A, share, rng)
        yield invalid(
            f"a wrong share, proven by the prover's steps: {comment}", "WrongShare", **_equal(forged, A, share)
        )
    other = prove_equal(CTX, OTHER_X, Y, A, OTHER_X * A, rng)
    yield invalid("a share under another key", "WrongShare", **_equal(other, A, OTHER_X * A))
    yield invalid("for another key", "WrongKey", **_equal(right, A, D, Y=point(OTHER_X)))
    for ctx, flag in (
        (context(bytes(32), 0, "share"), "WrongSession"),
        (context(SID, 1, "share"), "WrongSeat"),
        (context(SID, 0, "open"), "WrongPurpose"),
        (CTX + b"\0", "NoFraming"),
    ):
        yield invalid("in another context", flag, **_equal(right, A, D, ctx=ctx))
    yield from _unbound(A)
    yield invalid("a proof of possession", "WrongProof", **_equal(prove_key(CTX, X, Y, rng), point(1), Y))


def _unbound(A: Point) -> Iterator[Case]:
    """Forgeries that hold where the challenge leaves something out."""
    Y, T1, T2, s = point(X), point(11), point(13), 17
    absorbed = (point(1), Y, A, T1, T2)
    c = hash_to_scalar(EDWARDS25519, "challenge equal", CTX, *(P.data for P in absorbed))
    inverse = pow(c, -1, ORDER)
    # T1 is honest, so that Y = x G; D is chosen after the challenge: D = (s A - T2) / c.
    s = (11 + c * X) % ORDER
    D = inverse * (s * A - T2)
    forged = encode_scalar(c) + encode_scalar(s)
    yield invalid("D was chosen after a challenge that leaves it out", "WeakChallenge", **_equal(forged, A, D))
    no_second = hash_to_scalar(EDWARDS25519, "challenge equal", CTX, *(P.data for P in (point(1), Y, A, D, T1)))
    forged = encode_scalar(no_second) + encode_scalar((11 + no_second * X) % ORDER)
    yield invalid("only Y is proven: the challenge leaves out T2", "WeakChallenge", **_equal(forged, A, D))
    for comment, data in bad_scalars():
        yield invalid(f"s is {comment}", "ScalarNotReduced", **_equal(encode_scalar(1) + data, A, D))
