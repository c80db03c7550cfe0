"""Durak as a game that fairdeck can carry: the rules behind the protocol's contract.

It owns the translation of states, actions and demands between the two; it decides nothing about rules or cryptography.
"""

from __future__ import annotations

from typing import Final

from fairdeck.game import Absent, Demand, Draw, IllegalAction, Layout, Open, Outcome
from p2pdurak.rules import engine
from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import CARDS, Card
from p2pdurak.rules.match import Match, next_opener
from p2pdurak.rules.options import parse_options
from p2pdurak.rules.refusals import IllegalAction as Refused
from p2pdurak.rules.state import Seat, State, digest

LAYOUT: Final = Layout(
    hands=((0, 2, 4, 6, 8, 10), (1, 3, 5, 7, 9, 11)),
    upcards=(35,),
    stock=tuple(range(12, 35)),
)

ATTACK, BEAT, TAKE, DONE, SHOW, DENY = range(6)
"""The first byte of an encoded action; the cards follow, a byte each."""


class Durak:
    """Two-player Podkidnoy Durak with 36 cards, as a `fairdeck.game.Game[State, Action]`."""

    layout: Final = LAYOUT

    def check_options(self, options: bytes) -> None:
        """Refuse options that are not in their canonical text form."""
        try:
            parse_options(options.decode("utf-8"))
        except ValueError as error:
            raise IllegalAction(f"Options that this program does not know: {error}") from error

    def check_opener(self, options: bytes, opener: int, *, first: bool) -> None:
        """Demand what the options say for a first game; in a later one any seat may have earned it."""
        fits = {next_opener(parse_options(options.decode("utf-8")), Match()).value}
        if opener not in (fits if first else fits | {0, 1}):
            raise IllegalAction("Who attacks first was proposed otherwise than the options say.")

    def start(self, options: bytes, upcards: tuple[int, ...], opener: Seat | None) -> State:
        """The state after the deal, the one face-up card being the indicator."""
        self.check_options(options)
        return engine.deal(parse_options(options.decode("utf-8")), Card(upcards[0]), opener)

    def to_act(self, state: State) -> Seat | None:
        """The one seat that may act."""
        return engine.to_act(state)

    def demand(self, state: State, action: Action) -> Demand | None:
        """A hidden card must be opened, a denial proven; `take`, `done` and known cards need nothing."""
        if isinstance(action, Deny):
            return Absent(tuple(int(card) for card in action.cards))
        card = engine.reveals(state, action)
        return None if card is None else Open(int(card))

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Draw, ...]]:
        """One action by the rules."""
        try:
            step = engine.apply(state, action)
        except Refused as error:
            raise IllegalAction(str(error)) from error
        return step.state, tuple(Draw(draw.seat, draw.count) for draw in step.draws)

    def encode(self, action: Action) -> bytes:
        """One byte for the kind and one for each card."""
        match action:
            case Attack(card):
                return bytes([ATTACK, card])
            case Beat(card):
                return bytes([BEAT, card])
            case Take():
                return bytes([TAKE])
            case Done():
                return bytes([DONE])
            case Show(card):
                return bytes([SHOW, card])
            case Deny(cards):
                return bytes([DENY, *cards])

    def decode(self, data: bytes) -> Action:
        """The inverse of `encode`."""
        cards = tuple(Card(number) for number in data[1:])
        if any(card >= CARDS for card in cards):
            raise IllegalAction("A card that is not in the deck.")
        match (data[:1], len(cards)):
            case (b"\x00", 1):
                return Attack(cards[0])
            case (b"\x01", 1):
                return Beat(cards[0])
            case (b"\x02", 0):
                return Take()
            case (b"\x03", 0):
                return Done()
            case (b"\x04", 1):
                return Show(cards[0])
            case (b"\x05", 1 | 2 | 3):
                return Deny(cards)
            case _:
                raise IllegalAction("Bytes that are no action.")

    def digest(self, state: State) -> bytes:
        """32 bytes over the whole public state."""
        return digest(state)

    def outcome(self, state: State) -> Outcome | None:
        """Winner and durak, or neither in a draw."""
        ended = engine.outcome(state)
        return None if ended is None else Outcome(ended.winner, ended.durak)


DURAK: Final = Durak()
