"""The doctor and the choice of a broker as real programs: at real brokers, and at a terminal."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.brokers import Mosquitto, RunningBroker, make_certificates
from tests.e2e.seats import PATIENCE_S, Seat, run
from tests.e2e.terminals import Terminals

pytestmark = pytest.mark.slow

Examined = tuple[dict[str, dict[str, Any]], int]


def examine(folder: Path, *arguments: str) -> Examined:
    """The findings by check, and the exit code."""
    done = run(folder, "doctor", "--json", *arguments)
    return {found["check"]: found for found in map(json.loads, done.stdout.splitlines())}, done.returncode


@pytest.mark.broker
def test_broker_with_a_password_is_well_and_the_password_shown_nowhere(
    tmp_path: Path, mosquitto_with_password: Mosquitto
) -> None:
    done = run(tmp_path, "doctor", "--broker", mosquitto_with_password.url)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The broker lets you in as mira (CONNACK 0, accepted)." in done.stdout
    assert "QoS 1 works too" in done.stdout
    assert "s3cret" not in done.stdout


@pytest.mark.broker
def test_wrong_password_gives_the_return_code_in_words(tmp_path: Path, mosquitto_with_password: Mosquitto) -> None:
    url = f"mqtt://mira:wr0ng@127.0.0.1:{mosquitto_with_password.port}"
    found, code = examine(tmp_path, "--broker", url)
    assert (found["login"]["outcome"], code) == ("failed", 3)
    assert found["login"]["figures"] == {"code": 5}
    assert "not authorized" in found["login"]["message"]
    assert "wr0ng" not in json.dumps(found)


@pytest.mark.broker
def test_certificate_that_ends_tomorrow_is_a_warning(tmp_path: Path, start_mosquitto: Callable[..., Mosquitto]) -> None:
    server = start_mosquitto(certificates=make_certificates(tmp_path))
    found, code = examine(tmp_path, "--broker", server.url)
    assert (found["tls"]["outcome"], found["tls"]["figures"]["days"], code) == ("warning", 0, 0)
    assert found["packet size"]["outcome"] == "ok"


@pytest.mark.broker
def test_several_brokers_are_examined_each(tmp_path: Path, start_mosquitto: Callable[..., Mosquitto]) -> None:
    one, two = start_mosquitto(), start_mosquitto()
    done = run(tmp_path, "doctor", "--broker", one.url, "--broker", two.url)
    assert done.returncode == 0
    assert [f"Broker 127.0.0.1:{broker.port}:" in done.stdout for broker in (one, two)] == [True, True]


def test_ctrl_c_ends_the_wait_for_a_broker_that_says_nothing(seat: Callable[..., Seat]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hole:
        hole.settimeout(PATIENCE_S)
        program = seat("doctor", "--broker", f"127.0.0.1:{hole.getsockname()[1]}")
        visitors = [hole.accept()[0] for _ in range(2)]  # the connection by itself, then the login
        program.process.send_signal(signal.SIGINT)
        code = program.process.wait(timeout=PATIENCE_S)
        for visitor in visitors:
            visitor.close()
    assert (code, program.stderr()) == (130, "")


def test_first_host_is_asked_for_a_broker_and_no_program_after_that(
    terminals: Terminals, embedded_broker: RunningBroker, tmp_path: Path
) -> None:
    terminals.open("first", "host", "--plain")
    terminals.wait("first", "You are asked this only once")
    terminals.type("first", "3")
    terminals.wait("first", "^Address:")
    terminals.type("first", "mqtt://127.0.0.1:0")
    terminals.wait("first", "from 1 to 65535")
    terminals.type("first", f"127.0.0.1:{embedded_broker.port}")
    terminals.wait("first", "Remembered in")
    terminals.wait("first", rf"join \S+@127\.0\.0\.1:{embedded_broker.port}")
    assert (tmp_path / "config/p2pdurak/config.toml").stat().st_mode & 0o777 == 0o600

    terminals.open("second", "host", "--plain", "--name", "ilya")
    code = terminals.wait("second", r"join (\S+)@127\.0\.0\.1")[1]
    assert not any("You are asked" in line for line in terminals.lines("second"))
    terminals.open("guest", "join", code, "--plain", "--name", "mira")  # without the address of the broker
    terminals.wait("second", "Somebody with the code is here")


@pytest.mark.parametrize(("key", "code"), [("C-c", 130), ("C-d", 2)])
def test_question_for_a_broker_can_be_left(terminals: Terminals, key: str, code: int) -> None:
    terminals.open("host", "host", "--plain")
    terminals.wait("host", "^Which?")
    terminals.press("host", key)
    terminals.wait("host", f"ended with {code}")
    assert not any("Traceback" in line for line in terminals.lines("host"))
