"""From a code to a key: what both sides get, what each refuses, and what a wrong word shows."""

from __future__ import annotations

import hmac
import random
from contextlib import suppress
from itertools import combinations

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from spake2 import SPAKE2_B
from spake2.parameters.ed25519 import ParamsEd25519

from fairdeck.errors import LocalError, Malformed, WrongCode
from fairdeck.group import EDWARDS25519, base, times_base
from fairdeck.pake import MESSAGE_BYTES, Pake, PakeKeys, Role, check
from fairdeck.transcript import hash32

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

NAMEPLATE = "k7q2m"
SECRET = b"otter-kiosk-lamp"
P = 2**255 - 19
SIGN = 1 << 255
G = bytes(base(EDWARDS25519))

ORDER_FOUR = bytes(32)
ORDER_EIGHT = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
G_PLUS_ORDER_TWO = EDWARDS25519.add_encoded(G, (P - 1).to_bytes(32, "little"))

BAD_ELEMENTS = {
    "identity": (1).to_bytes(32, "little"),
    "identity with the sign of zero": (1 | SIGN).to_bytes(32, "little"),
    "identity above the prime": (P + 1).to_bytes(32, "little"),
    "order two": (P - 1).to_bytes(32, "little"),
    "order four": ORDER_FOUR,
    "order four above the prime": P.to_bytes(32, "little"),
    "order eight": ORDER_EIGHT,
    "mixed order": G_PLUS_ORDER_TWO,
    "off the curve": (2).to_bytes(32, "little"),
    "all ones": b"\xff" * 32,
}


def pake(role: Role, seed: int = 1, nameplate: str = NAMEPLATE, secret: bytes = SECRET) -> Pake:
    return Pake(role, nameplate, secret, random.Random(f"{role} {seed}").randbytes)


def run(guest: Pake, host: Pake) -> tuple[PakeKeys, PakeKeys]:
    """Swap the messages of a run without loss."""
    return guest.finish(host.message), host.finish(guest.message)


def parts(keys: PakeKeys) -> tuple[bytes, bytes, bytes]:
    return keys.session_secret, keys.confirm_host, keys.confirm_guest


# Agreement


def test_same_words_give_both_sides_the_same_keys() -> None:
    guest, host = run(pake("guest"), pake("host"))
    assert guest == host
    check(host.confirm_guest, guest.confirm_guest)
    check(guest.confirm_host, host.confirm_host)


def test_keys_are_32_bytes_each_and_all_different() -> None:
    keys, _ = run(pake("guest"), pake("host"))
    assert {len(part) for part in parts(keys)} == {32}
    assert len(set(parts(keys))) == 3


def test_message_is_a_side_and_a_point() -> None:
    assert [len(pake(role).message) for role in ("guest", "host")] == [MESSAGE_BYTES, MESSAGE_BYTES]
    assert [pake(role).message[:1] for role in ("guest", "host")] == [b"A", b"B"]


def test_run_is_a_function_of_its_randomness() -> None:
    assert run(pake("guest"), pake("host")) == run(pake("guest"), pake("host"))


def test_fresh_randomness_gives_fresh_messages_and_keys() -> None:
    runs = [run(pake("guest", seed), pake("host", seed))[0] for seed in (1, 2, 3)]
    assert len({part for keys in runs for part in parts(keys)}) == 9


def test_keys_are_derived_as_written_at_the_head_of_the_module() -> None:
    """A second derivation from the library's key, with every label spelled out."""
    mine, library = pake("guest"), SPAKE2_B(SECRET, b"p2pdurak/1/pake guest k7q2m", b"p2pdurak/1/pake host k7q2m")
    theirs = library.start()
    key = library.finish(mine.message)
    t = hash32("pake transcript", b"guest", mine.message, b"host", theirs, b"k7q2m")

    def derive(label: bytes) -> bytes:
        return HKDF(SHA256(), 32, t, b"p2pdurak/1/" + label).derive(key)

    secret = derive(b"pake session")
    confirmations = (hmac.digest(derive(b"pake confirm " + role), t, "sha256") for role in (b"host", b"guest"))
    assert parts(mine.finish(theirs)) == (secret, *confirmations)


# Disagreement


@pytest.mark.parametrize("change", [{"secret": b"otter-kiosk-lion"}, {"nameplate": "k7q2n"}])
def test_another_word_or_nameplate_gives_other_keys_and_no_error(change: dict[str, str]) -> None:
    guest, host = run(pake("guest", **change), pake("host"))
    assert set(parts(guest)) & set(parts(host)) == set()


def test_wrong_confirmation_is_a_wrong_code() -> None:
    guest, host = run(pake("guest", secret=b"otter-kiosk-lion"), pake("host"))
    with pytest.raises(WrongCode, match="mistyped, or somebody without the code"):
        check(host.confirm_guest, guest.confirm_guest)


def test_confirmation_of_the_other_role_is_a_wrong_code() -> None:
    guest, host = run(pake("guest"), pake("host"))
    with pytest.raises(WrongCode):
        check(host.confirm_guest, host.confirm_host)
    with pytest.raises(WrongCode):
        check(guest.confirm_host, guest.confirm_guest)


@pytest.mark.parametrize("got", [b"", b"short", bytes(32), bytes(33)])
def test_confirmation_of_any_length_is_compared(got: bytes) -> None:
    with pytest.raises(WrongCode):
        check(run(pake("guest"), pake("host"))[0].confirm_host, got)


def test_confirmation_binds_both_messages() -> None:
    host = pake("host")
    first, second = (pake("guest", seed).finish(host.message) for seed in (1, 2))
    assert set(parts(first)) & set(parts(second)) == set()


def test_middleman_who_swaps_a_message_for_his_own_makes_confirmation_fail() -> None:
    guest, host, middle = pake("guest"), pake("host"), pake("host", seed=9, secret=b"guess-guess-guess")
    keys = guest.finish(middle.message)
    with pytest.raises(WrongCode):
        check(host.finish(guest.message).confirm_guest, keys.confirm_guest)
    with pytest.raises(WrongCode):
        check(middle.finish(guest.message).confirm_guest, keys.confirm_guest)


# Refusing


@pytest.mark.parametrize("name", BAD_ELEMENTS)
@pytest.mark.parametrize(("role", "side"), [("guest", b"B"), ("host", b"A")])
def test_bytes_that_are_no_element_of_the_group_are_refused(role: Role, side: bytes, name: str) -> None:
    with pytest.raises(Malformed):
        pake(role).finish(side + BAD_ELEMENTS[name])


@pytest.mark.parametrize("name", ["identity with the sign of zero", "identity above the prime"])
def test_library_alone_would_take_an_identity_in_disguise(name: str) -> None:
    """Why the element is checked before the library sees it; if this fails, the library has learned it."""
    library = SPAKE2_B(SECRET)
    library.start()
    assert len(library.finish(b"A" + BAD_ELEMENTS[name])) == 32


@pytest.mark.parametrize("size", [0, 1, 2, 32, 34, 64, 1024])
def test_message_of_another_length_is_refused(size: int) -> None:
    message = (pake("guest").message * 40)[:size]
    with pytest.raises(Malformed, match="33 bytes"):
        pake("host").finish(message)


@pytest.mark.parametrize("side", [b"B", b"S", b"a", b"\0"])
def test_message_of_our_own_or_no_side_is_refused(side: bytes) -> None:
    with pytest.raises(Malformed, match="not from the other role"):
        pake("host").finish(side + pake("guest").message[1:])


@pytest.mark.parametrize("role", ["guest", "host"])
def test_own_message_is_refused_when_it_comes_back(role: Role) -> None:
    mine = pake(role)
    with pytest.raises(Malformed):
        mine.finish(mine.message)


@pytest.mark.parametrize(("role", "side"), [("guest", b"B"), ("host", b"A")])
def test_own_message_is_refused_also_under_the_other_sides_letter(role: Role, side: bytes) -> None:
    mine = pake(role)
    with pytest.raises(Malformed, match="sent back"):
        mine.finish(side + mine.message[1:])


def test_refused_message_does_not_use_the_run_up() -> None:
    guest, host = pake("guest"), pake("host")
    for bad in (b"", host.message, b"A" + BAD_ELEMENTS["identity"], b"A" + host.message[1:]):
        with pytest.raises(Malformed):
            host.finish(bad)
    assert host.finish(guest.message) == guest.finish(host.message)


def test_second_message_in_a_run_is_refused_since_it_would_be_a_second_guess() -> None:
    host = pake("host")
    host.finish(pake("guest", 1).message)
    with pytest.raises(LocalError):
        host.finish(pake("guest", 2).message)


def test_code_without_words_is_refused() -> None:
    with pytest.raises(LocalError, match="without its words"):
        pake("host", secret=b"")


def test_every_flipped_bit_of_a_message_is_refused_or_breaks_the_confirmation() -> None:
    message, expected = pake("guest").message, pake("guest").finish(pake("host").message)
    taken = 0
    for bit in range(0, 8 * MESSAGE_BYTES, 5):
        flipped = (int.from_bytes(message, "big") ^ 1 << bit).to_bytes(MESSAGE_BYTES, "big")
        try:
            keys = pake("host").finish(flipped)
        except Malformed:
            continue
        taken += 1
        assert set(parts(keys)) & set(parts(expected)) == set()
    assert taken > 0


@settings(max_examples=60)
@given(st.binary(max_size=40) | st.binary(min_size=32, max_size=32).map(lambda tail: b"A" + tail))
def test_nothing_but_malformed_escapes_for_any_bytes(message: bytes) -> None:
    with suppress(Malformed):  # one string of 32 bytes in sixteen is an element, and is taken
        pake("host").finish(message)


@settings(max_examples=25)
@given(st.integers(1, EDWARDS25519.order - 1))
def test_every_element_is_taken(s: int) -> None:
    assert len(pake("host").finish(b"A" + bytes(times_base(EDWARDS25519, s))).session_secret) == 32


def test_element_that_unblinds_to_the_identity_is_taken_since_only_the_code_makes_it() -> None:
    blind = ParamsEd25519.M.scalarmult(ParamsEd25519.group.password_to_scalar(SECRET)).to_bytes()
    assert len(pake("host").finish(b"A" + blind).session_secret) == 32


# Secrecy


def test_keys_do_not_show_in_a_repr() -> None:
    keys, _ = run(pake("guest"), pake("host"))
    assert repr(keys) == "PakeKeys()"


def test_messages_of_one_secret_and_of_another_differ_by_randomness_only() -> None:
    """With the blinding taken off for any guess, what is left is a random element: nothing confirms the guess."""
    message = pake("guest").message[1:]
    group, m = ParamsEd25519.group, ParamsEd25519.M
    left = [
        group.bytes_to_element(message).add(m.scalarmult(-group.password_to_scalar(guess))).to_bytes()
        for guess in (SECRET, b"otter-kiosk-lion", b"zebra-zebra-zebra")
    ]
    assert all(EDWARDS25519.is_element(element) for element in left)
    assert all(a != b for a, b in combinations(left, 2))
