"""The cards of a bout that has just ended: they stay on the table for a moment, so that the last one can be seen.

It owns which pairs these are, what is said of them and for how long; the game itself has gone on already.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Final

from p2pdurak.events import Dealt, Event, Moved, Offer, Seat, Shuffling
from p2pdurak.rules.actions import Action, Attack, Beat, Take
from p2pdurak.rules.state import BoutOutcome, Pair, Phase, State
from p2pdurak.ui.scene import Scene
from p2pdurak.ui.words import bout_end

SHOWN_S: Final = 1.2
"""Long enough to see a card, too short to wait for."""


@dataclass(frozen=True, slots=True)
class _Bout:
    pairs: tuple[Pair, ...]
    outcome: BoutOutcome
    attacker: Seat
    until: float


class LastBout:
    """The bout that ended last, while it is still shown.

    Attributes:
        gone_at: since when, or from when on, it hides nothing of what came after it.
    """

    def __init__(self) -> None:
        self.gone_at = -inf
        self._bout: _Bout | None = None

    def take(self, event: Event, before: State | None, now: float) -> None:
        """Follow what is told; `before` is the public state before a move."""
        match event:
            case Moved(action=action, view=view):
                ends = before is not None and before.table and not view.state.table
                self.clear(now)
                if before is not None and ends:
                    self.gone_at = now + SHOWN_S
                    self._bout = _Bout(*_ended(before, action), self.gone_at)
            case Dealt() | Offer() | Shuffling():
                self.clear(now)
            case _:
                pass

    def clear(self, now: float) -> None:
        """Show it no more."""
        self._bout, self.gone_at = None, min(self.gone_at, now)

    def pairs(self, now: float) -> tuple[Pair, ...]:
        """What still lies there; nothing when its time is over."""
        bout = self._shown(now)
        return () if bout is None else bout.pairs

    def sentence(self, scene: Scene, now: float) -> str:
        """How it ended; nothing when its time is over."""
        bout = self._shown(now)
        return "" if bout is None else bout_end(bout.outcome, bout.attacker, scene)

    def due(self, now: float) -> float | None:
        """Seconds until it is gone."""
        bout = self._shown(now)
        return None if bout is None else bout.until - now

    def _shown(self, now: float) -> _Bout | None:
        return self._bout if self._bout is not None and now < self._bout.until else None


def _ended(before: State, action: Action) -> tuple[tuple[Pair, ...], BoutOutcome, Seat]:
    """The pairs with the last card, and how the bout ended with it."""
    pairs = before.table
    match action:
        case Attack(card):
            pairs = (*pairs, Pair(card, None))
        case Beat(card):
            pairs = tuple(replace(pair, beaten_by=card) if pair.beaten_by is None else pair for pair in pairs)
        case _:
            pass
    taken = before.phase is Phase.PILE_ON or isinstance(action, Take)
    return pairs, BoutOutcome.PICKUP if taken else BoutOutcome.BEATEN, before.attacker
