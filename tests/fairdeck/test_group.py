"""The group: its one door for points, its one door for scalars, and the laws that all formulas rest on."""

from __future__ import annotations

import pytest
from nacl import bindings as sodium

from fairdeck import group as group_module
from fairdeck.errors import LocalError, Malformed
from fairdeck.group import (
    EDWARDS25519,
    SUITES,
    Group,
    Point,
    base,
    card_numbers,
    card_points,
    decode_point,
    decode_points,
    decode_scalar,
    decode_scalars,
    encode_scalar,
    hash_to_group,
    hash_to_scalar,
    pedersen_points,
    self_test,
    times_base,
    total,
)
from fairdeck.transcript import hash64
from tests.fairdeck.cheap import CHEAP, Integers, SeededRng
from tests.fairdeck.forge import SMALL_ORDER, bad_points

P = times_base(EDWARDS25519, 1234567)
IDENTITY = Point(EDWARDS25519, EDWARDS25519.identity)

both_groups = pytest.mark.parametrize("group", [EDWARDS25519, CHEAP], ids=["edwards25519", "integers"])


# The door


@pytest.mark.parametrize("data", bad_points().values(), ids=bad_points().keys())
def test_bytes_that_are_no_element_are_refused(data: bytes) -> None:
    with pytest.raises(Malformed, match="no element of the group"):
        decode_point(EDWARDS25519, data)


@pytest.mark.parametrize("name", [name for name in SMALL_ORDER if name != "identity"])
def test_the_small_order_points_of_these_tests_have_small_order(name: str) -> None:
    doubled = bytes.fromhex(SMALL_ORDER[name])
    assert doubled != EDWARDS25519.identity
    for _ in range(3):
        doubled = sodium.crypto_core_ed25519_add(doubled, doubled)
    assert doubled == EDWARDS25519.identity


def test_a_card_marked_by_the_point_of_order_two_would_pass_the_librarys_addition() -> None:
    marked = bad_points()["P + order 2"]
    assert len(sodium.crypto_core_ed25519_add(marked, P.data)) == 32


@pytest.mark.parametrize("length", [0, 1, 31, 33, 64])
def test_points_of_another_length_are_refused(length: int) -> None:
    with pytest.raises(Malformed, match="32 bytes"):
        decode_point(EDWARDS25519, (P.data * 2)[:length])


@pytest.mark.parametrize("data", [None, 5, "a" * 32, bytearray(32), memoryview(P.data), [0] * 32])
def test_only_bytes_are_points(data: object) -> None:
    with pytest.raises(Malformed, match="32 bytes"):
        decode_point(EDWARDS25519, data)


@both_groups
def test_every_element_comes_through_the_door_unchanged(group: Group) -> None:
    for s in (1, 2, group.order - 1):
        assert decode_point(group, times_base(group, s).data) == times_base(group, s)


class Stumbling(Integers):
    """A group whose library raises where others say no."""

    def is_element(self, data: bytes) -> bool:
        raise ValueError("no such point")


def test_library_that_raises_is_a_refusal() -> None:
    with pytest.raises(Malformed):
        decode_point(Stumbling(), bytes(32))


def test_cheap_identity_and_second_encodings_are_refused() -> None:
    for value in (0, CHEAP.order, CHEAP.order + 1, 2**256 - 1):
        with pytest.raises(Malformed):
            decode_point(CHEAP, value.to_bytes(32, "little"))


def test_list_of_points_must_be_whole() -> None:
    assert decode_points(EDWARDS25519, P.data * 2) == (P, P)
    assert decode_points(EDWARDS25519, b"") == ()
    with pytest.raises(Malformed, match="multiple of 32"):
        decode_points(EDWARDS25519, P.data * 2 + b"\x00")


def test_one_bad_point_spoils_a_list() -> None:
    with pytest.raises(Malformed):
        decode_points(EDWARDS25519, P.data + EDWARDS25519.identity)


def test_self_test_passes_on_this_library() -> None:
    self_test()


class OldSodium:
    """A libsodium before the repair of CVE-2025-69277: every point on the curve counts as valid."""

    crypto_core_ed25519_add = staticmethod(sodium.crypto_core_ed25519_add)
    crypto_scalarmult_ed25519_base_noclamp = staticmethod(sodium.crypto_scalarmult_ed25519_base_noclamp)

    @staticmethod
    def crypto_core_ed25519_is_valid_point(_: bytes) -> bool:
        return True


def test_library_that_lets_cards_be_marked_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_module, "sodium", OldSodium)
    with pytest.raises(LocalError, match=r"Install pynacl 1\.6\.2"):
        self_test()


# Scalars


@pytest.mark.parametrize("value", [EDWARDS25519.order, EDWARDS25519.order + 1, 2**255, 2**256 - 1])
def test_second_encoding_of_a_scalar_is_refused(value: int) -> None:
    with pytest.raises(Malformed, match="not below the order"):
        decode_scalar(EDWARDS25519, value.to_bytes(32, "little"))


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_scalars_of_another_length_are_refused(length: int) -> None:
    with pytest.raises(Malformed, match="32 bytes"):
        decode_scalar(EDWARDS25519, bytes(length))


@pytest.mark.parametrize("value", [0, 1, 255, 256, EDWARDS25519.order - 1])
def test_scalars_come_back_from_their_32_little_endian_bytes(value: int) -> None:
    assert encode_scalar(value) == value.to_bytes(32, "little")
    assert decode_scalar(EDWARDS25519, encode_scalar(value)) == value


def test_list_of_scalars_must_be_whole() -> None:
    assert decode_scalars(EDWARDS25519, encode_scalar(1) + encode_scalar(2)) == (1, 2)
    with pytest.raises(Malformed, match="multiple of 32"):
        decode_scalars(EDWARDS25519, bytes(33))


@both_groups
def test_scalar_from_a_hash_is_64_little_endian_bytes_modulo_the_order(group: Group) -> None:
    expected = int.from_bytes(hash64("label", b"item"), "little") % group.order
    assert hash_to_scalar(group, "label", b"item") == expected


# Laws


@both_groups
def test_group_laws_hold_for_sums_and_multiples(group: Group) -> None:
    rng = SeededRng("laws")
    q, G, O = group.order, base(group), Point(group, group.identity)  # noqa: E741
    for _ in range(5):
        a, b = rng.below(q), rng.below(q)
        A, B = times_base(group, a), times_base(group, b)
        assert A == a * G
        assert A + B == B + A == times_base(group, a + b)
        assert A - B == times_base(group, a - b)
        assert b * A == a * B == times_base(group, a * b)
        assert (A + B) - B == A
        assert A + O == O + A == A - O == A
        assert O - A == -1 * A


@both_groups
def test_multiples_by_zero_and_of_the_identity_are_the_identity(group: Group) -> None:
    G, O = base(group), Point(group, group.identity)  # noqa: E741
    assert 0 * G == G - G == times_base(group, 0) == group.order * G == 5 * O == 0 * O == O
    assert O.is_identity
    assert not G.is_identity


@both_groups
def test_total_is_the_sum_of_its_points(group: Group) -> None:
    assert total(times_base(group, s) for s in (1, 2, 3)) == times_base(group, 6)


def test_base_point_is_the_one_of_the_standard() -> None:
    assert base(EDWARDS25519).data == bytes.fromhex("58" + "66" * 31)


def test_points_are_compared_and_hashed_by_their_encoding() -> None:
    again = Point(EDWARDS25519, P.data)
    assert P == again
    assert len({P, again}) == 1
    assert P != P.data
    assert bytes(P) == P.data
    assert repr(P) == f"Point({P.data.hex()[:12]}…)"


# Constants


@both_groups
def test_hashed_point_is_the_sum_of_two_maps(group: Group) -> None:
    h = hash64("label", b"message")
    assert hash_to_group(group, "label", b"message").data == group.add_encoded(
        group.map_uniform(h[:32]), group.map_uniform(h[32:])
    )


def test_hashed_points_differ_by_label_and_message_and_pass_the_door() -> None:
    points = {hash_to_group(EDWARDS25519, label, message) for label in ("a", "b") for message in (b"a", b"b")}
    assert len(points) == 4
    assert all(EDWARDS25519.is_element(point.data) for point in points)


@both_groups
def test_constants_are_all_different(group: Group) -> None:
    constants = (base(group), *card_points(group, 52), *pedersen_points(group, 52))
    assert len(set(constants)) == 1 + 52 + 53


@both_groups
def test_shorter_lists_of_constants_begin_the_longer_ones(group: Group) -> None:
    assert card_points(group, 52)[:36] == card_points(group, 36)
    assert pedersen_points(group, 36)[:7] == pedersen_points(group, 6)


def test_card_number_is_found_from_its_point() -> None:
    numbers = card_numbers(EDWARDS25519, 36)
    assert [numbers[M.data] for M in card_points(EDWARDS25519, 36)] == list(range(36))


def test_only_the_real_group_is_known_by_default() -> None:
    assert SUITES == {1: EDWARDS25519}
