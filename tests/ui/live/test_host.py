"""The terminal's side of the full screen: real bytes in, real bytes out into a terminal emulator."""

from __future__ import annotations

import asyncio
import errno
import io
import re
import sys
from dataclasses import replace

import pytest
from prompt_toolkit.input import create_pipe_input

from p2pdurak.rules.cards import parse_card
from p2pdurak.ui.draw.canvas import Touch
from p2pdurak.ui.draw.screen import Seated
from p2pdurak.ui.draw.themes import Depth, make_theme
from p2pdurak.ui.live.host import FullScreen, ScreenGone
from p2pdurak.ui.live.keys import Local
from tests.ui.live.stage import BARE, Emulator, Recorder, Stage, perform

SIX = replace(BARE, bottom=Seated("ilya", (parse_card("6c"),), turn=True), focus=parse_card("6c"))


@pytest.mark.parametrize(
    ("bytes_", "name"),
    [
        ("\x1b[D", "left"),
        ("\x1b[C", "right"),
        ("\x1b[A", "up"),
        ("\x1b[B", "down"),
        ("\t", "tab"),
        ("\x1b[Z", "s-tab"),
        ("\r", "enter"),
        ("\n", "enter"),
        (" ", "space"),
        ("\x7f", "backspace"),
        ("\x08", "backspace"),
        ("\x1b[3~", "delete"),
        ("\x1b[H", "home"),
        ("\x1b[F", "end"),
        ("\x1b[5~", "pageup"),
        ("\x1b[6~", "pagedown"),
        ("\x03", "c-c"),
        ("\x0c", "c-l"),
        ("\x15", "c-u"),
        ("\x17", "c-w"),
        ("\x1bOP", "f1"),
        ("\x1b[21~", "f10"),
        ("t", "t"),
        ("T", "T"),
        ("/", "/"),
        ("й", "й"),
        ("ض", "ض"),
        ("日", "日"),
    ],
)
def test_a_key_reaches_the_model_by_its_name(bytes_: str, name: str) -> None:
    async def play(stage: Stage) -> None:
        stage.type(bytes_)
        await stage.until(lambda: bool(stage.model.pressed))

    assert perform(play).model.pressed == [name]


def test_escape_alone_is_a_key_of_its_own() -> None:
    async def play(stage: Stage) -> None:
        stage.type("\x1b")
        await stage.until(lambda: bool(stage.model.pressed))

    assert perform(play).model.pressed == ["escape"]


@pytest.mark.parametrize("bytes_", ["\x1b[99;99z", "\x1b]0;title\x07", "\x00", "\x1bOQ", "\x1b[15~"])
def test_bytes_that_are_no_key_of_ours_end_nothing(bytes_: str) -> None:
    async def play(stage: Stage) -> None:
        stage.type(bytes_)
        stage.type("\t")
        await stage.until(lambda: "tab" in stage.model.pressed)

    assert perform(play).model.pressed[-1] == "tab"


def test_pasted_text_comes_as_one_piece_and_presses_no_keys() -> None:
    async def play(stage: Stage) -> None:
        stage.type("\x1b[200~take\rdone\x1b[201~")
        await stage.until(lambda: bool(stage.model.pasted))

    stage = perform(play)
    assert stage.model.pressed == []
    assert [text.split() for text in stage.model.pasted] == [["take", "done"]]


def test_a_click_on_a_card_touches_it() -> None:
    async def play(stage: Stage) -> None:
        await stage.until(lambda: "6♣" in stage.emulator.text)
        row = next(y for y, line in enumerate(stage.emulator.screen.display) if "6♣" in line)
        column = stage.emulator.screen.display[row].index("6♣")
        for kind in "Mm":
            stage.type(f"\x1b[<0;{column + 1};{row + 1}{kind}")
        await stage.until(lambda: bool(stage.model.touched))

    assert perform(play, Recorder(lambda: SIX)).model.touched == [Touch(parse_card("6c"))]


def test_a_click_on_a_key_label_presses_the_key() -> None:
    async def play(stage: Stage) -> None:
        row = next(y for y, line in enumerate(stage.emulator.screen.display) if "? help" in line)
        column = stage.emulator.screen.display[row].index("? help")
        for kind in "Mm":
            stage.type(f"\x1b[<0;{column + 1};{row + 1}{kind}")
        await stage.until(lambda: bool(stage.model.pressed))

    assert perform(play).model.pressed == ["?"]


def test_the_mouse_can_be_given_back_to_the_terminal() -> None:
    model = Recorder()
    model.wishes["m"] = Local.MOUSE

    async def play(stage: Stage) -> None:
        await stage.until(lambda: "\x1b[?1000h" in stage.emulator.raw)
        stage.type("m")
        await stage.until(lambda: "\x1b[?1000l" in stage.emulator.raw)

    stage = perform(play, model)
    assert stage.wished == []


def test_a_wish_of_the_model_is_passed_on() -> None:
    model = Recorder()
    model.wishes["q"] = Local.QUIT

    async def play(stage: Stage) -> None:
        stage.type("q")
        await stage.until(lambda: bool(stage.wished))

    assert perform(play, model).wished == [Local.QUIT]


def test_another_size_is_another_picture() -> None:
    async def play(stage: Stage) -> None:
        stage.emulator.resize(30, 5)
        stage.screen._app._on_resize()  # what the library does when the signal comes
        await stage.until(lambda: "40x12" in stage.emulator.text)

    perform(play)


def test_the_terminal_is_given_back_as_it_was() -> None:
    async def play(stage: Stage) -> None:
        pass

    raw = perform(play).emulator.raw
    for mode in ("1049", "2004", "1000"):  # the alternate screen, bracketed paste, the mouse
        assert 0 <= raw.index(f"\x1b[?{mode}h") < raw.rindex(f"\x1b[?{mode}l")
    assert raw.index("\x1b[?25l") < raw.rindex("\x1b[?25h")  # the cursor is hidden, and shown again


@pytest.mark.parametrize("where", ["screen", "press"])
def test_a_fault_of_the_model_ends_the_screen_in_order_and_is_raised(where: str) -> None:
    model = Recorder()
    raw: list[Emulator] = []

    def fault(*_: object) -> None:
        raise ZeroDivisionError(where)

    async def play(stage: Stage) -> None:
        raw.append(stage.emulator)
        setattr(model, where, fault)
        stage.type("x")
        await stage.until(lambda: False)

    with pytest.raises(ZeroDivisionError, match=where):
        perform(play, model)
    assert raw[0].raw.rindex("\x1b[?1049l") > raw[0].raw.index("\x1b[?1049h")
    assert "Press ENTER" not in raw[0].raw


def test_a_terminal_that_sends_no_more_keys_is_gone() -> None:
    async def play(stage: Stage) -> None:
        stage.screen._app.input.close()
        await stage.until(lambda: False)

    with pytest.raises(ScreenGone):
        perform(play)


def test_a_picture_that_changes_by_itself_is_drawn_again() -> None:
    counted: list[int] = []

    def picture():
        counted.append(0)
        return replace(BARE, prompt=f"picture {len(counted)}")

    model = Recorder(picture)
    model.next_s = 0.01

    async def play(stage: Stage) -> None:
        await stage.until(lambda: len(counted) > 5)
        model.next_s = None

    perform(play, model)


def test_a_picture_that_does_not_change_is_not_drawn_again() -> None:
    async def play(stage: Stage) -> None:
        before = len(stage.emulator.raw)
        stage.screen.changed()
        stage.type("\t")
        await stage.until(lambda: bool(stage.model.pressed))
        assert "mira" not in stage.emulator.raw[before:]

    perform(play)


@pytest.mark.parametrize(
    "mouse", ["\x1b[Mb00", "\x1b[<0;10;18;7M", "\x1b[<999;1;1M", "\x1b[<64;10;10M", "\x1b[<35;3;3M"]
)
def test_a_button_or_wheel_without_a_name_is_no_fault(mouse: str) -> None:
    faults: list[object] = []

    async def play(stage: Stage) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: faults.append(context))
        stage.type(mouse)
        stage.type("\t")
        await stage.until(lambda: "tab" in stage.model.pressed)

    perform(play)
    assert faults == []


def test_drawing_anew_sends_the_whole_picture_again() -> None:
    model = Recorder()
    model.wishes["c-l"] = Local.REDRAW

    async def play(stage: Stage) -> None:
        before = len(stage.emulator.raw)
        stage.type("\x0c")
        await stage.until(lambda: "mira" in stage.emulator.raw[before:])

    perform(play, model)


@pytest.mark.parametrize(
    ("depth", "sent"),
    [(Depth.MONO, None), (Depth.ANSI, "3[0-7]|9[0-7]"), (Depth.INDEXED, "38;5"), (Depth.TRUE, "38;2")],
)
def test_as_many_colours_are_sent_as_the_terminal_has(depth: Depth, sent: str | None) -> None:
    async def play(stage: Stage) -> None:
        pass

    raw = perform(play, depth=depth).emulator.raw
    colours = re.findall(r"\x1b\[(?:[0-9;]*;)?(3[0-8]|9[0-7])[0-9;]*m", raw)
    assert bool(colours) == (sent is not None)
    assert sent is None or re.search(rf"\x1b\[(?:[0-9;]*;)?(?:{sent})", raw)


def test_the_bell_rings() -> None:
    async def play(stage: Stage) -> None:
        stage.screen.ring()

    assert "\a" in perform(play).emulator.raw


def test_a_screen_that_is_stopped_before_its_first_picture_ends_at_once() -> None:
    async def run() -> None:
        with create_pipe_input() as pipe:
            theme = make_theme("mono", depth=Depth.MONO)
            screen = FullScreen(Recorder(), theme, print, source=pipe, sink=Emulator().output())
            task = asyncio.create_task(screen.run())
            screen.stop()
            async with asyncio.timeout(20):
                await task

    asyncio.run(run())


def test_only_the_last_picture_wakes_the_screen() -> None:
    """Ten pictures in a row must not leave ten alarms behind."""
    drawn: list[int] = []

    def picture():
        drawn.append(0)
        return replace(BARE, prompt=f"picture {len(drawn)}")

    model = Recorder(picture)
    model.next_s = 0.3

    async def play(stage: Stage) -> None:
        for number in range(10):
            seen = len(drawn)
            stage.screen.changed()
            await stage.until(lambda seen=seen: len(drawn) > seen)
            assert number < len(drawn)
        model.next_s = None
        before = len(drawn)
        await asyncio.sleep(0.6)
        assert len(drawn) <= before + 1

    perform(play, model)


def test_after_the_program_was_stopped_the_terminal_is_taken_again() -> None:
    async def play(stage: Stage) -> None:
        before = len(stage.emulator.raw)
        stage.screen.wake()
        await stage.until(
            lambda: "\x1b[?1049h" in stage.emulator.raw[before:] and "mira" in stage.emulator.raw[before:]
        )

    perform(play)


def test_a_terminal_that_cannot_be_written_any_more_is_gone() -> None:
    class Closed(io.StringIO):
        encoding = "utf-8"

        def flush(self) -> None:
            raise OSError(errno.EIO, "gone")

    async def run() -> None:
        with create_pipe_input() as pipe:
            screen = FullScreen(Recorder(), make_theme("mono", depth=Depth.MONO), print, source=pipe)
            await screen.run()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", Closed())
        with pytest.raises(ScreenGone):
            asyncio.run(asyncio.wait_for(run(), 20))
