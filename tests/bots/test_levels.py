"""The levels: legal in every position, blind to what a player cannot see, and the same for the same seed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import p2pdurak
from p2pdurak.bots import LEVELS, Bot, dice
from p2pdurak.bots.easy import cheapest
from p2pdurak.bots.hard import FULL, Budget, choose_within, think_within
from p2pdurak.bots.thought import Thought
from p2pdurak.rules.actions import Action, Attack, Beat, Done, Take
from p2pdurak.rules.cards import DECK, Card, parse_card
from p2pdurak.rules.engine import to_act
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import CLASSIC
from p2pdurak.rules.state import Phase, Seat
from p2pdurak.rules.view import View
from tests.rules.games import at, cards

SMALL = Budget(worlds=8, batch=4, nodes=2000)


def quick_hard(view: View, rng: Random) -> Action:
    """Hard in all but the amount."""
    return choose_within(SMALL, view, rng)


BOTS: dict[str, Bot] = LEVELS | {"hard": quick_hard}
bots = pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)


def positions(seed: int, bot: Bot) -> Iterator[tuple[OpenGame, View]]:
    """Every position of a game of the bot with itself in which it has to choose."""
    rng = Random(seed)
    deck = list(DECK)
    rng.shuffle(deck)
    game = deal_open(CLASSIC, deck, None)
    while (seat := to_act(game.state)) is not None:
        view = game.view(seat)
        if view.state.phase is not Phase.QUESTION:
            yield game, view
        game, _ = game.play(seat, view.answer() if view.state.phase is Phase.QUESTION else bot(view, rng))


@bots
@pytest.mark.parametrize("seed", range(10))
def test_bot_plays_legal_actions_only_to_the_end_of_the_game(bot: Bot, seed: int) -> None:
    for _, view in positions(seed, bot):
        assert bot(view, Random(seed)) in view.legal_actions()


@bots
def test_bot_chooses_the_same_whatever_is_hidden_from_it(bot: Bot) -> None:
    differ = 0
    for seed in range(5):
        for game, view in positions(seed, bot):
            mixed = hidden_cards_mixed(game, view, seed)
            assert bot(mixed.view(view.seat), Random(7)) == bot(view, Random(7))
            differ += mixed.hands != game.hands
    assert differ > 100


def hidden_cards_mixed(game: OpenGame, view: View, seed: int) -> OpenGame:
    """The same game for this player, with the other's hidden cards and the talon dealt anew."""
    other = 1 - view.seat
    unseen = list(view.unseen)
    Random(seed).shuffle(unseen)
    hand = tuple(sorted((*view.their_known, *unseen[: view.theirs.hidden])))
    hands = (hand, view.hand) if other == 0 else (view.hand, hand)
    indicator = game.talon[-1:]
    return OpenGame(game.state, hands, (*unseen[view.theirs.hidden :], *indicator))


@bots
def test_bot_chooses_the_same_for_the_same_seed(bot: Bot) -> None:
    for _, view in positions(3, bot):
        assert bot(view, Random(11)) == bot(view, Random(11))


def test_the_level_hard_itself_chooses_the_same_for_the_same_seed_and_whatever_is_hidden() -> None:
    game, view = next(positions(3, cheapest_of))
    mixed = hidden_cards_mixed(game, view, 1)
    assert mixed.hands != game.hands
    chosen = {LEVELS["hard"](each, Random(5)) for each in (view, view, mixed.view(view.seat))}
    assert len(chosen) == 1


def cheapest_of(view: View, rng: Random) -> Action:
    return cheapest(view)


# The dice


def test_dice_are_the_same_for_the_same_seed_and_view() -> None:
    view = leading("6s 7d Ac")
    assert dice("a", view).random() == dice("a", view).random() != dice("b", view).random()


def test_every_choice_of_a_game_has_dice_of_its_own() -> None:
    views = [view for _, view in positions(4, cheapest_of)]
    assert len({dice("a", view).random() for view in views}) == len(views) > 20


def test_both_seats_have_dice_of_their_own() -> None:
    state = at("s", "?6", "?6", indicator="As", talon=24)
    throws = [dice("a", View(seat, state, tuple(cards("6c 7c 8c 9c Tc Jc")))).random() for seat in (0, 1)]
    assert throws[0] != throws[1]


def test_loading_the_levels_loads_nothing_that_easy_does_not_need() -> None:
    code = (
        "import sys, p2pdurak.bots; heavy = ('fast', 'policy', 'solver', 'hard', 'medium', 'knowledge', 'worker');"
        "print([name for name in heavy if f'p2pdurak.bots.{name}' in sys.modules])"
    )
    home = Path(p2pdurak.__path__[0]).parent
    done = subprocess.run([sys.executable, "-c", code], cwd=home, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# Easy


def leading(hand: str, trump: str = "s") -> View:
    state = at(trump, f"?{len(cards(hand))}", "?6", indicator=f"A{trump}", talon=24)
    return View(0, state, tuple(sorted(cards(hand))))


@pytest.mark.parametrize(
    ("hand", "lowest"),
    [("6s 7d Ac", "7d"), ("6s 7s", "6s"), ("9d 9c 9h", "9c"), ("Ad 6s", "Ad")],
)
def test_cheapest_lead_is_the_lowest_card_that_is_no_trump_in_the_order_of_suits(hand: str, lowest: str) -> None:
    assert cheapest(leading(hand)) == Attack(parse_card(lowest))


def test_easy_bot_takes_only_what_it_cannot_beat_and_is_done_when_nothing_fits() -> None:
    seen = set()
    for seed in range(10):
        for _, view in positions(seed, cheapest_of):
            choice, actions = cheapest(view), view.legal_actions()
            if isinstance(choice, Take | Done):
                assert not any(isinstance(action, Attack | Beat) for action in actions)
                seen.add(type(choice))
    assert seen == {Take, Done}


def test_easy_bot_does_not_always_play_the_cheapest_card() -> None:
    view = leading("6d 7d 8d 9d Td Jd")
    chosen = [LEVELS["easy"](view, Random(seed)) for seed in range(300)]
    others = sum(choice != Attack(Card(parse_card("6d"))) for choice in chosen)
    assert 40 < others < 110


# Hard


def test_hard_finds_the_only_winning_lead_of_an_ending() -> None:
    state = at("h", "6h 6s 8d", "7s Jd Jh Qc")
    assert LEVELS["hard"](View(0, state, tuple(sorted(cards("6h 6s 8d")))), Random(0)) == Attack(parse_card("8d"))


LEADING_LATE = "Tc Jc Qc Kc 8h Kh 9s Ts Js Ks"
GONE = "6c 7c 8c 9c Ac 6d 7d 8d 9d Td Jd 6h 7h 9h Jh 6s 7s As"


@pytest.mark.parametrize("seat", [0, 1])
def test_hard_leads_in_either_seat_what_wins_more_of_the_sampled_worlds(seat: Seat) -> None:
    hands = ("?10", "?6") if seat == 0 else ("?6", "?10")
    state = at("d", *hands, indicator="Kd", talon=2, discard=GONE, attacker=seat)
    view = View(seat, state, tuple(sorted(cards(LEADING_LATE))))
    assert LEVELS["medium"](view, Random(0)) == Attack(parse_card("Tc"))
    assert think_within(Budget(worlds=80), view, Random(0)) == Thought(Attack(parse_card("8h")), trials=80)


def test_hard_keeps_to_the_heuristic_where_another_move_is_hardly_better() -> None:
    view = leading("6d 7d 8d 9d Td Jd")
    heuristic = LEVELS["medium"](view, Random(0))
    assert choose_within(Budget(worlds=40), view, Random(0)) == heuristic
    assert choose_within(Budget(worlds=40, gain=0.0), view, Random(0)) != heuristic  # so there is one


def test_hard_keeps_to_the_heuristic_where_the_ending_is_too_large_to_solve() -> None:
    state = at("s", "6c 7c 8c 9c Tc 6d 7d 8d", "Jc Qc Kc Ac 9d Td Jd Qd")
    view = View(0, state, tuple(sorted(cards("6c 7c 8c 9c Tc 6d 7d 8d"))))
    assert choose_within(Budget(nodes=5), view, Random(0)) == LEVELS["medium"](view, Random(0))


HELD = "6c 8c Tc Qc 7d 9d Jd Kd"
LONG = View(0, at("s", HELD, "7c 9c Jc Kc 6d 8d Td Qd"), tuple(sorted(cards(HELD))))
"""An ending that is not solved within a second."""


def test_hard_tells_what_an_ending_is_worth_where_it_is_known_for_certain() -> None:
    state = at("h", "6h 6s 8d", "7s Jd Jh Qc")
    view = View(0, state, tuple(sorted(cards("6h 6s 8d"))))
    assert think_within(FULL, view, Random(0)) == Thought(Attack(parse_card("8d")), value=1)


def test_hard_tells_in_how_many_worlds_it_has_looked() -> None:
    assert think_within(Budget(worlds=20, batch=10, doubt=99), leading("6c 9d Td Jh Qh Ks"), Random(0)).trials == 20
    assert think_within(Budget(nodes=5, worlds=20, batch=10), LONG, Random(0)).trials == 1


def test_an_only_move_needs_no_thought() -> None:
    view = leading("6c")
    assert think_within(FULL, view, Random(0)) == Thought(Attack(parse_card("6c")))


def test_patience_that_lasts_changes_nothing() -> None:
    for _, view in positions(3, cheapest_of):
        patient = think_within(SMALL, view, Random(11), lambda: True)
        assert patient == think_within(SMALL, view, Random(11))


def test_hard_looks_at_the_time_between_batches_and_has_always_tried_one() -> None:
    view, budget = leading("6c 9d Td Jh Qh Ks"), Budget(worlds=80, batch=8, doubt=99)
    for batches in (1, 2, 5):
        asked = iter([True] * (batches - 1) + [False])
        assert think_within(budget, view, Random(0), lambda asked=asked: next(asked)).trials == 8 * batches


def test_hard_gives_up_an_ending_when_there_is_no_more_time() -> None:
    thought = think_within(Budget(nodes=10**9, batch=4), LONG, Random(0), lambda: False)
    assert thought.value is None
    assert thought.action in LONG.legal_actions()


def test_hard_never_passes_up_more_worlds_than_its_budget() -> None:
    view = leading("6c 9d Td Jh Qh Ks")
    assert choose_within(Budget(worlds=1, batch=1), view, Random(0)) in view.legal_actions()
