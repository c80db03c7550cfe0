"""The wish for another game: both sides must have it, and remember the last game by the same end.

It owns what was wished and said; it begins no game and sends nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from fairdeck.wire import ZEROS

AGAIN_WAIT_S: Final = 15.0
"""How long two sides may remember the last game differently on a steady line; what one lacks comes long before."""


class Step(Enum):
    """What is to be done about a rematch now."""

    WAIT = "wait"
    BEGIN = "begin"
    DIFFERS = "differs"


@dataclass(slots=True)
class Rematch:
    """The wishes of both sides after one game.

    Attributes:
        wanted: we want to play again.
        said: the end of the last game as we have told it to the other side; zeros before that.
        peer: the end as the other side has told it with his wish; None while he has none.
        heard_at: when he told it.
        steady_since: since when the line is steady and everything has arrived.
    """

    wanted: bool = False
    said: bytes = ZEROS
    peer: bytes | None = None
    heard_at: float = 0.0
    steady_since: float = 0.0

    def begin(self) -> None:
        """A new game begins; what was said of the last one stays said."""
        self.wanted, self.peer = False, None

    def hear(self, link: bytes, now: float) -> bool:
        """Take the other side's wish; True if it is his first after this game."""
        first, self.peer, self.heard_at = self.peer is None, link, now
        return first

    @property
    def only_he_wants(self) -> bool:
        """Whether he waits for our answer."""
        return self.peer is not None and not self.wanted

    def to_say(self, link: bytes) -> bool:
        """Whether the other side must be told our wish, or the end it names, (again)."""
        if self.said == link:
            return False
        self.said = link
        return True

    def step(self, link: bytes, now: float) -> Step:
        """Decide with the last game's end as we remember it; a late record or note may still change his."""
        if self.peer == link:
            return Step.BEGIN
        lasting = now >= max(self.heard_at, self.steady_since) + AGAIN_WAIT_S
        return Step.DIFFERS if self.peer is not None and lasting else Step.WAIT
