"""The kinds of brokers by name: how each is set up on this machine.

It owns the one table that the command line, the tests and the soak runs read; each kind is a module of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Final

from brokers import mosquitto, nats, rabbitmq
from brokers.nodes import LOOPBACK, Node, Served, free_port

Kind = Callable[[Path, int | None], Served]
"""A folder for everything it writes and the (first) port, None for any free one -> a broker that is not yet started."""


def embedded(folder: Path, port: int | None) -> Served:
    """Set up the broker that hosts carry inside, in a process of its own."""
    chosen = port or free_port()
    command = [sys.executable, "-P", "-m", "p2pdurak", "broker", "--bind", LOOPBACK, "--port", str(chosen)]
    node = Node("the embedded broker", command, chosen, folder / "broker.log")
    return Served((node,), (f"mqtt://{LOOPBACK}:{chosen}",))


KINDS: Final = MappingProxyType[str, Kind](
    {
        "embedded": embedded,
        "mosquitto": mosquitto.plain,
        "mosquitto-tls": mosquitto.guarded,
        "nats": nats.cluster,
        "rabbitmq": rabbitmq.cluster,
    }
)
