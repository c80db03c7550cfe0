"""The one seam through which a game in these tests reaches its disk and its line: counted, and broken where wanted.

It owns the calls of both seats, in order, and what a fault does to them; what must come of it stands in the tests.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeVar

from p2pdurak import files

T = TypeVar("T")


class Fault(Enum):
    """What happens at one call."""

    KILL = "the program is killed just before it"
    TORN = "the program is killed in the middle of it"
    POWER = "the power fails just before it, and what is not synced is lost"
    EIO = "it fails once"
    FULL = "the disk is full from it on, until the program ends"
    SHORT = "only a part is written"


class Killed(BaseException):
    """The program of a seat is no more; nothing that it would do after this reaches its disk."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


GROWING: Final = frozenset({"write", "create"})
"""What needs room on the disk."""

Plan = Mapping[tuple[int, int], Fault]
"""Faults by seat and number of the call."""


@dataclass(slots=True)
class Lost:
    """What the power takes from a disk: bytes, names and replaced files that are not synced yet."""

    synced: dict[str, int] = field(default_factory=dict)
    created: set[str] = field(default_factory=set)
    replaced: dict[str, bytes] = field(default_factory=dict)

    def happen(self) -> None:
        """Lose it."""
        for path, old in self.replaced.items():
            Path(path).write_bytes(old)
        for path in self.created:
            _real_unlink(path, missing_ok=True)
        for path, size in self.synced.items():
            if Path(path).exists() and Path(path).stat().st_size > size:
                os.truncate(path, size)
        self.__init__()  # type: ignore[misc]  # nothing is waiting any more

    def sync_folder(self, folder: str) -> None:
        """Its names are durable."""
        self.created = {path for path in self.created if str(Path(path).parent) != folder}
        self.replaced = {path: old for path, old in self.replaced.items() if str(Path(path).parent) != folder}


def _real_unlink(path: str, *, missing_ok: bool) -> None:
    try:
        REAL_UNLINK(path)
    except FileNotFoundError:
        if not missing_ok:
            raise


REAL_UNLINK: Final = os.unlink
REAL_REPLACE: Final = os.replace
REAL_OPEN: Final = Path.open


class Seam:
    """Stands between `p2pdurak.files` and the operating system while it is entered.

    Attributes:
        calls: what each seat has asked for, oldest first.
        fired: the faults that have happened.
        refused: the seat whose call failed last.
    """

    def __init__(self, folders: Sequence[Path], plan: Plan) -> None:
        self.calls: tuple[list[str], list[str]] = ([], [])
        self.fired: list[tuple[int, str, Fault]] = []
        self.refused = 0
        self._folders = [str(folder) + os.sep for folder in folders]
        self._plan = plan
        self._files: dict[int, tuple[int, str]] = {}
        self._dead: set[int] = set()
        self._full: set[int] = set()
        self._unsynced = (Lost(), Lost())

    def __enter__(self) -> Seam:
        files.os = _Os(self)  # type: ignore[assignment]
        files.fcntl = _Fcntl(self)  # type: ignore[assignment]
        os.unlink = self._unlink
        os.replace = self._replace
        Path.open = lambda path, *rest, **named: self._read(path, *rest, **named)  # type: ignore[method-assign]  # noqa: PLW0108 - it must bind
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        files.os, files.fcntl = os, fcntl
        os.unlink, os.replace = REAL_UNLINK, REAL_REPLACE
        Path.open = REAL_OPEN  # type: ignore[method-assign]

    # The life of a program.

    def bury(self, seat: int) -> None:
        """The system closes what the program of a seat had open."""
        self._dead.add(seat)
        for fd in [fd for fd, (owner, _) in self._files.items() if owner == seat]:
            os.close(fd)
            del self._files[fd]

    def revive(self, seat: int) -> None:
        """A new program starts, and there is room again."""
        self._dead.discard(seat)
        self._full.discard(seat)

    # One call.

    def call(self, seat: int, name: str, path: str, do: Callable[[], T], part: Callable[[], T] | None = None) -> T:
        """Count a call, and do it unless a fault is planned for it.

        Args:
            seat: whose program calls.
            name: of the call.
            path: what it is about.
            do: the call itself.
            part: the call done in part, where it can be.
        """
        if seat in self._dead:
            raise Killed(seat)
        number = len(self.calls[seat])
        self.calls[seat].append(f"{name} {_kind_of(path)}".strip())
        fault = self._plan.get((seat, number))
        if fault is not None:
            self.refused = seat
            self.fired.append((seat, self.calls[seat][-1], fault))
            return self._break(seat, fault, do, part)
        if seat in self._full and name in GROWING:
            self.refused = seat
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return do()

    def _break(self, seat: int, fault: Fault, do: Callable[[], T], part: Callable[[], T] | None) -> T:
        match fault:
            case Fault.EIO:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            case Fault.FULL:
                self._full.add(seat)
                if part is not None:
                    return part()
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            case Fault.SHORT:
                return do() if part is None else part()
            case Fault.POWER:
                self._unsynced[seat].happen()
            case Fault.TORN if part is not None:
                part()
            case Fault.KILL | Fault.TORN:
                pass
        self._dead.add(seat)
        raise Killed(seat)

    def owner(self, path: str) -> int | None:
        """Whose folder a path lies in."""
        return next((seat for seat, folder in enumerate(self._folders) if (path + os.sep).startswith(folder)), None)

    def known(self, fd: int) -> tuple[int, str] | None:
        """Whose open file this is, and its path."""
        return self._files.get(fd)

    # What `p2pdurak.files` asks of the system.

    def open(self, path: Path, flags: int, mode: int = 0o777) -> int:
        seat, text = self.owner(str(path)), str(path)
        if seat is None:
            return os.open(path, flags, mode)
        new = bool(flags & os.O_CREAT) and not path.exists()
        fd = self.call(seat, "create" if new else "open", text, lambda: os.open(path, flags, mode))
        self._files[fd] = (seat, text)
        if new:
            self._unsynced[seat].created.add(text)
            self._unsynced[seat].synced[text] = 0
        return fd

    def write(self, fd: int, data: bytes) -> int:
        seat, path = self._files[fd]
        self._unsynced[seat].synced.setdefault(path, Path(path).stat().st_size)
        return self.call(seat, "write", path, lambda: os.write(fd, data), lambda: os.write(fd, data[: len(data) // 2]))

    def fsync(self, fd: int) -> None:
        seat, path = self._files[fd]
        self.call(seat, "fsync", path, lambda: os.fsync(fd))
        if Path(path).is_dir():
            self._unsynced[seat].sync_folder(path)
        else:
            self._unsynced[seat].synced.pop(path, None)

    def simple(self, name: str, fd: int, do: Callable[[], T]) -> T:
        """A call on an open file that needs nothing special."""
        seat, path = self._files[fd]
        return self.call(seat, name, path, do)

    def close(self, fd: int) -> None:
        seat, path = self._files[fd]
        try:
            self.call(seat, "close", path, lambda: None)
        finally:
            if fd in self._files and seat not in self._dead:
                os.close(fd)
                del self._files[fd]

    def _unlink(self, path: Any, *rest: Any, **named: Any) -> None:
        seat = self.owner(str(path))
        if seat is None:
            REAL_UNLINK(path, *rest, **named)
            return
        self.call(seat, "unlink", str(path), lambda: REAL_UNLINK(path, *rest, **named))
        self._unsynced[seat].synced.pop(str(path), None)

    def _replace(self, source: Any, target: Any, *rest: Any, **named: Any) -> None:
        seat, lost = self.owner(str(source)), None
        if seat is None:
            REAL_REPLACE(source, target, *rest, **named)
            return
        with REAL_OPEN(Path(target), "rb") as file:
            old = file.read()
        self.call(seat, "replace", str(target), lambda: REAL_REPLACE(source, target, *rest, **named))
        lost = self._unsynced[seat]
        lost.replaced.setdefault(str(target), old)
        lost.created.discard(str(source))

    def _read(self, path: Path, *rest: Any, **named: Any) -> Any:
        seat = self.owner(str(path))
        if seat is None:
            return REAL_OPEN(path, *rest, **named)
        return self.call(seat, "read", str(path), lambda: REAL_OPEN(path, *rest, **named))


class _Os:
    """The module `os` as `p2pdurak.files` sees it."""

    def __init__(self, seam: Seam) -> None:
        self._seam = seam

    def __getattr__(self, name: str) -> Any:
        seam = self._seam
        match name:
            case "open" | "write" | "fsync" | "close":
                return getattr(seam, name)
            case "ftruncate" | "fchmod":
                return lambda fd, value: seam.simple(name, fd, lambda: getattr(os, name)(fd, value))
            case _:
                return getattr(os, name)


class _Fcntl:
    """The module `fcntl` as `p2pdurak.files` sees it."""

    def __init__(self, seam: Seam) -> None:
        self._seam = seam

    def __getattr__(self, name: str) -> Any:
        if name != "flock":
            return getattr(fcntl, name)
        return lambda fd, how: self._seam.simple("lock", fd, lambda: fcntl.flock(fd, how))


def _kind_of(path: str) -> str:
    """A log, secrets, a folder."""
    name = Path(path).name
    if name.endswith(".part"):
        return "part"
    return "folder" if path and "." not in name else name.partition(".")[2]
