"""Files as the operating system keeps them: made for their owner alone, written whole, synced, locked, replaced.

It owns every call of this program that changes a file, and turns what the system refuses into a sentence; it does not
know what stands in any of them.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path


class StoreError(Exception):
    """Something cannot be saved or read; the sentence names the path and says what to do."""


def save_over(path: Path, data: bytes) -> None:
    """Write a file in place of whatever is there: all of it or nothing, whenever the program ends.

    Raises:
        StoreError: it cannot be saved; what was there stays.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.unlink(missing_ok=True)
        write_new(part, data)
        part.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be saved ({reason(error)}).") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def reason(error: OSError) -> str:
    """What the system says of an error, without its number."""
    return error.strerror or str(error)


def make_folder(path: Path) -> None:
    """Make a folder that only its owner can read, or see that the one which is there can be used.

    Raises:
        StoreError: it cannot be made, or others may write to it.
    """
    try:
        if not path.is_dir():
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            sync_folder(path.parent)
        mode = path.stat().st_mode
    except OSError as error:
        raise StoreError(f"The folder {path} cannot be used ({reason(error)}).") from error
    if mode & 0o022:
        raise StoreError(f"Others may write to {path}. Run: chmod 700 '{path}'")
    # The bits tell root too, who may write where he did not mean to; the rest is a disk that is mounted read-only.
    if mode & 0o300 != 0o300 or not os.access(path, os.W_OK | os.X_OK):
        raise StoreError(f"The folder {path} cannot be written to. Run: chmod 700 '{path}'")


def create(path: Path, *, append: bool = False) -> int:
    """Create a file that did not exist, through no link, for its owner alone whatever the umask.

    Raises:
        FileExistsError: it did.
        StoreError: it cannot be made.
    """
    flags = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_WRONLY
    try:
        fd = os.open(path, flags | os.O_APPEND if append else flags, 0o600)
    except FileExistsError:
        raise
    except OSError as error:
        raise StoreError(f"{path} cannot be made ({reason(error)}).") from error
    try:
        os.fchmod(fd, 0o600)
    except OSError as error:
        close(fd)
        remove(path)
        raise StoreError(f"{path} cannot be made ({reason(error)}).") from error
    return fd


def write_new(path: Path, data: bytes) -> None:
    """Write a file that was not there; on disk when this returns.

    Raises:
        StoreError: it is there already, or cannot be saved.
    """
    try:
        fd = create(path)
    except FileExistsError as error:
        raise StoreError(f"{path} is there already.") from error
    try:
        write_whole(fd, data)
    except OSError as error:
        remove(path)
        raise StoreError(f"{path} cannot be saved ({reason(error)}).") from error
    finally:
        close(fd)
    sync_folder(path.parent)


def write_whole(fd: int, data: bytes) -> None:
    """One write, on disk when this returns; raises OSError if any of it is not."""
    if os.write(fd, data) != len(data):
        raise OSError("the disk took only a part of it")
    os.fsync(fd)


def sync_folder(path: Path) -> None:
    """Make the name of a new file as durable as its bytes.

    Raises:
        StoreError: it cannot be.
    """
    try:
        fd = os.open(path, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            close(fd)
    except OSError as error:
        raise StoreError(f"The folder {path} cannot be saved ({reason(error)}).") from error


def lock_file(fd: int) -> bool:
    """Lock an open file; False if another program holds it.

    Raises:
        StoreError: this disk has no locks.
    """
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise StoreError(f"This folder's disk has no locks for files ({reason(error)}). Use a local disk.") from error
    return True


def open_to_append(path: Path) -> int:
    """Open a file that is there, through no link, to write at its end.

    Raises:
        StoreError: it is no file, or cannot be opened.
    """
    try:
        if not path.is_file():
            raise StoreError(f"The log {path} cannot be opened: it is no file.")
        return os.open(path, os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW)
    except OSError as error:
        raise StoreError(f"The log {path} cannot be opened ({reason(error)}).") from error


def open_locked(path: Path) -> int | None:
    """Open a key file, new or old, and lock it; None if another program holds it.

    Raises:
        StoreError: it cannot be opened or locked.
    """
    try:
        fd = os.open(path, os.O_CREAT | os.O_NOFOLLOW | os.O_RDWR, 0o600)
    except OSError as error:
        raise StoreError(f"The key {path} cannot be opened ({reason(error)}).") from error
    if lock_file(fd):
        return fd
    close(fd)
    return None


def cut(fd: int, size: int) -> None:
    """Cut a file to so many bytes; raises OSError if it cannot be."""
    os.ftruncate(fd, size)


def sync(fd: int) -> None:
    """Have what was done to a file on disk; raises OSError if it cannot be."""
    os.fsync(fd)


def read_owned(fd: int, length: int) -> bytes:
    """The first bytes of a file, which is for its owner alone from now on; raises OSError if it cannot be."""
    os.fchmod(fd, 0o600)
    return os.pread(fd, length, 0)


def close(fd: int) -> None:
    """Let go of a file and of its lock. What matters in it is synced by then, so a fault that is told here is none."""
    with suppress(OSError):
        os.close(fd)


def remove(path: Path) -> None:
    """Take away what could not be written, as far as that works."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
