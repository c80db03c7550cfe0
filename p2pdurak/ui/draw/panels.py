"""A box over the table: help, proofs, a question, the end of a game.

It owns its size, its wrapping and how far it can be scrolled; it does not know what it says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from p2pdurak.ui.draw.canvas import Area, Press, Role, cells, fit
from p2pdurak.ui.draw.lines import clock_words, draw_hints, hints_width
from p2pdurak.ui.draw.screen import Clock, Hint, Panel, Tone
from p2pdurak.ui.draw.sentences import TONE_ROLES, Ink, signed, wrap

_TEXT_WIDTH_MAX: Final = 72
"""Longer lines are hard to read."""

_EDGES: Final = 4
"""Columns: an edge and a blank at both sides."""

_BESIDE_TITLE: Final = 18
"""Columns beside the title: an edge and blanks, the clock, and the key for more."""

# Words and not arrows: a `v` for the arrow down, in ASCII, would be the key that claims the win.
_MORE_ABOVE: Final = Hint("up", "Up", "more")
_MORE_BELOW: Final = Hint("down", "Down", "more")


@dataclass(frozen=True, slots=True)
class _Row:
    text: str
    tone: Tone


def panel_height(panel: Panel, width: int) -> int:
    """The rows that a panel needs to be seen as a whole."""
    return len(_rows(panel, _text_width(panel, width))) + _around(panel)


def draw_panel(area: Area, panel: Panel, clock: Clock | None, ink: Ink) -> None:
    """Draw a panel in the middle of its place; what lies below no longer answers to the mouse.

    The clock, which the panel may hide, goes on in its upper edge.
    """
    area.canvas.clear_hits()
    text_width = _text_width(panel, area.width)
    rows = _rows(panel, text_width)
    height = min(area.height, len(rows) + _around(panel) + (1 if panel.hints else 0))
    left = (area.width - text_width - _EDGES) // 2
    box = area.part(left, (area.height - height) // 2, text_width + _EDGES, height)
    # The blank row above the keys is there only where all lines have room.
    shown = min(len(rows), max(0, height - _around(panel)))
    area.canvas.scrollable = len(rows) - shown
    first = max(0, min(panel.scroll, len(rows) - shown))
    _draw_frame(box)
    end = _draw_time(box, clock)
    if first > 0:
        end = _draw_more(box, 0, end, _MORE_ABOVE)
    if first + shown < len(rows):
        _draw_more(box, height - 1, box.width - 2, _MORE_BELOW)
    box.put(2, 0, f" {fit(panel.title, end - _EDGES)} ", Role.PANEL_TITLE)
    if panel.hints:
        draw_hints(box.part(2, height - 2, text_width, 1), panel.hints, Role.PANEL)
    for y, row in enumerate(rows[first : first + shown], start=1):
        _draw_row(box.part(2, y, text_width, 1), row, ink)


def _draw_frame(box: Area) -> None:
    box.put(0, 0, f"╭{'─' * (box.width - 2)}╮", Role.PANEL, Role.FRAME)
    for y in range(1, box.height - 1):
        box.put(0, y, f"│{' ' * (box.width - 2)}│", Role.PANEL, Role.FRAME)
    box.put(0, box.height - 1, f"╰{'─' * (box.width - 2)}╯", Role.PANEL, Role.FRAME)


def _draw_time(box: Area, clock: Clock | None) -> int:
    """Write the seconds left into the right end of the upper edge; give the column before which there is room."""
    end = box.width - 2
    if clock is None:
        return end
    words, role = clock_words(clock)
    x = end - cells(words) - 2
    box.put(x, 0, f" {words} ", Role.PANEL, role)
    return x - 1


def _draw_more(box: Area, y: int, end: int, more: Hint) -> int:
    """Name the key that brings what does not fit; give the column before which there is room."""
    words = f" {more.label}: {more.text} "
    x = end - cells(words)
    box.put(x, y, words, Role.PANEL, Role.KEY)
    box.hit(x, y, cells(words), 1, Press(more.key))
    return x - 1


def _draw_row(area: Area, row: _Row, ink: Ink) -> None:
    role = TONE_ROLES[row.tone]
    if row.tone is Tone.CHAT:
        area.put(0, 0, row.text, Role.PANEL, role)
    else:
        ink.sentence(area, 0, 0, row.text, Role.PANEL, role)


def _rows(panel: Panel, width: int) -> list[_Row]:
    return [_Row(text, line.tone) for line in panel.lines for text in wrap(_signed(line.text, line.tone), width)]


def _signed(text: str, tone: Tone) -> str:
    """An empty line has no tone."""
    return signed(text, tone) if text else ""


def _text_width(panel: Panel, width: int) -> int:
    """As wide as its longest line, within reason."""
    wanted = [cells(_signed(line.text, line.tone)) for line in panel.lines]
    wanted += [cells(panel.title) + _BESIDE_TITLE, hints_width(panel.hints, 3), 30]
    return max(1, min(_TEXT_WIDTH_MAX, width - _EDGES - 2, max(wanted)))


def _around(panel: Panel) -> int:
    """Rows beside the lines: two edges, and the keys."""
    return 3 if panel.hints else 2
