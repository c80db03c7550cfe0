"""`python -m tests.simulation`: one run told as a story, or very many.

It owns the command line only.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from typing import Any

from tests.simulation.bulk import Kind, play_of, run, run_many
from tests.simulation.plays import durak, short
from tests.simulation.process import Play
from tests.simulation.watch import Violation
from tests.simulation.world import World


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks; 1 if anything was broken."""
    asked = _parser().parse_args(arguments)
    if asked.seed is not None:
        return _tell(asked)
    broken = 0
    for kind in Kind:
        seeds = getattr(asked, kind.value)
        if seeds is not None:
            broken += _many(kind, seeds, asked)
    return 1 if broken else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    what = parser.add_argument_group("what to run")
    what.add_argument("--seed", type=int, metavar="N", help="tell the story of one run")
    what.add_argument("--safety", type=_range, metavar="A..B", help="run the safety seeds from A to B, without B")
    what.add_argument("--liveness", type=_range, metavar="A..B", help="run the liveness seeds from A to B, without B")
    parser.add_argument("--kind", type=Kind, default=Kind.SAFETY, help="of the story: safety or liveness")
    parser.add_argument("--game", choices=("short", "durak"), help="of the story: instead of what the seed plays")
    parser.add_argument("--real", action="store_true", help="durak with real proofs")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    return parser


def _range(text: str) -> range:
    first, _, last = text.partition("..")
    return range(int(first), int(last))


def _tell(asked: argparse.Namespace) -> int:
    play: Play[Any, Any] = play_of(asked.seed)
    if asked.real or asked.game == "durak":
        play = durak(asked.seed, real=asked.real)
    elif asked.game == "short":
        play = short(asked.seed)
    story: list[str] = []
    try:
        ending, broken = str(run(asked.kind, World(asked.seed, play, story=story))), 0
    except Violation as violation:
        ending, broken = f"broken: {violation}", 1
    print("\n".join([*story, ending]))
    return broken


def _many(kind: Kind, seeds: range, asked: argparse.Namespace) -> int:
    started_s = time.monotonic()

    def told(done: int) -> None:
        print(f"\r{done} of {len(seeds)}", end="", file=sys.stderr, flush=True)

    total = run_many(kind, seeds, asked.workers, real=asked.real, told=told)
    print(file=sys.stderr)
    print("\n".join([*total.lines(kind), f"{time.monotonic() - started_s:.0f} s in {asked.workers} processes"]))
    return len(total.broken)


if __name__ == "__main__":
    sys.exit(main())
