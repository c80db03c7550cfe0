"""The side of a meeting that types the code.

It owns the attempts: what is sent and sent again, and what may be believed. It does not know how packets travel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, assert_never

from fairdeck import errors
from fairdeck.pake import Pake, PakeKeys, check
from p2pdurak.codes import JoinCode
from p2pdurak.rendezvous.events import GuestEvent, HostBusy, HostGone, Met, NobodyThere, OtherVersion, WrongCode
from p2pdurak.rendezvous.packets import (
    ATTEMPT_BYTES,
    VERSION,
    VERSIONS_TOLD_MAX,
    Kind,
    Packet,
    Why,
    decode_packet,
    encode_packet,
)

RESEND_FIRST_S: Final = 0.5
RESEND_MAX_S: Final = 2.0
"""Often enough to meet within a host's run of five seconds, seldom enough to wait all evening."""

NOBODY_AFTER_S: Final = 10.0
"""Of silence, before the guest is told that nobody answers."""

ATTEMPT_S_MIN: Final = 1.0
"""At least this long from one attempt to the next: a forger of GONE shall not make us compute without end."""

DOUBT_S: Final = 1.0
"""A stranger can forge WRONG but not ACCEPT: so long the guest waits for an ACCEPT before he believes a WRONG."""


@dataclass(slots=True)
class _Attempt:
    """One run of the guest: what he sends now and when again, and whether a WRONG is waiting to be believed."""

    id: bytes
    pake: Pake
    packet: bytes
    began_at: float
    next_send_at: float
    resend_s: float = RESEND_FIRST_S
    keys: PakeKeys | None = field(default=None, repr=False)
    wrong_at: float | None = None

    def say(self, packet: bytes, now: float) -> None:
        """Send this from now on."""
        self.packet = packet
        self.next_send_at = now
        self.resend_s = RESEND_FIRST_S


class GuestMeeting:
    """The side that types the code; it repeats its packet until it is answered.

    Call `tick` once at the start, which opens the first attempt, and again at `next_deadline`.

    Args:
        code: the code as parsed.
        rng: gives that many random bytes.

    Attributes:
        dropped: packets that were not for us, for another attempt, or could not be read.
    """

    def __init__(self, code: JoinCode, rng: Callable[[int], bytes]) -> None:
        self._code = code
        self._rng = rng
        self._attempt: _Attempt | None = None
        self._over = False
        self._nobody_at: float | None = None
        self._told: set[GuestEvent] = set()
        self._events: list[GuestEvent] = []
        self._outbox: list[bytes] = []
        self.dropped = 0

    def receive(self, packet: bytes, now: float) -> None:
        """Take in whatever arrived on `to_guest`; garbage is dropped and counted."""
        self.tick(now)
        if self._over or self._attempt is None:
            return
        try:
            self._hear(self._attempt, decode_packet(packet), now)
        except (errors.Malformed, errors.WrongCode):
            self.dropped += 1
        self.tick(now)

    def tick(self, now: float) -> None:
        """Let time pass: a packet is due again, silence has lasted, or a WRONG is to be believed."""
        if self._over:
            return
        attempt = self._attempt
        if attempt is None:
            self._nobody_at = now + NOBODY_AFTER_S
            attempt = self._open(now)
        if attempt.wrong_at is not None and now >= attempt.wrong_at:
            self._end(WrongCode())
            return
        if self._nobody_at is not None and now >= self._nobody_at:
            self._nobody_at = None
            self._events.append(NobodyThere())
        if now >= attempt.next_send_at:
            self._outbox.append(attempt.packet)
            attempt.next_send_at = now + attempt.resend_s
            attempt.resend_s = min(2 * attempt.resend_s, RESEND_MAX_S)

    def next_deadline(self) -> float | None:
        """When `tick` has something to do; None before the first one, and when all is over."""
        if self._over or self._attempt is None:
            return None
        times = (self._attempt.next_send_at, self._attempt.wrong_at, self._nobody_at)
        return min(time for time in times if time is not None)

    def packets_to_send(self) -> list[bytes]:
        """Take what is to be published on `to_host`."""
        packets, self._outbox = self._outbox, []
        return packets

    def events(self) -> list[GuestEvent]:
        """Take what happened since the last call."""
        events, self._events = self._events, []
        return events

    def _open(self, now: float) -> _Attempt:
        pake = Pake("guest", self._code.nameplate, self._code.secret, self._rng)
        name = self._rng(ATTEMPT_BYTES)
        packet = encode_packet(Kind.OPEN, name, pake.message)
        self._attempt = _Attempt(name, pake, packet, began_at=now, next_send_at=now)
        return self._attempt

    def _hear(self, attempt: _Attempt, packet: Packet, now: float) -> None:
        if packet.version != VERSION:
            if sum(isinstance(event, OtherVersion) for event in self._told) < VERSIONS_TOLD_MAX:
                self._tell_once(OtherVersion(packet.version))
            return
        if packet.attempt != attempt.id:
            self.dropped += 1
            return
        match Kind(packet.kind):
            case Kind.ANSWER:
                self._hear_answer(attempt, packet.payload, now)
            case Kind.ACCEPT:
                self._hear_accept(attempt, packet.payload)
            case Kind.WRONG:
                self._hear_wrong(attempt, packet.payload, now)
            case Kind.BUSY:
                self._nobody_at = None
                self._tell_once(HostBusy())
            case Kind.GONE:
                self._hear_gone(attempt, Why(packet.payload[0]), now)
            case Kind.OPEN | Kind.CONFIRM:
                self.dropped += 1  # a guest's packet, perhaps our own
            case kind:
                assert_never(kind)

    def _hear_answer(self, attempt: _Attempt, message: bytes, now: float) -> None:
        """Confirm first; the first answer is kept, whoever gave it.

        Raises:
            Malformed: the PAKE message is none, or our own.
        """
        if attempt.keys is not None:
            return
        attempt.keys = attempt.pake.finish(message)
        self._nobody_at = None
        attempt.say(encode_packet(Kind.CONFIRM, attempt.id, attempt.keys.confirm_guest), now)

    def _hear_accept(self, attempt: _Attempt, confirm: bytes) -> None:
        """Meet, if the proof is right.

        Raises:
            WrongCode: it is not, and no host sends such a one, whatever his code: somebody else did.
        """
        if attempt.keys is None:
            self.dropped += 1
            return
        check(attempt.keys.confirm_host, confirm)
        self._end(Met(attempt.keys.session_secret))

    def _hear_wrong(self, attempt: _Attempt, confirm: bytes, now: float) -> None:
        if attempt.keys is None or confirm != attempt.keys.confirm_guest:
            self.dropped += 1  # a confirmation that somebody else sent for us was refused
        elif attempt.wrong_at is None:
            attempt.wrong_at = now + DOUBT_S

    def _hear_gone(self, attempt: _Attempt, why: Why, now: float) -> None:
        self._nobody_at = None
        if why is Why.LATE:
            if now >= attempt.began_at + ATTEMPT_S_MIN:
                self._open(now)
        elif why is Why.VERSION:
            self.dropped += 1  # a host of our version says this only to others
        else:
            self._tell_once(HostGone(why))

    def _tell_once(self, event: GuestEvent) -> None:
        if event not in self._told:
            self._told.add(event)
            self._events.append(event)

    def _end(self, event: Met | WrongCode) -> None:
        self._over = True
        self._events.append(event)
