"""Draws the pictures of the README with the renderer of the game: docs/pictures/*.svg. `--check` says which are stale.

It owns how cells become SVG, so that any monospace font will do; it does not know what is drawn in a cell.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from p2pdurak.ui.draw.canvas import Canvas, Roles
from p2pdurak.ui.draw.render import render
from p2pdurak.ui.draw.screen import Screen
from p2pdurak.ui.draw.themes import Depth, Look, Theme, make_theme

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "docs" / "pictures"

WIDTH, HEIGHT, PADDING = 9, 18, 16
"""Of a cell, and around all of them."""

BASELINE: Final = 13.5
FONT: Final = 'font-family="\'DejaVu Sans Mono\',Menlo,Consolas,monospace" font-size="15"'

LINES: Final = {
    "─": ["M0 9h9"],
    "│": ["M4.5 0v18"],
    "╭": ["M9 9h-.5q-4 0 -4 4v5"],
    "╮": ["M0 9h.5q4 0 4 4v5"],
    "╰": ["M4.5 0v5q0 4 4 4h.5"],
    "╯": ["M4.5 0v5q0 4 -4 4h-.5"],
    "┴": ["M0 9h9", "M4.5 0v9"],
    "═": ["M0 7h9", "M0 10h9"],
    "╒": ["M4.5 18v-11h4.5", "M4.5 10h4.5"],
    "╕": ["M4.5 18v-11h-4.5", "M4.5 10h-4.5"],
    "╌": ["M1 9h2.5", "M5.5 9h2.5"],
    "┆": ["M4.5 1.5v3", "M4.5 7.5v3", "M4.5 13.5v3"],
}
"""Frames are lines, not letters: no font draws them alike, and few without gaps."""

BAR: Final = "━"
SHADE: Final = "░"
BLOCK: Final = "█"


@dataclass(frozen=True, slots=True)
class Picture:
    """One file: what it says to who cannot see it, and what is drawn."""

    title: str
    screen: Screen
    width: int
    height: int
    theme: str


def pictures() -> dict[str, Picture]:
    """Every picture by the name of its file; the screens are those that the tests draw."""
    sys.path.append(str(ROOT))
    from tests.ui.draw import demo

    return {
        "table": Picture("The table: a bout, the own hand, and the last moves", demo.DEFENCE, 80, 24, "dark"),
        "pile-on": Picture("The table on a light ground, with a log", demo.PILE_ON, 110, 30, "light"),
        "small": Picture("The same game in 60 columns and 20 rows", demo.PILE_ON, 60, 20, "dark"),
        "end": Picture("The end of a game, and what is proven of it", demo.END, 80, 24, "dark"),
        "replay": Picture("A saved game step by step, with both hands", demo.REPLAY, 80, 24, "dark"),
    }


def draw(picture: Picture) -> str:
    """The text of an SVG file."""
    theme = make_theme(picture.theme, depth=Depth.TRUE)
    canvas = render(picture.screen, picture.width, picture.height, theme)
    width, height = picture.width * WIDTH + 2 * PADDING, picture.height * HEIGHT + 2 * PADDING
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(picture.title)}</title>",
            f'<rect width="{width}" height="{height}" rx="10" fill="{theme.ground.bg}"/>',
            f'<g transform="translate({PADDING} {PADDING})" {FONT}>',
            *_grounds(canvas, theme),
            *_lines(canvas, theme),
            *_letters(canvas, theme),
            "</g>",
            "</svg>",
            "",
        ]
    )


@dataclass(frozen=True, slots=True)
class _Cell:
    x: int
    y: int
    text: str
    look: Look


def _cells(canvas: Canvas, theme: Theme) -> Iterator[_Cell]:
    looks: dict[Roles, Look] = {}
    for y in range(canvas.height):
        x = 0
        for run in canvas.runs(y):
            look = looks.setdefault(run.roles, theme.look(run.roles))
            for char in run.text:
                yield _Cell(x, y, char, look)
                x += 1


def _grounds(canvas: Canvas, theme: Theme) -> Iterator[str]:
    """What is not the picture's own ground, a rectangle for each stretch of a row."""
    for (y, ground), stretch in groupby(_cells(canvas, theme), key=lambda cell: (cell.y, cell.look.bg)):
        cells = list(stretch)
        if ground != theme.ground.bg:
            x, width = cells[0].x * WIDTH, len(cells) * WIDTH
            yield f'<rect x="{x}" y="{y * HEIGHT}" width="{width}" height="{HEIGHT}" fill="{ground}"/>'


def _lines(canvas: Canvas, theme: Theme) -> Iterator[str]:
    """Frames, bars and backs: one path for each colour."""
    thin: dict[str, list[str]] = {}
    thick: dict[str, list[str]] = {}
    shade: dict[str, list[str]] = {}
    for cell in _cells(canvas, theme):
        left, top = cell.x * WIDTH, cell.y * HEIGHT
        if cell.text in LINES:
            thin.setdefault(cell.look.fg, []).extend(_moved(line, left, top) for line in LINES[cell.text])
        elif cell.text == BAR:
            thick.setdefault(cell.look.fg, []).append(f"M{left} {top + 9}h9")
        elif cell.text in {SHADE, BLOCK}:
            shade.setdefault(cell.look.fg, []).append(f"M{left} {top}h9v18h-9z")
    for colour, parts in shade.items():
        yield f'<path fill="{colour}" fill-opacity=".3" d="{"".join(parts)}"/>'
    for colour, parts in thin.items():
        yield f'<path fill="none" stroke="{colour}" stroke-width="1.2" d="{"".join(parts)}"/>'
    for colour, parts in thick.items():
        yield f'<path fill="none" stroke="{colour}" stroke-width="3" d="{"".join(parts)}"/>'


def _moved(line: str, left: int, top: int) -> str:
    """A path begins at an absolute place, and all the rest of it is relative to that."""
    start, command, rest = next(
        (line[1:at], line[at], line[at + 1 :]) for at in range(1, len(line)) if line[at].isalpha()
    )
    x, y = start.split()
    return f"M{left + float(x):g} {top + float(y):g}{command}{rest}"


def _letters(canvas: Canvas, theme: Theme) -> Iterator[str]:
    """Every letter is told its place: fonts differ in their widths, and signs may come from yet another font."""
    drawn = {*LINES, BAR, SHADE, BLOCK, " "}
    for (y, look), stretch in groupby(_cells(canvas, theme), key=lambda cell: (cell.y, cell.look)):
        cells = [cell for cell in stretch if cell.text not in drawn]
        if cells:
            places = " ".join(f"{cell.x * WIDTH}" for cell in cells)
            words = escape("".join(cell.text for cell in cells))
            weight = (' font-weight="bold"' if look.bold else "") + (' font-style="italic"' if look.italic else "")
            yield f'<text x="{places}" y="{y * HEIGHT + BASELINE:g}" fill="{look.fg}"{weight}>{words}</text>'


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, or check; give the exit code."""
    parser = argparse.ArgumentParser(description="Draw the pictures of the README.")
    parser.add_argument("--check", action="store_true", help="only say which pictures are not as they would be drawn")
    check = parser.parse_args(arguments).check
    drawn = {FOLDER / f"{name}.svg": draw(picture) for name, picture in pictures().items()}
    there = set(FOLDER.glob("*.svg"))
    stale = [file for file, text in drawn.items() if file not in there or file.read_text("utf-8") != text]
    stale += sorted(there - set(drawn))
    if check and stale:
        names = ", ".join(file.name for file in stale)
        print(f"Stale in docs/pictures: {names}. Draw them anew with scripts/pictures.py.", file=sys.stderr)
        return 1
    if not check:
        FOLDER.mkdir(parents=True, exist_ok=True)
        for file in stale:
            file.unlink(missing_ok=True)
        for file, text in drawn.items():
            file.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
