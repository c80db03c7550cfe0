"""What is played in a run: the short game, or a whole game of durak with or without real proofs.

It owns who opens and which action is chosen; the games themselves are elsewhere.
"""

from __future__ import annotations

from random import Random

from fairdeck.group import SUITES
from fairdeck.seating import Proposal
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Action
from p2pdurak.rules.options import CLASSIC, format_options
from p2pdurak.rules.state import Phase, State
from tests.fairdeck.cheap import CHEAP_SUITES, DurakSession, view_of
from tests.simulation.process import Play
from tests.simulation.short_game import Laid, ShortGame, choose

DATE = "2026-11-30"


def short(seed: int) -> Play[Laid, int]:
    """About 13 records."""
    return Play(ShortGame(), Proposal(b"", seed % 2, DATE, 0), CHEAP_SUITES, choose)


def durak(seed: int, *, real: bool = False) -> Play[State, Action]:
    """About 130 records; `real` with the proofs of suite 1."""
    proposal = Proposal(format_options(CLASSIC).encode(), 2, DATE, 1 if real else 0)
    return Play(DURAK, proposal, SUITES if real else CHEAP_SUITES, any_action)


def any_action(session: DurakSession, chance: Random) -> Action:
    """Any legal action, by chance; a question has one answer."""
    view = view_of(session)
    return view.answer() if view.state.phase is Phase.QUESTION else chance.choice(view.legal_actions())
