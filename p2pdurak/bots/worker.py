"""A bot in a process of its own, so that its thinking stalls neither the terminal nor the network.

It owns what is said over the pipe to it, and its clock; it knows nothing of how a level chooses.
"""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Timer
from types import TracebackType
from typing import IO, Final

from p2pdurak import child
from p2pdurak.bots import LEVELS, dice, think
from p2pdurak.bots.thought import Patience, Thought
from p2pdurak.rules.actions import Action
from p2pdurak.rules.view import View

THINK_S_MAX: Final = 1.0
"""A safety cap on a choice: the budgets of the levels take less, but the machine may be slow, or busy."""

ANSWER_S_MAX: Final = 30.0
"""When a process that does not answer is given up: much later, for a busy machine may not even have started it."""


class BotFailed(Exception):
    """The bot gave no action; the text is a sentence for the player."""


class Worker:
    """A level in a process, which starts with the first choice; and anew with the next one after a failure.

    Use it as a context manager, or call `close`.

    Args:
        level: one of `LEVELS`.
        seed: of every choice: the same view gets the same action.

    Raises:
        ValueError: with a sentence, if there is no such level.
    """

    def __init__(self, level: str, seed: str) -> None:
        if level not in LEVELS:
            raise ValueError(f"There is no bot of level {level!r}. Levels: {', '.join(LEVELS)}.")
        self._level = level
        self._seed = seed
        self._process: subprocess.Popen[bytes] | None = None
        self._one_at_a_time = Lock()

    def __enter__(self) -> Worker:
        """Nothing starts yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self.close()

    @property
    def pid(self) -> int | None:
        """The process; None while there is none."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the process now, so that the first choice does not wait for it."""
        with self._one_at_a_time:
            self._running()

    def choose(self, view: View) -> Action:
        """The action for a view whose turn it is; blocks until it is found.

        Raises:
            BotFailed: if the process failed, ended or took too long.
        """
        return self.think(view).action

    def think(self, view: View) -> Thought:
        """The same with what speaks for it.

        Raises:
            BotFailed: as `choose`.
        """
        with self._one_at_a_time:
            process = self._running()
            watch = Timer(ANSWER_S_MAX, process.kill)
            watch.daemon = True
            watch.start()
            try:
                answer = self._ask(process, view)
            except (OSError, EOFError, pickle.UnpicklingError):
                code = self._end(process)
                raise BotFailed(f"The bot's process has ended without an answer (exit code {code}).") from None
            finally:
                watch.cancel()
        if isinstance(answer, str):
            raise BotFailed(f"The bot could not choose: {answer}.")
        return answer

    async def choose_aside(self, view: View) -> Action:
        """The same for an event loop, which goes on meanwhile.

        Raises:
            BotFailed: as `choose`.
        """
        return await asyncio.to_thread(self.choose, view)

    def close(self) -> None:
        """End the process, in the middle of a thought too: who waits for it gets `BotFailed`. It may be used again."""
        process = self._process
        if not self._one_at_a_time.acquire(blocking=False):
            # Somebody waits for an answer, and the pipe is his; without the process he stops waiting.
            if process is not None:
                process.kill()
            self._one_at_a_time.acquire()
        try:
            if self._process is not None:
                self._end(self._process)
        finally:
            self._one_at_a_time.release()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = child.begin(__name__)
        return self._process

    def _ask(self, process: subprocess.Popen[bytes], view: View) -> Thought | str:
        if process.stdin is None or process.stdout is None:
            raise EOFError
        pickle.dump((self._level, view, self._seed), process.stdin)
        process.stdin.flush()
        answer: Thought | str = pickle.load(process.stdout)  # noqa: S301 -- the other end is this very program
        return answer

    def _end(self, process: subprocess.Popen[bytes]) -> int:
        self._process = None
        return child.end(process)


# ---- inside the process ----


def serve() -> None:
    """Answer questions from standard input until it ends."""
    child.limit_memory()
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed must not come between the answers
    with suppress(EOFError, BrokenPipeError):
        while True:
            _answer(questions, answers)


def within(seconds: float, now: Callable[[], float] = time.monotonic) -> Patience:
    """Patience that lasts so long from now on.

    Args:
        seconds: how long.
        now: a clock that never goes back, in seconds.
    """
    until = now() + seconds
    return lambda: now() < until


def _answer(questions: IO[bytes], answers: IO[bytes]) -> None:
    level, view, seed = pickle.load(questions)  # noqa: S301 -- the other end is this very program
    answer: Thought | str
    try:
        answer = think(level, view, dice(seed, view), within(THINK_S_MAX))
    except Exception as problem:  # noqa: BLE001 -- the border of the process: the parent tells the player
        answer = f"{type(problem).__name__}: {problem}"
    pickle.dump(answer, answers)
    answers.flush()
