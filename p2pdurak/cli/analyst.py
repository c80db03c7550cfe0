"""The analysis that a replay on the screen asks for: from what is kept beside the log, or from a process of its own.

It owns the way there and back, and that nothing is left running when the replay is left; it judges nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from p2pdurak.analysis.judge import Progress
from p2pdurak.analysis.kept import keep, recall
from p2pdurak.analysis.report import Analysis, Depth, NothingToAnalyse
from p2pdurak.analysis.worker import AnalysisFailed, Worker
from p2pdurak.recording import Recording
from p2pdurak.ui.live.replay_model import ReplayModel


class Analyst:
    """Analyses one saved game aside, and tells its replay; to be used inside of an event loop, and closed.

    Args:
        log: of the game.
        game: the same as it is shown.
        model: its replay.
        changed: draws that anew.
    """

    def __init__(self, log: Path, game: Recording, model: ReplayModel, changed: Callable[[], None]) -> None:
        self._log = log
        self._game = game
        self._model = model
        self._changed = changed
        self._worker: Worker | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The process of the analysis that goes on; None while there is none."""
        return None if self._worker is None else self._worker.pid

    def ask(self, depth: Depth) -> None:
        """Analyse; what is still under way is broken off for it."""
        self.close()
        self._worker = Worker()
        self._task = asyncio.create_task(self._tell(self._worker, depth))

    def close(self) -> None:
        """Break off what is under way; the replay is told no more of it."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    async def _tell(self, worker: Worker, depth: Depth) -> None:
        """Let the replay know how far it is, and what came of it."""
        loop, shown = asyncio.get_running_loop(), -1

        def progress(done: int, steps: int) -> None:
            nonlocal shown
            percent = 100 * done // steps
            if percent != shown:  # what would look the same is not drawn
                shown = percent
                loop.call_soon_threadsafe(self._on_stage, worker, lambda: self._model.analysing(done, steps))

        try:
            analysis = await asyncio.to_thread(self._found, worker, depth, progress)
        except (NothingToAnalyse, AnalysisFailed) as error:
            reason = str(error)
            self._on_stage(worker, lambda: self._model.not_analysed(reason))
        else:
            self._on_stage(worker, lambda: self._model.analysed(analysis))

    def _on_stage(self, worker: Worker, tell: Callable[[], None]) -> None:
        """Tell the replay something, unless it was left, or has asked for another analysis since."""
        if worker is self._worker:
            tell()
            self._changed()

    def _found(self, worker: Worker, depth: Depth, progress: Progress) -> Analysis:
        """What is kept, a deeper one first; else what the process finds, which is kept from now on."""
        kept = recall(self._log, self._game, Depth.FULL)
        if kept is None and depth is Depth.QUICK:
            kept = recall(self._log, self._game, depth)
        if kept is None:
            kept = worker.analyse(self._game, depth, progress)
            keep(self._log, kept)
        return kept
