"""`python -m tests.faults`: every crash point of an evening, and games whose programs are killed.

It owns the command line and the figures; what counts as a fault is judged elsewhere.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import quantiles

sys.path.append(str(Path(__file__).parents[2] / "scripts"))  # where the certificates of test brokers are made

from tests.e2e.brokers import Mosquitto, find_mosquitto
from tests.faults.killing import KilledGame, play_with_kills
from tests.faults.killing import wrongs as wrongs_of_game
from tests.faults.points import Kind, Point, evening, points
from tests.faults.verdicts import wrongs


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks; 1 if anything was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--points", action="store_true", help="every fault at every call of two kinds of evening")
    parser.add_argument("--kind", type=lambda text: Kind[text.upper()], metavar="KIND", help="only: match or bots")
    parser.add_argument("--kills", type=int, metavar="N", help="signals to real programs, equally many of each kind")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    asked = parser.parse_args(arguments)
    broken = 0
    if asked.points:
        broken += sum(_points(kind, asked.workers) for kind in Kind if asked.kind in {None, kind})
    if asked.kills:
        broken += _kills(asked.kills)
    return 1 if broken else 0


def _points(kind: Kind, workers: int) -> int:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        found = list(points(kind, Path(folder)))
    broken = []
    with ProcessPoolExecutor(workers) as pool:
        for point, (wrong, lost) in zip(found, pool.map(partial(_one, kind), found, chunksize=8), strict=True):
            if wrong:
                broken.append(point)
                print(f"{point}: {wrong}{' (lost)' if lost else ''}")
    faults = Counter(point.fault.name for point in found)
    print(f"{kind.name}: {len(found)} games {dict(faults)}, {len(broken)} broken, {time.monotonic() - began:.0f} s")
    return len(broken)


def _one(kind: Kind, point: Point) -> tuple[list[str], bool]:
    with tempfile.TemporaryDirectory() as folder:
        try:
            played = evening(kind, Path(folder), {(point.seat, point.number): point.fault})
        except Exception as error:  # noqa: BLE001 - whatever comes out of a game is what we look for
            return [repr(error)], False
        return wrongs(played), bool(played.lost)


def _kills(count: int) -> int:
    began, games = time.monotonic(), []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        brokers: list[str | None] = [None]
        if find_mosquitto() is not None:
            (folder / "broker").mkdir()
            brokers.append(stack.enter_context(Mosquitto(folder / "broker")).url)
        broken = 0
        for game in play_with_kills(folder, count, brokers):
            games.append(game)
            if wrong := wrongs_of_game(game):
                broken += 1
                print(f"game {game.seed}: {wrong}", flush=True)
    _tell(games, len(brokers), time.monotonic() - began)
    return broken


def _tell(games: list[KilledGame], brokers: int, took_s: float) -> None:
    kills = [kill for game in games for kill in game.kills]
    named = Counter(signal.Signals(kill.number).name for kill in kills)
    print(f"{len(kills)} signals {dict(named)} in {len(games)} games, {took_s:.0f} s")
    print(f"{sum(bool(game.logs) for game in games)} games were finished, both logs compared")
    for name, step in (("own broker", 0), ("mosquitto", 1))[:brokers]:
        played = [game for game in games if game.seed % brokers == step]
        for role in ("host", "guest"):
            back = [
                kill.back_s for game in played for kill in game.kills if kill.back_s is not None and kill.role == role
            ]
            if len(back) > 1:
                cuts = quantiles(back, n=20, method="inclusive")
                print(f"{name}, {role}: {len(back)} came back, p50 {cuts[9]:.2f} s, p95 {cuts[18]:.2f} s")


if __name__ == "__main__":
    sys.exit(main())
