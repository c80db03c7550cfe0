"""The file of a game: what can be read of it, where it is torn, and what is wrong with it."""

from __future__ import annotations

from typing import Final

import pytest

from fairdeck import limits
from fairdeck.log import MAGIC, Damage, Saved, Tag, encode_entry, entry_hash, read
from fairdeck.transcript import hash32
from fairdeck.wire import record_head
from tests.fairdeck.forge import log_of
from tests.fairdeck.games import played, saved

LOG: Final = saved(played())
RECORDS: Final = tuple(played().records)
NOTES: Final = tuple(note.data for note in played().host.notes)
ENTRIES: Final = [encode_entry(Tag.RECORD, data) for data in RECORDS] + [encode_entry(Tag.NOTE, n) for n in NOTES]


def ends() -> list[int]:
    """Where each entry ends, the magic first."""
    found = [len(MAGIC)]
    for entry in ENTRIES:
        found.append(found[-1] + len(entry))
    return found


def test_log_is_read_back_whole() -> None:
    assert read(LOG) == Saved(RECORDS, NOTES, len(LOG), 0, None)


def test_entry_is_length_tag_payload_and_hash() -> None:
    assert encode_entry(Tag.NOTE, b"abc") == b"\x00\x00\x00\x04Nabc" + hash32("log note", b"abc")
    assert encode_entry(Tag.RECORD, b"abc") == b"\x00\x00\x00\x04Rabc" + record_head(b"abc")


def test_hash_of_a_record_entry_is_the_one_that_the_next_record_names() -> None:
    assert entry_hash(Tag.RECORD, RECORDS[0]) == record_head(RECORDS[0])


def test_both_players_have_the_same_chain_whatever_notes_stand_between() -> None:
    other = MAGIC + b"".join([*ENTRIES[:4], ENTRIES[-1], *ENTRIES[4:-1]])
    assert read(other).chain == read(LOG).chain == b"".join(ENTRIES[: len(RECORDS)])
    assert read(other).notes == NOTES[::-1]


def test_log_without_entries_is_empty() -> None:
    assert read(MAGIC) == Saved((), (), len(MAGIC), 0, None)


@pytest.mark.parametrize("length", range(1, len(MAGIC)))
def test_beginning_of_the_magic_is_torn(length: int) -> None:
    assert read(MAGIC[:length]) == Saved((), (), 0, length, None)


@pytest.mark.parametrize(
    ("data", "damage"),
    [
        (b"", Damage.UNREADABLE),
        (b"\x00", Damage.UNREADABLE),
        (b"P2PDURAK LOG 1\n", Damage.UNREADABLE),
        (b"another program's file", Damage.UNREADABLE),
        (LOG[1:], Damage.UNREADABLE),
        (b"p2pdurak log 2\n" + LOG[len(MAGIC) :], Damage.UNSUPPORTED),
        (b"p2pdurak log 10\n", Damage.UNSUPPORTED),
        (b"p2pdurak log 1\r\n", Damage.UNSUPPORTED),
        (bytes(limits.LOG_BYTES_MAX + 1), Damage.UNREADABLE),
        (b"p2pdurak log 2\n".ljust(limits.LOG_BYTES_MAX + 1, b"\0"), Damage.UNSUPPORTED),
        (MAGIC.ljust(limits.LOG_BYTES_MAX + 1, b"\0"), Damage.TOO_LONG),
        (MAGIC + b"\x00\x00\x00\x00", Damage.LENGTH),
        (MAGIC + b"\x00\x00\x00\x01R" + bytes(32), Damage.LENGTH),
        (MAGIC + b"\xff\xff\xff\xff", Damage.LENGTH),
        (MAGIC + (2 + limits.RECORD_BYTES_MAX).to_bytes(4, "big"), Damage.LENGTH),
        (MAGIC + b"\x00\x00\x00\x02Xa" + hash32("log note", b"a"), Damage.TAG),
        (MAGIC + b"\x00\x00\x00\x02Na" + bytes(32), Damage.HASH),
        (MAGIC + b"\x00\x00\x00\x02Ra" + hash32("log note", b"a"), Damage.HASH),
    ],
)
def test_what_is_wrong_is_named(data: bytes, damage: Damage) -> None:
    found = read(data)
    assert (found.records, found.notes, found.torn, found.damage) == ((), (), 0, damage)


def test_length_limit_of_the_file_itself_is_read() -> None:
    assert read(MAGIC + bytes(limits.LOG_BYTES_MAX - len(MAGIC))).damage is Damage.LENGTH


def test_longest_entry_is_read() -> None:
    longest = bytes(limits.RECORD_BYTES_MAX)
    assert read(MAGIC + encode_entry(Tag.RECORD, longest)).records == (longest,)


@pytest.mark.parametrize(("tag", "most"), [(Tag.RECORD, limits.RECORDS_MAX), (Tag.NOTE, limits.NOTES_MAX)])
def test_more_entries_than_any_game_has_are_refused(tag: Tag, most: int) -> None:
    entry = encode_entry(tag, b"x")
    assert read(MAGIC + most * entry).damage is None
    assert read(MAGIC + (most + 1) * entry).damage is Damage.TOO_LONG


def test_file_full_of_tiny_entries_is_refused() -> None:
    assert read(MAGIC + 200_000 * encode_entry(Tag.RECORD, b"x")).damage is Damage.TOO_LONG


def test_every_cut_near_an_entry_and_many_between_leave_the_whole_entries_and_a_torn_rest() -> None:
    boundaries = ends()
    near = {end + delta for end in boundaries for delta in (-33, -32, -1, 0, 1, 3, 4, 5)}
    cuts = sorted(cut for cut in near | set(range(len(MAGIC), len(LOG), 61)) if len(MAGIC) <= cut <= len(LOG))
    for cut in cuts:
        found = read(LOG[:cut])
        whole = sum(end <= cut for end in boundaries) - 1
        assert (found.records + found.notes) == (RECORDS + NOTES)[:whole]
        assert (found.whole, found.torn, found.damage) == (boundaries[whole], cut - boundaries[whole], None)


def test_whole_part_of_a_torn_log_can_be_continued() -> None:
    torn = LOG[: ends()[10] + 7]
    found = read(torn)
    assert read(torn[: found.whole] + b"".join(ENTRIES[10:])) == read(LOG)


def test_reading_stops_at_the_first_damage_and_says_where() -> None:
    damaged = bytearray(LOG)
    damaged[ends()[5] + 20] ^= 1
    found = read(bytes(damaged))
    assert found.records == RECORDS[:5]
    assert (found.whole, found.torn, found.damage) == (ends()[5], 0, Damage.HASH)


def test_reordered_and_doubled_entries_are_whole_entries() -> None:
    """Hashes stand for entries; their order is the matter of the chain (see the tests of the audit)."""
    assert read(log_of([RECORDS[1], RECORDS[0], RECORDS[0]])).damage is None
