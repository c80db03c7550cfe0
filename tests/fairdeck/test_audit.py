"""The audit of a log: what it proves, what it finds, whom it names, and that no bytes make it fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace as with_fields

from fairdeck import limits
from fairdeck.audit import Audit, Finding, audit
from fairdeck.game import Seat
from fairdeck.group import SUITES
from fairdeck.log import MAGIC, Tag, encode_entry
from fairdeck.notes import End
from fairdeck.referee import present
from fairdeck.wire import ZEROS, Kind, Move, NoteKind, Shares, decode_record
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import State
from tests.fairdeck.blame import at, body_of, words
from tests.fairdeck.cheap import CHEAP_SUITES, HOST, IDENTITIES, Pair, SeededRng, in_bout, lowest, sit_down
from tests.fairdeck.forge import forged, forged_note, log_of, resigned
from tests.fairdeck.games import drawn, played, played_for_real, saved
from tests.fairdeck.rigged import with_a_card_that_is_none, with_a_card_twice, with_a_remask_that_changes_a_card

RECORDS: Final = played().records
NOTES: Final = [note.data for note in played().host.notes]
LOG: Final = saved(played())
STATES: Final = (*played().before, played().referee)


def checked(data: bytes, **options: Any) -> Audit[State, Action]:
    return audit(data, DURAK, CHEAP_SUITES, **options)


def last_check(found: Audit[State, Action]) -> tuple[str, bool]:
    return found.checks[-1].name, found.checks[-1].holds


def is_refused(data: bytes, finding: Finding, check: str, why: str, accused: Seat | None = None) -> bool:
    """Whether the log gets this verdict by this check, with this reason, and names this seat or nobody."""
    found = checked(data)
    told = found.checks[-1]
    refused = (found.finding, told.name, told.holds, found.accused) == (finding, check, False, accused)
    return refused and why in told.text


def is_invalid(data: bytes, check: str, why: str, accused: Seat | None = None) -> bool:
    return is_refused(data, Finding.INVALID, check, why, accused)


# What is right


def test_log_of_a_whole_game_is_ok_and_says_what_was_checked() -> None:
    found = checked(LOG)
    assert found.finding is Finding.OK
    assert [check.name for check in found.checks] == [
        *("file", "chain", "signatures", "shuffles", "moves", "cards", "remasks", "shares", "states"),
        *("notes", "opened", "result"),
    ]
    assert all(check.holds for check in found.checks)
    assert len(found.steps) == len(RECORDS)
    assert present(found.referee).head == played().referee.head
    assert (found.verdict, found.accused) == (played().host.verdict, None)
    assert f"seat {found.verdict.loser} is the durak" in found.checks[-1].text


def test_log_of_a_game_in_the_real_group_is_ok() -> None:
    found = audit(saved(played_for_real()), DURAK)
    assert found.finding is Finding.OK
    assert found.checks[-2].text.startswith("36 of 36 cards")


def test_drawn_game_is_ok() -> None:
    found = checked(log_of(drawn().records))
    assert (found.finding, found.checks[-1].text) == (Finding.OK, "a draw, nobody is the durak")


def test_chain_alone_is_ok_as_notes_are_no_part_of_a_game_that_has_ended() -> None:
    found = checked(log_of(RECORDS))
    assert found.finding is Finding.OK
    assert "opened" not in [check.name for check in found.checks]


def test_notes_may_stand_anywhere_in_the_file() -> None:
    entries = [encode_entry(Tag.RECORD, data) for data in RECORDS]
    entries[5:5] = [encode_entry(Tag.NOTE, data) for data in NOTES]
    assert checked(MAGIC + b"".join(entries)).finding is Finding.OK


def test_one_key_shown_opens_nothing() -> None:
    found = checked(log_of(RECORDS, NOTES[:1]))
    assert found.finding is Finding.OK
    assert "opened" not in [check.name for check in found.checks]


# Cut, torn, damaged


@pytest.mark.parametrize("count", [*range(8), 20, 40, len(RECORDS) - 1])
def test_chain_cut_short_is_incomplete_and_says_who_owes_the_next_step(count: int) -> None:
    found = checked(log_of(RECORDS[:count]))
    assert found.finding is Finding.INCOMPLETE
    owed = present(STATES[count].owed)
    kind = owed.kind.name.lower()
    who = "seat 0 owes the first record" if count == 0 else f"seat {owed.seat} owes the next step ({kind})"
    assert who in found.checks[-1].text
    assert found.owed == owed


@pytest.mark.parametrize("count", [0, 1, 5, 30, len(RECORDS), len(RECORDS) + 1])
@pytest.mark.parametrize("rest", [1, 3, 4, 5, 40])
def test_beginning_of_an_entry_at_the_end_is_torn_whatever_stands_before(count: int, rest: int) -> None:
    entries = [encode_entry(Tag.RECORD, data) for data in RECORDS] + [encode_entry(Tag.NOTE, n) for n in NOTES]
    found = checked(MAGIC + b"".join(entries[:count]) + entries[count][:rest])
    assert found.finding is Finding.TORN
    assert found.checks[-1].text == f"the last {rest} bytes are the beginning of an entry"


@pytest.mark.slow
def test_no_prefix_of_a_log_is_ok_before_its_last_record() -> None:
    ends = [len(MAGIC)]
    for data in RECORDS:
        ends.append(ends[-1] + len(encode_entry(Tag.RECORD, data)))
    cuts = sorted({end + delta for end in ends for delta in (-1, 0, 3)} | set(range(0, ends[-1], 1999)))
    for cut in cuts:
        if cut < ends[-1]:
            expected = Finding.UNREADABLE if cut == 0 else Finding.INCOMPLETE if cut in ends else Finding.TORN
            assert checked(LOG[:cut]).finding is expected, cut


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :]


def test_log_with_any_byte_flipped_is_never_ok_and_no_proof_is_looked_at_behind_a_broken_hash() -> None:
    """The first three thousand bytes each, and every 37th behind them."""
    followed = 0
    for place in (*range(3000), *range(3000, len(LOG), 37)):
        found = checked(flipped(LOG, place))
        assert found.finding is not Finding.OK, place
        if found.saved.damage is not None:
            assert found.steps == []
            assert [check.name for check in found.checks] == ["file"]
        followed += bool(found.steps)
    assert followed < 20, "only a length that now reaches beyond the end is no damage"


def test_record_changed_with_its_hash_made_anew_is_never_ok() -> None:
    """Whoever edits a log can hash, but he cannot sign."""
    for place, data in enumerate(RECORDS):
        for byte in (0, 40, len(data) // 2, len(data) - 70, len(data) - 1):
            changed = [*RECORDS[:place], flipped(data, byte), *RECORDS[place + 1 :]]
            found = checked(log_of(changed, NOTES))
            assert found.finding is Finding.INVALID, (place, byte)
            assert found.accused is None


def edited(name: str) -> list[bytes]:
    other = sit_down("another game").play(lowest).records
    return {
        "first record deleted": RECORDS[1:],
        "record deleted": RECORDS[:30] + RECORDS[31:],
        "two records swapped": [*RECORDS[:30], RECORDS[31], RECORDS[30], *RECORDS[32:]],
        "record doubled": RECORDS[:31] + RECORDS[30:],
        "record appended again": [*RECORDS, RECORDS[-1]],
        "spliced from another game": RECORDS[:30] + other[30:],
        "deal of another game": other[:6] + RECORDS[6:],
        "one record of another game": [*RECORDS[:30], other[30], *RECORDS[31:]],
        "played on after its end": RECORDS + other[len(RECORDS) :],
    }[name]


@pytest.mark.parametrize(
    "name",
    [
        *("first record deleted", "record deleted", "two records swapped", "record doubled", "record appended again"),
        *("spliced from another game", "deal of another game", "one record of another game"),
    ],
)
def test_log_whose_records_were_edited_is_invalid_before_any_proof(name: str) -> None:
    found = checked(log_of(edited(name)))
    assert (found.finding, found.steps, last_check(found)) == (Finding.INVALID, [], ("chain", False))
    assert "does not follow" in found.checks[-1].text


def test_bytes_that_are_no_record_in_a_right_entry_are_invalid() -> None:
    assert is_invalid(log_of([*RECORDS[:5], b"x" * 100]), "chain", "record 5: Bytes that are no msgpack")


@pytest.mark.parametrize(
    ("data", "finding"),
    [
        (b"", Finding.UNREADABLE),
        (b"\x7fELF" + bytes(100), Finding.UNREADABLE),
        (bytes(limits.LOG_BYTES_MAX), Finding.UNREADABLE),
        (bytes(limits.LOG_BYTES_MAX + 1), Finding.UNREADABLE),
        (MAGIC.ljust(limits.LOG_BYTES_MAX + 1, b"\0"), Finding.INVALID),
        (MAGIC.replace(b"1", b"2") + LOG[len(MAGIC) :], Finding.UNSUPPORTED),
        (MAGIC, Finding.INCOMPLETE),
        (MAGIC[:5], Finding.TORN),
        (MAGIC + b"\xff\xff\xff\xff", Finding.INVALID),
        (MAGIC + 200_000 * encode_entry(Tag.RECORD, b"x"), Finding.INVALID),
        (MAGIC + 17 * encode_entry(Tag.NOTE, b"x"), Finding.INVALID),
        (MAGIC + encode_entry(Tag.NOTE, NOTES[0]), Finding.INVALID),
    ],
    ids=range(12),
)
def test_other_files_have_their_verdict(data: bytes, finding: Finding) -> None:
    found = checked(data)
    assert (found.finding, found.checks[-1].holds) == (finding, False)
    assert found.checks[-1].text


def test_log_in_a_group_that_is_not_known_is_unsupported_and_accuses_nobody() -> None:
    found = audit(LOG, DURAK, SUITES)
    assert (found.finding, found.accused, last_check(found)) == (Finding.UNSUPPORTED, None, ("record", False))
    assert "A group that this program does not know" in found.checks[-1].text


@pytest.mark.parametrize("first", [b"\x98\x02", b"\x98\x00", b"\x91\x7f", b"\x9f\x02"])
def test_log_of_another_protocol_version_is_unsupported(first: bytes) -> None:
    """Whatever else another version changes, a record of it is an array that names its version first."""
    data = first + RECORDS[0][2:]
    text = f"record 0 is of protocol version {first[1]}; this program reads version 1"
    assert is_refused(log_of([data, *RECORDS[1:]]), Finding.UNSUPPORTED, "chain", text)


@pytest.mark.parametrize(
    "first", [b"\xdc\x02", b"\x88\x02", b"\x98\x82", b"\x98\xcc", b"\x98\xc0", b"\x99\x01", b"\x90"]
)
def test_record_that_names_no_version_of_its_own_is_invalid(first: bytes) -> None:
    assert is_invalid(log_of([first + RECORDS[0][2:], *RECORDS[1:]]), "chain", "record 0: ")
    assert is_invalid(log_of([first]), "chain", "record 0: ")


def test_version_that_changes_within_a_game_is_invalid() -> None:
    changed = RECORDS[9][:1] + b"\x02" + RECORDS[9][2:]
    assert is_invalid(
        log_of([*RECORDS[:9], changed, *RECORDS[10:]]), "chain", "record 9: A record of protocol version 2"
    )


def test_opener_that_the_options_do_not_give_is_invalid() -> None:
    start0 = with_fields(body_of(decode_record(RECORDS[0])), opener=0)
    data = forged(STATES[0], 0, start0)
    assert is_invalid(log_of([data]), "record", "Who attacks first was proposed otherwise than the options say")


# Cheats in a chain that is whole


def with_record(place: int, data: bytes) -> bytes:
    return log_of([*RECORDS[:place], data])


def test_cheating_record_is_found_and_its_author_named() -> None:
    for kind, field in ((Kind.SHUFFLE0, "proof"), (Kind.SHUFFLE1, "proof"), (Kind.SHARES, "shares")):
        referee, record = at(kind)
        right = getattr(record.body, field)
        data = forged(referee, record.seat, with_fields(record.body, **{field: words(right)[-1]}))
        assert is_invalid(with_record(record.seq, data), "record", f"record {record.seq}, by seat", record.seat)


def test_move_against_the_rules_is_found_and_its_author_named() -> None:
    referee, record = at(Kind.MOVE, 0, lambda move: move.action[0] == 0)
    data = forged(referee, record.seat, Move(b"\x03", False, 0, (), (), ()))
    assert is_invalid(with_record(record.seq, data), "record", "cannot begin with done", record.seat)


def test_record_signed_by_nobody_is_found_and_nobody_named() -> None:
    record = decode_record(RECORDS[9])
    data = record.signed + bytes(64)
    assert is_invalid(with_record(9, data), "record", "record 9: A record that is not signed")


def test_false_digest_names_its_author() -> None:
    record = decode_record(RECORDS[9])
    data = resigned(record, digest=bytes(31) + b"\x01")
    assert is_invalid(with_record(9, data), "state", f"record 9, by seat {record.seat}", record.seat)


def test_one_key_on_both_seats_is_found() -> None:
    body = with_fields(decode_record(RECORDS[1]).body, vk=HOST.public)
    data = forged(played().before[1], 1, body, key=HOST)
    assert is_invalid(with_record(1, data), "record", "same identity key", 1)


def test_record_after_the_end_is_found() -> None:
    seat = 0
    data = forged(played().referee, seat, Shares(b""))
    assert is_invalid(log_of([*RECORDS, data]), "record", "out of turn", seat)


def second_record(place: int, **changes: Any) -> bytes:
    """Another record by the author of the one at `place`, for the same place."""
    return resigned(decode_record(RECORDS[place]), digest=bytes(31) + b"\x01", **changes)


@pytest.mark.parametrize("place", [2, 9, 30, len(RECORDS) - 1])
def test_second_record_for_a_place_saved_behind_the_chain_names_its_author(place: int) -> None:
    seat = decode_record(RECORDS[place]).seat
    data = log_of([*RECORDS, second_record(place)])
    why = f"record {place} twice, by seat {seat}: Two different records were signed for one place"
    assert is_refused(data, Finding.EQUIVOCATION, "equivocation", why, seat)
    assert checked(data).place == place


def test_second_record_that_the_named_seat_has_not_signed_accuses_nobody() -> None:
    record = decode_record(RECORDS[9])
    other = second_record(9, key=IDENTITIES[1 - record.seat])
    unsigned = second_record(9)[:-64] + bytes(64)
    another_game = second_record(9, sid=bytes(32))
    proposal = forged(STATES[0], 0, with_fields(decode_record(RECORDS[0]).body, date="2026-12-01"))
    for data in (other, unsigned, another_game, proposal):
        assert is_invalid(log_of([*RECORDS, data]), "record", "A record for a place that is already taken")


def test_second_record_in_the_middle_of_a_chain_breaks_it() -> None:
    data = log_of([*RECORDS[:20], second_record(9), *RECORDS[20:]])
    assert is_invalid(data, "chain", "record 20 does not follow")
    data = log_of([*RECORDS[:20], second_record(9), *RECORDS[20:], second_record(9)])
    assert checked(data).finding is Finding.INVALID


def test_without_proofs_only_the_rules_are_followed() -> None:
    """For lists of many logs; it is no verdict on the cards."""
    assert checked(LOG, proofs=False).finding is Finding.FOLLOWED
    referee, record = at(Kind.SHUFFLE1)
    unproven = forged(referee, 1, with_fields(record.body, proof=words(body_of(record).proof)[-1]))
    assert checked(with_record(3, unproven), proofs=False).finding is Finding.INCOMPLETE
    referee, record = at(Kind.MOVE, 0, lambda move: move.action[0] == 0)
    illegal = forged(referee, record.seat, Move(b"\x03", False, 0, (), (), ()))
    assert checked(with_record(record.seq, illegal), proofs=False).finding is Finding.INVALID


# Notes


def unfinished() -> Pair:
    return sit_down("unfinished").play(lowest, in_bout)


def with_notes(pair: Pair, *notes: bytes) -> bytes:
    return log_of(pair.records, notes)


@pytest.mark.parametrize("seat", [0, 1])
def test_resigned_game_is_ok(seat: Seat) -> None:
    pair = unfinished()
    found = checked(with_notes(pair, forged_note(pair.referee, seat, NoteKind.RESIGN)))
    assert found.finding is Finding.OK
    assert found.checks[-1].text == f"seat {seat} resigned and is the durak"
    assert found.verdict.end is End.RESIGN


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (NoteKind.LEAVE, "left"),
        (NoteKind.DESYNC, "noted that the states differ"),
        (NoteKind.CLAIM, "claimed the win, and a claim is no proof"),
    ],
)
def test_game_ended_by_another_note_is_incomplete_and_says_who_wrote_it_and_who_owes(kind: NoteKind, why: str) -> None:
    pair = unfinished()
    owed = present(pair.referee.owed)
    found = checked(with_notes(pair, forged_note(pair.referee, 1 - owed.seat, kind)))
    assert found.finding is Finding.INCOMPLETE
    told = f"seat {1 - owed.seat} {why}: seat {owed.seat} owes the next step ({owed.kind.name.lower()})"
    assert found.checks[-1].text == told
    assert found.owed == owed


def test_torn_log_of_a_resigned_game_is_torn() -> None:
    pair = unfinished()
    data = with_notes(pair, forged_note(pair.referee, 0, NoteKind.RESIGN))
    assert checked(data + b"\x00\x00").finding is Finding.TORN
    assert checked(data[:-1]).finding is Finding.TORN


def test_false_notes_are_invalid() -> None:
    pair = unfinished()
    resign = forged_note(pair.referee, 0, NoteKind.RESIGN)
    author = decode_record(pair.records[-1]).seat
    for notes, why in (
        ((forged_note(pair.referee, 0, NoteKind.RESIGN, sid=ZEROS),), "note 0: A note about another game"),
        ((forged_note(pair.referee, 1 - author, NoteKind.RESIGN, head=ZEROS),), "note 0: A note about another course"),
        ((forged_note(pair.referee, 1, NoteKind.RESIGN, key=HOST),), "note 0: A note that is not signed"),
        ((resign, resign), "note 1: A second note of the same kind"),
        ((resign, b"x" * 100), "note 1: Bytes that are no msgpack"),
    ):
        assert is_invalid(with_notes(pair, *notes), "notes", why)


def test_resign_followed_by_a_record_of_its_author_names_him() -> None:
    """Else whoever resigned on his turn could move after all, so that the other owes the step and loses the tie."""
    pair = unfinished()
    seat = pair.mover.seat
    resign = forged_note(pair.referee, seat, NoteKind.RESIGN)
    pair.step(lowest)
    assert is_invalid(with_notes(pair, resign), "notes", "after its author had resigned", seat)


@pytest.mark.parametrize("kind", [NoteKind.RESIGN, NoteKind.LEAVE, NoteKind.CLAIM, NoteKind.DESYNC])
def test_note_that_names_another_record_of_its_author_than_stands_in_the_chain_names_him(kind: NoteKind) -> None:
    pair = unfinished()
    seat = pair.mover.seat
    named = forged_note(pair.referee, seat, kind, seq=len(pair.records) + 1)
    pair.step(lowest)
    assert is_invalid(with_notes(pair, named), "notes", "names another record of its author", seat)


def test_note_that_names_another_record_of_the_other_seat_accuses_nobody() -> None:
    """He may have been sent that record."""
    pair = unfinished()
    named = forged_note(pair.referee, 1 - pair.mover.seat, NoteKind.LEAVE, seq=len(pair.records) + 1)
    pair.step(lowest)
    assert is_invalid(with_notes(pair, named), "notes", "note 0: A note about another course")


def test_key_shown_before_the_end_is_invalid() -> None:
    pair = unfinished()
    shown = [
        forged_note(pair.referee, seat, NoteKind.OPEN, body=pair.seats[seat].x.to_bytes(32, "little"))
        for seat in (0, 1)
    ]
    assert is_invalid(with_notes(pair, shown[0]), "notes", "before the end")
    assert is_invalid(with_notes(pair, *shown), "notes", "before the end")


@pytest.mark.parametrize("lost", [1, 3, 20])
def test_log_whose_notes_have_seen_more_records_than_it_holds_is_incomplete_and_says_so(lost: int) -> None:
    """A key that was shown after the end is not looked at where the end is missing."""
    found = checked(log_of(RECORDS[:-lost], NOTES))
    assert (found.finding, found.accused) == (Finding.INCOMPLETE, None)
    assert found.checks[-1].text.endswith(f"; a note tells of {lost} more")
    assert "opened" not in [check.name for check in found.checks]


def test_note_about_records_behind_the_end_is_invalid() -> None:
    ahead = forged_note(played().referee, 0, NoteKind.RESIGN, seq=len(RECORDS) + 1)
    assert is_invalid(log_of(RECORDS, [ahead]), "notes", "note 0: A note about records that cannot exist")


# The audit that trusts no proof


@pytest.mark.parametrize(
    ("game", "author", "why"),
    [
        (with_a_card_twice, 0, "record 2, by seat 0: the deck of seat 0 is not the 36 cards"),
        (with_a_card_that_is_none, 1, "record 3, by seat 1: the deck of seat 1 is not the 36 cards"),
        (with_a_remask_that_changes_a_card, None, "changed his hand"),
    ],
)
def test_cheat_that_every_proof_vouches_for_is_found_once_both_keys_are_shown_and_its_author_named(
    game: Callable[[], Pair], author: Seat | None, why: str
) -> None:
    pair = game()
    if author is None:  # whoever was on turn
        author = decode_record(pair.records[-1]).seat
    assert is_invalid(saved(pair), "opened", why, author)
    resign = [note.data for note in pair.host.notes if note.kind is not NoteKind.OPEN]
    assert checked(log_of(pair.records, resign)).finding is Finding.OK


# Any bytes


def test_entries_of_mutated_records_never_make_the_audit_fail() -> None:
    rng = SeededRng("mutated entries")
    for _ in range(50):
        place = rng.below(len(RECORDS))
        data = bytearray(RECORDS[place])
        for _ in range(1 + rng.below(3)):
            data[rng.below(len(data))] = rng.below(256)
        tag = (Tag.RECORD, Tag.NOTE)[rng.below(10) == 0]
        entries = [encode_entry(Tag.RECORD, record) for record in RECORDS[:place]]
        found = checked(MAGIC + b"".join([*entries, encode_entry(tag, bytes(data))]))
        assert found.finding in {Finding.INVALID, Finding.INCOMPLETE}


def test_records_of_hostile_authors_never_make_the_audit_fail() -> None:
    """Right signatures of both keys under bodies put together at random."""
    rng = SeededRng("hostile authors")
    bodies = [decode_record(data).body for data in RECORDS]
    for _ in range(50):
        place = rng.below(len(RECORDS))
        body = bodies[rng.below(len(bodies))]
        data = forged(STATES[place], rng.below(2), body)
        found = checked(log_of([*RECORDS[:place], data]))
        assert found.finding in {Finding.INVALID, Finding.INCOMPLETE, Finding.OK}
        assert (found.finding is Finding.OK) == (data == RECORDS[-1])
