"""`p2pdurak play`: a match against a bot, offline, with the same cards, proofs and log as against a friend.

It owns the second seat of such a match: a bot with a table, a line and a folder of its own, in this process.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from random import SystemRandom
from typing import Final

from p2pdurak.bots import LEVELS
from p2pdurak.bots.seat import BotSeat
from p2pdurak.cli.evening import Door, Evening
from p2pdurak.cli.last_door import run_evening
from p2pdurak.cli.seating import Guestbook, UsageError, level_of, pins_of, rules_of
from p2pdurak.files import StoreError
from p2pdurak.safe_text import clean_name
from p2pdurak.store import Store, in_use, secrets_path
from p2pdurak.table.chair import Habits
from p2pdurak.table.clock import AutoDone
from p2pdurak.table.driver import Table
from p2pdurak.table.duel import Duel
from p2pdurak.table.kept_game import Comeback, KeptError, WayBack, comeback, kept_beside
from p2pdurak.table.lobby import OpenDoor
from p2pdurak.table.players import Player, World
from p2pdurak.transport.base import Transport
from p2pdurak.transport.memory import MemoryHub

PACE_S: Final = 0.8
"""A move that comes faster cannot be followed with the eyes."""

ENDLESS: Final = 1 << 30
"""Games that a bot is ready for: it always wants to play again."""


def run(options: argparse.Namespace) -> int:
    """Play a match against a bot and return the exit code."""
    return run_evening(options, _evening)


async def _evening(book: Guestbook) -> int:
    options = book.options
    level = level_of(options.level)
    # Without a friend who waits there is no need for a clock, unless the rules are named.
    pins = pins_of(options)
    rules = rules_of(options.rules or "classic", pins if options.rules else (("move_timer", "0"), *pins))
    secret = os.urandom(32)
    player = book.player(0, f"{level}-bot", rules, way_back=book.way_back(bot=level))
    return await _against(book, level, _seed(options.seed), Door(OpenDoor(secret), lambda: player))


async def again(book: Guestbook, player: Player, back: Comeback) -> int:
    """Go on with a game against a bot that was broken off, together with the bot's half of it."""
    level = level_of(back.kept.way.bot or "")
    theirs = _half_of(back, _bots_store(book))
    if theirs is None:
        raise UsageError(f"The bot's half of the game {back.log.path} is gone, so it cannot be gone on with.")
    return await _against(book, level, _seed(None), Door(OpenDoor(back.kept.secret), lambda: player, back), theirs)


async def _against(book: Guestbook, level: str, seed: str, door: Door, theirs: Comeback | None = None) -> int:
    """Sit down with a bot; `theirs` is its half of a game that was broken off."""
    hub = MemoryHub(address="")
    evening = Evening(book, hub.transport(), hints=seed)
    bot = Opponent(level, _bots_store(book), hub.transport(), seed, 0.0 if book.unattended else PACE_S, evening.fail)
    bot.sit(door.lobby.secret or b"", theirs)
    async with bot:
        return await evening.run(lambda: door)


def _bots_store(book: Guestbook) -> Store:
    """Where bots keep their half of the games that go on."""
    return Store(book.store.folder / "bot")


def _half_of(back: Comeback, store: Store) -> Comeback | None:
    """The bot's half of a game."""
    for path in store.logs():
        with suppress(KeptError, StoreError):
            kept, _ = kept_beside(path)
            if (kept.secret, kept.number) == (back.kept.secret, back.kept.number):
                return comeback(path)
    return None


def _seed(text: str | None) -> str:
    """What the bot's dice come from: chosen afresh unless the player names it.

    Raises:
        UsageError: it is no hexadecimal number.
    """
    if text is None:
        return os.urandom(16).hex()
    with suppress(ValueError):
        if seed := bytes.fromhex(text).hex():
            return seed
    raise UsageError(f"--seed takes hexadecimal digits, two for each byte, and not {text!r}.")


class Opponent:
    """A bot on the other side of the table."""

    def __init__(
        self,
        level: str,
        store: Store,
        transport: Transport,
        seed: str,
        pace_s: float,
        failed: Callable[[BaseException], None],
    ) -> None:
        """Prepare.

        Args:
            level: one of the bots' levels.
            store: a folder of its own; it forgets the games that are over.
            transport: its end of the line, not started yet.
            seed: of its dice.
            pace_s: the least time it takes for a move.
            failed: told of a fault of its side.
        """
        self._transport = transport
        self._failed = failed
        self._table = Table(transport)
        self._seat = BotSeat(level, seed, self._table.later, pace_s)
        self._level = level
        self._store = store
        self._duel: Duel | None = None
        self._task: asyncio.Task[None] | None = None

    def sit(self, secret: bytes, back: Comeback | None) -> None:
        """Take a seat.

        Args:
            secret: 32 bytes that both sides share.
            back: its half of a game that was broken off.

        Raises:
            StoreError: its folder cannot be used.
        """
        identity = self._store.identity(os.urandom) if back is None else self._store.identity_of(back.kept.way.identity)
        world = World(
            store=self._store,
            show=lambda _event: None,
            rng=os.urandom,
            random=SystemRandom(),
            today=lambda: datetime.now(UTC),
            later=self._table.later,
            ask=self._seat.ask,
        )
        player = Player(
            seat=1,
            key=identity.key,
            name=clean_name(f"{self._level} bot"),
            stem="bot",
            ask=False,
            games=ENDLESS,
            habits=Habits(AutoDone.INSTANT, LEVELS[self._level]),
            way_back=WayBack(identity.number, bot=self._level),
        )
        self._duel = Duel(player, secret, world, back)

    async def __aenter__(self) -> Opponent:
        """Begin to play."""
        if self._duel is None:
            raise RuntimeError("a bot plays when it has a seat")
        await self._transport.start(())
        self._task = asyncio.create_task(self._table.run(self._duel))
        self._task.add_done_callback(self._ended)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stand up, whatever goes on."""
        self._table.stop()
        if self._task is not None:
            await asyncio.wait({self._task})
        self._seat.close()
        if self._duel is not None:
            self._duel.close()
        await self._table.close()
        self._forget()

    def _forget(self) -> None:
        """Remove the games that nobody comes back to."""
        for path in self._store.logs():
            with suppress(StoreError, OSError):
                try:
                    kept_beside(path)
                except KeptError:
                    if not in_use(path):
                        secrets_path(path).unlink(missing_ok=True)
                        path.unlink()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._failed(fault)
