"""Flags, and which command they start.

It owns the parser; it imports a command only when that one is asked for, so that `--version` stays fast.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final

from p2pdurak import __version__
from p2pdurak.cli.descriptors import complain, open_closed, silence

OK: Final = 0
INTERNAL: Final = 1
USAGE: Final = 2
SIGNAL_BASE: Final = 128
INTERRUPTED: Final = 130

RULE_HELP: Final = "one option, such as move_timer=0; may be repeated"


def run(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line and run the command.

    Returns:
        The exit code: 0 finished or verified, 1 internal error, 2 usage, 3 broker or code, 4 game not finished,
        5 verification failed, cheating proven or data that cannot be used, 128 and the number of a signal.
    """
    open_closed()
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            parser.print_help(sys.stderr)
            return USAGE
        options.command = "menu"
    code = OK
    try:
        code = importlib.import_module(f"p2pdurak.cli.{options.command}").run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        if code < SIGNAL_BASE:  # else the terminal is gone, and that has been told
            complain(f"Standard output cannot be written ({error.strerror}).")
            return INTERNAL
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=os.environ.get("P2PDURAK_PROG") or "p2pdurak",
        description="Two-player Podkidnoy Durak in the terminal, peer to peer, with a deck that nobody deals.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"p2pdurak {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_host(commands.add_parser("host", help="host a game and show a code for a friend", allow_abbrev=False))
    _add_join(commands.add_parser("join", help="join a friend's game with his code", allow_abbrev=False))
    _add_play(commands.add_parser("play", help="play against a bot, offline", allow_abbrev=False))
    _add_resume(commands.add_parser("resume", help="go on with a game that was broken off", allow_abbrev=False))
    _add_logs(commands.add_parser("logs", help="list the saved games", allow_abbrev=False))
    _add_replay(commands.add_parser("replay", help="show a saved game step by step", allow_abbrev=False))
    _add_analyse(commands.add_parser("analyse", help="tell where a saved game turned", allow_abbrev=False))
    _add_verify(commands.add_parser("verify", help="check saved games from the first byte", allow_abbrev=False))
    _add_export(commands.add_parser("export", help="write a saved game as text or JSON", allow_abbrev=False))
    _add_broker(commands.add_parser("broker", help="run the embedded broker alone", allow_abbrev=False))
    _add_doctor(commands.add_parser("doctor", help="check this machine and the brokers", allow_abbrev=False))
    return parser


def _add_host(parser: argparse.ArgumentParser) -> None:
    _add_player(parser)
    parser.add_argument("--bind", metavar="ADDR", help="address for the embedded broker; default: this machine's own")
    parser.add_argument("--port", type=_port, default=0, help="port for the embedded broker; default: any free one")
    parser.add_argument("--rules", metavar="SET", default="classic", help="classic, table or club")
    parser.add_argument("--rule", metavar="NAME=VALUE", action="append", default=[], help=RULE_HELP)
    parser.add_argument("--confirm", action="store_true", help="be asked before a friend who has joined is let in")
    parser.add_argument("--code-ttl", type=_seconds, default=600, metavar="S", help="seconds that a code is good for")


def _add_join(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", nargs="*", metavar="CODE", help="the friend's code; - reads it from standard input")
    _add_player(parser)
    parser.add_argument("--rules", metavar="SET", help="insist on a set of rules: classic, table or club")
    parser.add_argument("--rule", metavar="NAME=VALUE", action="append", default=[], help="insist on " + RULE_HELP)
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="give up after so many seconds")


def _add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--level", default="medium", help="easy, medium (the default) or hard")
    parser.add_argument("--seed", metavar="HEX", help="the dice of the bot, to meet the same one again")
    parser.add_argument("--rules", metavar="SET", help="classic, table or club; default: classic without a clock")
    parser.add_argument("--rule", metavar="NAME=VALUE", action="append", default=[], help=RULE_HELP)
    parser.set_defaults(bot=None)
    _add_seat(parser)


def _add_resume(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", nargs="?", metavar="LOG", help="a log or a part of its name; default: the newest game")
    _add_player(parser)


def _add_player(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--broker", metavar="URL", action="append", default=[], help="mqtt://host:port or mqtts://user:password@host"
    )
    parser.add_argument("--bot", metavar="LEVEL", help="let a bot play for you: easy, medium or hard")
    _add_seat(parser)


def _add_seat(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", help="how you are called; default: your login")
    parser.add_argument("--games", type=_count, metavar="N", help="play N games, then leave")
    parser.add_argument("--json", action="store_true", help="one JSON object a line; commands a line on standard input")
    parser.add_argument(
        "--auto-done", choices=("masked", "instant", "ask"), help="what a forced done does; default: masked"
    )
    parser.add_argument("--bell", action="store_true", help="ring when it is your turn")
    _add_looks(parser)


def _add_looks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plain", action="store_true", help="line mode: one event a line, nothing redrawn")
    parser.add_argument("--words", action="store_true", help="line mode with spelled cards, for screen readers")
    parser.add_argument("--ascii", action="store_true", help="draw with letters and signs of ASCII only")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    parser.add_argument("--theme", choices=("terminal", "dark", "light", "mono"), help="colours of the table")
    parser.add_argument("--suits", type=int, choices=(2, 4), help="in two or in four colours; default: 4")
    parser.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")


def _add_logs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def _add_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", nargs="?", default="last", metavar="LOG", help="a log, a part of its name, or last")
    parser.add_argument("--seat", type=int, choices=(0, 1), help="whose side to show; default: your own")
    parser.add_argument("--hands", choices=("mine", "all", "none"), default="all", help="which hands to show")
    parser.add_argument("--speed", type=_speed, default=1.0, metavar="X", help="how fast it plays by itself: 0.25 to 8")
    parser.add_argument("--from", type=_place, default=0, dest="from_", metavar="N", help="begin after N moves")
    _add_looks(parser)


def _add_analyse(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", nargs="?", default="last", metavar="LOG", help="a log, a part of its name, or last")
    parser.add_argument(
        "--depth",
        choices=("quick", "full"),
        default="quick",
        help="how much is looked at: seconds, or a quarter minute",
    )
    parser.add_argument("--seat", type=int, choices=(0, 1), help="whose chances to tell; default: your own")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--words", action="store_true", help="sentences with spelled cards, for screen readers")
    parser.add_argument("--ascii", action="store_true", help="draw with letters and signs of ASCII only")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    parser.set_defaults(plain=True)


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("logs", nargs="+", metavar="LOG", help="logs, parts of their names, or last")
    parser.add_argument("--json", action="store_true", help="one JSON object a log, and one for two copies of a game")
    parser.add_argument("--save", metavar="FILE", help="of two copies of one game: where to write them as one log")


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", metavar="LOG", help="a log, a part of its name, or last")
    parser.add_argument("--to", choices=("text", "json"), required=True, help="the format")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write; default: standard output")


def _add_broker(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bind", metavar="ADDR", help="address to listen on; default: this machine's own")
    parser.add_argument("--port", type=_port, default=1883, help="port to listen on; 0: any free one")


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--broker", metavar="URL", action="append", default=[], help="check this one, and not those that are set"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def _number(text: str, low: int, high: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number from {low} to {high}")
    return value


def _place(text: str) -> int:
    return _number(text, 0, 10_000)


def _speed(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.25 <= value <= 8:
        raise argparse.ArgumentTypeError(f"{text!r} must be a number from 0.25 to 8")
    return value


def _port(text: str) -> int:
    return _number(text, 0, 65535)


def _count(text: str) -> int:
    return _number(text, 1, 10_000)


def _seconds(text: str) -> int:
    return _number(text, 1, 86_400)
