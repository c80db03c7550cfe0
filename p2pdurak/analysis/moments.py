"""A recording as positions that can be searched, as far as its cards can be seen.

It owns which hands are known at each moment, by sight or because every other card is accounted for; it judges nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from p2pdurak.bots.fast import BITS, PASS, Mask, Position, World, mask_of, position_of, world_of
from p2pdurak.recording import Hands, Recording
from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import Card, Suit
from p2pdurak.rules.engine import to_act
from p2pdurak.rules.state import Phase, Seat, State
from p2pdurak.rules.view import View


@dataclass(frozen=True, slots=True)
class Moment:
    """The game before a move, or after the last one.

    Attributes:
        state: what both players know.
        hands: all cards of each hand; None for one that cannot be seen.
        position: the same for a search, in the world of the game; None where a hand cannot be seen, and while the
            lowest trump is asked for.
    """

    state: State
    hands: Hands
    position: Position | None

    @property
    def open(self) -> bool:
        """Whether both players know every card: at most the indicator is left to draw."""
        return self.state.talon <= 1 and self.position is not None

    @property
    def forced(self) -> bool:
        """Whether the seat to act has no choice, as far as that can be seen."""
        if self.state.phase is Phase.QUESTION:
            return True
        view = self.view()
        return view is not None and len(view.legal_actions()) == 1

    def view(self) -> View | None:
        """What the seat to act may know; None where his hand cannot be seen, or the game is over."""
        seat = to_act(self.state)
        hand = None if seat is None else self.hands[seat]
        return None if seat is None or hand is None else View(seat, self.state, hand)


@dataclass(frozen=True, slots=True)
class Course:
    """A game as a search sees it.

    Attributes:
        world: the talon as it was dealt; cards that cannot be seen are missing in it.
        whole: whether none is.
        moments: one before each move, and one after the last.
        moves: each move as a search makes it, None for an answer in the search for the lowest trump.
    """

    world: World
    whole: bool
    moments: tuple[Moment, ...]
    moves: tuple[Mask | None, ...]

    def sight(self, index: int) -> Position | None:
        """The position at a moment where even the talon is known, so that it can be played out with every card seen."""
        return self.moments[index].position if self.whole or self.moments[index].open else None


def course(game: Recording) -> Course:
    """Prepare a recording for a search."""
    trump, indicator = game.start.trump, game.start.indicator
    bits = BITS[trump]
    # An unseen card is no card here; it is drawn all the same, and so the indicator comes in its turn.
    talon = [0 if card is None else bits[card] for card in game.stock]
    world = world_of([*talon, *(() if indicator is None else (bits[indicator],))], pile_on=game.options.pile_on)
    size = len(world[0]) - 1
    return Course(
        world,
        None not in game.stock,
        tuple(_moment(*game.after(index), size) for index in range(len(game.moves) + 1)),
        tuple(move_of(move.action, trump) for move in game.moves),
    )


def move_of(action: Action, trump: Suit) -> Mask | None:
    """An action as a search makes it; None for an answer in the search for the lowest trump."""
    match action:
        case Attack(card) | Beat(card):
            return BITS[trump][card]
        case Take() | Done():
            return PASS
        case Show() | Deny():
            return None
        case _:
            assert_never(action)


def _moment(state: State, hands: Hands, size: int) -> Moment:
    hands = _worked_out(state, hands)
    first, second = hands
    if state.phase is Phase.QUESTION or first is None or second is None:
        return Moment(state, hands, None)
    position = position_of(state, (mask_of(first, state.trump), mask_of(second, state.trump)))
    return Moment(state, hands, (*position[:6], size - state.talon, position[7]))


def _worked_out(state: State, hands: Hands) -> Hands:
    """The hands, one of them from what is left over: at the end every card that is nowhere else is in it."""
    for seat, hand in enumerate(hands):
        other = 1 - seat
        if hand is not None and hands[other] is None and state.talon <= 1:
            return _with(hands, other, tuple(sorted((*state.hands[other].known, *View(seat, state, hand).unseen))))
    return hands


def _with(hands: Hands, seat: Seat, hand: tuple[Card, ...]) -> Hands:
    return (hand, hands[1]) if seat == 0 else (hands[0], hand)
