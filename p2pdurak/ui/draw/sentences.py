"""Sentences on the canvas: their tone, the colour of the cards they name, and where they are broken.

It owns the signs that a tone has without colour; it does not know what any sentence says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from p2pdurak.rules.cards import Card, Suit, suit_of
from p2pdurak.safe_text import cell_width
from p2pdurak.ui.card_words import SUIT_SIGNS, CardStyle
from p2pdurak.ui.draw.canvas import Area, Role, cells, fit
from p2pdurak.ui.draw.screen import Tone

SUIT_ROLES: Final = {
    Suit.CLUBS: Role.CLUBS,
    Suit.DIAMONDS: Role.DIAMONDS,
    Suit.HEARTS: Role.HEARTS,
    Suit.SPADES: Role.SPADES,
}

CHAT_SIGN: Final = "/ "
"""Before everything that a player said: no chat line can pass for a move or for a word of the program."""

ALARM_SIGN: Final = "! "

TRUMP_MARK: Final = "*"

_NAME_MIN: Final = 4
"""Cells of a name that was cut, the ellipsis counted; less of it tells nothing."""

_BREAKS: Final = ("/", "-_")
"""A word that is too long is broken behind these, the first ones first: no date in the name of a file is torn."""

TONE_ROLES: Final = {
    Tone.PLAIN: Role.TEXT,
    Tone.MINE: Role.PROMPT,
    Tone.GOOD: Role.GOOD,
    Tone.ALARM: Role.ALARM,
    Tone.CHAT: Role.CHAT,
}
_TONE_SIGNS: Final = {Tone.CHAT: CHAT_SIGN, Tone.ALARM: ALARM_SIGN, Tone.GOOD: "✓ "}

_CARD: Final = rf"((?:10|[6-9JQKA])?[{SUIT_SIGNS}])"


@dataclass(frozen=True, slots=True)
class Ink:
    """Writes sentences; in the names of the players nothing is taken for a card."""

    names: tuple[str, ...] = ()

    def sentence(self, area: Area, x: int, y: int, text: str, *roles: Role) -> int:
        """Write a sentence with its cards in the colours of their suits; give the column after it."""
        kept = fit(text, area.width - x)
        for part, suit in self._parts(text):
            x = area.put(x, y, kept[: len(part)], *roles, *(() if suit is None else (SUIT_ROLES[suit],)))
            kept = kept[len(part) :]
        return x

    def toned(self, area: Area, text: str, tone: Tone) -> None:
        """Write a sentence in its tone, with the tone's sign before it, into as many rows as the area has."""
        role = TONE_ROLES[tone]
        for y, row in enumerate(cut_rows(wrap(signed(text, tone), area.width), area)):
            if tone is Tone.CHAT:
                area.put(0, y, row, role)
            else:
                self.sentence(area, 0, y, row, role)

    def _parts(self, text: str) -> Iterator[tuple[str, Suit | None]]:
        names = sorted((re.escape(name) for name in self.names if name), key=len, reverse=True)
        done = 0
        for found in re.finditer("|".join([*names, _CARD]), text):
            if found[1]:
                yield text[done : found.start()], None
                yield found[1], Suit(SUIT_SIGNS.index(found[1][-1]))
                done = found.end()
        yield text[done:], None


def signed(text: str, tone: Tone) -> str:
    """A sentence with the sign of its tone, unless it begins with that already; chat always gets one."""
    sign = _TONE_SIGNS.get(tone, "")
    has_one = tone is not Tone.CHAT and bool(sign) and text.startswith(sign[0])
    return text if has_one else sign + text


def with_short_names(text: str, names: Sequence[str], width: int) -> tuple[str, tuple[str, ...]]:
    """Let the names in a sentence that is too long give way to the rest of it, the longest first.

    Returns:
        The sentence, and what stands in it for each name.
    """
    words, short = text, tuple(names)
    for most in range(max(map(cells, names), default=0), _NAME_MIN - 1, -1):
        if cells(words) <= width:
            break
        short = tuple(fit(name, most) for name in names)
        words = text
        for name, cut in zip(names, short, strict=True):
            words = words.replace(name, cut, 1) if cut != name else words
    return words, short


def cut_rows(rows: list[str], area: Area) -> list[str]:
    """As many rows as an area has, the last one with an ellipsis where there are more."""
    if len(rows) <= area.height:
        return rows
    kept = rows[: area.height]
    if kept:
        kept[-1] = fit(f"{kept[-1]} {rows[area.height].lstrip()}", area.width)
    return kept


def card_words(card: Card) -> str:
    """A card as text: `10♥`."""
    return CardStyle().card(card)


def marked_words(card: Card, trump: Suit) -> str:
    """A card as text where no frame tells that it is a trump: `10♥*`."""
    return card_words(card) + (TRUMP_MARK if suit_of(card) == trump else "")


def rank_words(card: Card) -> str:
    """A card's rank as text: `10`."""
    return card_words(card)[:-1]


def suit_role(card: Card) -> Role:
    """The role of a card's suit."""
    return SUIT_ROLES[suit_of(card)]


def by_suits(cards: Iterable[Card]) -> tuple[tuple[Card, ...], ...]:
    """Cards in groups of one suit each, suits and ranks in the order in which they come."""
    groups: dict[Suit, list[Card]] = {}
    for card in cards:
        groups.setdefault(suit_of(card), []).append(card)
    return tuple(map(tuple, groups.values()))


def wrap(text: str, width: int) -> list[str]:
    """Break a text into rows of at most `width` cells, at blanks where it can be.

    Rows after the first are indented as far as the first one is, and two cells more where it begins with a sign.
    """
    body = text.lstrip(" ")
    lead = len(text) - len(body)
    hang = " " * min(lead + (2 if body[:2] in ("! ", "✓ ", CHAT_SIGN) else 0), width // 2)
    rows, row = [], " " * min(lead, width // 2)
    empty = True
    for word in body.split(" "):
        for piece in _pieces(word, max(1, width - len(hang))):
            if not empty and cells(row) + 1 + cells(piece) > width:
                rows.append(row)
                row, empty = hang, True
            row, empty = row + ("" if empty else " ") + piece, False
    return [*rows, row]


def _pieces(word: str, width: int) -> Iterator[str]:
    """A word in parts that fit in a row; a path can be longer than any."""
    while (end := _break(word, width)) < len(word):
        yield word[:end]
        word = word[end:]
    yield word


def _break(word: str, width: int) -> int:
    """Where a word that is too long is broken: behind a sign for it, unless that leaves the row nearly empty."""
    taken = end = 0
    for char in word:
        size = cell_width(char)
        if size and end and taken + size > width:
            break
        taken += size
        end += 1
    if end == len(word):
        return end
    places = (max(word.rfind(sign, 0, end) for sign in signs) + 1 for signs in _BREAKS)
    return next((place for place in places if place > end // 3), end)
