"""Analyses beside their logs: used again for the same game, depth and method, and made anew for anything else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from p2pdurak.analysis.json_form import from_json, to_json
from p2pdurak.analysis.judge import Budget, analyse
from p2pdurak.analysis.kept import keep, kept_path, recall
from p2pdurak.analysis.report import Analysis, Depth
from tests.analysis.recordings import blinded, played

GAME = played(0)


@cache
def analysis(depth: Depth = Depth.QUICK) -> Analysis:
    return analyse(GAME, depth, budgets={depth: Budget(2, 4, 2000)})


def test_analysis_is_read_back_as_it_was_written() -> None:
    assert from_json(to_json(analysis()).encode()) == analysis()


def test_kept_analysis_is_recalled_and_is_its_owners_alone(tmp_path: Path) -> None:
    log = tmp_path / "a-game.dlog"
    keep(log, analysis())
    assert recall(log, GAME, Depth.QUICK) == analysis()
    assert [(path.name, path.stat().st_mode & 0o777) for path in tmp_path.iterdir()] == [
        ("a-game.quick.analysis.json", 0o600)
    ]


def test_analysis_of_another_game_depth_or_method_does_not_count(tmp_path: Path) -> None:
    log = tmp_path / "a-game.dlog"
    for other in (
        replace(analysis(), head="cd" * 32),
        replace(analysis(), version=0),
        replace(analysis(), depth=Depth.FULL),
        replace(analysis(), moves=analysis().moves[:-1]),
        replace(analysis(), moves=(replace(analysis().moves[0], seat=1 - analysis().moves[0].seat),)),
        replace(analysis(), moves=(replace(analysis().moves[0], index=900), *analysis().moves[1:])),
    ):
        kept_path(log, Depth.QUICK).write_text(to_json(other), "utf-8")
        assert recall(log, GAME, Depth.QUICK) is None


def test_analysis_without_hindsight_does_not_count_once_both_hands_are_seen(tmp_path: Path) -> None:
    log, half = tmp_path / "a-game.dlog", blinded(GAME, seat=0)
    keep(log, analyse(half, Depth.QUICK, budgets={Depth.QUICK: Budget(2, 4, 2000)}))
    assert recall(log, half, Depth.QUICK) is not None
    assert recall(log, GAME, Depth.QUICK) is None


def changed(change: Callable[[dict[str, object]], object]) -> bytes:
    value = json.loads(to_json(analysis()))
    change(value)
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\xff",
        b"[" * 100_000,
        b'{"format": "p2pdurak analysis 1"}',
        to_json(analysis()).encode()[:-20],
        changed(lambda value: value.update(format="p2pdurak analysis 2")),
        changed(lambda value: value.update(more=1)),
        changed(lambda value: value.update(start_chance=1.5)),
        changed(lambda value: value.update(depth="deep")),
        changed(lambda value: value["moves"][4]["action"].update(cards=["1x"])),
        changed(lambda value: value["moves"][4]["action"].update(do="take")),
    ],
)
def test_broken_file_is_no_analysis_and_is_written_over(tmp_path: Path, data: bytes) -> None:
    log = tmp_path / "a-game.dlog"
    kept_path(log, Depth.QUICK).write_bytes(data)
    assert recall(log, GAME, Depth.QUICK) is None
    keep(log, analysis())
    assert recall(log, GAME, Depth.QUICK) == analysis()


def test_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    log = tmp_path / "gone" / "a-game.dlog"
    keep(log, analysis())
    assert recall(log, GAME, Depth.QUICK) is None


def test_folder_in_place_of_the_file_is_no_error_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    log = tmp_path / "a-game.dlog"
    kept_path(log, Depth.QUICK).mkdir()
    keep(log, analysis())
    assert recall(log, GAME, Depth.QUICK) is None
    assert [path.name for path in tmp_path.iterdir()] == ["a-game.quick.analysis.json"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a system with named pipes")
def test_pipe_in_place_of_the_file_is_not_waited_for_and_is_written_over(tmp_path: Path) -> None:
    log = tmp_path / "a-game.dlog"
    os.mkfifo(kept_path(log, Depth.QUICK))
    assert recall(log, GAME, Depth.QUICK) is None
    keep(log, analysis())
    assert recall(log, GAME, Depth.QUICK) == analysis()


def test_analysis_is_written_in_place_of_a_link_and_not_through_it(tmp_path: Path) -> None:
    log, elsewhere = tmp_path / "a-game.dlog", tmp_path / "elsewhere"
    elsewhere.write_text("mine", "utf-8")
    kept_path(log, Depth.QUICK).symlink_to(elsewhere)
    keep(log, analysis())
    assert elsewhere.read_text("utf-8") == "mine"
    assert recall(log, GAME, Depth.QUICK) == analysis()
