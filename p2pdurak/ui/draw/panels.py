"""A box over the table: help, proofs, a question, the end of a game.

It owns its size, its wrapping and how far it can be scrolled; it does not know what it says.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Final

from p2pdurak.analysis.chart import HEIGHT_MIN, MARGIN, chart
from p2pdurak.ui.draw.canvas import Area, Jump, Press, Role, cells, fit
from p2pdurak.ui.draw.lines import clock_words, draw_hints, hints_width
from p2pdurak.ui.draw.screen import Chart, Clock, Hint, Panel, Tone
from p2pdurak.ui.draw.sentences import TONE_ROLES, Ink, signed, wrap

_TEXT_WIDTH_MAX: Final = 72
"""Longer lines are hard to read."""

_EDGES: Final = 4
"""Columns: an edge and a blank at both sides."""

_BESIDE_TITLE: Final = 18
"""Columns beside the title: an edge and blanks, the clock, and the key for more."""

_CHART_HEIGHT_MAX: Final = 9
"""Rows of a chart; a higher one says no more, and pushes the lines below it out of sight."""

_HERE: Final = "▴"
"""On the axis of a chart: the move that the table shows, where no sign stands."""

_CHART_GROUND: Final = "╌─-"
"""What a chart is drawn on."""

# Words and not arrows: a `v` for the arrow down, in ASCII, would be the key that claims the win.
_MORE_ABOVE: Final = Hint("up", "Up", "more")
_MORE_BELOW: Final = Hint("down", "Down", "more")


@dataclass(frozen=True, slots=True)
class _Row:
    text: str
    tone: Tone
    chart: Chart | None = None
    last: bool = False


def panel_height(panel: Panel, width: int) -> int:
    """The rows that a panel needs to be seen as a whole."""
    rows = len(_rows(panel, _text_width(panel, width))) + _around(panel)
    return rows if panel.chart is None else rows + _CHART_HEIGHT_MAX


def draw_panel(area: Area, panel: Panel, clock: Clock | None, ink: Ink, *, ascii: bool = False) -> None:  # noqa: A002
    """Draw a panel in the middle of its place; what lies below no longer answers to the mouse.

    The clock, which the panel may hide, goes on in its upper edge. With `ascii` a chart is drawn in such signs.
    """
    area.canvas.clear_hits()
    text_width = _text_width(panel, area.width)
    rows = _rows(panel, text_width)
    if panel.chart is not None:
        rows = _chart_rows(panel.chart, text_width, area.height - _around(panel), ascii=ascii) + rows
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
        place = box.part(2, y, text_width, 1)
        if row.chart is None:
            _draw_row(place, row, ink)
        else:
            _draw_chart_row(place, row.text, row.chart, last=row.last)


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


def _chart_rows(line: Chart, width: int, height: int, *, ascii: bool) -> list[_Row]:  # noqa: A002
    """The rows of a chart in a panel that has so many rows for everything."""
    high = min(_CHART_HEIGHT_MAX, max(HEIGHT_MIN, height // 2))
    drawn = chart(width, high, line.points, {line.at: _HERE, **dict(line.signs)}, ascii=ascii)
    return [_Row(text, Tone.PLAIN, line, text is drawn[-1]) for text in drawn]


def _draw_chart_row(area: Area, text: str, line: Chart, *, last: bool) -> None:
    """Draw a row of a chart, every column of which leads to its place in the game."""
    x = area.put(0, 0, text[:MARGIN], Role.PANEL, Role.DIM)
    strong = Role.KEY if last else Role.PROGRESS
    for ground, part in groupby(text[MARGIN:], lambda char: char in _CHART_GROUND or char == " "):
        x = area.put(x, 0, "".join(part), Role.PANEL, Role.DIM if ground else strong)
    columns = area.width - MARGIN
    for column in range(columns):
        moves = round(column * (len(line.points) - 1) / max(1, columns - 1))
        area.hit(MARGIN + column, 0, 1, 1, Jump(moves))


def _rows(panel: Panel, width: int) -> list[_Row]:
    return [_Row(text, line.tone) for line in panel.lines for text in wrap(_signed(line.text, line.tone), width)]


def _signed(text: str, tone: Tone) -> str:
    """An empty line has no tone."""
    return signed(text, tone) if text else ""


def _text_width(panel: Panel, width: int) -> int:
    """As wide as its longest line, within reason."""
    wanted = [cells(_signed(line.text, line.tone)) for line in panel.lines]
    wanted += [cells(panel.title) + _BESIDE_TITLE, hints_width(panel.hints, 3), 30]
    wanted += [] if panel.chart is None else [_TEXT_WIDTH_MAX]
    return max(1, min(_TEXT_WIDTH_MAX, width - _EDGES - 2, max(wanted)))


def _around(panel: Panel) -> int:
    """Rows beside the lines: two edges, and the keys."""
    return 3 if panel.hints else 2
