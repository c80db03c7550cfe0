"""One game between two programs, with faults in it.

It owns who types what and when something dies: both by dice with a seed. It looks at no log.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from brokers.nodes import CannotStart, Served
from soaks.faults import Fault, Struck
from soaks.seats import Event, Heard, Seat

PACE_S: Final = (0.05, 0.15)
"""How long a player thinks: short, and long enough for a game to last until its last fault."""

APART: Final = (3, 8)
"""Moves from one fault to the next."""

IN_SHUFFLE: Final = 0.25
"""The chance that the first fault of a game hits the shuffle, where records are largest."""

GAME_S: Final = 240.0
"""A game with all its faults takes less than a minute; one that takes longer hangs, and that is a finding."""

WORDS: Final = {"host": ("--rule", "move_timer=0"), "join": ()}


@dataclass(slots=True)
class Played:
    """What happened in a game.

    Attributes:
        faults: how many were injected; `shuffle_faults` of them before the deal.
        recoveries: for each fault after the deal, seconds from the kill until the first move typed after it is at the
            other player.
        downs: for each fault, seconds from the kill until what was killed could be used again.
        results: by seat, the last result that it told.
        codes: by seat, the exit code.
        problem: why the game did not come to its end, or None.
    """

    folder: Path
    faults: int = 0
    shuffle_faults: int = 0
    recoveries: list[float] = field(default_factory=list)
    downs: list[float] = field(default_factory=list)
    results: dict[int, Event] = field(default_factory=dict)
    codes: dict[int, int | None] = field(default_factory=dict)
    problem: str | None = None


class Game:
    """Drives both programs: types legal moves by lot, and strikes."""

    def __init__(self, folder: Path, broker: Served, fault: Fault, dice: Random, faults_max: int) -> None:
        self.played = Played(folder)
        self._heard: asyncio.Queue[Heard] = asyncio.Queue()
        self._seats = [Seat(number, folder / name, self._heard) for number, name in enumerate(("host", "guest"))]
        self._brokers = [word for url in broker.urls for word in ("--broker", url)]
        self._fault = fault
        self._dice = dice
        self._left = faults_max
        self._until = 0 if dice.random() < IN_SHUFFLE else dice.randint(*APART)
        self._dealt = False
        self._struck: Struck | None = None
        self._open: Struck | None = None
        self._calm_at = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    async def play(self) -> Played:
        """Play to the end, or to the time limit."""
        try:
            async with asyncio.timeout(GAME_S):
                await self._play()
        except TimeoutError:
            self.played.problem = f"it did not end within {GAME_S:.0f} s"
        finally:
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for seat in self._seats:
                self.played.codes[seat.number] = await seat.end()
        return self.played

    async def _play(self) -> None:
        await self._seats[0].start("host", *WORDS["host"], *self._brokers)
        ended: set[int] = set()
        while len(ended) < len(self._seats):
            heard = await self._heard.get()
            seat = self._seats[heard.seat]
            if heard.life != seat.life:
                continue
            if heard.event is not None:
                await self._hear(seat, heard.at, heard.event)
            elif self._struck is None or self._struck.seat is not seat:
                ended.add(heard.seat)
                if heard.seat not in self.played.results:
                    self.played.problem = f"seat {heard.seat} ended without a result"
                    return

    async def _hear(self, seat: Seat, at: float, event: Event) -> None:
        match event:
            case {"event": "code", "code": str(code)} if self._seats[1].life == 0:
                await self._seats[1].start("join", code, *self._brokers)
            case {"event": "shuffling"} if self._until == 0 and not self._dealt:
                await self._strike()
            case {"event": "opener"}:
                self._dealt = True
            case {"event": "turn", "legal": [*legal]} if legal and legal != ["done"]:
                self._spawn(self._answer(seat, seat.life, self._dice.choice(legal)))
            case {"event": "move", "seat": int(mover)} if mover != seat.number:
                self._arrived(self._seats[mover], at)
            case {"event": "result"}:
                self.played.results[seat.number] = event
            case _:
                pass

    def _arrived(self, mover: Seat, at: float) -> None:
        """Close the open fault if this move was typed after it: then everything works again."""
        if self._open is not None and mover.typed_at > self._open.at:
            self.played.recoveries.append(at - self._open.at)
            self._open = None

    async def _answer(self, seat: Seat, life: int, move: str) -> None:
        """Think, and type; a fault strikes before that, or with the move on its way."""
        await asyncio.sleep(self._dice.uniform(*PACE_S))
        self._until -= 1
        due = self._until <= 0 and time.monotonic() > self._calm_at and self._open is None and self._struck is None
        before = self._dice.random() < 0.5
        if due and before:
            await self._strike()
        if seat.life == life:
            seat.type(move)
        if due and not before:
            await asyncio.sleep(self._dice.uniform(0.0, 0.004))
            await self._strike()

    async def _strike(self) -> None:
        if self._left == 0:
            return
        self._left -= 1
        self._until = self._dice.randint(*APART)
        self._struck = await self._fault.strike(self._seats, self._dice)
        self.played.faults += 1
        if self._dealt:
            self._open = self._struck
        else:
            self.played.shuffle_faults += 1
        self._spawn(self._mend(self._struck))

    async def _mend(self, struck: Struck) -> None:
        try:
            await struck.mend()
        except (CannotStart, OSError) as problem:
            self.played.problem = f"what was killed did not come back: {problem}"
        finally:
            self._struck = None
        self.played.downs.append(time.monotonic() - struck.at)
        self._calm_at = time.monotonic() + self._fault.calm_s

    def _spawn(self, step: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(step)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
