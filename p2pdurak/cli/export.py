"""`p2pdurak export`: a saved game as text or JSON."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from p2pdurak.cli.saved import USAGE, fail, with_store
from p2pdurak.export import to_json, to_text
from p2pdurak.replay import find_log, load
from p2pdurak.store import Store


def run(options: argparse.Namespace) -> int:
    """Write a game to a file or to standard output."""
    return with_store(lambda store: _export(store, options))


def _export(store: Store, options: argparse.Namespace) -> int:
    game = load(find_log(options.log, store.logs()), store.public_keys())
    text = to_text(game) if options.to == "text" else to_json(game)
    if options.output is None:
        sys.stdout.write(text)
        return 0
    try:
        Path(options.output).write_text(text, "utf-8")
    except OSError as error:
        return fail(f"{options.output} cannot be written ({error.strerror}).", USAGE)
    return 0
