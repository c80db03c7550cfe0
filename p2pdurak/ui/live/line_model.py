"""The line to the other player as it looks from second to second, and whether the win may be claimed.

It owns the counting between two events; whether a claim counts is decided at the table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from p2pdurak.events import Dealt, Event, Late, Link, LinkState, Moved, Result, Trouble
from p2pdurak.ui.card_words import CardStyle
from p2pdurak.ui.draw.screen import Line, Notice, Tone
from p2pdurak.ui.live.timing import Countdown, Countup
from p2pdurak.ui.scene import Scene, sentence
from p2pdurak.ui.words import describe

_TONES: Final = {Link.SLOW: Tone.PLAIN, Link.DOWN: Tone.ALARM, Link.OWN_DOWN: Tone.ALARM}


class LineModel:
    """What was last told about the line, and when.

    Attributes:
        claimable: the win may be claimed.
        stalled: he could be heard when that was told, and only does not move.
    """

    def __init__(self) -> None:
        self.claimable = False
        self.stalled = False
        self._link = LinkState(Link.UP, None)
        self._at = 0.0

    def take(self, event: Event, now: float) -> None:
        """Follow what is told."""
        match event:
            case LinkState():
                self._take_link(event, now)
            case Late(claimable=True):
                self.claimable, self.stalled = True, self._link.state in {Link.UP, Link.SLOW}
            case Dealt() | Moved() | Result() | Trouble():
                self.claimable = False
            case _:
                pass

    def _take_link(self, link: LinkState, now: float) -> None:
        last_rtt = self._link.rtt_ms
        self._link = link if link.rtt_ms is not None else replace(link, rtt_ms=last_rtt)
        self._at = now
        match link.state:
            case Link.DOWN if link.claim_in_s is not None and link.claim_in_s <= 0:
                self.claimable, self.stalled = True, False
            case Link.OWN_DOWN:
                self.claimable = False
            case _:
                # Who returns is not gone any more; that he does not move is not mended by being heard.
                self.claimable = self.claimable and self.stalled

    @property
    def down(self) -> bool:
        """Whether the other player cannot be heard."""
        return self._link.state is Link.DOWN

    def line(self, now: float) -> Line:
        """The line as it is now."""
        link = self._link
        return Line(link.state, link.rtt_ms, self._seconds(now), link.attempt)

    def notice(self, scene: Scene, now: float) -> Notice | None:
        """What is to be said while the line is not as it should be."""
        if self.claimable:
            return Notice(sentence(f"{scene.peer()} {'does not move' if self.stalled else 'is gone'}"), Tone.ALARM)
        tone = _TONES.get(self._link.state)
        if tone is None:
            return None
        seconds = self._seconds(now)
        counted = replace(
            self._link,
            silent_s=self._silent.passed(now),
            claim_in_s=None if seconds is None else max(1, seconds),  # that it may be claimed is told by an event
        )
        return Notice(describe(counted, scene, CardStyle())[0], tone)

    def due(self, now: float) -> float | None:
        """Seconds until a number changes."""
        match self._link.state:
            case Link.SLOW:
                return self._silent.due(now)
            case Link.DOWN if self._claim is not None:
                return self._claim.due(now)
            case _:
                return None

    @property
    def _silent(self) -> Countup:
        return Countup(self._link.silent_s, self._at)

    @property
    def _claim(self) -> Countdown | None:
        return None if self._link.claim_in_s is None else Countdown(self._link.claim_in_s, self._at)

    def _seconds(self, now: float) -> int | None:
        match self._link.state:
            case Link.SLOW:
                return self._silent.passed(now)
            case Link.DOWN if self._claim is not None:
                return self._claim.left(now)
            case _:
                return None
