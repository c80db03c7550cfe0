"""A shuffle that is only a shuffle: whatever else is done to the cards, the proof does not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha512
from math import factorial
from typing import Final

import pytest

from fairdeck.elgamal import Ciphertext, encode_deck, first_deck, remask
from fairdeck.errors import Malformed
from fairdeck.group import EDWARDS25519, Group, Point, card_points, times_base
from fairdeck.shuffle import (
    Permuted,
    Statement,
    check_shuffle,
    permutation,
    permute,
    proof_bytes,
    prove_shuffle,
    shuffle,
    verify_shuffle,
)
from fairdeck.transcript import context
from tests.fairdeck.cheap import CHEAP, SeededRng
from tests.fairdeck.forge import bad_points, shuffle_proof_by_logarithms, with_card, words_altered

N: Final = 5
X: Final = 8675309
CTX: Final = context(bytes(32), 0, "shuffle")
Q: Final = EDWARDS25519.order


def key(group: Group, x: int = X) -> Point:
    return times_base(group, x)


def shuffled(group: Group, cards: int) -> tuple[Statement, bytes]:
    """A statement that is true, and its proof."""
    Y = key(group)
    inp = first_deck(group, Y, cards)
    done = shuffle(CTX, X, Y, inp, SeededRng(f"shuffle {cards}"))
    return Statement(CTX, Y, inp, done.out), done.proof


TRUE, PROOF = shuffled(EDWARDS25519, N)
TRUE36, PROOF36 = shuffled(CHEAP, 36)
Y: Final = TRUE.Y


def opened(deck: Sequence[Ciphertext], x: int = X) -> list[Point]:
    return [masked.C2 - x * masked.C1 for masked in deck]


# What is right


@pytest.mark.parametrize("cards", [2, 3, 6, 36, 52])
def test_shuffle_of_any_size_verifies(cards: int) -> None:
    statement, proof = shuffled(CHEAP, cards)
    assert len(proof) == proof_bytes(cards)
    assert verify_shuffle(statement, proof)


def test_shuffle_of_36_cards_in_the_real_group_verifies_with_4768_bytes() -> None:
    statement, proof = shuffled(EDWARDS25519, 36)
    assert len(proof) == proof_bytes(36) == 4768
    assert verify_shuffle(statement, proof)


def test_shuffled_deck_holds_the_same_cards_in_the_order_of_the_permutation() -> None:
    inp = first_deck(EDWARDS25519, Y, N)
    done = shuffle(CTX, X, Y, inp, SeededRng("order"))
    M = card_points(EDWARDS25519, N)
    assert opened(done.out) == [M[k] for k in done.permutation]
    assert not {half for masked in done.out for half in (masked.C1, masked.C2)} & {
        half for masked in inp for half in (masked.C1, masked.C2)
    }


def test_checked_shuffle_gives_the_decoded_list() -> None:
    assert check_shuffle(CTX, Y, TRUE.inp, encode_deck(TRUE.out), PROOF) == TRUE.out


def test_two_shuffles_with_one_seed_are_equal_and_with_two_are_not() -> None:
    first, again, other = (shuffle(CTX, X, Y, TRUE.inp, SeededRng(seed)) for seed in ("a", "a", "b"))
    assert first == again
    assert first.out != other.out


# The proof


def test_proof_with_any_word_altered_is_refused() -> None:
    for word, altered in words_altered(PROOF, EDWARDS25519, 2 * N):
        assert not verify_shuffle(TRUE, altered), word


def test_proof_of_36_cards_with_any_word_altered_is_refused() -> None:
    for word, altered in words_altered(PROOF36, CHEAP, 72):
        assert not verify_shuffle(TRUE36, altered), word


def test_proof_with_two_words_swapped_is_refused() -> None:
    words = [PROOF[i : i + 32] for i in range(0, len(PROOF), 32)]
    for i, j in ((0, 1), (N, N + 1), (0, N), (2 * N + 5, 2 * N + 6), (3 * N + 5, 3 * N + 6), (2 * N + 1, 2 * N + 2)):
        swapped = words.copy()
        swapped[i], swapped[j] = swapped[j], swapped[i]
        assert not verify_shuffle(TRUE, b"".join(swapped))


@pytest.mark.parametrize("length", [0, 31, 32 * (4 * N + 4), len(PROOF) - 1, len(PROOF) + 1, len(PROOF) + 32])
def test_proof_of_another_length_is_malformed(length: int) -> None:
    with pytest.raises(Malformed, match="must be 800 bytes"):
        verify_shuffle(TRUE, (PROOF * 2)[:length])


def test_lists_of_different_lengths_are_malformed() -> None:
    with pytest.raises(Malformed):
        verify_shuffle(replace(TRUE, out=TRUE.out[:-1]), PROOF)


@pytest.mark.parametrize("data", bad_points().values(), ids=bad_points().keys())
def test_bad_point_in_a_proof_is_malformed(data: bytes) -> None:
    for word in (1, N + 2):
        with pytest.raises(Malformed, match="no element"):
            verify_shuffle(TRUE, PROOF[: 32 * word] + data + PROOF[32 * word + 32 :])


def test_scalar_in_its_second_encoding_is_malformed() -> None:
    for word in range(2 * N, 4 * N + 5):
        again = int.from_bytes(PROOF[32 * word : 32 * word + 32], "little") + Q
        with pytest.raises(Malformed, match="not below the order"):
            verify_shuffle(TRUE, PROOF[: 32 * word] + again.to_bytes(32, "little") + PROOF[32 * word + 32 :])


# The statement


@pytest.mark.parametrize(
    "ctx",
    [
        context(bytes(31) + b"\x01", 0, "shuffle"),
        context(bytes(32), 1, "shuffle"),
        context(bytes(32), 0, "remask"),
    ],
    ids=["another game", "the other seat", "another purpose"],
)
def test_proof_from_elsewhere_is_refused(ctx: bytes) -> None:
    assert not verify_shuffle(replace(TRUE, ctx=ctx), PROOF)


@pytest.mark.parametrize("other", [key(EDWARDS25519, X + 1), -1 * key(EDWARDS25519), key(EDWARDS25519, 2 * X)])
def test_proof_under_another_key_is_refused(other: Point) -> None:
    assert not verify_shuffle(replace(TRUE, Y=other), PROOF)


def with_list(name: str, deck: tuple[Ciphertext, ...]) -> Statement:
    return replace(TRUE, inp=deck) if name == "inp" else replace(TRUE, out=deck)


def test_proof_does_not_hold_after_any_card_of_either_list_was_touched() -> None:
    for name in ("inp", "out"):
        deck: tuple[Ciphertext, ...] = getattr(TRUE, name)
        for place, masked in enumerate(deck):
            touched = (
                remask(EDWARDS25519, Y, masked, 1),
                Ciphertext(masked.C1, masked.C2 + Y),
                Ciphertext(masked.C1 + Y, masked.C2),
            )
            for other in touched:
                assert not verify_shuffle(with_list(name, with_card(deck, place, other)), PROOF)


def test_cards_swapped_after_proving_are_noticed() -> None:
    for name in ("inp", "out"):
        deck = getattr(TRUE, name)
        assert not verify_shuffle(with_list(name, (deck[1], deck[0], *deck[2:])), PROOF)


def test_proof_is_not_that_of_the_way_back() -> None:
    assert not verify_shuffle(replace(TRUE, inp=TRUE.out, out=TRUE.inp), PROOF)


def test_own_shuffle_cannot_be_sent_back() -> None:
    assert not verify_shuffle(replace(TRUE, inp=TRUE.out), PROOF)


# Cheating provers, who follow every step of the proof for a list that is no shuffle


def permuted() -> Permuted:
    return permute(CTX, X, Y, TRUE.inp, SeededRng("cheat"))


def fresh(card: int, rho: int = 99) -> Ciphertext:
    """A card under fresh randomness."""
    return Ciphertext(times_base(EDWARDS25519, rho), card_points(EDWARDS25519, 36)[card] + rho * Y)


def replaced(honest: Permuted) -> tuple[Ciphertext, ...]:
    return with_card(honest.out, 2, fresh(20))


def doubled(honest: Permuted) -> tuple[Ciphertext, ...]:
    return with_card(honest.out, 2, remask(EDWARDS25519, Y, honest.out[0], 55))


def swapped(honest: Permuted) -> tuple[Ciphertext, ...]:
    return (honest.out[1], honest.out[0], *honest.out[2:])


def scaled(honest: Permuted) -> tuple[Ciphertext, ...]:
    return tuple(Ciphertext(2 * masked.C1, 2 * masked.C2) for masked in honest.out)


def under_one_key(honest: Permuted) -> tuple[Ciphertext, ...]:
    return tuple(
        remask(EDWARDS25519, key(EDWARDS25519, 17), TRUE.inp[k], rho)
        for k, rho in zip(honest.permutation, honest.rho, strict=True)
    )


def message_moved(honest: Permuted) -> tuple[Ciphertext, ...]:
    """The sum of all cards stays: what one gains another loses."""
    first, second = honest.out[:2]
    moved = (Ciphertext(first.C1, first.C2 + Y), Ciphertext(second.C1, second.C2 - Y))
    return (*moved, *honest.out[2:])


def first_half_changed(honest: Permuted) -> tuple[Ciphertext, ...]:
    return with_card(honest.out, 2, Ciphertext(honest.out[2].C1 + Y, honest.out[2].C2))


def second_half_changed(honest: Permuted) -> tuple[Ciphertext, ...]:
    return with_card(honest.out, 2, Ciphertext(honest.out[2].C1, honest.out[2].C2 + Y))


CHEATS: Final = [
    *(replaced, doubled, swapped, scaled, under_one_key, message_moved, first_half_changed, second_half_changed),
]


@pytest.mark.parametrize("cheat", CHEATS)
def test_list_that_is_no_shuffle_cannot_be_proven(cheat: Callable[[Permuted], tuple[Ciphertext, ...]]) -> None:
    honest = permuted()
    out = cheat(honest)
    statement = replace(TRUE, out=out)
    proof = prove_shuffle(statement, X, replace(honest, out=out), SeededRng("proof"))
    assert not verify_shuffle(statement, proof)
    with pytest.raises(Malformed, match="cards were changed, added or dropped"):
        check_shuffle(CTX, Y, TRUE.inp, encode_deck(out), proof)


def test_these_cheaters_would_pass_if_they_were_honest() -> None:
    honest = permuted()
    statement = replace(TRUE, out=honest.out)
    assert verify_shuffle(statement, prove_shuffle(statement, X, honest, SeededRng("proof")))


@pytest.mark.parametrize("p", [(0, 0, 2, 3, 4), (4, 4, 4, 4, 4)])
def test_permutation_that_takes_a_card_twice_cannot_be_proven(p: tuple[int, ...]) -> None:
    honest = permuted()
    out = tuple(remask(EDWARDS25519, Y, TRUE.inp[k], rho) for k, rho in zip(p, honest.rho, strict=True))
    statement = replace(TRUE, out=out)
    assert not verify_shuffle(statement, prove_shuffle(statement, X, Permuted(out, p, honest.rho), SeededRng("proof")))


def test_card_twice_byte_for_byte_is_malformed() -> None:
    with pytest.raises(Malformed, match="occurs twice"):
        check_shuffle(CTX, Y, TRUE.inp, encode_deck(with_card(TRUE.out, 0, TRUE.out[1])), PROOF)


def test_deck_that_was_not_shuffled_at_all_is_malformed() -> None:
    """The first deck has one first half for all, and must not come back."""
    with pytest.raises(Malformed, match="occurs twice"):
        check_shuffle(CTX, Y, TRUE.inp, encode_deck(TRUE.inp), PROOF)


def test_dropped_and_added_cards_are_malformed() -> None:
    for out in (TRUE.out[:-1], (*TRUE.out, fresh(20))):
        with pytest.raises(Malformed, match="A deck of 5 masked cards"):
            check_shuffle(CTX, Y, TRUE.inp, encode_deck(out), PROOF)


def test_who_knows_the_logarithms_of_the_constants_can_prove_a_card_twice() -> None:
    """Why H, H_i and the card points come from a hash: in the cheap group, where all are known, anything passes."""
    group, Y0 = CHEAP, key(CHEAP)
    inp = first_deck(group, Y0, N)
    honest = permute(CTX, X, Y0, inp, SeededRng("cheat"))
    out = with_card(honest.out, 2, remask(group, Y0, honest.out[0], 55))
    statement = Statement(CTX, Y0, inp, out)
    assert not verify_shuffle(statement, prove_shuffle(statement, X, replace(honest, out=out), SeededRng("proof")))
    assert verify_shuffle(statement, shuffle_proof_by_logarithms(statement, "forger"))


# The permutation


def chi_square(counts: Counter[object], outcomes: int) -> float:
    expected = counts.total() / outcomes
    unseen = (outcomes - len(counts)) * expected
    return unseen + sum((count - expected) ** 2 / expected for count in counts.values())


def test_permutations_of_four_are_uniform() -> None:
    rng = SeededRng("uniform")
    counts: Counter[object] = Counter(permutation(rng(64), 4) for _ in range(4800))
    assert len(counts) == factorial(4)
    assert chi_square(counts, factorial(4)) < 49.7  # 23 degrees of freedom, one in a thousand


def test_every_card_comes_to_every_place_equally_often() -> None:
    rng = SeededRng("places")
    permutations = [permutation(rng(64), 36) for _ in range(1500)]
    for place in (0, 17, 35):
        counts: Counter[object] = Counter(p[place] for p in permutations)
        assert chi_square(counts, 36) < 66.6  # 35 degrees of freedom, one in a thousand


def rejecting(seed: bytes, n: int) -> tuple[int, ...]:
    """Fisher-Yates as in the books, over the bytes of SHA-512(seed, counter); too high a byte is thrown away."""
    stream = b"".join(sha512(seed + counter.to_bytes(4, "big")).digest() for counter in range(40))
    cards, at = list(range(n)), 0
    for left in range(n, 1, -1):
        while stream[at] >= 256 // left * left:
            at += 1
        cards[left - 1], cards[stream[at] % left] = cards[stream[at] % left], cards[left - 1]
        at += 1
    return tuple(cards)


@pytest.mark.parametrize("n", [6, 36, 52])
def test_bytes_that_would_make_some_places_likelier_are_thrown_away(n: int) -> None:
    """Without it the excess of a few 256ths is too small for the tests above."""
    rng = SeededRng("rejection")
    for _ in range(100):
        seed = rng(64)
        assert permutation(seed, n) == rejecting(seed, n)


@pytest.mark.parametrize("n", [1, 2, 36, 52, 255])
def test_permutation_holds_every_number_once(n: int) -> None:
    assert sorted(permutation(bytes(64), n)) == list(range(n))
