"""Keys by their place on the keyboard, and what a key may ask for besides a command to the table.

It owns which letter of other layouts stands for which key of ours; it does not know what any key does.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from p2pdurak.analysis.report import Depth
from p2pdurak.events import Command
from p2pdurak.ui.commands import AskHint


class Local(Enum):
    """What a key asks of the program around the table."""

    REDRAW = "redraw"
    MOUSE = "mouse"
    """Listen to the mouse, or do so no more."""
    QUIT = "quit"
    """Leave the screen for good."""
    REPLAY = "replay"
    """Show the game that has just ended."""
    TABLE = "table"
    """Go back from that replay to the table."""
    NOW_LEAVE = "now_leave"
    """The second Ctrl-C: leave without asking again."""


@dataclass(frozen=True, slots=True)
class AskAnalysis:
    """Analyse the game that a replay shows."""

    depth: Depth


Wish = Command | AskHint | AskAnalysis | Local

_ROWS: Final = (
    ("qwertyuiop[]", "йцукенгшщзхъ"),
    ("asdfghjkl", "фывапролд"),
    ("zxcvbnm", "ячсмить"),
    ("s]", "ії"),  # Ukrainian, where it differs from Russian
    ("qwertyuiop[]", "ضصثقفغعهخحجد"),
    ("asdfghjkl", "شسيبلاتنم"),
    ("zxcvnm/", "ئءؤرىةظ"),  # the Arabic key of `b` types two letters, which we cannot tell from their own keys
    ("?", "؟"),
    ("0123456789", "٠١٢٣٤٥٦٧٨٩"),
    ("0123456789", "۰۱۲۳۴۵۶۷۸۹"),
    ("/?", ".,"),  # the slash key of Cyrillic layouts; neither character is a key of ours
)

_LATIN: Final = {theirs: ours for row, other in _ROWS for ours, theirs in zip(row, other, strict=True)}


def mouse_sentence(*, mouse: bool) -> str:
    """Say who listens to the mouse now."""
    return f"The mouse is the {'table' if mouse else 'terminal'}'s now."


def latin(char: str) -> str:
    """The key of a character under a Latin layout: by its place on the keyboard, in lower case.

    Args:
        char: one character as typed; what is Latin already, or belongs to no known layout, keeps its place.
    """
    small = char.casefold()
    return _LATIN.get(small, small if len(small) == 1 else char)
