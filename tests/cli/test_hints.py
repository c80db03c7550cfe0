"""Hints: given on the own turn, from the own view, and never for a position that is gone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from p2pdurak.bots import LEVELS
from p2pdurak.bots.seat import STAND_IN
from p2pdurak.bots.thought import Thought
from p2pdurak.bots.worker import BotFailed
from p2pdurak.cli.hints import ON_ITS_WAY, Hints
from p2pdurak.events import Advice, Event, Refused, Resign
from p2pdurak.rules.view import View
from tests.table.pairs import Pair

T = TypeVar("T")


class Asking:
    """A player with a table, who asks; what is thought about waits until the test says so."""

    def __init__(self, pair: Pair, seat: int) -> None:
        self.side = pair.sides[seat]
        self.told: list[Event] = []
        self.seen: list[View] = []
        self._aside: list[Callable[[], None]] = []
        self.hints = Hints("00", lambda: self.side.duel, self._later, self.told.append)
        self.hints._worker.think = self._think  # type: ignore[method-assign]  # no process for a test of when

    def _later(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        self._aside.append(lambda: then(work()))

    def _think(self, view: View) -> Thought:
        self.seen.append(view)
        return Thought(view.legal_actions()[0], trials=40)

    def ask(self) -> None:
        self.hints.ask()

    def answer(self) -> None:
        self._aside.pop(0)()

    @property
    def reasons(self) -> list[str]:
        return [event.reason for event in self.told if isinstance(event, Refused)]


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path).deal()


@pytest.fixture
def mover(pair: Pair) -> Asking:
    return Asking(pair, pair.mover)


def test_a_hint_comes_from_the_players_own_view_and_when_it_has_been_thought_of(mover: Asking) -> None:
    view = mover.side.view
    mover.ask()
    assert mover.told == []
    mover.answer()
    assert mover.seen == [view]
    assert mover.told == [Advice(view.legal_actions()[0], view, None, 40)]


def test_asked_again_while_it_is_on_its_way_the_player_is_told_so_and_nothing_is_thought_twice(mover: Asking) -> None:
    mover.ask()
    mover.ask()
    assert mover.reasons == [ON_ITS_WAY]
    mover.answer()
    assert len(mover.seen) == 1


def test_asked_again_later_the_same_hint_is_given_without_a_thought(mover: Asking) -> None:
    mover.ask()
    mover.answer()
    mover.ask()
    assert mover.told[0] == mover.told[1]
    assert len(mover.seen) == 1


def test_a_hint_that_comes_after_the_move_is_not_given(pair: Pair, mover: Asking) -> None:
    mover.ask()
    pair.move()
    mover.answer()
    assert mover.told == []


def test_a_hint_for_an_older_position_does_not_stand_for_a_newer_one(pair: Pair, mover: Asking) -> None:
    mover.ask()
    pair.move()
    pair.play(lambda: pair.sides[pair.mover] is mover.side)
    mover.ask()
    mover.answer()
    assert mover.told == []
    mover.answer()
    assert [event.view for event in mover.told if isinstance(event, Advice)] == [mover.side.view]


def test_a_hint_that_comes_after_the_end_is_not_given(pair: Pair, mover: Asking) -> None:
    mover.ask()
    pair.do(pair.mover, Resign())
    mover.answer()
    assert mover.told == []


def test_there_is_no_hint_out_of_turn(pair: Pair) -> None:
    other = Asking(pair, 1 - pair.mover)
    other.ask()
    assert other.reasons == ["It is not your turn."]


def test_there_is_no_hint_after_the_end(pair: Pair, mover: Asking) -> None:
    pair.do(pair.mover, Resign())
    mover.ask()
    assert mover.reasons == ["This game is over."]


def test_there_is_no_hint_before_the_deal(tmp_path: Path) -> None:
    early = Asking(Pair(tmp_path), 0)
    early.ask()
    assert early.reasons == ["The cards are not dealt yet."]


def test_where_the_bot_has_failed_a_quick_one_gives_its_rule_of_thumb(
    mover: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_view: View) -> Thought:
        raise BotFailed("gone")

    monkeypatch.setattr(mover.hints._worker, "think", fail)
    mover.ask()
    mover.answer()
    view = mover.side.view
    (advice,) = mover.told
    assert advice == Advice(LEVELS[STAND_IN](view, None), view, None, 0)  # type: ignore[arg-type]  # it throws no dice


def test_closing_leaves_no_process(mover: Asking) -> None:
    mover.hints._worker.start()
    mover.hints.close()
    assert mover.hints._worker.pid is None
