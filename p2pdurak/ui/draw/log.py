"""The log: a narrow one beside the pairs, and a column of whole sentences.

It owns how a move is told in how many cells; it does not know the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from p2pdurak.rules.actions import Attack, Beat, Deny, Show
from p2pdurak.rules.cards import Card
from p2pdurak.ui.draw.canvas import Area, Role, cells, fit
from p2pdurak.ui.draw.screen import Screen, Told, Tone
from p2pdurak.ui.draw.sentences import Ink, card_words, signed, wrap

_BY_CLOCK: Final = " ~"
_BY_CLOCK_IN_WORDS: Final = " (clock)"
_SIGNS: Final = {"attack": "▸", "beat": "x", "throw in": "+", "pile on": "+"}
_BESIDE_NAME: Final = 8
"""A sign and a blank before a name; a blank, a card and the mark of the clock behind it."""


def move_words(told: Told, clock: str = _BY_CLOCK) -> str:
    """A move without its player: `beat 10♥`, and whether the clock played it."""
    card = _card(told)
    words = f"{told.word} {card_words(card)}" if card is not None else told.word
    return words + (clock if told.auto else "")


def _card(told: Told) -> Card | None:
    """The card of a move; of a denial, which is about one card, the one that is not held."""
    match told.action:
        case Attack(card) | Beat(card) | Show(card) | Deny((card,)):
            return card
        case _:
            return None


def draw_side_log(area: Area, screen: Screen) -> None:
    """Write the last moves, one a row: a sign, the name, and the card or the word."""
    moves = [told for told in screen.told if told.action is not None][-area.height :] if area.height else []
    longest = max(cells(name) for name in (screen.top.name, screen.bottom.name, *(told.who for told in screen.told)))
    names = min(area.width - _BESIDE_NAME, longest)
    for y, told in enumerate(moves):
        card = _card(told)
        sign = _SIGNS.get(told.word, " ") if card is not None else " "
        area.put(0, y, sign, Role.DIM)
        area.put(2, y, fit(told.who, names), Role.LOG)
        short = move_words(told, "") if card is None or isinstance(told.action, Deny) else card_words(card)
        roles = (Role.LOG, Role.AUTO) if told.auto else (Role.LOG,)
        Ink().sentence(area, names + 3, y, short + ("~" if told.auto else ""), *roles)


@dataclass(frozen=True, slots=True)
class _Row:
    text: str
    role: Role


def draw_column(area: Area, screen: Screen, ink: Ink) -> None:
    """Write the log as whole sentences, set off from what is left of it."""
    for y in range(area.height):
        area.put(0, y, "│", Role.DIM)
    draw_log(area.part(2, 0, area.width - 3, area.height), screen, ink)


def draw_log(area: Area, screen: Screen, ink: Ink) -> None:
    """Write as much of the end of the log as there is room for, with a line where a bout begins."""
    rows = list(_log_rows(screen.told, area.width))[-area.height :] if area.height else []
    for y, row in enumerate(rows):
        if row.role is Role.CHAT:
            area.put(0, y, row.text, row.role)
        else:
            ink.sentence(area, 0, y, row.text, row.role)


def _log_rows(told: Sequence[Told], width: int) -> Iterator[_Row]:
    bout = 0
    for entry in told:
        if entry.bout > bout:
            bout = entry.bout
            yield _Row(f"╌╌ bout {bout} {'╌' * (width - 9 - len(str(bout)))}", Role.DIM)
        text, role = _told_words(entry)
        rows = wrap(text, width)
        yield _Row(rows[0], role)
        # A name or word that goes on in the next row must not begin there like an entry of its own.
        for row in rows[1:]:
            yield _Row(row if row.startswith(" ") else f"  {row}", role)


def _told_words(told: Told) -> tuple[str, Role]:
    if told.action is not None:
        return f"{told.who}: {move_words(told, _BY_CLOCK_IN_WORDS)}", Role.AUTO if told.auto else Role.LOG
    if told.who:
        return signed(f"{told.who}: {told.word}", Tone.CHAT), Role.CHAT
    return told.word, Role.DIM
