"""What comes of thinking about a move, and how long it may go on.

It owns the two values between a level and whoever asks it; it knows no level and no clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from p2pdurak.rules.actions import Action

Patience = Callable[[], bool]
"""Asked now and then whether there is time to go on thinking; whoever asks for a choice has the clock."""


@dataclass(frozen=True, slots=True)
class Thought:
    """An action, and what speaks for it.

    Attributes:
        action: what to play.
        value: what that is worth for certain, against a player who makes no mistake: 1 a win, 0 a draw, -1 a defeat;
            None where it is not known.
        trials: how many deals of the hidden cards every move was tried in; 1 where they are known to both, and the
            ending is too long to be worked out; 0 where nothing was tried.
    """

    action: Action
    value: int | None = None
    trials: int = 0


def endless() -> bool:
    """There is always time: the patience of whoever wants the same choice again."""
    return True
