"""The command line of `scripts/bench`.

It owns the subcommands and their flags; it measures nothing itself.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import nacl

from benchmarks.deal import measure_deal
from benchmarks.game import measure_games
from benchmarks.latency import measure_latency
from benchmarks.scale import measure_scale
from benchmarks.screen import measure_screen
from p2pdurak.transport.base import TransportError
from p2pdurak.transport.url import BadUrl, BrokerUrl

UNREACHABLE: Final = 3
INTERRUPTED: Final = 130


class Report(Protocol):
    """What a subcommand gives."""

    def text(self) -> str:
        """For people."""

    def data(self) -> dict[str, object]:
        """For programs."""


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A benchmark and its flags."""

    run: Callable[[argparse.Namespace], Report]
    flags: Callable[[argparse.ArgumentParser], None]
    help: str


def main(arguments: Sequence[str]) -> int:
    """Run one subcommand and print what it found; 3 if a broker cannot be used."""
    chosen = _parser().parse_args(arguments)
    try:
        report = SUBCOMMANDS[chosen.benchmark].run(chosen)
    except TransportError as problem:
        print(problem, file=sys.stderr)
        return UNREACHABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    python, pynacl = sys.version.split()[0], nacl.__version__
    if chosen.json:
        facts = {"benchmark": chosen.benchmark, "python": python, "pynacl": pynacl}
        print(json.dumps(facts | report.data(), indent=2))
    else:
        print(f"{report.text()}\nPython {python}, PyNaCl {pynacl}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description="Measure the program against references of the same run."
    )
    benchmarks = parser.add_subparsers(dest="benchmark", required=True, metavar="{" + ",".join(SUBCOMMANDS) + "}")
    for name, subcommand in SUBCOMMANDS.items():
        command = benchmarks.add_parser(name, help=subcommand.help, description=subcommand.help)
        subcommand.flags(command)
        command.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _number(flag: str, default: int) -> Callable[[argparse.ArgumentParser], None]:
    """The one flag of a benchmark that only wants to know how much of it to run."""

    def add(command: argparse.ArgumentParser) -> None:
        command.add_argument(f"--{flag}", type=_count, default=default, metavar="N", help="default: %(default)s")

    return add


def _broker_flag(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--broker", type=_broker, action="append", required=True, metavar="URL", help="once for each node of a cluster"
    )


def _latency_flags(command: argparse.ArgumentParser) -> None:
    _broker_flag(command)
    _number("games", 3)(command)


def _scale_flags(command: argparse.ArgumentParser) -> None:
    _broker_flag(command)
    command.add_argument("--games", type=_count, required=True, metavar="N", help="how many go on at once")
    command.add_argument(
        "--pace",
        type=_seconds,
        metavar="S",
        help="seconds between two moves of one player; 0: as fast as they can; default: 0, and 5 from 100 games on",
    )
    command.add_argument(
        "--seconds",
        type=_seconds,
        metavar="T",
        help="play game after game for so long, then break off; default: one game at each table",
    )
    command.add_argument(
        "--broker-pid",
        type=_count,
        action="append",
        metavar="PID",
        help="a process of the broker; default: who listens on its ports on this machine",
    )


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 up")
    return number


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from 0 up")
    return number


def _broker(text: str) -> BrokerUrl:
    # No preset's name: the brokers of others are not for this.
    try:
        return BrokerUrl.parse(text)
    except BadUrl as problem:
        raise argparse.ArgumentTypeError(str(problem)) from problem


SUBCOMMANDS: Final = {
    "deal": Subcommand(
        lambda chosen: measure_deal(chosen.repetitions),
        _number("repetitions", 21),
        "shuffle, proofs and checks, each next to its floor",
    ),
    "game": Subcommand(
        lambda chosen: measure_games(chosen.games),
        _number("games", 20),
        "whole games: messages, one-way trips, bytes and cryptography",
    ),
    "screen": Subcommand(
        lambda chosen: measure_screen(chosen.seconds),
        _number("seconds", 10),
        "the table: start-up, a picture, bytes to the terminal, idling",
    ),
    "scale": Subcommand(measure_scale, _scale_flags, "many games at once over one broker: what it carries and uses"),
    "latency": Subcommand(
        measure_latency, _latency_flags, "from a typed move to the other screen, next to what it cannot do without"
    ),
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
