"""The analysis of a replay on the screen: what is kept is used, what is found is kept, and what is left is ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from p2pdurak.analysis.kept import keep, recall
from p2pdurak.analysis.report import VERSION, Analysis, Depth, MoveReport
from p2pdurak.cli.analyst import Analyst
from p2pdurak.recording import Recording
from p2pdurak.ui.live.replay_model import ReplayModel
from tests.analysis.recordings import played, resigned
from tests.bots.test_worker import is_running

SHORT = resigned(played(3), 4, seat=0)


class Replay(ReplayModel):
    """A replay that writes down what it is told."""

    def __init__(self, game: Recording) -> None:
        super().__init__(game)
        self.steps: list[tuple[int, int]] = []
        self.found: list[Analysis] = []
        self.reasons: list[str] = []
        self.drawn = 0
        self.happened = asyncio.Event()

    def analysing(self, done: int, steps: int) -> None:
        self.steps.append((done, steps))
        self.happened.set()

    def analysed(self, analysis: Analysis) -> None:
        self.found.append(analysis)
        self.happened.set()

    def not_analysed(self, reason: str) -> None:
        self.reasons.append(reason)
        self.happened.set()

    def draw(self) -> None:
        self.drawn += 1

    @property
    def told(self) -> bool:
        return bool(self.found or self.reasons)

    async def until_told(self) -> None:
        while not self.told:
            self.happened.clear()
            await self.happened.wait()


def visit(log: Path, game: Recording, play: Callable[[Analyst, Replay], Awaitable[None]]) -> Replay:
    """Do something with an analyst inside of an event loop, and leave."""

    async def run() -> Replay:
        model = Replay(game)
        analyst = Analyst(log, game, model, model.draw)
        try:
            await play(analyst, model)
        finally:
            analyst.close()
        return model

    return asyncio.run(run())


def asked(log: Path, depth: Depth, game: Recording = SHORT) -> Replay:
    async def play(analyst: Analyst, model: Replay) -> None:
        analyst.ask(depth)
        await model.until_told()

    return visit(log, game, play)


def known(depth: Depth) -> Analysis:
    """An analysis that no program would find: so it can only come from what is kept."""
    moves = [
        MoveReport(move.n, index, move.seat, move.action, False, 0.125, None, None, None, None, None, False, False)
        for index, move in enumerate(SHORT.moves, 1)
    ]
    return Analysis(SHORT.head, depth, VERSION, 0.125, tuple(moves))


def test_analysis_is_found_with_its_progress_drawn_and_kept_beside_the_log(tmp_path: Path) -> None:
    log = tmp_path / "one.dlog"
    model = asked(log, Depth.QUICK)

    assert model.found == [recall(log, SHORT, Depth.QUICK)] != [None]
    assert model.steps == sorted(model.steps) != []
    assert model.steps[-1][0] == model.steps[-1][1]
    assert model.drawn == len(model.steps) + 1


@pytest.mark.parametrize(
    ("kept", "wanted"), [(Depth.QUICK, Depth.QUICK), (Depth.FULL, Depth.FULL), (Depth.FULL, Depth.QUICK)]
)
def test_analysis_that_is_kept_and_deep_enough_is_used_at_once(tmp_path: Path, kept: Depth, wanted: Depth) -> None:
    log = tmp_path / "one.dlog"
    keep(log, known(kept))
    model = asked(log, wanted)

    assert (model.found, model.steps) == ([known(kept)], [])


@pytest.mark.slow
def test_analysis_that_is_not_deep_enough_is_not_used(tmp_path: Path) -> None:
    log = tmp_path / "one.dlog"
    keep(log, known(Depth.QUICK))

    assert [found.depth for found in asked(log, Depth.FULL).found] == [Depth.FULL]


def test_game_that_cannot_be_analysed_is_told_with_the_reason(tmp_path: Path) -> None:
    model = asked(tmp_path / "one.dlog", Depth.QUICK, replace(SHORT, result=None))

    assert (len(model.reasons), model.found) == (1, [])
    assert "not finished" in model.reasons[0]


def test_leaving_ends_the_process_and_the_replay_is_told_no_more(tmp_path: Path) -> None:
    pids: list[int | None] = []

    async def play(analyst: Analyst, model: Replay) -> None:
        analyst.ask(Depth.FULL)
        await model.happened.wait()
        pids.append(analyst.pid)
        analyst.close()

    model = visit(tmp_path / "one.dlog", played(3), play)
    assert not model.told
    assert pids != [None]
    assert not is_running(pids[0])
    assert list(tmp_path.iterdir()) == []


def test_other_depth_takes_the_place_of_the_one_that_goes_on(tmp_path: Path) -> None:
    async def play(analyst: Analyst, model: Replay) -> None:
        analyst.ask(Depth.FULL)
        analyst.ask(Depth.QUICK)
        await model.until_told()

    assert [found.depth for found in visit(tmp_path / "one.dlog", SHORT, play).found] == [Depth.QUICK]


def test_leaving_a_replay_that_never_asked_does_nothing(tmp_path: Path) -> None:
    async def play(analyst: Analyst, model: Replay) -> None:
        pass

    assert not visit(tmp_path / "one.dlog", SHORT, play).told


@pytest.mark.slow
def test_progress_that_would_look_the_same_is_not_drawn_again(tmp_path: Path) -> None:
    game = played(3)
    model = asked(tmp_path / "one.dlog", Depth.QUICK, game)
    shares = [100 * done // steps for done, steps in model.steps]

    assert model.steps[0][1] > 100
    assert len(shares) == len(set(shares))
