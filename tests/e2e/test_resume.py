"""Real programs that are killed in the middle of a game, and go on with it."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fairdeck.log import read
from p2pdurak.store import secrets_path
from tests.e2e.seats import Seat, run
from tests.e2e.terminals import Terminals

pytestmark = pytest.mark.slow

Start = Callable[..., Seat]


def kill(program: Seat) -> None:
    program.process.kill()
    program.process.wait()
    program.close()


def the_game_is_whole(host: Seat, guest: Seat) -> None:
    ours, theirs = host.results()[-1], guest.results()[-1]
    assert (ours["head"], ours["durak"], ours["reason"]) == (theirs["head"], theirs["durak"], theirs["reason"])
    assert ours["reason"] == "cards"
    assert ours["verified"]
    assert theirs["verified"]
    assert read(Path(ours["log"]).read_bytes()).chain == read(Path(theirs["log"]).read_bytes()).chain


@pytest.mark.parametrize("who", ["host", "guest", "both"])
def test_a_game_between_bots_goes_on_after_kill_9(seat: Start, tmp_path: Path, who: str) -> None:
    folders = {"host": tmp_path / "a", "guest": tmp_path / "b"}
    for folder in folders.values():
        folder.mkdir()
    host = seat("host", "--bot", "easy", "--bind", "127.0.0.1", folder=folders["host"])
    guest = seat("join", host.until("code")["code"], "--bot", "easy", folder=folders["guest"])
    guest.until("move")

    if who in {"guest", "both"}:
        kill(guest)
    if who in {"host", "both"}:
        kill(host)
        host = seat("resume", "--bot", "easy", folder=folders["host"])
        host.until("broker")
    if who in {"guest", "both"}:
        guest = seat("resume", "--bot", "easy", folder=folders["guest"])

    assert (host.end(), guest.end()) == (0, 0)
    the_game_is_whole(host, guest)


def killed_in_a_game(seat: Start, tmp_path: Path) -> Path:
    """A host's folder whose game was killed, and that of his friend."""
    host, guest = tmp_path / "a", tmp_path / "b"
    for folder in (host, guest):
        folder.mkdir()
    hosting = seat("host", "--bot", "easy", "--bind", "127.0.0.1", "--rule", "move_timer=0", folder=host)
    joining = seat("join", hosting.until("code")["code"], "--rule", "move_timer=0", folder=guest)
    hosting.until("opener")
    kill(hosting)
    kill(joining)
    return host


def test_a_game_killed_while_the_cards_are_shuffled_goes_on(seat: Start, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
    host = seat("host", "--bot", "easy", "--bind", "127.0.0.1", folder=folders[0])
    guest = seat("join", host.until("code")["code"], "--bot", "easy", folder=folders[1])
    guest.until("shuffling")
    kill(guest)
    kill(host)
    host = seat("resume", "--bot", "easy", folder=folders[0])
    host.until("broker")
    guest = seat("resume", "--bot", "easy", folder=folders[1])
    assert (host.end(), guest.end()) == (0, 0)
    the_game_is_whole(host, guest)


def test_the_second_game_of_a_match_goes_on_with_its_score(seat: Start, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
    host = seat("host", "--bot", "easy", "--games", "2", "--bind", "127.0.0.1", folder=folders[0])
    guest = seat("join", host.until("code")["code"], "--bot", "easy", "--games", "2", folder=folders[1])
    first = host.until("result")["score"]
    host.until("move")
    kill(host)
    host = seat("resume", "--bot", "easy", folder=folders[0])
    assert (host.end(), guest.end()) == (0, 0)
    the_game_is_whole(host, guest)
    assert sum(host.results()[-1]["score"]) == sum(first) + 1


def test_a_game_against_a_bot_goes_on_and_leaves_nothing_of_the_bot(seat: Start, tmp_path: Path) -> None:
    player = seat("play", "--level", "easy", "--auto-done", "instant")
    player.until("turn", lambda event: "legal" in event)
    kill(player)
    again = seat("resume", "--auto-done", "instant")
    result = again.play_until("result", lambda legal: legal[0])
    assert again.end() == 0
    assert (result["reason"], result["verified"]) == ("cards", True)
    assert list((again.data / "bot" / "games").iterdir()) == []


def said(done: subprocess.CompletedProcess[str]) -> str:
    return done.stderr.replace("\n", " ")


def test_what_keeps_a_game_from_going_on_is_a_sentence(seat: Start, tmp_path: Path) -> None:
    folder = killed_in_a_game(seat, tmp_path)
    games = folder / "data" / "p2pdurak" / "games"
    (log,) = games.glob("*.dlog")
    keys = secrets_path(log)
    kept, whole = keys.read_text(), log.read_bytes()
    value = json.loads(kept)

    def tried(*arguments: str, code: int, sentence: str) -> None:
        done = run(folder, "resume", *arguments)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
        assert sentence in said(done), done.stderr

    tried("nobody-knows-it", code=2, sentence="There is no log 'nobody-knows-it'")
    keys.write_text(json.dumps({**value, "match": {**value["match"], "secret": "?"}}))
    tried(log.name, code=2, sentence="The file of secrets beside it is damaged.")
    tried(code=2, sentence="There is no game to go on with.")
    keys.write_text(json.dumps({**value, "match": {**value["match"], "brokers": ["ftp://x"]}}))
    tried(code=2, sentence="ftp:// is not spoken here.")
    keys.write_text(json.dumps({name: field for name, field in value.items() if name != "match"}))
    tried(log.name, code=2, sentence="does not say how to go on")
    keys.write_text(json.dumps({**value, "entropy": "00" * 64}))
    tried(code=2, sentence="The secrets beside it belong to another game.")
    keys.write_text(kept)
    log.write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    tried(log.name, code=5, sentence="is damaged and cannot be gone on with")
    log.write_bytes(whole)
    (folder / "data" / "p2pdurak" / "player-1.key").rename(folder / "player-1.key")
    tried(code=2, sentence="is gone, and the game cannot be gone on with under another one")
    (folder / "data" / "p2pdurak" / "player-1.key").write_bytes(b"k" * 32)
    tried(code=2, sentence="played under another key than yours")
    keys.unlink()
    tried(log.name, code=2, sentence="There are no secrets beside it")


def test_a_port_that_is_taken_and_a_broker_that_is_gone_end_with_3(seat: Start, tmp_path: Path) -> None:
    folder = killed_in_a_game(seat, tmp_path)
    (log,) = (folder / "data" / "p2pdurak" / "games").glob("*.dlog")
    port = json.loads(secrets_path(log).read_text())["match"]["port"]

    done = run(tmp_path / "b", "resume")
    assert done.returncode == 3
    assert f"127.0.0.1:{port}" in said(done)

    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        taken.listen()
        done = run(folder, "resume")
    assert done.returncode == 3
    assert f"looks for you at 127.0.0.1:{port}" in said(done)


def test_a_game_that_goes_on_is_not_begun_twice(seat: Start, tmp_path: Path) -> None:
    host = seat("host", "--bind", "127.0.0.1", folder=tmp_path)
    (tmp_path / "b").mkdir()
    guest = seat("join", host.until("code")["code"], folder=tmp_path / "b")
    guest.until("opener")
    done = run(tmp_path, "resume", "1-host")
    assert done.returncode == 2
    assert "is being played by another program that is running" in said(done)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_game_goes_on_after_any_signal(seat: Start, tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "b").mkdir()
    host = seat("host", "--bot", "easy", "--bind", "127.0.0.1", "--rule", "move_timer=0")
    guest = seat("join", host.until("code")["code"], "--rule", "move_timer=0", folder=tmp_path / "b")
    guest.until("opener")
    guest.process.send_signal(number)
    guest.process.wait()
    guest.close()
    again = seat("resume", "--bot", "easy", folder=tmp_path / "b")
    assert (host.end(), again.end()) == (0, 0)
    the_game_is_whole(host, again)


# At a terminal.


def at_home(folder: Path) -> str:
    """The variable that makes a program play from a folder."""
    return f"XDG_DATA_HOME='{folder / 'data'}'"


def test_a_guest_who_comes_before_the_broker_waits_for_it(seat: Start, terminals: Terminals, tmp_path: Path) -> None:
    host = killed_in_a_game(seat, tmp_path)
    terminals.open("guest", "join", "--plain", environment=at_home(tmp_path / "b"))
    terminals.wait("guest", "is not finished. Go on with it")
    terminals.type("guest", "")
    terminals.wait("guest", "cannot be reached yet")
    seat("resume", "--bot", "easy", folder=host)
    terminals.wait("guest", "Your friend is connected")


def test_the_wait_for_a_friends_broker_ends_with_ctrl_c(seat: Start, terminals: Terminals, tmp_path: Path) -> None:
    killed_in_a_game(seat, tmp_path)
    terminals.open("guest", "resume", "--plain", environment=at_home(tmp_path / "b"))
    terminals.wait("guest", "cannot be reached yet")
    terminals.press("guest", "C-c")
    terminals.wait("guest", "ended with 130")
    assert not any("Traceback" in line for line in terminals.lines("guest"))


def test_who_says_no_to_the_menus_offer_is_not_asked_again(seat: Start, terminals: Terminals, tmp_path: Path) -> None:
    killed_in_a_game(seat, tmp_path)
    terminals.open("guest", environment=at_home(tmp_path / "b"))
    terminals.wait("guest", "is not finished. Go on with it")
    terminals.type("guest", "n")
    terminals.wait("guest", "Which?")
    terminals.type("guest", "j")
    terminals.wait("guest", "^Code:")
    assert sum("is not finished" in line for line in terminals.lines("guest")) == 1


def test_of_several_games_the_one_that_is_chosen_goes_on(seat: Start, terminals: Terminals, tmp_path: Path) -> None:
    host = killed_in_a_game(seat, tmp_path)
    (log,) = (host / "data" / "p2pdurak" / "games").glob("*.dlog")
    for path in (log, secrets_path(log)):
        shutil.copy(path, path.with_name(path.name.replace(".", "-2.", 1)))
    terminals.open("host", "resume", "--plain", environment=at_home(host))
    terminals.wait("host", r"^  1  Game 1 against .*-2\.dlog")
    terminals.wait("host", "Which. Enter takes 1")
    terminals.type("host", "2")
    assert terminals.wait("host", r"Going on with game 1: (\S+)")[1].endswith(log.name)
