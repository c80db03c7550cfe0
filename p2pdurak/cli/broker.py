"""`p2pdurak broker`: the embedded broker alone, for games between others."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys

from p2pdurak.transport.base import TransportError
from p2pdurak.transport.broker import EmbeddedBroker

UNREACHABLE = 3


def run(options: argparse.Namespace) -> int:
    """Serve until a signal ends it."""
    try:
        return asyncio.run(_serve(options.bind, options.port))
    except TransportError as error:
        print(error, file=sys.stderr)
        return UNREACHABLE


async def _serve(bind: str | None, port: int) -> int:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, ended.set)
    async with EmbeddedBroker(bind, port) as broker:
        print(f"Broker at {broker.address}. Use it with: --broker {broker.address}", flush=True)
        await ended.wait()
    return 0
