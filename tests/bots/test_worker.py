"""The worker process: the same choices, and an end that nobody has to clean up after."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from p2pdurak.bots import LEVELS, dice
from p2pdurak.bots.hard import Budget, think_within
from p2pdurak.bots.thought import Thought
from p2pdurak.bots.worker import THINK_S_MAX, BotFailed, Worker, within
from p2pdurak.child import MEMORY_BYTES_MAX
from p2pdurak.rules.actions import Attack
from p2pdurak.rules.cards import parse_card
from p2pdurak.rules.state import Phase
from p2pdurak.rules.view import View
from tests.bots.tables import dealt
from tests.rules.games import at, cards

VIEW = dealt(Random(3)).view(0)


@pytest.fixture
def worker() -> Iterator[Worker]:
    with Worker("medium", "seed") as made:
        yield made


def test_choice_in_the_process_is_the_choice_of_the_level() -> None:
    with Worker("easy", "seed") as worker:
        assert worker.choose(VIEW) == LEVELS["easy"](VIEW, dice("seed", VIEW))


def test_thought_of_the_process_says_what_speaks_for_it() -> None:
    view = View(0, at("h", "6h 6s 8d", "7s Jd Jh Qc"), tuple(sorted(cards("6h 6s 8d"))))
    with Worker("hard", "seed") as worker:
        assert worker.think(view) == Thought(Attack(parse_card("8d")), value=1)


def test_patience_lasts_as_long_as_the_clock_says() -> None:
    clock = [100.0]
    patience = within(THINK_S_MAX, lambda: clock[0])
    answers = []
    for clock[0] in (100.0, 100.999, 101.0, 200.0):
        answers.append(patience())
    assert answers == [True, True, False, False]


def test_choice_on_a_slow_machine_takes_a_second_of_its_clock() -> None:
    looks = itertools.count()
    patience = within(THINK_S_MAX, lambda: next(looks) / 10)  # every look takes a tenth of a second
    budget = Budget(worlds=10_000, batch=1, doubt=1000)
    assert think_within(budget, VIEW, Random(0), patience).trials == 10


def test_event_loop_goes_on_while_the_worker_thinks(worker: Worker) -> None:
    async def both() -> tuple[object, int]:
        task, turns = asyncio.create_task(worker.choose_aside(VIEW)), 0
        while not task.done():
            await asyncio.sleep(0)
            turns += 1
        return task.result(), turns

    action, turns = asyncio.run(both())
    assert action in VIEW.legal_actions()
    assert turns > 10


def test_unknown_level_is_a_sentence_that_names_the_levels() -> None:
    with pytest.raises(ValueError, match=r"no bot of level 'guru'\. Levels: easy, medium, hard\."):
        Worker("guru", "seed")


def test_view_that_leaves_nothing_to_choose_is_reported_and_the_worker_lives_on(worker: Worker) -> None:
    with pytest.raises(BotFailed, match="could not choose: ValueError: it is not this player's turn"):
        worker.choose(View(1, VIEW.state, VIEW.hand))
    assert worker.choose(VIEW) in VIEW.legal_actions()


def test_process_that_dies_is_reported_with_a_sentence_and_the_next_choice_has_a_new_one(worker: Worker) -> None:
    worker.start()
    first = worker.pid
    os.kill(first, signal.SIGKILL)
    with pytest.raises(BotFailed, match=r"ended without an answer \(exit code -9\)"):
        worker.choose(VIEW)
    assert worker.pid is None
    assert worker.choose(VIEW) in VIEW.legal_actions()
    assert worker.pid != first


def test_closed_worker_leaves_no_process_behind(worker: Worker) -> None:
    worker.choose(VIEW)
    pid = worker.pid
    worker.close()
    worker.close()
    assert not is_running(pid)


def test_worker_can_be_closed_before_it_has_begun() -> None:
    Worker("hard", "seed").close()


def test_closing_while_it_thinks_gives_the_waiting_choice_an_answer_or_a_sentence() -> None:
    worker = Worker("hard", "seed")
    told: list[object] = []

    def ask() -> None:
        try:
            told.append(worker.choose(VIEW))
        except BotFailed as failure:
            told.append(failure)

    worker.start()
    thread = threading.Thread(target=ask)
    thread.start()
    worker.close()
    thread.join()
    worker.close()
    assert len(told) == 1
    assert worker.pid is None


def closes(worker: Worker) -> bool:
    """Whether closing comes to an end, in a thread: a process that is not killed would be waited for without end."""
    thread = threading.Thread(target=worker.close, daemon=True)
    thread.start()
    thread.join(60)
    return not thread.is_alive()


def stop(worker: Worker) -> int:
    """Freeze the process of a worker, which has begun to answer; its process id."""
    worker.choose(VIEW)
    if worker.pid is None:
        raise AssertionError("there is no process")
    os.kill(worker.pid, signal.SIGSTOP)
    return worker.pid


def test_closing_while_the_process_says_nothing_gives_the_waiting_choice_a_sentence(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2pdurak.bots.worker.ANSWER_S_MAX", 1e6)
    told: list[BotFailed] = []

    def ask() -> None:
        try:
            worker.choose(VIEW)
        except BotFailed as failure:
            told.append(failure)

    pid = stop(worker)
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    while not worker._one_at_a_time.locked() and thread.is_alive():
        pass
    try:
        assert closes(worker)
    finally:
        if is_running(pid):
            os.kill(pid, signal.SIGKILL)
    thread.join()
    assert [str(failure) for failure in told] == ["The bot's process has ended without an answer (exit code -9)."]
    assert not is_running(pid)


def test_process_that_does_not_end_when_it_is_told_to_is_killed(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2pdurak.child.END_S_MAX", 0.01)
    pid = stop(worker)
    try:
        assert closes(worker)
    finally:
        if is_running(pid):
            os.kill(pid, signal.SIGKILL)
    assert not is_running(pid)


def test_memory_of_the_process_is_limited(worker: Worker) -> None:
    worker.choose(VIEW)
    assert memory_limit(worker.pid or 0) == MEMORY_BYTES_MAX


def memory_limit(pid: int) -> int:
    """How many bytes of memory a process may have."""
    limits = pytest.importorskip("resource")
    soft, hard = limits.prlimit(pid, limits.RLIMIT_AS)
    return max(soft, hard)


PARENT = """
import sys
from p2pdurak.bots.worker import Worker
worker = Worker("medium", "seed")
worker.start()
print(worker.pid, flush=True)
sys.stdin.read()
"""


def start_parent() -> tuple[subprocess.Popen[bytes], int]:
    """A program with a worker, in a session of its own as a terminal would make it; and the worker's process id."""
    parent = subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{PARENT}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    if parent.stdout is None:
        raise AssertionError("asked for a pipe")
    return parent, int(parent.stdout.readline())


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_worker_ends_with_its_parent_however_that_ends(how: signal.Signals) -> None:
    parent, pid = start_parent()
    with parent:
        parent.send_signal(how)
        parent.wait()
    assert ends(pid)


def test_ctrl_c_in_the_terminal_is_the_parents_affair_alone() -> None:
    parent, pid = start_parent()
    with parent:
        assert os.getpgid(pid) != os.getpgid(parent.pid)
        parent.kill()
    assert ends(pid)


def is_running(pid: int | None) -> bool:
    if pid is None:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not is_zombie(pid)


def is_zombie(pid: int) -> bool:
    """Whether it has ended and only waits for whoever adopted it to notice; a container may have nobody who does."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def ends(pid: int) -> bool:
    """Whether the process ends within the time that a starting interpreter may need to notice."""
    deadline = time.monotonic() + 60
    while is_running(pid) and time.monotonic() < deadline:
        pass
    return not is_running(pid)


def test_every_level_can_play_in_the_process() -> None:
    state = at("h", "6h 6s 8d", "7s Jd Jh Qc")
    view = View(0, state, tuple(sorted(cards("6h 6s 8d"))))
    assert view.state.phase is Phase.ATTACK
    for level in LEVELS:
        with Worker(level, "seed") as worker:
            assert worker.choose(view) in view.legal_actions()
