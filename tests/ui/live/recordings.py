"""Recorded games for the tests of replays, each made once from a whole game between two sessions.

It owns their making; what must be seen of them stands in the tests.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from fairdeck.audit import audit
from fairdeck.notes import opened_keys
from p2pdurak.durak import DURAK
from p2pdurak.recording import Recording
from p2pdurak.replay import Key, recording
from tests.fairdeck.cheap import CHEAP_SUITES, Pair
from tests.fairdeck.games import TRUMPLESS, drawn, played, saved


@cache
def opened() -> Recording:
    """A game in which first the lowest trump is sought; both hands can be seen."""
    return _recorded(played())


@cache
def trumpless() -> Recording:
    """A game whose first attacker had to be found among the plain cards."""
    return _recorded(played(TRUMPLESS))


@cache
def sealed() -> Recording:
    """A game whose hidden cards can be seen on no side."""
    return _recorded(played(), (None, None))


@cache
def half_sealed() -> Recording:
    """A game whose hidden cards can be seen by the guest alone."""
    pair = played()
    return _recorded(pair, (None, opened_keys(audit(saved(pair), DURAK, CHEAP_SUITES).notes)[1]))


@cache
def draw() -> Recording:
    """A game that nobody has lost, with a trump shown at once."""
    return _recorded(drawn(), (None, None))


def ended_as(game: Recording, end: str, moves: int) -> Recording:
    """The beginning of a game, with another end and no result."""
    return replace(game, moves=game.moves[:moves], result=None, end=end, finding="incomplete")


def settled_before(game: Recording) -> Recording:
    """The same game as if it had been settled before the deal who attacks first."""
    first = next(at for at, move in enumerate(game.moves) if move.after.question is None) + 1
    return replace(game, start=game.moves[first - 1].after, dealt=game.moves[first - 1].hands, moves=game.moves[first:])


def by_clock(game: Recording, at: int) -> Recording:
    """The same game as if the clock had played one move."""
    moves = list(game.moves)
    moves[at] = replace(moves[at], auto=True)
    return replace(game, moves=tuple(moves))


def _recorded(pair: Pair, keys: tuple[Key, Key] | None = None) -> Recording:
    found = audit(saved(pair), DURAK, CHEAP_SUITES)
    return recording(found, opened_keys(found.notes) if keys is None else keys, (), None)
