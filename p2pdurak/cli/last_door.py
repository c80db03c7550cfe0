"""The last door of `host` and `join`: every error becomes a sentence and an exit code, and never a traceback.

It owns exit codes; what goes wrong is decided elsewhere.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from fairdeck.errors import LocalError
from fairdeck.group import self_test
from p2pdurak.cli.crash import crash, note_fault
from p2pdurak.cli.descriptors import complain
from p2pdurak.cli.faces import Face, Typist, choose_face, has_screen, table_face
from p2pdurak.cli.seating import Guestbook, UsageError
from p2pdurak.events import Trouble
from p2pdurak.files import StoreError
from p2pdurak.settings import SettingsError, load
from p2pdurak.store import Identity, Store
from p2pdurak.transport.base import TransportError
from p2pdurak.ui.plain import PlainFace

INTERNAL, USAGE, UNREACHABLE = 1, 2, 3


def newcomer(store: Store) -> Identity:
    """The first identity that nobody uses."""
    return store.identity(os.urandom)


def run_evening(
    options: argparse.Namespace,
    evening: Callable[[Guestbook], Coroutine[Any, Any, int]],
    sit: Callable[[Store], Identity] = newcomer,
) -> int:
    """Prepare who sits here, run the evening in an event loop, and turn every error into a sentence and a code.

    Args:
        options: the parsed flags.
        evening: the command's coroutine function; it takes the guestbook and gives the exit code.
        sit: as whom the player sits down.
    """
    face, reader = choose_face(options, sys.stdout)
    folder = Path()
    try:
        self_test()
        settings = load()
        folder = settings.data
        store = Store(folder)
        identity = sit(store)
        table = None
        if isinstance(face, PlainFace) and options.bot is None and has_screen(options):
            table = table_face(options, settings, face)
        shown = table or face
        book = Guestbook(options, settings, store, identity, shown, Typist(shown, reader), table)
        with asyncio.Runner() as runner:
            runner.get_loop().set_exception_handler(lambda _loop, context: note_fault(folder, context))
            return runner.run(evening(book))
    except UsageError as error:
        return _fail(options, face, "usage", str(error), error.code)
    except (SettingsError, LocalError) as error:
        return _fail(options, face, "settings", str(error), USAGE)
    except TransportError as error:
        return _fail(options, face, "broker", str(error), UNREACHABLE)
    except StoreError as error:
        return _fail(options, face, "disk", str(error), INTERNAL)
    except Exception as error:  # noqa: BLE001 - a fault of ours becomes a file and a sentence
        return _fail(options, face, "internal", crash(folder, error), INTERNAL)


def _fail(options: argparse.Namespace, face: Face, kind: str, sentence: str, code: int) -> int:
    """Say it where a reader looks for it: an event for a program, a sentence on standard error for a person."""
    if options.json:
        face.show(Trouble(kind, sentence))
    else:
        complain(sentence)
    return code
