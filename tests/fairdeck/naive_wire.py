"""A second reader of records, notes and sealed messages, written from the tables alone: slow, plain, byte by byte.

It owns one question: is this a message or not? It gives no values, and knows none of the code that it judges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

HEADS: Final = {"bin": {0xC4: 1, 0xC5: 2, 0xC6: 4}, "str": {0xD9: 1, 0xDA: 2, 0xDB: 4}, "array": {0xDC: 2, 0xDD: 4}}
INTEGERS: Final = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}


class NoMessage(Exception):
    """These bytes are none."""


class Reader:
    """A place in bytes that moves on."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        taken = self.data[self.at : self.at + count]
        if len(taken) != count:
            raise NoMessage
        self.at += count
        return taken

    def number(self, count: int, least: int) -> int:
        """A big-endian number that would not have fitted in a shorter form."""
        value = int.from_bytes(self.take(count), "big")
        if value < least:
            raise NoMessage
        return value

    def integer(self) -> int:
        head = self.take(1)[0]
        if head <= 0x7F:
            return head
        if head not in INTEGERS:
            raise NoMessage
        count = INTEGERS[head]
        return self.number(count, 128 if count == 1 else 256 ** (count // 2))

    def length(self, family: str, fixed: int, fixed_max: int) -> int:
        """The length behind the head of a string, bytes or array, in the one shortest form."""
        head = self.take(1)[0]
        if fixed <= head <= fixed + fixed_max:
            return head - fixed
        if head not in HEADS[family]:
            raise NoMessage
        count = HEADS[family][head]
        shorter = {1: fixed_max + 1, 2: 256 if 1 in HEADS[family].values() else fixed_max + 1, 4: 65536}
        return self.number(count, shorter[count])


Shape = Callable[[Reader], object]


def integer(least: int, most: int) -> Shape:
    def read(reader: Reader) -> int:
        value = reader.integer()
        if not least <= value <= most:
            raise NoMessage
        return value

    return read


def binary(least: int, most: int) -> Shape:
    def read(reader: Reader) -> bytes:
        value = reader.take(reader.length("bin", 0x100, -1))
        if not least <= len(value) <= most:
            raise NoMessage
        return value

    return read


def text(characters: int) -> Shape:
    def read(reader: Reader) -> str:
        try:
            value = reader.take(reader.length("str", 0xA0, 31)).decode("utf-8")
        except UnicodeDecodeError:
            raise NoMessage from None
        if len(value) > characters:
            raise NoMessage
        return value

    return read


def name(reader: Reader) -> None:
    if len(str(text(64)(reader)).encode()) > 64:
        raise NoMessage


def boolean(reader: Reader) -> None:
    if reader.take(1)[0] not in {0xC2, 0xC3}:
        raise NoMessage


def fields(*shapes: Shape) -> Shape:
    def read(reader: Reader) -> tuple[object, ...]:
        if reader.length("array", 0x90, 15) != len(shapes):
            raise NoMessage
        return tuple(shape(reader) for shape in shapes)

    return read


def up_to_two(shape: Shape) -> Shape:
    def read(reader: Reader) -> None:
        count = reader.length("array", 0x90, 15)
        if count > 2:
            raise NoMessage
        for _ in range(count):
            shape(reader)

    return read


HASH: Final = binary(32, 32)
BLOB: Final = binary(0, 12 * 1024)
PARTS: Final = up_to_two(BLOB)
BODIES: Final = (
    fields(
        *(integer(0, 255), integer(0, 255), binary(0, 512), name, text(20)),
        *(HASH, HASH, HASH, integer(1, 2**31), HASH, integer(0, 3)),
    ),
    fields(name, HASH, HASH, HASH, binary(64, 64)),
    fields(HASH, HASH, binary(64, 64), BLOB, BLOB),
    fields(BLOB, BLOB, BLOB),
    fields(BLOB),
    fields(binary(0, 64), boolean, integer(0, 2**31), PARTS, PARTS, PARTS),
)
CAPS: Final = (1024, 1024, 12 * 1024, 12 * 1024, 8 * 1024, 8 * 1024)


def is_record(data: bytes) -> bool:
    """Whether these bytes are a record with its signature, whoever signed it."""
    if not 64 < len(data) <= 12 * 1024:
        return False
    reader, kinds = Reader(data[:-64]), []

    def kind(reader: Reader) -> None:
        kinds.append(reader.integer())
        if not 0 <= kinds[0] <= 5 or len(data) > CAPS[kinds[0]]:
            raise NoMessage

    def body(reader: Reader) -> object:
        return BODIES[kinds[0]](reader)

    return _is_whole(reader, fields(integer(1, 1), HASH, integer(0, 8191), integer(0, 1), HASH, kind, body, HASH))


def is_note(data: bytes) -> bool:
    """Whether these bytes are a note with its signature, whoever signed it."""
    if not 64 < len(data) <= 1024:
        return False
    shape = fields(HASH, integer(0, 1), integer(0, 4), integer(0, 8191), HASH, binary(0, 256))
    return _is_whole(Reader(data[:-64]), shape)


COUNT: Final = integer(0, 2**53)
PLACE: Final = integer(0, 8192)
BOOT: Final = binary(8, 8)
PARTS_OF_A_MESSAGE: Final[tuple[tuple[Shape, ...], ...]] = (
    (COUNT, PLACE, BLOB),
    (BOOT, COUNT, COUNT, integer(0, 255), binary(0, 2048)),
    (),
    (HASH, boolean),
    (COUNT,),
    (COUNT,),
)
ROOMS: Final = tuple(size - 26 - 16 for size in (256, 1024, 4096, 16384))


def is_message(data: bytes) -> bool:
    """Whether these bytes are what a sealed packet holds: length, message and zeros, in the smallest room for it."""
    size = int.from_bytes(data[:2], "big")
    message, padding = data[2 : 2 + size], data[2 + size :]
    if len(message) != size or len(data) not in ROOMS or padding != bytes(len(padding)):
        return False
    if any(room < len(data) and 2 + size <= room for room in ROOMS):
        return False
    reader = Reader(message)
    try:
        count = reader.length("array", 0x90, 15)
        kind = reader.integer()
    except NoMessage:
        return False
    if kind >= len(PARTS_OF_A_MESSAGE):
        return False
    shapes = (COUNT, PLACE, BOOT, COUNT, *PARTS_OF_A_MESSAGE[kind])
    return count == 1 + len(shapes) and _is_whole(reader, lambda behind: [shape(behind) for shape in shapes])


def _is_whole(reader: Reader, shape: Shape) -> bool:
    try:
        shape(reader)
    except NoMessage:
        return False
    return reader.at == len(reader.data)
