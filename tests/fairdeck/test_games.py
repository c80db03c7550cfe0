"""Whole games from the first record to the audit, with what must hold in each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fairdeck.audit import Finding, audit
from fairdeck.game import Layout
from fairdeck.group import card_points
from fairdeck.log import read
from fairdeck.referee import present
from fairdeck.wire import BYTES_MAX, Kind, Move, decode_record
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Deny, Show
from p2pdurak.rules.options import CLASSIC, NAMED, Options
from p2pdurak.rules.questions import TRUMP_QUESTIONS
from p2pdurak.rules.state import Phase
from tests.fairdeck.cheap import CHEAP_SUITES, Pair, Policy, dealt, in_bout, lowest, randomly, sit_down, view_of
from tests.fairdeck.games import TRUMPLESS, played, played_for_real, saved

SEEDS = [f"whole game {number}" for number in range(20)]


def policy_of(seed: str) -> Policy:
    """Half of the games are played at random, half with the cheapest card."""
    return randomly(seed) if int(seed.rsplit(maxsplit=1)[-1]) % 2 else lowest


def all_cards(pair: Pair) -> list[int]:
    """Every card of the dealt deck by position, opened with both secrets."""
    x = pair.host.x + pair.guest.x
    cards = present(pair.referee.deck).cards
    numbers = {M.data: card for card, M in enumerate(card_points(pair.referee.group, len(cards)))}
    return [numbers[(masked.C2 - x * masked.C1).data] for masked in cards]


def whole(pair: Pair, seed: str) -> None:
    """Play to the end and look at everything that must hold."""
    pair.play(policy_of(seed))
    assert pair.host.records == pair.guest.records
    assert pair.host.referee == pair.guest.referee
    assert pair.host.verdict == pair.guest.verdict
    assert pair.host.link == pair.guest.link
    assert sorted(all_cards(pair)) == list(range(36))
    pair.open_both()
    found = audit(saved(pair), DURAK, pair.host.referee.suites)
    assert found.finding is Finding.OK
    assert found.verdict == pair.host.verdict
    assert found.saved.chain == read(saved(Pair(pair.seats[::-1]))).chain


@pytest.mark.parametrize("seed", SEEDS)
def test_game_ends_alike_on_both_sides_and_its_log_is_ok(seed: str) -> None:
    whole(sit_down(seed), seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["real game 0", "real game 1"])
def test_game_in_the_real_group_ends_alike_on_both_sides_and_its_log_is_ok(seed: str) -> None:
    whole(sit_down(seed, suite=1), seed)


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("opener", [0, 1, 3])
def test_game_under_other_options_and_openers_is_ok(name: str, opener: int) -> None:
    whole(sit_down(f"{name} {opener}", options=NAMED[name], opener=opener), f"{name} {opener}")


def test_the_same_seeds_give_the_same_game() -> None:
    seed = SEEDS[0]
    assert sit_down(seed).play(lowest).records == sit_down(seed).play(lowest).records


# Who has what


def steps(pair: Pair, policy: Policy) -> Iterator[None]:
    while not pair.referee.over:
        pair.step(policy)
        yield


@pytest.mark.parametrize("seed", SEEDS[:4])
def test_every_card_is_at_one_place_at_any_time_and_each_seat_sees_its_own(seed: str) -> None:
    pair = sit_down(seed).play(until=dealt)
    dealt_cards = all_cards(pair)
    for _ in steps(pair, policy_of(seed)):
        state, deck = present(pair.referee.state), present(pair.referee.deck)
        hidden = [
            [*session.hidden_cards, *(dealt_cards[card.position] for card in deck.drawn[session.seat])]
            for session in pair.seats
        ]
        assert [len(cards) for cards in hidden] == [hand.hidden for hand in state.hands]
        known = [card for hand in state.hands for card in hand.known]
        stock = [dealt_cards[p] for p in DURAK.layout.stock[deck.stock_drawn :]]
        indicator = [] if state.indicator is None else [state.indicator]
        everywhere = [*hidden[0], *hidden[1], *known, *state.table_cards, *state.discard, *stock, *indicator]
        assert sorted(everywhere) == list(range(36))
        assert len(stock) + len(indicator) == state.talon


def test_no_record_tells_a_hidden_card_before_its_owner_opens_it() -> None:
    """With one secret and the whole chain nothing opens but one's own cards and what was shown."""
    pair = sit_down(SEEDS[1]).play(until=in_bout)
    deck = present(pair.referee.deck)
    numbers = {M.data for M in card_points(pair.referee.group, 36)}
    for session in pair.seats:
        for masked in deck.cards:
            assert (masked.C2 - session.x * masked.C1).data not in numbers
        for entry in deck.hands[1 - session.seat]:
            assert (entry.B - session.x * entry.A).data not in numbers
    chain = b"".join(pair.records)
    assert not any(M.data in chain for M in card_points(pair.referee.group, 36))


def test_hands_of_both_stand_in_the_log_only_once_both_have_shown_their_keys() -> None:
    pair = played_for_real()
    chain = b"".join(pair.records)
    for session in pair.seats:
        assert session.x.to_bytes(32, "little") not in chain
        assert session.secrets[0] not in chain


# Who opens


@pytest.mark.parametrize("seed", SEEDS[:8])
def test_holder_of_the_lowest_trump_opens(seed: str) -> None:
    pair = sit_down(seed).play(until=dealt)
    trump = present(pair.referee.state).trump
    hands = [session.hidden_cards for session in pair.seats]
    pair.play(until=in_bout)
    trumps = {card: seat for seat in (0, 1) for card in hands[seat] if card // 9 == trump}
    state = present(pair.referee.state)
    if trumps:
        assert state.attacker == trumps[min(trumps)]
        assert state.hands[state.attacker].known == (min(trumps),)


def test_search_says_no_more_than_who_holds_which_card() -> None:
    for seed in SEEDS[:8]:
        pair = sit_down(seed).play(until=in_bout)
        actions = [
            DURAK.decode(record.body.action)
            for record in map(decode_record, pair.records)
            if isinstance(record.body, Move)
        ]
        assert all(isinstance(action, Deny) for action in actions[:-1])
        assert isinstance(actions[-1], Show)


def trumpless(seed: str, options: Options) -> tuple[Pair, list[tuple[int, ...]]]:
    """A deal, found by trying, in which nobody holds a trump."""
    pair = sit_down(seed, options=options).play(until=dealt)
    hands = [session.hidden_cards for session in pair.seats]
    trump = present(pair.referee.state).trump
    assert not any(card // 9 == trump for hand in hands for card in hand)
    return pair, hands


def test_where_nobody_holds_a_trump_the_lowest_card_opens() -> None:
    pair, hands = trumpless(TRUMPLESS, CLASSIC)
    asked = len(pair.records)
    pair.play(until=lambda now: len(now.records) == asked + TRUMP_QUESTIONS)
    assert present(pair.referee.state).phase is Phase.QUESTION
    pair.play(until=in_bout)
    lowest_rank = min(card % 9 for hand in hands for card in hand)
    opener = next(seat for seat in (0, 1) if any(card % 9 == lowest_rank for card in hands[seat]))
    assert present(pair.referee.state).attacker == opener


def test_where_nobody_holds_a_trump_the_host_opens_if_that_was_agreed() -> None:
    pair, _ = trumpless("trumpless 24", NAMED["table"])
    pair.play(until=in_bout)
    state = present(pair.referee.state)
    assert state.attacker == 0
    assert state.hands[0].known == state.hands[1].known == ()


# Sizes


def test_honest_records_stay_far_below_their_caps_in_the_real_group_too() -> None:
    for pair in (played(), played_for_real()):
        for data in pair.records:
            kind = decode_record(data).kind
            assert len(data) <= BYTES_MAX[kind] * (0.9 if kind is Kind.SHUFFLE1 else 0.7)
    assert isinstance(DURAK.layout, Layout)


def test_moves_are_made_from_what_the_player_sees() -> None:
    pair = sit_down(SEEDS[2]).play(until=in_bout)
    view = view_of(pair.mover)
    assert view.complete
    assert lowest(view) in view.legal_actions()


def test_suites_of_these_games_are_their_own() -> None:
    assert sit_down().host.referee.suites == CHEAP_SUITES
