"""Players that are programs: each chooses an action from a view, never from the whole state.

It owns the list of levels; it knows no protocol and no screen.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from p2pdurak.bots.easy import choose as easy
from p2pdurak.rules.actions import Action
from p2pdurak.rules.view import View

Bot = Callable[[View, Random], Action]

LEVELS: Final[dict[str, Bot]] = {"easy": easy}
