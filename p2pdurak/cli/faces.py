"""Which face the player sees, and what becomes of the lines that he types.

It owns the choice between line mode and JSON; it knows no network.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Callable
from typing import Protocol, TextIO

from p2pdurak.events import Command, Event
from p2pdurak.rules.view import View
from p2pdurak.ui.commands import CommandReader, Problem, Query, Question
from p2pdurak.ui.jsonl import JsonFace
from p2pdurak.ui.plain import PlainFace


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


def choose_face(options: argparse.Namespace, out: TextIO) -> tuple[Face, CommandReader]:
    """The face for these flags, and the reader of typed lines that goes with it."""
    if options.json:
        return JsonFace(out), CommandReader(confirm=False)
    face = plain_face(options, out)
    return face, CommandReader(confirm=sys.stdin.isatty(), style=face.style)


def plain_face(options: argparse.Namespace, out: TextIO) -> PlainFace:
    """Line mode, with colours where they are wanted: on a terminal that has them, unless NO_COLOR is set."""
    terminal = out.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")
    colour = options.color == "always" or (options.color == "auto" and terminal)
    return PlainFace(out, ascii=options.ascii, words=options.words, colour=colour)


class Typist:
    """Turns typed lines into commands for whoever plays."""

    def __init__(self, face: Face, reader: CommandReader) -> None:
        self._face = face
        self._reader = reader

    def take(self, line: str, view: View | None, *, offered: bool, over: bool) -> Command | None:
        """The command of a line; None where the line was answered on the spot."""
        typed = self._reader.read(line, view, offer=offered, over=over)
        match typed:
            case Problem() | Question():
                self._face.tell(typed, line)
            case Query():
                self._face.answer(typed, view)
            case _:
                return typed
        return None


def read_lines(take: Callable[[str | None], None], fd: int = 0) -> None:
    """Read lines from a file descriptor in a thread of its own; None says that there are no more.

    A daemon thread over the bare descriptor: Python's own stdin object would hold a lock at exit while it waits.
    """

    def read() -> None:
        rest = b""
        while True:
            try:
                data = os.read(fd, 4096)
            except OSError:
                data = b""
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[-4096:]
            for line in lines:
                take(line.decode("utf-8", "replace").strip("\r"))
        if rest:
            take(rest.decode("utf-8", "replace"))
        take(None)

    threading.Thread(target=read, name="typed lines", daemon=True).start()
