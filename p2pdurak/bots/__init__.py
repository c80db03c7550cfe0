"""Players that are programs: each chooses an action from a view, never from the whole state.

It owns the list of levels and the dice of a choice; it knows no protocol and no screen. What a level needs is loaded
when it is first asked, so that a program that seats no bot pays for none.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from p2pdurak.bots.easy import choose as easy
from p2pdurak.bots.thought import Patience, Thought, endless
from p2pdurak.rules.actions import Action
from p2pdurak.rules.view import View

Bot = Callable[[View, Random], Action]


def _medium(view: View, rng: Random) -> Action:
    """The medium level; see `p2pdurak.bots.medium`."""
    from p2pdurak.bots.medium import choose

    return choose(view, rng)


def _hard(view: View, rng: Random) -> Action:
    """The hard level; see `p2pdurak.bots.hard`. It thinks for up to a second: see `p2pdurak.bots.worker`."""
    return think("hard", view, rng).action


LEVELS: Final[dict[str, Bot]] = {"easy": easy, "medium": _medium, "hard": _hard}


def think(level: str, view: View, rng: Random, patience: Patience = endless) -> Thought:
    """What a level chooses in a view whose turn it is, and why.

    Args:
        level: one of `LEVELS`.
        view: what this player may know.
        rng: its dice.
        patience: cuts the search of a level that searches; the others need no time.
    """
    if level == "hard":
        from p2pdurak.bots.hard import FULL, think_within

        return think_within(FULL, view, rng, patience)
    return Thought(LEVELS[level](view, rng))


def dice(seed: str, view: View) -> Random:
    """The chance of one choice, the same for the same seed, seat and moment of the game.

    A view does not tell which game of a match it is: the games of one seed share their dice, and differ by their cards.
    """
    state = view.state
    return Random(f"{seed} {view.seat} {state.bout} {len(state.table_cards)} {state.phase.value}")  # noqa: S311 -- a bot need not be secret
