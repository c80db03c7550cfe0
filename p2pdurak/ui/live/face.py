"""A player's whole evening at a terminal: lines until the cards are dealt, the table while there is one, lines again.

It owns when the screen is taken and given back, and what is said after it; it knows no network and no game.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from p2pdurak.analysis.report import Depth
from p2pdurak.events import Dealt, Event, Leave, Result, Trouble, Turn, Waiting
from p2pdurak.recording import Recording
from p2pdurak.rules.view import View
from p2pdurak.ui.commands import Problem, Query, Question
from p2pdurak.ui.draw.themes import Theme
from p2pdurak.ui.endings import SAVED
from p2pdurak.ui.live.host import FullScreen, ScreenGone
from p2pdurak.ui.live.keys import AskAnalysis, Local, Wish
from p2pdurak.ui.live.play_model import PlayModel
from p2pdurak.ui.live.replay_model import ReplayModel
from p2pdurak.ui.plain import PlainFace


class Analyst(Protocol):
    """Whoever analyses the game of a replay, and tells that replay."""

    def ask(self, depth: Depth) -> None:
        """Begin; an analysis that goes on is given up."""

    def close(self) -> None:
        """End whatever goes on."""


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
        bell: bool = False,
        make_screen: Callable[..., FullScreen] = FullScreen,
    ) -> None:
        """Prepare.

        Args:
            lines: shows what is said before and after the table.
            model: the table, from this player's seat.
            theme: how it looks.
            program: how the player starts the program.
            bell: whether the terminal rings when it is the player's turn.
            make_screen: makes the screen, on this terminal unless a test says otherwise.
        """
        self._lines = lines
        self._model = model
        self._theme = theme
        self._program = program
        self._replay: ReplayModel | None = None
        self._analyst: Analyst | None = None
        self._bell = bell
        self._make_screen = make_screen
        self._screen: FullScreen | None = None
        self._task: asyncio.Task[None] | None = None
        self._take: Callable[[Wish], None] = lambda _wish: None
        self._sat: Callable[[], None] = lambda: None
        self._ended: Callable[[Exception | None], None] = lambda _error: None
        self._troubles: list[Trouble] = []
        self._result: Result | None = None

    def expect(
        self,
        title: str,
        take: Callable[[Wish], None],
        sat: Callable[[], None],
        ended: Callable[[Exception | None], None],
        *,
        advised: bool = False,
    ) -> None:
        """Get ready for a match.

        Args:
            title: what stands at the head of the table.
            take: what a key asks of the game.
            sat: the screen is about to be taken, and typed lines are no more to be read.
            ended: the screen had to be left: for a fault of ours, or None where the terminal is gone.
            advised: whether there is a bot that gives hints.
        """
        self._model.title, self._model.advised = title, advised
        self._take, self._sat, self._ended = take, sat, ended

    @property
    def closed(self) -> bool:
        """Whether nobody reads us any more."""
        return self._lines.closed

    @property
    def sitting(self) -> bool:
        """Whether the table is on the screen."""
        return self._task is not None and not self._task.done()

    @property
    def taken(self) -> bool:
        """Whether the screen was taken; it may have been given back."""
        return self._screen is not None

    @property
    def last_log(self) -> str:
        """The log of the game just ended; empty while one goes on."""
        return "" if self._result is None else self._result.log

    def show(self, event: Event) -> None:
        """Show an event, as a line or at the table."""
        self._model.show(event, time.monotonic())
        if isinstance(event, Dealt) and self._task is None:
            self._sit_down()
        if self._screen is None:
            self._lines.show(event)
            return
        self._lines.follow(event)
        self._remember(event)
        if self.sitting:
            self._draw(self._screen, event)

    def _look_at_table(self) -> None:
        """Go back from the replay of the last game."""
        if self._replay is not None and self._screen is not None:
            self._dismiss_analyst()
            self._model.mouse = self._replay.mouse
            self._replay = None
            self._screen.show(self._model)

    def _remember(self, event: Event) -> None:
        """Keep what is to be said when the screen is given back; an end that was judged again has one result."""
        match event:
            case Dealt():
                self._troubles.clear()
                self._result = None
            case Result():
                self._result = event
            case Trouble():
                self._troubles.append(event)
            case _:
                pass

    def _draw(self, screen: FullScreen, event: Event) -> None:
        if isinstance(event, Dealt):
            self._look_at_table()  # whoever still looks at the last game is called back
        if self._replay is not None:
            self._replay.tell(self._model.elsewhere(event), time.monotonic())
        if self._bell and isinstance(event, Turn) and event.seat == event.view.seat:
            screen.ring()
        screen.changed()

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

    def suspend(self) -> None:
        """Stop the program until its shell wakes it."""
        if self._screen is not None:
            self._screen.suspend()

    def wake(self) -> None:
        """Take the screen again after the program was stopped."""
        if self._screen is not None:
            self._screen.wake()

    def replay(self, recording: Recording, analyst: Callable[[ReplayModel, Callable[[], None]], Analyst]) -> None:
        """Show the game just ended step by step.

        Args:
            recording: the game.
            analyst: makes the one who analyses it, from its replay and what draws that anew.
        """
        if self._screen is not None:
            self._dismiss_analyst()
            self._replay = ReplayModel(recording, from_table=True, mouse=self._model.mouse)
            self._analyst = analyst(self._replay, self._screen.changed)
            self._screen.show(self._replay)

    def _dismiss_analyst(self) -> None:
        if self._analyst is not None:
            self._analyst.close()
            self._analyst = None

    async def linger(self) -> None:
        """Stay at a table where nothing more will happen, until its player has looked enough.

        Where nobody has sat down, there is none: the next friend may still come to it.
        """
        if self._task is not None and self._screen is not None:
            self._model.close()
            self._screen.changed()
            await self._task

    def stop(self) -> None:
        """Begin to give the screen back."""
        if self._screen is not None:
            self._screen.stop()

    async def close(self) -> None:
        """Give the screen back, and say what the player should still see."""
        self.stop()
        self._dismiss_analyst()
        if self._task is not None:
            await self._task
            self._say_goodbye()

    def _sit_down(self) -> None:
        self._sat()
        self._screen = self._make_screen(self._model, self._theme, self._wished, mouse=self._model.mouse)
        self._task = asyncio.create_task(self._run(self._screen))

    async def _run(self, screen: FullScreen) -> None:
        try:
            await screen.run()
        except ScreenGone:
            self._ended(None)
        except Exception as error:  # noqa: BLE001 - a task's border: whoever waits for us is told
            self._ended(error)

    def _say_goodbye(self) -> None:
        for trouble in self._troubles:
            self._lines.show(trouble)
        if self._result is not None:
            self._lines.show(replace(self._result, more=False))
        else:
            self._lines.show(Waiting(SAVED.format(program=self._program)))

    def _wished(self, wish: Wish) -> None:
        match wish:
            case Local.QUIT:
                self.stop()
                self._take(Leave())
            case Local.NOW_LEAVE:
                self.stop()
                self._take(wish)
            case Local.TABLE:
                self._look_at_table()
            case AskAnalysis(depth):
                if self._analyst is not None:
                    self._analyst.ask(depth)
            case _:
                self._take(wish)
