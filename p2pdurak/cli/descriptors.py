"""Standard input, output and error when nobody is behind them: closed before we began, or gone since.

It owns what becomes of the three descriptors; it does not know what is read or written.
"""

from __future__ import annotations

import os
import sys
from typing import Final, TextIO

STREAMS: Final = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
"""By descriptor, as Python calls them."""


def open_closed() -> None:
    """Put nothing where a descriptor was closed: else the next file that is opened would get its number."""
    for fd, (name, mode) in enumerate(STREAMS):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(fd, mode, closefd=False))


def silence(stream: TextIO) -> None:
    """Nobody takes what we write there any more; Python must not complain about that at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def complain(sentence: str, end: str = "\n") -> None:
    """Say something on standard error, if anybody is still there to read it."""
    try:
        print(sentence, end=end, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)
