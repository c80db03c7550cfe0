"""A player's seat: what events, keys, clicks and seconds do to the picture of the table.

It owns focus, panels, typed chat and what is said for a while; it decides no game and never makes up an action: it
picks one that the view lists as legal.
"""

from __future__ import annotations

from enum import Enum
from math import inf
from typing import Final, assert_never

from p2pdurak.events import Claim, Command, Dealt, Event, Leave, Play, Rematch, Resign, Result, Say, Turn
from p2pdurak.rules.cards import CARDS, card_text
from p2pdurak.rules.view import View
from p2pdurak.safe_text import clean_chat
from p2pdurak.ui.commands import Problem, parse_command
from p2pdurak.ui.draw.canvas import Press, Target, Touch
from p2pdurak.ui.draw.screen import Hint, Notice, Panel, Screen, Tone
from p2pdurak.ui.live import panels
from p2pdurak.ui.live.entry import Entry
from p2pdurak.ui.live.hand_focus import HandFocus
from p2pdurak.ui.live.keys import Local, Wish, latin
from p2pdurak.ui.live.line_model import LineModel
from p2pdurak.ui.live.news import News
from p2pdurak.ui.live.proof import ProofLedger
from p2pdurak.ui.live.story import Story
from p2pdurak.ui.live.table_state import STYLE, TableState
from p2pdurak.ui.live.timing import soonest

GUARD_S: Final = 0.25
"""A second press of a double press, or a held key, comes within this time and must not play a card of the next turn."""


class Over(Enum):
    """What the player has laid over the table."""

    HELP = "help"
    PROOF = "proof"
    LEAVE = "leave"
    CLAIM = "claim"


class PlayModel:
    """The full screen of one player through a whole match. Feed it events, keys and the time; ask for the picture.

    Attributes:
        title: what stands at the head of the table.
    """

    def __init__(self, title: str = "", *, by_suit: bool = True) -> None:
        """Sit down before anything has happened.

        Args:
            title: what stands at the head of the table.
            by_suit: sort the hand by suit first; else by rank.
        """
        self.title = title
        self._table = TableState()
        self._focus = HandFocus(by_suit=by_suit)
        self._line = LineModel()
        self._proofs = ProofLedger()
        self._story = Story()
        self._news = News(self._table)
        self._over: Over | None = None
        self._scroll = 0
        self._entry: Entry | None = None
        self._pressed_at = -inf

    @property
    def view(self) -> View | None:
        """The game as the player sees it, if one is dealt."""
        return self._table.view

    @property
    def result(self) -> Result | None:
        """How the last game ended, if one has."""
        return self._table.result

    @property
    def ended(self) -> bool:
        """Whether a game is over and the next one is not dealt."""
        return self._table.ended

    # What happens.

    def show(self, event: Event, now: float) -> None:
        """Take in what the table tells."""
        before = self._table.before
        claimable = self._line.claimable
        self._table.take(event, now)
        self._line.take(event, now)
        self._proofs.take(event, before)
        self._story.take(event, self._table.scene, before)
        self._news.take(event, now)
        if isinstance(event, Dealt | Result):
            self._lay(None)
        if not self._line.claimable and self._over is Over.CLAIM:
            self._lay(None)
        elif self._line.claimable and not claimable and self._over is None:
            self._lay(Over.CLAIM)
        self._focus.hold(self._table.cards, self._table.trump)
        if isinstance(event, Turn) and self._table.choosing:
            self._focus.begin_turn(self._table.playable)

    def close(self) -> None:
        """The table is closed: nothing more comes, and nobody can be asked for anything."""
        self._table.close()

    def advance(self, now: float) -> None:
        """Let time pass."""
        self._news.board.advance(now)

    # Keys.

    def press(self, key: str, now: float) -> Wish | None:
        """Do what a key says.

        Args:
            key: its name, or the one character that it types.
            now: seconds.

        Returns:
            What is to be done outside; None if the key changes only this picture, or nothing.
        """
        if key == "c-l":
            return Local.REDRAW
        if key in {"c-c", "f10"}:
            return self._interrupt()
        if self._entry is not None:
            return self._type(key, self._entry)
        name = latin(key) if len(key) == 1 else key
        match self._over:
            case Over.LEAVE:
                return self._answer_leaving(name)
            case Over.HELP | Over.PROOF:
                return self._read(name)
            case Over.CLAIM:
                return self._answer_claim(name, now)
            case None:
                over = self._table.resting or self._table.closed
                return self._press_end(name, now) if over else self._press_table(name, now)
            case other:
                assert_never(other)

    def touch(self, target: Target, now: float) -> Wish | None:
        """Do what a click says: a place that stands for a key is that key; a card comes into focus, and then is played.

        The first click on a card that the turn itself put into focus only confirms it: every card takes two steps.
        """
        match target:
            case Press(key):
                return self.press(key, now)
            case Touch(card) if card in self._focus.order and self._at_table:
                if self._focus.card == card and self._focus.chosen:
                    return self._play(card_text(card), now)
                self._focus.choose(card)
                return None
            case _:
                return None

    def paste(self, text: str, now: float) -> None:  # noqa: ARG002 - the interface of every model
        """Put pasted text into the chat line; where none is open it is no text for us, and surely no keys."""
        if self._entry is not None:
            self._entry.add(text)

    @property
    def _at_table(self) -> bool:
        return self._entry is None and self._over is None and not self.ended

    def _interrupt(self) -> Wish | None:
        if self._over is Over.LEAVE:
            return Local.NOW_LEAVE
        if self._table.closed or self.view is None or self._table.resting:
            return Local.QUIT
        self._entry = None
        self._lay(Over.LEAVE)
        return None

    def _type(self, key: str, entry: Entry) -> Command | None:
        if key not in {"enter", "escape"}:
            entry.press(key)
            return None
        self._entry = None
        text = clean_chat(entry.text)
        return Say(text) if text and key == "enter" else None

    def _answer_leaving(self, key: str) -> Command | None:
        match key:
            case "r" if not self.ended:
                self._lay(None)
                return Resign()
            case "l":
                self._lay(None)
                return Leave()
            case "n" | "escape":
                self._lay(None)
            case _:
                pass
        return None

    def _read(self, key: str) -> Wish | None:
        scrolled = {"up": -1, "down": 1, "pageup": -8, "pagedown": 8, "space": 8, "home": -self._scroll}.get(key)
        if scrolled is not None:
            self._scroll = min(max(0, self._scroll + scrolled), self._scroll_max)
            return None
        if key in {"escape", "enter", "q"} or (key, self._over) in _SHUTS:
            self._lay(None)
            return None
        return self._press_anywhere(key)

    @property
    def _scroll_max(self) -> int:
        """Where the last line still shows, however narrow it is."""
        panel = self._panel
        return 0 if panel is None else 2 * len(panel.lines)

    def _answer_claim(self, key: str, now: float) -> Wish | None:
        match key:
            case "w" | "escape":
                self._lay(None)
                return None
            case _:
                return self._press_table(key, now)

    def _press_end(self, key: str, now: float) -> Wish | None:
        match key:
            case "n" if self._table.more:
                return Rematch()
            case "r" if self.result is not None and self.result.log:
                return Local.REPLAY
            case "q":
                return Local.QUIT
            case "n":
                self._news.refuse("The match is over: there is nobody to ask for a rematch.", now)
                return None
            case "up" | "down" | "pageup" | "pagedown":
                return self._read(key)
            case _:
                return self._press_anywhere(key)

    def _press_table(self, key: str, now: float) -> Wish | None:
        if self._focus.press(key, self._table.playable):
            return None
        match key:
            case "enter" | "space":
                return None if self._focus.card is None else self._play(card_text(self._focus.card), now)
            case "t":
                return self._play("take", now)
            case "d":
                return self._play("done", now)
            case "v" if self._line.claimable:
                self._lay(None)
                return Claim()
            case "v":
                self._news.refuse("The win cannot be claimed now.", now)
                return None
            case _:
                return self._press_anywhere(key)

    def _press_anywhere(self, key: str) -> Wish | None:
        match key:
            case "/" if not self._table.closed:
                if self._over is not Over.CLAIM:
                    self._lay(None)
                self._entry = Entry()
            case "?" | "f1":
                self._lay(Over.HELP)
            case "i":
                self._lay(Over.PROOF)
            case "s":
                self._focus.sort()
            case "m":
                return Local.MOUSE
            case _:
                pass
        return None

    def _lay(self, over: Over | None) -> None:
        self._over, self._scroll = over, 0

    # Playing.

    def _play(self, typed: str, now: float) -> Play | None:
        hasty = now - max(self._pressed_at, self._table.turn_at or -inf) < GUARD_S
        self._pressed_at = now
        if hasty:
            return None
        played = self._found(typed)
        if isinstance(played, Problem):
            self._news.refuse(played.sentence, now)
            return None
        return played

    def _found(self, typed: str) -> Play | Problem:
        """Pick the action among the legal ones, or say why it is not there."""
        table = self._table
        if table.ended:
            return Problem("This game is over.")
        if table.view is not None and table.view.my_turn and not table.choosing:
            return Problem("Your new cards are on their way; wait a moment.")
        found = parse_command(typed, table.view, style=STYLE)
        return found if isinstance(found, Play | Problem) else Problem("That cannot be played.")

    # The picture.

    def screen(self, now: float) -> Screen:
        """The table as it is to be seen now."""
        table, state = self._table, self._table.state
        return Screen(
            title=self.title,
            bout=0 if state is None else state.bout,
            top=table.top(),
            bottom=table.bottom(self._focus.order),
            trump=table.trump,
            indicator=None if state is None else state.indicator,
            talon=CARDS if state is None else state.talon,
            beaten=0 if state is None else len(state.discard),
            table=() if state is None else state.table,
            prompt=self._prompt,
            tone=self._tone,
            said=table.said,
            choosing=table.choosing,
            playable=table.playable,
            focus=self._focus.card if table.choosing or (self._focus.chosen and not self.ended) else None,
            by_suit=self._focus.by_suit,
            clock=table.clock(now),
            line=self._line.line(now),
            told=self._story.told,
            notice=self._notice(now),
            entry=None if self._entry is None else self._entry.text,
            hints=self._hints,
            panel=self._panel,
        )

    def due(self, now: float) -> float | None:
        """In how many seconds the picture changes by itself; None: not."""
        return soonest(self._table.clock_due(now), self._line.due(now), self._news.board.due(now))

    @property
    def _prompt(self) -> str:
        if self._line.claimable:
            does = "does not move" if self._line.stalled else "is gone"
            return f"{self._table.scene.peer()} {does}: keep waiting, or claim the win"
        return self._table.prompt

    @property
    def _tone(self) -> Tone:
        won = self.ended and self.result is not None and self.result.outcome == "win"
        if won and not self._table.dealing:
            return Tone.GOOD
        return Tone.MINE if self._table.choosing or self._line.claimable else Tone.PLAIN

    def _notice(self, now: float) -> Notice | None:
        line = None if self.ended else self._line.notice(self._table.scene, now)
        return self._news.notice(now) or line

    @property
    def _hints(self) -> tuple[Hint, ...]:
        if self._entry is not None:
            return panels.ENTRY
        if self._panel is not None:
            return ()
        table = self._table
        if table.closed:
            return (panels.QUIT, panels.HELP)
        plays = self._focus.card in table.playable
        return panels.table_hints(table.legal, plays=plays, claimable=self._line.claimable)

    @property
    def _panel(self) -> Panel | None:
        scene = self._table.scene
        match self._over:
            case Over.HELP:
                return panels.help_panel(self._scroll)
            case Over.PROOF:
                return panels.proof_panel(self._proofs.lines(scene, self.view), self._scroll)
            case Over.LEAVE:
                return panels.leave_panel(scene, running=not self.ended)
            case Over.CLAIM:
                return panels.claim_panel(scene, stalled=self._line.stalled)
            case None:
                return self._end_panel
            case other:
                assert_never(other)

    @property
    def _end_panel(self) -> Panel | None:
        table = self._table
        if not table.resting or table.result is None:
            return None
        ended = panels.Ended(table.result, table.game, table.opener, asks=table.more, talks=not table.closed)
        return panels.end_panel(ended, table.scene, self._scroll)


_SHUTS: Final = {("?", Over.HELP), ("f1", Over.HELP), ("i", Over.PROOF)}
"""The key that opened a panel closes it."""
