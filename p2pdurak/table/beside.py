"""The notes of one game, from one seat: which are saved when, which wait, and which are told again.

It owns the order in which notes become durable and are sent; what a note says is judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from fairdeck.log import Tag
from fairdeck.session import Session
from fairdeck.wire import Note, NoteKind
from p2pdurak.files import StoreError
from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import State
from p2pdurak.store import GameLog
from p2pdurak.table.chair import Chair, PostKind

REPEATS_MAX: Final = 32
"""So often our notes are told again in one game; a peer who asks for more fills our outbox."""

WAITING_MAX: Final = 8
"""Notes of the peer that wait until it is known what he holds; he has four kinds to write, each once."""


class Beside:
    """Notes on their way to the disk and to the other side.

    Attributes:
        log: where they are saved; None before the game has one.
        ahead: notes of the peer about records that have not come yet: checked, and not saved.
    """

    def __init__(self, chair: Chair, session: Session[State, Action]) -> None:
        """Begin with those that the session holds."""
        self.log: GameLog | None = None
        self.ahead: list[Note] = []
        self._channel = chair.channel
        self._session = session
        self._waiting: list[bytes] = []
        self._repeats = 0

    def write(self, kind: NoteKind, body: bytes, now: float) -> None:
        """Sign a note of ours, save it, send it.

        Raises:
            LocalError: it cannot be made now.
            StoreError: it cannot be saved.
        """
        self.send(self._session.note(kind, body), now)

    def send(self, data: bytes, now: float) -> None:
        """Save a note of ours, then send it: never the other way round."""
        self._save(data)
        self._channel.post(PostKind.NOTE, data, now)

    def keep(self, note: Note) -> bool:
        """Save a checked note of the peer, or keep it for later.

        Returns:
            Whether it tells of records that have not come: then it is judged and saved when they have.
        """
        if note.seq > self._session.referee.seq:
            self.ahead.append(note)
            return True
        self._save(note.data)
        return False

    def catch_up(self) -> None:
        """Save the notes that the chain has caught up with."""
        reached = self._session.referee.seq
        for note in self.ahead:
            if note.seq <= reached:
                self._save(note.data)
        self.ahead = [note for note in self.ahead if note.seq > reached]

    def save_evidence(self, proof: Sequence[bytes], piece: tuple[Tag, bytes]) -> Path | None:
        """Save what proves a misdeed behind a copy of the log: notes that are not in it yet, and a last piece.

        Returns:
            Where it lies; None if it cannot be saved: a full disk takes the evidence, not the word that he cheated.
        """
        if self.log is None:
            return None
        ahead = [(Tag.NOTE, note.data) for note in self.ahead if note.data in proof]
        with suppress(StoreError):
            return self.log.save_evidence(*ahead, piece)
        return None

    def _save(self, data: bytes) -> None:
        if self.log is not None:
            self.log.append(Tag.NOTE, data)

    # After a crash of either side.

    def wait(self, data: bytes) -> None:
        """Put a note of the peer aside until it is known what he holds."""
        if data not in self._waiting and len(self._waiting) < WAITING_MAX:
            self._waiting.append(data)

    def take_waiting(self, take: Callable[[bytes], None]) -> None:
        """Hand on what was put aside."""
        waiting, self._waiting = self._waiting, []
        for data in waiting:
            take(data)

    def tell_again(self, now: float) -> None:
        """Send our notes again to a peer who may have lost them: a note that was ahead of his chain is on no disk."""
        for note in self._session.notes:
            if note.seat == self._session.seat and self._repeats < REPEATS_MAX:
                self._repeats += 1
                self._channel.post(PostKind.NOTE, note.data, now)
