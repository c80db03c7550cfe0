"""What cheaters do: records with another content under a right signature, bad points, proofs of things untrue.

It owns the tools; what must come of them stands in the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from nacl import bindings as sodium

from fairdeck.elgamal import Ciphertext
from fairdeck.errors import FairdeckError
from fairdeck.game import IllegalAction, Seat
from fairdeck.group import EDWARDS25519, Group, Point, hash_to_scalar, pedersen_points, times_base
from fairdeck.log import MAGIC, Tag, encode_entry
from fairdeck.notes import NOTE_LABEL
from fairdeck.referee import RECORD_LABEL, session_id
from fairdeck.shuffle import Statement
from fairdeck.sign import SigningKey
from fairdeck.transcript import hash64
from fairdeck.wire import ZEROS, Body, NoteKind, Record, Start1, encode_note, encode_record
from tests.fairdeck.cheap import CHEAP, IDENTITIES, DurakReferee, SeededRng

# Points that no honest program sends. The small-order ones are the eight of the curve, then second encodings of them.

SMALL_ORDER: Final = {
    "identity": "0100000000000000000000000000000000000000000000000000000000000000",
    "order 2": "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "order 4": "0000000000000000000000000000000000000000000000000000000000000000",
    "order 4, negated": "0000000000000000000000000000000000000000000000000000000000000080",
    "order 8": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "order 8, negated": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "order 8, another": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "order 8, another, negated": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
}
NOT_CANONICAL: Final = {
    "identity with a sign": "0100000000000000000000000000000000000000000000000000000000000080",
    "order 2 with a sign": "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "y = p": "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "y = p with a sign": "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "y = p + 1": "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "y = p + 3": "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "y = 2^255 - 1": "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}
OFF_CURVE: Final = {
    "y = 2": "0200000000000000000000000000000000000000000000000000000000000000",
    "y = 7": "0700000000000000000000000000000000000000000000000000000000000000",
}


def mixed_order(point: bytes, torsion: str) -> bytes:
    """A point outside the prime-order subgroup: an element plus a point of small order."""
    return sodium.crypto_core_ed25519_add(point, bytes.fromhex(SMALL_ORDER[torsion]))


def bad_points() -> dict[str, bytes]:
    """32-byte strings that are no element of the real group, by name."""
    bad = {name: bytes.fromhex(data) for name, data in (SMALL_ORDER | NOT_CANONICAL | OFF_CURVE).items()}
    P = EDWARDS25519.mul_base(7)
    return bad | {f"P + {name}": mixed_order(P, name) for name in SMALL_ORDER if name != "identity"}


# Records and notes with a right signature.


def sign_record(key: SigningKey, signed: bytes) -> bytes:
    return signed + key.sign(RECORD_LABEL, signed)


def forged(referee: DurakReferee, seat: Seat, body: Body, *, key: SigningKey | None = None, **changes: Any) -> bytes:
    """A body as the next record: chained, with the digest that our engine finds where the body is legal, and signed.

    `changes` replace sid, seq, prev, digest or the seat that is named.
    """
    try:
        digest = referee.after(seat, body, verify=False).digest()
    except (FairdeckError, IllegalAction):
        digest = ZEROS
    sid = session_id(referee.start0, body) if isinstance(body, Start1) and referee.start0 else referee.sid
    place: dict[str, Any] = {"sid": sid, "seq": referee.seq, "seat": seat, "prev": referee.head}
    place |= {"body": body, "digest": digest}
    return sign_record(key or IDENTITIES[seat], encode_record(**(place | changes)))


def resigned(record: Record, key: SigningKey | None = None, **changes: Any) -> bytes:
    """A record with some fields changed, under a right signature."""
    fields = ("sid", "seq", "seat", "prev", "body", "digest")
    place = {name: getattr(record, name) for name in fields}
    return sign_record(key or IDENTITIES[record.seat], encode_record(**(place | changes)))


def forged_note(
    referee: DurakReferee, seat: Seat, kind: NoteKind, *, key: SigningKey | None = None, **changes: Any
) -> bytes:
    """A note about the game as it stands, with some fields changed, under a right signature."""
    place: dict[str, Any] = {
        "sid": referee.sid,
        "seat": seat,
        "kind": kind,
        "seq": referee.seq,
        "head": referee.head,
        "body": b"",
    }
    signed = encode_note(**(place | changes))
    return signed + (key or IDENTITIES[seat]).sign(NOTE_LABEL, signed)


def log_of(records: Iterable[bytes], notes: Iterable[bytes] = ()) -> bytes:
    """The file that holds these records and notes."""
    entries = [encode_entry(Tag.RECORD, data) for data in records]
    return MAGIC + b"".join(entries) + b"".join(encode_entry(Tag.NOTE, data) for data in notes)


# Proofs.


def words_altered(proof: bytes, group: Group, points: int | range) -> Iterator[tuple[int, bytes]]:
    """Every 32-byte word of a proof once changed to another value that can be read.

    Args:
        proof: the bytes.
        group: tells another element, or another scalar, apart from bytes that cannot be decoded.
        points: which words are points; the first so many, or a range.
    """
    are_points = range(points) if isinstance(points, int) else points
    for word in range(len(proof) // 32):
        old = proof[32 * word : 32 * word + 32]
        if word in are_points:
            new = group.add_encoded(old, group.mul_base(1))
        else:
            new = ((int.from_bytes(old, "little") + 1) % group.order).to_bytes(32, "little")
        yield word, proof[: 32 * word] + new + proof[32 * word + 32 :]


def number(point: Point) -> int:
    """The logarithm of a point of the cheap group: its encoding."""
    return int.from_bytes(point.data, "little")


def shuffle_proof_by_logarithms(statement: Statement, seed: str) -> bytes:
    """A proof that verifies for any statement at all, by one who knows every logarithm; only in the cheap group.

    He commits to whatever he likes, learns the challenge, and solves the verifier's linear equations for his answers.
    It is why H, H_i and the card points of the real group come from a hash.
    """
    q, n, y = CHEAP.order, len(statement.inp), number(statement.Y)
    rng = SeededRng(seed)
    H, *Hi = map(number, pedersen_points(CHEAP, n))
    c_perm, chat, th = ([1 + rng.below(q - 1) for _ in range(n)] for _ in range(3))
    t = [1 + rng.below(q - 1) for _ in range(5)]
    encoded = [b"".join(times_base(CHEAP, value).data for value in values) for values in (c_perm, chat, t, th)]
    seed64 = hash64("shuffle seed", *statement.absorb(), encoded[0])
    u = [hash_to_scalar(CHEAP, "shuffle u", seed64, k.to_bytes(2, "big")) for k in range(n)]
    c = hash_to_scalar(CHEAP, "challenge shuffle", *statement.absorb(), *encoded)

    product = 1
    for u_k in u:
        product = product * u_k % q
    a = [number(masked.C1) for masked in statement.out]
    b = [number(masked.C2) for masked in statement.out]
    sp = [rng.below(q) for _ in range(n)]
    R1 = t[3] + c * sum(u[k] * number(statement.inp[k].C1) for k in range(n)) - _dot(sp[1:], a[1:])
    R2 = t[4] + c * sum(u[k] * number(statement.inp[k].C2) for k in range(n)) - _dot(sp[1:], b[1:])
    sp[0] = (y * R1 - R2) * pow(y * a[0] - b[0], -1, q) % q
    s = [
        t[0] + c * (sum(c_perm) - sum(Hi)),
        t[1] + c * (chat[-1] - product * H),
        t[2] + c * _dot(u, c_perm) - _dot(sp, Hi),
        sp[0] * a[0] - R1,
    ]
    chain = (H, *chat)
    s += [th[i] - sp[i] * chain[i] + c * chat[i] for i in range(n)]
    return encoded[0] + encoded[1] + b"".join((value % q).to_bytes(32, "little") for value in (c, *s, *sp))


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(left, right, strict=True))


def with_card(deck: tuple[Ciphertext, ...], place: int, masked: Ciphertext) -> tuple[Ciphertext, ...]:
    """A list with another ciphertext at one place."""
    return (*deck[:place], masked, *deck[place + 1 :])


def with_first_half(masked: Ciphertext, C1: Point) -> Ciphertext:
    return replace(masked, C1=C1)
