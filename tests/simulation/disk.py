"""The disk of one seat: what is left of a process when it dies.

It owns the bytes that were written, and forgets what was not; it writes no file.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fairdeck import log
from fairdeck.log import Tag
from fairdeck.seating import Kept


@dataclass(slots=True)
class Disk:
    """The secrets of a game and its log, as the real program saves them.

    Attributes:
        secrets: entropy and nonce, once they are saved.
        entries: what was written, in order.
        records: the records among it.
        notes: the notes among it.
        torn: the beginning of an entry that was being written when the process died.
    """

    secrets: tuple[bytes, bytes] | None = None
    entries: list[tuple[Tag, bytes]] = field(default_factory=list)
    records: list[bytes] = field(default_factory=list)
    notes: list[bytes] = field(default_factory=list)
    torn: bytes = b""

    @property
    def log(self) -> bytes:
        """The bytes of the log."""
        return log.MAGIC + b"".join(log.encode_entry(tag, payload) for tag, payload in self.entries) + self.torn

    def write(self, tag: Tag, payload: bytes) -> None:
        """Append an entry and sync."""
        self.entries.append((tag, payload))
        (self.records if tag is Tag.RECORD else self.notes).append(payload)

    def tear(self, tag: Tag, payload: bytes, share: float) -> None:
        """Die while an entry is being written: only a part of it is there."""
        entry = log.encode_entry(tag, payload)
        self.torn = entry[: int(share * len(entry))]

    def start(self) -> Kept | None:
        """Read it as a new process does, and cut off a torn end; None where no secrets were saved."""
        saved = log.read(self.log)
        if saved.damage is not None or (len(saved.records), len(saved.notes)) != (len(self.records), len(self.notes)):
            raise AssertionError("a whole entry was lost: the fault is in the log or in this disk")
        self.torn = b""
        return None if self.secrets is None else Kept(*self.secrets, saved.records, saved.notes)

    def lose(self, count: int) -> None:
        """Become an older copy of itself: without the newest entries."""
        kept = self.entries[: len(self.entries) - count]
        self.entries, self.records, self.notes = [], [], []
        for tag, payload in kept:
            self.write(tag, payload)
