"""`p2pdurak host`: show a code, wait for the friend, play.

It owns the choice of the broker for a host: the one that is named, else the embedded one.
"""

from __future__ import annotations

import argparse
import os
from contextlib import AsyncExitStack
from ipaddress import ip_address

from p2pdurak.cli import resume
from p2pdurak.cli.broker_choice import choose
from p2pdurak.cli.evening import Door, Evening
from p2pdurak.cli.last_door import run_evening
from p2pdurak.cli.seating import Guestbook, bot_of, brokers, pins_of, rules_of
from p2pdurak.cli.unfinished import nothing_given, offered
from p2pdurak.table.lobby import HostLobby
from p2pdurak.table.players import Player
from p2pdurak.transport.broker import EmbeddedBroker, lan_address
from p2pdurak.transport.mqtt import MqttTransport
from p2pdurak.transport.url import BrokerUrl


def run(options: argparse.Namespace) -> int:
    """Host a match, or go on with one that was left, and return the exit code."""
    log = offered(options, bare=nothing_given(options) and not options.port and options.rules == "classic")
    if log is not None:
        return resume.run(argparse.Namespace(**{**vars(options), "log": str(log)}))
    return run_evening(options, _evening)


async def _evening(book: Guestbook) -> int:
    options = book.options
    rules = rules_of(options.rules, pins_of(options))
    bot_of(options)
    urls = brokers(book, choose(book))
    async with AsyncExitStack() as stack:
        bind, port = None, 0
        if not urls:
            broker = await stack.enter_async_context(EmbeddedBroker(options.bind, options.port))
            bind, port = broker.bind, broker.port
            urls = [BrokerUrl(_reachable(bind), port)]
        address, way_back = str(urls[0]), book.way_back(urls, bind, port)

        def door() -> Door:
            lobby = HostLobby(os.urandom, book.face.show, address, book.settings.program, options.code_ttl)

            def player() -> Player:  # the code may be another one when a friend is here
                stem = lobby.code.nameplate
                return book.player(0, stem, rules, confirm=options.confirm, way_back=way_back)

            return Door(lobby, player)

        return await Evening(book, MqttTransport(urls)).run(door, again=not book.unattended)


def _reachable(bind: str) -> str:
    """The address that a friend can use, where the broker listens on every one."""
    return lan_address() if ip_address(bind).is_unspecified else bind
