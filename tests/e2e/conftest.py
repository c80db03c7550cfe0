"""Two players at a real broker, and a saved game to look at."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from brokers.kinds import KINDS
from brokers.nodes import NotInstalled, Served
from tests.e2e.brokers import RunningBroker
from tests.e2e.seats import Seat
from tests.e2e.terminals import Terminals


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


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[str], Served]]:
    """Start brokers by name, as `scripts/broker` does; a missing program is a failure in CI and a skip elsewhere."""
    with ExitStack() as running:

        def start(name: str) -> Served:
            folder = tmp_path / name
            folder.mkdir()
            try:
                return running.enter_context(KINDS[name](folder, None))
            except NotInstalled as missing:
                pytest.fail(str(missing)) if os.environ.get("CI") else pytest.skip(str(missing))

        yield start


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Terminals]:
    if shutil.which("tmux") is None:
        reason = "tmux is not installed (Debian: apt install tmux)"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    opened = Terminals(tmp_path)
    yield opened
    opened.close()
