"""A match between two seated players: game after game over one sealed channel.

It owns what happens around a game: proposal and consent, chat, the state of the line, claims, the result, the rematch.
It knows no transport and no screen: packets, seconds and commands come in, packets and events go out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum
from typing import Final

from fairdeck.audit import Finding, audit
from fairdeck.channel import Channel, ChannelEvent, Opened, PeerSynced, PostArrived, RecordArrived
from fairdeck.errors import LocalError, Malformed
from fairdeck.game import IllegalAction
from fairdeck.log import Tag
from fairdeck.notes import End
from fairdeck.referee import Owed, Stage
from fairdeck.session import Proposal
from fairdeck.wire import ZEROS, Kind, NoteKind, Start0, Start1
from p2pdurak.codes import safety_words
from p2pdurak.durak import DURAK
from p2pdurak.events import (
    Accept,
    Claim,
    Command,
    Decline,
    Leave,
    Offer,
    Peer,
    Play,
    Refused,
    Rematch,
    Resign,
    Say,
    Trouble,
    Waiting,
)
from p2pdurak.rules.actions import Action
from p2pdurak.rules.match import Match
from p2pdurak.rules.options import option_pairs
from p2pdurak.rules.view import View
from p2pdurak.safe_text import clean, clean_name
from p2pdurak.store import read_log
from p2pdurak.table.agreement import Differs, Fits, Strange, consider, propose
from p2pdurak.table.chat import Chat
from p2pdurak.table.clock import Thoughts
from p2pdurak.table.ending import exit_of, game_end, result_of
from p2pdurak.table.line_watch import LineWatch, Owing
from p2pdurak.table.new_game import Place, new_game
from p2pdurak.table.one_game import OneGame, PostKind
from p2pdurak.table.players import Exit, Player, World
from p2pdurak.table.rematch import Rematch as Again
from p2pdurak.table.rematch import Step

CLOSE_WAIT_S: Final = 4.0
"""How long a leaving side waits for the other to have everything."""

MEET_WAIT_S: Final = 30.0
"""How long a friend who has shown the right code may take to open the channel."""

LAST_RECORD_S: Final = CLOSE_WAIT_S + 1.0
"""How long records of a side that has left may still arrive: it repeats them until it closes."""

REFUSAL_CELLS_MAX: Final = 600
"""All options with both values fit."""

UNDEALT_TIMER_S: Final = 25
"""What a step of the deal may take before it counts as stalling; a program makes it in a tenth of a second."""

SETTLE_S: Final = 120.0
"""How long a program waits for a record before the game counts; a person decides for himself."""


class Phase(Enum):
    """Where a match stands."""

    MEETING = "meeting"
    OFFERED = "offered"
    PLAYING = "playing"
    JUDGING = "judging"
    RESTING = "resting"
    CLOSING = "closing"
    CLOSED = "closed"


class Duel:
    """The match of one player. Feed it packets, commands and time; ask `packets` and `next_deadline`."""

    def __init__(self, player: Player, secret: bytes, world: World) -> None:
        """Sit down over a secret that both sides share.

        Args:
            player: who plays, and how.
            secret: 32 bytes from the meeting.
            world: store, listener, randomness.
        """
        self.player = player
        self.world = world
        self.channel = Channel(secret, player.seat, world.rng)
        self.phase = Phase.MEETING
        self.exit = Exit.NOT_FINISHED
        self.match = Match()
        self.game: OneGame | None = None
        self._thoughts = Thoughts(world.random)
        self._options = player.options
        self._peer_key: bytes | None = None
        self._peer_name = ""
        self._link = ZEROS
        self._before = self.match
        self._told = ZEROS
        self._rematch = Again()
        self._leaves = False
        self._peer_left = False
        self._left_at = 0.0
        self._meet_by = math.inf
        self._record_at = 0.0
        self._close_at = 0.0
        self._now = 0.0
        self._line = LineWatch(self.channel, 1 - player.seat, world.show)
        self._chat = Chat(self.channel, player.seat, world.show)

    # What the driver asks.

    @property
    def closed(self) -> bool:
        """Whether the match is over and nothing is left to send."""
        return self.phase is Phase.CLOSED

    @property
    def view(self) -> View | None:
        """The game as we see it, if one is dealt."""
        return None if self.game is None else self.game.view

    @property
    def offered(self) -> bool:
        """Whether an answer to the offered options is awaited."""
        return self.phase is Phase.OFFERED

    @property
    def met(self) -> bool:
        """Whether the other side has been heard in the channel: then he knows that he was let in."""
        return self.game is not None

    @property
    def resting(self) -> bool:
        """Whether no game is going on that leaving would break off."""
        return self.phase in {Phase.RESTING, Phase.CLOSING, Phase.CLOSED}

    @property
    def topics(self) -> Sequence[str]:
        """Where we listen."""
        return (self.channel.inbox,)

    def packets(self) -> list[tuple[str, bytes]]:
        """What is to be sent now: topic and payload."""
        return [(self.channel.outbox, packet) for packet in self.channel.packets_to_send()]

    def next_deadline(self) -> float | None:
        """When `tick` must be called at the latest."""
        # A leaving side looks at the line no more: a deadline that is never met would keep the driver awake.
        times = [self.channel.next_deadline(), self._close_at if self.phase is Phase.CLOSING else self._line.due]
        if self.game is not None and self.phase is Phase.PLAYING:
            times.append(self.game.next_deadline())
        if self.game is None:
            times.append(self._meet_by)
        if self._peer_left and self.phase is Phase.PLAYING:
            times.append(self._left_at + LAST_RECORD_S)
        return min((time for time in times if time is not None), default=None)

    # What happens.

    def close(self) -> None:
        """Let go of the files of the last game. Until then a late game key of the other side is still saved."""
        if self.game is not None:
            self.game.close()

    def up(self, now: float) -> None:
        """The transport is connected, for the first time or again."""
        self._line.own_back(now)
        self._meet_by = now + MEET_WAIT_S
        self.channel.connect(now)

    def down(self, attempt: int) -> None:
        """Our own link to the broker is gone."""
        self._line.own_down(attempt)

    def receive(self, payload: bytes, now: float) -> None:
        """Take in one packet from our inbox."""
        try:
            events = self.channel.receive(payload, now)
        except Malformed as error:
            events = []
            if self.game is not None and self.phase in {Phase.PLAYING, Phase.JUDGING, Phase.RESTING}:
                self.game.fail(error, Tag.RECORD, b"")
            else:
                self._end_badly(str(error), now)
        for event in events:
            if self.phase not in {Phase.CLOSING, Phase.CLOSED} or isinstance(event, PostArrived):
                self._take(event, now)
        self._settle(now)

    def tick(self, now: float) -> None:
        """Let time pass."""
        self._now = now
        self.channel.tick(now)
        if self.channel.settled:
            self._chat.settled()
        if self.game is not None and self.phase is Phase.PLAYING:
            self.game.tick(now)
        self._settle(now)
        if self.phase not in {Phase.CLOSING, Phase.CLOSED}:
            self._line.look(self._owing, now)
            if not (self._line.peer_up and self.channel.settled):
                self._rematch.steady_since = now
            if self.player.habits.bot is not None:
                self._stop_waiting(now)

    def _stop_waiting(self, now: float) -> None:
        """A program has nobody to ask whether it should go on waiting for a friend who is gone or does nothing."""
        game = self.game
        undealt = self.view is None or self.phase is Phase.RESTING
        # Whoever reads the rules may take his time; what a program owes comes at once or not at all.
        dealing = game is not None and game.session.referee.stage in {Stage.SHUFFLE0, Stage.SHUFFLE1}
        stuck = dealing and now >= self._record_at + SETTLE_S
        if self._line.claimable:
            self.command(Claim(), now)
        elif stuck or (undealt and self._line.gone(now)):
            self.command(Leave(), now)

    def command(self, command: Command, now: float) -> None:
        """Do what the player asks, or refuse it with a sentence."""
        match command:
            case Play(action):
                self._play(action, now)
            case Say(text):
                self._chat.say(text, self._peer_name, now)
            case Resign():
                self._give_up(NoteKind.RESIGN, "resign", now)
            case Claim():
                self._claim(now)
            case Rematch():
                self._want_again(now)
            case Leave():
                self._leave(now)
            case Accept():
                self._accept(now)
            case Decline():
                self._decline(now)
        self._settle(now)

    # The line.

    def _take(self, event: ChannelEvent, now: float) -> None:
        match event:
            case Opened():
                if self.phase is Phase.MEETING and self.game is None:
                    self._open_game(now)
            case RecordArrived(_, record):
                self._take_record(record, now)
            case PostArrived(kind, body):
                self._take_post(kind, body, now)
            case PeerSynced():
                pass

    def _take_post(self, kind: int, body: bytes, now: float) -> None:
        match kind:
            case PostKind.NOTE:
                if self.game is not None and self.game.log is not None:
                    self.game.take_note(body, now)
            case PostKind.CHAT:
                self._chat.hear(body, now)
            case PostKind.REFUSE:
                self._refused(body, now)
            case PostKind.AGAIN:
                if self._rematch.hear(body, now):
                    self._tell_wish()
            case PostKind.BYE:
                self._peer_left = True
                self._left_at = now
            case _:
                # A newer program may say more; what we do not know changes nothing here.
                pass

    @property
    def _owing(self) -> Owing | None:
        game = self.game
        if game is None or not game.peer_owes or self.phase is not Phase.PLAYING:
            return None
        # Before the deal there is no move timer, but who holds back what he owes then can be given up too.
        timer_s = game.timer_s if game.view is not None else UNDEALT_TIMER_S
        return Owing(len(game.session.records), timer_s)

    # A game begins.

    def _open_game(self, now: float) -> None:
        place = Place(self.match.games + 1, self._link, self._peer_key, self._peer_name)
        self.close()
        self.game = new_game(self.player, self.world, self.channel, self._thoughts, place, self._proposal())
        self._rematch.begin()
        self._before, self._told = self.match, ZEROS
        self.channel.open_game(place.number)
        self._enter(Phase.MEETING)
        self._record_at = now
        if self.player.seat == 0 and self._options is not None:
            if place.number == 1:
                self.world.show(Waiting("Somebody with the code is here and looks at the rules."))
            self.game.begin(self._options, now)
            self._enter(Phase.PLAYING)

    def _proposal(self) -> Proposal | None:
        if self.player.seat != 0 or self._options is None:
            return None
        return propose(self._options, self.match, self.world.today(), self.world.suite)

    def _take_record(self, record: bytes, now: float) -> None:
        game = self.game
        if game is None or self.phase in {Phase.OFFERED, Phase.CLOSING, Phase.CLOSED}:
            return
        self._record_at = now
        followed = game.take_record(record, now)
        if followed is None:
            return
        match followed.record.body:
            case Start0() as start:
                self._offered(start, now)
            case Start1() as start:
                self._met(start.name, start.vk)
                game.go_on(now)
            case _:
                game.go_on(now)

    def _offered(self, start: Start0, now: float) -> None:
        """The guest looks at the host's proposal before anything of it is kept."""
        self._met(start.name, start.vk)
        match consider(start, self._options, self.match, self.player):
            case Fits(options, ask):
                self._options = options
                self.world.show(Offer(option_pairs(options), ask=ask))
                self._enter(Phase.OFFERED)
                if not ask:
                    self._accept(now)
            case Differs() as differs:
                self.channel.post(PostKind.REFUSE, str(differs).encode("utf-8"), now)
                sentence = f"You insist on other rules than {self._peer_name} proposes. {differs}."
                self.world.show(Trouble("options", sentence))
                self._close(now, Exit.REFUSED)
            case Strange():
                self._end_badly("The host proposed a game that does not follow from this match.", now)

    def _met(self, name: str, key: bytes) -> None:
        first = self._peer_key is None
        self._peer_key, self._peer_name = key, clean_name(name)
        if self.game is not None:
            names = [self.player.name, self.player.name]
            names[1 - self.player.seat] = self._peer_name
            self.game.names = (names[0], names[1])
        if first:
            self.world.show(Peer(self._peer_name, key.hex(), safety_words(self.channel.safety)))

    def _accept(self, now: float) -> None:
        if self.phase is not Phase.OFFERED or self.game is None or self._options is None:
            self.world.show(Refused("accept", "There is nothing to accept."))
            return
        self._enter(Phase.PLAYING)
        self.game.begin(self._options, now)

    def _decline(self, now: float) -> None:
        if self.phase is not Phase.OFFERED:
            self.world.show(Refused("decline", "There is nothing to decline."))
            return
        self.channel.post(PostKind.REFUSE, b"", now)
        self.world.show(Waiting("You did not accept these rules, so there is no game."))
        self._close(now, Exit.REFUSED)

    def _refused(self, body: bytes, now: float) -> None:
        """Only a guest may refuse, and only while he owes his answer: later that would be a way out of a game."""
        game = self.game
        asked = game is not None and game.session.referee.owed == Owed(1, Kind.START1)
        if self.player.seat != 0 or self.phase is not Phase.PLAYING or not asked:
            return
        why = clean(body.decode("utf-8", "replace"), REFUSAL_CELLS_MAX)
        sentence = f"Your friend does not accept these rules. {why}".strip()
        self.world.show(Trouble("options", sentence))
        self._close(now, Exit.REFUSED)

    # A game goes on.

    def _play(self, action: Action, now: float) -> None:
        game = self.game
        if game is None or self.phase is not Phase.PLAYING or game.ended:
            self.world.show(Refused("play", "There is no game in which to play that."))
            return
        try:
            game.play(action, now)
        except (LocalError, IllegalAction) as error:
            self.world.show(Refused("play", str(error)))

    def _give_up(self, kind: NoteKind, word: str, now: float) -> None:
        game = self.game
        if game is None or game.log is None or game.ended or not game.session.referee.counts:
            self.world.show(Refused(word, "There is no game to give up. To go away, type leave."))
            return
        game.note(kind, now)

    def _claim(self, now: float) -> None:
        owing = self._owing
        if owing is None or self.game is None:
            self.world.show(Refused("claim", "The win can be claimed only while the other side owes a step."))
        elif not self._line.own_up:
            self.world.show(Refused("claim", "Your own link is down; the win cannot be claimed."))
        elif (left := self._line.claim_in(owing, now)) > 0:
            self.world.show(
                Refused("claim", f"The win can be claimed in {round(left)} s, if nothing comes until then.")
            )
        else:
            self.game.note(NoteKind.CLAIM, now)

    # A game ends.

    def _settle(self, now: float) -> None:
        """Notice what the last event has brought to its end."""
        game = self.game
        if game is not None and self.phase is Phase.PLAYING and game.ended:
            game.go_on(now)
            if game.complete(now) or self._peer_left:
                self._judge(game, now)
        between = self.phase in {Phase.MEETING, Phase.OFFERED, Phase.RESTING}
        if between and game is not None and game.trouble is not None:
            self._close(now, exit_of(game))
        if self.phase is Phase.RESTING:
            self._rest(now)
        if self.phase is Phase.MEETING and game is None and now >= self._meet_by:
            self.world.show(Trouble("left", "Your friend had the right code and then did not come to the table."))
            self._close(now, Exit.NOT_FINISHED)
        if self._peer_left and self.phase in {Phase.MEETING, Phase.OFFERED, Phase.PLAYING}:
            self._left_alone(now)
        if self.phase is Phase.CLOSING and self._may_close(now):
            self._enter(Phase.CLOSED)

    def _judge(self, game: OneGame, now: float) -> None:
        """Check the saved log from its first byte, aside, and then show the result."""
        self._enter(Phase.JUDGING)
        log, judged = game.log, game.session.link
        if log is None:
            self._show_result(game, now, verified=False)
            return

        def judged_so(verified: bool) -> None:
            later = max(now, self._now)
            if game.session.link != judged and game.log is not None:
                self._judge(game, later)  # something came while we looked: the answer was about another end
            else:
                self._show_result(game, later, verified=verified)

        self.world.later(lambda: audit(read_log(log.path), DURAK, self.world.suites).finding is Finding.OK, judged_so)

    def _show_result(self, game: OneGame, now: float, *, verified: bool) -> None:
        self.match = self._before.add(game_end(game))
        self._told = game.session.link
        self.exit = exit_of(game) if verified or not game.verdict.final else Exit.CHEATED
        self._enter(Phase.RESTING)
        left = self._leaves or self._peer_left or game.verdict.end is End.LEFT
        more = game.trouble is None and not left and self._more_games
        self.world.show(result_of(game, self.match, verified=verified, more=more))
        if not more:
            self._close(now, self.exit)
        elif self.player.games:
            self._want_again(now)
        self._tell_wish()
        self._settle(now)

    @property
    def _more_games(self) -> bool:
        return not self.player.games or self.match.games < self.player.games

    def _want_again(self, now: float) -> None:
        if self.phase is not Phase.RESTING or self.game is None:
            self.world.show(Refused("rematch", "A rematch can be asked for when a game is over."))
            return
        self._rematch.wanted = True
        if not self.player.games and self._rematch.peer is None:
            self.world.show(Waiting(f"{self._peer_name} is asked for a rematch."))
        self._rest(now)

    def _tell_wish(self) -> None:
        """The other side may ask for a rematch before we have seen the result; it is told after that."""
        if self._rematch.only_he_wants and self.phase is Phase.RESTING and not self.player.games:
            self.world.show(Waiting(f"{self._peer_name} wants to play again."))

    def _rest(self, now: float) -> None:
        """Between games: begin the next one when both want it, leave when the other has.

        A record or a note may come late, made before our resign or claim reached its author. Then the end is looked at
        again, and the wish for a rematch is sent again, for it names the last game by its end.
        """
        game = self.game
        if game is None:
            return
        if game.session.link != self._told:
            self.world.show(Waiting(f"What {self._peer_name} did before the end has come late."))
            self._judge(game, now)
        elif self._peer_left:
            self.world.show(Waiting(f"{self._peer_name} has left the table."))
            self._close(now, self.exit)
        elif self._rematch.wanted:
            self._ask_again(game.session.link, now)

    def _ask_again(self, link: bytes, now: float) -> None:
        if self._rematch.to_say(link):
            self.channel.post(PostKind.AGAIN, link, now)
        match self._rematch.step(link, now):
            case Step.BEGIN:
                self._link = link
                self._open_game(now)
            case Step.DIFFERS:
                self.world.show(Trouble("desync", "Both sides remember the last game differently."))
                self._close(now, self.exit)
            case Step.WAIT:
                pass

    def _left_alone(self, now: float) -> None:
        """The other side has said goodbye in the middle of things; a last record of his may still be on its way."""
        game = self.game
        if game is None or game.view is None:
            self.world.show(Trouble("left", "Your friend has left before the cards were dealt."))
            self._close(now, Exit.NOT_FINISHED)
        elif not game.ended and now >= self._left_at + LAST_RECORD_S:
            self._judge(game, now)

    # Leaving.

    def _leave(self, now: float) -> None:
        """Leave with a note from the moment on when leaving counts; before that, and between games, with a goodbye."""
        game = self.game
        self._leaves = True
        if self.phase is Phase.PLAYING and game is not None and (game.ended or game.session.referee.counts):
            if not game.ended:
                game.note(NoteKind.LEAVE, now)
            self._judge(game, now)
        elif self.phase is not Phase.JUDGING:
            self._close(now, self.exit)

    def _enter(self, phase: Phase) -> None:
        """Go on to a phase; from closing there is only one way."""
        if self.phase is not Phase.CLOSED and (self.phase is not Phase.CLOSING or phase is Phase.CLOSED):
            self.phase = phase

    def _end_badly(self, sentence: str, now: float) -> None:
        self.world.show(Trouble("malformed", sentence))
        self._close(now, Exit.CHEATED)

    def _close(self, now: float, code: Exit) -> None:
        if self.phase in {Phase.CLOSING, Phase.CLOSED}:
            return
        self.exit = code
        self._enter(Phase.CLOSING)
        self._close_at = now + CLOSE_WAIT_S
        self.channel.post(PostKind.BYE, b"", now)

    def _may_close(self, now: float) -> bool:
        """Whether the other side has everything and has said goodbye, or will not any more."""
        done = self.channel.settled and self._peer_left
        return done or now >= self._close_at or self.channel.last_heard is None
