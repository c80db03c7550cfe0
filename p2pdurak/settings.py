"""Where things live, and what a player has set: flag before environment before file before default.

It owns paths and the reading of the settings file; it writes nothing and knows no game.
"""

from __future__ import annotations

import getpass
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

APP: Final = "p2pdurak"
NAME_DEFAULT: Final = "player"
PROGRAM_DEFAULT: Final = "p2pdurak"


class SettingsError(Exception):
    """A setting cannot be used; the text names the file or variable, what is wrong, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is set outside the command line.

    Attributes:
        data: the folder for games and keys.
        config: the settings file, whether it exists or not.
        name: how the player is called.
        brokers: broker URLs to use; empty: the embedded broker for a host, and the code's own address for a guest.
        program: how the program was started, for the lines that a friend is to type.
    """

    data: Path
    config: Path
    name: str
    brokers: tuple[str, ...]
    program: str


def load(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read environment and settings file.

    Raises:
        SettingsError: the file is no TOML, or a value has the wrong type.
    """
    config = _folder(environment, "XDG_CONFIG_HOME", platformdirs.user_config_dir(APP)) / "config.toml"
    file = _read(config)
    name = environment.get("P2PDURAK_NAME") or _text(file, "name", config) or _login()
    broker = environment.get("P2PDURAK_BROKER") or _text(file, "broker", config)
    return Settings(
        data=_folder(environment, "XDG_DATA_HOME", platformdirs.user_data_dir(APP)),
        config=config,
        name=name,
        brokers=tuple(broker.replace(",", " ").split()),
        program=environment.get("P2PDURAK_PROG") or PROGRAM_DEFAULT,
    )


def _folder(environment: Mapping[str, str], variable: str, default: str) -> Path:
    """An absolute XDG folder where one is set, on every system; the specification says to ignore relative ones."""
    given = environment.get(variable, "")
    return Path(given) / APP if Path(given).is_absolute() else Path(default)


def _read(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The settings file {path} cannot be read: {error}.") from error


def _text(file: Mapping[str, object], key: str, path: Path) -> str:
    value = file.get(key, "")
    if not isinstance(value, str):
        raise SettingsError(f'In {path}, {key} must be a text, such as {key} = "...".')
    return value


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # no user of that number, no password database
        return NAME_DEFAULT
