"""Attacks by notes, the signed statements beside the chain, and by records that contradict one.

It owns the forgeries; a note that is refused ends no game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace as with_fields

from fairdeck.errors import Malformed, Unexpected
from fairdeck.group import encode_scalar
from fairdeck.log import Tag
from fairdeck.referee import RECORD_LABEL
from fairdeck.sign import SigningKey
from fairdeck.wire import NoteKind, decode_note, record_head
from tests.fairdeck.cheap import IDENTITIES
from tests.fairdeck.forge import forged_note, resigned
from tests.zoo.cage import BEATING, LAYING, STRANGER, Animal, Cage, Family

Forge = Callable[[Cage], bytes]


def saying(kind: NoteKind, key: SigningKey | None = None, **changes: Any) -> Forge:
    """A note about the game as it stands, with some fields changed."""
    return lambda cage: forged_note(cage.referee, cage.seat, kind, key=key, **changes)


def in_the_victims_name(kind: NoteKind) -> Forge:
    return lambda cage: forged_note(cage.referee, 1 - cage.seat, kind, key=IDENTITIES[cage.seat])


def own_words_back(cage: Cage) -> bytes:
    """A right note of the victim himself, from his own pen, which he has not sent yet: nobody could have it."""
    return forged_note(cage.referee, 1 - cage.seat, NoteKind.RESIGN)


def resign(cage: Cage) -> bytes:
    return forged_note(cage.referee, cage.seat, NoteKind.RESIGN)


def key_shown_early(cage: Cage) -> bytes:
    return forged_note(cage.referee, cage.seat, NoteKind.OPEN, body=encode_scalar(cage.x))


def another_key_shown(cage: Cage) -> bytes:
    return forged_note(cage.referee, cage.seat, NoteKind.OPEN, body=encode_scalar(cage.x + 1))


def about_what_cannot_exist(cage: Cage) -> bytes:
    """He says that he has seen a record more, which only the victim could have made."""
    return forged_note(cage.referee, cage.seat, NoteKind.RESIGN, seq=cage.referee.seq + 1, head=b"h" * 32)


def signed_as_a_record(cage: Cage) -> bytes:
    note = decode_note(resign(cage))
    return note.signed + IDENTITIES[cage.seat].sign(RECORD_LABEL, note.signed)


def altered(cage: Cage) -> bytes:
    data = resign(cage)
    return data[:-1] + bytes([data[-1] ^ 1])


def said_twice(cage: Cage) -> bytes:
    """The second one says something else under the same kind: seventeen of them would make a log unreadable."""
    cage.honest.receive_note(forged_note(cage.referee, cage.seat, NoteKind.DESYNC))
    return forged_note(cage.referee, cage.seat, NoteKind.DESYNC, body=b"again")


def noting(name: str, forge: Forge, why: str, error: type = Unexpected, *, turn: bool = True) -> Animal:
    """A note that comes right after a record of the victim, or in his turn."""
    return Animal(name, BEATING, forge, why, error=error, tag=Tag.NOTE, turn=turn)


NOT_SIGNED: Final = "not signed by the seat it names"
NOTES: Final = Family(
    "Notes",
    "Notes",
    (
        noting("a resign in the victim's name", in_the_victims_name(NoteKind.RESIGN), NOT_SIGNED, Malformed),
        noting("a resign signed by another key", saying(NoteKind.RESIGN, STRANGER), NOT_SIGNED, Malformed),
        noting("a note's signature altered", altered, NOT_SIGNED, Malformed),
        noting("a record's signature under a note", signed_as_a_record, NOT_SIGNED, Malformed),
        noting("bytes that are no note", lambda cage: b"\xc1" * 100, "no msgpack", Malformed),
        noting("a note that is too long", lambda cage: bytes(2000), "too long", Malformed),
        noting("a note in the victim's name from outside", own_words_back, "our own name"),
        noting("the win claimed in his own turn", saying(NoteKind.CLAIM), "whose turn it is"),
        noting("his game key shown before the end", key_shown_early, "before the end of the game"),
        noting("another key shown than that of the game", another_key_shown, "not the one of the game"),
        noting("a note about another game", saying(NoteKind.RESIGN, sid=bytes(32)), "another game"),
        noting("a note about another course of the game", saying(NoteKind.RESIGN, head=bytes(32)), "another course"),
        noting("a note about a record that cannot exist", about_what_cannot_exist, "cannot exist", turn=False),
        noting("a second note of one kind", said_twice, "second note of the same kind"),
    ),
)


# Records that contradict a note by the same hand


def after_his_resign(cage: Cage) -> bytes:
    cage.honest.receive_note(cage.cheater.note(NoteKind.RESIGN))
    return cage.record.data


def after_his_claim(cage: Cage) -> bytes:
    """The victim's move has crossed the claim and made it void; its author goes on as if he had said nothing."""
    records = cage.honest.records
    claim = forged_note(cage.referee, cage.seat, NoteKind.CLAIM, seq=len(records) - 1, head=record_head(records[-2]))
    for session in (cage.honest, cage.cheater):
        session.notes.append(decode_note(claim))
    return cage.record.data


def another_than_he_named(cage: Cage) -> bytes:
    """His resign says that he has made one record more, and then another comes than the one that it names."""
    place = cage.record.seq + 1
    ahead = forged_note(cage.referee, cage.seat, NoteKind.RESIGN, seq=place, head=cage.record.head)
    cage.honest.receive_note(ahead)
    cage.cheater.notes.append(decode_note(ahead))
    return resigned(cage.record, body=with_fields(cage.body, think_ms=cage.body.think_ms + 1))


CONTRADICTIONS: Final = Family(
    "Records against his own notes",
    "Notes",
    (
        Animal("a record after his resign", LAYING, after_his_resign, "after its author had resigned"),
        Animal("a record after his claim", BEATING, after_his_claim, "had claimed the win"),
        Animal("another record than his note names", LAYING, another_than_he_named, "names another record"),
    ),
)

FAMILIES: Final = (NOTES, CONTRADICTIONS)
