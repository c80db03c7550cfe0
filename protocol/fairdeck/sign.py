"""Ed25519 identity keys: signing, and verification that a cheater cannot disown.

It owns signatures over labelled bytes; it does not know what a record is.

Signatures go through libsodium, whose verifier is cofactorless and refuses small-order keys. The verifier of OpenSSL
accepts small-order public keys, under which one signature fits many messages: the author could disown every record.
libsodium still accepts mixed-order keys, so each verification key also passes the group's own door.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nacl import bindings as sodium
from nacl.exceptions import CryptoError

from fairdeck.group import EDWARDS25519, decode_point
from fairdeck.transcript import PREFIX

SEED_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64


def _labelled(label: str, message: bytes) -> bytes:
    """The signed bytes: the label ends in a zero byte, which no label contains, so no two pairs collide."""
    return PREFIX + label.encode("ascii") + b"\x00" + message


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A player's identity: made from a 32-byte seed; its `public` half (32 bytes) is his name to the protocol."""

    public: bytes
    _secret: bytes

    @classmethod
    def from_seed(cls, seed: bytes) -> SigningKey:
        """Make the key pair of a 32-byte seed (RFC 8032)."""
        public, secret = sodium.crypto_sign_seed_keypair(seed)
        return cls(public, secret)

    def sign(self, label: str, message: bytes) -> bytes:
        """A 64-byte signature over the label and the message."""
        return sodium.crypto_sign(_labelled(label, message), self._secret)[:SIGNATURE_BYTES]

    def __repr__(self) -> str:
        return f"SigningKey({self.public.hex()[:12]}…)"


def check_public_key(data: bytes) -> bytes:
    """Pass a verification key through the group's door.

    Raises:
        Malformed: small order, mixed order, off the curve, not canonical.
    """
    return decode_point(EDWARDS25519, data).data


def is_signed(public: bytes, label: str, message: bytes, signature: bytes) -> bool:
    """Whether `signature` (64 bytes) is by `public` (32 bytes, already checked) over the label and the message."""
    if len(signature) != SIGNATURE_BYTES:
        return False
    try:
        sodium.crypto_sign_open(signature + _labelled(label, message), public)
    except (CryptoError, ValueError):
        return False
    return True
