"""What all tests share: brokers on 127.0.0.1, and one way for hypothesis to behave in CI.

It knows no game and no protocol.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

# `tests.e2e.brokers` and the packages below scripts/ must be found also where the wheel is tested; last on the path, so
# that they shadow nothing.
sys.path += [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "scripts")]

from tests.e2e.brokers import EmbeddedInThread, Mosquitto, RunningBroker, find_mosquitto

# A shell that runs something in the background has it ignore Ctrl-C, and nohup has it ignore the end of its terminal;
# what is ignored stays so in every program that a test starts. One that is caught here has its usual effect there.
for ignored in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(ignored) is signal.SIG_IGN:
        signal.signal(ignored, lambda _number, _frame: None)

IN_CI = bool(os.environ.get("CI"))

try:
    from hypothesis import settings
except ImportError:  # the tests that need it skip themselves
    pass
else:
    settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
    settings.register_profile("here", deadline=None)  # two cores shared with others: times say nothing
    settings.load_profile("ci" if IN_CI else "here")


def require_mosquitto() -> None:
    """Skip where mosquitto is not installed; in CI that is a failure, for no broker test may go missing there."""
    if find_mosquitto() is None:
        reason = "mosquitto is not installed (Debian: apt install mosquitto)"
        pytest.fail(reason) if IN_CI else pytest.skip(reason)


@pytest.fixture
def start_mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Mosquitto]]:
    """Start as many mosquittos as wanted, with the arguments of `Mosquitto` behind the folder."""
    require_mosquitto()
    with ExitStack() as running:
        yield lambda **options: running.enter_context(Mosquitto(tmp_path_factory.mktemp("mosquitto"), **options))


@pytest.fixture
def mosquitto(start_mosquitto: Callable[..., Mosquitto]) -> Mosquitto:
    """A running mosquitto that lets everybody in; mark such tests with `broker`."""
    return start_mosquitto()


@pytest.fixture
def mosquitto_with_password(start_mosquitto: Callable[..., Mosquitto]) -> Mosquitto:
    """A running mosquitto that lets in only `mira` with `s3cret`."""
    return start_mosquitto(login=("mira", "s3cret"))


@pytest.fixture
def embedded_broker() -> Iterator[EmbeddedInThread]:
    """The embedded broker, running in a thread."""
    pytest.importorskip("amqtt")
    with EmbeddedInThread() as broker:
        yield broker


@pytest.fixture(params=["embedded", pytest.param("mosquitto", marks=pytest.mark.broker)])
def any_broker(request: pytest.FixtureRequest) -> RunningBroker:
    """Each test once with the embedded broker and once with mosquitto."""
    name = "embedded_broker" if request.param == "embedded" else "mosquitto"
    broker: RunningBroker = request.getfixturevalue(name)
    return broker
