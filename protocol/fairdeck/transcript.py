"""Domain-separated hashing: the one way bytes become a hash, a challenge or a key in this protocol.

It owns the label prefix and the length framing; it does not know what the items mean.

    H(label, items...) = SHA-512( len(label) | label | len(item) | item | ... ),  len = 4 bytes big-endian
"""

from __future__ import annotations

from hashlib import sha512
from typing import Final

PREFIX: Final = b"p2pdurak/1/"
HASH_BYTES: Final = 32


def hash64(label: str, *items: bytes) -> bytes:
    """Hash `items` under `label` to 64 bytes.

    Args:
        label: the purpose, without the protocol's prefix; every use has a label of its own.
        items: byte strings of any length; each is framed by its length, so no two lists collide.
    """
    name = PREFIX + label.encode("ascii")
    parts = [len(name).to_bytes(4, "big"), name]
    for item in items:
        parts.append(len(item).to_bytes(4, "big"))
        parts.append(item)
    return sha512(b"".join(parts)).digest()


def hash32(label: str, *items: bytes) -> bytes:
    """Hash `items` under `label` to 32 bytes: the first half of `hash64`."""
    return hash64(label, *items)[:HASH_BYTES]


def context(sid: bytes, seat: int, purpose: str) -> bytes:
    """Bind a proof to its game, its author and its use (32 bytes).

    Args:
        sid: the 32-byte session id of the game.
        seat: 0 or 1, the prover.
        purpose: `key`, `shuffle`, `remask`, `share`, `open` or `absent`.
    """
    return hash32("context", sid, bytes([seat]), purpose.encode("ascii"))
