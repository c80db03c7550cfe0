"""The actions of the game, one frozen value each.

It owns what a player can do and the words for it; it does not know whether an action is legal now.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from p2pdurak.rules.cards import Card, card_text


@dataclass(frozen=True, slots=True)
class Attack:
    """Lay a card as attack: a lead, a throw-in and a pile-on alike."""

    card: Card


@dataclass(frozen=True, slots=True)
class Beat:
    """Beat the one unbeaten attack with this card."""

    card: Card


@dataclass(frozen=True, slots=True)
class Take:
    """Give up the defence: the defender will take every card on the table."""


@dataclass(frozen=True, slots=True)
class Done:
    """Add no more cards to this bout."""


@dataclass(frozen=True, slots=True)
class Show:
    """Answer a question for the lowest trump: I hold this card, and here it is."""

    card: Card


@dataclass(frozen=True, slots=True)
class Deny:
    """Answer a question for the lowest trump: I hold none of these cards."""

    cards: tuple[Card, ...]


Action = Attack | Beat | Take | Done | Show | Deny


def action_word(action: Action) -> str:
    """The one word for the kind of this action, the same in logs, JSON and code."""
    match action:
        case Attack():
            return "attack"
        case Beat():
            return "beat"
        case Take():
            return "take"
        case Done():
            return "done"
        case Show():
            return "show"
        case Deny():
            return "deny"
        case _:
            assert_never(action)


def action_text(action: Action) -> str:
    """The action as a player types it: `7d`, `take`, `done`, `show 6h`, `deny 6c 6d 6s`."""
    match action:
        case Attack(card) | Beat(card):
            return card_text(card)
        case Take() | Done():
            return action_word(action)
        case Show(card):
            return f"show {card_text(card)}"
        case Deny(cards):
            return " ".join(["deny", *map(card_text, cards)])
        case _:
            assert_never(action)
