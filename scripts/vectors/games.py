"""Whole games in the real group between two honest programs, once each: what other vectors are made of and damaged.

It owns who plays how; every seed is fixed, so every byte is.
"""

from __future__ import annotations

from functools import cache

from p2pdurak.rules.options import CLASSIC, Options
from tests.fairdeck.cheap import Pair, Policy, lowest, randomly, sit_down


@cache
def table(seed: str, options: Options = CLASSIC, opener: int = 2) -> Pair:
    """Two sessions that have not begun; the caller plays, so each table has one caller."""
    return sit_down(seed, options=options, opener=opener, suite=1)


@cache
def played(seed: str, options: Options = CLASSIC, opener: int = 2, *, cheaply: bool = True) -> Pair:
    """A whole game to its end by the rules, without any note."""
    policy: Policy = lowest if cheaply else randomly(seed)
    return sit_down(seed, options=options, opener=opener, suite=1).play(policy)


@cache
def model() -> Pair:
    """The short game that most vectors look into: denials, a show, remasks with and without shares, public cards."""
    return played("model 15")
