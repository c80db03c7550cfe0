"""What sentences refer to without saying it: the names at the table, whose eyes we look through, the state of the game.

It owns who is called what; it knows no sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from p2pdurak import events
from p2pdurak.events import Event, Names, Seat
from p2pdurak.rules.state import State
from p2pdurak.safe_text import SafeText, clean

OUTSIDE_CELLS_MAX: Final = 1000
"""Paths, addresses and messages are shown whole; this only keeps a mistake elsewhere from flooding the terminal."""

SEATS: Final = SafeText("the host"), SafeText("the guest")
"""What the players are called before their names are known."""

FRIEND: Final = SafeText("your friend")
"""What the other player is called where his own name could be taken for ours."""

SHORT_CELLS_MAX: Final = 12
"""A name in a sentence of the narrowest layout: what is said of it must stay readable behind it."""

_BEGINNING: Final = re.compile(rf"(^|[.!?] ){FRIEND}(?= )")


@dataclass(frozen=True, slots=True)
class Scene:
    """What sentences refer to without saying it: who sits where, the public state, and how the last game ended."""

    names: Names = SEATS
    seat: Seat | None = None
    friend: SafeText = FRIEND
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

    def who(self, seat: Seat) -> SafeText:
        """Name a seat: `you`, or the friend by his name, unless that could be mistaken for `you` or for our own."""
        name = safe(self.names[seat])
        if self.seat is None:
            return name
        if seat == self.seat:
            return SafeText("you")
        mistakable = name.casefold() in ("you", safe(self.names[self.seat]).casefold())
        return FRIEND if mistakable else name

    def peer(self) -> SafeText:
        """Name the other player, also before the deal."""
        return self.friend if self.seat is None else self.who(1 - self.seat)

    def does(self, seat: Seat, yours: str, theirs: str) -> str:
        """Begin a sentence with a seat and its verb: `You take` or `mira takes`."""
        return f"You {yours}" if seat == self.seat else sentence(f"{self.who(seat)} {theirs}")

    def called(self, name: str) -> SafeText:
        """Name somebody who was told by his name, or as `you`, and not by his seat."""
        is_peer = self.seat is not None and name == self.names[1 - self.seat]
        return self.peer() if is_peer else safe(name)

    def short(self) -> Scene:
        """The same with names that leave room for a sentence in the narrowest layout."""
        host, guest = self.names
        return replace(self, names=(_shortened(host), _shortened(guest)), friend=_shortened(self.friend))


def sentence(text: str) -> str:
    """Begin sentences about the friend, where he goes by no name of his own, with a capital letter."""
    return _BEGINNING.sub(lambda found: f"{found[1]}{FRIEND.capitalize()}", text)


def _shortened(name: str) -> SafeText:
    whole = safe(name)
    return whole if clean(whole, SHORT_CELLS_MAX) == whole else SafeText(f"{clean(whole, SHORT_CELLS_MAX - 1)}…")


def safe(text: str) -> SafeText:
    """Clean at the last door: own paths, addresses and messages may carry strange characters too."""
    return clean(text, OUTSIDE_CELLS_MAX)
