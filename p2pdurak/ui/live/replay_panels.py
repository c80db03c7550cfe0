"""What lies over a replay and below it: its keys, and what the log proves.

It owns these texts; it does not know which of them is shown, nor what a key does.
"""

from __future__ import annotations

from typing import Final

from p2pdurak.recording import Recording
from p2pdurak.ui.draw.screen import Hint, Notice, Panel, Tone
from p2pdurak.ui.live.panels import CLOSE, HELP
from p2pdurak.ui.live.replay_frames import Frames
from p2pdurak.ui.replay_words import audit_line, ending, game_line, rules_line

_KEYS: Final = (
    ("Space", "play or pause; at the end: play from the beginning"),
    ("left, right", "a move back, a move on"),
    ("[ ]", "the bout before, the next bout"),
    ("- +", "slower, faster"),
    ("Home, End", "the deal, the end of the game"),
    ("g", "go to a move by its number; a click on the bar goes there too"),
    ("h", "show or hide the other hand"),
    ("f", "flip the seats"),
    ("a", "analyse the game; show the analysis or take it away"),
    ("n, p", "the next turning point, the one before"),
    ("d", "analyse in full depth, which takes longer"),
    ("i", "what this log proves"),
    ("m", "listen to the mouse or not"),
    ("Ctrl-L", "draw the screen anew"),
    ("q, Esc, Ctrl-C", "leave"),
    ("?, F1", "this help"),
)

_SIGNS: Final = (
    ("2.", "the second bout"),
    ("0> 1>", "the host attacks, the guest attacks"),
    ("6c/9c", "an attack and the card that beat it"),
    ("T", "a ten; c d h s are the suits"),
    ("+", "the defender takes; what follows was piled on"),
    (".", "done: no more cards"),
    ("~", "the clock played it"),
    ("0-6h 1+7h", "asked for the lowest trump: the host has no 6♥, the guest shows 7♥"),
)
"""The text form of a game, which stands below the table."""


def help_panel(scroll: int) -> Panel:
    """Every key."""
    keys = (Notice(f"{keys}: {what}") for keys, what in _KEYS)
    signs = (Notice(f"{sign}  {what}") for sign, what in _SIGNS)
    return Panel("Keys", (*keys, Notice(""), Notice("The line of the bout:"), *signs), (CLOSE,), scroll)


def proof_panel(game: Recording, frames: Frames, scroll: int) -> Panel:
    """What the log proves, and what it does not."""
    tones = {"ok": Tone.GOOD, "torn": Tone.ALARM}
    lines = (
        Notice(audit_line(game), tones.get(game.finding, Tone.PLAIN)),
        Notice(hands_line(frames)),
        Notice(game_line(game)),
        Notice(rules_line(game)),
        Notice(ending(game)),
        *(Notice(f"Key of {name}: {_short(key)}") for name, key in zip(frames.names, game.keys, strict=True)),
        Notice(f"Session: {_short(game.sid)}. Last record: {_short(game.head)}"),
        Notice("A key is no person: no log tells who held it, or who looked over his shoulder."),
        Notice("p2pdurak verify on the log names every check."),
    )
    return Panel("What this log proves", lines, (CLOSE,), scroll)


def hands_line(frames: Frames) -> str:
    """Whose hidden cards can be seen."""
    unseen = [frames.names[seat] for seat in (0, 1) if frames.unseen(seat)]
    if not unseen:
        return "Every card of both hands can be seen."
    return f"The hidden cards of {' and '.join(unseen)} were never opened."


def hints(turning: tuple[Hint, ...] = (), *, playing: bool, from_table: bool) -> tuple[Hint, ...]:
    """The keys of a replay for the last line; `turning` are those of an analysis that is there."""
    return (
        Hint("space", "Space", "pause" if playing else "play"),
        Hint("left", "<", ""),
        Hint("right", ">", "step"),
        Hint("[", "[", ""),
        Hint("]", "]", "bout"),
        HELP,
        Hint("q", "q", "back" if from_table else "leave"),
        Hint("a", "a", "analyse"),
        *turning,
        Hint("-", "-", ""),
        Hint("+", "+", "speed"),
        Hint("h", "h", "hands"),
        Hint("f", "f", "flip"),
        Hint("g", "g", "go to"),
        Hint("i", "i", "log"),
    )


ENTRY_HINTS: Final = (Hint("enter", "Enter", "go"), Hint("escape", "Esc", "cancel"))


def _short(hexadecimal: str) -> str:
    """The beginning of a long number, in groups that can be read out."""
    return " ".join(hexadecimal[at : at + 4] for at in range(0, 16, 4))
