"""The forgers' tools without a deviation make records that are taken, so that it is the deviation which is refused."""

from __future__ import annotations

import pytest

from fairdeck.errors import Cheating
from fairdeck.game import Seat
from fairdeck.group import Point
from fairdeck.referee import dealt_by_guest
from fairdeck.sigma import Unequal
from fairdeck.wire import decode_record
from tests.fairdeck.forge import words_altered
from tests.zoo import chain, decks, denials, introductions, notes, openings, remasks, shares
from tests.zoo.cage import (
    DEALING,
    DENIAL,
    DONE,
    GIVING,
    LATER_SHARES,
    MOVE,
    OPENING,
    REMASK,
    SHUFFLE,
    START1,
    Cage,
    Moment,
    stand,
)
from tests.zoo.families import FAMILIES

both_seats = pytest.mark.parametrize("seat", [0, 1], ids=["host", "guest"])


def is_taken(cage: Cage, data: bytes) -> bool:
    return cage.honest.receive(data).record.data == data


def test_possession_is_proven() -> None:
    cage = stand(START1, 1)
    assert is_taken(cage, introductions.possessing()(cage))


@both_seats
@pytest.mark.parametrize(
    "forge", [decks.proving(lambda _, honest: honest.out), decks.shuffled_as], ids=["step by step", "at once"]
)
def test_shuffle_is_taken(seat: Seat, forge: introductions.Forge) -> None:
    cage = stand(SHUFFLE, seat)
    data = forge(cage)
    body = decode_record(data).body
    if seat == 0:
        assert is_taken(cage, data)
    else:  # his shares belong to the deck of the honest game, but the deck itself is right
        assert dealt_by_guest(cage.referee, body.deck, body.proof, verify=True).cards  # type: ignore[union-attr]


@both_seats
@pytest.mark.parametrize("moment", [DEALING, LATER_SHARES, GIVING], ids=["dealing", "later", "with a move"])
def test_shares_are_taken(seat: Seat, moment: Moment) -> None:
    cage = stand(moment, seat)
    assert is_taken(cage, shares.falsifying(lambda _, __, D: D)(cage))


@both_seats
def test_opening_is_taken(seat: Seat) -> None:
    cage = stand(OPENING, seat)
    assert is_taken(cage, shares.sending(cage, proof=(openings.opened(cage, cage.deck, openings.place_of(cage)),)))


@both_seats
@pytest.mark.parametrize(
    "forge", [remasks.proving(lambda _, honest: honest.out), remasks.shuffled_as], ids=["step by step", "at once"]
)
def test_remask_is_taken(seat: Seat, forge: introductions.Forge) -> None:
    cage = stand(REMASK, seat)
    assert is_taken(cage, forge(cage))


@both_seats
def test_denial_is_taken(seat: Seat) -> None:
    cage = stand(DENIAL, seat)
    x, q = cage.x, cage.group.order

    def blind(i: int, item: Unequal) -> tuple[int, int, Point]:
        z = 77 + i
        return z, z * x % q, z * item.V - (z * x) * item.A

    assert is_taken(cage, denials.by_steps(cage, blind))


@both_seats
def test_records_and_notes_are_taken(seat: Seat) -> None:
    for forge in (chain.changed(), chain.bytes_of(lambda signed: signed), chain.fields_of(lambda fields: fields)):
        cage = stand(DONE, seat)
        assert is_taken(cage, forge(cage))
    cage = stand(MOVE, seat)
    assert cage.honest.receive_note(notes.resign(cage)) is not None


def test_animals_have_names_of_their_own() -> None:
    names = [animal.name for family in FAMILIES for animal in family.members]
    assert len(set(names)) == len(names)


# Every word of what a shuffler sends


@pytest.mark.slow
@both_seats
@pytest.mark.parametrize("part", ["deck", "proof"])
def test_every_word_of_a_shuffle_counts(seat: Seat, part: str) -> None:
    """72 points of the deck; 72 points and 77 scalars of the proof."""
    cage = stand(SHUFFLE, seat)
    deck, proof = cage.body.deck, cage.body.proof
    for word, data in words_altered(deck if part == "deck" else proof, cage.group, 72):
        sent = decks.sending(cage, data, proof) if part == "deck" else decks.sending(cage, deck, data)
        victim = stand(SHUFFLE, seat).honest
        with pytest.raises(Cheating, match="cards were changed") as caught:
            victim.receive(sent)
        assert caught.value.accused == seat, word
