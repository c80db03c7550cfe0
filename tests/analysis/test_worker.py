"""The process that analyses: the same analysis, progress on the way, and an end that nobody has to clean up after."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from p2pdurak.analysis.judge import analyse
from p2pdurak.analysis.report import Depth, NothingToAnalyse
from p2pdurak.analysis.worker import AnalysisFailed, Worker
from p2pdurak.child import MEMORY_BYTES_MAX
from tests.analysis.recordings import played, resigned
from tests.bots.test_worker import ends, is_running, memory_limit

SHORT = resigned(played(3), 4, seat=0)


def test_analysis_of_the_process_is_the_one_that_is_made_here_and_every_step_is_told() -> None:
    told: list[tuple[int, int]] = []
    here: list[tuple[int, int]] = []
    made = Worker().analyse(SHORT, Depth.QUICK, lambda done, steps: told.append((done, steps)))

    assert made == analyse(SHORT, Depth.QUICK, lambda done, steps: here.append((done, steps)))
    assert told == here != []


def test_game_that_is_not_finished_is_said_to_be_so_and_no_process_is_left() -> None:
    worker = Worker()
    with pytest.raises(NothingToAnalyse, match="not finished"):
        worker.analyse(replace(SHORT, result=None), Depth.QUICK)
    assert worker.pid is None


def test_process_that_dies_is_reported_with_a_sentence() -> None:
    worker = Worker()
    with pytest.raises(AnalysisFailed, match=r"There is no analysis: its process ended .* \(exit code -9\)\."):
        worker.analyse(SHORT, Depth.QUICK, lambda _done, _steps: os.kill(worker.pid or 0, signal.SIGKILL))


def test_fault_in_the_process_is_reported_with_a_sentence() -> None:
    with pytest.raises(AnalysisFailed, match=r"There is no analysis: \w+Error: "):
        Worker().analyse(replace(SHORT, moves=SHORT.moves[1:]), Depth.QUICK)


def test_closing_breaks_off_an_analysis_that_goes_on_and_leaves_no_process_behind() -> None:
    worker, begun, told = Worker(), threading.Event(), []

    def wait() -> None:
        try:
            worker.analyse(played(3), Depth.FULL, lambda _done, _steps: begun.set())
        except AnalysisFailed as failure:
            told.append(failure)

    thread = threading.Thread(target=wait)
    thread.start()
    begun.wait()
    pid = worker.pid
    worker.close()
    thread.join()

    assert len(told) == 1
    assert pid is not None
    assert not is_running(pid)


def test_worker_that_was_closed_before_begins_nothing() -> None:
    worker = Worker()
    worker.close()
    with pytest.raises(AnalysisFailed, match="broken off"):
        worker.analyse(SHORT, Depth.QUICK)
    assert worker.pid is None


def test_memory_of_the_process_is_limited() -> None:
    worker, limits = Worker(), []
    worker.analyse(SHORT, Depth.QUICK, lambda _done, _steps: limits.append(memory_limit(worker.pid or 0)))
    assert set(limits) == {MEMORY_BYTES_MAX}


PARENT = """
from p2pdurak.analysis.report import Depth
from p2pdurak.analysis.worker import Worker
from tests.analysis.recordings import played
worker = Worker()
worker.analyse(played(3), Depth.FULL, lambda done, _steps: print(worker.pid, flush=True) if done == 1 else None)
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_process_ends_with_its_parent_however_that_ends(how: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{PARENT}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with parent:
        if parent.stdout is None:
            raise AssertionError("asked for a pipe")
        pid = int(parent.stdout.readline())
        group = os.getpgid(pid)
        parent.send_signal(how)
        parent.wait()
    assert group != parent.pid
    assert ends(pid)
