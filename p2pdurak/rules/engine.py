"""The rules as functions from a public state and an action to the next state.

It owns legality, the public endings of a bout and the end of the game; it refuses to know hidden cards, time and who is
asking. A hidden card comes into a state only through an action that names it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final, assert_never

from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.bouts import BoutEnd, Draw, Step, end_bout
from p2pdurak.rules.cards import CARDS, DECK, RANKS, Card, beats
from p2pdurak.rules.options import Trumpless
from p2pdurak.rules.positions import bout_cap, deal, position
from p2pdurak.rules.questions import QUESTIONS, TRUMP_QUESTIONS, questions
from p2pdurak.rules.refusals import IllegalAction, Refusal
from p2pdurak.rules.state import BoutOutcome, Hand, Outcome, Pair, Phase, Seat, State, with_hand

__all__ = [
    "BoutEnd",
    "Draw",
    "IllegalAction",
    "Refusal",
    "Step",
    "answer",
    "apply",
    "asked",
    "check_turn",
    "deal",
    "is_public",
    "legal_actions",
    "outcome",
    "position",
    "reveals",
    "to_act",
]

# ---- whose turn, and the end ----


def to_act(state: State) -> Seat | None:
    """The one seat that may act now; None when the game is over."""
    match state.phase:
        case Phase.ATTACK | Phase.PILE_ON:
            return state.attacker
        case Phase.DEFEND:
            return 1 - state.attacker
        case Phase.QUESTION:
            return asked(state)[0]
        case Phase.OVER:
            return None
        case _:
            assert_never(state.phase)


def check_turn(state: State, seat: Seat) -> None:
    """Refuse if `seat` may not act now; `apply` itself does not ask who acts.

    Raises:
        IllegalAction: if the game is over or the other seat has the turn.
    """
    turn = to_act(state)
    if turn != seat:
        raise IllegalAction(Refusal.GAME_OVER if turn is None else Refusal.NOT_YOUR_TURN)


def outcome(state: State) -> Outcome | None:
    """Who has won, if the game is over: whoever has no cards left; nobody, if neither has."""
    if state.phase is not Phase.OVER:
        return None
    left = (state.hands[0].count, state.hands[1].count)
    if left == (0, 0):
        return Outcome(None, None)
    winner = 0 if left[0] == 0 else 1
    return Outcome(winner, 1 - winner)


# ---- the search for the lowest trump ----


def asked(state: State) -> tuple[Seat, tuple[Card, ...]]:
    """Who must answer now, and for which cards.

    Raises:
        IllegalAction: if nothing is being asked.
    """
    if state.question is None or state.indicator is None:
        raise IllegalAction(Refusal.NOT_ASKED)
    return questions(state.trump, state.indicator)[state.question]


def answer(state: State, held: Collection[Card]) -> Show | Deny:
    """The answer of a seat holding `held`: the first asked card that it has, in the order c d h s, or a denial.

    Raises:
        IllegalAction: if nothing is being asked.
    """
    _, cards = asked(state)
    for card in cards:
        if card in held:
            return Show(card)
    return Deny(cards)


def _apply_answer(state: State, action: Action) -> Step:
    seat, cards = asked(state)
    match action:
        case Show(card):
            if card not in cards:
                raise IllegalAction(Refusal.WRONG_ANSWER)
            hand = state.hands[seat]
            shown = Hand(tuple(sorted((*hand.known, card))), hand.hidden - 1)
            return Step(_open(state, with_hand(state.hands, seat, shown), seat))
        case Deny(denied):
            if denied != cards:
                raise IllegalAction(Refusal.WRONG_ANSWER)
            return Step(_denied(state))
        case Attack() | Beat() | Take() | Done():
            raise IllegalAction(Refusal.ANSWER_FIRST)
        case _:
            assert_never(action)


def _denied(state: State) -> State:
    count = 1 + (state.question or 0)
    if count == QUESTIONS:
        raise IllegalAction(Refusal.CANNOT_DENY)
    if count == TRUMP_QUESTIONS and state.options.trumpless is Trumpless.HOST:
        return _open(state, state.hands, 0)
    return replace(state, question=count)


def _open(state: State, hands: tuple[Hand, Hand], opener: Seat) -> State:
    cap = bout_cap(state.options, state.bout, hands[1 - opener])
    return replace(state, hands=hands, attacker=opener, phase=Phase.ATTACK, cap=cap, question=None)


# ---- one action ----


def apply(state: State, action: Action) -> Step:
    """Play `action` for the seat that has the turn.

    Public endings of a bout, the refill and the end of the game are part of the same step.

    Args:
        state: any state; it stays as it is.
        action: what the seat to act does; the card it names is known in its hand or may be hidden there.

    Raises:
        IllegalAction: with the reason; nothing has changed.
    """
    match state.phase:
        case Phase.ATTACK:
            return _apply_attack(state, action)
        case Phase.DEFEND:
            return _apply_defence(state, action)
        case Phase.PILE_ON:
            return _apply_pile_on(state, action)
        case Phase.QUESTION:
            return _apply_answer(state, action)
        case Phase.OVER:
            raise IllegalAction(Refusal.GAME_OVER)
        case _:
            assert_never(state.phase)


def _apply_attack(state: State, action: Action) -> Step:
    match action:
        case Attack(card):
            return Step(_laid(state, _play(state, state.attacker, card), card, Phase.DEFEND))
        case Done():
            if not state.table:
                raise IllegalAction(Refusal.MUST_LEAD)
            return end_bout(state, BoutOutcome.BEATEN)
        case Beat() | Take():
            raise IllegalAction(Refusal.NOTHING_TO_BEAT)
        case Show() | Deny():
            raise IllegalAction(Refusal.NOT_ASKED)
        case _:
            assert_never(action)


def _apply_defence(state: State, action: Action) -> Step:
    match action:
        case Beat(card):
            return _beaten(state, card)
        case Take():
            taking = _moved(state, state.hands, Phase.PILE_ON, state.table)
            return end_bout(taking, BoutOutcome.PICKUP) if _pile_on_ended(taking) else Step(taking)
        case Attack() | Done():
            raise IllegalAction(Refusal.BEAT_OR_TAKE)
        case Show() | Deny():
            raise IllegalAction(Refusal.NOT_ASKED)
        case _:
            assert_never(action)


def _apply_pile_on(state: State, action: Action) -> Step:
    match action:
        case Attack(card):
            piled = _laid(state, _play(state, state.attacker, card), card, Phase.PILE_ON)
            return end_bout(piled, BoutOutcome.PICKUP) if _pile_on_ended(piled) else Step(piled)
        case Done():
            return end_bout(state, BoutOutcome.PICKUP)
        case Beat() | Take():
            raise IllegalAction(Refusal.NOTHING_TO_BEAT)
        case Show() | Deny():
            raise IllegalAction(Refusal.NOT_ASKED)
        case _:
            assert_never(action)


def _beaten(state: State, card: Card) -> Step:
    attack = state.table[-1].attack
    hands = _play(state, 1 - state.attacker, card)
    if not beats(card, attack, state.trump):
        raise IllegalAction(Refusal.DOES_NOT_BEAT)
    after = _moved(state, hands, Phase.ATTACK, (*state.table[:-1], Pair(attack, card)))
    # A public ending. A defender without cards needs no word of its own: the cap is never more than he began with.
    if len(after.table) >= after.cap or hands[state.attacker].count == 0:
        return end_bout(after, BoutOutcome.BEATEN)
    return Step(after)


def _laid(state: State, hands: tuple[Hand, Hand], card: Card, phase: Phase) -> State:
    if state.table and card % RANKS not in _table_ranks(state):
        raise IllegalAction(Refusal.RANK_NOT_ON_TABLE)
    return _moved(state, hands, phase, (*state.table, Pair(card, None)))


def _pile_on_ended(state: State) -> bool:
    """The public ending of a pickup: nothing can be added, whatever the attacker holds."""
    full = len(state.table) >= state.cap
    return full or state.hands[state.attacker].count == 0 or not state.options.pile_on


def _table_ranks(state: State) -> set[int]:
    ranks = set()
    for pair in state.table:
        ranks.add(pair.attack % RANKS)
        if pair.beaten_by is not None:
            ranks.add(pair.beaten_by % RANKS)
    return ranks


def _moved(state: State, hands: tuple[Hand, Hand], phase: Phase, table: tuple[Pair, ...]) -> State:
    # The same as dataclasses.replace with three fields, and several times faster.
    return State(
        state.options,
        state.trump,
        state.indicator,
        hands,
        state.attacker,
        phase,
        table,
        state.cap,
        state.talon,
        state.discard,
        state.bout,
        None,
    )


# ---- where cards are ----


def is_public(state: State, card: Card) -> bool:
    """Whether everybody can tell where this card is: known in a hand, on the table, discarded or turned up."""
    return (
        card == state.indicator
        or card in state.hands[0].known
        or card in state.hands[1].known
        or card in state.discard
        or any(card in (pair.attack, pair.beaten_by) for pair in state.table)
    )


def reveals(state: State, action: Action) -> Card | None:
    """The hidden card that this action brings to light, and that its player must therefore prove to hold.

    None for an action without a card, and for a card that is already known to be in that hand.
    """
    match action:
        case Attack(card) | Beat(card) | Show(card):
            seat = to_act(state)
            return None if seat is None or card in state.hands[seat].known else card
        case Take() | Done() | Deny():
            return None
        case _:
            assert_never(action)


def _play(state: State, seat: Seat, card: Card) -> tuple[Hand, Hand]:
    """The hands after `seat` lays `card`; refused if an onlooker knows that the card is not there."""
    if not 0 <= card < CARDS:
        raise IllegalAction(Refusal.NO_SUCH_CARD)
    hand = state.hands[seat]
    if card in hand.known:
        left = Hand(tuple(held for held in hand.known if held != card), hand.hidden)
    elif hand.hidden and not is_public(state, card):
        left = Hand(hand.known, hand.hidden - 1)
    else:
        raise IllegalAction(Refusal.NOT_HELD)
    return with_hand(state.hands, seat, left)


# ---- what may be done ----

_ATTACKS: Final = tuple(Attack(card) for card in DECK)
_BEATS: Final = tuple(Beat(card) for card in DECK)
_TAKE: Final = Take()
_DONE: Final = Done()


def legal_actions(state: State, held: Collection[Card] | None = None) -> tuple[Action, ...]:
    """Every legal action of the seat to act: cards in ascending order, then `take` or `done`.

    Args:
        state: any state; nothing is legal in a finished game.
        held: all cards of the seat to act. None: every action that an onlooker cannot rule out.

    Returns:
        The actions. While the lowest trump is asked for, a player who knows his hand has exactly one answer.
    """
    seat = to_act(state)
    if seat is None:
        return ()
    if state.phase is Phase.QUESTION:
        return _legal_answers(state) if held is None else (answer(state, held),)
    cards = _possible_cards(state, seat) if held is None else sorted(held)
    if state.phase is Phase.DEFEND:
        attack, trump = state.table[-1].attack, state.trump
        return (*(_BEATS[card] for card in cards if beats(card, attack, trump)), _TAKE)
    if not state.table:
        return tuple(_ATTACKS[card] for card in cards)
    ranks = _table_ranks(state)
    return (*(_ATTACKS[card] for card in cards if card % RANKS in ranks), _DONE)


def _legal_answers(state: State) -> tuple[Action, ...]:
    _, cards = asked(state)
    shows = tuple(Show(card) for card in cards)
    # The last question has a card of the rank in one of the two hands for certain.
    return shows if state.question == QUESTIONS - 1 else (*shows, Deny(cards))


def _possible_cards(state: State, seat: Seat) -> list[Card]:
    hand = state.hands[seat]
    if not hand.hidden:
        return list(hand.known)
    return [card for card in DECK if card in hand.known or not is_public(state, card)]
