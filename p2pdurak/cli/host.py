"""`p2pdurak host`: show a code, wait for the friend, play.

It owns the choice of the broker for a host: the one that is named, else the embedded one.
"""

from __future__ import annotations

import argparse
import os
from contextlib import AsyncExitStack
from ipaddress import ip_address

from p2pdurak.cli.evening import Door, Evening
from p2pdurak.cli.last_door import run_evening
from p2pdurak.cli.seating import Guestbook, bot_of, brokers, pins_of, rules_of
from p2pdurak.table.lobby import HostLobby
from p2pdurak.transport.broker import EmbeddedBroker, lan_address
from p2pdurak.transport.mqtt import MqttTransport
from p2pdurak.transport.url import BrokerUrl


def run(options: argparse.Namespace) -> int:
    """Host a match and return the exit code."""
    return run_evening(options, _evening)


async def _evening(book: Guestbook) -> int:
    options = book.options
    rules = rules_of(options.rules, pins_of(options))
    bot_of(options)
    urls = brokers(book, options.broker or book.settings.brokers)
    async with AsyncExitStack() as stack:
        if not urls:
            broker = await stack.enter_async_context(EmbeddedBroker(options.bind, options.port))
            urls = [BrokerUrl(_reachable(broker.bind), broker.port)]
        address = str(urls[0])

        def door() -> Door:
            lobby = HostLobby(os.urandom, book.face.show, address, book.settings.program, options.code_ttl)
            return Door(lobby, lambda: book.player(0, lobby.code.nameplate, rules, confirm=options.confirm))

        return await Evening(book, MqttTransport(urls)).run(door, again=not book.unattended)


def _reachable(bind: str) -> str:
    """The address that a friend can use, where the broker listens on every one."""
    return lan_address() if ip_address(bind).is_unspecified else bind
