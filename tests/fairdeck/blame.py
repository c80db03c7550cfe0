"""Whom a record accuses: the two questions that the tests of all checks ask, and records to ask them about.

It owns no check of its own; it looks into finished games and calls `follow`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fairdeck.errors import Cheating, FairdeckError
from fairdeck.game import Seat
from fairdeck.referee import follow
from fairdeck.wire import Kind, Move, Record, decode_record
from tests.fairdeck.cheap import DurakReferee
from tests.fairdeck.games import played


def there(place: int) -> tuple[DurakReferee, Record]:
    """The state before a record of a finished game, and the record."""
    return played().before[place], decode_record(played().records[place])


def at(kind: Kind, nth: int = 0, having: Callable[[Move], bool] = lambda _: True) -> tuple[DurakReferee, Record]:
    """The same for the nth record of a kind."""
    return there(played().at(kind, nth, having))


def outcome(referee: DurakReferee, data: bytes) -> FairdeckError | None:
    """What following a record ends in."""
    try:
        follow(referee, data)
    except FairdeckError as error:
        return error
    return None


def is_accused(referee: DurakReferee, data: bytes, seat: Seat, why: str) -> bool:
    """Whether the record proves that `seat` cheated, is itself the evidence, and the reason is given."""
    error = outcome(referee, data)
    if not isinstance(error, Cheating):
        return False
    return (error.accused, error.evidence) == (seat, (data,)) and re.search(why, error.reason) is not None


def is_refused(referee: DurakReferee, data: bytes, kind: type[FairdeckError], why: str = "") -> bool:
    """Whether the record is refused with exactly this error, which accuses nobody."""
    error = outcome(referee, data)
    return type(error) is kind and re.search(why, str(error)) is not None


def words(proof: bytes) -> list[bytes]:
    """The proof with one word after the other changed by one."""
    altered = []
    for at_byte in range(0, len(proof), 32):
        value = int.from_bytes(proof[at_byte : at_byte + 32], "little") ^ 1
        altered.append(proof[:at_byte] + value.to_bytes(32, "little") + proof[at_byte + 32 :])
    return altered


def body_of(record: Record) -> Any:
    """The body of a record whose kind the test knows."""
    return record.body
