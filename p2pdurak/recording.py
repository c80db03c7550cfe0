"""A saved game as a value that can be shown step by step.

It owns what a replay or an export needs; it knows no file, no record and no proof.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2pdurak.rules.actions import Action
from p2pdurak.rules.bouts import BoutEnd
from p2pdurak.rules.cards import Card
from p2pdurak.rules.options import Options
from p2pdurak.rules.records import GameRecord, Move, from_moves
from p2pdurak.rules.state import Outcome, Seat, State
from p2pdurak.safe_text import SafeText

Hands = tuple[tuple[Card, ...] | None, tuple[Card, ...] | None]
"""All cards of each seat; None for a hand whose hidden cards cannot be seen."""


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """One move and what it did.

    Attributes:
        n: the number of its record in the chain.
        seat: who made it.
        action: what he did.
        auto: whether the clock played it.
        think_ms: how long he thought, in his own words.
        after: the state that followed.
        bout_end: the end of a bout, if the move brought it.
        hands: both hands after the move, as far as they can be seen.
    """

    n: int
    seat: Seat
    action: Action
    auto: bool
    think_ms: int
    after: State
    bout_end: BoutEnd | None
    hands: Hands


@dataclass(frozen=True, slots=True)
class Recording:
    """A game from the deal to its end, or as far as it came.

    Attributes:
        names: by seat, safe to show.
        keys: identity keys by seat, in hex.
        date: when it began, in the host's words, safe to show.
        number: the game's place in its match.
        sid: the session, in hex.
        head: the hash of the last record, in hex.
        options: what was agreed.
        start: the state after the deal.
        dealt: both hands after the deal, as far as they can be seen.
        stock: the face-down talon in draw order, None for a card that cannot be seen.
        moves: in order.
        result: winner and durak, None without a result.
        end: `cards`, `resign`, `claimed`, `left`, `desync`, `void` (a claim that came too late to count) or `running`.
        finding: the verdict of the audit in one word.
        seat: whose side it is seen from.
    """

    names: tuple[SafeText, SafeText]
    keys: tuple[str, str]
    date: str
    number: int
    sid: str
    head: str
    options: Options
    start: State
    dealt: Hands
    stock: tuple[Card | None, ...]
    moves: tuple[RecordedMove, ...]
    result: Outcome | None
    end: str
    finding: str
    seat: Seat

    def after(self, moves: int) -> tuple[State, Hands]:
        """The state and both hands after so many moves."""
        if moves == 0:
            return self.start, self.dealt
        last = self.moves[moves - 1]
        return last.after, last.hands

    def record(self) -> GameRecord:
        """The game in the form that notation writes."""
        tags = (
            ("Seat0", self.names[0]),
            ("Seat1", self.names[1]),
            ("Date", self.date),
            ("Game", str(self.number)),
            ("Session", self.sid),
            ("Head", self.head),
            ("End", self.end),
            ("Verdict", self.finding),
        )
        moves: list[Move] = [(move.seat, move.action, move.auto) for move in self.moves]
        hands = (self.dealt[0] or (), self.dealt[1] or ())
        return from_moves(tags, self.start, moves, hands=hands, stock=self.stock, result=self.result)
