"""mosquitto: open to everybody on this machine, or with TLS, a password and an ACL, as operators are told to run it.

It owns its configuration; the lines come from the page for operators, so that what is tested is what they are told.
"""

from __future__ import annotations

import getpass
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from brokers.certificates import make_certificates
from brokers.nodes import LOOPBACK, Node, Served, free_port, program

PAGES: Final = Path(__file__).parents[2] / "docs" / "brokers"
USER: Final = "mira"
PASSWORD: Final = "s3cret"  # of a broker that only this machine can reach

GUARDS: Final = frozenset({"certfile", "keyfile", "password_file", "acl_file"})
"""The settings that an open broker leaves out."""


def plain(folder: Path, port: int | None) -> Served:
    """Set up a mosquitto without TLS that lets in whoever reaches it, which is this machine."""
    chosen = port or free_port()
    lines = _settings({"listener": f"{chosen} {LOOPBACK}", "allow_anonymous": "true"}, leave_out=GUARDS)
    return Served((_node(folder, chosen, lines),), (f"mqtt://{LOOPBACK}:{chosen}",))


def guarded(folder: Path, port: int | None) -> Served:
    """Set up a mosquitto with TLS by a CA of its own, one user, and only the topics of this game."""
    chosen = port or free_port()
    files = make_certificates(folder)
    passwords = folder / "passwords"
    tool = program("mosquitto_passwd", "mosquitto")
    subprocess.run([tool, "-b", "-c", passwords, USER, PASSWORD], check=True, capture_output=True)
    own = {
        "listener": f"{chosen} {LOOPBACK}",
        "certfile": str(files.server),
        "keyfile": str(files.key),
        "password_file": str(passwords),
        "acl_file": str(PAGES / "acl"),
    }
    where = f"{LOOPBACK}:{chosen}?cafile={files.ca}"
    return Served(
        (_node(folder, chosen, _settings(own)),),
        (f"mqtts://{USER}:{PASSWORD}@{where}",),
        stranger=f"mqtts://{USER}:wrong@{where}",
    )


def _settings(own: Mapping[str, str], leave_out: frozenset[str] = frozenset()) -> list[str]:
    """The lines of the page, with what is this machine's own in their places."""
    lines = (PAGES / "mosquitto.conf").read_text("utf-8").splitlines()
    pairs = [line.split(" ", 1) for line in lines if line and not line.startswith("#")]
    return [f"{key} {own.get(key, value)}" for key, value in pairs if key not in leave_out]


def _node(folder: Path, port: int, lines: list[str]) -> Node:
    configuration = folder / "mosquitto.conf"
    # Started by root it would become a user of its own, who may not read the folder.
    configuration.write_text("\n".join([*lines, f"user {getpass.getuser()}"]) + "\n", "utf-8")
    command = [program("mosquitto", "mosquitto"), "-c", str(configuration)]
    return Node("mosquitto", command, port, folder / "mosquitto.log")
