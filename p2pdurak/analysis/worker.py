"""An analysis in a process of its own, so that it stalls neither the terminal nor the network.

It owns what is said over the pipes to it, and its breaking off; it judges nothing, and knows neither file nor screen.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from threading import Lock, Thread
from typing import IO

from p2pdurak import child
from p2pdurak.analysis.judge import Progress, analyse
from p2pdurak.analysis.report import Analysis, Depth, NothingToAnalyse
from p2pdurak.recording import Recording

_Said = tuple[int, int] | Analysis | NothingToAnalyse | str
"""What the process says: how far it is, at last the result, or that there is none, or what went wrong in it."""


class AnalysisFailed(Exception):
    """The process gave no analysis; the text is a sentence for the player."""


class Worker:
    """One analysis, which somebody waits for in one thread and may break off from another."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._starting = Lock()

    @property
    def pid(self) -> int | None:
        """The process; None while there is none."""
        return None if self._process is None else self._process.pid

    def analyse(self, game: Recording, depth: Depth, progress: Progress = lambda _done, _all: None) -> Analysis:
        """Judge a game as `p2pdurak.analysis.judge` does; blocks until that is done.

        Args:
            game: the recording.
            depth: how much is looked at.
            progress: told of every step, in the caller's thread.

        Raises:
            NothingToAnalyse: as `judge` says.
            AnalysisFailed: the process failed, ended, or was broken off.
        """
        process = self._start()
        try:
            said = _answer(process, game, depth, progress)
        except (OSError, EOFError, pickle.UnpicklingError):
            said = f"its process ended without an answer (exit code {child.end(process)})"
        finally:
            child.end(process)
            self._process = None
        match said:
            case Analysis():
                return said
            case NothingToAnalyse():
                raise said
            case _:
                raise AnalysisFailed(f"There is no analysis: {said}.")

    def close(self) -> None:
        """Break the analysis off, if one goes on, and let none begin. Whoever waits for it gets `AnalysisFailed`."""
        with self._starting:
            self._closed = True
            process = self._process
        if process is not None:
            process.kill()
            process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._starting:
            if self._closed:
                raise AnalysisFailed("There is no analysis: it was broken off.")
            self._process = child.begin(__name__)
            return self._process


def _answer(
    process: subprocess.Popen[bytes], game: Recording, depth: Depth, progress: Progress
) -> Analysis | NothingToAnalyse | str:
    if process.stdin is None or process.stdout is None:
        raise EOFError
    pickle.dump((game, depth), process.stdin)
    process.stdin.flush()
    while True:
        said: _Said = pickle.load(process.stdout)  # noqa: S301 -- the other end is this very program
        if not isinstance(said, tuple):
            return said
        progress(*said)


# ---- inside the process ----


def serve() -> None:
    """Judge the game that comes on standard input, and say on standard output how far that is and what came of it."""
    child.limit_memory()
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed must not come between the answers
    try:
        game, depth = pickle.load(questions)  # noqa: S301 -- the other end is this very program
    except EOFError:
        return
    # A step can take seconds, and nothing is written meanwhile that would tell that nobody reads it.
    Thread(target=_end_with_parent, args=(questions.fileno(),), daemon=True).start()
    with suppress(BrokenPipeError):
        _say(answers, _judged(game, depth, answers))


def _judged(game: Recording, depth: Depth, answers: IO[bytes]) -> Analysis | NothingToAnalyse | str:
    try:
        return analyse(game, depth, lambda done, steps: _say(answers, (done, steps)))
    except NothingToAnalyse as nothing:
        return nothing
    except BrokenPipeError:
        raise
    except Exception as problem:  # noqa: BLE001 -- the border of the process: the parent tells the player
        return f"{type(problem).__name__}: {problem}"


def _say(answers: IO[bytes], said: _Said) -> None:
    pickle.dump(said, answers)
    answers.flush()


def _end_with_parent(standard_input: int) -> None:
    while os.read(standard_input, 1):
        pass
    os._exit(0)
