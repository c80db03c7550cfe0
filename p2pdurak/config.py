"""What the program itself writes into the settings file: the broker that was chosen, and nothing else.

It owns the one change of a file that belongs to the player; it does not know what the value means.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Final

from p2pdurak.files import StoreError, save_over

BROKER_LINE: Final = re.compile(r"^[ \t]*broker[ \t]*=[^\n]*\n?", re.MULTILINE)


def remember_broker(path: Path, value: str) -> None:
    """Set `broker` in the settings file, and leave every other line of it as it is.

    The file is 0600 afterwards, for an address may hold a password; a link to it stays a link.

    Args:
        path: the settings file, which need not exist.
        value: printable text.

    Raises:
        StoreError: it cannot be saved; the sentence gives the line to write by hand.
    """
    line = f"broker = {json.dumps(value, ensure_ascii=False)}\n"  # a JSON string of printable text is a TOML string
    try:
        target = path.resolve()
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = target.read_text("utf-8") if target.exists() else ""
        save_over(target, _with_line(before, line).encode("utf-8"))
    except (OSError, ValueError, StoreError) as error:
        raise StoreError(
            f"The broker cannot be remembered. Write this line at the top of {path}: {line.strip()}"
        ) from error


def _with_line(text: str, line: str) -> str:
    """The settings with this line for the broker, at the top, for further down it might belong to a table.

    Raises:
        ValueError: the settings are no TOML, or the change would touch more than the broker.
    """
    changed = line + BROKER_LINE.sub("", text)
    if tomllib.loads(changed) != tomllib.loads(text) | tomllib.loads(line):
        raise ValueError("a line of another setting looks like that of the broker")
    return changed
