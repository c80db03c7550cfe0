"""Hands that do not remember when a card came, and secrets on our own side that never repeat."""

from __future__ import annotations

from collections import Counter
from math import factorial

import pytest

from fairdeck import hand as hand_module
from fairdeck import shuffle as shuffle_module
from fairdeck.deck import Deck
from fairdeck.elgamal import Ciphertext, first_deck
from fairdeck.group import Group, Point, times_base
from fairdeck.seating import game_key
from fairdeck.shuffle import permute
from fairdeck.sigma import Nonces
from tests.fairdeck.cheap import CHEAP, DurakSession, SeededRng, lowest, sit_down
from tests.zoo import linking
from tests.zoo.linking import (
    Chi,
    Opened,
    by_age,
    by_index,
    cards_opened_as_they_were_drawn,
    openings,
    words_seen_before,
)


def opened_in(games: int) -> list[Opened]:
    return [one for number in range(games) for one in openings(linking.play(f"unlinkable {number}"))]


@pytest.fixture(scope="module")
def many() -> tuple[list[Opened], list[str]]:
    """Five hundred games: every opening, and every point of a remask that was there before.

    The shuffles are proven and their proofs not looked at, which takes half the time.
    """
    opened, seen = [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffle_module, "verify_shuffle", lambda statement, proof: True)
        for number in range(500):
            pair = linking.play(f"unlinkable {number}")
            opened += list(openings(pair))
            seen += [f"game {number}, record {seq}" for seq, _ in words_seen_before(pair)]
    return opened, seen


@pytest.mark.slow
def test_index_of_an_opening_is_uniform_over_the_list(many: tuple[list[Opened], list[str]]) -> None:
    found = by_index(many[0])
    assert found.freedom >= 10
    assert found.is_fair, found


@pytest.mark.slow
def test_index_of_an_opening_says_nothing_about_when_its_card_was_drawn(many: tuple[list[Opened], list[str]]) -> None:
    assert sum(one.draws > 1 for one in many[0]) > 2000
    found = by_age(many[0])
    assert found.freedom >= 50
    assert found.is_fair, found


@pytest.mark.slow
def test_no_point_of_a_remasked_hand_was_seen_before(many: tuple[list[Opened], list[str]]) -> None:
    assert many[1] == []


def test_no_point_of_a_remasked_hand_was_seen_before_in_one_game() -> None:
    pair = linking.play("unlinkable 0")
    assert any(one.draws > 1 for one in openings(pair))
    assert words_seen_before(pair) == []
    assert cards_opened_as_they_were_drawn(pair) == 0


# The same questions asked of remasks as they must not be


@pytest.mark.slow
def test_remask_that_leaves_every_card_in_its_place_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle_module, "permutation", linking.in_place)
    assert not by_age(opened_in(60)).is_fair


@pytest.mark.slow
def test_remask_in_display_order_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_module, "shuffle", linking.in_display_order)
    opened = [one for number in range(60) for one in openings(sit_down(f"sorted {number}").play(lowest))]
    assert not by_index(opened).is_fair


@pytest.mark.slow
def test_hands_that_are_not_remasked_are_found_by_place_and_by_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Deck, "must_remask", lambda deck, seat: False)
    assert not by_age(opened_in(60)).is_fair
    assert cards_opened_as_they_were_drawn(linking.play("unlinkable 0")) > 0


def test_remask_without_randomness_is_found_by_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the old list in another order; its proof is not looked at here, as it would not hold."""
    seed = "unlinkable 0"
    keys = {times_base(CHEAP, game_key(CHEAP, session.secrets[0])).data for session in sit_down(seed).seats}
    honest = shuffle_module.remask

    def of_decks_only(group: Group, Y: Point, masked: Ciphertext, rho: int) -> Ciphertext:
        return masked if Y.data in keys else honest(group, Y, masked, rho)

    monkeypatch.setattr(shuffle_module, "remask", of_decks_only)
    monkeypatch.setattr(shuffle_module, "verify_shuffle", lambda statement, proof: True)
    assert words_seen_before(linking.play(seed)) != []


# The statistic itself


@pytest.mark.parametrize(("freedom", "table"), [(5, 20.52), (19, 43.82), (35, 66.62), (120, 173.62)])
def test_critical_values_are_those_of_the_tables(freedom: int, table: float) -> None:
    assert abs(Chi(0, freedom).critical - table) < 0.3


# Our own secrets


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_shuffles_take_every_permutation_equally_often(n: int) -> None:
    """As a seat draws them for its cards; 30 of each on the average."""
    Y, rng = times_base(CHEAP, 99), SeededRng(f"permutations of {n}")
    inp = first_deck(CHEAP, Y, n)
    counts = Counter(permute(b"c" * 32, 99, Y, inp, rng).permutation for _ in range(30 * factorial(n)))
    value = sum((count - 30) ** 2 / 30 for count in counts.values()) + 30 * (factorial(n) - len(counts))
    assert Chi(value, factorial(n) - 1).is_fair


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Every secret that is drawn for a proof, by either seat."""
    seeds: list[bytes] = []
    honest = Nonces.seed

    def watched(nonces: Nonces, name: str, index: int = 0) -> bytes:
        seeds.append(honest(nonces, name, index))
        return seeds[-1]

    monkeypatch.setattr(Nonces, "seed", watched)
    return seeds


def test_no_secret_is_drawn_twice_in_a_game(drawn: list[bytes]) -> None:
    linking.play("nonces")
    assert len(drawn) > 500
    assert len(set(drawn)) == len(drawn)


def broken(session: DurakSession) -> None:
    """Its generator gives zeros from now on, as if a machine had been restored again and again."""
    session._rng = bytes


def test_no_secret_is_drawn_twice_with_a_broken_generator(drawn: list[bytes]) -> None:
    """Whoever has a good game key is saved by it: each secret hangs on what is proven too."""
    pair = sit_down("broken")
    for session in pair.seats:
        broken(session)
    pair.play(lowest)
    assert len(drawn) > 500
    assert len(set(drawn)) == len(drawn)
