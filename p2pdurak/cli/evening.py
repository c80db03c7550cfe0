"""What `host` and `join` share: who plays, with which face, and an evening from the lobby to the last game.

It owns the wiring of settings, store, face, transport and table, and what signals do; it decides nothing about games.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import SystemRandom
from typing import Any, Final

from fairdeck.errors import LocalError
from fairdeck.group import self_test
from p2pdurak.bots import LEVELS, Bot
from p2pdurak.cli.faces import Face, Typist, choose_face, read_lines
from p2pdurak.clock import AutoDone
from p2pdurak.duel import Duel, Exit, Player, World
from p2pdurak.events import Broker, Command, Leave, Refused, Trouble, Waiting
from p2pdurak.lobby import GuestLobby, HostLobby
from p2pdurak.one_game import Habits
from p2pdurak.rules.options import NAMED, Options, set_option
from p2pdurak.safe_text import clean_name
from p2pdurak.settings import Settings, SettingsError, load
from p2pdurak.store import Identity, Store, StoreError
from p2pdurak.table import Table
from p2pdurak.transport.base import NotAllowed, Transport, TransportError, Unreachable

INTERNAL, USAGE, UNREACHABLE = 1, 2, 3
SIGNAL_BASE: Final = 128
QUIET_S: Final = 3.0
"""Within this time a second Ctrl-C means it."""


class UsageError(Exception):
    """Flags that cannot be used together, or a value that is not allowed; a sentence for the player."""


@dataclass(frozen=True, slots=True)
class Guestbook:
    """Who sits here: the parts that do not change during an evening."""

    options: argparse.Namespace
    settings: Settings
    store: Store
    identity: Identity
    face: Face
    typist: Typist

    @property
    def name(self) -> str:
        """How this player is called; a second program of the same login is told apart by its number."""
        given = self.options.name or self.settings.name
        number = self.identity.number
        return clean_name(given if self.options.name or number == 1 else f"{given}-{number}")

    def player(self, seat: int, stem: str, options: Options | None, pins: tuple[tuple[str, str], ...]) -> Player:
        """The player for a match."""
        bot = bot_of(self.options)
        unattended = self.options.json or bot is not None
        auto = AutoDone.INSTANT if bot is not None else AutoDone(self.options.auto_done)
        return Player(
            seat=seat,
            key=self.identity.key,
            name=self.name,
            stem=stem,
            options=options,
            pins=pins,
            ask=not unattended,
            games=self.options.games or (1 if unattended else 0),
            habits=Habits(auto, bot),
        )


def bot_of(options: argparse.Namespace) -> Bot | None:
    """The bot that was asked for.

    Raises:
        UsageError: there is none of that level.
    """
    if options.bot is None:
        return None
    if options.bot not in LEVELS:
        raise UsageError(f"There is no bot of level {options.bot!r}. Levels: {', '.join(LEVELS)}.")
    return LEVELS[options.bot]


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


def run_evening(options: argparse.Namespace, evening: Callable[[Guestbook], Coroutine[Any, Any, int]]) -> int:
    """Prepare who sits here, run the evening in an event loop, and turn every error into a sentence and a code.

    Args:
        options: the parsed flags.
        evening: the command's coroutine function; it takes the guestbook and gives the exit code.
    """
    face, reader = choose_face(options, sys.stdout)
    try:
        self_test()
        settings = load()
        store = Store(settings.data)
        book = Guestbook(options, settings, store, store.identity(os.urandom), face, Typist(face, reader))
        with asyncio.Runner() as runner:
            return runner.run(evening(book))
    except UsageError as error:
        return _fail(face, "usage", str(error), USAGE)
    except (SettingsError, LocalError) as error:
        return _fail(face, "settings", str(error), USAGE)
    except (Unreachable, NotAllowed, TransportError) as error:
        return _fail(face, "broker", str(error), UNREACHABLE)
    except StoreError as error:
        return _fail(face, "disk", str(error), INTERNAL)
    except Exception as error:  # noqa: BLE001 - the last door: a fault of ours becomes a file and a sentence
        return _fail(face, "internal", _crash(settings.data, error), INTERNAL)


def _fail(face: Face, kind: str, sentence: str, code: int) -> int:
    face.show(Trouble(kind, sentence))
    return code


def _crash(folder: Path, error: BaseException) -> str:
    """Write a traceback where it can be found, and name the file."""
    import traceback

    path = folder / f"crash-{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    path.write_text("".join(traceback.format_exception(error)), "utf-8")
    return f"The program has a fault and had to stop. The game is saved; what went wrong is in {path}."


class Evening:
    """One visit to a table: lobby, match, goodbye."""

    def __init__(self, book: Guestbook, transport: Transport) -> None:
        self._book = book
        self._transport = transport
        self._table = Table(transport)
        self._duel: Duel | None = None
        self._code: int | None = None
        self._interrupted_at = float("-inf")

    async def run(self, lobby: HostLobby | GuestLobby, player: Callable[[], Player]) -> int:
        """Connect, meet, play.

        Args:
            lobby: waits for the friend, or knocks at his door.
            player: who sits down once the two have met.

        Returns:
            The exit code.

        Raises:
            TransportError: the broker cannot be used.
            StoreError: the game cannot be saved.
        """
        self._catch_signals()
        await self._transport.start(())
        try:
            self._book.face.show(Broker(self._transport.address))
            read_lines(self._typed)
            await self._table.run(lobby)
            if self._code is not None:
                return self._code
            if lobby.secret is None:
                return UNREACHABLE
            await self._play(lobby, lobby.secret, player())
        finally:
            if self._duel is not None:
                self._duel.close()
            await self._table.close()
        if self._code is not None:
            return self._code
        return INTERNAL if self._duel is None else self._duel.exit.value

    async def _play(self, lobby: HostLobby | GuestLobby, secret: bytes, player: Player) -> None:
        world = World(
            store=self._book.store,
            show=self._book.face.show,
            rng=os.urandom,
            random=SystemRandom(),
            today=lambda: datetime.now(UTC),
            later=self._table.later,
        )
        self._duel = Duel(player, secret, world)
        await self._table.run(self._duel, former=lobby)

    # Typed lines and signals.

    def _typed(self, line: str | None) -> None:
        """Called in the reader's thread."""
        self._table.submit_threadsafe(lambda now: self._line(line, now))

    def _line(self, line: str | None, now: float) -> None:
        duel, face = self._duel, self._book.face
        if line is None and not sys.stdin.isatty():
            return
        command: Command | None = Leave()
        if line is not None and duel is not None:
            command = self._book.typist.take(line, duel.view, offered=duel.offered, over=duel.resting)
        elif line is not None:
            command = self._book.typist.take(line, None, offered=False, over=True)
        if command is None:
            return
        if duel is not None:
            duel.command(command, now)
        elif isinstance(command, Leave):
            self._stop(Exit.NOT_FINISHED.value)
        else:
            face.show(Refused("play", "Your friend is not here yet. To give up waiting, type leave."))

    def _catch_signals(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._stop, SIGNAL_BASE + number)

    def _interrupt(self) -> None:
        """Ctrl-C: at once in the lobby; in a game the first one asks, the next leaves, one more does not wait."""
        self._table.submit(self._interrupted)

    def _interrupted(self, now: float) -> None:
        duel = self._duel
        if duel is None or self._code is not None:
            self._stop(SIGNAL_BASE + signal.SIGINT)
        elif not duel.resting and now - self._interrupted_at > QUIET_S:
            self._interrupted_at = now
            self._book.face.show(Waiting("To leave the game, press Ctrl-C again. Whoever leaves does not finish it."))
        else:
            self._code = SIGNAL_BASE + signal.SIGINT
            duel.command(Leave(), now)

    def _stop(self, code: int) -> None:
        self._code = code
        self._table.stop()
