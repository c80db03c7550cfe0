"""The middle of the picture: talon, indicator, discard and the pairs, with frames or as text.

It owns where they lie, so that nothing jumps while a bout grows; it does not know the players.
"""

from __future__ import annotations

from typing import Final

from p2pdurak.rules.cards import Suit
from p2pdurak.rules.state import Pair
from p2pdurak.ui.card_words import SUIT_SIGNS
from p2pdurak.ui.draw.canvas import Area, Role
from p2pdurak.ui.draw.cards import PAIR_CARD_HEIGHT, draw_pair, draw_talon
from p2pdurak.ui.draw.hand import MARGIN
from p2pdurak.ui.draw.screen import Screen
from p2pdurak.ui.draw.sentences import SUIT_ROLES, card_words, marked_words, suit_role

PAIRS: Final = 6
_PAIR_WORDS_WIDTH: Final = 9
"""Room for `10♥*/A♥*` and a blank."""


def pairs_x(width: int) -> int:
    """The column of the first pair."""
    return 16 if _pitch(width) == 8 else 14


def draw_table(area: Area, screen: Screen) -> None:
    """Draw talon, discard and up to six pairs side by side; more than six, which no rules allow, get closer."""
    draw_talon(area, MARGIN, 0, screen.talon, screen.indicator)
    if screen.indicator is None and _dealt(screen):
        x = area.put(MARGIN, 1, SUIT_SIGNS[screen.trump], SUIT_ROLES[screen.trump])
        area.put(x, 1, " trump", Role.TRUMP)
    area.put(MARGIN, PAIR_CARD_HEIGHT, f"talon {screen.talon}", Role.DIM)
    area.put(MARGIN, PAIR_CARD_HEIGHT + 1, f"discard {screen.beaten}", Role.DIM)
    for number, pair in enumerate(screen.table):
        x = pairs_x(area.width) + number * _pitch(area.width)
        draw_pair(area, x, 0, (pair.attack, pair.beaten_by), screen.trump)


def _pitch(width: int) -> int:
    """Six pairs with a gap between, or edge to edge where the picture is narrow."""
    return 8 if width >= 16 + PAIRS * 8 else 7


def draw_counts(area: Area, screen: Screen) -> None:
    """Write trump, talon and discard in one row."""
    x = area.put(MARGIN, 0, "trump ", Role.TRUMP)
    if not _dealt(screen):
        x = area.put(x, 0, "?", Role.DIM)
    elif screen.indicator is None:
        x = area.put(x, 0, SUIT_SIGNS[screen.trump], SUIT_ROLES[screen.trump])
    else:
        x = area.put(x, 0, card_words(screen.indicator), suit_role(screen.indicator))
    area.put(x, 0, f"  talon {screen.talon}  discard {screen.beaten}", Role.DIM)


def _dealt(screen: Screen) -> bool:
    """Whether there is a trump to speak of."""
    return bool(screen.bout or screen.top.cards or screen.bottom.cards)


def draw_pairs_as_text(area: Area, screen: Screen) -> None:
    """Write the pairs as `9♠/10♥*`, with a mark behind trumps, and `9♠/__` where nothing beats it yet."""
    per_row = max(1, (area.width - MARGIN) // _PAIR_WORDS_WIDTH)
    for number, pair in enumerate(screen.table):
        y, column = divmod(number, per_row)
        _draw_pair_words(area, MARGIN + column * _PAIR_WORDS_WIDTH, y, pair, screen.trump)


def _draw_pair_words(area: Area, x: int, y: int, pair: Pair, trump: Suit) -> None:
    x = area.put(x, y, marked_words(pair.attack, trump), suit_role(pair.attack))
    x = area.put(x, y, "/", Role.DIM)
    if pair.beaten_by is None:
        area.put(x, y, "__", Role.PROMPT)
    else:
        area.put(x, y, marked_words(pair.beaten_by, trump), suit_role(pair.beaten_by))
