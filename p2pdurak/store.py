"""What is kept of a player: the write-ahead log of a game, its secrets, his identity, and the locks on them.

It owns which files there are and what stands in them; it knows neither the network nor what a record means.

Everything is 0600 in 0700. A log grows by one `write` an entry, counted and synced before anything is sent. After an
error the file is cut back to its last whole entry, and the game stops with a sentence: it never goes on unlogged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from fairdeck.limits import LOG_BYTES_MAX
from fairdeck.log import MAGIC, Saved, Tag, encode_entry, read
from fairdeck.sign import SEED_BYTES, SigningKey
from p2pdurak.files import (
    StoreError,
    close,
    create,
    cut,
    lock_file,
    make_folder,
    open_locked,
    open_to_append,
    read_owned,
    reason,
    remove,
    save_over,
    sync,
    sync_folder,
    write_new,
    write_whole,
)

LOG_SUFFIX: Final = ".dlog"
SECRETS_SUFFIX: Final = ".keys"
EVIDENCE_SUFFIX: Final = ".evidence.dlog"
SECRETS_BYTES_MAX: Final = 1 << 20
PLAYERS_MAX: Final = 16
SAME_NAME_MAX: Final = 100
STEM: Final = re.compile(r"[a-z0-9-]+")


class DamagedError(StoreError):
    """A log has been changed, and nothing behind the change can be trusted."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A player of this machine. Two programs at once are two players: each holds a lock on its own key file."""

    key: SigningKey
    number: int
    lock: int


@dataclass(frozen=True, slots=True)
class Secrets:
    """What one seat must keep until both game keys are shown: 64 bytes behind x, and its 32-byte nonce.

    `match` is what a new process needs beside that to go on with the game, as JSON gives it; None where it cannot.
    """

    seat: int
    entropy: bytes = field(repr=False)
    nonce: bytes = field(repr=False)
    match: Mapping[str, Any] | None = field(default=None, repr=False)

    def encode(self) -> bytes:
        """As it is written."""
        value = {"seat": self.seat, "entropy": self.entropy.hex(), "nonce": self.nonce.hex()}
        return json.dumps(value if self.match is None else {**value, "match": self.match}).encode("ascii")


class Store:
    """The data folder of one player: `player-N.key` and `games/`."""

    def __init__(self, folder: Path) -> None:
        """Make the folders if they are missing.

        Raises:
            StoreError: they cannot be made, or others may write to them.
        """
        self.folder = folder
        self.games = folder / "games"
        for path in (folder, self.games):
            make_folder(path)

    def identity(self, rng: Callable[[int], bytes]) -> Identity:
        """The first identity that no other running program uses; made on first use.

        Args:
            rng: gives fresh random bytes for a new key.

        Raises:
            StoreError: a key file cannot be read or made.
        """
        for number in range(1, PLAYERS_MAX + 1):
            path = self.folder / f"player-{number}.key"
            lock = open_locked(path)
            if lock is not None:
                return Identity(SigningKey.from_seed(_seed(path, lock, rng)), number, lock)
        raise StoreError(f"{PLAYERS_MAX} games are running in {self.folder} already. End one of them first.")

    def identity_of(self, number: int) -> Identity:
        """One identity of this folder that is there already.

        Raises:
            StoreError: it is not there, is damaged, or another program plays as it.
        """
        path = self.folder / f"player-{number}.key"
        if not path.is_file():
            raise StoreError(f"The key {path} is gone, and the game cannot be gone on with under another one.")
        lock = open_locked(path)
        if lock is None:
            raise StoreError(f"Another program that is running plays under the key {path}. End it first.")
        return Identity(SigningKey.from_seed(_seed(path, lock, lambda _: b"")), number, lock)

    def public_keys(self) -> frozenset[bytes]:
        """The identities of this folder, to tell our own seat in a log; without waiting for anybody's lock."""
        keys = set()
        for path in self.folder.glob("player-*.key"):
            with suppress(OSError):  # a key that cannot be read is none of ours
                seed = path.read_bytes() if path.is_file() else b""
                if len(seed) == SEED_BYTES:
                    keys.add(SigningKey.from_seed(seed).public)
        return frozenset(keys)

    def new_log(self, stem: str) -> GameLog:
        """Start the log of a game.

        Args:
            stem: the file's name without its ending, of letters, digits and dashes of our own choosing.

        Raises:
            StoreError: no file can be made.
        """
        if STEM.fullmatch(stem) is None:
            raise StoreError("A log can only be named with letters, digits and dashes.")
        for count in range(1, SAME_NAME_MAX):
            path = self.games / (stem + (f"-{count}" if count > 1 else "") + LOG_SUFFIX)
            try:
                return GameLog(path)
            except FileExistsError:
                continue
        raise StoreError(f"There are too many games named {stem} in {self.games}.")

    def logs(self) -> list[Path]:
        """The saved logs, oldest first; evidence files are not games."""
        found = [path for path in self.games.glob("*" + LOG_SUFFIX) if not path.name.endswith(EVIDENCE_SUFFIX)]
        return sorted(found, key=lambda path: (path.lstat().st_mtime_ns, path.name))


class GameLog:
    """One game's files: the log, the secrets beside it, and evidence where there is any."""

    def __init__(self, path: Path, fd: int | None = None) -> None:
        """Create the log and lock it.

        Args:
            path: the file.
            fd: it is there already, and open.

        Raises:
            FileExistsError: there is one of that name.
            StoreError: it cannot be created.
        """
        self.path = path
        self._size = 0
        self._lacks = False
        self._fd = create(path, append=True) if fd is None else fd
        if fd is not None:
            return
        try:
            lock_file(self._fd)
            self._write(MAGIC)
            sync_folder(path.parent)
        except StoreError:
            self.close()
            remove(path)  # an empty log says nothing
            raise

    @classmethod
    def reopen(cls, path: Path) -> tuple[GameLog, Saved]:
        """Open a log again to go on with its game: lock it, and cut it back to its last whole entry.

        Returns:
            The log, and what stands in it.

        Raises:
            StoreError: it cannot be opened, is damaged before its end, or another program has it.
        """
        log = cls(path, open_to_append(path))
        try:
            saved = log._take_up()
        except StoreError:
            log.close()
            raise
        return log, saved

    def _take_up(self) -> Saved:
        if not lock_file(self._fd):
            raise StoreError(f"The game {self.path} is being played by another program that is running.")
        saved = read(read_log(self.path))
        if saved.damage is not None:
            raise DamagedError(f"The log {self.path} is damaged and cannot be gone on with. {saved.damage.value}")
        self._size = saved.whole
        try:
            if saved.torn:
                cut(self._fd, saved.whole)
                sync(self._fd)
        except OSError as error:
            raise StoreError(f"The log {self.path} cannot be written ({reason(error)}).") from error
        if saved.whole == 0:
            self._write(MAGIC)
        return saved

    def append(self, tag: Tag, payload: bytes) -> None:
        """Add an entry: on disk when this returns.

        Raises:
            StoreError: it could not be saved; the file ends in its last whole entry, and nothing may be sent.
        """
        self._write(encode_entry(tag, payload))

    def _write(self, data: bytes) -> None:
        try:
            write_whole(self._fd, data)
        except OSError as error:
            self._cut_back()
            self._lacks = True
            raise StoreError(
                f"The game cannot be saved to {self.path} ({error}). "
                "It stops here, with everything before this move saved. "
                "Make room, then go on with: p2pdurak resume."
            ) from error
        self._size += len(data)

    def _cut_back(self) -> None:
        try:
            cut(self._fd, self._size)
        except OSError:
            # A reader takes the rest for what it is: the torn beginning of an entry.
            return

    def save_secrets(self, secrets: Secrets) -> None:
        """Write our secrets of this game beside the log; on disk when this returns.

        Raises:
            StoreError: they could not be saved, and the game must not begin.
        """
        write_new(secrets_path(self.path), secrets.encode())

    def end_match(self) -> None:
        """Keep of our secrets only what opens our own hand: nobody comes back to this game.

        Nothing is taken away where the log lacks what its game knows: then a new process is to come back.
        """
        if self._lacks:
            return
        secrets = read_secrets(self.path)
        if secrets is not None and secrets.match is not None:
            with suppress(StoreError):  # then the game is offered once more, and is seen to be over
                save_over(secrets_path(self.path), replace(secrets, match=None).encode())

    def drop_secrets(self) -> None:
        """Remove our secrets, once the log itself holds both game keys; not where something could not be written."""
        if self._lacks:
            return
        with suppress(OSError):  # if it stays, it tells no more than the log does
            secrets_path(self.path).unlink(missing_ok=True)

    def save_evidence(self, *pieces: tuple[Tag, bytes]) -> Path:
        """Save our log so far with the records and notes that prove a misdeed, as a log that anyone can verify.

        Returns:
            The path of the evidence.

        Raises:
            StoreError: it could not be saved.
        """
        path = self.path.with_name(self.path.name.removesuffix(LOG_SUFFIX) + EVIDENCE_SUFFIX)
        write_new(path, read_log(self.path) + b"".join(encode_entry(*piece) for piece in pieces))
        return path

    def close(self) -> None:
        """Let go of the file and its lock."""
        close(self._fd)


def in_use(path: Path) -> bool:
    """Whether a program that is running has this log.

    Raises:
        StoreError: it cannot be opened.
    """
    fd = open_to_append(path)
    try:
        return not lock_file(fd)
    finally:
        close(fd)


def save_log(path: Path, data: bytes) -> None:
    """Write the bytes of a whole log to a file that was not there.

    Raises:
        StoreError: it is there already, or cannot be saved.
    """
    write_new(path, data)


def secrets_path(log: Path) -> Path:
    """Where the secrets of a log's owner lie while they are needed."""
    return log.with_name(log.name.removesuffix(LOG_SUFFIX) + SECRETS_SUFFIX)


def read_log(path: Path) -> bytes:
    """The bytes of a log.

    Raises:
        StoreError: it is no readable file, or longer than any log.
    """
    try:
        if not path.is_file():
            raise StoreError(f"The log {path} cannot be read: it is no file.")
        with path.open("rb") as file:
            return file.read(LOG_BYTES_MAX + 1)
    except OSError as error:
        raise StoreError(f"The log {path} cannot be read ({reason(error)}).") from error


def read_secrets(log: Path) -> Secrets | None:
    """Our secrets of a game, where they are kept beside its log and can be read."""
    try:
        with secrets_path(log).open("rb") as file:
            value = json.loads(file.read(SECRETS_BYTES_MAX))
        seat, match = int(value["seat"]), value.get("match")
        secrets = Secrets(seat, bytes.fromhex(value["entropy"]), bytes.fromhex(value["nonce"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None
    return replace(secrets, match=match if isinstance(match, dict) else None) if seat in {0, 1} else None


def _seed(path: Path, fd: int, rng: Callable[[int], bytes]) -> bytes:
    """The seed in a locked key file; written on first use."""
    try:
        seed = read_owned(fd, SEED_BYTES + 1)
        if not seed:
            seed = _new_seed(path, fd, rng)
    except OSError as error:
        raise StoreError(f"The key {path} cannot be used ({reason(error)}).") from error
    if len(seed) != SEED_BYTES:
        raise StoreError(f"The key {path} is damaged. Move it away, and a new one is made.")
    return seed


def _new_seed(path: Path, fd: int, rng: Callable[[int], bytes]) -> bytes:
    seed = rng(SEED_BYTES)
    try:
        write_whole(fd, seed)
        sync_folder(path.parent)
    except (OSError, StoreError):
        cut(fd, 0)  # a part of a key would be taken for a damaged one
        raise
    return seed
