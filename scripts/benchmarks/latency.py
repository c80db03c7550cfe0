"""From a typed move to the event at the other screen, between two real programs.

It owns who types what and when, and the references beside it: the raw round trip of the broker, two writes to the
disk, and the cryptography of a move. They are measured right before a move is typed, or in a game of the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.echo import Echo
from benchmarks.game import Meter, Side, seen, sit_down, view
from fairdeck.log import Tag
from p2pdurak.rules.state import Phase
from p2pdurak.store import GameLog
from p2pdurak.transport.base import Unreachable
from p2pdurak.transport.url import BrokerUrl
from soaks.seats import Event, Heard, Seat

TARGET: Final = 3.0
"""A move may take so many times what it cannot do without."""

ENTRY_BYTES: Final = 700
"""The mean of a game's records."""

GAME_S: Final = 120.0
"""A game takes a quarter of that; one that takes longer hangs."""


@dataclass(frozen=True, slots=True)
class LatencyReport:
    """Seconds, each list in the order in which it was measured.

    Attributes:
        moves: from the writing of the typed line to the event at the other program.
        trips: raw round trips.
        syncs: one entry of a log, written and synced.
        proofs: the libsodium calls of both sides for one move.
        steps: everything that both sides' sessions do for it, proofs included.
    """

    moves: tuple[float, ...]
    trips: tuple[float, ...]
    syncs: tuple[float, ...]
    proofs: tuple[float, ...]
    steps: tuple[float, ...]

    @property
    def needed_s(self) -> float:
        """What a move cannot do without: a round trip, two syncs and its proofs; medians."""
        return median(self.trips) + 2 * median(self.syncs) + median(self.proofs)

    @property
    def ratio(self) -> float:
        """The median of a move by that."""
        return median(self.moves) / self.needed_s

    def text(self) -> str:
        """A line for each figure."""
        rows = [
            (f"typed move -> event ({len(self.moves)} moves)", median(self.moves)),
            ("  slowest of ten", sorted(self.moves)[int(0.9 * len(self.moves))]),
            ("raw round trip", median(self.trips)),
            ("one entry of a log, synced", median(self.syncs)),
            ("proofs of a move, both sides", median(self.proofs)),
            ("  with everything else in both sessions", median(self.steps)),
            ("round trip + 2 syncs + proofs", self.needed_s),
        ]
        lines = [f"{label:<42}{1000 * value:8.2f} ms" for label, value in rows]
        return "\n".join([*lines, f"{'move by that':<42}{self.ratio:8.2f} (the aim: under {TARGET:g})"])

    def data(self) -> dict[str, object]:
        """Medians in seconds, for programs."""
        return {
            "moves": len(self.moves),
            "move_s": median(self.moves),
            "trip_s": median(self.trips),
            "sync_s": median(self.syncs),
            "proofs_s": median(self.proofs),
            "steps_s": median(self.steps),
            "needed_s": self.needed_s,
            "ratio": self.ratio,
            "target": TARGET,
        }


def measure_latency(options: argparse.Namespace) -> LatencyReport:
    """Play `options.games` games between two programs.

    Raises:
        TransportError: no broker, or no game came to its end over it; a sentence.
    """
    with tempfile.TemporaryDirectory(prefix="p2pdurak-bench-") as folder:
        return asyncio.run(_measure(options.broker, options.games, Path(folder)))


async def _measure(urls: Sequence[BrokerUrl], games: int, folder: Path) -> LatencyReport:
    log = GameLog(folder / "reference.dlog")
    typing = _Typing(log)
    try:
        async with Echo(urls) as echo:
            for number in range(games):
                async with asyncio.timeout(GAME_S):
                    await typing.game(urls, echo, folder / str(number))
    except TimeoutError as late:
        raise Unreachable(f"A game did not end within {GAME_S:.0f} s.") from late
    finally:
        log.close()
    steps = [cost for seed in range(games) for cost in _costs(seed)]
    return LatencyReport(
        tuple(typing.moves),
        tuple(typing.trips),
        tuple(typing.syncs),
        proofs=tuple(floor_s for _, floor_s in steps),
        steps=tuple(spent_s for spent_s, _ in steps),
    )


class _Typing:
    """Types for both players, and looks at the clock."""

    def __init__(self, log: GameLog) -> None:
        self.moves: list[float] = []
        self.trips: list[float] = []
        self.syncs: list[float] = []
        self._log = log

    async def game(self, urls: Sequence[BrokerUrl], echo: Echo, folder: Path) -> None:
        """Play one game to its end."""
        heard: asyncio.Queue[Heard] = asyncio.Queue()
        seats = [Seat(number, folder / name, heard) for number, name in enumerate(("host", "guest"))]
        brokers = [word for url in urls for word in ("--broker", url.with_password())]
        try:
            await seats[0].start("host", "--rule", "move_timer=0", *brokers)
            running = len(seats)
            while running:
                told = await heard.get()
                if told.event is None:
                    running -= 1
                    if seats[1].life == 0:
                        raise Unreachable("The host's program ended before it had a code.")
                else:
                    await self._hear(seats, told.seat, told.at, told.event, brokers, echo)
        finally:
            for seat in seats:
                await seat.end()

    async def _hear(
        self, seats: Sequence[Seat], number: int, at: float, event: Event, brokers: Sequence[str], echo: Echo
    ) -> None:
        match event:
            case {"event": "code", "code": str(code)} if seats[1].life == 0:
                await seats[1].start("join", code, *brokers)
            case {"event": "turn", "legal": [*legal]} if legal and legal != ["done"]:
                await self._references(echo)
                seats[number].type(str(legal[0]))
            case {"event": "move", "seat": int(mover)} if mover != number and seats[mover].typed_at:
                self.moves.append(at - seats[mover].typed_at)
                seats[mover].typed_at = 0.0
            case _:
                pass

    async def _references(self, echo: Echo) -> None:
        took_s = await echo.trip()
        if took_s is not None:
            self.trips.append(took_s)
        began = time.monotonic()
        self._log.append(Tag.NOTE, os.urandom(ENTRY_BYTES))
        self.syncs.append(time.monotonic() - began)


def _costs(seed: int) -> list[tuple[float, float]]:
    """For each move of a game in memory that a player would type: seconds of both sessions, and of their proofs."""
    sides: tuple[Side, Side] = sit_down(seed)
    costs: list[tuple[float, float]] = []
    while (owed := sides[0].referee.owed) is not None:
        speaker, listener = sides[owed.seat], sides[1 - owed.seat]
        table = view(speaker, seen(speaker)) if speaker.our_move else None
        if table is None or table.state.phase is Phase.QUESTION:
            listener.receive(speaker.step() if table is None else speaker.act(table.answer()))
            continue
        meter = Meter()
        data = meter.run(partial(speaker.act, table.legal_actions()[0]))
        meter.run(partial(listener.receive, data))
        if not table.forced_done:
            costs.append((meter.spent_s, meter.floor_s))
    return costs
