"""Files: modes, locks, links, disks that are full, and names that a stranger would like to choose."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairdeck import log
from fairdeck.limits import LOG_BYTES_MAX
from fairdeck.log import MAGIC, Tag, encode_entry
from p2pdurak import files
from p2pdurak.files import StoreError
from p2pdurak.store import DamagedError, GameLog, Secrets, Store, in_use, read_log, read_secrets, secrets_path

SECRETS = Secrets(1, b"e" * 64, b"n" * 32)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "p2pdurak")


@pytest.fixture
def game(store: Store) -> Iterator[GameLog]:
    opened = store.new_log("2026-11-30-k7q2m-1-host")
    yield opened
    opened.close()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


# Modes.


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_everything_is_for_its_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    store.identity(os.urandom)
    game = store.new_log("a-game")
    game.save_secrets(SECRETS)
    game.save_evidence((Tag.RECORD, b"record"))
    for path in (tmp_path / "data").rglob("*"):
        assert mode(path) == (0o700 if path.is_dir() else 0o600), path
    assert mode(tmp_path / "data") == 0o700


def test_own_files_can_be_read_under_a_umask_that_forbids_even_that(store: Store) -> None:
    before = os.umask(0o777)
    try:
        path = store.new_log("a-game").path
    finally:
        os.umask(before)
    assert mode(path) == 0o600


def test_key_that_was_made_readable_for_others_is_closed_again(store: Store) -> None:
    key = store.folder / "player-1.key"
    os.close(store.identity(os.urandom).lock)
    key.chmod(0o644)
    store.identity(os.urandom)
    assert mode(key) == 0o600


@pytest.mark.parametrize("bits", [0o770, 0o720, 0o707, 0o702, 0o777], ids=oct)
@pytest.mark.parametrize("which", [".", "games"])
def test_folder_that_others_may_write_to_is_refused_with_the_remedy(tmp_path: Path, bits: int, which: str) -> None:
    Store(tmp_path / "data")
    folder = tmp_path / "data" / which
    folder.chmod(bits)
    with pytest.raises(StoreError, match=r"Others may write to .*\. Run: chmod 700 '"):
        Store(tmp_path / "data")


@pytest.mark.parametrize("bits", [0o500, 0o400, 0o600, 0o000], ids=oct)
def test_folder_that_its_owner_may_not_write_to_is_refused_even_for_root(tmp_path: Path, bits: int) -> None:
    folder = tmp_path / "data"
    Store(folder)
    folder.chmod(bits)
    try:
        with pytest.raises(StoreError, match=r"cannot be (written to|used)"):
            Store(folder)
    finally:
        folder.chmod(0o700)


def test_folder_on_a_disk_that_is_mounted_read_only_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(tmp_path / "data")
    monkeypatch.setattr(files, "os", FaultyOs(access=lambda *_: False))
    with pytest.raises(StoreError, match="cannot be written to"):
        Store(tmp_path / "data")


def test_file_in_place_of_the_folder_is_named_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(StoreError, match=r"The folder .* cannot be used"):
        Store(tmp_path / "data")


# A disk that fails.


class FaultyOs:
    """The module `os`, with some of its functions replaced."""

    def __init__(self, **replaced: Callable[..., Any]) -> None:
        self._replaced = replaced

    def __getattr__(self, name: str) -> Any:
        return self._replaced.get(name) or getattr(os, name)


def failing(code: int) -> Callable[..., Any]:
    def fail(*_: object) -> Any:
        raise OSError(code, os.strerror(code))

    return fail


def short_write(fd: int, data: bytes) -> int:
    return os.write(fd, data[: len(data) // 2])


FAULTS: dict[str, dict[str, Callable[..., Any]]] = {
    "short write": {"write": short_write},
    "no space": {"write": failing(errno.ENOSPC)},
    "disk fault in write": {"write": failing(errno.EIO)},
    "file too big": {"write": failing(errno.EFBIG)},
    "quota": {"write": failing(errno.EDQUOT)},
    "disk fault in fsync": {"fsync": failing(errno.EIO)},
    "no space in fsync": {"fsync": failing(errno.ENOSPC)},
}
faults = pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)


@faults
def test_failed_entry_is_cut_off_and_told_and_what_was_before_it_stays(
    game: GameLog, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Callable[..., Any]]
) -> None:
    game.append(Tag.RECORD, b"first")
    before = game.path.read_bytes()
    monkeypatch.setattr(files, "os", FaultyOs(**fault))
    with pytest.raises(StoreError, match=r"^The game cannot be saved to .*\. It stops here, .* p2pdurak resume\.$"):
        game.append(Tag.RECORD, b"second" * 100)
    assert game.path.read_bytes() == before


def test_entry_whose_rest_cannot_be_cut_off_reads_as_torn(game: GameLog, monkeypatch: pytest.MonkeyPatch) -> None:
    game.append(Tag.RECORD, b"first")
    monkeypatch.setattr(files, "os", FaultyOs(write=short_write, ftruncate=failing(errno.EIO)))
    with pytest.raises(StoreError):
        game.append(Tag.RECORD, b"second" * 100)
    saved = log.read(read_log(game.path))
    assert (saved.records, saved.damage) == ((b"first",), None)
    assert saved.torn > 0


@faults
def test_log_that_cannot_even_begin_leaves_no_file(
    store: Store, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Callable[..., Any]]
) -> None:
    monkeypatch.setattr(files, "os", FaultyOs(**fault))
    with pytest.raises(StoreError):
        store.new_log("a-game")
    assert list(store.games.iterdir()) == []


@faults
def test_secrets_that_cannot_be_saved_leave_no_file(
    game: GameLog, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Callable[..., Any]]
) -> None:
    monkeypatch.setattr(files, "os", FaultyOs(**fault))
    with pytest.raises(StoreError, match="cannot be saved"):
        game.save_secrets(SECRETS)
    assert not secrets_path(game.path).exists()


@faults
def test_new_key_that_cannot_be_saved_is_told_and_a_whole_one_is_made_next_time(
    store: Store, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Callable[..., Any]]
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(files, "os", FaultyOs(**fault))
        with pytest.raises(StoreError, match=r"^The (key|folder) .*player-1\.key|^The folder"):
            store.identity(os.urandom)
    assert (store.folder / "player-1.key").stat().st_size == 0


def test_evidence_that_cannot_be_saved_is_told(game: GameLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "os", FaultyOs(write=failing(errno.ENOSPC)))
    with pytest.raises(StoreError, match="cannot be saved"):
        game.save_evidence((Tag.RECORD, b"record"))
    assert [path.name for path in game.path.parent.iterdir()] == [game.path.name]


def test_every_entry_is_one_write_and_is_synced_before_append_returns(
    game: GameLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def write(fd: int, data: bytes) -> int:
        calls.append("write")
        return os.write(fd, data)

    def fsync(fd: int) -> None:
        calls.append("fsync")
        os.fsync(fd)

    monkeypatch.setattr(files, "os", FaultyOs(write=write, fsync=fsync))
    game.append(Tag.RECORD, b"one")
    game.append(Tag.NOTE, b"two")
    assert calls == ["write", "fsync"] * 2


def test_key_that_is_no_file_is_told(store: Store) -> None:
    os.mkfifo(store.folder / "player-1.key", 0o600)
    with pytest.raises(StoreError, match=r"The key .* cannot be used"):
        store.identity(os.urandom)


def test_disk_without_locks_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files.fcntl, "flock", failing(errno.ENOLCK))
    with pytest.raises(StoreError, match="no locks"):
        store.identity(os.urandom)


# Links and other traps.


def test_link_in_place_of_a_log_is_never_written_through(store: Store, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (store.games / "a-game.dlog").symlink_to(victim)
    game = store.new_log("a-game")
    assert (game.path.name, victim.read_text()) == ("a-game-2.dlog", "precious")


def test_dangling_link_in_place_of_a_log_makes_no_file_behind_it(store: Store, tmp_path: Path) -> None:
    (store.games / "a-game.dlog").symlink_to(tmp_path / "not there")
    store.new_log("a-game")
    assert not (tmp_path / "not there").exists()


def test_link_in_place_of_a_key_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(b"")
    (store.folder / "player-1.key").symlink_to(tmp_path / "victim")
    with pytest.raises(StoreError, match=r"The key .* cannot be opened"):
        store.identity(os.urandom)
    assert (tmp_path / "victim").read_bytes() == b""


def test_link_in_place_of_secrets_is_refused(game: GameLog, tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(b"precious")
    secrets_path(game.path).symlink_to(tmp_path / "victim")
    with pytest.raises(StoreError, match="is there already"):
        game.save_secrets(SECRETS)
    assert (tmp_path / "victim").read_bytes() == b"precious"


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda _: None], ids=["fifo", "folder", "nothing"])
def test_log_that_is_no_file_is_refused_at_once(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "odd.dlog")
    with pytest.raises(StoreError, match="it is no file"):
        read_log(tmp_path / "odd.dlog")


@pytest.mark.parametrize("path", [Path("/dev/zero"), Path("/dev/null")])
def test_device_is_no_log(path: Path) -> None:
    with pytest.raises(StoreError, match="it is no file"):
        read_log(path)


def test_path_that_no_file_can_have_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        read_log(tmp_path / ("x" * 5000))


def test_log_that_cannot_be_read_is_told(game: GameLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "open", failing(errno.EACCES))
    with pytest.raises(StoreError, match=r"cannot be read \(Permission denied\)"):
        read_log(game.path)


def test_of_a_giant_log_no_more_is_read_than_tells_that_it_is_too_long(tmp_path: Path) -> None:
    giant = tmp_path / "giant.dlog"
    with giant.open("wb") as file:
        file.truncate(64 * LOG_BYTES_MAX)
    assert len(read_log(giant)) == LOG_BYTES_MAX + 1


def test_odd_files_among_the_logs_do_not_hide_the_others(store: Store, game: GameLog) -> None:
    (store.games / "dangling.dlog").symlink_to("nowhere")
    os.mkfifo(store.games / "pipe.dlog")
    (store.games / "folder.dlog").mkdir()
    (store.games / "notes.txt").write_text("")
    assert game.path in store.logs()


def test_evidence_and_secrets_are_no_logs(store: Store, game: GameLog) -> None:
    game.save_secrets(SECRETS)
    game.save_evidence((Tag.NOTE, b"note"))
    assert store.logs() == [game.path]


# Names.


@pytest.mark.parametrize(
    "stem",
    [
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "a\\b",
        "A",
        "a b",
        "a.b",
        "ä",
        "a\n",
        "\x00",
        "a\x1b[2J",
        "\N{RIGHT-TO-LEFT OVERRIDE}",
    ],
)
def test_log_is_named_by_letters_digits_and_dashes_only(store: Store, stem: str) -> None:
    with pytest.raises(StoreError, match="letters, digits and dashes"):
        store.new_log(stem)
    assert list(store.games.iterdir()) == []


def test_second_log_of_one_name_gets_a_number_and_the_first_stays(store: Store, game: GameLog) -> None:
    game.append(Tag.RECORD, b"first")
    second = store.new_log("2026-11-30-k7q2m-1-host")
    assert second.path.name == "2026-11-30-k7q2m-1-host-2.dlog"
    assert log.read(read_log(game.path)).records == (b"first",)


def test_names_do_not_grow_without_end(store: Store) -> None:
    (store.games / "x.dlog").touch()
    for count in range(2, 100):
        (store.games / f"x-{count}.dlog").touch()
    with pytest.raises(StoreError, match="too many games named x"):
        store.new_log("x")


# Identities and locks.


def test_identity_is_kept_from_one_program_to_the_next(store: Store) -> None:
    first = store.identity(os.urandom)
    os.close(first.lock)
    again = Store(store.folder).identity(os.urandom)
    assert (again.key.public, again.number) == (first.key.public, 1)


def test_two_programs_on_one_folder_are_two_players(store: Store) -> None:
    first, second = store.identity(os.urandom), Store(store.folder).identity(os.urandom)
    assert (first.number, second.number) == (1, 2)
    assert first.key.public != second.key.public
    assert store.public_keys() == {first.key.public, second.key.public}


def test_seventeenth_program_is_refused(store: Store) -> None:
    for _ in range(16):
        store.identity(os.urandom)
    with pytest.raises(StoreError, match="16 games are running"):
        store.identity(os.urandom)


@pytest.mark.parametrize("size", [1, 31, 33, 4096])
def test_damaged_key_is_refused_and_left_as_it_is(store: Store, size: int) -> None:
    (store.folder / "player-1.key").write_bytes(b"k" * size)
    with pytest.raises(StoreError, match=r"is damaged\. Move it away, and a new one is made\."):
        store.identity(os.urandom)
    assert (store.folder / "player-1.key").read_bytes() == b"k" * size


def test_odd_key_files_are_none_of_our_identities(store: Store) -> None:
    known = store.identity(os.urandom)
    (store.folder / "player-7.key").write_bytes(b"short")
    (store.folder / "player-8.key").symlink_to("nowhere")
    (store.folder / "player-9.key").mkdir()
    os.mkfifo(store.folder / "player-10.key")
    assert store.public_keys() == {known.key.public}


def is_locked(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_log_is_locked_until_it_is_closed(store: Store) -> None:
    game = store.new_log("a-game")
    assert is_locked(game.path)
    game.close()
    assert not is_locked(game.path)


# What is in the files.


def test_log_is_the_magic_and_its_entries(game: GameLog) -> None:
    game.append(Tag.RECORD, b"record")
    game.append(Tag.NOTE, b"note")
    expected = MAGIC + encode_entry(Tag.RECORD, b"record") + encode_entry(Tag.NOTE, b"note")
    assert game.path.read_bytes() == expected


def test_evidence_is_the_log_and_the_record_behind_it(game: GameLog) -> None:
    game.append(Tag.RECORD, b"right")
    path = game.save_evidence((Tag.RECORD, b"wrong"))
    assert log.read(read_log(path)).records == (b"right", b"wrong")
    assert log.read(read_log(game.path)).records == (b"right",)


def test_evidence_is_never_written_over(game: GameLog) -> None:
    path = game.save_evidence((Tag.RECORD, b"first"))
    with pytest.raises(StoreError, match="is there already"):
        game.save_evidence((Tag.RECORD, b"second"))
    assert log.read(read_log(path)).records == (b"first",)


def test_secrets_are_read_as_they_were_saved_until_they_are_dropped(game: GameLog) -> None:
    game.save_secrets(SECRETS)
    assert read_secrets(game.path) == SECRETS
    game.drop_secrets()
    assert read_secrets(game.path) is None
    game.drop_secrets()


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", "7", "\udcff", '{"seat": 1}', '{"seat": [], "entropy": "", "nonce": ""}'),
        *('{"seat": 1, "entropy": "zz", "nonce": ""}', '{"seat": 1, "entropy": 5, "nonce": ""}'),
    ],
)
def test_secrets_that_cannot_be_read_are_none(game: GameLog, text: str) -> None:
    secrets_path(game.path).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert read_secrets(game.path) is None


# A game that is gone on with.


def test_a_log_that_was_torn_is_cut_back_and_written_on(store: Store) -> None:
    game = store.new_log("once-more")
    game.append(Tag.RECORD, b"first")
    game.append(Tag.RECORD, b"second")
    game.close()
    os.truncate(game.path, game.path.stat().st_size - 1)

    again, saved = GameLog.reopen(game.path)
    assert (saved.records, saved.torn > 0) == ((b"first",), True)
    again.append(Tag.RECORD, b"other")
    assert log.read(read_log(game.path)).records == (b"first", b"other")


def test_a_log_torn_within_its_first_line_begins_anew(store: Store) -> None:
    game = store.new_log("once-more")
    game.close()
    os.truncate(game.path, 3)
    again, _ = GameLog.reopen(game.path)
    again.append(Tag.RECORD, b"first")
    assert log.read(read_log(game.path)).records == (b"first",)


def test_a_damaged_log_is_not_gone_on_with_and_stays_as_it_is(store: Store) -> None:
    game = store.new_log("once-more")
    game.append(Tag.RECORD, b"first")
    game.append(Tag.RECORD, b"second")
    game.close()
    data = bytearray(game.path.read_bytes())
    data[-40] ^= 1
    game.path.write_bytes(data)
    with pytest.raises(DamagedError, match="is damaged and cannot be gone on with"):
        GameLog.reopen(game.path)
    assert game.path.read_bytes() == data
    assert not in_use(game.path)


def test_a_log_is_in_use_while_a_program_has_it(store: Store) -> None:
    game = store.new_log("once-more")
    assert in_use(game.path)
    game.close()
    assert not in_use(game.path)


@pytest.mark.parametrize("kind", ["missing", "folder", "link"])
def test_what_is_no_log_cannot_be_opened_again(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.dlog"
    if kind == "folder":
        path.mkdir()
    if kind == "link":
        (tmp_path / "b.dlog").write_bytes(b"")
        path.symlink_to(tmp_path / "b.dlog")
    with pytest.raises(StoreError, match="cannot be opened"):
        GameLog.reopen(path)


def test_one_identity_is_taken_by_its_number_and_locked(tmp_path: Path) -> None:
    store = Store(tmp_path / "p")
    first, second = store.identity(os.urandom), store.identity(os.urandom)
    with pytest.raises(StoreError, match=r"plays under the key .*player-2\.key"):
        store.identity_of(2)
    os.close(second.lock)
    assert store.identity_of(2).key.public == second.key.public
    assert first.number == 1


def test_an_identity_that_is_gone_or_damaged_is_a_sentence(tmp_path: Path) -> None:
    store = Store(tmp_path / "p")
    with pytest.raises(StoreError, match="is gone"):
        store.identity_of(1)
    (store.folder / "player-1.key").write_bytes(b"")
    with pytest.raises(StoreError, match="is damaged"):
        store.identity_of(1)


def test_secrets_without_a_match_open_the_hand_and_nothing_else(game: GameLog) -> None:
    game.save_secrets(replace(SECRETS, match={"format": 1}))
    found = read_secrets(game.path)
    assert found is not None
    assert found.match == {"format": 1}
    game.end_match()
    assert read_secrets(game.path) == SECRETS
    assert secrets_path(game.path).stat().st_mode & 0o777 == 0o600
    game.end_match()


def test_secrets_are_not_in_their_text() -> None:
    assert "eeee" not in repr(SECRETS)
