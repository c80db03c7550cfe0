"""Where the parts of a picture lie, for every size.

It owns the three layouts and how spare rows are spent; it does not know what is drawn in a part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIDTH_MIN, HEIGHT_MIN = 40, 12
"""Below this nothing but a sentence is drawn."""

WIDTH_MAX, HEIGHT_MAX = 110, 32
"""Eyes have to travel between opponent and hand: what a terminal has beyond this stays empty."""

_CARDS_WIDTH, _CARDS_HEIGHT = 58, 20
"""From here on cards are drawn with frames."""

_TALL = 24
"""From here on hand and table keep rows of air, and nothing shares a row."""

_SIDE_LOG_WIDTH = 80
_COLUMN_WIDTH = 100
_PLAY_WIDTH = 75
"""What is left beside a log column: six pairs, and twelve cards side by side."""

SIDE_LOG_X: Final = 65
"""Where the short log begins: right of six pairs."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Rows of the parts, counted from the top of the picture.

    Attributes:
        width: of the picture.
        height: of the picture.
        framed: cards are drawn with frames, else as text.
        header: title, bout and line; None where a replay needs the row.
        top: the other player's line; his cards lie below it.
        said: what he has just said; None: on his own line.
        table: first row of the pairs.
        table_height: rows of the pairs.
        prompt: the prompt's row.
        hand: first row of the hand, the row into which a card is raised.
        card_height: rows of one card in the hand.
        bottom: the own player's line.
        notice: notice, chat entry or last moves; None: wherever the hand leaves a row.
        progress: where a replay stands.
        hints: the keys.
    """

    width: int
    height: int
    framed: bool
    header: int | None
    top: int
    said: int | None
    table: int
    table_height: int
    prompt: int
    hand: int
    card_height: int
    bottom: int
    notice: int | None
    progress: int
    hints: int

    @property
    def column(self) -> bool:
        """Whether a log column with whole sentences stands right of everything."""
        return self.framed and self.width >= _COLUMN_WIDTH

    @property
    def side_log(self) -> bool:
        """Whether a short log stands right of the pairs."""
        return self.framed and _SIDE_LOG_WIDTH <= self.width < _COLUMN_WIDTH

    @property
    def play_width(self) -> int:
        """The columns of everything but the log column."""
        return _PLAY_WIDTH if self.column else self.width

    @property
    def table_width(self) -> int:
        """The columns of table and opponent, beside which a log may stand."""
        return SIDE_LOG_X - 1 if self.side_log else self.play_width

    @property
    def hand_height(self) -> int:
        """The rows of the hand, the one for the mark below a raised card included."""
        return self.bottom - self.hand


def plan(width: int, height: int, *, replay: bool) -> Plan | None:
    """Lay a picture out.

    Args:
        width: of the terminal.
        height: of the terminal.
        replay: a progress bar needs a row.

    Returns:
        The plan of a picture that is at most as large as the terminal; None where it is too small for any.
    """
    width, height = min(width, WIDTH_MAX), min(height, HEIGHT_MAX)
    if width < WIDTH_MIN or height < HEIGHT_MIN:
        return None
    if width < _CARDS_WIDTH or height < _CARDS_HEIGHT:
        return _compact(width, height, replay=replay)
    return _tall(width, height) if height >= _TALL else _medium(width, height, replay=replay)


def _tall(width: int, height: int) -> Plan:
    """Twenty-four rows hold everything; each row more is air, first around the table."""
    after_header, before_table, after_table, before_hints = _spend(height - _TALL, (2, 1, 0, 3, 2, 1, 2, 1), 4)
    top = 1 + after_header
    table = top + 4 + before_table
    prompt = table + 7 + after_table
    bottom = prompt + 8
    return Plan(
        width,
        height,
        framed=True,
        header=0,
        top=top,
        said=table - 1,
        table=table,
        table_height=6,
        prompt=prompt,
        hand=prompt + 1,
        card_height=5,
        bottom=bottom,
        notice=bottom + 1,
        progress=bottom + 2,
        hints=bottom + 3 + before_hints,
    )


def _medium(width: int, height: int, *, replay: bool) -> Plan:
    """Twenty rows: cards of the hand lose a row, and a replay's progress stands where the last moves are."""
    after_table, before_table, taller = _spend(height - _CARDS_HEIGHT, (0, 1, 2), 3)
    table = 4 + before_table
    prompt = table + 6 + after_table
    bottom = prompt + 7 + taller
    return Plan(
        width,
        height,
        framed=True,
        header=0,
        top=1,
        said=table - 1 if before_table else None,
        table=table,
        table_height=6,
        prompt=prompt,
        hand=prompt + 1,
        card_height=4 + taller,
        bottom=bottom,
        notice=None if replay else bottom + 1,
        progress=bottom + 1,
        hints=bottom + 2,
    )


def _compact(width: int, height: int, *, replay: bool) -> Plan:
    """Twelve rows: last moves share their row with the hand, and the progress of a replay takes the header's."""
    spare = height - HEIGHT_MIN
    headless = replay and not spare
    feet = 1 if headless else min(spare, 2 if replay else 1)
    after_prompt, after_top, middle = _spend(max(0, spare - feet), (2, 0, 1), 3)
    top = 0 if headless else 1
    table = top + 2 + after_top
    prompt = table + 2 + middle
    hand = prompt + 1 + after_prompt
    bottom = hand + 4
    return Plan(
        width,
        height,
        framed=False,
        header=None if headless else 0,
        top=top,
        said=None,
        table=table,
        table_height=prompt - table,
        prompt=prompt,
        hand=hand,
        card_height=1,
        bottom=bottom,
        notice=bottom + 1 if feet > replay else None,
        progress=height - 2,
        hints=height - 1,
    )


def _spend(spare: int, order: tuple[int, ...], gaps: int) -> list[int]:
    """Give spare rows to gaps in an order; the last one takes what is left over."""
    rows = [0] * gaps
    for gap in order[:spare]:
        rows[gap] += 1
    rows[-1] += max(0, spare - len(order))
    return rows
