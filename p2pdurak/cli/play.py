"""`p2pdurak play`: a match against a bot, offline, with the same cards, proofs and log as against a friend.

It owns the second seat of such a match: a bot with a table, a line and a folder of its own, in this process.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from typing import Final

from fairdeck.sign import SigningKey
from p2pdurak.bots import LEVELS
from p2pdurak.bots.seat import BotSeat
from p2pdurak.cli.evening import Door, Evening
from p2pdurak.cli.last_door import run_evening
from p2pdurak.cli.seating import Guestbook, UsageError, level_of, pins_of, rules_of
from p2pdurak.safe_text import clean_name
from p2pdurak.store import Store
from p2pdurak.table.chair import Habits
from p2pdurak.table.clock import AutoDone
from p2pdurak.table.driver import Table
from p2pdurak.table.duel import Duel
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
    seed = _seed(options.seed)
    hub, secret = MemoryHub(address=""), os.urandom(32)
    evening = Evening(book, hub.transport(), hints=seed)
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="p2pdurak-bot-"))
        pace_s = 0.0 if book.unattended else PACE_S
        bot = Opponent(level, Store(Path(folder)), hub.transport(), secret, seed, pace_s, evening.fail)
        await stack.enter_async_context(bot)
        return await evening.run(lambda: Door(OpenDoor(secret), lambda: book.player(0, f"{level}-bot", rules)))


def _seed(text: str | None) -> str:
    """What the bot's dice come from: chosen afresh unless the player names it.

    Raises:
        UsageError: it is no hexadecimal number.
    """
    if text is None:
        return os.urandom(16).hex()
    try:
        return bytes.fromhex(text).hex()
    except ValueError:
        raise UsageError(f"--seed takes hexadecimal digits, two for each byte, and not {text!r}.") from None


class Opponent:
    """A bot on the other side of the table."""

    def __init__(
        self,
        level: str,
        store: Store,
        transport: Transport,
        secret: bytes,
        seed: str,
        pace_s: float,
        failed: Callable[[BaseException], None],
    ) -> None:
        """Prepare.

        Args:
            level: one of the bots' levels.
            store: a folder of its own; it forgets its games.
            transport: its end of the line, not started yet.
            secret: 32 bytes that both sides share.
            seed: of its dice.
            pace_s: the least time it takes for a move.
            failed: told of a fault of its side.
        """
        self._transport = transport
        self._failed = failed
        self._table = Table(transport)
        self._seat = BotSeat(level, seed, self._table.later, pace_s)
        world = World(
            store=store,
            show=lambda _event: None,
            rng=os.urandom,
            random=SystemRandom(),
            today=lambda: datetime.now(UTC),
            later=self._table.later,
            ask=self._seat.ask,
        )
        player = Player(
            seat=1,
            key=SigningKey.from_seed(os.urandom(32)),
            name=clean_name(f"{level} bot"),
            stem="bot",
            ask=False,
            games=ENDLESS,
            habits=Habits(AutoDone.INSTANT, LEVELS[level]),
        )
        self._duel = Duel(player, secret, world)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Opponent:
        """Sit down."""
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
        self._duel.close()
        await self._table.close()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._failed(fault)
