"""The games that docs/analysis.md looks at: played, analysed, and played on from a move by others than the analysis.

It owns their seeds and players and how they are played on; it judges nothing.

    PYTHONPATH=.:protocol:scripts .venv/bin/python -P -m tests.analysis.real_games eleven 79
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from arena_games.players import player as named
from p2pdurak.analysis.judge import analyse
from p2pdurak.analysis.report import Depth
from p2pdurak.bots import dice
from p2pdurak.recording import Recording
from p2pdurak.replay import load
from p2pdurak.rules.actions import Action, action_text
from p2pdurak.rules.cards import card_text
from p2pdurak.rules.engine import outcome, to_act
from p2pdurak.rules.open_game import OpenGame
from p2pdurak.ui.analysis_lines import WIDTH_MAX, analysis_lines
from p2pdurak.ui.card_words import CardStyle
from tests.analysis.recordings import open_at, player
from tests.fairdeck.cheap import sit_down
from tests.fairdeck.games import saved

LEVELS: Final = {
    "two": ("medium", "medium"),
    "three": ("hard", "hard"),
    "four": ("easy", "medium"),
    "five": ("hard", "medium"),
    "six": ("easy", "medium"),
    "eleven": ("easy", "easy"),
}
"""The seed of each game, and who plays it."""

TRIED: Final = "hard:worlds=40,nodes=3000"
"""Who plays on: another player than the heuristic of the analysis, and fast enough for many games."""

GAMES: Final = 16
"""So many games are played on from each move."""


def real(seed: str) -> Recording:
    """A game of two sessions with the real group, read from its log."""
    players = [player(level, seed) for level in LEVELS[seed]]
    pair = sit_down(seed, suite=1).play(lambda view: players[view.seat](view))
    pair.open_both()
    with TemporaryDirectory() as folder:
        log = Path(folder) / f"{seed}.dlog"
        log.write_bytes(saved(pair))
        return load(log, ())


def tried(game: OpenGame, action: Action) -> float:
    """The points of whoever makes a move, as a share of the games that are played on from it."""
    seat = to_act(game.state)
    if seat is None:
        raise ValueError("This game is over.")
    choose, points = named(TRIED), 0.0
    for number in range(GAMES):
        now, _ = game.play(seat, action)
        while (mover := to_act(now.state)) is not None:
            view = now.view(mover)
            now, _ = now.play(mover, choose(view, dice(f"check {number}", view)))
        end = outcome(now.state)
        winner = None if end is None else end.winner
        points += 0.5 if winner is None else float(winner == seat)
    return points / GAMES


def main() -> None:
    """Print the analysis of one game; and from one of its moves, how every legal one does."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("seed", choices=LEVELS)
    parser.add_argument("move", type=int, nargs="?", help="a move to play on from")
    options = parser.parse_args()
    game = real(options.seed)
    for line in analysis_lines(game, analyse(game, Depth.FULL), CardStyle(), WIDTH_MAX):
        print(line)
    if options.move is not None:
        _print_tried(open_at(game, options.move - 1))


def _print_tried(game: OpenGame) -> None:
    for name, hand in zip(("Mira", "Oleg"), game.hands, strict=True):
        print(f"{name}: {' '.join(map(card_text, hand))}")
    print(f"Table: {' '.join(map(card_text, game.state.table_cards))}. Talon: {game.state.talon} cards.")
    for action in game.legal_actions():
        print(f"{action_text(action)}: {100 * tried(game, action):.0f}")


if __name__ == "__main__":
    main()
