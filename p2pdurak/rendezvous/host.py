"""The side of a meeting that shows the code.

It owns the tries: which run is open, how many are left, who was accepted. It does not know how packets travel.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, assert_never

from fairdeck.errors import Malformed, WrongCode
from fairdeck.pake import Pake, PakeKeys, check
from p2pdurak.codes import JoinCode
from p2pdurak.rendezvous.events import CodeExpired, CodeSpent, HostEvent, Met, OtherVersion, StalledTry, WrongTry
from p2pdurak.rendezvous.packets import VERSION, VERSIONS_TOLD_MAX, Kind, Packet, Why, decode_packet, encode_packet

TRIES_MAX: Final = 8
"""Runs that one code grants. A mistyped word or two is human; nine are not."""

RUN_S: Final = 5.0
"""A run needs two round trips; a lost packet costs one of them half a second, then a second more."""

RUN_GAP_S: Final = 1.0
"""At least this long from one run to the next, so that guesses come slowly and cost us little."""

CODE_TTL_S: Final = 600.0
"""Long enough to send the code and have it typed; a forgotten one does not stay open."""


@dataclass(frozen=True, slots=True)
class _Run:
    attempt: bytes
    opening: bytes
    answer: bytes
    keys: PakeKeys = field(repr=False)
    ends_at: float


@dataclass(frozen=True, slots=True)
class _Guest:
    """Who was accepted: his run, his confirmation, and what he is told whenever he sends it."""

    attempt: bytes
    confirm: bytes
    accept: bytes


class HostMeeting:
    """The side that shows the code; it answers packets and never speaks first.

    Call `tick` once at the start, and again at `next_deadline`. After `Met` keep feeding it for as long as the topic is
    subscribed: the guest may not have heard that he was accepted.

    Args:
        code: the code that is shown.
        rng: gives that many random bytes.
        ttl_s: the life of the code in seconds, from the first `tick` or `receive`.

    Attributes:
        dropped: packets that were not for us or could not be read.
    """

    def __init__(self, code: JoinCode, rng: Callable[[int], bytes], ttl_s: float = CODE_TTL_S) -> None:
        self._code = code
        self._rng = rng
        self._ttl_s = ttl_s
        self._expires_at: float | None = None
        self._next_run_at: float | None = None
        self._pake = self._new_pake()
        self._run: _Run | None = None
        self._closed: dict[bytes, bytes] = {}  # attempt -> the wrong confirmation, empty if none came in time
        self._guest: _Guest | None = None
        self._over: Why | None = None
        self._versions: set[int] = set()
        self._events: list[HostEvent] = []
        self._outbox: list[bytes] = []
        self.dropped = 0

    def receive(self, packet: bytes, now: float) -> None:
        """Take in whatever arrived on `to_host`; garbage is dropped and counted."""
        self.tick(now)
        try:
            self._hear(decode_packet(packet), now)
        except Malformed:
            self.dropped += 1

    def tick(self, now: float) -> None:
        """Let time pass: a run or the code may be over."""
        if self._expires_at is None:
            self._expires_at = now + self._ttl_s
        if self._run is not None and now >= self._run.ends_at:
            self._close(self._run, b"")
        if self._over is None and self._run is None and now >= self._expires_at:
            self._over = Why.EXPIRED
            self._events.append(CodeExpired())

    def next_deadline(self) -> float | None:
        """When `tick` has something to do; None before the first one, and when all is over."""
        if self._run is not None:
            return self._run.ends_at
        return None if self._over else self._expires_at

    def packets_to_send(self) -> list[bytes]:
        """Take what is to be published on `to_guest`."""
        packets, self._outbox = self._outbox, []
        return packets

    def events(self) -> list[HostEvent]:
        """Take what happened since the last call."""
        events, self._events = self._events, []
        return events

    def _hear(self, packet: Packet, now: float) -> None:
        if packet.version != VERSION:
            self._hear_other_version(packet)
            return
        match Kind(packet.kind):
            case Kind.OPEN:
                self._hear_open(packet, now)
            case Kind.CONFIRM:
                self._hear_confirm(packet)
            case Kind.ANSWER | Kind.ACCEPT | Kind.WRONG | Kind.BUSY | Kind.GONE:
                self.dropped += 1  # a host's packet, perhaps our own
            case kind:
                assert_never(kind)

    def _hear_other_version(self, packet: Packet) -> None:
        """Answer, so that the other side sees our version and can say so too."""
        if packet.version not in self._versions and len(self._versions) < VERSIONS_TOLD_MAX:
            self._versions.add(packet.version)
            self._events.append(OtherVersion(packet.version))
        if packet.kind == Kind.OPEN:
            self._send_gone(packet.attempt, Why.VERSION)

    def _hear_open(self, packet: Packet, now: float) -> None:
        if self._guest is not None and packet.attempt == self._guest.attempt:
            return  # a late copy: he has our ANSWER, or we would not have his CONFIRM
        if self._run is not None and packet.attempt == self._run.attempt:
            self._answer_again(self._run, packet.payload)
        elif self._over is not None:
            self._send_gone(packet.attempt, self._over)
        elif packet.attempt in self._closed:
            self._send_gone(packet.attempt, Why.LATE)
        elif self._run is not None or (self._next_run_at is not None and now < self._next_run_at):
            self._outbox.append(encode_packet(Kind.BUSY, packet.attempt))
        else:
            self._open_run(packet, now)

    def _answer_again(self, run: _Run, opening: bytes) -> None:
        if opening == run.opening:
            self._outbox.append(run.answer)
        else:
            self.dropped += 1  # a second PAKE message in one run would be a second guess

    def _open_run(self, packet: Packet, now: float) -> None:
        """Open a run; a message that is refused leaves our half of the PAKE unused, and costs next to nothing.

        Raises:
            Malformed: the PAKE message is none.
        """
        keys = self._pake.finish(packet.payload)
        answer = encode_packet(Kind.ANSWER, packet.attempt, self._pake.message)
        self._run = _Run(packet.attempt, packet.payload, answer, keys, now + RUN_S)
        self._next_run_at = now + RUN_GAP_S
        self._pake = self._new_pake()
        self._outbox.append(answer)

    def _hear_confirm(self, packet: Packet) -> None:
        attempt, confirm = packet.attempt, packet.payload
        if self._guest is not None and attempt == self._guest.attempt:
            self._accept_again(self._guest, confirm)
        elif self._run is not None and attempt == self._run.attempt:
            self._judge(self._run, confirm)
        elif self._closed.get(attempt) == confirm:
            self._outbox.append(encode_packet(Kind.WRONG, attempt, confirm))
        elif attempt in self._closed:
            self._send_gone(attempt, self._over or Why.LATE)
        else:
            self.dropped += 1

    def _accept_again(self, guest: _Guest, confirm: bytes) -> None:
        if hmac.compare_digest(guest.confirm, confirm):
            self._outbox.append(guest.accept)
        else:
            self.dropped += 1

    def _judge(self, run: _Run, confirm: bytes) -> None:
        try:
            check(run.keys.confirm_guest, confirm)
        except WrongCode:
            self._close(run, confirm)
            self._outbox.append(encode_packet(Kind.WRONG, run.attempt, confirm))
            return
        accept = encode_packet(Kind.ACCEPT, run.attempt, run.keys.confirm_host)
        self._guest = _Guest(run.attempt, confirm, accept)
        self._run = None
        self._over = Why.TAKEN
        self._outbox.append(accept)
        self._events.append(Met(run.keys.session_secret))

    def _close(self, run: _Run, wrong_confirm: bytes) -> None:
        self._run = None
        self._closed[run.attempt] = wrong_confirm
        left = TRIES_MAX - len(self._closed)
        self._events.append(WrongTry(left) if wrong_confirm else StalledTry(left))
        if not left:
            self._over = Why.SPENT
            self._events.append(CodeSpent())

    def _send_gone(self, attempt: bytes, why: Why) -> None:
        self._outbox.append(encode_packet(Kind.GONE, attempt, bytes([why])))

    def _new_pake(self) -> Pake:
        return Pake("host", self._code.nameplate, self._code.secret, self._rng)
