"""A question on the terminal, and one line of answer.

It owns how a line is read before anybody else reads the terminal; it does not know what is asked.
"""

from __future__ import annotations

import os
import signal
import sys


def ask(question: str) -> str | None:
    """Ask, on standard error, and read one line of standard input; None where there is none any more.

    Raises:
        KeyboardInterrupt: Ctrl-C, also where an event loop has taken the signal for itself.
    """
    print(question, end="", file=sys.stderr, flush=True)
    line = None
    try:
        line = read_line()
    finally:
        if line is None:
            print(file=sys.stderr)  # what is said next must not stand behind the question
    return line


def say(sentence: str) -> None:
    """Tell the person at the terminal something, on standard error."""
    print(sentence, file=sys.stderr, flush=True)


def read_line(fd: int = 0) -> str | None:
    """Read one line and not a byte more: what follows are commands, and they are read elsewhere."""
    line = byte = b""
    # The event loop would only note Ctrl-C while we wait here.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        while (byte := os.read(fd, 1)) not in {b"", b"\n"}:
            line += byte
    except OSError:
        pass  # a terminal that was closed
    finally:
        signal.signal(signal.SIGINT, before)
    return None if not (byte or line) else line.decode("utf-8", "replace")
