"""What a client may say to the embedded broker."""

import pytest

pytest.importorskip("hypothesis")

from hypothesis import given
from hypothesis import strategies as st

from fairdeck.limits import PACKET_BYTES_MAX
from p2pdurak.transport.gate import CONNECT_S, IDLE_S_MAX, TOPICS_MAX, Gate, RefusedError, first_byte
from tests.transport.raw import connect_body, publish_body, subscribe_body, text, unsubscribe_body

T = "p2pdurak/1/x"
CONNECT, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, PING, DISCONNECT = 0x10, 0x30, 0x82, 0xA2, 0xC0, 0xE0


def connected():
    gate = Gate("c1")
    gate.admit(CONNECT, connect_body())
    return gate


def test_a_new_connection_has_little_time_to_say_who_it_is():
    assert Gate("c1").idle_s == CONNECT_S


def test_connect_passes_without_its_keepalive():
    gate = Gate("c1")
    assert gate.admit(CONNECT, connect_body("c1", keepalive=10)) == connect_body("c1", keepalive=0)
    assert gate.connected


@pytest.mark.parametrize("own", ["", "another's", "c2", "x" * 64])
def test_connect_is_handed_on_under_our_name_whatever_a_client_calls_itself(own):
    assert Gate("c1").admit(CONNECT, connect_body(own, keepalive=0)) == connect_body("c1", keepalive=0)


@pytest.mark.parametrize(("keepalive", "idle_s"), [(10, 15), (0, IDLE_S_MAX), (65535, IDLE_S_MAX)])
def test_a_client_may_be_silent_for_one_and_a_half_keepalives_but_not_for_ever(keepalive, idle_s):
    gate = Gate("c1")
    gate.admit(CONNECT, connect_body(keepalive=keepalive))
    assert gate.idle_s == idle_s


def test_a_login_is_read_over():
    body = connect_body("c1", flags=0xC2, tail=text("mira") + text("pw"))
    assert Gate("c1").admit(CONNECT, body)[10:] == body[10:]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        connect_body(name="MQIsdp"),
        connect_body(level=5),
        connect_body(flags=0x00),
        connect_body(flags=0x03),
        connect_body(flags=0x06, tail=text(T) + text("bye")),
        connect_body(flags=0x26, tail=text(T) + text("bye")),
        connect_body(client_id="x" * 65),
        connect_body(client_id=b"\xff"),
        connect_body(tail=b"\x00"),
        connect_body(flags=0x82),
        connect_body(flags=0x82, tail=text("x" * 257)),
        connect_body()[:-1],
        connect_body()[:9],
    ],
)
def test_a_strange_connect_is_refused(body):
    with pytest.raises(RefusedError):
        Gate("c1").admit(CONNECT, body)


@pytest.mark.parametrize("first", [PUBLISH, SUBSCRIBE, UNSUBSCRIBE, PING, DISCONNECT])
def test_nothing_comes_before_connect(first):
    with pytest.raises(RefusedError):
        first_byte(first, connected=False)


def test_connect_comes_once():
    with pytest.raises(RefusedError):
        connected().admit(CONNECT, connect_body())


@pytest.mark.parametrize(
    "first", [0x31, 0x32, 0x34, 0x38, 0x80, 0xA0, 0x00, 0x20, 0x40, 0x50, 0x62, 0x70, 0x90, 0xF0, 0xC1]
)
def test_a_packet_that_is_not_served_is_refused_by_its_first_byte(first):
    with pytest.raises(RefusedError):
        first_byte(first, connected=True)


def test_a_packet_of_the_game_passes_as_it_is():
    body = publish_body(T, bytes(PACKET_BYTES_MAX))
    assert connected().admit(PUBLISH, body) == body


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00",
        text(T)[:-1],
        publish_body(T, bytes(PACKET_BYTES_MAX + 1)),
        *(
            publish_body(topic)
            for topic in ("", "x", "$SYS/x", "p2pdurak/1/#", "p2pdurak/1/+", "p2pdurak/1/é", b"\xff")
        ),
    ],
)
def test_a_strange_publish_is_refused(body):
    with pytest.raises(RefusedError):
        connected().admit(PUBLISH, body)


@pytest.mark.parametrize("qos", [0, 1, 2])
def test_a_subscription_is_handed_on_at_qos_0(qos):
    assert connected().admit(SUBSCRIBE, subscribe_body(T, T + "y", qos=qos)) == subscribe_body(T, T + "y")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00\x01",
        subscribe_body(T, packet_id=0),
        subscribe_body(T, qos=3),
        subscribe_body(T)[:-1],
        subscribe_body(T) + b"\x00",
        subscribe_body(b"\xff"),
    ],
)
def test_a_strange_subscribe_is_refused(body):
    with pytest.raises(RefusedError):
        connected().admit(SUBSCRIBE, body)


def test_subscriptions_are_counted_over_all_packets():
    gate = connected()
    for number in range(TOPICS_MAX):
        gate.admit(SUBSCRIBE, subscribe_body(f"{T}{number}"))
    gate.admit(SUBSCRIBE, subscribe_body(f"{T}0"))
    gate.admit(UNSUBSCRIBE, unsubscribe_body(f"{T}0"))
    gate.admit(SUBSCRIBE, subscribe_body(T))
    with pytest.raises(RefusedError):
        gate.admit(SUBSCRIBE, subscribe_body(T + "one too many"))


@pytest.mark.parametrize("body", [b"", b"\x00\x01", unsubscribe_body(T, packet_id=0), unsubscribe_body(T)[:-1]])
def test_a_strange_unsubscribe_is_refused(body):
    with pytest.raises(RefusedError):
        connected().admit(UNSUBSCRIBE, body)


@pytest.mark.parametrize("first", [PING, DISCONNECT])
def test_bytes_in_an_empty_packet_are_refused(first):
    assert connected().admit(first, b"") == b""
    with pytest.raises(RefusedError):
        connected().admit(first, b"\x00")


@given(st.sampled_from([PUBLISH, SUBSCRIBE, UNSUBSCRIBE, PING, DISCONNECT]), st.binary(max_size=60))
def test_any_bytes_are_handed_on_in_full_or_refused(first, body):
    try:
        passed = connected().admit(first, body)
    except RefusedError:
        return
    assert len(passed) == len(body)


@given(st.data())
def test_a_damaged_packet_is_handed_on_in_full_or_refused(data):
    gate, first, body = data.draw(
        st.sampled_from(
            [
                (Gate("c1"), CONNECT, connect_body(flags=0xC2, tail=text("mira") + text("pw"))),
                (connected(), PUBLISH, publish_body(T, b"card")),
                (connected(), SUBSCRIBE, subscribe_body(T, T)),
                (connected(), UNSUBSCRIBE, unsubscribe_body(T, T)),
            ]
        )
    )
    damaged = bytearray(body)
    damaged[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    try:
        passed = gate.admit(first, bytes(damaged))
    except RefusedError:
        return
    if first == CONNECT:  # the id that it gave itself is exchanged for a name that is as long as the undamaged one
        assert passed.startswith(connect_body("c1", flags=damaged[7], keepalive=0))
    else:
        assert len(passed) == len(body)
