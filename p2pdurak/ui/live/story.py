"""The log of a match as it is read beside the table: moves and what was said.

It owns which events become a line of it, and how many are kept; it decides nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from p2pdurak.events import Dealt, Event, Moved, Opener, Said, Seat
from p2pdurak.rules.actions import Deny, Show
from p2pdurak.rules.state import State
from p2pdurak.safe_text import SafeText
from p2pdurak.ui.card_words import CardStyle
from p2pdurak.ui.draw.screen import Told
from p2pdurak.ui.prompts import move_word
from p2pdurak.ui.scene import Scene, safe
from p2pdurak.ui.words import describe

KEPT_MAX: Final = 400
"""More than the moves of the longest game; an evening of chat must not grow without bound."""


class Story:
    """The lines so far, oldest first."""

    def __init__(self) -> None:
        self.told: tuple[Told, ...] = ()

    def take(self, event: Event, scene: Scene, before: State | None) -> None:
        """Follow what is told; `before` is the public state before a move."""
        bout = 0 if before is None else before.bout
        match event:
            case Dealt():
                # Bouts are counted anew: what was said in the last game is in none of this one.
                self.told = tuple(replace(line, bout=0) for line in self.chat)
            case Moved(action=Show() | Deny()):
                pass  # the programs ask each other for the lowest trump; what came of it is told by the opener
            case Moved(action=action, seat=seat, auto=auto, view=view):
                word = move_word(action, before or view.state)
                self._add(Told(plate(scene, seat), action, word, auto, bout))
            case Opener():
                self._add(Told(SafeText(""), None, describe(event, scene, CardStyle())[0], bout=bout))
            case Said(seat=seat, text=text):
                self._add(Told(plate(scene, seat), None, safe(text), bout=bout))
            case _:
                pass

    @property
    def chat(self) -> tuple[Told, ...]:
        """What was said, without the moves."""
        return tuple(line for line in self.told if line.action is None and line.who)

    def _add(self, line: Told) -> None:
        self.told = (*self.told, line)[-KEPT_MAX:]


def plate(scene: Scene, seat: Seat) -> SafeText:
    """The name that stands at a seat: our own as it is, the friend's so that it can be taken for no other."""
    return safe(scene.names[seat]) if seat == scene.seat else scene.who(seat)
