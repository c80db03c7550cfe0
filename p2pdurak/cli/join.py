"""`p2pdurak join CODE`: find the friend behind a code, and play.

It owns where the code comes from (argument, standard input, environment, prompt) and which broker it leads to.
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial

from p2pdurak.cli import resume
from p2pdurak.cli.asking import ask, read_line, say
from p2pdurak.cli.broker_choice import checked
from p2pdurak.cli.code_talk import NoCodeError, ask_code
from p2pdurak.cli.evening import Door, Evening
from p2pdurak.cli.last_door import run_evening
from p2pdurak.cli.seating import Guestbook, UsageError, bot_of, brokers, pins_of, rules_of
from p2pdurak.cli.unfinished import nothing_given, offered
from p2pdurak.codes import CodeError, JoinCode, parse_code
from p2pdurak.rules.options import option_pairs
from p2pdurak.table.lobby import GuestLobby
from p2pdurak.transport.mqtt import MqttTransport
from p2pdurak.transport.url import PRESETS, BrokerUrl


def run(options: argparse.Namespace) -> int:
    """Join a match, or go on with one that was left, and return the exit code."""
    log = offered(options, bare=nothing_given(options) and not options.code and options.rules is None)
    if log is not None:
        return resume.run(argparse.Namespace(**{**vars(options), "log": str(log)}))
    return run_evening(options, _evening)


async def _evening(book: Guestbook) -> int:
    options = book.options
    pins = _pins(options)
    bot_of(options)
    code = _code(options)
    lobby = GuestLobby(code, os.urandom, book.face.show, options.timeout)
    urls = _urls(book, code)
    friends = str(urls[0]) if _is_friends(options, code) else None
    way_back = book.way_back(urls)
    player = partial(book.player, 1, code.nameplate, None, pins, friends_broker=friends, way_back=way_back)
    door = Door(lobby, player)
    return await Evening(book, MqttTransport(urls)).run(lambda: door)


def _is_friends(options: argparse.Namespace, code: JoinCode) -> bool:
    """Whether the broker is one that only the friend has named, and that may run on his computer."""
    return not options.broker and code.address is not None and code.address.strip().lower() not in PRESETS


def _pins(options: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """What the guest insists on: with `--rules` every option, otherwise those that `--rule` names."""
    named = pins_of(options)
    chosen = option_pairs(rules_of(options.rules or "classic", named))
    return chosen if options.rules else tuple(pair for pair in chosen if pair[0] in dict(named))


def _code(options: argparse.Namespace) -> JoinCode:
    given = " ".join(options.code)
    if given == "-":
        given = read_line() or ""
    given = given or os.environ.get("P2PDURAK_CODE", "")
    try:
        if sys.stdin.isatty() and not options.json:
            return ask_code(given, ask, say)
        return parse_code(given)
    except NoCodeError:
        raise UsageError("Without a code there is no game to join.") from None
    except CodeError as error:
        raise UsageError(str(error)) from error


def _urls(book: Guestbook, code: JoinCode) -> list[BrokerUrl]:
    """The broker of the flag, else of the code, else of the settings."""
    named = book.options.broker or ([code.address] if code.address else list(checked(book.settings)))
    if not named:
        raise UsageError(
            "This code does not say where the game is, and no broker is set. "
            "Ask for the whole line, with @ and an address, or name the broker with --broker."
        )
    return brokers(book, named)
