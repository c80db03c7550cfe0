"""The command line of `scripts/soak`.

It owns the flags and how many games are played; it knows no fault and no figure.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from brokers.__main__ import catch_signals
from brokers.kinds import KINDS
from brokers.nodes import CannotStart, Served
from soaks import faults
from soaks.figures import Figures
from soaks.game import Game

UNCLEAN: Final = 1
UNREACHABLE: Final = 3
INTERRUPTED: Final = 130
FAULTS_A_GAME: Final = 5
IDLE_GAMES: Final = 3
"""So many games in a row without a fault mean that none will ever strike."""


def main(arguments: Sequence[str]) -> int:
    """Play until so many faults were injected; 1 if anything was lost, 3 if the broker cannot be had."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    catch_signals()
    folder = Path(tempfile.mkdtemp(prefix="p2pdurak-soak-"))
    (folder / "broker").mkdir()
    try:
        with KINDS[chosen.broker](folder / "broker", None) as broker:
            figures = asyncio.run(_run(chosen, broker, folder))
    except ValueError as problem:
        parser.error(str(problem))
    except (CannotStart, OSError) as problem:
        print(problem, file=sys.stderr)
        return UNREACHABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    print(json.dumps(figures.data()) if chosen.json else figures.text())
    if figures.is_clean:
        shutil.rmtree(folder)
        return 0
    print(f"Everything is kept in {folder}", file=sys.stderr)
    return UNCLEAN


async def _run(chosen: argparse.Namespace, broker: Served, folder: Path) -> Figures:
    fault = faults.fault_of(chosen.kill, broker)
    figures = Figures(chosen.broker, chosen.kill)
    dice = Random(chosen.seed)
    idle = 0
    while figures.faults < chosen.times and idle < IDLE_GAMES:
        most = min(FAULTS_A_GAME, chosen.times - figures.faults)
        game = Game(folder / f"game-{figures.games + 1}", broker, fault, Random(dice.random()), most)
        played = await game.play()
        idle = 0 if played.faults else idle + 1
        figures.add(played)
        print(f"game {figures.games}: {figures.faults} of {chosen.times} faults", file=sys.stderr)
    return figures


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/soak", description="Play games between real programs while something is killed, and count losses."
    )
    parser.add_argument("--broker", choices=list(KINDS), required=True, help="over which broker")
    parser.add_argument("--kill", choices=faults.KINDS, required=True, help="what is killed")
    parser.add_argument("--times", type=_count, default=20, metavar="N", help="how often; default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the dice; default: %(default)s")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
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
