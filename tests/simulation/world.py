"""Two seats, a hostile line and a virtual clock: one run of one game from one number.

It owns what happens when, and when a run is over; everything hangs on its seed alone.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any, Final

from fairdeck.audit import Finding, audit
from fairdeck.log import Tag
from fairdeck.notes import End
from fairdeck.sealing import HELLO
from fairdeck.wire import decode_note
from tests.simulation.disk import Disk
from tests.simulation.line import CALM, STRANGER, Faults, Line, storm
from tests.simulation.process import Around, Killed, Play, Process
from tests.simulation.watch import TAG_BYTES, Invariant, Violation, Watch, watched

CUT_S: Final = (0.3, 2.0, 8.0)
DEAD_S: Final = (0.0, 0.5, 0.5, 5.0)
"""How long a partition lasts, and how long a process stays dead: one of these, times chance."""

STORM_EVENTS_MAX: Final = 1000
STORM_S: Final = 30.0
"""How long faults go on before they stop, in a run that has to finish: any time up to this."""

CALM_STEP_S: Final = 20.0
"""In calm weather the game goes on at least so often: the longest repeat is 4 s, and three may be needed."""

CALM_EVENTS_MAX: Final = 20_000
AFTER_EVENTS: Final = 40
"""So long a run goes on when the game is over: what is replayed then must change nothing."""

Happening = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run that broke nothing was like.

    Attributes:
        seed: its number.
        finished: whether the game was over on both sides, with everything acknowledged.
        end: how, as the host tells it.
        events: packets that arrived and ticks.
        records: in the longer chain.
        deaths: processes that died.
        epochs: how many the last processes opened.
        seconds: on the virtual clock.
        gap_s: the longest time without progress once the faults had stopped.
        faults: how often each struck.
    """

    seed: int
    finished: bool
    end: End
    events: int
    records: int
    deaths: int
    epochs: int
    seconds: float
    gap_s: float
    faults: dict[str, int]


class World:
    """One run. `process` makes the lives of the seats: another class than `Process` shows what a fault would do."""

    def __init__(
        self,
        seed: int,
        play: Play[Any, Any],
        *,
        faults: Faults | None = None,
        story: list[str] | None = None,
        process: type[Process[Any, Any]] = Process,
    ) -> None:
        self.seed, self.play, self.story, self.make = seed, play, story, process
        self.chance = Random(f"world {seed}")
        self.line = Line(self.chance, storm(self.chance) if faults is None else faults)
        self.disks = (Disk(), Disk())
        self.watch = Watch(self.disks)
        self.now = 0.0
        self.lives = [0, 0]
        self.deaths = self.events = 0
        self.alive: list[Process[Any, Any] | None] = [None, None]
        self.gap_s = self._progress_s = 0.0
        self._progress: object = None
        self._happenings: list[tuple[float, int, Happening]] = []
        self._count = 0
        self._dying = True
        self._tell(f"{self.line.faults}")
        for seat in (0, 1):
            self._at(self.chance.uniform(0, 1), self._starter(seat))
        self._now_and_then(self.line.faults.cut_s, self._cut)
        self._now_and_then(self.line.faults.kill_s, lambda: self._kill(self.chance.randrange(2), "from outside"))
        self._now_and_then(self.line.faults.again_s, self._again)

    # The two kinds of run.

    def run_safety(self) -> Outcome:
        """Let faults go on to the end of the game or of our patience: nothing may ever break."""
        with watched(self.watch):
            self._run(lambda: self.finished, STORM_EVENTS_MAX)
            finished = self.finished
            if finished:
                self._check_end()
                self._run(lambda: False, AFTER_EVENTS)
        return self._outcome(finished=finished)

    def run_liveness(self) -> Outcome:
        """Let faults go on for a while, then stop them but for a stranger's noise: the game must finish."""
        until_s = self.chance.uniform(0, STORM_S)
        with watched(self.watch):
            self._run(lambda: self.finished or self.now >= until_s, STORM_EVENTS_MAX)
            self._calm_down()
            self._run(lambda: self.finished, CALM_EVENTS_MAX, calm=True)
            if not self.finished:
                raise Violation(Invariant.ENDS, f"the game is not over after {CALM_EVENTS_MAX} events in calm weather")
            self._check_end()
        return self._outcome(finished=True)

    def _run(self, until: Callable[[], bool], events: int, *, calm: bool = False) -> None:
        for _ in range(events):
            if until():
                return
            self.step()
            if calm:
                self._check_progress()

    def _calm_down(self) -> None:
        self._dying = False
        self.line.faults, self.line.cut = self.chance.choice((CALM, CALM, STRANGER)), frozenset()
        self._tell(f"the faults stop, {self.line.faults}")
        self._progress_s = self.now

    def _check_progress(self) -> None:
        progress = (
            [len(disk.entries) for disk in self.disks],
            [process is not None and process.finished for process in self.alive],
        )
        if progress != self._progress:
            self.gap_s = max(self.gap_s, self.now - self._progress_s)
            self._progress, self._progress_s = progress, self.now
        elif self.now - self._progress_s > CALM_STEP_S:
            raise Violation(Invariant.ENDS, f"nothing has moved for {CALM_STEP_S:.0f} s in calm weather")

    # One event.

    def step(self) -> None:
        """Go on to whatever is due next, and see that it breaks nothing."""
        self.events += 1
        due = [(process.due, process.seat) for process in self.alive if process is not None]
        ticks_s, seat = min(due, default=(inf, 0))
        if self._happenings and self._happenings[0][0] <= ticks_s:
            self.now, _, happening = heapq.heappop(self._happenings)
            happening()
        else:
            self.now = ticks_s
            self._live(seat, lambda process: process.tick(self.now))

    def _live(self, seat: int, does: Callable[[Process[Any, Any]], None]) -> None:
        """Let a process do something, if there is one; it may die of it."""
        process = self.alive[seat]
        if process is None:
            return
        self.watch.running = seat
        try:
            does(process)
        except Killed as death:
            self._kill(seat, str(death))

    def _deliver(self, seat: int, packet: bytes, label: str) -> None:
        self._tell(f"-> seat {seat} {'hears' if self.alive[seat] else 'is dead and misses'} {label}")
        self._live(seat, lambda process: process.receive(packet, self.now))

    # What befalls them.

    def _starter(self, seat: int) -> Happening:
        return lambda: self._start(seat)

    def _start(self, seat: int) -> None:
        disk, life = self.disks[seat], self.lives[seat]
        self.lives[seat] += 1
        lost = self._older(seat) if self._dying and self.chance.random() < self.line.faults.older else 0
        disk.lose(lost)
        self.watch.forget(max(len(each.records) for each in self.disks))
        older = f", with a copy older by {lost} entries" if lost else ""
        self._tell(f"seat {seat} starts with {len(disk.records)} records{older} (life {life})")
        self.watch.running = seat
        around = Around(self.watch, lambda packet: self._send(seat, packet), self._tell, self._may_die)
        try:
            self.alive[seat] = self.make(self.play, seat, life, f"seed {self.seed}", disk, around, self.now)
        except Killed as death:
            self._kill(seat, str(death))

    def _older(self, seat: int) -> int:
        """How many of its newest entries a seat loses: mostly what the other has; never a note of its own.

        Of its own notes a seat is not told, so it would play on after a resign.
        """
        theirs = self.disks[1 - seat]
        forgets = self.chance.random() < self.line.faults.forget
        place, most = len(self.disks[seat].records), 0
        for tag, payload in reversed(self.disks[seat].entries):
            if tag is Tag.NOTE and (payload not in theirs.notes or decode_note(payload).seat == seat):
                break
            if tag is Tag.RECORD and place > len(theirs.records) and not forgets:
                break
            place, most = place - (tag is Tag.RECORD), most + 1
        return self.chance.randint(0, most)

    def _may_die(self, where: str) -> None:
        if self._dying and self.line.faults.die > 0 and self.chance.random() < self.line.faults.die:
            raise Killed(where)

    def _kill(self, seat: int, where: str) -> None:
        starting = self.alive[seat] is None and where == "from outside"
        if not starting:
            self._tell(f"seat {seat} dies {where}")
            self.alive[seat] = None
            self.deaths += 1
            self._at(self.chance.random() * self.chance.choice(DEAD_S), self._starter(seat))

    def _cut(self) -> None:
        cut = self.chance.choice(((0,), (1,), (0, 1)))
        self.line.cut = frozenset(cut)
        self._tell(f"nothing comes through to {cut}")
        self._at(self.chance.random() * self.chance.choice(CUT_S), self._heal)

    def _heal(self) -> None:
        self.line.cut = frozenset()

    def _again(self) -> None:
        seat = self.chance.randrange(2)
        self._tell(f"the transport of seat {seat} is connected again")
        self._live(seat, lambda process: process.up(self.now))

    def _now_and_then(self, every_s: float, happening: Happening) -> None:
        """Let something happen again and again while faults go on."""
        if every_s <= 0:
            return

        def happens() -> None:
            if self._dying:
                happening()
                self._now_and_then(every_s, happening)

        self._at(self.chance.expovariate(1 / every_s), happens)

    def _at(self, in_s: float, happening: Happening) -> None:
        self._count += 1
        heapq.heappush(self._happenings, (self.now + in_s, self._count, happening))

    def _send(self, seat: int, packet: bytes) -> None:
        label = "hello" if packet[0] == HELLO else self.watch.labels[packet[-TAG_BYTES:]]
        copies = self.line.carry(1 - seat, packet)
        self._tell(f"seat {seat} sends {label}{'' if copies else ': lost'}")
        for in_s, receiver, data, what in copies:
            self._at(in_s, self._arrival(receiver, data, f"{what} {label}".strip()))

    def _arrival(self, seat: int, packet: bytes, label: str) -> Happening:
        return lambda: self._deliver(seat, packet, label)

    def _tell(self, text: str) -> None:
        if self.story is not None:
            self.story.append(f"{self.now:9.3f} s  {text}")

    # How it ends.

    @property
    def finished(self) -> bool:
        """Whether the game is over on both sides, which hold the same records and notes and have acknowledged all."""
        host, guest = self.alive
        if host is None or guest is None or not (host.finished and guest.finished):
            return False
        return self.disks[0].records == self.disks[1].records and set(self.disks[0].notes) == set(self.disks[1].notes)

    def _check_end(self) -> None:
        processes = [process for process in self.alive if process is not None]
        for process in processes:
            if self.lives == [1, 1] and not self.watch.all_posts_came(1 - process.seat, process.posts_sent):
                raise Violation(Invariant.ONCE, f"posts of seat {process.seat} have not come")
        host, guest = (process.verdict for process in processes)
        # If both leave, each tells of whom he saw leave first.
        if host.end is not guest.end or (host.end is not End.LEFT and host != guest):
            raise Violation(Invariant.VERDICT, f"the seats tell different ends: {host} and {guest}")
        self._check_log(processes[self.seed % 2])

    def _check_log(self, process: Process[Any, Any]) -> None:
        """Verify the log of one seat: both hold the same entries."""
        found = audit(self.disks[process.seat].log, self.play.game, self.play.suites)
        wanted = Finding.OK if process.verdict.final else Finding.INCOMPLETE
        if found.finding is not wanted or found.verdict != process.verdict:
            text = f"the log of seat {process.seat} is {found.finding}: {found.checks[-1].text}"
            raise Violation(Invariant.VERDICT, text)

    def _outcome(self, *, finished: bool) -> Outcome:
        sessions = [process.session for process in self.alive if process is not None]
        end = sessions[0].verdict.end if sessions else End.RUNNING
        epochs = sum(process.channel._epochs.opened for process in self.alive if process is not None)
        faults, records = self.line.counts, len(self.watch.chain)
        return Outcome(
            self.seed, finished, end, self.events, records, self.deaths, epochs, self.now, self.gap_s, faults
        )
