"""What one check found.

It owns the form of a finding; it does not know what was checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

Figure = str | int | float | bool | None | list[str] | list[int]


class Outcome(StrEnum):
    """How a check ended: a game works, it works with a drawback, or it does not work."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


class Area(StrEnum):
    """What a failed check says is broken, which decides the exit code of `doctor`."""

    PROGRAM = "program"
    SETTINGS = "settings"
    BROKER = "broker"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: a line of the report.

    Attributes:
        check: its name, the same in every version.
        outcome: how it ended.
        message: a sentence.
        advice: what to do, as a sentence; empty where there is nothing to be done.
        area: what is broken if it failed.
        broker: whose check it was, without a password; None where it is about no broker.
        figures: what was measured, by name; times in milliseconds, sizes in bytes.
    """

    check: str
    outcome: Outcome
    message: str
    advice: str = ""
    area: Area = Area.PROGRAM
    broker: str | None = None
    figures: Mapping[str, Figure] = field(default_factory=dict)
