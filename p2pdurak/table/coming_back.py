"""Sitting down again to a game that a dead process of ours has left.

It owns the way from what is kept on the disk to a game that goes on; it reads no file, and signs nothing.
"""

from __future__ import annotations

from typing import Final

from fairdeck.channel import PeerSynced, head_hash
from fairdeck.errors import LocalError, Malformed
from fairdeck.referee import Referee, follow, new_referee
from fairdeck.seating import Kept
from fairdeck.wire import ZEROS, Start0, Start1, decode_note, decode_record
from p2pdurak.codes import safety_words
from p2pdurak.durak import DURAK
from p2pdurak.events import Knock, Peer, Trouble, Waiting
from p2pdurak.rules.actions import Action
from p2pdurak.rules.cards import Card
from p2pdurak.rules.state import Seat, State
from p2pdurak.rules.view import View
from p2pdurak.safe_text import clean_name
from p2pdurak.table.agreement import propose
from p2pdurak.table.chair import PostKind
from p2pdurak.table.clock import Thoughts
from p2pdurak.table.kept_game import Comeback
from p2pdurak.table.new_game import Place, new_game
from p2pdurak.table.players import Exit
from p2pdurak.table.sitting import Phase, Sitting
from p2pdurak.table.telling import Before

BACK: Final = "You are back, and nothing of the game is lost. It goes on as soon as your friend is heard."
LATER_GAME: Final = (
    "Your friend plays a later game of this match with you already: what you have here is an older copy of your games. "
    "This one ended there, and cannot be gone on with."
)
OTHER_COURSE: Final = (
    "Your friend holds another course of this game than you. If your games were copied, another program plays as you: "
    "go on there. Nothing more is signed here."
)
NOT_OURS: Final = "This game was played under another key than yours."


def sit_again(sitting: Sitting, back: Comeback, thoughts: Thoughts) -> None:
    """Take our place in the game again. The channel has its chain then, and is not connected yet.

    Raises:
        LocalError: what is kept is not of one game, not ours, or damaged.
    """
    at, kept = sitting, back.kept
    at.options, at.match, at.link, at.former = kept.options, kept.match, kept.link, kept.former
    at.peer_key, at.peer_name = kept.peer_key, kept.peer_name
    _meet(at, back.records)
    place = Place(kept.number, at.link, at.peer_key, at.peer_name)
    proposal = None if at.player.seat else propose(kept.options, at.match, at.world.today(), at.world.suite)
    saved = Kept(back.secrets.entropy, back.secrets.nonce, back.records, back.notes)
    at.game = new_game(at, thoughts, place, proposal, saved)
    at.channel.open_game(place.number)
    at.game.begin_again(kept.options, back.log)
    knocks = at.player.confirm and kept.number == 1 and len(back.records) == 2
    at.enter(Phase.KNOCKED if knocks else Phase.PLAYING)


def _meet(at: Sitting, records: tuple[bytes, ...]) -> None:
    """Learn again who sits on the other side, and see that we are who we were."""
    for data in records[:2]:
        body = decode_record(data).body
        if not isinstance(body, Start0 | Start1):
            continue
        if isinstance(body, Start1) == (at.player.seat == 1):
            if body.vk != at.player.key.public:
                raise LocalError(NOT_OURS)
        else:
            at.peer_key, at.peer_name = body.vk, clean_name(body.name)


def tell_story(sitting: Sitting, now: float) -> None:
    """Tell the player what he knew before his program died, and the other side that we want to play this game."""
    at, game = sitting, sitting.game
    if game is None:
        return
    if at.peer_key is not None:
        at.world.show(Peer(at.peer_name, at.peer_key.hex(), safety_words(at.channel.safety)))
    referee: Referee[State, Action] = new_referee(DURAK, at.world.suites)
    for data in game.session.records:
        before = Before(referee, () if referee.deck is None else game.session.holder.cards(referee.deck))
        followed = follow(referee, data, verify=False)  # the session has verified it just now
        referee = followed.referee
        hidden = () if referee.deck is None else game.session.holder.cards(referee.deck)
        view = None if referee.state is None else _view(game.seat, referee.state, hidden)
        game.tell_story(followed, before, view, hidden)
    at.world.show(Waiting(BACK))
    if at.phase is Phase.KNOCKED:
        at.world.show(Knock(at.peer_name, safety_words(at.channel.safety)))
    if at.player.seat == 0 and game.number > 1 and len(game.session.records) <= 1:
        at.channel.post(PostKind.AGAIN, at.link, now)  # our wish may have died with the process that had it


def hear_sync(sitting: Sitting, sync: PeerSynced, now: float) -> None:
    """See that the other side, who begins anew and may be a new process, is in the same game and the same course of it.

    A copy of our folder that was played on elsewhere is found out here, before we sign anything more.
    """
    at, game = sitting, sitting.game
    if game is None or at.phase is not Phase.PLAYING or game.ended:
        return
    records = game.session.records
    if sync.game > game.number:
        at.world.show(Trouble("lost", LATER_GAME))
        at.close(now, Exit.NOT_FINISHED)
    elif sync.game == game.number and 0 < sync.next <= len(records) and sync.head != head_hash(records[: sync.next]):
        if decode_record(records[sync.next - 1]).seat != game.seat:
            return  # he has signed his twice, and it is for him to stop
        at.world.show(Trouble("copied", OTHER_COURSE))
        at.depart()


def is_former(sitting: Sitting, note: bytes) -> bool:
    """Whether a note is about the game before this one: after a crash it may be told when nobody needs it any more."""
    try:
        return sitting.former != ZEROS and decode_note(note).sid == sitting.former
    except Malformed:
        return False


def _view(seat: Seat, state: State, hidden: tuple[int, ...]) -> View:
    return View(seat, state, tuple(sorted((*state.hands[seat].known, *map(Card, hidden)))))
