"""What travels over a sealed line: the records of the current game, and posts, each in order and once.

It owns what was sent and is not acknowledged, and what came early and waits for its predecessor.
It does not know packets, keys, or time.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from fairdeck import limits
from fairdeck.errors import LocalError
from fairdeck.packets import NO_BOOT, Post, Record


@dataclass(frozen=True, slots=True)
class RecordArrived:
    """A record of the peer's, or one of ours that only he still had.

    In order and once; a `seq` that was here before comes again, at most once, if its bytes differ: he holds or
    signed another record for that place.
    """

    seq: int
    record: bytes


@dataclass(frozen=True, slots=True)
class PostArrived:
    """A post of the peer's, in order and once."""

    kind: int
    body: bytes


class Records:
    """The records of the current game: our chain is the outbox, whoever wrote them.

    Attributes:
        game: the number of the current game, from 1; 0 before the first.
        chain: the records on our disk.
    """

    __slots__ = ("_ahead", "_delivered", "_disputed", "_next_game", "_said", "_sent", "chain", "game")

    def __init__(self) -> None:
        self.game = 0
        self.chain: list[bytes] = []
        self._said = (0, 0)  # game and number of records that the peer says he has
        self._sent = 0  # records below this were sent, or need not be
        self._next_game: dict[int, bytes] = {}
        self._begin({})

    def _begin(self, ahead: dict[int, bytes]) -> None:
        self._ahead = ahead  # seq at or above len(chain): delivered and not on disk yet, or waiting
        self._delivered = 0  # never below len(chain)
        self._disputed: set[int] = set()

    def open_game(self, game: int) -> list[RecordArrived]:
        """Begin an empty chain; records of this game that came early are delivered now."""
        early = self._next_game if game == self.game + 1 else {}
        self.game, self.chain, self._sent, self._next_game = game, [], 0, {}
        self._begin(early)
        return self._deliver()

    def append(self, record: bytes) -> bool:
        """Take the next record that is on our disk.

        Returns:
            Whether the peer has sent it, so that he waits for an acknowledgement.

        Raises:
            LocalError: no game is open, or the record or the game is too long.
        """
        if self.game == 0:
            raise LocalError("No game is open on this line.")
        if len(record) > limits.RECORD_BYTES_MAX or len(self.chain) >= limits.RECORDS_MAX:
            raise LocalError("The record or the game is longer than the protocol allows.")
        came = self._ahead.pop(len(self.chain), None) is not None
        self.chain.append(record)
        self._delivered = max(self._delivered, len(self.chain))
        return came

    def arrive(self, game: int, seq: int, record: bytes) -> list[RecordArrived]:
        """Take in a record from the peer and return what is now due, in order."""
        if game == self.game + 1 and seq < limits.RECORDS_AHEAD_MAX:
            self._next_game.setdefault(seq, record)
        if game != self.game:
            return []
        if seq < self._delivered:
            return self._compare(seq, record)
        early = seq - self._delivered > limits.RECORDS_AHEAD_MAX
        if early or seq - len(self.chain) >= limits.FLIGHT_MAX:
            return []  # he repeats it
        self._ahead.setdefault(seq, record)
        return self._deliver()

    def _compare(self, seq: int, record: bytes) -> list[RecordArrived]:
        known = self.chain[seq] if seq < len(self.chain) else self._ahead[seq]
        if record == known or seq in self._disputed:
            return []
        self._disputed.add(seq)
        return [RecordArrived(seq, record)]

    def _deliver(self) -> list[RecordArrived]:
        arrived = []
        while self._delivered in self._ahead:
            arrived.append(RecordArrived(self._delivered, self._ahead[self._delivered]))
            self._delivered += 1
        return arrived

    def has(self, game: int, seq: int) -> bool:
        """Whether the peer need not send this record (again)."""
        return game < self.game or (game == self.game and seq < len(self.chain))

    @property
    def peer_next(self) -> int:
        """How many records of this game are on the peer's disk; all of ours once he is in a later game."""
        game, place = self._said
        return place if game == self.game else (len(self.chain) if game > self.game else 0)

    @property
    def settled(self) -> bool:
        """Whether the peer has all of our chain."""
        return self.peer_next >= len(self.chain)

    def peer_has(self, game: int, place: int, *, anew: bool = False) -> bool:
        """Take in what the peer says he has on disk.

        Args:
            game: his game.
            place: how many records of it he has.
            anew: he speaks for the first time in this epoch, so that less than before is meant (an older file);
                else less than before is an old packet.

        Returns:
            Whether this is progress.
        """
        if not anew and (game, place) <= self._said:
            return False
        if anew or game != self._said[0]:
            self._sent = 0  # what we sent before may never have been kept
        if anew:  # what waits may be of a course that he has lost with his file; what he holds he sends again
            self._ahead = {seq: record for seq, record in self._ahead.items() if seq < self._delivered}
            self._next_game = {}
        self._said = (game, place)
        self._sent = max(self._sent, self.peer_next)
        return True

    def rewind(self) -> None:
        """Send everything unacknowledged again."""
        self._sent = self.peer_next

    def take_flight(self) -> list[Record]:
        """The records to send now."""
        end = min(len(self.chain), self.peer_next + limits.FLIGHT_MAX)
        flight = [Record(self.game, seq, self.chain[seq]) for seq in range(self._sent, end)]
        self._sent = max(self._sent, end)
        return flight


class Posts:
    """Small messages outside the chain. A run of numbers belongs to one process (`boot`), as they are on no disk.

    Attributes:
        boot: 8 random bytes that name our run.
        their_boot: the peer's run, or zeros before his first post.
        their_next: the number of his next post.
    """

    __slots__ = ("_ahead", "_first", "_outbox", "_sent", "boot", "their_boot", "their_next")

    def __init__(self, boot: bytes) -> None:
        self.boot = boot
        self.their_boot = NO_BOOT
        self.their_next = 0
        self._ahead: dict[int, tuple[int, bytes]] = {}
        self._outbox: deque[tuple[int, bytes]] = deque()
        self._first = 0  # number of the first post in the outbox
        self._sent = 0

    def add(self, kind: int, body: bytes) -> None:
        """Queue a post.

        Raises:
            LocalError: its kind is not one byte, it is too long, or too many wait already.
        """
        if not 0 <= kind <= 255 or len(body) > limits.POST_BYTES_MAX:
            raise LocalError("That message is too long.")
        if len(self._outbox) >= limits.POSTS_WAITING_MAX:
            raise LocalError("Too many messages wait for the other side already.")
        self._outbox.append((kind, body))

    def arrive(self, post: Post) -> list[PostArrived]:
        """Take in a post of the peer and return what is now due, in order."""
        if post.boot != self.their_boot:
            self.their_boot, self.their_next, self._ahead = post.boot, post.first, {}
        if post.first > self.their_next:  # the rest was acknowledged by the process that we were before
            self.their_next = post.first
            self._ahead = {n: early for n, early in self._ahead.items() if n >= post.first}
        if 0 <= post.n - self.their_next <= limits.POSTS_AHEAD_MAX:
            self._ahead.setdefault(post.n, (post.kind, post.body))
        arrived = []
        while self.their_next in self._ahead:
            arrived.append(PostArrived(*self._ahead.pop(self.their_next)))
            self.their_next += 1
        return arrived

    def peer_has(self, boot: bytes, n: int) -> bool:
        """Take in that the peer has all posts of `boot` below `n`; return whether this is progress."""
        if boot != self.boot or not self._first < n <= self._first + len(self._outbox):
            return False
        while self._first < n:
            self._outbox.popleft()
            self._first += 1
        self._sent = max(self._sent, n)
        return True

    @property
    def settled(self) -> bool:
        """Whether the peer has all our posts."""
        return not self._outbox

    def rewind(self) -> None:
        """Send everything unacknowledged again."""
        self._sent = self._first

    def take_flight(self) -> list[Post]:
        """The posts to send now."""
        end = min(len(self._outbox), limits.FLIGHT_MAX) + self._first
        flight = [Post(self.boot, self._first, n, *self._outbox[n - self._first]) for n in range(self._sent, end)]
        self._sent = max(self._sent, end)
        return flight
