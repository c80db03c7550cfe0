"""Lines that leave us, and what happens when nobody reads them any more.

It owns writing whole lines to a stream; it does not know what they say.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import wrap
from typing import Final, TextIO

_COLOUR: Final = re.compile("\x1b\\[[0-9;]*m")
"""What takes no cell."""


class LineOut:
    """Writes whole lines to a stream, and remembers when nobody reads them any more.

    Attributes:
        closed: the reader is gone (a closed pipe, a terminal that hung up, a full disk); the caller should leave.
        problem: what the system said about it, if it said anything.
    """

    def __init__(self, out: TextIO, columns: Callable[[], int] | None = None) -> None:
        """Write to `out`; `columns` tells how wide a terminal is that would break words, None: lines stay whole."""
        self.closed = False
        self.problem: OSError | None = None
        self._out = out
        self._columns = columns
        self._encoding = getattr(out, "encoding", None) or "utf-8"  # StringIO names none and takes everything

    def can_write(self, text: str) -> bool:
        """Tell whether the stream's encoding has all characters of `text`."""
        try:
            text.encode(self._encoding)
        except UnicodeEncodeError:
            return False
        return True

    def write(self, line: str, *, whole: bool = False) -> None:
        """Write one line and flush it; characters that the stream cannot take become question marks.

        Args:
            line: without its end.
            whole: it is there to be copied, and must not be broken.
        """
        if self.closed:
            return
        if not self.can_write(line):
            line = line.encode(self._encoding, "replace").decode(self._encoding)
        try:
            self._out.write((line if whole else self._broken(line)) + "\n")
            self._out.flush()
        except OSError as problem:
            self.closed, self.problem = True, problem
        except ValueError:  # what Python says about a stream that was closed on our side
            self.closed = True

    def _broken(self, line: str) -> str:
        """Break a line between words where the terminal would break it anyway; a code or a path stays in one piece."""
        if self._columns is None or len(_COLOUR.sub("", line)) <= self._columns():
            return line
        return "\n".join(wrap(line, max(1, self._columns()), break_long_words=False, break_on_hyphens=False)) or line
