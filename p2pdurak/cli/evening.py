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
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Final, NamedTuple

from p2pdurak.bots.seat import BotSeat
from p2pdurak.cli.analyst import Analyst
from p2pdurak.cli.hints import ONLY_BOTS, Hints
from p2pdurak.cli.last_door import INTERNAL, UNREACHABLE
from p2pdurak.cli.seating import Guestbook
from p2pdurak.cli.typed_lines import TypedLines
from p2pdurak.events import Broker, Command, Event, Leave, Peer, Refused, Waiting
from p2pdurak.files import StoreError
from p2pdurak.replay import NothingToShowError, ReplayError, load
from p2pdurak.table.chair import Ask
from p2pdurak.table.driver import Table
from p2pdurak.table.duel import Duel
from p2pdurak.table.kept_game import Comeback
from p2pdurak.table.lobby import GuestLobby, HostLobby, OpenDoor
from p2pdurak.table.players import Exit, Player, World
from p2pdurak.transport.base import Transport, Unreachable, Up
from p2pdurak.ui.commands import AskHint
from p2pdurak.ui.endings import NO_ANSWER, NO_GAME, SAVED, SAVED_WHOLE
from p2pdurak.ui.live.keys import AskAnalysis, Local, Wish

if TYPE_CHECKING:
    from p2pdurak.ui.live.face import TableFace

SIGNAL_BASE: Final = 128
LOOK_AT_READER_S: Final = 1.0

SLOW_S: Final = 1.0
"""A broker that takes longer is waited for with a word."""

RETRY_S: Final = 2.0
FRIEND_FIRST: Final = (
    "{address} cannot be reached yet. The broker runs at your friend's, and is there again when he resumes the game. "
    "Waiting for that; Ctrl-C ends it."
)

QUIET_S: Final = 3.0
"""Within this time a second Ctrl-C means it."""


class Door(NamedTuple):
    """Where two players meet, who sits down on our side then, and the game that he comes back to if he does."""

    lobby: HostLobby | GuestLobby | OpenDoor
    player: Callable[[], Player]
    back: Comeback | None = None


class Evening:
    """One visit to a table: lobby, match, goodbye."""

    def __init__(
        self, book: Guestbook, transport: Transport, *, hints: str | None = None, patient: bool = False
    ) -> None:
        """Prepare.

        Args:
            book: who sits here.
            transport: the line, not started yet.
            hints: the seed of the hints that the player may ask for; None where there are none.
            patient: wait for a broker that is not there yet.
        """
        self._book = book
        self._bot_seat: BotSeat | None = None
        self._transport = transport
        self._patient = patient
        self._told_wait = False
        self._table = Table(transport, up=self._up)
        self._duel: Duel | None = None
        self._typed_lines = TypedLines(self._typed)
        self._stopped = asyncio.Event()
        self._code: int | None = None
        self._fault: Exception | None = None
        self._leaves = False
        self._unanswered = False
        self._looking: asyncio.Task[None] | None = None
        self._interrupted_at = float("-inf")
        self._hints = None if hints is None else Hints(hints, lambda: self._duel, self._table.later, self._show)

    async def run(self, door: Callable[[], Door], *, again: bool = False) -> int:
        """Connect, meet, play.

        Args:
            door: makes the lobby in which the two meet, and says who sits down then.
            again: whether to go back to a fresh lobby when a friend came and no cards were dealt.

        Returns:
            The exit code.

        Raises:
            TransportError: the broker cannot be used.
            StoreError: the game cannot be saved.
        """
        self._catch_signals()
        self._look_at_reader()
        try:
            if await self._connected():
                self._typed_lines.start()
                await self._host_or_join(door, again=again)
        finally:
            await self._tidy_up()
        if self._fault is not None:
            raise self._fault
        if self._code is not None:
            return self._code
        return UNREACHABLE if self._duel is None else self._duel.exit.value

    async def _host_or_join(self, door: Callable[[], Door], *, again: bool) -> None:
        """Meet and play; a friend who turned back on the threshold does not cost the host his evening."""
        while True:
            lobby, player, back = door()
            await self._table.run(lobby)
            if self._code is not None or lobby.secret is None:
                return
            await self._play(lobby, lobby.secret, player(), back)
            if not (again and self._turned_back):
                return
            self._show(Waiting("Nobody sits at your table; here is a fresh code."))
            if self._duel is not None:
                self._duel.close()
                self._duel = None

    @property
    def _turned_back(self) -> bool:
        """Whether a friend came to the door and there was no game."""
        duel = self._duel
        if duel is None or duel.view is not None or duel.match.games or self._leaves or self._code is not None:
            return False
        return duel.exit in {Exit.REFUSED, Exit.NOT_FINISHED}

    async def _connect(self) -> None:
        """Start the transport; where a friend has still to start its broker, as often as it takes."""
        while True:
            try:
                await self._transport.start(())
            except Unreachable:
                if not self._patient:
                    raise
            else:
                return
            if not self._told_wait:
                self._told_wait = True
                self._show(Waiting(FRIEND_FIRST.format(address=self._transport.address)))
            await asyncio.sleep(RETRY_S)

    async def _connected(self) -> bool:
        """Connect to the broker; False if the player has had enough before that."""
        steps = asyncio.create_task(self._connect()), asyncio.create_task(self._stopped.wait())
        try:
            done, _ = await asyncio.wait(steps, timeout=SLOW_S, return_when=asyncio.FIRST_COMPLETED)
            if not done and not self._told_wait:
                self._show(Waiting(f"Connecting to {self._transport.address}. Ctrl-C ends it."))
            await asyncio.wait(steps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for step in steps:
                step.cancel()
            outcomes = await asyncio.gather(*steps, return_exceptions=True)
        if self._code is None and isinstance(outcomes[0], Exception):
            raise outcomes[0]
        return self._code is None

    async def _tidy_up(self) -> None:
        """The screen first: whatever else takes its time, the player has his terminal back."""
        self._typed_lines.stop()
        if self._screen is not None and self._screen.taken:
            await self._screen.close()
        elif self._code is not None and self._code > SIGNAL_BASE and not self._book.options.json:
            self._say_what_is_left()
        if self._bot_seat is not None:
            self._bot_seat.close()
        if self._hints is not None:
            self._hints.close()
        if self._duel is not None:
            self._duel.close()
        await self._table.close()

    def _say_what_is_left(self) -> None:
        """After a signal: whether there is a game to look at."""
        if sys.stdout.isatty():
            print()  # the terminal has written ^C
        game = None if self._duel is None else self._duel.game
        left = NO_GAME if game is None or game.view is None else SAVED_WHOLE if game.ended else SAVED
        self._book.face.show(Waiting(left.format(program=self._book.settings.program)))

    async def _play(
        self, lobby: HostLobby | GuestLobby | OpenDoor, secret: bytes, player: Player, back: Comeback | None
    ) -> None:
        world = World(
            store=self._book.store,
            show=self._show,
            rng=os.urandom,
            random=SystemRandom(),
            today=lambda: datetime.now(UTC),
            later=self._table.later,
            ask=self._seat_bot(),
        )
        duel = self._duel = Duel(player, secret, world, back)
        if self._screen is not None:
            advised = self._hints is not None
            self._screen.expect(player.stem, self._wished, self._typed_lines.stop, self._screen_ended, advised=advised)
        await self._table.run(duel, former=lobby, done_with_it=lambda: duel.met)
        if self._screen is not None and self._code is None and not self._leaves:
            await self._screen.linger()

    def _seat_bot(self) -> Ask | None:
        """A bot that plays for us thinks in a process of its own, so that the line stays alive meanwhile."""
        level = self._book.options.bot
        if level is None or self._bot_seat is not None:
            return None if self._bot_seat is None else self._bot_seat.ask
        self._bot_seat = BotSeat(level, os.urandom(16).hex(), self._table.later)
        return self._bot_seat.ask

    @property
    def _screen(self) -> TableFace | None:
        return self._book.table

    def _show(self, event: Event) -> None:
        """Show an event; when nobody reads us any more, the evening is over."""
        if self._is_idle_talk(event):
            return
        self._book.face.show(event)
        if self._unanswered:
            self._table.submit(self._stop_unanswered)
        if self._book.face.closed:
            self._stop(SIGNAL_BASE + signal.SIGPIPE)

    def _is_idle_talk(self, event: Event) -> bool:
        """Whether a person plays a bot in this program, and this is about how two people meet."""
        meeting = isinstance(event, Waiting | Peer) and (self._duel is None or self._duel.view is None)
        return meeting and not self._transport.address and not self._book.options.json

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
        if not link.again and self._transport.address:
            trip = link.round_trip_s
            self._show(Broker(self._transport.address, None if trip is None else round(1000 * trip)))

    # Keys at the table.

    def _wished(self, wish: Wish) -> None:
        """What a key asks for that is not about the screen itself."""
        match wish:
            case Local.NOW_LEAVE:
                self._leaves = True
                self._code = SIGNAL_BASE + signal.SIGINT
                self._table.submit(lambda now: self._do(Leave(), now))
            case Local.REPLAY:
                self._looking = asyncio.create_task(self._look_back())
            case AskHint():
                self._advise()
            case Local() | AskAnalysis():
                pass  # about the screen itself, which has done it
            case _:
                self._leaves |= isinstance(wish, Leave)
                self._table.submit(lambda now: self._do(wish, now))

    def _advise(self) -> None:
        if self._hints is None:
            self._show(Refused("hint", ONLY_BOTS))
        else:
            self._hints.ask()

    def _do(self, command: Command, now: float) -> None:
        if self._duel is not None:
            self._duel.command(command, now)

    async def _look_back(self) -> None:
        """Read the game just ended from its log, and show it, unless the next one has begun meanwhile."""
        if self._screen is None or self._duel is None or not self._screen.last_log:
            return
        log, keys = self._screen.last_log, self._book.store.public_keys()
        try:
            recording = await asyncio.to_thread(load, Path(log), keys, self._duel.player.seat)
        except (StoreError, ReplayError, NothingToShowError) as error:
            self._show(Refused("replay", str(error)))
            return
        if self._screen.last_log == log:
            self._screen.replay(recording, partial(Analyst, Path(log), recording))

    def fail(self, fault: BaseException) -> None:
        """Something beside us has a fault: end the evening with it."""
        self._fault = fault if isinstance(fault, Exception) else None
        self._stop(INTERNAL)

    def _screen_ended(self, fault: Exception | None) -> None:
        """The screen is gone although nobody left it: the terminal was closed, or there is a fault of ours."""
        self._fault = fault
        self._stop(SIGNAL_BASE + signal.SIGHUP if fault is None else INTERNAL)

    # Typed lines and signals.

    def _typed(self, line: str | None) -> None:
        """Called in the reader's thread."""
        self._table.submit_threadsafe(lambda now: self._line(line, now))

    def _line(self, line: str | None, now: float) -> None:
        duel = self._duel
        if line is None:
            if sys.stdin.isatty():
                self._interrupted(now)  # Ctrl-D; a terminal that was closed sends a signal as well
            elif not self._transport.address:  # against people the move clock goes on, and a goodbye would forfeit
                self._unanswered = True
                self._stop_unanswered(now)
            return
        command: Command | AskHint | None
        if duel is not None:
            command = self._book.typist.take(
                line, duel.view, offered=duel.offered, over=duel.resting, knock=duel.knocked
            )
        else:
            command = self._book.typist.take(line, None, offered=False, over=True)
        if command is None:
            return
        if isinstance(command, AskHint):
            self._advise()
        elif duel is not None:
            self._leaves |= isinstance(command, Leave)
            duel.command(command, now)
        elif isinstance(command, Leave):
            self._stop(Exit.NOT_FINISHED.value)
        else:
            self._show(Refused("play", "Your friend is not here yet. To give up waiting, type leave."))

    def _stop_unanswered(self, _now: float) -> None:
        """End as soon as a bot waits for an answer that nobody can type any more; the game can be gone on with."""
        if self._duel is not None and self._duel.asks and self._code is None:
            self._book.face.show(Waiting(NO_ANSWER.format(program=self._book.settings.program)))
            self._stop((self._duel.exit if self._duel.resting else Exit.NOT_FINISHED).value)

    def _catch_signals(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            loop.add_signal_handler(number, self._stop, SIGNAL_BASE + number)
        if self._screen is not None:
            loop.add_signal_handler(signal.SIGTSTP, self._suspend)
            loop.add_signal_handler(signal.SIGCONT, self._screen.wake)

    def _suspend(self) -> None:
        """Be stopped by a shell: at the table the screen is given back first."""
        if self._screen is not None and self._screen.sitting:
            self._screen.suspend()
        else:
            os.kill(0, signal.SIGSTOP)

    def _interrupt(self) -> None:
        """Ctrl-C: at once in the lobby; in a game the first one asks, the next leaves, one more does not wait."""
        if self._screen is not None and self._screen.sitting:
            self._screen.interrupt()
        elif self._duel is None:
            self._stop(SIGNAL_BASE + signal.SIGINT)
        else:
            self._table.submit(self._interrupted)

    def _interrupted(self, now: float) -> None:
        duel = self._duel
        if duel is None or self._code is not None:
            self._stop(SIGNAL_BASE + signal.SIGINT)
        elif duel.view is not None and not duel.resting and now - self._interrupted_at > QUIET_S:
            self._interrupted_at = now
            self._show(Waiting("To leave the game, press Ctrl-C again. Whoever leaves does not finish it."))
        else:
            self._code = SIGNAL_BASE + signal.SIGINT
            duel.command(Leave(), now)

    def _stop(self, code: int) -> None:
        self._code = code
        self._stopped.set()
        self._table.stop()
        if self._screen is not None:
            self._screen.stop()
