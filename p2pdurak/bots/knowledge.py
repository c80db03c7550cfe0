"""What a view says about the hidden cards, in the form that a search needs.

It owns the worlds that are possible: every way to deal the unseen cards that agrees with the view. It refuses to know
the real one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from p2pdurak.bots.fast import BITS, Mask, Position, World, mask_of, position_of, world_of
from p2pdurak.rules.cards import Suit
from p2pdurak.rules.state import Seat
from p2pdurak.rules.view import View


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A view for a search.

    Attributes:
        seat: whose view it is, and who is to act.
        trump: the trump suit.
        position: the table, with only the known cards in the other hand.
        unseen: the cards that are in the other hand's hidden part or face down in the talon.
        mine_hidden: own cards that cannot be seen yet.
        theirs_hidden: cards of the other hand that are not known.
        indicator: the last card of the talon; none if it has been drawn.
        face_down: cards of the talon that cannot be seen.
        pile_on: the option.
    """

    seat: Seat
    trump: Suit
    position: Position
    unseen: tuple[Mask, ...]
    mine_hidden: int
    theirs_hidden: int
    indicator: tuple[Mask, ...]
    face_down: int
    pile_on: bool

    @property
    def left(self) -> int:
        """Cards in the talon, the indicator counted."""
        return self.face_down + len(self.indicator)

    @property
    def exact(self) -> bool:
        """Whether only one world is possible, and the talon holds no card that cannot be seen."""
        return not self.face_down and not self.mine_hidden and self.theirs_hidden in (0, len(self.unseen))

    def sample(self, random: Callable[[], float]) -> tuple[Position, World]:
        """One possible world, each with the same chance.

        Args:
            random: gives numbers from 0 up to, not including, 1.
        """
        cards = sorted(self.unseen, key=lambda _: random())
        theirs = self.theirs_hidden
        dealt = theirs + self.mine_hidden
        attacker, defender, *table = self.position
        other, mine = sum(cards[:theirs]), sum(cards[theirs:dealt])
        hands = (attacker | mine, defender | other) if table[-1] == self.seat else (attacker | other, defender | mine)
        position = (*hands, table[0], table[1], table[2], table[3], table[4], table[5])
        # In a whole deck this is all the rest; a set-up position may leave cards out of play.
        talon = cards[dealt : dealt + self.face_down]
        return position, world_of((*talon, *self.indicator), pile_on=self.pile_on)


def knowledge(view: View) -> Knowledge:
    """Everything that a view gives.

    Raises:
        ValueError: if it is not this player's turn, or the lowest trump is still being asked for.
    """
    if not view.my_turn:
        raise ValueError("it is not this player's turn")
    state, bits = view.state, BITS[view.state.trump]
    mine, theirs = mask_of(view.hand, state.trump), mask_of(view.their_known, state.trump)
    hands = (mine, theirs) if view.seat == 0 else (theirs, mine)
    return Knowledge(
        seat=view.seat,
        trump=state.trump,
        position=position_of(state, hands),
        unseen=tuple(bits[card] for card in view.unseen),
        mine_hidden=view.mine.count - len(view.hand),
        theirs_hidden=view.theirs.hidden,
        indicator=() if view.indicator is None else (bits[view.indicator],),
        face_down=view.face_down,
        pile_on=state.options.pile_on,
    )
