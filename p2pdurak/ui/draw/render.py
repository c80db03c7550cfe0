"""The picture of a table: one frozen value in, a canvas of any size out.

It owns what is drawn at which size; it knows no terminal, no clock and no key's meaning.
"""

from __future__ import annotations

from p2pdurak.ui.draw.canvas import Area, Canvas, Role, cells
from p2pdurak.ui.draw.cards import EDGE_HEIGHT, draw_row
from p2pdurak.ui.draw.hand import MARGIN, draw_hand, text_rows
from p2pdurak.ui.draw.lines import (
    draw_header,
    draw_hints,
    draw_notice,
    draw_progress,
    draw_prompt,
    draw_said,
    draw_seat,
    said_alone,
)
from p2pdurak.ui.draw.log import draw_column, draw_log, draw_side_log
from p2pdurak.ui.draw.panels import draw_panel, panel_height
from p2pdurak.ui.draw.plan import HEIGHT_MIN, SIDE_LOG_X, WIDTH_MIN, Plan, plan
from p2pdurak.ui.draw.screen import Panel, Screen
from p2pdurak.ui.draw.sentences import Ink
from p2pdurak.ui.draw.table import draw_counts, draw_pairs_as_text, draw_table, pairs_x
from p2pdurak.ui.draw.themes import Theme

_GAP = 3
"""Columns between what a player is and what he says."""

_LOG_BELOW_PAIRS = 7
"""Rows between top and prompt from which on a narrow picture has room for the log there."""


def render(screen: Screen, width: int, height: int, theme: Theme) -> Canvas:
    """Draw a screen.

    Args:
        screen: what is to be seen.
        width: cells of a row.
        height: rows; below 40x12 only a sentence is drawn.
        theme: which characters are used; its looks are for whoever shows the canvas.
    """
    canvas = Canvas(width, height)
    layout = plan(width, height, replay=screen.progress is not None)
    if layout is None:
        sentence = f"needs {WIDTH_MIN}x{HEIGHT_MIN}, has {width}x{height}"
        Area(canvas, 0, 0, width, height).put(0, 0, sentence, Role.TEXT)
    else:
        left, top = (width - layout.width) // 2, (height - layout.height) // 2
        area = Area(canvas, left, top, layout.width, layout.height)
        _Picture(area, screen, layout, ascii=bool(theme.glyphs)).draw()
    canvas.translate(theme.glyphs)
    canvas.keep(theme.encoding)
    return canvas


class _Picture:
    """One screen on its way to one canvas."""

    def __init__(self, area: Area, screen: Screen, layout: Plan, *, ascii: bool) -> None:  # noqa: A002
        self._all = area
        self._play = area.part(0, 0, layout.play_width, area.height)
        self._screen = screen
        self._plan = layout
        self._ascii = ascii
        self._ink = Ink((screen.top.name, screen.bottom.name))

    def draw(self) -> None:
        if self._plan.header is not None:
            draw_header(self._all.row(self._plan.header), self._screen)
        self._draw_other()
        self._draw_log()
        if self._screen.panel is None:
            self._draw_middle()
            self._draw_own_hand()
        else:
            self._draw_under(self._screen.panel)
        draw_seat(self._play.row(self._plan.bottom), self._screen.bottom)
        self._draw_feet()

    def _draw_other(self) -> None:
        """The other player's line, his cards below it, and what he has just said."""
        layout, screen = self._plan, self._screen
        line = self._play.part(0, layout.top, layout.table_width, 1)
        said = screen.said if layout.said is None else ""
        seat = line.part(0, 0, line.width - (cells(said_alone(said)) + _GAP if said else 0), 1)
        end = draw_seat(seat, screen.top, trump=None if layout.framed else screen.trump)
        if layout.framed:
            cards = self._play.part(0, layout.top + 1, layout.table_width, EDGE_HEIGHT)
            draw_row(cards, MARGIN, 0, screen.top.cards, screen.trump)
        if layout.said is None:
            draw_said(line, end + _GAP, said, self._ink)
        else:
            draw_said(self._play.row(layout.said), pairs_x(layout.table_width), screen.said, self._ink)

    def _draw_log(self) -> None:
        layout = self._plan
        if layout.column:
            x = layout.play_width
            column = self._all.part(x, layout.top, layout.width - x, layout.hints - 1 - layout.top)
            draw_column(column, self._screen, self._ink)
        elif layout.side_log:
            height = layout.table + layout.table_height - layout.top - 1
            draw_side_log(self._all.part(SIDE_LOG_X, layout.top + 1, layout.width, height), self._screen)
        elif not layout.framed and layout.table_height >= _LOG_BELOW_PAIRS:
            place = self._all.part(MARGIN, layout.table + 3, layout.width - MARGIN - 1, layout.table_height - 4)
            draw_log(place, self._screen, self._ink)

    def _draw_middle(self) -> None:
        layout = self._plan
        place = self._play.part(0, layout.table, layout.table_width, layout.table_height)
        if layout.framed:
            draw_table(place, self._screen)
        else:
            draw_counts(self._play.row(layout.top + 1), self._screen)
            draw_pairs_as_text(place, self._screen)

    def _draw_own_hand(self) -> None:
        layout = self._plan
        draw_prompt(self._play.row(layout.prompt), self._screen)
        place = self._play.part(0, layout.hand, layout.play_width, layout.hand_height)
        draw_hand(place, self._screen, layout.card_height, framed=layout.framed)

    def _draw_under(self, panel: Panel) -> None:
        """A panel lies over the table; one that is too long for it takes the place of the hand as well."""
        layout = self._plan
        first = layout.top + 1 + (EDGE_HEIGHT if layout.framed else 0)
        place = self._play.part(0, first, layout.table_width, layout.prompt - first)
        if panel_height(panel, place.width) <= place.height:
            self._draw_own_hand()
        else:
            place = self._play.part(0, first, layout.table_width, layout.bottom - first)
        draw_panel(place, panel, self._screen.clock, self._ink, ascii=self._ascii)

    def _draw_feet(self) -> None:
        """What stands below the own player: notice, progress, keys."""
        layout, screen = self._plan, self._screen
        if screen.progress is not None:
            draw_progress(self._play.row(layout.progress), screen.progress, screen.bout)
        if layout.notice is not None:
            below = layout.hints if screen.progress is None else layout.progress
            rows = self._play.part(0, layout.notice, self._play.width, below - layout.notice)
            draw_notice(rows, screen, self._ink)
        else:
            self._draw_notice_elsewhere()
        draw_hints(self._all.part(1, layout.hints, layout.width - 2, 1), screen.hints)

    def _draw_notice_elsewhere(self) -> None:
        """Where no row is kept for a notice, it stands in the last row of the hand, or else over the own player."""
        layout, screen = self._plan, self._screen
        free = layout.framed or len(text_rows(screen, layout.play_width)) < layout.hand_height
        free = free and screen.panel is None
        if screen.entry is None and screen.notice is None and not free:
            return
        row = self._play.row(layout.bottom - 1 if free else layout.bottom)
        row.put(0, 0, " " * row.width)
        draw_notice(row, screen, self._ink)
