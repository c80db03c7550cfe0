"""The options of a game: what may be agreed before it, its text, and the named sets.

It owns names, values and the canonical text that both players hash; it does not know what an option does in play.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Literal

MOVE_TIMER_MIN_S: Final = 5
"""Less leaves no time to read the table."""

MOVE_TIMER_MAX_S: Final = 86_400
"""A day a move; whoever wants longer switches the clock off."""


class FirstAttacker(Enum):
    """Who attacks first in the first game of a match."""

    LOWEST_TRUMP = "lowest_trump"
    HOST = "host"
    COIN = "coin"


class Trumpless(Enum):
    """Who attacks first when neither hand holds a trump."""

    LOWEST_CARD = "lowest_card"
    HOST = "host"


class RematchFirst(Enum):
    """Who attacks first in the next games of a match."""

    WINNER = "winner"
    ALTERNATE = "alternate"


class AfterDraw(Enum):
    """Who attacks first after a draw: the same player as in the drawn game, or the other."""

    SAME = "same"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Options:
    """What the two players agreed on; the defaults are the set `classic`.

    `move_timer` is in seconds, 0 for no clock. `open`: after the game both hands are shown for the replay.
    """

    first_attacker: FirstAttacker = FirstAttacker.LOWEST_TRUMP
    trumpless: Trumpless = Trumpless.LOWEST_CARD
    rematch_first: RematchFirst = RematchFirst.WINNER
    after_draw: AfterDraw = AfterDraw.SAME
    first_bout_limit: Literal[5, 6] = 6
    pile_on: bool = True
    move_timer: int = 25
    open: bool = True


CLASSIC: Final = Options()

NAMED: Final[dict[str, Options]] = {
    "classic": CLASSIC,
    "table": Options(trumpless=Trumpless.HOST, after_draw=AfterDraw.OTHER, move_timer=0),
    "club": Options(rematch_first=RematchFirst.ALTERNATE, move_timer=25),
}

_ALLOWED: Final[dict[str, str]] = {
    "first_attacker": "lowest_trump, host or coin",
    "trumpless": "lowest_card or host",
    "rematch_first": "winner or alternate",
    "after_draw": "same or other",
    "first_bout_limit": "6 or 5",
    "pile_on": "on or off",
    "move_timer": f"0 for no clock, or {MOVE_TIMER_MIN_S} to {MOVE_TIMER_MAX_S} seconds",
    "open": "on or off",
}

OPTION_NAMES: Final[tuple[str, ...]] = tuple(_ALLOWED)
"""In the order of every listing and of the canonical text."""

_SWITCH: Final = {"on": True, "off": False}
_LIMIT: Final[dict[str, Literal[5, 6]]] = {"5": 5, "6": 6}


def allowed_values(name: str) -> str:
    """The values that option `name` may have, as a phrase for a player.

    Raises:
        ValueError: if there is no such option.
    """
    if name not in _ALLOWED:
        raise ValueError(f"there is no option {name!r}; the options are {', '.join(OPTION_NAMES)}")
    return _ALLOWED[name]


def set_option(options: Options, name: str, value_text: str) -> Options:
    """The same options with one of them set from its text.

    Raises:
        ValueError: with a sentence that names the options, or the values that this one may have.
    """
    allowed = allowed_values(name)
    try:
        return _set(options, name, value_text)
    except (ValueError, KeyError):
        raise ValueError(f"the option {name} cannot be {value_text!r}; it is {allowed}") from None


def _set(options: Options, name: str, text: str) -> Options:
    match name:
        case "first_attacker":
            return replace(options, first_attacker=FirstAttacker(text))
        case "trumpless":
            return replace(options, trumpless=Trumpless(text))
        case "rematch_first":
            return replace(options, rematch_first=RematchFirst(text))
        case "after_draw":
            return replace(options, after_draw=AfterDraw(text))
        case "first_bout_limit":
            return replace(options, first_bout_limit=_LIMIT[text])
        case "pile_on":
            return replace(options, pile_on=_SWITCH[text])
        case "move_timer":
            return replace(options, move_timer=_seconds(text))
        case _:
            return replace(options, open=_SWITCH[text])


def _seconds(text: str) -> int:
    """A clock from its one decimal text: no sign, no leading zero, no other script's digits."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOVE_TIMER_MAX_S))):
        raise ValueError(text)
    seconds = int(text)
    if str(seconds) != text or not (seconds == 0 or MOVE_TIMER_MIN_S <= seconds <= MOVE_TIMER_MAX_S):
        raise ValueError(text)
    return seconds


def option_pairs(options: Options) -> tuple[tuple[str, str], ...]:
    """Every option as (name, value text), in the order of `OPTION_NAMES`."""
    values = (
        options.first_attacker.value,
        options.trumpless.value,
        options.rematch_first.value,
        options.after_draw.value,
        str(options.first_bout_limit),
        _switch_text(options.pile_on),
        str(options.move_timer),
        _switch_text(options.open),
    )
    return tuple(zip(OPTION_NAMES, values, strict=True))


def _switch_text(on: bool) -> str:
    return "on" if on else "off"


def format_options(options: Options) -> str:
    """The canonical text: `name=value` lines in the order of `OPTION_NAMES`, without a final line break."""
    return "\n".join(f"{name}={value}" for name, value in option_pairs(options))


def parse_options(text: str) -> Options:
    """Read the canonical text; the strict inverse of `format_options`.

    Raises:
        ValueError: with a sentence, for an unknown option or value, or for a text that is not canonical.
    """
    options = CLASSIC
    for line in text.split("\n"):
        name, mark, value = line.partition("=")
        if not mark:
            raise ValueError(f"the options hold a line without '=': {line!r}")
        options = set_option(options, name, value)
    if format_options(options) != text:
        raise ValueError(f"the options must be listed once each, in the order {', '.join(OPTION_NAMES)}")
    return options


def differences(mine: Options, theirs: Options) -> tuple[tuple[str, str, str], ...]:
    """Where two sets of options differ: (name, my value, their value)."""
    both = zip(option_pairs(mine), option_pairs(theirs), strict=True)
    return tuple(
        (name, my_value, their_value) for (name, my_value), (_, their_value) in both if my_value != their_value
    )
