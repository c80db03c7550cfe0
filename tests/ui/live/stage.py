"""A full screen without a terminal: keys from a pipe, and its bytes into a terminal emulator.

It owns the wiring; what must be seen stands in the tests.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2pdurak.rules.cards import Suit
from p2pdurak.ui.draw.canvas import Target, Touch
from p2pdurak.ui.draw.screen import Hint, Screen, Seated
from p2pdurak.ui.draw.themes import Depth, make_theme
from p2pdurak.ui.live.host import FullScreen
from p2pdurak.ui.live.keys import Local, Wish

WAIT_S = 20.0


class Emulator(io.StringIO):
    """A terminal that is written to, with its size and every byte that came."""

    encoding = "utf-8"

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        super().__init__()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.size = Size(rows, columns)
        self.raw = ""

    def write(self, text: str) -> int:
        self.raw += text
        self.stream.feed(text)
        return len(text)

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self.size = Size(rows, columns)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def output(self) -> Vt100_Output:
        return Vt100_Output(self, lambda: self.size, term="xterm", enable_cpr=False)


BARE = Screen(
    title="k7q2m",
    bout=1,
    top=Seated("mira", (None,) * 6),
    bottom=Seated("ilya", (), turn=True),
    trump=Suit.HEARTS,
    indicator=None,
    talon=0,
    beaten=24,
    prompt="nothing yet",
    hints=(Hint("?", "?", "help"),),
)


class Recorder:
    """A model that writes down what it is told."""

    def __init__(self, picture: Callable[[], Screen] = lambda: BARE) -> None:
        self.pressed: list[str] = []
        self.touched: list[Target] = []
        self.pasted: list[str] = []
        self.wishes: dict[str, Wish] = {}
        self.picture = picture
        self.next_s: float | None = None

    def press(self, key: str, now: float) -> Wish | None:
        self.pressed.append(key)
        return self.wishes.get(key)

    def touch(self, target: Target, now: float) -> Wish | None:
        self.touched.append(target)
        return None

    def paste(self, text: str, now: float) -> None:
        self.pasted.append(text)

    def advance(self, now: float) -> None:
        pass

    def screen(self, now: float) -> Screen:
        return self.picture()

    def due(self, now: float) -> float | None:
        return self.next_s

    def scrollable(self, lines: int) -> None:
        pass


class Stage:
    """One running screen."""

    def __init__(self, model: Recorder, emulator: Emulator) -> None:
        self.model = model
        self.emulator = emulator
        self.wished: list[Wish] = []
        self.screen: FullScreen
        self.type: Callable[[str], None]

    async def until(self, seen: Callable[[], bool]) -> None:
        """Let the loop run until something is so."""
        async with asyncio.timeout(WAIT_S):
            while not seen():  # noqa: ASYNC110 - what is waited for is a picture, which tells nobody
                await asyncio.sleep(0.005)


def perform(
    play: Callable[[Stage], Awaitable[None]],
    model: Recorder | None = None,
    emulator: Emulator | None = None,
    depth: Depth = Depth.ANSI,
) -> Stage:
    """Run a screen until `play` is through; what the screen raises is raised."""
    stage = Stage(model or Recorder(), emulator or Emulator())

    async def run() -> None:
        with create_pipe_input() as pipe:
            stage.type = pipe.send_text
            stage.screen = FullScreen(
                stage.model,
                make_theme("dark" if depth > Depth.ANSI else "terminal", depth=depth),
                stage.wished.append,
                source=pipe,
                sink=stage.emulator.output(),
            )
            running = asyncio.create_task(stage.screen.run())
            playing = asyncio.create_task(_play(stage, play))
            await asyncio.wait({running, playing}, return_when=asyncio.FIRST_COMPLETED)
            if playing.done():
                stage.screen.stop()
                await running
                await playing
            else:
                playing.cancel()
                await running

    asyncio.run(run())
    return stage


async def _play(stage: Stage, play: Callable[[Stage], Awaitable[None]]) -> None:
    await stage.until(lambda: "k7q2m" in stage.emulator.text)
    await play(stage)


__all__ = ["BARE", "Emulator", "Local", "Recorder", "Stage", "Touch", "perform"]
