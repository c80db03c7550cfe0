"""The protocol with one defence taken away, and the attack that this defence stops.

It owns weakened variants, which exist only here, and what a cheater makes of them; each variant changes one thing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from math import prod
from typing import Final

from msgspec.structs import replace as with_fields
from nacl import bindings as sodium

from fairdeck.deck import Deck
from fairdeck.elgamal import Ciphertext, encode_deck, first_deck, remask
from fairdeck.group import (
    EDWARDS25519,
    Edwards25519,
    Group,
    Point,
    card_points,
    encode_scalar,
    hash_to_scalar,
    times_base,
    total,
)
from fairdeck.referee import commitment, present
from fairdeck.seating import game_key
from fairdeck.shuffle import (
    Statement,
    _challenge,
    _challenges,
    permute,
    prove_shuffle,
    shuffle,
    verify_shuffle,
)
from fairdeck.sigma import Nonces, Unequal, prove_key
from fairdeck.transcript import context, hash64
from fairdeck.wire import Shuffle0, decode_record
from tests.fairdeck.cheap import Pair, SeededRng, sit_down
from tests.fairdeck.forge import SMALL_ORDER, forged, with_card
from tests.zoo.cage import Cage

CARDS: Final = 36


# Weights of shares that are not bound to the shares


def weights_known_before(deck: Deck, statement: bytes, positions: tuple[int, ...]) -> list[int]:
    """One weight a position, as random as the real ones, but the same whatever shares are claimed."""
    return [hash_to_scalar(deck.group, "share weight", deck.sid, bytes([p])) for p in positions]


def indicator_of_his_choice(deck: Deck, D: list[Point], wanted: int, seen: int) -> list[Point]:
    """Shares that turn the card `seen` at the last position into `wanted`, with the error made good elsewhere."""
    M, q = card_points(deck.group, CARDS), deck.group.order
    positions = deck.owed(0)
    w = weights_known_before(deck, b"", positions)
    error = M[seen] - M[wanted]
    return [D[0] - (w[-1] * pow(w[0], -1, q)) * error, *D[1:-1], D[-1] + error]


# Constants with known logarithms


@cache
def known_generators(group: Group, count: int) -> tuple[Point, ...]:
    """H, H_1 .. H_count as multiples of G that everybody knows."""
    return tuple(times_base(group, 1000 + i) for i in range(count + 1))


@cache
def known_cards(group: Group, cards: int) -> tuple[Point, ...]:
    """M_0 .. M_{cards-1} as multiples of G that everybody knows."""
    return tuple(times_base(group, 5000 + card) for card in range(cards))


Opened = Callable[[list[int]], tuple[list[int], int]]
"""From the challenges u to the u' of which a commitment is opened, and to s with sum u' out = sum u in + s (G, Y)."""


def proof_by_known_generators(statement: Statement, x: int, opened: Opened) -> bytes:
    """The honest prover's steps for a list that is no shuffle, with u' chosen when the challenges are known.

    A commitment to a permutation binds only him who cannot open it otherwise. Who knows that H_k = h_k G can open it as
    any matrix: he sets the answers s2 and s3 by the logarithms of what they must make good.
    """
    Y, group, q, n = statement.Y, statement.Y.group, statement.Y.group.order, len(statement.inp)
    h, *hs = (1000 + i for i in range(n + 1))
    nonces = Nonces(group, SeededRng("known"), x, "known generators", b"")
    r = [nonces.draw("r", k) for k in range(n)]
    c_perm = [times_base(group, r[k] + hs[k]) for k in range(n)]
    u = _challenges(statement, c_perm)
    up, s4 = opened(u)
    rh, wh, wp = ([nonces.draw(name, i) for i in range(n)] for name in ("rh", "wh", "wp"))
    chat, th, log = [], [], h
    for i in range(n):
        th.append(times_base(group, wh[i] + wp[i] * log))
        log = (rh[i] + up[i] * log) % q
        chat.append(times_base(group, log))
    w = [nonces.draw("w", i) for i in range(4)]
    t = [
        times_base(group, w[0]),
        times_base(group, w[1]),
        times_base(group, w[2] + sum(wp[i] * hs[i] for i in range(n))),
        total(wp[i] * statement.out[i].C1 for i in range(n)) - times_base(group, w[3]),
        total(wp[i] * statement.out[i].C2 for i in range(n)) - w[3] * Y,
    ]
    c = _challenge(statement, c_perm, chat, t, th)
    s2 = log - prod(u) * h
    s3 = sum(u[k] * (r[k] + hs[k]) for k in range(n)) - sum(up[i] * hs[i] for i in range(n))
    s = [w[0] + c * sum(r), w[1] + c * s2, w[2] + c * s3, w[3] + c * s4]
    s += [wh[i] + c * rh[i] for i in range(n)] + [wp[i] + c * up[i] for i in range(n)]
    points = b"".join(P.data for P in (*c_perm, *chat))
    return points + encode_scalar(c) + b"".join(encode_scalar(value % q) for value in s)


def with_an_ace_twice(cage: Cage) -> bytes:
    """The ace of spades lies at two places, a six is missing; he knows the logarithms of generators and cards."""
    statement, rho, q = host_statement(cage), [2000 + 3 * i * i for i in range(CARDS)], cage.group.order
    cards = [35 if card == 0 else card for card in range(35, -1, -1)]
    out = tuple(
        remask(cage.group, statement.Y, statement.inp[card], rho_i) for card, rho_i in zip(cards, rho, strict=True)
    )

    def opened(u: list[int]) -> tuple[list[int], int]:
        up = [u[card] for card in cards]
        wanted = sum(u[card] * (5000 + card) for card in range(CARDS))
        rest = sum(up[i] * (5000 + cards[i]) for i in range(1, CARDS))
        up[0] = (wanted - rest) * pow(5000 + cards[0], -1, q) % q
        return up, sum(up[i] * (1 + rho[i]) for i in range(CARDS)) - sum(u)

    statement = replace(statement, out=out)
    return shuffle0(cage, out, proof_by_known_generators(statement, cage.x, opened))


def with_two_cards_in_one(cage: Cage) -> bytes:
    """In place of a six lies the sum of a six and an ace, which is no card; he knows those of the generators alone."""
    statement, rho = host_statement(cage), [2000 + 3 * i * i for i in range(CARDS)]
    six, ace = statement.inp[0], statement.inp[35]
    inp = (Ciphertext(six.C1 + ace.C1, six.C2 + ace.C2), *statement.inp[1:])
    out = tuple(remask(cage.group, statement.Y, masked, rho_i) for masked, rho_i in zip(inp, rho, strict=True))

    def opened(u: list[int]) -> tuple[list[int], int]:
        up = [*u[:35], u[35] - u[0]]
        return up, sum(up[i] * rho[i] for i in range(CARDS))

    statement = replace(statement, out=out)
    return shuffle0(cage, out, proof_by_known_generators(statement, cage.x, opened))


# A library that takes points outside the subgroup


class OlderLibrary(Edwards25519):
    """The group as libraries before the fix had it: P + T passes the door, where T has order two."""

    T: Final = bytes.fromhex(SMALL_ORDER["order 2"])

    def is_element(self, data: bytes) -> bool:
        return super().is_element(data) or self.is_marked(data)

    def is_marked(self, data: bytes) -> bool:
        try:
            return super().is_element(sodium.crypto_core_ed25519_sub(data, self.T))
        except (ValueError, RuntimeError):
            return False

    def mul_encoded(self, s: int, p: bytes) -> bytes:
        if not self.is_marked(p):
            return super().mul_encoded(s, p)
        product = super().mul_encoded(s, sodium.crypto_core_ed25519_sub(p, self.T))
        return sodium.crypto_core_ed25519_add(product, self.T) if s % 2 else product


OLDER: Final = OlderLibrary()


def before_shuffle0(group: Group = EDWARDS25519) -> Cage:
    """The host is about to shuffle, in a game of its own."""
    pair = sit_down("disarmed", suite=1, suites={1: group}).play(until=lambda now: len(now.records) == 2)
    return Cage(pair, 0, record=None, seed="disarmed")  # type: ignore[arg-type]


def host_statement(cage: Cage) -> Statement:
    group = cage.group
    Y = cage.Y + present(cage.referee.keys[1])
    return Statement(context(cage.referee.sid, 0, "shuffle"), Y, first_deck(group, Y, CARDS), ())


def shuffle0(cage: Cage, out: tuple[Ciphertext, ...], proof: bytes, Y: Point | None = None) -> bytes:
    Y0 = Y or cage.Y
    possession = prove_key(context(cage.referee.sid, 0, "key"), cage.x, Y0, SeededRng("possession"))
    body = Shuffle0(cage.cheater.secrets[1], Y0.data, possession, encode_deck(out), proof)
    return forged(cage.referee, 0, body)


def with_a_marked_ace(cage: Cage) -> bytes:
    """The ace of spades carries T in its first half; the proof is tried anew until it verifies, every other time."""
    statement = host_statement(cage)
    honest = permute(statement.ctx, cage.x, statement.Y, statement.inp, SeededRng("disarmed"))
    place = honest.permutation.index(35)
    ace = honest.out[place]
    marked = Ciphertext(Point(cage.group, sodium.crypto_core_ed25519_add(ace.C1.data, OLDER.T)), ace.C2)
    out = with_card(honest.out, place, marked)
    statement = replace(statement, out=out)
    for attempt in range(64):
        proof = prove_shuffle(statement, cage.x, replace(honest, out=out), SeededRng(f"attempt {attempt}"))
        if verify_shuffle(statement, proof):
            break
    return shuffle0(cage, out, proof)


# Nonces that are the same each time


def same_each_time(nonces: Nonces, name: str, index: int = 0) -> bytes:
    """What a secret would be that hangs neither on the statement nor on fresh randomness."""
    return hash64("nonce", nonces.purpose.encode(), name.encode(), index.to_bytes(4, "big"), encode_scalar(nonces.x))


def secret_of_two_answers(first: bytes, second: bytes, q: int) -> int:
    """What two proofs (c, s) with one nonce tell everybody: s - s' = (c - c') x."""
    (c1, s1), (c2, s2) = ((int.from_bytes(p[:32], "little"), int.from_bytes(p[32:], "little")) for p in (first, second))
    return (s1 - s2) * pow(c1 - c2, -1, q) % q


# A denial whose second equation is missing


def untied_challenge(
    ctx: bytes, Y: Point, items: Sequence[Unequal], W: Sequence[Point], T1: Sequence[Point], T2: Sequence[Point]
) -> int:
    """The challenge over the first equation alone: nothing ties the exponent used to the key."""
    absorbed = [ctx, Y.data]
    for item, w, t1 in zip(items, W, T1, strict=True):
        absorbed += [item.A.data, item.V.data, w.data, t1.data]
    return hash_to_scalar(Y.group, "challenge unequal", *absorbed)


# A key whose secret nobody asks for

ROGUE: Final = 777
"""The secret of the sum of both keys, which the host alone knows."""


def with_a_rogue_key(pair: Pair) -> tuple[Cage, bytes]:
    """The host has foreseen the guest's key, and commits to one that makes the sum a key of his own."""
    host, guest = pair.seats
    group = EDWARDS25519
    Y = times_base(group, ROGUE)
    Y0 = Y - times_base(group, game_key(group, guest.secrets[0]))
    proposal = decode_record(pair.make()).body
    start0 = forged(guest.referee, 0, with_fields(proposal, commit=commitment(host.secrets[1], Y0.data)))
    guest.receive(start0)
    guest.step()
    cage = Cage(pair, 0, record=decode_record(start0))
    ctx, first = context(guest.referee.sid, 0, "shuffle"), first_deck(group, Y, CARDS)
    done = shuffle(ctx, 1, Y, first, SeededRng("rogue"))
    body = Shuffle0(host.secrets[1], Y0.data, bytes(64), encode_deck(done.out), done.proof)
    return cage, forged(guest.referee, 0, body)


def honest_pair(seed: str, records: int) -> Pair:
    """A game in the real group, as far as so many records."""
    return sit_down(seed, suite=1).play(until=lambda now: len(now.records) >= records)
