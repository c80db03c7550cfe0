"""The driver in an event loop: stages over a transport in memory, a wire that is pulled, and tidy ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from p2pdurak.bots import LEVELS
from p2pdurak.events import Event, LinkState, Result, Trouble
from p2pdurak.rules.options import CLASSIC
from p2pdurak.store import Store
from p2pdurak.table.chair import Habits
from p2pdurak.table.clock import AutoDone
from p2pdurak.table.driver import INPUTS_MAX, Table
from p2pdurak.table.duel import Duel
from p2pdurak.table.lobby import GuestLobby, HostLobby
from p2pdurak.table.players import Exit, Player, World
from p2pdurak.transport.memory import Faults, MemoryHub
from tests.fairdeck.cheap import CHEAP_SUITES, IDENTITIES
from tests.table.pairs import SECRET, TODAY

T = TypeVar("T")
PATIENCE_S = 60.0
"""Only a driver that hangs takes so long."""

HERE, THERE = "p2pdurak/1/here", "p2pdurak/1/there"


def in_loop(scene: Callable[[], Coroutine[Any, Any, T]]) -> T:
    async def run() -> T:
        return await asyncio.wait_for(scene(), PATIENCE_S)

    return asyncio.run(run())


# Two players in one loop.


@dataclass
class Chair:
    """A bot at a table of its own."""

    table: Table
    duel: Duel
    events: list[Event]
    store: Store


def chair(hub: MemoryHub, folder: Path, seat: int, secret: bytes = SECRET, games: int = 1) -> Chair:
    events: list[Event] = []
    table = Table(hub.transport())
    world = World(
        store=Store(folder / str(seat)),
        show=events.append,
        rng=Random(seat).randbytes,
        random=Random(seat),
        today=lambda: TODAY,
        later=table.later,
        suites=CHEAP_SUITES,
        suite=0,
    )
    player = Player(
        seat=seat,
        key=IDENTITIES[seat],
        name=f"bot {seat}",
        stem="k7q2m",
        options=CLASSIC if seat == 0 else None,
        ask=False,
        games=games,
        habits=Habits(AutoDone.INSTANT, LEVELS["easy"]),
    )
    return Chair(table, Duel(player, secret, world), events, world.store)


async def play(one: Chair) -> Chair:
    await one.table._transport.start(())
    try:
        await one.table.run(one.duel)
    finally:
        one.duel.close()
        await one.table.close()
    return one


def chains(chairs: Sequence[Chair]) -> list[list[bytes]]:
    return [list(one.duel.channel._records.chain) for one in chairs]


def assert_finished(chairs: Sequence[Chair], games: int = 1) -> None:
    assert [one.duel.exit for one in chairs] == [Exit.FINISHED] * 2
    results = [[event for event in one.events if isinstance(event, Result)] for one in chairs]
    assert [result.head for result in results[0]] == [result.head for result in results[1]]
    assert [result.verified for side in results for result in side] == [True] * 2 * games
    assert [event for one in chairs for event in one.events if isinstance(event, Trouble)] == []


def test_whole_match_of_two_tasks_in_one_loop(tmp_path: Path) -> None:
    async def scene() -> list[Chair]:
        hub = MemoryHub()
        return await asyncio.gather(*(play(chair(hub, tmp_path, seat, games=2)) for seat in (0, 1)))

    chairs = in_loop(scene)
    assert_finished(chairs, games=2)
    assert chains(chairs)[0] == chains(chairs)[1]


def test_match_goes_on_after_the_wire_was_pulled_in_its_middle(tmp_path: Path) -> None:
    async def scene() -> list[Chair]:
        hub = MemoryHub()
        chairs = [chair(hub, tmp_path, seat) for seat in (0, 1)]
        games = [asyncio.create_task(play(one)) for one in chairs]
        for records in (7, 20, 40):
            while len(chairs[0].duel.channel._records.chain) < records:  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0)
            hub.down()
            await asyncio.sleep(0.02)
            hub.up()
        return await asyncio.gather(*games)

    chairs = in_loop(scene)
    assert_finished(chairs)
    assert any(isinstance(event, LinkState) for one in chairs for event in one.events)


@pytest.mark.slow
def test_match_is_played_over_a_network_that_loses_doubles_and_delays(tmp_path: Path) -> None:
    async def scene() -> list[Chair]:
        hub = MemoryHub(Faults(seed=3, loss=0.03, duplicate=0.1, delay_s_max=0.005))
        return await asyncio.gather(*(play(chair(hub, tmp_path, seat)) for seat in (0, 1)))

    assert_finished(in_loop(scene))


def test_two_programs_meet_in_the_lobby_and_play(tmp_path: Path) -> None:
    async def evening(hub: MemoryHub, seat: int, lobby: HostLobby | GuestLobby) -> Chair:
        one = chair(hub, tmp_path, seat)
        await one.table._transport.start(())
        try:
            await one.table.run(lobby)
            if lobby.secret is None:
                raise AssertionError("they did not meet")
            met = chair(hub, tmp_path, seat, lobby.secret)
            met.table, met.duel.sitting.world = one.table, _with_table(met.duel.sitting.world, one.table)
            await one.table.run(met.duel, former=lobby)
        finally:
            await one.table.close()
        return met

    async def scene() -> list[Chair]:
        hub = MemoryHub()
        host = HostLobby(Random(5).randbytes, lambda _: None, None, "p2pdurak", 600.0)
        guest = GuestLobby(host.code, Random(6).randbytes, lambda _: None, None)
        return await asyncio.gather(evening(hub, 0, host), evening(hub, 1, guest))

    assert_finished(in_loop(scene))


def _with_table(world: World, table: Table) -> World:
    return replace(world, later=table.later)


# The driver by itself.


@dataclass
class Noted:
    """A stage that writes down what happens to it, and is over when `ends` says so."""

    ends: Callable[[Noted], bool] = lambda stage: "tick" in stage.seen
    topics: tuple[str, ...] = (HERE,)
    due: float | None = None
    outbox: list[tuple[str, bytes]] = field(default_factory=list)
    seen: list[object] = field(default_factory=list)

    @property
    def closed(self) -> bool:
        return self.ends(self)

    def up(self, now: float) -> None:
        self.seen.append("up")

    def down(self, attempt: int) -> None:
        self.seen.append(("down", attempt))

    def receive(self, payload: bytes, now: float) -> None:
        self.seen.append(payload)

    def tick(self, now: float) -> None:
        self.seen.append("tick")

    def packets(self) -> list[tuple[str, bytes]]:
        packets, self.outbox = self.outbox, []
        return packets

    def next_deadline(self) -> float | None:
        return self.due

    @property
    def happened(self) -> list[object]:
        return [event for event in self.seen if event != "tick"]


def sees(*wanted: object) -> Callable[[Noted], bool]:
    return lambda stage: all(event in stage.seen for event in wanted)


async def started(hub: MemoryHub) -> Table:
    transport = hub.transport()
    await transport.start(())
    return Table(transport)


def test_stage_is_told_that_the_transport_is_there_and_gets_its_packets() -> None:
    async def scene() -> list[object]:
        hub = MemoryHub()
        table, other = await started(hub), hub.transport()
        await other.start(())
        stage = Noted(sees("up", b"for you"))
        running = asyncio.create_task(table.run(stage))
        await asyncio.sleep(0.01)
        other.send(THERE, b"for somebody else")
        other.send(HERE, b"for you")
        await running
        await table.close()
        return stage.happened

    assert in_loop(scene) == ["up", b"for you"]


def test_stage_that_comes_later_is_told_that_the_transport_is_there_already() -> None:
    async def scene() -> list[object]:
        table = await started(MemoryHub())
        await table.run(Noted(sees("up")))
        second = Noted(sees("up"))
        await table.run(second)
        await table.close()
        return second.happened

    assert in_loop(scene) == ["up"]


def test_stage_that_comes_while_the_link_is_down_is_not_told_that_it_is_there() -> None:
    async def scene() -> list[object]:
        hub = MemoryHub()
        table = await started(hub)
        await table.run(Noted(sees("up")))
        hub.down()
        await table.run(Noted(sees(("down", 1))))
        second = Noted(sees("up"))
        running = asyncio.create_task(table.run(second))
        await asyncio.sleep(0.01)
        before = list(second.happened)
        hub.up()
        await running
        await table.close()
        return before

    assert in_loop(scene) == []


def test_former_stage_gets_its_packets_and_answers_but_no_news_of_the_link() -> None:
    async def scene() -> tuple[list[object], list[object]]:
        hub = MemoryHub()
        table, other = await started(hub), hub.transport()
        await other.start((THERE,))
        former = Noted(sees("up"), topics=(HERE,))
        await table.run(former)
        former.seen.clear()
        stage = Noted(sees(b"new", ("down", 1)), topics=("p2pdurak/1/new",))
        running = asyncio.create_task(table.run(stage, former=former))
        await asyncio.sleep(0.01)
        former.outbox.append((THERE, b"again"))
        other.send(HERE, b"old")
        other.send("p2pdurak/1/new", b"new")
        await asyncio.sleep(0.01)
        answers = [event.payload for event in _drained(other.incoming) if hasattr(event, "payload")]
        hub.down()
        await running
        await table.close()
        return former.happened, answers

    assert in_loop(scene) == ([b"old"], [b"again"])


def _drained(queue: asyncio.Queue[Any]) -> list[Any]:
    return [queue.get_nowait() for _ in range(queue.qsize())]


def test_stage_that_moves_to_another_topic_is_listened_to_there_and_speaks_after_that() -> None:
    async def scene() -> tuple[list[object], set[str]]:
        hub = MemoryHub()
        table, other = await started(hub), hub.transport()
        await other.start(())
        stage = Noted(sees(b"there"))
        running = asyncio.create_task(table.run(stage))
        await asyncio.sleep(0.01)
        stage.topics = (THERE,)
        other.send(HERE, b"too late")
        await asyncio.sleep(0.01)
        other.send(THERE, b"there")
        await running
        topics = set(table._transport.topics)  # type: ignore[attr-defined]
        await table.close()
        return stage.happened, topics

    assert in_loop(scene) == (["up", "up", b"there"], {THERE})


def test_what_is_left_to_say_at_the_end_of_a_stage_is_sent() -> None:
    async def scene() -> list[Any]:
        hub = MemoryHub()
        table, other = await started(hub), hub.transport()
        await other.start((THERE,))
        await table.run(Noted(lambda _: True, outbox=[(THERE, b"goodbye")]))
        await table.close()
        return [event.payload for event in _drained(other.incoming) if hasattr(event, "payload")]

    assert in_loop(scene) == [b"goodbye"]


def test_stop_ends_a_stage_that_never_would() -> None:
    async def scene() -> bool:
        table = await started(MemoryHub())
        running = asyncio.create_task(table.run(Noted(lambda _: False)))
        await asyncio.sleep(0.01)
        table.stop()
        await running
        await table.close()
        return running.done()

    assert in_loop(scene)


def test_stop_before_a_stage_lets_it_not_begin() -> None:
    async def scene() -> list[object]:
        table = await started(MemoryHub())
        table.stop()
        stage = Noted(lambda _: False)
        await table.run(stage)
        await table.close()
        return stage.seen

    assert in_loop(scene) == []


def test_close_leaves_no_task_behind_whatever_was_going_on() -> None:
    async def scene() -> set[asyncio.Task[Any]]:
        table = await started(MemoryHub())
        release = threading.Event()
        table.later(release.wait, lambda _: None)
        running = asyncio.create_task(table.run(Noted(lambda _: False)))
        await asyncio.sleep(0.01)
        table.stop()
        await running
        release.set()
        await table.close()
        return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]

    assert {task for task in in_loop(scene) if "scene" not in repr(task) and "in_loop" not in repr(task)} == set()


def test_deadline_makes_the_stage_tick() -> None:
    async def scene() -> int:
        table = await started(MemoryHub())
        stage = Noted(lambda stage: stage.seen.count("tick") >= 5)
        stage.due = table._now() + 0.01
        await table.run(stage)
        await table.close()
        return stage.seen.count("tick")

    assert in_loop(scene) == 5


def test_deadline_in_the_past_does_not_keep_the_loop_from_others() -> None:
    async def scene() -> int:
        table = await started(MemoryHub())
        stage = Noted(lambda stage: stage.seen.count("tick") >= 20, due=-1.0)
        turns = 0

        async def other() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0)
                turns += 1

        beside = asyncio.create_task(other())
        await table.run(stage)
        beside.cancel()
        await table.close()
        return turns

    assert in_loop(scene) > 20


# Inputs.


def test_input_is_done_by_the_loop_with_the_time_whatever_thread_hands_it_in() -> None:
    async def scene() -> tuple[int, bool]:
        table = await started(MemoryHub())
        stage = Noted(lambda stage: "input" in stage.seen)
        found: list[tuple[int, float]] = []

        def wanted(now: float) -> None:
            found.append((threading.get_ident(), now))
            stage.seen.append("input")

        running = asyncio.create_task(table.run(stage))
        await asyncio.to_thread(table.submit_threadsafe, wanted)
        await running
        await table.close()
        return found[0][0], abs(found[0][1] - table._now()) < PATIENCE_S

    assert in_loop(scene) == (threading.get_ident(), True)


def test_input_after_the_loop_is_gone_is_ignored() -> None:
    async def scene() -> Table:
        table = await started(MemoryHub())
        await table.close()
        return table

    in_loop(scene).submit_threadsafe(lambda now: None)


def test_flood_of_inputs_loses_the_newest_and_breaks_nothing() -> None:
    async def scene() -> list[int]:
        table = await started(MemoryHub())
        done: list[int] = []
        for number in range(INPUTS_MAX + 50):
            table.submit(lambda now, number=number: done.append(number))  # type: ignore[misc]
        await table.run(Noted(lambda _: len(done) == INPUTS_MAX))
        await table.close()
        return done

    assert in_loop(scene) == list(range(INPUTS_MAX))


def test_slow_work_is_done_in_a_thread_and_its_result_comes_back_into_the_loop() -> None:
    async def scene() -> list[tuple[bool, int]]:
        table = await started(MemoryHub())
        worked: list[int] = []
        results: list[tuple[bool, int]] = []

        def work() -> bool:
            worked.append(threading.get_ident())
            return True

        table.later(work, lambda result: results.append((result, threading.get_ident())))
        await table.run(Noted(lambda _: bool(results)))
        await table.close()
        if worked == [threading.get_ident()]:
            raise AssertionError("it was done in the loop's own thread")
        return results

    assert in_loop(scene) == [(True, threading.get_ident())]


def test_error_of_slow_work_ends_the_run() -> None:
    async def scene() -> None:
        table = await started(MemoryHub())

        def work() -> bool:
            raise OSError("the disk is gone")

        table.later(work, lambda _: None)
        try:
            await table.run(Noted(lambda _: False))
        finally:
            await table.close()

    with pytest.raises(OSError, match="the disk is gone"):
        in_loop(scene)


def test_error_of_an_input_ends_the_run() -> None:
    async def scene() -> None:
        table = await started(MemoryHub())

        def wrong(_now: float) -> None:
            raise ValueError("a fault")

        table.submit(wrong)
        try:
            await table.run(Noted(lambda _: False))
        finally:
            await table.close()

    with pytest.raises(ValueError, match="a fault"):
        in_loop(scene)
