"""A match against a bot: the real program, offline, at a table or by JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.seats import Seat, run
from tests.e2e.terminals import Terminals
from tests.e2e.test_table import HASTY_S, OVER, key_for

pytestmark = pytest.mark.slow


def first(legal: list[str]) -> str:
    return legal[0]


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_game_against_a_bot_leaves_a_log_that_is_verified(
    seat: Callable[..., Seat], tmp_path: Path, level: str
) -> None:
    player = seat("play", "--level", level, "--auto-done", "instant")
    result = player.play_until("result", first)
    assert player.end() == 0
    assert result["verified"]
    assert result["reason"] == "cards"
    done = run(tmp_path, "verify", result["log"], "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["head"] == result["head"]


def test_a_rematch_is_played_and_the_score_goes_on(seat: Callable[..., Seat]) -> None:
    player = seat("play", "--level", "easy", "--games", "2", "--auto-done", "instant")
    results = [player.play_until("result", first), player.play_until("result", first)]
    assert player.end() == 0
    assert sum(results[1]["score"]) == 2
    assert results[0]["log"] != results[1]["log"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--level", "expert-of-all"), "There is no bot of level 'expert-of-all'. Levels: easy, medium, hard"),
        (("--seed", "xyz"), "--seed takes hexadecimal digits"),
        (("--rules", "mine"), "There is no set of rules called 'mine'"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_sentence(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = run(tmp_path, "play", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_nothing_of_the_bot_is_left_behind(seat: Callable[..., Seat], tmp_path: Path) -> None:
    player = seat("play", "--level", "hard")
    player.until("dealt")
    player.type("leave")
    player.end()
    assert [path.name for path in (tmp_path / "data" / "p2pdurak" / "games").glob("*bot-1-guest*")] == []


def test_a_player_sits_at_the_table_against_a_bot(terminals: Terminals) -> None:
    terminals.open("one", "play", "--level", "easy", "--name", "ilya", "--seed", "01", "--auto-done", "instant")
    screen = terminals.until("one", lambda seen: "easy bot" in seen and key_for(seen) is not None)
    assert "sealed" in screen
    terminals.press("one", "F10")
    terminals.until("one", lambda seen: "resign" in seen)
    terminals.press("one", "r")
    terminals.until("one", lambda seen: OVER.search(seen) is not None and "rematch" in seen)
    time.sleep(HASTY_S)
    terminals.press("one", "n")
    terminals.until("one", lambda seen: "game 2" in seen)
