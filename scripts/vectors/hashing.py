"""Vectors of the hash with its label and framing, of proof contexts, and of hashes to scalars.

It owns the slips by which a second implementation would hash other bytes; it knows no proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256, sha512
from typing import Any, Final

from fairdeck.group import EDWARDS25519, encode_scalar, hash_to_scalar
from fairdeck.transcript import PREFIX, context, hash32, hash64
from vectors.form import Case, Group, VectorFile, invalid, valid

SID: Final = bytes(range(32))
ORDER: Final = EDWARDS25519.order

HEADER: Final = (
    "Hash: H(label, items). hash64 is the whole SHA-512, hash32 its first half.",
    "Context: what binds a proof to its game, its author and its use.",
    "HashToScalar: hash64 as a little-endian number modulo the order of the group, in 32 little-endian bytes.",
    "A valid test states the right value. An invalid one states the value that the slip in its flags would give.",
)

INPUTS: Final[tuple[tuple[str, str, tuple[bytes, ...]], ...]] = (
    ("no item", "record", ()),
    ("one empty item", "record", (b"",)),
    ("two empty items", "record", (b"", b"")),
    ("one byte", "record", (b"\x00",)),
    ("three items", "commit", (b"a", b"bc", b"")),
    ("the same bytes divided otherwise", "commit", (b"ab", b"c", b"")),
    ("an item longer than a block of SHA-512", "deck", (bytes(range(256)) * 3,)),
    ("label of one letter", "x", (b"y",)),
)


def hashing() -> VectorFile:
    """hashing.json."""
    groups = (
        Group("Hash", tuple(_hashes())),
        Group("Context", tuple(_contexts())),
        Group("HashToScalar", tuple(_scalars())),
    )
    return VectorFile("hashing.json", "Hashing", HEADER, groups)


def _hashes() -> Iterator[Case]:
    for comment, label, items in INPUTS:
        yield valid(comment, **_hash(label, items, hash64(label, *items)))
    label, items = "commit", (b"a", b"bc", b"")
    name = PREFIX + label.encode()
    slips = {
        "items are not framed": ("NoFraming", sha512(name + b"".join(items)).digest()),
        "the label is not framed": ("NoFraming", sha512(name + _framed(*items)).digest()),
        "lengths are little-endian": ("WrongFraming", sha512(_framed(name, *items, order="little")).digest()),
        "lengths take two bytes": ("WrongFraming", sha512(_framed(name, *items, width=2)).digest()),
        "lengths take eight bytes": ("WrongFraming", sha512(_framed(name, *items, width=8)).digest()),
        "the label lacks its prefix": ("WrongLabel", sha512(_framed(label.encode(), *items)).digest()),
        "the prefix names another version": ("WrongLabel", sha512(_framed(b"p2pdurak/2/commit", *items)).digest()),
        "the label is in capitals": ("WrongLabel", hash64("COMMIT", *items)),
        "an empty item is left out": ("NoFraming", hash64(label, *items[:2])),
        "two items are swapped": ("WrongOrder", hash64(label, items[1], items[0], items[2])),
        "the number of items is hashed too": ("WrongFraming", sha512(_framed(name, b"\x03", *items)).digest()),
        "SHA-256 twice": ("WrongHash", sha256(_framed(name, *items)).digest() * 2),
    }
    for comment, (flag, digest) in slips.items():
        yield invalid(comment, flag, **_hash(label, items, digest))


def _hash(label: str, items: tuple[bytes, ...], digest: bytes) -> dict[str, Any]:
    return {"label": label, "items": items, "hash64": digest, "hash32": digest[:32]}


def _framed(*items: bytes, width: int = 4, order: Any = "big") -> bytes:
    return b"".join(len(item).to_bytes(width, order) + item for item in items)


def _contexts() -> Iterator[Case]:
    for purpose in ("key", "shuffle", "remask", "share", "open", "absent"):
        for seat in (0, 1):
            yield _context(f"{purpose} by seat {seat}", seat, purpose, context(SID, seat, purpose))
    wrong = {
        "the context of the other seat": ("WrongSeat", context(SID, 1, "share")),
        "the context of another purpose": ("WrongPurpose", context(SID, 0, "open")),
        "the context of another game": ("WrongSession", context(bytes(32), 0, "share")),
        "the seat as a digit": ("WrongFraming", hash32("context", SID, b"0", b"share")),
        "the seat in four bytes": ("WrongFraming", hash32("context", SID, bytes(4), b"share")),
        "the purpose before the seat": ("WrongOrder", hash32("context", SID, b"share", b"\x00")),
        "all in one item": ("NoFraming", hash32("context", SID + b"\x00share")),
        "without a seat": ("WrongSeat", hash32("context", SID, b"share")),
        "the second half of the hash": ("WrongHash", hash64("context", SID, b"\x00", b"share")[32:]),
        "another label": ("WrongLabel", hash32("ctx", SID, b"\x00", b"share")),
    }
    for comment, (flag, ctx) in wrong.items():
        yield _context(comment, 0, "share", ctx, flag)
    for purpose in ("key", "shuffle", "remask", "open", "absent"):
        yield _context(
            f"the context of share instead of {purpose}", 1, purpose, context(SID, 1, "share"), "WrongPurpose"
        )


def _context(comment: str, seat: int, purpose: str, ctx: bytes, *flags: str) -> Case:
    make = invalid if flags else valid
    return make(comment, *flags, sid=SID, seat=seat, purpose=purpose, ctx=ctx)


def _scalars() -> Iterator[Case]:
    for comment, label, items in INPUTS[3:6]:
        scalar = encode_scalar(hash_to_scalar(EDWARDS25519, label, *items))
        yield valid(comment, label=label, items=items, scalar=scalar)
    label, items = "commit", (b"a", b"bc", b"")
    digest = hash64(label, *items)
    wrong = {
        "the hash is read big-endian": int.from_bytes(digest, "big") % ORDER,
        "only 32 bytes are reduced": int.from_bytes(digest[:32], "little") % ORDER,
        "the second half is reduced": int.from_bytes(digest[32:], "little") % ORDER,
        "the hash is clamped as a secret key is": _clamped(digest),
        "reduced modulo the prime of the field": int.from_bytes(digest, "little") % (2**255 - 19) % 2**253,
    }
    for comment, number in wrong.items():
        yield invalid(comment, "WrongReduction", label=label, items=items, scalar=encode_scalar(number))


def _clamped(digest: bytes) -> int:
    return (int.from_bytes(digest[:32], "little") & (2**254 - 8)) | 2**254
