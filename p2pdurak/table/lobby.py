"""Before the match: showing a code and waiting, or typing one and being let in.

It owns what a player is told while two programs find each other. How they do is `rendezvous`; it knows no transport.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Final

from p2pdurak.codes import JoinCode, new_code
from p2pdurak.events import Code, Event, Trouble, Waiting, WrongTry
from p2pdurak.rendezvous import GuestMeeting, HostMeeting, events, topics
from p2pdurak.rendezvous.packets import VERSION

GONE_WAIT_S: Final = 2.0
"""Anybody can say that the table is taken; so long a guest goes on trying before he believes it."""


LOOKING: Final = "Looking for your friend. Ctrl-C ends it."
BACK: Final = "The broker is back."


class OpenDoor:
    """No lobby at all: both players sit in one program, and share a secret of 32 bytes from the beginning."""

    topics: Sequence[str] = ()
    closed = True

    def __init__(self, secret: bytes) -> None:
        self.secret = secret

    def up(self, now: float) -> None:
        """Nobody is waited for."""

    def down(self, attempt: int) -> None:
        """Nobody is waited for."""

    def receive(self, payload: bytes, now: float) -> None:
        """Nobody is waited for."""

    def tick(self, now: float) -> None:
        """Nobody is waited for."""

    def packets(self) -> list[tuple[str, bytes]]:
        """Nothing to say."""
        return []

    def next_deadline(self) -> float | None:
        """Nothing is due."""


class HostLobby:
    """The host's side: shows a code, and a fresh one when it is used up. Over when a friend with the code is here."""

    def __init__(
        self,
        rng: Callable[[int], bytes],
        show: Callable[[Event], None],
        address: str | None,
        program: str,
        ttl_s: float,
    ) -> None:
        """Make the first code.

        Args:
            rng: gives fresh random bytes.
            show: takes every event.
            address: what the friend needs to reach the broker; None if his own setting will do.
            program: how the friend starts the program.
            ttl_s: the life of a code, in seconds.
        """
        self.secret: bytes | None = None
        self._rng = rng
        self._show = show
        self._address = address
        self._program = program
        self._ttl_s = ttl_s
        self._shown = False
        self._away = False
        self._last_words: list[tuple[str, bytes]] = []
        self._new_code()

    def _new_code(self) -> None:
        self.code = new_code(self._rng, self._address)
        self._meeting = HostMeeting(self.code, self._rng, self._ttl_s)
        self._topics = topics(self.code.nameplate)
        self._shown = False

    @property
    def topics(self) -> Sequence[str]:
        """Where guests speak to us."""
        return (self._topics.to_host,)

    @property
    def closed(self) -> bool:
        """Whether a friend with the code is here."""
        return self.secret is not None

    def up(self, now: float) -> None:
        """The broker is there: the code can be read out."""
        if self._away:
            self._away = False
            self._show(Waiting(BACK))
        self._tell_code(now)

    def _tell_code(self, now: float) -> None:
        self._meeting.tick(now)
        if not self._shown and not self.closed:
            self._shown = True
            self._show(Code(str(self.code), f"{shlex.quote(self._program)} join {shlex.quote(str(self.code))}"))
            self._show(Waiting("Waiting for your friend. Ctrl-C ends it."))

    def down(self, attempt: int) -> None:
        """The broker is gone for a while."""
        if attempt == 1:
            self._away = True
            self._show(Waiting("The broker is gone; trying to return to it. The code stays good."))

    def receive(self, payload: bytes, now: float) -> None:
        """A packet of somebody who knows at least the nameplate."""
        self._meeting.receive(payload, now)
        self._tell(now)

    def tick(self, now: float) -> None:
        """Let time pass."""
        self._meeting.tick(now)
        self._tell(now)

    def packets(self) -> list[tuple[str, bytes]]:
        """Our answers, first those that were still owed under a code that is used up."""
        last_words, self._last_words = self._last_words, []
        return [*last_words, *((self._topics.to_guest, packet) for packet in self._meeting.packets_to_send())]

    def next_deadline(self) -> float | None:
        """When something is due."""
        return self._meeting.next_deadline()

    def _tell(self, now: float) -> None:
        for event in self._meeting.events():
            match event:
                case events.Met(session_secret):
                    self.secret = session_secret
                case events.WrongTry(left) | events.StalledTry(left):
                    self._show(WrongTry(left))
                case events.CodeSpent() | events.CodeExpired():
                    spent = isinstance(event, events.CodeSpent)
                    self._show(Waiting(events.CODE_SPENT if spent else events.CODE_EXPIRED))
                    # Whoever made the last wrong try learns it too.
                    self._last_words = self.packets()
                    self._new_code()
                    self._tell_code(now)
                case events.OtherVersion(theirs):
                    self._show(Waiting(events.OTHER_VERSION.format(theirs=theirs, ours=VERSION)))


class GuestLobby:
    """The guest's side: tries the code until the host lets him in, refuses it, or the time is up."""

    def __init__(
        self, code: JoinCode, rng: Callable[[int], bytes], show: Callable[[Event], None], timeout_s: float | None
    ) -> None:
        """Take a code.

        Args:
            code: as typed.
            rng: gives fresh random bytes.
            show: takes every event.
            timeout_s: give up after so long without being let in; None: wait.
        """
        self.secret: bytes | None = None
        self.failed = False
        self._meeting = GuestMeeting(code, rng)
        self._topics = topics(code.nameplate)
        self._show = show
        self._timeout_s = timeout_s
        self._ends_at: float | None = None
        self._gone: str | None = None
        self._up = False
        self._away = False

    @property
    def topics(self) -> Sequence[str]:
        """Where the host answers."""
        return (self._topics.to_guest,)

    @property
    def closed(self) -> bool:
        """Whether we are in, or will not be."""
        return self.secret is not None or self.failed

    def up(self, now: float) -> None:
        """The broker is there: knock."""
        if not self._up:
            self._show(Waiting(LOOKING))
        elif self._away:
            self._show(Waiting(BACK))
        self._up, self._away = True, False
        if self._ends_at is None and self._timeout_s is not None:
            self._ends_at = now + self._timeout_s
        self.tick(now)

    def down(self, attempt: int) -> None:
        """The broker is gone for a while."""
        if attempt == 1:
            self._away = True
            self._show(Waiting("The broker is gone; trying to return to it."))

    def receive(self, payload: bytes, now: float) -> None:
        """A packet that may be the host's."""
        self._meeting.receive(payload, now)
        self._tell(now)

    def tick(self, now: float) -> None:
        """Let time pass."""
        if not self._up or self.closed:
            return
        self._meeting.tick(now)
        self._tell(now)
        self._give_up(now)

    def _give_up(self, now: float) -> None:
        """Say that the time is up, unless something else has just ended the waiting."""
        if not self.closed and self._ends_at is not None and now >= self._ends_at:
            self._fail(
                "code", self._gone or "Nobody let you in with this code in time. Ask your friend for a fresh one."
            )

    def packets(self) -> list[tuple[str, bytes]]:
        """What we say to the host."""
        return [(self._topics.to_host, packet) for packet in self._meeting.packets_to_send()]

    def next_deadline(self) -> float | None:
        """When something is due."""
        times = (self._meeting.next_deadline(), None if self.closed else self._ends_at)
        return min((time for time in times if time is not None), default=None)

    def _tell(self, now: float) -> None:
        for event in self._meeting.events():
            match event:
                case events.Met(session_secret):
                    self.secret = session_secret
                case events.WrongCode():
                    self._fail("code", events.WRONG_CODE)
                case events.HostGone(why):
                    self._gone = events.HOST_GONE[why]
                    patience = now + GONE_WAIT_S
                    self._ends_at = patience if self._ends_at is None else min(self._ends_at, patience)
                case events.NobodyThere():
                    self._show(Waiting(events.NOBODY_THERE))
                case events.HostBusy():
                    self._show(Waiting(events.HOST_BUSY))
                case events.OtherVersion(theirs):
                    self._show(Waiting(events.OTHER_VERSION.format(theirs=theirs, ours=VERSION)))

    def _fail(self, kind: str, sentence: str) -> None:
        self.failed = True
        self._show(Trouble(kind, sentence))
