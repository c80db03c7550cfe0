"""A short game that still has every kind of record: both lay and draw until their hands are empty, or pass.

It owns its rules only; it is no durak, and a thousand games of it take as long as forty of durak.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from fairdeck.game import Absent, Demand, Draw, IllegalAction, Layout, Open, Outcome, Seat
from fairdeck.session import Session
from fairdeck.transcript import hash32
from tests.fairdeck.bare_contract import BareContract

PASS: Final = 100
"""To lay nothing and prove nothing; each seat may once."""

DENY: Final = 200
"""To lay nothing, and to prove that one does not hold card `action - DENY`; each seat may once."""

SKIPS_MAX: Final = 1


@dataclass(frozen=True, slots=True)
class Laid:
    """The public state.

    Attributes:
        cards: all cards laid, in order.
        held: how many hidden cards each seat has.
        stock: how many cards can still be drawn.
        skips: how often each seat has laid nothing.
        turn: who acts next.
    """

    cards: tuple[int, ...] = ()
    held: tuple[int, int] = (2, 2)
    stock: int = 3
    skips: tuple[int, int] = (0, 0)
    turn: Seat = 0


class ShortGame(BareContract):
    """Who lays his last card first has won. Whoever lays a card draws one while there is any."""

    layout: Final = Layout(hands=((0, 2), (1, 3)), upcards=(4,), stock=(5, 6, 7))

    def start(self, options: bytes, upcards: tuple[int, ...], opener: Seat | None) -> Laid:
        return Laid(turn=opener or 0)

    def to_act(self, state: Laid) -> Seat | None:
        return None if 0 in state.held else state.turn

    def demand(self, state: Laid, action: int) -> Demand | None:
        if action == PASS:
            return None
        return Absent((action - DENY,)) if action >= DENY else Open(action)

    def apply(self, state: Laid, action: int) -> tuple[Laid, tuple[Draw, ...]]:
        if action >= PASS:
            if state.skips[state.turn] >= SKIPS_MAX:
                raise IllegalAction("A seat may pass once only.")
            skips = added(state.skips, state.turn, 1)
            return Laid(state.cards, state.held, state.stock, skips, 1 - state.turn), ()
        drawn = min(state.stock, 1)
        held = added(state.held, state.turn, drawn - 1)
        laid = Laid((*state.cards, action), held, state.stock - drawn, state.skips, 1 - state.turn)
        return laid, (Draw(state.turn, 1),) if drawn else ()

    def digest(self, state: Laid) -> bytes:
        return hash32("short", bytes(state.cards), bytes(state.held), bytes(state.skips), bytes([state.turn]))

    def outcome(self, state: Laid) -> Outcome | None:
        return Outcome(state.held.index(0), 1 - state.held.index(0)) if 0 in state.held else None


def added(pair: tuple[int, int], seat: Seat, change: int) -> tuple[int, int]:
    """The pair with one of its numbers changed."""
    return (pair[0] + change, pair[1]) if seat == 0 else (pair[0], pair[1] + change)


def choose(session: Session[Laid, int], chance: Random) -> int:
    """Any legal action of the seat whose turn it is, by chance."""
    state, held = session.state, session.hidden_cards
    if state is None:
        raise AssertionError("there is no turn before the deal")
    absent = next(card for card in range(ShortGame.layout.cards) if card not in held)
    skips = [PASS, DENY + absent] if state.skips[session.seat] < SKIPS_MAX else []
    return chance.choice([*held, *held, *skips])
