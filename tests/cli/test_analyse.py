"""The bar of `p2pdurak analyse`: it fits the terminal, goes away again, and is nothing where no terminal is."""

from __future__ import annotations

import fcntl
import io
import os
import struct
import sys
import termios
from typing import Final

import pytest

from p2pdurak.cli.analyse import Bar

END: Final = "\x03"


def shown(monkeypatch: pytest.MonkeyPatch, columns: int) -> list[str]:
    """What a whole analysis puts on the line, one text after the other, in a terminal so wide."""
    reader, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with os.fdopen(reader, "rb", buffering=0) as sight, os.fdopen(terminal, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        with Bar() as bar:
            bar.say("Checking the log")
            bar.show(1, 2)
        monkeypatch.undo()
        stream.write(END)
        stream.flush()
        seen = b""
        while not seen.endswith(END.encode()):  # a terminal hands on in pieces what was written in pieces
            seen += sight.read(4096)
        return seen.decode().removesuffix(END).split("\r")


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        (80, f"Analysing [{'#' * 15}{'.' * 15}]  50%"),
        (24, "Analysing [###...]  50%"),
        (16, "Analysing  50%"),
        (6, "Analy"),
    ],
)
def test_bar_fits_the_terminal_and_never_fills_its_last_column(
    monkeypatch: pytest.MonkeyPatch, columns: int, line: str
) -> None:
    texts = shown(monkeypatch, columns)
    assert line in texts
    assert max(map(len, texts)) < columns


def test_bar_is_taken_away_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, drawn, wiped, last = shown(monkeypatch, 80)
    assert (len(wiped), wiped.strip(), last) == (len(drawn), "", "")


def test_nothing_is_written_where_no_terminal_is(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    with Bar() as bar:
        bar.show(1, 2)
    assert not written.getvalue()
