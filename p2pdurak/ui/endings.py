"""How a game ended or broke, who the durak is, and how the match stands, in sentences.

It owns the wording of a result, and of a trouble; it judges none.
"""

from __future__ import annotations

from typing import Final, assert_never

from p2pdurak import events
from p2pdurak.events import Reason
from p2pdurak.rules.cards import Suit, suit_of
from p2pdurak.ui.card_words import CardStyle, sort_hand
from p2pdurak.ui.scene import Scene, safe

SAVED: Final = "The game is saved as far as it came. To look at it: {program} replay last"
"""Said to who leaves before the end; `program` is how he started it."""

SAVED_WHOLE: Final = "The game is over, and saved. To look at it: {program} replay last"
"""Said to who is called away after the end."""

NO_GAME: Final = "Stopped before a game began."

NO_ANSWER: Final = (
    "Standard input is at its end, so nobody can answer. To go on with a game that is not finished: {program} resume"
)

BREAKS: Final = {
    "cheat": "Cheating is proven",
    "desync": "The two programs disagree",
    "malformed": "Something that cannot be read came",
}
"""The kinds of trouble that break a game off, each with the words for it."""


def trouble_sentences(event: events.Trouble, scene: Scene, home: str = "") -> tuple[str, ...]:
    """Say what went wrong, who is accused and where the evidence lies; its kind is a word for programs.

    Args:
        event: the trouble.
        scene: who is at the table.
        home: the player's home folder, which is shown as `~`; empty: paths are shown as they are.
    """
    message = safe(event.message)
    more = []
    if event.accused is not None:
        more.append(f"{scene.does(event.accused, 'are', 'is')} accused.")
    if event.evidence is not None:
        # Without a full stop: a path is copied.
        more.append(f"The evidence: {shown_path(event.evidence, home)}")
    return (f"{message.rstrip('.')}.", *more) if more else (message,)


def shown_path(path: str, home: str) -> str:
    """A path as people write it, with `~` for the home folder; `home` is empty where that is not known."""
    below = home.rstrip("/") + "/"
    return f"~/{safe(path.removeprefix(below))}" if home and path.startswith(below) else safe(path)


def result_lines(event: events.Result, scene: Scene, style: CardStyle) -> tuple[str, ...]:
    """Tell a result in line mode, with what can be typed next."""
    lines = [ending(event, scene), *hands_left(event, scene, style), proven(event)]
    if event.log:
        lines.append(f"Log: {safe(event.log)}")
    lines.append(score(event, scene))
    lines.append("Type rematch to play again, or leave." if event.more else "The match is over.")
    return tuple(lines)


def hands_left(event: events.Result, scene: Scene, style: CardStyle) -> tuple[str, ...]:
    """Tell the cards that were left, where there are any and they can be seen."""
    lines = []
    for seat, hand in enumerate(event.hands):
        if hand:
            trump = Suit(suit_of(hand[0])) if scene.state is None else scene.state.trump
            whose = "You hold" if seat == event.seat else f"{scene.who(seat)} holds"
            lines.append(f"{whose}: {style.cards(sort_hand(hand, trump))}")
    return tuple(lines)


def proven(event: events.Result) -> str:
    """Say what the audit of the log has found."""
    if event.verified:
        return "Verified: the deal, both shuffles and every move are proven."
    return "Not everything is verified; p2pdurak verify on the log tells what is."


def score(result: events.Result, scene: Scene) -> str:
    """Say the score of the match after its last game."""
    own, draws = result.seat, result.score[2]
    return f"Durak so far: you {result.score[own]}, {scene.peer()} {result.score[1 - own]}, draws {draws}."


def ending(event: events.Result, scene: Scene) -> str:
    """Say how the game ended and who the durak is."""
    who_lost = verdict(event, scene)
    mine = event.outcome == "win"
    match event.reason:
        case Reason.CARDS:
            return who_lost
        case Reason.RESIGN:
            if event.durak is None:
                return who_lost
            return f"{scene.does(event.durak, 'resigned', 'resigned')}. {who_lost}"
        case Reason.CLAIMED:
            claim = "You claim" if mine or event.by == event.seat else f"{scene.peer()} claims"
            return f"{claim} the win of an unfinished game; a claim is a note in the log, and proves nothing."
        case Reason.LEFT:
            who = "The table was left" if event.by is None else scene.does(event.by, "left the table", "left the table")
            return f"{who} before the end. {who_lost}"
        case Reason.CHEAT:
            return f"The game ends because cheating is proven. {who_lost}"
        case Reason.DESYNC:
            return f"The two programs disagree about the game: a fault of the software, nobody cheated. {who_lost}"
        case Reason.MALFORMED:
            return f"{scene.peer()} sent something that cannot be read. {who_lost}"
        case _:
            assert_never(event.reason)


def verdict(event: events.Result, scene: Scene) -> str:
    """Say who the durak is."""
    if event.durak is None:
        without_durak = {
            "draw": "A draw: both hands are empty, and nobody is the durak.",
            "win": "You win!",
            "loss": f"{scene.peer()} wins.",
        }
        return without_durak.get(event.outcome, "The game has no result.")
    if event.durak == event.seat:
        return f"You are the durak. {scene.peer()} wins."
    return f"{scene.peer()} is the durak. You win!"
