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
from p2pdurak.ui.draw.sentences import Ink, card_words, cut_rows, signed, wrap

_BY_CLOCK: Final = " ~"
_BY_CLOCK_IN_WORDS: Final = " (clock)"
_SIGNS: Final = {"attack": "▸", "beat": "x", "throw in": "+", "pile on": "+"}
_BESIDE_NAME: Final = 8
"""A sign and a blank before a name; a blank, a card or a word, and the mark of the clock behind it."""

_BESIDE_NAME_IN_WORDS: Final = 16
"""The same for `throw in 10♥~`."""


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
    """Write the last moves, one a row: a sign, the name, and the card or the word; both where there is room."""
    moves = [told for told in screen.told if told.action is not None][-area.height :] if area.height else []
    longest = max(cells(name) for name in (screen.top.name, screen.bottom.name, *(told.who for told in screen.told)))
    wordy = longest + _BESIDE_NAME_IN_WORDS < area.width
    beside = _BESIDE_NAME_IN_WORDS if wordy else _BESIDE_NAME
    names = min(area.width - beside, longest)
    # It ends where the clock below it does.
    place = area.part(max(0, area.width - 1 - names - beside), 0, area.width, area.height)
    for y, told in enumerate(moves):
        words = (move_words(told, "") if wordy else _short_words(told)) + ("~" if told.auto else "")
        x = max(3, min(names + 3, place.width - cells(words)))
        sign = _SIGNS.get(told.word, " ") if _card(told) is not None else " "
        place.put(0, y, sign, Role.DIM)
        place.put(2, y, fit(told.who, x - 3), Role.LOG)
        roles = (Role.LOG, Role.AUTO) if told.auto else (Role.LOG,)
        Ink().sentence(place, x, y, words, *roles)


def _short_words(told: Told) -> str:
    """The card where there is one; a denied one needs the word too."""
    card = _card(told)
    return told.word if card is None else move_words(told, "") if isinstance(told.action, Deny) else card_words(card)


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
    for y, row in enumerate(_last_rows(list(_entries(screen.told, area.width)), area)):
        if row.role is Role.CHAT:
            area.put(0, y, row.text, row.role)
        else:
            ink.sentence(area, 0, y, row.text, row.role)


def _last_rows(entries: Sequence[list[_Row]], area: Area) -> list[_Row]:
    """The last entries that fit as a whole; of one that is longer than the place its beginning."""
    rows: list[_Row] = []
    for entry in reversed(entries):
        if len(rows) + len(entry) > area.height:
            break
        rows = entry + rows
    if entries and not rows:
        last = entries[-1]
        return [_Row(text, last[0].role) for text in cut_rows([row.text for row in last], area)]
    return rows


def _entries(told: Sequence[Told], width: int) -> Iterator[list[_Row]]:
    bout = 0
    for entry in told:
        if entry.bout > bout:
            bout = entry.bout
            yield [_Row(f"╌╌ bout {bout} {'╌' * (width - 9 - len(str(bout)))}", Role.DIM)]
        text, role = _told_words(entry, width)
        first, *rest = wrap(text, width)
        # A name or word that goes on in the next row must not begin there like an entry of its own.
        yield [_Row(first, role), *(_Row(row if row.startswith(" ") else f"  {row}", role) for row in rest)]


def _told_words(told: Told, width: int) -> tuple[str, Role]:
    if told.action is not None:
        return _move_in(told, width), Role.AUTO if told.auto else Role.LOG
    if told.who:
        return signed(f"{told.who}: {told.word}", Tone.CHAT), Role.CHAT
    return told.word, Role.DIM


def _move_in(told: Told, width: int) -> str:
    """A move in one row: the words for the clock give way, and then the name."""
    words = move_words(told, _BY_CLOCK_IN_WORDS)
    if cells(f"{told.who}: {words}") > width:
        words = move_words(told)
    return f"{fit(told.who, max(1, width - cells(words) - 2))}: {words}"
