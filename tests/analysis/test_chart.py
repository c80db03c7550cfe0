"""The chart: a line that can be read without colour, in braille or in ASCII, and never wider than asked for."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.analysis.chart import chart

POINTS = st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=200)


@given(POINTS, st.integers(12, 100), st.integers(4, 30), st.booleans())
def test_chart_keeps_to_its_size(points: list[float | None], width: int, height: int, plain: bool) -> None:
    lines = chart(width, height, points, {0: "1", len(points) - 1: "2"}, ascii=plain)
    assert len(lines) == height
    assert max(map(len, lines)) <= width
    assert not plain or all(line.isascii() for line in lines)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=60))
def test_line_has_no_holes(points: list[float]) -> None:
    lines = [line.ljust(40) for line in chart(40, 10, points, ascii=True)][:-1]
    rows = [{row for row, line in enumerate(lines) if line[column] in "*:"} for column in range(4, 40)]
    assert all(rows)
    assert all(min(b) - max(a) <= 1 and min(a) - max(b) <= 1 for a, b in pairwise(rows))


def test_certain_win_is_at_the_top_and_a_certain_loss_at_the_bottom() -> None:
    win, loss = chart(20, 6, [1.0, 1.0], ascii=True), chart(20, 6, [0.0, 0.0], ascii=True)
    assert win[0] == "100|" + "*" * 16
    assert loss[4] == "  0|" + "*" * 16


def test_line_falls_from_left_to_right_with_the_points() -> None:
    lines = chart(16, 6, [1.0, 0.0], ascii=True)[:-1]
    first = [min(line.find(sign) % 99 for sign in "*:") for line in lines]
    assert first == sorted(first)
    assert (first[0], first[-1] > 12) == (4, True)


def test_two_marks_of_one_place_stand_side_by_side() -> None:
    axis = chart(16, 4, [0.5] * 100, {50: "1", 51: "2"}, ascii=True)[-1]
    assert "12" in axis


def test_mark_stands_below_its_point() -> None:
    assert chart(15, 4, [0.5] * 11, {3: "x"}, ascii=True)[-1] == "   +---x-------"


@pytest.mark.parametrize("points", [[None] * 5, [None, 0.5, None], [0.5]])
def test_points_that_are_not_known_are_no_error(points: list[float | None]) -> None:
    assert len(chart(20, 5, points)) == 5


def test_line_goes_over_a_point_that_is_not_known() -> None:
    assert chart(20, 6, [0.5, None, 0.5], ascii=True) == chart(20, 6, [0.5, 0.5, 0.5], ascii=True)
