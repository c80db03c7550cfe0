"""The libraries that a game stands on, asked for answers that are known beforehand.

It owns the questions and the answers; it knows no broker, no file and no clock but the one that it is given.

A library that was swapped for another or is broken may still load and still return bytes of the right length. Here
each is asked for a published answer, and for the refusal of something that is nearly right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from fairdeck.elgamal import first_deck
from fairdeck.errors import LocalError, Malformed, WrongCode
from fairdeck.group import EDWARDS25519, hash_to_group, self_test, times_base
from fairdeck.pake import Pake, check
from fairdeck.shuffle import Statement, shuffle, verify_shuffle
from fairdeck.sign import SigningKey, check_public_key, is_signed
from fairdeck.wire import pack, unpack
from p2pdurak.doctor.finding import Figure, Finding, Outcome

Rng = Callable[[int], bytes]
Clock = Callable[[], float]

CARDS: Final = 36
REINSTALL: Final = "Install this program afresh in an environment of its own; no game can be trusted here."

ONE_G: Final = "58" + "66" * 31
TWO_G: Final = "c9a3f86aae465f0e56513864510f3997561fa2c9e85ea21dc2292309f3cd6022"
"""G and 2 G on edwards25519 (SPEC: vectors, group)."""

FIRST_CARD: Final = "5a85de75f06ae3c2c7b4ea1c24215b25bdae6504301af603edafcd228c0e1461"
"""The point of card 0, which is hashed to the group (SPEC: vectors, group)."""

SEED: Final = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
PUBLIC: Final = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
"""RFC 8032, section 7.1, test 1."""

SEAL_KEY: Final = bytes(range(0x80, 0xA0))
SEAL_NONCE: Final = bytes.fromhex("070000004041424344454647")
SEAL_EXTRA: Final = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
SEAL_TEXT: Final = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it."
)
SEAL_TAG: Final = "1ae10b594f09e26a7e902ecbd0600691"
"""RFC 8439, section 2.8.2."""

SCALAR: Final = "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"
FOREIGN: Final = "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"
SHARED: Final = "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
"""RFC 7748, section 5.2, X25519: a private key, a public one of somebody else, and the secret of both."""


class _WrongAnswerError(Exception):
    """A library does not answer as it should; a part of a sentence that says how."""


def check_libraries(rng: Rng, clock: Clock) -> Iterator[Finding]:
    """Ask every library.

    Args:
        rng: gives fresh random bytes.
        clock: gives seconds that only grow.

    Yields:
        A finding each.
    """
    yield _asked("group", "The group of the cards", _group)
    yield _asked("signature", "Signing and checking", _signature)
    yield _asked("shuffle", f"Shuffling {CARDS} cards with a proof", lambda: _shuffle(rng, clock))
    yield _asked("seal", "The sealing of packets", _seal)
    yield _asked("join code", "The exchange behind a join code", lambda: _join_code(rng))
    yield _asked("wire", "The form of what is sent", _wire)


def _asked(check: str, what: str, ask: Callable[[], dict[str, Figure]]) -> Finding:
    try:
        figures = ask()
    except (_WrongAnswerError, LocalError) as wrong:
        return Finding(check, Outcome.FAILED, f"{what}: {wrong}", REINSTALL)
    except Exception as fault:  # noqa: BLE001 - a library that was swapped may raise anything; that is what is asked
        return Finding(check, Outcome.FAILED, f"{what}: {type(fault).__name__}.", REINSTALL)
    times = ", ".join(f"{key.removesuffix('_ms')} in {value} ms" for key, value in figures.items())
    return Finding(check, Outcome.OK, f"{what}: right{f', {times}' if times else ''}.", figures=figures)


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise _WrongAnswerError(otherwise)


def _group() -> dict[str, Figure]:
    g = bytes.fromhex(ONE_G)
    _demand(EDWARDS25519.mul_base(1) == g, "the base point is another.")
    _demand(EDWARDS25519.add_encoded(g, g).hex() == TWO_G, "G + G is another point.")
    _demand(EDWARDS25519.mul_encoded(2, g).hex() == TWO_G, "2 G is another point.")
    _demand(EDWARDS25519.sub_encoded(bytes.fromhex(TWO_G), g) == g, "2 G - G is not G.")
    _demand(hash_to_group(EDWARDS25519, "card", bytes(2)).data.hex() == FIRST_CARD, "the first card is another point.")
    self_test()
    for bad in (EDWARDS25519.identity, bytes(32), b"\xff" * 32):
        _demand(not EDWARDS25519.is_element(bad), "bytes pass for a point that are none.")
    return {}


def _signature() -> dict[str, Figure]:
    key = SigningKey.from_seed(bytes.fromhex(SEED))
    _demand(key.public.hex() == PUBLIC, "a key of RFC 8032 comes out as another.")
    check_public_key(key.public)
    signature = key.sign("doctor", b"seven of diamonds")
    _demand(is_signed(key.public, "doctor", b"seven of diamonds", signature), "a right signature is refused.")
    _demand(not is_signed(key.public, "doctor", b"seven of hearts", signature), "a wrong signature is accepted.")
    return {}


def _shuffle(rng: Rng, clock: Clock) -> dict[str, Figure]:
    ctx, x = rng(32), 2 + int.from_bytes(rng(31), "big")
    key = times_base(EDWARDS25519, x)
    deck = first_deck(EDWARDS25519, key, CARDS)
    began = clock()
    shuffled = shuffle(ctx, x, key, deck, rng)
    made = clock()
    holds = verify_shuffle(Statement(ctx, key, deck, shuffled.out), shuffled.proof)
    ended = clock()
    _demand(holds, "a right proof is refused.")
    swapped = (shuffled.out[1], shuffled.out[0], *shuffled.out[2:])
    _demand(not verify_shuffle(Statement(ctx, key, deck, swapped), shuffled.proof), "a wrong proof is accepted.")
    return {"made_ms": _ms(made - began), "checked_ms": _ms(ended - made)}


def _seal() -> dict[str, Figure]:
    sealer = ChaCha20Poly1305(SEAL_KEY)
    sealed = sealer.encrypt(SEAL_NONCE, SEAL_TEXT, SEAL_EXTRA)
    _demand(sealed[-16:].hex() == SEAL_TAG, "the packet of RFC 8439 comes out as another.")
    _demand(sealer.decrypt(SEAL_NONCE, sealed, SEAL_EXTRA) == SEAL_TEXT, "a packet opens as another.")
    try:
        sealer.decrypt(SEAL_NONCE, sealed[:-1] + bytes([sealed[-1] ^ 1]), SEAL_EXTRA)
    except InvalidTag:
        pass
    else:
        raise _WrongAnswerError("a forged packet opens.")
    own = X25519PrivateKey.from_private_bytes(bytes.fromhex(SCALAR))
    shared = own.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(FOREIGN)))
    _demand(shared.hex() == SHARED, "the secret of RFC 7748 comes out as another.")
    return {}


def _join_code(rng: Rng) -> dict[str, Figure]:
    host, guest = (Pake(role, "k7q2m", b"otter kiosk lamp", rng) for role in ("host", "guest"))
    hosts, guests = host.finish(guest.message), guest.finish(host.message)
    _demand(hosts == guests, "two sides with the same words do not agree.")
    stranger = Pake("guest", "k7q2m", b"otter kiosk lump", rng)
    host = Pake("host", "k7q2m", b"otter kiosk lamp", rng)
    shown = stranger.finish(host.message).confirm_guest
    try:
        check(host.finish(stranger.message).confirm_guest, shown)
    except WrongCode:
        return {}
    raise _WrongAnswerError("wrong words are let in.")


def _wire() -> dict[str, Figure]:
    value = (1, "six", b"\x00\xff", (True, 255, 65536), ())
    _demand(pack(value).hex() == "9501a3736978c40200ff93c3ccffce0001000090", "msgpack writes other bytes.")
    _demand(unpack(pack(value)) == value, "msgpack reads other values than it wrote.")
    for bad in (pack(value) + b"\x00", b"\x81\x01\x02", b"\xc1"):
        try:
            unpack(bad)
        except Malformed:
            continue
        raise _WrongAnswerError("bytes are read that are not of this protocol.")
    return {}


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)
