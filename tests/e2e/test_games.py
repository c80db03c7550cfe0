"""Whole games between two programs over a real broker."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from fairdeck.log import read
from tests.e2e.brokers import RunningBroker, free_port
from tests.e2e.seats import PATIENCE_S, ROOT, Seat, run

pytestmark = pytest.mark.slow

TwoBots = Callable[..., tuple[Seat, Seat]]


def logs(seat: Seat) -> list[bytes]:
    return [Path(result["log"]).read_bytes() for result in seat.results()]


def test_twenty_games_of_two_bots_end_alike_on_both_sides(two_bots: TwoBots, any_broker: RunningBroker) -> None:
    host, guest = two_bots(any_broker, "--games", "20")

    assert (host.end(), guest.end()) == (0, 0)

    assert len(host.results()) == len(guest.results()) == 20
    for ours, theirs in zip(host.results(), guest.results(), strict=True):
        assert (ours["durak"], ours["head"], ours["reason"]) == (theirs["durak"], theirs["head"], theirs["reason"])
        assert {ours["outcome"], theirs["outcome"]} in ({"win", "loss"}, {"draw"})
        assert ours["verified"]
        assert theirs["verified"]
    for mine, theirs in zip(logs(host), logs(guest), strict=True):
        assert read(mine).chain == read(theirs).chain != b""


def test_every_log_of_a_match_verifies(two_bots: TwoBots, any_broker: RunningBroker, tmp_path: Path) -> None:
    host, guest = two_bots(any_broker, "--games", "2")
    assert (host.end(), guest.end()) == (0, 0)

    done = run(tmp_path, "verify", *(result["log"] for result in (*host.results(), *guest.results())))

    assert done.returncode == 0, done.stdout
    assert done.stdout.count("\n  ok\n") == 4


def test_the_game_goes_on_when_the_broker_is_restarted(two_bots: TwoBots, any_broker: RunningBroker) -> None:
    host, guest = two_bots(any_broker)
    guest.until("bout")

    any_broker.kill()
    host.until("link", lambda event: event["state"] == "down")
    any_broker.start()

    assert (host.end(), guest.end()) == (0, 0)
    assert host.results()[0]["head"] == guest.results()[0]["head"]


def test_people_play_chat_resign_and_play_again_by_typing(seat: Callable[..., Seat], tmp_path: Path) -> None:
    host = seat("host", "--bind", "127.0.0.1", "--name", "ilya", "--games", "2", "--rules", "table")
    guest = seat("join", host.until("code")["code"], "--name", "mira", "--games", "2", "--rules", "table")
    assert host.until("peer")["name"] == "mira"

    host.type("chat good luck")
    assert guest.until("chat", lambda event: event["seat"] == 0)["text"] == "good luck"
    guest.until("opener")
    guest.type("resign")
    assert host.until("result")["reason"] == "resign"
    assert guest.until("result")["durak"] == 1

    assert host.until("opener")["seat"] == 0, "the winner of the last game attacks first"
    choose = Random(7).choice
    for _ in range(2000):
        event = host.next()
        assert event is not None
        if event["event"] == "result":
            break
        if event["event"] == "turn" and event.get("legal") not in (None, ["done"]):
            host.type(choose(event["legal"]))
        elif event["event"] == "turn" and "legal" not in event:
            turn = guest.until("turn", lambda event: "legal" in event)
            if turn["legal"] != ["done"]:
                guest.type(choose(turn["legal"]))
    assert host.end() == guest.end() == 0


def test_a_wrong_code_is_told_to_both_and_the_host_keeps_waiting(seat: Callable[..., Seat]) -> None:
    host = seat("host", "--bot", "easy", "--bind", "127.0.0.1")
    code = host.until("code")["code"]
    nameplate, _, rest = code.partition("-")
    _, _, address = rest.partition("@")

    stranger = seat("join", f"{nameplate}-otter-kiosk-lamp@{address}", "--bot", "easy")
    assert stranger.end() == 3
    assert "mistyped" in stranger.events[-1]["message"]
    assert host.until("wrong_try")["left"] == 7

    guest = seat("join", code, "--bot", "easy")
    assert (host.end(), guest.end()) == (0, 0)


def test_a_guest_who_insists_on_other_rules_is_told_both_values(seat: Callable[..., Seat]) -> None:
    host = seat("host", "--bind", "127.0.0.1", "--rule", "move_timer=60")
    guest = seat("join", host.until("code")["code"], "--rule", "move_timer=0")

    assert guest.end() == 2
    assert "move_timer: the guest wants 0, the host 60" in guest.events[-1]["message"]
    assert host.end() == 2
    assert "move_timer: the guest wants 0, the host 60" in host.events[-1]["message"]


def test_the_guest_sees_the_options_before_he_accepts(seat: Callable[..., Seat]) -> None:
    host = seat("host", "--bind", "127.0.0.1", "--bot", "easy", "--rules", "club", "--rule", "pile_on=off")
    guest = seat("join", host.until("code")["code"], "--bot", "easy")

    offer = guest.until("offer")

    assert offer["options"]["rematch_first"] == "alternate"
    assert offer["options"]["pile_on"] == "off"
    assert (host.end(), guest.end()) == (0, 0)


def test_the_side_that_stays_is_told_when_the_other_leaves(seat: Callable[..., Seat]) -> None:
    host = seat("host", "--bind", "127.0.0.1")
    guest = seat("join", host.until("code")["code"])
    guest.until("opener")
    host.until("opener")

    guest.type("leave")

    assert host.until("result")["reason"] == "left"
    assert (host.end(), guest.end()) == (4, 4)


def test_an_absent_broker_is_named_in_a_sentence(tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"

    done = run(tmp_path, "host", "--json", "--broker", address)

    assert done.returncode == 3
    assert address in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_code_that_nobody_hosts_is_told_and_given_up_in_time(embedded_broker: RunningBroker, tmp_path: Path) -> None:
    code = f"k7q2m-otter-kiosk-lamp@127.0.0.1:{embedded_broker.port}"

    done = run(tmp_path, "join", code, "--json", "--timeout", "11")

    assert done.returncode == 3
    assert "Nobody answers to this code yet" in done.stdout


@pytest.mark.broker
def test_login_at_a_broker_with_a_password(
    seat: Callable[..., Seat], mosquitto_with_password: RunningBroker, tmp_path: Path
) -> None:
    host = seat("host", "--bot", "easy", "--broker", mosquitto_with_password.url)
    code = host.until("code")["code"]
    assert "s3cret" not in code

    stranger = run(tmp_path, "join", code, "--bot", "easy", "--json")
    assert stranger.returncode == 3

    guest = seat("join", code, "--bot", "easy", "--broker", mosquitto_with_password.url)
    assert (host.end(), guest.end()) == (0, 0)


def test_commands_behind_a_code_on_standard_input_are_kept(embedded_broker: RunningBroker, tmp_path: Path) -> None:
    code = f"k7q2m-otter-kiosk-lamp@127.0.0.1:{embedded_broker.port}"

    done = run(tmp_path, "join", "-", "--json", "--timeout", "60", stdin=f"{code}\nleave\n")

    assert done.returncode == 4


def test_a_program_whose_reader_is_gone_ends(seat: Callable[..., Seat], tmp_path: Path) -> None:
    script = f"cd {tmp_path}; {sys.executable} -m p2pdurak host --json --bind 127.0.0.1 | head -n 1; echo ended"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "protocol")))}
    environment |= {"XDG_DATA_HOME": str(tmp_path / "data")}

    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=PATIENCE_S, env=environment, check=False
    )

    assert done.stdout.endswith("ended\n")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["host", "--bot", "nosuch"], "There is no bot of level 'nosuch'"),
        (["host", "--rules", "nosuch"], "There is no set of rules called 'nosuch'"),
        (["host", "--rule", "pile_on=perhaps"], "pile_on"),
        (["host", "--rule", "pile_on"], "NAME=VALUE"),
        (["host", "--broker", "http://x"], "is not spoken here"),
        (["join", "abcde"], "code"),
        (["join", "k7q2m-ottar-kiosk-lamp"], "otter"),
        (["join", "k7q2m-otter-kiosk-lamp"], "does not say where the game is"),
    ],
)
def test_what_cannot_be_used_is_a_sentence_on_standard_error_and_2(
    arguments: list[str], sentence: str, tmp_path: Path
) -> None:
    done = run(tmp_path, *arguments)

    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
