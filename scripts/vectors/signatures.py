"""Vectors of signatures: strict Ed25519 over a label and a message, under keys that cannot be disowned.

It owns the forms of a signature that some verifiers take and ours must not; it knows no record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha512
from typing import Final

from fairdeck.group import EDWARDS25519, encode_scalar
from fairdeck.sign import SigningKey, is_signed
from fairdeck.transcript import PREFIX
from tests.fairdeck.forge import NOT_CANONICAL, SMALL_ORDER, mixed_order
from vectors.form import Case, Group, VectorFile, invalid, valid

ORDER: Final = EDWARDS25519.order
KEY: Final = SigningKey.from_seed(bytes(range(32)))
OTHER: Final = SigningKey.from_seed(bytes(range(1, 33)))
SECRET: Final = int.from_bytes(sha512(bytes(range(32))).digest()[:32], "little") & (2**254 - 8) | 2**254
LABEL: Final = "sign record"
MESSAGE: Final = b"a message"

HEADER: Final = (
    "Signature: Ed25519 (RFC 8032) over `p2pdurak/1/` label 00 message; `signed` gives these bytes.",
    "The key must pass as a point of the prime-order subgroup; s must be below the order; the equation s B = R + h A",
    "is checked without the cofactor, so that one signature has one meaning for every reader.",
)


def signatures() -> VectorFile:
    """signatures.json."""
    return VectorFile("signatures.json", "Signatures", HEADER, (Group("Signature", tuple(_cases())),))


def _signed(label: str, message: bytes) -> bytes:
    return PREFIX + label.encode() + b"\x00" + message


def _values(
    signature: bytes, public: bytes = KEY.public, label: str = LABEL, message: bytes = MESSAGE
) -> dict[str, object]:
    return {
        "public": public,
        "label": label,
        "message": message,
        "signed": _signed(label, message),
        "signature": signature,
    }


def _cases() -> Iterator[Case]:
    for label in ("sign record", "sign note"):
        for message in (b"", MESSAGE, bytes(300)):
            values = _values(KEY.sign(label, message), label=label, message=message)
            yield valid(f"{len(message)} bytes under {label!r}", **values)
    yield valid("another key", **_values(OTHER.sign(LABEL, MESSAGE), OTHER.public))
    right = KEY.sign(LABEL, MESSAGE)
    yield from _elsewhere(right)
    yield from _malleable(right)
    yield from _bad_keys()


def _elsewhere(right: bytes) -> Iterator[Case]:
    """A right signature under something else."""
    yield invalid("another message", "ModifiedMessage", **_values(right, message=MESSAGE + b"\0"))
    yield invalid("a shorter message", "ModifiedMessage", **_values(right, message=MESSAGE[:-1]))
    yield invalid("a note's label over a record's signature", "WrongLabel", **_values(right, label="sign note"))
    moved = KEY.sign("sign", b" record\x00" + MESSAGE)
    yield invalid("label and message divided otherwise", "WrongLabel", **_values(moved))
    yield invalid("another key", "WrongKey", **_values(right, OTHER.public))
    bare = _sign(lambda R, A: sha512(R + A + MESSAGE).digest())
    yield invalid("the message is signed without its label", "WrongLabel", **_values(bare))
    for length in (0, 32, 63, 65, 128):
        yield invalid(f"{length} bytes", "WrongLength", **_values((right * 2)[:length]))
    for bit in (0, 7, 255, 256, 300, 507, 508, 511):
        flipped = int.from_bytes(right, "little") ^ 1 << bit
        yield invalid(f"bit {bit} is flipped", "ModifiedSignature", **_values(flipped.to_bytes(64, "little")))
    yield invalid("R and s swapped", "ModifiedSignature", **_values(right[32:] + right[:32]))
    yield invalid("zeros", "ModifiedSignature", **_values(bytes(64)))


def _sign(challenge: Callable[[bytes, bytes], bytes], A: bytes = KEY.public, R: bytes | None = None) -> bytes:
    """Sign by hand with the nonce 67890."""
    R = EDWARDS25519.mul_base(67890) if R is None else R
    h = int.from_bytes(challenge(R, A), "little") % ORDER
    return R + encode_scalar((67890 + h * SECRET) % ORDER)


def _standard(message: bytes) -> Callable[[bytes, bytes], bytes]:
    return lambda R, A: sha512(R + A + _signed(LABEL, message)).digest()


def _malleable(right: bytes) -> Iterator[Case]:
    """Second forms of a signature, and forms that only a verifier with the cofactor takes."""
    yield valid("signed by hand with another nonce", **_values(_sign(_standard(MESSAGE))))
    s = int.from_bytes(right[32:], "little")
    for times in (1, 2, 8, 14):
        form = right[:32] + (s + times * ORDER).to_bytes(32, "little")
        yield invalid(f"s plus {times} times the order", "ScalarNotReduced", **_values(form))
    for torsion in SMALL_ORDER:
        if torsion != "identity":
            R = mixed_order(EDWARDS25519.mul_base(67890), torsion)
            signature = _sign(_standard(MESSAGE), R=R)
            yield invalid(f"R plus the point of {torsion}", "CofactoredOnly", **_values(signature))
    for name, R_text in (SMALL_ORDER | NOT_CANONICAL).items():
        R = bytes.fromhex(R_text)
        h = int.from_bytes(sha512(R + KEY.public + _signed(LABEL, MESSAGE)).digest(), "little") % ORDER
        signature = R + encode_scalar(h * SECRET % ORDER)
        yield invalid(f"R of small order: {name}", "SmallOrder", **_values(signature))


def _bad_keys() -> Iterator[Case]:
    """Keys under which a cheater could disown what he signed."""
    for name, text in (SMALL_ORDER | NOT_CANONICAL).items():
        for comment, R in (("the identity", EDWARDS25519.identity), ("the key", bytes.fromhex(text))):
            signature = R + bytes(32)
            words = f"a key of small order ({name}), R is {comment}"
            yield invalid(words, "SmallOrderKey", **_values(signature, bytes.fromhex(text)))
    for torsion in ("order 2", "order 4", "order 8"):
        A = mixed_order(KEY.public, torsion)
        yield invalid(f"a key plus the point of {torsion}", "MixedOrderKey", **_values(_fitting(A), A))
    for data in (b"", KEY.public[:31], KEY.public + b"\0"):
        yield invalid(f"a key of {len(data)} bytes", "WrongLength", **_values(KEY.sign(LABEL, MESSAGE), data))


def _fitting(A: bytes) -> bytes:
    """A signature that a verifier takes who lets mixed-order keys pass: one whose h A has no torsion."""
    for nonce in range(1, 500):
        R = EDWARDS25519.mul_base(nonce)
        h = int.from_bytes(sha512(R + A + _signed(LABEL, MESSAGE)).digest(), "little") % ORDER
        signature = R + encode_scalar((nonce + h * SECRET) % ORDER)
        if is_signed(A, LABEL, MESSAGE, signature):
            return signature
    raise AssertionError("one nonce in eight fits")
