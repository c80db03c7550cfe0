"""What a broker on this machine uses: its processes, their time of the processor and their memory, by Linux's /proc.

It owns the finding and the reading of processes; it knows no broker and no game.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from p2pdurak.transport.url import BrokerUrl

LISTENS: Final = "0A"
"""The state of a socket that waits for connections, in /proc/net/tcp."""

HERE: Final = frozenset({"127.0.0.1", "::1", "localhost"})
PROC: Final = Path("/proc")
_TICKS_A_SECOND: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Load:
    """What some processes use together, right now.

    Attributes:
        cpu_s: seconds of the processor since they started.
        memory_bytes: resident.
    """

    cpu_s: float
    memory_bytes: int


def listeners(urls: Iterable[BrokerUrl]) -> tuple[int, ...]:
    """The processes of this machine that listen on the ports of these brokers, each once; none for one elsewhere."""
    ports = {url.port for url in urls if url.host in HERE}
    sockets = {f"socket:[{inode}]" for inode in _inodes(ports)}
    return tuple(sorted(pid for pid in _pids() if sockets & _descriptors(pid)))


def load_of(pids: Sequence[int]) -> Load:
    """What these processes use; one that has ended counts nothing."""
    cpu_s, memory = 0.0, 0
    for pid in pids:
        with suppress(OSError):
            # The name in parentheses may hold spaces; fields 14 and 15 of proc(5) come after it.
            fields = (PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            cpu_s += (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND
            memory += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    return Load(cpu_s, memory)


def _inodes(ports: set[int]) -> set[str]:
    found: set[str] = set()
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in (PROC / "net" / table).read_text("ascii").splitlines()[1:]:
                parts = line.split()
                if parts[3] == LISTENS and int(parts[1].rpartition(":")[2], 16) in ports:
                    found.add(parts[9])
    return found


def _pids() -> list[int]:
    with suppress(OSError):
        return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]
    return []


def _descriptors(pid: int) -> set[str]:
    found: set[str] = set()
    with suppress(OSError):  # it has ended, or belongs to somebody else
        for descriptor in (PROC / str(pid) / "fd").iterdir():
            with suppress(OSError):
                found.add(str(descriptor.readlink()))
    return found
