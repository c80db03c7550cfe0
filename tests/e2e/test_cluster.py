"""A game outlives the death of brokers and of nodes of a cluster, and the harness that counts this counts right."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from brokers.nodes import Served, free_port
from soaks.faults import fault_of
from soaks.figures import Figures, lost_records, quantile
from soaks.game import Game
from tests.e2e.seats import Seat


def figures_of(served: Served, kill: str, folder: Path, faults: int) -> Figures:
    """Play one game with so many faults in it."""
    figures = Figures("tested", kill)
    game = Game(folder, served, fault_of(kill, served), Random(5), faults)
    figures.add(asyncio.run(game.play()))
    return figures


@pytest.mark.slow
@pytest.mark.broker
def test_a_game_outlives_the_nodes_that_its_players_are_connected_to(
    serve: Callable[[str], Served], tmp_path: Path
) -> None:
    figures = figures_of(serve("nats"), "node", tmp_path / "game", faults=2)

    assert figures.is_clean, figures.text()
    assert figures.faults == 2
    assert len(figures.recoveries) == 2 - figures.in_shuffle


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["embedded", *(pytest.param(name, marks=pytest.mark.broker) for name in ("mosquitto", "mosquitto-tls"))]
)
def test_a_game_outlives_its_broker(name: str, serve: Callable[[str], Served], tmp_path: Path) -> None:
    figures = figures_of(serve(name), "broker", tmp_path / "game", faults=2)

    assert figures.is_clean, figures.text()
    assert figures.faults == 2


@pytest.mark.slow
@pytest.mark.broker
@pytest.mark.nightly
def test_a_game_outlives_a_node_of_rabbitmq(serve: Callable[[str], Served], tmp_path: Path) -> None:
    figures = figures_of(serve("rabbitmq"), "node", tmp_path / "game", faults=1)

    assert figures.is_clean, figures.text()


@pytest.mark.slow
@pytest.mark.broker
def test_a_node_that_is_down_at_the_start_is_passed_over(
    serve: Callable[[str], Served], seat: Callable[..., Seat]
) -> None:
    served = serve("nats")
    dead = f"mqtt://127.0.0.1:{free_port()}"

    host = seat("host", "--bot", "easy", "--broker", dead, "--broker", served.urls[1])
    guest = seat("join", host.until("code")["code"], "--bot", "easy", "--broker", served.urls[2])

    (told,) = [event["address"] for event in host.events if event["event"] == "broker"]
    assert told == f"127.0.0.1:{served.nodes[1].port}"
    assert (host.end(), guest.end()) == (0, 0)


@pytest.mark.parametrize(
    ("chains", "lost"),
    [
        ([[b"a", b"b"], [b"a", b"b"]], 0),
        ([[b"a", b"b"], [b"a"]], 1),
        ([[b"a", b"b"], [b"a", b"c"]], 2),
        ([[b"a", b"b"]], 2),
        ([], 0),
    ],
)
def test_a_record_that_one_log_lacks_or_has_otherwise_counts_as_lost(chains: list[list[bytes]], lost: int) -> None:
    assert lost_records(chains) == lost


def test_a_quantile_is_one_of_the_values_and_none_of_nothing() -> None:
    assert quantile([4.0, 1.0, 3.0, 2.0], 0.5) == 3.0
    assert quantile([1.0], 0.95) == 1.0
    assert quantile([], 0.5) is None


def test_a_run_without_any_log_is_not_clean() -> None:
    assert not Figures("tested", "broker", games=1, finished=1).is_clean


@pytest.mark.parametrize(("kill", "nodes"), [("broker", 3), ("node", 1)])
def test_a_fault_that_a_broker_cannot_have_is_refused(kill: str, nodes: int, embedded_broker: Served) -> None:
    served = Served((embedded_broker,) * nodes, ())  # type: ignore[arg-type]

    with pytest.raises(ValueError, match="does not fit this broker"):
        fault_of(kill, served)
