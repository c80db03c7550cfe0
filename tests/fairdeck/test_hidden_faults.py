"""Faults that the layers above hide, and that a test of one layer must find: memory, secrets shown, equal nonces."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from fairdeck import limits
from fairdeck.errors import Malformed
from fairdeck.game import IllegalAction
from fairdeck.group import EDWARDS25519, Point, decode_scalars, times_base
from fairdeck.packets import OVERHEAD_BYTES, PACKET_SIZES, Ack, Record, decode_message, encode_message
from fairdeck.referee import present
from fairdeck.sealing import SessionKeys, StrayPacketError, session_keys
from fairdeck.sigma import Unequal, prove_equal, prove_key, prove_unequal
from fairdeck.streams import RecordArrived
from fairdeck.wire import Kind, decode_note, decode_record
from p2pdurak.durak import DENY, DURAK
from p2pdurak.rules.actions import Deny
from tests.fairdeck.blame import body_of
from tests.fairdeck.games import played
from tests.fairdeck.test_channel import NOTHING, hand_made
from tests.fairdeck.test_sealing import epoch_pair

MESSAGE = encode_message(NOTHING, Ack())
CTX, OTHER_CTX = b"\1" * 32, b"\2" * 32
X = 0x1234_5678_9ABC


# --- the window of a sealed line ----------------------------------------------------------------------------


def test_a_long_line_remembers_no_more_counters_than_the_window_has() -> None:
    host, guest = epoch_pair()
    for _ in range(50):
        host._counter += limits.LATE_PACKETS_MAX - 2  # the longest step that keeps a part of what was seen
        assert guest.open(host.seal(MESSAGE)) == MESSAGE
    assert guest._seen.bit_length() <= limits.LATE_PACKETS_MAX


def test_what_was_seen_before_a_jump_over_the_window_hides_nothing_behind_the_jump() -> None:
    """Late packets there are genuine, and were never seen."""
    host, guest = epoch_pair()
    for _ in range(20):
        guest.open(host.seal(MESSAGE))
    host._counter += limits.LATE_PACKETS_MAX
    late = [host.seal(MESSAGE) for _ in range(20)]
    guest.open(late[-1])
    assert [guest.open(packet) for packet in late[:-1]] == [MESSAGE] * 19
    for packet in late:
        with pytest.raises(StrayPacketError):
            guest.open(packet)


# --- what a line hands out, and what a peer can make it read ------------------------------------------------


def test_what_came_early_for_a_game_is_handed_out_before_what_comes_now() -> None:
    peer = hand_made()
    for seq in (0, 1):
        assert peer.say(Record(2, seq, b"early %d" % seq)) == []
    peer.host.open_game(2)
    arrived = [RecordArrived(0, b"early 0"), RecordArrived(1, b"early 1"), RecordArrived(2, b"now")]
    assert peer.say(Record(2, 2, b"now")) == arrived


def test_a_forged_packet_of_the_present_epoch_is_no_sign_of_life() -> None:
    """Else whoever can write to the line keeps a peer present who is away."""
    peer = hand_made()
    heard = peer.host.last_heard
    packet = peer.epoch.seal(encode_message(NOTHING, Ack()))
    assert peer.host.receive(packet[:-1] + bytes([packet[-1] ^ 1]), 50.0) == []
    assert peer.host.last_heard == heard == 0.0
    peer.host.receive(packet, 60.0)
    assert peer.host.last_heard == 60.0


@pytest.mark.parametrize(
    "filling", [b"\x80", b"\x90", b"\x91\x90", b"\xa0", b"\xc4\x00", b"\x00", b"\x91", b"\x81\xa0"]
)
@pytest.mark.parametrize("opened", [b"", b"\x9f", b"\xdc\x3e\x80", b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff"])
def test_a_hostile_sealed_message_of_the_largest_size_takes_little_memory(opened: bytes, filling: bytes) -> None:
    """Also nested as deep as its bytes go."""
    room = limits.PACKET_BYTES_MAX - OVERHEAD_BYTES - 2
    packed = (opened + filling * room)[:room]
    message = len(packed).to_bytes(2, "big") + packed
    tracemalloc.start()
    with pytest.raises(Malformed):
        decode_message(message)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * 1024 * 1024


@pytest.mark.parametrize("game", [1, 2], ids=["this game", "the next game"])
def test_of_two_records_that_wait_for_one_place_the_first_is_handed_out(game: int) -> None:
    """Whoever can make another one later cannot take back the one that is here."""
    peer = hand_made()
    for record in (b"one", b"two"):
        assert peer.say(Record(game, 1, record)) == []
    if game == 2:
        peer.host.open_game(2)
    assert peer.say(Record(game, 0, b"first")) == [RecordArrived(0, b"first"), RecordArrived(1, b"one")]


@pytest.mark.parametrize("packed", [b"\x80", b"\x81\xa1a\x01", b"\x82\xa1a\x01\xa1a\x02", b"\x82\x01\x01\x01\x01"])
def test_a_map_is_malformed_whatever_its_keys_are(packed: bytes) -> None:
    """Also one with a key twice: readers differ over which of them counts."""
    for decode in (decode_record, decode_note):
        for inside in (packed, b"\x91" + packed):
            with pytest.raises(Malformed):
                decode(inside + bytes(64))
    room = PACKET_SIZES[0] - OVERHEAD_BYTES
    with pytest.raises(Malformed):
        decode_message((len(packed).to_bytes(2, "big") + packed).ljust(room, b"\0"))


@pytest.mark.parametrize("kind", range(6))
def test_a_card_outside_the_deck_is_in_no_action(kind: int) -> None:
    for number in range(36, 256):
        with pytest.raises(IllegalAction, match="not in the deck"):
            DURAK.decode(bytes([kind, number]))
        with pytest.raises(IllegalAction, match="not in the deck"):
            DURAK.decode(bytes([kind, 0, 1, number]))


def test_a_card_that_is_denied_twice_is_no_answer_to_its_question() -> None:
    place = played().at(Kind.MOVE, 0, lambda move: move.action[0] == DENY)
    state = present(played().before[place].state)
    asked = DURAK.decode(body_of(decode_record(played().records[place])).action)
    assert isinstance(asked, Deny)
    DURAK.apply(state, asked)
    with pytest.raises(IllegalAction):
        DURAK.apply(state, Deny((*asked.cards, asked.cards[0])))


# --- secrets in what is printed -----------------------------------------------------------------------------


def test_the_keys_of_a_session_do_not_show_in_a_repr() -> None:
    """A traceback or a log may hold one."""
    keys: SessionKeys = session_keys(bytes(range(32)))
    shown = repr(keys) + str(keys) + repr([keys])
    for secret in (keys.secret, *keys.hello, keys.exporter):
        assert secret.hex() not in shown
        assert repr(secret)[2:-1] not in shown


# --- nonces where the generator is broken -------------------------------------------------------------------


def broken(count: int) -> bytes:
    """A generator that gives the same bytes for ever."""
    return bytes(count)


def point(k: int) -> Point:
    return times_base(EDWARDS25519, k)


def nonce_of(proof: bytes) -> int:
    """Whoever knows x can tell the nonce of a proof of one logarithm."""
    c, s = decode_scalars(EDWARDS25519, proof)
    return (s - c * X) % EDWARDS25519.order


def test_possession_proofs_in_two_games_share_no_nonce_though_the_generator_is_broken() -> None:
    proofs = [prove_key(ctx, X, point(X), broken) for ctx in (CTX, OTHER_CTX)]
    assert nonce_of(proofs[0]) != nonce_of(proofs[1])


@pytest.mark.parametrize("changed", ["ctx", "Y", "A", "D"])
def test_proofs_of_two_shares_share_no_nonce_though_the_generator_is_broken(changed: str) -> None:
    """Two equations with one nonce give the secret key; also where the statement is a false one."""
    right: dict[str, Any] = {"ctx": CTX, "Y": point(X), "A": point(7), "D": point(7 * X)}
    other = right | {changed: OTHER_CTX if changed == "ctx" else point(99)}
    one, two = (prove_equal(x=X, rng=broken, **statement) for statement in (right, other))
    assert nonce_of(one) != nonce_of(two)


@pytest.mark.parametrize("changed", ["ctx", "A", "V"])
def test_two_denials_share_no_secret_though_the_generator_is_broken(changed: str) -> None:
    """W = z (V - x A) tells whether z was the same."""
    right: dict[str, Any] = {"ctx": CTX, "A": 7, "V": 11}
    other = right | {changed: OTHER_CTX if changed == "ctx" else 99}
    blindings = []
    for denied in (right, other):
        A, V = denied["A"], denied["V"]
        proof = prove_unequal(denied["ctx"], X, point(X), [Unequal(point(A), point(V))], broken)
        blindings.append(pow(V - X * A, -1, EDWARDS25519.order) * Point(EDWARDS25519, proof[:32]))
    assert blindings[0] != blindings[1]
