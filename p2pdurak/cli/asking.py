"""A question on the terminal, and one line of answer.

It owns how a line is read before anybody else reads the terminal; it does not know what is asked.
"""

from __future__ import annotations

import errno
import os
import signal
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

from p2pdurak.cli.descriptors import complain

SIGNAL_BASE: Final = 128


def ask(question: str) -> str | None:
    """Ask, on standard error, and read one line of standard input; None where there is none any more.

    Raises:
        KeyboardInterrupt: Ctrl-C, also where an event loop has taken the signal for itself.
        SystemExit: the terminal was closed, or a signal tells us to end.
    """
    line = None
    with _signals_end_us():
        try:
            complain(question, end="")
            line = read_line()
        finally:
            if line is None:
                complain("")  # what is said next must not stand behind the question
    return line


def say(sentence: str) -> None:
    """Tell the person at the terminal something, on standard error."""
    complain(sentence)


def read_line(fd: int = 0) -> str | None:
    """Read one line and not a byte more: what follows are commands, and they are read elsewhere.

    Raises:
        KeyboardInterrupt, SystemExit: as for `ask`.
    """
    line = byte = b""
    with _signals_end_us():
        try:
            while (byte := os.read(fd, 1)) not in {b"", b"\n"}:
                line += byte
        except OSError:
            byte = b""
    if not byte and _is_hung_up(fd):
        _end(signal.SIGHUP)  # which does not reach whom the terminal did not control
    return None if not (byte or line) else line.decode("utf-8", "replace")


def _is_hung_up(fd: int) -> bool:
    """Whether this was a terminal that has been closed; after Ctrl-D it is there as before."""
    try:
        termios.tcgetattr(fd)
    except termios.error as error:
        return bool(error.args[0] == errno.EIO)
    return False


@contextmanager
def _signals_end_us() -> Iterator[None]:
    """An event loop would only note a signal while we wait for a line."""
    before = {signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler)}
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup leaves it
            before[number] = signal.signal(number, _end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, _frame: FrameType | None = None) -> NoReturn:
    """End with the exit code of a signal, but in order: a shell then has nothing to say about it."""
    raise SystemExit(SIGNAL_BASE + number)
