"""The fast table and the rules engine agree on every legal move, every state and every result."""

from __future__ import annotations

from random import Random

import pytest

from p2pdurak.bots import fast
from p2pdurak.rules.cards import DECK, Card, Suit, beats, parse_card, rank_of, suit_of
from p2pdurak.rules.engine import outcome, to_act
from p2pdurak.rules.open_game import deal_open
from p2pdurak.rules.options import CLASSIC, Options
from p2pdurak.rules.state import Outcome
from tests.bots.tables import as_fast, dealt, left

VALUE = {Outcome(0, 1): 1, Outcome(1, 0): -1, Outcome(None, None): 0}
suits = pytest.mark.parametrize("trump", Suit)


@suits
def test_order_of_bits_is_the_order_of_the_cheapest_card(trump: Suit) -> None:
    by_bit = sorted(DECK, key=lambda card: fast.BITS[trump][card])
    assert by_bit == sorted(DECK, key=lambda card: (suit_of(card) == trump, rank_of(card), suit_of(card)))


@suits
def test_each_bit_stands_for_one_card(trump: Suit) -> None:
    assert fast.mask_of(DECK, trump) == (1 << 36) - 1
    assert [fast.card_at(fast.BITS[trump][card], trump) for card in DECK] == list(DECK)


@suits
def test_beaters_are_those_of_the_rules(trump: Suit) -> None:
    bits = fast.BITS[trump]
    for attack in DECK:
        assert fast.BEATERS[bits[attack]] == fast.mask_of([c for c in DECK if beats(c, attack, trump)], trump)


@suits
def test_mates_are_the_four_cards_of_a_rank(trump: Suit) -> None:
    for card in DECK:
        mates = fast.mask_of([other for other in DECK if rank_of(other) == rank_of(card)], trump)
        assert fast.MATES[fast.BITS[trump][card]] == mates


def test_set_is_listed_from_the_cheapest_card_on() -> None:
    assert list(fast.bits_of(0b1011000)) == [0b1000, 0b10000, 0b1000000]


def test_game_that_nobody_has_opened_yet_has_no_position() -> None:
    with pytest.raises(ValueError, match="opened"):
        as_fast(deal_open(CLASSIC, DECK, None))


def test_two_cards_at_once_are_no_card() -> None:
    with pytest.raises(KeyError):
        fast.card_at(0b11, Suit.CLUBS)


# The two engines side by side


def first_difference(seed: int, options: Options) -> str | None:
    """Play one random game on both tables; tells where they part, or None."""
    rng = Random(seed)
    game = dealt(rng, options, rng.randrange(2))
    position, world = as_fast(game)
    trump = game.state.trump
    while (seat := to_act(game.state)) is not None:
        moves = fast.legal_moves(position)
        actions = game.legal_actions()
        if fast.is_over(position) or fast.mover(position) != seat:
            return f"seed {seed}: whose turn it is at {position}"
        if {fast.action_of(move, position, trump) for move in moves} != set(actions) or len(moves) != len(actions):
            return f"seed {seed}: what is legal at {position}"
        move = rng.choice(moves)
        game, _ = game.play(seat, fast.action_of(move, position, trump))
        position = fast.play(position, world, move)
        there, _ = as_fast(game)
        if (*position[:6], position[7]) != (*there[:6], there[7]) and to_act(game.state) is not None:
            return f"seed {seed}: {position} and {there}"
        if left(position, world) != len(game.talon):
            return f"seed {seed}: the talon at {position}"
    end = outcome(game.state)
    if not fast.is_over(position) or end is None or fast.result(position) != VALUE[end]:
        return f"seed {seed}: the result of {position}"
    return None


@pytest.mark.parametrize(
    "options", [CLASSIC, Options(pile_on=False), Options(first_bout_limit=5)], ids=["classic", "no pile-on", "limit 5"]
)
def test_both_tables_agree_through_random_games(options: Options) -> None:
    assert [first_difference(seed, options) for seed in range(100)] == [None] * 100


@pytest.mark.slow
def test_both_tables_agree_through_ten_thousand_random_games() -> None:
    assert [first for seed in range(10_000) if (first := first_difference(seed, CLASSIC))] == []


@pytest.mark.parametrize("seed", range(5))
def test_random_game_is_told_as_seat_0_sees_it(seed: int) -> None:
    position, world = as_fast(dealt(Random(seed)))
    mirrored = (*position[:7], 1)
    assert fast.random_game(mirrored, world, Random(7).random) == -fast.random_game(position, world, Random(7).random)


def test_random_games_are_even_for_both_seats_and_hardly_ever_drawn() -> None:
    rng = Random(1)
    values = [fast.random_game(*as_fast(dealt(rng)), rng.random) for _ in range(600)]
    assert abs(sum(values)) < 100
    assert values.count(0) < 10


def test_move_becomes_the_action_of_its_phase() -> None:
    def said(move: str | None, attack: int) -> str:
        bit = fast.PASS if move is None else fast.BITS[Suit.SPADES][parse_card(move)]
        return str(fast.action_of(bit, (0, 0, 1, 0, attack, 1, 0, 0), Suit.SPADES))

    six = Card(0)
    assert said("6c", fast.OPEN) == said("6c", fast.TAKEN) == f"Attack(card={six})"
    assert said("6c", 1 << 3) == f"Beat(card={six})"
    assert (said(None, fast.OPEN), said(None, fast.TAKEN), said(None, 1 << 3)) == ("Done()", "Done()", "Take()")
