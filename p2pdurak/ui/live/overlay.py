"""What the player has laid over the table, and how far he has scrolled it.

It owns which panel lies there; it does not know what any panel says.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from p2pdurak.ui.draw.screen import Panel

_PAGE: Final = 8
_TAIL: Final = 10_000
"""More rows than any panel has: what is scrolled so far shows its end, also when something is added to it."""

_STEPS: Final = {"up": -1, "down": 1, "pageup": -_PAGE, "pagedown": _PAGE, "space": _PAGE}


TYPING_KEYS: Final = frozenset({"up", "down", "pageup", "pagedown"})
"""What scrolls while a line is typed, into which the other keys go."""


class Over(Enum):
    """What can be laid over the table of a game."""

    HELP = "help"
    PROOF = "proof"
    LEAVE = "leave"
    CLAIM = "claim"
    TROUBLE = "trouble"


_SHUTS: Final = {
    Over.HELP: {"escape", "enter", "q", "?", "f1"},
    Over.PROOF: {"escape", "enter", "q", "i"},
    Over.TROUBLE: {"escape"},
}
"""What closes a panel: also the key that opened it; but what came by itself is not closed by a key meant for play."""


class Scroll:
    """How far a panel is scrolled.

    Attributes:
        lines: that far.
    """

    def __init__(self) -> None:
        self.lines = 0
        self._most: int | None = None
        self._follows = False

    def reset(self, *, follows: bool = False) -> None:
        """Another panel lies there; where it `follows`, one that grows and is read from its end."""
        self.lines, self._most, self._follows = _TAIL if follows else 0, None, follows

    def limit(self, most: int) -> None:
        """The picture knows how many lines there are to scroll; it is told to us after it was drawn."""
        self._most = most
        if not self._follows or self.lines != _TAIL:
            self.lines = min(self.lines, most)

    def press(self, key: str, panel: Panel | None) -> bool:
        """Scroll a panel as a key says; False if the key does not scroll, or there is nothing to be scrolled."""
        if panel is None:
            return False
        # Before it was drawn: where the last line still shows, however narrow it is.
        most = 2 * len(panel.lines) if self._most is None else self._most
        wanted = {"home": 0, "end": most}.get(key)
        if key in _STEPS:
            wanted = min(self.lines, most) + _STEPS[key]
        if wanted is None:
            return False
        self.lines = _TAIL if self._follows and wanted >= most else min(max(0, wanted), most)
        return True


class Overlay:
    """The one thing that lies over the table, if any; its keys are the model's.

    Attributes:
        over: what lies there.
        scroll: how far it is scrolled.
    """

    def __init__(self) -> None:
        self.over: Over | None = None
        self.scroll = Scroll()
        self._claim_possible = False
        self._claim_waits = False

    def offer_claim(self, *, possible: bool, typing: bool) -> None:
        """Offer a claim once when it becomes possible, and take the offer back when it is not any more.

        It waits while a line of chat is typed, into which its keys would go, and while the player reads. Whoever asks
        for it before that is asked by the same panel.
        """
        asked = self.over is Over.CLAIM
        if asked and self._claim_possible and not possible:
            self.lay(None)
        self._claim_waits = possible and not asked and (self._claim_waits or not self._claim_possible)
        self._claim_possible = possible
        if self._claim_waits and not typing and self.over is None:
            self._claim_waits = False
            self.lay(Over.CLAIM)

    def shut(self, key: str) -> bool:
        """Take away what is only read, if the key says so; False if it does not."""
        if self.over is None or key not in _SHUTS.get(self.over, ()):
            return False
        self.lay(None)
        return True

    def lay(self, over: Over | None) -> None:
        """Lay something over the table, or take away what lies there."""
        self.over = over
        self.scroll.reset()
