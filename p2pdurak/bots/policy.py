"""The heuristic of the levels above easy, and whole games played out with it.

It owns what a sensible player does without looking ahead; it knows a fast position and nothing of views or chance.

While the talon lasts, cheap plain cards go first, pairs before single cards, and a dear trump is not spent on a plain
card. Once it is empty, both hands are known to both: then what cannot be beaten is led, and a beating card is chosen
to which nothing can be thrown in.
"""

from __future__ import annotations

from typing import Final

from p2pdurak.bots.fast import BEATERS, MATES, OPEN, PASS, PLAIN, TAKEN, Mask, Position, World
from p2pdurak.rules.positions import TALON_CARDS
from p2pdurak.rules.state import ATTACK_LIMIT, HAND_CARDS

Limits = tuple[int, int, Mask, Mask, tuple[Mask, ...], Mask]
"""How far a pair to lead may be above the cheapest card, and a matching card to beat with (in bits). Then the bits
below which a card is thrown in, piled on, spent as a trump on a plain attack (by the number of cards on the table), and
spent on an attack by a trump."""


def _limits(pair: int, match: int, throw: int, pile: int, spend: tuple[int, int, int], trump: int) -> Limits:
    by_cards = (spend[0],) * 2 + (spend[1],) * 2 + (spend[2],) * (2 * ATTACK_LIMIT - 4)
    return 3 * pair, 3 * match, 1 << throw, 1 << pile, tuple(1 << place for place in by_cards), 1 << trump


# Found in some million mirrored games against the cheapest-card player and an earlier self.
# Ranks first, then places in the order of bits: 27 is the lowest trump, 36 anything.
_LAST: Final = _limits(pair=9, match=2, throw=36, pile=32, spend=(36, 36, 36), trump=36)
_FEW: Final = _limits(pair=8, match=2, throw=36, pile=21, spend=(36, 36, 36), trump=36)
_SOME: Final = _limits(pair=0, match=0, throw=29, pile=19, spend=(35, 31, 36), trump=32)
_MANY: Final = _limits(pair=0, match=3, throw=24, pile=16, spend=(26, 33, 29), trump=28)
_MOST: Final = _limits(pair=6, match=4, throw=27, pile=23, spend=(26, 29, 28), trump=30)

LIMITS: Final = (_LAST, *[_FEW] * 3, *[_SOME] * 5, *[_MANY] * 7, *[_MOST] * (TALON_CARDS - 15))
"""By the number of cards in the talon."""

FEW_CARDS: Final = 3
"""With no more cards than this at the end, an unbeatable trump is led too."""

_PAIR_NEXT: Final = sum(0b011 << place for place in range(0, 27, 3))
_PAIR_OUTER: Final = sum(0b001 << place for place in range(0, 27, 3))


# ---- one decision ----


def decide(position: Position, left: int) -> Mask:
    """The move of the side to act, which looks at the other hand only when the talon is empty.

    Args:
        position: a game that is not over.
        left: the cards in the talon.
    """
    attacker, defender, table, ranks, attack, *_ = position
    pair, match, throw, pile, spend, trump = LIMITS[left]
    if attack > 0:
        if not left:
            return beat_at_the_end(defender, attacker, attack, ranks)
        dear = spend[table.bit_count()] if attack <= PLAIN else trump
        return beat(defender, attack, ranks, match, dear)
    if not table:
        return (not left and unbeatable(attacker, defender)) or lead(attacker, pair)
    cards = attacker & ranks
    cards &= -cards
    return cards if cards < (throw if attack == OPEN else pile) else PASS


def lead(hand: Mask, pair: int) -> Mask:
    """The cheapest card, or the cheapest plain pair if that is not too dear; a trump only from a hand of trumps."""
    low = hand & -hand
    plain = hand & PLAIN
    pairs = plain & (plain >> 1) & _PAIR_NEXT | plain & (plain >> 2) & _PAIR_OUTER
    if pairs:
        pairs &= -pairs
        if pairs < low << pair:
            return pairs
    return low


def beat(hand: Mask, attack: Mask, ranks: Mask, match: int, dear: Mask) -> Mask:
    """The cheapest card that beats, or one whose rank lies on the table already; `PASS` if only a dear trump does."""
    cards = hand & BEATERS[attack]
    low = cards & -cards
    if low > PLAIN:
        return low if low < dear else PASS
    cards &= ranks & PLAIN
    if cards:
        cards &= -cards
        if cards < low << match:
            return cards
    return low


def unbeatable(hand: Mask, other: Mask) -> Mask:
    """The cheapest card to lead that the other hand cannot beat, trumps only at the very end; 0 if there is none."""
    cards = hand if hand.bit_count() <= FEW_CARDS else hand & PLAIN
    while cards:
        low = cards & -cards
        if not other & BEATERS[low]:
            return low
        cards ^= low
    return 0


def beat_at_the_end(hand: Mask, other: Mask, attack: Mask, ranks: Mask) -> Mask:
    """The cheapest beating card to which the other hand can throw nothing in, else the cheapest."""
    cards = hand & BEATERS[attack]
    cheapest = low = cards & -cards
    if low <= PLAIN:
        cards &= PLAIN
    while cards:
        if not other & (ranks | MATES[low]):
            return low
        cards ^= low
        low = cards & -cards
    return cheapest


# ---- whole games ----


def play_out(position: Position, world: World) -> int:
    """What the position is worth to seat 0 when both sides play by `decide` to the end.

    It is `decide` and `fast.play` made one, a bout at a time, because a search does little else.
    """
    attacker, defender, table, ranks, attack, room, drawn, seat = position
    talon, pile_on = world
    size = len(talon) - 1
    while drawn < size:
        pair, match, throw, pile, spend, trump = LIMITS[size - drawn]
        if not table:
            attack = lead(attacker, pair)
            attacker ^= attack
            table, ranks, room = attack, MATES[attack], min(ATTACK_LIMIT, defender.bit_count()) - 1
        while attack >= OPEN:
            if attack:
                card = beat(defender, attack, ranks, match, spend[table.bit_count()] if attack <= PLAIN else trump)
                if not card:
                    attack = TAKEN
                    break
                defender ^= card
                table |= card
                ranks |= MATES[card]
            card = attacker & ranks
            card &= -card
            if not room or not card or card >= throw:
                break
            attacker ^= card
            table |= card
            attack, room = card, room - 1
        if attack == TAKEN:
            cards = attacker & ranks & pile - 1 if pile_on else 0
            while room and cards:
                card = cards & -cards
                cards ^= card
                attacker ^= card
                table |= card
                room -= 1
            defender |= table
        upto = min(size, drawn + max(0, HAND_CARDS - attacker.bit_count()))
        attacker |= talon[upto] ^ talon[drawn]
        drawn = min(size, upto + max(0, HAND_CARDS - defender.bit_count()))
        defender |= talon[drawn] ^ talon[upto]
        table = 0
        if attack != TAKEN:
            attacker, defender, seat = defender, attacker, 1 - seat
    value = _play_out_the_end(attacker, defender, table, ranks, attack, room, pile_on)
    return -value if seat else value


def _play_out_the_end(
    attacker: Mask, defender: Mask, table: Mask, ranks: Mask, attack: int, room: int, pile_on: bool
) -> int:
    """The same with an empty talon, for the attacker."""
    pair, _, throw, pile, *_ = LIMITS[0]
    sign = 1
    while table or (attacker and defender):
        if not table:
            attack = unbeatable(attacker, defender) or lead(attacker, pair)
            attacker ^= attack
            table, ranks, room = attack, MATES[attack], min(ATTACK_LIMIT, defender.bit_count()) - 1
        while attack >= OPEN:
            if attack:
                card = beat_at_the_end(defender, attacker, attack, ranks)
                if not card:
                    attack = TAKEN
                    break
                defender ^= card
                table |= card
                ranks |= MATES[card]
            card = attacker & ranks
            card &= -card
            if not room or not card or card >= throw:
                break
            attacker ^= card
            table |= card
            attack, room = card, room - 1
        if attack == TAKEN:
            cards = attacker & ranks & pile - 1 if pile_on else 0
            while room and cards:
                card = cards & -cards
                cards ^= card
                attacker ^= card
                table |= card
                room -= 1
            defender |= table
        else:
            attacker, defender, sign = defender, attacker, -sign
        table = 0
    return sign * ((not attacker) - (not defender))
