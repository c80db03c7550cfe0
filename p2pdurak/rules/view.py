"""What one player may know: his own cards, the public state, and what follows from them about the cards he cannot see.

It owns the border between a player and what is hidden from him; bots, screens and the analysis get nothing but this.
It does not know the other hand, the order of the talon, or a clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from p2pdurak.rules import engine
from p2pdurak.rules.actions import Action, Attack, Deny, Done, Show, Take
from p2pdurak.rules.cards import DECK, Card, Suit, rank_of, suit_of
from p2pdurak.rules.state import Hand, Phase, Seat, State


@dataclass(frozen=True, slots=True)
class View:
    """The game as `seat` sees it.

    Attributes:
        seat: whose view it is.
        state: the public state.
        hand: the cards of this player that he can see, ascending. Cards just drawn may still be missing: they
            stay face down until the other side has sent what opens them.
    """

    seat: Seat
    state: State
    hand: tuple[Card, ...]

    @property
    def mine(self) -> Hand:
        """The own hand as the other player sees it."""
        return self.state.hands[self.seat]

    @property
    def theirs(self) -> Hand:
        """The other hand."""
        return self.state.hands[1 - self.seat]

    @property
    def their_known(self) -> tuple[Card, ...]:
        """The cards of the other hand that are known: taken up, shown, or the drawn indicator."""
        return self.theirs.known

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that may be anywhere: in the other hand's hidden part or face down in the talon."""
        return tuple(card for card in DECK if card not in self.hand and not engine.is_public(self.state, card))

    @property
    def indicator(self) -> Card | None:
        """The face-up last card of the talon; None once it has been drawn."""
        return self.state.indicator

    @property
    def face_down(self) -> int:
        """How many cards of the talon nobody can see."""
        return self.state.talon - (self.indicator is not None)

    @property
    def their_hand(self) -> tuple[Card, ...] | None:
        """Every card of the other hand, ascending, once it can be told: there is no other place left for them."""
        if not self.theirs.hidden:
            return self.their_known
        unseen = self.unseen
        certain = self.complete and self.theirs.hidden == len(unseen)
        return tuple(sorted((*self.their_known, *unseen))) if certain else None

    @property
    def complete(self) -> bool:
        """Whether every card of the own hand can be seen."""
        return len(self.hand) == self.mine.count

    @property
    def my_turn(self) -> bool:
        """Whether this player is the one to act."""
        return engine.to_act(self.state) == self.seat

    def legal_actions(self) -> tuple[Action, ...]:
        """What this player may do now, with the cards that he can see; nothing when it is not his turn."""
        return engine.legal_actions(self.state, self.hand) if self.my_turn else ()

    @property
    def forced_done(self) -> bool:
        """Whether `done` is the only thing this player can do: he has no card that may be added."""
        return self.complete and self.legal_actions() == (Done(),)

    def answer(self) -> Show | Deny:
        """This player's answer to the question for the lowest trump.

        Raises:
            IllegalAction: if he is not being asked.
        """
        engine.check_turn(self.state, self.seat)
        return engine.answer(self.state, self.hand)

    def timeout_action(self) -> Action:
        """What is played for this player when his clock runs out: the least that the rules allow.

        Raises:
            IllegalAction: if it is not his turn.
        """
        engine.check_turn(self.state, self.seat)
        if self.state.phase is Phase.QUESTION:
            return self.answer()
        if self.state.phase is Phase.DEFEND:
            return Take()
        return Done() if self.state.table else Attack(lowest_lead(self.hand, self.state.trump))


def lowest_lead(cards: Iterable[Card], trump: Suit) -> Card:
    """The lowest card that is no trump, else the lowest trump; equal ranks in the order c d h s.

    Raises:
        ValueError: if there are no cards.
    """
    return min(cards, key=lambda card: (suit_of(card) == trump, rank_of(card), suit_of(card)))
