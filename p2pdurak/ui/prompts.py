"""What is asked of whom, and what a move is called.

It owns the sentence about the step that is owed now; it does not know what happened before it.
"""

from __future__ import annotations

from typing import Final, assert_never

from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import Card
from p2pdurak.rules.state import Phase, State
from p2pdurak.rules.view import View
from p2pdurak.ui.card_words import CardStyle, sort_hand

ACCEPT_QUESTION: Final = "Play by these rules? Press Enter, or type no."

KNOCK_QUESTION: Final = "Type yes if your friend sees the same safety words, or no."

ACCEPTED: Final = "You accept these rules; the cards are shuffled next."
"""The answer to the answer, so that the player knows that it was heard."""


def unbeaten(state: State) -> Card | None:
    """Find the attack card that waits to be beaten."""
    return next((pair.attack for pair in state.table if pair.beaten_by is None), None)


def prompt(view: View, style: CardStyle) -> str:
    """Say what can be done on our own turn: `Beat 9♣: 10♣, 6♥; or take`."""
    if not view.complete:
        return "Your new cards are on their way; wait a moment"
    state, legal = view.state, view.legal_actions()
    cards = sort_hand((action.card for action in legal if isinstance(action, Attack | Beat)), state.trump)
    text = style.cards(cards)
    attack = unbeaten(state)
    if state.phase is Phase.DEFEND and attack is not None:
        target = style.card(attack)
        return f"Beat {target}: {text}; or take" if cards else f"Nothing beats {target}: take"
    if not state.table:
        return f"Your move: {text} (attack)"
    if state.phase is Phase.PILE_ON:
        return f"Pile on: {text}; or done" if cards else "Nothing to pile on: done"
    return f"Throw in: {text}; or done" if cards else "Nothing to throw in: done"


def short_prompt(view: View, name: str, style: CardStyle) -> str:
    """Say in a few words what is to be done now, or who does it, where the cards themselves can be seen.

    Args:
        view: the game as we see it.
        name: of the other player.
        style: how cards are written.
    """
    state = view.state
    if state.phase is Phase.OVER:
        return "The game is over"
    if state.phase is Phase.QUESTION:
        return "Who has the lowest trump?"
    return _own_prompt(view, style) if view.my_turn else _their_prompt(name, state)


def _own_prompt(view: View, style: CardStyle) -> str:
    if not view.complete:
        return "Your new cards are on their way"
    state = view.state
    attack = unbeaten(state)
    cards = any(isinstance(action, Attack | Beat) for action in view.legal_actions())
    if state.phase is Phase.DEFEND and attack is not None:
        return f"Beat {style.card(attack)}" if cards else f"Nothing beats {style.card(attack)}: take"
    if state.phase is Phase.PILE_ON:
        return "Pile on, or finish" if cards else "Nothing to pile on: done"
    if not state.table:
        return "Your attack"
    return "Throw in more, or finish" if cards else "Nothing to throw in: done"


def _their_prompt(name: str, state: State) -> str:
    if state.phase is Phase.DEFEND:
        return f"{name} defends"
    if state.phase is Phase.PILE_ON:
        return f"{name} may pile on"
    return f"{name} may throw in" if state.table else f"{name} attacks"


def their_turn(name: str, state: State, style: CardStyle) -> str:
    """Say what the other player has to do: `mira has to beat 9♣ or take`."""
    attack = unbeaten(state)
    if state.phase is Phase.DEFEND and attack is not None:
        return f"{name} has to beat {style.card(attack)} or take."
    if not state.table:
        return f"{name} has to attack."
    return f"{name} may {'pile on' if state.phase is Phase.PILE_ON else 'throw in'} or be done."


def move_text(action: Action, state: State, style: CardStyle) -> str:
    """Write a move as `throw in 9♦`; `state` is the one before it, or one that already holds the card."""
    word = move_word(action, state)
    match action:
        case Attack(card) | Beat(card) | Show(card):
            return f"{word} {style.card(card)}"
        case Deny(cards):
            return f"{word} {style.cards(cards)}"
        case Take() | Done():
            return word
        case _:
            assert_never(action)


def move_word(action: Action, state: State) -> str:
    """Name a move without its cards: an attack is a lead, a card thrown in or one piled on."""
    match action:
        case Attack(card):
            return _attack_word(state, card)
        case Beat():
            return "beat"
        case Take():
            return "take"
        case Done():
            return "done"
        case Show():
            return "show"
        case Deny():
            return "no"
        case _:
            assert_never(action)


def _attack_word(state: State, card: Card) -> str:
    if state.phase is Phase.PILE_ON:
        return "pile on"
    return "throw in" if any(pair.attack != card for pair in state.table) else "attack"
