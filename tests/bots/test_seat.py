"""A bot at a table: asked aside, at a pace, and replaced when its process fails."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar

import pytest

from p2pdurak.bots import LEVELS
from p2pdurak.bots.seat import QUICK, STAND_IN, BotSeat
from p2pdurak.bots.worker import BotFailed
from p2pdurak.rules.actions import Action
from p2pdurak.rules.cards import parse_card
from p2pdurak.rules.options import CLASSIC
from p2pdurak.rules.positions import deal
from p2pdurak.rules.view import View

T = TypeVar("T")

HAND = tuple(sorted(map(parse_card, ("6c", "9d", "Td", "Kh", "7s", "As"))))
VIEW = View(0, deal(CLASSIC, parse_card("Qh"), 0), HAND)


class Aside:
    """What is to be done aside, when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def __call__(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        self.waiting.append(lambda: then(work()))


def test_a_quick_level_without_a_pace_answers_at_once() -> None:
    aside, played = Aside(), list[Action]()
    BotSeat("easy", "1", aside).ask(LEVELS["easy"], VIEW, played.append)
    assert len(played) == 1
    assert aside.waiting == []


def test_a_level_that_thinks_does_so_aside_in_a_process_that_ends_with_the_seat() -> None:
    aside, played = Aside(), list[Action]()
    seat = BotSeat("hard", "1", aside)
    seat.ask(LEVELS["hard"], VIEW, played.append)
    assert played == []
    aside.waiting.pop()()
    assert played[0] in VIEW.legal_actions()
    seat.close()


def test_a_pace_is_kept_aside_too() -> None:
    aside, played = Aside(), list[Action]()
    BotSeat("easy", "1", aside, pace_s=0.001).ask(LEVELS["easy"], VIEW, played.append)
    assert played == []
    aside.waiting.pop()()
    assert played[0] in VIEW.legal_actions()


def test_the_same_seed_chooses_the_same() -> None:
    choices = []
    for _ in range(2):
        BotSeat("easy", "00ff", Aside()).ask(LEVELS["easy"], VIEW, choices.append)
    assert choices[0] == choices[1]


def test_another_plays_on_for_a_bot_whose_process_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    aside, played = Aside(), list[Action]()
    seat = BotSeat("hard", "1", aside)

    def fail(_view: View) -> Action:
        raise BotFailed("gone")

    monkeypatch.setattr(seat._worker, "choose", fail)
    seat.ask(LEVELS["hard"], VIEW, played.append)
    aside.waiting.pop()()
    assert played == [LEVELS[STAND_IN](VIEW, Random("1"))]


def test_the_stand_in_is_a_quick_level() -> None:
    assert STAND_IN in QUICK
    assert set(LEVELS) >= QUICK
