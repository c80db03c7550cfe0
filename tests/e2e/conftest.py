"""Two players at a real broker, and a saved game to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.brokers import RunningBroker
from tests.e2e.seats import Seat


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Callable[..., Seat]]:
    """Start programs; whatever still runs at the end of the test is killed."""
    with ExitStack() as running:

        def start(*arguments: str, folder: Path = tmp_path) -> Seat:
            program = Seat(folder, *arguments)
            running.callback(program.close)
            return program

        yield start


@pytest.fixture
def two_bots(seat: Callable[..., Seat]) -> Callable[..., tuple[Seat, Seat]]:
    """Let two bots play over a broker: host and guest, not yet at their end."""

    def start(broker: RunningBroker, *arguments: str) -> tuple[Seat, Seat]:
        host = seat("host", "--bot", "easy", "--broker", broker.url, *arguments)
        code = host.until("code")["code"]
        return host, seat("join", code, "--bot", "easy", *arguments)

    return start
