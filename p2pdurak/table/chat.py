"""Chat between the two players: cleaned, cut and rationed both ways.

It owns what may be said how often; it does not know how a line travels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fairdeck.channel import Channel
from fairdeck.limits import CHAT_BYTES_MAX
from p2pdurak.events import Event, Refused, Said
from p2pdurak.rules.state import Seat
from p2pdurak.safe_text import clean_chat
from p2pdurak.table.chair import PostKind

CHATS_PER_S: Final = 2.0
"""More than anybody types; of a peer that floods, twice as many are shown."""

CHATS_WAITING_MAX: Final = 64
"""Lines of ours that the other side has not taken yet: what ends a game must still find room behind them."""


class Chat:
    """The talk at one table."""

    def __init__(self, channel: Channel, seat: Seat, show: Callable[[Event], None]) -> None:
        """Talk from `seat` over `channel`; lines of both sides go to `show`."""
        self._channel = channel
        self._seat = seat
        self._show = show
        self._said = Ration(CHATS_PER_S)
        self._heard = Ration(2 * CHATS_PER_S)
        self._waiting = 0

    def settled(self) -> None:
        """The other side has everything that we have sent."""
        self._waiting = 0

    def say(self, text: str, peer: str, now: float) -> None:
        """Send a line, or refuse it with a sentence.

        Args:
            text: as typed.
            peer: the other player's name; empty while nobody is there.
            now: seconds.
        """
        line = clean_chat(text)
        if not peer or not line:
            self._show(Refused("chat", "There is nobody to talk to yet." if line else "There is nothing to say."))
        elif not self._said.take(now):
            self._show(Refused("chat", "Two lines a second are enough."))
        elif self._waiting >= CHATS_WAITING_MAX:
            self._show(Refused("chat", "Your friend is away and has a lot to read already."))
        else:
            self._waiting += 1
            body = line.encode("utf-8")[:CHAT_BYTES_MAX].decode("utf-8", "ignore")
            self._channel.post(PostKind.CHAT, body.encode("utf-8"), now)
            self._show(Said(self._seat, clean_chat(body)))

    def hear(self, body: bytes, now: float) -> None:
        """Show a line of the other side, unless it is empty or one too many."""
        text = clean_chat(body[:CHAT_BYTES_MAX].decode("utf-8", "replace"))
        if text and self._heard.take(now):
            self._show(Said(1 - self._seat, text))


class Ration:
    """So many lines a second, with a short burst; the rest is dropped."""

    def __init__(self, per_s: float) -> None:
        self._per_s = per_s
        self._left = 2 * per_s
        self._at = 0.0

    def take(self, now: float) -> bool:
        """Whether one more may pass now."""
        passed, self._at = now - self._at, now
        self._left = min(2 * self._per_s, self._left + self._per_s * passed)
        if self._left < 1:
            return False
        self._left -= 1
        return True
