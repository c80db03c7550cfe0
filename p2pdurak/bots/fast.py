"""The table as a few integers, for search: the same rules as `p2pdurak.rules`, many times faster.

It owns 36-bit sets of cards and the moves on them; it never judges a real game, and knows neither players nor policies.

A card is one bit, and the order of bits is the order in which cards are dear: the plain cards by rank (three suits a
rank, in the order c d h s), then the trumps by rank. So the cheapest card of a set is its lowest bit, whatever suit is
trump. A move is the bit of the card that is laid, or `PASS`: take when an attack is to be beaten, done otherwise.

Positions and worlds are plain tuples and not dataclasses: a search makes a million of them a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from operator import or_
from typing import Final

from p2pdurak.rules.actions import Action, Attack, Beat, Done, Take
from p2pdurak.rules.cards import CARDS, DECK, RANKS, Card, Suit, rank_of, suit_of
from p2pdurak.rules.state import ATTACK_LIMIT, HAND_CARDS, Phase, State

Mask = int
"""A set of cards; a single card is a set of one."""

Position = tuple[Mask, Mask, Mask, Mask, int, int, int, int]
"""attacker's hand, defender's hand, table, every card whose rank lies on the table, the unbeaten attack (or `OPEN` or
`TAKEN`), how many more attack cards the bout may hold, cards drawn from the talon so far, the attacker's seat."""

World = tuple[tuple[Mask, ...], bool]
"""What stays the same while moves are made: the set of the first n talon cards for every n, and the option pile_on."""

PASS: Final = 0
OPEN: Final = 0
"""In place of the unbeaten attack: all is beaten, the attacker has the move."""
TAKEN: Final = -1
"""In place of the unbeaten attack: the defender takes, the attacker may pile on."""

PLAIN: Final[Mask] = (1 << 3 * RANKS) - 1
"""All cards that are no trumps."""


# ---- cards and bits ----


def _bits(trump: Suit) -> tuple[Mask, ...]:
    plain = [suit for suit in Suit if suit != trump]

    def place(card: Card) -> int:
        rank, suit = rank_of(card), suit_of(card)
        return 3 * RANKS + rank if suit == trump else 3 * rank + plain.index(suit)

    return tuple(1 << place(card) for card in DECK)


BITS: Final = tuple(_bits(trump) for trump in Suit)
"""The bit of each card, by trump suit and card."""

_CARDS: Final = tuple({bit: card for card, bit in zip(DECK, bits, strict=True)} for bits in BITS)

RANK: Final[dict[Mask, int]] = {1 << place: place // 3 if place < 27 else place - 27 for place in range(CARDS)}
"""The rank of each bit, 0 to 8."""

MATES: Final[dict[Mask, Mask]] = {
    bit: sum(other for other in RANK if RANK[other] == rank) for bit, rank in RANK.items()
}
"""The four cards of the rank of each card."""


def _beaters(bit: Mask) -> Mask:
    higher = -2 * bit & (1 << CARDS) - 1
    if bit > PLAIN:
        return higher
    suit = sum(1 << place for place in range(bit.bit_length() - 1, 3 * RANKS, 3))
    return higher & suit | ~PLAIN & (1 << CARDS) - 1


BEATERS: Final[dict[Mask, Mask]] = {bit: _beaters(bit) for bit in RANK}
"""What beats each card."""


def mask_of(cards: Iterable[Card], trump: Suit) -> Mask:
    """The set of some cards."""
    bits = BITS[trump]
    return sum(bits[card] for card in cards)


def bits_of(mask: Mask) -> Iterator[Mask]:
    """The cards of a set, the cheapest first."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def card_at(bit: Mask, trump: Suit) -> Card:
    """The card of a bit.

    Raises:
        KeyError: if it is not exactly one card.
    """
    return _CARDS[trump][bit]


# ---- between the two engines ----


def world_of(talon: Sequence[Mask], *, pile_on: bool) -> World:
    """A world from the talon in the order in which it is drawn."""
    return (0, *accumulate(talon, or_)), pile_on


def position_of(state: State, hands: Sequence[Mask]) -> Position:
    """The position of a running game whose hands are `hands`, by seat; its world begins with the talon as it lies now.

    Raises:
        ValueError: if the lowest trump is still being asked for.
    """
    if state.phase is Phase.QUESTION:
        raise ValueError("nobody has opened this game yet")
    bits, table, ranks = BITS[state.trump], 0, 0
    for card in state.table_cards:
        table |= bits[card]
        ranks |= MATES[bits[card]]
    attack = OPEN
    if state.phase is Phase.DEFEND:
        attack = bits[state.table[-1].attack]
    elif state.phase is Phase.PILE_ON:
        attack = TAKEN
    room = state.cap - len(state.table)
    return hands[state.attacker], hands[1 - state.attacker], table, ranks, attack, room, 0, state.attacker


def action_of(move: Mask, position: Position, trump: Suit) -> Action:
    """A move in the words of the rules."""
    defending = position[4] > 0
    if move == PASS:
        return Take() if defending else Done()
    card = _CARDS[trump][move]
    return Beat(card) if defending else Attack(card)


# ---- the rules ----


def is_over(position: Position) -> bool:
    """Whether the game has ended: a bout would begin against an empty hand, or with one."""
    return not position[2] and not (position[0] and position[1])


def mover(position: Position) -> int:
    """The seat to act in a game that is not over."""
    return 1 - position[7] if position[4] > 0 else position[7]


def result(position: Position) -> int:
    """What a finished game is worth to seat 0: 1 won, 0 drawn, -1 lost."""
    attacker, defender, *_, seat = position
    value = (not attacker) - (not defender)
    return -value if seat else value


def legal_cards(position: Position) -> Mask:
    """The cards that may be laid now."""
    attacker, defender, table, ranks, attack, *_ = position
    if attack > 0:
        return defender & BEATERS[attack]
    return attacker & ranks if table else attacker


def legal_moves(position: Position) -> list[Mask]:
    """Every legal move, the cheapest card first and `PASS` last; a lead cannot be passed."""
    moves = list(bits_of(legal_cards(position)))
    if position[2]:
        moves.append(PASS)
    return moves


def play(position: Position, world: World, move: Mask) -> Position:
    """The position after a legal move, the end of the bout and the refill included."""
    attacker, defender, table, ranks, attack, room, drawn, seat = position
    if attack > 0:
        if move:
            defender ^= move
            table |= move
            if room and attacker:
                return attacker, defender, table, ranks | MATES[move], OPEN, room, drawn, seat
            return end_bout(attacker, defender, drawn, seat, world)
        if room and attacker and world[1]:
            return attacker, defender, table, ranks, TAKEN, room, drawn, seat
        return end_bout(attacker, defender | table, drawn, seat, world, taken=True)
    if attack == OPEN:
        if move:
            return attacker ^ move, defender, table | move, ranks | MATES[move], move, room - 1, drawn, seat
        return end_bout(attacker, defender, drawn, seat, world)
    if move:
        attacker ^= move
        table |= move
        if attacker and room > 1:
            return attacker, defender, table, ranks, TAKEN, room - 1, drawn, seat
    return end_bout(attacker, defender | table, drawn, seat, world, taken=True)


def end_bout(attacker: Mask, defender: Mask, drawn: int, seat: int, world: World, *, taken: bool = False) -> Position:
    """The beginning of the next bout: the attacker draws, then the defender; who beat everything attacks."""
    talon = world[0]
    size = len(talon) - 1
    if drawn < size:
        short = HAND_CARDS - attacker.bit_count()
        if short > 0:
            upto = min(drawn + short, size)
            attacker |= talon[upto] ^ talon[drawn]
            drawn = upto
        short = HAND_CARDS - defender.bit_count()
        if short > 0 and drawn < size:
            upto = min(drawn + short, size)
            defender |= talon[upto] ^ talon[drawn]
            drawn = upto
    if taken:
        return attacker, defender, 0, 0, OPEN, min(ATTACK_LIMIT, defender.bit_count()), drawn, seat
    return defender, attacker, 0, 0, OPEN, min(ATTACK_LIMIT, attacker.bit_count()), drawn, 1 - seat


def random_game(position: Position, world: World, random: Callable[[], float]) -> int:
    """Play to the end with any legal moves, and tell what that is worth to seat 0."""
    while position[2] or (position[0] and position[1]):
        cards = legal_cards(position)
        chosen = int(random() * (cards.bit_count() + (position[2] > 0)))
        while chosen and cards:
            cards &= cards - 1
            chosen -= 1
        position = play(position, world, cards & -cards)
    return result(position)
