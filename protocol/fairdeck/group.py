"""The prime-order group in which cards are masked: points, scalars, and the one door for a peer's points.

It owns group arithmetic on encoded points; it does not know what a point stands for.

The suite in use is the prime-order subgroup of edwards25519 through libsodium (PyNaCl >= 1.6.2). Versions before that
accept points outside the subgroup (CVE-2025-69277): a cheating shuffler marks a card by adding the point of order two,
the shuffle proof still verifies, and he follows the card through the honest shuffle. Hence `self_test`.

Scalars are Python integers below the order; points are `Point`, so that formulas read as in the papers: s * G - c * Y.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Protocol

from nacl import bindings as sodium
from nacl.exceptions import CryptoError

from fairdeck.errors import LocalError, Malformed
from fairdeck.transcript import hash64

POINT_BYTES: Final = 32
SCALAR_BYTES: Final = 32


class Group(Protocol):
    """A group of prime order with encoded elements of 32 bytes. The suite id travels in the handshake."""

    @property
    def suite_id(self) -> int:
        """What names this group on the wire; 0 is never accepted from a peer by a program that knows only suites."""

    @property
    def order(self) -> int:
        """The prime order, above 2^250."""

    @property
    def identity(self) -> bytes:
        """The encoding of the neutral element."""

    def __hash__(self) -> int:
        """A group is a key of caches."""

    def is_element(self, data: bytes) -> bool:
        """Whether 32 bytes are the canonical encoding of an element other than the identity."""

    def add_encoded(self, p: bytes, q: bytes) -> bytes:
        """P + Q."""

    def sub_encoded(self, p: bytes, q: bytes) -> bytes:
        """P - Q."""

    def mul_encoded(self, s: int, p: bytes) -> bytes:
        """S times P, for 0 <= s < order and any element, the identity too."""

    def mul_base(self, s: int) -> bytes:
        """S times the base point G."""

    def map_uniform(self, data: bytes) -> bytes:
        """Map 32 uniform bytes to an element whose logarithm nobody knows."""


class Point:
    """An element of a group; immutable, compared by its encoding."""

    __slots__ = ("data", "group")

    def __init__(self, group: Group, data: bytes) -> None:
        self.group = group
        self.data = data

    def __add__(self, other: Point) -> Point:
        return Point(self.group, self.group.add_encoded(self.data, other.data))

    def __sub__(self, other: Point) -> Point:
        return Point(self.group, self.group.sub_encoded(self.data, other.data))

    def __rmul__(self, s: int) -> Point:
        return Point(self.group, self.group.mul_encoded(s % self.group.order, self.data))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.data)

    def __bytes__(self) -> bytes:
        return self.data

    def __repr__(self) -> str:
        return f"Point({self.data.hex()[:12]}…)"

    @property
    def is_identity(self) -> bool:
        """Whether this is the neutral element."""
        return self.data == self.group.identity


class Edwards25519:
    """The prime-order subgroup of edwards25519; every multiplication and decoding is one libsodium call."""

    suite_id: Final = 1
    order: Final = 2**252 + 27742317777372353535851937790883648493
    identity: Final = b"\x01" + bytes(31)

    def is_element(self, data: bytes) -> bool:
        """Canonical, on the curve, in the prime-order subgroup, and not the identity (libsodium refuses that too)."""
        return bool(sodium.crypto_core_ed25519_is_valid_point(data))

    def add_encoded(self, p: bytes, q: bytes) -> bytes:
        """P + Q; the library accepts any curve point here, which is why `decode` stands before it."""
        return sodium.crypto_core_ed25519_add(p, q)

    def sub_encoded(self, p: bytes, q: bytes) -> bytes:
        """P - Q."""
        return sodium.crypto_core_ed25519_sub(p, q)

    def mul_encoded(self, s: int, p: bytes) -> bytes:
        """S times P. The library raises on s = 0 and on the identity; both have the identity as their product."""
        if not s or p == self.identity:
            return self.identity
        return sodium.crypto_scalarmult_ed25519_noclamp(s.to_bytes(SCALAR_BYTES, "little"), p)

    def mul_base(self, s: int) -> bytes:
        """S times G."""
        if s == 0:
            return self.identity
        return sodium.crypto_scalarmult_ed25519_base_noclamp(s.to_bytes(SCALAR_BYTES, "little"))

    def map_uniform(self, data: bytes) -> bytes:
        """Elligator 2 with the cofactor cleared."""
        return sodium.crypto_core_ed25519_from_uniform(data)


EDWARDS25519: Final = Edwards25519()
SUITES: Final[dict[int, Group]] = {EDWARDS25519.suite_id: EDWARDS25519}


def self_test() -> None:
    """Refuse to run on a libsodium that takes points outside the prime-order subgroup.

    Raises:
        LocalError: with what to install.
    """
    minus_one = (2**255 - 20).to_bytes(32, "little")  # the point (0, -1), of order two
    marked = sodium.crypto_core_ed25519_add(EDWARDS25519.mul_base(1), minus_one)
    if EDWARDS25519.is_element(marked):
        raise LocalError("This libsodium lets cards be marked (CVE-2025-69277). Install pynacl 1.6.2 or newer.")


def decode_point(group: Group, data: object) -> Point:
    """The one door for a point that comes from outside (SPEC: Group).

    Args:
        group: the suite of this game.
        data: 32 bytes.

    Raises:
        Malformed: wrong type or length, not canonical, off the curve, outside the subgroup, or the identity.
    """
    if not isinstance(data, bytes) or len(data) != POINT_BYTES:
        raise Malformed("A point must be 32 bytes.")
    try:
        valid = group.is_element(data)
    except (CryptoError, TypeError, ValueError):
        valid = False
    if not valid:
        raise Malformed("Bytes that are no element of the group.")
    return Point(group, data)


def decode_points(group: Group, data: bytes) -> tuple[Point, ...]:
    """Decode `len(data) / 32` points, each through `decode_point`.

    Raises:
        Malformed: if the length is no multiple of 32 or any point is refused.
    """
    if len(data) % POINT_BYTES:
        raise Malformed("A list of points must be a multiple of 32 bytes.")
    return tuple(decode_point(group, data[i : i + POINT_BYTES]) for i in range(0, len(data), POINT_BYTES))


def encode_scalar(s: int) -> bytes:
    """32 bytes, little-endian."""
    return s.to_bytes(SCALAR_BYTES, "little")


def decode_scalar(group: Group, data: bytes) -> int:
    """Read a scalar.

    Raises:
        Malformed: wrong length, or not below the order (a second encoding of the same scalar).
    """
    if len(data) != SCALAR_BYTES:
        raise Malformed("A scalar must be 32 bytes.")
    s = int.from_bytes(data, "little")
    if s >= group.order:
        raise Malformed("A scalar that is not below the order of the group.")
    return s


def decode_scalars(group: Group, data: bytes) -> tuple[int, ...]:
    """Read `len(data) / 32` scalars, each as `decode_scalar` does."""
    if len(data) % SCALAR_BYTES:
        raise Malformed("A list of scalars must be a multiple of 32 bytes.")
    return tuple(decode_scalar(group, data[i : i + SCALAR_BYTES]) for i in range(0, len(data), SCALAR_BYTES))


def hash_to_scalar(group: Group, label: str, *items: bytes) -> int:
    """A scalar from a 64-byte hash; the bias of the reduction is below 2^-250."""
    return int.from_bytes(hash64(label, *items), "little") % group.order


def hash_to_group(group: Group, label: str, message: bytes) -> Point:
    """A point whose logarithm nobody knows: the sum of two maps, which makes it uniform (SPEC: Group)."""
    h = hash64(label, message)
    return Point(group, group.map_uniform(h[:32])) + Point(group, group.map_uniform(h[32:]))


@lru_cache(maxsize=8)
def base(group: Group) -> Point:
    """The base point G."""
    return Point(group, group.mul_base(1))


def times_base(group: Group, s: int) -> Point:
    """S times G, by the library's faster fixed-base call."""
    return Point(group, group.mul_base(s % group.order))


def total(points: Iterable[Point]) -> Point:
    """The sum of at least one point, left to right, without a first addition to the identity."""
    iterator = iter(points)
    result = next(iterator)
    for point in iterator:
        result = result + point
    return result


@lru_cache(maxsize=8)
def card_points(group: Group, cards: int) -> tuple[Point, ...]:
    """M_0 .. M_{cards-1}: what each card number is in the group; with known logarithms a deck could be rigged."""
    return tuple(hash_to_group(group, "card", i.to_bytes(2, "big")) for i in range(cards))


@lru_cache(maxsize=8)
def card_numbers(group: Group, cards: int) -> dict[bytes, int]:
    """The way back: from the encoding of M_c to c."""
    return {point.data: card for card, point in enumerate(card_points(group, cards))}


@lru_cache(maxsize=64)
def pedersen_points(group: Group, count: int) -> tuple[Point, ...]:
    """H, H_1 .. H_count: the bases of the permutation commitment; a longer list begins with every shorter one."""
    return tuple(hash_to_group(group, "pedersen", i.to_bytes(2, "big")) for i in range(count + 1))


__all__ = [
    "EDWARDS25519",
    "POINT_BYTES",
    "SCALAR_BYTES",
    "SUITES",
    "Group",
    "Point",
    "base",
    "card_numbers",
    "card_points",
    "decode_point",
    "decode_points",
    "decode_scalar",
    "decode_scalars",
    "encode_scalar",
    "hash_to_group",
    "hash_to_scalar",
    "pedersen_points",
    "self_test",
    "times_base",
    "total",
]
