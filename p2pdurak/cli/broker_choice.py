"""Which broker a host uses: flag, then settings, then, once in a person's life, a question.

It owns the question and remembers its answer; it opens no connection.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from p2pdurak.cli.asking import ask, say
from p2pdurak.cli.seating import Guestbook, UsageError
from p2pdurak.config import remember_broker
from p2pdurak.files import StoreError
from p2pdurak.settings import EMBEDDED, Settings
from p2pdurak.transport.url import PRESETS, BadUrl, broker_url

Ask = Callable[[str], str | None]
Say = Callable[[str], None]

WHICH: Final = "Which? "
ADDRESS: Final = "Address: "
WHERE: Final = (
    "Where will you and your friend meet? You are asked this only once.",
    "  1  in the same network: this program brings the broker along",
    "  2  over a public broker: what you say and play is sealed, but it sees addresses, times and sizes",
    "  3  at a broker of your own",
)
ONE_OF: Final = "Type 1, 2 or 3; Enter takes 1."
PUBLIC: Final = "Public brokers: {}. Type a name; Enter takes {}."
OWN: Final = "Type its address: HOST:PORT, mqtt://USER:PASSWORD@HOST:PORT or mqtts://HOST; of a cluster all of them."
REMEMBERED: Final = (
    "Remembered in {}. For another broker once: --broker URL. "
    "To be asked again, remove the line `broker` from that file."
)
NOBODY: Final = "No broker was chosen. Name one with --broker, or take the embedded one with --broker embedded."


def choose(book: Guestbook) -> tuple[str, ...]:
    """The brokers that a host is to use, as they are written; none: the embedded one.

    Raises:
        UsageError: a setting is no broker, or nobody is there any more to answer.
    """
    options, settings = book.options, book.settings
    if options.broker:
        given = tuple(options.broker)
    elif options.bind is not None or options.port:
        given = ()  # they speak of the embedded one
    elif settings.brokers or settings.embedded:
        given = checked(settings)
    elif book.unattended or not (sys.stdin.isatty() and sys.stderr.isatty()):
        given = ()
    else:
        given = ask_once(settings.config, ask, say)
    return () if given == (EMBEDDED,) else given


def checked(settings: Settings) -> tuple[str, ...]:
    """The brokers of the settings, each an address or a preset.

    Raises:
        UsageError: one is neither; the sentence says where it stands.
    """
    where = "P2PDURAK_BROKER" if os.environ.get("P2PDURAK_BROKER") else settings.config
    try:
        for text in settings.brokers:
            broker_url(text)
    except BadUrl as error:
        raise UsageError(f"The broker that is set in {where} cannot be used. {error}") from error
    return settings.brokers


def ask_once(config: Path, ask: Ask, say: Say) -> tuple[str, ...]:
    """Ask where to meet, and write the answer into the settings file.

    Args:
        config: the settings file, which need not exist.
        ask: shows a question and gives the line of the answer; None: there are no more lines.
        say: shows a sentence.

    Returns:
        Addresses or presets, or `embedded` alone.

    Raises:
        UsageError: there are no more lines.
    """
    chosen = _asked(ask, say)
    try:
        remember_broker(config, " ".join(chosen))
    except StoreError as error:
        say(str(error))
    else:
        say(REMEMBERED.format(config))
    return chosen


def _asked(ask: Ask, say: Say) -> tuple[str, ...]:
    for line in (*WHERE, ONE_OF):
        say(line)
    while True:
        typed = _line(WHICH, ask).casefold()
        if typed in {"", "1", EMBEDDED}:
            return (EMBEDDED,)
        if typed == "2":
            return _public(ask, say)
        if typed == "3":
            return _own(ask, say)
        say(ONE_OF)


def _public(ask: Ask, say: Say) -> tuple[str, ...]:
    first = next(iter(PRESETS))
    names = PUBLIC.format(", ".join(f"{name} ({url.host})" for name, url in PRESETS.items()), first)
    say(names)
    while (typed := _line(WHICH, ask).casefold() or first) not in PRESETS:
        say(names)
    return (typed,)


def _own(ask: Ask, say: Say) -> tuple[str, ...]:
    """Ask until every word of the answer is a preset or an address."""
    say(OWN)
    while True:
        words = _line(ADDRESS, ask).replace(",", " ").split()
        try:
            if words:
                return tuple(_written(word) for word in words)
            say(OWN)
        except BadUrl as error:
            say(str(error))


def _written(word: str) -> str:
    """A preset by its name, and any other address in full: in a form that holds neither commas nor spaces."""
    name = word.lower()
    return name if name in PRESETS else broker_url(word).with_password()


def _line(question: str, ask: Ask) -> str:
    line = ask(question)
    if line is None:
        raise UsageError(NOBODY)
    return line.strip()
