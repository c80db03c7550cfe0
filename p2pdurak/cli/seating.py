"""Who sits down, from flags and settings: name, face, rules, habits.

It owns the reading of flags that `host` and `join` share; it starts nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from p2pdurak.bots import LEVELS, Bot
from p2pdurak.cli.faces import Face, Typist
from p2pdurak.events import Waiting
from p2pdurak.rules.options import NAMED, Options, set_option
from p2pdurak.safe_text import SafeText, clean_name
from p2pdurak.settings import Settings
from p2pdurak.store import Identity, Store
from p2pdurak.table.chair import Habits
from p2pdurak.table.clock import AutoDone
from p2pdurak.table.kept_game import WayBack
from p2pdurak.table.players import Player
from p2pdurak.transport.url import PRESETS, BadUrl, BrokerUrl, broker_url

if TYPE_CHECKING:
    from p2pdurak.ui.live.face import TableFace  # loads the terminal's library, which line mode does not need

PUBLIC: Final = (
    "This is a public broker. What you say and play is sealed, but it sees addresses, times and sizes, "
    "and nobody promises that it works."
)


class UsageError(Exception):
    """Flags that cannot be used together, or a value that is not allowed; a sentence for the player."""

    code = 2


class UntrustedError(UsageError):
    """A file that is named and cannot be trusted."""

    code = 5


@dataclass(frozen=True, slots=True)
class Guestbook:
    """Who sits here: the parts that do not change during an evening."""

    options: argparse.Namespace
    settings: Settings
    store: Store
    identity: Identity
    face: Face
    typist: Typist
    table: TableFace | None = None

    @property
    def name(self) -> SafeText:
        """How this player is called; a second program of the same login is told apart by its number."""
        given = self.options.name or self.settings.name
        number = self.identity.number
        return clean_name(given if self.options.name or number == 1 else f"{given}-{number}")

    def way_back(
        self, urls: Sequence[BrokerUrl] = (), bind: str | None = None, port: int = 0, bot: str | None = None
    ) -> WayBack:
        """How a new process finds this table again; see `WayBack`."""
        return WayBack(self.identity.number, tuple(url.with_password() for url in urls), bind, port, bot)

    @property
    def unattended(self) -> bool:
        """Whether a program plays, which is asked nothing."""
        return bool(self.options.json or self.options.bot is not None)

    def player(
        self,
        seat: int,
        stem: str,
        options: Options | None,
        pins: tuple[tuple[str, str], ...] = (),
        *,
        confirm: bool = False,
        friends_broker: str | None = None,
        way_back: WayBack | None = None,
    ) -> Player:
        """The player for a match; see `Player`."""
        bot = bot_of(self.options)
        auto = AutoDone.INSTANT if bot is not None else AutoDone(self.options.auto_done or self.settings.auto_done)
        return Player(
            seat=seat,
            key=self.identity.key,
            name=self.name,
            stem=stem,
            options=options,
            pins=pins,
            ask=not self.unattended,
            confirm=confirm,
            friends_broker=friends_broker,
            way_back=way_back,
            games=self.options.games or (1 if self.unattended else 0),
            habits=Habits(auto, bot),
        )


def bot_of(options: argparse.Namespace) -> Bot | None:
    """The bot that was asked for.

    Raises:
        UsageError: there is none of that level.
    """
    return None if options.bot is None else LEVELS[level_of(options.bot)]


def level_of(name: str) -> str:
    """The name of a level, checked.

    Raises:
        UsageError: there is no such level.
    """
    if name not in LEVELS:
        raise UsageError(f"There is no bot of level {name!r}. Levels: {', '.join(LEVELS)}.")
    return name


def pins_of(options: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """The option values that `--rule` names, in order.

    Raises:
        UsageError: one is not NAME=VALUE.
    """
    pins = []
    for text in options.rule:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--rule takes NAME=VALUE, such as move_timer=0, and not {text!r}.")
        pins.append((name.strip(), value.strip()))
    return tuple(pins)


def rules_of(set_name: str, pins: tuple[tuple[str, str], ...]) -> Options:
    """A named set with single options changed.

    Raises:
        UsageError: the set, an option or a value is not known.
    """
    if set_name not in NAMED:
        raise UsageError(f"There is no set of rules called {set_name!r}. Sets: {', '.join(NAMED)}.")
    chosen = NAMED[set_name]
    for name, value in pins:
        try:
            chosen = set_option(chosen, name, value)
        except ValueError as error:
            raise UsageError(f"--rule {name}={value}: {error}") from error
    return chosen


def brokers(book: Guestbook, named: Sequence[str]) -> list[BrokerUrl]:
    """Read the addresses of brokers, and say what it means where one is public.

    Raises:
        UsageError: one is neither an address nor the name of a preset.
    """
    if any(text.strip().lower() in PRESETS for text in named):
        book.face.show(Waiting(PUBLIC))
    try:
        return [broker_url(text) for text in named]
    except BadUrl as error:
        raise UsageError(str(error)) from error
