"""The sealed channel on its own: two ends, or one end and a peer made by hand out of keys and packets."""

from __future__ import annotations

import random
import tracemalloc

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from fairdeck import limits
from fairdeck.channel import Channel, ChannelEvent, Opened, PeerSynced, PostArrived, RecordArrived, Timers, head_hash
from fairdeck.epochs import ANSWERS_BURST
from fairdeck.errors import LocalError, Malformed
from fairdeck.packets import (
    NO_BOOT,
    PACKET_SIZES,
    Ack,
    Acks,
    Payload,
    Ping,
    Pong,
    Post,
    Record,
    Sync,
    decode_message,
    encode_message,
)
from fairdeck.sealing import HELLO, NO_NONCE, Epoch, Hello, Offer, decode_hello, encode_hello, epoch_of, session_keys
from fairdeck.streams import Records

SECRET = bytes(range(32))
KEYS = session_keys(SECRET)
TIMERS = Timers()
NOTHING = Acks(0, 0, NO_BOOT, 0)


def new_channel(seat: int, rng: random.Random, game: int = 1, chain: list[bytes] | None = None) -> Channel:
    channel = Channel(SECRET, seat, rng.randbytes)
    if game:
        channel.open_game(game)
    for record in chain or []:
        channel.append(record, 0.0)
    return channel


class Line:
    """A perfect line between two channels, that keeps every event and every packet."""

    def __init__(self, host: Channel, guest: Channel) -> None:
        self.ends = [host, guest]
        self.events: list[list[ChannelEvent]] = [[], []]
        self.sent: list[list[bytes]] = [[], []]

    def carry(self, now: float = 0.0) -> None:
        """Carry packets until both have nothing more to say."""
        for _ in range(100):
            batches = [end.packets_to_send() for end in self.ends]
            if not any(batches):
                return
            for seat in (0, 1):
                self.sent[seat] += batches[seat]
                for packet in batches[seat]:
                    self.events[1 - seat] += self.ends[1 - seat].receive(packet, now)
        pytest.fail("the two sides never stop talking")

    def take(self, seat: int) -> list[ChannelEvent]:
        events, self.events[seat] = self.events[seat], []
        return events


def connected(seed: int = 1, game: int = 1) -> Line:
    rng = random.Random(seed)
    line = Line(new_channel(0, rng, game), new_channel(1, rng, game))
    for end in line.ends:
        end.connect(0.0)
    line.carry()
    line.events = [[], []]
    line.sent = [[], []]
    return line


class HandMadePeer:
    """A guest made by hand, who can say anything in authentic packets to a host."""

    def __init__(self, host: Channel, rng: random.Random) -> None:
        self.host = host
        host.connect(0.0)
        theirs = decode_hello(KEYS, 0, host.packets_to_send()[0])
        offer = Offer(rng.randbytes(32), X25519PrivateKey.from_private_bytes(rng.randbytes(32)))
        self.hello = encode_hello(KEYS, 1, Hello(offer.nonce, theirs.nonce, offer.public))
        self.epoch = Epoch(KEYS, 1, offer, theirs)
        host.receive(self.hello, 0.0)
        self.say(Sync(bytes(32), False))
        self.hear()

    def say(self, payload: Payload, acks: Acks = NOTHING, now: float = 0.0) -> list[ChannelEvent]:
        return self.host.receive(self.epoch.seal(encode_message(acks, payload)), now)

    def hear(self) -> list[tuple[Acks, Payload]]:
        sealed = [packet for packet in self.host.packets_to_send() if packet[0] != HELLO]
        return [decode_message(self.epoch.open(packet)) for packet in sealed]


def hand_made(game: int = 1, chain: list[bytes] | None = None) -> HandMadePeer:
    rng = random.Random(5)
    return HandMadePeer(new_channel(0, rng, game, chain), rng)


def is_hello(packet: bytes) -> bool:
    return packet[0] == HELLO


# --- names and figures of a session -------------------------------------------------------------------------


def test_both_seats_derive_the_same_exporter_and_safety_words() -> None:
    host, guest = connected().ends
    assert (host.exporter, host.safety) == (guest.exporter, guest.safety)


def test_each_listens_where_the_other_sends() -> None:
    host, guest = connected().ends
    assert (host.inbox, host.outbox) == (guest.outbox, guest.inbox)
    assert host.inbox == f"p2pdurak/1/s/{KEYS.topic}/0"
    assert guest.inbox == f"p2pdurak/1/s/{KEYS.topic}/1"


def test_there_is_no_third_seat() -> None:
    with pytest.raises(LocalError):
        Channel(SECRET, 2, random.Random(1).randbytes)


# --- the handshake ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("callers", [[0], [1], [0, 1]], ids=str)
def test_an_epoch_opens_whoever_calls(callers: list[int]) -> None:
    rng = random.Random(1)
    line = Line(new_channel(0, rng), new_channel(1, rng))
    for seat in callers:
        line.ends[seat].connect(0.0)
    line.carry()
    assert line.events == [[Opened(1), PeerSynced(1, 0, bytes(32))]] * 2


def test_nothing_is_sent_before_connect() -> None:
    channel = new_channel(0, random.Random(1))
    channel.append(b"record", 0.0)
    channel.tick(100.0)
    assert channel.packets_to_send() == []
    assert channel.next_deadline() is None


def test_an_unanswered_hello_is_repeated_from_a_quarter_second_to_four() -> None:
    channel = new_channel(0, random.Random(1))
    channel.connect(0.0)
    first = channel.packets_to_send()
    times = []
    for _ in range(7):
        due = channel.next_deadline()
        assert due is not None
        channel.tick(due - 0.001)
        assert channel.packets_to_send() == []
        channel.tick(due)
        assert channel.packets_to_send() == first
        times.append(due)
    assert times == [0.25, 0.75, 1.75, 3.75, 7.75, 11.75, 15.75]


def test_a_hello_with_a_stale_echo_opens_nothing() -> None:
    rng = random.Random(1)
    host = new_channel(0, rng)
    host.connect(0.0)
    offer = Offer(rng.randbytes(32), X25519PrivateKey.from_private_bytes(rng.randbytes(32)))
    host.receive(encode_hello(KEYS, 1, Hello(offer.nonce, rng.randbytes(32), offer.public)), 0.0)
    assert all(is_hello(packet) for packet in host.packets_to_send())


def test_a_new_connect_renews_the_keys_and_loses_nothing() -> None:
    line = connected()
    line.ends[0].post(1, b"one", 0.0)
    line.ends[0].connect(0.0)
    line.ends[0].append(b"record", 0.0)
    line.carry()
    assert line.take(1) == [
        RecordArrived(0, b"record"), PostArrived(1, b"one"), Opened(2), PeerSynced(1, 1, head_hash([b"record"])),
    ]  # fmt: skip


def test_the_old_epoch_serves_until_the_new_one_is_heard() -> None:
    line = connected()
    host, guest = line.ends
    host.connect(0.0)
    for packet in host.packets_to_send():
        guest.receive(packet, 0.0)
    for packet in guest.packets_to_send():
        host.receive(packet, 0.0)
    lost = host.packets_to_send()  # HELLO and SYNC of the new epoch never arrive
    assert len({epoch_of(packet) for packet in lost if not is_hello(packet)}) == 1
    host.post(1, b"still here", 0.0)
    guest.post(1, b"me too", 0.0)
    line.carry()
    assert line.take(1) == [PostArrived(1, b"still here")]
    assert line.take(0) == [PostArrived(1, b"me too")]


def test_packets_of_an_old_epoch_are_dropped_after_the_new_one_is_heard() -> None:
    line = connected()
    host, guest = line.ends
    host.post(1, b"late", 0.0)
    late = host.packets_to_send()
    host.connect(0.0)
    line.carry()
    dropped = guest.dropped
    assert all(guest.receive(packet, 0.0) == [] for packet in late)
    assert guest.dropped == dropped + len(late)


def test_the_hello_that_opened_an_epoch_opens_no_second_one() -> None:
    peer = hand_made()
    before = peer.epoch.ident
    for second in range(100):
        peer.host.receive(peer.hello, float(second))
    peer.host.post(1, b"x", 100.0)
    packets = peer.host.packets_to_send()
    assert {epoch_of(packet) for packet in packets} == {before}
    assert not any(is_hello(packet) for packet in packets)


def test_a_repeated_hello_does_not_restart_an_epoch_that_waits_for_its_first_packet() -> None:
    rng = random.Random(1)
    host, guest = new_channel(0, rng), new_channel(1, rng)
    guest.connect(0.0)
    [call] = guest.packets_to_send()
    host.receive(call, 0.0)
    [answer] = host.packets_to_send()
    guest.receive(answer, 0.0)
    opening = guest.packets_to_send()
    idents = set()
    for second in range(20):
        guest.receive(answer, float(second))
        guest.tick(float(second))
        idents |= {epoch_of(packet) for packet in guest.packets_to_send() if not is_hello(packet)}
    assert idents == {epoch_of(packet) for packet in opening if not is_hello(packet)}


def test_a_lost_opening_hello_is_repeated_to_a_peer_who_does_not_call() -> None:
    rng = random.Random(1)
    line = Line(new_channel(0, rng), new_channel(1, rng))
    host, guest = line.ends
    guest.connect(0.0)
    for end, other in ((guest, host), (host, guest)):
        for packet in end.packets_to_send():
            other.receive(packet, 0.0)
    assert len(guest.packets_to_send()) == 2  # HELLO and SYNC are lost
    guest.tick(0.25)
    line.carry(0.25)
    assert line.events == [[Opened(1), PeerSynced(1, 0, bytes(32))]] * 2


def test_a_nonce_of_the_peer_serves_one_epoch_only() -> None:
    peer = hand_made()
    host = peer.host
    used = decode_hello(KEYS, 1, peer.hello)
    host.connect(1.0)
    fresh = next(decode_hello(KEYS, 0, packet) for packet in host.packets_to_send() if is_hello(packet))
    host.receive(encode_hello(KEYS, 1, Hello(used.nonce, fresh.nonce, used.public)), 1.0)
    assert host.dropped == 1
    assert host.packets_to_send() == []


def test_replayed_hellos_of_a_former_process_are_answered_rarely() -> None:
    rng = random.Random(1)
    former = new_channel(1, rng)
    former.connect(0.0)
    [old_hello] = former.packets_to_send()
    peer = HandMadePeer(new_channel(0, rng), rng)
    answers = 0
    for hundredth in range(1000):
        peer.say(Ack(), now=hundredth / 100)
        peer.host.receive(old_hello, hundredth / 100)
        answers += sum(is_hello(packet) for packet in peer.host.packets_to_send())
    assert 1 <= answers <= 8  # in ten seconds


def test_many_old_hellos_on_a_live_line_are_answered_about_once_a_second() -> None:
    rng = random.Random(1)
    peer = HandMadePeer(new_channel(0, rng), rng)
    hellos = [encode_hello(KEYS, 1, Hello(rng.randbytes(32), NO_NONCE, rng.randbytes(32))) for _ in range(500)]
    answers = 0
    for n, hello in enumerate(hellos):
        peer.say(Ack(), now=n / 50)
        peer.host.receive(hello, n / 50)
        answers += sum(is_hello(packet) for packet in peer.host.packets_to_send())
    assert ANSWERS_BURST <= answers <= ANSWERS_BURST + 10  # in ten seconds


def test_old_hellos_do_not_keep_a_peer_out_who_starts_again() -> None:
    rng = random.Random(1)
    line = connected()
    host = line.ends[0]
    strangers = [encode_hello(KEYS, 1, Hello(rng.randbytes(32), NO_NONCE, rng.randbytes(32))) for _ in range(40)]
    again = new_channel(1, rng)
    again.connect(0.0)
    opened_s = None
    for tenth in range(200):
        now = tenth / 10
        for hello in strangers:
            host.receive(hello, now)
            host.packets_to_send()  # what a stranger draws out is lost
        for end, other in ((again, host), (host, again)):
            end.tick(now)
            for packet in end.packets_to_send():
                if any(isinstance(event, Opened) for event in other.receive(packet, now)):
                    opened_s = now
    assert opened_s is not None
    assert opened_s < 15


def test_the_memory_for_nonces_is_bounded() -> None:
    rng = random.Random(1)
    host = new_channel(0, rng)
    host.connect(0.0)
    hellos = [
        encode_hello(KEYS, 1, Hello(rng.randbytes(32), NO_NONCE, bytes(32))) for _ in range(20 * limits.NONCES_KEPT)
    ]
    tracemalloc.start()
    for n, hello in enumerate(hellos):
        host.receive(hello, n / 100)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 512 * limits.NONCES_KEPT
    assert len(host.packets_to_send()) <= limits.HELLOS_WAITING_MAX


def test_a_low_order_key_in_an_authentic_hello_is_malformed() -> None:
    rng = random.Random(1)
    host = new_channel(0, rng)
    host.connect(0.0)
    mine = decode_hello(KEYS, 0, host.packets_to_send()[0])
    with pytest.raises(Malformed):
        host.receive(encode_hello(KEYS, 1, Hello(rng.randbytes(32), mine.nonce, bytes(32))), 0.0)


def test_what_overtakes_its_sync_waits_for_it() -> None:
    line = connected()
    host, guest = line.ends
    guest.connect(0.0)
    for end, other in ((guest, host), (host, guest), (guest, host)):
        for packet in end.packets_to_send():
            other.receive(packet, 0.0)
    host.append(b"record", 0.0)
    [sync, record] = [packet for packet in host.packets_to_send() if not is_hello(packet)]
    assert guest.receive(record, 0.0) == [Opened(2)]
    guest.post(1, b"x", 0.0)
    assert guest.packets_to_send() == []  # what the host has is not known yet
    assert guest.receive(sync, 0.0) == [PeerSynced(1, 1, head_hash([b"record"]))]
    host.tick(0.25)
    events = [event for packet in host.packets_to_send() for event in guest.receive(packet, 0.25)]
    assert events == [RecordArrived(0, b"record")]


def test_the_wait_for_a_sync_is_not_taken_for_a_round_trip() -> None:
    line = connected()
    host, guest = line.ends
    for end in line.ends:
        end.tick(0.0)
    line.carry(0.1)
    guest.connect(1.0)
    for end, other in ((guest, host), (host, guest), (guest, host)):
        for packet in end.packets_to_send():
            other.receive(packet, 1.0)
    host.append(b"record", 1.0)
    [sync, record] = [packet for packet in host.packets_to_send() if not is_hello(packet)]
    guest.receive(record, 1.0)
    guest.tick(3.0)
    guest.receive(sync, 5.0)
    line.carry(5.1)
    assert guest.rtt_s == pytest.approx(0.1)


def test_a_lost_sync_is_asked_for_until_it_comes() -> None:
    rng = random.Random(1)
    line = Line(new_channel(0, rng), new_channel(1, rng))
    host, guest = line.ends
    host.connect(0.0)
    now = 0.0
    for _ in range(40):
        for end, other in ((host, guest), (guest, host)):
            end.tick(now)
            for packet in end.packets_to_send():
                if is_hello(packet) or now > 5:
                    line.events[other is guest] += other.receive(packet, now)
        now += 0.25
    assert line.events == [[Opened(1), PeerSynced(1, 0, bytes(32))]] * 2


def test_a_working_line_says_no_hello_and_no_sync_again() -> None:
    line = connected()
    for second in range(60):
        for end in line.ends:
            end.tick(float(second))
        line.carry(float(second))
    assert not any(is_hello(packet) for packet in line.sent[0] + line.sent[1])
    assert line.events == [[], []]


# --- records ------------------------------------------------------------------------------------------------


def play(line: Line, count: int, now: float = 0.0) -> list[bytes]:
    """Both sides write records in turn, each on both disks."""
    chain = [b"record %d" % n for n in range(count)]
    for n, record in enumerate(chain):
        line.ends[n % 2].append(record, now)
        line.carry(now)
        assert line.take(1 - n % 2) == [RecordArrived(n, record)]
        line.ends[1 - n % 2].append(record, now)
        line.carry(now)
    return chain


def test_records_of_both_sides_cross_once_and_are_acknowledged() -> None:
    line = connected()
    play(line, 20)
    assert [end.settled for end in line.ends] == [True, True]
    assert [end.peer_next for end in line.ends] == [20, 20]
    assert line.events == [[], []]


def test_a_record_is_not_acknowledged_before_it_is_on_disk() -> None:
    line = connected()
    host, guest = line.ends
    host.append(b"record", 0.0)
    line.carry()
    assert (host.settled, host.peer_next) == (False, 0)
    guest.append(b"record", 0.0)
    line.carry()
    assert (host.settled, host.peer_next) == (True, 1)


def test_one_record_costs_two_packets() -> None:
    line = connected()
    line.ends[0].append(b"record", 0.0)
    line.carry()
    line.ends[1].append(b"record", 0.0)
    line.carry()
    assert [len(sent) for sent in line.sent] == [1, 1]


def test_records_out_of_order_and_doubled_arrive_in_order_and_once() -> None:
    peer = hand_made()
    record = [Record(1, n, b"record %d" % n) for n in range(4)]
    assert peer.say(record[2]) == []
    assert peer.say(record[1]) == []
    assert peer.say(record[2]) == []
    assert peer.say(record[0]) == [RecordArrived(n, b"record %d" % n) for n in range(3)]
    assert peer.say(record[0]) == []
    assert peer.say(record[2]) == []
    assert peer.say(record[3]) == [RecordArrived(3, b"record 3")]


def test_an_unacknowledged_record_is_repeated_with_doubling_gaps_up_to_four_seconds() -> None:
    peer = hand_made()
    host = peer.host
    host.append(b"record", 10.0)
    assert [payload for _, payload in peer.hear()] == [Record(1, 0, b"record")]
    repeats = []
    for hundredth in range(1000, 3000):
        host.tick(hundredth / 100)
        if Record(1, 0, b"record") in [payload for _, payload in peer.hear()]:
            repeats.append(hundredth / 100)
    assert repeats == [10.25, 10.75, 11.75, 13.75, 17.75, 21.75, 25.75, 29.75]


def test_progress_brings_back_the_shortest_gap() -> None:
    peer = hand_made()
    host = peer.host
    host.append(b"one", 0.0)
    host.append(b"two", 0.0)
    for now in (0.25, 0.75, 1.75):
        host.tick(now)
    peer.hear()
    peer.say(Ack(), Acks(1, 1, NO_BOOT, 0), 2.0)
    peer.hear()
    host.tick(2.25)
    assert Record(1, 1, b"two") in [payload for _, payload in peer.hear()]


def test_a_slow_line_is_given_two_round_trips() -> None:
    peer = hand_made()
    host = peer.host
    host.tick(0.0)
    [ping] = [payload for _, payload in peer.hear() if isinstance(payload, Ping)]
    peer.say(Pong(ping.token), now=0.5)
    host.append(b"record", 1.0)
    peer.hear()
    host.tick(1.9)
    assert peer.hear() == []
    host.tick(2.0)
    assert [payload for _, payload in peer.hear()] == [Record(1, 0, b"record")]


def test_an_acknowledged_record_is_not_repeated() -> None:
    line = connected()
    play(line, 2)
    line.sent = [[], []]
    for end in line.ends:
        end.tick(0.5)
    sizes = [len(line.ends[seat].packets_to_send()) for seat in (0, 1)]
    assert sizes == [1, 1]  # the heartbeat


def test_an_old_acknowledgement_that_arrives_late_takes_nothing_back() -> None:
    peer = hand_made()
    for n in range(3):
        peer.host.append(b"record %d" % n, 0.0)
    peer.say(Ack(), Acks(1, 3, NO_BOOT, 0))
    peer.say(Ack(), Acks(1, 1, NO_BOOT, 0))
    assert (peer.host.peer_next, peer.host.settled) == (3, True)


def test_a_repeated_record_is_acknowledged_again() -> None:
    peer = hand_made()
    peer.say(Record(1, 0, b"record"))
    peer.host.append(b"record", 0.0)
    peer.hear()
    peer.say(Record(1, 0, b"record"))
    assert peer.hear() == [(Acks(1, 1, NO_BOOT, 0), Ack())]


def test_a_batch_is_answered_with_one_pure_acknowledgement() -> None:
    peer = hand_made()
    for n in range(10):
        peer.say(Post(b"bootboot", 0, n, 1, b"x"))
    assert peer.hear() == [(Acks(1, 0, b"bootboot", 10), Ack())]


def test_acknowledgements_ride_on_what_is_sent_anyway() -> None:
    peer = hand_made()
    peer.say(Record(1, 0, b"record"))
    peer.host.append(b"record", 0.0)
    peer.host.append(b"answer", 0.0)
    assert peer.hear() == [
        (Acks(1, 2, NO_BOOT, 0), record) for record in [Record(1, 0, b"record"), Record(1, 1, b"answer")]
    ]


def test_at_most_sixteen_records_are_on_their_way() -> None:
    peer = hand_made(chain=[b"record %d" % n for n in range(40)])
    peer.say(Ack(), Acks(1, 0, NO_BOOT, 0))
    flight = [payload for _, payload in peer.hear() if isinstance(payload, Record)]
    assert [record.seq for record in flight] == list(range(limits.FLIGHT_MAX))
    peer.say(Ack(), Acks(1, 5, NO_BOOT, 0))
    flight = [payload for _, payload in peer.hear() if isinstance(payload, Record)]
    assert [record.seq for record in flight] == list(range(limits.FLIGHT_MAX, limits.FLIGHT_MAX + 5))


def test_a_peer_with_an_older_file_is_served_from_our_chain_whoever_wrote_it() -> None:
    line = connected()
    chain = play(line, 40)
    again = new_channel(1, random.Random(9), chain=chain[:3])
    line.ends[1] = again
    again.connect(1.0)
    line.carry(1.0)
    assert line.take(0) == [Opened(2), PeerSynced(1, 3, head_hash(chain[:3]))]
    served = line.take(1)
    assert served[:2] == [Opened(1), PeerSynced(1, 40, head_hash(chain))]
    for event in served[2:]:
        assert isinstance(event, RecordArrived)
        again.append(event.record, 1.0)
    for _ in range(4):
        line.carry(1.0)
        for event in line.take(1):
            assert isinstance(event, RecordArrived)
            again.append(event.record, 1.0)
    line.carry(1.0)
    assert line.ends[0].peer_next == 40
    assert [end.settled for end in line.ends] == [True, True]
    assert again.peer_next == 40


def test_a_side_with_an_older_file_does_not_send_what_the_peer_has() -> None:
    line = connected()
    chain = play(line, 10)
    line.ends[0] = new_channel(0, random.Random(9), chain=chain[:4])
    line.ends[0].connect(1.0)
    line.carry(1.0)
    assert line.ends[0].settled
    assert line.take(1) == [Opened(2), PeerSynced(1, 4, head_hash(chain[:4]))]


def test_another_record_at_a_place_that_is_taken_is_handed_out_once() -> None:
    peer = hand_made(chain=[b"mine", b"yours"])
    assert peer.say(Record(1, 1, b"yours")) == []
    assert peer.say(Record(1, 1, b"yours too")) == [RecordArrived(1, b"yours too")]
    assert peer.say(Record(1, 1, b"yours too")) == []
    assert peer.say(Record(1, 1, b"a third")) == []


def test_another_record_before_the_first_is_on_disk_is_handed_out_once() -> None:
    peer = hand_made()
    assert peer.say(Record(1, 0, b"one")) == [RecordArrived(0, b"one")]
    assert peer.say(Record(1, 0, b"one")) == []
    assert peer.say(Record(1, 0, b"two")) == [RecordArrived(0, b"two")]
    assert peer.say(Record(1, 0, b"two")) == []


def test_records_too_far_ahead_are_not_kept() -> None:
    peer = hand_made()
    far = limits.RECORDS_AHEAD_MAX + 1
    for seq in (far, far + 1, limits.RECORDS_MAX):
        assert peer.say(Record(1, seq, b"far")) == []
    for seq in range(1, far):
        assert peer.say(Record(1, seq, b"near")) == []
    assert len(peer.say(Record(1, 0, b"first"))) == far


def test_no_more_than_a_flight_is_handed_out_before_it_is_on_disk() -> None:
    peer = hand_made()
    events = [event for n in range(100) for event in peer.say(Record(1, n, b"record"))]
    assert len(events) == limits.FLIGHT_MAX


def test_early_records_and_posts_take_bounded_memory() -> None:
    peer = hand_made()
    tracemalloc.start()
    for n in range(1, 400):
        peer.say(Record(1, n, bytes(limits.RECORD_BYTES_MAX)))
        peer.say(Record(2, n, bytes(limits.RECORD_BYTES_MAX)))
        peer.say(Record(3, n, bytes(limits.RECORD_BYTES_MAX)))
        peer.say(Post(b"bootboot", 0, n, 1, bytes(limits.POST_BYTES_MAX)))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 512 * 1024


def test_a_record_or_game_that_is_too_long_is_refused_here() -> None:
    channel = new_channel(0, random.Random(1))
    with pytest.raises(LocalError):
        channel.append(bytes(limits.RECORD_BYTES_MAX + 1), 0.0)
    for _ in range(limits.RECORDS_MAX):
        channel.append(b"", 0.0)
    with pytest.raises(LocalError):
        channel.append(b"", 0.0)


# --- games --------------------------------------------------------------------------------------------------


def test_a_record_needs_an_open_game() -> None:
    with pytest.raises(LocalError):
        new_channel(0, random.Random(1), game=0).append(b"record", 0.0)


@pytest.mark.parametrize("game", [0, 1, 2])
def test_games_are_numbered_upwards(game: int) -> None:
    with pytest.raises(LocalError):
        new_channel(0, random.Random(1), game=2).open_game(game)


def test_the_next_game_begins_with_an_empty_chain() -> None:
    line = connected()
    play(line, 4)
    for end in line.ends:
        end.open_game(2)
    assert [end.peer_next for end in line.ends] == [0, 0]
    play(line, 4)
    assert [end.settled for end in line.ends] == [True, True]


def test_records_of_the_next_game_wait_until_it_is_open_here() -> None:
    line = connected()
    host, guest = line.ends
    host.open_game(2)
    host.append(b"start", 0.0)
    line.carry()
    assert line.take(1) == []
    guest.open_game(2)
    line.carry()
    assert line.take(1) == [RecordArrived(0, b"start")]


def test_records_of_a_game_after_the_next_or_of_an_older_one_are_dropped() -> None:
    peer = hand_made(game=3)
    for game in (1, 2, 5):
        assert peer.say(Record(game, 0, b"other")) == []
    peer.host.open_game(4)
    peer.host.open_game(5)
    assert peer.say(Ack()) == []


def test_a_stash_for_one_game_is_not_taken_for_another() -> None:
    peer = hand_made(game=1)
    peer.say(Record(2, 0, b"second game"))
    peer.host.open_game(3)
    assert peer.say(Ack()) == []


def test_a_stash_is_handed_out_for_its_game_only() -> None:
    peer = hand_made(game=1)
    peer.say(Record(2, 0, b"second game"))
    peer.host.open_game(2)
    assert peer.say(Ack()) == [RecordArrived(0, b"second game")]
    peer.host.open_game(3)
    assert peer.say(Ack()) == []


def test_a_peer_in_a_later_game_needs_no_record_of_this_one() -> None:
    peer = hand_made(chain=[b"record"])
    peer.say(Ack(), Acks(2, 0, NO_BOOT, 0))
    assert peer.host.settled


def test_before_the_first_game_a_line_carries_posts_and_stashes_the_first_records() -> None:
    line = connected(game=0)
    host, guest = line.ends
    host.open_game(1)
    host.append(b"start", 0.0)
    guest.post(1, b"hello", 0.0)
    line.carry()
    assert line.take(0) == [PostArrived(1, b"hello")]
    guest.open_game(1)
    line.carry()
    assert line.take(1) == [RecordArrived(0, b"start")]


# --- posts --------------------------------------------------------------------------------------------------


def test_posts_of_both_sides_arrive_in_order_and_once() -> None:
    line = connected()
    for n in range(50):
        line.ends[n % 2].post(n, b"post %d" % n, 0.0)
    line.carry()
    for seat in (0, 1):
        assert line.take(seat) == [PostArrived(n, b"post %d" % n) for n in range(50) if n % 2 != seat]
    assert [end.settled for end in line.ends] == [True, True]


def test_posts_out_of_order_and_doubled_arrive_in_order_and_once() -> None:
    peer = hand_made()
    post = [Post(b"bootboot", 0, n, n, b"x") for n in range(3)]
    assert peer.say(post[1]) == []
    assert peer.say(post[1]) == []
    assert peer.say(post[0]) == [PostArrived(0, b"x"), PostArrived(1, b"x")]
    assert peer.say(post[0]) == []
    assert peer.say(post[2]) == [PostArrived(2, b"x")]


def test_an_unacknowledged_post_is_repeated() -> None:
    peer = hand_made()
    peer.host.post(7, b"note", 0.0)
    peer.hear()
    peer.host.tick(0.25)
    [post] = [payload for _, payload in peer.hear() if isinstance(payload, Post)]
    assert (post.n, post.kind, post.body) == (0, 7, b"note")
    peer.say(Ack(), Acks(1, 0, post.boot, 1), 0.3)
    assert peer.host.settled


def test_an_acknowledgement_of_another_run_or_of_what_was_not_sent_changes_nothing() -> None:
    peer = hand_made()
    peer.host.post(7, b"note", 0.0)
    [post] = [payload for _, payload in peer.hear() if isinstance(payload, Post)]
    peer.say(Ack(), Acks(1, 0, b"bootboot", 1))
    peer.say(Ack(), Acks(1, 0, post.boot, 2))
    peer.say(Ack(), Acks(1, 0, post.boot, 0))
    assert not peer.host.settled


def test_posts_go_on_when_their_sender_starts_again() -> None:
    line = connected()
    line.ends[0].post(1, b"before", 0.0)
    line.carry()
    line.ends[0] = new_channel(0, random.Random(9))
    line.ends[0].post(1, b"after", 0.0)
    line.ends[0].connect(0.0)
    line.carry()
    assert [event for event in line.take(1) if isinstance(event, PostArrived)] == [
        PostArrived(1, b"before"), PostArrived(1, b"after"),
    ]  # fmt: skip


def test_posts_go_on_when_their_receiver_starts_again() -> None:
    line = connected()
    for n in range(5):
        line.ends[0].post(n, b"before", 0.0)
    line.carry()
    line.take(1)
    line.ends[1] = new_channel(1, random.Random(9))
    line.ends[0].post(5, b"meanwhile", 0.0)
    line.ends[0].packets_to_send()  # to the process that is gone
    line.ends[1].connect(0.0)
    line.carry()
    line.ends[0].post(6, b"after", 0.0)
    line.carry()
    assert [event for event in line.take(1) if isinstance(event, PostArrived)] == [
        PostArrived(5, b"meanwhile"), PostArrived(6, b"after"),
    ]  # fmt: skip
    assert line.ends[0].settled


def test_posts_acknowledged_by_a_former_process_are_not_waited_for() -> None:
    peer = hand_made()
    assert peer.say(Post(b"bootboot", 3, 4, 4, b"x")) == []
    assert peer.say(Post(b"bootboot", 4, 4, 4, b"x")) == [PostArrived(4, b"x")]


def test_at_most_sixteen_posts_are_on_their_way() -> None:
    peer = hand_made()
    for n in range(40):
        peer.host.post(n, b"x", 0.0)
    flight = [payload for _, payload in peer.hear() if isinstance(payload, Post)]
    assert [post.n for post in flight] == list(range(limits.FLIGHT_MAX))
    peer.say(Ack(), Acks(1, 0, flight[0].boot, 5))
    flight = [payload for _, payload in peer.hear() if isinstance(payload, Post)]
    assert [post.n for post in flight] == list(range(limits.FLIGHT_MAX, limits.FLIGHT_MAX + 5))


def test_repeated_posts_are_not_kept() -> None:
    peer = hand_made()
    tracemalloc.start()
    for n in range(500):
        for _ in range(2):
            assert len(peer.say(Post(b"bootboot", n, n, 1, bytes(limits.POST_BYTES_MAX)))) <= 1
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 256 * 1024


def test_early_posts_that_were_given_up_are_not_kept() -> None:
    peer = hand_made()
    tracemalloc.start()
    for n in range(0, 1000, 40):
        for early in range(n + 1, n + 30):
            peer.say(Post(b"bootboot", n, early, 1, bytes(limits.POST_BYTES_MAX)))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 256 * 1024


def test_early_posts_of_a_former_process_are_forgotten() -> None:
    peer = hand_made()
    assert peer.say(Post(b"bootboot", 0, 1, 1, b"former")) == []
    assert peer.say(Post(b"new boot", 0, 0, 1, b"new")) == [PostArrived(1, b"new")]


def test_what_is_acknowledged_just_before_its_repeat_is_not_repeated() -> None:
    peer = hand_made()
    for n in range(3):
        peer.host.append(b"record %d" % n, 0.0)
        peer.host.post(n, b"x", 0.0)
    boot = next(payload.boot for _, payload in peer.hear() if isinstance(payload, Post))
    peer.host.tick(0.25)
    peer.say(Ack(), Acks(1, 2, boot, 2), 0.25)
    repeated = [payload for _, payload in peer.hear() if isinstance(payload, Record | Post)]
    assert repeated == [Record(1, 2, b"record 2"), Post(boot, 2, 2, 2, b"x")]


def test_posts_too_far_ahead_are_not_kept() -> None:
    peer = hand_made()
    for n in range(1, 100):
        assert peer.say(Post(b"bootboot", 0, n, 1, b"x")) == []
    assert len(peer.say(Post(b"bootboot", 0, 0, 1, b"x"))) == limits.POSTS_AHEAD_MAX + 1


@pytest.mark.parametrize(("kind", "size"), [(256, 0), (-1, 0), (0, limits.POST_BYTES_MAX + 1)])
def test_a_post_that_no_peer_would_read_is_refused_here(kind: int, size: int) -> None:
    with pytest.raises(LocalError):
        new_channel(0, random.Random(1)).post(kind, bytes(size), 0.0)


def test_posts_that_wait_for_an_absent_peer_are_bounded() -> None:
    channel = new_channel(0, random.Random(1))
    for _ in range(limits.POSTS_WAITING_MAX):
        channel.post(1, b"x", 0.0)
    with pytest.raises(LocalError):
        channel.post(1, b"x", 0.0)


# --- heartbeats ---------------------------------------------------------------------------------------------


def test_a_heartbeat_goes_out_every_three_seconds() -> None:
    peer = hand_made()
    times = []
    for tenth in range(100):
        peer.host.tick(tenth / 10)
        if any(isinstance(payload, Ping) for _, payload in peer.hear()):
            times.append(tenth / 10)
    assert times == [0.0, 3.0, 6.0, 9.0]


def test_a_ping_is_answered_with_its_token() -> None:
    peer = hand_made()
    peer.say(Ping(77))
    assert [payload for _, payload in peer.hear()] == [Pong(77)]


def test_the_round_trip_is_measured_and_smoothed() -> None:
    peer = hand_made()
    assert peer.host.rtt_s is None
    for start, trip_s, expected in ((0.0, 0.1, 0.1), (3.0, 0.5, 0.2)):
        peer.host.tick(start)
        [ping] = [payload for _, payload in peer.hear() if isinstance(payload, Ping)]
        peer.say(Pong(ping.token), now=start + trip_s)
        assert peer.host.rtt_s == pytest.approx(expected)


def test_an_answer_to_no_ping_or_to_an_old_one_measures_nothing() -> None:
    peer = hand_made()
    peer.host.tick(0.0)
    [ping] = [payload for _, payload in peer.hear() if isinstance(payload, Ping)]
    peer.say(Pong(ping.token + 1), now=1.0)
    for second in (3, 6, 9, 12):
        peer.host.tick(float(second))
    peer.say(Pong(ping.token), now=12.0)
    assert peer.host.rtt_s is None


def test_last_heard_is_the_time_of_the_last_authentic_packet() -> None:
    rng = random.Random(1)
    host = new_channel(0, rng)
    assert host.last_heard is None
    peer = HandMadePeer(host, rng)
    assert host.last_heard == 0.0
    peer.say(Ack(), now=5.0)
    host.receive(bytes(256), 6.0)
    assert host.last_heard == 5.0


def test_the_next_deadline_is_the_earliest_and_is_met_by_a_tick() -> None:
    line = connected()
    host = line.ends[0]
    host.append(b"record", 0.1)
    for _ in range(50):
        due = host.next_deadline()
        assert due is not None
        host.tick(due)
        later = host.next_deadline()
        assert later is not None
        assert later > due


# --- hostile packets ----------------------------------------------------------------------------------------


def test_ten_thousand_garbage_packets_are_counted_and_change_nothing() -> None:
    line = connected()
    host, guest = line.ends
    rng = random.Random(1)
    head = KEYS.conversation
    for n in range(10_000):
        size = rng.choice([*PACKET_SIZES[:2], rng.randrange(300)])
        garbage = rng.randbytes(size)
        if n % 2:
            garbage = (bytes([rng.randrange(3)]) + head + rng.randbytes(size))[:size]
        assert guest.receive(garbage, 0.0) == []
    assert guest.dropped == 10_000
    host.append(b"record", 0.0)
    line.carry()
    assert line.take(1) == [RecordArrived(0, b"record")]


@pytest.mark.parametrize("kind", [0, 3, 255])
def test_a_packet_of_an_unknown_type_is_dropped(kind: int) -> None:
    line = connected()
    host, guest = line.ends
    host.post(1, b"x", 0.0)
    [packet] = host.packets_to_send()
    assert guest.receive(bytes([kind]) + packet[1:], 0.0) == []
    assert guest.dropped == 1


def test_a_forged_counter_does_not_stop_genuine_packets() -> None:
    line = connected()
    host, guest = line.ends
    host.post(1, b"one", 0.0)
    [packet] = host.packets_to_send()
    for counter in (2**63, 2**64 - 1):
        guest.receive(packet[:18] + counter.to_bytes(8, "big") + packet[26:], 0.0)
    assert guest.receive(packet, 0.0) == [PostArrived(1, b"one")]
    host.post(1, b"two", 0.0)
    line.carry()
    assert line.take(1) == [PostArrived(1, b"two")]


def test_one_packet_replayed_a_thousand_times_counts_once() -> None:
    line = connected()
    host, guest = line.ends
    host.append(b"record", 0.0)
    [packet] = host.packets_to_send()
    events = [event for _ in range(1000) for event in guest.receive(packet, 0.0)]
    assert events == [RecordArrived(0, b"record")]
    assert guest.dropped == 999


def test_own_packets_sent_back_are_dropped() -> None:
    line = connected()
    host = line.ends[0]
    host.connect(0.0)
    host.append(b"record", 0.0)
    packets = host.packets_to_send()
    assert {is_hello(packet) for packet in packets} == {True, False}
    assert [host.receive(packet, 0.0) for packet in packets] == [[]] * len(packets)
    assert host.dropped == len(packets)
    assert host.packets_to_send() == []


def test_a_whole_old_session_replayed_brings_nothing_and_the_line_goes_on() -> None:
    rng = random.Random(1)
    line = Line(new_channel(0, rng), new_channel(1, rng))
    line.ends[0].connect(0.0)
    line.carry()
    line.events = [[], []]
    chain = play(line, 10)
    old = [list(sent) for sent in line.sent]
    line.ends = [new_channel(seat, rng, chain=chain) for seat in (0, 1)]
    line.ends[1].connect(0.0)
    line.carry()
    line.events = [[], []]
    for seat in (0, 1):
        for packet in old[seat]:
            for receiver in (0, 1):
                assert line.ends[receiver].receive(packet, 1.0) == []
    line.ends[0].append(b"next", 1.0)
    line.carry(1.0)
    assert RecordArrived(10, b"next") in line.take(1)


def test_a_packet_of_another_session_is_dropped() -> None:
    rng = random.Random(1)
    stranger = Channel(bytes(32), 1, rng.randbytes)
    stranger.connect(0.0)
    host = connected().ends[0]
    assert [host.receive(packet, 0.0) for packet in stranger.packets_to_send()] == [[]]
    assert host.dropped == 1
    assert host.packets_to_send() == []


def test_a_packet_of_any_other_size_is_dropped_unread() -> None:
    peer = hand_made()
    packet = peer.epoch.seal(bytes(100))
    assert peer.host.receive(packet, 0.0) == []
    assert peer.host.dropped == 1


def test_an_authentic_packet_that_cannot_be_read_is_malformed() -> None:
    peer = hand_made()
    with pytest.raises(Malformed):
        peer.host.receive(peer.epoch.seal(bytes(214)), 0.0)


def test_every_packet_has_one_of_four_sizes() -> None:
    line = connected()
    for n, size in enumerate((0, 100, 300, 900, 3000, 5000, limits.RECORD_BYTES_MAX)):
        line.ends[0].append(bytes(size), 0.0)
        line.ends[1].post(n, bytes(min(size, limits.POST_BYTES_MAX)), 0.0)
        line.ends[0].connect(0.0)
        line.carry()
    assert {len(packet) for packet in line.sent[0] + line.sent[1]} == set(PACKET_SIZES)


# --- after a crash ------------------------------------------------------------------------------------------


def test_peer_who_has_not_heard_us_in_an_epoch_may_still_listen_in_the_one_before() -> None:
    peer = hand_made()  # his SYNC has come, and ours has not reached him
    assert not peer.host.peer_moved_on


@pytest.mark.parametrize("payload", [Sync(bytes(32), True), Ping(1), Ack()], ids=repr)
def test_peer_who_has_heard_us_in_an_epoch_has_left_the_one_before(payload: Payload) -> None:
    peer = hand_made()
    peer.say(payload)
    assert peer.host.peer_moved_on


def test_each_epoch_has_to_show_anew_that_the_peer_has_moved_on() -> None:
    line = connected()
    assert [end.peer_moved_on for end in line.ends] == [True, True]
    new = HandMadePeer(line.ends[0], random.Random(6))
    assert not line.ends[0].peer_moved_on
    new.say(Ping(1))
    assert line.ends[0].peer_moved_on


def test_nothing_shows_where_the_peer_listens_before_he_is_heard() -> None:
    assert not new_channel(0, random.Random(1)).peer_moved_on


def test_record_that_waits_is_forgotten_when_the_peer_speaks_anew_for_he_may_have_lost_its_course() -> None:
    records = Records()
    records.open_game(1)
    assert records.arrive(1, 1, b"of the old course") == []
    records.peer_has(1, 0, anew=True)
    assert records.arrive(1, 0, b"first") == [RecordArrived(0, b"first")]
    assert records.arrive(1, 1, b"second") == [RecordArrived(1, b"second")]
