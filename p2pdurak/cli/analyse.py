"""`p2pdurak analyse`: what every move of a saved game was worth, and where the game turned.

It owns the way from a log to the printed analysis, and the progress on standard error; it judges nothing.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, TextIO

from p2pdurak.analysis.json_form import to_json
from p2pdurak.analysis.judge import analyse
from p2pdurak.analysis.kept import keep, recall
from p2pdurak.analysis.report import Analysis, Depth, NothingToAnalyse
from p2pdurak.cli.descriptors import complain
from p2pdurak.cli.faces import plain_face
from p2pdurak.cli.saved import USAGE, fail, with_store
from p2pdurak.recording import Recording
from p2pdurak.replay import NothingToShowError, find_log, load
from p2pdurak.store import Store
from p2pdurak.ui.analysis_lines import WIDTH_MAX, analysis_lines
from p2pdurak.ui.line_out import LineOut

BAR_CELLS: Final = 30


def run(options: argparse.Namespace) -> int:
    """Analyse a game and print what was found; 2 for a game that has not ended."""
    return with_store(lambda store: _analyse(store, options))


def _analyse(store: Store, options: argparse.Namespace) -> int:
    path = find_log(options.log, store.logs())
    try:
        with Bar() as bar:
            bar.say("Checking the log")
            game = load(path, store.public_keys(), options.seat)
            analysis = _found(path, game, Depth(options.depth), bar.show)
    except (NothingToShowError, NothingToAnalyse) as error:
        return fail(str(error), USAGE)
    _print(game, analysis, options)
    return 0


def _found(path: Path, game: Recording, depth: Depth, progress: Callable[[int, int], None]) -> Analysis:
    analysis = recall(path, game, depth)
    if analysis is None:
        analysis = analyse(game, depth, progress)
        keep(path, analysis)
    return analysis


def _print(game: Recording, analysis: Analysis, options: argparse.Namespace) -> None:
    if options.json:
        print(to_json(analysis))
        return
    columns = _columns(sys.stdout)
    out = LineOut(sys.stdout, None if columns is None else lambda: columns)
    for line in analysis_lines(game, analysis, plain_face(options, sys.stdout).style, columns or WIDTH_MAX):
        out.write(line)
    if out.problem is not None:
        raise out.problem


def _columns(stream: TextIO) -> int | None:
    """How wide the terminal behind a stream is; None where there is none."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDTH_MAX
    except (OSError, ValueError):
        return None


class Bar:
    """A line on standard error that grows while we work, and is gone afterwards; nothing where no terminal is.

    It never fills the terminal's last column: what is wrapped could not be taken away again.
    """

    def __init__(self) -> None:
        self._shown = ""
        self._cells = (_columns(sys.stderr) or 1) - 1

    def __enter__(self) -> Bar:
        """Nothing is shown yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line away."""
        self.say("")

    def show(self, done: int, steps: int) -> None:
        """Show how far it is."""
        words, share = "Analysing", f"{100 * done // max(1, steps):>3}%"
        cells = min(BAR_CELLS, self._cells - len(f"{words} [] {share}"))
        full = cells * done // max(1, steps)
        self.say(f"{words} [{'#' * full}{'.' * (cells - full)}] {share}" if cells > 0 else f"{words} {share}")

    def say(self, text: str) -> None:
        """Put something in place of the line."""
        text = text[: self._cells]
        if text != self._shown:
            complain(f"\r{' ' * len(self._shown)}\r{text}", end="")
            self._shown = text
