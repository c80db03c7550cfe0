"""What is killed, and how it comes back.

It owns the three kinds of faults; when one happens is decided by the game.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from brokers.nodes import Node, Served
from soaks.seats import Seat, connected_port


class Fault(Protocol):
    """One kind of fault."""

    calm_s: float
    """How long everything is left in peace after one, so that the next hits a game that goes on."""

    async def strike(self, seats: Sequence[Seat], dice: Random) -> Struck:
        """Kill something; `Struck.mend` brings it back."""


@dataclass(frozen=True, slots=True)
class Struck:
    """What was killed.

    Attributes:
        at: the moment, of `time.monotonic`.
        seat: the player who was killed, or None for a broker.
        node: the node that was killed, or None for a player.
        down_s: how long it stays away before it is started again.
    """

    at: float
    seat: Seat | None
    node: Node | None
    down_s: float

    async def mend(self) -> None:
        """Start it again after its time, and wait until it can be used."""
        await asyncio.sleep(self.down_s)
        if self.node is not None:
            await asyncio.to_thread(self.node.start)
        if self.seat is not None:
            await self.seat.start("resume")


class BrokerFault:
    """The whole broker dies, and every connection with it."""

    calm_s = 0.5

    def __init__(self, broker: Served) -> None:
        self._broker = broker

    async def strike(self, seats: Sequence[Seat], dice: Random) -> Struck:  # noqa: ARG002 - every fault is called alike
        """Kill all its nodes."""
        (node,) = self._broker.nodes
        at = time.monotonic()
        node.kill()
        return Struck(at, None, node, dice.uniform(0.1, 1.0))


class NodeFault:
    """The node dies that one of the players is connected to; the others go on."""

    calm_s = 4.0

    def __init__(self, broker: Served) -> None:
        self._nodes = {node.port: node for node in broker.nodes}

    async def strike(self, seats: Sequence[Seat], dice: Random) -> Struck:
        """Kill the node of a player drawn by lot."""
        pid = seats[dice.randrange(len(seats))].pid
        port = None if pid is None else connected_port(pid, tuple(self._nodes))
        node = self._nodes[dice.choice(tuple(self._nodes)) if port is None else port]
        at = time.monotonic()
        node.kill()
        return Struck(at, None, node, dice.uniform(0.5, 2.0))


class PeerFault:
    """A player's program dies, and he starts it again with `resume`."""

    calm_s = 0.3

    async def strike(self, seats: Sequence[Seat], dice: Random) -> Struck:
        """Kill one of the two, drawn by lot."""
        seat = seats[dice.randrange(len(seats))]
        at = time.monotonic()
        seat.kill()
        return Struck(at, seat, None, dice.uniform(0.0, 0.5))


KINDS: Final = ("broker", "node", "peer")


def fault_of(kind: str, broker: Served) -> Fault:
    """The fault of a name in `KINDS`.

    Raises:
        ValueError: this broker has no such part.
    """
    match kind, len(broker.nodes):
        case "peer", _:
            return PeerFault()
        case "node", nodes if nodes > 1:
            return NodeFault(broker)
        case "broker", 1:
            return BrokerFault(broker)
        case _:
            raise ValueError(f"--kill {kind} does not fit this broker, which has {len(broker.nodes)} node(s)")
