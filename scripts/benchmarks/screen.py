"""What the table costs: the start of the program, a picture, and the bytes that a terminal gets.

It owns what is measured and how it is printed; it does not know the network, and asserts nothing.

The screen runs as it does for a player, over a pipe and a writer that counts. The reference of the start is a bare
`python -c pass` in the same run, that of a picture a loop of a million rounds.
"""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Final

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2pdurak.events import Dealt, Opener, Turn
from p2pdurak.rules.cards import parse_card
from p2pdurak.rules.options import CLASSIC
from p2pdurak.rules.positions import deal
from p2pdurak.rules.view import View
from p2pdurak.safe_text import clean_name
from p2pdurak.ui.draw.render import render
from p2pdurak.ui.draw.themes import Depth, make_theme
from p2pdurak.ui.live.host import FullScreen
from p2pdurak.ui.live.play_model import PlayModel

COLUMNS: Final = 80
ROWS: Final = 24
CLOCK_S: Final = 600
"""A clock that outlasts the measurement."""

SETTLE_S: Final = 0.3
"""After a key, the picture is there long before this."""


class Counter(io.StringIO):
    """A terminal that only counts what it is sent."""

    encoding = "utf-8"

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0

    def write(self, text: str) -> int:
        """Count, and forget."""
        self.bytes += len(text.encode())
        return len(text)


@dataclass(frozen=True, slots=True)
class ScreenReport:
    """The figures; times in milliseconds, processor use in percent of one core."""

    start_ms: float
    start_ratio: float
    picture_ms: float
    picture_ratio: float
    first_paint_bytes: int
    key_bytes: float
    tick_bytes: float
    idle_percent: float
    clock_percent: float

    def data(self) -> dict[str, object]:
        """For programs."""
        return asdict(self)

    def text(self) -> str:
        """For people."""
        rows = (
            ("--version, start to end", f"{self.start_ms:.0f} ms", f"{self.start_ratio:.1f} x python -c pass"),
            ("a picture of 80x24", f"{self.picture_ms:.1f} ms", f"{self.picture_ratio:.2f} x a million empty rounds"),
            ("first paint", f"{self.first_paint_bytes} B", ""),
            ("a key that moves the focus", f"{self.key_bytes:.0f} B", ""),
            ("a second of the clock", f"{self.tick_bytes:.0f} B", ""),
            ("idle, no clock", f"{self.idle_percent:.2f} %", "of one core"),
            ("idle, the clock running", f"{self.clock_percent:.2f} %", "of one core"),
        )
        return "\n".join(f"{name:<28}{figure:>10}  {note}".rstrip() for name, figure, note in rows)


def measure_screen(seconds: int) -> ScreenReport:
    """Measure everything; the two idle figures take `seconds` each."""
    version, bare = _starts()
    picture, loop = _picture_s(), _loop_s()
    first, key, _, idle = asyncio.run(_sit(seconds, 0))
    _, _, tick, clock = asyncio.run(_sit(seconds, CLOCK_S))
    return ScreenReport(
        1000 * version, version / bare, 1000 * picture, picture / loop, first, key, tick, 100 * idle, 100 * clock
    )


def _starts() -> tuple[float, float]:
    """Seconds of `--version` and of a bare interpreter, each the fastest of several that took turns."""
    ours, bare = [], []
    for _ in range(15):
        ours.append(_run("-m", "p2pdurak", "--version"))
        bare.append(_run("-c", "pass"))
    return min(ours), min(bare)


def _run(*arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-P", *arguments], check=True, stdout=subprocess.DEVNULL, env=os.environ)
    return time.perf_counter() - began


def _picture_s() -> float:
    """Processor seconds of one picture, the median of many."""
    model, theme = _seat(CLOCK_S), make_theme("terminal", depth=Depth.ANSI)
    return median(_timed(lambda: render(model.screen(0.0), COLUMNS, ROWS, theme)) for _ in range(200))


def _loop_s() -> float:
    return median(_timed(_million) for _ in range(20))


def _million() -> None:
    for _ in range(1_000_000):
        pass


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _seat(clock_s: int) -> PlayModel:
    """A player whose attack it is, with six cards."""
    model = PlayModel("k7q2m")
    hand = tuple(sorted(map(parse_card, ("6c", "9d", "Td", "Kh", "7s", "As"))))
    state = deal(CLASSIC, parse_card("Qh"), 0)
    view = View(0, state, hand)
    model.show(Dealt(1, 0, (clean_name("ilya"), clean_name("mira")), hand, parse_card("Qh"), view), 0.0)
    model.show(Opener(0, None), 0.0)
    model.show(Turn(0, view, clock_s), time.monotonic())
    return model


async def _sit(seconds: int, clock_s: int) -> tuple[int, float, float, float]:
    """Bytes of the first paint, of a key and of a second; the share of a core that waiting takes."""
    counter = Counter()
    with create_pipe_input() as keys:
        screen = FullScreen(
            _seat(clock_s),
            make_theme("terminal", depth=Depth.ANSI),
            lambda _wish: None,
            source=keys,
            sink=Vt100_Output(counter, lambda: Size(ROWS, COLUMNS), term="xterm", enable_cpr=False),
        )
        running = asyncio.create_task(screen.run())
        await asyncio.sleep(SETTLE_S)
        first = counter.bytes
        moved = []
        for _ in range(10):
            before = counter.bytes
            keys.send_text("\t")
            await asyncio.sleep(SETTLE_S)
            moved.append(counter.bytes - before)
        before, busy, began = counter.bytes, time.process_time(), time.monotonic()
        await asyncio.sleep(seconds)
        passed = time.monotonic() - began
        share = (time.process_time() - busy) / passed
        ticked = (counter.bytes - before) / passed
        screen.stop()
        await running
    return first, median(moved), ticked, share
