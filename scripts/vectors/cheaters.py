"""The model game as its cheaters see it: every state, every secret, and a record of theirs in place of a right one.

It owns the making of such logs; which lies there are stands in the modules of cheats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace as with_fields

from fairdeck.deck import Deck
from fairdeck.group import EDWARDS25519, encode_scalar
from fairdeck.referee import present
from fairdeck.wire import Record, decode_record
from tests.fairdeck.cheap import DurakReferee
from tests.fairdeck.forge import forged, log_of
from vectors.form import Case
from vectors.saved import Base, failing


class Table:
    """The model game as its cheaters see it: every state, every secret."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.records = [decode_record(data) for data in base.records]

    def place(self, having: Callable[[Any], bool], nth: int = 0) -> int:
        """The place of the nth record whose body is so."""
        return [record.seq for record in self.records if having(record.body)][nth]

    def there(self, place: int) -> tuple[DurakReferee, Record, Any]:
        """The state before a record, the record, and its body."""
        return self.base.states[place], self.records[place], self.records[place].body

    def deck(self, place: int) -> Deck:
        """The dealt deck before a record."""
        return present(self.base.states[place].deck)

    def x(self, seat: int) -> int:
        """The game key of a seat."""
        return self.base.pair.seats[seat].x

    def log(self, place: int, data: bytes) -> bytes:
        """The chain up to this record, and another in its place."""
        return log_of([*self.base.records[:place], data])

    def blamed(self, comment: str, flag: str, place: int, data: bytes) -> Case:
        """A record that proves its author's cheat."""
        seat = decode_record(data).seat
        return failing(self.base, comment, flag, self.log(place, data), accused=seat, place=place)

    def nobody(self, comment: str, flag: str, place: int, data: bytes, word: str = "invalid") -> Case:
        """A record that does not hold and proves nothing about anybody."""
        return failing(self.base, comment, flag, self.log(place, data), word, place=place)

    def changed(self, comment: str, flag: str, place: int, **changes: Any) -> Case:
        """A record with another body, chained and signed by its author."""
        referee, record, body = self.there(place)
        return self.blamed(comment, flag, place, forged(referee, record.seat, with_fields(body, **changes)))


def last_altered(proof: bytes) -> bytes:
    """The last word changed by one."""
    value = (int.from_bytes(proof[-32:], "little") + 1) % EDWARDS25519.order
    return proof[:-32] + encode_scalar(value)
