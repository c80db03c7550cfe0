"""The floor of an operation: the libsodium calls that it makes, timed in a bare loop.

It owns the recording of those calls and the two clocks; it does not know what an operation is for.

The calls are those of PyNaCl, so the cost of PyNaCl's binding is part of the floor. What stands above the floor is
ours: hashing, challenges, integers mod the order, encodings, and Python's own steps between two calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import ceil
from statistics import median
from time import process_time
from typing import Final

from nacl import bindings

from fairdeck import group, sign

Operation = Callable[[], object]
Call = tuple[Callable[..., object], tuple[object, ...]]
"""A function of libsodium and its arguments."""

SAMPLE_S: Final = 0.01
"""Below this one interrupt of the system would show."""

LIBRARY_USERS: Final = (group, sign)
"""The only two modules that call libsodium, each by its attribute `sodium`."""


class Recorder:
    """Stands where a module expects the functions of `nacl.bindings`: passes every call on, and keeps it."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def __getattr__(self, name: str) -> Callable[..., object]:
        function = getattr(bindings, name)

        def passed_on(*arguments: object) -> object:
            self.calls.append((function, arguments))
            return function(*arguments)

        setattr(self, name, passed_on)  # the next call finds it without coming here
        return passed_on


@contextmanager
def recording() -> Iterator[list[Call]]:
    """Within this context every libsodium call of the protocol is added to the list it gives."""
    recorder = Recorder()
    _hand_out(recorder)
    try:
        yield recorder.calls
    finally:
        _hand_out(bindings)


def _hand_out(library: object) -> None:
    name = "sodium"
    for module in LIBRARY_USERS:
        setattr(module, name, library)


def replay(calls: Sequence[Call]) -> None:
    """Make the recorded calls once more, and do nothing else."""
    for function, arguments in calls:
        function(*arguments)


def seconds(operation: Operation, runs: int = 1) -> float:
    """How much time of the processor one run takes; what other programs take meanwhile is no cost of ours."""
    start = process_time()
    for _ in range(runs):
        operation()
    return (process_time() - start) / runs


@dataclass(frozen=True, slots=True)
class Measured:
    """What an operation costs, as medians: seconds, those of its floor, how many times its floor, and its calls."""

    operation_s: float
    floor_s: float
    ratio: float
    calls: int


def measure(operation: Operation, repetitions: int) -> Measured:
    """Time an operation and its floor in turn, so that a slow moment of the machine meets both.

    Args:
        operation: always makes the same calls but for its random numbers.
        repetitions: how often each of the two is timed, for at least `SAMPLE_S` each time.
    """
    operation()  # what is computed once in a program's life, such as the card points, is no part of the operation
    with recording() as calls:
        operation()
    floor = partial(replay, calls)
    runs = ceil(SAMPLE_S / seconds(floor))
    pairs = [(seconds(operation, runs), seconds(floor, runs)) for _ in range(repetitions)]
    return Measured(
        operation_s=median(pair[0] for pair in pairs),
        floor_s=median(pair[1] for pair in pairs),
        ratio=median(pair[0] / pair[1] for pair in pairs),
        calls=len(calls),
    )
