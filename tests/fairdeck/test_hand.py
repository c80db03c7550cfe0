"""What a seat does with its own secret: see, give, open, deny, remask, and nothing that it cannot."""

from __future__ import annotations

from collections import Counter

import pytest

from fairdeck.deck import check_absent, take_opening, take_remask
from fairdeck.errors import LocalError
from fairdeck.hand import Holder
from fairdeck.sigma import Rng
from tests.fairdeck.cheap import CHEAP, SeededRng
from tests.fairdeck.small_deck import SECRETS, SID, dealt, drawn_up, holder, undealt


def test_each_seat_sees_its_own_cards_and_not_the_others() -> None:
    assert len(holder(0).cards(dealt())) == 3
    with pytest.raises(LocalError, match="cannot be opened"):
        Holder(0, SECRETS[1], SeededRng("spy")).cards(dealt())


def test_drawn_card_is_not_seen_before_the_other_seats_share() -> None:
    assert holder(0).cards(undealt()) == ()
    assert holder(0).cards(drawn_up())[:3] == holder(0).cards(dealt())


def test_cards_are_remembered_by_their_mask() -> None:
    ours = holder(0)
    assert ours.cards(dealt()) == ours.cards(dealt()) == holder(0).cards(dealt())


def test_card_that_is_not_in_the_hand_cannot_be_opened() -> None:
    card = holder(1).cards(dealt())[0]
    with pytest.raises(LocalError, match="not in your hand"):
        holder(0).opening(dealt(), card)


def test_held_card_cannot_be_denied() -> None:
    held, other = holder(0).cards(dealt())[0], holder(1).cards(dealt())[0]
    for cards in ((held,), (other, held)):
        with pytest.raises(LocalError, match="You hold a card"):
            holder(0).denial(dealt(), cards)


def test_what_a_seat_makes_passes_every_check() -> None:
    after, parts = holder(0).remask(drawn_up())
    card = holder(0).cards(after)[0]
    assert take_remask(drawn_up(), 0, parts) == after
    take_opening(drawn_up(), 0, card, parts, holder(0).opening(after, card))
    denied = holder(1).cards(dealt())[:2]
    check_absent(after, 0, denied, holder(0).denial(after, denied))


def test_hand_of_one_batch_is_not_remasked() -> None:
    assert holder(0).remask(dealt()) == (dealt(), ())


def constant(count: int) -> bytes:
    return bytes(count)


@pytest.mark.parametrize("rng", [SeededRng("one"), constant], ids=["good generator", "broken generator"])
def test_openings_of_two_cards_use_two_nonces(rng: Rng) -> None:
    """With one nonce k for both, k = s - c x would give the key and with it every card."""
    ours, x, q = Holder(0, SECRETS[0], rng), SECRETS[0], dealt().group.order
    nonces = set()
    for card in ours.cards(dealt()):
        proof = ours.opening(dealt(), card)[33:]
        c, s = int.from_bytes(proof[:32], "little"), int.from_bytes(proof[32:], "little")
        nonces.add((s - c * x) % q)
    assert len(nonces) == 3


def test_remask_leaves_no_trace_of_when_a_card_came() -> None:
    """The place of the first card of the deal, and of the last drawn, is uniform over the new list."""
    deck = drawn_up(SID, CHEAP)
    ours = holder(0)
    before = ours.cards(deck)
    places: Counter[tuple[int, int]] = Counter()
    for _ in range(600):
        after = ours.cards(ours.remask(deck)[0])
        places[after.index(before[0]), after.index(before[4])] += 1
    expected = 600 / 20
    chi_square = sum((places[i, j] - expected) ** 2 / expected for i in range(5) for j in range(5) if i != j)
    assert chi_square < 43.8  # 19 degrees of freedom, one in a thousand


def test_two_remasks_of_one_hand_differ() -> None:
    ours = holder(0)
    assert ours.remask(drawn_up())[1] != ours.remask(drawn_up())[1]
