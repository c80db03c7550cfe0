"""Every broker that `scripts/broker` starts carries a whole game, and refuses whom it should."""

from __future__ import annotations

import asyncio
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import aiomqtt
import pytest

from brokers import mosquitto
from brokers.__main__ import main
from brokers.certificates import make_certificates
from brokers.kinds import KINDS
from brokers.nodes import NotInstalled, Served, accepts, free_port, program
from fairdeck.log import read
from p2pdurak import settings
from p2pdurak.transport.base import TOPIC_ROOT
from p2pdurak.transport.url import BrokerUrl
from tests.e2e.seats import ROOT, Seat, run

PAGES = ROOT / "docs" / "brokers"

NIGHTLY = pytest.param("rabbitmq", marks=[pytest.mark.broker, pytest.mark.nightly])
GUARDED = [*(pytest.param(name, marks=pytest.mark.broker) for name in ("mosquitto-tls", "nats")), NIGHTLY]
ALL = ["embedded", pytest.param("mosquitto", marks=pytest.mark.broker), *GUARDED]


def brokers_of(served: Served) -> list[str]:
    return [word for url in served.urls for word in ("--broker", url)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_a_whole_game_over_each_broker_ends_alike_and_verifies(
    name: str, serve: Callable[[str], Served], seat: Callable[..., Seat], tmp_path: Path
) -> None:
    served = serve(name)

    host = seat("host", "--bot", "easy", *brokers_of(served))
    guest = seat("join", host.until("code")["code"], "--bot", "easy", *brokers_of(served))

    assert (host.end(), guest.end()) == (0, 0)
    logs = [str(played.results()[0]["log"]) for played in (host, guest)]
    ours, theirs = (read(Path(log).read_bytes()).records for log in logs)
    assert ours == theirs != ()
    assert run(tmp_path, "verify", *logs).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", GUARDED)
def test_a_wrong_password_is_told_with_the_address_and_3(
    name: str, serve: Callable[[str], Served], tmp_path: Path
) -> None:
    served = serve(name)
    assert served.stranger is not None

    done = run(tmp_path, "host", "--json", "--broker", served.stranger)

    assert done.returncode == 3
    assert f"The broker {BrokerUrl.parse(served.stranger)} refuses the user mira" in done.stdout
    assert "wrong" not in done.stdout + done.stderr, "the password itself is never shown"


@pytest.mark.slow
@pytest.mark.broker
@pytest.mark.parametrize("cafile", ["the system's", "another's"])
def test_a_certificate_of_an_unknown_authority_is_told_with_the_address_and_3(
    cafile: str, serve: Callable[[str], Served], tmp_path: Path
) -> None:
    (url,) = serve("mosquitto-tls").urls
    address, _, _ = url.partition("?")
    if cafile == "another's":
        address += f"?cafile={make_certificates(tmp_path).ca}"

    done = run(tmp_path, "host", "--json", "--broker", address)

    assert done.returncode == 3
    assert f"The broker {BrokerUrl.parse(url)} cannot be reached: its certificate is not trusted" in done.stdout


async def first_heard(url: BrokerUrl, *topics: str) -> str:
    """Listen to everything, publish to each topic in turn, and tell the topic of what comes back first."""
    client = aiomqtt.Client(url.host, url.port, username=url.user, password=url.password)
    if url.tls:
        tls = aiomqtt.TLSParameters(ca_certs=url.cafile)
        client = aiomqtt.Client(url.host, url.port, username=url.user, password=url.password, tls_params=tls)
    async with asyncio.timeout(30), client:
        await client.subscribe("#")
        for topic in topics:
            await client.publish(topic, b"x")
        async for message in client.messages:
            return str(message.topic)
    return ""


@pytest.mark.broker
def test_a_guarded_mosquitto_carries_the_topics_of_the_game_and_no_others(serve: Callable[[str], Served]) -> None:
    (url,) = serve("mosquitto-tls").urls

    heard = asyncio.run(first_heard(BrokerUrl.parse(url), "elsewhere/1/x", f"{TOPIC_ROOT}x"))

    assert heard == f"{TOPIC_ROOT}x"


@pytest.mark.broker
def test_an_open_mosquitto_carries_every_topic_so_the_acl_is_what_forbids(serve: Callable[[str], Served]) -> None:
    (url,) = serve("mosquitto").urls

    heard = asyncio.run(first_heard(BrokerUrl.parse(url), "elsewhere/1/x", f"{TOPIC_ROOT}x"))

    assert heard == "elsewhere/1/x"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_script_prints_the_line_for_the_game_and_ends_at_a_signal(number: signal.Signals, tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "brokers", "embedded", "--port", str(port), "--folder", str(tmp_path / "b")]
    with subprocess.Popen(command, cwd=ROOT / "scripts", stdout=subprocess.PIPE, text=True) as script:
        assert script.stdout is not None
        line = script.stdout.readline()
        up = accepts(port)
        script.send_signal(number)
        code = script.wait(30)

    name, _, value = line.strip().partition("=")
    assert settings.load({name: shlex.split(value)[0]}).brokers == (f"mqtt://127.0.0.1:{port}",)
    assert up
    assert code == 0
    assert not accepts(port)


def test_a_missing_program_is_told_with_the_package_that_brings_it() -> None:
    with pytest.raises(NotInstalled, match=r"no-such-program is not installed.*apt install some-package"):
        program("no-such-program", "some-package")


def test_a_broker_that_cannot_be_had_is_a_sentence_and_3(
    embedded_broker: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["embedded", "--port", str(embedded_broker.port), "--folder", str(tmp_path)])  # type: ignore[attr-defined]

    assert code == 3
    assert "is in use. Choose another with --port" in capsys.readouterr().err


def test_the_cluster_in_containers_gives_each_node_every_variable_of_the_nats_page() -> None:
    wanted = set(re.findall(r"\$([A-Z_]+)", (PAGES / "nats.conf").read_text("utf-8")))
    compose = (PAGES / "compose.yaml").read_text("utf-8")
    common = set(re.findall(r"^  ([A-Z_]+):", compose, re.MULTILINE))
    own = [set(re.findall(r"\b([A-Z_]+):", line)) for line in compose.splitlines() if "NODE: node-" in line]

    assert len(own) == 3
    assert [wanted - common - node for node in own] == [set(), set(), set()]


@pytest.mark.parametrize("page", ["mosquitto.conf", "acl", "nats.conf"])
def test_the_containers_run_with_the_files_that_are_tested_here(page: str) -> None:
    assert page in (PAGES / "Dockerfile").read_text("utf-8")


def test_the_page_names_every_broker_of_the_script() -> None:
    page = (ROOT / "docs" / "brokers.md").read_text("utf-8")

    assert [name for name in KINDS if f"scripts/broker {name}" not in page] == []


def test_every_guard_of_mosquitto_is_on_the_page_for_operators() -> None:
    lines = (PAGES / "mosquitto.conf").read_text("utf-8").splitlines()

    assert mosquitto.GUARDS <= {line.partition(" ")[0] for line in lines}
