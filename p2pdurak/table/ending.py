"""How a finished game counts and what is told about it.

It owns the translation from chain, notes and trouble to a score and a result; it decides nothing about them.
"""

from __future__ import annotations

from typing import Final

from fairdeck.errors import Cheating, Desync, FairdeckError
from fairdeck.hand import Holder
from fairdeck.notes import End, opened_keys
from p2pdurak.events import Reason, Result
from p2pdurak.rules.cards import Card
from p2pdurak.rules.match import GameEnd, Match, next_opener
from p2pdurak.rules.state import Seat
from p2pdurak.table.one_game import OneGame
from p2pdurak.table.players import Exit

REASONS: Final = {
    End.CARDS: Reason.CARDS,
    End.RESIGN: Reason.RESIGN,
    End.CLAIMED: Reason.CLAIMED,
    End.LEFT: Reason.LEFT,
    End.DESYNC: Reason.DESYNC,
    End.RUNNING: Reason.LEFT,
}


def reason_of(game: OneGame) -> Reason:
    """Why the game ended: trouble behind an end by the rules or a resign changes nothing about that end."""
    if game.verdict.final:
        return REASONS[game.verdict.end]
    match game.trouble:
        case None if void_claim(game) is not None:
            return Reason.CLAIMED
        case None:
            return REASONS[game.verdict.end]
        case Cheating():
            return Reason.CHEAT
        case Desync():
            return Reason.DESYNC
        case _:
            return Reason.MALFORMED


def void_claim(game: OneGame) -> Seat | None:
    """Whose claim is void, because the step that he missed was already on its way."""
    return game.claimed_by if game.trouble is None and game.verdict.end is End.RUNNING else None


def game_end(game: OneGame) -> GameEnd:
    """How the game counts in its match."""
    verdict = game.verdict
    finished = verdict.final
    claimed = verdict.end is End.CLAIMED and game.trouble is None and not game.claimed_unfairly
    decided = finished or claimed
    return GameEnd(
        opener=game.opener,
        winner=verdict.winner if decided else None,
        durak=verdict.loser if decided else None,
        finished=finished,
        resigned=finished and verdict.end is End.RESIGN,
        claimed=claimed,
    )


def exit_of(game: OneGame) -> Exit:
    """An end by the rules or a resign counts, whatever the other side sends behind it; a proven cheat is told."""
    if isinstance(game.trouble, Cheating):
        return Exit.CHEATED
    if game.verdict.final:
        return Exit.FINISHED
    if game.trouble is not None and not isinstance(game.trouble, Desync):
        return Exit.CHEATED
    return Exit.NOT_FINISHED


def result_of(game: OneGame, match: Match, *, verified: bool, more: bool) -> Result:
    """What the player is told; `match` already counts this game."""
    ended = game_end(game)
    return Result(
        outcome=_outcome(ended, game.seat),
        durak=ended.durak if ended.finished else None,
        reason=reason_of(game),
        names=game.names,
        seat=game.seat,
        log="" if game.log is None else str(game.log.path),
        head=game.session.referee.head.hex(),
        verified=verified,
        hands=(_left(game, 0), _left(game, 1)),
        score=(*match.score, match.draws),
        more=more,
        by=_by(game),
        next_opener=None if game.options is None else next_opener(game.options, match),
    )


def _left(game: OneGame, seat: Seat) -> tuple[Card, ...] | None:
    """The hand at the end of one seat; None where hidden cards were never shown."""
    session = game.session
    state, deck = session.state, session.referee.deck
    if state is None or deck is None:
        return None
    known, hidden = state.hands[seat].known, state.hands[seat].hidden
    key = session.x if seat == game.seat else opened_keys(session.notes)[seat]
    if hidden == 0:
        return known
    if key is None or len(deck.hands[seat]) != hidden:
        return None
    cards = Holder(seat, key, bytes).cards(deck)
    return tuple(sorted((*known, *map(Card, cards))))


def _by(game: OneGame) -> Seat | None:
    """Who left, claimed or cheated, where that ended the game."""
    verdict = game.verdict
    match game.trouble:
        case Cheating(accused=accused) if not verdict.final:
            return accused
        case FairdeckError() if not verdict.final:
            return None
        case _:
            pass
    if verdict.note is not None:
        return verdict.note.seat
    if verdict.end is not End.RUNNING:
        return None
    return 1 - game.seat if game.claimed_by is None else game.claimed_by  # without a word he said goodbye


def _outcome(ended: GameEnd, seat: int) -> str:
    if not ended.finished and not ended.claimed:
        return "none"
    if ended.winner is None:
        return "draw"
    return "win" if ended.winner == seat else "loss"
