"""What sentences refer to without saying it: the names at the table, whose eyes we look through, the state of the game.

It owns who is called what; it knows no sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from p2pdurak import events
from p2pdurak.events import Event, Seat
from p2pdurak.rules.state import State
from p2pdurak.safe_text import SafeText, clean

OUTSIDE_CELLS_MAX: Final = 1000
"""Paths, addresses and messages are shown whole; this only keeps a mistake elsewhere from flooding the terminal."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What sentences refer to without saying it: who sits where, the public state, and how the last game ended."""

    names: tuple[str, str] = ("the host", "the guest")
    seat: Seat | None = None
    friend: str = "your friend"
    state: State | None = None
    last: events.Result | None = None

    def after(self, event: Event) -> Scene:
        """Give the scene that holds once `event` has happened."""
        match event:
            case events.Peer(name=name):
                return replace(self, friend=safe(name))
            case events.Dealt(game=game, names=names, view=view):
                last = None if game == 1 else self.last
                return replace(self, names=names, seat=event.seat, state=view.state, last=last)
            case events.Turn(view=view) | events.Moved(view=view) | events.Drew(view=view):
                return replace(self, seat=view.seat, state=view.state)
            case events.Result(names=names, seat=seat):
                return replace(self, names=names, seat=seat, last=event)
            case _:
                return self

    def who(self, seat: Seat) -> str:
        """Name a seat: `you`, or the friend's name, which can never be mistaken for `you` or for our own name."""
        name = safe(self.names[seat])
        if self.seat is None:
            return name
        if seat == self.seat:
            return "you"
        mistakable = name.casefold() in ("you", safe(self.names[self.seat]).casefold())
        return f"{name} (your friend)" if mistakable else name

    def peer(self) -> str:
        """Name the other player, also before the deal."""
        return self.friend if self.seat is None else self.who(1 - self.seat)

    def does(self, seat: Seat, yours: str, theirs: str) -> str:
        """Begin a sentence with a seat and its verb: `You take` or `mira takes`."""
        return f"You {yours}" if seat == self.seat else f"{self.who(seat)} {theirs}"


def safe(text: str) -> SafeText:
    """Clean at the last door: own paths, addresses and messages may carry strange characters too."""
    return clean(text, OUTSIDE_CELLS_MAX)
