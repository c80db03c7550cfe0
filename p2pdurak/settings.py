"""Where things live, and what a player has set: environment before file before default; flags come before all.

It owns paths and the reading of the settings file; it writes nothing and knows no game.
"""

from __future__ import annotations

import getpass
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

APP: Final = "p2pdurak"
NAME_DEFAULT: Final = "player"
PROGRAM_DEFAULT: Final = "p2pdurak"

EMBEDDED: Final = "embedded"
"""What a player writes who wants the broker inside the host's program, and not to be asked."""

THEMES: Final = ("terminal", "dark", "light", "mono")
SUITS: Final = ("4", "2")
SORTS: Final = ("suit", "rank")
AUTO_DONES: Final = ("masked", "instant", "ask")
"""What each of these may be; the first is the default."""

SWITCHES: Final = {
    "1": True,
    "yes": True,
    "true": True,
    "on": True,
    "0": False,
    "no": False,
    "false": False,
    "off": False,
}
"""How a variable says yes or no."""


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
        theme: the colours of the full screen, one of `THEMES`.
        suits: in how many colours the suits are drawn: 2 or 4.
        sort: how a hand is sorted, by `suit` or by `rank`.
        mouse: whether the full screen takes the mouse.
        bell: whether the terminal rings when it is the player's turn.
        auto_done: what a forced `done` does, one of `AUTO_DONES`.
        embedded: whether the embedded broker was chosen; without that and without `brokers` nothing was.
    """

    data: Path
    config: Path
    name: str
    brokers: tuple[str, ...]
    program: str
    theme: str = "terminal"
    suits: int = 4
    sort: str = "suit"
    mouse: bool = True
    bell: bool = False
    auto_done: str = "masked"
    embedded: bool = False


def load(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read environment and settings file.

    Raises:
        SettingsError: the file is no TOML, or a value is none that is allowed.
    """
    config = _folder(environment, "XDG_CONFIG_HOME", platformdirs.user_config_dir(APP)) / "config.toml"
    given = _Given(environment, _read(config), config)
    brokers = tuple(given.text("broker").replace(",", " ").split())
    embedded = brokers == (EMBEDDED,)
    return Settings(
        data=_folder(environment, "XDG_DATA_HOME", platformdirs.user_data_dir(APP)),
        config=config,
        name=given.text("name") or _login(),
        brokers=() if embedded else brokers,
        program=environment.get("P2PDURAK_PROG") or PROGRAM_DEFAULT,
        theme=given.choice("theme", THEMES),
        suits=int(given.choice("suits", SUITS)),
        sort=given.choice("sort", SORTS),
        mouse=given.switch("mouse", default=True),
        bell=given.switch("bell", default=False),
        auto_done=given.choice("auto_done", AUTO_DONES),
        embedded=embedded,
    )


@dataclass(frozen=True, slots=True)
class _Given:
    """What environment and file say; an empty variable says nothing."""

    environment: Mapping[str, str]
    file: Mapping[str, object]
    path: Path

    def text(self, key: str) -> str:
        value = self._value(key, "")
        if not isinstance(value, str):
            raise SettingsError(f'In {self.path}, {key} must be a text, such as {key} = "...".')
        return value

    def choice(self, key: str, allowed: Sequence[str]) -> str:
        value = self._value(key, allowed[0])
        text = str(value).strip().lower()
        if text not in allowed or isinstance(value, bool):
            raise SettingsError(f"{self._where(key)} must be one of: {', '.join(allowed)}.")
        return text

    def switch(self, key: str, *, default: bool) -> bool:
        value = self._value(key, default)
        if isinstance(value, str):
            value = SWITCHES.get(value.strip().lower())
        if not isinstance(value, bool):
            raise SettingsError(f"{self._where(key)} must be true or false.")
        return value

    def _value(self, key: str, default: object) -> object:
        return self.environment.get(_variable(key)) or self.file.get(key, default)

    def _where(self, key: str) -> str:
        return _variable(key) if self.environment.get(_variable(key)) else f"In {self.path}, {key}"


def _variable(key: str) -> str:
    return f"P2PDURAK_{key.upper()}"


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


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # no user of that number, no password database
        return NAME_DEFAULT
