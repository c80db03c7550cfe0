"""A match: games in a row between the same two players, their score, and who opens the next.

It owns how a finished game counts; it does not know how a game ends, nor names. The host keeps seat 0 for the
whole match, so a seat stands for a player here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from p2pdurak.rules.options import AfterDraw, FirstAttacker, Options, RematchFirst
from p2pdurak.rules.state import Seat


class Opener(Enum):
    """How it is settled who attacks first in a game; the values stand in the first record of the game."""

    SEAT0 = 0
    SEAT1 = 1
    ASK = 2
    """By asking for the lowest trump."""
    COIN = 3
    """By a coin that both players toss together."""


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How one game ended.

    Attributes:
        opener: who in fact attacked first; None if it never came to that.
        winner: who won, by cards, by resignation, or by the claim of the one who stayed.
        durak: who lost; None like `winner` for a draw and for a game without a result.
        finished: there is a result by cards or by resignation.
        resigned: the durak resigned.
        claimed: the other player did not come back and the win was claimed.
    """

    opener: Seat | None
    winner: Seat | None
    durak: Seat | None
    finished: bool
    resigned: bool
    claimed: bool

    def __post_init__(self) -> None:
        decided = (self.winner, self.durak) in ((0, 1), (1, 0))
        if not decided and (self.winner, self.durak) != (None, None):
            raise ValueError("a game has one winner and one durak, or neither")
        if self.resigned and not (self.finished and decided):
            raise ValueError("a resigned game is finished and has a durak")
        if self.claimed and self.finished:
            raise ValueError("a claimed game is not finished")
        if self.finished and not decided and self.opener is None:
            raise ValueError("a drawn game had somebody who attacked first")
        if decided and not (self.finished or self.claimed):
            raise ValueError("a game without a result has no durak")


@dataclass(frozen=True, slots=True)
class Match:
    """The score so far. Resigned games count in `score` too; claimed and unfinished ones do not.

    Attributes:
        score: how often each seat was the durak.
        draws: drawn games.
        resigned: how many of the games in `score` were resigned.
        claimed: games whose win was claimed because the other player was gone.
        unfinished: games without any result.
        last: the game before the next one; None at the beginning.
    """

    score: tuple[int, int] = (0, 0)
    draws: int = 0
    resigned: int = 0
    claimed: int = 0
    unfinished: int = 0
    last: GameEnd | None = None

    @property
    def games(self) -> int:
        """How many games were begun and have ended in whatever way."""
        return sum(self.score) + self.draws + self.claimed + self.unfinished

    def add(self, end: GameEnd) -> Match:
        """The match after one more game."""
        after = replace(self, last=end)
        if end.claimed:
            return replace(after, claimed=self.claimed + 1)
        if not end.finished:
            return replace(after, unfinished=self.unfinished + 1)
        if end.durak is None:
            return replace(after, draws=self.draws + 1)
        host, guest = self.score
        score = (host + 1, guest) if end.durak == 0 else (host, guest + 1)
        return replace(after, score=score, resigned=self.resigned + end.resigned)


def next_opener(options: Options, match: Match) -> Opener:
    """How it is settled who attacks first in the next game of this match."""
    last = match.last
    if last is None or not last.finished:
        return _first_game(options)
    if options.rematch_first is RematchFirst.ALTERNATE:
        # A game that was resigned before anybody attacked leaves nothing to alternate with.
        return _first_game(options) if last.opener is None else Opener(1 - last.opener)
    if last.winner is not None:
        return Opener(last.winner)
    if last.opener is None:
        return _first_game(options)
    return Opener(last.opener if options.after_draw is AfterDraw.SAME else 1 - last.opener)


def _first_game(options: Options) -> Opener:
    match options.first_attacker:
        case FirstAttacker.LOWEST_TRUMP:
            return Opener.ASK
        case FirstAttacker.HOST:
            return Opener.SEAT0
        case FirstAttacker.COIN:
            return Opener.COIN
