"""The sentences about an analysed game: chances in per cent, what turned it, and what a player could have known.

It owns the wording that the report and the replay's screen share; it judges nothing.
"""

from __future__ import annotations

from typing import Final

from p2pdurak.analysis.report import Analysis, Exact, MoveReport
from p2pdurak.recording import Recording
from p2pdurak.rules.state import Seat
from p2pdurak.ui.card_words import CardStyle
from p2pdurak.ui.prompts import move_text
from p2pdurak.ui.replay_words import called

SIGNS: Final = "123456789abcdefghijklmnopqrstuvwxyz"
"""What a turning point is called on the chart, in order; there are never so many that count."""

_OWNED: Final = {Exact.WIN: "had a forced win", Exact.DRAW: "had a sure draw", Exact.LOSS: "was lost"}
_KEEPS: Final = {Exact.WIN: "wins", Exact.DRAW: "draws", Exact.LOSS: "loses"}
_BECAME: Final = {Exact.WIN: "won", Exact.DRAW: "only a draw", Exact.LOSS: "lost"}
_RESIGNED: Final = {Exact.WIN: "with a forced win", Exact.DRAW: "with a sure draw", Exact.LOSS: "a game that was lost"}
_TURNED: Final = {Exact.WIN: Exact.LOSS, Exact.DRAW: Exact.DRAW, Exact.LOSS: Exact.WIN}


def chance_of(seat: Seat, chance: float) -> float:
    """The chance of a seat from that of seat 0."""
    return 1 - chance if seat else chance


def percent(chance: float) -> str:
    """A chance in per cent; an estimate of nearly nothing or nearly everything is no certainty, but reads as one."""
    return f"{100 * chance:.0f}"


def verdict(seat: Seat, move: MoveReport) -> str:
    """What the game is worth to a seat after a move, for certain: `won`, `draw`, `lost`; nothing where not known."""
    exact = move.exact_after
    if exact is None:
        return ""
    own = exact if seat == move.seat else _TURNED[exact]
    return {Exact.WIN: "won", Exact.DRAW: "draw", Exact.LOSS: "lost"}[own]


def marks(analysis: Analysis) -> dict[int, str]:
    """The signs of the turning points, by the index of the move."""
    return dict(zip(analysis.turning_points, SIGNS, strict=False))


def better(game: Recording, move: MoveReport, style: CardStyle) -> str:
    """The better action, as a player would say it; nothing where none is known."""
    return "" if move.best is None else move_text(move.best, game.after(move.index - 1)[0], style)


def scope_line(game: Recording, analysis: Analysis) -> str:
    """What the numbers are."""
    name = called(game)[game.seat]
    return (
        f"Analysis ({analysis.depth.value}): {name}'s chance to win after each move, in per cent; a draw is half a win."
    )


def missing_line(game: Recording, analysis: Analysis) -> str:
    """What could not be looked at, in a sentence; nothing where everything was seen."""
    if not analysis.blind:
        return ""
    unseen = [name for name, hand in zip(called(game), game.dealt, strict=True) if hand is None]
    whose = " and ".join(unseen) or "the talon"
    hidden = f"the cards of {whose}" if unseen else whose
    return (
        f"There is no hindsight: this log does not show {hidden}, for a key is missing. "
        "Told is what could be known, and what is exact at the end."
    )


def exact_line(analysis: Analysis) -> str:
    """From where on the result is exact."""
    first = next((move.index for move in analysis.moves if move.exact_before is not None), None)
    if first is None:
        return "No position of this game was solved."
    return f"From move {first} on positions are solved: there the result with best play is certain."


def resigned_line(game: Recording, analysis: Analysis) -> str:
    """What was given up, where a player resigned; nothing otherwise."""
    if game.end != "resign" or game.result is None or game.result.durak is None:
        return ""
    loser, last = game.result.durak, analysis.moves[-1]
    name = called(game)[loser]
    if last.exact_after is not None:
        own = last.exact_after if last.seat == loser else _TURNED[last.exact_after]
        return f"{name} resigned {_RESIGNED[own]}."
    chance = analysis.points()[-1]
    return "" if chance is None else f"{name} resigned with a chance of {percent(chance_of(loser, chance))} per cent."


def turning_lines(game: Recording, analysis: Analysis, move: MoveReport, style: CardStyle) -> tuple[str, str]:
    """A turning point: which move it was, and what it changed."""
    state, _ = game.after(move.index - 1)
    name = called(game)[move.seat]
    head = f"Move {move.index}, bout {state.bout}: {name}, {move_text(move.action, state, style)}."
    return head, change(game, analysis, move, style)


def change(game: Recording, analysis: Analysis, move: MoveReport, style: CardStyle) -> str:
    """What a move changed, and whether its player could have known: for a turning point, or any move with a `best`."""
    name, best = called(game)[move.seat], _sentence(better(game, move, style))
    if move.blunder and move.exact_before is not None and move.exact_after is not None:
        told = f"A blunder: {name} {_OWNED[move.exact_before]}, and after it the game is {_BECAME[move.exact_after]}."
        return f"{told} {best} {_KEEPS[move.exact_before]}." if best else told
    known = "" if move.gain is None else f"{best} was better by {percent(move.gain)} in 100, as {name} could know"
    before, after = analysis.points()[move.index - 1 : move.index + 1]
    if analysis.blind or before is None or after is None:
        return f"{known}." if known else ""
    own = chance_of(move.seat, before), chance_of(move.seat, after)
    rose = own[1] > own[0]
    went = f"{'rose' if rose else 'fell'} from {percent(own[0])} to {percent(own[1])}"
    seen = f"with every card seen, {name}'s chance {went}"
    if known:
        return f"{known}; {'all the same, ' if rose else ''}{seen}."
    return f"{_sentence(seen)}. As far as {name} could know, no other move was clearly better."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
