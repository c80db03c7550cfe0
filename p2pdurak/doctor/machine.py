"""This machine as far as a game needs it: the data folder, settings, the terminal.

It owns the questions to the system and what the answers mean; it knows no broker.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from p2pdurak.doctor.finding import Area, Figure, Finding, Outcome
from p2pdurak.files import StoreError
from p2pdurak.settings import Settings
from p2pdurak.store import Store, secrets_path

LOW_BYTES: Final = 100 * 2**20
"""Thousands of games; but a disk with less is about to be full."""

FULL_BYTES: Final = 2**20
"""A long game is 200 KiB, and its log is written twice where it proves something."""

COLUMNS_MIN, ROWS_MIN = 40, 12
RIGHT_TO_LEFT: Final = ("ar", "fa", "he", "ur", "yi")
SIGNS: Final = "♠♥♦♣ — ╭"


def check_files(settings: Settings) -> Iterator[Finding]:
    """The data folder, what lies in it, and the settings file."""
    try:
        store = Store(settings.data)
        yield _written(settings.data)
        yield _space(settings.data)
        yield _modes(settings)
        yield _unfinished(store, settings.program)
    except StoreError as error:
        yield Finding("data folder", Outcome.FAILED, str(error))
    except OSError as error:
        text = f"The folder {settings.data} cannot be used ({error.strerror or error})."
        yield Finding("data folder", Outcome.FAILED, text, "Make room, or mend its owner and mode.")


def _written(folder: Path) -> Finding:
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(1024))
        file.flush()
        os.fsync(file.fileno())
    return Finding("data folder", Outcome.OK, f"Games are kept in {folder}.", figures={"path": str(folder)})


def _space(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    text, figures = f"{free // 2**20} MiB are free there.", {"free_bytes": free}
    if free < FULL_BYTES:
        return Finding("disk", Outcome.FAILED, text, "Make room: a game that cannot be saved stops.", figures=figures)
    if free < LOW_BYTES:
        return Finding("disk", Outcome.WARNING, text, "Make room before you play long.", figures=figures)
    return Finding("disk", Outcome.OK, text, figures=figures)


def _modes(settings: Settings) -> Finding:
    """Whether others may read what is secret: the keys, and passwords in the settings."""
    secret = [*settings.data.glob("player-*.key"), *(settings.data / "games").glob("*.keys")]
    if any("@" in broker for broker in settings.brokers):
        secret.append(settings.config)
    open_ones = [str(path) for path in (settings.data, *secret) if _others_may(path)]
    if open_ones:
        text = f"Others may read {', '.join(open_ones)}."
        advice = f"Run: chmod -R go= {' '.join(_quoted(path) for path in open_ones)}"
        return Finding("privacy", Outcome.WARNING, text, advice, figures={"open": open_ones})
    return Finding("privacy", Outcome.OK, "Only you may read your keys.", figures={"open": []})


def _quoted(path: str) -> str:
    return "'" + path.replace("'", "'\\''") + "'"


def _others_may(path: Path) -> bool:
    with suppress(OSError):  # what is not there is open to nobody
        return bool(stat.S_IMODE(path.stat().st_mode) & 0o077)
    return False


def _unfinished(store: Store, program: str) -> Finding:
    logs = store.logs()
    open_games = sum(secrets_path(log).exists() for log in logs)  # they go when both game keys are shown
    figures: dict[str, Figure] = {"games": len(logs), "unfinished": open_games}
    text = f"{len(logs)} games are saved, {open_games} of them not finished."
    return Finding("saved games", Outcome.OK, text, f"List them: {program} logs" if open_games else "", figures=figures)


def check_settings(settings: Settings) -> Finding:
    """Where the settings are, and which brokers they name; without passwords."""
    figures: dict[str, Figure] = {"path": str(settings.config), "exists": settings.config.exists()}
    state = "are read from" if settings.config.exists() else "would be read from"
    return Finding("settings", Outcome.OK, f"Settings {state} {settings.config}.", "", Area.SETTINGS, figures=figures)


@dataclass(frozen=True, slots=True)
class Screen:
    """What is known about the terminal.

    Attributes:
        is_terminal: whether standard output is one.
        columns: cells in a row.
        rows: of the screen.
        encoding: of standard output.
        variables: the environment.
    """

    is_terminal: bool
    columns: int
    rows: int
    encoding: str
    variables: Mapping[str, str]


def this_screen() -> Screen:
    """The terminal behind standard output."""
    size = shutil.get_terminal_size()
    return Screen(sys.stdout.isatty(), size.columns, size.lines, sys.stdout.encoding or "ascii", os.environ)


def check_terminal(screen: Screen) -> Iterator[Finding]:
    """Size, colours, signs, and the direction of writing."""
    yield _size(screen)
    yield _colours(screen.variables)
    yield _signs(screen.encoding)
    variables = screen.variables
    language = variables.get("LC_ALL") or variables.get("LC_MESSAGES") or variables.get("LANG") or ""
    if language.partition("_")[0] in RIGHT_TO_LEFT:
        text = f"The language {language} is written from right to left, and terminals disagree on who reorders it."
        advice = "If names or chat look reversed at the table, use --plain."
        yield Finding("direction", Outcome.WARNING, text, advice, figures={"language": language})


def _size(screen: Screen) -> Finding:
    check, term = "terminal", screen.variables.get("TERM", "")
    figures: dict[str, Figure] = {
        "terminal": screen.is_terminal,
        "columns": screen.columns,
        "rows": screen.rows,
        "term": term,
    }
    if not screen.is_terminal:
        return Finding(check, Outcome.OK, "Output goes to no terminal: games are shown line by line.", figures=figures)
    text = f"{screen.columns} columns and {screen.rows} rows, TERM={term or 'not set'}."
    if term in {"", "dumb", "unknown"}:
        advice = "Games are shown line by line; set TERM, such as xterm-256color, for the table."
        return Finding(check, Outcome.WARNING, text, advice, figures=figures)
    if screen.columns < COLUMNS_MIN or screen.rows < ROWS_MIN:
        advice = f"The table needs {COLUMNS_MIN} columns and {ROWS_MIN} rows: make the window larger, or use --plain."
        return Finding(check, Outcome.WARNING, text, advice, figures=figures)
    return Finding(check, Outcome.OK, text, figures=figures)


def _colours(variables: Mapping[str, str]) -> Finding:
    if variables.get("NO_COLOR"):
        count = "none, for NO_COLOR is set"
    elif variables.get("COLORTERM", "").casefold() in {"truecolor", "24bit"}:
        count = "16 million"
    else:
        count = "256" if "256color" in variables.get("TERM", "") else "16"
    return Finding("colours", Outcome.OK, f"Colours: {count}.", figures={"colours": count})


def _signs(encoding: str) -> Finding:
    try:
        SIGNS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        text = f"The encoding {encoding} has no signs for the suits; letters are used instead."
        advice = "For the signs, use a UTF-8 locale, such as LC_ALL=C.UTF-8."
        return Finding("signs", Outcome.WARNING, text, advice, figures={"encoding": encoding})
    return Finding("signs", Outcome.OK, f"The suits can be written ({encoding}).", figures={"encoding": encoding})
