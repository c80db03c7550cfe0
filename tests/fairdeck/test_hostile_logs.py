"""Every cut and every flip of a real game's log, edits of its records, and files that are none.

None is ever told to be right, none accuses an honest seat, and none costs more than its bytes are worth.
"""

from __future__ import annotations

import tracemalloc
from functools import cache
from typing import Final

import pytest

from fairdeck.audit import Audit, Finding, audit
from fairdeck.game import Seat
from fairdeck.log import LENGTH_BYTES, MAGIC, Tag, encode_entry, read
from fairdeck.notes import End
from fairdeck.referee import present
from fairdeck.transcript import HASH_BYTES
from fairdeck.wire import NoteKind, decode_record
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import State
from tests.fairdeck.cheap import CHEAP_SUITES, IDENTITIES, lowest, sit_down
from tests.fairdeck.forge import forged_note, log_of, sign_record
from tests.fairdeck.games import played, played_for_real, saved
from tests.fairdeck.hostile_logs import FILES, edited_bodies, rechained, signed_anew_by, written

RECORDS: Final = played().records
NOTES: Final = [note.data for note in played().host.notes]
MEMORY_BYTES_MAX: Final = 64 * 1024 * 1024


def checked(data: bytes) -> Audit[State, Action]:
    """What the audit finds in a log of the cheap group."""
    return audit(data, DURAK, CHEAP_SUITES)


def followed(data: bytes) -> Audit[State, Action]:
    """What it finds in a log of the real group without a look at proofs: none of these bytes gets as far as them."""
    return audit(data, DURAK, proofs=False)


@cache
def ends() -> list[int]:
    """Where each entry of the real game's log ends, the magic first."""
    found = [len(MAGIC)]
    pair = played_for_real()
    for tag, data in [(Tag.RECORD, data) for data in pair.records] + [(Tag.NOTE, n.data) for n in pair.host.notes]:
        found.append(found[-1] + len(encode_entry(tag, data)))
    return found


# Every prefix of a real game


@pytest.mark.slow
def test_every_prefix_of_a_real_game_is_read_as_its_whole_entries_and_a_torn_rest() -> None:
    log, whole = saved(played_for_real()), read(saved(played_for_real()))
    entry = 0
    for cut in range(len(MAGIC), len(log)):
        entry += cut == ends()[entry + 1]
        found = read(log[:cut])
        assert (found.records + found.notes, found.torn, found.damage) == (
            (whole.records + whole.notes)[:entry],
            cut - ends()[entry],
            None,
        )


@pytest.mark.slow
def test_no_prefix_of_a_real_game_is_ok_before_its_last_record() -> None:
    """A prefix is judged by its whole entries and by whether a rest is torn: two cuts an entry are all there are."""
    log, last = saved(played_for_real()), ends()[len(played_for_real().records)]
    for end in ends()[:-1]:
        assert followed(log[:end]).finding is (Finding.INCOMPLETE if end < last else Finding.FOLLOWED)
        assert followed(log[: end + 1]).finding is Finding.TORN
    for cut in range(len(MAGIC)):
        assert followed(log[:cut]).finding is (Finding.TORN if cut else Finding.UNREADABLE)


# Every byte flipped


def flipped(data: bytes, place: int, bit: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]


@pytest.mark.slow
def test_no_flip_of_a_byte_of_a_real_game_is_ok_and_none_gets_as_far_as_a_proof() -> None:
    log = saved(played_for_real())
    torn = 0
    for place in range(len(log)):
        data = flipped(log, place, place % 8)
        if read(data).damage is None:
            found = followed(data)
            assert found.finding is Finding.TORN, place
            assert found.accused is None
            torn += 1
    assert torn < 20, "only a length that now reaches beyond the end is no damage"


@pytest.mark.slow
def test_no_flip_of_any_bit_of_a_frame_is_ok() -> None:
    """The first line, and of every entry its length, its tag and its hash."""
    log = saved(played_for_real())
    frames = [*range(len(MAGIC))]
    for begin, end in zip(ends(), ends()[1:], strict=False):
        frames += [*range(begin, begin + LENGTH_BYTES + 1), end - HASH_BYTES, end - 1]
    for place in frames:
        for bit in range(8):
            data = flipped(log, place, bit)
            assert read(data).damage is not None or followed(data).finding is Finding.TORN


# Records deleted, swapped, doubled, spliced; each as it is, and with every hash made anew


def edits(records: list[bytes], other: list[bytes]) -> list[tuple[str, int, list[bytes]]]:
    """Every such edit of a chain, and where it begins."""
    made = []
    for at in range(len(records)):
        made.append(("doubled", at + 1, [*records[: at + 1], *records[at:]]))
        if at < len(records) - 1:
            made.append(("deleted", at, [*records[:at], *records[at + 1 :]]))
            made.append(("swapped", at, [*records[:at], records[at + 1], records[at], *records[at + 2 :]]))
        if at < len(other):
            made.append(("spliced", at, [*records[:at], *other[at:]]))
            made.append(("one replaced", at, [*records[:at], other[at], *records[at + 1 :]]))
    return [edit for edit in made if edit[:2] != ("spliced", 0)]  # that is the other game, and right


@pytest.mark.slow
@pytest.mark.parametrize("rehash", [False, True])
def test_chain_with_a_record_deleted_swapped_doubled_or_spliced_is_invalid_and_accuses_nobody(rehash: bool) -> None:
    other = sit_down("another game").play(lowest).records
    for name, at, chain in edits(RECORDS, other):
        found = checked(log_of(rechained(chain, at) if rehash else chain, NOTES))
        assert (found.finding, found.accused) == (Finding.INVALID, None), (name, at)
        assert rehash or found.steps == [], "hashes come before signatures"


# Records changed with every hash made anew


@pytest.mark.slow
def test_edit_with_every_hash_made_anew_is_invalid_at_that_record_and_accuses_nobody() -> None:
    """Whoever edits a log can hash, but he cannot sign."""
    tried = set()
    for place, data in enumerate(RECORDS):
        record = decode_record(data)
        for name, body in edited_bodies(record).items():
            changed = [*RECORDS[:place], written(record, body=body), *RECORDS[place + 1 :]]
            found = checked(log_of(rechained(changed, place), NOTES))
            assert (found.finding, found.accused, found.place) == (Finding.INVALID, None, place), (place, name)
            tried.add((record.kind, name))
    assert len(tried) == 15


@pytest.mark.slow
def test_states_and_places_edited_with_every_hash_made_anew_are_invalid() -> None:
    for place, data in enumerate(RECORDS):
        record = decode_record(data)
        for changes in ({"digest": b"\x01" * 32}, {"seat": 1 - record.seat}, {"sid": b"\x01" * 32}):
            changed = [*RECORDS[:place], written(record, **changes), *RECORDS[place + 1 :]]
            found = checked(log_of(rechained(changed, place), NOTES))
            assert (found.finding, found.accused, found.place) == (Finding.INVALID, None, place), (place, changes)


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_player_who_edits_his_own_record_cannot_go_on_to_the_other_seats_next_one(seat: Seat) -> None:
    """He signs all of his anew; the first record of the other seat behind it still names the old chain."""
    for place, data in enumerate(RECORDS):
        record = decode_record(data)
        if record.seat != seat:
            continue
        behind = next((at for at in range(place, len(RECORDS)) if decode_record(RECORDS[at]).seat != seat), None)
        for name, body in edited_bodies(record).items():
            signed = sign_record_of(seat, written(record, body=body))
            chain = signed_anew_by(seat, [*RECORDS[:place], signed, *RECORDS[place + 1 :]], place + 1)
            found = checked(log_of(chain, NOTES))
            assert found.finding is not Finding.OK, (place, name)
            assert found.accused in {None, seat}, (place, name)
            assert behind is None or len(found.steps) <= behind, (place, name)


def sign_record_of(seat: Seat, data: bytes) -> bytes:
    """The record under that seat's signature instead of its own."""
    return sign_record(IDENTITIES[seat], data[:-64])


# What a note can claim


@pytest.mark.parametrize("kind", [NoteKind.RESIGN, NoteKind.LEAVE, NoteKind.CLAIM, NoteKind.DESYNC])
@pytest.mark.parametrize("seat", [0, 1])
def test_no_note_changes_the_result_that_the_chain_gives(kind: NoteKind, seat: Seat) -> None:
    found = checked(log_of(RECORDS, [forged_note(played().referee, seat, kind), *NOTES]))
    assert (found.finding, found.verdict.end) == (Finding.OK, End.CARDS)
    assert found.verdict == checked(saved(played())).verdict


def test_game_cut_before_its_last_move_has_no_result_and_names_who_owes_it() -> None:
    found = checked(log_of(RECORDS[:-1]))
    assert (found.finding, found.verdict.winner, found.verdict.loser) == (Finding.INCOMPLETE, None, None)
    assert found.owed == present(played().before[-1].owed)


# Files that are no log


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_file_that_is_no_log_has_its_verdict_in_little_memory(name: str) -> None:
    verdict, made = FILES[name]
    data = made()
    tracemalloc.start()
    found = audit(data, DURAK)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (found.finding.value, found.accused, found.steps) == (verdict, None, [])
    assert peak < MEMORY_BYTES_MAX
