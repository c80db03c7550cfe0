"""Which face the player sees, and what becomes of the lines that he types.

It owns the choice between JSON, line mode and the full screen; it knows no network.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TextIO

from p2pdurak.events import Accept, Command, Event, Waiting
from p2pdurak.rules.view import View
from p2pdurak.ui.commands import AskHint, CommandReader, Problem, Query, Question
from p2pdurak.ui.jsonl import JsonFace
from p2pdurak.ui.plain import PlainFace
from p2pdurak.ui.prompts import ACCEPTED

if TYPE_CHECKING:
    from p2pdurak.settings import Settings
    from p2pdurak.ui.draw.themes import Depth, Theme
    from p2pdurak.ui.live.face import TableFace  # it loads the terminal's library, which takes its time

SCREENLESS: Final = ("", "dumb", "unknown")
"""What TERM says where a cursor cannot be moved."""

COLUMNS: Final = 80
"""How wide a terminal is that does not say."""


class Face(Protocol):
    """What shows events and answers to typed lines."""

    @property
    def closed(self) -> bool:
        """Whether nobody reads us any more."""

    def show(self, event: Event) -> None:
        """Show an event."""

    def tell(self, typed: Problem | Question, line: str) -> None:
        """Show what is wrong with a line, or what is asked back."""

    def answer(self, query: Query, view: View | None) -> None:
        """Answer a question from what is known here."""


def choose_face(options: argparse.Namespace, out: TextIO) -> tuple[JsonFace | PlainFace, CommandReader]:
    """The face for these flags before a table is drawn, and the reader of typed lines that goes with it."""
    if options.json:
        return JsonFace(out), CommandReader(confirm=False)
    face = plain_face(options, out)
    return face, CommandReader(confirm=sys.stdin.isatty(), style=face.style)


def has_screen(options: argparse.Namespace) -> bool:
    """Whether a table can be drawn here and is wanted: both ends are a terminal that can move its cursor."""
    wanted = not (options.plain or options.words)
    return wanted and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in SCREENLESS


def table_face(options: argparse.Namespace, settings: Settings, lines: PlainFace) -> TableFace:
    """The full screen, with the looks and habits of flags and settings."""
    from p2pdurak.ui.live.face import TableFace
    from p2pdurak.ui.live.play_model import PlayModel

    mouse = settings.mouse and not options.no_mouse
    return TableFace(
        lines,
        PlayModel(by_suit=settings.sort == "suit", mouse=mouse, home=str(Path.home())),
        theme(options, settings, lines),
        program=settings.program,
        bell=settings.bell or options.bell,
    )


def theme(options: argparse.Namespace, settings: Settings, lines: PlainFace) -> Theme:
    """How the full screen looks: without colour where line mode would have none, and as rich as the terminal says."""
    from p2pdurak.ui.draw.themes import Depth, make_theme

    named = options.theme or settings.theme
    depth = _depth() if lines.style.colour else Depth.MONO
    return make_theme(
        "mono" if depth is Depth.MONO else named,
        suits=options.suits or settings.suits,
        ascii=lines.style.ascii,
        depth=depth,
        encoding=sys.stdout.encoding or "utf-8",
    )


def _depth() -> Depth:
    """How many colours this terminal has, as far as it tells: the variable COLORTERM, then the name in TERM."""
    from p2pdurak.ui.draw.themes import Depth

    if os.environ.get("COLORTERM", "").casefold() in {"truecolor", "24bit"}:
        return Depth.TRUE
    return Depth.INDEXED if "256color" in os.environ.get("TERM", "") else Depth.ANSI


def plain_face(options: argparse.Namespace, out: TextIO) -> PlainFace:
    """Line mode, with colours where they are wanted: on a terminal that has them, unless NO_COLOR is set."""
    terminal = out.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")
    colour = options.color == "always" or (options.color == "auto" and terminal)
    columns = _columns if has_screen(options) else None
    return PlainFace(out, ascii=options.ascii, words=options.words, colour=colour, columns=columns)


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or COLUMNS
    except OSError:  # closed just now
        return COLUMNS


class Typist:
    """Turns typed lines into commands for whoever plays."""

    def __init__(self, face: Face, reader: CommandReader) -> None:
        self._face = face
        self._reader = reader

    def take(
        self, line: str, view: View | None, *, offered: bool, over: bool, knock: bool = False
    ) -> Command | AskHint | None:
        """The command of a line, or the wish for a hint; None where the line was answered on the spot."""
        typed = self._reader.read(line, view, offer=offered, over=over, knock=knock)
        match typed:
            case Problem() | Question():
                self._face.tell(typed, line)
            case Query():
                self._face.answer(typed, view)
            case Accept() if offered and not knock:
                self._face.show(Waiting(ACCEPTED))
                return typed
            case _:
                return typed
        return None
