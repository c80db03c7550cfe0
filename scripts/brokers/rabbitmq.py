"""Three RabbitMQ nodes with its MQTT plugin, and the policy that keeps a session when its node dies.

It owns their names, ports and folders; everything that Erlang writes goes below one folder.
"""

from __future__ import annotations

import os
import secrets
import subprocess
from pathlib import Path
from typing import Final

from brokers.mosquitto import PASSWORD, USER
from brokers.nodes import LOOPBACK, CannotStart, Node, Served, free_port, program

NODES: Final = ("a", "b", "c")
COOKIE: Final = secrets.token_hex(16)
"""What the nodes and `rabbitmqctl` know each other by."""
SCRIPTS: Final = "/usr/lib/rabbitmq/bin"
"""Debian's programs of the same names on the path become another user, who may not write to our folder."""

HA_POLICY: Final = '{"ha-mode":"all","ha-sync-mode":"automatic"}'
TOPICS: Final = r"^p2pdurak\.1\..*"
"""How RabbitMQ writes p2pdurak/1/# as a pattern of its own."""


class _Cluster:
    """The names and folders that the three nodes and `rabbitmqctl` share."""

    def __init__(self, folder: Path, ports: list[int]) -> None:
        self.folder = folder
        self.ports = ports
        self.epmd = free_port()

    def environment(self, at: int) -> dict[str, str]:
        folder = self.folder / NODES[at]
        folder.mkdir(exist_ok=True)
        configuration = folder / "rabbitmq.conf"
        lines = [
            f"listeners.tcp.1 = {LOOPBACK}:{free_port()}",
            f"mqtt.listeners.tcp.1 = {LOOPBACK}:{self.ports[at]}",
            "mqtt.tcp_listen_options.nodelay = true",
            "mqtt.allow_anonymous = false",
            "cluster_formation.peer_discovery_backend = classic_config",
            *(f"cluster_formation.classic_config.nodes.{n} = {self.node(n - 1)}" for n in range(1, len(NODES) + 1)),
        ]
        configuration.write_text("\n".join(lines) + "\n", "utf-8")
        plugins = folder / "enabled_plugins"
        plugins.write_text("[rabbitmq_mqtt].\n", "utf-8")
        return self.shared() | {
            "RABBITMQ_NODENAME": self.node(at),
            "RABBITMQ_CONFIG_FILE": str(configuration),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(plugins),
            "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_PID_FILE": str(folder / "pid"),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": f"-setcookie {COOKIE} -kernel inet_dist_use_interface {{127,0,0,1}}",
            "ERL_CRASH_DUMP": str(folder / "erl_crash.dump"),
        }

    def shared(self) -> dict[str, str]:
        return {"HOME": str(self.folder), "ERL_EPMD_PORT": str(self.epmd), "ERL_EPMD_ADDRESS": LOOPBACK}

    def names(self) -> Node:
        """Erlang's name server; started by us, so that it listens here only and ends with us."""
        command = [program("epmd", "erlang-base"), "-address", LOOPBACK, "-port", str(self.epmd)]
        return Node("epmd", command, self.epmd, self.folder / "epmd.log")

    def node(self, at: int) -> str:
        return f"p2pdurak-{NODES[at]}@localhost"

    def control(self, *words: str) -> None:
        tool = program("rabbitmqctl", "rabbitmq-server", SCRIPTS)
        done = subprocess.run(
            [tool, "--erlang-cookie", COOKIE, "-n", self.node(0), *words],
            env=os.environ | self.shared(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise CannotStart(f"rabbitmqctl {words[0]} failed:\n{done.stdout}{done.stderr}")


def cluster(folder: Path, port: int | None) -> Served:
    """Set up three nodes; a `port` is that of the first, and the others follow it."""
    ports = [free_port() if port is None else port + at for at in range(len(NODES))]
    whole = _Cluster(folder, ports)
    server = program("rabbitmq-server", "rabbitmq-server", SCRIPTS)
    nodes = [
        Node(
            f"RabbitMQ node {name}",
            [server],
            ports[at],
            folder / f"node-{name}.log",
            environment=whole.environment(at),
        )
        for at, name in enumerate(NODES)
    ]

    def settle() -> None:
        whole.control("add_user", USER, PASSWORD)
        whole.control("set_permissions", USER, ".*", ".*", ".*")
        whole.control("set_topic_permissions", USER, "amq.topic", TOPICS, TOPICS)
        whole.control("set_policy", "ha-mqtt", "^mqtt-subscription", HA_POLICY, "--apply-to", "queues")

    return Served(
        tuple(nodes),
        tuple(f"mqtt://{USER}:{PASSWORD}@{LOOPBACK}:{mqtt}" for mqtt in ports),
        stranger=f"mqtt://{USER}:wrong@{LOOPBACK}:{ports[0]}",
        aside=(whole.names(),),
        settle=settle,
    )
