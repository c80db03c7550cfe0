"""Whole games at a player's seat: every event of two programs, and two players who only press keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from p2pdurak.events import Dealt, Event, Moved, Rematch, Result
from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show
from p2pdurak.rules.cards import CARDS, DECK
from p2pdurak.rules.view import View
from p2pdurak.ui.draw.screen import Screen
from p2pdurak.ui.live.last_bout import SHOWN_S
from p2pdurak.ui.live.mover import END_GUARD_S
from p2pdurak.ui.live.play_model import PlayModel
from tests.fairdeck.cheap import lowest, randomly
from tests.table.pairs import Pair
from tests.ui.live.seats import play_by_keys


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Two games between two programs."""
    pair = Pair(tmp_path_factory.mktemp("evening"), bots=True, games=(2, 2))
    return pair.connect().finish()


def told(side: int, pair: Pair) -> list[tuple[Event, Screen, View | None, PlayModel]]:
    """The picture after every event, at a time when the bout before is out of the way."""
    model, pictures = PlayModel("k7q2m"), []
    for second, event in enumerate(pair.sides[side].events):
        model.show(event, 2.0 * second)
        pictures.append((event, model.screen(2.0 * second + SHOWN_S), model.view, model))
    return pictures


@pytest.mark.parametrize("side", [0, 1])
def test_the_cards_of_every_picture_add_up_to_the_deck(evening: Pair, side: int) -> None:
    for _, screen, _, _ in told(side, evening):
        on_table = sum(1 + (pair.beaten_by is not None) for pair in screen.table)
        hands = len(screen.top.cards) + len(screen.bottom.cards)
        assert hands + on_table + screen.talon + screen.beaten == CARDS


@pytest.mark.parametrize("side", [0, 1])
def test_no_card_is_shown_at_two_places(evening: Pair, side: int) -> None:
    for _, screen, _, _ in told(side, evening):
        seen = [card for card in (*screen.top.cards, *screen.bottom.cards, screen.indicator) if card is not None]
        seen += [card for pair in screen.table for card in (pair.attack, pair.beaten_by) if card is not None]
        assert len(seen) == len(set(seen))
        assert set(seen) <= set(DECK)


@pytest.mark.parametrize("side", [0, 1])
def test_playable_are_the_legal_cards_and_the_focus_is_one_of_the_hand(evening: Pair, side: int) -> None:
    choices = 0
    for _, screen, view, _ in told(side, evening):
        if screen.choosing and view is not None:
            legal = {action.card for action in view.legal_actions() if isinstance(action, Attack | Beat)}
            assert screen.playable == legal
            if screen.focus is None:
                assert Done() in view.legal_actions()
            else:
                assert screen.focus in screen.bottom.cards
                assert screen.focus in legal or not legal
            choices += 1
        else:
            assert not screen.playable
    assert choices > 10


@pytest.mark.parametrize("side", [0, 1])
def test_a_turn_is_the_only_time_when_something_is_asked(evening: Pair, side: int) -> None:
    for _, screen, view, model in told(side, evening):
        assert not (screen.top.turn and screen.bottom.turn)
        if screen.choosing:
            assert screen.bottom.turn
            assert view is not None
            assert view.my_turn
        assert screen.prompt
        assert model is not None


def test_every_kind_of_event_of_a_game_was_seen(evening: Pair) -> None:
    seen = {type(event).__name__ for side in evening.sides for event in side.events}
    assert len(evening.host.told(Dealt)) == 2
    assert {"Dealt", "Opener", "Turn", "Moved", "Drew", "Bout", "Result", "Shuffling", "Peer"} <= seen


def test_the_log_is_that_of_the_last_game(evening: Pair) -> None:
    pictures = told(0, evening)
    start = max(number for number, (event, *_) in enumerate(pictures) if isinstance(event, Dealt))
    events = [event for event, *_ in pictures[start:]]
    moves = sum(isinstance(event, Moved) and not isinstance(event.action, Show | Deny) for event in events)
    assert sum(line.action is not None for line in pictures[-1][1].told) == moves


@pytest.mark.parametrize("policy", [lowest, randomly("keys")], ids=["lowest", "random"])
def test_a_whole_game_is_played_by_keys(tmp_path: Path, policy: Callable[[View], Action]) -> None:
    pair = Pair(tmp_path).deal()
    models = (PlayModel("host"), PlayModel("guest", by_suit=False))
    moves = sum(1 for _ in play_by_keys(pair, models, policy))
    assert moves > 20
    results = [model.result for model in models]
    assert [result.verified for result in results if result is not None] == [True, True]
    assert {result.outcome for result in results if result is not None} in ({"win", "loss"}, {"draw"})


def test_a_rematch_is_asked_for_and_played_by_keys(tmp_path: Path) -> None:
    pair = Pair(tmp_path).deal()
    models = (PlayModel("host"), PlayModel("guest"))
    list(play_by_keys(pair, models, lowest))
    for seat in (0, 1):
        wish = models[seat].press("n", pair.now + SHOWN_S + END_GUARD_S)
        assert wish == Rematch()
        pair.do(seat, Rematch())
    pair.run(lambda: all(len(side.told(Dealt)) == 2 for side in pair.sides))
    list(play_by_keys(pair, models, lowest))
    assert [len(side.told(Result)) for side in pair.sides] == [2, 2]
    assert all(model.ended for model in models)
