"""What the parts of a match share: who sits here, the game that goes on, where the match stands, and the goodbye.

It owns the way from phase to phase and out of the door; it decides nothing about records, results or rematches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from fairdeck.channel import Channel
from fairdeck.wire import ZEROS
from p2pdurak.events import Trouble
from p2pdurak.rules.match import Match
from p2pdurak.rules.options import Options
from p2pdurak.safe_text import SafeText
from p2pdurak.table.chair import PostKind
from p2pdurak.table.clock import SILENCE_CLAIM_S
from p2pdurak.table.one_game import OneGame
from p2pdurak.table.players import Exit, Player, World

CLOSE_WAIT_S: Final = 4.0
"""How long a leaving side waits for the other to have everything."""

RETURN_WAIT_S: Final = SILENCE_CLAIM_S
"""How much longer a program waits, with nobody who wants to go, for a friend who lacks the end of the game."""

NOBODY: Final = SafeText("")
"""The name of who has not introduced himself."""

LAST_RECORD_S: Final = CLOSE_WAIT_S + 1.0
"""How long records of a side that has left may still arrive: it repeats them until it closes."""


class Phase(Enum):
    """Where a match stands."""

    MEETING = "meeting"
    OFFERED = "offered"
    KNOCKED = "knocked"
    PLAYING = "playing"
    JUDGING = "judging"
    RESTING = "resting"
    CLOSING = "closing"
    CLOSED = "closed"


BETWEEN: Final = frozenset({Phase.MEETING, Phase.OFFERED, Phase.KNOCKED, Phase.RESTING})
"""While no game goes on: trouble then has no result to show."""

UNFINISHED: Final = frozenset({Phase.MEETING, Phase.OFFERED, Phase.KNOCKED, Phase.PLAYING})
"""Before a game has ended: who leaves now does not await its end."""

LEAVING: Final = frozenset({Phase.CLOSING, Phase.CLOSED})


@dataclass(slots=True)
class Sitting:
    """One player at the table, from the first packet to the goodbye.

    Attributes:
        player: who plays, and how.
        world: store, listener, randomness.
        channel: the line to the other side.
        secret: the 32 bytes behind it.
        options: what is agreed, or the host's proposal; None for a guest before the first game.
        phase: where the match stands.
        exit: how it ends for the program, as far as is known.
        match: the games so far.
        game: the one that goes on, or was played last.
        link: 32 bytes that name the game before it; zeros in the first.
        former: the 32 bytes that name that game in its records; zeros in the first.
        earlier: that game, while its files are the only way back to this table.
        peer_key: the other side's identity key, once he has introduced himself.
        peer_name: his name, safe to show.
        leaves: we leave.
        peer_left: he has said goodbye
        left_at: at this time.
    """

    player: Player
    world: World
    channel: Channel
    secret: bytes = field(repr=False)
    options: Options | None = None
    phase: Phase = Phase.MEETING
    exit: Exit = Exit.NOT_FINISHED
    match: Match = field(default_factory=Match)
    game: OneGame | None = None
    link: bytes = ZEROS
    former: bytes = ZEROS
    earlier: OneGame | None = None
    peer_key: bytes | None = None
    peer_name: SafeText = NOBODY
    leaves: bool = False
    peer_left: bool = False
    left_at: float = 0.0
    _close_at: float = 0.0

    @property
    def leaving(self) -> bool:
        """Whether the match is over, up to the goodbye."""
        return self.phase in LEAVING

    @property
    def close_at(self) -> float | None:
        """When the door is shut at the latest; None while we stay.

        A program that holds an end which the other side lacks waits for him to come back from a crash.
        """
        if self.phase is not Phase.CLOSING:
            return None
        game, player = self.game, self.player
        patient = bool(player.games) or player.habits.bot is not None
        lacking = game is not None and game.verdict.final and not self.channel.settled
        return self._close_at + (RETURN_WAIT_S if patient and lacking and not self.peer_left else 0.0)

    def let_go(self, *, for_good: bool = True) -> None:
        """Let go of the game before this one, which a new process could come back to by now."""
        if self.earlier is not None:
            self.earlier.close(for_good=for_good)
            self.earlier = None

    def enter(self, phase: Phase) -> None:
        """Go on to a phase; from closing there is only one way."""
        if self.phase is not Phase.CLOSED and (self.phase is not Phase.CLOSING or phase is Phase.CLOSED):
            self.phase = phase

    def hear_goodbye(self, now: float) -> None:
        """The other side leaves."""
        self.peer_left, self.left_at = True, now

    def end_badly(self, sentence: str, now: float) -> None:
        """Leave because of something that no honest program sends."""
        self.world.show(Trouble("malformed", sentence))
        self.close(now, Exit.CHEATED)

    def close(self, now: float, code: Exit) -> None:
        """Say goodbye, and leave with this exit code."""
        if self.leaving:
            return
        self.exit = code
        self.enter(Phase.CLOSING)
        self._close_at = now + CLOSE_WAIT_S
        self.channel.post(PostKind.BYE, b"", now)

    def depart(self) -> None:
        """Go without a word: the game may be gone on with another time."""
        self.exit = Exit.NOT_FINISHED
        self.enter(Phase.CLOSED)

    def shut(self, now: float) -> None:
        """Close for good if the other side has everything and has said goodbye, or will not any more."""
        done = self.channel.settled and self.peer_left
        close_at = self.close_at
        if close_at is not None and (done or now >= close_at or self.channel.last_heard is None):
            self.enter(Phase.CLOSED)
