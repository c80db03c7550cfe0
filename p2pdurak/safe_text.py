"""Text from strangers, made safe for any terminal, file or page.

It owns which characters may be shown; it does not know what any text means.
"""

from __future__ import annotations

import unicodedata
from typing import Final, NewType

from wcwidth import wcwidth

SafeText = NewType("SafeText", str)

NAME_CELLS_MAX: Final = 24
"""A name fits beside the card count in the narrowest layout (40 columns)."""

CHAT_CELLS_MAX: Final = 200
"""A chat line wraps at most five times on 40 columns."""

NAMELESS: Final = SafeText("no name")
"""Shown for a name of which nothing visible is left."""

MARKS_MAX: Final = 2
"""Real scripts stack two marks on a letter; long stacks cover the lines above and below."""

_DROPPED_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

_INVISIBLE: Final = frozenset(
    map(
        chr,
        (
            *(0x115F, 0x1160, 0x3164, 0xFFA0),  # Hangul fillers
            *(0x2800, 0x034F, 0x17B4, 0x17B5),  # empty braille cell, grapheme joiner, Khmer inherent vowels
            *(0x180B, 0x180C, 0x180D, 0x180F),  # Mongolian variation selectors
            *range(0xFE00, 0xFE10),  # variation selectors: terminals disagree about the width they give
            *range(0xE0100, 0xE01F0),
            0x20E3,  # the box around a keycap, and below letters of flags and tones of skin: joined with what stands
            *range(0x1F1E6, 0x1F200),  # before them on some terminals and not on others, so that every cell to their
            *range(0x1F3FB, 0x1F400),  # right would be drawn beside its place
        ),
    )
)


def clean(text: str, cells_max: int) -> SafeText:
    """Make text from outside safe to show on one line of any terminal.

    Control, format, private, unassigned and invisible characters are dropped, what is left is put into NFC with at
    most two marks a base, and the end is cut at a whole character. It is for display only: what is hashed or signed
    is never cleaned.

    Args:
        text: anything, lone surrogates included; the caller has bounded its length.
        cells_max: the most terminal cells that the result may take.
    """
    kept = "".join(char for char in text if _may_be_shown(char))
    if kept.isascii():
        return SafeText(kept[:cells_max])
    return SafeText(_cut(unicodedata.normalize("NFC", kept), cells_max))


def clean_name(text: str) -> SafeText:
    """Clean a player's name to at most 24 cells; spaces are joined, and a name is never empty."""
    return SafeText(clean(" ".join(clean(text, len(text) * 2).split()), NAME_CELLS_MAX).strip() or NAMELESS)


def clean_chat(text: str) -> SafeText:
    """Clean a chat line to at most 200 cells; it may turn out empty."""
    return SafeText(clean(text.strip(), CHAT_CELLS_MAX).strip())


def _may_be_shown(char: str) -> bool:
    return unicodedata.category(char) not in _DROPPED_CATEGORIES and char not in _INVISIBLE


def _cut(text: str, cells_max: int) -> str:
    """Keep whole characters, each a base with its marks, while they fit; a mark without a base is dropped."""
    shown: list[str] = []
    cells = 0
    marks = MARKS_MAX  # nothing to sit on yet
    for char in text:
        is_mark = _is_mark(char)
        if is_mark and marks == MARKS_MAX:
            continue
        cells += cell_width(char)
        if cells > cells_max:
            break
        marks = marks + 1 if is_mark else 0
        shown.append(char)
    return "".join(shown)


def cell_width(char: str) -> int:
    """How many cells a character takes; 0 for a mark that sits on the one before it, and for what is never shown."""
    if unicodedata.category(char) == "Mc":
        return 1  # some terminals give a spacing mark a cell
    return max(0, wcwidth(char))


def _is_mark(char: str) -> bool:
    """Tell whether `char` joins the one before it; the zero-width letters of old Hangul do, and could pile up."""
    return unicodedata.category(char).startswith("M") or wcwidth(char) == 0
