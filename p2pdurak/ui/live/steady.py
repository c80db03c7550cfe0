"""Text whose width terminals disagree about, kept in its cells.

It owns which characters are in doubt and the sequences around them; it does not know what they say.

Letters with marks, scripts that join their letters, and pictographs take one number of cells here and another there.
Whatever stands to their right would be drawn beside its place, and stay there when it changes. So their cells are
blanked first, and the cursor is put behind them by its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from wcwidth import wcwidth

from p2pdurak.safe_text import cell_width

RAW: Final = "[ZeroWidthEscape]"
"""The library sends what has this style as it stands, and counts no cell for it."""

AGREED: Final = re.compile(
    "["
    " -~"  # ASCII
    "\u00a1-\u02af"  # Latin with its accents in one piece
    "\u0386-\u0482\u048a-\u052f"  # Greek and Cyrillic
    "\u0531-\u0556\u0561-\u0587"  # Armenian
    "\u05d0-\u05ea\u0621-\u063a\u0641-\u064a"  # Hebrew and Arabic letters
    "\u10d0-\u10ff"  # Georgian
    "\u2010-\u2027\u2190-\u21ff\u2500-\u25ff\u2660-\u2667\u2713"  # dashes, arrows, frames, suits: what we draw with
    "\u2800-\u28ff"  # braille, of which charts are made
    "\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3"  # kana, common ideographs, Hangul: two cells everywhere
    "]*"
)


def is_steady(text: str) -> bool:
    """Whether every terminal gives this text the same cells."""
    return AGREED.fullmatch(text) is not None


def steadied(style: str, text: str, x: int) -> Iterator[tuple[str, str]]:
    """A text from column `x` on, with what keeps its doubtful characters in their cells.

    Args:
        style: of the text.
        text: as it is drawn.
        x: the column of its first cell, from 0.
    """
    for cluster in clusters(text):
        width = sum(map(cell_width, cluster))
        if is_steady(cluster):
            yield style, cluster
        else:
            yield RAW, f"\x1b[{width}X"  # blank: a cell that the terminal leaves out keeps nothing old
            yield (
                style,
                cluster + " " * (width - sum(max(0, wcwidth(char)) for char in cluster)),
            )  # as the library counts
            yield RAW, f"\x1b[{x + width + 1}G"
        x += width


def clusters(text: str) -> Iterable[str]:
    """Characters with the marks that sit on them."""
    cluster = ""
    for char in text:
        if cluster and cell_width(char) > 0:
            yield cluster
            cluster = ""
        cluster += char
    if cluster:
        yield cluster
