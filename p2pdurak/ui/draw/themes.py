"""How roles look: colours, weights, and the characters of the frames.

It owns every colour of the full screen; it does not know where anything is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import reduce
from typing import Final

from p2pdurak.ui.draw.canvas import Role


class Depth(IntEnum):
    """How many bits of colour a terminal shows."""

    MONO = 1
    ANSI = 4
    INDEXED = 8
    TRUE = 24


@dataclass(frozen=True, slots=True)
class Look:
    """How text looks.

    Attributes:
        fg: `""` for the terminal's own, `ansired` and the like for one of the 16 colours, or `#rrggbb`.
        bg: the same for the background.
        bold: and the others: weights, which a theme without colour lives on.
    """

    fg: str = ""
    bg: str = ""
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    reverse: bool = False

    def under(self, other: Look) -> Look:
        """The look of text that has this one and then `other` over it: its colours win, weights add up."""
        return Look(
            other.fg or self.fg,
            other.bg or self.bg,
            self.bold or other.bold,
            self.dim or other.dim,
            self.italic or other.italic,
            self.underline or other.underline,
            self.reverse or other.reverse,
        )


@dataclass(frozen=True, slots=True)
class Theme:
    """Looks and characters.

    Attributes:
        name: as it is chosen.
        looks: of roles; a role without one looks like the text around it.
        glyphs: characters that are written as others, as `str.translate` takes them; empty for Unicode.
        depth: the colours that the looks are made for.
        ground: the look of every cell before its roles.
        encoding: of whoever writes the canvas; what it has no bytes for is replaced, each in its own cells.
    """

    name: str
    looks: Mapping[Role, Look]
    glyphs: dict[int, str]
    depth: Depth
    ground: Look = Look()
    encoding: str = "utf-8"

    def look(self, roles: Iterable[Role]) -> Look:
        """The look of a cell: the looks of its roles, each over those before it."""
        return reduce(Look.under, (self.looks.get(role, _NONE) for role in roles), self.ground)


THEMES: Final = ("terminal", "dark", "light", "mono")


def make_theme(
    name: str,
    *,
    suits: int = 4,
    ascii: bool = False,  # noqa: A002
    depth: Depth = Depth.ANSI,
    encoding: str = "utf-8",
) -> Theme:
    """Make a theme.

    Args:
        name: one of THEMES.
        suits: 4: each suit in its own colour; 2: hearts and diamonds red, the others as text.
        ascii: write frames, signs and suits in ASCII.
        depth: without colours every theme is `mono`, with 16 `dark` and `light` use the nearest of them.
        encoding: of the terminal; one that does not know all our signs gets them in ASCII.

    Raises:
        KeyError: there is no such theme.
    """
    palette = _MONO if depth is Depth.MONO else (_PALETTES_16 if depth is Depth.ANSI else _PALETTES)[name]
    ground = Look(palette.text, palette.ground)
    plain = ascii or not _knows_signs(encoding)
    return Theme(name, _looks(palette, suits), ASCII_TWINS if plain else {}, depth, ground, encoding)


def _knows_signs(encoding: str) -> bool:
    try:
        "".join(map(chr, ASCII_TWINS)).encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Palette:
    """The few colours that a theme is made of; `""` is the terminal's own."""

    text: str = ""
    ground: str = ""
    quiet: str = ""
    """Frames and what is less important; dimmed text where it is empty."""
    accent: str = ""
    alarm: str = ""
    good: str = ""
    chat: str = ""
    panel: str = ""
    clubs: str = ""
    diamonds: str = ""
    hearts: str = ""
    spades: str = ""


_NONE: Final = Look()

_MONO: Final = _Palette()

_TERMINAL: Final = _Palette(
    # Yellow, cyan and white drown on a white ground, dark blue on a black one; none of them is used.
    alarm="ansired",
    good="ansigreen",
    chat="ansimagenta",
    clubs="ansigreen",
    diamonds="ansibrightblue",
    hearts="ansired",
)

_DARK: Final = _Palette(
    text="#d8dee4",
    ground="#14191f",
    quiet="#8e9aa7",
    accent="#ffd479",
    alarm="#ff6b60",
    good="#7ccf7c",
    chat="#d3a4f0",
    panel="#1f2730",
    clubs="#6fcf7f",
    diamonds="#6db8ff",
    hearts="#ff7b72",
    spades="#f2f5f8",
)

_LIGHT: Final = _Palette(
    text="#24292f",
    ground="#fbfaf6",
    quiet="#5c656e",
    accent="#8a4b00",
    alarm="#b3141c",
    good="#1a6b2c",
    chat="#7b2d9b",
    panel="#efece3",
    clubs="#1a6b2c",
    diamonds="#0a58c2",
    hearts="#c2171d",
    spades="#101418",
)

_DARK_16: Final = _Palette(
    text="ansigray",
    ground="ansiblack",
    accent="ansibrightyellow",
    alarm="ansibrightred",
    good="ansibrightgreen",
    chat="ansibrightmagenta",
    clubs="ansibrightgreen",
    diamonds="ansibrightblue",
    hearts="ansibrightred",
    spades="ansiwhite",
)

_LIGHT_16: Final = _Palette(
    text="ansiblack",
    ground="ansiwhite",
    alarm="ansired",
    good="ansigreen",
    chat="ansimagenta",
    clubs="ansigreen",
    diamonds="ansiblue",
    hearts="ansired",
)

_PALETTES: Final = {"terminal": _TERMINAL, "dark": _DARK, "light": _LIGHT, "mono": _MONO}
_PALETTES_16: Final = {"terminal": _TERMINAL, "dark": _DARK_16, "light": _LIGHT_16, "mono": _MONO}


def _looks(p: _Palette, suits: int) -> Mapping[Role, Look]:
    """Give every role its look; weights carry what a terminal without colours has to show."""
    quiet = Look(p.quiet) if p.quiet else Look(dim=True)
    strong = Look(bold=True)
    accent = Look(p.accent, bold=True)
    alarm = Look(p.alarm, bold=True, reverse=not p.alarm)
    good = Look(p.good, bold=True)
    panel = Look(bg=p.panel)
    return {
        Role.DIM: quiet,
        Role.TITLE: strong,
        Role.NAME: strong,
        Role.TURN: accent,
        Role.PROMPT: accent,
        Role.ALARM: alarm,
        Role.GOOD: good,
        Role.NOTICE: strong,
        Role.KEY: accent,
        Role.HINT: quiet if p.quiet else _NONE,
        Role.BLOCKED: quiet,
        Role.FOCUS: accent,
        Role.TRUMP: strong,
        Role.BACK: quiet,
        **_suit_looks(p, suits),
        Role.SEAL: Look(p.good),
        Role.UP: Look(p.good),
        Role.SLOW: accent,
        Role.DOWN: alarm,
        Role.CLOCK: strong,
        Role.CLOCK_LOW: alarm,
        Role.CLOCK_EMPTY: quiet,
        Role.AUTO: Look(p.quiet, italic=True),
        Role.CHAT: Look(p.chat, italic=not p.chat),
        Role.ENTRY: Look(p.text, underline=True),
        Role.PANEL: panel,
        Role.PANEL_TITLE: Look(p.accent, p.panel, bold=True),
        Role.PROGRESS: strong,
        Role.PROGRESS_MARK: accent,
        Role.PROGRESS_EMPTY: quiet,
    }


def _suit_looks(p: _Palette, suits: int) -> Mapping[Role, Look]:
    four = suits == 4
    return {
        Role.CLUBS: Look(p.clubs if four else p.spades),
        Role.DIAMONDS: Look(p.diamonds if four else p.hearts),
        Role.HEARTS: Look(p.hearts),
        Role.SPADES: Look(p.spades),
    }


ASCII_TWINS: Final = str.maketrans(
    {
        "♣": "c", "♦": "d", "♥": "h", "♠": "s",
        "╭": "+", "╮": "+", "╰": "+", "╯": "+", "┬": "+", "┴": "+", "├": "+", "┤": "+", "└": "+",
        "─": "-", "│": "|", "═": "=", "╒": "#", "╕": "#",
        "╌": ".", "┆": ":", "░": ":",
        "▸": ">", "▴": "^", "■": "#", "●": "*", "◐": "%", "○": "o",
        "━": "=", "█": "_", "✓": "+", "·": "|", "…": ".", "—": "-", "–": "-",
        "×": "x", "“": '"', "”": '"', "‘": "'", "’": "'",
    }
)  # fmt: skip
"""What `--ascii` writes for each character that a picture is made of; one cell for one cell."""
