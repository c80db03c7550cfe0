"""Before the game, with real programs: giving up, a mistyped code, a host who wants to be asked, and the menu."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

import pytest

from tests.e2e.brokers import RunningBroker
from tests.e2e.seats import PATIENCE_S, Seat
from tests.e2e.terminals import Terminals

pytestmark = pytest.mark.slow

CODE = "k7q2m-otter-kiosk-lamp"
MISTYPED = "k7q2m-ottre-kiosk-lamp"


@pytest.mark.parametrize("command", [("host",), ("join", CODE)], ids=lambda command: command[0])
def test_ctrl_c_ends_the_wait_for_a_broker_that_says_nothing(
    seat: Callable[..., Seat], command: tuple[str, ...]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hole:
        hole.settimeout(PATIENCE_S)
        program = seat(*command, "--broker", f"127.0.0.1:{hole.getsockname()[1]}")
        visitor, _ = hole.accept()
        with visitor:
            program.process.send_signal(signal.SIGINT)
            assert program.end() == 130  # and not 3, which it would be after the time for an answer
    assert program.stderr() == ""


def test_mistyped_code_is_mended_with_enter(terminals: Terminals) -> None:
    terminals.open("guest", "join", MISTYPED, "--broker", "127.0.0.1:1", "--plain")
    terminals.wait("guest", f"Enter takes {CODE}, or type the code again")
    terminals.type("guest", "")
    terminals.wait("guest", "The broker 127.0.0.1:1 cannot be reached")
    terminals.wait("guest", "ended with 3")


@pytest.mark.parametrize(("key", "code"), [("C-c", 130), ("C-d", 2)])
def test_question_for_a_code_can_be_left(terminals: Terminals, key: str, code: int) -> None:
    terminals.open("guest", "join", "--plain")
    terminals.wait("guest", "^Code:")
    terminals.press("guest", key)
    terminals.wait("guest", f"ended with {code}")
    assert not any("Traceback" in line for line in terminals.lines("guest"))


@pytest.mark.parametrize(("answer", "codes"), [("accept", (0, 0)), ("decline", (2, 2))])
def test_host_who_wants_to_be_asked_decides_who_gets_in(
    seat: Callable[..., Seat], embedded_broker: RunningBroker, answer: str, codes: tuple[int, int]
) -> None:
    host = seat("host", "--broker", embedded_broker.url, "--bot", "easy", "--confirm")
    guest = seat("join", host.until("code")["code"], "--bot", "easy")
    safety = host.until("knock")["safety"]
    assert guest.until("peer")["safety"] == safety
    assert not any(event["event"] == "shuffling" for event in host.events)
    host.type(answer)
    assert (host.end(), guest.end()) == codes


def test_menu_lists_the_saved_games_and_comes_back(terminals: Terminals) -> None:
    terminals.open("menu")
    terminals.wait("menu", "h  host a game")
    terminals.type("menu", "l")
    terminals.wait("menu", "No game has been saved yet")
    terminals.type("menu", "q")
    terminals.wait("menu", "ended with 0")


def test_menu_is_left_with_ctrl_c(terminals: Terminals) -> None:
    terminals.open("menu")
    terminals.wait("menu", "Which")
    terminals.press("menu", "C-c")
    terminals.wait("menu", "ended with 130")
