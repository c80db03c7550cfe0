"""The handshake of the sealed channel: which epoch is in use, and how a new one is agreed.

It owns our offer, the open epochs, and which HELLO is answered and repeated when.
It does not know records, posts, or what a sealed message says.

How an epoch comes about. A HELLO carries the sender's nonce, an echo of the other's nonce, and an X25519 key.

    1. Each seat has at most one offer: a fresh nonce and key. `connect` and answers show it; opening an epoch ends it.
    2. A HELLO whose echo is my offer's nonce opens an epoch (my nonce, its nonce) as `pending`; the offer is gone.
    3. `pending` gets nothing but SYNC until a packet of the peer in it is authentic. Then it becomes `current`, the
       old `current` and its keys are dropped, and the peer's nonce is spent: no HELLO with it is heard again.
    4. Any other HELLO gets a HELLO back that echoes it: the one of `pending` if it is about `pending`, else our offer.
    5. `connect` and `pending` repeat their HELLO, and a missing SYNC is asked for, with doubling gaps until done.

No key is used twice with a counter. A sending key hangs on my nonce (32 fresh bytes), on X25519 with my fresh key,
and on my direction's label. By 2 an offer makes at most one epoch, whatever is replayed to me, and an epoch counts up
from 0 in memory only. A new process draws a new nonce. So no two sending states share a key or repeat a counter.

A replay cannot open an epoch. It would have to echo my present offer, and only the peer, after seeing the offer, makes
such a HELLO. A replayed or delayed HELLO gets at most an answer, which leads both living sides to one more new epoch.

It converges. Both sides open the epochs they share in the same order: to open (s1, p1) before (s2, p2) here and after
it there, s2 must be drawn after s1 is used up, so after p1 was drawn, so after p2 was used up, so after s2 was drawn.
Each side keeps its newest pending epoch. So at any time both hold a common epoch, or one side repeats the HELLO of a
pending or wanted epoch that the other lacks; its nonce cannot be spent there, so it is heard. It matches, or is
answered with a HELLO whose nonce is standing or pending, and so on: after at most three answers one side holds a
standing offer that the other echoes, because an offer stays until it is used. Lost packets only delay that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from fairdeck import limits
from fairdeck.sealing import (
    NO_NONCE,
    Epoch,
    Hello,
    Offer,
    SessionKeys,
    StrayPacketError,
    decode_hello,
    encode_hello,
    epoch_of,
)

ANSWERS_BURST: Final = 4
"""HELLOs answered at once while the line works: a peer that starts again needs two."""

ANSWERS_PER_S: Final = 1.0
"""Answers after that. Each one may renew the epoch, so a stranger who replays HELLOs can slow the game only so far."""

QUIET_HEARTBEATS: Final = 2
"""After so many heartbeats without a sound the line is dead, and the peer's HELLO must not wait behind replays."""


@dataclass(frozen=True, slots=True)
class Timers:
    """The waiting times of a channel, in seconds: first and longest gap between repeats, and the heartbeat."""

    resend_first_s: float = 0.25
    resend_last_s: float = 4.0
    heartbeat_s: float = 3.0


class Backoff:
    """A repeat with doubling gaps.

    Attributes:
        due_s: when it is next due; None while there is nothing to repeat.
    """

    __slots__ = ("_gap_s", "_timers", "due_s")

    def __init__(self, timers: Timers) -> None:
        self._timers = timers
        self._gap_s = timers.resend_first_s
        self.due_s: float | None = None

    def start(self, now: float, first_s: float = 0.0) -> None:
        """Begin anew, with the shortest gap, or with `first_s` if that is longer."""
        self._gap_s = min(max(self._timers.resend_first_s, first_s), self._timers.resend_last_s)
        self.due_s = now + self._gap_s

    def stop(self) -> None:
        """There is nothing to repeat any more."""
        self.due_s = None

    def strikes(self, now: float) -> bool:
        """Whether it is time to repeat; if so the next gap is twice as long."""
        if self.due_s is None or now < self.due_s:
            return False
        self._gap_s = min(2 * self._gap_s, self._timers.resend_last_s)
        self.due_s = now + self._gap_s
        return True


class Epochs:
    """All epochs of one seat, and the HELLOs that make them.

    Attributes:
        current: the epoch in which the peer was heard last; all but SYNC is sent in it.
        pending: an epoch that is open here and in which the peer was not heard yet.
        opened: how many epochs became current so far.
        last_heard: when the peer was last heard, in seconds.
        hellos: packets to send, at most one of each content.
    """

    def __init__(self, keys: SessionKeys, seat: int, rng: Callable[[int], bytes], timers: Timers) -> None:
        self.current: Epoch | None = None
        self.pending: Epoch | None = None
        self.opened = 0
        self.last_heard: float | None = None
        self.hellos: list[bytes] = []
        self._keys, self._seat, self._rng, self._timers = keys, seat, rng, timers
        self._offer: Offer | None = None
        self._connecting = False
        self._their_nonce = NO_NONCE  # the newest that may still be wanted: what our HELLO echoes
        self._repeat = Backoff(timers)
        self._answers = _Answers(timers)

    def connect(self, now: float) -> None:
        """Offer an epoch to the peer, and go on until one is agreed."""
        self._connecting = True
        self._say_offer(self._their_nonce)
        self._repeat.start(now)

    def hear_hello(self, packet: bytes, now: float) -> None:
        """Take in a HELLO: open an epoch, or answer, or neither.

        Raises:
            StrayPacketError: it is not the peer's, or its nonce has served already.
            Malformed: it is the peer's, and its key is of low order.
        """
        hello = decode_hello(self._keys, 1 - self._seat, packet)
        if self._answers.spent(hello.nonce):
            raise StrayPacketError
        self._their_nonce = hello.nonce
        if self._offer is not None and hello.echo == self._offer.nonce:
            self.pending = Epoch(self._keys, self._seat, self._offer, hello)
            self._offer = None
            self._say_pending(self.pending)
            self._repeat.start(now)
        elif self._answers.allow(hello.nonce, now, alive=self._alive(now)):
            if self.pending is not None and hello.nonce == self.pending.theirs:
                self._say_pending(self.pending)
            else:
                self._say_offer(hello.nonce)

    def open(self, packet: bytes, now: float) -> tuple[Epoch, bytes, bool]:
        """Decrypt a sealed packet.

        Returns:
            Its epoch, its padded message, and whether this very packet made the epoch the current one.

        Raises:
            StrayPacketError: it is of no open epoch, or not authentic, or not new.
        """
        ident = epoch_of(packet)
        for epoch in (self.current, self.pending):
            if epoch is not None and epoch.ident == ident:
                message = epoch.open(packet)
                self.last_heard = now
                fresh = epoch is self.pending
                if fresh:
                    self._confirm(epoch)
                return epoch, message, fresh
        raise StrayPacketError

    def _confirm(self, epoch: Epoch) -> None:
        self.current, self.pending = epoch, None
        self.opened += 1
        self._connecting = False
        self._answers.spend(epoch.theirs)
        if self._their_nonce == epoch.theirs:
            self._their_nonce = NO_NONCE

    def tick(self, now: float) -> None:
        """Repeat what was not answered in time."""
        if not self._repeat.strikes(now):
            return
        if self.pending is not None:
            self._say_pending(self.pending)
            self.pending.sync_due = True
        elif self._connecting:
            self._say_offer(self._their_nonce)
        if self.current is not None and not self.current.synced:
            self.current.sync_due = True

    def next_deadline(self) -> float | None:
        """When `tick` has something to do next."""
        return self._repeat.due_s if self._unfinished() else None

    def _unfinished(self) -> bool:
        lacks_sync = self.current is not None and not self.current.synced
        return self._connecting or self.pending is not None or lacks_sync

    def _alive(self, now: float) -> bool:
        quiet_s = QUIET_HEARTBEATS * self._timers.heartbeat_s
        return self.current is not None and self.last_heard is not None and now - self.last_heard < quiet_s

    def _say_offer(self, echo: bytes) -> None:
        if self._offer is None:
            self._offer = Offer(self._rng(32), X25519PrivateKey.from_private_bytes(self._rng(32)))
        self._say(Hello(self._offer.nonce, echo, self._offer.public))

    def _say_pending(self, epoch: Epoch) -> None:
        self._say(Hello(epoch.mine, epoch.theirs, epoch.public))

    def _say(self, hello: Hello) -> None:
        packet = encode_hello(self._keys, self._seat, hello)
        if packet not in self.hellos and len(self.hellos) < limits.HELLOS_WAITING_MAX:
            self.hellos.append(packet)


class _Answers:
    """Which HELLO of the peer may be answered now: each nonce with doubling gaps, and few in all on a live line."""

    def __init__(self, timers: Timers) -> None:
        self._timers = timers
        self._nonces: dict[bytes, tuple[float, float]] = {}  # nonce: not before this time, next gap; oldest first
        self._credit = float(ANSWERS_BURST)
        self._credited_s = -inf

    def spent(self, nonce: bytes) -> bool:
        return self._nonces.get(nonce, (-inf, 0.0))[0] == inf

    def spend(self, nonce: bytes) -> None:
        self._keep(nonce, inf, inf)

    def allow(self, nonce: bytes, now: float, *, alive: bool) -> bool:
        not_before_s, gap_s = self._nonces.get(nonce, (-inf, self._timers.resend_first_s))
        if now < not_before_s or (alive and not self._pay(now)):
            return False
        self._keep(nonce, now + gap_s, min(2 * gap_s, self._timers.resend_last_s))
        return True

    def _pay(self, now: float) -> bool:
        self._credit = min(float(ANSWERS_BURST), self._credit + (now - self._credited_s) * ANSWERS_PER_S)
        self._credited_s = now
        if self._credit < 1:
            return False
        self._credit -= 1
        return True

    def _keep(self, nonce: bytes, not_before_s: float, gap_s: float) -> None:
        self._nonces.pop(nonce, None)
        self._nonces[nonce] = (not_before_s, gap_s)
        if len(self._nonces) > limits.NONCES_KEPT:
            del self._nonces[next(iter(self._nonces))]
