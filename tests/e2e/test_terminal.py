"""Line mode as two people meet it: a code read from one terminal and typed into the other, cards typed by hand."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest

from tests.e2e.seats import PATIENCE_S
from tests.e2e.terminals import Terminals

pytestmark = pytest.mark.slow

PROMPT = re.compile(
    r"(?:Your move|Throw in|Pile on): (?P<add>[^;(]+)|Beat \S+: (?P<beat>[^;]+)|(?P<take>Nothing beats)"
)
OVER = re.compile(r"is the durak|are the durak|A draw")


def choice(line: str) -> str | None:
    """What somebody types who always plays the first card offered; None where nothing is to be typed."""
    asked = PROMPT.match(line)
    if asked is None:
        return None
    cards = asked["add"] or asked["beat"]
    return cards.split(",")[0].strip() if cards else "take"


def play(terminals: Terminals, names: tuple[str, str]) -> None:
    """Answer every prompt on both terminals until both say who is the durak."""
    answered = dict.fromkeys(names, 0)
    ends_at = time.monotonic() + 2 * PATIENCE_S
    while time.monotonic() < ends_at:
        screens = {name: terminals.lines(name) for name in names}
        if all(any(OVER.search(line) for line in lines) for lines in screens.values()):
            return
        for name, lines in screens.items():
            prompts = [(place, typed) for place, line in enumerate(lines) if (typed := choice(line))]
            if prompts and prompts[-1][0] >= answered[name]:
                answered[name] = prompts[-1][0] + 1
                terminals.type(name, prompts[-1][1])
        time.sleep(0.05)
    raise AssertionError("the game never ended:\n" + "\n".join(terminals.lines(names[0])[-20:]))


@pytest.fixture
def meet(terminals: Terminals) -> Callable[..., Terminals]:
    """Two terminals whose players have met; the guest has accepted the rules with Enter."""

    def start(*host: str, columns: int = 80, rows: int = 24) -> Terminals:
        terminals.open(
            "host", "host", "--plain", "--bind", "127.0.0.1", "--name", "ilya", *host, columns=columns, rows=rows
        )
        line = terminals.wait("host", r"p2pdurak (join \S+@127\.0\.0\.1:\d+)")[1]
        terminals.open("guest", line, "--plain", "--name", "mira", columns=columns, rows=rows)
        terminals.wait("guest", "Play by these rules")
        terminals.type("guest", "")
        return terminals

    return start


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20)])
def test_two_people_play_a_whole_game_by_hand(meet: Callable[..., Terminals], columns: int, rows: int) -> None:
    terminals = meet(columns=columns, rows=rows)

    play(terminals, ("host", "guest"))

    for name in ("host", "guest"):
        terminals.wait(name, "^Verified: the deal, both shuffles and every move are proven")
        terminals.wait(name, "Type rematch to play again")
    terminals.type("host", "leave")
    terminals.wait("host", "ended with 0")
    terminals.wait("guest", "ended with 0")


def test_a_rematch_needs_no_new_code(meet: Callable[..., Terminals]) -> None:
    terminals = meet()
    terminals.wait("guest", "attacks? first")
    terminals.type("guest", "resign")
    terminals.type("guest", "resign")
    terminals.wait("host", "mira resigned")

    terminals.wait("host", "Type rematch")
    terminals.type("host", "rematch")
    terminals.wait("guest", "ilya wants to play again")
    terminals.type("guest", "rematch")

    terminals.wait("host", "Game 2 against mira")
    terminals.wait("host", "You attack first: the winner of the last game begins")


def test_ctrl_c_in_a_game_asks_first_and_then_leaves(meet: Callable[..., Terminals]) -> None:
    terminals = meet()
    terminals.wait("host", "attacks? first")

    terminals.press("host", "C-c")
    terminals.wait("host", "press Ctrl-C again")
    terminals.press("host", "C-c")

    terminals.wait("host", "ended with 130")
    terminals.wait("guest", "left")


def test_ctrl_c_while_waiting_ends_at_once_and_cleanly(terminals: Terminals) -> None:
    terminals.open("host", "host", "--bind", "127.0.0.1")
    terminals.wait("host", "Waiting for your friend")

    terminals.press("host", "C-c")

    terminals.wait("host", "ended with 130")
    assert not any("Traceback" in line for line in terminals.lines("host"))
