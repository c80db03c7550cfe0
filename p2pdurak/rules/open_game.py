"""A game with every card in sight, for whoever holds the whole deck: cases, simulations, play against oneself.

It owns the hidden cards and moves them as the rules say; it does not know who plays, nor any proof. Two players who do
not trust each other have no such thing between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.bouts import Step
from p2pdurak.rules.cards import Card
from p2pdurak.rules.engine import answer, apply, check_turn, deal, legal_actions, to_act
from p2pdurak.rules.options import Options
from p2pdurak.rules.refusals import IllegalAction, Refusal
from p2pdurak.rules.state import HAND_CARDS, Seat, State
from p2pdurak.rules.view import View

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A public state and the cards behind it.

    Attributes:
        state: what both players know.
        hands: all cards of both hands, ascending, indexed by seat.
        talon: the cards to draw, the next one first, the indicator last.
    """

    state: State
    hands: tuple[Cards, Cards]
    talon: Cards

    def view(self, seat: Seat) -> View:
        """What the player at `seat` may know."""
        return View(seat, self.state, self.hands[seat])

    def legal_actions(self) -> tuple[Action, ...]:
        """What the seat to act can do with the cards it holds; nothing when the game is over."""
        seat = to_act(self.state)
        return () if seat is None else legal_actions(self.state, self.hands[seat])

    def play(self, seat: Seat, action: Action) -> tuple[OpenGame, Step]:
        """The game after `seat` did `action`, and the step of the rules.

        Raises:
            IllegalAction: if the rules refuse it, or if the cards in the hand do.
        """
        check_turn(self.state, seat)
        step = apply(self.state, action)
        hand = self.hands[seat]
        match action:
            case Attack(card) | Beat(card):
                if card not in hand:
                    raise IllegalAction(Refusal.NOT_HELD)
                left = tuple(held for held in hand if held != card)
            case Show(card):
                if card not in hand:
                    raise IllegalAction(Refusal.NOT_HELD)
                left = hand
            case Deny():
                if action != answer(self.state, hand):
                    raise IllegalAction(Refusal.WRONG_ANSWER)
                left = hand
            case Take() | Done():
                left = hand
            case _:
                assert_never(action)
        hands = [left, self.hands[1]] if seat == 0 else [self.hands[0], left]
        return self._after(step, hands), step

    def _after(self, step: Step, hands: list[Cards]) -> OpenGame:
        """Move the cards that a step takes up and draws."""
        talon = self.talon
        if step.bout_end is not None:
            defender = 1 - step.bout_end.attacker
            hands[defender] = tuple(sorted(hands[defender] + step.bout_end.taken))
        for draw in step.draws:
            hands[draw.seat] = tuple(sorted(hands[draw.seat] + talon[: draw.count]))
            talon = talon[draw.count :]
        if talon and step.state.indicator is None:
            drawer = 0 if talon[-1] in step.state.hands[0].known else 1
            hands[drawer] = tuple(sorted(hands[drawer] + talon))
            talon = ()
        return OpenGame(step.state, (hands[0], hands[1]), talon)


def deal_open(options: Options, deck: Sequence[Card], opener: Seat | None) -> OpenGame:
    """Deal a shuffled deck by its positions: 0, 2 .. 10 to seat 0, 1, 3 .. 11 to seat 1, 35 turned up, 12 .. 34 drawn.

    Args:
        options: what was agreed.
        deck: 36 distinct cards.
        opener: who attacks first; None to find it by asking for the lowest trump.
    """
    dealt = 2 * HAND_CARDS
    hands = (tuple(sorted(deck[0:dealt:2])), tuple(sorted(deck[1:dealt:2])))
    return OpenGame(deal(options, deck[-1], opener), hands, tuple(deck[dealt:]))
