"""The states that a game or a bout begins with.

It owns the deal, positions from their parts, and the cap of a bout; it does not know what is played from there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from p2pdurak.rules.cards import CARDS, DECK, Card, Suit, suit_of
from p2pdurak.rules.options import CLASSIC, Options
from p2pdurak.rules.state import ATTACK_LIMIT, HAND_CARDS, Hand, Phase, Seat, State

TALON_CARDS: Final = CARDS - 2 * HAND_CARDS


def deal(options: Options, indicator: Card, opener: Seat | None) -> State:
    """The state after dealing 36 cards: six hidden cards each, 24 in the talon.

    Args:
        options: what was agreed.
        indicator: the card turned face up; its suit is trump.
        opener: who attacks first; None to find it by asking for the lowest trump.
    """
    sealed = Hand((), HAND_CARDS)
    attacker = 0 if opener is None else opener
    start = position(
        suit_of(indicator),
        (sealed, sealed),
        attacker,
        indicator=indicator,
        talon=TALON_CARDS,
        options=options,
    )
    return start if opener is not None else replace(start, phase=Phase.QUESTION, question=0)


def position(
    trump: Suit,
    hands: tuple[Hand, Hand],
    attacker: Seat,
    *,
    indicator: Card | None = None,
    talon: int = 0,
    discard: Iterable[Card] = (),
    options: Options = CLASSIC,
    bout: int = 1,
) -> State:
    """A state at the beginning of a bout, from its parts; cards not named and not hidden are out of play.

    Raises:
        ValueError: with a sentence, if no game can come to such a state.
    """
    seen = [*hands[0].known, *hands[1].known, *discard, *(() if indicator is None else (indicator,))]
    if len(set(seen)) != len(seen) or not set(seen) <= set(DECK):
        raise ValueError("a card of this position is no card of the deck, or lies at two places")
    if attacker not in (0, 1) or bout < 1:
        raise ValueError("the attacker is seat 0 or 1, and bouts are counted from 1")
    if min(talon, hands[0].hidden, hands[1].hidden) < 0 or (talon == 0) != (indicator is None):
        raise ValueError("the talon is empty exactly when the indicator has been drawn")
    if indicator is not None and suit_of(indicator) != trump:
        raise ValueError("the indicator must be a trump")
    if len(seen) + hands[0].hidden + hands[1].hidden + max(0, talon - 1) > CARDS:
        raise ValueError("this position has more than 36 cards")
    if not (hands[0].count and hands[1].count):
        raise ValueError("a bout cannot begin with an empty hand")
    ordered = (
        Hand(tuple(sorted(hands[0].known)), hands[0].hidden),
        Hand(tuple(sorted(hands[1].known)), hands[1].hidden),
    )
    cap = bout_cap(options, bout, ordered[1 - attacker])
    return State(
        options,
        trump,
        indicator,
        ordered,
        attacker,
        Phase.ATTACK,
        (),
        cap,
        talon,
        tuple(sorted(discard)),
        bout,
        None,
    )


def bout_cap(options: Options, bout: int, defending: Hand) -> int:
    """How many attack cards a bout may hold against this hand, for the whole bout."""
    limit = options.first_bout_limit if bout == 1 else ATTACK_LIMIT
    return min(limit, defending.count)
