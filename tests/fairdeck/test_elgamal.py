"""Masks on cards, and what a deck from a peer must be to be looked at."""

from __future__ import annotations

import pytest

from fairdeck.elgamal import Ciphertext, deck_hash, decode_deck, encode_deck, first_deck, remask
from fairdeck.errors import Malformed
from fairdeck.group import EDWARDS25519, Group, base, card_points, times_base
from tests.fairdeck.cheap import CHEAP
from tests.fairdeck.forge import bad_points

X = 424242
both_groups = pytest.mark.parametrize("group", [EDWARDS25519, CHEAP], ids=["edwards25519", "integers"])
DECK = first_deck(EDWARDS25519, times_base(EDWARDS25519, X), 4)
MASKED = tuple(remask(EDWARDS25519, times_base(EDWARDS25519, X), masked, 10 + i) for i, masked in enumerate(DECK))
DATA = encode_deck(MASKED)


@both_groups
def test_first_deck_holds_every_card_under_randomness_one(group: Group) -> None:
    Y = times_base(group, X)
    deck = first_deck(group, Y, 36)
    assert {masked.C1 for masked in deck} == {base(group)}
    assert tuple(masked.C2 - X * masked.C1 for masked in deck) == card_points(group, 36)
    assert not any(half.is_identity for masked in deck for half in (masked.C1, masked.C2))


@both_groups
def test_remasked_card_is_the_same_card_with_both_halves_changed(group: Group) -> None:
    Y = times_base(group, X)
    before = first_deck(group, Y, 1)[0]
    after = remask(group, Y, before, 99)
    assert after.C2 - X * after.C1 == before.C2 - X * before.C1
    assert after.C1 == before.C1 + times_base(group, 99)
    assert after.C2 != before.C2


def test_deck_comes_back_from_64_bytes_a_card() -> None:
    assert len(DATA) == 64 * 4
    assert bytes(MASKED[0]) == DATA[:64]
    assert decode_deck(EDWARDS25519, DATA, 4) == MASKED


@pytest.mark.parametrize("data", [b"", DATA[:-1], DATA[:-64], DATA + b"\x00", DATA + DATA[:64]])
def test_short_and_long_decks_are_refused(data: bytes) -> None:
    with pytest.raises(Malformed, match="must be 256 bytes"):
        decode_deck(EDWARDS25519, data, 4)


@pytest.mark.parametrize(("place", "source"), [(1, 0), (2, 0), (3, 0), (7, 0), (3, 1), (5, 2), (7, 6)])
def test_deck_with_a_point_twice_is_refused(place: int, source: int) -> None:
    """Of two equal first halves one share would open two cards; a card twice, byte for byte, is the same with both."""
    halves = [DATA[i : i + 32] for i in range(0, len(DATA), 32)]
    halves[place] = halves[source]
    with pytest.raises(Malformed, match="occurs twice"):
        decode_deck(EDWARDS25519, b"".join(halves), 4)


@pytest.mark.parametrize("data", bad_points().values(), ids=bad_points().keys())
def test_bad_point_in_either_half_spoils_the_deck(data: bytes) -> None:
    for half in (2, 3):
        with pytest.raises(Malformed, match="no element"):
            decode_deck(EDWARDS25519, DATA[: 32 * half] + data + DATA[32 * half + 32 :], 4)


def test_hash_of_a_deck_tells_cards_and_order_apart() -> None:
    swapped = (MASKED[1], MASKED[0], *MASKED[2:])
    crossed = (Ciphertext(MASKED[0].C2, MASKED[0].C1), *MASKED[1:])
    assert len({deck_hash(deck) for deck in (MASKED, swapped, crossed, MASKED[:3])}) == 4
