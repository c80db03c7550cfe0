"""What upper layers would hide if it went wrong: each layer is asked by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairdeck.channel import Channel, PeerSynced
from fairdeck.elgamal import first_deck
from fairdeck.epochs import Epochs, Timers
from fairdeck.errors import LocalError
from fairdeck.group import encode_scalar, times_base
from fairdeck.sealing import HELLO, Epoch, session_keys
from fairdeck.session import Session
from fairdeck.shuffle import Statement, _challenges
from fairdeck.sigma import Unequal, _unequal_challenge, verify_unequal
from fairdeck.streams import Records
from fairdeck.transcript import context
from tests.fairdeck.cheap import CHEAP, SeededRng, in_bout, sit_down

SECRET = b"what both sides know, 32 bytes.."
KEYS = session_keys(SECRET)
MESSAGE = bytes(214)


def shake_hands() -> tuple[Epochs, Epochs, list[bytes]]:
    """Two seats that have opened an epoch together, and every HELLO that the guest has sent."""
    host, guest = (Epochs(KEYS, seat, SeededRng(f"epochs {seat}"), Timers()) for seat in (0, 1))
    host.connect(0.0)
    said: list[bytes] = []
    for _ in range(3):
        for packet in host.hellos:
            guest.hear_hello(packet, 0.0)
        host.hellos = []
        for packet in guest.hellos:
            said.append(packet)
            host.hear_hello(packet, 0.0)
        guest.hellos = []
    return host, guest, said


def sealed_in(epoch: Epoch | None, packets: set[bytes], count: int) -> list[bytes]:
    """Seal the same message so many times; the headers, each of which names epoch, sender and counter."""
    headers = []
    for _ in range(count):
        assert epoch is not None
        packet = epoch.seal(MESSAGE)
        headers.append(packet[:26])
        packets.add(packet)
    return headers


def test_no_counter_is_used_twice_under_one_key() -> None:
    host, _, _ = shake_hands()
    packets: set[bytes] = set()
    headers = sealed_in(host.pending, packets, 50)
    assert len(set(headers)) == len(packets) == 50


def test_no_counter_is_used_twice_under_one_key_whatever_hello_comes_again() -> None:
    """An epoch that was opened anew by an old HELLO would have the same keys, and would count from 0 again."""
    host, _, said = shake_hands()
    headers = sealed_in(host.pending, set(), 3)
    for packet in said:
        host.hear_hello(packet, 100.0)
    headers += sealed_in(host.pending, set(), 3)
    assert len(set(headers)) == 6


def test_each_direction_has_a_key_of_its_own() -> None:
    """Under one key the first packets of both sides would be masked alike, although none can be sent back."""
    host, guest, _ = shake_hands()
    bodies = [epoch.seal(MESSAGE)[26:-16] for epoch in (host.pending, guest.pending) if epoch is not None]
    assert len(set(bodies)) == 2


def carried(source: Channel, target: Channel) -> None:
    for packet in source.packets_to_send():
        target.receive(packet, 0.0)


def test_peer_has_left_the_old_epoch_when_he_has_heard_us_in_the_new_one_not_when_he_speaks_in_it() -> None:
    """Until then a late record of our dead process may reach him, which he does not count while he speaks."""
    host, guest = (Channel(SECRET, seat, SeededRng(f"seat {seat}")) for seat in (0, 1))
    host.connect(0.0)
    for _ in range(6):
        carried(host, guest)
        carried(guest, host)
    assert host.peer_moved_on
    again = Channel(SECRET, 0, SeededRng("seat 0, started again"))
    again.connect(0.0)
    carried(again, guest)
    carried(guest, again)
    for packet in again.packets_to_send():
        if packet[0] == HELLO:  # the SYNC beside it is lost: he opens the new epoch, and has not heard us in it
            guest.receive(packet, 0.0)
    synced = [event for packet in guest.packets_to_send() for event in again.receive(packet, 0.0)]
    assert any(isinstance(event, PeerSynced) for event in synced)
    assert not again.peer_moved_on
    again.tick(1.0)  # what was lost is sent again
    carried(again, guest)
    carried(guest, again)
    assert again.peer_moved_on


def test_peer_who_says_he_has_less_than_before_is_believed_at_the_first_word_of_an_epoch_only() -> None:
    records = Records()
    records.open_game(1)
    for record in (b"zero", b"one", b"two"):
        records.append(record)
    records.take_flight()
    records.peer_has(1, 3)
    assert not records.peer_has(1, 1)
    assert records.take_flight() == []
    assert records.peer_has(1, 1, anew=True)
    assert [sent.record for sent in records.take_flight()] == [b"one", b"two"]


def test_denial_of_a_held_card_is_refused_also_where_its_author_answers_the_verifiers_own_challenge() -> None:
    """He blinds with another exponent than his key. Only that the challenge hangs on the second equation stops him."""
    x, z, b, k1, k2, ctx = 11, 7, 5, 3, 2, b"a denial"
    Y, A = times_base(CHEAP, x), times_base(CHEAP, 13)
    held = Unequal(A, x * A)
    W, T1 = z * held.V - b * A, k1 * held.V - k2 * A
    c = _unequal_challenge(ctx, Y, [held], [W], [T1], [k1 * Y - times_base(CHEAP, k2)])
    answers = [(k1 + c * z) % CHEAP.order, (k2 + c * b) % CHEAP.order]
    proof = W.data + b"".join(encode_scalar(number) for number in (c, *answers))
    assert not verify_unequal(ctx, Y, [held], proof)


def test_challenges_of_a_shuffle_hang_on_the_commitment_and_on_the_whole_statement() -> None:
    """Who knew them before he commits could choose a commitment for a list that is no shuffle."""
    Y = times_base(CHEAP, 5)
    inp = first_deck(CHEAP, Y, 3)
    statement = Statement(context(bytes(32), 0, "shuffle"), Y, inp, inp)
    commitment = [times_base(CHEAP, k) for k in (1, 2, 3)]
    others = [
        _challenges(statement, [*commitment[:2], times_base(CHEAP, 4)]),
        _challenges(replace(statement, ctx=context(bytes(32), 1, "shuffle")), commitment),
        _challenges(replace(statement, Y=times_base(CHEAP, 6)), commitment),
        _challenges(replace(statement, inp=inp[::-1]), commitment),
        _challenges(replace(statement, out=inp[::-1]), commitment),
    ]
    mine = _challenges(statement, commitment)
    assert all(not set(mine) & set(other) for other in others)


def test_game_key_is_refused_before_a_note_is_even_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pair = sit_down().play(until=in_bout)
    monkeypatch.setattr(Session, "note", lambda *_: pytest.fail("a key was about to be shown"))
    for session in pair.seats:
        with pytest.raises(LocalError, match="only after the end"):
            session.open_note()
