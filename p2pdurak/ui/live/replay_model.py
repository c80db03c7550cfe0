"""A replay on the screen: where it stands, what its keys do, and how it plays on by itself.

It owns the place in the game and the pace; it does not know what a picture looks like, and reads no clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Final, assert_never

from p2pdurak.analysis.report import Analysis, Depth
from p2pdurak.recording import Recording
from p2pdurak.rules.state import Seat
from p2pdurak.safe_text import clean
from p2pdurak.ui.draw.canvas import Jump, Press, Target, Touch
from p2pdurak.ui.draw.screen import Notice, Panel, Progress, Screen, Tone
from p2pdurak.ui.live.analysis_state import AnalysisState
from p2pdurak.ui.live.keys import AskAnalysis, Local, Wish, latin, mouse_sentence
from p2pdurak.ui.live.overlay import Scroll
from p2pdurak.ui.live.replay_frames import Frames, Sight
from p2pdurak.ui.live.replay_panels import ENTRY_HINTS, hands_line, help_panel, hints, proof_panel
from p2pdurak.ui.live.timing import Board, soonest
from p2pdurak.ui.replay_words import Shown

MOVE_S: Final = 1.2
"""How long a move is shown at speed 1."""

BOUT_END_S: Final = 1.8
"""How long the end of a bout is shown: more has changed."""

SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)

ENTRY_DIGITS_MAX: Final = 5
"""No game has more moves than these digits can say."""

_DIGITS: Final = frozenset("0123456789")

TOLD_S: Final = 10.0
"""How long news from the table can be read over a replay."""


class _Over(Enum):
    """What lies over the table."""

    HELP = "help"
    PROOF = "proof"
    ANALYSIS = "analysis"


_DEPTHS: Final = {"a": Depth.QUICK, "d": Depth.FULL}

_IN_ANALYSIS: Final = frozenset({"left", "right", "[", "]", "n", "p"})
"""Keys that move on under an analysis, which follows."""

_PANEL_KEYS: Final = {"i": _Over.PROOF, "?": _Over.HELP, "f1": _Over.HELP}


class ReplayModel:
    """A recorded game on the screen.

    Args:
        game: the recording.
        seat: whose side is at the bottom at first; None: as the recording has it.
        shown: whose hands lie open at first.
        speed: how fast it plays; 1 is a move in `MOVE_S` seconds.
        at: the number of moves that are shown at first.
        from_table: it was opened from the table, and leads back there.
        mouse: whether the mouse is listened to at first.

    Attributes:
        mouse: whether it is, as far as the keys have told.
    """

    def __init__(
        self,
        game: Recording,
        *,
        seat: Seat | None = None,
        shown: Shown = Shown.ALL,
        speed: float = 1.0,
        at: int = 0,
        from_table: bool = False,
        mouse: bool = True,
    ) -> None:
        self.mouse = mouse
        self._game = game
        self._frames = Frames(game)
        own = game.seat if seat is None else seat
        self._sight = Sight(bottom=own, shown=shown)
        self._speed = min(max(speed, SPEEDS[0]), SPEEDS[-1])
        self._at = self._within(at)
        self._next: float | None = None  # when the next move comes by itself; None while it does not play
        self._from_table = from_table
        self._over: _Over | None = None
        self._scroll = Scroll()
        self._entry: str | None = None
        self._notice: Notice | None = None
        self._board = Board()
        self._analysis = AnalysisState(game)
        self._awaited = False  # nothing was done since an analysis was asked for
        self._keys = self._key_table()

    # What comes in.

    def press(self, key: str, now: float) -> Wish | None:
        """Do what a key does.

        Args:
            key: its name, or the character that was typed.
            now: the time, in seconds.
        """
        if key == "c-l":
            return Local.REDRAW
        if key in ("c-c", "f10"):
            return self._leave()
        self._notice, self._awaited = None, False
        if self._entry is not None:
            self._type(key, self._entry, now)
            return None
        key = latin(key) if len(key) == 1 else key
        if key in _DEPTHS:
            return self._analyse(_DEPTHS[key])
        if self._over is not None:
            self._press_over(key, self._over, now)
            return None
        if key in ("q", "escape"):
            return self._leave()
        if key == "m":
            self.mouse = not self.mouse
            self._notice = Notice(mouse_sentence(mouse=self.mouse))
            return Local.MOUSE
        if key in self._keys:
            self._keys[key](now)
        elif len(key) == 1 and clean(key, 2):
            self._notice = Notice(f"{clean(key, 2)} is no key here; ? lists them.")
        return None

    def touch(self, target: Target, now: float) -> Wish | None:
        """Do what a click does."""
        match target:
            case Press(key):
                return self.press(key, now)
            case Jump(moves):
                self._notice = self._entry = None
                self._awaited = False
                self._over = _Over.ANALYSIS if self._over is _Over.ANALYSIS else None
                self._go(moves, now)
            case Touch():
                pass  # a card of a replay cannot be played
            case _:
                assert_never(target)
        return None

    def paste(self, text: str, now: float) -> None:  # noqa: ARG002 - every model is told the time
        """Take the digits of a pasted text where a number is asked for."""
        for char in text if self._entry is not None else "":
            self._add_digit(char)

    def advance(self, now: float) -> None:
        """Let time pass. However late it is, only one move comes at once, so that each can be seen."""
        self._board.advance(now)
        if self._next is not None and now >= self._next:
            self._go(self._at + 1, now)

    def tell(self, text: str, now: float) -> None:
        """Say for a while what happens elsewhere, at the table that is behind the replay."""
        if text:
            self._board.post(Notice(text, Tone.MINE), now, TOLD_S)

    def analysing(self, done: int, steps: int) -> None:
        """Be told how far the analysis is that was asked for."""
        self._analysis.go_on(done, steps)

    def analysed(self, analysis: Analysis) -> None:
        """Take an analysis of this game. Who waits for it is shown it; who has gone on is told that it is there."""
        self._analysis.end(analysis)
        if self._over is _Over.ANALYSIS or self._entry is not None:
            return
        if self._awaited:
            self._lay(_Over.ANALYSIS)
        else:
            self._notice = Notice("The analysis is there: a shows it.", Tone.GOOD)

    def not_analysed(self, reason: str) -> None:
        """Be told why there is none."""
        self._analysis.end(None)
        if self._entry is None:
            self._notice = Notice(reason)

    def scrollable(self, lines: int) -> None:
        """Be told how many lines the panel in the picture can be scrolled."""
        self._scroll.limit(lines)

    # What goes out.

    def screen(self, now: float) -> Screen:
        """What is to be seen."""
        analysis, frames = self._analysis, self._frames
        bar = "" if self._over is _Over.ANALYSIS else analysis.bar
        screen = replace(
            frames.at(self._at, self._sight),
            notice=self._board.notice(now) or self._notice or (Notice(bar) if bar else None),
            hints=() if self._over else hints(analysis.hints, playing=self._playing, from_table=self._from_table),
            panel=self._panel(),
            progress=Progress(self._at, frames.last, frames.marks, self._playing, self._speed, analysis.signs),
            judged=analysis.judged(self._at, self._sight.bottom),
        )
        return screen if self._entry is None else self._asking(screen, self._entry)

    def _asking(self, screen: Screen, entry: str) -> Screen:
        """The line that is typed takes the place of the notice; what is wrong with it stands in the prompt."""
        asked = self._notice or Notice(f"Go to which move? 0 to {self._frames.last}", Tone.MINE)
        return replace(screen, prompt=asked.text, tone=asked.tone, notice=None, entry=entry, hints=ENTRY_HINTS)

    def due(self, now: float) -> float | None:
        """In how many seconds `advance` changes something; None while nothing changes by itself."""
        return soonest(None if self._next is None else max(0.0, self._next - now), self._board.due(now))

    def _panel(self) -> Panel | None:
        match self._over:
            case None:
                return None
            case _Over.HELP:
                return help_panel(self._scroll.lines)
            case _Over.PROOF:
                return proof_panel(self._game, self._frames, self._scroll.lines)
            case _Over.ANALYSIS:
                return self._analysis.panel(self._at, self._sight.bottom, self._scroll.lines)
            case _:
                assert_never(self._over)

    # Keys.

    def _key_table(self) -> dict[str, Callable[[float], None]]:
        frames = self._frames
        return {
            "space": self._play_or_pause,
            "left": lambda _: self._step(-1),
            "right": lambda _: self._step(1),
            "[": lambda now: self._go(max((stop for stop in frames.stops if stop < self._at), default=0), now),
            "]": lambda now: self._go(
                min((stop for stop in frames.stops if stop > self._at), default=frames.last), now
            ),
            "-": self._slower,
            "+": self._faster,
            "=": self._faster,
            "home": lambda now: self._go(0, now),
            "end": lambda now: self._go(frames.last, now),
            "g": lambda _: self._ask(),
            "h": lambda _: self._hide_or_show(),
            "f": lambda _: self._flip(),
            "n": lambda _: self._turn(forward=True),
            "p": lambda _: self._turn(forward=False),
            "i": lambda _: self._lay(_Over.PROOF),
            "?": lambda _: self._lay(_Over.HELP),
            "f1": lambda _: self._lay(_Over.HELP),
        }

    def _leave(self) -> Local:
        return Local.TABLE if self._from_table else Local.QUIT

    def _press_over(self, key: str, over: _Over, now: float) -> None:
        """A key while something lies over the table: scroll it, change it for the other, or take it away."""
        if self._scroll.press(key, self._panel()):
            return
        if key in ("escape", "enter", "q") or _PANEL_KEYS.get(key) is over:
            self._over = None
        elif key in _PANEL_KEYS:
            self._lay(_PANEL_KEYS[key])
        elif over is _Over.ANALYSIS and key in _IN_ANALYSIS:
            self._keys[key](now)

    def _lay(self, over: _Over) -> None:
        self._pause()
        self._over = over
        self._scroll.reset()

    def _flip(self) -> None:
        self._sight = replace(self._sight, bottom=1 - self._sight.bottom)

    def _hide_or_show(self) -> None:
        if self._sight.shown is Shown.ALL:
            self._sight = replace(self._sight, shown=Shown.MINE)
            self._notice = Notice(f"Only the hand of {self._frames.names[self._sight.bottom]} is shown.")
        else:
            self._sight = replace(self._sight, shown=Shown.ALL)
            self._notice = Notice(hands_line(self._frames))

    # The analysis.

    def _analyse(self, depth: Depth) -> Wish | None:
        """Show the analysis, or take it away; ask for one where there is none so deep."""
        if depth is Depth.QUICK and self._over is _Over.ANALYSIS:
            self._over = None
            return None
        self._pause()
        if self._analysis.found is None:
            self._over = None
        elif self._over is not _Over.ANALYSIS:
            self._lay(_Over.ANALYSIS)
        self._awaited = True
        if not self._analysis.lacks(depth):
            return None
        self._analysis.begin(depth)
        return AskAnalysis(depth)

    def _turn(self, *, forward: bool) -> None:
        """Go to a turning point."""
        point = self._analysis.turning_point(self._at, forward=forward)
        if self._analysis.found is None:
            self._notice = Notice("There is no analysis yet: a makes one.")
        elif point is None:
            self._notice = Notice(f"There is no turning point {'after' if forward else 'before'} this.")
        else:
            self._pause()
            self._at = point

    # The number of a move, typed.

    def _ask(self) -> None:
        self._pause()
        self._entry = ""

    def _type(self, key: str, typed: str, now: float) -> None:
        match key:
            case "escape":
                self._entry = None
            case "enter":
                self._take(typed, now)
            case "backspace":
                self._entry = typed[:-1]
            case "c-u" | "c-w":
                self._entry = ""
            case _:
                self._add_digit(key)

    def _add_digit(self, key: str) -> None:
        digit = latin(key) if len(key) == 1 else key
        if self._entry is not None and digit in _DIGITS and len(self._entry) < ENTRY_DIGITS_MAX:
            self._entry += digit

    def _take(self, typed: str, now: float) -> None:
        if typed and int(typed) > self._frames.last:
            self._notice = Notice(f"There is no move {int(typed)}. Go to which? 0 to {self._frames.last}", Tone.ALARM)
            return
        self._entry = None
        if typed:
            self._go(int(typed), now)

    # Place and pace.

    @property
    def _playing(self) -> bool:
        return self._next is not None

    def _within(self, at: int) -> int:
        return min(max(0, at), self._frames.last)

    def _step(self, moves: int) -> None:
        """A step by hand ends the playing: who looks closely wants to stay."""
        self._pause()
        if self._at + moves > self._frames.last:
            self._notice = Notice("This is the end.")
        self._at = self._within(self._at + moves)

    def _go(self, at: int, now: float) -> None:
        self._at = self._within(at)
        if self._at == self._frames.last:
            self._pause()
        elif self._playing:
            self._next = now + self._wait_s()

    def _play_or_pause(self, now: float) -> None:
        if self._playing:
            self._pause()
        elif self._frames.last:
            self._at = 0 if self._at == self._frames.last else self._at
            self._next = now + self._wait_s()

    def _pause(self) -> None:
        self._next = None

    def _slower(self, now: float) -> None:
        self._set_speed(max((speed for speed in SPEEDS if speed < self._speed), default=SPEEDS[0]), now)

    def _faster(self, now: float) -> None:
        self._set_speed(min((speed for speed in SPEEDS if speed > self._speed), default=SPEEDS[-1]), now)

    def _set_speed(self, speed: float, now: float) -> None:
        self._speed = speed
        if self._playing:
            self._next = now + self._wait_s()

    def _wait_s(self) -> float:
        """How long the present picture stays."""
        return (BOUT_END_S if self._at in self._frames.marks else MOVE_S) / self._speed
