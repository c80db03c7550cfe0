"""Two duels that play each other over a list of packets and a clock that only the test moves.

It owns the line, the clock and what each side was told; what must come of them stands in the tests.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from math import inf
from pathlib import Path
from random import Random
from typing import Final, TypeVar

from fairdeck import log
from fairdeck.audit import Audit, audit
from fairdeck.group import Group
from fairdeck.packets import Acks, Payload, encode_message
from fairdeck.packets import Record as RecordMessage
from p2pdurak.bots import LEVELS
from p2pdurak.durak import DURAK
from p2pdurak.events import Command, Event, Play, Result, Trouble
from p2pdurak.rules.actions import Action
from p2pdurak.rules.options import CLASSIC, Options
from p2pdurak.rules.state import Phase as GamePhase
from p2pdurak.rules.state import State
from p2pdurak.rules.view import View
from p2pdurak.store import Store, read_log
from p2pdurak.table.chair import Ask, Habits
from p2pdurak.table.clock import AutoDone
from p2pdurak.table.duel import Duel
from p2pdurak.table.kept_game import Comeback, WayBack, comeback
from p2pdurak.table.one_game import OneGame
from p2pdurak.table.players import Player, World
from p2pdurak.table.sitting import Phase
from tests.fairdeck.cheap import CHEAP_SUITES, IDENTITIES, DurakReferee, Policy, SeededRng, lowest

T = TypeVar("T")

SECRET: Final = b"what both sides know, 32 bytes.."
START_S: Final = 1000.0
TODAY: Final = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
NAMES: Final = ("Mira", "Oleg")
WAY_BACK: Final = WayBack(identity=1, brokers=("mqtt://127.0.0.1:1883",))
STEP_S: Final = 0.001
"""A deadline that is due at once still lets time pass."""

OVERDUE_MAX: Final = 20
"""So many ticks at most may not be enough to do what is due."""


@dataclass(slots=True)
class Side:
    """One player: his match, what he was told, and his folder. `aside` are checks that wait for a thread."""

    duel: Duel
    events: list[Event]
    store: Store
    aside: deque[Callable[[], None]] = field(default_factory=deque)

    def told(self, kind: type[T]) -> list[T]:
        """Everything of one kind that he was told, oldest first."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def result(self) -> Result:
        """The last result."""
        return self.told(Result)[-1]

    @property
    def trouble(self) -> Trouble:
        """The last trouble."""
        return self.told(Trouble)[-1]

    @property
    def game(self) -> OneGame:
        """His side of the game."""
        if self.duel.game is None:
            raise AssertionError("no game has begun")
        return self.duel.game

    @property
    def referee(self) -> DurakReferee:
        """The public state as he holds it."""
        return self.game.session.referee

    @property
    def view(self) -> View:
        """The game as he sees it."""
        if self.duel.view is None:
            raise AssertionError("no game is dealt")
        return self.duel.view

    @property
    def state(self) -> State:
        """The state of the rules."""
        return self.view.state

    def logs(self) -> list[Path]:
        """His logs, by the number of the game."""
        return sorted(self.store.logs())

    def saved(self, game: int = 1) -> log.Saved:
        """What can be read of the log of a game."""
        return log.read(read_log(self.logs()[game - 1]))


class Pair:
    """Host and guest at one table.

    Attributes:
        now: the time, in seconds.
        line: packets on their way: the receiver's seat, and the bytes.
        silent: seats whose packets are lost.
        held: what the seats in `holding` have sent meanwhile.
        dead: seats whose program does not run.
        sent: every packet that left, by its sender.
    """

    def __init__(
        self,
        folder: Path,
        *,
        options: Options = CLASSIC,
        bots: bool = False,
        games: tuple[int, int] | None = None,
        pins: tuple[tuple[str, str], ...] = (),
        ask: bool = False,
        confirm: bool = False,
        auto_done: AutoDone = AutoDone.ASK,
        names: tuple[str, str] = NAMES,
        wait_aside: bool = False,
        suites: Mapping[int, Group] = CHEAP_SUITES,
        seed: str = "a match",
        asks: Ask | None = None,
        way_back: WayBack | None = WAY_BACK,
    ) -> None:
        self.asks = asks
        self._boots = count(1)
        self.now = START_S
        self.line: deque[tuple[int, bytes]] = deque()
        self.silent: set[int] = set()
        self.dead: set[int] = set()
        self.holding: set[int] = set()
        self.held: list[tuple[int, bytes]] = []
        self.sent: list[tuple[int, bytes]] = []
        self._spoiler: Random | None = None
        self._overdue = 0
        self.suites = suites
        habits = Habits(auto_done, LEVELS["easy"] if bots else None)
        rounds = games or ((1, 1) if bots else (0, 0))
        self.sides = [
            self._sit(
                Player(
                    seat=seat,
                    key=IDENTITIES[seat],
                    name=names[seat],
                    stem="k7q2m",
                    options=options if seat == 0 else None,
                    pins=pins if seat == 1 else (),
                    ask=ask,
                    confirm=confirm and seat == 0,
                    games=rounds[seat],
                    habits=habits,
                    way_back=way_back,
                ),
                folder / NAMES[seat],
                f"{seed}/{seat}",
                wait_aside=wait_aside,
            )
            for seat in (0, 1)
        ]

    def _sit(
        self, player: Player, folder: Path, seed: str, *, wait_aside: bool = False, back: Comeback | None = None
    ) -> Side:
        events: list[Event] = []
        aside: deque[Callable[[], None]] = deque()

        def later(work: Callable[[], bool], then: Callable[[bool], None]) -> None:
            aside.append(lambda: then(work()))
            if not wait_aside:
                aside.pop()()

        world = World(
            store=Store(folder),
            show=events.append,
            rng=SeededRng(seed),
            random=Random(seed),
            today=lambda: TODAY,
            later=later,
            ask=self.asks,
            suites=self.suites,
            suite=min(self.suites),
        )
        return Side(Duel(player, SECRET, world, back), events, world.store, aside)

    # Programs that die, and come back.

    def crash(self, *seats: int) -> Pair:
        """Kill the programs of these seats: what they have not sent yet is lost, and what is on their disk stays."""
        for seat in seats:
            log = self.sides[seat].game.log
            if log is not None:
                log.close()
            self.dead.add(seat)
        self.line = deque(packet for packet in self.line if packet[0] not in seats)
        return self

    def come_back(self, *seats: int, connect: bool = True) -> Pair:
        """Start programs anew on what is on the disk."""
        for seat in seats:
            old = self.sides[seat]
            back = comeback(old.logs()[-1])
            player = replace(old.duel.player, games=back.kept.games, confirm=back.kept.confirm)
            self.dead.discard(seat)
            self.sides[seat] = self._sit(player, old.store.folder, f"boot {next(self._boots)}", back=back)
            if connect:
                self.sides[seat].duel.up(self.now)
        return self.pump() if connect else self

    def grow_old(self, seat: int, records: int) -> Pair:
        """Put an older copy in place of a dead program's log: so many records, and no note."""
        path = self.sides[seat].logs()[-1]
        chain = log.read(read_log(path)).records[:records]
        path.write_bytes(log.MAGIC + b"".join(log.encode_entry(log.Tag.RECORD, record) for record in chain))
        return self

    @property
    def host(self) -> Side:
        return self.sides[0]

    @property
    def guest(self) -> Side:
        return self.sides[1]

    # Packets and time.

    def connect(self) -> Pair:
        """Bring both to the line and let them talk."""
        for side in self.sides:
            side.duel.up(self.now)
        return self.pump()

    def pump(self) -> Pair:
        """Carry packets until both are silent, without letting time pass."""
        self._collect()
        while self.line:
            seat, packet = self.line.popleft()
            duel = self.sides[seat].duel
            if not duel.closed and seat not in self.dead:
                duel.receive(packet, self.now)
                duel.tick(self.now)
            self._collect()
        return self

    def carry(self, packets: int) -> Pair:
        """Carry so many packets, and leave the others on the line."""
        self._collect()
        for _ in range(packets):
            if self.line:
                seat, packet = self.line.popleft()
                self.sides[seat].duel.receive(packet, self.now)
                self.sides[seat].duel.tick(self.now)
                self._collect()
        return self

    def _collect(self) -> None:
        for seat, side in enumerate(self.sides):
            if seat in self.dead:
                continue
            for _topic, packet in side.duel.packets():
                self.sent.append((seat, packet))
                if seat in self.holding:
                    self.held.append((1 - seat, packet))
                elif seat not in self.silent:
                    self._send(1 - seat, packet)

    def _send(self, seat: int, packet: bytes) -> None:
        chance = self._spoiler
        if chance is None:
            self.line.append((seat, packet))
            return
        for _ in range(chance.choice((0, 1, 1, 1, 1, 2))):
            self.line.insert(chance.randint(0, len(self.line)), (seat, packet))

    def spoil(self, seed: int) -> None:
        """From now on packets are lost, doubled and out of order."""
        self._spoiler = Random(seed)

    def release(self) -> Pair:
        """Let through what was held, in the order in which it was sent."""
        self.holding.clear()
        self.line.extend(self.held)
        self.held.clear()
        return self.pump()

    def wait(self, seconds: float) -> Pair:
        """Let time pass, from one deadline to the next."""
        end = self.now + seconds
        while self._step(end):
            pass
        return self

    def run(self, until: Callable[[], bool], limit_s: float = 600.0) -> Pair:
        """Let time pass until something is true."""
        end = self.now + limit_s
        self.pump()
        while not until():
            if not self._step(end):
                raise AssertionError("it did not happen in time")
        return self

    def _step(self, end: float) -> bool:
        self.pump()
        running = [side.duel for seat, side in enumerate(self.sides) if not side.duel.closed and seat not in self.dead]
        due = min((time for duel in running if (time := duel.next_deadline()) is not None), default=inf)
        more = due <= end and self.now < end
        self._overdue = self._overdue + 1 if due < self.now else 0
        if self._overdue > OVERDUE_MAX:
            raise AssertionError("a deadline stays in the past: the driver would never sleep")
        self.now = min(max(self.now + STEP_S, due), end) if more else end
        for duel in running:
            duel.tick(self.now)
        self.pump()
        return more

    def finish(self) -> Pair:
        """Go on until both have closed."""
        return self.run(lambda: all(side.duel.closed for side in self.sides))

    # What players do.

    def do(self, seat: int, command: Command) -> Pair:
        """A player types; what it sends arrives."""
        self.sides[seat].duel.command(command, self.now)
        return self.pump()

    def deal(self) -> Pair:
        """Go on until cards are played."""
        return self.connect().run(lambda: self._in_play)

    @property
    def _in_play(self) -> bool:
        views = [side.duel.view for side in self.sides]
        return all(view is not None and view.state.phase is not GamePhase.QUESTION for view in views)

    @property
    def mover(self) -> int:
        """Whose move it is."""
        for seat, side in enumerate(self.sides):
            if side.duel.phase is Phase.PLAYING and side.game.session.our_move:
                return seat
        raise AssertionError("nobody is to move")

    @property
    def mover_view(self) -> View:
        """The game as whoever has the turn sees it."""
        return self.sides[self.mover].view

    def move(self, action: Action | None = None, policy: Policy = lowest) -> Pair:
        """One move of whoever has the turn."""
        seat = self.mover
        return self.do(seat, Play(policy(self.mover_view) if action is None else action))

    def play(self, until: Callable[[], bool] = lambda: False, policy: Policy = lowest) -> Pair:
        """Move after move, until something is true or the game is over."""
        while not until() and not self.host.game.ended:
            self.move(policy=policy)
        return self

    # What a cheater does, whose words are authentic.

    def speak(self, seat: int, payload: Payload) -> Pair:
        """Send a message that the channel of `seat` has sealed, whatever it says."""
        channel = self.sides[seat].duel.channel
        records, posts = channel._records, channel._posts
        acks = Acks(records.game, len(records.chain), posts.their_boot, posts.their_next)
        return self.seal(seat, encode_message(acks, payload))

    def seal(self, seat: int, message: bytes) -> Pair:
        """Send any bytes under the right key."""
        epoch = self.sides[seat].duel.channel._epochs.current
        if epoch is None:
            raise AssertionError("the line is not open")
        self.line.append((1 - seat, epoch.seal(message)))
        return self.pump()

    def send_record(self, seat: int, record: bytes, place: int | None = None) -> Pair:
        """Send bytes as the next record of the game, or as that of a place."""
        records = self.sides[seat].duel.channel._records
        return self.speak(seat, RecordMessage(records.game, len(records.chain) if place is None else place, record))

    # What can be said about the files.

    def audit(self, path: Path | str) -> Audit[State, Action]:
        """The audit of a saved log."""
        return audit(read_log(Path(path)), DURAK, self.suites)
