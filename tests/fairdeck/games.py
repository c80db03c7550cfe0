"""Finished games that many tests look at and none changes.

It owns their making, once each; the tests take them apart.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from fairdeck.wire import Kind, Record, decode_record
from tests.fairdeck.cheap import Pair, lowest, randomly, sit_down
from tests.fairdeck.forge import log_of

SEED: Final = "g8"
"""A short game that has every kind of step: denials, a show, remasks with and without draws, public cards."""

TRUMPLESS: Final = "the game of these tests"
"""A game in which neither hand holds a trump, so that all sixteen questions for one are denied."""


@cache
def played(seed: str = SEED) -> Pair:
    """A whole game in the cheap group; both have shown their keys at the end."""
    pair = sit_down(seed).play(randomly(seed))
    pair.open_both()
    return pair


@cache
def played_for_real() -> Pair:
    """A whole game in the real group between cheapest-card players."""
    pair = sit_down(SEED, suite=1).play(lowest)
    pair.open_both()
    return pair


def saved(pair: Pair) -> bytes:
    """The host's log."""
    return log_of(pair.records, [note.data for note in pair.host.notes])


def record_of(kind: Kind, nth: int = 0) -> Record:
    """A record of a kind out of `played()`."""
    return decode_record(played().records[played().at(kind, nth)])


DRAWN: Final = "draw 14"
"""Between cheapest-card players this game is a draw."""


@cache
def drawn() -> Pair:
    """A whole game that nobody has lost."""
    return sit_down(DRAWN).play(lowest)
