"""The terminal's side of the full screen: one control that shows a canvas, and keys and clicks on their way to a model.

It owns the alternate screen and its orderly end; it knows neither the game nor what any key means. It alone speaks
with prompt_toolkit.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol, TypeVar

from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.data_structures import Size
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.mouse import load_mouse_bindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output

from p2pdurak.ui.draw.canvas import Canvas, Press, Roles, Run, Target, cells
from p2pdurak.ui.draw.render import render
from p2pdurak.ui.draw.screen import Screen
from p2pdurak.ui.draw.themes import Depth, Look, Theme
from p2pdurak.ui.live.keys import Local, Wish
from p2pdurak.ui.live.steady import is_steady, steadied

ESCAPE_WAIT_S: Final = 0.05
"""After this the Escape key is itself and no longer the beginning of another key's sequence."""

TICK_MIN_S: Final = 0.02
"""A picture that changes by itself does not do so more often than this."""

_NAMES: Final[dict[Keys | str, str]] = {
    Keys.ControlM: "enter",
    Keys.ControlJ: "enter",
    Keys.ControlI: "tab",
    Keys.ControlH: "backspace",
    Keys.BackTab: "s-tab",
    " ": "space",
    **{
        Keys(name): name
        for name in ("left", "right", "up", "down", "escape", "delete", "home", "end", "pageup", "pagedown")
    },
    **{Keys(name): name for name in ("c-c", "c-l", "c-u", "c-w", "f1", "f10")},
}

_DEPTHS: Final = {
    Depth.MONO: ColorDepth.DEPTH_1_BIT,
    Depth.ANSI: ColorDepth.DEPTH_4_BIT,
    Depth.INDEXED: ColorDepth.DEPTH_8_BIT,
    Depth.TRUE: ColorDepth.DEPTH_24_BIT,
}

T = TypeVar("T")
Picture = tuple[Canvas, list[StyleAndTextTuples]]
"""A canvas, and its rows as the library takes them."""


class Model(Protocol):
    """What is on the screen: it turns keys into wishes, and itself into a picture."""

    def press(self, key: str, now: float) -> Wish | None:
        """A key was pressed."""

    def touch(self, target: Target, now: float) -> Wish | None:
        """A place was clicked."""

    def paste(self, text: str, now: float) -> None:
        """Text was pasted."""

    def advance(self, now: float) -> None:
        """Time has passed."""

    def screen(self, now: float) -> Screen:
        """What is to be seen now."""

    def due(self, now: float) -> float | None:
        """In how many seconds that changes by itself."""

    def scrollable(self, lines: int) -> None:
        """So many lines of its panel did not fit into the last picture."""


class ScreenGone(Exception):
    """The terminal was closed, or cannot be written or read any more."""


class FullScreen:
    """The alternate screen of one terminal."""

    def __init__(
        self,
        model: Model,
        theme: Theme,
        wish: Callable[[Wish], None],
        *,
        mouse: bool = True,
        source: Input | None = None,
        sink: Output | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare; nothing is touched before `run`.

        Args:
            model: what is shown first.
            theme: how it looks.
            wish: takes what a key asked for, unless it is about the screen itself.
            mouse: whether the mouse is listened to at first.
            source: where keys come from; None: this terminal.
            sink: where pictures go; None: this terminal.
            now: a clock that never goes back, in seconds.
        """
        self._model = model
        self._wish = wish
        self._mouse = mouse
        self._now = now
        self._timer: asyncio.TimerHandle | None = None
        self._fault: Exception | None = None
        self._running = False
        self._stopped = False
        self._looks = _Looks(theme)
        self._rows = _Rows()
        self._control = _Control(self._picture, self._clicked)
        self._theme = theme
        self._app: Application[None] = Application(
            layout=Layout(Window(self._control, always_hide_cursor=True, wrap_lines=False)),
            key_bindings=self._bindings(),
            full_screen=True,
            mouse_support=Condition(lambda: self._mouse),
            erase_when_done=True,
            color_depth=_DEPTHS[theme.depth],
            terminal_size_polling_interval=None,  # a signal tells of every new size
            input=source,
            output=sink or _Terminal(self._lost),
        )
        self._app.ttimeoutlen = ESCAPE_WAIT_S

    async def run(self) -> None:
        """Show the model until `stop`; the terminal is as before when this ends, however it ends.

        Raises:
            ScreenGone: the terminal is not there any more.
            Exception: what a model or the renderer raised; the game itself goes on without a picture.
        """
        try:
            # Faults are ours to tell: the library would ask for a key over the picture. Ctrl-C is a key here.
            await self._app.run_async(self._begin, set_exception_handler=False, handle_sigint=False)
        except (EOFError, OSError) as error:
            raise ScreenGone from error
        finally:
            self._running = False
            if self._timer is not None:
                self._timer.cancel()
        if self._fault is not None:
            raise self._fault

    def _begin(self) -> None:
        self._running = True
        if self._stopped:  # before the first picture
            self._app.exit()

    def stop(self) -> None:
        """Leave the screen; harmless when it is left already."""
        self._stopped = True
        if self._running and not self._app.is_done:
            self._app.exit()

    def suspend(self) -> None:
        """Give the terminal back and stop, as Ctrl-Z does elsewhere; the shell's `fg` goes on here."""
        if self._running:
            # SIGSTOP, for SIGTSTP comes here; the whole job, so that the shell takes the terminal.
            run_in_terminal(lambda: os.kill(0, signal.SIGSTOP))

    def wake(self) -> None:
        """Take the terminal again, whatever has become of it while the program was stopped."""
        if self._running:
            self._app.input.raw_mode().__enter__()  # left as a whole when `run` ends
            self._app.renderer.reset()
            self.changed()

    def show(self, model: Model) -> None:
        """Put another model on the screen."""
        self._model = model
        self.changed()

    def changed(self) -> None:
        """The model has changed: draw it."""
        if not self._app.is_done:
            self._app.invalidate()

    def ring(self) -> None:
        """Ring the terminal's bell."""
        if self._running:
            self._app.output.bell()
            self._app.output.flush()

    def press(self, key: str) -> None:
        """Do what a key does, where a signal stands for it."""
        self._do(lambda: self._model.press(key, self._now()))

    # From the terminal to the model.

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        def bind(key: Keys | str, name: str) -> None:
            bindings.add(key)(lambda _event: self.press(name))

        for key, name in _NAMES.items():
            bind(key, name)

        @bindings.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            if len(event.data) == 1 and event.data.isprintable():
                self.press(event.data)

        @bindings.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            self._do(lambda: self._model.paste(event.data, self._now()))

        @bindings.add(Keys.ControlZ)
        def _(_event: KeyPressEvent) -> None:
            self.suspend()

        (mouse,) = load_mouse_bindings().get_bindings_for_keys((Keys.Vt100MouseEvent,))

        @bindings.add(Keys.Vt100MouseEvent)
        def _(event: KeyPressEvent) -> None:
            with suppress(LookupError, ValueError):  # a button or a wheel that the library has no name for
                mouse.call(event)

        return bindings

    def _clicked(self, target: Target) -> None:
        match target:
            case Press(key):
                self.press(key)
            case _:
                self._do(lambda: self._model.touch(target, self._now()))

    def _do(self, step: Callable[[], Wish | None]) -> None:
        """Take a step of the model, and pass on what it asks for."""
        wish = self._guarded(step, None)
        match wish:
            case None:
                pass
            case Local.REDRAW:
                self._app.renderer.clear()
            case Local.MOUSE:
                self._mouse = not self._mouse
            case _:
                self._guarded(lambda: self._wish(wish), None)
        self.changed()

    # From the model to the terminal.

    def _picture(self, width: int, height: int) -> Picture:
        blank: Picture = Canvas(width, 0), []
        return self._guarded(lambda: self._drawn(width, height), blank)

    def _drawn(self, width: int, height: int) -> Picture:
        now = self._now()
        self._model.advance(now)
        canvas = render(self._model.screen(now), width, height, self._theme)
        self._model.scrollable(canvas.scrollable)
        self._wake_in(self._model.due(now))
        return canvas, [self._rows.fragments(canvas, y, self._looks) for y in range(canvas.height)]

    def _wake_in(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            self._timer = asyncio.get_running_loop().call_later(max(TICK_MIN_S, seconds), self.changed)

    def _lost(self) -> None:
        if self._fault is None:
            self._fault = ScreenGone()
            self.stop()

    def _guarded(self, step: Callable[[], T], otherwise: T) -> T:
        """A fault of ours must end the screen in order, not in the middle of the library's drawing."""
        if self._fault is not None:
            return otherwise
        try:
            return step()
        except Exception as error:  # noqa: BLE001 - kept, and raised from `run`
            self._fault = error
            self.stop()
            return otherwise


class _Control(UIControl):
    """The whole screen as one control: it hears its size when it is drawn, and of the mouse when that is clicked."""

    def __init__(
        self,
        picture: Callable[[int, int], Picture],
        clicked: Callable[[Target], None],
    ) -> None:
        self._picture = picture
        self._clicked = clicked
        self._canvas = Canvas(0, 0)

    def create_content(self, width: int, height: int) -> UIContent:
        self._canvas, lines = self._picture(width, height)
        return UIContent(lines.__getitem__, line_count=len(lines), show_cursor=False)

    def is_focusable(self) -> bool:
        return True

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        if mouse_event.event_type is MouseEventType.MOUSE_UP:
            target = self._canvas.at(mouse_event.position.x, mouse_event.position.y)
            if target is not None:
                self._clicked(target)


class _Rows:
    """The rows of the picture in the library's words.

    A row with doubtful characters is sent whole whenever it changes: its odd pictures bear another name than its even
    ones, so that the library finds no cell of it as it was.
    """

    def __init__(self) -> None:
        self._before: dict[int, tuple[list[Run], bool]] = {}

    def fragments(self, canvas: Canvas, y: int, looks: _Looks) -> StyleAndTextTuples:
        runs = list(canvas.runs(y))
        if all(is_steady(run.text) for run in runs):
            self._before.pop(y, None)
            return [(looks.of(run.roles), run.text) for run in runs]
        last, odd = self._before.get(y, ([], False))
        odd ^= runs != last
        self._before[y] = runs, odd
        name = " class:odd" if odd else ""
        made: StyleAndTextTuples = []
        x = 0
        for run in runs:
            made.extend(steadied(looks.of(run.roles) + name, run.text, x))
            x += cells(run.text)
        return made


class _Looks:
    """Looks in the library's words, each made once."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._made: dict[Roles, str] = {}

    def of(self, roles: Roles) -> str:
        made = self._made.get(roles)
        if made is None:
            made = self._made[roles] = style_of(self._theme.look(roles))
        return made


def style_of(look: Look) -> str:
    """A look as a style string of the library."""
    flags = {
        "bold": look.bold,
        "dim": look.dim,
        "italic": look.italic,
        "underline": look.underline,
        "reverse": look.reverse,
    }
    parts = [f"fg:{look.fg}" if look.fg else "", f"bg:{look.bg}" if look.bg else ""]
    return " ".join([*(part for part in parts if part), *(name for name, on in flags.items() if on)])


class _Terminal(Vt100_Output):
    """This terminal, which may be closed at any moment."""

    def __init__(self, lost: Callable[[], None]) -> None:
        # The whole screen is ours: nobody needs to ask where the cursor is.
        super().__init__(sys.stdout, _size, term=os.environ.get("TERM"), enable_cpr=False)
        self._lost = lost

    def flush(self) -> None:
        try:
            super().flush()
        except OSError:
            self._lost()


def _size() -> Size:
    """Ask the terminal itself: what COLUMNS and LINES say was true when the shell was told."""
    try:
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
    except OSError:  # closed just now
        columns, rows = 0, 0
    return Size(rows or 24, columns or 80)
