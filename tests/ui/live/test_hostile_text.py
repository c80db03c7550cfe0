"""Names and chat from a stranger, through the whole screen and into a terminal emulator."""

from __future__ import annotations

import re
import sys
import unicodedata
from dataclasses import replace

import pyte
import pytest
from wcwidth import wcwidth

from p2pdurak.safe_text import cell_width, clean_chat, clean_name
from p2pdurak.ui.draw.render import render
from p2pdurak.ui.draw.screen import Notice, Panel, Screen, Told, Tone
from p2pdurak.ui.draw.themes import Depth, make_theme
from p2pdurak.ui.live.steady import is_steady
from tests.ui.live.stage import BARE, Emulator, Recorder, Stage, perform

ATTACKS = (
    "\x1b[2J\x1b[H you have won",
    "\x1b]52;c;cm0gLXJmIC8=\x07",
    "\x1b]0;owned\x07",
    "\x9b31m\x9b2J",
    "\x90q\x9c\x9d8;;http://evil\x9c",
    "a\rb\nc\x0bd\x0ce\x85f\u2028g\u2029h",
    "\x08\x08\x08\x08 mira: done",
    "\u202eevil\u202d\u2066x\u2069\u200e\u200f\u061c",
    "Z" + "\u0335\u0336\u0337\u0489" * 200,
    "\U000e0041\U000e0042",
    "\u115f\u1160\u3164\uffa0\u2800\u034f",
    "日本語" * 90,
    "👨‍👩‍👧‍👦" * 40,
    "\ud800\udfff",
    "<b>&amp;%s{0}{{",
    "\t\ttab",
    "\x0e\x0f\x1b(0lqqk\x1b(B",
    "\x1bc",
)
SEQUENCE = re.compile(r"\x1b\[[?0-9;]*[a-zA-Z]|\x1b[=>]|\x1b\([AB0]")
MADE_BY_US = re.compile(r"\[(?:\?(?:1049|25|12|7|1|2004|1000|1003|1006|1015)[hl]|[0-9;]*[mABCDGHJKXf])")


def screens_with(text: str):
    """Every place where a stranger's words can stand."""
    name, chat = clean_name(text), clean_chat(text)
    bare = replace(BARE, top=replace(BARE.top, name=name))
    yield replace(bare, said=f"{name}: take", prompt=f"{name} defends")
    yield replace(bare, notice=Notice(f"{name}: {chat}", Tone.CHAT))
    yield replace(bare, told=(Told(name, None, chat),))
    yield replace(bare, panel=Panel(f"{name} is the durak", (Notice(f"{name}: {chat}"),)))


def words_on(screen: Screen) -> str:
    return render(screen, 120, 34, make_theme("terminal", depth=Depth.ANSI)).text().replace("\n", "")


@pytest.mark.parametrize("size", [(80, 24), (120, 34), (44, 14)])
@pytest.mark.parametrize("text", ATTACKS)
def test_words_of_a_stranger_move_nothing_and_reach_nothing(text: str, size: tuple[int, int]) -> None:
    shown = list(screens_with(text))

    async def play(stage: Stage) -> None:
        for number, screen in enumerate(shown):
            stage.model.picture = lambda screen=screen, number=number: replace(screen, title=f"k7q2m {number}")
            stage.screen.changed()
            await stage.until(lambda number=number: f"k7q2m {number}" in stage.emulator.text)
            assert stage.emulator.screen.title == ""
            assert "? help" in stage.emulator.text

    raw = perform(play, Recorder(), Emulator(*size)).emulator.raw

    assert {sequence for sequence in SEQUENCE.findall(raw) if not MADE_BY_US.fullmatch(sequence[1:])} == set()
    rest = SEQUENCE.sub("", raw)
    assert {char for char in rest if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}} <= set(
        "\r\n\b"  # the library's own ways to move the cursor; the words' own are gone before they are drawn
    )
    assert not any(unicodedata.category(char).startswith("C") for screen in shown for char in words_on(screen))


@pytest.mark.slow
def test_every_code_point_there_is_stays_in_its_row_and_in_its_cells() -> None:
    theme = make_theme("terminal", depth=Depth.ANSI)
    shown = [char for char in map(chr, range(sys.maxunicode + 1)) if len(clean_chat(f"x{char}")) > 1]
    assert len(shown) > 100_000
    bare = render(replace(BARE, notice=Notice("mira: x", Tone.CHAT)), 80, 24, theme)
    (row,) = (y for y in range(24) if "mira: x" in bare.line(y))
    for start in range(0, len(shown), 20):
        chat = clean_chat("x" + "".join(shown[start : start + 20]))
        canvas = render(replace(BARE, notice=Notice(f"mira: {chat}", Tone.CHAT)), 80, 24, theme)
        assert sum(cell_width(char) for run in canvas.runs(row) for char in run.text) == 80
        assert chat in unicodedata.normalize("NFC", canvas.line(row))
        assert [canvas.line(y) for y in range(24) if y != row] == [bare.line(y) for y in range(24) if y != row]


@pytest.mark.parametrize("theirs", [0, 1, 2], ids=lambda cells: f"terminal takes {cells}")
@pytest.mark.parametrize("doubtful", ["क्षि" * 8, "👨\u0301🐈🏴☠⚠" * 4, "g\u0302\u0303" * 10, "กำ" * 10])
def test_a_terminal_that_counts_other_cells_still_shows_everything_else_in_its_place(
    monkeypatch: pytest.MonkeyPatch, doubtful: str, theirs: int
) -> None:
    mark = "│ the log"
    monkeypatch.setattr(
        pyte.screens, "wcwidth", lambda char: wcwidth(char) if is_steady(char) else min(theirs, max(0, wcwidth(char)))
    )
    long, short = clean_chat(doubtful), "kurz"

    def screen(text: str, number: int):
        notice = Notice(f"mira: {text}", Tone.CHAT)
        return replace(BARE, title=f"k7q2m {number}", notice=notice, told=(Told("", None, "the log"),) * 30)

    async def play(stage: Stage) -> None:
        for number, text in enumerate((long, short, long, long[:5], short)):
            stage.model.picture = lambda text=text, number=number: screen(text, number)
            stage.screen.changed()
            await stage.until(lambda number=number: f"k7q2m {number}" in stage.emulator.text)
            columns = [columns_of(stage.emulator, y, mark) for y in range(32)]
            rows = [row for row in columns if row]
            assert len(rows) >= 25
            assert {tuple(row) for row in rows} == {tuple(rows[0])}
            assert len(rows[0]) == 1
        assert "mira: kurz" in stage.emulator.text
        assert not any(char in stage.emulator.text for char in doubtful if not is_steady(char))

    perform(play, Recorder(lambda: screen(short, 9)), Emulator(110, 32))


def columns_of(emulator: Emulator, y: int, text: str) -> list[int]:
    """The columns of a row at which a text begins, in cells of the terminal."""
    row = [emulator.screen.buffer[y][x].data for x in range(emulator.screen.columns)]
    return [x for x in range(len(row)) if row[x : x + len(text)] == list(text)]
