"""Real programs that play each other, get signals in the middle of it, and are started again.

It owns the games with kills and what was measured; which kills, and what must come of them, stands in the tests.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty
from random import Random
from typing import Final

from fairdeck.audit import Audit, Finding, audit
from fairdeck.notes import End
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import State
from p2pdurak.store import read_log
from p2pdurak.table.kept_game import KeptError, kept_beside
from tests.e2e.seats import Seat

ROLES: Final = ("host", "guest")
SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL)
EVENTS_MAX: Final = 30
"""The next signal comes after so many events at most; a game between bots has about a hundred."""

KILLS_IN_A_GAME: Final = 4
BOT: Final = ("--bot", "easy")
STOPPED: Final = 128
"""A program that a signal ends says so in its exit code."""


@dataclass(frozen=True, slots=True)
class Kill:
    """One signal: to whom, how many events he had told, and what came of it.

    Attributes:
        code: the exit code; None if the program went on.
        back_s: until the program that was started again heard its friend; None if there was nothing to come back to.
        said: what stood on standard error.
    """

    number: int
    role: str
    events: int
    code: int | None = None
    back_s: float | None = None
    said: str = ""


@dataclass(slots=True)
class KilledGame:
    """A game with its kills, and both logs at its end; none where it was killed before it began."""

    seed: int
    kills: list[Kill] = field(default_factory=list)
    logs: list[Path] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)

    @property
    def audits(self) -> list[Audit[State, Action]]:
        """Both logs, checked as anyone can check them."""
        return [audit(read_log(path), DURAK) for path in self.logs]


def newest(program: Seat) -> Path | None:
    """The log of the game that a program plays."""
    found = sorted((program.data / "games").glob("*.dlog"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    return found[-1] if found else None


def is_kept(path: Path | None) -> bool:
    """Whether a new process could go on with a game."""
    if path is None:
        return False
    with suppress(KeptError):
        return bool(kept_beside(path))
    return False


class Killing:
    """One game between two bots, with signals on the way."""

    def __init__(self, folder: Path, seed: int, signals: list[signal.Signals], broker: str | None) -> None:
        """Prepare.

        Args:
            folder: of both players.
            seed: of whom it hits, and when.
            signals: to send, in this order.
            broker: its address; None: the host brings it along, and it dies with him.
        """
        self.game = KilledGame(seed)
        self._folder = folder
        self._chance = Random(seed)
        self._signals = signals
        self._place = ("--bind", "127.0.0.1") if broker is None else ("--broker", broker)
        self._running = ExitStack()
        self._seats: dict[str, Seat] = {}
        self._warned: list[Seat] = []

    def play(self) -> KilledGame:
        """Play it to its end."""
        with self._running:
            host = self._start("host", "host", *BOT, *self._place)
            self._start("guest", "join", host.until("code")["code"], *BOT)
            for number in self._signals:
                if not self._send(number):
                    break
            else:
                self._finish()
        return self.game

    def _start(self, role: str, *arguments: str) -> Seat:
        folder = self._folder / role
        folder.mkdir(parents=True, exist_ok=True)
        program = self._seats[role] = Seat(folder, *arguments)
        self._running.callback(program.close)
        return program

    def _send(self, number: signal.Signals) -> bool:
        """Send a signal at its time; False if the game is over, or there is none to go on with."""
        role = self._chance.choice(ROLES)
        if number == signal.SIGINT and self._seats[role] in self._warned:
            role = ROLES[1 - ROLES.index(role)]  # a second Ctrl-C soon after the first leaves the game for good
        program, events = self._seats[role], self._chance.randint(1, EVENTS_MAX)
        for _ in range(events):
            if (event := program.next()) is None or event["event"] == "result":
                self._finish()
                return False
        dealt = any(event["event"] == "dealt" for event in program.events)
        if number == signal.SIGINT and not dealt:
            program.until("dealt")  # before that one Ctrl-C ends the program, like SIGTERM
        if number == signal.SIGINT and program in self._warned:
            return True
        program.process.send_signal(number)
        if number == signal.SIGINT:
            self._warned.append(program)
            self.game.kills.append(Kill(number, role, events))
            return True
        return self._bury(Kill(number, role, events), program)

    def _bury(self, kill: Kill, program: Seat) -> bool:
        code, said = program.end(), program.stderr()
        path = newest(program)
        program.close()
        if not is_kept(path):
            self.game.kills.append(Kill(kill.number, kill.role, kill.events, code, None, said))
            return False
        began = time.monotonic()
        back = self._start(kill.role, "resume", str(path), *BOT)
        back_s = time.monotonic() - began if _is_heard(back, began) else None
        self.game.kills.append(Kill(kill.number, kill.role, kill.events, code, back_s, said))
        return True

    def _finish(self) -> None:
        for role in ROLES:
            try:
                self.game.codes.append(self._seats[role].end())
            except Empty:
                self.game.stuck.append(f"{role}: {self._seats[role].events[-4:]}")
            path = newest(self._seats[role])
            self.game.logs += [] if path is None else [path]


def _is_heard(back: Seat, began: float) -> bool:
    """Wait until a program that came back hears its friend, or sees that the game is over."""
    while (event := back.next()) is not None:
        if event["event"] == "link" and event.get("state") == "up":
            return True
        if event["event"] == "result":
            return False
    return False


def kills_of(count: int) -> list[signal.Signals]:
    """So many signals, equally often each kind, in a fixed order."""
    every = [SIGNALS[place % len(SIGNALS)] for place in range(count)]
    Random(count).shuffle(every)
    return every


def play_with_kills(folder: Path, kills: int, brokers: list[str | None]) -> Iterator[KilledGame]:
    """Game after game until so many signals were sent.

    Args:
        folder: for the players of all games.
        kills: how many.
        brokers: used in turn; None: the host's own.
    """
    waiting, seed = kills_of(kills), 0
    while waiting:
        game = Killing(folder / str(seed), seed, waiting[:KILLS_IN_A_GAME], brokers[seed % len(brokers)]).play()
        for kill in game.kills:
            waiting.remove(signal.Signals(kill.number))
        seed += 1
        yield game


def wrongs(game: KilledGame) -> list[str]:
    """What is not as it must be after a game with kills."""
    found = []
    for kill in game.kills:
        ends = -kill.number if kill.number == signal.SIGKILL else STOPPED + kill.number
        # One Ctrl-C when the game was just over leaves, and the next signal comes too late.
        warned = {
            STOPPED + other.number for other in game.kills if (other.number, other.role) == (signal.SIGINT, kill.role)
        }
        if kill.code not in {None, ends, 0} | warned:
            found.append(f"{kill} ended with {kill.code}")
        if "Traceback" in kill.said:
            found.append(f"{kill} said {kill.said[-500:]}")
    audits, found = game.audits, found + game.stuck
    found += [f"{path.name}: {one.finding.value}" for path, one in zip(game.logs, audits, strict=True) if not _ok(one)]
    if len({one.saved.chain for one in audits}) > 1:
        found.append("the chains differ")
    return found + [str(path) for log in game.logs for path in log.parent.glob("*.evidence.*")]


def _ok(one: Audit[State, Action]) -> bool:
    return one.finding is Finding.OK and one.verdict.end is End.CARDS
