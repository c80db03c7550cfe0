"""Two programs on their way to each other, and what their players are told meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from p2pdurak.codes import JoinCode, parse_code
from p2pdurak.events import Code, Event, Trouble, Waiting, WrongTry
from p2pdurak.rendezvous import events, topics
from p2pdurak.rendezvous.packets import Kind, Why, decode_packet, encode_packet
from p2pdurak.table.lobby import BACK, GONE_WAIT_S, LOOKING, GuestLobby, HostLobby

TTL_S = 600.0


class Host:
    """A host's lobby and what its player was told."""

    def __init__(self, address: str | None = "10.0.0.7:1883", program: str = "p2pdurak", seed: int = 1) -> None:
        self.told: list[Event] = []
        self.lobby = HostLobby(Random(seed).randbytes, self.told.append, address, program, TTL_S)


class Guest:
    """A guest's lobby and what its player was told."""

    def __init__(self, code: JoinCode, timeout_s: float | None = None, seed: int = 2) -> None:
        self.heard: list[Event] = []
        self.lobby = GuestLobby(code, Random(seed).randbytes, self.heard.append, timeout_s)

    @property
    def told(self) -> list[Event]:
        """What comes after the first word, which is that he is looking for his friend."""
        if self.heard and self.heard[0] != Waiting(LOOKING):
            raise AssertionError(f"the first word is {self.heard[:1]}")
        return self.heard[1:]


def mistyped(code: JoinCode) -> JoinCode:
    one, two, _ = code.words
    return JoinCode(code.nameplate, (one, two, "lamp" if code.words[2] != "lamp" else "otter"), code.address)


def pump(host: Host, *guests: Guest, now: float, lost: Kind | None = None) -> None:
    """Carry packets by their topics until all are silent, but for the lost kind."""
    while True:
        packets = [each for side in (host, *guests) for each in side.lobby.packets()]
        packets = [each for each in packets if decode_packet(each[1]).kind != lost]
        if not packets:
            return
        for topic, packet in packets:
            for side in (host, *guests):
                if topic in side.lobby.topics:
                    side.lobby.receive(packet, now)


def pass_time(
    host: Host, *guests: Guest, now: float, until: float, enough: Callable[[], bool] = lambda: False
) -> float:
    """Let time pass in half seconds; give the time at which it was enough, or the end."""
    while now < until and not enough():
        now += 0.5
        for side in (host, *guests):
            side.lobby.tick(now)
        pump(host, *guests, now=now)
    return now


def kinds(told: list[Event]) -> list[type[Event]]:
    return [type(event) for event in told]


# Meeting.


def test_host_and_guest_with_one_code_meet_and_share_a_secret() -> None:
    host = Host()
    host.lobby.up(0.0)
    guest = Guest(host.lobby.code)
    guest.lobby.up(0.0)
    pump(host, guest, now=0.0)
    assert host.lobby.closed
    assert guest.lobby.closed
    assert host.lobby.secret == guest.lobby.secret != None  # noqa: E711 - a chain of two comparisons
    assert not guest.lobby.failed


def test_code_is_shown_once_with_the_whole_line_for_the_friend() -> None:
    host = Host()
    for now in (0.0, 5.0):
        host.lobby.up(now)
    codes = [event for event in host.told if isinstance(event, Code)]
    assert codes == [Code(str(host.lobby.code), f"p2pdurak join {host.lobby.code}")]
    assert str(host.lobby.code).endswith("@10.0.0.7:1883")


def test_code_is_not_shown_before_the_broker_is_there() -> None:
    assert Host().told == []


def test_program_with_a_space_in_its_name_is_quoted_for_the_friend() -> None:
    host = Host(program="my games/p2pdurak")
    host.lobby.up(0.0)
    assert host.told[0].join.startswith("'my games/p2pdurak' join ")  # type: ignore[union-attr]


def test_code_that_is_shown_can_be_typed() -> None:
    host = Host()
    assert parse_code(str(host.lobby.code)) == host.lobby.code


def test_guest_whose_accept_was_lost_is_let_in_when_he_asks_again() -> None:
    host = Host()
    host.lobby.up(0.0)
    guest = Guest(host.lobby.code)
    guest.lobby.up(0.0)
    pump(host, guest, now=0.0, lost=Kind.ACCEPT)
    assert host.lobby.closed
    assert not guest.lobby.closed
    pass_time(host, guest, now=0.0, until=3.0)
    assert guest.lobby.secret == host.lobby.secret


# The host's troubles.


def test_wrong_code_is_told_with_the_tries_that_are_left_and_the_host_goes_on_waiting() -> None:
    host = Host()
    host.lobby.up(0.0)
    guest = Guest(mistyped(host.lobby.code))
    guest.lobby.up(0.0)
    pump(host, guest, now=0.0)
    assert [event for event in host.told if isinstance(event, WrongTry)] == [WrongTry(7)]
    assert not host.lobby.closed


def test_after_eight_wrong_tries_a_fresh_code_on_another_topic_is_shown() -> None:
    host = Host()
    host.lobby.up(0.0)
    first, before = host.lobby.code, host.lobby.topics
    now = 0.0
    for attempt in range(8):
        guest = Guest(mistyped(first), seed=100 + attempt)
        guest.lobby.up(now)
        now = pass_time(host, guest, now=now, until=now + 3.0)
    codes = [event.code for event in host.told if isinstance(event, Code)]
    assert codes == [str(first), str(host.lobby.code)]
    assert first.words != host.lobby.code.words
    assert host.lobby.topics != before
    assert Waiting(events.CODE_SPENT) in host.told


def test_guest_whose_wrong_code_was_the_last_try_is_told_so_too() -> None:
    host = Host()
    host.lobby.up(0.0)
    first, now = host.lobby.code, 0.0
    for attempt in range(8):
        guest = Guest(mistyped(first), seed=100 + attempt)
        guest.lobby.up(now)
        now = pass_time(host, guest, now=now, until=now + 3.0)
    assert guest.lobby.closed


def test_code_that_is_too_old_is_replaced_and_the_old_one_lets_nobody_in() -> None:
    host = Host()
    host.lobby.up(0.0)
    old = host.lobby.code
    host.lobby.tick(TTL_S)
    assert Waiting(events.CODE_EXPIRED) in host.told
    guest = Guest(old)
    guest.lobby.up(TTL_S)
    pass_time(host, guest, now=TTL_S, until=TTL_S + 30.0)
    assert guest.lobby.secret is None
    assert not host.lobby.closed


def test_deadline_of_the_host_is_the_end_of_his_code() -> None:
    host = Host()
    host.lobby.up(100.0)
    assert host.lobby.next_deadline() == 100.0 + TTL_S


def test_broker_that_is_gone_is_told_once_and_not_at_every_try() -> None:
    host = Host()
    host.lobby.up(0.0)
    before = len(host.told)
    for attempt in range(1, 6):
        host.lobby.down(attempt)
    assert len(host.told) == before + 1


def test_broker_that_is_back_is_told_once_and_no_fresh_code_is_made() -> None:
    host = Host()
    host.lobby.up(0.0)
    before = len(host.told)
    host.lobby.down(1)
    for now in (10.0, 20.0):
        host.lobby.up(now)
    assert host.told[before + 1 :] == [Waiting(BACK)]


def test_code_that_grows_old_while_the_broker_is_away_does_not_bring_it_back() -> None:
    host = Host()
    host.lobby.up(0.0)
    host.lobby.down(1)
    host.lobby.tick(TTL_S)
    assert Waiting(BACK) not in host.told


def test_guest_is_told_that_the_broker_is_gone_and_that_it_is_back() -> None:
    guest = Guest(parse_code("k7q2m-otter-kiosk-lamp"))
    guest.lobby.up(0.0)
    for attempt in (1, 2, 3):
        guest.lobby.down(attempt)
    guest.lobby.up(5.0)
    assert guest.told == [Waiting("The broker is gone; trying to return to it."), Waiting(BACK)]


def test_garbage_on_the_topic_changes_nothing_for_the_host() -> None:
    host = Host()
    host.lobby.up(0.0)
    before = list(host.told)
    for size in (0, 1, 64, 16_384):
        host.lobby.receive(Random(size).randbytes(size), 1.0)
    assert (host.told, host.lobby.closed, host.lobby.packets()) == (before, False, [])


# The guest's troubles.


def test_guest_with_a_mistyped_code_is_told_once_and_gives_up() -> None:
    host = Host()
    host.lobby.up(0.0)
    guest = Guest(mistyped(host.lobby.code))
    guest.lobby.up(0.0)
    pass_time(host, guest, now=0.0, until=5.0)
    assert guest.told == [Trouble("code", events.WRONG_CODE)]
    assert guest.lobby.closed
    assert guest.lobby.failed


def test_guest_whose_time_is_up_when_he_learns_that_the_code_is_wrong_is_told_one_thing_only() -> None:
    host = Host()
    host.lobby.up(0.0)
    guest = Guest(mistyped(host.lobby.code), timeout_s=1.0)
    guest.lobby.up(0.0)
    pump(host, guest, now=0.0)
    guest.lobby.tick(1.0)
    assert kinds(guest.told) == [Trouble]


def test_guest_whom_nobody_answers_is_told_after_ten_seconds_and_goes_on_waiting() -> None:
    guest = Guest(parse_code("k7q2m-otter-kiosk-lamp"))
    guest.lobby.up(0.0)
    for now in (5.0, 10.0, 20.0, 300.0):
        guest.lobby.tick(now)
    assert guest.told == [Waiting(events.NOBODY_THERE)]
    assert not guest.lobby.closed


def test_guest_with_a_time_out_gives_up_in_a_sentence() -> None:
    guest = Guest(parse_code("k7q2m-otter-kiosk-lamp"), timeout_s=20.0)
    guest.lobby.up(100.0)
    guest.lobby.tick(119.9)
    assert not guest.lobby.closed
    guest.lobby.tick(120.0)
    assert guest.lobby.failed
    assert guest.told[-1] == Trouble(
        "code", "Nobody let you in with this code in time. Ask your friend for a fresh one."
    )


def test_guest_who_comes_to_a_taken_table_learns_it_soon() -> None:
    host = Host()
    host.lobby.up(0.0)
    first, second = Guest(host.lobby.code), Guest(host.lobby.code, seed=3)
    first.lobby.up(0.0)
    pump(host, first, now=0.0)
    second.lobby.up(5.0)
    now = pass_time(host, second, now=5.0, until=20.0, enough=lambda: second.lobby.closed)
    assert second.told == [Trouble("code", events.HOST_GONE[Why.TAKEN])]
    assert now <= 5.0 + GONE_WAIT_S + 1.0


def test_forged_word_that_the_table_is_taken_does_not_keep_the_right_guest_out() -> None:
    host = Host()
    host.lobby.up(0.0)
    guest = Guest(host.lobby.code)
    guest.lobby.up(0.0)
    ((_, opening),) = guest.lobby.packets()
    forged = encode_packet(Kind.GONE, decode_packet(opening).attempt, bytes([Why.TAKEN]))
    guest.lobby.receive(forged, 0.0)
    pass_time(host, guest, now=0.0, until=GONE_WAIT_S)
    assert guest.lobby.secret == host.lobby.secret
    assert not guest.lobby.failed


def test_guest_does_nothing_before_the_broker_is_there() -> None:
    guest = Guest(parse_code("k7q2m-otter-kiosk-lamp"), timeout_s=5.0)
    guest.lobby.tick(1000.0)
    assert (guest.lobby.packets(), guest.told, guest.lobby.closed) == ([], [], False)


def test_time_out_runs_on_while_the_broker_comes_and_goes() -> None:
    guest = Guest(parse_code("k7q2m-otter-kiosk-lamp"), timeout_s=20.0)
    guest.lobby.up(0.0)
    guest.lobby.down(1)
    guest.lobby.up(15.0)
    assert guest.lobby.next_deadline() is not None
    guest.lobby.tick(20.0)
    assert guest.lobby.failed


def test_guest_who_is_in_has_no_deadline_left_that_would_wake_the_driver_for_ever() -> None:
    host = Host()
    host.lobby.up(0.0)
    guest = Guest(host.lobby.code, timeout_s=20.0)
    guest.lobby.up(0.0)
    pump(host, guest, now=0.0)
    assert (guest.lobby.closed, guest.lobby.next_deadline()) == (True, None)
    assert host.lobby.next_deadline() is None


def test_words_of_the_code_never_reach_a_topic() -> None:
    code = parse_code("k7q2m-otter-kiosk-lamp")
    other = JoinCode(code.nameplate, ("quiz", "quiz", "quiz"))
    assert topics(code.nameplate) == topics(other.nameplate)
    assert Guest(code).lobby.topics == Guest(other).lobby.topics
