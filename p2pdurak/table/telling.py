"""What a record of a game means to the player who looks on, as events in the order in which they make sense.

It owns that order; it changes nothing and sends nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fairdeck.referee import Followed, Referee, Stage
from fairdeck.wire import Kind, Move
from p2pdurak.events import Bout, Dealt, Drew, Event, Moved, Names, Opener, Shuffling
from p2pdurak.rules.actions import Action, Show
from p2pdurak.rules.cards import Card
from p2pdurak.rules.engine import apply
from p2pdurak.rules.state import Phase, Seat, State
from p2pdurak.rules.view import View
from p2pdurak.safe_text import SafeText


@dataclass(frozen=True, slots=True)
class Before:
    """What was known before a record: the public state, and our hidden cards."""

    referee: Referee[State, Action]
    hidden: tuple[int, ...]


class Teller:
    """Tells one game from one seat.

    Attributes:
        names: as they are shown, by seat.
        opener: who attacked first, once that is known.
    """

    def __init__(self, show: Callable[[Event], None], seat: Seat, number: int, names: Names) -> None:
        """Tell game `number` of a match to `show`."""
        self.names = names
        self.opener: Seat | None = None
        self._show = show
        self._seat = seat
        self._number = number

    def tell(
        self, followed: Followed[State, Action], before: Before, view: View | None, hidden: tuple[int, ...]
    ) -> None:
        """Tell what a record did.

        Args:
            followed: the record and the state after it.
            before: what was known before it.
            view: what we see after it; None before the deal.
            hidden: our hidden cards that we can see after it.
        """
        record = followed.record
        if record.kind in {Kind.SHUFFLE0, Kind.SHUFFLE1}:
            who = SafeText("you") if record.seat == self._seat else self.names[record.seat]
            self._show(Shuffling(who, 1 if record.kind is Kind.SHUFFLE0 else 2))
        if view is None or followed.referee.stage is not Stage.PLAY:
            return
        state = before.referee.state
        if state is None:
            self._tell_deal(view)
            return
        # Cards of the last refill become visible with the peer's next record, and were drawn before what it does.
        late = before.referee.deck is not None and bool(before.referee.deck.drawn[self._seat])
        if late:
            self._tell_drawn(view, state, before.hidden, hidden)
        if isinstance(record.body, Move) and followed.action is not None:
            self._tell_move(followed.action, record.seq, record.seat, record.body, state, view)
        if not late:
            self._tell_drawn(view, state, before.hidden, hidden)

    def _tell_deal(self, view: View) -> None:
        indicator = view.state.indicator
        if indicator is None:
            return
        self._show(Dealt(self._number, self._seat, self.names, view.hand, indicator, view))
        if view.state.phase is not Phase.QUESTION:
            self.opener = view.state.attacker
            self._show(Opener(self.opener, None))

    def _tell_move(self, action: Action, seq: int, seat: Seat, move: Move, before: State, view: View) -> None:
        self._show(Moved(seq, seat, action, move.auto, view))
        if before.phase is Phase.QUESTION and view.state.phase is not Phase.QUESTION:
            self.opener = view.state.attacker
            self._show(Opener(self.opener, action.card if isinstance(action, Show) else None))
        ended = apply(before, action).bout_end
        if ended is not None:
            hands = view.state.hands
            self._show(Bout(ended.outcome, ended.attacker, (hands[0].count, hands[1].count), view.state.talon))

    def _tell_drawn(self, view: View, before: State, old: tuple[int, ...], new: tuple[int, ...]) -> None:
        """Cards that we can see now and could not before; the indicator too, when it was ours to draw."""
        drawn = [Card(card) for card in new if card not in old]
        indicator = before.indicator
        if indicator is not None and view.state.indicator is None and indicator in view.mine.known:
            drawn.append(indicator)
        if drawn:
            self._show(Drew(tuple(sorted(drawn)), view))
