"""Hashing with labels: every use its own, every list its own bytes."""

from __future__ import annotations

from hashlib import sha512
from itertools import combinations

import pytest

from fairdeck.transcript import context, hash32, hash64

SID = bytes(range(32))


def test_hash_is_sha512_over_the_label_and_the_items_each_behind_its_length() -> None:
    framed = b"\x00\x00\x00\x10p2pdurak/1/label" + b"\x00\x00\x00\x02ab" + b"\x00\x00\x00\x00" + b"\x00\x00\x00\x01c"
    assert hash64("label", b"ab", b"", b"c") == sha512(framed).digest()


def test_hash32_is_the_first_half_of_hash64() -> None:
    assert hash32("label", b"a") == hash64("label", b"a")[:32]


@pytest.mark.parametrize(
    ("left", "right"),
    [*combinations([("l",), ("l", b""), ("l", b"", b""), ("l", b"a"), ("l", b"a", b""), ("l", b"", b"a"), ("la",)], 2)],
)
def test_no_two_lists_of_items_have_one_hash(left: tuple[str, bytes], right: tuple[str, bytes]) -> None:
    assert hash64(*left) != hash64(*right)


def test_cut_between_two_items_is_hashed() -> None:
    assert hash64("l", b"ab", b"c") != hash64("l", b"a", b"bc")


def test_context_differs_for_every_game_seat_and_purpose() -> None:
    purposes = ("key", "shuffle", "remask", "share", "open", "absent")
    contexts = {context(sid, seat, purpose) for sid in (SID, bytes(32)) for seat in (0, 1) for purpose in purposes}
    assert len(contexts) == 24
