"""Players that are programs: legal in every position, and blind to what a player cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from p2pdurak.bots import LEVELS, Bot
from p2pdurak.bots.easy import cheapest
from p2pdurak.rules.actions import Attack, Beat, Done, Take
from p2pdurak.rules.cards import DECK, Card, parse_card
from p2pdurak.rules.engine import to_act
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import CLASSIC
from p2pdurak.rules.state import Phase
from p2pdurak.rules.view import View
from tests.rules.games import at, cards

levels = pytest.mark.parametrize("bot", LEVELS.values(), ids=LEVELS)


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


@levels
@pytest.mark.parametrize("seed", range(20))
def test_bot_plays_legal_actions_only_to_the_end_of_the_game(bot: Bot, seed: int) -> None:
    for _, view in positions(seed, bot):
        for other in range(3):
            assert bot(view, Random(other)) in view.legal_actions()


@levels
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


@levels
def test_bot_chooses_the_same_for_the_same_seed(bot: Bot) -> None:
    for _, view in positions(3, bot):
        assert bot(view, Random(11)) == bot(view, Random(11))


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
        for _, view in positions(seed, lambda view, _: cheapest(view)):
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
