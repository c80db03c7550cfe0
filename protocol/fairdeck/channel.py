"""The sealed channel between two seats: records and posts, in order and once, over a line that may do anything.

It owns when something is sent, repeated and acknowledged, and what the peer is known to have.
It does not know what a record or a post means, nor sockets, files or clocks: bytes and seconds are handed in.

The line may lose, double, reorder, delay, replay and invent packets. `sealing` throws away what the peer did not just
make, `epochs` agrees on keys, `streams` puts in order; the chain of records on our disk is the outbox, so that a peer
who lost his is served from ours. The first message of either side in an epoch is SYNC, which says what it has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

from fairdeck import limits
from fairdeck.epochs import Backoff, Epochs, Timers
from fairdeck.errors import LocalError
from fairdeck.packets import (
    BOOT_BYTES,
    Ack,
    Acks,
    Payload,
    Ping,
    Pong,
    Post,
    Record,
    Sync,
    decode_message,
    encode_message,
)
from fairdeck.sealing import HELLO, SEALED, Epoch, StrayPacketError, is_ours, session_keys
from fairdeck.streams import PostArrived, Posts, RecordArrived, Records
from fairdeck.transcript import HASH_BYTES, PREFIX, hash32

__all__ = [
    "Channel",
    "ChannelEvent",
    "Opened",
    "PeerSynced",
    "PostArrived",
    "RecordArrived",
    "Timers",
    "head_hash",
]

DEFAULT_TIMERS: Final = Timers()

NO_HEAD: Final = bytes(HASH_BYTES)
"""The head of an empty chain."""

SMOOTHING: Final = 0.25
"""Weight of a new round trip: after four of them an old figure is mostly forgotten."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Epoch number `epoch` (from 1) is in use: the peer was just heard in it."""

    epoch: int


@dataclass(frozen=True, slots=True)
class PeerSynced:
    """The peer's first message of an epoch: his game, how many of its records are on his disk, their `head_hash`."""

    game: int
    next: int
    head: bytes


ChannelEvent = RecordArrived | PostArrived | Opened | PeerSynced


def head_hash(chain: list[bytes]) -> bytes:
    """What a SYNC says about the last record: 32 bytes, zeros for an empty chain."""
    return hash32("channel head", chain[-1]) if chain else NO_HEAD


class Channel:
    """One seat's end of the line to the other seat.

    After any call ask `packets_to_send()`, and call `tick` at `next_deadline()`. All times are seconds of one monotonic
    clock. A new process makes a new channel with the same secret, opens its game, appends what is on its disk, and
    connects.

    Args:
        secret: 32 bytes known to both seats only.
        seat: 0 the host, 1 the guest.
        rng: gives so many fresh random bytes.
        timers: waiting times.

    Attributes:
        exporter: 32 bytes, whose hash a game's first record binds.
        safety: 22 bits for the safety words.
        inbox: the topic to listen on.
        outbox: the topic to send to.
        rtt_s: smoothed round trip from our pings, or None before the first answer.
        dropped: packets that were not the peer's or not new.

    Raises:
        LocalError: the secret has not 32 bytes, or the seat is neither 0 nor 1.
    """

    def __init__(
        self, secret: bytes, seat: int, rng: Callable[[int], bytes], *, timers: Timers = DEFAULT_TIMERS
    ) -> None:
        if seat not in {0, 1}:
            raise LocalError("A channel has the seats 0 and 1 only.")
        keys = session_keys(secret)
        topics = [f"{PREFIX.decode('ascii')}s/{keys.topic}/{receiver}" for receiver in (0, 1)]
        self.exporter, self.safety = keys.exporter, keys.safety
        self.inbox, self.outbox = topics[seat], topics[1 - seat]
        self.rtt_s: float | None = None
        self.dropped = 0
        self._conversation = keys.conversation
        self._timers = timers
        self._epochs = Epochs(keys, seat, rng, timers)
        self._records = Records()
        self._posts = Posts(rng(BOOT_BYTES))
        self._resend = Backoff(timers)
        self._moved_on: Epoch | None = None  # the newest epoch in which the peer showed that he has left the old one
        self._ready: list[ChannelEvent] = []
        self._ack_due = False
        self._pong_due: int | None = None
        self._ping_due: int | None = None
        self._pings = 0
        self._pinged: dict[int, float] = {}
        self._next_ping_s: float | None = None

    # --- what both sides have -------------------------------------------------------------------------------

    @property
    def last_heard(self) -> float | None:
        """When the last authentic sealed packet came, or None."""
        return self._epochs.last_heard

    @property
    def peer_next(self) -> int:
        """How many records of the current game the peer says are on his disk."""
        return self._records.peer_next

    @property
    def peer_moved_on(self) -> bool:
        """Whether the peer listens in the present epoch only.

        Until then a late packet of an earlier process of ours may still reach him in the epoch before, and `peer_next`
        leave out what it brings. A seat whose file is older than it was signs nothing before.
        """
        return self._moved_on is not None and self._moved_on is self._epochs.current

    @property
    def settled(self) -> bool:
        """Whether the peer has acknowledged every record of the chain and every post of ours."""
        return self._records.settled and self._posts.settled

    # --- our side acts --------------------------------------------------------------------------------------

    def connect(self, now: float) -> None:
        """Ask for a new epoch: at first, and whenever the transport has connected again."""
        self._epochs.connect(now)

    def open_game(self, game: int) -> None:
        """Begin the empty chain of game `game`, from 1.

        Call it when the last game is settled: the old chain can be served no more. Records of the new game that came
        early are handed out by the next `receive`.

        Raises:
            LocalError: the number is not higher than the last one.
        """
        if game <= self._records.game:
            raise LocalError("Games of one line are numbered upwards.")
        self._ready += self._records.open_game(game)
        self._ack_due = True  # the peer, if he waits in this game already, sends at once

    def append(self, record: bytes, now: float) -> None:
        """Take the next record of the chain, which is on our disk now: a peer's is acknowledged, our own is sent.

        Raises:
            LocalError: no game is open, or the record or the game is too long.
        """
        self._ack_due |= self._records.append(record)
        self._watch(now)

    def post(self, kind: int, body: bytes, now: float) -> None:
        """Send a small message: `kind` one byte, `body` at most 2 KiB.

        Raises:
            LocalError: it is too long, or 256 wait for the peer already.
        """
        self._posts.add(kind, body)
        self._watch(now)

    def tick(self, now: float) -> None:
        """Do what is due: repeat what is not acknowledged, send a heartbeat."""
        self._epochs.tick(now)
        if self._resend.strikes(now):
            self._rewind()
        if self._next_ping_s is not None and now >= self._next_ping_s:
            self._next_ping_s = now + self._timers.heartbeat_s
            self._pings += 1
            self._ping_due = self._pings
            self._pinged[self._pings] = now
            self._pinged.pop(self._pings - limits.PINGS_OPEN_MAX, None)

    def next_deadline(self) -> float | None:
        """When `tick` is due, or None while nothing is."""
        due = (self._epochs.next_deadline(), self._resend.due_s, self._next_ping_s)
        return min((at_s for at_s in due if at_s is not None), default=None)

    # --- the peer acts --------------------------------------------------------------------------------------

    def receive(self, packet: bytes, now: float) -> list[ChannelEvent]:
        """Take in one packet from the line.

        Returns:
            What it brought, in order; nothing for a packet that is dropped.

        Raises:
            Malformed: the packet is authentic, and no honest program makes it.
        """
        try:
            events = self._hear(packet, now)
        except StrayPacketError:
            self.dropped += 1
            events = []
        early, self._ready = self._ready, []
        return early + events

    def _hear(self, packet: bytes, now: float) -> list[ChannelEvent]:
        if not is_ours(self._conversation, packet):
            raise StrayPacketError
        if packet[0] == HELLO:
            self._epochs.hear_hello(packet, now)
            return []
        if packet[0] == SEALED:
            return self._hear_sealed(packet, now)
        raise StrayPacketError

    def _hear_sealed(self, packet: bytes, now: float) -> list[ChannelEvent]:
        epoch, message, fresh = self._epochs.open(packet, now)
        acks, payload = decode_message(message)
        events: list[ChannelEvent] = []
        if fresh:
            events.append(Opened(self._epochs.opened))
            self._next_ping_s = self._ping_due = None  # a ping that waits for the SYNC would measure the wait
        if isinstance(payload, Sync):
            events += self._hear_sync(epoch, acks, payload, now)
            if payload.seen:
                self._moved_on = epoch
        elif epoch.synced:  # what overtook its SYNC comes again
            self._moved_on = epoch
            self._hear_acks(acks)
            events += self._hear_payload(payload, now)
        self._watch(now)
        return events

    def _hear_sync(self, epoch: Epoch, acks: Acks, sync: Sync, now: float) -> list[ChannelEvent]:
        if not sync.seen:
            epoch.sync_due = True
        if epoch.synced:
            self._hear_acks(acks)
            return []
        epoch.synced = True
        self._records.peer_has(acks.game, acks.place, anew=True)
        self._posts.peer_has(acks.boot, acks.post)
        self._rewind()
        self._resend.stop()
        self._next_ping_s = now
        return [PeerSynced(acks.game, acks.place, sync.head)]

    def _hear_acks(self, acks: Acks) -> None:
        progress = self._records.peer_has(acks.game, acks.place)
        progress |= self._posts.peer_has(acks.boot, acks.post)
        if progress:
            self._resend.stop()

    def _hear_payload(self, payload: Record | Post | Ack | Ping | Pong, now: float) -> list[ChannelEvent]:
        match payload:
            case Record(game, seq, record):
                self._ack_due |= self._records.has(game, seq)
                return list(self._records.arrive(game, seq, record))
            case Post():
                self._ack_due = True
                return list(self._posts.arrive(payload))
            case Ping(token):
                self._pong_due = token
            case Pong(token):
                self._measure(token, now)
            case Ack():
                pass
            case _:
                assert_never(payload)
        return []

    def _measure(self, token: int, now: float) -> None:
        sent_s = self._pinged.pop(token, None)
        if sent_s is not None:
            trip_s = now - sent_s
            self.rtt_s = trip_s if self.rtt_s is None else self.rtt_s + SMOOTHING * (trip_s - self.rtt_s)

    def _watch(self, now: float) -> None:
        """Keep the clock of unacknowledged records and posts running exactly while there are some to send."""
        epoch = self._epochs.current
        if self.settled or epoch is None or not epoch.synced:
            self._resend.stop()
        elif self._resend.due_s is None:
            self._resend.start(now, 2 * (self.rtt_s or 0.0))  # a far broker's answers take longer than 0.25 s

    def _rewind(self) -> None:
        self._records.rewind()
        self._posts.rewind()

    # --- packets --------------------------------------------------------------------------------------------

    def packets_to_send(self) -> list[bytes]:
        """Take the packets that are to be sent now, in this order, to `outbox`."""
        packets, self._epochs.hellos = self._epochs.hellos, []
        for epoch in (self._epochs.pending, self._epochs.current):
            if epoch is not None and epoch.sync_due:
                epoch.sync_due = False
                packets.append(self._seal(epoch, Sync(head_hash(self._records.chain), epoch.synced)))
        line = self._epochs.current
        if line is not None and line.synced:
            packets += [self._seal(line, payload) for payload in self._take_payloads()]
        return packets

    def _take_payloads(self) -> list[Payload]:
        payloads: list[Payload] = [*self._records.take_flight(), *self._posts.take_flight()]
        if self._pong_due is not None:
            payloads.append(Pong(self._pong_due))
        if self._ping_due is not None:
            payloads.append(Ping(self._ping_due))
        if self._ack_due and not payloads:
            payloads.append(Ack())
        self._pong_due, self._ping_due, self._ack_due = None, None, False
        return payloads

    def _seal(self, epoch: Epoch, payload: Payload) -> bytes:
        records, posts = self._records, self._posts
        acks = Acks(records.game, len(records.chain), posts.their_boot, posts.their_next)
        return epoch.seal(encode_message(acks, payload))
