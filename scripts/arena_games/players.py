"""Who can play in the arena: the levels, and the baselines that no player is offered.

It owns the names and the baselines; the levels themselves are the product's.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import isfinite
from random import Random
from typing import Final

from p2pdurak.bots import LEVELS, Bot
from p2pdurak.bots.easy import cheapest
from p2pdurak.bots.hard import FULL, Budget, choose_within, solved_else_sensible
from p2pdurak.rules.actions import Action
from p2pdurak.rules.view import View


def _random(view: View, rng: Random) -> Action:
    """Any legal action."""
    return rng.choice(view.legal_actions())


def _greedy(view: View, rng: Random) -> Action:  # noqa: ARG001 -- every player is called alike
    """The cheapest legal card, trumps last."""
    return cheapest(view)


BASELINES: Final[dict[str, Bot]] = {"random": _random, "greedy": _greedy, "medium+solver": solved_else_sensible}

PLAYERS: Final[dict[str, Bot]] = BASELINES | LEVELS


def player(name: str) -> Bot:
    """The player of a name; `hard:worlds=100,gain=1.5` is hard with another budget.

    Raises:
        ValueError: with a sentence, if there is none.
    """
    if name in PLAYERS:
        return PLAYERS[name]
    level, _, changes = name.partition(":")
    if level != "hard" or not changes:
        raise ValueError(f"{name!r} is no player: it is one of {', '.join(PLAYERS)}")
    budget = FULL
    for change in changes.split(","):
        budget = _changed(budget, change)
    return partial(choose_within, budget)


def _changed(budget: Budget, change: str) -> Budget:
    field, _, number = change.partition("=")
    try:
        match field:
            case "worlds":
                return replace(budget, worlds=_count(number))
            case "nodes":
                return replace(budget, nodes=_count(number))
            case "gain":
                return replace(budget, gain=_errors(number))
            case "doubt":
                return replace(budget, doubt=_errors(number))
            case _:
                pass
    except ValueError:
        pass
    raise ValueError(
        f"{change!r} is no change of the budget: worlds or nodes, = and a whole number from 1 up,"
        " or gain or doubt, = and a number from 0 up"
    )


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _errors(text: str) -> float:
    """A number of standard errors."""
    number = float(text)
    if not isfinite(number) or number < 0:
        raise ValueError
    return number
