"""A match against a bot: the real program, offline, at a table or by JSON."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.bare_terminal import BareTerminal
from tests.e2e.brokers import RunningBroker
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
        (("--seed", ""), "--seed takes hexadecimal digits"),
        (("--rules", "mine"), "There is no set of rules called 'mine'"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_sentence(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = run(tmp_path, "play", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_player_whose_input_is_at_its_end_is_not_waited_for_and_may_come_back(
    seat: Callable[..., Seat], tmp_path: Path
) -> None:
    done = run(tmp_path, "play", "--level", "easy", "--auto-done", "instant", "--json", stdin="")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 4
    assert events[-1]["event"] == "waiting"
    assert "Standard input is at its end, so nobody can answer." in events[-1]["text"]
    again = seat("resume", "--auto-done", "instant")
    assert again.play_until("result", first)["reason"] == "cards"
    assert again.end() == 0


def test_player_whose_input_ends_between_two_games_has_not_finished_the_second(seat: Callable[..., Seat]) -> None:
    player = seat("play", "--level", "easy", "--games", "2", "--auto-done", "instant")
    player.play_until("result", first)
    player.close_input()
    assert player.end() == 4
    assert len(player.results()) == 1


def test_player_who_is_called_away_after_a_game_is_told_that_all_of_it_is_saved(tmp_path: Path) -> None:
    terminal = BareTerminal(tmp_path, "play", "--level", "easy", "--plain")
    try:
        terminal.wait(b" first: ")
        terminal.type("resign\r")
        terminal.wait(b"Type resign again, or yes")
        terminal.type("yes\r")
        terminal.wait(b"Type rematch")
        terminal.process.send_signal(signal.SIGTERM)
        code = terminal.end()
    finally:
        terminal.close()
    assert code == 143
    assert b"The game is over, and saved. To look at it: p2pdurak replay last" in terminal.shown


def test_nothing_of_the_bot_is_left_behind(seat: Callable[..., Seat], tmp_path: Path) -> None:
    player = seat("play", "--level", "hard")
    player.until("dealt")
    folder = tmp_path / "data" / "p2pdurak" / "bot" / "games"
    assert list(folder.iterdir())
    player.type("leave")
    player.end()
    assert list(folder.iterdir()) == []


def test_every_hint_can_be_followed_to_the_end_of_a_game(seat: Callable[..., Seat]) -> None:
    player = seat("play", "--level", "easy", "--auto-done", "instant")
    hints = []
    while (event := player.next()) is not None and event["event"] != "result":
        if event["event"] == "turn" and event.get("legal") not in (None, ["done"]):
            player.type("hint")
            hints.append(player.until("hint"))
            played = hints[-1]["card"] or hints[-1]["do"]
            assert any(played in action for action in event["legal"])
            player.type(played)
    assert player.end() == 0
    assert {hint["exact"] for hint in hints} <= {None, "win", "draw", "loss"}
    assert max(hint["trials"] for hint in hints) > 1


def test_there_is_no_hint_against_people(two_bots: Callable[..., tuple[Seat, Seat]], any_broker: RunningBroker) -> None:
    host, guest = two_bots(any_broker)
    for seated in (host, guest):
        seated.type("hint")
        reason = seated.until("refused", lambda event: event["command"] == "hint")["reason"]
        assert reason == "Hints are for games against a bot."


def test_a_hint_stands_below_the_table(terminals: Terminals) -> None:
    terminals.open("one", "play", "--level", "easy", "--name", "ilya", "--seed", "01", columns=60, rows=20)
    terminals.until("one", lambda seen: "h hint" in seen and key_for(seen) is not None)
    terminals.press("one", "h")
    terminals.until("one", lambda seen: "Hint: " in seen)


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
