"""Vectors of the hashes that tie a game together: session id, commitment, coin, link, and the digests of a state.

It owns which input is left out or changed; the chain itself is in the vectors of logs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgpack
from msgspec.structs import replace

from fairdeck.deck import Deck, Entry
from fairdeck.elgamal import deck_hash, encode_deck
from fairdeck.group import EDWARDS25519, times_base
from fairdeck.referee import commitment, present, session_id
from fairdeck.transcript import hash32
from fairdeck.wire import ZEROS, Start0, Start1, record_head
from tests.fairdeck.cheap import DurakReferee
from tests.fairdeck.from_vectors import deck_with_hand
from vectors.form import Case, Group, VectorFile, invalid, valid
from vectors.games import model
from vectors.logarithms import SID
from vectors.shuffles import honest

HEADER: Final = (
    "SessionId: sid = hash32('sid', msgpack of [1, suite, cards, options, vk0, vk1, commit, nonce, exporter, game,",
    "link, opener]); packed gives those bytes. A record's name, date and keys Y are no part of it.",
    "Commitment: commit = hash32('commit', nonce, Y). Coin: the opener, from sid and seat 0's share at the indicator.",
    "Link: how a game names the one before it: by its last record's head and the note that decided it, or nothing.",
    "An invalid test states a value that is not the right one for its inputs.",
)
DIGEST_HEADER: Final = (
    "DeckHash: deck is a list of ciphertexts. HandHash: hand is the hidden hand of seat. RecordHead: of a record.",
    "StateDigest: what a record signs: of the game's own digest, both hand hashes, how many stock cards are drawn,",
    "and the positions of which each seat owes shares (none once the game is over). The states follow one game.",
    "An invalid test states a value that is not the right one for its inputs.",
)


def session_ids() -> VectorFile:
    """session_id.json."""
    groups = (
        Group("SessionId", tuple(_sids())),
        Group("Commitment", tuple(_commitments())),
        Group("Coin", tuple(_coins())),
        Group("Link", tuple(_links())),
    )
    return VectorFile("session_id.json", "Session id", HEADER, groups)


START0: Final = Start0(
    1, 36, b"pile_on=on", "Mira", "2026-11-30", bytes([1] * 32), bytes([2] * 32), bytes([3] * 32), 1, ZEROS, 2
)
START1: Final = Start1("Oleg", bytes([4] * 32), bytes([5] * 32), bytes([6] * 32), bytes(64))


def _parts(a: Start0, b: Start1) -> list[Any]:
    return [1, a.suite, a.cards, a.options, a.vk, b.vk, a.commit, b.nonce, a.exporter, a.game, a.link, a.opener]


def _sid(comment: str, a: Start0, b: Start1, sid: bytes, *flags: str) -> Case:
    names = (
        "version",
        "suite",
        "cards",
        "options",
        "vk0",
        "vk1",
        "commit",
        "nonce",
        "exporter",
        "game",
        "link",
        "opener",
    )
    make = invalid if flags else valid
    parts = _parts(a, b)
    return make(comment, *flags, **dict(zip(names, parts, strict=True)), packed=msgpack.packb(parts), sid=sid)


def _sids() -> Iterator[Case]:
    sid = session_id(START0, START1)
    yield _sid("a first game", START0, START1, sid)
    later = replace(START0, game=300, link=bytes([7] * 32), opener=1)
    yield _sid("a later game", later, START1, session_id(later, START1))
    for name, value in (
        *(("suite", 2), ("cards", 24), ("options", b""), ("vk", bytes(32)), ("commit", bytes(32))),
        *(("exporter", bytes(32)), ("game", 2), ("link", bytes([1] * 32)), ("opener", 3)),
    ):
        yield _sid(f"{name} of start0 is another", replace(START0, **{name: value}), START1, sid, "WrongStatement")
    for name in ("vk", "nonce"):
        yield _sid(f"{name} of start1 is another", START0, replace(START1, **{name: bytes(32)}), sid, "WrongStatement")
    parts = _parts(START0, START1)
    slips = {
        "the parts are hashed one by one": ("NoFraming", hash32("sid", *(msgpack.packb(part) for part in parts))),
        "without the version": ("WrongStatement", hash32("sid", msgpack.packb(parts[1:]))),
        "the keys swapped": ("WrongOrder", hash32("sid", msgpack.packb([*parts[:4], parts[5], parts[4], *parts[6:]]))),
        "under another label": ("WrongLabel", hash32("session", msgpack.packb(parts))),
        "options as text": ("WrongFraming", hash32("sid", msgpack.packb([*parts[:3], "pile_on=on", *parts[4:]]))),
    }
    for comment, (flag, other) in slips.items():
        yield _sid(comment, START0, START1, other, flag)


def _commitments() -> Iterator[Case]:
    nonce, Y = bytes(range(32)), times_base(EDWARDS25519, 5).data
    right = commitment(nonce, Y)
    yield valid("a commitment", nonce=nonce, Y=Y, commit=right)
    for comment, flag, values in (
        ("opened to another nonce", "WrongStatement", (bytes(32), Y)),
        ("opened to another key", "WrongStatement", (nonce, times_base(EDWARDS25519, 6).data)),
        ("nonce and key swapped", "WrongOrder", (Y, nonce)),
    ):
        yield invalid(comment, flag, nonce=values[0], Y=values[1], commit=right)


def _coins() -> Iterator[Case]:
    for n in range(3):
        share = times_base(EDWARDS25519, 100 + n).data
        bit = hash32("coin", SID, share)[0] & 1
        yield valid(f"seat {bit} opens", sid=SID, share=share, opener=bit)
        yield invalid("the other seat", "WrongSeat", sid=SID, share=share, opener=1 - bit)
        yield invalid("another game", "WrongSession", sid=_other_coin(share, bit), share=share, opener=bit)


def _other_coin(share: bytes, bit: int) -> bytes:
    """A session in which the same share gives the other seat."""
    return next(sid for sid in (bytes([n] * 32) for n in range(99)) if hash32("coin", sid, share)[0] & 1 != bit)


def _links() -> Iterator[Case]:
    head, note = bytes([8] * 32), bytes([9] * 120)
    yield valid("after a game that the rules ended", head=head, note=b"", link=hash32("link", head, b""))
    yield valid("after a game that a note ended", head=head, note=note, link=hash32("link", head, note))
    for comment, flag, link in (
        ("the head alone, without an empty item", "NoFraming", hash32("link", head)),
        ("the head itself", "WrongHash", head),
        ("the note first", "WrongOrder", hash32("link", b"", head)),
        ("zeros, as in a first game", "WrongStatement", ZEROS),
    ):
        yield invalid(comment, flag, head=head, note=b"", link=link)
    yield invalid("the note is left out", "WrongStatement", head=head, note=note, link=hash32("link", head, b""))


def digests() -> VectorFile:
    """digests.json."""
    groups = (
        Group("DeckHash", tuple(_deck_hashes())),
        Group("HandHash", tuple(_hand_hashes())),
        Group("RecordHead", tuple(_heads())),
        Group("StateDigest", tuple(_states())),
    )
    return VectorFile("digests.json", "State digest", DIGEST_HEADER, groups)


def _deck_hashes() -> Iterator[Case]:
    _, done = honest(2)
    deck = encode_deck(done.out)
    yield valid("two cards", deck=deck, hash=deck_hash(done.out))
    yield invalid("in another order", "WrongOrder", deck=deck[64:] + deck[:64], hash=deck_hash(done.out))
    yield invalid("card by card", "WrongFraming", deck=deck, hash=hash32("deck", deck[:64], deck[64:]))


def _hand_hashes() -> Iterator[Case]:
    _, done = honest(2)
    hand = tuple(Entry(m.C1, m.C2, i) for i, m in enumerate(done.out))
    Y = times_base(EDWARDS25519, 3)

    def values(entries: tuple[Entry, ...], seat: int, digest: bytes) -> dict[str, Any]:
        shown = [{"A": e.A.data, "B": e.B.data, "batch": e.batch} for e in entries]
        return {"sid": SID, "seat": seat, "hand": shown, "hash": digest}

    right = deck_with_hand(SID, 0, Y, hand).hand_hash(0)
    yield valid("two cards of two batches", **values(hand, 0, right))
    yield valid("no card", **values((), 1, deck_with_hand(SID, 1, Y, ()).hand_hash(1)))
    packed = [e.A.data + e.B.data for e in hand]
    one_batch = tuple(Entry(e.A, e.B, 0) for e in hand)
    for comment, flag, entries, seat, digest in (
        ("the other seat's", "WrongSeat", hand, 1, right),
        ("in another order", "WrongOrder", hand[::-1], 0, right),
        ("a card left out", "OldHand", hand[:1], 0, right),
        ("in one batch", "WrongBatch", one_batch, 0, right),
        ("without batches", "WrongBatch", hand, 0, hash32("hand", SID, b"\0", *packed)),
        ("in one item", "NoFraming", hand, 0, hash32("hand", SID, b"\0", packed[0] + b"\0" + packed[1] + b"\x01")),
        (
            "in another game",
            "WrongSession",
            hand,
            0,
            hash32("hand", bytes(32), b"\0", packed[0] + b"\0", packed[1] + b"\x01"),
        ),
    ):
        yield invalid(comment, flag, **values(entries, seat, digest))


def _heads() -> Iterator[Case]:
    data = model().records[1]
    yield valid("a record and its signature", record=data, head=record_head(data))
    yield invalid("without its signature", "WrongStatement", record=data, head=hash32("record", data[:-64]))
    yield invalid(
        "record and signature as two items", "WrongFraming", record=data, head=hash32("record", data[:-64], data[-64:])
    )
    yield invalid("under the label of notes", "WrongLabel", record=data, head=hash32("log note", data))


def _state(referee: DurakReferee) -> dict[str, Any]:
    deck: Deck = present(referee.deck)
    owed = ((), ()) if referee.over else (deck.owed(0), deck.owed(1))
    return {
        "gameDigest": referee.game.digest(present(referee.state)),
        "hand0": deck.hand_hash(0),
        "hand1": deck.hand_hash(1),
        "stockDrawn": deck.stock_drawn,
        "owed0": owed[0],
        "owed1": owed[1],
        "digest": referee.digest(),
    }


def _states() -> Iterator[Case]:
    places = (*range(5, len(model().before), 4), len(model().before))
    states = [*model().before, model().referee]
    states = [states[place] for place in places]
    for place, referee in zip(places, states, strict=True):
        yield valid(f"after {place} records", **_state(referee))
    some = _state(states[len(states) // 2])
    for place, referee in list(zip(places, states, strict=True))[:6]:
        value = _state(referee)
        yield invalid(
            f"the digest after {place} records, with another digest of the game",
            "FalseDigest",
            **(value | {"gameDigest": some["gameDigest"]}),
        )
        yield invalid(
            f"the digest after {place} records, with the hands swapped",
            "WrongOrder",
            **(value | {"hand0": value["hand1"], "hand1": value["hand0"]}),
        )
    for referee in states[6:]:
        value = _state(referee)
        yield invalid(
            "one stock card more is drawn", "FalseDigest", **(value | {"stockDrawn": value["stockDrawn"] + 1})
        )
        yield invalid("a share more is owed", "FalseDigest", **(value | {"owed1": (*value["owed1"], 34)}))
