"""How addresses of brokers are read and shown."""

import pytest

from p2pdurak.transport.base import TransportError
from p2pdurak.transport.url import PRESETS, BadUrl, BrokerUrl, broker_url


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("play.example", BrokerUrl("play.example", 1883)),
        ("play.example:2000", BrokerUrl("play.example", 2000)),
        (" 10.0.0.7:1884 ", BrokerUrl("10.0.0.7", 1884)),
        ("mqtt://play.example", BrokerUrl("play.example", 1883)),
        ("mqtts://play.example", BrokerUrl("play.example", 8883, tls=True)),
        ("mqtts://play.example:443/", BrokerUrl("play.example", 443, tls=True)),
        ("MQTT://Play.Example", BrokerUrl("play.example", 1883)),
        ("[::1]:1885", BrokerUrl("::1", 1885)),
        ("mqtt://[fe80::1]", BrokerUrl("fe80::1", 1883)),
        ("mira:pw@play.example", BrokerUrl("play.example", 1883, user="mira", password="pw")),
        ("mqtt://mira@play.example", BrokerUrl("play.example", 1883, user="mira")),
        ("mqtt://m%40x:p%2F%3A%20w@h", BrokerUrl("h", 1883, user="m@x", password="p/: w")),
        ("mqtts://h?cafile=/etc/my%20ca.pem", BrokerUrl("h", 8883, tls=True, cafile="/etc/my ca.pem")),
    ],
)
def test_an_address_is_read(text, expected):
    assert BrokerUrl.parse(text) == expected


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("", "missing"),
        ("mqtt://", "missing"),
        (":1883", "missing"),
        ("mqtt://mira:pw@", "missing"),
        ("http://play.example", "http"),
        ("ws://play.example", "ws"),
        ("play.example:0", "1 to 65535"),
        ("play.example:65536", "port"),
        ("play.example:x", "port"),
        ("play.example:1883/topic", "Nothing but"),
        ("play.example#x", "Nothing but"),
        ("play example", "spaces"),
        ("play.exa\nmple", "spaces"),
        ("mqtt://:pw@play.example", "user name"),
        ("[::1", "brackets"),
        ("::1", "port"),
        ("[::zz]:1883", "brackets|IPv6"),
        ("a..b", "doubled dots"),
        ("x" * 64, "63"),
        ("mqtts://h?ca=1", "cafile"),
        ("mqtts://h?cafile=", "cafile"),
        ("mqtts://h?cafile=a&cafile2=b", "cafile"),
        ("mqtt://h?cafile=a", "mqtts"),
    ],
)
def test_a_bad_address_is_refused_with_a_sentence(text, about):
    with pytest.raises(BadUrl, match=about) as caught:
        BrokerUrl.parse(text)
    assert isinstance(caught.value, TransportError)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "text", ["mqtt://mira:s3cret@h:0", "mira:s3cret@h:x", "mqtt://mira:s3cret@a..b", "mira:s3/cret@h"]
)
def test_the_sentence_about_a_bad_address_never_holds_the_password(text):
    with pytest.raises(BadUrl) as caught:
        BrokerUrl.parse(text)
    assert "s3" not in str(caught.value)


def test_the_password_is_in_neither_str_nor_repr_nor_address():
    url = BrokerUrl.parse("mqtts://mira:s3cret@play.example")
    assert str(url) == url.address == "mqtts://play.example:8883"
    assert "s3cret" not in repr(url)


@pytest.mark.parametrize(
    "text",
    ["mqtt://h:1883", "mqtts://u:p%40%2F%3A%25@h:1?cafile=/a%20b%26c", "mqtt://u@[::1]:9", "mqtt://%D0%BC:%20@h:5"],
)
def test_writing_an_address_in_full_is_the_inverse_of_reading_it(text):
    url = BrokerUrl.parse(text)
    assert BrokerUrl.parse(url.with_password()) == url


def test_an_ipv6_address_is_shown_in_brackets():
    assert BrokerUrl("::1", 1883).address == "[::1]:1883"


@pytest.mark.parametrize("name", ["emqx", "HiveMQ", " mosquitto "])
def test_a_preset_is_known_by_its_name_and_always_encrypted(name):
    assert broker_url(name) == PRESETS[name.strip().lower()]
    assert broker_url(name).tls


def test_what_is_no_preset_is_an_address():
    assert broker_url("rabbit") == BrokerUrl("rabbit", 1883)
