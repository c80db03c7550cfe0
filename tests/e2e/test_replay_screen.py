"""A saved game on a real terminal: the screen is taken, shows the game, and is given back however it ends."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bots.test_worker import ends
from tests.e2e.bare_terminal import BareTerminal
from tests.fairdeck.games import played_for_real, saved

pytestmark = pytest.mark.slow

TAKEN, GIVEN_BACK = b"\x1b[?1049h", b"\x1b[?1049l"

WHOLE = "\x0c"
"""Ctrl-L: what has changed is else written piece by piece, without what is as before."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "game.dlog"
    path.write_bytes(saved(played_for_real()))
    path.chmod(0o600)
    return path


@pytest.fixture
def view(log: Path) -> Iterator[Callable[..., BareTerminal]]:
    opened: list[BareTerminal] = []

    def open_viewer(*flags: str, **options: str) -> BareTerminal:
        opened.append(BareTerminal(log.parent, "replay", str(log), *flags, **options))
        return opened[-1]

    yield open_viewer
    for viewer in opened:
        viewer.close()


def test_replay_takes_the_screen_and_q_gives_it_back(view: Callable[..., BareTerminal]) -> None:
    viewer = view()
    viewer.wait(TAKEN, b"Mira - Oleg", b"0/70")
    viewer.type("g12\r" + WHOLE)
    viewer.wait(b"12/70")
    viewer.type("q")

    assert viewer.end() == 0
    assert GIVEN_BACK in viewer.shown


def test_flags_say_where_it_begins_how_fast_it_is_and_whose_hands_are_shown(view: Callable[..., BareTerminal]) -> None:
    viewer = view("--from", "40", "--speed", "2", "--hands", "none", "--ascii")
    viewer.wait(b"40/70", b"2x", b":::")
    viewer.type("\x03")

    assert viewer.end() == 0
    assert "│".encode() not in viewer.shown


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_gives_the_screen_back(number: signal.Signals, view: Callable[..., BareTerminal]) -> None:
    viewer = view()
    viewer.wait(TAKEN, b"0/70")
    viewer.process.send_signal(number)

    assert viewer.end() == 128 + number
    assert GIVEN_BACK in viewer.shown


def test_terminal_that_is_closed_ends_the_replay_without_a_crash_file(
    view: Callable[..., BareTerminal], log: Path
) -> None:
    viewer = view()
    viewer.wait(TAKEN, b"0/70")

    assert viewer.hang_up() == 129
    assert not list((log.parent / "data" / "p2pdurak").glob("crash*"))


@pytest.mark.parametrize(("flags", "term"), [(["--plain"], "xterm"), (["--words"], "xterm"), ([], "dumb")])
def test_lines_are_shown_where_they_are_wanted_or_nothing_else_can_be(
    flags: list[str], term: str, view: Callable[..., BareTerminal]
) -> None:
    viewer = view(*flags, term=term)

    assert viewer.end() == 0
    assert TAKEN not in viewer.shown
    assert b"is the durak" in viewer.shown


def test_lines_begin_with_the_bout_that_is_asked_for(view: Callable[..., BareTerminal]) -> None:
    viewer = view("--plain", "--from", "40")

    assert viewer.end() == 0
    assert b"Bout 7\r\n" in viewer.shown
    assert b"Bout 6\r\n" not in viewer.shown


def test_analysis_is_shown_over_the_game_and_kept_beside_its_log(view: Callable[..., BareTerminal], log: Path) -> None:
    kept = log.with_suffix(".quick.analysis.json")
    kept.unlink(missing_ok=True)
    viewer = view()
    viewer.wait(TAKEN, b"0/70")
    viewer.type("a")
    viewer.wait(b"Analysing (quick)", b"Analysis (quick): Mira's chance", b"100")
    viewer.type("\x1b[C" + WHOLE)
    viewer.wait(b"Move 1, bout")
    viewer.type("aq")

    assert viewer.end() == 0
    assert kept.exists()


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    return [int(child) for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux tells the children of a process")
@pytest.mark.parametrize("end", ["q", "\x03", "hang up", "SIGTERM", "SIGKILL"])
def test_analysis_that_goes_on_ends_with_the_viewer(end: str, view: Callable[..., BareTerminal], log: Path) -> None:
    viewer = view()
    viewer.wait(TAKEN, b"0/70")
    viewer.type("d")
    viewer.wait(b"Analysing (full)", b"\xe2\x94\x81")
    (worker,) = children(viewer.process.pid)
    if end == "hang up":
        viewer.hang_up()
    elif end.startswith("SIG"):
        viewer.process.send_signal(signal.Signals[end])
        viewer.end()
    else:
        viewer.type(end)
        viewer.end()

    assert ends(worker)
    assert not log.with_suffix(".full.analysis.json").exists()
