"""What is said for a while below the table: chat, news, refusals, troubles.

It owns which events say something there and for how long; the picture of the table tells the rest.
"""

from __future__ import annotations

from math import inf
from typing import Final, assert_never

from p2pdurak.events import (
    Bout,
    Broker,
    Code,
    Dealt,
    Drew,
    Event,
    Knock,
    Late,
    Link,
    LinkState,
    Moved,
    Offer,
    Opener,
    Peer,
    Refused,
    Result,
    Said,
    Shuffling,
    Trouble,
    Turn,
    Waiting,
    WrongTry,
)
from p2pdurak.ui.draw.screen import Notice, Tone
from p2pdurak.ui.live.story import plate
from p2pdurak.ui.live.table_state import STYLE, TableState
from p2pdurak.ui.live.timing import Board
from p2pdurak.ui.prompts import move_text
from p2pdurak.ui.scene import safe
from p2pdurak.ui.words import describe

CHAT_S: Final = 15.0
NEWS_S: Final = 8.0
REASON_S: Final = 5.0
"""How long chat, news and the reason of a refusal can be read."""

LOW_S: Final = 5
"""So little time on the own clock is worth a word."""

_Quiet = Broker | Code | WrongTry | Offer | Turn | Bout | Result
"""The lobby is over before there is a table, and the others change its picture."""


class News:
    """The sentences of one seat; `table` must have followed an event before it is taken here."""

    def __init__(self, table: TableState) -> None:
        self.board = Board()
        self._table = table
        self._shuffled: list[str] = []

    def take(self, event: Event, now: float) -> None:
        """Say what an event brings that the table does not show."""
        match event:
            case Said(seat=seat, text=text):
                self._post(f"{plate(self._table.scene, seat)}: {safe(text)}", now, CHAT_S, Tone.CHAT)
            case Refused(reason=reason):
                self.refuse(safe(reason), now)
            case Trouble():
                self.board.wipe()
                self._post(self._sentence(event), now, inf, Tone.ALARM)
            case Shuffling(who=who, proofs=proofs):
                self._shuffling(who, proofs, now)
            case Dealt():
                self.board.wipe()
            case Moved():
                self._moved(event, now)
            case _:
                self._brief(event, now)

    def _brief(self, event: Waiting | Late | Opener | Drew | Peer | Knock | LinkState | _Quiet, now: float) -> None:
        match event:
            case Waiting():
                lasts = self._table.ended or self._table.view is None
                self._post(self._sentence(event), now, inf if lasts else NEWS_S)
            case Late(claimable=claimable):
                if not claimable:  # else there is a panel
                    self._post(self._sentence(event), now, NEWS_S, Tone.ALARM)
            case LinkState(state=state):
                if state is Link.UP:
                    self._post(self._sentence(event), now, REASON_S, Tone.GOOD)
            case Opener() | Drew() | Peer() | Knock():
                self._post(self._sentence(event), now, REASON_S)
            case Broker() | Code() | WrongTry() | Offer() | Turn() | Bout() | Result():
                pass
            case _:
                assert_never(event)

    def _moved(self, moved: Moved, now: float) -> None:
        if moved.auto and moved.seat == moved.view.seat:
            played = move_text(moved.action, moved.view.state, STYLE)
            self._post(f"The clock played for you: {played}", now, NEWS_S, Tone.ALARM)

    def _shuffling(self, who: str, proofs: int, now: float) -> None:
        if proofs == 1:
            self._shuffled.clear()
        self._shuffled.append(safe(who))
        done = ", ".join(f"{name} ok" for name in self._shuffled)
        self.board.wipe()
        self._post(f"Shuffling: {done}, proofs {proofs}/2", now, inf)

    def refuse(self, reason: str, now: float) -> None:
        """Say why something cannot be done."""
        self._post(reason, now, REASON_S)

    def notice(self, now: float) -> Notice | None:
        """What is to be read now."""
        return self.board.notice(now) or self._low_clock(now)

    def _low_clock(self, now: float) -> Notice | None:
        """Say what the clock will play, unless it is what has to be played anyway."""
        view, clock = self._table.view, self._table.clock(now)
        if view is None or clock is None or clock.left_s > LOW_S or not self._table.choosing or view.forced_done:
            return None
        move = move_text(view.timeout_action(), view.state, STYLE)
        return Notice(f"{clock.left_s} s left; then the clock plays for you: {move}", Tone.ALARM)

    def _post(self, sentence: str, now: float, for_s: float, tone: Tone = Tone.PLAIN) -> None:
        if sentence:
            self.board.post(Notice(sentence, tone), now, for_s)

    def _sentence(self, event: Event) -> str:
        return next(iter(describe(event, self._table.scene, STYLE)), "")
