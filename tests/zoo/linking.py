"""What an onlooker could try to learn about when a card was drawn, from the place at which it is opened.

It owns the counting and the statistic; what must come of them stands in the tests.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Any, Final

from fairdeck.deck import OPENING_BYTES, Deck
from fairdeck.elgamal import Ciphertext
from fairdeck.game import Seat
from fairdeck.group import Point, card_numbers
from fairdeck.referee import present
from fairdeck.shuffle import Permuted, Shuffled, Statement, permutation, prove_shuffle
from fairdeck.sigma import Rng
from fairdeck.wire import Move, decode_record
from tests.fairdeck.cheap import Pair, randomly, sit_down

SIGMAS: Final = 3.09
"""Of the normal distribution: a fair statistic is above `critical` once in a thousand."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A card that was opened, as everybody sees it, and what only its owner knows.

    Attributes:
        length: how many cards the hidden hand held.
        index: at which of them it was opened, from 0.
        rank: how many of those cards had been drawn before it.
        draws: in how many refills, the deal being one, these cards had come.
    """

    length: int
    index: int
    rank: int
    draws: int


def play(seed: str) -> Pair:
    """A whole game at random."""
    return sit_down(seed).play(randomly(seed))


def openings(pair: Pair) -> Iterator[Opened]:
    """Every opening of a game, told with both secrets at hand."""
    drawn: tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int]]] = ({}, {})
    for before, data in zip(pair.before, pair.records, strict=True):
        record = decode_record(data)
        if before.deck is None:
            continue
        for seat in (0, 1):
            _note_draws(before.deck, seat, pair.seats[seat].x, drawn[seat])
        body = record.body
        if isinstance(body, Move) and body.proof and len(body.proof[0]) == OPENING_BYTES:
            order = drawn[record.seat]
            hand = sorted(_cards(before.deck, record.seat, pair.seats[record.seat].x), key=lambda card: order[card])
            draws = len({order[card][0] for card in hand})
            yield Opened(len(hand), body.proof[0][0], hand.index(body.action[1]), draws)


def _cards(deck: Deck, seat: Seat, x: int) -> list[int]:
    numbers = card_numbers(deck.group, len(deck.cards))
    return [numbers[(entry.B - x * entry.A).data] for entry in deck.hands[seat]]


def _note_draws(deck: Deck, seat: Seat, x: int, drawn: dict[int, tuple[int, int]]) -> None:
    """Note for each card that has just come when it was drawn: its batch, and its place in the deck."""
    places = _places(deck.cards)
    numbers = card_numbers(deck.group, len(deck.cards))
    for entry in deck.hands[seat]:
        if entry.A.data in places:
            card = numbers[(entry.B - x * entry.A).data]
            drawn.setdefault(card, (entry.batch, places[entry.A.data]))


@lru_cache(maxsize=1)
def _places(cards: tuple[Ciphertext, ...]) -> dict[bytes, int]:
    """Where each first half lies in the deck."""
    return {masked.C1.data: place for place, masked in enumerate(cards)}


# Statistics


@dataclass(frozen=True, slots=True)
class Chi:
    """A chi-square statistic and its degrees of freedom."""

    value: float
    freedom: int

    @property
    def critical(self) -> float:
        """What it exceeds once in a thousand if there is nothing to see (Wilson and Hilferty 1931)."""
        part = 2 / (9 * self.freedom)
        return self.freedom * (1 - part + SIGMAS * sqrt(part)) ** 3

    @property
    def is_fair(self) -> bool:
        return self.value < self.critical


def uniform(rows: dict[Any, Counter[int]], width: dict[Any, int]) -> Chi:
    """Whether in each row all `width` outcomes are as frequent; rows with few counts are left out."""
    value, freedom = 0.0, 0
    for row, counts in rows.items():
        expected = counts.total() / width[row]
        if expected >= 5 and width[row] > 1:
            value += sum((counts[i] - expected) ** 2 / expected for i in range(width[row]))
            freedom += width[row] - 1
    return Chi(value, freedom)


def by_index(opened: Iterable[Opened]) -> Chi:
    """Over (length of the list, index): is every place as likely?"""
    rows: defaultdict[Any, Counter[int]] = defaultdict(Counter)
    for one in opened:
        rows[one.length][one.index] += 1
    return uniform(rows, {length: length for length in rows})


def by_age(opened: Iterable[Opened]) -> Chi:
    """Over (length of the list, rank of the draw, index), in hands of more than one draw: does age tell the place?"""
    rows: defaultdict[Any, Counter[int]] = defaultdict(Counter)
    for one in opened:
        if one.draws > 1:
            rows[one.length, one.rank][one.index] += 1
    return uniform(rows, {row: row[0] for row in rows})


# Bytes


def words_seen_before(pair: Pair) -> list[tuple[int, bytes]]:
    """The points of remasked hands, and of openings from hands of several draws, that stood in an earlier record.

    Also those that an onlooker can compute: the entries of all hands as they have been so far.
    """
    found, known = [], set[bytes]()
    chain = b""
    for before, data in zip(pair.before, pair.records, strict=True):
        record, body = decode_record(data), decode_record(data).body
        if before.deck is not None:
            known |= {point.data for hand in before.deck.hands for entry in hand for point in (entry.A, entry.B)}
        if isinstance(body, Move) and body.remask:
            deck, opening = body.remask[0], body.proof[0]
            words = [deck[at : at + 32] for at in range(0, len(deck), 32)] + [opening[1:33]]
            found += [(record.seq, word) for word in words if word in chain or word in known]
        chain += data
    return found


def cards_opened_as_they_were_drawn(pair: Pair) -> int:
    """How many cards were opened, from a hand of several draws, under the very mask under which they were drawn."""
    count = 0
    for before, data, opened in _with_openings(pair):
        deck, seat, index = present(before.deck), decode_record(data).seat, opened.index
        body: Any = decode_record(data).body
        first_halves = {masked.C1.data for masked in deck.cards}
        if opened.draws > 1 and not body.remask and deck.hands[seat][index].A.data in first_halves:
            count += 1
    return count


def _with_openings(pair: Pair) -> Iterator[tuple[Any, bytes, Opened]]:
    told = openings(pair)
    for before, data in zip(pair.before, pair.records, strict=True):
        body = decode_record(data).body
        if isinstance(body, Move) and body.proof and len(body.proof[0]) == OPENING_BYTES:
            yield before, data, next(told)


# Remasks as they must not be


def in_place(seed: bytes, n: int) -> tuple[int, ...]:
    """In place of a permutation of a hand: every card stays where it was. A deck is shuffled as always."""
    return permutation(seed, n) if n > 12 else tuple(range(n))


def in_display_order(ctx: bytes, x: int, Y: Point, inp: tuple[Ciphertext, ...], rng: Rng) -> Shuffled:
    """In place of a shuffle of a hand: remasked, and laid out as its owner sees it on his screen."""
    group = Y.group
    numbers = card_numbers(group, 36)
    p = tuple(sorted(range(len(inp)), key=lambda k: numbers[(inp[k].C2 - x * inp[k].C1).data]))
    rho = tuple(int.from_bytes(rng(16), "big") + 1 for _ in inp)
    G = Point(group, group.mul_base(1))
    out = tuple(Ciphertext(inp[k].C1 + r * G, inp[k].C2 + r * Y) for k, r in zip(p, rho, strict=True))
    proof = prove_shuffle(Statement(ctx, Y, tuple(inp), out), x, Permuted(out, p, rho), rng)
    return Shuffled(out, proof, p)
