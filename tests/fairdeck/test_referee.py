"""The place of a record in its chain, its author, his turn, the state after it, and two records for one place."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from msgspec.structs import replace as with_fields

from fairdeck.errors import Cheating, Desync, Malformed, Unexpected
from fairdeck.group import EDWARDS25519
from fairdeck.referee import (
    TRANSITIONS,
    Owed,
    Referee,
    Stage,
    check_equivocation,
    follow,
    new_referee,
    present,
    session_id,
)
from fairdeck.sign import SigningKey
from fairdeck.wire import ZEROS, Body, Kind, Move, Shares, Start0, Start1, decode_record, encode_record
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Done
from tests.fairdeck.blame import at, body_of, is_accused, is_refused, there, words
from tests.fairdeck.cheap import CHEAP_SUITES, GUEST, HOST, Pair, dealt, lowest, sit_down
from tests.fairdeck.forge import bad_points, forged, resigned, sign_record
from tests.fairdeck.games import played, played_for_real

STRANGER: Final = SigningKey.from_seed(b"a stranger's key" * 2)


PLACES: Final = [0, 1, 2, 3, 4, 5, 20, -1]
each_place = pytest.mark.parametrize("place", PLACES)


# What is right


def test_whole_game_is_followed_record_by_record() -> None:
    referee = new_referee(DURAK, CHEAP_SUITES)
    for before, data in zip(played().before, played().records, strict=True):
        assert referee == before
        followed = follow(referee, data)
        assert followed.record.data == data
        assert (followed.action is None) == (followed.record.kind is not Kind.MOVE)
        referee = followed.referee
    assert referee == played().guest.referee == played().host.referee
    assert referee.over
    assert referee.owed is None


def test_forgers_of_these_tests_make_right_records_too() -> None:
    for before, data in zip(played().before, played().records, strict=True):
        record = decode_record(data)
        assert forged(before, record.seat, record.body) == data


def test_stages_come_in_their_order_and_the_game_counts_from_the_second_shuffle() -> None:
    stages = [before.stage for before in played().before[:6]]
    assert stages == [Stage.START0, Stage.START1, Stage.SHUFFLE0, Stage.SHUFFLE1, Stage.DEAL, Stage.PLAY]
    assert list(TRANSITIONS) == list(Stage)
    assert [before.counts for before in played().before[:6]] == [False] * 4 + [True] * 2
    assert [before.owed for before in played().before[:5]] == [TRANSITIONS[stage].owed for stage in stages[:5]]


def test_keys_are_known_from_the_start_records_on() -> None:
    assert [played().before[0].verification_key(seat) for seat in (0, 1)] == [None, None]
    assert [played().before[1].verification_key(seat) for seat in (0, 1)] == [HOST.public, None]
    assert [played().before[2].verification_key(seat) for seat in (0, 1)] == [HOST.public, GUEST.public]


def test_seat_that_lacks_shares_waits_for_the_other() -> None:
    waiting = [before for before in played().before if before.stage is Stage.PLAY and before.owed is not None]
    for before in waiting:
        actor, drawn = present(DURAK.to_act(present(before.state))), present(before.deck).drawn
        expected = Owed(1 - actor, Kind.SHARES) if drawn[actor] else Owed(actor, Kind.MOVE)
        assert before.owed == expected
    assert {present(before.owed).kind for before in waiting} == {Kind.SHARES, Kind.MOVE}


def test_part_that_does_not_exist_yet_cannot_be_asked_for() -> None:
    with pytest.raises(Unexpected, match="before it exists"):
        present(None)
    with pytest.raises(Unexpected):
        _ = new_referee(DURAK).group


# Place in the chain


@each_place
def test_record_of_another_place_proves_nothing(place: int) -> None:
    referee, record = there(place)
    for seq in (record.seq + 1, max(0, record.seq - 1), 8191):
        if seq != record.seq:
            assert is_refused(referee, resigned(record, seq=seq), Unexpected, "came where record")
    assert is_refused(referee, resigned(record, prev=bytes(31) + b"\x01"), Unexpected, "does not follow")


@each_place
def test_record_of_another_game_proves_nothing(place: int) -> None:
    referee, record = there(place)
    assert is_refused(referee, resigned(record, sid=bytes(31) + b"\x01"), Unexpected, "another game")
    if record.sid != ZEROS:
        assert is_refused(referee, resigned(record, sid=ZEROS), Unexpected, "another game")


def test_record_cannot_be_replayed_or_left_out() -> None:
    for place in range(1, 30):
        assert is_refused(played().before[place], played().records[place - 1], Unexpected, "came where record")
        assert is_refused(played().before[place - 1], played().records[place], Unexpected, "came where record")


def test_record_of_a_game_of_the_same_players_proves_nothing() -> None:
    other = sit_down("another game").play(until=lambda pair: len(pair.records) == 8)
    for place in range(2, 8):
        assert is_refused(played().before[place], other.records[place], Unexpected, "does not follow")


# Author


@each_place
def test_record_signed_by_another_key_proves_nothing(place: int) -> None:
    referee, record = there(place)
    for key in (STRANGER, GUEST if record.seat == 0 else HOST):
        assert is_refused(referee, resigned(record, key), Malformed, "not signed by the seat")


@each_place
def test_record_with_an_altered_signature_proves_nothing(place: int) -> None:
    referee, record = there(place)
    for byte in (0, 31, 32, 63):
        signature = bytearray(record.signature)
        signature[byte] ^= 1
        assert is_refused(referee, record.signed + bytes(signature), Malformed, "not signed by the seat")


@each_place
def test_record_in_the_name_of_the_other_seat_proves_nothing(place: int) -> None:
    referee, record = there(place)
    key = (HOST, GUEST)[record.seat]
    known = referee.verification_key(1 - record.seat) is not None
    data = resigned(record, key, seat=1 - record.seat)
    assert is_refused(referee, data, Malformed if known else Unexpected)


def test_signature_under_another_label_proves_nothing() -> None:
    referee, record = there(5)
    key = (HOST, GUEST)[record.seat]
    assert is_refused(referee, record.signed + key.sign("sign note", record.signed), Malformed, "not signed")


@pytest.mark.parametrize("vk", bad_points().values(), ids=bad_points().keys())
def test_bad_verification_key_is_malformed(vk: bytes) -> None:
    for place, key in ((0, HOST), (1, GUEST)):
        referee, record = there(place)
        body = record.body
        assert isinstance(body, (Start0, Start1))
        data = forged(referee, record.seat, with_fields(body, vk=vk), key=key)
        assert is_refused(referee, data, Malformed, "no element")


def test_key_changed_later_is_not_the_authors() -> None:
    """A second start0 does not introduce a new key: the first one has."""
    referee, _ = there(2)
    again = with_fields(present(referee.start0), vk=STRANGER.public)
    assert is_refused(referee, forged(referee, 0, again, key=STRANGER), Malformed, "not signed by the seat")


@pytest.mark.parametrize("kind", list(Kind))
def test_seat_that_has_not_introduced_itself_says_nothing(kind: Kind) -> None:
    """Also not with a start record for the seat that is not asked: nobody can be accused by another's hand."""
    first = played().before[0]
    for seat in (0, 1):
        if (seat, kind) != (0, Kind.START0):
            body = decode_record(played().records[played().at(kind)]).body
            data = forged(first, seat, body, key=STRANGER, sid=ZEROS)
            assert is_refused(first, data, Unexpected, "has not introduced itself")


# Turn


@each_place
@pytest.mark.parametrize("kind", list(Kind))
def test_record_out_of_turn_accuses_its_author(place: int, kind: Kind) -> None:
    referee, _ = there(place)
    body = decode_record(played().records[played().at(kind)]).body
    for seat in (0, 1):
        if referee.verification_key(seat) is not None and referee.owed != Owed(seat, kind):
            assert is_accused(referee, forged(referee, seat, body), seat, "out of turn")


def test_record_after_the_end_accuses_its_author() -> None:
    referee = played().referee
    body = Move(DURAK.encode(Done()), False, 0, (), (), ())
    for seat in (0, 1):
        assert is_accused(referee, forged(referee, seat, body), seat, "out of turn")


# The digest


@each_place
def test_changed_digest_is_a_desync_that_names_the_record_and_its_author(place: int) -> None:
    referee, record = there(place)
    data = resigned(record, digest=bytes(31) + b"\x01")
    with pytest.raises(Desync, match=f"after record {record.seq}; its author is seat {record.seat}"):
        follow(referee, data)


def test_digest_is_zero_until_the_deal_and_of_its_own_in_every_state_then() -> None:
    digests = [referee.digest() for referee in (*played().before, played().referee)]
    assert digests[:5] == [ZEROS] * 5
    assert len(set(digests[5:])) == len(digests[5:])


def test_digest_covers_state_hands_and_stock() -> None:
    referee = played().before[40]
    deck, state = present(referee.deck), present(referee.state)
    pairs = {
        "state": replace(referee, state=replace(state, bout=state.bout + 1)),
        "hand 0": replace(referee, deck=replace(deck, hands=(deck.hands[0][:-1], deck.hands[1]))),
        "hand 1": replace(referee, deck=replace(deck, hands=(deck.hands[0], deck.hands[1][:-1]))),
        "stock": replace(referee, deck=replace(deck, stock_drawn=deck.stock_drawn + 1)),
    }
    digests = {name: changed.digest() for name, changed in pairs.items()}
    assert len({referee.digest(), *digests.values()}) == 1 + len(pairs)
    assert replace(referee, seq=999, head=ZEROS).digest() == referee.digest()


@pytest.mark.parametrize("seat", [0, 1])
def test_digest_covers_what_is_owed_to_either_seat(seat: int) -> None:
    referee = next(at for at in played().before if at.deck is not None and at.state is not None and at.deck.drawn[seat])
    deck = present(referee.deck)
    lists = list(deck.drawn)
    lists[seat] = lists[seat][1:]
    assert replace(referee, deck=replace(deck, drawn=(lists[0], lists[1]))).digest() != referee.digest()


def test_nothing_is_owed_in_a_final_state() -> None:
    referee = played().referee
    deck = present(referee.deck)
    left = replace(referee, deck=replace(deck, drawn=(((deck.drawn[0]) or ()), ())))
    assert left.digest() == referee.digest()


# Own records


def test_own_proofs_are_not_checked_again() -> None:
    referee, record = at(Kind.SHARES)
    data = forged(referee, record.seat, Shares(words(body_of(record).shares)[-1]))
    assert is_accused(referee, data, record.seat, "does not open its card")
    assert follow(referee, data, verify=False).referee.seq == referee.seq + 1


# Equivocation


def second_move(pair: Pair) -> tuple[bytes, bytes]:
    """Two right records by one seat for the last place of the chain."""
    before, data = pair.before[-1], pair.records[-1]
    record = decode_record(data)
    assert isinstance(record.body, Move)
    return data, forged(before, record.seat, with_fields(record.body, think_ms=body_of(record).think_ms + 1))


def in_the_middle() -> Pair:
    pair = sit_down("equivocation").play(until=dealt)
    for _ in range(6):
        pair.step(lowest)
    return pair.play(lowest, lambda now: decode_record(now.records[-1]).kind is Kind.MOVE)


def test_two_records_for_one_place_accuse_their_author_with_both() -> None:
    pair = in_the_middle()
    first, second = second_move(pair)
    with pytest.raises(Cheating, match="Two different records were signed") as caught:
        check_equivocation(pair.referee, first, second)
    assert (caught.value.accused, caught.value.evidence) == (decode_record(first).seat, (first, second))


def test_second_record_with_another_prev_accuses_its_author_too() -> None:
    pair = in_the_middle()
    first, second = second_move(pair)
    moved = resigned(decode_record(second), prev=bytes(32))
    with pytest.raises(Cheating) as caught:
        check_equivocation(pair.referee, first, moved)
    assert caught.value.evidence == (first, moved)


@pytest.mark.parametrize("case", ["identical", "unsigned", "other key", "other seat", "other place", "other game"])
def test_anything_else_for_a_place_that_is_taken_accuses_nobody(case: str) -> None:
    pair = in_the_middle()
    first, second = second_move(pair)
    record = decode_record(second)
    key = (GUEST, HOST)[record.seat]
    theirs = {
        "identical": first,
        "unsigned": second[:-64] + bytes(64),
        "other key": resigned(record, key),
        "other seat": resigned(record, key, seat=1 - record.seat),
        "other place": resigned(record, seq=record.seq - 1),
        "other game": resigned(record, sid=bytes(32)),
    }[case]
    with pytest.raises(Unexpected, match="already taken"):
        check_equivocation(pair.referee, first, theirs)


def test_two_proposals_are_no_equivocation() -> None:
    """They name no game yet, so an old one could be sent by anybody."""
    first = played().records[0]
    record = decode_record(first)
    assert isinstance(record.body, Start0)
    second = forged(played().before[0], 0, with_fields(record.body, date="2026-12-01"))
    with pytest.raises(Unexpected):
        check_equivocation(played().referee, first, second)


# Names of a game


@pytest.mark.parametrize(
    ("which", "change", "counts"),
    [
        (0, {"suite": 9}, True),
        (0, {"cards": 52}, True),
        (0, {"options": b"x"}, True),
        (0, {"vk": ZEROS}, True),
        (0, {"commit": ZEROS}, True),
        (0, {"exporter": ZEROS}, True),
        (0, {"game": 7}, True),
        (0, {"link": b"\x01" * 32}, True),
        (0, {"opener": 1}, True),
        (0, {"name": "Else"}, False),
        (0, {"date": "1999"}, False),
        (1, {"vk": ZEROS}, True),
        (1, {"nonce": ZEROS}, True),
        (1, {"name": "Else"}, False),
        (1, {"Y": ZEROS}, False),
    ],
)
def test_session_id_names_everything_that_was_agreed_and_no_names(
    which: int, change: dict[str, object], counts: bool
) -> None:
    starts: list[Body] = [body_of(there(0)[1]), body_of(there(1)[1])]
    first, second = starts
    assert isinstance(first, Start0)
    assert isinstance(second, Start1)
    changed = (with_fields(first, **change), second) if which == 0 else (first, with_fields(second, **change))
    assert (session_id(*changed) != session_id(first, second)) == counts
    assert session_id(first, second) == played().referee.sid


def test_group_of_the_game_is_the_one_proposed() -> None:
    assert played_for_real().referee.group is EDWARDS25519
    assert isinstance(played_for_real().referee, Referee)


def test_two_honest_records_are_encoded_alike() -> None:
    record = there(5)[1]
    signed = encode_record(record.sid, record.seq, record.seat, record.prev, record.body, record.digest)
    assert sign_record((HOST, GUEST)[record.seat], signed) == record.data
