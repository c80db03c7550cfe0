"""`p2pdurak host`: show a code, wait for the friend, play.

It owns the choice of the broker for a host: the one that is named, else the embedded one.
"""

from __future__ import annotations

import argparse
import os
from contextlib import AsyncExitStack

from p2pdurak.cli.evening import Evening, Guestbook, bot_of, pins_of, rules_of, run_evening
from p2pdurak.lobby import HostLobby
from p2pdurak.transport.broker import EmbeddedBroker
from p2pdurak.transport.mqtt import MqttTransport
from p2pdurak.transport.url import BrokerUrl, broker_url


def run(options: argparse.Namespace) -> int:
    """Host a match and return the exit code."""
    return run_evening(options, _evening)


async def _evening(book: Guestbook) -> int:
    options = book.options
    rules = rules_of(options.rules, pins_of(options))
    bot_of(options)
    urls = [broker_url(text) for text in (options.broker or book.settings.brokers)]
    async with AsyncExitStack() as stack:
        if not urls:
            broker = await stack.enter_async_context(EmbeddedBroker(options.bind, options.port))
            urls = [BrokerUrl(broker.bind, broker.port)]
        lobby = HostLobby(os.urandom, book.face.show, str(urls[0]), book.settings.program, options.code_ttl)
        evening = Evening(book, MqttTransport(urls))
        return await evening.run(lobby, lambda: book.player(0, lobby.code.nameplate, rules, ()))
