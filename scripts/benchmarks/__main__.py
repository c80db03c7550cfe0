"""The command line of `scripts/bench`.

It owns the subcommands and their flags; it measures nothing itself.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import nacl

from benchmarks.deal import measure_deal
from benchmarks.game import measure_games
from benchmarks.screen import measure_screen


class Report(Protocol):
    """What a subcommand gives."""

    def text(self) -> str:
        """For people."""

    def data(self) -> dict[str, object]:
        """For programs."""


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A benchmark with its one flag: how much of it to run."""

    run: Callable[[int], Report]
    flag: str
    default: int
    help: str


SUBCOMMANDS: Final = {
    "deal": Subcommand(measure_deal, "repetitions", 21, "shuffle, proofs and checks, each next to its floor"),
    "game": Subcommand(measure_games, "games", 20, "whole games: messages, one-way trips, bytes and cryptography"),
    "screen": Subcommand(
        measure_screen, "seconds", 10, "the table: start-up, a picture, bytes to the terminal, idling"
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Run one subcommand and print what it found."""
    chosen = _parser().parse_args(arguments)
    subcommand = SUBCOMMANDS[chosen.benchmark]
    report = subcommand.run(getattr(chosen, subcommand.flag))
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
        command.add_argument(
            f"--{subcommand.flag}", type=_count, default=subcommand.default, metavar="N", help="default: %(default)s"
        )
        command.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 up")
    return number


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
