"""A player's whole evening at a terminal: lines until the cards are dealt, the table while there is one, lines again.

It owns when the screen is taken and given back, and what is said after it; it knows no network and no game.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from p2pdurak.events import Dealt, Event, Leave, Result, Trouble, Turn, Waiting
from p2pdurak.recording import Recording
from p2pdurak.rules.view import View
from p2pdurak.ui.commands import Problem, Query, Question
from p2pdurak.ui.draw.themes import Theme
from p2pdurak.ui.live.host import FullScreen, ScreenGone
from p2pdurak.ui.live.keys import Local, Wish
from p2pdurak.ui.live.play_model import PlayModel
from p2pdurak.ui.live.replay_model import ReplayModel
from p2pdurak.ui.plain import PlainFace


class TableFace:
    """Shows events as lines, and from the deal on as a table.

    Attributes:
        sitting: the table is on the screen.
    """

    def __init__(
        self,
        lines: PlainFace,
        model: PlayModel,
        theme: Theme,
        *,
        program: str,
        mouse: bool = True,
        bell: bool = False,
    ) -> None:
        """Prepare.

        Args:
            lines: shows what is said before and after the table.
            model: the table, from this player's seat.
            theme: how it looks.
            program: how the player starts the program.
            mouse: whether the mouse is listened to.
            bell: whether the terminal rings when it is the player's turn.
        """
        self._lines = lines
        self._model = model
        self._theme = theme
        self._program = program
        self._mouse = mouse
        self._bell = bell
        self._screen: FullScreen | None = None
        self._task: asyncio.Task[None] | None = None
        self._take: Callable[[Wish], None] = lambda _wish: None
        self._sat: Callable[[], None] = lambda: None
        self._ended: Callable[[Exception | None], None] = lambda _error: None
        self._last_words: list[Event] = []

    def expect(
        self,
        title: str,
        take: Callable[[Wish], None],
        sat: Callable[[], None],
        ended: Callable[[Exception | None], None],
    ) -> None:
        """Get ready for a match.

        Args:
            title: what stands at the head of the table.
            take: what a key asks of the game.
            sat: the screen is about to be taken, and typed lines are no more to be read.
            ended: the screen had to be left: for a fault of ours, or None where the terminal is gone.
        """
        self._model.title = title
        self._take, self._sat, self._ended = take, sat, ended

    @property
    def closed(self) -> bool:
        """Whether nobody reads us any more."""
        return self._lines.closed

    @property
    def sitting(self) -> bool:
        """Whether the table is on the screen."""
        return self._task is not None and not self._task.done()

    def show(self, event: Event) -> None:
        """Show an event, as a line or at the table."""
        self._model.show(event, time.monotonic())
        if isinstance(event, Dealt) and self._task is None:
            self._sit_down()
        if self._screen is None or not self.sitting:
            self._lines.show(event)
            return
        self._lines.follow(event)
        if isinstance(event, Dealt):
            self._last_words.clear()
            self._screen.show(self._model)  # who still looked at the last game is called back
        elif isinstance(event, Result | Trouble):
            self._last_words.append(event)
        if self._bell and isinstance(event, Turn) and event.seat == event.view.seat:
            self._screen.ring()
        self._screen.changed()

    def tell(self, typed: Problem | Question, line: str) -> None:
        """Show what is wrong with a typed line, or what is asked back."""
        self._lines.tell(typed, line)

    def answer(self, query: Query, view: View | None) -> None:
        """Answer a typed question."""
        self._lines.answer(query, view)

    def interrupt(self) -> None:
        """Ctrl-C that came as a signal and not as a key."""
        if self._screen is not None:
            self._screen.press("c-c")

    def replay(self, recording: Recording) -> None:
        """Show the game just ended step by step."""
        if self._screen is not None:
            self._screen.show(ReplayModel(recording, from_table=True))

    async def linger(self) -> None:
        """Stay at a table where nothing more will happen, until its player has looked enough."""
        self._model.close()
        if self._task is not None and self._screen is not None:
            self._screen.changed()
            await self._task

    def stop(self) -> None:
        """Begin to give the screen back."""
        if self._screen is not None:
            self._screen.stop()

    async def close(self) -> None:
        """Give the screen back, and say what the player should still see."""
        self.stop()
        if self._task is not None:
            await self._task

    def _sit_down(self) -> None:
        self._sat()
        self._screen = FullScreen(self._model, self._theme, self._wished, mouse=self._mouse)
        self._task = asyncio.create_task(self._run(self._screen))

    async def _run(self, screen: FullScreen) -> None:
        try:
            await screen.run()
        except ScreenGone:
            self._ended(None)
        except Exception as error:  # noqa: BLE001 - a task's border: whoever waits for us is told
            self._ended(error)
        self._say_goodbye()

    def _say_goodbye(self) -> None:
        """What the player should still see when the table is gone."""
        for event in self._last_words:
            self._lines.show(replace(event, more=False) if isinstance(event, Result) else event)
        if not any(isinstance(event, Result) for event in self._last_words):
            self._lines.show(
                Waiting(f"The game is saved as far as it came. To look at it: {self._program} replay last")
            )

    def _wished(self, wish: Wish) -> None:
        match wish:
            case Local.QUIT:
                self.stop()
                self._take(Leave())
            case Local.NOW_LEAVE:
                self.stop()
                self._take(wish)
            case Local.TABLE:
                if self._screen is not None:
                    self._screen.show(self._model)
            case Local():
                self._take(wish)
            case _:
                self._take(wish)
