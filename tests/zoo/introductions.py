"""Attacks on how a game begins: its keys, the commitment to them, and what is proposed.

It owns the forgeries; what must come of them stands beside each and is asked by the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from msgspec.structs import replace as with_fields

from fairdeck.errors import Malformed, Unexpected, Unsupported
from fairdeck.group import EDWARDS25519, Point, encode_scalar, times_base
from fairdeck.referee import commitment, present, session_id
from fairdeck.seating import game_key
from fairdeck.sigma import prove_key
from fairdeck.sign import SigningKey
from fairdeck.transcript import context
from fairdeck.wire import ZEROS, Shuffle0, pack, unpack
from tests.fairdeck.cheap import CHEAP, IDENTITIES, SeededRng
from tests.fairdeck.forge import NOT_CANONICAL, OFF_CURVE, SMALL_ORDER, forged, mixed_order, resigned, sign_record
from tests.zoo.cage import INTRODUCTION, SHUFFLE0, START0, START1, STRANGER, Animal, Cage, Family

Forge = Callable[[Cage], bytes]

NO_ELEMENTS: Final = {
    "the identity": bytes.fromhex(SMALL_ORDER["identity"]),
    "a point of order 2": bytes.fromhex(SMALL_ORDER["order 2"]),
    "a point of order 4": bytes.fromhex(SMALL_ORDER["order 4"]),
    "a point of order 8": bytes.fromhex(SMALL_ORDER["order 8"]),
    "a key marked by order 2": mixed_order(EDWARDS25519.mul_base(7), "order 2"),
    "a key marked by order 4": mixed_order(EDWARDS25519.mul_base(7), "order 4"),
    "a key marked by order 8": mixed_order(EDWARDS25519.mul_base(7), "order 8"),
    "a second encoding of a point": bytes.fromhex(NOT_CANONICAL["y = p + 1"]),
    "a point off the curve": bytes.fromhex(OFF_CURVE["y = 2"]),
}
"""32-byte strings that are no element of the real group, one of each sort."""


def saying(key: SigningKey | None = None, **changes: Any) -> Forge:
    """The honest record with some fields of its body changed."""
    return lambda cage: forged(cage.referee, cage.seat, with_fields(cage.body, **changes), key=key)


# Game keys


def guest_key(Y: bytes) -> Forge:
    return saying(Y=Y)


def possessing(seat: int = 1, purpose: str = "key", x: int = 0, sid: bytes | None = None) -> Forge:
    """The guest's start1 with a proof of possession that was made for something else, or with another secret."""

    def forge(cage: Cage) -> bytes:
        named = sid or session_id(present(cage.referee.start0), cage.body)
        proof = prove_key(context(named, seat, purpose), x or cage.x, cage.Y, SeededRng("possession"))
        return forged(cage.referee, 1, with_fields(cage.body, possession=proof))

    return forge


def rogue_guest(cage: Cage) -> bytes:
    """A key of which he knows no secret, with a proof by the one that he knows."""
    return saying(Y=times_base(CHEAP, 12345).data)(cage)


def scalar_too_high(cage: Cage) -> bytes:
    possession = cage.body.possession
    s = int.from_bytes(possession[32:], "little") + CHEAP.order
    return saying(possession=possession[:32] + encode_scalar(s))(cage)


def committed_to(cage: Cage, choose: Callable[[Point], Point]) -> bytes:
    """The host has foreseen the guest's key, and commits to one made from it; he has no secret of his own key."""
    Y0 = choose(times_base(CHEAP, game_key(CHEAP, cage.honest.secrets[0]))).data
    nonce = cage.cheater.secrets[1]
    start0 = saying(commit=commitment(nonce, Y0))(cage)
    cage.honest.receive(start0)
    start1 = cage.honest.step()
    for data in (start0, start1):
        cage.cheater.receive(data)
    x, sid = cage.x, cage.referee.sid
    possession = prove_key(context(sid, 0, "key"), x, Point(CHEAP, Y0), SeededRng("possession"))
    return forged(cage.referee, 0, Shuffle0(nonce, Y0, possession, b"", b""))


def foreseen(choose: Callable[[Point], Point]) -> Forge:
    return lambda cage: committed_to(cage, choose)


def rogue_sum(Y1: Point) -> Point:
    """Then the sum of both keys is one whose secret he knows alone: he would see every card."""
    return times_base(CHEAP, 777) - Y1


def another_key(cage: Cage) -> bytes:
    """He has seen the guest's key and would like to have committed to another one."""
    Y0 = rogue_sum(present(cage.referee.keys[1]))
    return forged(cage.referee, 0, with_fields(cage.body, Y=Y0.data))


KEYS: Final = Family(
    "Keys of the game",
    "Key possession",
    (
        *(
            Animal(f"the game key is {name}", START1, guest_key(data), "no element", (1,), suite=1, section="Points")
            for name, data in NO_ELEMENTS.items()
        ),
        Animal("a game key without its secret", START1, rogue_guest, "does not know its secret", (1,)),
        Animal("possession proven with another secret", START1, possessing(x=5), "does not know its secret", (1,)),
        Animal("possession proven in another game", START1, possessing(sid=bytes(32)), "does not know", (1,)),
        Animal("possession proven for the other seat", START1, possessing(seat=0), "does not know", (1,)),
        Animal("possession proven for another purpose", START1, possessing(purpose="open"), "does not know", (1,)),
        Animal("a scalar of the order or more", START1, scalar_too_high, "not below", (1,), section="Scalars"),
        Animal("a key that mirrors the other seat's", START0, foreseen(lambda Y1: Y1), "mirrors the other", (0,)),
        Animal("the negated key of the other seat", START0, foreseen(lambda Y1: -1 * Y1), "mirrors the other", (0,)),
        Animal("a rogue key that cancels the other", START0, foreseen(rogue_sum), "does not know its secret", (0,)),
        Animal("the commitment opened to another key", SHUFFLE0, another_key, "commitment was opened", (0,)),
        Animal("the commitment opened to another nonce", SHUFFLE0, saying(nonce=bytes(32)), "commitment", (0,)),
    ),
)


# Identity keys


def under_strange_signature(cage: Cage) -> bytes:
    return resigned(cage.record, STRANGER)


def in_anothers_name(cage: Cage) -> bytes:
    """He claims the victim's identity key, whose secret he does not have."""
    return saying(vk=IDENTITIES[1 - cage.seat].public, key=STRANGER)(cage)


def one_key_for_both(cage: Cage) -> bytes:
    """Both seats are his: a game against himself, by which he would show off."""
    return saying(vk=IDENTITIES[0].public, key=IDENTITIES[0])(cage)


def somebody_else(cage: Cage) -> bytes:
    """In a rematch another player sits down in the place of the one who has left."""
    seating = cage.honest.seating
    cage.honest.seating = replace(seating, peer=IDENTITIES[cage.seat].public)
    body = with_fields(cage.body, vk=STRANGER.public)
    if cage.seat == 1:  # his new identity makes a new game, in which he proves his key
        ctx = context(session_id(present(cage.referee.start0), body), 1, "key")
        body = with_fields(body, possession=prove_key(ctx, cage.x, cage.Y, SeededRng("possession")))
    return forged(cage.referee, cage.seat, body, key=STRANGER)


IDENTITY: Final = Family(
    "Identity keys",
    "Signatures",
    (
        *(
            Animal(f"the identity key is {name}", INTRODUCTION, saying(vk=data), "no element", error=Malformed)
            for name, data in NO_ELEMENTS.items()
        ),
        Animal(
            "a start record signed by another key", INTRODUCTION, under_strange_signature, "signed", error=Malformed
        ),
        Animal("the victim's own identity key", INTRODUCTION, in_anothers_name, "not signed", error=Malformed),
        Animal("one identity key for both seats", START1, one_key_for_both, "same identity key", (1,)),
        Animal("another player in a rematch", INTRODUCTION, somebody_else, "somebody else", error=Unexpected),
    ),
)


# The proposal


def of_version(number: int) -> Forge:
    """As an older program would have written it."""

    def forge(cage: Cage) -> bytes:
        value = unpack(cage.record.signed)
        fields = list(value) if isinstance(value, tuple) else []
        return sign_record(IDENTITIES[cage.seat], pack([number, *fields[1:]]))

    return forge


def edited_on_the_way(cage: Cage) -> bytes:
    """The broker turns one letter of the options."""
    return cage.record.data.replace(b"pile_on=on", b"pile_on=of")


def named_too_long(cage: Cage) -> bytes:
    return saying(name="ы" * 33)(cage)


PROPOSAL: Final = Family(
    "What is proposed",
    "Session id",
    (
        Animal("downgrade to a group without secrets", START0, saying(suite=0), "does not know", (0,), Unsupported, 1),
        Animal("a group that nobody knows", START0, saying(suite=9), "does not know", (0,), Unsupported),
        Animal("a deck of 24 cards", START0, saying(cards=24), "A deck of 24 cards", (0,), Unsupported),
        Animal("a deck of no cards", START0, saying(cards=0), "A deck of 0 cards", (0,), Unsupported),
        Animal("options that are not known", START0, saying(options=b"cheat=on"), "not know", (0,), Unsupported),
        Animal(
            "an opener against the options", START0, saying(opener=0), "otherwise than the options", (0,), Unexpected
        ),
        Animal("an opener that does not exist", START0, saying(opener=4), "wrong field", (0,), Malformed),
        Animal("another version of the protocol", INTRODUCTION, of_version(0), "version 0", error=Malformed),
        Animal("options edited on the way", START0, edited_on_the_way, "not signed", (0,), Malformed),
        Animal("a name of more than 64 bytes", INTRODUCTION, named_too_long, "A name of more", error=Malformed),
        Animal("a game of another connection", START0, saying(exporter=ZEROS), "another connection", (0,), Unexpected),
        Animal(
            "a game that skips one of the match",
            START0,
            saying(game=2, link=b"l" * 32),
            "does not follow the last one",
            (0,),
            Unexpected,
        ),
        Animal("a first game that follows another", START0, saying(link=b"l" * 32), "follows no other", (0,)),
    ),
)

FAMILIES: Final = (KEYS, IDENTITY, PROPOSAL)
