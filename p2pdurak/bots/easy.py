"""The easy level: mostly the cheapest legal card, now and then anything.

It owns one policy; it looks no further than the card in hand.
"""

from __future__ import annotations

from random import Random
from typing import Final

from p2pdurak.rules.actions import Action, Attack, Beat
from p2pdurak.rules.cards import rank_of, suit_of
from p2pdurak.rules.view import View

RANDOM_SHARE: Final = 0.3
"""How often the choice is random: enough that a beginner wins, not so much that it plays nonsense."""


def choose(view: View, rng: Random) -> Action:
    """Choose among the legal actions of a view whose turn it is.

    Args:
        view: what this player may know.
        rng: decides between the cheapest card and a random action.
    """
    actions = view.legal_actions()
    return rng.choice(actions) if rng.random() < RANDOM_SHARE else cheapest(view)


def cheapest(view: View) -> Action:
    """The cheapest card that is legal, trumps last; `take` or `done` only where no card is."""
    actions = view.legal_actions()
    cards = [action for action in actions if isinstance(action, Attack | Beat)]
    if not cards:
        return actions[-1]
    trump = view.state.trump
    return min(cards, key=lambda a: (suit_of(a.card) == trump, rank_of(a.card), suit_of(a.card)))
