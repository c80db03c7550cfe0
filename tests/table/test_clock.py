"""The numbers of the clock: when a player is late, when he may be given up, and how long a forced `done` waits."""

from __future__ import annotations

from random import Random

import pytest

from p2pdurak.table.clock import THOUGHTS_KEPT, Thoughts, claim_in, late_after, stall_claim_after

pytest.importorskip("hypothesis")
from hypothesis import given
from hypothesis import strategies as st


def test_player_is_late_five_seconds_after_the_limit() -> None:
    assert late_after(25) == 30.0


def test_nobody_is_late_without_a_clock() -> None:
    assert late_after(0) is None


@pytest.mark.parametrize(
    ("timer_s", "after_s"), [(5, 120.0), (25, 120.0), (60, 120.0), (90, 150.0), (86_400, 86_460.0)]
)
def test_stalling_may_end_in_a_claim_after_two_minutes_or_the_clock_and_one_minute(
    timer_s: int, after_s: float
) -> None:
    assert stall_claim_after(timer_s) == after_s


def test_stalling_is_no_reason_for_a_claim_without_a_clock() -> None:
    assert stall_claim_after(0) is None


@pytest.mark.parametrize(
    ("silent_s", "stalled_s", "timer_s", "left_s"),
    [
        (0.0, 0.0, 25, 60.0),
        (59.9, 0.0, 25, pytest.approx(0.1)),
        (60.0, 0.0, 25, 0.0),
        (2.0, 119.0, 25, 1.0),
        (2.0, 121.0, 25, -1.0),
        (2.0, 1e6, 0, 58.0),
        (61.0, 0.0, 0, -1.0),
    ],
)
def test_claim_is_due_by_silence_or_by_stalling_whichever_comes_first(
    silent_s: float, stalled_s: float, timer_s: int, left_s: float
) -> None:
    assert claim_in(silent_s, stalled_s, timer_s) == left_s


@given(
    thoughts=st.lists(st.floats(0.0, 30.0), max_size=20),
    timer_s=st.one_of(st.just(0), st.integers(5, 120)),
    seed=st.integers(0, 2**32),
)
def test_forced_done_waits_at_least_a_moment_never_long_and_within_the_clock(
    thoughts: list[float], timer_s: int, seed: int
) -> None:
    mine = Thoughts(Random(seed))
    for seconds in thoughts:
        mine.remember(seconds)
    assert 0.6 <= mine.like_one(timer_s) <= min(8.0, 0.8 * timer_s or 8.0)


def test_forced_done_waits_as_long_as_the_player_lately_thought() -> None:
    mine = Thoughts(Random(1))
    for seconds in [1.0] * 5 + [5.0] * THOUGHTS_KEPT:
        mine.remember(seconds)
    waits = [mine.like_one(25) for _ in range(200)]
    assert 4.0 <= min(waits) < max(waits) <= 6.25


def test_waits_of_forced_dones_differ_from_each_other() -> None:
    mine = Thoughts(Random(1))
    mine.remember(2.0)
    assert len({mine.like_one(25) for _ in range(20)}) == 20
