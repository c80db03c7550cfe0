"""What one game needs from around it, and how whoever sits there plays without being asked.

It owns three values that the game is given; it knows neither the game nor who plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from random import Random
from typing import Any

from fairdeck.channel import Channel
from p2pdurak.bots import Bot
from p2pdurak.events import Event
from p2pdurak.rules.actions import Action
from p2pdurak.rules.options import Options
from p2pdurak.rules.view import View
from p2pdurak.store import GameLog
from p2pdurak.table.clock import AutoDone, Thoughts


class PostKind(IntEnum):
    """What travels beside the records."""

    NOTE = 0
    CHAT = 1
    REFUSE = 2
    AGAIN = 3
    BYE = 4


@dataclass(frozen=True, slots=True)
class Habits:
    """How this seat plays without being asked: a bot in the chair, and what a forced `done` does."""

    auto_done: AutoDone = AutoDone.MASKED
    bot: Bot | None = None


Ask = Callable[[Bot, View, Callable[[Action], None]], None]
"""Asks a bot for its action in a view whose turn it is, and hands that on, at once or when it has been thought of."""


def at_once(dice: Random) -> Ask:
    """Ask a bot that answers in no time."""
    return lambda bot, view, play: play(bot(view, dice))


@dataclass(slots=True)
class Chair:
    """What one game needs from around it. `keep` gives what a new process needs to go on with it, beside secrets."""

    channel: Channel
    show: Callable[[Event], None]
    new_log: Callable[[], GameLog]
    ask: Ask
    thoughts: Thoughts
    keep: Callable[[Options], Mapping[str, Any] | None] = lambda _options: None
    habits: Habits = field(default_factory=Habits)
