"""One visit to a table: the lobby, the match, the goodbye; typed lines and signals on the way.

It owns the wiring of a player, a face, a transport and the table; it decides nothing about games.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from random import SystemRandom
from typing import Final

from p2pdurak.cli.faces import read_lines
from p2pdurak.cli.last_door import INTERNAL, UNREACHABLE
from p2pdurak.cli.seating import Guestbook
from p2pdurak.events import Broker, Command, Event, Leave, Refused, Waiting
from p2pdurak.table.driver import Table
from p2pdurak.table.duel import Duel
from p2pdurak.table.lobby import GuestLobby, HostLobby
from p2pdurak.table.players import Exit, Player, World
from p2pdurak.transport.base import Transport, Up

SIGNAL_BASE: Final = 128
LOOK_AT_READER_S: Final = 1.0

QUIET_S: Final = 3.0
"""Within this time a second Ctrl-C means it."""


class Evening:
    """One visit to a table: lobby, match, goodbye."""

    def __init__(self, book: Guestbook, transport: Transport) -> None:
        self._book = book
        self._transport = transport
        self._table = Table(transport, up=self._up)
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
        self._look_at_reader()
        await self._transport.start(())
        try:
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
            show=self._show,
            rng=os.urandom,
            random=SystemRandom(),
            today=lambda: datetime.now(UTC),
            later=self._table.later,
        )
        duel = self._duel = Duel(player, secret, world)
        await self._table.run(duel, former=lobby, done_with_it=lambda: duel.met)

    def _show(self, event: Event) -> None:
        """Show an event; when nobody reads us any more, the evening is over."""
        self._book.face.show(event)
        if self._book.face.closed:
            self._stop(SIGNAL_BASE + signal.SIGPIPE)

    def _look_at_reader(self) -> None:
        """A reader who goes away while nothing is written would never be noticed: a pipe tells when it is asked."""
        watch = select.poll()
        with suppress(OSError, ValueError):
            watch.register(sys.stdout.fileno(), 0)
        if self._book.face.closed or watch.poll(0):
            self._stop(SIGNAL_BASE + signal.SIGPIPE)
        else:
            asyncio.get_running_loop().call_later(LOOK_AT_READER_S, self._look_at_reader)

    def _up(self, link: Up) -> None:
        if not link.again:
            trip = link.round_trip_s
            self._show(Broker(self._transport.address, None if trip is None else round(1000 * trip)))

    # Typed lines and signals.

    def _typed(self, line: str | None) -> None:
        """Called in the reader's thread."""
        self._table.submit_threadsafe(lambda now: self._line(line, now))

    def _line(self, line: str | None, now: float) -> None:
        duel = self._duel
        if line is None:
            if sys.stdin.isatty():
                self._interrupted(now)  # Ctrl-D; a terminal that was closed sends a signal as well
            return
        command: Command | None
        if duel is not None:
            command = self._book.typist.take(line, duel.view, offered=duel.offered, over=duel.resting)
        else:
            command = self._book.typist.take(line, None, offered=False, over=True)
        if command is None:
            return
        if duel is not None:
            duel.command(command, now)
        elif isinstance(command, Leave):
            self._stop(Exit.NOT_FINISHED.value)
        else:
            self._show(Refused("play", "Your friend is not here yet. To give up waiting, type leave."))

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
            self._show(Waiting("To leave the game, press Ctrl-C again. Whoever leaves does not finish it."))
        else:
            self._code = SIGNAL_BASE + signal.SIGINT
            duel.command(Leave(), now)

    def _stop(self, code: int) -> None:
        self._code = code
        self._table.stop()
