"""What is said for a while below the table: chat, news, refusals, troubles.

It owns which events say something there and for how long; the picture of the table tells the rest.
"""

from __future__ import annotations

from math import inf
from typing import Final, assert_never

from p2pdurak.events import (
    Advice,
    Again,
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
from p2pdurak.rules.actions import Deny, Show
from p2pdurak.ui.draw.screen import Notice, Tone
from p2pdurak.ui.endings import BREAKS
from p2pdurak.ui.live.story import plate
from p2pdurak.ui.live.table_state import STYLE, TableState
from p2pdurak.ui.live.timing import Board, Topic
from p2pdurak.ui.prompts import move_text
from p2pdurak.ui.scene import safe, sentence
from p2pdurak.ui.words import describe

CHAT_S: Final = 15.0
HINT_S: Final = 15.0
NEWS_S: Final = 8.0
REASON_S: Final = 5.0
"""How long chat, a hint, news and the reason of a refusal can be read, where nothing ends them."""

LOW_S: Final = 5
"""So little time on the own clock is worth a word."""

_Quiet = Broker | Code | WrongTry | Offer | Turn | Bout
"""The lobby is over before there is a table, and the others change its picture."""


class News:
    """The sentences of one seat; `table` must have followed an event before it is taken here.

    Attributes:
        opening: who attacks first and why, until somebody has moved.
    """

    def __init__(self, table: TableState) -> None:
        self.board = Board()
        self.opening: Notice | None = None
        self._table = table
        self._shuffled: list[str] = []
        self._missed = False  # the line was last told to be bad

    def take(self, event: Event, now: float) -> None:
        """Say what an event brings that the table does not show."""
        match event:
            case Said(seat=seat, text=text):
                self._post(f"{plate(self._table.scene, seat)}: {safe(text)}", now, CHAT_S, Tone.CHAT)
            case Refused(reason=reason):
                self.refuse(safe(reason), now)
            case Trouble():
                self.board.drop(*Topic)
                # What breaks the game has a panel, where all of it can be read.
                brief = f"{BREAKS[event.kind]}." if event.kind in BREAKS else self._sentence(event)
                self._post(brief, now, inf, Tone.ALARM, Topic.TROUBLE)
            case Shuffling(who=who, proofs=proofs):
                self._shuffling(who, proofs, now)
            case Dealt():
                self.opening = None
                self.board.drop(Topic.STEP, Topic.STAGE, Topic.TROUBLE)
            case Opener():
                self.opening = Notice(self._sentence(event))
            case Moved():
                self._moved(event, now)
            case Result():
                self.opening = None
                self.board.drop(Topic.STEP)  # what was said of a stage may be why the game ended so
            case LinkState():
                self._line(event, now)
            case _:
                self._brief(event, now)

    def _brief(self, event: Advice | Waiting | Late | Again | Drew | Peer | Knock | _Quiet, now: float) -> None:
        match event:
            case Advice():
                self._post(self._sentence(event), now, HINT_S, Tone.MINE, Topic.STEP)
            case Waiting():
                self.board.drop(Topic.STAGE)
                lasts = self._table.ended or self._table.view is None
                self._post(self._sentence(event), now, inf if lasts else NEWS_S, topic=Topic.STAGE)
            case Again():
                self._post(self._sentence(event), now, NEWS_S, topic=Topic.STAGE)  # the panel says it for good
            case Late(claimable=claimable):
                if not claimable:  # else there is a panel
                    self._post(self._sentence(event), now, NEWS_S, Tone.ALARM, Topic.STEP)
            case Drew() | Peer() | Knock():
                self._post(self._sentence(event), now, REASON_S, topic=Topic.STEP)
            case Broker() | Code() | WrongTry() | Offer() | Turn() | Bout():
                pass
            case _:
                assert_never(event)

    def _line(self, link: LinkState, now: float) -> None:
        """That the line is there where nobody has missed it is no news."""
        self.board.drop(Topic.LINE)
        if link.state is Link.UP and self._missed:
            self._post(self._sentence(link), now, REASON_S, Tone.GOOD, Topic.LINE)
        self._missed = link.state is not Link.UP

    def _moved(self, moved: Moved, now: float) -> None:
        if isinstance(moved.action, Show | Deny):
            return  # the programs did that
        self.opening = None
        self.board.drop(Topic.STEP)
        if moved.auto and moved.seat == moved.view.seat:
            played = move_text(moved.action, moved.view.state, STYLE)
            self._post(f"The clock played for you: {played}", now, NEWS_S, Tone.ALARM)

    def _shuffling(self, who: str, proofs: int, now: float) -> None:
        if proofs == 1:
            self._shuffled.clear()
        self._shuffled.append(self._table.scene.called(who))
        done = ", ".join(f"{name} ok" for name in self._shuffled)
        self.board.drop(Topic.STAGE)
        self._post(f"Shuffling: {done}, proofs {proofs}/2", now, inf, topic=Topic.STAGE)

    def refuse(self, reason: str, now: float) -> None:
        """Say why something cannot be done."""
        self._post(sentence(reason), now, REASON_S, topic=Topic.STEP)

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

    def elsewhere(self, event: Event) -> str:
        """What an event is worth to a player who looks at something else; mostly nothing."""
        match event:
            case Said(seat=seat, text=text):
                return f"{plate(self._table.scene, seat)}: {safe(text)}"
            case Again() | Trouble() | Waiting() | Result():
                return self._sentence(event)
            case _:
                return ""

    def _post(self, text: str, now: float, for_s: float, tone: Tone = Tone.PLAIN, topic: Topic = Topic.NEWS) -> None:
        if text:
            self.board.post(Notice(text, tone), now, for_s, topic)

    def _sentence(self, event: Event) -> str:
        return next(iter(describe(event, self._table.scene, STYLE)), "")
