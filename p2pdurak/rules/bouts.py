"""How a bout ends: the table cleared, both hands refilled, the next bout or the end of the game.

It owns everything between the last action of a bout and the first of the next; it does not know why the bout ended.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2pdurak.rules.cards import Card
from p2pdurak.rules.positions import bout_cap
from p2pdurak.rules.state import HAND_CARDS, BoutOutcome, Hand, Phase, Seat, State, with_hand


@dataclass(frozen=True, slots=True)
class Draw:
    """`seat` draws `count` face-down talon cards. The indicator does not count: it goes to the known cards."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class BoutEnd:
    """A bout has ended: who attacked in it, and the cards its defender took up (none if beaten off)."""

    outcome: BoutOutcome
    attacker: Seat
    taken: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What an action leads to: the next state, the draws in their order, and the bout that ended, if one did."""

    state: State
    draws: tuple[Draw, ...] = ()
    bout_end: BoutEnd | None = None


def end_bout(state: State, ended: BoutOutcome) -> Step:
    """Clear the table, refill the attacker and then the defender, and begin the next bout or end the game."""
    attacker, defender = state.attacker, 1 - state.attacker
    hands, discard, taken = state.hands, state.discard, state.table_cards
    if ended is BoutOutcome.BEATEN:
        discard, taken = tuple(sorted(discard + taken)), ()
    else:
        hand = hands[defender]
        hands = with_hand(hands, defender, Hand(tuple(sorted(hand.known + taken)), hand.hidden))
    talon, draws = state.talon, []
    for seat in (attacker, defender):
        count = min(HAND_CARDS - hands[seat].count, talon)
        if count <= 0:
            continue
        talon -= count
        hands, draw = _drawn(state, hands, seat, count, last=talon == 0)
        if draw.count:
            draws.append(draw)
    next_attacker = defender if ended is BoutOutcome.BEATEN else attacker
    after = _next_bout(state, hands, next_attacker, talon, discard)
    return Step(after, tuple(draws), BoutEnd(ended, attacker, taken))


def _drawn(
    state: State, hands: tuple[Hand, Hand], seat: Seat, count: int, *, last: bool
) -> tuple[tuple[Hand, Hand], Draw]:
    """Give `count` talon cards to `seat`; the `last` one is the indicator, which everybody knows."""
    known, hidden = hands[seat].known, count
    if last and state.indicator is not None:
        known, hidden = tuple(sorted((*known, state.indicator))), count - 1
    return with_hand(hands, seat, Hand(known, hands[seat].hidden + hidden)), Draw(seat, hidden)


def _next_bout(state: State, hands: tuple[Hand, Hand], attacker: Seat, talon: int, discard: tuple[Card, ...]) -> State:
    indicator = state.indicator if talon else None
    over = talon == 0 and not (hands[0].count and hands[1].count)
    phase, bout = (Phase.OVER, state.bout) if over else (Phase.ATTACK, state.bout + 1)
    cap = 0 if over else bout_cap(state.options, bout, hands[1 - attacker])
    return State(state.options, state.trump, indicator, hands, attacker, phase, (), cap, talon, discard, bout, None)
