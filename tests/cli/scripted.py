"""A person at a terminal who answers from a list.

It owns what was asked and said; what must come of it stands in the tests.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Person:
    """Somebody who types these lines, one an answer, and then closes the terminal."""

    lines: list[str]
    asked: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)

    def ask(self, question: str) -> str | None:
        self.asked.append(question)
        return self.lines.pop(0) if self.lines else None

    def say(self, sentence: str) -> None:
        self.heard.append(sentence)
