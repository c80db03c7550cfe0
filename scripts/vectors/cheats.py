"""Logs that end in a dishonest record: signed by its author, who is named, or by nobody, so that nobody is.

It owns the cheats of each kind of record in a real game; what comes behind them is cut off.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace as with_fields

from fairdeck.elgamal import Ciphertext, encode_deck, first_deck, remask
from fairdeck.group import EDWARDS25519, Point, card_points
from fairdeck.referee import present
from fairdeck.shuffle import Permuted, Statement, permute, prove_shuffle
from fairdeck.sign import SigningKey
from fairdeck.transcript import context
from fairdeck.wire import Kind, Move, Shares
from tests.fairdeck.cheap import HOST, IDENTITIES, SeededRng
from tests.fairdeck.forge import forged, log_of, mixed_order, resigned, with_card
from vectors.cheaters import Table, last_altered
from vectors.cheats_in_play import cheats_in_play
from vectors.form import Case
from vectors.saved import Base, failing

STRANGER: Final = SigningKey.from_seed(b"a stranger's key" * 2)


def cheats(base: Base) -> Iterator[Case]:
    """All of them, in the order of the records of a game."""
    table = Table(base)
    yield from _proposals(table)
    yield from _answers(table)
    yield from _shuffles(table)
    yield from _shares(table)
    yield from _places(table)
    yield from cheats_in_play(table)


# The handshake


def _proposals(table: Table) -> Iterator[Case]:
    referee, _, body = table.there(0)
    options = body.options
    for comment, changes in (
        ("a group that nobody knows", {"suite": 2}),
        ("a deck of 24 cards", {"cards": 24}),
        ("an unknown option", {"options": options + b"\nredeal=on"}),
        ("options that are not canonical", {"options": options + b"\n"}),
        ("no options", {"options": b""}),
    ):
        data = forged(referee, 0, with_fields(body, **changes))
        yield table.nobody(comment, "Unknown", 0, data, "unsupported")
    for comment, changes in (
        ("the host opens, though the options say that the lowest trump does", {"opener": 0}),
        ("the guest opens a first game", {"opener": 1}),
        ("a coin is thrown that is not in the options", {"opener": 3}),
        ("a coin in a later game", {"opener": 3, "game": 2, "link": bytes([1] * 32)}),
    ):
        yield table.nobody(comment, "WrongOpener", 0, forged(referee, 0, with_fields(body, **changes)))
    yield table.changed("a first game that follows another", "WrongLink", 0, link=bytes([1] * 32))
    yield table.changed("a second game that follows none", "WrongLink", 0, game=2)
    marked = mixed_order(HOST.public, "order 2")
    for comment, flag, vk in (
        ("the host's key is of small order", "SmallOrderKey", b"\xec" + b"\xff" * 30 + b"\x7f"),
        ("the host's key is marked", "MixedOrderKey", marked),
    ):
        yield table.nobody(comment, flag, 0, forged(referee, 0, with_fields(body, vk=vk)))
    yield table.nobody("the guest proposes", "OutOfTurn", 0, forged(referee, 1, body))
    yield table.nobody(
        "a proposal that names a session", "WrongSession", 0, forged(referee, 0, body, sid=bytes([1] * 32))
    )
    yield table.nobody(
        "a proposal that names a predecessor", "WrongPlace", 0, forged(referee, 0, body, prev=bytes([1] * 32))
    )
    signed_by_guest = forged(referee, 0, body, key=IDENTITIES[1])
    yield table.nobody("the proposal is signed by another key", "WrongSignature", 0, signed_by_guest)
    digest = forged(referee, 0, body, digest=bytes([1] * 32))
    yield table.blamed("a digest before there is a state", "FalseDigest", 0, digest)


def _answers(table: Table) -> Iterator[Case]:
    referee, _, body = table.there(1)
    same = forged(referee, 1, with_fields(body, vk=HOST.public), key=HOST)
    yield table.blamed("one identity key at both seats", "WrongKey", 1, same)
    identity = EDWARDS25519.identity
    for comment, flag, Y in (
        ("the guest's game key is the identity", "Identity", identity),
        ("the guest's game key is of order 2", "SmallOrder", b"\xec" + b"\xff" * 30 + b"\x7f"),
        ("the guest's game key is marked", "MarkedPoint", mixed_order(body.Y, "order 4")),
        ("the guest's game key is another than proven", "RogueKey", EDWARDS25519.mul_base(5)),
    ):
        yield table.changed(comment, flag, 1, Y=Y)
    yield table.changed(
        "the proof of possession is altered", "ModifiedProof", 1, possession=last_altered(body.possession)
    )
    yield table.changed("another nonce than the proof is bound to", "WrongSession", 1, nonce=bytes(32))
    host = table.there(2)[2]
    mirrored = with_fields(body, Y=host.Y, possession=host.possession)
    yield table.blamed("the host's key and proof, sent back", "RogueKey", 1, forged(referee, 1, mirrored))
    yield table.nobody("the answer names no session", "WrongSession", 1, forged(referee, 1, body, sid=bytes(32)))
    yield table.nobody(
        "the answer names another session", "WrongSession", 1, forged(referee, 1, body, sid=bytes([1] * 32))
    )
    yield table.nobody(
        "the answer is signed by another key", "WrongSignature", 1, forged(referee, 1, body, key=STRANGER)
    )
    start0 = with_fields(table.there(0)[2])
    yield table.blamed("the host speaks again", "OutOfTurn", 1, forged(referee, 0, start0, sid=bytes(32)))


# The deal


def _shuffles(table: Table) -> Iterator[Case]:
    for place, who in ((2, "host"), (3, "guest")):
        deck, proof = table.there(place)[2].deck, table.there(place)[2].proof
        for comment, flag, changes in (
            ("the last word of the proof is altered", "ModifiedProof", {"proof": last_altered(proof)}),
            ("two cards are swapped after proving", "WrongStatement", {"deck": deck[64:128] + deck[:64] + deck[128:]}),
            ("a card is left out", "WrongLength", {"deck": deck[64:]}),
            ("a card stands twice", "EqualHalves", {"deck": deck[:64] + deck[:64] + deck[128:]}),
            (
                "a card bears the point of order 2",
                "MarkedPoint",
                {"deck": mixed_order(deck[:32], "order 2") + deck[32:]},
            ),
            ("a point is the identity", "Identity", {"deck": EDWARDS25519.identity + deck[32:]}),
            ("the proof is short of a word", "WrongLength", {"proof": proof[:-32]}),
        ):
            yield table.changed(f"the {who}'s shuffle: {comment}", flag, place, **changes)
    yield from _host_shuffles(table)
    yield from _guest_shuffles(table)


def _host_shuffles(table: Table) -> Iterator[Case]:
    referee, _, body = table.there(2)
    Y1 = present(referee.keys[1])
    yield table.changed("the commitment is opened to another nonce", "WrongCommitment", 2, nonce=bytes(32))
    yield table.changed("the commitment is opened to another key", "WrongCommitment", 2, Y=EDWARDS25519.mul_base(5))
    yield table.changed("the commitment is opened to the guest's key negated", "RogueKey", 2, Y=(-1 * Y1).data)
    yield table.changed("the guest's proof of possession", "WrongSeat", 2, possession=table.there(1)[2].possession)
    Y = Point(EDWARDS25519, body.Y) + Y1
    yield from _rigged(table, 2, first_deck(EDWARDS25519, Y, 36), Y)


def _rigged(table: Table, place: int, inp: tuple[Ciphertext, ...], Y: Point) -> Iterator[Case]:
    """Decks that are no shuffle, with the proof that the prover's steps give for them."""
    referee, record, body = table.there(place)
    ctx, x = context(referee.sid, record.seat, "shuffle"), table.x(record.seat)
    done = permute(ctx, x, Y, inp, SeededRng("rigged"))
    M = card_points(EDWARDS25519, 36)
    for comment, flag, out in (
        (
            "a card is there twice, masked anew",
            "DuplicateCard",
            with_card(done.out, 3, remask(EDWARDS25519, Y, done.out[8], 5)),
        ),
        (
            "a card is replaced by another",
            "ReplacedCard",
            with_card(done.out, 3, remask(EDWARDS25519, Y, Ciphertext(inp[0].C1, M[0] + Y), 5)),
        ),
    ):
        proof = prove_shuffle(Statement(ctx, Y, inp, out), x, Permuted(out, done.permutation, done.rho), SeededRng("r"))
        data = forged(referee, record.seat, with_fields(body, deck=encode_deck(out), proof=proof))
        yield table.blamed(f"the shuffle of seat {record.seat}: {comment}", flag, place, data)


def _guest_shuffles(table: Table) -> Iterator[Case]:
    referee, _, body = table.there(3)
    host = table.there(2)[2]
    yield table.changed("the host's shuffle, sent back", "WrongSeat", 3, deck=host.deck, proof=host.proof)
    Y = present(referee.keys[0]) + present(referee.keys[1])
    ctx, first = context(referee.sid, 1, "shuffle"), first_deck(EDWARDS25519, Y, 36)
    done = permute(ctx, table.x(1), Y, first, SeededRng("deck0"))
    proof = prove_shuffle(Statement(ctx, Y, first, done.out), table.x(1), done, SeededRng("deck0"))
    comment = "the guest shuffles the first deck instead of the host's"
    yield table.changed(comment, "WrongStatement", 3, deck=encode_deck(done.out), proof=proof)
    for comment, flag, shares in _bad_shares(body.shares):
        yield table.changed(f"with the guest's shuffle, {comment}", flag, 3, shares=shares)


def _bad_shares(right: bytes) -> Iterator[tuple[str, str, bytes]]:
    other = EDWARDS25519.mul_base(5)
    yield "no shares", "WrongLength", b""
    yield "a share is missing", "WrongLength", right[32:]
    yield "a share too many", "WrongLength", right[:32] + right
    yield "a share is wrong", "WrongShare", other + right[32:]
    yield "two shares are swapped", "SwappedWords", right[32:64] + right[:32] + right[64:]
    yield "a share is the identity", "Identity", EDWARDS25519.identity + right[32:]
    yield "the proof is altered", "ModifiedProof", last_altered(right)
    s = int.from_bytes(right[-32:], "little") + EDWARDS25519.order
    yield "the proof has a second form of its answer", "ScalarNotReduced", right[:-32] + s.to_bytes(32, "little")


def _shares(table: Table) -> Iterator[Case]:
    later = table.place(lambda body: isinstance(body, Shares), 1)
    for place in (4, later):
        for comment, flag, shares in _bad_shares(table.there(place)[2].shares):
            yield table.changed(f"in shares at {place}, {comment}", flag, place, shares=shares)
    move = table.place(lambda body: isinstance(body, Move) and bool(body.shares))
    right = table.there(move)[2].shares[0]
    for comment, flag, shares in list(_bad_shares(right))[1:5]:
        yield table.changed(f"with a move, {comment}", flag, move, shares=(shares,))
    yield table.changed("a move lacks the shares it owes", "MissingShares", move, shares=())
    yield table.changed("a move gives shares twice", "SurplusShares", move, shares=(right, right))
    bare = table.place(lambda body: isinstance(body, Move) and not body.shares)
    yield table.changed("a move gives shares that nobody asked for", "SurplusShares", bare, shares=(right,))


# Any record


def _places(table: Table) -> Iterator[Case]:
    """Wrong author, wrong place, wrong digest."""
    for place in (2, 4, 7, 20):
        referee, record, body = table.there(place)
        other = 1 - record.seat
        data = resigned(record, digest=bytes(31) + b"\x01")
        yield table.blamed(f"record {place} states a false digest", "FalseDigest", place, data)
        yield table.blamed(
            f"record {place} is sent by the seat that is not on turn",
            "OutOfTurn",
            place,
            resigned(record, IDENTITIES[other], seat=other),
        )
        signed_by_other = resigned(record, IDENTITIES[other])
        yield table.nobody(f"record {place} is signed by the other seat", "WrongSignature", place, signed_by_other)
        yield table.nobody(
            f"record {place} is signed by a stranger", "WrongSignature", place, resigned(record, STRANGER)
        )
        unsigned = record.signed + bytes(64)
        yield table.nobody(f"record {place} is not signed", "WrongSignature", place, unsigned)
        yield table.nobody(
            f"record {place} is of another game", "WrongSession", place, resigned(record, sid=bytes([1] * 32))
        )
        yield table.nobody(f"record {place} has another place", "WrongPlace", place, resigned(record, seq=place + 1))
        yield table.nobody(
            f"record {place} follows another record", "WrongPlace", place, resigned(record, prev=bytes([1] * 32))
        )
    for place, kind in ((2, Kind.SHARES), (3, Kind.SHARES), (4, Kind.MOVE), (7, Kind.SHARES), (7, Kind.SHUFFLE0)):
        referee, record, _ = table.there(place)
        body = next(other.body for other in table.records if other.kind is kind)
        data = forged(referee, record.seat, body)
        yield table.blamed(f"{kind.name.lower()} instead of record {place}", "OutOfTurn", place, data)
    end = len(table.records)
    data = forged(table.base.states[end], 0, Shares(b""))
    log = log_of([*table.base.records, data])
    yield failing(table.base, "a record after the end", "OutOfTurn", log, accused=0, place=end)
