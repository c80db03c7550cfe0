"""Elligator 2 in the words of protocol/SPEC.md, on whole numbers.

It owns a second way to the same points; it uses the library for nothing but the addition of points.
"""

from __future__ import annotations

from typing import Final

from nacl import bindings as sodium

P: Final = 2**255 - 19
A: Final = 486662


def mapped(r: bytes) -> bytes:
    """The encoding of the point before it is multiplied by 8."""
    sign, e = r[31] >> 7, (int.from_bytes(r, "little") & (2**255 - 1)) % P
    u = -A * _inverse(1 + 2 * e * e) % P
    if pow(u**3 + A * u * u + u, (P - 1) // 2, P) == P - 1:
        u = (-A - u) % P
    y = (u - 1) * _inverse(u + 1) % P
    return (y | sign << 255).to_bytes(32, "little")


def times_eight(point: bytes) -> bytes:
    """Doubled three times."""
    for _ in range(3):
        point = sodium.crypto_core_ed25519_add(point, point)
    return point


def _inverse(value: int) -> int:
    return pow(value, P - 2, P)
