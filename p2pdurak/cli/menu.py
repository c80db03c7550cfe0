"""`p2pdurak` alone on a terminal: what can be done, as a few lines, and one letter that does it.

It owns the menu; what a choice does is the command line that it stands for.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from p2pdurak.cli.asking import ask, say
from p2pdurak.cli.unfinished import offered

OK: Final = 0
QUESTION: Final = "Which? "


@dataclass(frozen=True, slots=True)
class Choice:
    """A line of the menu.

    Attributes:
        letter: what is typed.
        text: what it does.
        arguments: the command line that it stands for; empty: the end.
        back: whether the menu comes back after it.
        twins: letters on the same key in other layouts.
    """

    letter: str
    text: str
    arguments: tuple[str, ...]
    back: bool = False
    twins: str = ""


CHOICES: Final = (
    Choice("h", "host a game", ("host",), twins="р"),
    Choice("j", "join a friend's game", ("join",), twins="о"),
    Choice("b", "play against a bot", ("play",), twins="и"),
    Choice("r", "replay the last game", ("replay", "last"), back=True, twins="к"),
    Choice("l", "list the saved games", ("logs",), back=True, twins="д"),
    Choice("q", "quit", (), twins="й"),
)

MENU: Final = (
    "Podkidnoy Durak for two, with a deck that nobody deals.",
    *(f"  {choice.letter}  {choice.text}" for choice in CHOICES),
    "All commands: --help",
)


def run(options: argparse.Namespace) -> int:
    """Offer to go on with a game that was left, else show the menu and run what is chosen."""
    from p2pdurak.cli import main

    log = offered(options, bare=True)
    if log is not None:
        return main.run(("resume", str(log)))
    return choose(main.run, ask, say)


def choose(start: Callable[[Sequence[str]], int], ask: Callable[[str], str | None], say: Callable[[str], None]) -> int:
    """Ask until something is chosen, run it, and ask again after what was only looked at.

    Args:
        start: runs a command line and gives its exit code.
        ask: shows a question and gives the line of the answer; None: there are no more lines.
        say: shows a sentence.

    Returns:
        The exit code.
    """
    while True:
        for line in MENU:
            say(line)
        chosen = _chosen(ask, say)
        if chosen is None or not chosen.arguments:
            return OK
        code = start(chosen.arguments)
        if not chosen.back:
            return code


def _chosen(ask: Callable[[str], str | None], say: Callable[[str], None]) -> Choice | None:
    while (line := ask(QUESTION)) is not None:
        typed = line.strip().casefold()
        for choice in CHOICES:
            # The word is taken as well as its letter: somebody may type what he reads.
            if typed in {choice.letter, *choice.twins, choice.text.split()[0]}:
                return choice
        say(f"Type one of the letters {', '.join(choice.letter for choice in CHOICES)}.")
    return None
