"""MQTT packets by hand, for clients that no library would be: a stranger at the broker's door."""

from __future__ import annotations

import asyncio


def text(words):
    data = words.encode() if isinstance(words, str) else words
    return len(data).to_bytes(2, "big") + data


def packet(first, body):
    length, field = len(body), bytearray()
    while True:
        length, low = divmod(length, 128)
        field.append(low | (128 if length else 0))
        if not length:
            return bytes([first]) + bytes(field) + body


def connect_body(client_id="stranger", flags=0x02, keepalive=10, name="MQTT", level=4, tail=b""):
    return text(name) + bytes([level, flags]) + keepalive.to_bytes(2, "big") + text(client_id) + tail


def connect(**fields):
    return packet(0x10, connect_body(**fields))


def publish_body(topic, payload=b""):
    return text(topic) + payload


def publish(topic, payload=b"", flags=0):
    return packet(0x30 | flags, publish_body(topic, payload))


def subscribe_body(*topics, qos=0, packet_id=1):
    return packet_id.to_bytes(2, "big") + b"".join(text(topic) + bytes([qos]) for topic in topics)


def subscribe(*topics, qos=0, packet_id=1):
    return packet(0x82, subscribe_body(*topics, qos=qos, packet_id=packet_id))


def unsubscribe_body(*topics, packet_id=1):
    return packet_id.to_bytes(2, "big") + b"".join(text(topic) for topic in topics)


def unsubscribe(*topics, packet_id=1):
    return packet(0xA2, unsubscribe_body(*topics, packet_id=packet_id))


PING, PONG, DISCONNECT = b"\xc0\x00", b"\xd0\x00", b"\xe0\x00"
CONNACK = b"\x20\x02\x00\x00"


class Stranger:
    """A raw connection to a broker: `async with Stranger(port) as stranger`."""

    def __init__(self, port, greet=True, source="127.0.0.1", client_id="stranger"):
        self._port = port
        self._greet = greet
        self._source = source, 0
        self._client_id = client_id

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=self._source)
        if self._greet:
            self.say(connect(client_id=self._client_id))
            greeting = await self.hear()
            if greeting != CONNACK:
                raise AssertionError(f"the broker greets with {greeting!r}")
        return self

    async def __aexit__(self, *_):
        self.writer.transport.abort()
        await asyncio.sleep(0)

    def say(self, data):
        self.writer.write(data)

    async def hear(self, within_s=10):
        """Return the next packet of less than 16 KiB, or b"" when the broker has closed the connection."""
        try:
            async with asyncio.timeout(within_s):
                head = await self.reader.readexactly(2)
                while head[-1] & 0x80:
                    head += await self.reader.readexactly(1)
                length = sum((byte & 0x7F) << (7 * place) for place, byte in enumerate(head[1:]))
                return head + await self.reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""

    async def is_served(self):
        """Tell whether the broker still answers a ping; packets before the answer are skipped."""
        self.say(PING)
        while heard := await self.hear():
            if heard == PONG:
                return True
        return False
