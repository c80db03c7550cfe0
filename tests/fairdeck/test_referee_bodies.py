"""What stands in a record, kind by kind: every check of it, and whom it accuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from msgspec.structs import replace as with_fields

from fairdeck.errors import Unexpected, Unsupported
from fairdeck.group import SUITES
from fairdeck.referee import (
    OPENER_ASK,
    OPENER_COIN,
    Stage,
    commitment,
    new_referee,
    present,
)
from fairdeck.sign import SigningKey
from fairdeck.transcript import hash32
from fairdeck.wire import ZEROS, Kind, Move, Record, Shares, Start1, decode_record
from p2pdurak.durak import DURAK
from p2pdurak.rules.options import CLASSIC, FirstAttacker, format_options
from p2pdurak.rules.state import Phase
from tests.fairdeck.blame import at, body_of, is_accused, is_refused, outcome, there, words
from tests.fairdeck.cheap import CHEAP_SUITES, HOST, DurakReferee, dealt, sit_down
from tests.fairdeck.forge import bad_points, forged
from tests.fairdeck.games import played, played_for_real

STRANGER: Final = SigningKey.from_seed(b"a stranger's key" * 2)


PLACES: Final = [0, 1, 2, 3, 4, 5, 20, -1]
each_place = pytest.mark.parametrize("place", PLACES)


# start0


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"suite": 1}, "A group that this program does not know"),
        ({"suite": 255}, "A group that this program does not know"),
        ({"cards": 24}, "A deck of 24 cards"),
        ({"cards": 52}, "A deck of 52 cards"),
        ({"options": b""}, "does not know"),
        ({"options": b"\xff\xfe"}, "does not know"),
        ({"options": format_options(CLASSIC).encode() + b"\nredeal=on"}, "does not know"),
        ({"options": format_options(CLASSIC).encode() + b"\n"}, "does not know"),
        ({"options": format_options(CLASSIC).replace("pile_on=on", "pile_on=ON").encode()}, "does not know"),
    ],
)
def test_proposal_that_this_program_does_not_know_is_refused_without_accusing(
    change: dict[str, object], why: str
) -> None:
    """It may come from another version, whose player is no cheat."""
    referee, record = there(0)
    body = with_fields(record.body, **change)
    assert is_refused(referee, forged(referee, 0, body), Unsupported, why)


@pytest.mark.parametrize(
    ("first_attacker", "fits"),
    [(FirstAttacker.LOWEST_TRUMP, {OPENER_ASK}), (FirstAttacker.HOST, {0}), (FirstAttacker.COIN, {OPENER_COIN})],
)
def test_opener_of_a_first_game_is_what_the_options_say_and_later_any_seat_may_have_earned_it(
    first_attacker: FirstAttacker, fits: set[int]
) -> None:
    referee, record = there(0)
    options = format_options(replace(CLASSIC, first_attacker=first_attacker)).encode()
    for opener in range(4):
        first = with_fields(record.body, options=options, opener=opener)
        later = with_fields(first, game=2, link=b"link" * 8)
        for body, allowed in ((first, fits), (later, fits | {0, 1})):
            data = forged(referee, 0, body)
            why = "otherwise than the options say"
            assert (outcome(referee, data) is None) == (opener in allowed)
            assert opener in allowed or is_refused(referee, data, Unexpected, why)


def test_cheap_suite_is_unknown_to_a_program_with_the_real_ones() -> None:
    assert is_refused(new_referee(DURAK, SUITES), played().records[0], Unsupported, "does not know")
    assert is_refused(new_referee(DURAK), played().records[0], Unsupported, "does not know")


# start1


def start1(**changes: object) -> tuple[DurakReferee, bytes]:
    referee, record = there(1)
    return referee, forged(referee, 1, with_fields(record.body, **changes))


def test_one_key_on_both_seats_accuses_the_guest() -> None:
    referee, record = there(1)
    body = with_fields(record.body, vk=HOST.public)
    assert is_accused(referee, forged(referee, 1, body, key=HOST), 1, "same identity key")


@pytest.mark.parametrize("Y", bad_points().values(), ids=bad_points().keys())
def test_bad_game_key_of_the_guest_accuses_him(Y: bytes) -> None:
    referee = played_for_real().before[1]
    body = with_fields(decode_record(played_for_real().records[1]).body, Y=Y)
    assert is_accused(referee, forged(referee, 1, body), 1, "no element")


def test_possession_proof_of_the_guest_holds_for_this_key_and_game_only() -> None:
    _, record = there(1)
    body = record.body
    assert isinstance(body, Start1)
    other_key = CHEAP_SUITES[0].mul_base(5)
    changes: list[dict[str, bytes]] = [{"possession": proof} for proof in words(body.possession)]
    for change in (*changes, {"Y": other_key}, {"nonce": bytes(32)}):
        referee, data = start1(**change)
        assert is_accused(referee, data, 1, "does not know its secret")


def test_possession_proof_of_the_host_is_none_of_the_guests() -> None:
    """A mirrored key comes without its secret: the other's proof is bound to the other's seat."""
    shuffle0 = body_of(there(2)[1])
    referee, data = start1(Y=shuffle0.Y, possession=shuffle0.possession)
    assert is_accused(referee, data, 1, "does not know its secret")


# shuffle0


def shuffle0(**changes: object) -> tuple[DurakReferee, bytes]:
    referee, record = there(2)
    return referee, forged(referee, 0, with_fields(record.body, **changes))


@pytest.mark.parametrize("change", [{"nonce": bytes(32)}, {"Y": CHEAP_SUITES[0].mul_base(5)}])
def test_commitment_opened_to_something_else_accuses_the_host(change: dict[str, bytes]) -> None:
    referee, data = shuffle0(**change)
    assert is_accused(referee, data, 0, "commitment was opened to something else")


def committed_to(referee: DurakReferee, Y: bytes) -> DurakReferee:
    """As if the host had committed to this key from the beginning."""
    nonce = body_of(there(2)[1]).nonce
    start0 = with_fields(present(referee.start0), commit=commitment(nonce, Y))
    return replace(referee, start0=start0)


def test_equal_and_negated_keys_accuse_the_host() -> None:
    referee, _ = there(2)
    Y1 = present(referee.keys[1])
    for Y0 in (Y1, -1 * Y1):
        _, data = shuffle0(Y=Y0.data)
        assert is_accused(committed_to(referee, Y0.data), data, 0, "mirrors the other seat's key")


@pytest.mark.parametrize("Y", bad_points().values(), ids=bad_points().keys())
def test_bad_game_key_of_the_host_accuses_him(Y: bytes) -> None:
    before = played_for_real().before[2]
    body = body_of(decode_record(played_for_real().records[2]))
    start0 = with_fields(present(before.start0), commit=commitment(body.nonce, Y))
    referee = replace(before, start0=start0)
    assert is_accused(referee, forged(referee, 0, with_fields(body, Y=Y)), 0, "no element")


def test_possession_proof_of_the_host_holds_for_his_key_only() -> None:
    referee, record = there(2)
    for possession in (*words(body_of(record).possession), body_of(there(1)[1]).possession):
        _, data = shuffle0(possession=possession)
        assert is_accused(referee, data, 0, "does not know its secret")


def test_shuffle_of_the_host_is_bound_to_this_game() -> None:
    """The proof of another game with the same keys, or of the other seat, does not hold (see the tests of shuffle)."""
    other = body_of(decode_record(sit_down("another game").play(until=dealt).records[2]))
    referee, data = shuffle0(deck=other.deck, proof=other.proof)
    assert is_accused(referee, data, 0, "cards were changed")
    guests = body_of(there(3)[1])
    referee, data = shuffle0(deck=guests.deck, proof=guests.proof)
    assert is_accused(referee, data, 0, "cards were changed")


def changed_decks(deck: bytes, proof: bytes) -> dict[str, tuple[bytes, bytes, str]]:
    """What may be done to a shuffle after it was proven."""
    return {
        "two cards swapped": (deck[64:128] + deck[:64] + deck[128:], proof, "cards were changed"),
        "halves swapped": (deck[32:64] + deck[:32] + deck[64:], proof, "cards were changed"),
        "card twice": (deck[:64] + deck[:64] + deck[128:], proof, "occurs twice"),
        "card dropped": (deck[64:], proof, "must be 2304 bytes"),
        "card added": (deck + deck[:64], proof, "must be 2304 bytes"),
        "proof too short": (deck, proof[:-32], "must be 4768 bytes"),
        "proof too long": (deck, proof + bytes(32), "must be 4768 bytes"),
        "no proof": (deck, b"", "must be 4768 bytes"),
        "no deck": (b"", proof, "must be 2304 bytes"),
        "identity for a point": (bytes(32) + deck[32:], proof, "no element"),
    }


CHANGES: Final = list(changed_decks(bytes(2304), bytes(4768)))


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("place", [2, 3])
def test_changed_shuffle_accuses_its_author(place: int, change: str) -> None:
    referee, record = there(place)
    body = body_of(record)
    deck, proof, why = changed_decks(body.deck, body.proof)[change]
    data = forged(referee, record.seat, with_fields(body, deck=deck, proof=proof))
    assert is_accused(referee, data, record.seat, why)


# shuffle1


def test_own_shuffle_sent_back_accuses_the_guest() -> None:
    referee, record = there(3)
    host = body_of(there(2)[1])
    data = forged(referee, 1, with_fields(record.body, deck=host.deck, proof=host.proof))
    assert is_accused(referee, data, 1, "cards were changed")


def test_shuffle_of_the_first_deck_instead_of_the_hosts_accuses_the_guest() -> None:
    """By the guest's own hand: a right proof, but of the deck that he has not been given."""
    from fairdeck.elgamal import encode_deck, first_deck
    from fairdeck.shuffle import shuffle
    from fairdeck.transcript import context
    from tests.fairdeck.cheap import SeededRng

    referee, record = there(3)
    Y = present(referee.keys[0]) + present(referee.keys[1])
    ctx = context(referee.sid, 1, "shuffle")
    done = shuffle(ctx, played().guest.x, Y, first_deck(referee.group, Y, 36), SeededRng("deck0"))
    data = forged(referee, 1, with_fields(record.body, deck=encode_deck(done.out), proof=done.proof))
    assert is_accused(referee, data, 1, "cards were changed")


@pytest.mark.parametrize("shares", ["", "short", "long", "altered"])
def test_wrong_shares_with_a_shuffle_accuse_the_guest(shares: str) -> None:
    referee, record = there(3)
    right = body_of(record).shares
    given = {
        "": b"",
        "short": right[32:],
        "long": right[:32] + right,
        "altered": (1).to_bytes(32, "little") + right[32:],
    }[shares]
    data = forged(referee, 1, with_fields(record.body, shares=given))
    assert is_accused(
        referee, data, 1, "does not open its card" if shares == "altered" else "shares owed are for 7 cards"
    )


# shares


@pytest.mark.parametrize("nth", [0, 1])
def test_wrong_shares_accuse_their_author(nth: int) -> None:
    referee, record = at(Kind.SHARES, nth)
    right = body_of(record).shares
    for given, why in (
        ((1).to_bytes(32, "little") + right[32:], "does not open its card"),
        (right[32:], "shares owed are for"),
        (right[:32] + right, "shares owed are for"),
        (b"", "shares owed are for"),
        (bytes(32) + right[32:], "no element"),
        (right[:-32] + (2**256 - 1).to_bytes(32, "big"), "not below the order"),
    ):
        assert is_accused(referee, forged(referee, record.seat, Shares(given)), record.seat, why)


def test_shares_before_the_second_shuffle_are_out_of_turn() -> None:
    for place in (2, 3):
        referee, _ = there(place)
        for seat in (0, 1):
            data = forged(referee, seat, body_of(at(Kind.SHARES)[1]))
            assert is_accused(referee, data, seat, "out of turn")


def test_coin_is_a_bit_of_the_hosts_share_at_the_indicator() -> None:
    seen = set()
    for seed in range(8):
        pair = sit_down(f"coin {seed}", opener=OPENER_COIN).play(until=dealt)
        deck, state = present(pair.referee.deck), present(pair.referee.state)
        share = pair.host.x * deck.cards[35].C1
        assert state.attacker == hash32("coin", pair.referee.sid, share.data)[0] & 1
        assert state.phase is Phase.ATTACK
        seen.add(state.attacker)
    assert seen == {0, 1}


@pytest.mark.parametrize("opener", [0, 1])
def test_named_opener_opens(opener: int) -> None:
    state = present(sit_down("named", opener=opener).play(until=dealt).referee.state)
    assert (state.attacker, state.phase) == (opener, Phase.ATTACK)


# move


def changed_move(referee: DurakReferee, record: Record, **changes: object) -> bytes:
    return forged(referee, record.seat, with_fields(record.body, **changes))


def is_opening(move: Move) -> bool:
    return bool(move.proof) and move.action[0] in {0, 1} and not move.remask


def test_bytes_that_are_no_action_accuse_the_mover() -> None:
    referee, record = at(Kind.MOVE, 0, is_opening)
    for action in (b"", b"\x00", b"\x00\x24", b"\x00\xff", b"\x02\x00", b"\x05", b"\x05\x00\x01\x02\x03", b"\x06"):
        assert is_accused(referee, changed_move(referee, record, action=action), record.seat, "")


def test_card_that_is_not_the_one_opened_accuses_the_mover() -> None:
    referee, record = at(Kind.MOVE, 0, is_opening)
    session = played().seats[record.seat]
    held = session.holder.cards(present(referee.deck))
    named = body_of(record).action[1]
    for card in range(36):
        if card != named:
            data = changed_move(referee, record, action=bytes([0, card]))
            why = "another card than the one named" if card in held else ""
            assert is_accused(referee, data, record.seat, why)


def test_right_opening_of_an_illegal_card_accuses_the_mover() -> None:
    """He holds the card and proves it, but it does not beat."""
    for place, before in enumerate(played().before):
        record = decode_record(played().records[place])
        if before.stage is Stage.PLAY and present(before.state).phase is Phase.DEFEND:
            deck, holder = present(before.deck), played().seats[record.seat].holder
            remasked, remask = holder.remask(deck)
            for card in holder.cards(remasked):
                body = Move(bytes([1, card]), False, 0, remask, (holder.opening(remasked, card),), ())
                data = forged(before, record.seat, body)
                if is_accused(before, data, record.seat, "does not beat"):
                    return
    pytest.fail("no such position in this game")


def test_move_against_the_rules_accuses_the_mover() -> None:
    referee, record = at(Kind.MOVE, 0, lambda move: move.action[0] == 0)
    for action in (b"\x02", b"\x03", b"\x01\x05"):
        body = Move(action, False, 0, (), (), ())
        assert is_accused(referee, forged(referee, record.seat, body), record.seat, "")


@pytest.mark.parametrize("change", ["missing", "twice", "surplus remask"])
def test_missing_and_surplus_proofs_accuse_the_mover(change: str) -> None:
    referee, record = at(Kind.MOVE, 0, is_opening)
    opening = body_of(record).proof[0]
    changes: dict[str, dict[str, object]] = {
        "missing": {"proof": ()},
        "twice": {"proof": (opening, opening)},
        "surplus remask": {"remask": (b"", b"")},
    }
    assert is_accused(
        referee, changed_move(referee, record, **changes[change]), record.seat, "proof missing|must not be"
    )


def test_proof_where_none_is_due_accuses_the_mover() -> None:
    referee, record = at(Kind.MOVE, 0, lambda move: move.action[0] == 3)
    opening = body_of(at(Kind.MOVE, 0, is_opening)[1]).proof
    assert is_accused(
        referee, changed_move(referee, record, proof=opening), record.seat, "proof missing or one too many"
    )
    assert is_accused(referee, changed_move(referee, record, remask=(b"a", b"b")), record.seat, "one too many")


def test_wrong_opening_and_wrong_remask_accuse_the_mover() -> None:
    referee, record = at(Kind.MOVE, 0, lambda move: bool(move.remask))
    body = record.body
    assert isinstance(body, Move)
    (deck, proof), (opening,) = body.remask, body.proof
    for changes, why in (
        ({"proof": (opening[:33] + words(opening[33:])[0],)}, "An opening whose proof"),
        ({"proof": (b"\x06" + opening[1:],)}, "beyond the end"),
        ({"proof": (opening[:-1],)}, "must be 97 bytes"),
        ({"remask": ()}, "must be remasked"),
        ({"remask": (deck,)}, "must be remasked"),
        ({"remask": (deck, proof[:-32] + bytes(32))}, "cards were changed"),
        ({"remask": (deck[64:] + deck[:64], proof)}, "cards were changed"),
    ):
        assert is_accused(referee, changed_move(referee, record, **changes), record.seat, why)


def test_shares_missing_or_surplus_with_a_move_accuse_the_mover() -> None:
    referee, record = at(Kind.MOVE, 0, lambda move: bool(move.shares))
    (right,) = body_of(record).shares
    for shares, why in (
        ((), "gives 0 lists"),
        ((right, right), "gives 2 lists"),
        ((right[32:],), "shares owed are for"),
        (((1).to_bytes(32, "little") + right[32:],), "does not open its card"),
    ):
        assert is_accused(referee, changed_move(referee, record, shares=shares), record.seat, why)
    referee, record = at(Kind.MOVE, 0, lambda move: not move.shares)
    assert is_accused(referee, changed_move(referee, record, shares=(right,)), record.seat, "gives 1 lists")


def is_denial(move: Move) -> bool:
    return move.action[0] == 5


def test_wrong_denial_accuses_the_mover() -> None:
    referee, record = at(Kind.MOVE, 0, is_denial)
    (proof,) = body_of(record).proof
    for changes, why in (
        ({"proof": (words(proof)[6],)}, "A denial whose proof"),
        ({"proof": (proof[:-96],)}, "A denial of 6 claims"),
        ({"proof": ()}, "proof missing"),
        ({"remask": (b"a", b"b")}, "one too many"),
    ):
        assert is_accused(referee, changed_move(referee, record, **changes), record.seat, why)


def test_denial_replayed_for_another_card_accuses_the_mover() -> None:
    _, first = at(Kind.MOVE, 0, is_denial)
    for nth in range(1, 4):
        referee, record = at(Kind.MOVE, nth, is_denial)
        data = changed_move(referee, record, proof=body_of(first).proof)
        assert is_accused(referee, data, record.seat, "A denial whose proof")


def test_rank_skipped_in_the_search_for_the_lowest_trump_accuses_the_mover() -> None:
    referee, record = at(Kind.MOVE, 0, is_denial)
    session = played().seats[record.seat]
    deck = present(referee.deck)
    asked = body_of(record).action[1]
    held = session.holder.cards(deck)
    other = next(card for card in range(36) if card != asked and card not in held)
    body = Move(bytes([5, other]), False, 0, (), (session.holder.denial(deck, (other,)),), ())
    assert is_accused(referee, forged(referee, record.seat, body), record.seat, "exactly the cards that were asked")
    shown = Move(bytes([4, held[0]]), False, 0, (), (session.holder.opening(deck, held[0]),), ())
    assert is_accused(referee, forged(referee, record.seat, shown), record.seat, "exactly the cards that were asked")


def test_claiming_a_trump_that_is_not_held_accuses_the_mover() -> None:
    referee, record = at(Kind.MOVE, 0, is_denial)
    session, deck = played().seats[record.seat], present(referee.deck)
    asked = body_of(record).action[1]
    opening = session.holder.opening(deck, session.holder.cards(deck)[0])
    body = Move(bytes([4, asked]), False, 0, (), (opening,), ())
    assert is_accused(referee, forged(referee, record.seat, body), record.seat, "another card than the one named")


def test_move_answered_while_shares_are_owed_is_out_of_turn() -> None:
    referee, _ = at(Kind.SHARES, 1)
    body = Move(b"\x03", False, 0, (), (), ())
    for seat in (0, 1):
        assert is_accused(referee, forged(referee, seat, body), seat, "out of turn")


@pytest.mark.parametrize(("game", "link"), [(1, b"l" * 32), (2, ZEROS)])
def test_link_that_does_not_fit_the_number_of_the_game_accuses_the_host(game: int, link: bytes) -> None:
    referee, record = there(0)
    body = with_fields(record.body, game=game, link=link)

    assert is_accused(referee, forged(referee, 0, body), 0, "The first game of a match follows no other")
