"""The smallest game that fairdeck can carry: lay your card, or end the game with a draw for each seat.

It owns the edges of the contract that no game of durak reaches reliably; it is no durak.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fairdeck.game import Demand, Draw, Layout, Open, Outcome, Seat
from fairdeck.seating import Proposal
from fairdeck.session import Session
from fairdeck.transcript import hash32
from tests.fairdeck.bare_contract import BareContract
from tests.fairdeck.cheap import CHEAP_SUITES, SeededRng, seating

END: Final = 200
"""Both draw one card, and nobody acts any more."""

GREED: Final = 201
"""The rules give more cards than the stock holds: a faulty game."""


@dataclass(frozen=True, slots=True)
class Tiny:
    """Cards laid so far, and whether it is over."""

    laid: tuple[int, ...] = ()
    over: bool = False


class TinyGame(BareContract):
    """A game whose action is one number: a card to lay, or an end."""

    layout: Final = Layout(hands=((0,), (1,)), upcards=(2,), stock=(3, 4, 5))

    def start(self, options: bytes, upcards: tuple[int, ...], opener: Seat | None) -> Tiny:
        return Tiny()

    def to_act(self, state: Tiny) -> Seat | None:
        return None if state.over else len(state.laid) % 2

    def demand(self, state: Tiny, action: int) -> Demand | None:
        return Open(action) if action < END else None

    def apply(self, state: Tiny, action: int) -> tuple[Tiny, tuple[Draw, ...]]:
        if action == END:
            return Tiny(state.laid, over=True), (Draw(0, 1), Draw(1, 1))
        if action == GREED:
            return state, (Draw(0, 4),)
        return Tiny((*state.laid, action)), ()

    def digest(self, state: Tiny) -> bytes:
        return hash32("tiny", bytes(state.laid), bytes([state.over]))

    def outcome(self, state: Tiny) -> Outcome | None:
        return Outcome(0, 1) if state.over else None


def play_tiny() -> tuple[Session[Tiny, int], Session[Tiny, int]]:
    """Two sessions with the cards dealt; seat 0 is to act."""
    game, proposal = TinyGame(), Proposal(b"", 0, "2026-11-30", 0)
    host = Session(game, 0, seating(0), SeededRng("tiny/0"), proposal, CHEAP_SUITES)
    guest = Session(game, 1, seating(1), SeededRng("tiny/1"), None, CHEAP_SUITES)
    guest.accept()
    while host.owes_step or guest.owes_step:
        mover, other = (host, guest) if host.owes_step else (guest, host)
        other.receive(mover.step())
    return host, guest
