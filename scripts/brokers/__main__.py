"""The command line of `scripts/broker`.

It owns the flags and what is printed; how a broker is set up is elsewhere.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Final

from brokers.kinds import KINDS
from brokers.nodes import CannotStart, Served

UNREACHABLE: Final = 3
PORT_MAX: Final = 65_000


def main(arguments: Sequence[str]) -> int:
    """Run one broker until Ctrl-C; 3 if it cannot be had."""
    chosen = _parser().parse_args(arguments)
    catch_signals()
    try:
        if chosen.folder is None:
            with tempfile.TemporaryDirectory(prefix="p2pdurak-broker-") as folder:
                return _serve(KINDS[chosen.name](Path(folder), chosen.port))
        chosen.folder.mkdir(parents=True, exist_ok=True)
        return _serve(KINDS[chosen.name](chosen.folder.resolve(), chosen.port))
    except (CannotStart, OSError) as problem:
        print(problem, file=sys.stderr)
        return UNREACHABLE
    except KeyboardInterrupt:
        return 0


def _serve(broker: Served) -> int:
    with broker:
        print(f"P2PDURAK_BROKER='{','.join(broker.urls)}'", flush=True)
        print("Ready on this machine only, until Ctrl-C.", file=sys.stderr)
        while True:
            signal.pause()


def catch_signals() -> None:
    """Let every usual signal end the program as Ctrl-C does, in the background too: no broker is left behind."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/broker",
        description="Run one broker on 127.0.0.1 until Ctrl-C, and print the line that lets the game use it.",
    )
    parser.add_argument("name", choices=list(KINDS), help="which broker")
    parser.add_argument(
        "--port", type=_port, metavar="P", help="its port, or that of its first node; default: free ones"
    )
    parser.add_argument(
        "--folder", type=Path, metavar="F", help="where it keeps its files; default: one that is removed"
    )
    return parser


def _port(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= PORT_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is no port from 1 to {PORT_MAX}")
    return number


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
