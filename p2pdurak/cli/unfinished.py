"""Games of this folder that a program has left, and the question which of them to go on with.

It owns how they are found, told and asked for; it sits down to none.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeck.audit import audit
from fairdeck.group import SUITES, Group
from fairdeck.notes import End
from fairdeck.referee import Referee
from p2pdurak.cli.asking import ask
from p2pdurak.durak import DURAK
from p2pdurak.files import StoreError
from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import State
from p2pdurak.safe_text import SafeText, clean_name
from p2pdurak.settings import SettingsError, load
from p2pdurak.store import Store, in_use, read_log
from p2pdurak.table.kept_game import KeptError, KeptGame, kept_beside

LISTED_MAX: Final = 9
WHICH: Final = "Which? Enter takes 1: "
NOBODY: Final = "a friend who had not answered yet"
NO: Final = ("n", "no", "н", "нет")
OFFER: Final = "{what} is not finished. Go on with it? Enter is yes, n is no: "

Ask = Callable[[str], str | None]
Say = Callable[[str], None]

_offered = [False]
"""Whether this process has asked already: whoever said no to the menu is not asked again by what he chose there."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that can be gone on with; `over` where only the table after its end is left to come back to."""

    path: Path
    kept: KeptGame
    friend: SafeText
    over: bool

    def __str__(self) -> str:
        return f"Game {self.kept.number} against {self.friend or NOBODY} ({self.path.name})"


def unfinished(store: Store, suites: Mapping[int, Group] = SUITES) -> list[Unfinished]:
    """The games of this folder that can be gone on with: newest first, and those that are over last."""
    found = []
    for path in reversed(store.logs()):
        try:
            kept, secrets = kept_beside(path)
            if not in_use(path):
                followed = audit(read_log(path), DURAK, suites, proofs=False)
                friend = kept.peer_name or _name(followed.referee, 1 - secrets.seat)
                found.append(Unfinished(path, kept, friend, followed.verdict.end is not End.RUNNING))
        except (KeptError, StoreError):
            continue
    return sorted(found, key=lambda game: game.over)


def _name(referee: Referee[State, Action] | None, seat: int) -> SafeText:
    """How the player of a seat has introduced himself; empty if he has not."""
    start = None if referee is None else (referee.start0, referee.start1)[seat]
    return SafeText("") if start is None else clean_name(start.name)


def is_over(path: Path) -> bool:
    """Whether a log holds an end of its game, by the cards or by a note.

    Raises:
        StoreError: it cannot be read.
    """
    return audit(read_log(path), DURAK, proofs=False).verdict.end is not End.RUNNING


def choose(games: Sequence[Unfinished], ask: Ask, say: Say) -> Unfinished:
    """Ask which of several games is meant; Enter, or nobody there, takes the newest."""
    shown = games[:LISTED_MAX]
    for number, game in enumerate(shown, 1):
        say(f"  {number}  {game}")
    while (line := ask(WHICH)) is not None and line.strip():
        if line.strip() in map(str, range(1, len(shown) + 1)):
            return shown[int(line.strip()) - 1]
    return shown[0]


def offered(options: argparse.Namespace, *, bare: bool) -> Path | None:
    """Ask a person who has just come whether he wants to go on with what he left.

    Args:
        options: the parsed flags.
        bare: whether he came without saying what he wants.

    Returns:
        The log of the game that he goes on with; None where there is none, or he does not want to.
    """
    if not bare or getattr(options, "json", False) or not (sys.stdin.isatty() and sys.stderr.isatty()) or _offered[0]:
        return None
    try:
        games = [game for game in unfinished(Store(load().data)) if not game.over]
    except (SettingsError, StoreError):
        return None  # whoever does what was asked for tells it
    return offer(games, ask) if games else None


def offer(games: Sequence[Unfinished], ask: Ask) -> Path | None:
    """Ask whether to go on with the newest of these games."""
    _offered[0] = True
    line = ask(OFFER.format(what=games[0]))
    return None if line is None or line.strip().casefold() in NO else games[0].path


def nothing_given(options: argparse.Namespace) -> bool:
    """Whether no flag says how to play or where."""
    told = (options.broker, options.bot, options.rule, options.games, getattr(options, "bind", None))
    return not any(told) and not os.environ.get("P2PDURAK_CODE")
