"""The game that runs at the table, as far as one player was told of it.

It owns what events do to cards, turn, clock and score; it knows no key, no focus and no panel.
"""

from __future__ import annotations

from math import inf
from typing import Final

from p2pdurak.events import Again, Dealt, Drew, Event, Moved, Offer, Reason, Result, Seat, Shuffling, Trouble, Turn
from p2pdurak.rules.actions import Action, Attack, Beat, Done, Take
from p2pdurak.rules.cards import Card, Suit
from p2pdurak.rules.state import Phase, State
from p2pdurak.rules.view import View
from p2pdurak.safe_text import SafeText
from p2pdurak.ui.card_words import CardStyle
from p2pdurak.ui.draw.screen import Clock, Seated
from p2pdurak.ui.endings import BREAKS, verdict
from p2pdurak.ui.live.story import plate
from p2pdurak.ui.live.timing import Countdown
from p2pdurak.ui.prompts import move_text, short_prompt
from p2pdurak.ui.scene import Scene, sentence

STYLE: Final = CardStyle()
"""The signs of the full screen: its renderer translates them where they cannot be shown."""


class TableState:
    """One player's table.

    Attributes:
        scene: who is there, and the public state.
        view: the game as we see it; None before the first deal.
        before: the public state before the next move.
        result: how the last game ended; None before one has.
        game: the number of the game.
        counts: leaving is noted: somebody may know a card, and the game has not ended.
        trouble: what has broken the game off.
        dealing: the next game is being shuffled.
        more: a rematch can be asked for.
        again: who has asked for one.
        closed: nothing more comes.
        turn_at: when our turn was announced; None while it is not our turn.
        ended_at: when the last game ended.
    """

    def __init__(self) -> None:
        self.scene = Scene()
        self.view: View | None = None
        self.before: State | None = None
        self.result: Result | None = None
        self.game = 0
        self.counts = False
        self.trouble: Trouble | None = None
        self.dealing = False
        self.more = False
        self.again: frozenset[Seat] = frozenset()
        self.closed = False
        self.turn_at: float | None = None
        self.ended_at = -inf
        self._ended = False
        self._said = ""
        self._duraks = (0, 0)
        self._clock: Countdown | None = None

    def take(self, event: Event, now: float) -> None:
        """Follow what is told."""
        self.scene = self.scene.after(event)
        match event:
            case Dealt():
                self._deal(event)
            case Turn():
                self._turn(event, now)
            case Moved():
                self._move(event)
            case Result():
                self._end(event, now)
            case Offer():
                self.dealing, self.counts = True, False
            case Shuffling(proofs=proofs):
                self.dealing, self.counts = True, proofs > 1
            case Trouble():
                self._break(event)
            case Again(seat=seat):
                self.again |= {seat}
            case Drew(view=view):
                self.view = view
            case _:
                pass  # a bout's end, for one, tells nothing that the move before it has not brought

    def _deal(self, dealt: Dealt) -> None:
        self.view, self.before, self.game = dealt.view, dealt.view.state, dealt.game
        self._said, self._clock, self.turn_at, self.trouble = "", None, None, None
        self.dealing = self._ended = self.more = False
        self.counts = True
        self.again = frozenset()
        if dealt.game == 1:
            self._duraks = (0, 0)

    def _turn(self, turn: Turn, now: float) -> None:
        self.view, self.before = turn.view, turn.view.state
        self.turn_at = now if turn.seat == turn.view.seat else None
        self._clock = Countdown(turn.seconds, now) if turn.seconds else None

    def _move(self, moved: Moved) -> None:
        self.view, self.before = moved.view, moved.view.state
        self.turn_at = self._clock = None
        if moved.seat != moved.view.seat and isinstance(moved.action, Take | Done):
            word = move_text(moved.action, moved.view.state, STYLE)
            self._said = f"{self.scene.who(moved.seat)}: {word}"
        elif moved.view.state.phase is not Phase.PILE_ON:
            self._said = ""

    def _break(self, trouble: Trouble) -> None:
        """What cannot be mended ends the match; the last game stays on the table."""
        self.dealing = self.more = False
        if trouble.kind in BREAKS:
            self.trouble = trouble
            self.turn_at = self._clock = None

    def _end(self, result: Result, now: float) -> None:
        self.result, self._ended, self.dealing, self.more = result, True, False, result.more
        self.turn_at = self._clock = None
        self.ended_at, self.counts = now, False
        self._said = ""
        self._duraks = result.score[:2]

    def close(self) -> None:
        """Nothing more comes; what lies on the table stays there."""
        self.closed, self.dealing, self.more = True, False, False
        self.turn_at = self._clock = None

    @property
    def state(self) -> State | None:
        """The public state; None while no cards lie on the table."""
        return None if self.view is None or self.dealing else self.view.state

    @property
    def trump(self) -> Suit:
        """The trump of this game; while the next one is shuffled, still that of the last."""
        return Suit.CLUBS if self.view is None else self.view.state.trump

    @property
    def ended(self) -> bool:
        """Whether a game is over and the next one is not dealt."""
        return self._ended

    @property
    def resting(self) -> bool:
        """Whether a game is over and no other has begun."""
        return self._ended and not self.dealing

    @property
    def claimed(self) -> bool:
        """Whether the last game ended with a claim."""
        return self.result is not None and self.result.reason is Reason.CLAIMED

    @property
    def choosing(self) -> bool:
        """Whether we may play now."""
        waits = self.turn_at is not None and self.trouble is None
        return waits and self.view is not None and self.view.complete

    @property
    def legal(self) -> tuple[Action, ...]:
        """What we may play now."""
        return self.view.legal_actions() if self.view is not None and self.choosing else ()

    @property
    def playable(self) -> frozenset[Card]:
        """The cards that we may play now."""
        return frozenset(action.card for action in self.legal if isinstance(action, Attack | Beat))

    @property
    def may_pass(self) -> bool:
        """Whether we may add a card, and need not."""
        return Done() in self.legal

    @property
    def prompt(self) -> str:
        """What is to be done now, or who does it."""
        if self.dealing or self.view is None:
            return "The cards are shuffled and dealt"
        if self.result is not None and self.ended:
            return sentence(_short_verdict(self.result, self.scene.short()))
        if self.trouble is not None:
            return "The game is broken off"
        if self.closed:
            return "The table is closed"
        return sentence(short_prompt(self.view, self.scene.short().peer(), STYLE))

    @property
    def said(self) -> str:
        """What the other player has just said at the table."""
        return self._said

    @property
    def cards(self) -> tuple[Card, ...]:
        """The own cards that can be seen."""
        return () if self.view is None or self.dealing else self.view.hand

    def clock(self, now: float) -> Clock | None:
        """The mover's clock."""
        return None if self._clock is None else Clock(self._clock.left(now), self._clock.seconds)

    def clock_due(self, now: float) -> float | None:
        """Seconds until the clock's number changes."""
        return None if self._clock is None else self._clock.due(now)

    def bottom(self, order: tuple[Card, ...]) -> Seated:
        """Our own seat; `order` is the hand as it is sorted. Cards on their way stand face down behind it."""
        view, seat = self.view, self.scene.seat
        if view is None or seat is None or self.dealing:
            return Seated(SafeText("") if seat is None else plate(self.scene, seat), (), self._count(own=True))
        missing = (None,) * (view.mine.count - len(order))
        turn = view.my_turn and self._plays
        return Seated(plate(self.scene, seat), (*order, *missing), self._count(own=True), turn)

    def top(self) -> Seated:
        """The other seat: backs, and at the end the cards where they were shown."""
        view, name = self.view, self.scene.peer()
        if view is None or self.dealing:
            return Seated(name, (), self._count(own=False))
        left = self.result.hands[1 - view.seat] if self.result is not None and self.ended else None
        cards = (None,) * view.theirs.count if left is None else left
        return Seated(name, cards, self._count(own=False), self._plays and not view.my_turn)

    def _count(self, *, own: bool) -> int:
        seat = 0 if self.scene.seat is None else self.scene.seat
        return self._duraks[seat if own else 1 - seat]

    @property
    def _plays(self) -> bool:
        """Whether somebody is to make a move that he chooses."""
        phase = None if self.view is None else self.view.state.phase
        return not (self.ended or self.closed or self.trouble) and phase not in {None, Phase.QUESTION, Phase.OVER}


def _short_verdict(result: Result, scene: Scene) -> str:
    return "A draw: nobody is the durak." if result.outcome == "draw" else verdict(result, scene)
