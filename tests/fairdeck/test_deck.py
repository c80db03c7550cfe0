"""One deck as the table sees it: who owes which shares, and every check on shares, remasks, openings and denials."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from fairdeck.deck import (
    Deck,
    absent_context,
    absent_items,
    as_ciphertexts,
    check_absent,
    draw,
    merged,
    opening_context,
    share_statement,
    share_weights,
    take_opening,
    take_remask,
    take_shares,
    weighted,
    with_seat,
)
from fairdeck.elgamal import Ciphertext, encode_deck, remask
from fairdeck.errors import LocalError, Malformed
from fairdeck.game import Seat
from fairdeck.group import EDWARDS25519, Point, card_points, times_base
from fairdeck.shuffle import Permuted, Statement, permute, prove_shuffle
from fairdeck.sigma import prove_equal, prove_unequal
from fairdeck.transcript import context
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.forge import bad_points, with_card, words_altered
from tests.fairdeck.small_deck import LAYOUT, SECRETS, SID, dealt, drawn_up, holder, undealt

RNG: Final = SeededRng("test deck")
OTHER_SID: Final = bytes(32)
bad_point = pytest.mark.parametrize("bad", bad_points().values(), ids=bad_points().keys())


def open_with(deck: Deck, seat: Seat, index: int, *, x: int | None = None, D: Point | None = None) -> bytes:
    """An opening made step by step, with another secret or another D if one is given."""
    secret = SECRETS[seat] if x is None else x
    entry = deck.hands[seat][index]
    shown = secret * entry.A if D is None else D
    proof = prove_equal(opening_context(deck, seat, index), secret, deck.keys[seat], entry.A, shown, RNG)
    return bytes([index]) + shown.data + proof


# Layout and shares owed


def test_layout_counts_its_cards() -> None:
    assert LAYOUT.cards == 10


def test_after_both_shuffles_each_owes_the_others_hand_and_the_upcards() -> None:
    assert undealt().owed(0) == (1, 3, 5, 9)
    assert undealt().owed(1) == (0, 2, 4, 9)


def test_after_the_deal_nothing_is_owed_and_both_hands_are_one_batch() -> None:
    deck = dealt()
    assert deck.owed(0) == deck.owed(1) == ()
    assert [len(hand) for hand in deck.hands] == [3, 3]
    assert not deck.must_remask(0)
    assert not deck.must_remask(1)


def test_hands_and_upcard_are_different_cards_of_the_deck() -> None:
    deck = dealt()
    cards = [*holder(0).cards(deck), *holder(1).cards(deck), *deck.upcards()]
    assert len(set(cards)) == 7
    assert set(cards) <= set(range(10))


def test_drawing_owes_the_next_stock_positions_to_their_owner() -> None:
    deck = draw(dealt(), 0, 2)
    assert (deck.owed(1), deck.owed(0), deck.stock_drawn) == ((6, 7), (), 2)
    deck = draw(deck, 1, 1)
    assert (deck.owed(1), deck.owed(0), deck.stock_drawn) == ((6, 7), (8,), 3)


def test_drawing_nothing_changes_nothing() -> None:
    assert draw(dealt(), 0, 0) is dealt()


def test_drawing_more_than_the_stock_holds_is_our_own_fault() -> None:
    with pytest.raises(LocalError, match="more cards than the stock holds"):
        draw(dealt(), 0, 4)


def test_pair_with_one_seat_changed() -> None:
    assert with_seat((1, 2), 0, 9) == (9, 2)
    assert with_seat((1, 2), 1, 9) == (1, 9)


def test_upcard_that_is_no_card_is_malformed() -> None:
    deck = dealt()
    wrong = ((deck.upcard_shares[0][0] + deck.keys[0],), deck.upcard_shares[1])
    with pytest.raises(Malformed, match="no card of the deck"):
        replace(deck, upcard_shares=wrong).upcards()


# Shares


def forged_shares(deck: Deck, author: Seat, D: tuple[Point, ...], x: int | None = None) -> bytes:
    """Shares with a proof made as the honest one is, for whatever points."""
    secret, positions = SECRETS[author] if x is None else x, deck.owed(author)
    statement = share_statement(deck, author, positions, D)
    weights = share_weights(deck, statement, positions)
    A_sum = weighted(weights, (deck.cards[p].C1 for p in positions))
    proof = prove_equal(statement, secret, deck.keys[author], A_sum, weighted(weights, D), RNG)
    return b"".join(point.data for point in D) + proof


def right_shares(deck: Deck, author: Seat) -> tuple[Point, ...]:
    return tuple(SECRETS[author] * deck.cards[p].C1 for p in deck.owed(author))


def refused(deck: Deck, author: Seat, data: bytes, why: str = "does not open its card") -> None:
    with pytest.raises(Malformed, match=why):
        take_shares(deck, author, data)


def test_right_shares_are_32_bytes_a_card_and_one_proof() -> None:
    shares = holder(1).shares(undealt())
    assert len(shares) == 32 * 4 + 64
    assert take_shares(undealt(), 1, shares).owed(1) == ()
    assert take_shares(undealt(), 1, forged_shares(undealt(), 1, right_shares(undealt(), 1))).owed(1) == ()


def test_shares_with_any_word_altered_are_refused() -> None:
    for _, altered in words_altered(holder(1).shares(undealt()), EDWARDS25519, 4):
        refused(undealt(), 1, altered)


def test_wrong_share_is_refused_wherever_it_stands() -> None:
    right = right_shares(undealt(), 1)
    for place in range(4):
        wrong = (*right[:place], right[place] + undealt().keys[0], *right[place + 1 :])
        refused(undealt(), 1, forged_shares(undealt(), 1, wrong))


def test_share_that_turns_one_card_into_another_is_refused() -> None:
    M = card_points(EDWARDS25519, 10)
    right = right_shares(undealt(), 1)
    refused(undealt(), 1, forged_shares(undealt(), 1, (right[0] + M[0] - M[1], *right[1:])))


def test_errors_that_cancel_are_refused() -> None:
    """The weights are hashed after every share is named; with equal or earlier ones this would pass."""
    error = times_base(EDWARDS25519, 5)
    right = right_shares(undealt(), 1)
    refused(undealt(), 1, forged_shares(undealt(), 1, (right[0] + error, right[1] - error, *right[2:])))


def test_errors_that_cancel_under_the_weights_of_the_right_shares_are_refused() -> None:
    deck, right = undealt(), right_shares(undealt(), 1)
    positions = deck.owed(1)
    w = share_weights(deck, share_statement(deck, 1, positions, right), positions)
    error = times_base(EDWARDS25519, 5)
    refused(deck, 1, forged_shares(deck, 1, (right[0] + w[1] * error, right[1] - w[0] * error, *right[2:])))


def test_one_share_alone_is_weighted_too() -> None:
    deck = draw(dealt(), 0, 1)
    D = right_shares(deck, 1)
    assert take_shares(deck, 1, forged_shares(deck, 1, D)).owed(1) == ()
    plain = prove_equal(
        share_statement(deck, 1, (6,), D), SECRETS[1], deck.keys[1], deck.cards[6].C1, D[0], SeededRng("plain")
    )
    refused(deck, 1, D[0].data + plain)


def test_swapped_shares_are_refused() -> None:
    right = right_shares(undealt(), 1)
    refused(undealt(), 1, forged_shares(undealt(), 1, (right[1], right[0], *right[2:])))


def test_shares_under_another_key_are_refused() -> None:
    deck = undealt()
    D = tuple(777 * deck.cards[p].C1 for p in deck.owed(1))
    refused(deck, 1, forged_shares(deck, 1, D, x=777))


def test_shares_for_other_positions_are_refused() -> None:
    deck = undealt()
    refused(deck, 1, forged_shares(deck, 1, tuple(SECRETS[1] * deck.cards[p].C1 for p in (0, 2, 4, 8))))


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_missing_and_surplus_shares_are_refused(count: int) -> None:
    shares = holder(1).shares(undealt())
    data = (shares[:128] * 2)[: 32 * count] + shares[-64:]
    refused(undealt(), 1, data, "shares owed are for 4 cards")


@pytest.mark.parametrize("data", [b"", bytes(64), bytes(96)])
def test_shares_that_nobody_owes_are_refused(data: bytes) -> None:
    refused(dealt(), 1, data, "shares owed are for 0 cards")


def test_shares_of_another_game_are_refused() -> None:
    """Even with the same cards and keys."""
    refused(undealt(), 1, holder(1).shares(replace(undealt(), sid=OTHER_SID)))


def test_shares_of_the_other_seat_are_refused() -> None:
    deck = undealt()
    mirrored = replace(deck, layout=replace(LAYOUT, hands=LAYOUT.hands[::-1]), drawn=deck.drawn[::-1])
    refused(deck, 1, holder(0).shares(mirrored))


def test_shares_of_another_deck_are_refused() -> None:
    other = replace(undealt(), hash=bytes(32))
    refused(undealt(), 1, holder(1).shares(other))


@bad_point
def test_bad_point_among_the_shares_is_malformed(bad: bytes) -> None:
    shares = holder(1).shares(undealt())
    refused(undealt(), 1, shares[:32] + bad + shares[64:], "no element")


def test_shares_come_without_being_asked_for_a_position() -> None:
    """A seat computes shares only for what its own deck says that it owes: never its own hand, never the talon."""
    given = take_shares(undealt(), 1, holder(1).shares(undealt()))
    assert {entry.A for entry in given.hands[0]} == {undealt().cards[p].C1 for p in (0, 2, 4)}
    assert given.hands[1] == ()


# Openings


def test_opened_card_leaves_the_hand_and_the_gap_closes() -> None:
    deck, cards = dealt(), holder(0).cards(dealt())
    opening = holder(0).opening(deck, cards[1])
    assert len(opening) == 97
    after = take_opening(deck, 0, cards[1], (), opening)
    assert after.hands[0] == (deck.hands[0][0], deck.hands[0][2])
    assert take_opening(deck, 0, cards[1], (), open_with(deck, 0, 1)) == after


def refused_opening(deck: Deck, card: int, opening: bytes, why: str, *, seat: Seat = 0) -> None:
    with pytest.raises(Malformed, match=why):
        take_opening(deck, seat, card, (), opening)


def test_opening_with_any_word_altered_is_refused() -> None:
    card = holder(0).cards(dealt())[1]
    opening = open_with(dealt(), 0, 1)
    for _, altered in words_altered(opening[1:], EDWARDS25519, 1):
        refused_opening(dealt(), card, opening[:1] + altered, "proof does not hold")


def test_naming_one_card_and_opening_another_is_refused() -> None:
    cards = holder(0).cards(dealt())
    refused_opening(dealt(), cards[0], open_with(dealt(), 0, 1), "another card than the one named")
    not_held = next(card for card in range(10) if card not in cards)
    refused_opening(dealt(), not_held, open_with(dealt(), 0, 1), "another card than the one named")


def test_opening_that_pretends_another_card_is_refused() -> None:
    deck, cards, M = dealt(), holder(0).cards(dealt()), card_points(EDWARDS25519, 10)
    not_held = next(card for card in range(10) if card not in cards)
    D = deck.hands[0][1].B - M[not_held]
    refused_opening(deck, not_held, open_with(deck, 0, 1, D=D), "proof does not hold")


def test_opening_at_another_index_is_refused() -> None:
    card = holder(0).cards(dealt())[1]
    opening = open_with(dealt(), 0, 1)
    refused_opening(dealt(), card, b"\x00" + opening[1:], "proof does not hold")


@pytest.mark.parametrize("index", [3, 4, 255])
def test_opening_beyond_the_end_of_the_hand_is_refused(index: int) -> None:
    card = holder(0).cards(dealt())[1]
    refused_opening(dealt(), card, bytes([index]) + open_with(dealt(), 0, 1)[1:], "beyond the end")


@pytest.mark.parametrize("length", [0, 1, 96, 98, 194])
def test_opening_of_another_length_is_refused(length: int) -> None:
    opening = (open_with(dealt(), 0, 1) * 2)[:length]
    refused_opening(dealt(), holder(0).cards(dealt())[1], opening, "must be 97 bytes")


@bad_point
def test_opening_with_a_bad_point_is_malformed(bad: bytes) -> None:
    opening = open_with(dealt(), 0, 1)
    refused_opening(dealt(), holder(0).cards(dealt())[1], opening[:1] + bad + opening[33:], "no element")


def test_opening_under_another_key_is_refused() -> None:
    refused_opening(dealt(), holder(0).cards(dealt())[1], open_with(dealt(), 0, 1, x=777), "proof does not hold")


def test_opening_of_another_game_or_hand_is_refused() -> None:
    """Bound to the hash of the hand: after another card has left, an old opening says nothing."""
    cards = holder(0).cards(dealt())
    opening = open_with(replace(dealt(), sid=OTHER_SID), 0, 1)
    refused_opening(dealt(), cards[1], opening, "proof does not hold")
    later = take_opening(dealt(), 0, cards[2], (), open_with(dealt(), 0, 2))
    refused_opening(later, cards[1], open_with(dealt(), 0, 1), "proof does not hold")


def test_what_an_opening_is_bound_to_differs_by_game_seat_hand_and_index() -> None:
    deck = dealt()
    later = take_opening(deck, 0, holder(0).cards(deck)[2], (), open_with(deck, 0, 2))
    contexts = [opening_context(deck, seat, index) for seat in (0, 1) for index in range(3)]
    contexts += [opening_context(other, 0, 0) for other in (later, replace(deck, sid=OTHER_SID))]
    assert len(set(contexts)) == 8


def test_opening_of_the_other_seats_hand_is_refused() -> None:
    deck = dealt()
    card = holder(1).cards(deck)[0]
    refused_opening(deck, card, open_with(deck, 1, 0), "proof does not hold")


def test_card_cannot_be_opened_twice() -> None:
    card = holder(0).cards(dealt())[0]
    later = take_opening(dealt(), 0, card, (), open_with(dealt(), 0, 0))
    refused_opening(later, card, open_with(later, 0, 0), "another card than the one named")


def test_last_card_opens_and_leaves_an_empty_hand() -> None:
    deck = dealt()
    for _ in range(3):
        card = holder(0).cards(deck)[0]
        deck = take_opening(deck, 0, card, (), holder(0).opening(deck, card))
    assert deck.hands[0] == ()
    refused_opening(deck, 0, open_with(dealt(), 0, 0), "beyond the end")


# Remasks


def remasked() -> tuple[Deck, tuple[bytes, ...]]:
    return holder(0).remask(drawn_up())


def refused_remask(deck: Deck, remask: tuple[bytes, ...], why: str, seat: Seat = 0) -> None:
    with pytest.raises(Malformed, match=why):
        take_remask(deck, seat, remask)


def test_hand_of_two_batches_must_be_remasked_and_is_one_batch_then() -> None:
    deck = drawn_up()
    assert deck.must_remask(0)
    ours, parts = remasked()
    theirs = take_remask(deck, 0, parts)
    assert theirs == ours
    assert not theirs.must_remask(0)
    assert sorted(holder(0).cards(theirs)) == sorted(holder(0).cards(deck))
    assert not {entry.A for entry in theirs.hands[0]} & {entry.A for entry in deck.hands[0]}


def test_card_opens_from_the_remasked_list_only() -> None:
    deck, card = drawn_up(), holder(0).cards(drawn_up())[4]
    after, parts = remasked()
    index = holder(0).cards(after).index(card)
    assert len(take_opening(deck, 0, card, parts, holder(0).opening(after, card)).hands[0]) == 4
    for old in (open_with(deck, 0, 4), open_with(deck, 0, index)):
        with pytest.raises(Malformed, match="proof does not hold"):
            take_opening(deck, 0, card, parts, old)


def test_missing_remask_is_refused() -> None:
    card = holder(0).cards(drawn_up())[0]
    refused_remask(drawn_up(), (), "must be remasked")
    refused_opening(drawn_up(), card, open_with(drawn_up(), 0, 0), "must be remasked")


def test_half_a_remask_is_refused() -> None:
    refused_remask(drawn_up(), remasked()[1][:1], "must be remasked")


def test_surplus_remask_is_refused() -> None:
    refused_remask(dealt(), remasked()[1], "must not be")
    refused_remask(take_remask(drawn_up(), 0, remasked()[1]), remasked()[1], "must not be")


def test_remask_with_any_word_altered_is_refused() -> None:
    out, proof = remasked()[1]
    for _, altered in words_altered(proof, EDWARDS25519, 10):
        refused_remask(drawn_up(), (out, altered), "does not hold")


def cheating_remask(deck: Deck, out: tuple[Ciphertext, ...], permuted: Permuted, ctx: bytes) -> tuple[bytes, bytes]:
    statement = Statement(ctx, deck.keys[0], as_ciphertexts(deck, 0), out)
    return encode_deck(out), prove_shuffle(statement, SECRETS[0], replace(permuted, out=out), RNG)


def permuted_hand(deck: Deck, ctx: bytes) -> Permuted:
    return permute(ctx, SECRETS[0], deck.keys[0], as_ciphertexts(deck, 0), SeededRng("remask"))


REMASK: Final = context(SID, 0, "remask")


def test_these_tests_remask_as_the_honest_do() -> None:
    permuted = permuted_hand(drawn_up(), REMASK)
    take_remask(drawn_up(), 0, cheating_remask(drawn_up(), permuted.out, permuted, REMASK))


def test_remask_that_replaces_or_doubles_a_card_is_refused() -> None:
    deck, permuted = drawn_up(), permuted_hand(drawn_up(), REMASK)
    Y = deck.keys[0]
    other = Ciphertext(times_base(EDWARDS25519, 9), card_points(EDWARDS25519, 10)[0] + 9 * Y)
    for new in (other, remask(EDWARDS25519, Y, permuted.out[1], 7)):
        out = with_card(permuted.out, 0, new)
        refused_remask(deck, cheating_remask(deck, out, permuted, REMASK), "does not hold")


def test_remask_that_drops_or_adds_a_card_is_refused() -> None:
    out, proof = remasked()[1]
    refused_remask(drawn_up(), (out[:-64], proof), "5 masked cards")
    refused_remask(drawn_up(), (out + out[:64], proof), "5 masked cards")


def test_remask_with_a_card_twice_byte_for_byte_is_refused() -> None:
    out, proof = remasked()[1]
    refused_remask(drawn_up(), (out[:64] + out[:64] + out[128:], proof), "occurs twice")


def test_remask_of_another_purpose_game_or_seat_is_refused() -> None:
    deck = drawn_up()
    for ctx in (context(SID, 0, "shuffle"), context(OTHER_SID, 0, "remask"), context(SID, 1, "remask")):
        permuted = permuted_hand(deck, ctx)
        refused_remask(deck, cheating_remask(deck, permuted.out, permuted, ctx), "does not hold")


def test_remask_under_another_key_is_refused() -> None:
    deck = drawn_up()
    foreign = replace(deck, keys=(deck.keys[1], deck.keys[0]))
    permuted = permuted_hand(foreign, REMASK)
    refused_remask(deck, cheating_remask(foreign, permuted.out, permuted, REMASK), "does not hold")


def test_remask_replayed_for_a_later_hand_is_refused() -> None:
    deck, card = drawn_up(), holder(0).cards(drawn_up())[0]
    after, parts = remasked()
    later = draw(take_opening(deck, 0, card, parts, holder(0).opening(after, card)), 0, 1)
    later = take_shares(later, 1, holder(1).shares(later))
    refused_remask(later, parts, "does not hold")


def test_merged_hand_is_told_apart_from_the_next_refill() -> None:
    after = draw(merged(drawn_up(), 0, as_ciphertexts(drawn_up(), 0)), 0, 1)
    assert take_shares(after, 1, holder(1).shares(after)).must_remask(0)


def test_hash_of_a_hand_tells_seat_game_order_and_batches_apart() -> None:
    deck = drawn_up()
    turned = replace(deck, hands=(deck.hands[0][::-1], deck.hands[1]))
    one_batch = merged(deck, 0, as_ciphertexts(deck, 0))
    variants = (deck, turned, one_batch, dealt(), replace(deck, sid=OTHER_SID))
    hashes = {variant.hand_hash(0) for variant in variants} | {deck.hand_hash(1)}
    assert len(hashes) == 6
    same = replace(deck, hands=(deck.hands[0], deck.hands[0]))
    assert same.hand_hash(0) != same.hand_hash(1)


# Denials


def absent_cards() -> tuple[int, ...]:
    return tuple(card for card in range(10) if card not in holder(0).cards(dealt()))


def refused_denial(cards: tuple[int, ...], proof: bytes, why: str = "does not hold", seat: Seat = 0) -> None:
    with pytest.raises(Malformed, match=why):
        check_absent(dealt(), seat, cards, proof)


def deny(deck: Deck, seat: Seat, cards: tuple[int, ...], x: int | None = None) -> bytes:
    """A denial step by step, for cards that may be held."""
    secret = SECRETS[seat] if x is None else x
    items = absent_items(deck, seat, cards)
    return prove_unequal(absent_context(deck, seat, cards), secret, deck.keys[seat], items, RNG)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_cards_that_are_not_held_can_be_denied(count: int) -> None:
    cards = absent_cards()[:count]
    proof = holder(0).denial(dealt(), cards)
    assert len(proof) == 96 * 3 * count + 32
    check_absent(dealt(), 0, cards, proof)
    check_absent(dealt(), 0, cards, deny(dealt(), 0, cards))


def test_what_a_denial_is_bound_to_differs_by_game_seat_hand_and_cards() -> None:
    deck = dealt()
    later = take_opening(deck, 0, holder(0).cards(deck)[2], (), open_with(deck, 0, 2))
    contexts = [absent_context(deck, seat, cards) for seat in (0, 1) for cards in ((1,), (2,), (1, 2), (2, 1))]
    contexts += [absent_context(other, 0, (1,)) for other in (later, replace(deck, sid=OTHER_SID))]
    assert len(set(contexts)) == 10


def test_claims_go_by_entry_and_then_by_card() -> None:
    M = card_points(EDWARDS25519, 10)
    claims = [(item.A, item.V) for item in absent_items(dealt(), 0, (4, 7))]
    assert claims == [(entry.A, entry.B - M[card]) for entry in dealt().hands[0] for card in (4, 7)]


def test_denial_with_any_word_altered_is_refused() -> None:
    cards = absent_cards()[:1]
    for _, altered in words_altered(deny(dealt(), 0, cards), EDWARDS25519, 3):
        refused_denial(cards, altered)


def test_held_card_cannot_be_denied_whichever_it_is() -> None:
    for card in holder(0).cards(dealt()):
        refused_denial((card,), deny(dealt(), 0, (card,)), "no element")
        refused_denial((absent_cards()[0], card), deny(dealt(), 0, (absent_cards()[0], card)), "no element")


def test_held_card_cannot_be_denied_under_another_key() -> None:
    card = holder(0).cards(dealt())[0]
    refused_denial((card,), deny(dealt(), 0, (card,), x=777))


def test_denial_of_one_card_is_none_of_another() -> None:
    """Also not with a proof made for another card's claims, bound to the words of this one."""
    held, absent = holder(0).cards(dealt())[0], absent_cards()[0]
    refused_denial((held,), deny(dealt(), 0, (absent,)))
    items = absent_items(dealt(), 0, (absent,))
    ctx = absent_context(dealt(), 0, (held,))
    refused_denial((held,), prove_unequal(ctx, SECRETS[0], dealt().keys[0], items, RNG))


def test_denial_that_omits_the_entry_that_is_the_card_is_refused() -> None:
    deck, held = dealt(), holder(0).cards(dealt())[0]
    items = absent_items(deck, 0, (held,))
    ctx = absent_context(deck, 0, (held,))
    short = prove_unequal(ctx, SECRETS[0], deck.keys[0], items[1:], RNG)
    refused_denial((held,), short, "must be 320 bytes")
    repeated = prove_unequal(ctx, SECRETS[0], deck.keys[0], [items[1], *items[1:]], RNG)
    refused_denial((held,), repeated)


def test_denial_of_another_game_seat_or_hand_is_refused() -> None:
    cards = absent_cards()[:1]
    refused_denial(cards, deny(replace(dealt(), sid=OTHER_SID), 0, cards))
    swapped = replace(dealt(), hands=dealt().hands[::-1], keys=dealt().keys[::-1])
    refused_denial(cards, deny(swapped, 1, cards, x=SECRETS[0]))
    turned = replace(dealt(), hands=(dealt().hands[0][::-1], dealt().hands[1]))
    refused_denial(cards, deny(turned, 0, cards))


def test_two_cards_denied_in_another_order_are_another_denial() -> None:
    cards = absent_cards()[:2]
    refused_denial(cards[::-1], deny(dealt(), 0, cards))
