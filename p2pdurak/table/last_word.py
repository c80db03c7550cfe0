"""What is still to come when a game has ended: the word that the other side has the end, and both game keys.

It owns those questions about a session; it waits for nothing itself, and ends no game.
"""

from __future__ import annotations

from typing import Final

from fairdeck.channel import Channel
from fairdeck.notes import End, opened_keys
from fairdeck.session import Session
from fairdeck.wire import NoteKind
from p2pdurak.rules.actions import Action
from p2pdurak.rules.options import Options
from p2pdurak.rules.state import Seat, State

OPEN_WAIT_S: Final = 5.0
"""How long the end waits for the other side's game key before the result is shown without it."""


def claimed_by(session: Session[State, Action]) -> Seat | None:
    """Who has claimed the win, rightly or not."""
    seen = session.referee.seq
    return next((note.seat for note in session.notes if note.kind is NoteKind.CLAIM and note.seq <= seen), None)


def opens(session: Session[State, Action], options: Options) -> bool:
    """Whether both game keys are shown after this end."""
    return session.verdict.final and options.open


def has_all(session: Session[State, Action], channel: Channel, *, opens: bool) -> bool:
    """Whether the other side can add nothing more to the end.

    A record or a resign of his may cross our resign, and counts; so his word is awaited that he has ours.
    """
    verdict = session.verdict
    if not verdict.final:
        return True
    crossed = verdict.end is End.RESIGN and not (channel.settled and channel.peer_next <= len(session.records))
    return not crossed and not (opens and None in opened_keys(session.notes))
