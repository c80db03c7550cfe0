"""What whole games between two cheapest-card players cost: messages, one-way trips, bytes and cryptography.

It owns the seeded games and what is counted in them; it knows no channel: a record is counted once, however often a
line may carry it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha512
from itertools import count, groupby
from statistics import mean
from time import process_time
from typing import Final, TypeVar

from benchmarks.floor import recording, replay, seconds
from fairdeck.audit import audit
from fairdeck.log import MAGIC, Tag, encode_entry
from fairdeck.referee import OPENER_ASK, present
from fairdeck.seating import Proposal, Seating
from fairdeck.session import Session
from fairdeck.sigma import Rng
from fairdeck.sign import SigningKey
from fairdeck.wire import Body, Kind, Move, Record, Shares, Shuffle0, Shuffle1, Start0, Start1, decode_record
from p2pdurak.bots.easy import cheapest
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Action, Attack
from p2pdurak.rules.cards import Card
from p2pdurak.rules.options import CLASSIC, format_options
from p2pdurak.rules.state import State
from p2pdurak.rules.view import View

T = TypeVar("T")
Side = Session[State, Action]


@dataclass(frozen=True, slots=True)
class Costs:
    """One game, and what it cost both players together.

    Attributes:
        records: the whole chain.
        protocol_s: seconds in the sessions: making, checking and following every record, and seeing the own cards.
        floor_s: seconds that the libsodium calls of that take by themselves.
        calls: how many calls those are.
        log_bytes: the size of the saved log, in which both seats have shown their game keys.
        audit_s: seconds that the full audit of that log takes.
        audit_floor_s: seconds that its libsodium calls take by themselves.
        audit_calls: how many calls those are.
    """

    records: tuple[Record, ...]
    protocol_s: float
    floor_s: float
    calls: int
    log_bytes: int
    audit_s: float
    audit_floor_s: float
    audit_calls: int


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table.

    Attributes:
        key: its name for programs.
        label: its name for people.
        design: what the design says, if it says anything.
        of: the figure of one game.
    """

    key: str
    label: str
    design: str
    of: Callable[[Costs], float]


FIGURES: Final = (
    Figure("records", "records", "72", lambda game: len(game.records)),
    Figure("records_to_attack", "  until the first attack", "", lambda game: len(upto(game.records, is_attack))),
    Figure("remasks", "  with a remask", "12-16", lambda game: sum(map(has_remask, game.records))),
    Figure("trips", "one-way trips", "", lambda game: trips(game.records)),
    Figure("trips_to_hands", "  until both see their hand", "", lambda game: trips(upto(game.records, is_shares))),
    Figure("trips_to_attack", "  until the first attack", "7-9", lambda game: trips(upto(game.records, is_attack))),
    Figure("record_bytes", "bytes of the records", "", lambda game: sum(len(record.data) for record in game.records)),
    Figure("card_bytes", "  of cards and proofs", "36-40 K", lambda game: sum(map(card_bytes, game.records))),
    Figure("protocol_ms", "protocol, ms", "300", lambda game: 1000 * game.protocol_s),
    Figure("floor_ms", "  floor, ms", "", lambda game: 1000 * game.floor_s),
    Figure("ratio", "  ratio", "", lambda game: game.protocol_s / game.floor_s),
    Figure("libsodium_calls", "  libsodium calls", "", lambda game: game.calls),
    Figure("log_bytes", "bytes of the log", "", lambda game: game.log_bytes),
    Figure("audit_ms", "audit of the log, ms", "", lambda game: 1000 * game.audit_s),
    Figure("audit_floor_ms", "  floor, ms", "", lambda game: 1000 * game.audit_floor_s),
    Figure("audit_ratio", "  ratio", "", lambda game: game.audit_s / game.audit_floor_s),
    Figure("audit_calls", "  libsodium calls", "", lambda game: game.audit_calls),
)


@dataclass(frozen=True, slots=True)
class GamesReport:
    """The costs of every game, in the order of the seeds 0, 1, 2 ..."""

    games: tuple[Costs, ...]

    def text(self) -> str:
        """A line for each figure: mean, least and most, next to the design's."""
        lines = [
            f"{len(self.games)} games between cheapest-card players; both seats together",
            "",
            f"{'a game':<28}{'mean':>9}{'least':>9}{'most':>9}{'design':>9}",
        ]
        for figure in FIGURES:
            values = [figure.of(game) for game in self.games]
            cells = "".join(f"{_number(value):>9}" for value in (mean(values), min(values), max(values)))
            lines.append(f"{figure.label:<28}{cells}{figure.design:>9}")
        lines += ["", "floor: the same libsodium calls through PyNaCl in a bare loop"]
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """The figures of every game for programs, in the order of the seeds."""
        return {"games": [{figure.key: figure.of(game) for figure in FIGURES} for game in self.games]}


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}".removesuffix(".00")


# What is counted in a chain.


def trips(records: Sequence[Record]) -> int:
    """How often the line is used one way: records that one seat sends in a row wait for no answer between them."""
    return sum(1 for _ in groupby(record.seat for record in records))


def upto(records: Sequence[Record], wanted: Callable[[Record], bool]) -> Sequence[Record]:
    """The records up to the first that is wanted, with it."""
    place = next(place for place, record in enumerate(records) if wanted(record))
    return records[: place + 1]


def is_shares(record: Record) -> bool:
    """Whether it holds nothing but shares; with the first such record both seats can see their hands."""
    return record.kind is Kind.SHARES


def is_attack(record: Record) -> bool:
    """Whether it lays an attack card."""
    return isinstance(record.body, Move) and isinstance(DURAK.decode(record.body.action), Attack)


def has_remask(record: Record) -> bool:
    """Whether it carries a remasked hand."""
    return isinstance(record.body, Move) and bool(record.body.remask)


def card_bytes(record: Record) -> int:
    """The bytes of keys, masked cards, shares and proofs in a record, without its envelope and signature."""
    return sum(map(len, _card_parts(record.body)))


def _card_parts(body: Body) -> tuple[bytes, ...]:
    match body:
        case Start0():
            return (body.commit,)
        case Start1():
            return (body.nonce, body.Y, body.possession)
        case Shuffle0():
            return (body.nonce, body.Y, body.possession, body.deck, body.proof)
        case Shuffle1():
            return (body.deck, body.proof, body.shares)
        case Shares():
            return (body.shares,)
        case Move():
            return (*body.remask, *body.proof, *body.shares)


# The games.


def measure_games(games: int) -> GamesReport:
    """Play `games` games; the seed of each is its number, so that another run plays the same ones."""
    play(0)  # what is computed once in a program's life, such as the card points, is no part of a game
    return GamesReport(tuple(play(seed) for seed in range(games)))


class Meter:
    """Adds up what the steps of a game take, and times the libsodium calls of each step right behind it.

    The recording of the calls is timed with the steps; it is about a hundredth of them.
    """

    def __init__(self) -> None:
        self.spent_s = 0.0
        self.floor_s = 0.0
        self.calls = 0

    def run(self, step: Callable[[], T]) -> T:
        """Take a step and give its result."""
        start = process_time()
        with recording() as calls:
            result = step()
        self.spent_s += process_time() - start
        self.floor_s += seconds(partial(replay, calls))
        self.calls += len(calls)
        return result


def play(seed: int) -> Costs:
    """Play the game of this seed to its end; choosing what to play is not among its costs."""
    meter = Meter()
    sides = meter.run(partial(sit_down, seed))
    while (owed := sides[0].referee.owed) is not None:
        speaker, listener = sides[owed.seat], sides[1 - owed.seat]
        if speaker.our_move:
            action = cheapest(view(speaker, meter.run(partial(seen, speaker))))
            data = meter.run(partial(speaker.act, action))
        else:
            data = meter.run(speaker.step)
        meter.run(partial(listener.receive, data))
    log = saved(sides)
    auditor = Meter()
    auditor.run(partial(audit, log, DURAK))
    return Costs(
        records=tuple(map(decode_record, sides[0].records)),
        protocol_s=meter.spent_s,
        floor_s=meter.floor_s,
        calls=meter.calls,
        log_bytes=len(log),
        audit_s=auditor.spent_s,
        audit_floor_s=auditor.floor_s,
        audit_calls=auditor.calls,
    )


def saved(sides: tuple[Side, Side]) -> bytes:
    """The log of a finished game, with the game keys that both seats show at its end."""
    records = (encode_entry(Tag.RECORD, record) for record in sides[0].records)
    return MAGIC + b"".join((*records, *(encode_entry(Tag.NOTE, side.open_note()) for side in sides)))


def sit_down(seed: int) -> tuple[Side, Side]:
    """A host and a guest whose every secret comes from the seed, the guest having agreed to the options."""
    exporter = bytes(32)
    seatings = [Seating(SigningKey.from_seed(bytes([seat]) * 32), f"player {seat}", exporter) for seat in (0, 1)]
    proposal = Proposal(format_options(CLASSIC).encode(), OPENER_ASK, "2026-11-30")
    host = Session(DURAK, 0, seatings[0], seeded(f"{seed} host"), proposal)
    guest = Session(DURAK, 1, seatings[1], seeded(f"{seed} guest"))
    guest.accept()
    return host, guest


def seeded(name: str) -> Rng:
    """A generator of bytes that gives the same ones for the same name; for measuring only."""
    numbers: Iterator[int] = count()

    def draw(size: int) -> bytes:
        return sha512(f"{name} {next(numbers)}".encode()).digest()[:size]

    return draw


def seen(side: Side) -> tuple[int, ...]:
    """The hidden cards that the player of this side can see."""
    return side.hidden_cards


def view(side: Side, hidden: tuple[int, ...]) -> View:
    """What the player of this side may know."""
    state = present(side.state)
    return View(side.seat, state, tuple(sorted((*state.hands[side.seat].known, *map(Card, hidden)))))
