"""An analysis in line mode: a line for every move, a chart, and the turning points.

It owns which lines there are and how they fit a width; the sentences are those of `analysis_words`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from p2pdurak.analysis.chart import chart
from p2pdurak.analysis.report import Analysis, MoveReport
from p2pdurak.recording import Recording
from p2pdurak.rules.actions import Attack, Beat, Deny, action_text
from p2pdurak.safe_text import cell_width, clean
from p2pdurak.ui.analysis_words import (
    chance_of,
    change,
    exact_line,
    marks,
    missing_line,
    percent,
    resigned_line,
    scope_line,
    turning_lines,
    verdict,
)
from p2pdurak.ui.card_words import CardStyle
from p2pdurak.ui.prompts import move_text
from p2pdurak.ui.replay_words import called, ending, game_line

CHART_LINES: Final = 10
"""With three turning points below it, it is all seen at once on 24 lines."""

WIDTH_MAX: Final = 80
"""A wider line through a game says no more."""

NAME_CELLS: Final = 9
MOVE_CELLS: Final = 13
HEADER: Final = "   n bout player   move          known  seen exact better"
"""As far as the player who moves could know; with every card seen; for certain."""

COLOUR: Final = re.compile("\x1b\\[[0-9;]*m")
"""What takes no cell."""


def analysis_lines(game: Recording, analysis: Analysis, style: CardStyle, width: int) -> Iterator[str]:
    """Tell an analysis.

    Args:
        game: what it is about; the chances are told for the seat that it is seen from.
        analysis: of this game.
        style: how cards are written; spelled cards come with sentences instead of columns, and without a chart.
        width: of the terminal, in cells.
    """
    yield from (game_line(game), ending(game), scope_line(game, analysis))
    yield from filter(None, (missing_line(game, analysis),))
    if style.words:
        yield from (_sentence(game, analysis, move, style) for move in analysis.moves)
    else:
        yield HEADER
        yield from (_row(game, analysis, move, style) for move in analysis.moves)
        yield from _chart(game, analysis, style, width)
    yield from _summary(game, analysis, style)


def _row(game: Recording, analysis: Analysis, move: MoveReport, style: CardStyle) -> str:
    state, _ = game.after(move.index - 1)
    cells = (
        f"{marks(analysis).get(move.index, ''):>1}{move.index:>4}{state.bout:>4} ",
        _fit(called(game)[move.seat], NAME_CELLS),
        _fit(_move_text(game, move, style), MOVE_CELLS),
        f"{_percent(game, move.chance_known):>5} {_percent(game, move.chance_seen):>5} ",
        f"{verdict(game.seat, move):<5} ",
        _better(move, style),
    )
    return "".join(cells).rstrip()


def _move_text(game: Recording, move: MoveReport, style: CardStyle) -> str:
    state, _ = game.after(move.index - 1)
    # A denial names up to four cards, which are of no weight here.
    return "no" if isinstance(move.action, Deny) else move_text(move.action, state, style)


def _better(move: MoveReport, style: CardStyle) -> str:
    """The better card, or word, and by how much; a word for the whole action would not fit 60 columns."""
    match move.best:
        case None:
            return ""
        case Attack(card) | Beat(card):
            best = style.card(card)
        case _:
            best = action_text(move.best)
    return best if move.gain is None else f"{best} +{percent(move.gain)}"


def _percent(game: Recording, chance: float | None) -> str:
    return "" if chance is None else percent(chance_of(game.seat, chance))


def _fit(text: str, cells: int) -> str:
    """Cut or fill to so many cells, the last of them empty; colours take none."""
    plain = COLOUR.sub("", text)
    if sum(map(cell_width, plain)) >= cells:
        text = plain = clean(plain, cells - 1)
    return text + " " * (cells - sum(map(cell_width, plain)))


def _sentence(game: Recording, analysis: Analysis, move: MoveReport, style: CardStyle) -> str:
    """A row for the ear."""
    name, seen, known = called(game)[move.seat], _percent(game, move.chance_seen), _percent(game, move.chance_known)
    told = [f"Move {move.index}: {name}, {_move_text(game, move, style)}."]
    if seen or known:
        chances = [f"{known} as {name} could know"] * bool(known) + [f"{seen} with every card seen"] * bool(seen)
        told.append(f"{called(game)[game.seat]}: {', '.join(chances)}.")
    if (sure := verdict(game.seat, move)) and move.exact_before is not move.exact_after:
        told.append(f"For certain: {sure}.")
    if move.best is not None and not move.turning:
        told.append(change(game, analysis, move, style))
    return " ".join(told)


def _chart(game: Recording, analysis: Analysis, style: CardStyle, width: int) -> Iterator[str]:
    yield f"{called(game)[game.seat]}'s chance, move by move"
    points = [None if point is None else chance_of(game.seat, point) for point in analysis.points()]
    yield from chart(min(width, WIDTH_MAX), CHART_LINES, points, marks(analysis), ascii=style.ascii)


def _summary(game: Recording, analysis: Analysis, style: CardStyle) -> Iterator[str]:
    yield from filter(None, (exact_line(analysis), resigned_line(game, analysis)))
    signs, style = (
        marks(analysis),
        replace(style, colour=False),
    )  # a sentence is broken between words, and not at colours
    yield "Turning points:" if signs else "There is no turning point: no move changed the game much."
    for index, sign in signs.items():
        head, told = turning_lines(game, analysis, analysis.moves[index - 1], style)
        yield f"{sign}  {head} {told}".rstrip()
