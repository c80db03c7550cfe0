"""A player's seat: what events, keys, clicks and seconds do to the picture of the table.

It owns what a key means at each moment, and typed chat; it decides no game and never makes up an action: it picks
one that the view lists as legal.
"""

from __future__ import annotations

from typing import assert_never

from p2pdurak.events import Claim, Command, Dealt, Event, Leave, Play, Rematch, Resign, Result, Say, Trouble, Turn
from p2pdurak.rules.cards import CARDS
from p2pdurak.rules.view import View
from p2pdurak.safe_text import clean, clean_chat
from p2pdurak.ui.commands import AskHint, Problem
from p2pdurak.ui.draw.canvas import Press, Target, Touch
from p2pdurak.ui.draw.screen import Hint, Notice, Panel, Screen, Tone
from p2pdurak.ui.live import panels
from p2pdurak.ui.live.entry import Entry
from p2pdurak.ui.live.hand_focus import RANK_KEYS, HandFocus, rank_name
from p2pdurak.ui.live.keys import Local, Wish, latin, mouse_sentence
from p2pdurak.ui.live.last_bout import LastBout
from p2pdurak.ui.live.line_model import LineModel
from p2pdurak.ui.live.mover import Mover
from p2pdurak.ui.live.news import News
from p2pdurak.ui.live.overlay import TYPING_KEYS, Over, Overlay
from p2pdurak.ui.live.proof import ProofLedger
from p2pdurak.ui.live.story import Story
from p2pdurak.ui.live.table_state import TableState
from p2pdurak.ui.live.timing import soonest


class PlayModel:
    """The full screen of one player through a whole match. Feed it events, keys and the time; ask for the picture.

    Attributes:
        title: what stands at the head of the table.
        mouse: whether the mouse is listened to, as far as the keys have told.
        advised: whether the other player is a bot: it gives hints, and reads no chat.
    """

    def __init__(self, title: str = "", *, by_suit: bool = True, mouse: bool = True, home: str = "") -> None:
        """Sit down before anything has happened.

        Args:
            title: what stands at the head of the table.
            by_suit: sort the hand by suit first; else by rank.
            mouse: whether the mouse is listened to at first.
            home: the player's home folder, which is shown as `~`.
        """
        self.title = title
        self.mouse = mouse
        self.advised = False
        self._home = home
        self._table = TableState()
        self._mover = Mover(self._table)
        self._focus = HandFocus(by_suit=by_suit)
        self._line = LineModel()
        self._proofs = ProofLedger()
        self._story = Story()
        self._last_bout = LastBout()
        self._news = News(self._table)
        self._overlay = Overlay()
        self._entry: Entry | None = None

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
        self._table.take(event, now)
        self._line.take(event, now)
        self._proofs.take(event, before)
        self._story.take(event, self._table.scene, before)
        self._last_bout.take(event, before, now)
        self._news.take(event, now)
        if isinstance(event, Dealt | Result) or (isinstance(event, Turn) and self._overlay.over is Over.CLAIM):
            self._overlay.lay(None)
        elif isinstance(event, Trouble) and self._table.trouble is event:
            self._overlay.lay(Over.TROUBLE)
        self._offer_claim()
        self._focus.hold(self._table.cards, self._table.trump)
        if isinstance(event, Turn) and self._table.choosing:
            self._focus.begin_turn(self._table.playable, spare_trumps=self._table.may_pass)

    def elsewhere(self, event: Event) -> str:
        """What an event that was shown is worth to a player who looks at a replay; empty where it can wait."""
        return self._news.elsewhere(event)

    def _offer_claim(self) -> None:
        self._overlay.offer_claim(possible=self._line.claimable, typing=self._entry is not None)

    def close(self) -> None:
        """The table is closed: nothing more comes, and nobody can be asked for anything."""
        self._table.close()

    def advance(self, now: float) -> None:
        """Let time pass."""
        self._news.board.advance(now)

    def scrollable(self, lines: int) -> None:
        """Be told how many lines the panel in the picture can be scrolled."""
        self._overlay.scroll.limit(lines)

    # Keys.

    def press(self, key: str, now: float) -> Wish | None:
        """Do what a key says.

        Args:
            key: its name, or the one character that it types.
            now: seconds.

        Returns:
            What is to be done outside; None if the key changes only this picture, or nothing.
        """
        self._last_bout.clear(now)
        wish = self._pressed(key, now)
        self._offer_claim()
        return wish

    def _pressed(self, key: str, now: float) -> Wish | None:
        if key == "c-l":
            return Local.REDRAW
        if key in {"c-c", "f10"}:
            return self._interrupt()
        if self._entry is not None:
            return self._type(key, self._entry, now)
        name = latin(key) if len(key) == 1 else key
        if self._overlay.scroll.press(name, self._panel(now)):
            return None
        match self._overlay.over:
            case Over.LEAVE:
                return self._answer_leaving(name)
            case Over.HELP | Over.PROOF | Over.TROUBLE:
                return None if self._overlay.shut(name) else self._press_anywhere(name, now)
            case Over.CLAIM:
                return self._answer_claim(name, now)
            case None:
                at_end = self._table.resting or self._table.closed
                return self._press_end(name, now) if at_end else self._press_table(name, now)
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
                self._last_bout.clear(now)
                if self._focus.card == card and self._focus.chosen:
                    return self._told_why_not(self._mover.play_card(card, now), now)
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
        return self._entry is None and self._overlay.over is None and not self.ended

    def _interrupt(self) -> Wish | None:
        if self._overlay.over is Over.LEAVE:
            return Local.NOW_LEAVE
        table = self._table
        if table.closed or table.view is None or table.resting or table.trouble is not None:
            return Local.QUIT
        self._entry = None
        self._overlay.lay(Over.LEAVE)
        return None

    def _type(self, key: str, entry: Entry, now: float) -> Command | None:
        if key not in {"enter", "escape"}:
            if not self._overlay.scroll.press(key, self._panel(now) if key in TYPING_KEYS else None):
                entry.press(key)
            return None
        self._entry = None
        self._overlay.scroll.reset()
        text = clean_chat(entry.text)
        return Say(text) if text and key == "enter" else None

    def _answer_leaving(self, key: str) -> Command | None:
        match key:
            case "r" if self._table.counts:
                self._overlay.lay(None)
                return Resign()
            case "l":
                self._overlay.lay(None)
                return Leave()
            case "n" | "escape":
                self._overlay.lay(None)
            case _:
                pass
        return None

    def _answer_claim(self, key: str, now: float) -> Wish | None:
        match key:
            case "w" | "escape":
                self._overlay.lay(None)
                return None
            case "v":
                self._overlay.lay(None)
                return Claim()
            case _:
                return self._press_table(key, now)

    def _press_end(self, key: str, now: float) -> Wish | None:
        ended = self._ended
        if self._mover.was_for_play(key, self._last_bout.gone_at, now):
            return None
        match key:
            case "n" if ended is not None and ended.asks and not ended.we_ask:
                return Rematch()
            case "n" if ended is not None and ended.asks:
                self._news.refuse(f"{self._table.scene.peer()} is asked already; wait for the answer.", now)
                return None
            case "r" if self.result is not None and self.result.log:
                return Local.REPLAY
            case "q":
                return Local.QUIT
            case "n":
                self._news.refuse("There is nobody to ask for a rematch.", now)
                return None
            case _:
                return self._press_anywhere(key, now)

    def _press_table(self, key: str, now: float) -> Wish | None:
        match key:
            case "enter" | "space":
                return self._told_why_not(self._mover.play_card(self._focus.card, now), now)
            case "t":
                return self._told_why_not(self._mover.play("take", now), now)
            case "d":
                return self._told_why_not(self._mover.play("done", now), now)
            case "v" if self._table.choosing:
                self._news.refuse("The win can be claimed only while the other player owes a step.", now)
            case "v":
                self._overlay.lay(Over.CLAIM)  # whether it may be claimed is for the table to say
            case "n" | "r":
                self._news.refuse(f"{key} is a key for the end of the game; Ctrl-C leaves.", now)
            case _ if key in RANK_KEYS and not self._focus.holds_rank(key):
                self._news.refuse(f"You hold no {rank_name(key)}.", now)
            case _ if not self._focus.press(key, self._table.playable):
                return self._press_anywhere(key, now)
            case _:
                pass
        return None

    def _press_anywhere(self, key: str, now: float) -> Wish | None:
        match key:
            case "/":
                self._open_chat(now)
            case "h" if self._overlay.over in {None, Over.CLAIM}:
                return AskHint()  # also where there is none: whoever is asked says why
            case "?" | "f1":
                self._overlay.lay(Over.HELP)
            case "i":
                self._overlay.lay(Over.PROOF)
            case "s":
                self._focus.sort()
            case "m":
                self.mouse = not self.mouse
                self._news.refuse(mouse_sentence(mouse=self.mouse), now)
                return Local.MOUSE
            case _ if len(key) == 1 and clean(key, 2) and self._overlay.over is None:
                self._news.refuse(f"{clean(key, 2)} is no key here; ? lists them.", now)
            case _:
                pass
        return None

    def _open_chat(self, now: float) -> None:
        if self.advised:
            self._news.refuse("A bot reads no chat.", now)
        elif self._table.closed or (self._ended is not None and not self._ended.asks):
            self._news.refuse("Nobody is there to read it.", now)
        else:
            if self._overlay.over is not Over.CLAIM:
                self._overlay.lay(None)
            self._entry = Entry()
            self._overlay.scroll.reset(follows=True)

    def _told_why_not(self, played: Play | Problem | None, now: float) -> Play | None:
        if isinstance(played, Problem):
            self._news.refuse(played.sentence, now)
            return None
        return played

    # The picture.

    def screen(self, now: float) -> Screen:
        """The table as it is to be seen now."""
        table, state = self._table, self._table.state
        return Screen(
            title=self.title,
            game=table.game,
            bout=0 if state is None else state.bout,
            top=table.top(),
            bottom=table.bottom(self._focus.order),
            trump=table.trump,
            indicator=None if state is None else state.indicator,
            talon=CARDS if state is None else state.talon,
            beaten=0 if state is None else len(state.discard),
            table=self._last_bout.pairs(now) or (() if state is None else state.table),
            prompt=self._prompt(now),
            tone=self._tone(now),
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
            hints=self._hints(now),
            panel=self._panel(now),
        )

    def due(self, now: float) -> float | None:
        """In how many seconds the picture changes by itself; None: not."""
        changes = (self._table.clock_due(now), self._line.due(now), self._news.board.due(now), self._last_bout.due(now))
        return soonest(*changes)

    def _prompt(self, now: float) -> str:
        if self._line.claimable:
            return "Keep waiting, or claim the win" if self._entry is None else "Close the chat to claim the win"
        return self._last_bout.sentence(self._table.scene.short(), now) or self._table.prompt

    def _tone(self, now: float) -> Tone:
        if self._last_bout.pairs(now):
            return Tone.PLAIN
        won = self.ended and self.result is not None and self.result.outcome == "win"
        if won and not self._table.dealing:
            return Tone.GOOD
        return Tone.MINE if self._table.choosing or self._line.claimable else Tone.PLAIN

    def _notice(self, now: float) -> Notice | None:
        line = None if self.ended else self._line.notice(self._table.scene, now)
        return self._news.notice(now) or line or self._news.opening

    def _hints(self, now: float) -> tuple[Hint, ...]:
        if self._entry is not None:
            return panels.ENTRY
        if self._panel(now) is not None:
            return ()
        table, ended = self._table, self._ended
        if ended is not None:
            return panels.end_hints(ended)
        if table.closed:
            return (panels.QUIT, panels.HELP)
        plays = self._focus.card in table.playable
        return panels.table_hints(table.legal, plays=plays, claimable=self._line.claimable, advised=self.advised)

    def _panel(self, now: float) -> Panel | None:
        scene, scrolled = self._table.scene, self._overlay.scroll.lines
        if self._entry is not None:
            return panels.chat_panel(self._story.chat, scrolled)
        match self._overlay.over:
            case Over.HELP:
                return panels.help_panel(scrolled)
            case Over.PROOF:
                return panels.proof_panel(self._proofs.lines(scene, self.view), scrolled)
            case Over.LEAVE:
                return panels.leave_panel(scene, scrolled, counts=self._table.counts)
            case Over.CLAIM:
                line = self._line
                return panels.claim_panel(scene, scrolled, claimable=line.claimable, stalled=line.stalled)
            case Over.TROUBLE:
                trouble = self._table.trouble
                return None if trouble is None else panels.trouble_panel(trouble, scene, self._home, scrolled)
            case None:
                ended = None if self._last_bout.pairs(now) else self._ended
                return None if ended is None else panels.end_panel(ended, scene, scrolled)
            case other:
                assert_never(other)

    @property
    def _ended(self) -> panels.Ended | None:
        """The game that is over, while no other has begun."""
        table = self._table
        if not table.resting or table.result is None:
            return None
        absent = table.claimed and self._line.down
        outlook = (table.more, absent, table.again, table.trouble)
        return panels.Ended(table.result, table.game, *outlook, self._home, self.advised)
