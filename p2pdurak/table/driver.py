"""The one asyncio driver: a transport, a clock and a player's input on one side, a stage of the game on the other.

It owns the event loop's part: waiting, timing, sending, tidying up. It decides nothing about codes, games or screens:
a stage (the lobby, then the duel) is handed packets, lines and seconds, one at a time, and so never meets a race.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, Protocol, TypeVar

from p2pdurak.transport.base import Down, Incoming, Packet, Transport, Up

INPUTS_MAX: Final = 256
"""Typed lines that wait; a script that floods us loses the newest."""

TICK_MIN_S: Final = 0.005
"""A deadline that is due at once still lets the loop breathe."""

T = TypeVar("T")
Input = Callable[[float], None]
"""Something the player or a helper thread wants done, given the time."""


class Stage(Protocol):
    """A part of the evening that is fed by the driver."""

    @property
    def topics(self) -> Sequence[str]:
        """Where it listens."""

    @property
    def closed(self) -> bool:
        """Whether it is over."""

    def up(self, now: float) -> None:
        """The transport is connected."""

    def down(self, attempt: int) -> None:
        """The transport has lost its link; `attempt` counts the tries to return."""

    def receive(self, payload: bytes, now: float) -> None:
        """A packet for one of its topics."""

    def tick(self, now: float) -> None:
        """Time has passed."""

    def packets(self) -> list[tuple[str, bytes]]:
        """What to send now."""

    def next_deadline(self) -> float | None:
        """When to tick at the latest."""


class Table:
    """Runs stages over one transport."""

    def __init__(
        self,
        transport: Transport,
        now: Callable[[], float] = time.monotonic,
        up: Callable[[Up], None] = lambda _: None,
    ) -> None:
        """Take a transport that has been started.

        Args:
            transport: connected; news of the link and packets come from its queue.
            now: a clock that never goes back, in seconds.
            up: told whenever the transport is connected, before the stage is.
        """
        self._up = up
        self._transport = transport
        self._now = now
        self._inputs: asyncio.Queue[Input] = asyncio.Queue(INPUTS_MAX)
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[str, asyncio.Task[object]] = {}
        self._aside: set[asyncio.Task[None]] = set()
        self._connected = False
        self._stopped = False

    def stop(self) -> None:
        """End the running stage as it is; what it has not sent stays unsent."""
        self._stopped = True
        self.submit(lambda _now: None)

    def submit(self, wanted: Input) -> None:
        """Hand in an input from the loop's own thread; dropped when far too many wait."""
        with suppress(asyncio.QueueFull):
            self._inputs.put_nowait(wanted)

    def submit_threadsafe(self, wanted: Input) -> None:
        """Hand in an input from any thread; ignored once the loop is gone."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.submit, wanted)

    def later(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        """Run `work` in a thread and hand its result to `then` in the loop."""

        async def run() -> None:
            result = await asyncio.to_thread(work)
            await self._inputs.put(lambda _now: then(result))

        task = asyncio.create_task(run())
        self._aside.add(task)
        task.add_done_callback(self._finish_aside)

    def _finish_aside(self, task: asyncio.Task[None]) -> None:
        self._aside.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.submit(lambda _now: _throw(error))

    async def run(
        self, stage: Stage, former: Stage | None = None, done_with_it: Callable[[], bool] = lambda: False
    ) -> None:
        """Feed `stage` until it is closed.

        Args:
            stage: what goes on now.
            former: the stage before it, which goes on answering packets of its own topics that were repeated.
            done_with_it: whether nobody needs those answers any more; its topics are then left.
        """
        stages = [stage] if former is None else [stage, former]
        heard: Sequence[str] = ()
        while not stage.closed and not self._stopped:
            if stage.topics != heard:
                # A host whose code is used up moves to the topic of a fresh one. Subscribe first, then speak.
                await self._transport.forget(*heard)
                heard = stage.topics
                await self._transport.listen(*heard)
                if self._connected:
                    stage.up(self._now())
                continue  # that alone may have ended it
            if former is not None and done_with_it():
                await self._transport.forget(*former.topics)
                former, stages = None, [stage]
            self._send(stages)
            await self._take_one(stage, stages, self._wait_s(stages))
            for each in stages:
                each.tick(self._now())
        self._send(stages)

    async def close(self) -> None:
        """Cancel what still waits, and close the transport."""
        tasks = [*self._waiting.values(), *self._aside]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._transport.close()

    def _send(self, stages: Sequence[Stage]) -> None:
        for each in stages:
            for topic, payload in each.packets():
                self._transport.send(topic, payload)

    def _wait_s(self, stages: Sequence[Stage]) -> float | None:
        deadlines = [due for each in stages if (due := each.next_deadline()) is not None]
        return max(TICK_MIN_S, min(deadlines) - self._now()) if deadlines else None

    async def _take_one(self, stage: Stage, stages: Sequence[Stage], wait_s: float | None) -> None:
        """Wait for the next packet, news or input, and hand it on. The waiting tasks are kept: a cancel loses one."""
        incoming = self._task("incoming", self._transport.incoming.get)
        inputs = self._task("inputs", self._inputs.get)
        done, _ = await asyncio.wait((incoming, inputs), timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
        if inputs in done:
            self._result("inputs", inputs)(self._now())
        if incoming in done:
            self._hand_on(stage, stages, self._result("incoming", incoming))

    def _task(self, name: str, get: Callable[[], Awaitable[T]]) -> asyncio.Task[T]:
        async def wait() -> T:
            return await get()

        task = self._waiting.get(name)
        if task is None:
            task = self._waiting[name] = asyncio.create_task(wait())
        return task  # type: ignore[return-value]  # a name stands for one kind of task

    def _result(self, name: str, task: asyncio.Task[T]) -> T:
        del self._waiting[name]
        return task.result()

    def _hand_on(self, stage: Stage, stages: Sequence[Stage], event: Incoming) -> None:
        """News of the link is for the stage that goes on now; a packet is for whoever listens to its topic."""
        now = self._now()
        match event:
            case Up() as link:
                self._connected = True
                self._up(link)
                stage.up(now)
            case Down(attempt=attempt):
                self._connected = False
                stage.down(attempt)
            case Packet(topic, payload):
                for each in stages:
                    if topic in each.topics:
                        each.receive(payload, now)


def _throw(error: BaseException) -> None:
    raise error
