"""`p2pdurak resume [LOG]`: go on with a game that a program has left, however it ended.

It owns the way from a log to its table: which game, under which key, over which broker.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

from p2pdurak.cli import play
from p2pdurak.cli.asking import ask, say
from p2pdurak.cli.evening import Door, Evening
from p2pdurak.cli.last_door import run_evening
from p2pdurak.cli.seating import Guestbook, UntrustedError, UsageError, bot_of, brokers
from p2pdurak.cli.unfinished import choose, is_over, unfinished
from p2pdurak.events import Waiting
from p2pdurak.files import StoreError
from p2pdurak.replay import find_log
from p2pdurak.store import DamagedError, Identity, Store
from p2pdurak.table.kept_game import Comeback, KeptError, KeptGame, comeback
from p2pdurak.table.lobby import OpenDoor
from p2pdurak.table.players import Player
from p2pdurak.transport.base import TransportError
from p2pdurak.transport.broker import EmbeddedBroker
from p2pdurak.transport.mqtt import MqttTransport

NOTHING: Final = "There is no game to go on with. Games that are over: p2pdurak logs."
SAME_PLACE: Final = (
    "Your friend's program looks for you at {address}, where this one brought the broker along. {why} "
    "When that is free again, resume the game."
)


def run(options: argparse.Namespace) -> int:
    """Go on with a game and return the exit code."""
    found: list[Comeback] = []

    def sit(store: Store) -> Identity:
        found.append(_open(_log(options, store)))
        try:
            return store.identity_of(found[0].kept.way.identity)
        except StoreError as error:
            raise UsageError(str(error)) from error

    return run_evening(options, lambda book: _evening(book, found[0]), sit)


def _log(options: argparse.Namespace, store: Store) -> Path:
    """The log that is meant: the one that is named, else the newest that can be gone on with."""
    if options.log is not None:
        try:
            return find_log(options.log, store.logs())
        except StoreError as error:
            raise UsageError(str(error)) from error
    games = unfinished(store)
    if not games:
        raise UsageError(NOTHING)
    running = [game for game in games if not game.over] or games
    return choose(running, ask, say).path if _at_terminal(options) and len(running) > 1 else running[0].path


def _at_terminal(options: argparse.Namespace) -> bool:
    """Whether a person sits here, who can be asked and can end a wait."""
    return sys.stdin.isatty() and sys.stderr.isatty() and not options.json


def _open(path: Path) -> Comeback:
    """Open a game; whatever keeps it from going on is a sentence."""
    try:
        return comeback(path)
    except KeptError as error:
        if _has_ended(path):
            raise UsageError(f"The game {path} is over. Look at it with: p2pdurak replay.") from error
        raise UsageError(f"The game {path} cannot be gone on with. {error}") from error
    except DamagedError as error:
        raise UntrustedError(str(error)) from error
    except StoreError as error:
        raise UsageError(str(error)) from error


def _has_ended(path: Path) -> bool:
    try:
        return is_over(path)
    except StoreError as error:
        raise UsageError(str(error)) from error


async def _evening(book: Guestbook, back: Comeback) -> int:
    bot_of(book.options)
    book.face.show(Waiting(f"Going on with game {back.kept.number}: {back.log.path}"))
    if back.kept.way.bot is not None:
        return await play.again(book, _player(book, back.kept, back.secrets.seat), back)
    return await _with_friend(book, back)


async def _with_friend(book: Guestbook, back: Comeback) -> int:
    way = back.kept.way
    named = tuple(book.options.broker)
    urls = brokers(book, named or way.brokers)
    door = Door(OpenDoor(back.kept.secret), lambda: _player(book, back.kept, back.secrets.seat), back)
    async with AsyncExitStack() as stack:
        if way.bind is not None and not named:
            await _embedded(stack, way.bind, way.port)
        patient = back.kept.friends_broker is not None and not named and _at_terminal(book.options)
        return await Evening(book, MqttTransport(urls), patient=patient).run(lambda: door)


async def _embedded(stack: AsyncExitStack, bind: str, port: int) -> None:
    """Our own broker, where the other side looks for it."""
    broker = EmbeddedBroker(bind, port)
    try:
        await stack.enter_async_context(broker)
    except TransportError as error:
        raise TransportError(SAME_PLACE.format(address=broker.address, why=error)) from error


def _player(book: Guestbook, kept: KeptGame, seat: int) -> Player:
    """Who comes back: the same player, with the looks and habits of today's flags."""
    options = kept.options if seat == 0 else None
    player = book.player(
        seat, kept.stem, options, confirm=kept.confirm, friends_broker=kept.friends_broker, way_back=kept.way
    )
    games = book.options.games or kept.games or (kept.number if book.unattended else 0)
    return replace(player, name=kept.name, games=games)
