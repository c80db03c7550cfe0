"""A grid of cells: text with roles, and places that answer to the mouse.

It owns clipping and the width of characters; it does not know what is drawn, nor any colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Final

from p2pdurak.rules.cards import Card
from p2pdurak.safe_text import cell_width


class Role(Enum):
    """What a piece of text is for; a theme gives each role its look."""

    TEXT = "text"
    DIM = "dim"
    TITLE = "title"
    NAME = "name"
    TURN = "turn"
    PROMPT = "prompt"
    ALARM = "alarm"
    GOOD = "good"
    NOTICE = "notice"
    KEY = "key"
    HINT = "hint"
    FRAME = "frame"
    BLOCKED = "blocked"
    FOCUS = "focus"
    TRUMP = "trump"
    BACK = "back"
    CLUBS = "clubs"
    DIAMONDS = "diamonds"
    HEARTS = "hearts"
    SPADES = "spades"
    SEAL = "seal"
    UP = "up"
    SLOW = "slow"
    DOWN = "down"
    CLOCK = "clock"
    CLOCK_LOW = "clock_low"
    CLOCK_EMPTY = "clock_empty"
    LOG = "log"
    AUTO = "auto"
    CHAT = "chat"
    ENTRY = "entry"
    PANEL = "panel"
    PANEL_TITLE = "panel_title"
    PROGRESS = "progress"
    PROGRESS_MARK = "progress_mark"
    PROGRESS_EMPTY = "progress_empty"


Roles = tuple[Role, ...]
"""Roles of one cell; the look of a later one goes over that of an earlier one."""


@dataclass(frozen=True, slots=True)
class Press:
    """A place that stands for a key."""

    key: str


@dataclass(frozen=True, slots=True)
class Touch:
    """A place that is a card of the own hand."""

    card: Card


@dataclass(frozen=True, slots=True)
class Jump:
    """A place on the progress bar of a replay that stands for a number of moves."""

    moves: int


Target = Press | Touch | Jump


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring cells of one row with the same roles."""

    text: str
    roles: Roles


@dataclass(frozen=True, slots=True)
class Hit:
    """A rectangle of cells that answers to the mouse."""

    x: int
    y: int
    width: int
    height: int
    target: Target

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell lies in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


_BLANK: Final[tuple[str, Roles]] = (" ", ())
_REST: Final = ""
"""The text of a cell that is covered by the wide character before it."""

_UNKNOWN: Final = "?"


class Canvas:
    """`width` x `height` cells. What does not fit is cut off; nothing that is put on it can leave its row.

    Attributes:
        width: cells of a row.
        height: rows.
        scrollable: how many lines further the panel on it can be scrolled than not at all.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.scrollable = 0
        self._rows: list[list[tuple[str, Roles]]] = [[_BLANK] * width for _ in range(height)]
        self._hits: list[Hit] = []

    def put(self, x: int, y: int, text: str, *roles: Role) -> int:
        """Write text from a cell on, over what is there.

        Args:
            x: the column of its first cell.
            y: the row; outside the canvas nothing is written.
            text: without control characters. Wide characters take two cells, marks go on the cell before them.
            roles: of every cell of it.

        Returns:
            The column after its last cell, also where that lies outside.
        """
        for char in text:
            width = cell_width(char)
            if width > 0:
                self._set(x, y, char, width, roles)
                x += width
            elif char.isprintable():
                self._join(x - 1, y, char)
        return x

    def hit(self, x: int, y: int, width: int, height: int, target: Target) -> None:
        """Let a rectangle answer to the mouse; a later one lies over an earlier one."""
        self._hits.append(Hit(x, y, width, height, target))

    def clear_hits(self) -> None:
        """Let nothing drawn so far answer to the mouse: something lies over all of it."""
        self._hits.clear()

    def at(self, x: int, y: int) -> Target | None:
        """What answers to the mouse at a cell."""
        return next((hit.target for hit in reversed(self._hits) if hit.holds(x, y)), None)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Every place that answers to the mouse, the uppermost last."""
        return tuple(self._hits)

    def runs(self, y: int) -> Iterator[Run]:
        """The runs of a row, from left to right; together they take exactly `width` cells."""
        for roles, cells in groupby(self._rows[y], key=lambda cell: cell[1]):
            yield Run("".join(text for text, _ in cells), roles)

    def line(self, y: int) -> str:
        """The text of a row, without the blanks at its end."""
        return "".join(text for text, _ in self._rows[y]).rstrip()

    def text(self) -> str:
        """All rows as text, a line each."""
        return "\n".join(self.line(y) for y in range(self.height))

    def roles(self, x: int, y: int) -> Roles:
        """The roles of a cell."""
        return self._rows[y][x][1]

    def translate(self, table: dict[int, str]) -> None:
        """Write characters as others of one cell, as `str.translate` does."""
        self._rows = [[(text.translate(table), roles) for text, roles in row] for row in self._rows]

    def keep(self, encoding: str) -> None:
        """Replace what an encoding has no bytes for: a letter loses its marks or becomes `?`, one for each cell.

        Whoever writes the canvas would replace it too, but a wide character by one cell, and what is right of it moves.
        """
        for row in self._rows:
            if _has_bytes("".join(text for text, _ in row), encoding):
                continue
            for x, (text, roles) in enumerate(row):
                if not _has_bytes(text, encoding):
                    row[x] = (_without_marks(text, encoding), roles)
                    if x + 1 < self.width and row[x + 1][0] == _REST and row[x][0] == _UNKNOWN:
                        row[x + 1] = (_UNKNOWN, roles)

    def _set(self, x: int, y: int, char: str, cells: int, roles: Roles) -> None:
        if not (0 <= y < self.height and x >= 0 and x + cells <= self.width):
            return
        row = self._rows[y]
        self._uncover(row, x)
        if cells == 2:
            self._uncover(row, x + 1)
            row[x + 1] = (_REST, roles)
        row[x] = (char, roles)

    def _uncover(self, row: list[tuple[str, Roles]], x: int) -> None:
        """Half of a wide character cannot stay."""
        if row[x][0] == _REST:
            row[x - 1] = (" ", row[x - 1][1])
        if x + 1 < self.width and row[x + 1][0] == _REST:
            row[x + 1] = (" ", row[x + 1][1])

    def _join(self, x: int, y: int, mark: str) -> None:
        if not (0 <= y < self.height and 0 <= x < self.width):
            return
        row = self._rows[y]
        at = x - 1 if row[x][0] == _REST else x
        row[at] = (row[at][0] + mark, row[at][1])


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of a canvas with its own count of columns and rows; what is drawn in it stays in it."""

    canvas: Canvas
    x: int
    y: int
    width: int
    height: int

    def put(self, x: int, y: int, text: str, *roles: Role) -> int:
        """Write text from a cell on, cut with an ellipsis at the right edge; give the column after it."""
        if not 0 <= y < self.height:
            return x
        return self.canvas.put(self.x + x, self.y + y, fit(text, self.width - x), *roles) - self.x

    def hit(self, x: int, y: int, width: int, height: int, target: Target) -> None:
        """Let the part of a rectangle that lies inside answer to the mouse."""
        left, top = max(0, x), max(0, y)
        wide, high = min(self.width, x + width) - left, min(self.height, y + height) - top
        if wide > 0 and high > 0:
            self.canvas.hit(self.x + left, self.y + top, wide, high, target)

    def part(self, x: int, y: int, width: int, height: int) -> Area:
        """A rectangle of this one, as much of it as lies inside."""
        left, top = min(max(0, x), self.width), min(max(0, y), self.height)
        wide, high = min(self.width, x + width) - left, min(self.height, y + height) - top
        return Area(self.canvas, self.x + left, self.y + top, max(0, wide), max(0, high))

    def row(self, y: int) -> Area:
        """One row of it."""
        return self.part(0, y, self.width, 1)


def cells(text: str) -> int:
    """How many cells a text takes; control characters, which are never drawn, take none."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(cell_width, text))


def fit(text: str, width: int) -> str:
    """Cut a text to a number of cells, with an ellipsis where something is lost."""
    if cells(text) <= width:
        return text
    kept, taken = "", 0
    for char in text:
        taken += cell_width(char)
        if taken > width - 1:
            break
        kept += char
    return f"{kept}…" if width > 0 else ""


def _has_bytes(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _without_marks(text: str, encoding: str) -> str:
    """The letter of a cell alone, where that can be written."""
    return text[0] if _has_bytes(text[0], encoding) else _UNKNOWN
