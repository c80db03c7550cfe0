"""Vectors of the group: which bytes are points and scalars, arithmetic, and the constants nobody knows logarithms of.

It owns the hostile encodings; the file of scalars is here too, as both are the two kinds of word in a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha512
from typing import Any, Final

from fairdeck.group import (
    EDWARDS25519,
    Point,
    card_points,
    encode_scalar,
    hash_to_group,
    pedersen_points,
    times_base,
)
from fairdeck.transcript import PREFIX, hash64
from tests.fairdeck.forge import NOT_CANONICAL, OFF_CURVE, SMALL_ORDER, mixed_order
from vectors.form import Case, Group, VectorFile, invalid, valid

ORDER: Final = EDWARDS25519.order
CONSTANTS: Final = 52
"""As many cards as any deck may have; the first 36 are the deck of durak."""

HEADER: Final = (
    "Point: whether bytes from a peer are a point: canonical, in the prime-order subgroup, not the identity.",
    "HashToGroup: the sum of two Elligator 2 maps of the halves of H(label, message), each with the cofactor cleared.",
    "CardPoints: M_0, M_1 ... Pedersen: H, H_1, H_2 ...; a shorter list is the beginning of a longer one.",
    "Arithmetic: product is s P, sum is P + Q, difference is P - Q; the identity is a right answer here.",
    "In groups of computed values a valid test states the right one, an invalid one what the slip in its flags gives.",
)


def point(s: int) -> Point:
    """S times the base point."""
    return times_base(EDWARDS25519, s)


def bad_points() -> Iterator[tuple[str, str, bytes]]:
    """Comment, flag and bytes of strings of 32 bytes that are no points."""
    for name, data in SMALL_ORDER.items():
        flag = "Identity" if name == "identity" else "SmallOrder"
        yield f"a point of small order: {name}", flag, bytes.fromhex(data)
    for name, data in NOT_CANONICAL.items():
        yield f"not canonical: {name}", "NonCanonicalPoint", bytes.fromhex(data)
    for name, data in OFF_CURVE.items():
        yield f"not on the curve: {name}", "OffCurve", bytes.fromhex(data)
    for torsion in SMALL_ORDER:
        if torsion != "identity":
            yield f"an element plus the point of {torsion}", "MarkedPoint", mixed_order(point(7).data, torsion)
    yield "G plus the point of order 2", "MarkedPoint", mixed_order(point(1).data, "order 2")


def bad_scalars() -> Iterator[tuple[str, bytes]]:
    """Comment and bytes of strings of 32 bytes that are no scalars."""
    numbers = {
        "the order": ORDER,
        "the order plus one, a second form of 1": ORDER + 1,
        "twice the order": 2 * ORDER,
        "a second form of the highest scalar": 2 * ORDER - 1,
        "2^253": 2**253,
        "2^255 - 1": 2**255 - 1,
        "2^256 - 1": 2**256 - 1,
        "1 with the highest bit set": 2**255 + 1,
        "15 times the order, the greatest multiple that fits": 15 * ORDER,
        "the prime of the field": 2**255 - 19,
    }
    for comment, number in numbers.items():
        yield comment, number.to_bytes(32, "little")


def groups() -> VectorFile:
    """group.json."""
    parts = (
        Group("Point", tuple(_points())),
        Group("HashToGroup", tuple(_hashed())),
        Group("CardPoints", tuple(_cards())),
        Group("PedersenPoints", tuple(_pedersen())),
        Group("Arithmetic", tuple(_arithmetic())),
    )
    return VectorFile("group.json", "Group", HEADER, parts)


def scalars() -> VectorFile:
    """scalars.json."""
    right = {"0": 0, "1": 1, "the highest": ORDER - 1, "8": 8, "2^252": 2**252, "any": 0x0123456789ABCDEF << 180}
    cases = [valid(comment, scalar=encode_scalar(number)) for comment, number in right.items()]
    cases += [invalid(comment, "ScalarNotReduced", scalar=data) for comment, data in bad_scalars()]
    one = encode_scalar(1)
    for comment, data in (("empty", b""), ("31 bytes", one[:31]), ("33 bytes", one + b"\0"), ("64 bytes", one * 2)):
        cases.append(invalid(comment, "WrongLength", scalar=data))
    header = ("Scalar: 32 bytes, little-endian, below the order of the group.",)
    return VectorFile("scalars.json", "Scalars", header, (Group("Scalar", cases),))


def _points() -> Iterator[Case]:
    for s in (1, 2, 7, 2**200 + 1, ORDER - 1):
        yield valid(f"{s if s < 10 else 'a high multiple'} G", point=point(s).data)
    yield valid("a card point", point=card_points(EDWARDS25519, 1)[0].data)
    for comment, flag, data in bad_points():
        yield invalid(comment, flag, point=data)
    right = point(1).data
    for comment, data in (("empty", b""), ("31 bytes", right[:31]), ("33 bytes", right + b"\0"), ("64", right * 2)):
        yield invalid(f"wrong length: {comment}", "WrongLength", point=data)
    yield invalid("G with its sign bit set is -G, but G big-endian is no point", "OffCurve", point=right[::-1])


def _hashed() -> Iterator[Case]:
    for label, message in (("card", b"\x00\x00"), ("card", b"\x00\x23"), ("pedersen", b"\x00\x00"), ("test", b"")):
        P = hash_to_group(EDWARDS25519, label, message)
        yield valid("a constant" if message else "an empty message", label=label, message=message, point=P.data)
    label, message = "card", b"\x00\x00"
    h = hash64(label, message)
    first, second = (Point(EDWARDS25519, EDWARDS25519.map_uniform(half)) for half in (h[:32], h[32:]))
    unframed = sha512(PREFIX + b"card" + message).digest()
    wrong = {
        "only the first half is mapped": ("NotUniform", first),
        "only the second half is mapped": ("NotUniform", second),
        "the difference of the halves": ("NotUniform", first - second),
        "the hash as a logarithm": ("KnownLogarithms", point(int.from_bytes(h, "little"))),
        "the hash is not framed": (
            "NoFraming",
            Point(EDWARDS25519, EDWARDS25519.map_uniform(unframed[:32]))
            + Point(EDWARDS25519, EDWARDS25519.map_uniform(unframed[32:])),
        ),
        "another label": ("WrongLabel", hash_to_group(EDWARDS25519, "cards", message)),
        "the number in one byte": ("WrongFraming", hash_to_group(EDWARDS25519, label, b"\x00")),
        "the number in four bytes": ("WrongFraming", hash_to_group(EDWARDS25519, label, bytes(4))),
    }
    for comment, (flag, P) in wrong.items():
        yield invalid(comment, flag, label=label, message=message, point=P.data)


def _cards() -> Iterator[Case]:
    M = card_points(EDWARDS25519, CONSTANTS)
    yield _constants("M_0 to M_51", M)
    yield _constants("the 36 cards of durak", M[:36])
    little = [hash_to_group(EDWARDS25519, "card", c.to_bytes(2, "little")) for c in range(36)]
    yield _constants("the numbers little-endian", little, "WrongFraming")
    yield _constants("(c + 1) G: every logarithm is known", [point(c + 1) for c in range(36)], "KnownLogarithms")
    yield _constants("two swapped", [M[1], M[0], *M[2:36]], "WrongOrder")
    yield _constants("counted from one", M[1:37], "WrongOrder")
    yield _constants("one card twice", [M[0], M[0], *M[2:36]], "DuplicateCard")
    yield _constants("one multiplied by two", [2 * M[0], *M[1:36]], "KnownLogarithms")


def _pedersen() -> Iterator[Case]:
    H = pedersen_points(EDWARDS25519, CONSTANTS)
    yield _constants("H, H_1 to H_52", H)
    yield _constants("for two cards", H[:3])
    yield _constants("i G: every logarithm is known", [point(i + 1) for i in range(37)], "KnownLogarithms")
    yield _constants("multiples of H", [(i + 1) * H[0] for i in range(37)], "KnownLogarithms")
    yield _constants("H left out", H[1:38], "WrongOrder")
    yield _constants("the card points", card_points(EDWARDS25519, 37), "WrongLabel")
    yield _constants("two swapped", [H[0], H[2], H[1]], "WrongOrder")


def _constants(comment: str, points: Any, *flags: str) -> Case:
    make = invalid if flags else valid
    return make(comment, *flags, points=[P.data for P in points])


def _arithmetic() -> Iterator[Case]:
    G, P, Q = point(1), point(1234567), hash_to_group(EDWARDS25519, "test", b"Q")
    for comment, s, left, right in (
        ("two elements", 3, P, Q),
        ("a high scalar", ORDER - 1, Q, P),
        ("the scalar 0", 0, P, Q),
        ("P + (-P) and 0 P are the identity", 0, P, -1 * P),
        ("P - P is the identity", 1, P, P),
        ("a doubling", 2, Q, Q),
        ("G and -G", 8, G, -1 * G),
    ):
        yield _computed(comment, s, left, right)
    yield _computed("the scalar is clamped", 3, P, Q, "WrongReduction", product=(2**254) * P)
    yield _computed("times the cofactor", 3, P, Q, "CofactorCleared", product=24 * P)
    yield _computed("the product by the base", 3, Q, P, "WrongOrder", product=point(3))
    yield _computed("the difference the other way round", 3, P, Q, "WrongOrder", difference=Q - P)
    yield _computed("the sum is the difference", 3, P, Q, "WrongOrder", sum=P - Q)
    for name in ("product", "sum", "difference"):
        marked = Point(EDWARDS25519, mixed_order(point(5).data, "order 2"))
        yield _computed(f"the {name} is marked by the point of order 2", 3, P, Q, "MarkedPoint", **{name: marked})


def _computed(comment: str, s: int, P: Point, Q: Point, *flags: str, **wrong: Point) -> Case:
    values = {"product": s * P, "sum": P + Q, "difference": P - Q} | wrong
    make = invalid if flags else valid
    datas = {name: value.data for name, value in values.items()}
    return make(comment, *flags, s=encode_scalar(s), P=P.data, Q=Q.data, **datas)
