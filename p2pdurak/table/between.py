"""After a game: the log is checked, the result is shown, and both decide whether to play again.

It owns results, scores and the way to a rematch; it makes no record, and begins no game by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from fairdeck.audit import Finding, audit
from fairdeck.notes import End
from fairdeck.wire import ZEROS
from p2pdurak.durak import DURAK
from p2pdurak.events import Again, Refused, Trouble, Waiting
from p2pdurak.rules.state import Seat
from p2pdurak.store import read_log
from p2pdurak.table.chair import PostKind
from p2pdurak.table.ending import exit_of, game_end, result_of, void_claim
from p2pdurak.table.one_game import OneGame
from p2pdurak.table.players import Exit
from p2pdurak.table.rematch import Rematch, Step
from p2pdurak.table.sitting import LAST_RECORD_S, Phase, Sitting


class Between:
    """What lies between one game of a match and the next.

    Attributes:
        now: the time as last told; a check of a log takes long, and its answer comes later than it was asked for.
    """

    def __init__(self, sitting: Sitting, again: Callable[[float], None], settle: Callable[[float], None]) -> None:
        """Look after the ends of games.

        Args:
            sitting: the player at the table.
            again: begins the next game.
            settle: notices what a result has brought to its end.
        """
        self.now = 0.0
        self._at = sitting
        self._again = again
        self._settle = settle
        self._rematch = Rematch()
        self._before = sitting.match
        self._told = ZEROS

    def begin(self) -> None:
        """A game begins: its end will be added to the match as it stands now, however often it is looked at."""
        self._rematch.begin()
        self._before, self._told = self._at.match, ZEROS

    def unsteady(self, now: float) -> None:
        """The line is not up, or something is still on its way."""
        self._rematch.steady_since = now

    # The result.

    def judge(self, game: OneGame, now: float) -> None:
        """Check the saved log from its first byte, aside, and then show the result."""
        self._at.enter(Phase.JUDGING)
        log, judged = game.log, game.session.link
        if log is None:
            self._show_result(game, now, verified=False)
            return

        def judged_so(verified: bool) -> None:
            later = max(now, self.now)
            if game.session.link != judged and game.log is not None:
                self.judge(game, later)  # something came while we looked: the answer was about another end
            else:
                self._show_result(game, later, verified=verified)

        world = self._at.world
        world.later(lambda: audit(read_log(log.path), DURAK, world.suites).finding is Finding.OK, judged_so)

    def _show_result(self, game: OneGame, now: float, *, verified: bool) -> None:
        at = self._at
        at.match = self._before.add(game_end(game))
        self._told = game.session.link
        at.exit = exit_of(game) if verified or not game.verdict.final else Exit.CHEATED
        at.enter(Phase.RESTING)
        left = at.leaves or at.peer_left or game.verdict.end is End.LEFT
        more = game.trouble is None and not left and self._more_games
        self._tell_void(void_claim(game))
        at.world.show(result_of(game, at.match, verified=verified, more=more))
        if not more:
            at.close(now, at.exit)
        elif at.player.games:
            self.want_again(now)
        self._tell_wish()
        self._settle(now)

    def _tell_void(self, claimer: Seat | None) -> None:
        """Say why a claim does not count; whether it is ours decides whose step was under way."""
        if claimer is not None:
            claim, step = ("Your", "your friend's") if claimer == self._at.player.seat else ("Your friend's", "your")
            self._at.world.show(Waiting(f"{claim} claim of the win is void: {step} step was already on its way."))

    @property
    def _more_games(self) -> bool:
        games = self._at.player.games
        return not games or self._at.match.games < games

    # The rematch.

    def want_again(self, now: float) -> None:
        """The player wants a rematch."""
        at = self._at
        if at.phase is not Phase.RESTING or at.game is None:
            at.world.show(Refused("rematch", "A rematch can be asked for when a game is over."))
            return
        self._rematch.wanted = True
        if not at.player.games and self._rematch.peer is None:
            at.world.show(Again(at.player.seat))
        self.rest(now)

    def hear_wish(self, link: bytes, now: float) -> None:
        """The other side wants a rematch after the game that ended so."""
        if link == self._at.link:
            return  # his wish for the game that goes on, told again by a new process of his
        if self._rematch.hear(link, now):
            self._tell_wish()

    def hear_sync(self, number: int, now: float) -> None:
        """The other side begins anew, in game `number`, and either of us may be a new process.

        His may not have heard our wish; if he plays the next game already, a process of ours wished for it and died.
        """
        game = self._at.game
        self._rematch.said = ZEROS
        if game is not None and game.ended and number == game.number + 1:
            self.hear_wish(game.session.link, now)

    def _tell_wish(self) -> None:
        """The other side may ask for a rematch before we have seen the result; it is told after that."""
        at = self._at
        if self._rematch.only_he_wants and at.phase is Phase.RESTING and not at.player.games:
            at.world.show(Again(1 - at.player.seat))

    def rest(self, now: float) -> None:
        """Between games: begin the next one when both want it, leave when the other has.

        A record or a note may come late, made before our resign or claim reached its author. Then the end is looked at
        again, and the wish for a rematch is sent again, for it names the last game by its end.
        """
        at = self._at
        game = at.game
        if game is None:
            return
        if game.session.link != self._told:
            at.world.show(Waiting("What your friend did before the end has come late."))
            self.judge(game, now)
        elif at.peer_left:
            at.world.show(Waiting("Your friend has left the table."))
            at.close(now, at.exit)
        elif self._rematch.wanted:
            self._ask_again(game.session.link, now)

    def _ask_again(self, link: bytes, now: float) -> None:
        at = self._at
        if self._rematch.to_say(link):
            at.channel.post(PostKind.AGAIN, link, now)
        match self._rematch.step(link, now):
            case Step.BEGIN:
                at.link = link
                self._again(now)
            case Step.DIFFERS:
                at.world.show(Trouble("desync", "Both sides remember the last game differently."))
                at.close(now, at.exit)
            case Step.WAIT:
                pass

    # Leaving.

    def left_alone(self, now: float) -> None:
        """The other side has said goodbye in the middle of things; a last record of his may still be on its way."""
        at = self._at
        game = at.game
        if game is None or game.view is None:
            at.world.show(Trouble("left", "Your friend has left before the cards were dealt."))
            at.close(now, Exit.NOT_FINISHED)
        elif not game.ended and now >= at.left_at + LAST_RECORD_S:
            self.judge(game, now)
