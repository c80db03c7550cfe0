"""Which games can be gone on with, and how a person is asked for one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from p2pdurak.cli import unfinished as module
from p2pdurak.cli.unfinished import Unfinished, choose, offer, unfinished
from p2pdurak.events import Resign
from tests.table.pairs import Pair


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """Two players in the middle of a game."""
    return Pair(tmp_path / "table").deal()


def answers(*lines: str | None) -> tuple[Callable[[str], str | None], list[str]]:
    """Somebody who types these lines, and the questions that he was asked."""
    asked: list[str] = []
    left = list(lines)

    def ask(question: str) -> str | None:
        asked.append(question)
        return left.pop(0) if left else None

    return ask, asked


def games(pair: Pair) -> list[Unfinished]:
    (found,) = left(pair)
    return [replace(found, path=Path(f"{number}.dlog")) for number in (1, 2, 3)]


def left(pair: Pair) -> list[Unfinished]:
    if not pair.dead:
        pair.crash(0, 1)
    return unfinished(pair.host.store, pair.suites)


def test_a_game_that_a_program_has_left_is_found_with_the_name_of_the_friend(pair: Pair) -> None:
    (game,) = left(pair)
    assert (game.path, game.over) == (pair.host.logs()[0], False)
    assert str(game) == f"Game 1 against Oleg ({game.path.name})"


def test_a_game_that_goes_on_is_not_found(pair: Pair) -> None:
    assert unfinished(pair.host.store, pair.suites) == []


def test_a_game_that_is_over_is_known_for_it(pair: Pair) -> None:
    pair.do(0, Resign())
    assert [game.over for game in left(pair)] == [True]


@pytest.mark.parametrize(("line", "number"), [("", 0), (None, 0), ("1", 0), ("3", 2), (" 2 ", 1)])
def test_of_several_games_one_is_chosen_by_its_number(pair: Pair, line: str | None, number: int) -> None:
    ask, _ = answers(line)
    said: list[str] = []
    several = games(pair)
    assert choose(several, ask, said.append) is several[number]
    assert [line.split()[0] for line in said] == ["1", "2", "3"]


def test_what_is_no_number_of_the_list_is_asked_again(pair: Pair) -> None:
    ask, asked = answers("9", "x", "2")
    several = games(pair)
    assert choose(several, ask, lambda _: None) is several[1]
    assert len(asked) == 3


@pytest.mark.parametrize(("line", "goes_on"), [("", True), ("y", True), ("n", False), ("No", False), (None, False)])
def test_enter_goes_on_with_what_was_left_and_no_does_not(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, line: str | None, goes_on: bool
) -> None:
    monkeypatch.setattr(module, "_offered", [False])
    ask, asked = answers(line)
    (game,) = left(pair)
    assert (offer([game], ask) == game.path) is goes_on
    assert asked == [f"{game} is not finished. Go on with it? Enter is yes, n is no: "]
