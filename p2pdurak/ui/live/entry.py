"""A line of chat while it is typed.

It owns what editing does to the text; it sends nothing.
"""

from __future__ import annotations

from p2pdurak.safe_text import CHAT_CELLS_MAX, clean


class Entry:
    """The text typed so far, never more than a line of chat may hold."""

    def __init__(self) -> None:
        self.text = ""

    def press(self, key: str) -> None:
        """Edit the line; keys that mean nothing here do nothing."""
        match key:
            case "backspace" | "delete":
                self.text = self.text[:-1]
            case "c-u":
                self.text = ""
            case "c-w":
                self.text = self.text.rstrip()
                self.text = self.text[: self.text.rfind(" ") + 1]
            case "space":
                self.add(" ")
            case _ if len(key) == 1:
                self.add(key)

    def add(self, text: str) -> None:
        """Put text at the end; ends of lines become spaces."""
        self.text = clean(self.text + " ".join(text.splitlines()), CHAT_CELLS_MAX)
