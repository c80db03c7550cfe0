"""The self-test answers right here, and sees a library that answers wrong."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from nacl import bindings as sodium

from fairdeck import wire
from p2pdurak.doctor import self_test
from p2pdurak.doctor.finding import Finding, Outcome
from p2pdurak.doctor.self_test import check_libraries


@pytest.fixture(autouse=True)
def few_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_test, "CARDS", 4)


def findings() -> dict[str, Finding]:
    return {finding.check: finding for finding in check_libraries(os.urandom, time.perf_counter)}


def failed() -> dict[str, str]:
    return {check: found.message for check, found in findings().items() if found.outcome is Outcome.FAILED}


def test_right_libraries_pass_and_the_proof_is_timed() -> None:
    found = findings()
    assert list(found) == ["group", "signature", "shuffle", "seal", "join code", "wire"]
    assert {one.outcome for one in found.values()} == {Outcome.OK}
    assert set(found["shuffle"].figures) == {"made_ms", "checked_ms"}
    assert all(isinstance(ms, float) and ms > 0 for ms in found["shuffle"].figures.values())


def raising(*_: object) -> Any:
    raise OSError("symbol not found")


@pytest.mark.parametrize(
    ("function", "instead", "told"),
    [
        ("crypto_core_ed25519_is_valid_point", lambda _: True, "CVE-2025-69277"),
        ("crypto_core_ed25519_is_valid_point", raising, "OSError"),
        ("crypto_core_ed25519_add", lambda p, q: p, "G + G"),
        ("crypto_core_ed25519_sub", lambda p, q: p, "2 G - G"),
        ("crypto_scalarmult_ed25519_noclamp", lambda s, p: p, "2 G is another"),
        ("crypto_scalarmult_ed25519_base_noclamp", lambda s: bytes(32), "base point"),
        ("crypto_core_ed25519_from_uniform", lambda data: bytes.fromhex(self_test.ONE_G), "first card"),
    ],
)
def test_libsodium_whose_group_is_another_is_seen(
    monkeypatch: pytest.MonkeyPatch, function: str, instead: Callable[..., object], told: str
) -> None:
    monkeypatch.setattr(sodium, function, instead)
    assert told in next(check_libraries(os.urandom, time.perf_counter)).message


@pytest.mark.parametrize(
    ("function", "instead", "told"),
    [
        ("crypto_sign_open", lambda signed, key: signed, "a wrong signature is accepted"),
        ("crypto_sign", lambda message, key: bytes(64) + message, "a right signature is refused"),
        ("crypto_sign_seed_keypair", lambda seed: (seed, seed + seed), "RFC 8032"),
    ],
)
def test_libsodium_whose_signatures_are_worth_nothing_is_seen(
    monkeypatch: pytest.MonkeyPatch, function: str, instead: Callable[..., object], told: str
) -> None:
    monkeypatch.setattr(sodium, function, instead)
    assert told in failed()["signature"]


@pytest.mark.parametrize(
    ("verdict", "told"), [(True, "a wrong proof is accepted"), (False, "a right proof is refused")]
)
def test_verifier_of_shuffles_that_always_says_the_same_is_seen(
    monkeypatch: pytest.MonkeyPatch, verdict: bool, told: str
) -> None:
    monkeypatch.setattr(self_test, "verify_shuffle", lambda *_: verdict)
    assert told in failed()["shuffle"]


class OpensAll:
    """A sealer that seals as it should and opens whatever it is shown."""

    def __init__(self, key: bytes) -> None:
        self._right = ChaCha20Poly1305(key)

    def encrypt(self, nonce: bytes, text: bytes, extra: bytes) -> bytes:
        return self._right.encrypt(nonce, text, extra)

    def decrypt(self, nonce: bytes, sealed: bytes, extra: bytes) -> bytes:
        return self_test.SEAL_TEXT


def test_sealer_that_opens_forged_packets_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_test, "ChaCha20Poly1305", OpensAll)
    assert "a forged packet opens" in failed()["seal"]


def test_exchange_that_lets_wrong_words_in_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_test, "check", lambda *_: None)
    assert "wrong words are let in" in failed()["join code"]


def test_msgpack_that_writes_longer_than_it_must_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = wire.msgpack.packb
    monkeypatch.setattr(
        wire.msgpack, "packb", lambda value, **how: right(value, **how).replace(b"\x93", b"\xdc\x00\x03")
    )
    assert "msgpack writes other bytes" in failed()["wire"]
