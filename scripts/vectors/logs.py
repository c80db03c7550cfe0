"""Vectors of saved games: whole ones of every kind, and what must be found in damaged and dishonest ones.

It owns which logs there are; the form is `saved`, the dishonest records are `cheats`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final

from msgspec.structs import replace as with_fields

from fairdeck.log import MAGIC, Tag, encode_entry
from fairdeck.wire import decode_record
from p2pdurak.rules.options import CLASSIC, NAMED, FirstAttacker, Options, Trumpless
from tests.fairdeck.cheap import IDENTITIES, Pair, in_bout, lowest, sit_down
from tests.fairdeck.forge import forged, log_of, resigned
from vectors.cheats import cheats
from vectors.form import Case, Group, VectorFile
from vectors.games import model, played
from vectors.saved import HEADER, Base, failing, holding, open_notes, trace

NO_TRUMP: Final = "no trump 63"
"""With this seed neither hand is dealt a trump."""


@cache
def the_model() -> Base:
    """The game that most edits are made of: both have shown their keys."""
    return Base(model(), open_notes(model()))


@cache
def whole_games() -> dict[str, Base]:
    """Games under the options that differ, to their end or into the first bout."""
    other = Options(first_attacker=FirstAttacker.HOST, pile_on=False, first_bout_limit=5, open=False)
    drawn = played("host opens", other, 0)
    lost_by_host = played("table", NAMED["table"])
    second = played("second game", NAMED["club"], 1)
    return {
        "both keys are shown": the_model(),
        "a draw; the host opens, no piling on, a limit of five, no key shown": Base(drawn),
        "the named set `table`; both keys are shown": Base(lost_by_host, open_notes(lost_by_host)),
        "the second game of a match, which the guest opens; one key is shown": Base(second, open_notes(second)[1:]),
        "a coin says who opens": Base(_begun("coin", CLASSIC, 3)),
        "nobody holds a trump: the lowest card says who opens": Base(_begun(NO_TRUMP, CLASSIC)),
        "nobody holds a trump: the host opens": Base(_begun(NO_TRUMP, replace(CLASSIC, trumpless=Trumpless.HOST))),
    }


def _begun(seed: str, options: Options, opener: int = 2) -> Pair:
    """Into the first bout by one move."""
    pair = sit_down(seed, options=options, opener=opener, suite=1).play(lowest, in_bout)
    pair.step(lowest)
    return pair


def logs() -> VectorFile:
    """logs.json."""
    header = (
        *HEADER,
        "trace: [number, head, the game's digest or null, owed or null] after each record of a whole game.",
    )
    base = the_model()
    groups = [Group("EditedLog", (_whole(comment, one),), one.values()) for comment, one in whole_games().items()]
    edited = (_cut, _flipped, _files, _chains, _forks, cheats)
    groups.append(Group("EditedLog", [case for make in edited for case in make(base)], base.values()))
    return VectorFile("logs.json", "Verdicts", header, groups)


def _whole(comment: str, base: Base) -> Case:
    word = "ok" if base.pair.referee.over else "incomplete"
    case = holding(base, comment, base.log, word)
    return replace(case, values={**case.values, "trace": trace(base)})


def _cut(base: Base) -> Iterator[Case]:
    """A chain cannot show that it was not cut short, but a whole entry can."""
    yield holding(base, "no key is shown", log_of(base.records), "ok")
    yield holding(base, "one key is shown", log_of(base.records, base.notes[:1]), "ok")
    entries = [encode_entry(Tag.RECORD, data) for data in base.records]
    notes_first = MAGIC + b"".join([*entries[:5], encode_entry(Tag.NOTE, base.notes[0]), *entries[5:]])
    yield holding(base, "a note between the records", notes_first, "ok")
    for count in (0, 1, 2, 3, 4, 5, 8, 20, len(base.records) - 1):
        yield holding(base, f"only {count} records", log_of(base.records[:count]), "incomplete")
    whole = log_of(base.records[:6])
    for more in (1, 4, 5, 37, 300):
        torn = whole + entries[6][:more]
        yield holding(base, f"six records and {more} bytes of the seventh", torn, "torn", "Truncated")
    yield holding(base, "the last byte is missing", base.log[:-1], "torn", "Truncated")
    yield holding(base, "the last record lacks its hash", log_of(base.records)[:-32], "torn", "Truncated")
    yield holding(base, "half a first line", MAGIC[:7], "torn", "Truncated")
    yield holding(base, "two bytes behind the end", base.log + b"\0\0", "torn", "Truncated")
    long = log_of(base.records[:6]) + (12289).to_bytes(4, "big")
    yield holding(base, "a length of 12,289, the highest", long, "torn", "Truncated")


def _flipped(base: Base) -> Iterator[Case]:
    """One bit of a byte, at each kind of place: in a length, tag, payload, signature, hash."""
    log = base.log
    for comment, place in (("of the first line", 3), ("of the version", len(MAGIC) - 2)):
        word = "unreadable" if place == 3 else "unsupported"
        yield failing(base, f"a byte {comment} is altered", "ModifiedFile", _flip(log, place, 1), word)
    for number in (0, 1, 2, 3, 4, 12, len(base.records) - 1):
        start = len(log_of(base.records[:number]))
        length = len(base.records[number]) + 1
        places = {
            "its length": (start, 0x80),
            "its tag": (start + 4, 1),
            "its first byte": (start + 5, 0x80),
            "the middle": (start + 5 + length // 2, 4),
            "its signature": (start + 4 + length - 1, 1),
            "its hash": (start + 4 + length + 31, 128),
        }
        for comment, (place, bit) in places.items():
            yield failing(base, f"record {number}: {comment} is altered", "ModifiedFile", _flip(log, place, bit))
    for comment, place in (("its last byte", len(log) - 1), ("its body", len(log) - 150)):
        yield failing(base, f"the last note: {comment} is altered", "ModifiedFile", _flip(log, place, 1))


def _flip(data: bytes, place: int, bit: int) -> bytes:
    return data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]


def _files(base: Base) -> Iterator[Case]:
    """Files of other kinds, and entries that cannot be."""
    begun = log_of(base.records[:6])
    for comment, flag, data, word in (
        ("an empty file", "NoLog", b"", "unreadable"),
        ("a program", "NoLog", b"\x7fELF" + bytes(100), "unreadable"),
        ("a text", "NoLog", b"p2pdurak\n", "unreadable"),
        ("a log of another version", "OtherVersion", MAGIC.replace(b"1", b"2") + base.log[len(MAGIC) :], "unsupported"),
        ("the first line of another version", "OtherVersion", b"p2pdurak log 10\n", "unsupported"),
        ("an entry of 2^32 - 1 bytes", "TooLong", begun + b"\xff\xff\xff\xff" + bytes(40), "invalid"),
        ("an entry of 12,290 bytes", "TooLong", begun + (12290).to_bytes(4, "big") + bytes(40), "invalid"),
        ("an entry of no byte", "NoEntry", begun + bytes(4) + bytes(40), "invalid"),
        ("an entry of its tag alone", "NoEntry", begun + b"\0\0\0\x01R" + bytes(40), "invalid"),
        ("an entry with another tag", "NoEntry", begun + b"\0\0\0\x03X12" + bytes(32), "invalid"),
        ("zeros behind six records", "NoEntry", begun + bytes(64), "invalid"),
        ("seventeen notes", "TooLong", MAGIC + 17 * encode_entry(Tag.NOTE, b"x"), "invalid"),
    ):
        yield failing(base, comment, flag, data, word)
    note = MAGIC + encode_entry(Tag.NOTE, base.notes[0])
    yield failing(base, "a note without a record", "NoEntry", note, place=0)


def _chains(base: Base) -> Iterator[Case]:
    """Records that were edited by one who can hash but not sign."""
    records, other = base.records, played("table", NAMED["table"]).records
    for comment, flag, chain, place in (
        ("the first record is deleted", "EditedChain", records[1:], 0),
        ("a record is deleted", "EditedChain", records[:20] + records[21:], 20),
        ("two records are swapped", "EditedChain", [*records[:20], records[21], records[20], *records[22:]], 20),
        ("a record is doubled", "EditedChain", records[:21] + records[20:], 21),
        ("the last record is doubled", "EditedChain", [*records, records[-1]], len(records)),
        ("a record of another game", "SplicedChain", [*records[:6], other[6]], 6),
        ("a record of another game in the middle", "SplicedChain", [*records[:20], other[20], *records[21:]], 20),
        ("the first two records of another game", "SplicedChain", [*other[:2], *records[2:]], 2),
        ("bytes that are no record", "EditedChain", [*records[:5], b"x" * 100], 5),
        ("a note as a record", "EditedChain", [*records[:5], base.notes[0]], 5),
        ("a record of version 2 in the middle", "OtherVersion", [*records[:5], _versioned(records[5], 2)], 5),
    ):
        yield failing(base, comment, flag, log_of(chain), place=place)
    for number in (0, 1, 2, 4, 6, 12):
        data = records[number]
        for part, at in (("digest", len(data) - 65), ("signature", len(data) - 10)):
            edited = log_of([*records[:number], _flip(data, at, 1), *records[number + 1 :]])
            comment = f"record {number}: its {part} is altered, the entry hashed anew"
            yield failing(base, comment, "EditedChain", edited, place=number + 1)
    for version in (0, 2, 127):
        changed = [_versioned(records[0], version), *records[1:]]
        yield failing(
            base, f"the first record is of version {version}", "OtherVersion", log_of(changed), "unsupported", place=0
        )


def _versioned(data: bytes, version: int) -> bytes:
    return data[:1] + bytes([version]) + data[2:]


def _forks(base: Base) -> Iterator[Case]:
    """A second record for a place, behind the chain: so a player saves an equivocation."""
    records, states = base.records, base.states
    for place in (2, 6, 12, len(records) - 1):
        record = decode_record(records[place])
        second = resigned(record, digest=bytes(31) + b"\x01")
        log = log_of([*records, second])
        comment = f"a second record of seat {record.seat} for place {place}"
        yield failing(base, comment, "Equivocation", log, "equivocation", record.seat, place)
        cut = log_of([*records[: place + 2], second])
        if place + 2 < len(records):
            yield failing(
                base, f"{comment}, after a shorter chain", "Equivocation", cut, "equivocation", record.seat, place
            )
    record = decode_record(records[6])
    moved = resigned(record, prev=bytes(32))
    log = log_of([*records[:9], moved])
    yield failing(
        base, "a second record that names another predecessor", "Equivocation", log, "equivocation", record.seat, 6
    )
    second = resigned(record, digest=bytes(31) + b"\x01")
    with_notes = log_of([*records, second], base.notes)
    yield failing(base, "a second record, and the notes", "Equivocation", with_notes, "equivocation", record.seat, 6)
    start0 = with_fields(decode_record(records[0]).body, date="2026-12-01")
    for comment, other in (
        ("is signed by the other seat", resigned(record, IDENTITIES[1 - record.seat], digest=bytes(32))),
        ("is not signed", second[:-64] + bytes(64)),
        ("names the other seat", resigned(record, IDENTITIES[1 - record.seat], seat=1 - record.seat)),
        ("is of another game", resigned(record, sid=bytes(range(32)))),
        ("has no session", resigned(record, sid=bytes(32))),
        ("is another proposal, which binds nobody", forged(states[0], 0, start0)),
    ):
        log = log_of([*records[:9], other])
        yield failing(base, f"a second record that {comment}", "EditedChain", log, place=9)
    middle = log_of([*records[:9], second, *records[9:]])
    yield failing(base, "a second record in the middle of the chain", "EditedChain", middle, place=9)
