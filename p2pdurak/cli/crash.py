"""What is left of a fault of ours: a file with the traceback, and a sentence that names it.

It owns the form of both; it does not know what was going on.
"""

from __future__ import annotations

import os
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def crash(folder: Path, error: BaseException) -> str:
    """Write a traceback where it can be found.

    Args:
        folder: where to.
        error: what went wrong.

    Returns:
        A sentence that names the file.
    """
    where = _write(folder, "".join(traceback.format_exception(error)))
    return f"The program has a fault and had to stop. What was played is saved; what went wrong is in {where}."


def note_fault(folder: Path, context: dict[str, Any]) -> None:
    """Keep what asyncio would print over the game: a fault in a task of a library that nobody waits for."""
    error = context.get("exception")
    text = "".join(traceback.format_exception(error)) if isinstance(error, BaseException) else ""
    _write(folder, f"{context.get('message')}\n{text}")


def _write(folder: Path, text: str) -> str:
    path = folder / f"crash-{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    with suppress(OSError):
        fd = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        with os.fdopen(fd, "a", encoding="utf-8") as file:
            file.write(text)
        return str(path)
    return "no file, for none could be written"
