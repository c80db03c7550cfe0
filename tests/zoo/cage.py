"""Where an attack begins: two sessions that stand just before the record in which one of them cheats.

It owns the way into such a moment, and what an animal of the zoo is; the attacks themselves stand in the families.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from fairdeck.deck import Deck
from fairdeck.errors import Cheating, Desync, FairdeckError
from fairdeck.game import Seat
from fairdeck.group import Group, Point
from fairdeck.hand import Holder
from fairdeck.log import Tag
from fairdeck.referee import Stage, present
from fairdeck.sign import SigningKey
from fairdeck.wire import Kind, Move, Record, decode_record
from p2pdurak.rules.state import Phase
from tests.fairdeck.cheap import DurakReferee, DurakSession, Pair, SeededRng, sit_down
from tests.fairdeck.games import SEED, played, played_for_real

STRANGER: Final = SigningKey.from_seed(b"a stranger's key" * 2)

SEEDS: Final = ((SEED, "zoo 2"), (SEED,))
"""The games whose moments are looked at, by suite; in the second one the other seat shows the lowest trump."""

Moment = Callable[[DurakReferee, Record], bool]
"""Which place of a game is meant: told from the public state before it and the honest record there."""


@dataclass(frozen=True, slots=True)
class Cage:
    """A cheater, his victim, and the record that an honest player would send now.

    Attributes:
        pair: both sessions; all records before this moment are in both chains.
        seat: the cheater's.
        record: what comes next in the honest game, by whichever seat.
        seed: of that game.
    """

    pair: Pair
    seat: Seat
    record: Record
    seed: str = SEED

    @property
    def cheater(self) -> DurakSession:
        return self.pair.seats[self.seat]

    @property
    def honest(self) -> DurakSession:
        return self.pair.seats[1 - self.seat]

    @property
    def referee(self) -> DurakReferee:
        """The public state, as the honest side holds it."""
        return self.honest.referee

    @property
    def body(self) -> Any:
        return self.record.body

    @property
    def group(self) -> Group:
        return self.referee.group

    @property
    def deck(self) -> Deck:
        return present(self.referee.deck)

    @property
    def x(self) -> int:
        """The cheater's secret."""
        return self.cheater.x

    @property
    def Y(self) -> Point:
        """The cheater's public key."""
        return Point(self.group, self.group.mul_base(self.x))

    @property
    def holder(self) -> Holder:
        """What the cheater can honestly do with his secret, with randomness of his own."""
        return Holder(self.seat, self.x, SeededRng(f"cheater {self.seat}"))


@dataclass(frozen=True, slots=True)
class Animal:
    """One attack: a peer that deviates once.

    Attributes:
        name: what he does, in words; the row of the table and the name of the test.
        moment: when he does it.
        forge: what he sends then, with his own right signature unless that is the attack.
        why: a pattern that the reason given to the victim must match.
        seats: which seats can try it.
        error: what the victim's session raises.
        suite: 1 where the real group matters, otherwise the cheap one.
        tag: a record, or a note.
        turn: whether the moment is one at which the cheater owes the record.
        section: of the SPEC, where the defence is written down; the family's if empty.
    """

    name: str
    moment: Moment
    forge: Callable[[Cage], bytes]
    why: str
    seats: tuple[Seat, ...] = (0, 1)
    error: type[FairdeckError] = Cheating
    suite: int = 0
    tag: Tag = Tag.RECORD
    turn: bool = True
    section: str = ""

    @property
    def is_proven(self) -> bool:
        """Whether what he sent shows to anybody that it was he."""
        return self.error in {Cheating, Desync}


@dataclass(frozen=True, slots=True)
class Family:
    """Attacks on one part of the protocol, and the section that defends it."""

    title: str
    section: str
    animals: tuple[Animal, ...]

    @property
    def members(self) -> tuple[Animal, ...]:
        """The animals, each with its section."""
        return tuple(replace(animal, section=animal.section or self.section) for animal in self.animals)


def caged(animal: Animal, seat: Seat) -> Cage:
    """The first moment of the game that the animal waits for."""
    return stand(animal.moment, seat, suite=animal.suite, turn=animal.turn)


def stand(moment: Moment, seat: Seat, *, suite: int = 0, turn: bool = True) -> Cage:
    """Two sessions with the secrets of a finished game, as they were at the first such moment of it.

    Args:
        moment: which place.
        seat: the cheater's.
        suite: 0 for the cheap group, 1 for the real one.
        turn: whether he must be the one who owes the record there, or the one who does not.
    """
    for seed in SEEDS[suite]:
        game = played_for_real() if suite else played(seed)
        for place, data in enumerate(game.records):
            record = decode_record(data)
            if (record.seat == seat) == turn and moment(game.before[place], record):
                return Cage(standing(game, place, seed, suite), seat, record, seed)
    raise LookupError("no such moment in these games")


def standing(game: Pair, place: int, seed: str = SEED, suite: int = 0) -> Pair:
    """Fresh sessions with the secrets of a game that was played, and with its first records in them."""
    pair = sit_down(seed, suite=suite)
    for session in pair.seats:
        session.records = game.records[:place]
        session.referee = game.before[place] if place < len(game.records) else game.referee
    return pair


# Moments


def kind(*kinds: Kind) -> Moment:
    return lambda _, record: record.kind in kinds


def move(fits: Callable[[Move], bool]) -> Moment:
    return lambda _, record: isinstance(record.body, Move) and fits(record.body)


INTRODUCTION: Final = kind(Kind.START0, Kind.START1)
START0: Final = kind(Kind.START0)
START1: Final = kind(Kind.START1)
SHUFFLE: Final = kind(Kind.SHUFFLE0, Kind.SHUFFLE1)
SHUFFLE0: Final = kind(Kind.SHUFFLE0)
SHUFFLE1: Final = kind(Kind.SHUFFLE1)


def DEALING(referee: DurakReferee, record: Record) -> bool:
    """The first shares of either seat: the guest's come with his shuffle."""
    return record.kind is Kind.SHUFFLE1 or referee.stage is Stage.DEAL


def BEATING(referee: DurakReferee, record: Record) -> bool:
    """A card is laid on an attack, which is the other seat's last record."""
    return LAYING(referee, record) and present(referee.state).phase is Phase.DEFEND


def LATER_SHARES(referee: DurakReferee, record: Record) -> bool:
    """A record that is nothing but shares for cards just drawn."""
    return record.kind is Kind.SHARES and referee.stage is Stage.PLAY


DENIAL: Final = move(lambda body: body.action[0] == 5)
SHOW: Final = move(lambda body: body.action[0] == 4)
DONE: Final = move(lambda body: body.action[0] == 3 and not body.shares)
LAYING: Final = move(lambda body: body.action[0] in {0, 1} and bool(body.proof))
OPENING: Final = move(lambda body: body.action[0] in {0, 1} and bool(body.proof) and not body.remask)
REMASK: Final = move(lambda body: bool(body.remask))
GIVING: Final = move(lambda body: bool(body.shares))
NOT_GIVING: Final = move(lambda body: not body.shares)
MOVE: Final = move(lambda _: True)
