"""`p2pdurak logs`: the saved games, one a line; what cannot be read is listed as such."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from p2pdurak.cli.descriptors import complain
from p2pdurak.cli.saved import with_store
from p2pdurak.files import StoreError
from p2pdurak.recording import Recording
from p2pdurak.replay import VOID, NothingToShowError, ReplayError, load
from p2pdurak.store import Store
from p2pdurak.ui.replay_words import called


def run(options: argparse.Namespace) -> int:
    """List the saved games, oldest first."""
    return with_store(lambda store: _list(store, as_json=options.json))


def _list(store: Store, *, as_json: bool) -> int:
    own, logs = store.public_keys(), store.logs()
    if not logs and not as_json:
        complain("No game has been saved yet.")
    for path in logs:
        try:
            game = load(path, own, proofs=False)
        except (StoreError, ReplayError, NothingToShowError) as error:
            print(json.dumps({"log": str(path), "error": str(error)}) if as_json else f"{path.name}  {error}")
            continue
        print(json.dumps(_fields(path, game), ensure_ascii=False) if as_json else _line(path, game))
    return 0


def _line(path: Path, game: Recording) -> str:
    return f"{path.name}  {' - '.join(called(game))}  {_result(game)}  {len(game.moves)} moves"


def _result(game: Recording) -> str:
    if game.result is None:
        return f"no result ({'claim void' if game.end == VOID else game.end})"
    if game.result.durak is None:
        return "draw"
    return f"durak {called(game)[game.result.durak]}" + (" (resigned)" if game.end == "resign" else "")


def _fields(path: Path, game: Recording) -> dict[str, object]:
    return {
        "log": str(path),
        "names": list(game.names),
        "date": game.date,
        "game": game.number,
        "seat": game.seat,
        "end": game.end,
        "durak": None if game.result is None else game.result.durak,
        "moves": len(game.moves),
        "head": game.head,
    }
