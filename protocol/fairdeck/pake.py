"""From a join code to a key: SPAKE2 with explicit confirmation of the key.

It owns the key exchange of one run between two roles; it does not know who speaks when, nor how often one may try.

    guest (side A, blinds with M)                    host (side B, blinds with N)
    X* = xG + w M            -- message -->
                             <-- message --          Y* = yG + w N            w from the words of the code
    K = x(Y* - w N)                                  K = y(X* - w M)
    key = SPAKE2's hash of w, both ids, X*, Y*, K    the ids hold role, nameplate and protocol version
    T = H("pake transcript", "guest", X*, "host", Y*, nameplate)
    secret, k_guest, k_host = HKDF-SHA256(key, salt T), one label each
    confirm_guest = HMAC-SHA256(k_guest, T); confirm_host = HMAC-SHA256(k_host, T)

SPAKE2 (Abdalla, Pointcheval, CT-RSA 2005) gives the side that guesses w exactly one guess a run, and gives no error
when w differs: only the confirmations tell, and the guest's goes first, else a guesser would learn in silence.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from spake2 import SPAKE2_A, SPAKE2_B

from fairdeck.errors import LocalError, Malformed, WrongCode
from fairdeck.group import EDWARDS25519, POINT_BYTES, decode_point
from fairdeck.transcript import PREFIX, hash32

Role = Literal["host", "guest"]

MESSAGE_BYTES: Final = 1 + POINT_BYTES
"""The letter of the side, `A` for the guest and `B` for the host, and a point of edwards25519."""

CONFIRM_BYTES: Final = 32

WRONG_CODE: Final = "The code was mistyped, or somebody without the code tried to join."

_SIDES: Final[dict[Role, bytes]] = {"guest": b"A", "host": b"B"}


@dataclass(frozen=True, slots=True)
class PakeKeys:
    """What a finished run gives; without the same words on both sides, no part equals the peer's.

    Attributes:
        session_secret: 32 bytes; to be used only after the peer's confirmation was checked.
        confirm_host: the 32 bytes by which the host shows that he has the key.
        confirm_guest: the same for the guest, who shows his first.
    """

    session_secret: bytes = field(repr=False)
    confirm_host: bytes = field(repr=False)
    confirm_guest: bytes = field(repr=False)


class Pake:
    """One side of one run.

    Args:
        role: `host` or `guest`.
        nameplate: the public part of the code.
        secret: the words of the code; never empty.
        rng: gives that many random bytes.

    Attributes:
        message: 33 bytes for the peer.

    Raises:
        LocalError: there is no secret.
    """

    def __init__(self, role: Role, nameplate: str, secret: bytes, rng: Callable[[int], bytes]) -> None:
        if not secret:
            raise LocalError("A code without its words opens nothing.")
        self._role = role
        self._nameplate = nameplate.encode("ascii")
        side = SPAKE2_A if role == "guest" else SPAKE2_B
        ids = {"idA": self._id("guest"), "idB": self._id("host")}
        self._spake = side(secret, **ids, entropy_f=rng)
        self._finished = False
        self.message: Final[bytes] = self._spake.start()

    def finish(self, peer_message: bytes) -> PakeKeys:
        """Take the peer's message; a message that is refused does not use the run up.

        Args:
            peer_message: 33 bytes from the other role.

        Raises:
            Malformed: no message of the other role, or our own one sent back.
            LocalError: the run is finished; a second answer would grant a second guess.
        """
        if self._finished:
            raise LocalError("A run of the key exchange takes one message.")
        self._demand_message(peer_message)
        self._finished = True
        key: bytes = self._spake.finish(peer_message)
        guest, host = (self.message, peer_message) if self._role == "guest" else (peer_message, self.message)
        transcript = hash32("pake transcript", b"guest", guest, b"host", host, self._nameplate)
        return PakeKeys(
            session_secret=_derive(key, transcript, "pake session"),
            confirm_host=_mac(_derive(key, transcript, "pake confirm host"), transcript),
            confirm_guest=_mac(_derive(key, transcript, "pake confirm guest"), transcript),
        )

    def _id(self, role: Role) -> bytes:
        return PREFIX + b"pake " + role.encode("ascii") + b" " + self._nameplate

    def _demand_message(self, message: bytes) -> None:
        """Check before the library does.

        It reads past trailing bytes, takes two of the three encodings of the identity for an element, and is
        finished after whatever it refuses. Everything that passes here it can take without an exception.
        """
        if len(message) != MESSAGE_BYTES:
            raise Malformed(f"A message of the key exchange has {MESSAGE_BYTES} bytes.")
        if message[:1] != _SIDES["host" if self._role == "guest" else "guest"]:
            raise Malformed("A message of the key exchange that is not from the other role.")
        decode_point(EDWARDS25519, message[1:])
        if message[1:] == self.message[1:]:
            raise Malformed("Our own message of the key exchange, sent back to us.")


def check(expected: bytes, got: bytes) -> None:
    """Compare a confirmation in constant time.

    Args:
        expected: what the peer's role must show, 32 bytes of our `PakeKeys`.
        got: what the peer showed.

    Raises:
        WrongCode: they differ, so the two sides do not have the same words.
    """
    if not hmac.compare_digest(expected, got):
        raise WrongCode(WRONG_CODE)


def _derive(key: bytes, transcript: bytes, label: str) -> bytes:
    return HKDF(SHA256(), 32, transcript, PREFIX + label.encode("ascii")).derive(key)


def _mac(key: bytes, transcript: bytes) -> bytes:
    return hmac.digest(key, transcript, "sha256")
