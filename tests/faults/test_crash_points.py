"""Whatever call to the disk or the line fails, and however: nothing that was signed is lost, and nobody is accused."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairdeck.notes import End
from p2pdurak.store import secrets_path
from tests.faults.points import Kind, Point, evening, many_faults, points, telling
from tests.faults.seam import Fault
from tests.faults.verdicts import wrongs

NOT_SAVED = "cannot be saved"


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("fault", Fault)
def test_an_evening_ends_well_whatever_call_of_it_fails(tmp_path: Path, kind: Kind, fault: Fault) -> None:
    found = [point for point in points(kind, tmp_path / "calm") if point.fault is fault]
    assert found
    for number, point in enumerate(telling(found)):
        played = evening(kind, tmp_path / str(number), {(point.seat, point.number): fault})
        assert played.pair.seam.fired, point
        assert wrongs(played) == [], point


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_an_evening_of_many_faults_on_both_sides_ends_well(tmp_path: Path, seed: int) -> None:
    host, guest = evening(Kind.BOTS, tmp_path / "calm", {}).pair.seam.calls
    played = evening(Kind.BOTS, tmp_path / "worn", many_faults(seed, (len(host), len(guest))))
    assert len(played.pair.seam.fired) >= 3
    assert wrongs(played) == []
    assert {side.game.verdict.end for side in played.pair.sides} == {End.CARDS}


def test_a_calm_evening_is_counted_call_by_call_on_both_sides(tmp_path: Path) -> None:
    played = evening(Kind.MATCH, tmp_path, {})
    assert wrongs(played) == []
    for calls in played.pair.seam.calls:
        assert {"send", "write dlog", "fsync dlog", "create keys", "unlink keys", "fsync folder"} <= set(calls)


def records_saved(found: list[Point]) -> list[Point]:
    return [point for point in found if point.call == "write dlog" and point.fault in {Fault.FULL, Fault.SHORT}]


@pytest.mark.slow
def test_a_full_disk_at_any_record_stops_the_program_with_its_sentence_and_leaves_the_log_whole(tmp_path: Path) -> None:
    for number, point in enumerate(records_saved(list(points(Kind.MATCH, tmp_path / "calm")))[::3]):
        played = evening(Kind.MATCH, tmp_path / str(number), {(point.seat, point.number): point.fault})
        assert any(NOT_SAVED in story for story in played.stories), point
        assert wrongs(played) == [], point


def test_secrets_are_gone_when_both_keys_stand_in_the_log(tmp_path: Path) -> None:
    played = evening(Kind.MATCH, tmp_path, {})
    for side in played.pair.sides:
        assert not [path for path in side.logs() if secrets_path(path).exists()]
