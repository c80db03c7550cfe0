"""The menu: which letter runs which command, what brings the menu back, and how it ends."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2pdurak.cli.main import _parser
from p2pdurak.cli.menu import CHOICES, MENU, choose
from tests.cli.scripted import Person


def chosen(person: Person, *codes: int) -> tuple[int, list[tuple[str, ...]]]:
    """Go through the menu; the commands that it runs end with these codes. Gives its own, and the commands."""
    ends, started = iter(codes), list[tuple[str, ...]]()

    def start(arguments: Sequence[str]) -> int:
        started.append(tuple(arguments))
        return next(ends)

    return choose(start, person.ask, person.say), started


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("h", ("host",)),
        (" J ", ("join",)),
        ("р", ("host",)),
        ("О", ("join",)),
        ("host", ("host",)),
        ("b", ("play",)),
        ("и", ("play",)),
    ],
)
def test_letter_runs_a_game_whose_exit_code_is_the_menus(typed: str, command: tuple[str, ...]) -> None:
    assert chosen(Person([typed]), 4) == (4, [command])


@pytest.mark.parametrize(("typed", "command"), [("l", ("logs",)), ("r", ("replay", "last")), ("к", ("replay", "last"))])
def test_menu_comes_back_after_looking_at_old_games(typed: str, command: tuple[str, ...]) -> None:
    person = Person([typed, "q"])
    assert chosen(person, 1) == (0, [command])
    assert person.heard == [*MENU, *MENU]


def test_q_ends_it() -> None:
    assert chosen(Person(["q"])) == (0, [])


def test_closed_terminal_ends_it_cleanly() -> None:
    assert chosen(Person([])) == (0, [])


@pytest.mark.parametrize("typed", ["x", "", "hh", "help", "1"])
def test_anything_else_asks_again(typed: str) -> None:
    person = Person([typed, "q"])
    assert chosen(person) == (0, [])
    assert person.heard[-1] == "Type one of the letters h, j, b, r, l, q."


def test_menu_shows_every_letter_and_where_all_commands_are_listed() -> None:
    assert all(any(f"  {choice.letter}  {choice.text}" == line for line in MENU) for choice in CHOICES)
    assert MENU[-1] == "All commands: --help"


@pytest.mark.parametrize("choice", [choice for choice in CHOICES if choice.arguments], ids=lambda choice: choice.letter)
def test_every_choice_is_a_command_line_that_the_program_knows(choice) -> None:
    assert _parser().parse_args(choice.arguments).command == choice.arguments[0]
