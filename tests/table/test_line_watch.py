"""Watching the line: what is told about it, when the other side is late, and when the win may be claimed."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from p2pdurak.events import Event, Late, Link, LinkState, Waiting
from p2pdurak.table.line_watch import ACK_WAIT_S, LineWatch, Owing

OWING = Owing(records=8, timer_s=25)


@dataclass
class Heard:
    """What a channel knows about the peer: when he was last heard, and how many records he says he has."""

    last_heard: float | None = None
    peer_next: int = 0
    rtt_s: float | None = None


@dataclass
class Watched:
    """A watch on a line of which the test says what is heard."""

    line: Heard = field(default_factory=Heard)
    told: list[Event] = field(default_factory=list)
    friends_broker: str | None = None
    watch: LineWatch = field(init=False)

    def __post_init__(self) -> None:
        self.watch = LineWatch(self.line, 1, self.told.append, self.friends_broker)  # type: ignore[arg-type]

    def at(self, now: float, *, heard: bool = False, owing: Owing | None = None) -> list[Event]:
        """Look at a time; give what was told."""
        if heard:
            self.line.last_heard = now
        before = len(self.told)
        self.watch.look(owing, now)
        return self.told[before:]

    def states(self) -> list[Link]:
        return [event.state for event in self.told if isinstance(event, LinkState)]


# The line itself.


def test_nothing_is_told_before_the_peer_was_ever_heard() -> None:
    watched = Watched()
    assert watched.at(1000.0) == []
    assert watched.watch.due is None


def test_peer_is_up_for_six_seconds_slow_for_fifteen_and_then_offline() -> None:
    watched = Watched()
    watched.at(100.0, heard=True)
    for now in (105.9, 106.0, 114.9, 115.0, 200.0):
        watched.at(now)
    assert watched.told == [LinkState(Link.SLOW, None, None, 6), LinkState(Link.DOWN, None, None, 15)]


def test_peer_who_is_heard_again_is_up_and_it_is_told_once() -> None:
    watched = Watched()
    watched.at(100.0, heard=True)
    watched.at(120.0)
    watched.line.rtt_s = 0.0384
    watched.at(121.0, heard=True)
    watched.at(122.0, heard=True)
    assert watched.told[1:] == [LinkState(Link.UP, 38, None, 0)]


def test_round_trip_is_told_when_it_is_known_and_when_it_is_clearly_another() -> None:
    watched = Watched(Heard(rtt_s=0.038))
    assert watched.at(100.0, heard=True) == [LinkState(Link.UP, 38, None, 0)]
    watched.line.rtt_s = 0.060
    assert watched.at(111.0, heard=True) == []
    watched.line.rtt_s = 0.090
    assert watched.at(112.0, heard=True) == [LinkState(Link.UP, 90, None, 0)]
    watched.line.rtt_s = 0.010
    assert watched.at(121.9, heard=True) == []
    assert watched.at(122.0, heard=True) == [LinkState(Link.UP, 10, None, 0)]


def test_clock_that_began_at_zero_counts_like_any_other() -> None:
    watched = Watched()
    watched.at(0.0, heard=True, owing=OWING)
    assert watched.watch.claim_in(OWING, 59.0) == pytest.approx(1.0)


def test_line_is_looked_at_each_second_only_while_something_may_change() -> None:
    watched = Watched()
    watched.at(100.0, heard=True)
    assert watched.watch.due == 106.0
    watched.at(101.0, owing=OWING)
    assert watched.watch.due == 102.0


# Late.


def late(watched: Watched) -> list[Late]:
    return [event for event in watched.told if isinstance(event, Late)]


def test_peer_is_late_five_seconds_over_his_limit_counted_from_his_word_that_he_has_the_record() -> None:
    watched = Watched(Heard(peer_next=7))
    watched.at(100.0, heard=True, owing=OWING)
    watched.line.peer_next = 8
    for now in range(110, 140):
        watched.at(float(now), heard=True, owing=OWING)
    assert late(watched) == []
    watched.at(140.0, heard=True, owing=OWING)
    assert late(watched) == [Late(1, 30, claimable=False)]


def test_peer_who_is_late_is_told_once() -> None:
    watched = Watched(Heard(peer_next=8))
    for now in range(100, 200):
        watched.at(float(now), heard=True, owing=OWING)
    assert len(late(watched)) == 1


def test_peer_who_owes_nothing_is_never_late() -> None:
    watched = Watched(Heard(peer_next=8))
    for now in range(100, 400):
        watched.at(float(now), heard=True)
    assert watched.told == []


def test_each_step_has_its_own_time() -> None:
    watched = Watched(Heard(peer_next=99))
    for now in range(100, 400):
        watched.at(float(now), heard=True, owing=Owing(8 + (now - 100) // 20, 25))
    assert late(watched) == []


def test_peer_who_is_heard_and_never_says_that_he_has_the_record_is_late_all_the_same() -> None:
    watched = Watched(Heard(peer_next=0))
    for now in range(100, 400):
        watched.at(float(now), heard=True, owing=OWING)
        if late(watched):
            break
    assert now == 100 + ACK_WAIT_S + 30
    watched.line.last_heard = 100 + ACK_WAIT_S + 120
    assert watched.watch.claim_in(OWING, 100 + ACK_WAIT_S + 120) == 0.0


def test_nobody_is_late_without_a_clock() -> None:
    watched = Watched(Heard(peer_next=8))
    for now in range(100, 1000):
        watched.at(float(now), heard=True, owing=Owing(8, 0))
    assert watched.told == []


# The claim.


def claim_time(watched: Watched, owing: Owing, *, heard: bool) -> float | None:
    """The second at which a claim is offered, from 0 on."""
    watched.at(100.0, heard=True, owing=owing)
    for now in range(101, 1000):
        if any(
            event.claimable for event in watched.at(float(now), heard=heard, owing=owing) if isinstance(event, Late)
        ):
            return now - 100.0
    return None


def test_claim_is_offered_at_sixty_seconds_of_silence() -> None:
    assert claim_time(Watched(Heard(peer_next=8)), OWING, heard=False) == 60.0


@pytest.mark.parametrize(("timer_s", "after_s"), [(5, 120.0), (25, 120.0), (90, 150.0)])
def test_claim_is_offered_after_two_minutes_of_stalling_or_the_clock_and_one_minute(
    timer_s: int, after_s: float
) -> None:
    assert claim_time(Watched(Heard(peer_next=8)), Owing(8, timer_s), heard=True) == after_s


def test_peer_who_is_heard_may_think_for_ever_without_a_clock() -> None:
    assert claim_time(Watched(Heard(peer_next=8)), Owing(8, 0), heard=True) is None


def test_silence_counts_without_a_clock_too() -> None:
    assert claim_time(Watched(Heard(peer_next=8)), Owing(8, 0), heard=False) == 60.0


def test_offer_says_how_long_he_was_waited_for() -> None:
    watched = Watched(Heard(peer_next=8))
    claim_time(watched, OWING, heard=False)
    assert late(watched)[-1] == Late(1, 60, claimable=True)


def test_offer_vanishes_when_he_is_heard_again() -> None:
    watched = Watched(Heard(peer_next=8))
    claim_time(watched, OWING, heard=False)
    assert watched.watch.claimable
    watched.at(161.0, heard=True, owing=OWING)
    assert not watched.watch.claimable
    assert watched.watch.claim_in(OWING, 161.0) > 0


def test_offer_vanishes_when_he_has_moved() -> None:
    watched = Watched(Heard(peer_next=8))
    claim_time(watched, OWING, heard=True)
    watched.at(221.0, heard=True, owing=None)
    assert not watched.watch.claimable


def test_offline_peer_is_told_with_the_seconds_that_are_left_until_a_claim() -> None:
    watched = Watched(Heard(peer_next=8))
    watched.at(100.0, heard=True, owing=OWING)
    assert watched.at(115.0, owing=OWING) == [LinkState(Link.DOWN, None, 45, 15)]


def test_countdown_that_begins_while_he_is_offline_is_told() -> None:
    watched = Watched(Heard(peer_next=8))
    watched.at(100.0, heard=True)
    watched.at(115.0)
    assert watched.at(120.0, owing=OWING) == [LinkState(Link.DOWN, None, 40, 20)]
    assert watched.at(121.0, owing=OWING) == []


def test_countdown_that_vanishes_while_he_is_offline_is_told() -> None:
    watched = Watched(Heard(peer_next=8))
    watched.at(100.0, heard=True, owing=OWING)
    watched.at(115.0, owing=OWING)
    assert watched.at(120.0) == [LinkState(Link.DOWN, None, None, 20)]
    assert watched.at(121.0) == []


def test_countdown_is_told_while_he_is_slow_too() -> None:
    watched = Watched(Heard(peer_next=8))
    watched.at(100.0, heard=True)
    watched.at(106.0)
    assert watched.at(107.0, owing=OWING) == [LinkState(Link.SLOW, None, 53, 7)]


def test_nothing_is_counted_while_he_is_up() -> None:
    watched = Watched(Heard(peer_next=8))
    for now, owing in enumerate((None, OWING, None, OWING), 100):
        watched.at(float(now), heard=True, owing=owing)
    assert watched.told == []


def test_claim_that_is_possible_as_soon_as_he_owes_is_told_without_a_countdown() -> None:
    watched = Watched(Heard(peer_next=8))
    watched.at(100.0, heard=True)
    watched.at(200.0)
    assert watched.at(201.0, owing=OWING) == [LinkState(Link.DOWN, None, 0, 101), Late(1, 101, claimable=True)]


# Our own link.


def test_own_link_that_is_lost_is_told_with_the_count_of_tries() -> None:
    watched = Watched()
    watched.at(100.0, heard=True)
    watched.watch.own_down(1)
    watched.watch.own_down(2)
    assert [event.attempt for event in watched.told if isinstance(event, LinkState)] == [1, 2]
    assert watched.states() == [Link.OWN_DOWN, Link.OWN_DOWN]


def test_broker_that_may_be_the_friends_own_is_named_once_an_outage() -> None:
    watched = Watched(friends_broker="192.168.1.20:1883")
    for now in (100.0, 200.0):
        watched.at(now, heard=True)
        watched.watch.own_down(1)
        watched.watch.own_down(2)
        watched.watch.own_back(now + 10.0)
    texts = [event.text for event in watched.told if isinstance(event, Waiting)]
    sentence = (
        "The broker at 192.168.1.20:1883, which runs on your friend's computer if he hosts without --broker, "
        "cannot be reached. Nothing can be claimed while it is away."
    )
    assert texts == [sentence] * 2


def test_broker_of_our_own_choice_is_not_said_to_be_the_friends() -> None:
    watched = Watched()
    watched.at(100.0, heard=True)
    watched.watch.own_down(1)
    assert not any(isinstance(event, Waiting) for event in watched.told)


def test_nothing_is_said_about_the_peer_while_our_own_link_is_down() -> None:
    watched = Watched(Heard(peer_next=8))
    watched.at(100.0, heard=True, owing=OWING)
    watched.watch.own_down(1)
    assert [watched.at(float(now), owing=OWING) for now in range(101, 400)] == [[]] * 299
    assert not watched.watch.claimable
    assert watched.watch.due is None


def test_silence_during_our_own_outage_does_not_count() -> None:
    watched = Watched(Heard(peer_next=8))
    watched.at(100.0, heard=True, owing=OWING)
    watched.watch.own_down(1)
    watched.watch.own_back(400.0)
    assert watched.at(400.0, owing=OWING) == [LinkState(Link.UP, None, 60, 0)]
    assert watched.watch.claim_in(OWING, 400.0) == 60.0
    assert watched.watch.claim_in(OWING, 460.0) == 0.0


def test_stalling_during_our_own_outage_does_not_count() -> None:
    watched = Watched(Heard(peer_next=8))
    for now in range(100, 210):
        watched.at(float(now), heard=True, owing=OWING)
    watched.watch.own_down(1)
    watched.watch.own_back(230.0)
    watched.line.last_heard = 230.0
    watched.at(230.0, owing=OWING)
    watched.line.last_heard = 300.0
    assert watched.watch.claim_in(OWING, 300.0) == pytest.approx(50.0)


def test_peer_is_given_up_as_gone_after_a_minute_of_silence_but_never_while_our_own_link_is_down() -> None:
    watched = Watched()
    watched.at(100.0, heard=True)
    assert not watched.watch.gone(159.9)
    assert watched.watch.gone(160.0)
    watched.watch.own_down(1)
    assert not watched.watch.gone(1000.0)


def test_who_returns_only_to_do_nothing_can_still_be_given_up() -> None:
    watched = Watched(Heard(peer_next=OWING.records))
    watched.at(0.0, heard=True, owing=OWING)
    for now in (6.0, 15.0, 61.0, 129.0):
        watched.at(now, owing=OWING)
    told = watched.at(130.0, heard=True, owing=OWING)
    assert [type(event) for event in told] == [LinkState, Late]
    assert told[-1] == Late(1, 130, claimable=True)
    assert watched.watch.claimable
