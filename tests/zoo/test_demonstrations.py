"""Each defence is what stops its attack: with the defence taken away the attack works, with it, it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from fairdeck import deck as deck_module
from fairdeck import elgamal, sealing, shuffle, sigma
from fairdeck import hand as hand_module
from fairdeck import referee as referee_module
from fairdeck.channel import Channel
from fairdeck.errors import Cheating
from fairdeck.group import EDWARDS25519, Group, Point, card_numbers
from fairdeck.referee import present
from fairdeck.wire import Kind, Shares, decode_record
from p2pdurak.rules.actions import Deny
from tests.fairdeck.cheap import SeededRng, sit_down
from tests.fairdeck.forge import forged
from tests.zoo import denials, disarmed, shares
from tests.zoo.cage import SHOW, Cage, stand

in_the_real_group = pytest.mark.slow
"""Not that one of them takes two seconds: all of them together do."""


def refuses(cage: Cage, data: bytes, why: str) -> None:
    with pytest.raises(Cheating, match=why) as caught:
        cage.honest.receive(data)
    assert caught.value.accused == cage.seat


# The weights of shares are hashed from the shares


def host_deals() -> Cage:
    """The host has seen the guest's share of the indicator, and owes his own."""
    pair = disarmed.honest_pair("weights", 4)
    return Cage(pair, 0, record=None)  # type: ignore[arg-type]


def another_indicator(cage: Cage, wanted: int) -> bytes:
    """He can see which card it is, and would rather have another one, and with it another trump."""
    deck = cage.deck
    masked, theirs = deck.cards[35], deck.upcard_shares[1][0]
    D = shares.right_shares(deck, 0, cage.x)
    seen = card_numbers(cage.group, 36)[(masked.C2 - theirs - D[-1]).data]
    false = disarmed.indicator_of_his_choice(deck, D, wanted, seen)
    return forged(cage.referee, 0, Shares(shares.proven(deck, 0, false, cage.x)))


@in_the_real_group
@pytest.mark.parametrize("wanted", [8, 35])
def test_weights_known_before_the_shares_let_the_host_choose_the_trump(
    wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (deck_module, hand_module, shares):
        monkeypatch.setattr(module, "share_weights", disarmed.weights_known_before)
    cage = host_deals()
    cage.honest.receive(another_indicator(cage, wanted))
    assert present(cage.honest.state).indicator == wanted


@in_the_real_group
def test_weights_hashed_from_the_shares_stop_it() -> None:
    cage = host_deals()
    refuses(cage, another_indicator(cage, 8), "A share that does not open its card")


# Nobody knows the logarithms of the constants


def shuffled_by_host(cage: Cage) -> list[int]:
    """The cards in the host's shuffle, opened with both secrets; -1 for what is none."""
    x = cage.x + cage.honest.x
    numbers = {M.data: card for card, M in enumerate(first_cards(cage.group, 36))}
    return [numbers.get((masked.C2 - x * masked.C1).data, -1) for masked in cage.referee.shuffled]


def first_cards(group: Group, cards: int) -> tuple[Point, ...]:
    """The card points as the deck is made of them now."""
    return elgamal.card_points(group, cards)


@in_the_real_group
def test_known_logarithms_let_a_card_be_in_the_deck_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle, "pedersen_points", disarmed.known_generators)
    monkeypatch.setattr(elgamal, "card_points", disarmed.known_cards)
    cage = disarmed.before_shuffle0()
    cage.honest.receive(disarmed.with_an_ace_twice(cage))
    cards = shuffled_by_host(cage)
    assert (cards.count(35), cards.count(0)) == (2, 0)


@in_the_real_group
def test_known_logarithms_of_the_generators_alone_let_lie_what_is_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle, "pedersen_points", disarmed.known_generators)
    cage = disarmed.before_shuffle0()
    cage.honest.receive(disarmed.with_two_cards_in_one(cage))
    assert sorted(shuffled_by_host(cage)) == [-1, *range(1, 36)]


@in_the_real_group
@pytest.mark.parametrize("forge", [disarmed.with_an_ace_twice, disarmed.with_two_cards_in_one])
def test_generators_from_a_hash_stop_both(forge: Callable[[Cage], bytes]) -> None:
    cage = disarmed.before_shuffle0()
    refuses(cage, forge(cage), "cards were changed")


@in_the_real_group
def test_generators_from_a_hash_stop_it_even_where_the_cards_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof binds to a permutation whatever is shuffled."""
    monkeypatch.setattr(elgamal, "card_points", disarmed.known_cards)
    cage = disarmed.before_shuffle0()
    refuses(cage, disarmed.with_an_ace_twice(cage), "cards were changed")


# Points outside the subgroup


@in_the_real_group
def test_mark_of_order_two_goes_through_the_honest_shuffle_where_the_library_is_old() -> None:
    cage = disarmed.before_shuffle0(disarmed.OLDER)
    cage.honest.receive(disarmed.with_a_marked_ace(cage))
    answer = cage.honest.step()
    deck = decode_record(answer).body.deck  # type: ignore[union-attr]
    marked = [place for place in range(36) if disarmed.OLDER.is_marked(deck[64 * place : 64 * place + 32])]
    (place,) = marked
    x, masked = cage.x + cage.honest.x, present(cage.honest.referee.deck).cards[place]
    A = Point(EDWARDS25519, (masked.C1 - Point(disarmed.OLDER, disarmed.OLDER.T)).data)
    M = Point(EDWARDS25519, masked.C2.data) - x * A
    assert card_numbers(EDWARDS25519, 36)[M.data] == 35


@in_the_real_group
def test_door_that_takes_elements_only_stops_it() -> None:
    """The same bytes, at the real door."""
    marked = disarmed.with_a_marked_ace(disarmed.before_shuffle0(disarmed.OLDER))
    refuses(disarmed.before_shuffle0(), marked, "no element of the group")


# Every secret of a proof is drawn anew


def proofs_by_host() -> tuple[bytes, bytes, int]:
    """Two proofs of equal logarithms that the host has made in one game, and his secret."""
    pair = disarmed.honest_pair("nonces", 5)
    pair.play(until=lambda now: any(is_laid_by_host(data) for data in now.records))
    shares = next(decode_record(data).body for data in pair.records if decode_record(data).kind is Kind.SHARES)
    laid = next(decode_record(data).body for data in pair.records if is_laid_by_host(data))
    return shares.shares[-64:], laid.proof[0][-64:], pair.host.x  # type: ignore[union-attr]


def is_laid_by_host(data: bytes) -> bool:
    record = decode_record(data)
    body: Any = record.body
    return record.seat == 0 and record.kind is Kind.MOVE and bool(body.proof) and body.action[0] != 5


@in_the_real_group
def test_nonce_used_twice_tells_everybody_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sigma.Nonces, "seed", disarmed.same_each_time)
    first, second, x = proofs_by_host()
    assert disarmed.secret_of_two_answers(first, second, EDWARDS25519.order) == x


@in_the_real_group
def test_nonces_drawn_anew_tell_nothing() -> None:
    first, second, x = proofs_by_host()
    assert disarmed.secret_of_two_answers(first, second, EDWARDS25519.order) != x


# A denial ties its blinding to the key


def test_denial_without_its_second_equation_lets_a_held_trump_be_denied(monkeypatch: pytest.MonkeyPatch) -> None:
    cage = stand(SHOW, 1)  # before the patch: this game is kept for other tests
    monkeypatch.setattr(sigma, "_unequal_challenge", disarmed.untied_challenge)
    held = int(cage.body.action[1])
    cage.honest.receive(denials.with_another_exponent(cage, disarmed.untied_challenge))
    assert cage.honest.last.action == Deny((held,))  # type: ignore[arg-type]
    assert held in cage.holder.cards(cage.deck)


def test_denial_with_both_equations_stops_it() -> None:
    cage = stand(SHOW, 1)
    refuses(cage, denials.with_another_exponent(cage), "A denial whose proof does not hold")


# Possession of a key is proven


def rogue_game() -> tuple[Cage, bytes]:
    """The host knows the secret of the sum of both keys, and none of his own key."""
    return disarmed.with_a_rogue_key(sit_down("rogue", suite=1))


@in_the_real_group
def test_key_without_a_proof_lets_the_host_see_every_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "verify_key", lambda ctx, Y, proof: True)
    cage, data = rogue_game()
    cage.honest.receive(data)
    deck = decode_record(cage.honest.step()).body.deck  # type: ignore[union-attr]
    numbers = card_numbers(cage.group, 36)
    pairs = [
        (Point(cage.group, deck[at : at + 32]), Point(cage.group, deck[at + 32 : at + 64])) for at in range(0, 2304, 64)
    ]
    assert sorted(numbers[(C2 - disarmed.ROGUE * C1).data] for C1, C2 in pairs) == list(range(36))


@in_the_real_group
def test_proof_of_possession_stops_it() -> None:
    cage, data = rogue_game()
    refuses(cage, data, "does not know its secret")


# Epochs of the channel are fresh


class Watched:
    """The real cipher, that notes when a key and a counter are used for two different messages."""

    used: dict[tuple[bytes, bytes], bytes] = {}
    broken: list[bytes] = []

    def __init__(self, key: bytes) -> None:
        self.key, self.cipher = key, ChaCha20Poly1305(key)

    def encrypt(self, nonce: bytes, data: bytes, header: bytes) -> bytes:
        if self.used.setdefault((self.key, nonce), data) != data:
            self.broken.append(nonce)
        return self.cipher.encrypt(nonce, data, header)

    def decrypt(self, nonce: bytes, data: bytes, header: bytes) -> bytes:
        return self.cipher.decrypt(nonce, data, header)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    monkeypatch.setattr(sealing, "ChaCha20Poly1305", Watched)
    Watched.used.clear()
    Watched.broken.clear()
    return Watched.broken


def host_starts_again(seed_again: str) -> None:
    """The host's program is killed and starts again; a stranger replays all that the guest said before."""
    host, guest = Channel(b"s" * 32, 0, SeededRng("first")), Channel(b"s" * 32, 1, SeededRng("guest"))
    said = []
    for end in (host, guest):
        end.open_game(1)
        end.connect(0.0)
    for _ in range(6):
        for packet in host.packets_to_send():
            guest.receive(packet, 0.0)
        for packet in guest.packets_to_send():
            said.append(packet)
            host.receive(packet, 0.0)
    host.append(b"the first record", 1.0)
    host.packets_to_send()
    again = Channel(b"s" * 32, 0, SeededRng(seed_again))
    again.open_game(1)
    again.connect(2.0)
    again.packets_to_send()
    for packet in said:
        again.receive(packet, 2.0)
        again.packets_to_send()
    again.append(b"quite another record", 2.0)
    again.packets_to_send()


def test_replayed_hello_opens_the_old_epoch_again_where_nonces_are_not_fresh(broken: list[bytes]) -> None:
    host_starts_again("first")
    assert broken != []


def test_fresh_nonces_make_an_old_hello_worth_nothing(broken: list[bytes]) -> None:
    host_starts_again("second")
    assert Watched.used
    assert broken == []
