"""Analyses that are kept beside their logs.

It owns which file holds one and when it still counts; the bytes on the disk are the store's, and the form is JSON.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from p2pdurak.analysis.json_form import from_json, to_json
from p2pdurak.analysis.report import VERSION, Analysis, Depth
from p2pdurak.files import StoreError, save_over
from p2pdurak.recording import Recording
from p2pdurak.store import LOG_SUFFIX

BYTES_MAX: Final = 1 << 20
"""The longest analysis needs a tenth of it."""


def kept_path(log: Path, depth: Depth) -> Path:
    """Where the analysis of a log is kept: a file for each depth, so that a quick one does not push out a full one."""
    return log.with_name(f"{log.name.removesuffix(LOG_SUFFIX)}.{depth.value}.analysis.json")


def recall(log: Path, game: Recording, depth: Depth) -> Analysis | None:
    """The analysis that is kept; None if there is none of this very game, depth and method, or it cannot be read."""
    path = kept_path(log, depth)
    try:
        if not path.is_file():  # a pipe would keep us waiting
            return None
        with path.open("rb") as file:
            analysis = from_json(file.read(BYTES_MAX))
    except (OSError, ValueError, RecursionError):
        return None
    return analysis if _is_of(game, depth, analysis) else None


def keep(log: Path, analysis: Analysis) -> None:
    """Keep an analysis, in place of an older one. Where that is not possible, it is made anew the next time."""
    with suppress(OSError, StoreError):
        save_over(kept_path(log, analysis.depth), to_json(analysis).encode("utf-8"))


def _is_of(game: Recording, depth: Depth, analysis: Analysis) -> bool:
    # The head says which game it is; but with another key in sight there is more to be said about it.
    same = (analysis.head, analysis.depth, analysis.version) == (game.head, depth, VERSION)
    blind = None in game.stock or None in game.dealt
    moves = [(index, move.n, move.seat, move.action) for index, move in enumerate(game.moves, 1)]
    judged = [(move.index, move.n, move.seat, move.action) for move in analysis.moves]
    return same and analysis.blind == blind and judged == moves
