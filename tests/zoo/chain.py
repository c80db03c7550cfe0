"""Attacks on the chain itself: place, author, turn, rules, the state that is claimed, and bytes that are no record.

It owns the forgeries; a right signature stands under each of them unless that is the attack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgpack
from msgspec.structs import replace as with_fields

from fairdeck import limits
from fairdeck.errors import Desync, Malformed, Unexpected
from fairdeck.notes import NOTE_LABEL
from fairdeck.sign import SigningKey
from fairdeck.wire import ZEROS, Kind, Move, Shares, decode_record, unpack
from p2pdurak.durak import DURAK
from p2pdurak.rules.state import Phase
from tests.fairdeck.cheap import IDENTITIES, DurakReferee, view_of
from tests.fairdeck.forge import forged, resigned, sign_record
from tests.fairdeck.games import played
from tests.zoo.cage import (
    BEATING,
    DEALING,
    DONE,
    LATER_SHARES,
    LAYING,
    MOVE,
    SHUFFLE,
    STRANGER,
    Animal,
    Cage,
    Family,
    Moment,
    standing,
)

Forge = Callable[[Cage], bytes]


def changed(key: SigningKey | None = None, **changes: Any) -> Forge:
    """The honest record with some fields of its envelope changed."""
    return lambda cage: resigned(cage.record, key, **changes)


# Two records for one place


def latest(cage: Cage) -> Any:
    """The cheater's last record, which the victim holds."""
    return next(record for record in map(decode_record, reversed(cage.honest.records)) if record.seat == cage.seat)


def second_thought(cage: Cage) -> bytes:
    """He would like to have thought longer over his last move: another record for a place that is taken."""
    record = latest(cage)
    return resigned(record, body=with_fields(record.body, think_ms=record.body.think_ms + 1))


def second_thought_elsewhere(cage: Cage) -> bytes:
    """The second record names another one before it, as if it belonged to another course of the game."""
    record = latest(cage)
    return resigned(record, body=with_fields(record.body, think_ms=77), prev=bytes(32))


def restored_snapshot(cage: Cage) -> bytes:
    """His program comes back from a copy of its files made before the last move, and moves anew."""
    place = latest(cage).seq
    old = standing(played(cage.seed), place, cage.seed).seats[cage.seat]
    done = DURAK.decode(latest(cage).body.action)
    return old.act(next(action for action in view_of(old).legal_actions() if action != done))


def redeal(cage: Cage) -> bytes:
    """He has seen his hand, has "lost his state", and proposes the game anew."""
    body = decode_record(cage.honest.records[0]).body
    return forged(cage.referee, 0, with_fields(body, date="2026-12-01"), seq=0, prev=ZEROS, sid=ZEROS)


def reshuffle(cage: Cage) -> bytes:
    """He has seen his hand and sends another shuffle for the old place."""
    record = decode_record(cage.honest.records[2 + cage.seat])
    other = decode_record(played("another game").records[2 + cage.seat]).body
    return resigned(record, body=with_fields(record.body, deck=other.deck, proof=other.proof))


def shuffle_again(cage: Cage) -> bytes:
    """The same, but as the next record."""
    return forged(cage.referee, cage.seat, decode_record(cage.honest.records[2 + cage.seat]).body)


TWICE: Final = "Two different records were signed"
PLACES: Final = Family(
    "Two records for one place",
    "Records",
    (
        Animal("a second record for a place that is taken", BEATING, second_thought, TWICE, turn=False),
        Animal("a second record with another one before it", BEATING, second_thought_elsewhere, TWICE, turn=False),
        Animal("another move from a restored snapshot", BEATING, restored_snapshot, TWICE, turn=False),
        Animal("another shuffle after he has seen his hand", MOVE, reshuffle, TWICE),
        Animal("a shuffle out of turn after he has seen his hand", MOVE, shuffle_again, "out of turn"),
        Animal("the game proposed anew after the deal", MOVE, redeal, "already taken", (0,), Unexpected),
    ),
)


# Place


def replayed(cage: Cage) -> bytes:
    """His last record comes again, byte for byte."""
    return latest(cage).data


def reordered(cage: Cage) -> bytes:
    """The record after the one that is due."""
    return played().records[cage.record.seq + 1]


def reflected(cage: Cage) -> bytes:
    """The victim's own last record comes back to him."""
    return next(data for data in reversed(cage.honest.records) if decode_record(data).seat != cage.seat)


def of_an_earlier_game(cage: Cage) -> bytes:
    return played("another game").records[cage.record.seq]


PLACE: Final = Family(
    "The place of a record",
    "Records",
    (
        Animal("a record replayed", MOVE, replayed, "already taken", error=Unexpected),
        Animal("a record sent back to its author", MOVE, reflected, "already taken", error=Unexpected),
        Animal("records out of order", MOVE, reordered, "came where record", error=Unexpected),
        Animal("a record of an earlier game", MOVE, of_an_earlier_game, "follow", error=Unexpected),
        Animal("a record for a later place", MOVE, changed(seq=4000), "came where record", error=Unexpected),
        Animal("another record before it", MOVE, changed(prev=bytes(32)), "does not follow", error=Unexpected),
        Animal("a record of another session", MOVE, changed(sid=bytes(32)), "another game", error=Unexpected),
    ),
)


# Author


def in_the_victims_name(cage: Cage) -> bytes:
    """Signed by himself, for he has no other key: an attempt to have the victim accused."""
    return resigned(cage.record, IDENTITIES[cage.seat], seat=1 - cage.seat)


def signature_altered(cage: Cage) -> bytes:
    return cage.record.data[:-1] + bytes([cage.record.data[-1] ^ 1])


def signed_as_a_note(cage: Cage) -> bytes:
    return cage.record.signed + IDENTITIES[cage.seat].sign(NOTE_LABEL, cage.record.signed)


def without_signature(cage: Cage) -> bytes:
    return cage.record.signed + bytes(64)


def signature_in_its_second_form(cage: Cage) -> bytes:
    """s and s + L are one number modulo the order, and libsodium takes only the lower."""
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(cage.record.signature[32:], "little") + order
    return cage.record.data[:-32] + s.to_bytes(32, "little")


def cheats_in_the_victims_name(cage: Cage) -> bytes:
    """Something that would be proven cheating, if only the victim had signed it."""
    body = Move(b"\x03", False, 0, (), (b"",), ())
    return forged(cage.referee, 1 - cage.seat, body, key=IDENTITIES[cage.seat])


NOT_SIGNED: Final = "not signed by the seat it names"
AUTHOR: Final = Family(
    "The author of a record",
    "Signatures",
    (
        Animal("a record signed by another key", MOVE, changed(STRANGER), NOT_SIGNED, error=Malformed),
        Animal("a record in the victim's name", MOVE, in_the_victims_name, NOT_SIGNED, error=Malformed),
        Animal("a cheat in the victim's name", MOVE, cheats_in_the_victims_name, NOT_SIGNED, error=Malformed),
        Animal("a signature altered", MOVE, signature_altered, NOT_SIGNED, error=Malformed),
        Animal("a signature of zeros", MOVE, without_signature, NOT_SIGNED, error=Malformed),
        Animal("a signature in its second form", MOVE, signature_in_its_second_form, NOT_SIGNED, error=Malformed),
        Animal("a note's signature under a record", MOVE, signed_as_a_note, NOT_SIGNED, error=Malformed),
    ),
)


# Turn and rules


def bare(action: bytes) -> Forge:
    """An action that needs no proof."""
    return lambda cage: forged(cage.referee, cage.seat, Move(action, False, 0, (), (), ()))


def acting(action: bytes) -> Forge:
    """The honest move with other bytes for its action."""
    return lambda cage: forged(cage.referee, cage.seat, with_fields(cage.body, action=action))


def early_shares(cage: Cage) -> bytes:
    """Before the second shuffle, so that cards could be seen that are yet to be shuffled."""
    return forged(cage.referee, cage.seat, Shares(bytes(7 * 32 + 64)))


def shares_in_the_victims_turn(cage: Cage) -> bytes:
    shares = decode_record(played().records[22 if cage.seat == 0 else 29]).body
    return forged(cage.referee, cage.seat, shares)


def state(phase: Phase, moment: Moment = MOVE, *, table: bool | None = None) -> Moment:
    def fits(referee: DurakReferee, record: Any) -> bool:
        now = referee.state
        if now is None or not moment(referee, record):
            return False
        return now.phase is phase and table in {None, bool(now.table)}

    return fits


def proving_done(cage: Cage) -> bytes:
    return forged(cage.referee, cage.seat, with_fields(cage.body, proof=(bytes(97),)))


LEAD: Final = state(Phase.ATTACK, table=False)
DEFENCE: Final = state(Phase.DEFEND)
OUT_OF_TURN: Final = "out of turn"
RULES: Final = Family(
    "Turn and rules",
    "Moves",
    (
        Animal("a move in the victim's turn", MOVE, bare(b"\x03"), OUT_OF_TURN, turn=False),
        Animal("a move while cards still lack their shares", LATER_SHARES, bare(b"\x03"), OUT_OF_TURN),
        Animal("a move before the deal", DEALING, bare(b"\x03"), OUT_OF_TURN),
        Animal("shares before the second shuffle", SHUFFLE, early_shares, OUT_OF_TURN),
        Animal("shares in the victim's turn", MOVE, shares_in_the_victims_turn, OUT_OF_TURN, turn=False),
        Animal("done on an empty table", LEAD, bare(b"\x03"), "."),
        Animal("take with nothing to take", LEAD, bare(b"\x02"), "."),
        Animal("done by the defender", DEFENCE, bare(b"\x03"), "."),
        Animal("an action that does not exist", DONE, acting(b"\x06"), "no action"),
        Animal("an empty action", DONE, acting(b""), "no action"),
        Animal("a card that is not in the deck", LAYING, acting(b"\x00\x24"), "not in the deck"),
        Animal("a proof with an action that needs none", DONE, proving_done, "one too many"),
    ),
)


# The state after the record


STATE: Final = Family(
    "The state that is signed",
    "State digest",
    (
        Animal("a false digest", MOVE, changed(digest=b"d" * 32), "different states", error=Desync),
        Animal("a false digest before the deal", SHUFFLE, changed(digest=b"d" * 32), "different states", error=Desync),
    ),
)


# Bytes


def bytes_of(make: Callable[[bytes], bytes]) -> Forge:
    """Bytes made from those that an honest record has before its signature; the cheater signs them rightly."""
    return lambda cage: sign_record(IDENTITIES[cage.seat], make(cage.record.signed))


def fields_of(edit: Callable[[list[Any]], object]) -> Forge:
    """Another msgpack value in place of the eight fields."""

    def make(signed: bytes) -> bytes:
        value = unpack(signed)
        packed: bytes = msgpack.packb(edit(list(value)), use_bin_type=True)  # type: ignore[call-overload]
        return packed

    return bytes_of(make)


def as_string(fields: list[Any]) -> list[Any]:
    return [*fields[:4], fields[4].hex(), *fields[5:]]


def short_int_made_long(signed: bytes) -> bytes:
    """The version as a two-byte number: the same value, and not the one canonical form."""
    return signed[:1] + b"\xcc" + signed[1:]


NO_MSGPACK: Final = "no msgpack of this protocol"
WRONG_FIELD: Final = "wrong field"
BYTES: Final = Family(
    "Bytes that are no record",
    "Encoding",
    tuple(
        Animal(name, DONE, forge, why, error=Malformed)
        for name, forge, why in (
            ("a record cut short", lambda cage: cage.record.data[:-70], "."),
            ("a record of no bytes", lambda cage: b"", "empty or too long"),
            ("a byte too many", bytes_of(lambda signed: signed + b"\x00"), NO_MSGPACK),
            ("a byte that msgpack does not have", bytes_of(lambda _: b"\xc1"), NO_MSGPACK),
            ("arrays in arrays, five thousand deep", bytes_of(lambda _: b"\x91" * 5000), NO_MSGPACK),
            ("an array of four thousand million", bytes_of(lambda _: b"\xdd\xff\xff\xff\xff"), NO_MSGPACK),
            ("a string of four thousand million", bytes_of(lambda _: b"\xdb\xff\xff\xff\xff"), NO_MSGPACK),
            ("an extension type", bytes_of(lambda signed: b"\xc7\x00\x01" + signed), NO_MSGPACK),
            ("a number in its long form", bytes_of(short_int_made_long), "canonical"),
            ("a map for the record", fields_of(lambda fields: {"version": 1}), NO_MSGPACK),
            ("a field missing", fields_of(lambda fields: fields[:-1]), WRONG_FIELD),
            ("a field too many", fields_of(lambda fields: [*fields, b""]), WRONG_FIELD),
            ("nothing for a number", fields_of(lambda fields: [*fields[:2], None, *fields[3:]]), WRONG_FIELD),
            ("a fraction for a number", fields_of(lambda fields: [*fields[:2], 21.0, *fields[3:]]), WRONG_FIELD),
            ("a truth value for a seat", fields_of(lambda fields: [*fields[:3], True, *fields[4:]]), WRONG_FIELD),
            ("a number that is too high", fields_of(lambda fields: [*fields[:2], 2**63, *fields[3:]]), WRONG_FIELD),
            ("text for bytes", fields_of(as_string), WRONG_FIELD),
            ("a body of another kind", fields_of(lambda fields: [*fields[:5], int(Kind.START0), *fields[6:]]), "."),
            ("more bytes than any record has", bytes_of(lambda _: bytes(limits.RECORD_BYTES_MAX)), "too long"),
        )
    ),
)

FAMILIES: Final = (PLACE, PLACES, AUTHOR, RULES, STATE, BYTES)
