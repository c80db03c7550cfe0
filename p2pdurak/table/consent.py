"""How a game begins: the host proposes, the guest looks and answers, and either may shut the door.

It owns proposal, introduction and consent, before any card is shuffled; it plays nothing.
"""

from __future__ import annotations

from typing import Final

from fairdeck.referee import Owed
from fairdeck.seating import Proposal
from fairdeck.wire import Kind, Start0, Start1
from p2pdurak.codes import safety_words
from p2pdurak.events import Knock, Offer, Peer, Refused, Trouble, Waiting
from p2pdurak.rules.options import option_pairs
from p2pdurak.safe_text import clean, clean_name
from p2pdurak.table.agreement import Differs, Fits, Strange, consider, propose
from p2pdurak.table.chair import PostKind
from p2pdurak.table.clock import Thoughts
from p2pdurak.table.new_game import Place, new_game
from p2pdurak.table.players import Exit
from p2pdurak.table.sitting import Phase, Sitting

REFUSAL_CELLS_MAX: Final = 600
"""All options with both values fit."""

NOT_LET_IN: Final = "Your friend did not let you in. Ask him which safety words he sees, and for a fresh code."


class Consent:
    """What both sides say before each game of a match.

    Attributes:
        thoughts: how long this player takes, over the whole match.
    """

    def __init__(self, sitting: Sitting) -> None:
        """Begin the games of this sitting."""
        self._at = sitting
        self.thoughts = Thoughts(sitting.world.random)

    def open_game(self, now: float) -> None:
        """Sit down to the next game; a host proposes its options at once."""
        at = self._at
        place = Place(at.match.games + 1, at.link, at.peer_key, at.peer_name)
        if at.game is not None:
            at.former = at.game.session.referee.sid
            at.earlier = at.game
        at.game = new_game(at, self.thoughts, place, self._proposal())
        at.channel.open_game(place.number)
        at.enter(Phase.MEETING)
        if at.player.seat == 0 and at.options is not None:
            if place.number == 1:
                at.world.show(Waiting("Somebody with the code is here and looks at the rules."))
            at.game.begin(at.options, now)
            at.let_go()
            at.enter(Phase.PLAYING)

    def _proposal(self) -> Proposal | None:
        at = self._at
        if at.player.seat != 0 or at.options is None:
            return None
        return propose(at.options, at.match, at.world.today(), at.world.suite)

    def propose(self, start: Start0, now: float) -> None:
        """The guest looks at the host's proposal before anything of it is kept."""
        at = self._at
        self._met(start)
        match consider(start, at.options, at.match, at.player):
            case Fits(options, ask):
                at.options = options
                at.world.show(Offer(option_pairs(options), ask=ask))
                at.enter(Phase.OFFERED)
                if not ask:
                    self.accept(now)
            case Differs() as differs:
                at.channel.post(PostKind.REFUSE, str(differs).encode("utf-8"), now)
                sentence = f"You insist on other rules than your friend proposes. {differs}."
                at.world.show(Trouble("options", sentence))
                at.close(now, Exit.REFUSED)
            case Strange():
                at.end_badly("The host proposed a game that does not follow from this match.", now)

    def answer(self, start: Start1, now: float) -> None:
        """The guest has accepted and said who he is; a host who wants to be asked decides whether he gets in."""
        at = self._at
        first = at.peer_key is None
        self._met(start)
        if first and at.player.confirm:
            at.enter(Phase.KNOCKED)
            at.world.show(Knock(at.peer_name, safety_words(at.channel.safety)))
        elif at.game is not None:
            at.game.go_on(now)

    def _met(self, start: Start0 | Start1) -> None:
        at = self._at
        first = at.peer_key is None
        at.peer_key, at.peer_name = start.vk, clean_name(start.name)
        if at.game is not None:
            names = [at.player.name, at.player.name]
            names[1 - at.player.seat] = at.peer_name
            at.game.names = (names[0], names[1])
        if first:
            at.world.show(Peer(at.peer_name, start.vk.hex(), safety_words(at.channel.safety)))

    def accept(self, now: float) -> None:
        """The player agrees: to the offered options, or to whom he has let knock."""
        at = self._at
        if at.phase is Phase.OFFERED and at.game is not None and at.options is not None:
            at.enter(Phase.PLAYING)
            at.game.begin(at.options, now)
            at.let_go()
        elif at.phase is Phase.KNOCKED and at.game is not None:
            at.enter(Phase.PLAYING)
            at.game.go_on(now)
        else:
            at.world.show(Refused("accept", "There is nothing to accept."))

    def decline(self, now: float) -> None:
        """The player does not agree: there is no game."""
        at = self._at
        match at.phase:
            case Phase.OFFERED:
                sentence = "You did not accept these rules, so there is no game."
            case Phase.KNOCKED:
                sentence = "You did not let your friend in, so there is no game."
            case _:
                at.world.show(Refused("decline", "There is nothing to decline."))
                return
        at.channel.post(PostKind.REFUSE, b"", now)
        at.world.show(Waiting(sentence))
        at.close(now, Exit.REFUSED)

    def refused(self, body: bytes, now: float) -> None:
        """The other side refuses: only while his answer is awaited, for later that would be a way out of a game."""
        at = self._at
        if at.phase is not Phase.PLAYING or at.game is None:
            return
        owed = at.game.session.referee.owed
        if at.player.seat == 0 and owed == Owed(1, Kind.START1):
            why = clean(body.decode("utf-8", "replace"), REFUSAL_CELLS_MAX)
            at.world.show(Trouble("options", f"Your friend does not accept these rules. {why}".strip()))
            at.close(now, Exit.REFUSED)
        elif at.player.seat == 1 and owed == Owed(0, Kind.SHUFFLE0) and at.match.games == 0:
            at.world.show(Trouble("refused", NOT_LET_IN))
            at.close(now, Exit.REFUSED)
