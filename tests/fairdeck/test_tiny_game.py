"""fairdeck carries any game of its contract: here one with six cards, and the edges that durak rarely reaches."""

from __future__ import annotations

import pytest
from msgspec.structs import replace as with_fields

from fairdeck.audit import Finding, audit
from fairdeck.errors import Cheating, LocalError
from fairdeck.notes import End
from fairdeck.referee import follow, present
from fairdeck.wire import Move, Shares, decode_record, encode_record
from tests.fairdeck.cheap import CHEAP_SUITES, HOST
from tests.fairdeck.forge import log_of, sign_record
from tests.fairdeck.tiny_game import END, GREED, TinyGame, play_tiny


def test_another_game_is_dealt_played_and_audited() -> None:
    host, guest = play_tiny()
    for mover, other in ((host, guest), (guest, host)):
        other.receive(mover.act(mover.hidden_cards[0]))
    guest.receive(host.act(END))
    assert host.referee == guest.referee
    assert host.verdict.end is End.CARDS
    assert audit(log_of(host.records), TinyGame(), CHEAP_SUITES).finding is Finding.OK


def test_cards_drawn_at_the_very_end_are_owed_by_nobody() -> None:
    host, guest = play_tiny()
    data = host.act(END)
    body = decode_record(data).body
    assert isinstance(body, Move)
    assert body.shares == ()
    guest.receive(data)
    drawn = present(host.referee.deck).drawn
    assert [len(cards) for cards in drawn] == [1, 1]
    assert host.referee.owed is None
    assert not host.owes_step
    assert not guest.owes_step


def test_shares_given_at_the_very_end_accuse_the_mover() -> None:
    host, guest = play_tiny()
    before = guest.referee
    record = decode_record(host.act(END))
    shares = host.holder.shares(present(host.referee.deck))
    for body in (with_fields(record.body, shares=(shares,)), Shares(shares)):
        signed = encode_record(record.sid, record.seq, 0, record.prev, body, record.digest)
        with pytest.raises(Cheating, match=r"owes shares for 0 cards|out of turn"):
            follow(before, sign_record(HOST, signed))


def test_game_that_draws_more_than_there_is_is_a_fault_of_the_program_and_accuses_nobody() -> None:
    host, guest = play_tiny()
    with pytest.raises(LocalError, match="more cards than the stock holds"):
        host.act(GREED)
    body = Move(bytes([GREED]), False, 0, (), (), ())
    referee = guest.referee
    data = sign_record(HOST, encode_record(referee.sid, referee.seq, 0, referee.head, body, referee.digest()))
    with pytest.raises(LocalError):
        follow(referee, data)
    found = audit(log_of([*host.records, data]), TinyGame(), CHEAP_SUITES)
    assert (found.finding, found.accused) == (Finding.INVALID, None)
