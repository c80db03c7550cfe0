"""A peer whose words are authentic and not honest: what he may send, what the other side says of it, and who is named.

The honest side must say in one sentence what happened and name nobody who is not proven to have done it; the evidence
must convince whoever reads it; and the log must stay good up to the misdeed.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeck.audit import Finding
from fairdeck.game import Seat
from fairdeck.limits import CHAT_BYTES_MAX
from fairdeck.referee import Owed
from fairdeck.sign import SigningKey
from fairdeck.wire import Kind, Move, NoteKind, Record, decode_record
from p2pdurak import files
from p2pdurak.events import Again, Claim, Late, Leave, Moved, Play, Reason, Rematch, Resign, Result, Said, Trouble
from p2pdurak.rules.actions import Attack
from p2pdurak.rules.options import CLASSIC
from p2pdurak.table.chair import PostKind
from p2pdurak.table.players import Exit
from p2pdurak.table.sitting import Phase
from tests.fairdeck.cheap import CHEAP, IDENTITIES, lowest
from tests.fairdeck.forge import forged, forged_note, resigned
from tests.table.pairs import Pair, Side

Sit = Callable[..., Pair]
Change = Callable[[Record], dict[str, Any]]

STRANGER = SigningKey.from_seed(b"stranger" * 4)


def sends(side: Side, kind: Kind, change: Change, key: SigningKey | None = None) -> None:
    """Change what a side sends of one kind, under a right signature; its own log holds the honest record."""
    append = side.duel.channel.append

    def altered(data: bytes, now: float) -> None:
        record = decode_record(data)
        if (record.seat, record.kind) == (side.duel.player.seat, kind):
            data = resigned(record, key, **change(record))
        append(data, now)

    side.duel.channel.append = altered  # type: ignore[method-assign]


def body_with(**changes: Callable[[Any], Any]) -> Change:
    """A record whose body has some fields changed."""

    def change(record: Record) -> dict[str, Any]:
        new = {name: alter(getattr(record.body, name)) for name, alter in changes.items()}
        return {"body": msgspec.structs.replace(record.body, **new)}

    return change


def flipped(data: bytes, place: int = -1) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


def with_other_share(shares: bytes) -> bytes:
    """The first share is another point; the proof stays."""
    return CHEAP.add_encoded(shares[:32], CHEAP.mul_base(1)) + shares[32:]


def halves_swapped(deck: bytes) -> bytes:
    return deck[64:128] + deck[:64] + deck[128:]


# Proven cheats while the cards are dealt: what is changed, whose seat, the sentence.

DEALING: dict[str, tuple[Seat, Kind, Change, str]] = {
    "key without its secret": (1, Kind.START1, body_with(possession=flipped), "does not know its secret"),
    "commitment opened to another nonce": (0, Kind.SHUFFLE0, body_with(nonce=flipped), "commitment"),
    "host's shuffle proof altered": (0, Kind.SHUFFLE0, body_with(proof=flipped), "shuffle"),
    "two cards swapped after the host's proof": (0, Kind.SHUFFLE0, body_with(deck=halves_swapped), "shuffle"),
    "guest's shuffle proof altered": (1, Kind.SHUFFLE1, body_with(proof=flipped), "shuffle"),
    "guest's deck a card short": (1, Kind.SHUFFLE1, body_with(deck=lambda deck: deck[:-64]), "deck"),
    "guest's share of another card": (1, Kind.SHUFFLE1, body_with(shares=with_other_share), "share"),
    "host's share of another card": (0, Kind.SHARES, body_with(shares=with_other_share), "share"),
    "host's shares with one too few": (0, Kind.SHARES, body_with(shares=lambda shares: shares[32:]), "share"),
    "host's shares with one too many": (0, Kind.SHARES, body_with(shares=lambda shares: shares[:32] + shares), "share"),
}


def assert_proven(pair: Pair, cheater: Seat, sentence: str, finding: Finding = Finding.INVALID) -> None:
    """The honest side names the cheater, and so does anybody who reads the evidence; its log stays good."""
    honest = pair.sides[1 - cheater]
    (trouble,) = honest.told(Trouble)
    assert (trouble.kind, trouble.accused) == ("cheat", cheater)
    assert sentence in trouble.message
    assert trouble.message.endswith(".")
    assert trouble.evidence is not None
    evidence, log = pair.audit(trouble.evidence), pair.audit(honest.logs()[0])
    assert (evidence.finding, evidence.accused) == (finding, cheater)
    assert (log.finding, log.accused) == (Finding.INCOMPLETE, None)
    (result,) = honest.told(Result)
    assert (result.outcome, result.reason, result.by, result.verified) == ("none", Reason.CHEAT, cheater, False)
    assert result.score == (0, 0, 0)
    assert honest.duel.exit is Exit.CHEATED
    assert_nobody_accuses(pair, 1 - cheater)


def assert_unproven(pair: Pair, author: Seat, sentence: str) -> None:
    """The honest side stops with a sentence and accuses nobody, for nothing is proven; its log stays good."""
    honest = pair.sides[1 - author]
    (trouble,) = honest.told(Trouble)
    assert (trouble.kind, trouble.accused, trouble.evidence) == ("malformed", None, None)
    assert sentence in trouble.message
    assert honest.result.reason is Reason.MALFORMED
    assert honest.duel.exit is Exit.CHEATED
    assert pair.audit(honest.logs()[0]).finding is Finding.INCOMPLETE
    assert_nobody_accuses(pair, 1 - author)


def assert_nobody_accuses(pair: Pair, honest: Seat) -> None:
    assert [event for side in pair.sides for event in side.told(Trouble) if event.accused == honest] == []


@pytest.mark.parametrize("name", DEALING)
def test_cheat_while_the_cards_are_dealt_is_proven(sit: Sit, name: str) -> None:
    cheater, kind, change, sentence = DEALING[name]
    pair = sit()
    sends(pair.sides[cheater], kind, change)
    pair.connect().wait(1.0)
    assert_proven(pair, cheater, sentence)


# Proven cheats while cards are played. Each takes a dealt game and the cheater, whose move it is.


def done_on_an_empty_table(pair: Pair, cheater: Seat) -> None:
    empty = Move(b"\x03", auto=False, think_ms=0, remask=(), proof=(), shares=())
    pair.send_record(cheater, forged(pair.sides[cheater].referee, cheater, empty))


def bytes_that_are_no_action(pair: Pair, cheater: Seat) -> None:
    odd = Move(b"\xff\x01", auto=False, think_ms=0, remask=(), proof=(), shares=())
    pair.send_record(cheater, forged(pair.sides[cheater].referee, cheater, odd))


def card_without_a_proof(pair: Pair, cheater: Seat) -> None:
    card = pair.sides[cheater].view.hand[0]
    bare = Move(bytes([0, card]), auto=False, think_ms=0, remask=(), proof=(), shares=())
    pair.send_record(cheater, forged(pair.sides[cheater].referee, cheater, bare))


def card_of_the_other_hand(pair: Pair, cheater: Seat) -> None:
    card = pair.sides[1 - cheater].view.hand[0]
    sends(pair.sides[cheater], Kind.MOVE, body_with(action=lambda _: bytes([0, card])))
    play_hidden(pair, cheater)


def opening_altered(pair: Pair, cheater: Seat) -> None:
    sends(pair.sides[cheater], Kind.MOVE, body_with(proof=lambda proof: (flipped(proof[0]),)))
    play_hidden(pair, cheater)


def opening_of_another_place(pair: Pair, cheater: Seat) -> None:
    def moved(proof: tuple[bytes]) -> tuple[bytes]:
        return (bytes([(proof[0][0] + 1) % 5]) + proof[0][1:],)

    sends(pair.sides[cheater], Kind.MOVE, body_with(proof=moved))
    play_hidden(pair, cheater)


def surplus_shares(pair: Pair, cheater: Seat) -> None:
    sends(pair.sides[cheater], Kind.MOVE, body_with(shares=lambda _: (bytes(96),)))
    play_hidden(pair, cheater)


def play_hidden(pair: Pair, seat: Seat) -> None:
    """Play a card that has to be opened."""
    view = pair.sides[seat].view
    card = next(card for card in view.hand if card not in view.mine.known)
    pair.do(seat, Play(Attack(card)))


def record_out_of_turn(pair: Pair, cheater: Seat) -> None:
    """The other one, who is not to move, is the cheater here: he plays a move all the same."""
    card = pair.sides[cheater].view.hand[0]
    move = Move(bytes([0, card]), auto=False, think_ms=0, remask=(), proof=(), shares=())
    pair.send_record(cheater, forged(pair.sides[cheater].referee, cheater, move))


PLAYING: dict[str, tuple[Callable[[Pair, Seat], None], str]] = {
    "done on an empty table": (done_on_an_empty_table, "must lead a card"),
    "bytes that are no action": (bytes_that_are_no_action, "no action"),
    "card without a proof": (card_without_a_proof, "proof missing"),
    "card of the other hand": (card_of_the_other_hand, "card"),
    "opening altered": (opening_altered, "opening"),
    "opening of another place": (opening_of_another_place, ""),
    "shares that nobody owes": (surplus_shares, "shares"),
}


@pytest.mark.parametrize("name", PLAYING)
def test_cheat_while_cards_are_played_is_proven(sit: Sit, name: str) -> None:
    cheat, sentence = PLAYING[name]
    pair = sit().deal()
    cheater = pair.mover
    cheat(pair, cheater)
    pair.wait(1.0)
    assert_proven(pair, cheater, sentence)


def test_move_out_of_turn_is_proven(sit: Sit) -> None:
    pair = sit().deal()
    cheater = 1 - pair.mover
    record_out_of_turn(pair, cheater)
    pair.wait(1.0)
    assert_proven(pair, cheater, "out of turn")


def test_wrong_share_after_a_bout_is_proven(sit: Sit) -> None:
    pair = sit().deal()
    for side in pair.sides:
        sends(side, Kind.MOVE, with_wrong_share)
        sends(side, Kind.SHARES, body_with(shares=with_other_share))
    pair.play(until=lambda: any(side.told(Trouble) for side in pair.sides)).wait(1.0)
    cheater = next(seat for seat in (0, 1) if pair.sides[1 - seat].told(Trouble))
    assert_proven(pair, cheater, "share")


def with_wrong_share(record: Record) -> dict[str, Any]:
    move = record.body
    if not isinstance(move, Move) or not move.shares:
        return {}
    return {"body": msgspec.structs.replace(move, shares=(with_other_share(move.shares[0]),))}


def test_second_record_for_one_place_is_proven_to_be_his(sit: Sit) -> None:
    pair = sit().deal()
    cheater = pair.mover
    pair.move()
    record = decode_record(pair.host.game.session.records[-1])
    other = resigned(record, body=msgspec.structs.replace(record.body, think_ms=77))
    pair.send_record(cheater, other, record.seq).wait(1.0)
    assert_proven(pair, cheater, "Two different records were signed for one place", Finding.EQUIVOCATION)


@pytest.mark.parametrize("first", ["record", "note"])
def test_record_of_one_who_has_resigned_is_proven_whichever_comes_first(sit: Sit, first: str) -> None:
    pair = sit().deal()
    cheater = pair.mover
    side, honest = pair.sides[cheater], pair.sides[1 - cheater]
    note = forged_note(side.referee, cheater, NoteKind.RESIGN)
    record = side.game.session.act(lowest(side.view))
    side.duel._take = lambda event, now: None  # type: ignore[method-assign]  # he does not care what he is told
    if first == "note":
        post(pair, cheater, PostKind.NOTE, note)
    side.duel.channel.append(record, pair.now)
    pair.pump()
    if first == "record":
        post(pair, cheater, PostKind.NOTE, note)
    pair.wait(10.0)
    (trouble,) = honest.told(Trouble)
    assert (trouble.kind, trouble.accused) == ("cheat", cheater)
    assert trouble.message == "A record was signed after its author had resigned."
    assert trouble.evidence is not None
    evidence = pair.audit(trouble.evidence)
    assert (evidence.finding, evidence.accused) == (Finding.INVALID, cheater)
    assert pair.audit(honest.logs()[0]).accused is None
    assert honest.duel.exit is Exit.CHEATED


def test_note_that_names_another_record_of_his_than_he_sends_is_proven_by_both_together(sit: Sit) -> None:
    """The note came first and speaks of a record that has not come, so it stands in the evidence alone."""
    pair = sit().deal()
    cheater = pair.mover
    side, honest = pair.sides[cheater], pair.sides[1 - cheater]
    place = len(honest.game.session.records)
    post(pair, cheater, PostKind.NOTE, forged_note(side.referee, cheater, NoteKind.RESIGN, seq=place + 1))
    record = side.game.session.act(lowest(side.view))
    side.duel._take = lambda event, now: None  # type: ignore[method-assign]  # he does not care what he is told
    side.duel.channel.append(record, pair.now)
    pair.wait(10.0)
    (trouble,) = honest.told(Trouble)
    assert (trouble.kind, trouble.accused) == ("cheat", cheater)
    assert trouble.message == "A note names another record of its author than the one he sent."
    assert trouble.evidence is not None
    evidence = pair.audit(trouble.evidence)
    assert (evidence.finding, evidence.accused, evidence.checks[-1].name) == (Finding.INVALID, cheater, "notes")
    assert pair.audit(honest.logs()[0]).finding is Finding.INCOMPLETE
    assert pair.audit(honest.logs()[0]).notes == []


@pytest.mark.parametrize("digest", [bytes(32), b"\xff" * 32])
def test_false_digest_ends_the_game_as_a_fault_and_its_evidence_names_the_author(sit: Sit, digest: bytes) -> None:
    pair = sit().deal()
    cheater, honest = pair.mover, pair.sides[1 - pair.mover]
    sends(pair.sides[cheater], Kind.MOVE, lambda _: {"digest": digest})
    pair.move().finish()
    (trouble,) = honest.told(Trouble)
    assert (trouble.kind, trouble.accused) == ("desync", None)
    assert f"its author is seat {cheater}" in trouble.message
    assert trouble.evidence is not None
    evidence = pair.audit(trouble.evidence)
    assert (evidence.finding, evidence.accused) == (Finding.INVALID, cheater)
    assert (honest.result.outcome, honest.result.reason, honest.result.by) == ("none", Reason.DESYNC, None)
    assert honest.duel.exit is Exit.NOT_FINISHED


def test_desync_is_noted_so_that_the_other_side_stops_too(sit: Sit) -> None:
    pair = sit().deal()
    author = pair.mover
    sends(pair.sides[author], Kind.MOVE, lambda _: {"digest": bytes(32)})
    pair.move().finish()
    assert pair.sides[author].result.reason is Reason.DESYNC
    assert pair.sides[author].told(Trouble) == []


# What proves nothing.


def garbage(size: int) -> Callable[[Pair, Seat], None]:
    return lambda pair, seat: pair.send_record(seat, Random(size).randbytes(size)) and None


def signed_by_a_stranger(pair: Pair, seat: Seat) -> None:
    sends(pair.sides[seat], Kind.MOVE, lambda _: {}, key=STRANGER)
    pair.move()


def in_my_name(pair: Pair, seat: Seat) -> None:
    side = pair.sides[seat]
    empty = Move(b"\x03", auto=False, think_ms=0, remask=(), proof=(), shares=())
    pair.send_record(seat, forged(side.referee, 1 - seat, empty, key=IDENTITIES[seat]))


def changed(**fields: Any) -> Callable[[Pair, Seat], None]:
    def cheat(pair: Pair, seat: Seat) -> None:
        sends(pair.sides[seat], Kind.MOVE, lambda _: fields)
        pair.move()

    return cheat


def note(kind: NoteKind, **fields: Any) -> Callable[[Pair, Seat], None]:
    def cheat(pair: Pair, seat: Seat) -> None:
        data = forged_note(pair.sides[seat].referee, seat, kind, **fields)
        pair.sides[seat].duel.channel.post(PostKind.NOTE, data, pair.now)
        pair.pump()

    return cheat


UNPROVEN: dict[str, tuple[Callable[[Pair, Seat], None], str]] = {
    "empty record": (garbage(0), "empty or too long"),
    "garbage of a few bytes": (garbage(70), ""),
    "garbage as long as a move": (garbage(900), ""),
    "garbage as long as a shuffle": (garbage(12_288), ""),
    "record signed by a stranger": (signed_by_a_stranger, "not signed by the seat it names"),
    "record in my name": (in_my_name, "not signed by the seat it names"),
    "record of another game": (changed(sid=b"s" * 32), "another game"),
    "record that follows another": (changed(prev=b"p" * 32), "does not follow"),
    "record of a later place": (changed(seq=99), "where record"),
    "note of another game": (note(NoteKind.RESIGN, sid=b"s" * 32), "another game"),
    "note of another course": (note(NoteKind.CLAIM, head=b"h" * 32), "another course"),
    "note in my name": (note(NoteKind.RESIGN, key=STRANGER), "not signed by the seat it names"),
    "game key before the end": (note(NoteKind.OPEN, body=bytes([7] + [0] * 31)), "key"),
    "game key of a wrong size": (note(NoteKind.OPEN, body=b"7"), ""),
}


@pytest.mark.parametrize("name", UNPROVEN)
def test_nonsense_ends_the_game_with_a_sentence_and_accuses_nobody(sit: Sit, name: str) -> None:
    cheat, sentence = UNPROVEN[name]
    pair = sit().deal()
    author = pair.mover
    cheat(pair, author)
    pair.wait(1.0)
    assert_unproven(pair, author, sentence)


def test_resign_in_my_name_does_not_count(sit: Sit) -> None:
    pair = sit().deal()
    data = forged_note(pair.host.referee, 1, NoteKind.RESIGN, key=IDENTITIES[0])
    pair.host.duel.channel.post(PostKind.NOTE, data, pair.now)
    pair.wait(1.0)
    assert pair.guest.result.outcome == "none"
    assert pair.guest.result.durak is None


def test_authentic_packet_that_cannot_be_read_ends_the_game_with_a_result(sit: Sit) -> None:
    pair = sit().deal()
    author = pair.mover
    pair.seal(author, b"\x00\x05hello" + bytes(207)).wait(1.0)
    assert_unproven(pair, author, "cannot be read")


def test_authentic_packet_that_cannot_be_read_ends_the_match_before_a_game_too(sit: Sit) -> None:
    pair = sit(ask=True).connect()
    pair.seal(0, b"\x00\x05hello" + bytes(207)).finish()
    assert pair.guest.trouble.kind == "malformed"
    assert pair.guest.duel.exit is Exit.CHEATED


# The proposal.


def test_proposal_with_another_opener_than_the_rules_say_is_refused(sit: Sit) -> None:
    pair = sit()
    sends(pair.host, Kind.START0, body_with(opener=lambda _: 0))
    pair.connect().wait(10.0)
    sentence = "Who attacks first was proposed otherwise than the options say."
    assert pair.guest.trouble == Trouble("malformed", sentence)
    assert pair.guest.duel.exit is Exit.CHEATED
    assert pair.guest.logs() == []


def test_proposal_of_other_options_in_a_rematch_is_refused(sit: Sit) -> None:
    pair = sit().deal()
    pair.host.duel.sitting.options = replace(CLASSIC, move_timer=5)
    pair.do(0, Resign()).wait(1.0).do(0, Rematch()).do(1, Rematch()).wait(10.0)
    assert pair.guest.trouble.message == "The host proposed a game that does not follow from this match."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"exporter": lambda _: b"e" * 32}, "belongs to another connection"),
        ({"game": lambda _: 2, "link": lambda _: b"l" * 32}, "does not follow the last one"),
        ({"suite": lambda _: 9}, "A group that this program does not know"),
        ({"cards": lambda _: 52}, "A deck of 52 cards"),
        ({"options": lambda _: b"deck=52"}, "Options that this program does not know"),
        ({"vk": lambda _: IDENTITIES[1].public}, ""),
    ],
    ids=["another connection", "another match", "another group", "another deck", "other options", "my own key"],
)
def test_proposal_that_is_not_for_us_is_refused_and_nothing_saved(
    sit: Sit, change: dict[str, Callable[[Any], Any]], sentence: str
) -> None:
    pair = sit()
    sends(pair.host, Kind.START0, body_with(**change), key=IDENTITIES[1] if "vk" in change else None)
    pair.connect().wait(10.0)
    (trouble,) = pair.guest.told(Trouble)
    assert (trouble.kind, trouble.accused) == ("malformed", None)
    assert sentence in trouble.message
    assert pair.guest.logs() == []


def test_proposal_of_the_test_group_is_refused_by_a_program_that_knows_the_real_one_only(sit: Sit) -> None:
    pair = sit()
    pair.guest.duel.sitting.world = replace(pair.guest.duel.sitting.world, suites={})
    pair.connect().wait(10.0)
    assert pair.guest.trouble.message == "A group that this program does not know."


def test_guest_who_comes_back_as_somebody_else_is_refused(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).wait(1.0)
    pair.guest.duel.sitting.player = replace(pair.guest.duel.player, key=STRANGER)
    pair.do(0, Rematch()).do(1, Rematch()).wait(1.0)
    assert pair.host.trouble.message == "The other side came back as somebody else."


# Ways out of a game that is going badly.


def post(pair: Pair, seat: Seat, kind: int, body: bytes = b"") -> Pair:
    pair.sides[seat].duel.channel.post(kind, body, pair.now)
    return pair.pump()


@pytest.mark.parametrize("seat", [0, 1])
def test_refusing_the_rules_in_the_middle_of_a_game_changes_nothing(sit: Sit, seat: Seat) -> None:
    pair = sit().deal().move()
    post(pair, seat, PostKind.REFUSE, b"I do not like it any more")
    assert pair.sides[1 - seat].told(Trouble) == []
    pair.play().wait(1.0)
    assert pair.sides[1 - seat].result.reason is Reason.CARDS


def withholds(side: Side, kind: Kind) -> None:
    """A side keeps what it should send of one kind to itself."""
    append = side.duel.channel.append

    def thrifty(data: bytes, now: float) -> None:
        record = decode_record(data)
        if (record.seat, record.kind) != (side.duel.player.seat, kind):
            append(data, now)

    side.duel.channel.append = thrifty  # type: ignore[method-assign]


def test_friend_is_sent_away_only_before_the_first_game_of_a_match(sit: Sit) -> None:
    pair = sit().deal().do(0, Resign()).wait(1.0)
    withholds(pair.host, Kind.SHUFFLE0)
    pair.do(0, Rematch()).do(1, Rematch())
    assert pair.guest.referee.owed == Owed(0, Kind.SHUFFLE0)
    post(pair, 0, PostKind.REFUSE)
    assert pair.guest.told(Trouble) == []
    assert pair.guest.duel.phase is Phase.PLAYING


@pytest.mark.parametrize("kind", [5, 6, 100, 255])
def test_word_of_a_newer_program_changes_nothing(sit: Sit, kind: int) -> None:
    pair = sit().deal()
    post(pair, 0, kind, b"\xff" * 2048)
    assert pair.guest.duel.phase is Phase.PLAYING
    assert pair.guest.told(Trouble) == []


def test_wish_for_a_rematch_that_names_another_game_begins_none(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).wait(1.0).do(0, Rematch())
    post(pair, 1, PostKind.AGAIN, b"x" * 32).wait(60.0)
    assert pair.host.trouble == Trouble("desync", "Both sides remember the last game differently.")
    assert pair.host.duel.exit is Exit.FINISHED


def test_wish_for_a_rematch_is_not_told_a_thousand_times(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).wait(1.0)
    for _ in range(1000):
        post(pair, 1, PostKind.AGAIN, b"x" * 32)
    assert pair.host.told(Again) == [Again(1)]


def test_trouble_after_the_result_ends_the_match_and_leaves_the_result(sit: Sit) -> None:
    pair = sit().deal()
    pair.do(0, Resign()).wait(1.0)
    pair.send_record(0, b"one more thing").wait(10.0)
    assert [result.outcome for result in pair.guest.told(Result)] == ["win"]
    assert pair.guest.trouble.kind == "malformed"
    assert pair.guest.duel.exit is Exit.FINISHED


def test_garbage_behind_the_last_record_takes_no_win_away(sit: Sit) -> None:
    """The loser cannot undo an end by the rules before its result is shown."""
    pair = sit(wait_aside=True).deal().play()
    for side in pair.sides:
        pair.send_record(1 - side.duel.player.seat, b"garbage")
        side.aside.popleft()()
        assert side.result.reason is Reason.CARDS
        assert side.duel.exit is Exit.FINISHED


def test_result_whose_log_does_not_verify_is_no_success(sit: Sit) -> None:
    pair = sit(wait_aside=True).deal()
    pair.do(0, Resign()).wait(1.0)
    log = pair.guest.logs()[0]
    data = bytearray(log.read_bytes())
    data[1000] ^= 1
    log.write_bytes(data)
    pair.guest.aside.popleft()()
    assert not pair.guest.result.verified
    assert pair.guest.duel.exit is Exit.CHEATED


def test_host_who_has_seen_his_hand_and_holds_back_the_shares_can_be_given_up(sit: Sit) -> None:
    pair = sit()
    append = pair.host.duel.channel.append

    def holds_back(data: bytes, now: float) -> None:
        if decode_record(data).seq < 4:
            append(data, now)

    pair.host.duel.channel.append = holds_back  # type: ignore[method-assign]
    pair.connect().wait(150.0)
    assert pair.guest.told(Late)[-1].claimable
    pair.do(1, Claim()).wait(1.0)
    assert (pair.guest.result.reason, pair.guest.result.outcome) == (Reason.CLAIMED, "win")


def test_claim_against_a_player_who_is_in_time_is_no_loss(sit: Sit) -> None:
    pair = sit().deal()
    mover = pair.mover
    pair.wait(5.0)
    claim = forged_note(pair.sides[mover].referee, 1 - mover, NoteKind.CLAIM)
    post(pair, 1 - mover, PostKind.NOTE, claim)
    pair.wait(1.0)
    result = pair.sides[mover].result
    assert (result.reason, result.outcome, result.by) == (Reason.CLAIMED, "none", 1 - mover)


def test_resign_that_comes_while_the_log_is_checked_is_checked_too(sit: Sit) -> None:
    """Two honest players, a leave and a resign that cross: the check of the log must be about the end that counts."""
    pair = sit(wait_aside=True).deal()
    pair.holding = {0, 1}
    pair.do(0, Leave()).do(1, Resign()).release()
    while pair.host.aside:
        pair.host.aside.popleft()()
    assert (pair.host.result.reason, pair.host.result.verified) == (Reason.RESIGN, True)
    assert pair.host.duel.exit is Exit.FINISHED


def test_proposal_with_a_state_before_there_is_one_ends_without_a_result(sit: Sit) -> None:
    pair = sit()
    sends(pair.host, Kind.START0, lambda _: {"digest": b"d" * 32})
    pair.connect().wait(1.0)
    assert pair.guest.trouble.kind == "desync"
    assert pair.guest.duel.exit is Exit.NOT_FINISHED


def test_claim_that_overtakes_the_claimers_own_move_is_no_loss(sit: Sit) -> None:
    pair = sit().deal()
    claimer = pair.mover
    pair.holding = {claimer}
    pair.move()
    pair.held.clear()
    claim = forged_note(pair.sides[claimer].referee, claimer, NoteKind.CLAIM)
    pair.holding.clear()
    post(pair, claimer, PostKind.NOTE, claim)
    pair.wait(10.0)
    result = pair.sides[1 - claimer].result
    assert (result.reason, result.outcome) == (Reason.CLAIMED, "none")


def test_first_misdeed_is_the_one_that_counts(sit: Sit) -> None:
    pair = sit(wait_aside=True).deal()
    cheater = pair.mover
    done_on_an_empty_table(pair, cheater)
    for place in range(3):
        pair.send_record(cheater, b"garbage", pair.sides[cheater].referee.seq + 1 + place)
    pair.sides[1 - cheater].aside.popleft()()
    assert_proven(pair, cheater, "must lead a card")


def test_full_disk_takes_the_evidence_but_not_the_word_that_he_cheated(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = sit().deal()
    cheater = pair.mover
    monkeypatch.setattr(files, "write_whole", no_space)
    done_on_an_empty_table(pair, cheater)
    pair.wait(1.0)
    trouble = pair.sides[1 - cheater].trouble
    assert (trouble.kind, trouble.accused, trouble.evidence) == ("cheat", cheater, None)
    assert pair.sides[1 - cheater].result.reason is Reason.CHEAT


def no_space(_fd: int, _data: bytes) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


# Talk.


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe\xfd",
        b"\x1b]52;c;aGVsbG8=\x07\x1b[2J\x9b31m",
        "\u202egnihtemos\u2066\u200b".encode(),
        b"a\nb\r\x00c",
        ("e" + "\u0301" * 500).encode(),
        b"y" * 2048,
        "\U0001f0a1".encode() * 512,
    ],
    ids=["empty", "no UTF-8", "escapes", "bidi", "lines", "marks", "long", "cards"],
)
def test_hostile_chat_is_shown_on_one_clean_line_or_not_at_all(sit: Sit, body: bytes) -> None:
    pair = sit().deal()
    post(pair, 0, PostKind.CHAT, body)
    for said in pair.guest.told(Said):
        assert said.text
        assert said.text.isprintable()
        assert len(said.text.encode()) <= CHAT_BYTES_MAX
        assert not set(said.text) & set("\u202e\u2066\u200b\x1b\x9b\n\r")
    assert pair.guest.told(Trouble) == []


def test_flood_of_chat_is_thinned_out_and_moves_still_pass(sit: Sit) -> None:
    pair = sit().deal()
    flooder = 1 - pair.mover
    for _ in range(5):
        for _ in range(200):
            post(pair, flooder, PostKind.CHAT, b"spam")
        pair.wait(1.0)
    assert len(pair.sides[1 - flooder].told(Said)) <= 8 + 5 * 4
    before = len(pair.host.game.session.records)
    pair.move()
    assert len(pair.guest.game.session.records) == before + 1


# Whoever only carries the packets.


def test_garbage_replays_and_reflections_on_the_line_change_nothing(sit: Sit) -> None:
    rng = Random(7)
    pair = sit().deal()
    for _ in range(30):
        for seat in (0, 1):
            old = [packet for sender, packet in pair.sent if sender != seat]
            mine = [packet for sender, packet in pair.sent if sender == seat]
            noise = [rng.randbytes(rng.choice((0, 1, 26, 256, 1024, 16_384))) for _ in range(10)]
            flips = [flipped(packet, rng.randrange(len(packet))) for packet in rng.choices(old, k=10)]
            for packet in (*rng.choices(old, k=10), *rng.choices(mine, k=10), *noise, *flips):
                pair.sides[seat].duel.receive(packet, pair.now)
        pair.pump()
        if not pair.host.game.ended:
            pair.move()
    pair.play().wait(5.0)
    assert [side.result.reason for side in pair.sides] == [Reason.CARDS] * 2
    assert [side.told(Trouble) for side in pair.sides] == [[], []]


def test_time_and_the_word_that_the_clock_played_are_only_his_word(sit: Sit) -> None:
    pair = sit().deal()
    cheater = pair.mover
    sends(pair.sides[cheater], Kind.MOVE, body_with(auto=lambda _: True, think_ms=lambda _: 2**31))
    pair.move()
    moved = pair.sides[1 - cheater].told(Moved)[-1]
    assert moved.auto
    assert pair.sides[1 - cheater].told(Trouble) == []


def test_equal_identity_on_both_seats_is_refused(sit: Sit) -> None:
    pair = sit()
    pair.guest.duel.sitting.player = replace(pair.guest.duel.player, key=IDENTITIES[0])
    pair.connect().wait(10.0)
    assert pair.host.told(Result) == []
    assert any(side.told(Trouble) for side in pair.sides)
