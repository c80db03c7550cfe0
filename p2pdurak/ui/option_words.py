"""The options of a game in plain sentences, each told by how it differs from the classic ones.

It owns the wording of every option and value; it does not know who offers them to whom.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from p2pdurak.rules.options import CLASSIC, Options, option_pairs
from p2pdurak.ui.scene import safe

_CLASSIC: Final = dict(option_pairs(CLASSIC))
_CLOCK: Final = "move_timer"
_NO_CLOCK: Final = "0"

_LOWEST: Final = "classic: whoever holds the lowest trump"
_SENTENCES: Final = {
    ("first_attacker", "host"): f"The host attacks first in the first game ({_LOWEST}).",
    ("first_attacker", "coin"): f"A coin of both players says who attacks first in the first game ({_LOWEST}).",
    (
        "trumpless",
        "host",
    ): "Where nobody holds a trump, the host attacks first (classic: whoever holds the lowest card).",
    ("rematch_first", "alternate"): "In a rematch the other player attacks first (classic: the winner does).",
    ("after_draw", "other"): "After a draw the other player attacks first (classic: the same one).",
    ("first_bout_limit", "5"): "The first bout holds at most five attack cards (classic: six).",
    ("pile_on", "off"): "The attacker may not pile on once the defender takes (classic: he may).",
    ("open", "off"): "After the game the hands stay hidden (classic: both are shown for the replay).",
}


def rule_sentences(options: Options) -> tuple[str, ...]:
    """Say what a game is played by."""
    return offered_sentences(option_pairs(options))


def offered_sentences(options: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Say what is offered, as (name, value text); an option that we do not know is told as it came."""
    changed = [(name, value) for name, value in options if _CLASSIC.get(name) != value]
    clock = dict(options).get(_CLOCK)
    if not changed:
        return (f"The classic rules: {clock} s a move.",)
    beginning = "The classic rules" if clock != _CLASSIC[_CLOCK] else f"The classic rules, {clock} s a move"
    return (f"{beginning}, but:", *(_sentence(name, value) for name, value in changed))


def _sentence(name: str, value: str) -> str:
    if name == _CLOCK:
        classic = f"(classic: {_CLASSIC[_CLOCK]} s a move)"
        return (
            f"There is no clock {classic}."
            if value == _NO_CLOCK
            else f"The clock gives {safe(value)} s a move {classic}."
        )
    return _SENTENCES.get((name, value), f"{safe(name)}: {safe(value)}.")
