"""Strangers on the topics of a running match: they have every packet and no key, so nothing that they say is heard."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from random import Random

import pytest

from fairdeck.packets import PACKET_SIZES
from p2pdurak.events import LinkState, Reason, Said, Trouble
from tests.table.pairs import Pair

Sit = Callable[..., Pair]

HEADER_BYTES = 26
MEMORY_MAX = 64 * 1024 * 1024


def assert_ends_as_if_nothing_had_been(pair: Pair) -> None:
    pair.play().wait(5.0)
    assert [side.result.reason for side in pair.sides] == [Reason.CARDS] * 2
    assert pair.host.saved().records == pair.guest.saved().records
    assert [side.told(Trouble) + side.told(Said) for side in pair.sides] == [[], []]


def heard_from(pair: Pair, seat: int) -> tuple[object, ...]:
    """What would change if a packet were taken for the peer's."""
    duel = pair.sides[seat].duel
    return duel.channel.last_heard, duel.channel.peer_next, len(pair.sides[seat].game.session.records)


def overheard(pair: Pair, by: int) -> list[bytes]:
    return [packet for sender, packet in pair.sent if sender == by]


def test_one_packet_a_thousand_times_moves_the_game_once(sit: Sit) -> None:
    pair = sit().deal()
    pair.move()
    packet = overheard(pair, 0)[-1]
    before = heard_from(pair, 1)
    pair.now += 1.0
    for _ in range(1000):
        pair.guest.duel.receive(packet, pair.now)
    assert heard_from(pair, 1) == before
    assert_ends_as_if_nothing_had_been(pair)


@pytest.mark.slow
def test_a_whole_old_evening_replayed_changes_nothing(sit: Sit) -> None:
    former = sit(seed="an old match").deal().play().wait(5.0)
    pair = sit().deal()
    before = [heard_from(pair, seat) for seat in (0, 1)]
    pair.now += 1.0
    for sender, packet in former.sent:
        pair.sides[1 - sender].duel.receive(packet, pair.now)
    assert [heard_from(pair, seat) for seat in (0, 1)] == before
    assert_ends_as_if_nothing_had_been(pair)


@pytest.mark.slow
def test_no_flipped_bit_of_a_header_is_heard(sit: Sit) -> None:
    """Among them is a counter that is forged to be 2^63 higher."""
    pair = sit().deal()
    pair.move()
    before = heard_from(pair, 1)
    pair.now += 1.0
    for packet in overheard(pair, 0)[-3:]:
        for bit in range(8 * HEADER_BYTES):
            flipped = bytearray(packet)
            flipped[bit // 8] ^= 1 << bit % 8
            pair.guest.duel.receive(bytes(flipped), pair.now)
    assert heard_from(pair, 1) == before
    assert_ends_as_if_nothing_had_been(pair)


def test_a_packet_cut_anywhere_is_not_heard(sit: Sit) -> None:
    pair = sit().deal()
    pair.move()
    before = heard_from(pair, 1)
    pair.now += 1.0
    packet = overheard(pair, 0)[-1]
    for length in range(len(packet)):
        pair.guest.duel.receive(packet[:length], pair.now)
    assert heard_from(pair, 1) == before
    assert_ends_as_if_nothing_had_been(pair)


@pytest.mark.slow
def test_a_hundred_thousand_packets_of_garbage_in_ten_seconds_stop_no_game_and_take_no_memory(sit: Sit) -> None:
    rng = Random(43)
    pair = sit().deal()
    noise = [rng.randbytes(size) for size in (0, 1, HEADER_BYTES, *PACKET_SIZES) for _ in range(8)]
    moves = len(pair.host.game.session.records)
    tracemalloc.start()
    try:
        for _ in range(100):
            head = overheard(pair, 0)[-1][:HEADER_BYTES]
            for number in range(1000):
                packet = noise[number % len(noise)]
                packet = head + packet[HEADER_BYTES:] if number % 2 else packet
                pair.sides[number % 3 % 2].duel.receive(packet, pair.now)
            pair.now += 0.1
            pair.pump()
            if not pair.host.game.ended:
                pair.move()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MEMORY_MAX
    assert len(pair.host.game.session.records) > moves + 10
    assert [side.told(LinkState)[1:] for side in pair.sides] == [[], []], "nobody is told of it again and again"
    assert_ends_as_if_nothing_had_been(pair)
