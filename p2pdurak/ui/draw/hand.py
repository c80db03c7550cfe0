"""The own hand, of any size: framed cards side by side, closer together, or written in rows.

It owns where each card of the hand lies and that the mouse finds it; it does not know the rest of the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from p2pdurak.rules.cards import Card, Suit, suit_of
from p2pdurak.ui.draw.canvas import Area, Role, Touch, cells
from p2pdurak.ui.draw.cards import CARD_WIDTH, State, draw_card
from p2pdurak.ui.draw.screen import Screen
from p2pdurak.ui.draw.sentences import by_suits, card_words, marked_words, rank_words, suit_role

MARGIN: Final = 3

_TRUMP: Final = "trump"

_ROWS_MAX: Final = 4
_WORD_PITCHES: Final = (5, 4)
"""From one written card to the next; the second has just room for `┆10♥` or `┆9♥*`."""

_PITCHES: Final = (6, 4)
"""From one card to the next: with a gap, and overlapped so that rank and suit of each can just be seen."""


def draw_hand(area: Area, screen: Screen, card_height: int, *, framed: bool) -> None:
    """Draw the hand of the player below.

    Args:
        area: its place: with frames, a row to raise a card into, the card's rows, and a row for the mark.
        screen: what is to be seen.
        card_height: rows of a framed card.
        framed: draw frames as long as the cards fit side by side.
    """
    pitch = _pitch(len(screen.bottom.cards), area.width) if framed else None
    if pitch is None:
        _draw_rows(area, screen, top=1 if framed else 0)
    else:
        _draw_cards(area, screen, pitch, card_height)


def text_rows(screen: Screen, width: int) -> tuple[tuple[Card | None, ...], ...]:
    """The rows of a hand that is written out: one where it fits, else a suit each, or as they come.

    No row is wider than the narrowest picture, and there are never more than four. Cards that cannot be seen are left
    out of rows of suits; the player's line tells their number.
    """
    cards = screen.bottom.cards
    seen = tuple(card for card in cards if card is not None)
    per_row = _per_row(len(cards), width - MARGIN - 1)
    if len(cards) > per_row and screen.by_suit and seen:
        return by_suits(seen)
    return tuple(cards[start : start + per_row] for start in range(0, len(cards), per_row))


def _per_row(number: int, room: int) -> int:
    """Loose, unless that takes two rows instead of one, or more than four."""
    loose, tight = room // _WORD_PITCHES[0], room // _WORD_PITCHES[1]
    return tight if loose < number <= tight or number > _ROWS_MAX * loose else loose


def _pitch(number: int, width: int) -> int | None:
    room = width - MARGIN - 1
    return next((pitch for pitch in _PITCHES if (number - 1) * pitch + CARD_WIDTH <= room), None)


def _draw_cards(area: Area, screen: Screen, pitch: int, height: int) -> None:
    """The raised card is drawn last, over its neighbours; it leaves their ranks and suits free."""
    places = [(MARGIN + number * pitch, card) for number, card in enumerate(screen.bottom.cards)]
    for x, card in sorted(places, key=lambda place: _focused(screen, place[1])):
        focus = _focused(screen, card)
        y = 0 if focus else 1
        state = State() if card is None else _state(screen, card)
        draw_card(area, x, y, height, card, state)
        if card is not None:
            area.hit(x, y, CARD_WIDTH, height, Touch(card))
        if focus:
            area.put(x + 2, height + 1, "▴", Role.FOCUS)


def _focused(screen: Screen, card: Card | None) -> bool:
    return card is not None and card == screen.focus


def _state(screen: Screen, card: Card) -> State:
    return State(
        trump=suit_of(card) == screen.trump,
        blocked=screen.choosing and card not in screen.playable,
        focus=card == screen.focus,
    )


def _draw_rows(area: Area, screen: Screen, top: int) -> None:
    """Write the hand: `♠  6  8 [10]`, with `┆` before a card that cannot be played now."""
    rows = text_rows(screen, area.width)
    in_suits = len(rows) > 1 and screen.by_suit and rows[0][0] is not None
    longest = max(map(len, rows), default=0)
    pitch = next((pitch for pitch in _WORD_PITCHES if MARGIN + longest * pitch < area.width), _WORD_PITCHES[-1])
    left = MARGIN + 2 if in_suits and MARGIN + 2 + longest * pitch < area.width else MARGIN
    for y, row in enumerate(rows, start=top):
        words = [_word(card, screen, suit=not in_suits) for card in row]
        x = left if in_suits else min(left, area.width - _row_width(words, pitch))
        for card, word in zip(row, words, strict=True):
            _draw_word(area, x, y, card, word, screen)
            x += _word_width(word, pitch)
        if in_suits and row[0] is not None:
            _draw_suit(area, left, y, row[0], screen.trump)
            end = left + len(row) * pitch + 2
            if suit_of(row[0]) == screen.trump and end + cells(_TRUMP) <= area.width:
                area.put(end, y, _TRUMP, Role.TRUMP)


def _draw_suit(area: Area, left: int, y: int, first: Card, trump: Suit) -> None:
    """The suit before its row, with the double edge of a trump."""
    area.put(left - 2, y, card_words(first)[-1], suit_role(first))
    if suit_of(first) == trump:
        area.put(left - 3, y, "═", Role.TRUMP)


def _word(card: Card | None, screen: Screen, *, suit: bool) -> str:
    """A card of a row: in a row of one suit that stands before it, and tells of trumps."""
    if card is None:
        return "░░"
    return marked_words(card, screen.trump) if suit else rank_words(card)


def _word_width(word: str, pitch: int) -> int:
    """Only the ten of trumps is too long for its place; it has the sign before it, and a blank where there are some."""
    return max(pitch, cells(word) + 1 + (pitch == _WORD_PITCHES[0]))


def _row_width(words: Sequence[str], pitch: int) -> int:
    """With the bracket behind the last card when that is in focus."""
    *before, last = words or ("",)
    return sum(_word_width(word, pitch) for word in before) + 1 + cells(last) + 1


def _draw_word(area: Area, x: int, y: int, card: Card | None, text: str, screen: Screen) -> None:
    """One card as text, from its sign on; the sign after it is that of the next card."""
    if card is None:
        area.put(x + 1, y, text, Role.BACK)
        return
    state = _state(screen, card)
    blocked = (Role.BLOCKED,) if state.blocked else ()
    if state.focus:
        before, after = "()" if state.blocked else "[]"
        end = area.put(x + 1, y, text, *blocked, Role.FOCUS, suit_role(card))
        area.put(x, y, before, Role.FOCUS)
        area.put(end, y, after, Role.FOCUS)
    else:
        area.put(x + 1, y, text, *blocked, suit_role(card))
        if state.blocked:
            area.put(x, y, "┆", Role.BLOCKED)
    area.hit(x, y, max(_WORD_PITCHES[-1], 1 + cells(text)), 1, Touch(card))
