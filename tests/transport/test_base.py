"""The bounded queue and the checks that all transports share."""

import pytest

from fairdeck.limits import PACKET_BYTES_MAX
from p2pdurak.transport.base import INCOMING_MAX, Down, IncomingQueue, Packet, Up, check_packet, checked_topic


def drain(queue):
    return [queue.get_nowait() for _ in range(queue.qsize())]


def test_a_full_queue_drops_the_new_packet_and_counts_it():
    queue = IncomingQueue()
    for number in range(INCOMING_MAX + 3):
        queue.offer(Packet("p2pdurak/1/x", b"%d" % number))
    kept = drain(queue)
    assert [packet.payload for packet in kept] == [b"%d" % number for number in range(INCOMING_MAX)]
    assert queue.dropped == 3


def test_news_of_the_link_finds_room_in_a_full_queue():
    queue = IncomingQueue()
    for _ in range(INCOMING_MAX):
        queue.offer(Packet("p2pdurak/1/x", b""))
    queue.offer(Down("gone.", 1))
    queue.offer(Up(None, again=True))
    kept = drain(queue)
    assert len(kept) == INCOMING_MAX
    assert kept[-2:] == [Down("gone.", 1), Up(None, again=True)]
    assert queue.dropped == 2


@pytest.mark.parametrize(
    "topic",
    ["", "p2pdurak/1/", "p2pdurak/2/x", "x", "p2pdurak/1/#", "p2pdurak/1/+/x", "p2pdurak/1/X", "p2pdurak/1/a b",
     "p2pdurak/1/a.b", "p2pdurak/1/a\n", "p2pdurak/1/é", "p2pdurak/1/" + "a" * 129, "$SYS/x", "#"],
)  # fmt: skip
def test_a_foreign_topic_is_a_fault_of_the_caller(topic):
    with pytest.raises(ValueError, match="not a topic"):
        checked_topic(topic)


def test_a_topic_of_the_game_passes():
    assert checked_topic("p2pdurak/1/s/0af3/1") == "p2pdurak/1/s/0af3/1"


def test_a_packet_over_the_limit_is_a_fault_of_the_caller():
    check_packet("p2pdurak/1/x", bytes(PACKET_BYTES_MAX))
    with pytest.raises(ValueError, match="over the limit"):
        check_packet("p2pdurak/1/x", bytes(PACKET_BYTES_MAX + 1))
