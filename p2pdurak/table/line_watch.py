"""Watching the line to the other player: up, slow or down; late with his step; gone long enough for a claim.

It owns what was last said about the line, so that nothing is said twice. It sends nothing and decides no game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Final

from fairdeck.channel import Channel
from p2pdurak.events import Event, Late, Link, LinkState, Waiting
from p2pdurak.rules.state import Seat
from p2pdurak.table.clock import DOWN_S, SILENCE_CLAIM_S, SLOW_S, claim_in, late_after

ACK_WAIT_S: Final = DOWN_S
"""Who is heard for so long and still does not say that he has our record is taken to have it: else saying nothing
would stop his clock for good."""

RTT_EVERY_S: Final = 10.0
"""A round trip that has halved or doubled is told again, but no more often than this."""

FRIENDS_BROKER: Final = (
    "The broker at {address}, which runs on your friend's computer if he hosts without --broker, cannot be reached. "
    "Nothing can be claimed while it is away."
)

ASLEEP_S: Final = 5.0
"""Whoever is so much later than he wanted was stopped or asleep: what came meanwhile he has not heard."""

LOOK_EVERY_S: Final = 1.0
"""How often the line is looked at while something about it may change."""


@dataclass(frozen=True, slots=True)
class Owing:
    """The step that the peer owes: the length of the chain before it, and the agreed move timer in seconds."""

    records: int
    timer_s: int


class LineWatch:
    """Tells a listener what changes about the line."""

    def __init__(
        self,
        channel: Channel,
        peer: Seat,
        show: Callable[[Event], None],
        friends_broker: str | None = None,
        *,
        returning: bool = False,
    ) -> None:
        """Watch the line.

        Args:
            channel: what knows when the peer was heard.
            peer: his seat.
            show: takes every event.
            friends_broker: the address of a broker that may be gone together with him; None: of our own choice.
            returning: we come back to him in a new process: he is away until he is heard.
        """
        self.own_up = True
        self.due: float | None = None
        self._channel = channel
        self._peer = peer
        self._show = show
        self._friends_broker = friends_broker
        self._returning = returning
        self._state = Link.UP
        self._told_countdown = False
        self._back_at = -inf
        self._owed_records = -1
        self._asked_at = 0.0
        self._owed_since: float | None = None
        self._told_late = False
        self._told_claim = False
        self._told_rtt_s: float | None = None
        self._told_rtt_at = -inf

    @property
    def claimable(self) -> bool:
        """Whether it was told that the win may be claimed, and that still holds."""
        return self._told_claim

    @property
    def peer_up(self) -> bool:
        """Whether he was just heard, as far as was told."""
        return self._state is Link.UP

    def gone(self, now: float, after_s: float = SILENCE_CLAIM_S) -> bool:
        """Whether he is silent for so long that nobody need wait, while our own link works."""
        return self.own_up and self._silent_s(now) >= after_s

    def own_down(self, attempt: int) -> None:
        """Our own link to the broker is gone; `attempt` counts the tries to return."""
        if self.own_up and self._friends_broker is not None:
            # A broker that goes away with the host looks from here like a link of ours that is lost.
            self._show(Waiting(FRIENDS_BROKER.format(address=self._friends_broker)))
        self.own_up = False
        self._told_claim = False
        self._state = Link.OWN_DOWN
        self._show(LinkState(Link.OWN_DOWN, None, attempt=attempt))

    def own_back(self, now: float) -> None:
        """Our own link works (again): what he sent meanwhile was lost, so all his times begin anew."""
        self.own_up = True
        self._begin_anew(now)

    def notice_sleep(self, due: float | None, now: float) -> None:
        """Whether we were stopped, or our computer slept, longer than until `due`: we gain nothing by it."""
        if due is not None and now >= due + ASLEEP_S:
            self._begin_anew(now)

    def _begin_anew(self, now: float) -> None:
        self._back_at = now
        self._owed_records = -1
        self._told_claim = False

    def claim_in(self, owing: Owing, now: float) -> float:
        """Seconds until the win may be claimed; not above zero if it may be now."""
        self._follow(owing, now)
        return claim_in(self._silent_s(now), self._stalled_s(now), owing.timer_s)

    def look(self, owing: Owing | None, now: float) -> None:
        """Tell what has changed; `owing` is None while the peer owes nothing."""
        unheard = self._channel.last_heard is None
        if not self.own_up or (unheard and (not self._returning or self._back_at == -inf)):
            self.due = None
            return
        if owing is None:
            self._told_claim = False
        silent = self._silent_s(now)
        state = Link.UP if silent < SLOW_S else Link.SLOW if silent < DOWN_S else Link.DOWN
        if unheard:
            state = Link.DOWN
        left = None if owing is None else self.claim_in(owing, now)
        counts = left is not None
        # Whoever counts the seconds on a screen must hear when there is something to count, and when no more.
        recounted = state is not Link.UP and counts is not self._told_countdown
        if state is not self._state:
            self._told_claim = False  # what may be done about it is told again, after the new state
        if state is not self._state or recounted or (state is Link.UP and self._remeasured(now)):
            self._state, self._told_countdown = state, counts
            self._told_rtt_s, self._told_rtt_at = self._channel.rtt_s, now
            rtt = self._channel.rtt_s
            in_s = None if left is None else max(0, round(left))
            self._show(LinkState(state, None if rtt is None else round(1000 * rtt), in_s, round(silent)))
        if owing is not None and left is not None:
            self._tell_late(owing, left, now)
        waits = owing is not None or state is not Link.UP
        self.due = now + LOOK_EVERY_S if waits else now + SLOW_S - silent

    def _remeasured(self, now: float) -> bool:
        """Whether the round trip is known for the first time, or after a while is clearly another."""
        rtt, told = self._channel.rtt_s, self._told_rtt_s
        if rtt is None or told is None:
            return rtt is not None
        return now >= self._told_rtt_at + RTT_EVERY_S and not told / 2 <= rtt <= told * 2

    def _silent_s(self, now: float) -> float:
        heard = self._channel.last_heard
        if heard is None:
            return max(0.0, now - self._back_at) if self._returning and self._back_at > -inf else 0.0
        return now - max(heard, self._back_at)

    def _stalled_s(self, now: float) -> float:
        """Seconds since he said that he has the record that moves him, or since he should have."""
        since = self._asked_at + ACK_WAIT_S if self._owed_since is None else self._owed_since
        return max(0.0, now - since)

    def _follow(self, owing: Owing, now: float) -> None:
        """His time runs from his word that he has the record that moves him."""
        if self._owed_records != owing.records:
            self._owed_records, self._owed_since = owing.records, None
            self._asked_at = now
            self._told_late = self._told_claim = False
        if self._owed_since is None and self._channel.peer_next >= owing.records:
            self._owed_since = now

    def _tell_late(self, owing: Owing, left: float, now: float) -> None:
        stalled = self._stalled_s(now)
        waited = max(stalled, self._silent_s(now))
        late = late_after(owing.timer_s)
        if late is not None and stalled >= late and not self._told_late:
            self._told_late = True
            self._show(Late(self._peer, round(stalled), claimable=False))
        if left > 0:
            self._told_claim = False
        elif not self._told_claim:
            self._told_claim = True
            self._show(Late(self._peer, round(waited), claimable=True))
