"""Line mode: every event as lines of text, for screen readers, pipes, dumb terminals and bots.

It owns what is printed, in which order and how often; it never redraws, and does not know where
events come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TextIO, assert_never

from p2pdurak.events import Code, Event, Late, Link, LinkState, Moved, Trouble, Turn
from p2pdurak.rules.options import CLASSIC
from p2pdurak.rules.state import Pair, Phase
from p2pdurak.rules.view import View
from p2pdurak.ui.card_words import SUIT_SIGNS, CardStyle, sort_hand, suit_word
from p2pdurak.ui.commands import Problem, Query, Question
from p2pdurak.ui.endings import score
from p2pdurak.ui.line_out import LineOut
from p2pdurak.ui.option_words import rule_sentences
from p2pdurak.ui.prompts import prompt
from p2pdurak.ui.scene import Scene
from p2pdurak.ui.words import describe

HELP: Final = (
    "A card, as 7d, 10h or ten of hearts: attack, beat, throw in or pile on with it.",
    "take (t): take the cards on the table. done (d): add no more cards.",
    "hint (h): in a game against a bot, hear what to play.",
    "hand, table, score, rules, help: what you hold, what lies there, how it stands.",
    "chat TEXT or /TEXT: say something. claim (v): claim the win from a friend who is gone.",
    "resign: give the game up. rematch (n): play again. leave: leave the table.",
    "yes or no: answer a question.",
)

RULES: Final = (
    "Get rid of your cards: who still holds some at the end is the durak.",
    "The attacker leads a card. The defender beats it with a higher card of its suit, or a trump on any other suit.",
    "The attacker may throw in cards whose rank lies on the table, or be done.",
    "A bout has at most six attack cards, and never more than the defender held when it began.",
    "Everything beaten: the cards are out of play, and the defender attacks next.",
    "A defender who does not beat takes all the cards; the attacker may pile on first, and attacks again.",
    "After a bout the attacker refills to six cards, then the defender, while the talon lasts.",
    "When the talon is empty, who holds no card after a bout has won; if both hold none, it is a draw.",
)


class PlainFace:
    """Prints the table's events to a stream, one event a line (some take a few lines).

    Args:
        out: where lines go; suits become letters by themselves if its encoding has no signs for them.
        ascii: write suits as letters.
        words: spell cards, as a screen reader needs it.
        colour: colour suits, the own turn and troubles; who calls knows about terminals and NO_COLOR.
        columns: tells how wide the terminal is, where lines should be broken between words.
    """

    def __init__(
        self,
        out: TextIO,
        *,
        ascii: bool = False,  # noqa: A002
        words: bool = False,
        colour: bool = False,
        columns: Callable[[], int] | None = None,
    ) -> None:
        self._out = LineOut(out, columns)
        self._style = CardStyle(ascii or not self._out.can_write(SUIT_SIGNS), words, colour)
        self._scene = Scene()
        self._link: LinkState | None = None
        self._late: Late | None = None

    @property
    def closed(self) -> bool:
        """Whether the reader of the stream is gone."""
        return self._out.closed

    @property
    def style(self) -> CardStyle:
        """How this face writes cards."""
        return self._style

    def show(self, event: Event) -> None:
        """Print an event, unless it only repeats what was printed before."""
        before = self._scene.state
        self._scene = self._scene.after(event)
        if self._is_news(event):
            for line in describe(event, self._scene, self._style, before):
                self._out.write(self._painted(event, line), whole=isinstance(event, Code))

    def follow(self, event: Event) -> None:
        """Take note of an event that is shown elsewhere."""
        self._scene = self._scene.after(event)

    def tell(self, typed: Problem | Question, line: str) -> None:  # noqa: ARG002 - he sees the line that he typed
        """Print what is wrong with a typed line, or what is asked back."""
        self._out.write(typed.sentence)

    def answer(self, query: Query, view: View | None) -> None:
        """Answer a question of the player from what is known here."""
        for line in self._answer(query, view):
            self._out.write(line)

    def _is_news(self, event: Event) -> bool:
        """Drop repeats: a screen counts seconds, but a reader hears each line; what may be claimed, a Late tells."""
        match event:
            case LinkState():
                last, self._link = self._link, event
                # That a line is there where nobody has missed one is no news.
                return event.state is not (Link.UP if last is None else last.state)
            case Late():
                late, self._late = self._late, event
                return late is None or (late.seat, late.claimable) != (event.seat, event.claimable)
            case Moved():
                self._late = None
                return True
            case _:
                return True

    def _painted(self, event: Event, line: str) -> str:
        if not self._style.colour:
            return line
        if isinstance(event, Trouble):
            return f"\x1b[31m{line}\x1b[39m"
        if isinstance(event, Turn) and event.seat == event.view.seat:
            return f"\x1b[1m{line}\x1b[22m"
        return line

    def _answer(self, query: Query, view: View | None) -> Sequence[str]:
        match query:
            case Query.HELP:
                return HELP
            case Query.RULES:
                return (*RULES, *rule_sentences(CLASSIC if view is None else view.state.options))
            case Query.SCORE:
                last = self._scene.last
                return ("No game of this match has ended yet.",) if last is None else (score(last, self._scene),)
            case Query.HAND:
                return (_NOT_DEALT,) if view is None else (self._hand(view),)
            case Query.TABLE:
                return (_NOT_DEALT,) if view is None else self._table(view)
            case _:
                assert_never(query)

    def _hand(self, view: View) -> str:
        cards = self._style.cards(sort_hand(view.hand, view.state.trump))
        missing = "" if view.complete else f", and {view.mine.count - len(view.hand)} still face down"
        return f"Your hand: {cards or 'empty'}{missing}"

    def _table(self, view: View) -> list[str]:
        state, them = view.state, self._scene.who(1 - view.seat)
        pairs = ", ".join(map(self._pair, state.table)) or "empty"
        counts = (
            f"You {view.mine.count}, {them} {view.theirs.count}, talon {state.talon}, discard {len(state.discard)}."
        )
        lines = [f"Table: {pairs}", f"Trump: {suit_word(state.trump)}. {counts}"]
        if view.their_known:
            known = self._style.cards(sort_hand(view.their_known, state.trump))
            lines.append(f"Known in the hand of {them}: {known}")
        if state.phase not in (Phase.QUESTION, Phase.OVER):
            lines.append(f"You {'attack' if state.attacker == view.seat else 'defend'}.")
        if view.my_turn and state.phase is not Phase.QUESTION:
            lines.append(prompt(view, self._style))
        return lines

    def _pair(self, pair: Pair) -> str:
        attack = self._style.card(pair.attack)
        return attack if pair.beaten_by is None else f"{attack} beaten by {self._style.card(pair.beaten_by)}"


_NOT_DEALT: Final = "The cards are not dealt yet."
