"""`p2pdurak replay`: a saved game, move by move."""

from __future__ import annotations

import argparse
import sys

from p2pdurak.cli.faces import plain_face
from p2pdurak.cli.saved import with_store
from p2pdurak.replay import find_log, load
from p2pdurak.store import Store
from p2pdurak.ui.line_out import LineOut
from p2pdurak.ui.replay_lines import Shown, replay_lines


def run(options: argparse.Namespace) -> int:
    """Show a game in line mode."""
    return with_store(lambda store: _replay(store, options))


def _replay(store: Store, options: argparse.Namespace) -> int:
    game = load(find_log(options.log, store.logs()), store.public_keys(), options.seat)
    out = LineOut(sys.stdout)
    for line in replay_lines(game, plain_face(options, sys.stdout).style, Shown(options.hands)):
        out.write(line)
    if out.problem is not None:
        raise out.problem
    return 0
