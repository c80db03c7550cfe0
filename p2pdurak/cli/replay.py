"""`p2pdurak replay`: a saved game, move by move, on the screen or as lines."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from p2pdurak.cli.crash import note_fault
from p2pdurak.cli.faces import has_screen, plain_face, theme
from p2pdurak.cli.saved import with_store
from p2pdurak.recording import Recording
from p2pdurak.replay import find_log, load
from p2pdurak.settings import load as load_settings
from p2pdurak.store import Store
from p2pdurak.ui.line_out import LineOut
from p2pdurak.ui.live.keys import AskAnalysis, Wish
from p2pdurak.ui.replay_lines import replay_lines
from p2pdurak.ui.replay_words import Shown

if TYPE_CHECKING:
    from p2pdurak.cli.analyst import Analyst
    from p2pdurak.ui.live.host import FullScreen  # it loads the terminal's library, which takes its time

SIGNAL_BASE: Final = 128


def run(options: argparse.Namespace) -> int:
    """Show a game on the screen where there is one, else in line mode."""
    return with_store(lambda store: _replay(store, options))


def _replay(store: Store, options: argparse.Namespace) -> int:
    path = find_log(options.log, store.logs())
    game = load(path, store.public_keys(), options.seat)
    return _watch(path, game, options) if has_screen(options) else _print(game, options)


def _print(game: Recording, options: argparse.Namespace) -> int:
    out = LineOut(sys.stdout)
    style = plain_face(options, sys.stdout).style
    for line in replay_lines(game, style, Shown(options.hands), options.from_):
        out.write(line)
    if out.problem is not None:
        raise out.problem
    return 0


def _watch(path: Path, game: Recording, options: argparse.Namespace) -> int:
    from p2pdurak.cli.analyst import Analyst
    from p2pdurak.ui.live.host import FullScreen
    from p2pdurak.ui.live.replay_model import ReplayModel

    settings = load_settings()
    mouse = settings.mouse and not options.no_mouse
    model = ReplayModel(game, shown=Shown(options.hands), speed=options.speed, at=options.from_, mouse=mouse)

    def grant(wish: Wish) -> None:
        if isinstance(wish, AskAnalysis):
            analyst.ask(wish.depth)
        else:
            screen.stop()  # all else that a replay asks of us is to end

    screen = FullScreen(model, theme(options, settings, plain_face(options, sys.stdout)), grant, mouse=mouse)
    analyst = Analyst(path, game, model, screen.changed)
    with asyncio.Runner() as runner:
        runner.get_loop().set_exception_handler(lambda _loop, context: note_fault(settings.data, context))
        return runner.run(_until_left(screen, analyst))


async def _until_left(screen: FullScreen, analyst: Analyst) -> int:
    """Show the screen until its player leaves, the terminal goes or a signal comes; the exit code."""
    from p2pdurak.ui.live.host import ScreenGone

    code = 0

    def stop(number: int) -> None:
        nonlocal code
        code = SIGNAL_BASE + number
        screen.stop()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        loop.add_signal_handler(number, stop, number)
    loop.add_signal_handler(signal.SIGTSTP, screen.suspend)
    loop.add_signal_handler(signal.SIGCONT, screen.wake)
    try:
        await screen.run()
    except ScreenGone:
        return SIGNAL_BASE + signal.SIGHUP
    finally:
        analyst.close()
    return code
