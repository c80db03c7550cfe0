"""What a player types, as a command to the table, a question answered on the spot, or a sentence about what is wrong.

It owns the spelling of commands; it does not know how they are carried out, and it never makes up an action: it picks
one that the view lists as legal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from p2pdurak.events import Accept, Claim, Command, Decline, Leave, Play, Rematch, Resign, Say
from p2pdurak.rules.actions import Action, Attack, Beat, Done, Take, action_text
from p2pdurak.rules.cards import DECK, SUIT_LETTERS, Card, parse_card
from p2pdurak.rules.state import Phase
from p2pdurak.rules.view import View
from p2pdurak.safe_text import clean, clean_chat
from p2pdurak.ui.card_words import ASCII_CARDS, SUIT_SIGNS, CardStyle, rank_word, spell_card
from p2pdurak.ui.prompts import ACCEPT_QUESTION, KNOCK_QUESTION, unbeaten

ECHO_CELLS_MAX: Final = 40
"""How much of an unknown command is repeated: enough to recognise it, and it fits the narrowest layout."""


class Query(Enum):
    """A question that is answered from what is known here; nothing is sent."""

    HAND = "hand"
    TABLE = "table"
    SCORE = "score"
    HELP = "help"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class AskHint:
    """The player wants to know what to play; whether he may is for the program around the table to say."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The line cannot be carried out; `sentence` says why, or what to type."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Question:
    """The line needs a second thought; `sentence` asks for it, and nothing is done until the answer."""

    sentence: str


_WORDS: Final[dict[str, Command | Query | AskHint]] = {
    "accept": Accept(),
    "yes": Accept(),
    "y": Accept(),
    "decline": Decline(),
    "no": Decline(),
    "resign": Resign(),
    "rematch": Rematch(),
    "n": Rematch(),
    "hint": AskHint(),
    "h": AskHint(),
    "claim": Claim(),
    "v": Claim(),
    "leave": Leave(),
    "quit": Leave(),
    **{query.value: query for query in Query},
    "?": Query.HELP,
}

_OFFER_ANSWERS: Final[dict[str, Command]] = {"": Accept(), "n": Decline()}
"""Meant as answers only while an offer waits; `n` asks for a rematch at other times."""

_MOVES: Final[dict[str, Action]] = {"take": Take(), "t": Take(), "done": Done(), "d": Done()}

_SIGN_LETTERS: Final = str.maketrans(SUIT_SIGNS, SUIT_LETTERS, "\N{VARIATION SELECTOR-16}")
"""A pasted sign may carry a variation selector that asks for its emoji form."""

_SPELLED: Final = {spell_card(card): card for card in DECK}


def parse_command(
    line: str, view: View | None, *, offer: bool = False, knock: bool = False, style: CardStyle = ASCII_CARDS
) -> Command | Query | AskHint | Problem:
    """Read one typed line.

    Args:
        line: as typed, in any case, with or without its line end.
        view: what this player sees of the game; None before the deal.
        offer: an offer waits for an answer, so that an empty line accepts it.
        knock: a friend waits to be let in, which an empty line does not do.
        style: how cards are written in the sentence of a Problem.

    Returns:
        A command for the table (an action in it is one of `view.legal_actions()`), a query, the wish for a hint, or a
        problem.
    """
    chat = _chat_text(line)
    if chat is not None:
        text = clean_chat(chat)
        return Say(text) if text else Problem("Type what you want to say after the word chat.")
    typed = " ".join(line.casefold().split())
    if knock or offer:
        return _answer(typed, knock=knock)
    if typed in _WORDS:
        return _WORDS[typed]
    if typed in _MOVES:
        move = _MOVES[typed]
        return _play(view, lambda action: action == move, lambda seen: _why_not_move(move, seen))
    card = read_card(typed)
    if card is not None:
        return _play(view, lambda action: _plays(action, card), lambda seen: _why_not_card(card, seen, style))
    for action in view.legal_actions() if view is not None else ():
        if action_text(action).casefold() == typed:  # the answers about the first attack, which programs give
            return Play(action)
    return Problem(_unknown(typed))


def _answer(typed: str, *, knock: bool) -> Command | Problem:
    """Read the answer to a question before the deal; there is no game yet to which anything else could belong."""
    if typed in _OFFER_ANSWERS and (typed or not knock):
        return _OFFER_ANSWERS[typed]
    answer = _WORDS.get(typed)
    if isinstance(answer, Accept | Decline | Leave):
        return answer
    return Problem(KNOCK_QUESTION if knock else ACCEPT_QUESTION)


def read_card(typed: str) -> Card | None:
    """Read a card as a player writes it: `7d`, `th`, `10h`, `10♥` or `ten of hearts`, in any case."""
    text = typed.casefold().strip()
    if text in _SPELLED:
        return _SPELLED[text]
    text = text.translate(_SIGN_LETTERS).replace("10", "t", 1)
    if len(text) != 2:
        return None
    try:
        return parse_card(text[0].upper() + text[1])
    except ValueError:
        return None


class CommandReader:
    """Reads typed lines one after another, and asks back before a game is given up.

    Args:
        confirm: ask before `resign` and `leave` in a running game; off for programs that drive the game by JSON.
        style: how cards are written in sentences.
    """

    def __init__(self, *, confirm: bool, style: CardStyle = ASCII_CARDS) -> None:
        self._confirm = confirm
        self._style = style
        self._asked: Command | None = None

    def read(
        self, line: str, view: View | None, *, offer: bool = False, knock: bool = False, over: bool = False
    ) -> Command | Query | AskHint | Question | Problem:
        """Read one line like `parse_command`; a line may also answer the question asked just before.

        Args:
            line: as typed.
            view: the game as the player sees it, if one is dealt.
            offer: whether an offer waits for an answer.
            knock: whether a friend waits to be let in.
            over: whether that game has ended, also in a way that its cards do not show.
        """
        asked, self._asked = self._asked, None
        typed = parse_command(line, view, offer=offer, knock=knock, style=self._style)
        if asked is not None and typed in (asked, Accept()):
            return asked
        if asked is not None and typed in (Decline(), Rematch()):  # `n` reads as a rematch, but here it is a no
            return Problem("Nothing was done; the game goes on.")
        if self._confirm and isinstance(typed, Resign | Leave) and not over and _is_running(view):
            self._asked = typed
            return Question(_second_thought(typed))
        return typed


def _is_running(view: View | None) -> bool:
    return view is not None and view.state.phase is not Phase.OVER


def _second_thought(command: Resign | Leave) -> str:
    if isinstance(command, Resign):
        return "Resigning makes you the durak. Type resign again, or yes, to give the game up."
    return "Leaving now ends the game for both. Type leave again, or yes, to leave."


def _chat_text(line: str) -> str | None:
    """Give the words after `/` or `chat`, or None where the line is no chat."""
    text = line.strip()
    if text.startswith("/"):
        return text[1:]
    word, _, rest = text.partition(" ")
    return rest if word.casefold() == "chat" else None


def _play(view: View | None, wanted: Callable[[Action], bool], why_not: Callable[[View], str]) -> Play | Problem:
    """Pick the wanted action among the legal ones, or say why it is not there."""
    if view is None:
        return Problem("The cards are not dealt yet.")
    for action in view.legal_actions():
        if wanted(action):
            return Play(action)
    return Problem(_why_not_now(view) if _cannot_move(view) else why_not(view))


def _plays(action: Action, card: Card) -> bool:
    return isinstance(action, Attack | Beat) and action.card == card


def _cannot_move(view: View) -> bool:
    return view.state.phase in (Phase.OVER, Phase.QUESTION) or not view.my_turn


def _why_not_now(view: View) -> str:
    if view.state.phase is Phase.OVER:
        return "This game is over."
    if view.state.phase is Phase.QUESTION:
        return "Wait a moment: the two programs find out who attacks first."
    return "It is not your turn."


def _why_not_card(card: Card, view: View, style: CardStyle) -> str:
    name = style.card(card)
    if card not in view.hand:
        return f"You do not hold {name}."
    attack = unbeaten(view.state)
    if view.state.phase is Phase.DEFEND and attack is not None:
        return f"{name} does not beat {style.card(attack)}. Beat it with another card, or take."
    verb = "piled on" if view.state.phase is Phase.PILE_ON else "thrown in"
    return f"No {rank_word(card)} lies on the table, so {name} cannot be {verb}."


def _why_not_move(move: Action, view: View) -> str:
    if isinstance(move, Take):
        return "Only the defender takes, and you attack."
    if view.state.phase is Phase.DEFEND:
        return "Only the attacker says done. You defend: beat the card, or take."
    return "The table is empty: lead a card first."


def _unknown(typed: str) -> str:
    if not typed:
        return "Type a card such as 7d, or take, done, or help."
    echo = clean(typed, ECHO_CELLS_MAX)
    return f'"{echo}" is no command. Type a card such as 7d, or take, done, or help.'
