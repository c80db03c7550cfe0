"""The locks of the sealed channel: session keys, HELLO packets, and the keys, counters and window of an epoch.

It owns key derivation and everything that is decided before a packet counts as the peer's.
It does not know what a message says, nor when an epoch is wanted.

    HELLO   0x01 | conversation 8 | seat 1 | nonce 32 | echo 32 | X25519 key 32 | zeros 118 | HMAC-SHA256 32
    SEALED  0x02 | conversation 8 | epoch 8 | seat 1 | counter 8 | ChaCha20-Poly1305 of a padded message

`seat` is the sender's, `counter` is big-endian. The 26 bytes before the ciphertext are its associated data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.constant_time import bytes_eq
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from fairdeck import limits
from fairdeck.errors import LocalError, Malformed
from fairdeck.packets import PACKET_SIZES
from fairdeck.transcript import PREFIX, hash32

HELLO: Final = 1
SEALED: Final = 2
SECRET_BYTES: Final = 32
NO_NONCE: Final = bytes(32)

_ID_BYTES: Final = 8
_HEADER_BYTES: Final = 1 + _ID_BYTES + _ID_BYTES + 1 + 8
_MAC_BYTES: Final = 32


class StrayPacketError(Exception):
    """A packet that the peer did not just make for us; it is dropped and counted, and never leaves the channel."""


@dataclass(frozen=True, slots=True)
class SessionKeys:
    """All that is derived from the session secret alone, each part under a label of its own.

    Attributes:
        secret: the 32 bytes that the join code gave to both sides.
        conversation: 8 bytes in every packet, by which strangers' packets are told apart at once.
        hello: one 32-byte HMAC key a seat, so that nobody's own HELLO is accepted when it is sent back.
        topic: 32 hex digits of the topics of this session.
        exporter: 32 bytes; a game that starts binds their hash.
        safety: 22 bits for two words that both players may compare.
    """

    secret: bytes
    conversation: bytes
    hello: tuple[bytes, bytes]
    topic: str
    exporter: bytes
    safety: int

    def __repr__(self) -> str:
        return f"SessionKeys({self.conversation.hex()})"  # keys must not reach a traceback or a log


def session_keys(secret: bytes) -> SessionKeys:
    """Derive the keys of a session.

    Args:
        secret: 32 bytes known to both seats and nobody else.

    Raises:
        LocalError: the secret has another length.
    """
    if len(secret) != SECRET_BYTES:
        raise LocalError(f"The session secret has {len(secret)} bytes instead of {SECRET_BYTES}.")
    return SessionKeys(
        secret=secret,
        conversation=_derive(secret, "channel conversation", _ID_BYTES),
        hello=(_derive(secret, "channel hello 0"), _derive(secret, "channel hello 1")),
        topic=_derive(secret, "channel topic", 16).hex(),
        exporter=_derive(secret, "channel exporter"),
        safety=int.from_bytes(_derive(secret, "channel safety", 3), "big") >> 2,
    )


def _derive(secret: bytes, label: str, size: int = 32, salt: bytes | None = None) -> bytes:
    return HKDF(SHA256(), size, salt, PREFIX + label.encode("ascii")).derive(secret)


# --- HELLO --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """An offer of an epoch: fresh `nonce` and X25519 `public` key, and the peer's nonce (`echo`) or zeros."""

    nonce: bytes
    echo: bytes
    public: bytes


def encode_hello(keys: SessionKeys, seat: int, hello: Hello) -> bytes:
    """Write a HELLO of `seat` (256 bytes)."""
    head = bytes([HELLO]) + keys.conversation + bytes([seat])
    body = (head + hello.nonce + hello.echo + hello.public).ljust(PACKET_SIZES[0] - _MAC_BYTES, b"\0")
    mac = HMAC(keys.hello[seat], SHA256())
    mac.update(body)
    return body + mac.finalize()


def decode_hello(keys: SessionKeys, seat: int, packet: bytes) -> Hello:
    """Read a HELLO that `seat` has made.

    Raises:
        StrayPacketError: it was made by anybody else, or altered.
    """
    at = 1 + _ID_BYTES + 1
    hello = Hello(packet[at : at + 32], packet[at + 32 : at + 64], packet[at + 64 : at + 96])
    # Writing it again checks the size, the type, the ids, the padding and the code in one comparison.
    if not bytes_eq(encode_hello(keys, seat, hello), packet):
        raise StrayPacketError
    return hello


# --- sealed packets -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    """Our half of an epoch to come: a nonce that was never used, and the X25519 key that belongs to it."""

    nonce: bytes
    private: X25519PrivateKey

    @property
    def public(self) -> bytes:
        """The 32 bytes that travel."""
        return self.private.public_key().public_bytes_raw()


class Epoch:
    """One epoch: a key a direction, the counter of what we sent, and the window over what the peer sent.

    Attributes:
        ident: 8 bytes that name the epoch in every packet.
        mine: our nonce, which no other epoch uses.
        theirs: the peer's nonce.
        public: our X25519 key, for the HELLO that has to be repeated.
        synced: the peer's SYNC of this epoch has arrived.
        sync_due: our SYNC has to go out.
    """

    __slots__ = (
        "_counter", "_opener", "_opens", "_sealer", "_seals", "_seen", "_top",
        "ident", "mine", "public", "sync_due", "synced", "theirs",
    )  # fmt: skip

    def __init__(self, keys: SessionKeys, seat: int, offer: Offer, hello: Hello) -> None:
        nonces = (offer.nonce, hello.nonce) if seat == 0 else (hello.nonce, offer.nonce)
        self.ident = hash32("channel epoch", *nonces)[:_ID_BYTES]
        self.mine, self.theirs, self.public = offer.nonce, hello.nonce, offer.public
        self.synced, self.sync_due = False, True
        ikm = keys.secret + _agree(offer, hello)
        salt = b"".join(nonces)
        directions = [ChaCha20Poly1305(_derive(ikm, f"channel key {sender}", 32, salt)) for sender in (0, 1)]
        self._sealer, self._opener = directions[seat], directions[1 - seat]
        head = bytes([SEALED]) + keys.conversation + self.ident
        self._seals, self._opens = head + bytes([seat]), head + bytes([1 - seat])
        self._counter = 0
        self._top, self._seen = -1, 0  # newest counter that was authentic; bit k: counter top - k was seen

    def seal(self, message: bytes) -> bytes:
        """Encrypt a padded message; the counter is spent before anything else can use it."""
        counter = self._counter.to_bytes(8, "big")
        self._counter += 1
        header = self._seals + counter
        return header + self._sealer.encrypt(bytes(4) + counter, message, header)

    def open(self, packet: bytes) -> bytes:
        """Decrypt a packet of the peer and remember its counter.

        Returns:
            The padded message, once for each packet that the peer sealed.

        Raises:
            StrayPacketError: not the peer's, altered, seen before, or too old to tell.
        """
        header, counter = packet[:_HEADER_BYTES], int.from_bytes(packet[_HEADER_BYTES - 8 : _HEADER_BYTES], "big")
        if header[:-8] != self._opens or self._was_seen(counter):
            raise StrayPacketError
        try:
            message = self._opener.decrypt(bytes(4) + header[-8:], packet[_HEADER_BYTES:], header)
        except InvalidTag:
            raise StrayPacketError from None
        self._note(counter)  # only now: a forged counter must not move the window
        return message

    def _was_seen(self, counter: int) -> bool:
        behind = self._top - counter
        return behind >= limits.LATE_PACKETS_MAX or (behind >= 0 and bool(self._seen >> behind & 1))

    def _note(self, counter: int) -> None:
        ahead = counter - self._top
        if ahead >= limits.LATE_PACKETS_MAX:
            self._seen = 1  # a shift by a hostile distance would take all memory
        elif ahead > 0:
            self._seen = (self._seen << ahead | 1) & ((1 << limits.LATE_PACKETS_MAX) - 1)
        else:
            self._seen |= 1 << -ahead
        self._top = max(self._top, counter)


def _agree(offer: Offer, hello: Hello) -> bytes:
    try:
        return offer.private.exchange(X25519PublicKey.from_public_bytes(hello.public))
    except ValueError:  # the result is all zeros: the key is one of the few low-order points
        raise Malformed("The other side sent a key for the line that no honest program makes.") from None


def is_ours(conversation: bytes, packet: bytes) -> bool:
    """Tell cheaply whether a packet can belong to this session at all; says nothing about who made it."""
    return len(packet) in PACKET_SIZES and packet[1 : 1 + _ID_BYTES] == conversation


def epoch_of(packet: bytes) -> bytes:
    """The epoch id that a sealed packet claims (8 bytes)."""
    return packet[1 + _ID_BYTES : 1 + 2 * _ID_BYTES]
