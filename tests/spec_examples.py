"""The examples that stand in protocol/SPEC.md, computed again.

It owns the small values behind them; it reads no page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from spake2.parameters.ed25519 import ParamsEd25519

from fairdeck.deck import Deck, Entry, deal, opening_context, share_statement, share_weights
from fairdeck.elgamal import Ciphertext, deck_hash, first_deck
from fairdeck.game import Layout
from fairdeck.group import (
    EDWARDS25519,
    Point,
    base,
    card_points,
    encode_scalar,
    hash_to_scalar,
    pedersen_points,
    times_base,
)
from fairdeck.log import Tag, encode_entry
from fairdeck.pake import Pake, Role
from fairdeck.referee import RECORD_LABEL, commitment, session_id
from fairdeck.shuffle import Statement
from fairdeck.sign import SigningKey
from fairdeck.transcript import context, hash32, hash64
from fairdeck.wire import ZEROS, Start0, Start1, encode_record, record_head
from p2pdurak.durak import DURAK
from p2pdurak.rules.options import CLASSIC, format_options

RISING: Final = bytes(range(32))
ORDER: Final = EDWARDS25519.order
X: Final = 7
Y: Final = times_base(EDWARDS25519, X)
HOST: Final = SigningKey.from_seed(b"\x07" * 32)
GUEST: Final = SigningKey.from_seed(b"\x08" * 32)
OPTIONS: Final = format_options(CLASSIC).encode()

START0: Final = Start0(
    suite=1,
    cards=36,
    options=OPTIONS,
    name="Mira",
    date="2026-11-30",
    vk=HOST.public,
    commit=commitment(RISING, Y.data),
    exporter=hash32("exporter", ZEROS),
    game=1,
    link=ZEROS,
    opener=2,
)


def start0_signed() -> bytes:
    """The annotated record of the page, without its signature."""
    return encode_record(ZEROS, 0, 0, ZEROS, START0, ZEROS)


def _times(s: int) -> Point:
    return times_base(EDWARDS25519, s)


def _hashing() -> dict[str, bytes]:
    return {
        'H64("example", "a", "bc")': hash64("example", b"a", b"bc"),
        'HS("example", "a", "bc")': encode_scalar(hash_to_scalar(EDWARDS25519, "example", b"a", b"bc")),
        'ctx(000102…1f, 1, "share")': context(RISING, 1, "share"),
    }


def _group() -> dict[str, bytes]:
    M, H = card_points(EDWARDS25519, 36), pedersen_points(EDWARDS25519, 36)
    return {
        "map(000102…1f)": EDWARDS25519.map_uniform(RISING),
        "M_0": M[0].data,
        "M_35": M[35].data,
        "H": H[0].data,
        "H_1": H[1].data,
        "H_36": H[36].data,
    }


def _signatures() -> dict[str, bytes]:
    return {
        "public key of the seed 07 × 32": HOST.public,
        'its signature with the label "sign record" on "abc"': HOST.sign(RECORD_LABEL, b"abc"),
    }


def _records() -> dict[str, bytes]:
    data = start0_signed() + HOST.sign(RECORD_LABEL, start0_signed())
    start1 = Start1("Oleg", GUEST.public, b"\x01" * 32, Y.data, bytes(64))
    return {
        "head of this record, signed with the key of the seed 07 × 32": record_head(data),
        "hash of the log entry of the note bytes 01 02 03": encode_entry(Tag.NOTE, b"\x01\x02\x03")[-32:],
        "sid with the start0 above, vk_1 of the seed 08 × 32, nonce_1 = 01 × 32": session_id(START0, start1),
    }


def _proofs() -> dict[str, bytes]:
    """Schnorr, Chaum-Pedersen and Camenisch-Shoup by hand, from the numbers that the page gives."""
    ctx, A, V, k = context(RISING, 1, "key"), _times(5), _times(3), 11
    G = base(EDWARDS25519).data
    c = hash_to_scalar(EDWARDS25519, "challenge key", ctx, G, Y.data, _times(k).data)
    found = {'x = 7, k = 11, ctx(000102…1f, 1, "key"): c ‖ s': _pair(c, k)}
    ctx, D = context(RISING, 1, "open"), X * A
    absorbed = (G, Y.data, A.data, D.data, _times(k).data, (k * A).data)
    c = hash_to_scalar(EDWARDS25519, "challenge equal", ctx, *absorbed)
    found['x = 7, A = 5 G, k = 11, ctx(000102…1f, 1, "open"): c ‖ s'] = _pair(c, k)
    ctx, z, k1, k2 = context(RISING, 1, "absent"), 13, 17, 19
    W, T1, T2 = z * (V - X * A), k1 * V - k2 * A, k1 * Y - _times(k2)
    absorbed = (G, Y.data, A.data, V.data, W.data, T1.data, T2.data)
    c = hash_to_scalar(EDWARDS25519, "challenge unequal", ctx, *absorbed)
    denial = W.data + encode_scalar(c) + encode_scalar((k1 + c * z) % ORDER) + encode_scalar((k2 + c * z * X) % ORDER)
    name = 'x = 7, A = 5 G, V = 3 G, z = 13, k1 = 17, k2 = 19, ctx(000102…1f, 1, "absent"): denial'
    return found | {name: denial}


def _pair(c: int, k: int) -> bytes:
    return encode_scalar(c) + encode_scalar((k + c * X) % ORDER)


def _decks() -> dict[str, bytes]:
    inp = (Ciphertext(_times(2), _times(3)), Ciphertext(_times(4), _times(5)))
    out = (Ciphertext(_times(6), _times(7)), Ciphertext(_times(8), _times(9)))
    statement = Statement(context(RISING, 1, "remask"), Y, inp, out)
    seed = hash64("shuffle seed", *statement.absorb(), _times(10).data + _times(11).data)
    u = [hash_to_scalar(EDWARDS25519, "shuffle u", seed, k.to_bytes(2, "big")) for k in range(2)]
    what = 'Y = 7 G, in = (2 G, 3 G) (4 G, 5 G), out = (6 G, 7 G) (8 G, 9 G), c_1 = 10 G, c_2 = 11 G, "remask": '
    return {
        "hash of deck 0 with N = 36, Y = 7 G": deck_hash(first_deck(EDWARDS25519, Y, 36)),
        what + "seed": seed,
        what + "u_1": encode_scalar(u[0]),
        what + "u_2": encode_scalar(u[1]),
    }


def _hands() -> dict[str, bytes]:
    """Three masked cards under made-up points: their shares, and a hand of two entries."""
    deck = _deck()
    statement = share_statement(deck, 1, (0, 2), (_times(14), _times(42)))
    weights = share_weights(deck, statement, (0, 2))
    what = "the deck (2 G, 3 G) (4 G, 5 G) (6 G, 7 G), author 1, P = 0 2, D = 14 G, 42 G: "
    return {
        what + "deck hash": deck.hash,
        what + "statement": statement,
        what + "w_0": encode_scalar(weights[0]),
        what + "w_2": encode_scalar(weights[1]),
        "hand of seat 1, (2 G, 3 G, batch 0) (4 G, 5 G, batch 1): hand hash": deck.hand_hash(1),
        "the same hand, j = 1: statement": opening_context(deck, 1, 1),
    }


def _deck() -> Deck:
    cards = tuple(Ciphertext(_times(first), _times(first + 1)) for first in (2, 4, 6))
    layout = Layout(hands=((0,), ()), upcards=(2,), stock=(1,))
    hand = tuple(Entry(_times(first), _times(first + 1), batch) for batch, first in enumerate((2, 4)))
    return replace(deal(EDWARDS25519, RISING, (_times(5), Y), cards, layout), hands=((), hand))


def _key_exchange() -> dict[str, bytes]:
    words, group = b"otter-kiosk-lamp", ParamsEd25519.group
    guest, host = (Pake(role, "k7q2m", words, constant) for role, constant in _ROLES)
    keys = guest.finish(host.message)
    return {
        "SPAKE2 M": ParamsEd25519.M.to_bytes(),
        "SPAKE2 N": ParamsEd25519.N.to_bytes(),
        "words otter-kiosk-lamp: w": encode_scalar(group.password_to_scalar(words)),
        "with nameplate k7q2m, x = (01 × 64 as big-endian integer) mod L, y likewise from 02: session secret": (
            keys.session_secret
        ),
        "the same: confirm_guest": keys.confirm_guest,
        "the same: confirm_host": keys.confirm_host,
    }


def _ones(count: int) -> bytes:
    return b"\x01" * count


def _twos(count: int) -> bytes:
    return b"\x02" * count


_ROLES: Final[tuple[tuple[Role, Callable[[int], bytes]], ...]] = (("guest", _ones), ("host", _twos))


def _durak() -> dict[str, bytes]:
    return {
        "options as in the record above, indicator 35, opener 1: game digest": DURAK.digest(
            DURAK.start(OPTIONS, (35,), 1)
        ),
        "the same with the opener found by questions: game digest": DURAK.digest(DURAK.start(OPTIONS, (35,), None)),
    }


def examples() -> dict[str, str]:
    """Every example of the page by its name, in hexadecimal digits."""
    parts = (_hashing, _group, _signatures, _records, _proofs, _decks, _hands, _key_exchange, _durak)
    return {name: value.hex() for part in parts for name, value in part().items()}
