"""Who sits down to a match, what he needs from outside, and how it can end for his program.

It owns three values that the command line makes and the duel uses; it decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from random import Random

from fairdeck.group import SUITES, Group
from fairdeck.sign import SigningKey
from p2pdurak.events import Event
from p2pdurak.rules.options import Options
from p2pdurak.rules.state import Seat
from p2pdurak.safe_text import SafeText
from p2pdurak.store import Store
from p2pdurak.table.chair import Ask, Habits
from p2pdurak.table.kept_game import WayBack


class Exit(Enum):
    """Exit codes of the program that a match can end with."""

    FINISHED = 0
    REFUSED = 2
    NOT_FINISHED = 4
    CHEATED = 5


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits down, and how.

    Attributes:
        seat: 0 hosts, 1 joins.
        key: the identity.
        name: as he calls himself.
        stem: the beginning of the names of his logs.
        options: the host's proposal; the guest's is None.
        pins: option values that a guest insists on.
        ask: whether a guest is asked before he accepts what he has not pinned.
        confirm: whether a host is asked before he lets the guest in.
        games: leave after so many games; 0: stay for rematches until told to leave.
        habits: a bot in the chair, and what a forced `done` does.
        way_back: how a new process finds back to his table; None: it does not.
        friends_broker: the address of the broker, where it came with the code and so may be on the host's computer.
    """

    seat: Seat
    key: SigningKey
    name: SafeText
    stem: str
    options: Options | None = None
    pins: tuple[tuple[str, str], ...] = ()
    ask: bool = True
    confirm: bool = False
    games: int = 0
    habits: Habits = field(default_factory=Habits)
    friends_broker: str | None = None
    way_back: WayBack | None = None


@dataclass(frozen=True, slots=True)
class World:
    """What a match needs from outside, each replaceable by a test.

    Attributes:
        store: where logs go.
        show: takes every event.
        rng: gives fresh random bytes.
        random: decides what need not be secret.
        today: the date for logs.
        later: runs a slow function aside and hands its result to a second one.
        ask: asks the bot that sits here for its move; None: at once.
        suites: the groups that this program knows, by suite id.
        suite: the one that a host proposes.
    """

    store: Store
    show: Callable[[Event], None]
    rng: Callable[[int], bytes]
    random: Random
    today: Callable[[], datetime]
    later: Callable[[Callable[[], bool], Callable[[bool], None]], None]
    ask: Ask | None = None
    suites: Mapping[int, Group] = field(default_factory=lambda: SUITES)
    suite: int = 1
