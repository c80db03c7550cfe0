"""Signatures that cannot be moved to another message, label or key, nor disowned."""

from __future__ import annotations

from hashlib import sha512

import pytest
from nacl import bindings as sodium

from fairdeck.errors import Malformed
from fairdeck.group import EDWARDS25519
from fairdeck.sign import SigningKey, check_public_key, is_signed
from tests.fairdeck.cheap import GUEST, HOST
from tests.fairdeck.forge import SMALL_ORDER, bad_points, mixed_order

MESSAGE = b"a record"
SIGNATURE = HOST.sign("label", MESSAGE)


def test_signature_fits_its_key_label_and_message() -> None:
    assert len(SIGNATURE) == 64
    assert is_signed(HOST.public, "label", MESSAGE, SIGNATURE)


@pytest.mark.parametrize(
    ("public", "label", "message"),
    [
        (GUEST.public, "label", MESSAGE),
        (HOST.public, "lab", MESSAGE),
        (HOST.public, "label", MESSAGE + b"\x00"),
        (HOST.public, "label", MESSAGE[:-1]),
        (HOST.public, "label", b""),
    ],
)
def test_signature_fits_nothing_else(public: bytes, label: str, message: bytes) -> None:
    assert not is_signed(public, label, message, SIGNATURE)


def test_label_and_message_cannot_be_divided_otherwise() -> None:
    assert not is_signed(HOST.public, "label2", b"x", HOST.sign("label", b"2\x00x"))


def test_signature_with_any_bit_changed_is_refused() -> None:
    for bit in range(8 * 64):
        changed = bytearray(SIGNATURE)
        changed[bit // 8] ^= 1 << bit % 8
        assert not is_signed(HOST.public, "label", MESSAGE, bytes(changed))


@pytest.mark.parametrize("length", [0, 63, 65, 128])
def test_signature_of_another_length_is_refused(length: int) -> None:
    assert not is_signed(HOST.public, "label", MESSAGE, (SIGNATURE * 2)[:length])


def test_signature_over_more_bytes_than_label_and_message_is_refused() -> None:
    """The surplus byte would pass as the 65th of the signature."""
    public, secret = sodium.crypto_sign_seed_keypair(bytes(32))
    signature = sodium.crypto_sign(b"x" + b"p2pdurak/1/label\x00" + MESSAGE, secret)[:64]
    assert not is_signed(public, "label", MESSAGE, signature + b"x")


def test_second_form_of_the_same_signature_is_refused() -> None:
    s = int.from_bytes(SIGNATURE[32:], "little") + EDWARDS25519.order
    assert not is_signed(HOST.public, "label", MESSAGE, SIGNATURE[:32] + s.to_bytes(32, "little"))


def test_key_of_another_length_signs_nothing() -> None:
    assert not is_signed(HOST.public[:-1], "label", MESSAGE, SIGNATURE)


def test_signing_twice_gives_the_same_bytes() -> None:
    assert HOST.sign("label", MESSAGE) == SIGNATURE


def test_key_does_not_show_its_secret() -> None:
    assert (b"host" * 8).hex()[:12] not in repr(HOST)
    assert HOST.public.hex()[:12] in repr(HOST)


def test_honest_keys_pass() -> None:
    assert check_public_key(HOST.public) == HOST.public


@pytest.mark.parametrize("data", bad_points().values(), ids=bad_points().keys())
def test_bytes_that_are_no_element_are_no_verification_key(data: bytes) -> None:
    with pytest.raises(Malformed):
        check_public_key(data)


@pytest.mark.parametrize("data", [b"", HOST.public[:-1], HOST.public + b"\x00"])
def test_key_of_another_length_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        check_public_key(data)


@pytest.mark.parametrize("torsion", [name for name in SMALL_ORDER if name.startswith("order")])
def test_small_order_key_signs_nothing(torsion: str) -> None:
    """Under such a key one signature (R = S = 0) would fit many messages, so that its owner could disown all."""
    key = bytes.fromhex(SMALL_ORDER[torsion])
    signature = EDWARDS25519.identity + bytes(32)
    assert not any(is_signed(key, "label", bytes([n]), signature) for n in range(64))


def test_mixed_order_key_that_the_verifier_takes_is_stopped_at_the_door() -> None:
    a, r = 12345, 67890
    A, R = mixed_order(EDWARDS25519.mul_base(a), "order 2"), EDWARDS25519.mul_base(r)

    def sign(message: bytes) -> bytes:
        h = int.from_bytes(sha512(R + A + b"p2pdurak/1/label\x00" + message).digest(), "little") % EDWARDS25519.order
        return R + ((r + h * a) % EDWARDS25519.order).to_bytes(32, "little")

    taken = [is_signed(A, "label", bytes([n]), sign(bytes([n]))) for n in range(64)]
    assert any(taken)
    assert not all(taken)
    assert not sodium.crypto_core_ed25519_is_valid_point(A)
    with pytest.raises(Malformed):
        check_public_key(A)


def test_another_seed_is_another_key() -> None:
    assert SigningKey.from_seed(bytes(32)).public != SigningKey.from_seed(b"\x01" + bytes(31)).public
