"""Framed cards: one card in each of its states, and cards that lie over one another.

It owns the characters of a card; it does not know whose card it is, nor why it is in its state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from p2pdurak.rules.cards import Card, Suit, suit_of
from p2pdurak.ui.draw.canvas import Area, Role, cells
from p2pdurak.ui.draw.sentences import by_suits, card_words, rank_words, suit_role

CARD_WIDTH: Final = 5
PAIR_CARD_HEIGHT: Final = 4
EDGE_HEIGHT: Final = 2
"""Of a card that is pushed over the upper edge, as the other player's are."""


@dataclass(frozen=True, slots=True)
class State:
    """How a card lies there.

    Attributes:
        trump: it has a double top edge.
        blocked: it cannot be played now; its sides are dashed.
        focus: it is the one that Enter would play.
    """

    trump: bool = False
    blocked: bool = False
    focus: bool = False


LYING: Final = State()


def draw_card(area: Area, x: int, y: int, height: int, card: Card | None, state: State = LYING) -> None:
    """Draw a card with all its edges; None is a back."""
    edge, side = ("╌", "┆") if state.blocked else ("─", "│")
    frame = (Role.FRAME, *_marks(state))
    top = "╒═══╕" if state.trump else f"╭{edge * 3}╮"
    area.put(x, y, top, *frame, *((Role.TRUMP,) if state.trump else ()))
    for row in range(1, height - 1):
        area.put(x, y + row, side, *frame)
        area.put(x + 1, y + row, "░░░" if card is None else "   ", Role.BACK)
        area.put(x + 4, y + row, side, *frame)
    area.put(x, y + height - 1, f"╰{edge * 3}╯", *frame)
    if card is not None:
        roles = (*_marks(state), suit_role(card))
        area.put(x + 1, y + 1, card_words(card), *roles)
        if height >= CARD_WIDTH:
            area.put(x + 3, y + height - 2, card_words(card)[-1], *roles)


def _marks(state: State) -> tuple[Role, ...]:
    """The suit lies over them: also a card that cannot be played has its colour."""
    return (*((Role.BLOCKED,) if state.blocked else ()), *((Role.FOCUS,) if state.focus else ()))


def draw_pair(area: Area, x: int, y: int, cards: tuple[Card, Card | None], trump: Suit) -> None:
    """Draw an attack, and what beat it over its lower half."""
    attack, answer = cards
    draw_card(area, x, y, PAIR_CARD_HEIGHT, attack, State(trump=suit_of(attack) == trump))
    if answer is not None:
        draw_card(area, x + 2, y + 2, PAIR_CARD_HEIGHT, answer, State(trump=suit_of(answer) == trump))


def draw_talon(area: Area, x: int, y: int, left: int, indicator: Card | None) -> None:
    """Draw the face-down talon with the indicator under it, or what is left of them."""
    if left > 1:
        draw_card(area, x, y, PAIR_CARD_HEIGHT, None)
    if indicator is None:
        return
    if left == 1:
        draw_card(area, x, y, PAIR_CARD_HEIGHT, indicator, State(trump=True))
        return
    suit = suit_role(indicator)
    for row, (text, role) in enumerate(
        ((rank_words(indicator), suit), (card_words(indicator)[-1], suit)),
        start=1,
    ):
        area.put(area.put(x + CARD_WIDTH, y + row, f"{text:<2}", role), y + row, "│", Role.FRAME)
    area.put(x + CARD_WIDTH, y, "══╕", Role.FRAME, Role.TRUMP)
    area.put(x + CARD_WIDTH, y + PAIR_CARD_HEIGHT - 1, "──╯", Role.FRAME)


def draw_row(area: Area, x: int, y: int, cards: Sequence[Card | None], trump: Suit) -> None:
    """Draw cards pushed over the upper edge, each over the right part of the one before, the closer the more there are.

    Backs may hide all of one another but an edge. Faces never: they become words where they have no place. A trump has
    its double edge below, for it lies head down.
    """
    room = area.width - x
    open_hand = any(card is not None for card in cards)
    pitch = next((pitch for pitch in (4, 2, 1) if _span(len(cards), pitch) <= room), 1)
    if open_hand and pitch < CARD_WIDTH - 1:
        _draw_words(area, x, y, cards, trump)
        return
    for number, card in enumerate(cards):
        left = x + number * pitch
        area.put(left, y, "│", Role.FRAME)
        area.put(left + 1, y, "░░░", Role.BACK)
        area.put(left + 4, y, "│", Role.FRAME)
        area.put(left, y + 1, f"{'┴' if number else '╰'}───╯", Role.FRAME)
        if card is not None and suit_of(card) == trump:
            area.put(left + 1, y + 1, "═══", Role.FRAME, Role.TRUMP)
        if card is not None:
            area.put(left + 1, y, "   ")
            area.put(left + 1, y, card_words(card), suit_role(card))


def _span(number: int, pitch: int) -> int:
    return (number - 1) * pitch + CARD_WIDTH


def _draw_words(area: Area, x: int, y: int, cards: Sequence[Card | None], trump: Suit) -> None:
    """Write an open hand by suits into two rows, with the double edge before the trumps."""
    column = x
    unseen = sum(card is None for card in cards)
    for group in by_suits(card for card in cards if card is not None):
        words = f"{card_words(group[0])[-1]} {' '.join(map(rank_words, group))}"
        if column > x and column + cells(words) > area.width:
            column, y = x, y + 1
        if suit_of(group[0]) == trump:
            area.put(column - 1, y, "═", Role.TRUMP)
        column = area.put(column, y, words, suit_role(group[0])) + 2
    if unseen:
        area.put(column, y, f"░ {unseen}", Role.BACK)
