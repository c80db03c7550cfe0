"""The command line of `scripts/arena`.

It owns the flags, the processes and the printing; pairs and figures are others'.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from functools import partial
from multiprocessing import get_context

from arena_games.figures import SPRT_ELO, Z95, Figures, elo, figures, times_ms
from arena_games.pairs import Match, PairResult, play_pair
from arena_games.players import PLAYERS, player
from arena_games.speed import report

FIRST_LOOK = 50
"""Pairs before the sequential test may end: the normal approximation means nothing for fewer."""


def main(arguments: Sequence[str]) -> int:
    """Play a match and print what it gave."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if chosen.speed:
        print(report())
        return 0
    if chosen.b is None:
        parser.error("name two players, as in: medium greedy")
    match = Match((chosen.a, chosen.b), chosen.seed)
    try:
        results = _results(match, chosen.pairs, chosen.processes, sprt=chosen.sprt)
    except KeyboardInterrupt:
        return 130
    if chosen.json:
        print(json.dumps(_data(match, results, sprt=chosen.sprt), indent=2))
    else:
        print(_text(match, results, sprt=chosen.sprt))
    return 0


def _results(match: Match, pairs: int, processes: int, *, sprt: bool) -> list[PairResult]:
    """Play the pairs in several processes; with the sequential test until it is decided, in the order of pairs."""
    results: list[PairResult] = []
    quiet = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    with get_context("spawn").Pool(processes, quiet) as pool:
        for result in pool.imap(partial(play_pair, match), range(pairs)):
            results.append(result)
            if sprt and len(results) >= FIRST_LOOK and figures(results).decided:
                break
    return results


def _text(match: Match, results: Sequence[PairResult], *, sprt: bool) -> str:
    found = figures(results)
    a, b = match.names
    low, high = found.elo_interval
    lines = [
        f"{a} v {b}: {found.score:.3f} +-{found.half_width:.3f} in {found.pairs} mirrored pairs (seed {match.seed})",
        f"Elo {elo(found.score):+.0f} ({low:+.0f} to {high:+.0f}), draws {found.draws} of {2 * found.pairs}",
    ]
    if sprt:
        lines.append(f"sequential test of Elo {SPRT_ELO[0]:g} against {SPRT_ELO[1]:g}: {_verdict_text(found)}")
    for who, name in enumerate(match.names):
        times = times_ms(results, who)
        lines.append(
            f"{name}: " + ", ".join(f"{key} {value:.2f}" for key, value in times.items()) + " ms a move (processor)"
        )
    return "\n".join(lines)


def _verdict_text(found: Figures) -> str:
    return found.verdict if found.decided else f"{found.verdict}, log likelihood ratio {found.llr:.2f}"


def _data(match: Match, results: Sequence[PairResult], *, sprt: bool) -> dict[str, object]:
    found = figures(results)
    return {
        "a": match.names[0],
        "b": match.names[1],
        "seed": match.seed,
        "pairs": found.pairs,
        "score": found.score,
        "half_width": found.half_width,
        "confidence_z": Z95,
        "elo": elo(found.score),
        "elo_interval": found.elo_interval,
        "draws": found.draws,
        "llr": found.llr,
        "sprt": {"elo": SPRT_ELO, "verdict": found.verdict} if sprt else None,
        "ms_a_move": {"a": times_ms(results, 0), "b": times_ms(results, 1)},
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/arena",
        description="Let two bots play mirrored games: every deal twice, with the seats swapped.",
        epilog=f"Players: {', '.join(PLAYERS)}; hard:worlds=100 is hard with another budget.",
    )
    parser.add_argument("a", type=_player, nargs="?", metavar="A", help="the player whose score is told")
    parser.add_argument("b", type=_player, nargs="?", metavar="B", help="his opponent")
    parser.add_argument("--pairs", type=_count, default=100, metavar="N", help="default: %(default)s")
    parser.add_argument("--seed", default="1", metavar="S", help="of deals and choices; default: %(default)s")
    parser.add_argument("--sprt", action="store_true", help="stop as soon as it is clear who is stronger")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--speed", action="store_true", help="measure the engines and the solver instead")
    parser.add_argument(
        "--processes",
        type=_count,
        default=os.cpu_count() or 1,
        metavar="N",
        help="default: one a core, here %(default)s",
    )
    return parser


def _player(text: str) -> str:
    try:
        player(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
    return text


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 up")
    return number


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
