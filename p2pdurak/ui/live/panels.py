"""What lies over the table of a player: help, the question before leaving, a claim, the end of a game.

It owns the wording of these panels and their keys' labels; it does not know what a key does.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from p2pdurak.events import Reason, Result, Seat, Trouble
from p2pdurak.rules.actions import Action, Done, Take
from p2pdurak.rules.match import Opener
from p2pdurak.ui.card_words import CardStyle
from p2pdurak.ui.draw.screen import Hint, Notice, Panel, Told, Tone
from p2pdurak.ui.endings import BREAKS, ending, hands_left, proven, score, shown_path, trouble_sentences
from p2pdurak.ui.scene import Scene, sentence

ADVICE: Final = Hint("h", "h", "hint")
CHAT: Final = Hint("/", "/", "chat")
HELP: Final = Hint("?", "?", "help")
PROOF: Final = Hint("i", "i", "proofs")
LEAVE: Final = Hint("c-c", "^C", "leave")
CLAIM: Final = Hint("v", "v", "claim the win")
WAIT: Final = Hint("w", "w", "keep waiting")
QUIT: Final = Hint("q", "q", "leave")
CLOSE: Final = Hint("escape", "Esc", "close")
GO_ON: Final = Hint("escape", "Esc", "go on")
ENTRY: Final = (Hint("enter", "Enter", "say"), Hint("escape", "Esc", "drop"))

CHAT_LINES_MAX: Final = 8
"""A conversation, and still a panel that leaves something of the table in view."""

_KEYS: Final = (
    ("left, right, Home, End", "another card"),
    ("up, down", "another suit"),
    ("Tab, Shift-Tab", "another card that can be played"),
    ("6 7 8 9 0 j q k a", "a card of that rank; 0 is the ten"),
    ("Enter, Space", "play the card"),
    ("t", "take"),
    ("d", "done: add no more"),
    ("h", "a hint, in a game against a bot"),
    ("/", "chat, with a friend"),
    ("s", "sort the hand by suit or by rank"),
    ("i", "what has been proven so far"),
    ("m", "mouse on or off; a click chooses a card, one more plays it"),
    ("w, v", "wait, or claim the win, when the other is gone"),
    ("Ctrl-C, F10", "leave; you are asked first"),
    ("Ctrl-L", "draw the screen anew"),
    ("n, r, q", "at the end: rematch, replay, leave"),
    ("?, F1", "this help"),
)


def table_hints(legal: Collection[Action], *, plays: bool, claimable: bool, advised: bool = False) -> tuple[Hint, ...]:
    """The keys that do something at the table now, the most important first.

    Args:
        legal: what may be played.
        plays: Enter would play a card.
        claimable: the win may be claimed.
        advised: the other player is a bot: it gives hints, and reads no chat.
    """
    moves = (
        Hint("enter", "Enter", "play") if plays else None,
        Hint("t", "t", "take") if Take() in legal else None,
        Hint("d", "d", "done") if Done() in legal else None,
        CLAIM if claimable else None,
        ADVICE if advised and legal else None,
    )
    chat = () if advised else (CHAT,)
    return (*(hint for hint in moves if hint is not None), *chat, HELP, LEAVE, PROOF)


def help_panel(scroll: int) -> Panel:
    """Every key."""
    keys = tuple(Notice(f"{keys}: {what}") for keys, what in _KEYS)
    layouts = Notice("Letters count by their place, also under Cyrillic and Arabic layouts.")
    return Panel("Keys", (*keys, layouts), (CLOSE,), scroll)


def proof_panel(lines: tuple[Notice, ...], scroll: int) -> Panel:
    """What is proven and what is not."""
    return Panel("Proven so far", lines, (CLOSE,), scroll)


def chat_panel(chat: Sequence[Told], scroll: int) -> Panel | None:
    """What was said last, as a whole, while an answer is typed; None where nothing was."""
    lines = tuple(Notice(f"{line.who}: {line.word}", Tone.CHAT) for line in chat[-CHAT_LINES_MAX:])
    return Panel("Chat", lines, scroll=scroll) if lines else None


def leave_panel(scene: Scene, scroll: int, *, counts: bool) -> Panel:
    """The question before leaving.

    Args:
        scene: who is at the table.
        scroll: lines scrolled down.
        counts: there is a game that can be given up, and leaving it is noted; else only the table is left.
    """
    again = Notice("Ctrl-C once more leaves without asking again.")
    leave = Hint("l", "l", "leave")
    if not counts:
        early = Notice("Nobody knows a card yet: leaving now counts for nothing.")
        return Panel("Leave the table?", (early, again), (leave, GO_ON), scroll)
    lines = (
        Notice("r: resign. The game is complete, and you are the durak.", Tone.MINE),
        Notice(f"l: leave. The game counts as unfinished, left by you, and {scene.peer()} is told.", Tone.MINE),
        again,
    )
    return Panel("Leave the game?", lines, (Hint("r", "r", "resign"), leave, GO_ON), scroll)


def claim_panel(scene: Scene, scroll: int, *, claimable: bool, stalled: bool) -> Panel:
    """What a claim is.

    Args:
        scene: who is at the table.
        scroll: lines scrolled down.
        claimable: one may be made, as far as was told; else the table says whether it may.
        stalled: the other can be heard, and only does not move.
    """
    peer = scene.peer()
    has = "can be heard but does not make" if stalled else "cannot be heard and does not make"
    why = f"{peer} {has} the next step." if claimable else f"That is possible once {peer} is gone or overdue."
    lines = (
        Notice(sentence(why)),
        Notice(f"w: keep waiting. The game goes on as soon as {peer} does.", Tone.MINE),
        Notice("v: claim the win. That ends the game.", Tone.MINE),
        Notice("A claim is a note in the log, and proves nothing. Claimed games count apart from the score."),
    )
    return Panel("Wait, or claim the win?", lines, (WAIT, CLAIM), scroll)


def trouble_panel(trouble: Trouble, scene: Scene, home: str, scroll: int) -> Panel:
    """What has broken the game off, as a whole."""
    return Panel(BREAKS[trouble.kind], trouble_lines(trouble, scene, home), (CLOSE,), scroll)


def trouble_lines(trouble: Trouble, scene: Scene, home: str) -> tuple[Notice, ...]:
    """What has broken the game off: the reason, who is accused, the path of the evidence."""
    reason, *more = map(sentence, trouble_sentences(trouble, scene, home))
    return (Notice(reason, Tone.ALARM), *map(Notice, more))


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished game as its panel shows it.

    Attributes:
        result: of the game.
        game: its number in the match.
        more: the match may go on.
        absent: the other player is gone, and may return.
        again: the seats that have asked for one.
        trouble: what has broken it off, or the match after it.
        home: the player's home folder, which is shown as `~`; empty where that is not known.
        advised: as for `table_hints`.
    """

    result: Result
    game: int
    more: bool
    absent: bool = False
    again: frozenset[Seat] = frozenset()
    trouble: Trouble | None = None
    home: str = ""
    advised: bool = False

    @property
    def asks(self) -> bool:
        """Whether somebody is there who can be asked for a rematch, and talked to."""
        return self.more and not self.absent

    @property
    def we_ask(self) -> bool:
        """Whether we have asked for a rematch and wait."""
        return self.result.seat in self.again

    @property
    def he_asks(self) -> bool:
        """Whether the other waits for our answer."""
        return 1 - self.result.seat in self.again


def end_panel(ended: Ended, scene: Scene, scroll: int) -> Panel:
    """The end of a game."""
    result = ended.result
    ok = result.verified
    lines = [
        Notice(sentence(ending(result, scene)), _end_tone(result)),
        *_asked(ended, scene),
        *([] if ended.trouble is None else trouble_lines(ended.trouble, scene, ended.home)),
        Notice(f"{'✓ ' if ok else ''}{proven(result)}", Tone.GOOD if ok else Tone.PLAIN),
        *(Notice(sentence(line)) for line in hands_left(result, scene, CardStyle())),
        *([Notice(f"Log: {shown_path(result.log, ended.home)}")] if result.log else []),
        Notice(score(result, scene)),
        Notice(_outlook(ended, scene)),
    ]
    return Panel(f"The end of game {ended.game}", tuple(lines), end_hints(ended), scroll)


def _end_tone(result: Result) -> Tone:
    if result.reason in {Reason.CHEAT, Reason.DESYNC, Reason.MALFORMED}:
        return Tone.ALARM
    return Tone.GOOD if result.outcome == "win" else Tone.MINE


def end_hints(ended: Ended) -> tuple[Hint, ...]:
    """The keys at the end of a game."""
    again = [Hint("n", "n", "play" if ended.he_asks else "rematch")] if ended.asks and not ended.we_ask else []
    replay = [Hint("r", "r", "replay")] if ended.result.log else []
    chat = [CHAT] if ended.asks and not ended.advised else []
    return (*again, *replay, *chat, QUIT)


def _asked(ended: Ended, scene: Scene) -> list[Notice]:
    """Who has asked for a rematch; high up, so that it is seen where the panel has room for few lines."""
    if ended.asks and ended.we_ask:
        return [Notice(sentence(f"{scene.peer()} is asked for a rematch."), Tone.MINE)]
    if ended.asks and ended.he_asks:
        return [Notice(sentence(f"{scene.peer()} wants to play again: n plays."), Tone.MINE)]
    return []


def _outlook(ended: Ended, scene: Scene) -> str:
    if ended.asks:
        return _next_first(ended.result.next_opener, scene)
    return sentence(f"{scene.peer()} is not there, and may return.") if ended.more else "The match is over."


def _next_first(opener: Opener | None, scene: Scene) -> str:
    match opener:
        case None:
            return "The rules say who attacks first in the rematch."
        case Opener.ASK:
            return "The lowest trump attacks first in the rematch."
        case Opener.COIN:
            return "A coin of both players says who attacks first in the rematch."
        case Opener.SEAT0:
            return f"{scene.does(0, 'attack', 'attacks')} first in the rematch."
        case Opener.SEAT1:
            return f"{scene.does(1, 'attack', 'attacks')} first in the rematch."
        case other:
            assert_never(other)
