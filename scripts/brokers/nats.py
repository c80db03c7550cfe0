"""Three NATS nodes with JetStream as one MQTT broker, each with docs/brokers/nats.conf and an environment of its own.

It owns their ports, folders and names; the configuration is the one that operators are given.
"""

from __future__ import annotations

import secrets
import socket
from pathlib import Path
from typing import Final

from brokers.mosquitto import PAGES, PASSWORD, USER
from brokers.nodes import LOOPBACK, Node, Served, free_port, program

NODES: Final = ("a", "b", "c")

CONNACK_S: Final = 6.0
"""NATS gives up by itself after 4 s, when the stream of sessions has no leader."""

CONNECT_HEAD: Final = b"\x00\x04MQTT\x04\xc2\x00\x0a"
"""MQTT 3.1.1, 3.1: user, password, clean session; keepalive 10 s."""

ACCEPTED: Final = b"\x20\x02\x00\x00"
DISCONNECT: Final = b"\xe0\x00"


def cluster(folder: Path, port: int | None) -> Served:
    """Set up three nodes; a `port` is that of the first, and the others follow it."""
    ports = [free_port() if port is None else port + at for at in range(len(NODES))]
    gates = [free_port() for _ in NODES]
    routes = {f"ROUTE_{name.upper()}": f"nats://{LOOPBACK}:{gate}" for name, gate in zip(NODES, gates, strict=True)}
    nodes = []
    for name, mqtt, gate in zip(NODES, ports, gates, strict=True):
        nodes.append(_node(folder, name, mqtt, gate, routes))
    return Served(
        tuple(nodes),
        tuple(f"mqtt://{USER}:{PASSWORD}@{LOOPBACK}:{mqtt}" for mqtt in ports),
        stranger=f"mqtt://{USER}:wrong@{LOOPBACK}:{ports[0]}",
    )


def _node(folder: Path, name: str, port: int, gate: int, routes: dict[str, str]) -> Node:
    own = {
        "NODE": f"node-{name}",
        "ADDRESS": LOOPBACK,
        "MQTT_PORT": str(port),
        "CLIENT_PORT": str(free_port()),
        "CLUSTER_PORT": str(gate),
        "MONITOR_PORT": str(free_port()),
        "STORE": str(folder / f"store-{name}"),
        "PLAYER": USER,
        "PASSWORD": PASSWORD,
    }
    return Node(
        f"NATS node {name}",
        [program("nats-server", "nats-server"), "-c", str(PAGES / "nats.conf")],
        port,
        folder / f"node-{name}.log",
        ready=lambda: _lets_in(port),
        environment=own | routes,
    )


def _lets_in(port: int) -> bool:
    """Whether a player gets in: a node that listens may still wait for the streams in which NATS keeps sessions."""
    texts = (f"ready{secrets.token_hex(6)}", USER, PASSWORD)
    payload = b"".join(len(text).to_bytes(2, "big") + text.encode() for text in texts)
    body = CONNECT_HEAD + payload
    try:
        with socket.create_connection((LOOPBACK, port), timeout=CONNACK_S) as door:
            door.sendall(bytes((0x10, len(body))) + body)
            answer = door.recv(4)
            door.sendall(DISCONNECT)
    except OSError:
        return False
    return answer == ACCEPTED
