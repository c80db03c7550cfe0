"""What an analysis says over a replay and below its table: the chart, the turning points, and the move that is shown.

It owns what is told at which length; the sentences are those of `analysis_words`, and no key is known here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from p2pdurak.analysis.report import Analysis, Depth, MoveReport
from p2pdurak.recording import Recording
from p2pdurak.rules.state import Seat
from p2pdurak.ui.analysis_words import (
    better,
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
from p2pdurak.ui.draw.screen import Chart, Hint, Notice, Panel, Tone
from p2pdurak.ui.live.panels import CLOSE
from p2pdurak.ui.replay_words import called

BAR_CELLS: Final = 12
"""With it the line fits the narrowest picture."""

TERMS: Final = "Seen: with every card in sight. Known: as far as the player who moved could know."

_STYLE: Final = CardStyle()


def bar_line(depth: Depth, done: int, steps: int) -> str:
    """How far an analysis is."""
    full = BAR_CELLS * done // max(1, steps)
    bar = "━" * full + "╌" * (BAR_CELLS - full)
    return f"Analysing ({depth.value}) {bar} {100 * done // max(1, steps):>3}%"


def judged(game: Recording, analysis: Analysis, moves: int, seat: Seat) -> tuple[str, ...]:
    """What there is to say of the last of so many moves, or of the deal.

    Args:
        game: the recording.
        analysis: of this game.
        moves: how many are shown.
        seat: whose chance is told.

    Returns:
        The same in several lengths, the most telling one first; nothing where nothing is known.
    """
    name = called(game)[seat]
    if moves == 0:
        chance = analysis.start_chance
        dealt = "" if chance is None else f"{percent(chance_of(seat, chance))}%"
        return (f"{name}'s chance after the deal: {dealt} with every card seen", f"{name}: {dealt} seen") * bool(dealt)
    move = analysis.moves[moves - 1]
    sign = marks(analysis).get(moves)
    leads = ("", "") if sign is None else (f"Turning point {sign} · ", f"{sign} · ")
    return tuple(lead + told for lead in dict.fromkeys(leads) for told in _told(game, analysis, move, seat))


def analysis_panel(
    game: Recording, analysis: Analysis, moves: int, seat: Seat, scroll: int, running: str = ""
) -> Panel:
    """The whole analysis.

    Args:
        game: the recording.
        analysis: of this game.
        moves: how many the table shows.
        seat: whose chance is told.
        scroll: lines scrolled down.
        running: how far a deeper analysis is, if one goes on.
    """
    rest = (
        *_turning(game, analysis, moves),
        exact_line(analysis),
        resigned_line(game, analysis),
        missing_line(game, analysis),
        scope_line(replace(game, seat=seat), analysis),
        TERMS,
    )
    lines = (
        *([Notice(running, Tone.MINE)] if running else []),
        Notice(_here(game, analysis, moves, seat), Tone.MINE),
        *(Notice(line) for line in rest if line),
    )
    title = f"Analysis ({analysis.depth.value}): {called(game)[seat]}'s chance"
    deeper = [] if running or analysis.depth is Depth.FULL else [Hint("d", "d", "full depth")]
    return Panel(title, lines, (*turning_hints(analysis), *deeper, CLOSE), scroll, _chart(analysis, moves, seat))


def turning_hints(analysis: Analysis | None) -> tuple[Hint, ...]:
    """The keys that lead from one turning point to another, where there is any."""
    some = analysis is not None and bool(analysis.turning_points)
    return (Hint("p", "p", ""), Hint("n", "n", "turning points")) if some else ()


def _chart(analysis: Analysis, moves: int, seat: Seat) -> Chart:
    points = tuple(None if point is None else chance_of(seat, point) for point in analysis.points())
    return Chart(points, tuple(marks(analysis).items()), moves)


def _turning(game: Recording, analysis: Analysis, moves: int) -> list[str]:
    """The turning points, each with a sign and what it changed, but for the one that the table shows."""
    points = marks(analysis)
    if not points:
        return ["There is no turning point: no move changed the game much."]
    told = [
        f"{sign}  {' '.join(turning_lines(game, analysis, analysis.moves[index - 1], _STYLE))}"
        for index, sign in points.items()
        if index != moves
    ]
    return ["Other turning points:" if moves in points else "Turning points:", *told] if told else []


def _here(game: Recording, analysis: Analysis, moves: int, seat: Seat) -> str:
    """The place that the table shows, at full length."""
    told = judged(game, analysis, moves, seat)[:1]
    if moves == 0:
        return f"{told[0]}." if told else "The deal: what could be known of it is told with the moves."
    move = analysis.moves[moves - 1]
    head, changed = turning_lines(game, analysis, move, _STYLE)
    sign = marks(analysis).get(moves)
    if sign is not None:
        return f"{head} Turning point {sign}. {changed}"
    numbers = f" {told[0]}." if told else ""
    return f"{head}{numbers}"


def _told(game: Recording, analysis: Analysis, move: MoveReport, seat: Seat) -> tuple[str, ...]:
    """A move in several lengths."""
    if move.blunder:
        # What it did and what would have been better; what it did; what was thrown away. A name may be anything.
        whole, lead = change(game, analysis, move, _STYLE), f"A blunder: {called(game)[move.seat]}"
        did = whole.removeprefix(lead).partition(". ")[0].removesuffix(".")
        return whole, lead + did, lead + did.partition(", and")[0]
    if move.exact_after is not None:
        return _exact(game, move, seat)
    return _estimated(game, move, seat)


def _exact(game: Recording, move: MoveReport, seat: Seat) -> tuple[str, ...]:
    names = called(game)
    ends = {"won": f"{names[seat]} wins", "lost": f"{names[1 - seat]} wins", "draw": "a draw"}
    sure = f"Exact: {ends[verdict(seat, move)]}"
    return f"{sure} with best play", sure


def _estimated(game: Recording, move: MoveReport, seat: Seat) -> tuple[str, ...]:
    name, mover = called(game)[seat], called(game)[move.seat]
    seen, known = (
        "" if chance is None else f"{percent(chance_of(seat, chance))}%"
        for chance in (move.chance_seen, move.chance_known)
    )
    if not seen and not known:
        return ()
    long = ", ".join([f"{seen} with every card seen"] * bool(seen) + [f"{known} as {mover} could know"] * bool(known))
    short = ", ".join([f"{seen} seen"] * bool(seen) + [f"{known} known"] * bool(known))
    best = better(game, move, _STYLE)
    gain = f" +{percent(move.gain)}" if move.gain is not None else ""
    tail = [f" · better: {best}{gain}"] * bool(best) + [""]
    heads = f"{name}'s chance: {long}", f"{name}: {long}", f"{name}: {short}"
    return tuple(head + end for head in heads for end in tail)
