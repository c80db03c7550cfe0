"""A line through a game, in characters: dots of braille, or signs of ASCII.

It owns where every dot goes; it does not know what the line is about, and uses no colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

LABELS: Final = {0.0: "100", 0.5: " 50", 1.0: "  0"}
"""What stands at the left, by how far down."""

MARGIN: Final = 4
"""Cells to the left of the line: a label and the axis."""

WIDTH_MIN: Final = MARGIN + 8
HEIGHT_MIN: Final = 4

_DOTS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bits of a braille cell, by column and row."""

_BRAILLE: Final = 0x2800


def chart(
    width: int,
    height: int,
    points: Sequence[float | None],
    marks: Mapping[int, str] = {},
    *,
    ascii: bool = False,  # noqa: A002
) -> tuple[str, ...]:
    """Draw points from 0 to 1 as a line, the first at the left edge and the last at the right one.

    Args:
        width: in cells, at least `WIDTH_MIN`.
        height: in lines, at least `HEIGHT_MIN`; the last one is the axis with the marks.
        points: one a moment; None where there is none: the line goes straight over it.
        marks: a sign for some of the points, by place; they are put on the axis, moved aside where two would meet.
        ascii: use nothing else.

    Returns:
        `height` lines of `width` cells at most.
    """
    width, rows = max(width, WIDTH_MIN) - MARGIN, max(height, HEIGHT_MIN) - 1
    fine = (1, 1) if ascii else (2, 4)
    levels = _levels(points, width * fine[0], rows * fine[1])
    cells = _ascii_cells(levels, width, rows) if ascii else _braille_cells(levels, width, rows)
    labels = {round(down * (rows - 1)): text for down, text in LABELS.items()}
    wall, floor, corner = ("|", "-", "+") if ascii else ("│", "─", "└")
    middle = round((rows - 1) / 2)
    lines = [
        labels.get(row, "   ") + wall + _line(cells[row], guide=("-" if ascii else "╌") if row == middle else " ")
        for row in range(rows)
    ]
    axis = _axis(len(points), marks, [floor] * width)
    return (*(line.rstrip() for line in lines), " " * (MARGIN - 1) + corner + axis)


def _levels(points: Sequence[float | None], columns: int, rows: int) -> list[tuple[int, int] | None]:
    """From where to where the line goes in each column, in rows from the top; None where there is no line yet."""
    known = [(_place(at, len(points), columns), point) for at, point in enumerate(points) if point is not None]
    levels: list[tuple[int, int] | None] = [None] * columns
    for (begin, first), (end, second) in pairwise(known if len(known) > 1 else known * 2):
        for column in range(begin, end + 1):
            part = (column - begin) / (end - begin) if end > begin else 1.0
            _reach(levels, column, _row(first + (second - first) * part, rows))
            if end == begin:
                _reach(levels, column, _row(first, rows))
    return _joined(levels)


def _reach(levels: list[tuple[int, int] | None], column: int, row: int) -> None:
    low, high = levels[column] or (row, row)
    levels[column] = min(low, row), max(high, row)


def _joined(levels: Sequence[tuple[int, int] | None]) -> list[tuple[int, int] | None]:
    """Every column drawn on to where the one before it ended, so that a steep line has no holes."""
    joined = list(levels)
    for column, (last, level) in enumerate(pairwise(levels), 1):
        if last is not None and level is not None:
            joined[column] = min(level[0], last[1] + 1), max(level[1], last[0] - 1)
    return joined


def _place(at: int, count: int, columns: int) -> int:
    """The column of a point."""
    return round(at * (columns - 1) / max(1, count - 1))


def _row(point: float, rows: int) -> int:
    return round((1 - min(max(point, 0.0), 1.0)) * (rows - 1))


def _braille_cells(levels: Sequence[tuple[int, int] | None], width: int, rows: int) -> list[list[str]]:
    bits = [[0] * width for _ in range(rows)]
    for column, level in enumerate(levels):
        for row in range(level[0], level[1] + 1) if level is not None else ():
            bits[row // 4][column // 2] |= _DOTS[column % 2][row % 4]
    return [[chr(_BRAILLE + cell) if cell else "" for cell in line] for line in bits]


def _ascii_cells(levels: Sequence[tuple[int, int] | None], width: int, rows: int) -> list[list[str]]:
    cells = [[""] * width for _ in range(rows)]
    for column, level in enumerate(levels):
        if level is not None:
            for row in range(level[0], level[1] + 1):
                cells[row][column] = "*" if level[0] == level[1] else ":"
    return cells


def _line(cells: Sequence[str], guide: str) -> str:
    return "".join(cell or guide for cell in cells)


def _axis(count: int, marks: Mapping[int, str], axis: list[str]) -> str:
    floor = axis[0]
    for at in sorted(marks):
        wanted = _place(at, count, len(axis))
        free = [place for place in range(len(axis)) if axis[place] == floor]
        if free:
            axis[min(free, key=lambda place: (abs(place - wanted), -place))] = marks[at]
    return "".join(axis)
