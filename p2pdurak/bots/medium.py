"""The medium level: a tuned heuristic that looks no move ahead.

It owns the way from a view to the policy's move; the policy itself is in `policy`.
"""

from __future__ import annotations

from random import Random

from p2pdurak.bots.fast import Mask, action_of
from p2pdurak.bots.knowledge import Knowledge, knowledge
from p2pdurak.bots.policy import decide
from p2pdurak.rules.actions import Action
from p2pdurak.rules.view import View


def choose(view: View, rng: Random) -> Action:  # noqa: ARG001 -- every level is called alike
    """Choose among the legal actions of a view whose turn it is."""
    known = knowledge(view)
    return action_of(sensible(known), known.position, known.trump)


def sensible(known: Knowledge) -> Mask:
    """The policy's move, with the other hand in sight where it is certain."""
    position, left = known.position, known.left
    if known.exact:
        position = known.sample(float)[0]
    return decide(position, left)
