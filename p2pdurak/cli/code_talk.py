"""Asking for a join code until it can be one: a mistyped code must cost a sentence, not one of the host's tries.

It owns the questions about a code; it does not know where lines come from, nor who waits behind a code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from p2pdurak.codes import CodeError, JoinCode, parse_code

QUESTION: Final = "Code: "
EMPTY: Final = "Type the code that your friend sees, or paste the whole line."


class NoCodeError(Exception):
    """There is nobody any more to ask for a code."""


def ask_code(given: str, ask: Callable[[str], str | None], say: Callable[[str], None]) -> JoinCode:
    """Ask for a code, and again while it cannot be one.

    Args:
        given: what was typed before; empty: nothing.
        ask: shows a question and gives the line of the answer; None: there are no more lines.
        say: shows a sentence.

    Raises:
        NoCodeError: no more lines.
    """
    typed = given.strip() or _asked(ask)
    while True:
        mended: str | None = None
        if not typed:
            say(EMPTY)
        else:
            try:
                return parse_code(typed)
            except CodeError as error:
                say(str(error))
                mended = error.mended
        if mended is not None:
            say(f"Enter takes {mended}, or type the code again.")
        typed = _asked(ask) or mended or ""


def _asked(ask: Callable[[str], str | None]) -> str:
    line = ask(QUESTION)
    if line is None:
        raise NoCodeError
    return line.strip()
