"""What must hold after every event of a simulated game, whatever the line does and whoever dies.

It owns the invariants; it looks on, and changes neither what is sent nor who moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import msgpack
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from fairdeck import sealing
from fairdeck.packets import Kind
from fairdeck.wire import decode_note
from tests.simulation.disk import Disk

NOTE_POST: Final = 0
CHAT_POST: Final = 1
TAG_BYTES: Final = 16


class Invariant(Enum):
    """What can be broken, each in words."""

    PREFIX = "of both chains one begins with the other"
    WRITE_AHEAD = "nothing is sent or acknowledged that is not on the disk"
    EQUIVOCATION = "nobody signs two different records for one place, or two different notes of one kind"
    ONCE = "records and posts come in order and once"
    NONCE = "no key and nonce seal two packets"
    REPLAY = "no sealed packet is opened twice"
    DIGEST = "after the same record both hold the same state"
    ACCUSED = "no honest seat is accused or refused"
    ENDS = "it comes to an end"
    VERDICT = "both tell the same end, and both logs are verified"


class Violation(Exception):
    """An invariant is broken.

    Attributes:
        invariant: which.
        text: what was seen.
    """

    def __init__(self, invariant: Invariant, text: str) -> None:
        super().__init__(f"{invariant.name}: {text} (it must hold that {invariant.value})")
        self.invariant = invariant
        self.text = text


@dataclass(slots=True)
class Watch:
    """All that was seen in one run.

    Attributes:
        disks: by seat.
        running: the seat whose code runs now.
        labels: what each sealed packet says, in words, by its tag.
        chain: the records by place, as the first disk took them.
        digests: the state after each of them.
    """

    disks: tuple[Disk, Disk]
    running: int = 0
    labels: dict[bytes, str] = field(default_factory=dict)
    chain: list[bytes] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)
    _label: str = ""
    _sealed: set[tuple[bytes, bytes]] = field(default_factory=set)
    _opened: set[tuple[bytes, bytes]] = field(default_factory=set)
    _sent: dict[object, bytes] = field(default_factory=dict)
    _heard: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def took(self, seat: int, place: int, record: bytes, digest: bytes) -> None:
        """A record came to the disk of a seat."""
        if place > len(self.chain):
            raise Violation(Invariant.PREFIX, f"seat {seat} has record {place}, and nobody has the one before it")
        if place == len(self.chain):
            self.chain.append(record)
            self.digests.append(digest)
        if self.chain[place] != record:
            raise Violation(Invariant.PREFIX, f"the seats hold different records {place}")
        if self.digests[place] != digest:
            raise Violation(Invariant.DIGEST, f"the seats hold different states after record {place}")

    def forget(self, count: int) -> None:
        """No disk holds more than so many records any more: the places behind them may be signed again."""
        del self.chain[count:], self.digests[count:]
        self._sent = {key: data for key, data in self._sent.items() if not (isinstance(key, int) and key >= count)}

    def sealing(self, key: bytes, nonce: bytes, message: bytes) -> None:
        """A packet is sealed and will be sent."""
        if (key, nonce) in self._sealed:
            raise Violation(Invariant.NONCE, f"seat {self.running} seals a second packet under one key and nonce")
        self._sealed.add((key, nonce))
        size = int.from_bytes(message[:2], "big")
        kind, game, place, _boot, _post, *parts = msgpack.unpackb(message[2 : 2 + size], use_list=False)
        self._label = Kind(kind).name.lower()
        disk = self.disks[self.running]
        if game == 1 and place > len(disk.records):
            raise Violation(
                Invariant.WRITE_AHEAD, f"seat {self.running} acknowledges {place} records before it has them"
            )
        if kind == Kind.RECORD:
            self._sends_record(disk, parts[1], parts[2])
        if kind == Kind.POST and parts[3] == NOTE_POST:
            self._sends_note(disk, parts[4])

    def _sends_record(self, disk: Disk, seq: int, record: bytes) -> None:
        self._label = f"record {seq}"
        if self._sent.setdefault(seq, record) != record:
            raise Violation(Invariant.EQUIVOCATION, f"two different records {seq} have been sent")
        if seq >= len(disk.records) or disk.records[seq] != record:
            raise Violation(Invariant.WRITE_AHEAD, f"seat {self.running} sends record {seq} before it is on its disk")

    def _sends_note(self, disk: Disk, note: bytes) -> None:
        kind = decode_note(note).kind
        self._label = f"note {kind.name.lower()}"
        if self._sent.setdefault((self.running, kind), note) != note:
            raise Violation(Invariant.EQUIVOCATION, f"seat {self.running} has sent two different notes of one kind")
        if note not in disk.notes:
            raise Violation(Invariant.WRITE_AHEAD, f"seat {self.running} sends a note before it is on its disk")

    def sealed(self, ciphertext: bytes) -> None:
        """The packet that was just shown got this ciphertext."""
        self.labels[ciphertext[-TAG_BYTES:]] = self._label

    def opened(self, key: bytes, nonce: bytes) -> None:
        """A packet was authentic."""
        if (key, nonce) in self._opened:
            raise Violation(Invariant.REPLAY, f"seat {self.running} opens a packet for the second time")
        self._opened.add((key, nonce))

    def arrived(self, seat: int, seq: int, held: int) -> None:
        """The channel gives a record to a session that holds so many."""
        if seq != held:
            raise Violation(Invariant.ONCE, f"seat {seat} holds {held} records and is given record {seq}")

    def heard(self, seat: int, life: int, body: bytes) -> None:
        """Chat came: the sender's life and a number that he counts up."""
        theirs, number = (int(part) for part in body.split(b":"))
        middle = number if life or theirs else 0  # a later life may begin in the middle of a run of posts
        due = self._heard.get((seat, life, theirs), middle)
        if number != due:
            raise Violation(Invariant.ONCE, f"seat {seat} is given post {number} where post {due} was due")
        self._heard[seat, life, theirs] = number + 1

    def all_posts_came(self, seat: int, sent: int) -> bool:
        """Whether a seat that never died has all posts of a peer that never died."""
        return self._heard.get((seat, 0, 0), 0) == sent


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Show every packet that any channel seals or opens to `watch`."""

    class WatchedCipher:
        """The real cipher, and an onlooker who sees what goes through it."""

        def __init__(self, key: bytes) -> None:
            self.key = key
            self.cipher = ChaCha20Poly1305(key)

        def encrypt(self, nonce: bytes, data: bytes, header: bytes) -> bytes:
            watch.sealing(self.key, nonce, data)
            ciphertext = self.cipher.encrypt(nonce, data, header)
            watch.sealed(ciphertext)
            return ciphertext

        def decrypt(self, nonce: bytes, data: bytes, header: bytes) -> bytes:
            message = self.cipher.decrypt(nonce, data, header)
            watch.opened(self.key, nonce)
            return message

    names = vars(sealing)
    before, names["ChaCha20Poly1305"] = names["ChaCha20Poly1305"], WatchedCipher
    try:
        yield
    finally:
        names["ChaCha20Poly1305"] = before
