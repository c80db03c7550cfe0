"""A player who does not play on: he resigns, claims the win, or leaves.

It owns when each of these is allowed, and when a program does it by itself; what it means for the score is `ending`.
"""

from __future__ import annotations

from typing import Final

from fairdeck.referee import Stage
from fairdeck.wire import NoteKind
from p2pdurak.events import Refused
from p2pdurak.table.between import Between
from p2pdurak.table.line_watch import LineWatch, Owing
from p2pdurak.table.sitting import Phase, Sitting

UNDEALT_TIMER_S: Final = 25
"""What a step of the deal may take before it counts as stalling; a program makes it in a tenth of a second."""

SETTLE_S: Final = 120.0
"""How long a program waits for a record before the game counts; a person decides for himself."""

NOT_YET: Final = (
    "You have come back, and your friend's program has not said yet how far it is. Nothing can be signed before that."
)


class Parting:
    """The ways out of a game that goes on.

    Attributes:
        record_at: when the last record came, or the game began.
    """

    def __init__(self, sitting: Sitting, line: LineWatch, between: Between) -> None:
        """Look after the exits.

        Args:
            sitting: the player at the table.
            line: how long the other side is silent.
            between: shows the result.
        """
        self.record_at = 0.0
        self._at = sitting
        self._line = line
        self._between = between

    @property
    def owing(self) -> Owing | None:
        """What the other side owes in a game that counts; None while it owes nothing."""
        game = self._at.game
        if game is None or not game.peer_owes or self._at.phase is not Phase.PLAYING:
            return None
        # Before the deal there is no move timer, but who holds back what he owes then can be given up too.
        # So can who keeps to himself what he says he holds of a game that we come back to.
        timer_s = game.timer_s if game.view is not None and game.session.reconciled else UNDEALT_TIMER_S
        return Owing(len(game.session.records), timer_s)

    def resign(self, now: float) -> None:
        """Give the game up, or say why that cannot be."""
        game = self._at.game
        if game is None or game.log is None or game.ended or not game.session.referee.counts:
            self._refuse("resign", "There is no game to give up. To go away, type leave.")
        elif not game.session.reconciled:
            self._refuse("resign", NOT_YET)
        else:
            game.note(NoteKind.RESIGN, now)

    def claim(self, now: float) -> None:
        """Claim the win, or say why that cannot be."""
        owing, game = self.owing, self._at.game
        if owing is None or game is None:
            self._refuse("claim", "The win can be claimed only while the other side owes a step.")
        elif not self._line.own_up:
            self._refuse("claim", "Your own link is down; the win cannot be claimed.")
        elif (left := self._line.claim_in(owing, now)) > 0:
            self._refuse("claim", f"The win can be claimed in {round(left)} s, if nothing comes until then.")
        else:
            # He has had his time to say what he holds; we go by our own disk, and sign no record after this.
            game.reconcile(0, now)
            game.note(NoteKind.CLAIM, now)

    def leave(self, now: float) -> None:
        """Leave with a note from the moment on when leaving counts; before that, and between games, with a goodbye."""
        at, game = self._at, self._at.game
        at.leaves = True
        if at.phase is Phase.PLAYING and game is not None and not (game.ended or game.session.reconciled):
            at.depart()
        elif at.phase is Phase.PLAYING and game is not None and (game.ended or game.session.referee.counts):
            if not game.ended:
                game.note(NoteKind.LEAVE, now)
            self._between.judge(game, now)
        elif at.phase is not Phase.JUDGING:
            at.close(now, at.exit)

    def stop_waiting(self, now: float) -> None:
        """A program has nobody to ask whether it should go on waiting for a friend who is gone or does nothing."""
        at, game = self._at, self._at.game
        undealt = game is None or game.view is None or at.phase is Phase.RESTING
        unsure = game is not None and not (game.ended or game.session.reconciled)  # nothing can be played or claimed
        # Whoever reads the rules may take his time; what a program owes comes at once or not at all.
        dealing = game is not None and game.session.referee.stage in {Stage.SHUFFLE0, Stage.SHUFFLE1}
        stuck = dealing and at.phase is not Phase.KNOCKED and now >= self.record_at + SETTLE_S
        if self._line.claimable:
            self.claim(now)
        elif stuck or ((undealt or unsure) and self._line.gone(now)):
            self.leave(now)

    def _refuse(self, word: str, sentence: str) -> None:
        self._at.world.show(Refused(word, sentence))
