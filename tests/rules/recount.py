"""A player who keeps count of the cards with pencil and paper: from the deal on, by what is done openly at the table.

It is slow and plain on purpose. It knows no state of a game: who draws how many cards it works out by itself, and the
cards that it has drawn itself are all that it is told besides the actions.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import DECK, Card


class Recount:
    """What the player at one seat has written down.

    Args:
        seat: whose notes these are.
        mine: the six cards that were dealt to him.
        turned_up: the card under the talon.
        pile_on: whether cards are piled on.
        first_limit: attacks in the first bout.
    """

    def __init__(self, seat: int, mine: Iterable[Card], turned_up: Card, *, pile_on: bool, first_limit: int) -> None:
        self.seat = seat
        self.mine = set(mine)
        self.theirs: set[Card] = set()
        self.turned_up: Card | None = turned_up
        self.face_down = len(DECK) - 2 * 6 - 1
        self.gone: set[Card] = set()
        self.lying: list[Card] = []
        self._counts = [6, 6]
        self._pile_on = pile_on
        self._limit = first_limit
        self._attacker = 0
        self._attacks = self._beaten = 0
        self._takes = False

    def unseen(self) -> set[Card]:
        """The cards of the deck that he has not set eyes on, and cannot place."""
        placed = self.mine | self.theirs | self.gone | set(self.lying)
        return set(DECK) - placed - ({self.turned_up} if self.turned_up is not None else set())

    def hear(self, seat: int, action: Action) -> int:
        """Note down an action; how many cards he himself draws after it, the turned-up one not counted."""
        match action:
            case Show(card):
                if seat != self.seat:
                    self.theirs.add(card)
                return 0
            case Deny():
                return 0
            case Attack(card):
                if not self.lying:
                    self._attacker = seat
                    self._limit = min(self._limit, self._counts[1 - seat])
                self._attacks += 1
                self._lay(seat, card)
            case Beat(card):
                self._beaten += 1
                self._lay(seat, card)
            case Take():
                self._takes = True
            case Done():
                return self._end()
        return self._end() if self._nothing_can_be_added() else 0

    def draw(self, cards: Iterable[Card]) -> None:
        """Note down the own cards drawn."""
        self.mine |= set(cards)

    def _lay(self, seat: int, card: Card) -> None:
        (self.mine if seat == self.seat else self.theirs).discard(card)
        self._counts[seat] -= 1
        self.lying.append(card)

    def _nothing_can_be_added(self) -> bool:
        full = self._attacks == self._limit or self._counts[self._attacker] == 0
        if self._takes:
            return full or not self._pile_on
        return self._attacks == self._beaten and (full or self._counts[1 - self._attacker] == 0)

    def _end(self) -> int:
        attacker, defender = self._attacker, 1 - self._attacker
        if self._takes:
            (self.mine if defender == self.seat else self.theirs).update(self.lying)
            self._counts[defender] += len(self.lying)
        else:
            self.gone.update(self.lying)
        self.lying, self._takes, self._attacks, self._beaten, self._limit = [], False, 0, 0, 6
        drawn = {attacker: self._refill(attacker), defender: self._refill(defender)}
        return drawn[self.seat]

    def _refill(self, seat: int) -> int:
        drawn = 0
        while self._counts[seat] < 6 and self.face_down:
            self._counts[seat] += 1
            self.face_down -= 1
            drawn += 1
        if self._counts[seat] < 6 and self.turned_up is not None:
            (self.mine if seat == self.seat else self.theirs).add(self.turned_up)
            self._counts[seat] += 1
            self.turned_up = None
        return drawn
