"""The table on the whole screen, as two people use it: keys into real terminals, and what stands on them."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.e2e.seats import PATIENCE_S, run
from tests.e2e.terminals import Terminals

pytestmark = pytest.mark.slow

OVER = re.compile(r"is the durak|are the durak|[Aa] draw")
BOTH = ("host", "guest")
HAND_S = 0.3
"""A key that follows faster is taken for one that is held down."""

HASTY_S = 2.5
"""What is pressed sooner after a game has ended may be taken for a key of the game."""

FAST = ("--rule", "move_timer=0", "--auto-done", "instant")


@pytest.fixture
def table(terminals: Terminals) -> Callable[..., Terminals]:
    """Two terminals whose players sit at the table; the guest has accepted the rules with Enter."""

    def start(*host: str, columns: int = 80, rows: int = 24, environment: str = "") -> Terminals:
        size = {"columns": columns, "rows": rows, "environment": environment}
        terminals.open("host", "host", "--bind", "127.0.0.1", "--name", "ilya", *host, **size)
        line = terminals.wait("host", r"p2pdurak (join \S+@127\.0\.0\.1:\d+)")[1]
        terminals.open("guest", line, "--name", "mira", "--auto-done", "instant", **size)
        terminals.wait("guest", "Play by these rules")
        terminals.type("guest", "")
        for name in BOTH:
            terminals.until(name, lambda screen: "k" in screen and "help" in screen)
        return terminals

    return start


def key_for(screen: str) -> str | None:
    """What somebody presses who always takes the first thing offered; None while it is not his turn."""
    hints = screen.rstrip().rsplit("\n", 1)[-1]
    if "Enter play" in hints:
        return "Enter"
    if "t take" in hints:
        return "t"
    return "d" if "d done" in hints else None


def play(terminals: Terminals, sizes: Sequence[tuple[int, int]] = ()) -> None:
    """Press keys on both terminals until both say who is the durak; after every few presses they change their size."""
    ends_at = time.monotonic() + 3 * PATIENCE_S
    presses, pressed_at = 0, dict.fromkeys(BOTH, 0.0)
    while time.monotonic() < ends_at:
        screens = {name: terminals.screen(name) for name in BOTH}
        if all(OVER.search(screen) for screen in screens.values()):
            return
        for name, screen in screens.items():
            key = None if OVER.search(screen) else key_for(screen)
            if key is None or time.monotonic() < pressed_at[name] + HAND_S:
                continue
            pressed_at[name] = time.monotonic()
            terminals.press(name, key)
            presses += 1
            for size in sizes if presses % 7 == 0 else ():
                terminals.resize(name, *size)
        time.sleep(0.05)
    raise AssertionError("the game never ended:\n" + "\n".join(map(terminals.screen, BOTH)))


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (44, 14)])
def test_two_people_play_a_whole_game_by_keys_with_resizes_in_between(
    table: Callable[..., Terminals], columns: int, rows: int
) -> None:
    terminals = table(*FAST, columns=columns, rows=rows)

    play(terminals, [(100, 30), (30, 8), (58, 20), (1, 1), (columns, rows)])

    for name in BOTH:
        terminals.resize(name, columns, rows)
        assert terminals.is_full_screen(name)
        terminals.until(name, lambda screen: "rematch" in screen)
    time.sleep(HASTY_S)
    terminals.press("host", "q")
    terminals.wait("host", "ended with 0")
    terminals.until("guest", lambda screen: "rematch" not in screen)
    terminals.press("guest", "q")
    terminals.wait("guest", "ended with 0")
    for name in BOTH:
        assert not terminals.is_full_screen(name)
        assert any(OVER.search(line) for line in terminals.lines(name))
        assert any(line.startswith("Log:") for line in terminals.lines(name))


def test_a_rematch_and_a_resignation_by_keys(table: Callable[..., Terminals]) -> None:
    terminals = table(*FAST)

    terminals.press("guest", "F10")
    terminals.until("guest", lambda screen: "resign" in screen)
    terminals.press("guest", "r")
    for name in BOTH:
        terminals.until(name, lambda screen: "rematch" in screen)
    time.sleep(HASTY_S)
    terminals.press("host", "n")
    terminals.until("guest", lambda screen: "again" in screen)
    terminals.press("guest", "n")

    for name in BOTH:
        terminals.until(name, lambda screen: "bout 1" in screen and "rematch" not in screen)
    terminals.until("host", lambda screen: "Your attack" in screen)


def test_chat_reaches_the_other_table(table: Callable[..., Terminals]) -> None:
    terminals = table(*FAST)

    terminals.press("host", "/")
    terminals.type("host", "good luck t d q")

    terminals.until("guest", lambda screen: "good luck t d q" in screen)


def test_the_game_just_ended_can_be_looked_at_without_leaving_the_table(table: Callable[..., Terminals]) -> None:
    terminals = table(*FAST)
    terminals.press("guest", "F10")
    terminals.until("guest", lambda screen: "resign" in screen)
    terminals.press("guest", "r")
    terminals.until("host", lambda screen: "rematch" in screen)
    time.sleep(HASTY_S)

    terminals.press("host", "r")
    terminals.until("host", lambda screen: "step" in screen)
    terminals.press("host", "q")

    terminals.until("host", lambda screen: "rematch" in screen)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, None), (signal.SIGKILL, 137)]
)
def test_a_signal_leaves_the_terminal_as_it_was_and_the_game_on_disk(
    table: Callable[..., Terminals], tmp_path: Path, number: signal.Signals, code: int | None
) -> None:
    terminals = table(*FAST)

    os.kill(terminals.process("host"), number)
    if code is None:  # Ctrl-C asks first, and a second one means it
        terminals.until("host", lambda screen: "resign" in screen)
        os.kill(terminals.process("host"), number)
    terminals.wait("host", f"ended with {code or 130}")

    if number is not signal.SIGKILL:  # which no program can answer
        assert not terminals.is_full_screen("host")
        assert any("p2pdurak replay last" in line or line.startswith("Log:") for line in terminals.lines("host"))
    assert not any("Traceback" in line for line in terminals.lines("host"))
    (log,) = (tmp_path / "data" / "p2pdurak" / "games").glob("*host*log")
    assert run(tmp_path, "verify", str(log)).returncode == 4


def test_ctrl_c_twice_leaves_and_once_can_be_taken_back(table: Callable[..., Terminals]) -> None:
    terminals = table(*FAST)

    terminals.press("host", "C-c")
    terminals.until("host", lambda screen: "resign" in screen)
    terminals.press("host", "Escape")
    terminals.until("host", lambda screen: "resign" not in screen)
    terminals.press("host", "C-c")
    terminals.until("host", lambda screen: "resign" in screen)
    terminals.press("host", "C-c")

    terminals.wait("host", "ended with 130")
    assert not terminals.is_full_screen("host")
    terminals.until("guest", lambda screen: "left" in screen)


def test_a_terminal_closed_under_the_game_leaves_a_log_that_can_be_read(
    table: Callable[..., Terminals], tmp_path: Path
) -> None:
    terminals = table(*FAST)
    process = terminals.process("host")

    terminals.close_one("host")

    ends_at = time.monotonic() + PATIENCE_S
    while Path(f"/proc/{process}").exists() and time.monotonic() < ends_at:
        time.sleep(0.05)
    assert not Path(f"/proc/{process}").exists()
    (log,) = (tmp_path / "data" / "p2pdurak" / "games").glob("*host*log")
    assert run(tmp_path, "verify", str(log)).returncode == 4
    assert not list((tmp_path / "data" / "p2pdurak").glob("crash*"))


def test_a_dumb_terminal_gets_line_mode(terminals: Terminals) -> None:
    terminals.open("host", "host", "--bind", "127.0.0.1", environment="TERM=dumb")
    line = terminals.wait("host", r"p2pdurak (join \S+@127\.0\.0\.1:\d+)")[1]
    terminals.open("guest", line, environment="TERM=dumb")
    terminals.wait("guest", "Play by these rules")
    terminals.type("guest", "")

    terminals.wait("guest", "attacks? first")

    assert not terminals.is_full_screen("guest")


@pytest.mark.parametrize("environment", ["NO_COLOR=1", "NO_COLOR="])
def test_colour_is_used_unless_it_is_not_wanted(table: Callable[..., Terminals], environment: str) -> None:
    terminals = table(*FAST, environment=environment)
    coloured = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|9[0-7]|38;)[0-9;]*m")

    assert bool(coloured.search(terminals.painted("host"))) == (environment == "NO_COLOR=")
