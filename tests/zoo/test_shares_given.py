"""An honest seat gives shares for what the rules have dealt, and for nothing else: there is no way to ask for more."""

from __future__ import annotations

import pytest

from fairdeck.game import Seat
from fairdeck.referee import present
from fairdeck.wire import Kind, Move, decode_record
from tests.fairdeck.games import SEED, played
from tests.zoo.cage import Cage, standing
from tests.zoo.shares import giving_deck


def owed_at(place: int, seat: Seat) -> set[int]:
    """The positions of which `seat` owes its share in the record at `place`, if it makes that record."""
    record = decode_record(played().records[place])
    gives = record.kind in {Kind.SHARES, Kind.SHUFFLE1} or (isinstance(record.body, Move) and bool(record.body.shares))
    if record.seat != seat or not gives:
        return set()
    return set(giving_deck(Cage(standing(played(), place), seat, record, SEED)).owed(seat))


@pytest.mark.parametrize("seat", [0, 1], ids=["host", "guest"])
def test_no_share_leaves_a_seat_before_it_is_owed(seat: Seat) -> None:
    """Looked for in all bytes of the game: what this seat's key makes of each card of the deck."""
    pair = played()
    deck, x = present(pair.referee.deck), pair.seats[seat].x
    shares = {place: (x * masked.C1).data for place, masked in enumerate(deck.cards)}
    given: set[int] = set()
    for place, data in enumerate(pair.records):
        given |= owed_at(place, seat)
        body = decode_record(data).body
        shown = body.proof[0][1:33] if isinstance(body, Move) and body.proof else b""
        early = {card for card, share in shares.items() if share in data and card not in given and share != shown}
        assert early == set(), place
    own_hand = set(deck.layout.hands[seat])
    assert given
    assert given & own_hand == set()
