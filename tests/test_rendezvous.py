"""Two machines with one code, and whatever a broker or a stranger may put between them."""

from __future__ import annotations

import heapq
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgpack
import pytest

from fairdeck.errors import Malformed
from fairdeck.pake import Pake
from p2pdurak.codes import JoinCode, parse_code
from p2pdurak.rendezvous import GuestMeeting, HostMeeting, events, guest, topics
from p2pdurak.rendezvous.events import (
    CodeExpired,
    CodeSpent,
    HostBusy,
    HostGone,
    Met,
    NobodyThere,
    OtherVersion,
    StalledTry,
    WrongCode,
    WrongTry,
)
from p2pdurak.rendezvous.packets import (
    PACKET_BYTES_MAX,
    VERSIONS_TOLD_MAX,
    Kind,
    Packet,
    Why,
    decode_packet,
    encode_packet,
)

CODE = parse_code("k7q2m-otter-kiosk-lamp")
MISTYPED = parse_code("k7q2m-otter-kiosk-lion")
ATTEMPT = b"sixteen bytes id"

Meeting = HostMeeting | GuestMeeting


def new_host(seed: int = 1, code: JoinCode = CODE, now: float = 0.0) -> HostMeeting:
    meeting = HostMeeting(code, random.Random(f"host {seed}").randbytes)
    meeting.tick(now)
    return meeting


def new_guest(seed: int = 1, code: JoinCode = CODE, now: float = 0.0) -> GuestMeeting:
    meeting = GuestMeeting(code, random.Random(f"guest {seed}").randbytes)
    meeting.tick(now)
    return meeting


def carry(source: Meeting, *targets: Meeting, now: float = 0.0) -> list[bytes]:
    """Bring what `source` has to send to each target, and give it back."""
    packets = source.packets_to_send()
    for target in targets:
        for packet in packets:
            target.receive(packet, now)
    return packets


def swap(one: GuestMeeting, other: HostMeeting, now: float = 0.0) -> list[bytes]:
    """Carry to and fro until both are silent; give all packets in their order."""
    seen: list[bytes] = []
    while packets := carry(one, other, now=now) + carry(other, one, now=now):
        seen += packets
    return seen


def kinds(packets: Iterable[bytes]) -> list[Kind]:
    return [Kind(decode_packet(packet).kind) for packet in packets]


def edited(packet: bytes, **changes: object) -> bytes:
    """The packet with fields changed, as anybody can who carries it."""
    new = {name: getattr(decode_packet(packet), name) for name in Packet.__struct_fields__} | changes
    return bytes(msgpack.packb(list(new.values())))


def secret_of(happened: Iterable[object]) -> bytes | None:
    return next((event.session_secret for event in happened if isinstance(event, Met)), None)


def have_met(one: GuestMeeting, other: HostMeeting) -> bool:
    """Whether both have just met, with one secret."""
    secrets = {secret_of(one.events()), secret_of(other.events())}
    return len(secrets) == 1 and None not in secrets


@dataclass
class Line:
    """A broker's worst day, replayed from a seed: packets get lost, doubled, late, and so out of order."""

    seed: int
    loss: float = 0.3
    doubled: float = 0.2
    delay_s: float = 0.8
    now: float = 0.0
    flying: list[tuple[float, int, Meeting, bytes]] = field(default_factory=list)
    sent: int = 0

    def run(self, until: Callable[[], bool], meetings: dict[Meeting, list[Meeting]], end: float = 60.0) -> None:
        """Let time pass from event to event; what a meeting sends flies to those listed for it."""
        rng = random.Random(self.seed)
        while not until() and self.now < end:
            for source, targets in meetings.items():
                for packet in source.packets_to_send():
                    self._send(rng, packet, targets)
            deadlines = [time for meeting in meetings if (time := meeting.next_deadline()) is not None]
            self.now = max(self.now, min(deadlines + [time for time, *_ in self.flying[:1]], default=end))
            while self.flying and self.flying[0][0] <= self.now:
                _, _, target, packet = heapq.heappop(self.flying)
                target.receive(packet, self.now)
            for meeting in meetings:
                meeting.tick(self.now)

    def _send(self, rng: random.Random, packet: bytes, targets: list[Meeting]) -> None:
        for target in targets:
            for _ in range(1 + (rng.random() < self.doubled)):
                self.sent += 1
                if rng.random() >= self.loss:
                    arrival = self.now + rng.uniform(0, self.delay_s)
                    heapq.heappush(self.flying, (arrival, self.sent, target, packet))


# Meeting


def test_guest_and_host_with_one_code_meet_in_four_packets() -> None:
    mine, theirs = new_guest(), new_host()
    assert kinds(swap(mine, theirs)) == [Kind.OPEN, Kind.ANSWER, Kind.CONFIRM, Kind.ACCEPT]
    assert have_met(mine, theirs)


@pytest.mark.parametrize("seed", range(25))
def test_machines_meet_over_a_line_that_loses_doubles_and_reorders(seed: int) -> None:
    mine, theirs = new_guest(seed), new_host(seed)
    happened: dict[Meeting, list[object]] = {mine: [], theirs: []}

    def both_met() -> bool:
        for meeting, so_far in happened.items():
            so_far.extend(meeting.events())
        return all(secret_of(so_far) for so_far in happened.values())

    Line(seed).run(both_met, {mine: [theirs], theirs: [mine]})
    assert both_met()
    assert secret_of(happened[mine]) == secret_of(happened[theirs])
    assert not {WrongCode(), CodeSpent()} & {*happened[mine], *happened[theirs]}


@pytest.mark.parametrize("seed", range(5))
def test_one_of_three_right_guests_meets_on_a_bad_line_and_the_others_learn_that_the_table_is_taken(seed: int) -> None:
    guests, theirs = [new_guest(10 * seed + i) for i in range(3)], new_host(seed)
    happened: dict[GuestMeeting, list[object]] = {mine: [] for mine in guests}

    def all_told() -> bool:
        for mine, so_far in happened.items():
            so_far.extend(mine.events())
        return all(secret_of(so_far) or HostGone(Why.TAKEN) in so_far for so_far in happened.values())

    # Everybody on the topic sees every answer of the host.
    Line(seed, loss=0.1).run(all_told, {theirs: [*guests], **{mine: [theirs] for mine in guests}})
    assert all_told()
    secrets = [secret for told in happened.values() if (secret := secret_of(told))]
    assert secrets == [secret_of(theirs.events())]


def test_after_meeting_the_guest_is_silent_and_waits_for_nothing() -> None:
    mine, theirs = new_guest(), new_host()
    seen = swap(mine, theirs)
    for packet in seen:
        mine.receive(packet, 1.0)
    mine.tick(100.0)
    assert [type(event) for event in mine.events()] == [Met]
    assert mine.packets_to_send() == []
    assert mine.next_deadline() is theirs.next_deadline() is None


def test_host_accepts_the_same_confirmation_for_as_long_as_it_comes() -> None:
    mine, theirs = new_guest(), new_host()
    *_, confirm, accept = swap(mine, theirs)
    for now in (1.0, 10.0, 10_000.0):
        theirs.receive(confirm, now)
        assert theirs.packets_to_send() == [accept]
    assert [type(event) for event in theirs.events()] == [Met]


def test_host_gives_a_copy_of_an_open_the_same_answer_and_counts_no_try() -> None:
    mine, theirs = new_guest(), new_host()
    (opening,) = carry(mine, theirs)
    answers = theirs.packets_to_send()
    theirs.receive(opening, 0.1)
    theirs.receive(opening, 4.9)
    assert theirs.packets_to_send() == 2 * answers
    assert theirs.events() == []


def test_guest_repeats_his_packet_ever_more_slowly() -> None:
    mine, sent = new_guest(), []
    for tenth in range(90):
        mine.tick(tenth / 10)
        sent += [tenth / 10] * len(mine.packets_to_send())
    assert sent == [0.0, 0.5, 1.5, 3.5, 5.5, 7.5]


def test_deadlines_name_the_moments_at_which_something_is_due() -> None:
    mine, theirs = new_guest(), new_host()
    assert (mine.next_deadline(), theirs.next_deadline()) == (0.5, 600.0)
    carry(mine, theirs, now=1.0)
    assert theirs.next_deadline() == 6.0
    assert GuestMeeting(CODE, random.Random(1).randbytes).next_deadline() is None


# Nobody there


def test_guest_is_told_once_after_ten_seconds_of_silence_and_goes_on() -> None:
    mine = new_guest()
    mine.tick(9.9)
    assert mine.events() == []
    mine.tick(10.0)
    mine.tick(60.0)
    assert mine.events() == [NobodyThere()]
    assert mine.packets_to_send() != []


def test_guest_who_waited_meets_a_host_who_comes_late() -> None:
    mine = new_guest()
    mine.tick(30.0)
    theirs = new_host(now=30.0)
    swap(mine, theirs, now=30.0)
    assert [type(event) for event in mine.events()] == [NobodyThere, Met]


def test_guest_who_was_answered_is_not_told_that_nobody_is_there() -> None:
    mine, theirs = new_guest(), new_host()
    carry(mine, theirs)
    carry(theirs, mine)
    mine.tick(30.0)
    assert mine.events() == []


@pytest.mark.parametrize(("kind", "payload"), [(Kind.BUSY, b""), (Kind.GONE, bytes([Why.TAKEN]))])
def test_guest_who_was_put_off_is_not_told_that_nobody_is_there(kind: Kind, payload: bytes) -> None:
    mine = new_guest()
    (opening,) = mine.packets_to_send()
    mine.receive(encode_packet(kind, decode_packet(opening).attempt, payload), 1.0)
    mine.tick(30.0)
    assert NobodyThere() not in mine.events()


# A wrong code


def test_wrong_word_is_learned_by_both_sides() -> None:
    mine, theirs = new_guest(code=MISTYPED), new_host()
    assert kinds(swap(mine, theirs)) == [Kind.OPEN, Kind.ANSWER, Kind.CONFIRM, Kind.WRONG]
    mine.tick(guest.DOUBT_S)
    assert mine.events() == [WrongCode()]
    assert mine.next_deadline() is None
    assert theirs.events() == [WrongTry(left=7)]


def test_host_accepts_the_right_guest_after_a_wrong_one() -> None:
    theirs = new_host()
    swap(new_guest(1, MISTYPED), theirs)
    mine = new_guest(2, now=2.0)
    swap(mine, theirs, now=2.0)
    assert have_met(mine, theirs)


def test_wrong_confirmation_repeated_is_told_again_and_counted_once() -> None:
    theirs = new_host()
    *_, confirm, wrong = swap(new_guest(code=MISTYPED), theirs)
    theirs.receive(confirm, 1.0)
    assert theirs.packets_to_send() == [wrong]
    assert theirs.events() == [WrongTry(left=7)]


def test_eight_wrong_tries_spend_the_code() -> None:
    theirs = new_host()
    for i in range(8):
        swap(new_guest(i, MISTYPED, now=2.0 * i), theirs, now=2.0 * i)
    assert theirs.events() == [*(WrongTry(left) for left in range(7, -1, -1)), CodeSpent()]
    assert theirs.next_deadline() is None


def test_spent_code_opens_nothing_for_the_right_guest() -> None:
    theirs = new_host()
    for i in range(8):
        swap(new_guest(i, MISTYPED, now=2.0 * i), theirs, now=2.0 * i)
    mine = new_guest(9, now=20.0)
    assert kinds(swap(mine, theirs, now=20.0)) == [Kind.OPEN, Kind.GONE]
    assert mine.events() == [HostGone(Why.SPENT)]


def test_spent_code_does_not_expire_as_well() -> None:
    theirs = new_host()
    for i in range(8):
        swap(new_guest(i, MISTYPED, now=2.0 * i), theirs, now=2.0 * i)
    theirs.events()
    theirs.tick(1000.0)
    assert theirs.events() == []


def test_last_of_eight_tries_is_still_good() -> None:
    theirs = new_host()
    for i in range(7):
        swap(new_guest(i, MISTYPED, now=2.0 * i), theirs, now=2.0 * i)
    mine = new_guest(8, now=20.0)
    swap(mine, theirs, now=20.0)
    assert secret_of(mine.events())


def test_run_that_is_not_finished_in_five_seconds_is_a_try() -> None:
    mine, theirs = new_guest(), new_host()
    carry(mine, theirs)
    theirs.tick(4.9)
    assert theirs.events() == []
    theirs.tick(5.0)
    assert theirs.events() == [StalledTry(left=7)]


def test_right_confirmation_that_comes_too_late_starts_a_fresh_attempt_that_meets() -> None:
    mine, theirs = new_guest(), new_host()
    carry(mine, theirs)
    carry(theirs, mine)
    carry(mine, theirs, now=6.0)
    assert kinds(carry(theirs, mine, now=6.0)) == [Kind.GONE]
    swap(mine, theirs, now=6.0)
    assert have_met(mine, theirs)


def test_right_confirmation_that_comes_after_somebody_else_met_is_told_so() -> None:
    slow, quick, theirs = new_guest(1), new_guest(2, now=6.0), new_host()
    carry(slow, theirs)
    carry(theirs, slow)
    swap(quick, theirs, now=6.0)
    assert set(kinds(swap(slow, theirs, now=7.0))) == {Kind.CONFIRM, Kind.GONE}  # and no fresh OPEN
    assert slow.events() == [HostGone(Why.TAKEN)]


def test_wrong_told_again_does_not_put_off_the_verdict() -> None:
    mine, theirs = new_guest(code=MISTYPED), new_host()
    *_, wrong = swap(mine, theirs)
    mine.receive(wrong, 0.9)
    mine.tick(1.0)
    assert mine.events() == [WrongCode()]


def test_code_expires_after_ten_minutes() -> None:
    theirs = new_host(now=100.0)
    theirs.tick(699.9)
    assert theirs.events() == []
    theirs.tick(700.0)
    assert theirs.events() == [CodeExpired()]
    mine = new_guest(now=701.0)
    swap(mine, theirs, now=701.0)
    assert mine.events() == [HostGone(Why.EXPIRED)]


def test_run_that_is_open_when_the_code_expires_may_finish() -> None:
    mine, theirs = new_guest(now=599.0), new_host()
    carry(mine, theirs, now=599.0)
    theirs.tick(601.0)
    carry(theirs, mine, now=601.0)
    swap(mine, theirs, now=601.0)
    assert [type(event) for event in theirs.events()] == [Met]


def test_time_to_live_of_a_code_can_be_set() -> None:
    theirs = HostMeeting(CODE, random.Random(1).randbytes, ttl_s=3)
    theirs.tick(0.0)
    assert theirs.next_deadline() == 3.0


# More than one guest


def test_second_guest_is_told_to_wait_and_then_that_the_table_is_taken() -> None:
    first, second, theirs = new_guest(1), new_guest(2), new_host()
    carry(first, theirs)
    carry(theirs, first, second)
    carry(second, theirs)
    carry(theirs, first, second)
    assert second.events() == [HostBusy()]
    swap(first, theirs)
    assert secret_of(first.events())
    second.tick(2.0)
    swap(second, theirs, now=2.0)
    assert second.events() == [HostGone(Why.TAKEN)]
    assert [type(event) for event in theirs.events()] == [Met]


def test_busy_and_gone_are_told_once_each_however_often_they_come() -> None:
    mine = new_guest()
    (attempt,) = (decode_packet(packet).attempt for packet in mine.packets_to_send())
    for _ in range(3):
        mine.receive(encode_packet(Kind.BUSY, attempt), 1.0)
        mine.receive(encode_packet(Kind.GONE, attempt, bytes([Why.SPENT])), 1.0)
    assert mine.events() == [HostBusy(), HostGone(Why.SPENT)]


def test_forged_busy_and_gone_do_not_keep_the_right_guest_from_meeting() -> None:
    mine, theirs = new_guest(), new_host()
    (opening,) = carry(mine, theirs)
    attempt = decode_packet(opening).attempt
    for forged in (Kind.BUSY, b""), (Kind.GONE, bytes([Why.TAKEN])), (Kind.GONE, bytes([Why.EXPIRED])):
        mine.receive(encode_packet(forged[0], attempt, forged[1]), 0.1)
    carry(theirs, mine)
    swap(mine, theirs)
    assert secret_of(mine.events())


def test_new_runs_are_granted_one_a_second() -> None:
    theirs = new_host()
    swap(new_guest(1, MISTYPED), theirs)
    second = new_guest(2, now=0.9)
    assert kinds(swap(second, theirs, now=0.9)) == [Kind.OPEN, Kind.BUSY]
    second.tick(1.4)
    assert Kind.ACCEPT in kinds(swap(second, theirs, now=1.4))


def test_flood_of_opens_costs_eight_runs_and_no_more() -> None:
    theirs, opened = new_host(), 0
    openings = [new_guest(i).packets_to_send()[0] for i in range(40)]
    for tick in range(1000):
        theirs.receive(openings[tick % 40], tick / 10)
        opened += kinds(theirs.packets_to_send()).count(Kind.ANSWER)
    assert [type(event) for event in theirs.events()] == [StalledTry] * 8 + [CodeSpent]
    assert opened < 1000 / 8  # answers to copies of the open one included


# Replays, reflections, forgeries


def test_stale_open_costs_a_try_and_five_seconds_and_then_the_right_guest_meets() -> None:
    theirs, mine = new_host(), new_guest(2)
    theirs.receive(new_guest(1).packets_to_send()[0], 0.0)  # as a broker may keep it
    theirs.packets_to_send()
    assert kinds(swap(mine, theirs)) == [Kind.OPEN, Kind.BUSY]
    mine.tick(5.5)
    swap(mine, theirs, now=5.5)
    assert [type(event) for event in theirs.events()] == [StalledTry, Met]


def test_stale_open_delivered_again_is_no_second_try() -> None:
    theirs, stale = new_host(), new_guest(1).packets_to_send()[0]
    for now in range(0, 100, 6):
        theirs.receive(stale, float(now))
    assert theirs.events() == [StalledTry(left=7)]


def test_whole_meeting_replayed_at_a_new_host_proves_nothing() -> None:
    seen = swap(new_guest(), new_host(1))
    again = new_host(2)
    for packet in seen:
        again.receive(packet, 0.0)
    assert again.events() == [WrongTry(left=7)]


def test_whole_meeting_replayed_at_the_same_host_changes_nothing() -> None:
    theirs = new_host()
    seen = swap(new_guest(), theirs)
    theirs.events()
    for packet in seen * 3:
        theirs.receive(packet, 3.0)
    assert theirs.events() == []
    assert set(theirs.packets_to_send()) == {seen[-1]}


def test_old_answers_of_the_host_mean_nothing_to_a_new_attempt() -> None:
    seen = swap(new_guest(1), new_host())
    mine = new_guest(2)
    for packet in seen:
        mine.receive(packet, 0.0)
    assert mine.events() == []
    assert mine.dropped == len(seen)


def test_own_packets_sent_back_are_dropped() -> None:
    mine, theirs = new_guest(), new_host()
    seen = []
    for source in (mine, theirs, mine, theirs):
        packets = carry(source, theirs if source is mine else mine)
        for packet in packets:
            source.receive(packet, 0.0)
        seen += packets
    assert kinds(seen) == [Kind.OPEN, Kind.ANSWER, Kind.CONFIRM, Kind.ACCEPT]
    assert theirs.dropped == 2
    assert secret_of(mine.events())


@pytest.mark.parametrize("side", [b"A", b"B"])
def test_own_key_exchange_message_sent_back_as_an_answer_is_dropped(side: bytes) -> None:
    mine, theirs = new_guest(), new_host()
    (opening,) = carry(mine, theirs)
    forged = edited(opening, kind=Kind.ANSWER, payload=side + decode_packet(opening).payload[1:])
    mine.receive(forged, 0.0)
    assert mine.dropped == 1
    carry(theirs, mine)
    swap(mine, theirs)
    assert secret_of(mine.events())


def test_confirmation_of_the_other_role_is_not_taken() -> None:
    mine, theirs = new_guest(), new_host()
    opening, _, confirm, accept = swap(mine, theirs)
    again = new_host()  # the same randomness, so the same run
    again.receive(opening, 0.0)
    again.receive(edited(accept, kind=Kind.CONFIRM), 0.0)
    assert again.events() == [WrongTry(left=7)]
    other = new_guest()
    other.receive(again.packets_to_send()[0], 0.0)
    other.receive(edited(confirm, kind=Kind.ACCEPT), 0.0)
    assert (other.events(), other.dropped) == ([], 1)


def test_forged_accept_is_dropped_and_the_true_one_taken() -> None:
    mine, theirs = new_guest(), new_host()
    carry(mine, theirs)
    carry(theirs, mine)
    (confirm,) = carry(mine, theirs)
    mine.receive(edited(confirm, kind=Kind.ACCEPT, payload=bytes(32)), 0.0)
    assert mine.events() == []
    carry(theirs, mine)
    assert secret_of(mine.events())


def test_accept_before_any_answer_is_dropped() -> None:
    mine = new_guest()
    (opening,) = mine.packets_to_send()
    mine.receive(edited(opening, kind=Kind.ACCEPT, payload=bytes(32)), 0.0)
    assert (mine.events(), mine.dropped) == ([], 1)


def test_forged_wrong_is_not_believed_when_the_host_accepts_within_a_second() -> None:
    mine, theirs = new_guest(), new_host()
    carry(mine, theirs)
    carry(theirs, mine)
    (confirm,) = carry(mine, theirs)
    mine.receive(edited(confirm, kind=Kind.WRONG), 0.1)
    carry(theirs, mine, now=1.0)
    assert [type(event) for event in mine.events()] == [Met]


def test_wrong_about_a_confirmation_that_is_not_ours_is_dropped() -> None:
    mine, theirs = new_guest(), new_host()
    carry(mine, theirs)
    carry(theirs, mine)
    (confirm,) = mine.packets_to_send()
    mine.receive(edited(confirm, kind=Kind.WRONG, payload=bytes(32)), 0.1)
    mine.tick(3.0)
    assert (mine.events(), mine.dropped) == ([], 1)


def test_guest_whose_run_a_stranger_spoiled_tries_again_and_meets() -> None:
    mine, theirs = new_guest(), new_host()
    (opening,) = carry(mine, theirs)
    carry(theirs, mine)
    theirs.receive(edited(opening, kind=Kind.CONFIRM, payload=bytes(32)), 0.1)
    carry(theirs, mine, now=0.1)
    mine.tick(1.5)
    swap(mine, theirs, now=1.5)
    assert [type(event) for event in theirs.events()] == [WrongTry, Met]
    assert [type(event) for event in mine.events()] == [Met]


def test_forged_late_makes_the_guest_start_anew_once_a_second_at_most() -> None:
    mine, attempts = new_guest(), set()
    for tenth in range(100):
        mine.tick(tenth / 10)
        attempts |= {decode_packet(packet).attempt for packet in mine.packets_to_send()}
        for attempt in list(attempts):
            mine.receive(encode_packet(Kind.GONE, attempt, bytes([Why.LATE])), tenth / 10)
    assert 2 <= len(attempts) <= 10


def test_second_key_exchange_message_under_one_attempt_is_dropped() -> None:
    mine, theirs = new_guest(1), new_host()
    (opening,) = carry(mine, theirs)
    answer = theirs.packets_to_send()
    other = decode_packet(new_guest(2).packets_to_send()[0]).payload
    theirs.receive(edited(opening, payload=other), 0.1)
    assert (theirs.packets_to_send(), theirs.dropped) == ([], 1)
    mine.receive(answer[0], 0.1)
    swap(mine, theirs, now=0.1)
    assert secret_of(mine.events())


def test_second_answer_is_not_taken_since_it_would_be_a_second_guess() -> None:
    mine = new_guest()
    (opening,) = mine.packets_to_send()
    confirms = []
    for seed in (1, 2):
        theirs = new_host(seed)
        theirs.receive(opening, 0.0)
        carry(theirs, mine)
        confirms += mine.packets_to_send()
    assert kinds(confirms) == [Kind.CONFIRM]


def test_impostor_who_answers_first_makes_the_code_wrong_for_both_sides() -> None:
    mine, theirs, impostor = new_guest(), new_host(1), new_host(2, MISTYPED)
    carry(mine, impostor, theirs)
    carry(impostor, mine)
    carry(theirs, mine)
    carry(mine, theirs, now=0.1)
    carry(theirs, mine, now=0.1)
    mine.tick(2.0)
    assert mine.events() == [WrongCode()]
    assert theirs.events() == [WrongTry(left=7)]


def test_other_confirmation_after_meeting_is_dropped() -> None:
    mine, theirs = new_guest(), new_host()
    *_, confirm, _ = swap(mine, theirs)
    theirs.receive(edited(confirm, payload=bytes(32)), 1.0)
    assert (theirs.packets_to_send(), theirs.dropped) == ([], 1)


def test_confirmation_without_a_run_is_dropped() -> None:
    theirs = new_host()
    theirs.receive(encode_packet(Kind.CONFIRM, ATTEMPT, bytes(32)), 0.0)
    assert (theirs.packets_to_send(), theirs.dropped) == ([], 1)


@pytest.mark.parametrize("element", [(1).to_bytes(32, "little"), (1 | 1 << 255).to_bytes(32, "little"), bytes(32)])
def test_open_with_a_bad_element_is_dropped_and_costs_no_try(element: bytes) -> None:
    theirs = new_host()
    for now in range(20):
        theirs.receive(encode_packet(Kind.OPEN, ATTEMPT, b"A" + element), float(now))
    assert (theirs.packets_to_send(), theirs.events(), theirs.dropped) == ([], [], 20)


# Versions


def test_version_edited_by_the_broker_is_told_by_the_host_and_does_not_hinder() -> None:
    mine, theirs = new_guest(), new_host()
    (opening,) = mine.packets_to_send()
    theirs.receive(edited(opening, version=2), 0.0)
    theirs.receive(edited(opening, version=2), 0.1)
    assert theirs.events() == [OtherVersion(theirs=2)]
    assert kinds(carry(theirs, mine)) == [Kind.GONE, Kind.GONE]
    mine.tick(0.5)
    swap(mine, theirs, now=0.5)
    assert [type(event) for event in mine.events()] == [Met]


def test_guest_of_another_version_learns_ours_from_the_answer() -> None:
    theirs, opening = new_host(), new_guest().packets_to_send()[0]
    theirs.receive(edited(opening, version=7), 0.0)
    (answer,) = theirs.packets_to_send()
    assert decode_packet(answer).version == 1
    assert decode_packet(answer).attempt == decode_packet(opening).attempt


def test_host_of_another_version_is_told_to_the_guest_once() -> None:
    mine, theirs = new_guest(), new_host()
    carry(mine, theirs)
    (answer,) = theirs.packets_to_send()
    mine.receive(edited(answer, version=3), 0.0)
    mine.receive(edited(answer, version=3), 0.0)
    assert mine.events() == [OtherVersion(theirs=3)]


def test_other_version_is_answered_to_an_open_only() -> None:
    theirs, opening = new_host(), new_guest().packets_to_send()[0]
    theirs.receive(edited(opening, version=2, kind=Kind.GONE), 0.0)
    assert theirs.packets_to_send() == []


def test_stranger_who_claims_every_version_is_reported_a_few_times() -> None:
    theirs, opening = new_host(), new_guest().packets_to_send()[0]
    for version in range(2, 256):
        theirs.receive(edited(opening, version=version), 0.0)
    assert len(theirs.events()) == VERSIONS_TOLD_MAX


def test_host_of_every_version_is_reported_to_the_guest_a_few_times() -> None:
    ours, answer = new_guest(), encode_packet(Kind.BUSY, ATTEMPT)
    for version in range(2, 256):
        ours.receive(edited(answer, version=version), 0.0)
    assert len(ours.events()) == VERSIONS_TOLD_MAX


# Garbage


OPENING = new_guest().packets_to_send()[0]

MALFORMED = {
    "empty": b"",
    "never used byte": b"\xc1",
    "trailing byte": OPENING + b"\0",
    "too few fields": msgpack.packb([1, 1, ATTEMPT]),
    "too many fields": msgpack.packb([1, 1, ATTEMPT, bytes(33), 0]),
    "map": msgpack.packb({"version": 1}),
    "number": msgpack.packb(1),
    "bool for a version": msgpack.packb([True, 1, ATTEMPT, bytes(33)]),
    "float for a version": msgpack.packb([1.0, 1, ATTEMPT, bytes(33)]),
    "version zero": msgpack.packb([0, 1, ATTEMPT, bytes(33)]),
    "negative version": msgpack.packb([-1, 1, ATTEMPT, bytes(33)]),
    "text for bytes": msgpack.packb([1, 1, "sixteen bytes id", bytes(33)]),
    "nil": msgpack.packb([1, 1, ATTEMPT, None]),
    "short attempt": msgpack.packb([1, 1, ATTEMPT[1:], bytes(33)]),
    "long attempt": msgpack.packb([1, 1, ATTEMPT + b"x", bytes(33)]),
    "unknown kind": msgpack.packb([1, 8, ATTEMPT, b""]),
    "kind zero": msgpack.packb([1, 0, ATTEMPT, b""]),
    "short payload": msgpack.packb([1, 1, ATTEMPT, bytes(32)]),
    "long payload": msgpack.packb([1, 3, ATTEMPT, bytes(33)]),
    "busy with a payload": msgpack.packb([1, 6, ATTEMPT, b"\1"]),
    "gone without a reason": msgpack.packb([1, 7, ATTEMPT, b""]),
    "gone for an unknown reason": msgpack.packb([1, 7, ATTEMPT, b"\x06"]),
    "gone with a long reason": msgpack.packb([1, 7, ATTEMPT, b"\0\1"]),
    "number in a long form": b"\x94\xcc\x01" + OPENING[2:],
    "array in a long form": b"\xdc\x00\x04" + OPENING[1:],
    "endless array": b"\xdd\xff\xff\xff\xff",
    "endless string": b"\xdb\xff\xff\xff\xff",
    "deep": b"\x91" * 1000,
    "over the limit": msgpack.packb([2, 1, ATTEMPT, bytes(PACKET_BYTES_MAX)]),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_packet_that_is_not_canonical_is_refused(name: str) -> None:
    with pytest.raises(Malformed):
        decode_packet(MALFORMED[name])


def test_every_prefix_of_a_packet_is_refused() -> None:
    for size in range(len(OPENING)):
        with pytest.raises(Malformed):
            decode_packet(OPENING[:size])


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_of_packet_is_read_back_as_it_was_written(kind: Kind) -> None:
    sizes = {Kind.OPEN: 33, Kind.ANSWER: 33, Kind.BUSY: 0, Kind.GONE: 1}
    payload = b"\1" * sizes.get(kind, 32)
    packet = encode_packet(kind, ATTEMPT, payload)
    assert decode_packet(packet) == Packet(1, kind, ATTEMPT, payload)
    assert len(packet) <= 56


@pytest.mark.parametrize("size", [1000, 1001])
def test_packet_of_another_version_may_be_as_long_as_the_limit(size: int) -> None:
    packet = msgpack.packb([2, 9, ATTEMPT, bytes(PACKET_BYTES_MAX - 24 + size - 1000)])
    assert len(packet) == PACKET_BYTES_MAX + size - 1000
    if size == 1000:
        assert decode_packet(packet).version == 2
    else:
        with pytest.raises(Malformed, match="1024"):
            decode_packet(packet)


@pytest.mark.parametrize("new", [new_host, new_guest])
def test_garbage_is_dropped_and_counted_and_never_raises(new: Callable[[], Meeting]) -> None:
    meeting, rng = new(), random.Random(5)
    meeting.packets_to_send()
    for packet in MALFORMED.values():
        meeting.receive(packet, 0.0)
    for _ in range(2000):
        meeting.receive(rng.randbytes(rng.randrange(80)), 0.0)
    assert meeting.dropped == len(MALFORMED) + 2000
    assert (meeting.packets_to_send(), meeting.events()) == ([], [])


@pytest.mark.parametrize("seed", range(3))
def test_meeting_goes_on_between_any_mutations_of_its_packets(seed: int) -> None:
    mine, theirs, rng = new_guest(seed), new_host(seed), random.Random(seed)
    happened: list[object] = []
    for now in range(60):
        for source, target in ((mine, theirs), (theirs, mine)):
            source.tick(float(now))
            for packet in source.packets_to_send():
                bit = rng.randrange(8 * 20)  # version, kind or attempt: a broken payload is a wrong guess by right
                broken = int.from_bytes(packet, "big") ^ 1 << (8 * len(packet) - 1 - bit)
                target.receive(broken.to_bytes(len(packet), "big"), float(now))
                target.receive(packet, float(now))
        happened += mine.events()
    assert secret_of(happened)


# What can be seen


def test_topics_are_of_lower_case_letters_digits_and_slashes() -> None:
    both = topics("k7q2m")
    assert re.fullmatch("p2pdurak/1/rv/[0-9a-f]{32}/host", both.to_host)
    assert both.to_guest == both.to_host.removesuffix("host") + "guest"


def test_topics_depend_on_the_nameplate_and_on_nothing_else_of_the_code() -> None:
    assert topics(CODE.nameplate) == topics(MISTYPED.nameplate) != topics("k7q2n")


def test_before_the_confirmation_only_a_blinded_element_depends_on_the_words() -> None:
    """Machines with other words and the same randomness send the same bytes everywhere else."""
    for first, second in [(new_guest(), new_guest(code=MISTYPED)), (new_host(), new_host(code=MISTYPED))]:
        if isinstance(first, HostMeeting):
            carry(new_guest(), first, second)
        (one,), (other,) = first.packets_to_send(), second.packets_to_send()
        assert (one[:-32], one[-32:] == other[-32:]) == (other[:-32], False)


def test_same_words_look_different_in_every_attempt() -> None:
    assert len({new_guest(seed).packets_to_send()[0][-32:] for seed in range(8)}) == 8


def test_host_shows_no_proof_of_the_words_to_a_guest_who_has_not_shown_his() -> None:
    theirs, stranger = new_host(), Pake("guest", CODE.nameplate, b"guess", random.Random(3).randbytes)
    theirs.receive(encode_packet(Kind.OPEN, ATTEMPT, stranger.message), 0.0)
    answer = theirs.packets_to_send()
    keys = stranger.finish(decode_packet(answer[0]).payload)
    theirs.receive(encode_packet(Kind.CONFIRM, ATTEMPT, keys.confirm_guest), 0.0)
    assert kinds(answer + theirs.packets_to_send()) == [Kind.ANSWER, Kind.WRONG]


def test_secrets_do_not_show_in_a_repr() -> None:
    mine, theirs = new_guest(), new_host()
    swap(mine, theirs)
    assert repr(theirs.events()) == "[Met()]"


# Sentences


def test_every_sentence_is_one_or_more_whole_sentences() -> None:
    said = [value for name, value in vars(events).items() if name.isupper() and isinstance(value, str)]
    said += events.HOST_GONE.values()
    assert len(said) == 11
    assert [text for text in said if not re.fullmatch(r"[A-Z].*\.", text)] == []


def test_wrong_code_names_both_causes() -> None:
    assert "mistyped" in events.WRONG_CODE
    assert "somebody without the code" in events.WRONG_CODE


def test_sentences_with_numbers_take_them() -> None:
    assert "7" in events.WRONG_TRY.format(left=7)
    assert "7" in events.STALLED_TRY.format(left=7)
    assert "version 2" in events.OTHER_VERSION.format(theirs=2, ours=1)


def test_every_reason_to_be_gone_that_a_player_sees_has_a_sentence() -> None:
    assert set(events.HOST_GONE) == set(Why) - {Why.LATE, Why.VERSION}
