"""How far the analysis of a replay is: asked for, under way, there, or not possible.

It owns what of it is there, what that says of a place, and where its turning points are; it judges nothing, starts
nothing, and reads no clock.
"""

from __future__ import annotations

from p2pdurak.analysis.report import Analysis, Depth
from p2pdurak.recording import Recording
from p2pdurak.rules.state import Seat
from p2pdurak.ui.analysis_words import marks
from p2pdurak.ui.draw.screen import Hint, Panel
from p2pdurak.ui.live.analysis_panels import analysis_panel, bar_line, judged, turning_hints


class AnalysisState:
    """The analysis of one game, as far as it is known.

    Attributes:
        found: the deepest one that is there.
        running: the depth of the one that goes on.
    """

    def __init__(self, game: Recording) -> None:
        self._game = game
        self.found: Analysis | None = None
        self.running: Depth | None = None
        self._done = 0
        self._steps = 0

    def lacks(self, depth: Depth) -> bool:
        """Whether nothing so deep is there or under way."""
        deep_enough = {Depth.QUICK: {Depth.QUICK, Depth.FULL}, Depth.FULL: {Depth.FULL}}[depth]
        return self.running not in deep_enough and (self.found is None or self.found.depth not in deep_enough)

    def begin(self, depth: Depth) -> None:
        """One was asked for; what goes on is given up for it."""
        self.running, self._done, self._steps = depth, 0, 0

    def go_on(self, done: int, steps: int) -> None:
        """The one that goes on has come so far."""
        self._done, self._steps = done, steps

    def end(self, analysis: Analysis | None) -> None:
        """The one that went on is there, or there will be none."""
        self.running = None
        self.found = analysis or self.found

    @property
    def bar(self) -> str:
        """How far it is; empty where none goes on."""
        return "" if self.running is None else bar_line(self.running, self._done, self._steps)

    @property
    def signs(self) -> tuple[tuple[int, str], ...]:
        """The turning points by their numbers, each with its sign."""
        return () if self.found is None else tuple(marks(self.found).items())

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The keys that lead to the turning points, where there are any."""
        return turning_hints(self.found)

    def judged(self, moves: int, seat: Seat) -> tuple[str, ...]:
        """What it says of the last of so many moves, for a seat, in several lengths; nothing where it is not there."""
        return () if self.found is None else judged(self._game, self.found, moves, seat)

    def panel(self, moves: int, seat: Seat, scroll: int) -> Panel | None:
        """All that it says, seen from a seat, with so many moves shown; None where it is not there."""
        if self.found is None:
            return None
        return analysis_panel(self._game, self.found, moves, seat, scroll, self.bar)

    def turning_point(self, moves: int, *, forward: bool) -> int | None:
        """The next turning point after so many moves, or the last one before; None where there is none."""
        points = () if self.found is None else self.found.turning_points
        if forward:
            return next((point for point in points if point > moves), None)
        return next((point for point in reversed(points) if point < moves), None)
