"""Before the game, with real programs: giving up, a mistyped code, a host who wants to be asked, and the menu."""

from __future__ import annotations

import re
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.bare_terminal import BareTerminal
from tests.e2e.brokers import RunningBroker
from tests.e2e.seats import PATIENCE_S, Seat
from tests.e2e.terminals import Terminals

pytestmark = pytest.mark.slow

CODE = "k7q2m-otter-kiosk-lamp"
MISTYPED = "k7q2m-ottre-kiosk-lamp"

JOIN_LINE = r"p2pdurak (join \S+@127\.0\.0\.1:\d+)"


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


# A friend who turns back.


def fresh_line(terminals: Terminals, old: str) -> str:
    """The line for the next friend, once the host shows another than the old one."""
    lines: list[str] = []

    def shown(_screen: str) -> bool:
        lines[:] = [line for text in terminals.lines("host") for line in re.findall(JOIN_LINE, text)]
        return bool(lines) and lines[-1] != old

    terminals.until("host", shown)
    return lines[-1]


def open_host(terminals: Terminals, *flags: str) -> str:
    """A host in line mode; gives the line for the friend."""
    terminals.open("host", "host", "--plain", "--bind", "127.0.0.1", "--name", "ilya", *flags)
    return terminals.wait("host", JOIN_LINE)[1]


def test_host_whose_friend_says_no_shows_a_fresh_code_and_plays_with_the_next(terminals: Terminals) -> None:
    first = open_host(terminals)
    terminals.open("guest", first, "--plain")
    terminals.wait("guest", "Play by these rules")
    terminals.type("guest", "no")
    terminals.wait("guest", "ended with 2")

    second = fresh_line(terminals, first)
    terminals.open("other", second, "--plain", "--name", "mira")
    terminals.wait("other", "Play by these rules")
    terminals.type("other", "")

    for name in ("host", "other"):
        terminals.wait(name, "attacks? first")
    terminals.type("other", "resign")
    terminals.type("other", "resign")
    terminals.wait("host", "mira resigned")
    terminals.type("host", "leave")
    terminals.wait("host", "ended with 0")


def test_host_who_lets_nobody_in_shows_a_fresh_code(terminals: Terminals) -> None:
    first = open_host(terminals, "--confirm")
    terminals.open("guest", first, "--plain", "--name", "mira")
    terminals.wait("guest", "Play by these rules")
    terminals.type("guest", "")
    terminals.wait("host", "Type yes to let your friend in, or no")
    terminals.type("host", "no")
    terminals.wait("guest", "ended with 2")

    assert fresh_line(terminals, first) != first
    terminals.press("host", "C-c")
    terminals.wait("host", "ended with 130")


def test_host_whose_friend_goes_away_while_he_reads_the_rules_shows_a_fresh_code(terminals: Terminals) -> None:
    first = open_host(terminals)
    terminals.open("guest", first, "--plain")
    terminals.wait("guest", "Play by these rules")
    terminals.press("guest", "C-c")
    terminals.wait("guest", "ended with 130")

    assert fresh_line(terminals, first) != first


def test_used_code_lets_nobody_in_once_there_is_a_fresh_one(terminals: Terminals) -> None:
    first = open_host(terminals)
    terminals.open("guest", first, "--plain")
    terminals.wait("guest", "Play by these rules")
    terminals.type("guest", "no")
    fresh_line(terminals, first)

    terminals.open("late", first, "--plain", "--timeout", "3")
    terminals.wait("late", "ended with 3")


@pytest.mark.parametrize("flags", [("--bot", "easy"), ()], ids=["bot", "program"])
def test_host_that_is_a_program_ends_when_its_friend_says_no(
    seat: Callable[..., Seat], embedded_broker: RunningBroker, flags: tuple[str, ...]
) -> None:
    host = seat("host", "--broker", embedded_broker.url, *flags)
    guest = seat("join", host.until("code")["code"], "--rule", "move_timer=90")
    assert (host.end(), guest.end()) == (2, 2)
    assert len([event for event in host.events if event["event"] == "code"]) == 1


# A terminal that is closed, and signals, at a question.


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Callable[..., BareTerminal]]:
    opened: list[BareTerminal] = []

    def start(*arguments: str) -> BareTerminal:
        opened.append(BareTerminal(tmp_path, *arguments))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


QUESTIONS = pytest.mark.parametrize(
    ("command", "question"), [(("join",), b"Code: "), ((), b"Which? ")], ids=["code", "menu"]
)


@QUESTIONS
def test_terminal_that_is_closed_at_a_question_is_no_crash(
    bare: Callable[..., BareTerminal], tmp_path: Path, command: tuple[str, ...], question: bytes
) -> None:
    program = bare(*command)
    program.wait(question)

    assert program.hang_up() == 129
    assert not list((tmp_path / "data" / "p2pdurak").glob("crash*"))


@QUESTIONS
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_at_a_question_ends_in_order(
    bare: Callable[..., BareTerminal], command: tuple[str, ...], question: bytes, number: signal.Signals
) -> None:
    program = bare(*command)
    program.wait(question)
    program.process.send_signal(number)

    assert program.end() == 128 + number  # a death by the signal itself would be negative
    assert b"Traceback" not in program.shown


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
