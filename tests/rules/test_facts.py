"""Facts that any right engine shows: averages of random play, conservation of cards, the longest game."""

from dataclasses import dataclass
from math import sqrt
from random import Random

import pytest

from p2pdurak.rules.actions import Action, Done
from p2pdurak.rules.cards import DECK
from p2pdurak.rules.engine import deal, outcome
from p2pdurak.rules.open_game import OpenGame
from p2pdurak.rules.options import CLASSIC
from p2pdurak.rules.state import BoutOutcome, Outcome, Phase, State
from tests.rules.games import Chooser, at, random_choice, random_deal, steps

BOUTS_MAX = 342


@dataclass
class Tally:
    """One finished game in numbers."""

    opener: int
    bouts: int = 0
    actions: int = 0
    forced: int = 0
    largest_hand: int = 6
    largest_cap: int = 0
    largest_table: int = 0
    end: Outcome | None = None


def where_all_cards_are(game: OpenGame) -> list[int]:
    state = game.state
    return [*game.hands[0], *game.hands[1], *state.table_cards, *state.discard, *game.talon]


def check_conservation(game: OpenGame) -> None:
    state = game.state
    everywhere = where_all_cards_are(game)
    assert len(everywhere) == len(set(everywhere)) == len(DECK)
    assert [hand.count for hand in state.hands] == [len(hand) for hand in game.hands]
    assert state.talon == len(game.talon)
    assert state.indicator == (game.talon[-1] if game.talon else None)
    assert list(state.discard) == sorted(state.discard)
    assert all(list(hand.known) == sorted(hand.known) for hand in state.hands)


def bouts_left_max(start: State) -> int:
    """How many bouts can follow from the beginning of one, this one counted.

    A pickup takes a card or more from attacker and talon together, and the same player attacks again; so their
    cards bound the pickups in a row. A beaten bout removes two cards or more; then the next attacker and the talon
    have at most all cards in play but one.
    """
    in_play = len(DECK) - len(start.discard)
    pickups = start.hands[start.attacker].count + start.talon
    beaten = 1
    for left in range(in_play - 2, 0, -2):
        pickups += left - 1
        beaten += 1
    return pickups + beaten


def tally(rng: Random, choose: Chooser, check: bool) -> Tally:
    game = random_deal(rng)
    result = Tally(0)
    bout_start = game.state
    for before, _, action, step, after in steps(game, choose):
        if check:
            check_conservation(after)
        if before.state.phase is Phase.QUESTION:
            result.opener = after.state.attacker
            bout_start = after.state
            continue
        result.actions += 1
        result.forced += action == Done() and len(before.legal_actions()) == 1
        result.largest_cap = max(result.largest_cap, before.state.cap)
        result.largest_table = max(result.largest_table, len(after.state.table))
        result.largest_hand = max(result.largest_hand, *map(len, after.hands))
        if step.bout_end is not None:
            result.bouts += 1
            assert result.bouts + bouts_left_max(bout_start) <= 1 + BOUTS_MAX
            if outcome(after.state) is None:
                assert bouts_left_max(after.state) < bouts_left_max(bout_start)
            bout_start = after.state
    last = after.state
    assert last.bout == result.bouts
    result.end = outcome(last)
    return result


def near(values: list[float], expected: float, rounding: float) -> bool:
    """Whether the mean is within four standard errors of a figure that was itself sampled and rounded."""
    mean = sum(values) / len(values)
    error = sqrt(sum((value - mean) ** 2 for value in values) / len(values) / len(values))
    return abs(mean - expected) <= 4 * error + rounding


def test_the_36_cards_are_all_there_after_every_action_of_a_game():
    rng = Random(51)
    for _ in range(100):
        tally(rng, random_choice(rng), check=True)


@pytest.fixture(scope="module")
def random_games() -> list[Tally]:
    rng = Random(53)
    return [tally(rng, random_choice(rng), check=True) for _ in range(2000)]


@pytest.mark.slow
def test_two_thousand_random_games_end_as_expected_on_average(random_games):
    decided = [game for game in random_games if game.end.winner is not None]
    assert near([game.bouts for game in random_games], 30.0, 0.1)
    assert near([game.actions for game in random_games], 107, 0.5)
    assert near([game.actions - game.forced for game in random_games], 87.6, 0.1)
    assert near([game.end.winner is None for game in random_games], 0.0018, 0.0005)
    assert near([game.end.winner == game.opener for game in decided], 0.502, 0.005)


@pytest.mark.slow
def test_two_thousand_random_games_stay_within_the_bounds_of_the_rules(random_games):
    assert max(game.largest_cap for game in random_games) == 6
    assert max(game.largest_table for game in random_games) <= 6
    assert 18 <= max(game.largest_hand for game in random_games) <= 35
    assert max(game.bouts for game in random_games) <= BOUTS_MAX


def lowest_card(game: OpenGame, actions: tuple[Action, ...]) -> Action:
    """The lowest legal card, trumps last; take and done only without one."""
    trump = game.state.trump

    def height(action: Action) -> tuple[bool, bool, int]:
        card = getattr(action, "card", None)
        return (True, True, 0) if card is None else (False, card // 9 == trump, card % 9)

    return min(actions, key=height)


@pytest.mark.slow
def test_lowest_card_play_ends_as_expected_on_average():
    rng = Random(59)
    games = [tally(rng, lowest_card, check=False) for _ in range(1500)]
    decided = [game for game in games if game.end.winner is not None]
    assert near([game.bouts for game in games], 13.0, 0.1)
    assert near([game.actions for game in games], 60.6, 0.1)
    assert near([game.actions - game.forced for game in games], 48.9, 0.1)
    assert near([game.end.winner is None for game in games], 0.040, 0.001)
    assert near([game.end.winner == game.opener for game in decided], 0.528, 0.005)


def test_a_whole_deck_allows_342_bouts_at_most():
    most_for_the_attacker = at("h", "?12", "?1", indicator="Ah", talon=23)
    assert bouts_left_max(most_for_the_attacker) == BOUTS_MAX
    assert bouts_left_max(deal(CLASSIC, DECK[0], 0)) == BOUTS_MAX - 5


def test_a_beaten_bout_removes_two_cards_and_a_pickup_shrinks_attacker_and_talon():
    rng = Random(61)
    for _ in range(60):
        for before, _, _, step, after in steps(random_deal(rng, opener=0), random_choice(rng)):
            if step.bout_end is None:
                continue
            if step.bout_end.outcome is BoutOutcome.BEATEN:
                assert len(after.state.discard) >= len(before.state.discard) + 2
            else:
                attacker = step.bout_end.attacker
                laid = [pair.attack for pair in before.state.table]
                held_before = len(before.hands[attacker]) + len(laid) + before.state.talon
                assert len(after.hands[attacker]) + after.state.talon < held_before
