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
        mended: tuple[str, ...] = ()
        if not typed:
            say(EMPTY)
        else:
            try:
                return parse_code(typed)
            except CodeError as error:
                say(str(error))
                mended = error.mended
        typed = _choice(mended, ask, say) if len(mended) > 1 else _once_more(mended, ask, say)


def _once_more(mended: tuple[str, ...], ask: Callable[[str], str | None], say: Callable[[str], None]) -> str:
    """What is typed next; Enter stands for the one code that can have been meant."""
    for code in mended:
        say(f"Enter takes {code}, or type the code again.")
    return _asked(ask) or next(iter(mended), "")


def _choice(mended: tuple[str, ...], ask: Callable[[str], str | None], say: Callable[[str], None]) -> str:
    """What is typed next, where several codes can have been meant: none of them is taken by itself."""
    for number, code in enumerate(mended, 1):
        say(f"  {number}  {code}")
    *others, last = map(str, range(1, len(mended) + 1))
    which = f"Type {', '.join(others)} or {last} to take that code, or type the code again."
    say(which)
    while not (typed := _asked(ask)):
        say(which)
    meant = [code for number, code in enumerate(mended, 1) if typed.casefold() in {str(number), *_words(code)}]
    return meant[0] if len(meant) == 1 else typed


def _words(code: str) -> list[str]:
    """The parts of a code; whoever is asked "song or sponge?" may type the word."""
    return code.partition("@")[0].split("-")


def _asked(ask: Callable[[str], str | None]) -> str:
    line = ask(QUESTION)
    if line is None:
        raise NoCodeError
    return line.strip()
