"""Games between bots over a broker, many at once in one process: the share of one process in a run.

It owns the players, their pace and the clock from a written record to the event at the other side; it reports what
happened, and judges only whether both sides wrote the same.

Everything is what a player's program uses (duel, driver, channel, transport, log) but for one thing: a log is not
checked when its game ends, for that takes longer than all proofs of the game. It is checked when all games are over.
"""

from __future__ import annotations

import asyncio
import os
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

from fairdeck.audit import Finding, audit
from fairdeck.log import read
from fairdeck.sign import SigningKey
from p2pdurak.bots import LEVELS, Bot, dice
from p2pdurak.durak import DURAK
from p2pdurak.events import Event, Moved
from p2pdurak.files import StoreError
from p2pdurak.rules.actions import Action
from p2pdurak.rules.options import CLASSIC
from p2pdurak.rules.view import View
from p2pdurak.safe_text import clean_name
from p2pdurak.store import Store, read_log
from p2pdurak.table.chair import Habits
from p2pdurak.table.clock import AutoDone
from p2pdurak.table.driver import Table
from p2pdurak.table.duel import Duel
from p2pdurak.table.players import Exit, Player, World
from p2pdurak.transport.base import Incoming, Transport, TransportError
from p2pdurak.transport.mqtt import MqttTransport
from p2pdurak.transport.url import BrokerUrl

IN_FLIGHT_MAX: Final = 16
"""Records that may be in one log and not yet in the other when a game is broken off."""

NO_CLOCK: Final = replace(CLASSIC, move_timer=0)


@dataclass(frozen=True, slots=True)
class Share:
    """What one process is to do.

    Attributes:
        urls: the broker, or the nodes of a cluster, with passwords.
        places: the numbers of the tables that it looks after.
        pace_s: seconds between two moves of one player; 0: as fast as they can.
        begin: when the first table begins, of `time.monotonic`.
        apart_s: seconds from the beginning of one table to that of the next.
        end: when everything is broken off, and until when a table begins game after game; None: a game a table.
        folder: where the logs go.
        audits: how many of its finished games are checked in full.
    """

    urls: tuple[str, ...]
    places: tuple[int, ...]
    pace_s: float
    begin: float
    apart_s: float
    end: float | None
    folder: Path
    audits: int


@dataclass(frozen=True, slots=True)
class Played:
    """One game, both sides together.

    Attributes:
        finished: whether it came to its end at both sides.
        moves: for each move when it was written, of `time.monotonic`, and the seconds until the other side's event.
        packets: sent by both players.
        sent_bytes: in the payloads of these.
        problem: what went wrong, or None.
        logs: of both players.
    """

    finished: bool
    moves: tuple[tuple[float, float], ...]
    packets: int
    sent_bytes: int
    problem: str | None
    logs: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """What one process did.

    Attributes:
        played: its games.
        cpu_s: the time of the processor that they took.
        audited: logs that were checked in full, `true` of them found true.
    """

    played: tuple[Played, ...]
    cpu_s: float
    audited: int
    true: int


def play_share(share: Share) -> Done:
    """Play, in an event loop of its own, and check the logs when all is over."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each player holds a socket and two files open
    began = time.process_time()
    played = asyncio.run(_play(share))
    cpu_s = time.process_time() - began
    finished = [game for game in played if game.finished]
    sample = finished[:: max(1, -(-len(finished) // max(1, share.audits)))]
    logs = [path for game in sample for path in game.logs]
    true = sum(audit(read_log(path), DURAK).finding is Finding.OK for path in logs)
    return Done(tuple(played), cpu_s, len(logs), true)


async def _play(share: Share) -> list[Played]:
    played: list[Played] = []
    running: set[Game] = set()

    async def sit(place: int) -> None:
        await _sleep_until(share.begin + place * share.apart_s)
        number = 0
        while number == 0 or (share.end is not None and time.monotonic() < share.end):
            number += 1
            game = Game(share, place, share.folder / f"{place}-{number}")
            running.add(game)
            played.append(await game.play())
            running.discard(game)
            if played[-1].problem is not None:
                return

    async def break_off(end: float) -> None:
        await _sleep_until(end)
        for game in running:
            game.stop()

    ending = None if share.end is None else asyncio.create_task(break_off(share.end))
    await asyncio.gather(*map(sit, share.places))
    if ending is not None:
        ending.cancel()
    return played


async def _sleep_until(moment: float) -> None:
    await asyncio.sleep(max(0.0, moment - time.monotonic()))


class Game:
    """Two bots at two tables of their own."""

    def __init__(self, share: Share, place: int, folder: Path) -> None:
        self._written: dict[int, float] = {}
        self._moves: list[tuple[float, float]] = []
        secret = os.urandom(32)
        urls = [BrokerUrl.parse(text) for text in share.urls]
        # A player uses the first address that answers. Only different orders spread them over the nodes of a cluster.
        turns = [(place + seat) % len(urls) for seat in (0, 1)]
        self._chairs = [
            _Chair(seat, secret, [*urls[turn:], *urls[:turn]], folder / str(seat), share.pace_s, self._hear)
            for seat, turn in enumerate(turns)
        ]

    def stop(self) -> None:
        """Break it off."""
        for chair in self._chairs:
            chair.table.stop()

    async def play(self) -> Played:
        """Play to the end, or until it is stopped."""
        problem: str | None = None
        try:
            for chair in self._chairs:
                await chair.transport.start(())
            await asyncio.gather(*(chair.table.run(chair.duel) for chair in self._chairs))
        except (TransportError, StoreError) as fault:
            problem = str(fault)
        finally:
            self.stop()
            for chair in self._chairs:
                chair.duel.close()
                await chair.table.close()
        logs = tuple(path for chair in self._chairs for path in chair.store.logs())
        finished = all(chair.duel.closed and chair.duel.exit is Exit.FINISHED for chair in self._chairs)
        return Played(
            finished=finished,
            moves=tuple(self._moves),
            packets=sum(chair.transport.packets for chair in self._chairs),
            sent_bytes=sum(chair.transport.bytes for chair in self._chairs),
            problem=problem or disagreement(logs, finished=finished),
            logs=logs,
        )

    def _hear(self, seat: int, event: Event) -> None:
        """The mover is told of his move when it is on his disk and on its way, the other when it is on his."""
        if isinstance(event, Moved):
            now = time.monotonic()
            if event.seat == seat:
                self._written[event.n] = now
            else:
                written = self._written.pop(event.n)
                self._moves.append((written, now - written))


def disagreement(logs: Sequence[Path], *, finished: bool) -> str | None:
    """How two logs of one game differ more than they may, or None."""
    if len(logs) != 2:
        return f"a game has left {len(logs)} logs" if finished else None
    ours, theirs = (read(path.read_bytes()).records for path in logs)
    shorter = min(len(ours), len(theirs))
    if ours[:shorter] != theirs[:shorter]:
        return "two logs of one game differ"
    apart = len(ours) + len(theirs) - 2 * shorter
    if apart > (0 if finished else IN_FLIGHT_MAX):
        return f"one log has {apart} records that the other lacks"
    return None


class _Chair:
    """A bot with a table, a line and a folder of its own."""

    def __init__(
        self,
        seat: int,
        secret: bytes,
        urls: Sequence[BrokerUrl],
        folder: Path,
        pace_s: float,
        hear: Callable[[int, Event], None],
    ) -> None:
        self.transport = Counted(MqttTransport(urls))
        self.table = Table(self.transport)
        self.store = Store(folder)
        table = self.table

        def trust(_work: Callable[[], bool], then: Callable[[bool], None]) -> None:
            table.submit(lambda _now: then(True))

        world = World(
            store=self.store,
            show=lambda event: hear(seat, event),
            rng=os.urandom,
            random=SystemRandom(),
            today=lambda: datetime.now(UTC),
            later=trust,
            ask=Paced(f"{secret.hex()} {seat}", pace_s, self.table),
        )
        player = Player(
            seat=seat,
            key=SigningKey.from_seed(os.urandom(32)),
            name=clean_name(f"bot {seat}"),
            stem="bench",
            options=NO_CLOCK if seat == 0 else None,
            ask=False,
            games=1,
            habits=Habits(AutoDone.INSTANT, LEVELS["easy"]),
        )
        self.duel = Duel(player, secret, world)


class Paced:
    """Asks a bot for its move, and lets no two moves of it follow each other faster than `pace_s` seconds."""

    def __init__(self, seed: str, pace_s: float, table: Table) -> None:
        self._seed = seed
        self._pace_s = pace_s
        self._table = table
        self._moved_at = time.monotonic() - pace_s * Random(seed).random()  # the players move out of step

    def __call__(self, bot: Bot, view: View, play: Callable[[Action], None]) -> None:
        """Hand the bot's action to `play`, now or when its time has come."""
        action = bot(view, dice(self._seed, view))
        if self._pace_s == 0:
            play(action)
            return

        def move(_now: float) -> None:
            self._moved_at = time.monotonic()
            play(action)

        wait_s = max(0.0, self._moved_at + self._pace_s - time.monotonic())
        asyncio.get_running_loop().call_later(wait_s, self._table.submit, move)


class Counted:
    """A transport that counts what is sent through it.

    Attributes:
        packets: given to the transport.
        bytes: in their payloads.
    """

    def __init__(self, inner: Transport) -> None:
        self.packets = 0
        self.bytes = 0
        self._inner = inner

    @property
    def address(self) -> str:
        """The broker as sentences name it."""
        return self._inner.address

    @property
    def incoming(self) -> asyncio.Queue[Incoming]:
        """Packets and news of the link."""
        return self._inner.incoming

    async def start(self, topics: Sequence[str]) -> None:
        """Connect and subscribe."""
        await self._inner.start(topics)

    async def listen(self, *topics: str) -> None:
        """Subscribe to more topics."""
        await self._inner.listen(*topics)

    async def forget(self, *topics: str) -> None:
        """Unsubscribe."""
        await self._inner.forget(*topics)

    def send(self, topic: str, payload: bytes) -> None:
        """Count a packet, and send it."""
        self.packets += 1
        self.bytes += len(payload)
        self._inner.send(topic, payload)

    async def close(self) -> None:
        """Disconnect."""
        await self._inner.close()
