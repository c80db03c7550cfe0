"""Dishonest moves: illegal ones, and lies about hidden cards by opening, remask and denial.

It owns the cheats of a move; those of the handshake and the deal are in `cheats`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairdeck.deck import absent_context, absent_items, as_ciphertexts, merged, opening_context
from fairdeck.elgamal import Ciphertext, encode_deck, remask
from fairdeck.game import IllegalAction
from fairdeck.group import EDWARDS25519, Point, card_points, times_base
from fairdeck.referee import present
from fairdeck.shuffle import Permuted, Statement, permute, prove_shuffle
from fairdeck.sigma import prove_equal, prove_unequal
from fairdeck.transcript import context
from fairdeck.wire import Move
from p2pdurak.durak import DURAK
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.forge import forged, with_card
from vectors.cheaters import Table, last_altered
from vectors.form import Case


def cheats_in_play(table: Table) -> Iterator[Case]:
    """All of them, in the order of the parts of a move."""
    yield from _moves(table)
    yield from _openings(table)
    yield from _remasks(table)
    yield from _denials(table)


def _first(table: Table, kind: int, *, remasked: bool = False) -> int:
    """The first move of this kind that opens or denies a card."""
    return table.place(
        lambda body: (
            isinstance(body, Move) and body.action[0] == kind and bool(body.proof) and bool(body.remask) == remasked
        )
    )


def _moves(table: Table) -> Iterator[Case]:
    attack = _first(table, 0)
    referee, record, body = table.there(attack)
    for action in (b"", b"\x00", b"\x00\x24", b"\x02\x00", b"\x06", b"\x05\x00\x01\x02\x03"):
        comment = f"the action {action.hex() or 'of no byte'} is none"
        yield table.changed(comment, "NoAction", attack, action=action)
    for comment, action in (("takes without an attack", b"\x02"), ("is done before an attack", b"\x03")):
        bare = Move(action, False, 0, (), (), ())
        yield table.blamed(f"the attacker {comment}", "IllegalMove", attack, forged(referee, record.seat, bare))
    opening = body.proof[0]
    yield table.changed("no opening", "MissingProof", attack, proof=())
    yield table.changed("two openings", "SurplusProof", attack, proof=(opening, opening))
    done = table.place(lambda move: isinstance(move, Move) and move.action == b"\x03")
    yield table.changed("an opening where none is due", "SurplusProof", done, proof=(opening,))
    yield table.changed("a remask without an opening", "SurplusRemask", done, remask=(b"", b""))
    yield from _illegal_cards(table)


def _illegal_cards(table: Table) -> Iterator[Case]:
    """A card that is held and proven, but does not beat; and one that has been played already."""
    found = 0
    for place, record in enumerate(table.records):
        body = record.body
        if not isinstance(body, Move) or body.action[0] not in {1, 2}:
            continue
        data = _illegal_beat(table, place)
        if data is not None:
            yield table.blamed(f"record {place} beats with a card that does not beat", "IllegalMove", place, data)
            found += 1
        if found == 2:
            break
    attack = _first(table, 0)
    played = table.records[attack].body.action[1]  # type: ignore[union-attr]
    later = table.place(lambda body: isinstance(body, Move) and body.action[:1] == b"\x00" and bool(body.proof), 2)
    yield table.changed("a card that was played already is named", "OtherCard", later, action=bytes([0, played]))


def _illegal_beat(table: Table, place: int) -> bytes | None:
    referee, record, _ = table.there(place)
    holder = table.base.pair.seats[record.seat].holder
    deck, parts = holder.remask(table.deck(place))
    for card in holder.cards(deck):
        try:
            DURAK.apply(present(referee.state), DURAK.decode(bytes([1, card])))
        except IllegalAction:
            body = Move(bytes([1, card]), False, 0, parts, (holder.opening(deck, card),), ())
            return forged(referee, record.seat, body)
    return None


def _openings(table: Table) -> Iterator[Case]:
    place = _first(table, 0)
    _, record, body = table.there(place)
    deck, opening, holder = table.deck(place), body.proof[0], table.base.pair.seats[record.seat].holder
    yield table.changed("the opening's proof is altered", "ModifiedProof", place, proof=(last_altered(opening),))
    yield table.changed("the opening is short", "WrongLength", place, proof=(opening[:-1],))
    for index in ((opening[0] + 1) % 6, len(deck.hands[record.seat]), 255):
        data = (bytes([index]) + opening[1:],)
        yield table.changed(f"the opening names place {index}", "WrongIndex", place, proof=data)
    held = holder.cards(deck)
    other = next(card for card in held if card != body.action[1])
    yield table.changed("another card is opened than named", "OtherCard", place, proof=(holder.opening(deck, other),))
    absent = next(card for card in range(36) if card not in held)
    yield table.changed("a card that is not held is named", "OtherCard", place, action=bytes([0, absent]))
    yield table.changed(
        "a card is opened as one that is not held",
        "WrongShare",
        place,
        action=bytes([0, absent]),
        proof=(_turned(table, place, absent),),
    )
    yield table.changed("a remask where none may be", "SurplusRemask", place, remask=_remask(table, place))
    twice = table.place(lambda move: isinstance(move, Move) and bool(move.proof) and move.action[0] == 0, 1)
    yield table.changed("an earlier opening, replayed", "OldHand", twice, action=body.action, proof=body.proof)


def _turned(table: Table, place: int, card: int) -> bytes:
    """The opening of a card as another, by the prover's steps."""
    _, record, body = table.there(place)
    deck, seat, x = table.deck(place), record.seat, table.x(record.seat)
    index, M = body.proof[0][0], card_points(EDWARDS25519, 36)
    entry = deck.hands[seat][index]
    D = x * entry.A + (M[body.action[1]] - M[card])
    proof = prove_equal(opening_context(deck, seat, index), x, deck.keys[seat], entry.A, D, SeededRng("turned"))
    return b"".join((bytes([index]), D.data, proof))


def _permuted(table: Table, place: int, key: Point | None = None, purpose: str = "remask") -> tuple[bytes, Any, Any]:
    _, record, _ = table.there(place)
    deck, seat, x = table.deck(place), record.seat, table.x(record.seat)
    Y, ctx, hand = key or deck.keys[seat], context(deck.sid, seat, purpose), as_ciphertexts(deck, seat)
    return ctx, hand, permute(ctx, x, Y, hand, SeededRng("remask"))


def _remask(table: Table, place: int, key: Point | None = None, purpose: str = "remask", out: Any = None) -> Any:
    """The two parts of a remask, by the prover's steps, of a list that need not be one."""
    ctx, hand, done = _permuted(table, place, key, purpose)
    _, record, _ = table.there(place)
    Y, new = key or table.deck(place).keys[record.seat], done.out if out is None else out
    proof = prove_shuffle(
        Statement(ctx, Y, hand, new), table.x(record.seat), Permuted(new, done.permutation, done.rho), SeededRng("p")
    )
    return encode_deck(new), proof


def _remasks(table: Table) -> Iterator[Case]:
    place = _first(table, 0, remasked=True)
    _, record, body = table.there(place)
    deck, seat = table.deck(place), record.seat
    (new, proof), Y = body.remask, deck.keys[record.seat]
    holder = table.base.pair.seats[seat].holder
    yield table.changed("no remask of a hand that has grown", "MissingRemask", place, remask=())
    opened = holder.opening(deck, body.action[1])
    yield table.changed("no remask, and the opening fits", "MissingRemask", place, remask=(), proof=(opened,))
    yield table.changed("the opening is of the list before the remask", "OldHand", place, proof=(opened,))
    yield table.changed("the remask has no proof", "MissingRemask", place, remask=(new,))
    yield table.changed("the remask's proof is altered", "ModifiedProof", place, remask=(new, last_altered(proof)))
    yield table.changed(
        "two cards of the remask are swapped",
        "WrongStatement",
        place,
        remask=(new[64:128] + new[:64] + new[128:], proof),
    )
    yield table.changed("a card of the remask is left out", "WrongLength", place, remask=(new[64:], proof))
    yield table.changed(
        "the remask is for another purpose", "WrongPurpose", place, remask=_remask(table, place, purpose="shuffle")
    )
    both = deck.keys[0] + deck.keys[1]
    yield table.changed("the remask is under the key of both", "WrongKey", place, remask=_remask(table, place, both))
    out = _permuted(table, place)[2].out
    known = set(holder.cards(deck))
    foreign = next(card for card in range(36) if card not in known)
    M = card_points(EDWARDS25519, 36)
    for comment, flag, wrong in (
        (
            "replaces a card",
            "ReplacedCard",
            with_card(out, 0, Ciphertext(times_base(EDWARDS25519, 9), M[foreign] + 9 * Y)),
        ),
        ("doubles a card", "DuplicateCard", with_card(out, 0, remask(EDWARDS25519, Y, out[1], 5))),
    ):
        parts = _remask(table, place, out=wrong)
        data = holder.opening(merged(deck, seat, wrong), _card_in(table, seat, wrong, body.action[1]))
        yield table.changed(f"the remask {comment}", flag, place, remask=parts, proof=(data,))


def _card_in(table: Table, seat: int, out: tuple[Ciphertext, ...], wanted: int) -> int:
    """The wanted card if it is still there, else any."""
    M = {P.data: card for card, P in enumerate(card_points(EDWARDS25519, 36))}
    cards = [M[(one.C2 - table.x(seat) * one.C1).data] for one in out]
    return wanted if wanted in cards else cards[0]


# The search for the lowest trump


def _denials(table: Table) -> Iterator[Case]:
    first = _first(table, 5)
    referee, record, body = table.there(first)
    deck, seat = table.deck(first), record.seat
    holder, proof = table.base.pair.seats[seat].holder, body.proof[0]
    yield table.changed("the denial's proof is altered", "ModifiedProof", first, proof=(last_altered(proof),))
    yield table.changed("the denial leaves out an entry", "WrongLength", first, proof=(proof[:-96],))
    yield table.changed("no denial", "MissingProof", first, proof=())
    yield table.changed("a denial with a remask", "SurplusRemask", first, remask=(b"a", b"b"))
    second = table.place(lambda move: isinstance(move, Move) and move.action[0] == 5, 1)
    yield table.changed("the other seat's denial, replayed", "WrongSeat", second, proof=body.proof)
    third = table.place(lambda move: isinstance(move, Move) and move.action[0] == 5, 3)
    if table.records[third].seat == seat:
        yield table.changed("the denial of another card, replayed", "WrongStatement", third, proof=body.proof)
    held = holder.cards(deck)
    other = next(card for card in range(36) if card not in (*held, body.action[1]))
    denial = Move(bytes([5, other]), False, 0, (), (holder.denial(deck, (other,)),), ())
    yield table.blamed("a rank is skipped", "IllegalMove", first, forged(referee, seat, denial))
    shown = Move(bytes([4, held[0]]), False, 0, (), (holder.opening(deck, held[0]),), ())
    yield table.blamed("a card is shown that was not asked for", "IllegalMove", first, forged(referee, seat, shown))
    asked = Move(bytes([4, body.action[1]]), False, 0, (), (_turned_any(table, first, body.action[1]),), ())
    yield table.blamed("a trump is shown that is not held", "WrongShare", first, forged(referee, seat, asked))
    yield from _false_denial(table)


def _turned_any(table: Table, place: int, card: int) -> bytes:
    """The opening of the first card of the hand as another."""
    _, record, _ = table.there(place)
    deck, seat, x = table.deck(place), record.seat, table.x(record.seat)
    entry = deck.hands[seat][0]
    D = entry.B - card_points(EDWARDS25519, 36)[card]
    proof = prove_equal(opening_context(deck, seat, 0), x, deck.keys[seat], entry.A, D, SeededRng("turned"))
    return b"\x00" + D.data + proof


def _false_denial(table: Table) -> Iterator[Case]:
    """The trump that is held and asked for is denied, by the prover's steps."""
    place = table.place(lambda move: isinstance(move, Move) and move.action[0] == 4)
    referee, record, body = table.there(place)
    deck, seat, cards = table.deck(place), record.seat, (body.action[1],)
    items, ctx = absent_items(deck, seat, cards), absent_context(deck, seat, cards)
    for comment, x in (("with the right key", table.x(seat)), ("with another key", table.x(seat) + 1)):
        proof = prove_unequal(ctx, x, deck.keys[seat], items, SeededRng("false denial"))
        data = forged(referee, seat, Move(bytes([5, *cards]), False, 0, (), (proof,), ()))
        yield table.blamed(f"a trump that is held is denied, {comment}", "HeldCard", place, data)
