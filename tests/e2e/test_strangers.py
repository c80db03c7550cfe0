"""Strangers who know the broker, the topics and every packet: the game goes on, and nobody's memory grows."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from brokers.nodes import Served
from p2pdurak.rendezvous.packets import VERSIONS_TOLD_MAX
from tests.e2e.seats import Event, Seat, run
from tests.e2e.strangers import Peak, Strangers

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc"),
]

BOTH = pytest.mark.parametrize("name", ["embedded", pytest.param("mosquitto", marks=pytest.mark.broker)])
GROWTH_KIB_MAX = 64 * 1024
GAMES = 2


@dataclass(frozen=True)
class Played:
    """A match: how long it took from the guest's arrival to both ends, and the most memory of host, guest, broker."""

    host: Seat
    guest: Seat
    seconds: float
    kib: tuple[int, ...]

    def of_kind(self, kind: str) -> list[Event]:
        return [event for seat in (self.host, self.guest) for event in seat.events if event["event"] == kind]


def play(seat: Callable[..., Seat], served: Served, port: int, folder: Path) -> Played:
    """Let two bots play a match through `port`."""
    broker = ("--broker", f"mqtt://127.0.0.1:{port}")
    host = seat("host", "--bot", "easy", "--games", str(GAMES), *broker, folder=folder)
    code = host.until("code")["code"].partition("@")[0]
    began = time.monotonic()
    guest = seat("join", code, "--bot", "easy", "--games", str(GAMES), *broker, folder=folder)
    pids = (host.process.pid, guest.process.pid, *(node.pid or 0 for node in served.nodes))
    with Peak(*pids) as peak:
        assert (host.end(), guest.end()) == (0, 0)
    return Played(host, guest, time.monotonic() - began, tuple(peak.kib[pid] for pid in pids))


def assert_ended_well(played: Played, folder: Path) -> None:
    """The same results on both sides, and every log verifies; nobody is accused."""
    ours, theirs = (seat.results() for seat in (played.host, played.guest))
    assert [(result["head"], result["durak"]) for result in ours] == [
        (result["head"], result["durak"]) for result in theirs
    ]
    assert len(ours) == GAMES
    assert run(folder, "verify", *(str(result["log"]) for result in (*ours, *theirs))).returncode == 0
    assert played.of_kind("trouble") == []
    assert "Traceback" not in played.host.stderr() + played.guest.stderr()


@BOTH
def test_game_goes_on_under_a_flood_bombs_replays_and_silent_sockets(
    name: str, serve: Callable[[str], Served], seat: Callable[..., Seat], tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:  # fmt: skip
    served = serve(name)
    with Strangers(served.nodes[0].port) as quiet:
        calm = play(seat, served, quiet.port, tmp_path)
    with Strangers(served.nodes[0].port) as strangers:
        strangers.flood(per_s=2000, connections=4)
        strangers.bomb()
        strangers.hold_sockets(200)
        port = strangers.port
        if name == "mosquitto":  # which lets anybody listen to everything: no wire is needed
            strangers.overhear()
            port = served.nodes[0].port
        began = time.monotonic()
        stormy = play(seat, served, port, tmp_path)
        rate = strangers.sent / (time.monotonic() - began)

    assert_ended_well(stormy, tmp_path)
    assert strangers.sent > 200
    assert strangers.sockets >= 200
    assert strangers.bombs > 0
    for calm_kib, stormy_kib in zip(calm.kib, stormy.kib, strict=True):
        assert 0 < stormy_kib < calm_kib + GROWTH_KIB_MAX
    for kind in ("waiting", "wrong_try"):
        most = len(calm.of_kind(kind)) + 2 * VERSIONS_TOLD_MAX  # a forged packet may claim another version
        assert len(stormy.of_kind(kind)) <= most, "a flood is not told again and again"
    assert [event["state"] for event in stormy.of_kind("link") if event["state"] != "up"] == []
    figures = {"sent": strangers.sent, "per_s": round(rate), "bombs": strangers.bombs, "sockets": strangers.sockets}
    figures |= {"calm_s": calm.seconds, "stormy_s": stormy.seconds, "calm_kib": calm.kib, "stormy_kib": stormy.kib}
    record_property("flood", figures)


@BOTH
def test_game_goes_on_when_somebody_takes_the_client_ids_of_both_players(
    name: str, serve: Callable[[str], Served], seat: Callable[..., Seat], tmp_path: Path
) -> None:
    served = serve(name)
    with Strangers(served.nodes[0].port) as strangers:
        broker = ("--broker", f"mqtt://127.0.0.1:{strangers.port}")
        host = seat("host", "--bot", "easy", "--games", str(GAMES), *broker)
        code = host.until("code")["code"].partition("@")[0]
        guest = seat("join", code, "--bot", "easy", "--games", str(GAMES), *broker)
        host.until("dealt")
        strangers.steal()
        assert (host.end(), guest.end()) == (0, 0)

    played = Played(host, guest, 0.0, ())
    assert_ended_well(played, tmp_path)
    assert strangers.thefts > 4
    for player in (host, guest):
        downs = [event for event in player.events if event["event"] == "link" and event["state"] == "down"]
        assert len(downs) <= 2, "once for its own link, once perhaps for the friend's"


def test_eight_wrong_codes_bring_a_fresh_one_and_of_two_right_joiners_one_plays(
    serve: Callable[[str], Served], seat: Callable[..., Seat], tmp_path: Path
) -> None:
    served = serve("embedded")
    broker = ("--broker", served.urls[0])
    host = seat("host", "--bot", "easy", *broker)
    first = host.until("code")["code"].partition("@")[0]
    nameplate, *words = first.split("-")
    wrong = "-".join([nameplate, *words[1:], words[0]])
    for left in range(7, -1, -1):
        stranger = seat("join", wrong, "--bot", "easy", *broker)
        assert stranger.end() == 3
        if left:
            assert host.until("wrong_try")["left"] == left
    fresh = host.until("code")["code"].partition("@")[0]
    assert fresh.partition("-")[0] != nameplate

    guests = [seat("join", fresh, "--bot", "easy", "--timeout", "10", *broker) for _ in range(2)]

    assert host.end() == 0
    assert sorted(guest.end() for guest in guests) == [0, 3]
    (winner,) = [guest for guest in guests if guest.results()]
    assert winner.results()[0]["head"] == host.results()[0]["head"]
