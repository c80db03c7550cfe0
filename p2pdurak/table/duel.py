"""A match between two seated players: game after game over one sealed channel.

It owns what happens while a game goes on: packets, moves, chat, the state of the line. How a game begins is `consent`,
how it is broken off `parting`, what follows it `between`. It knows no transport and no screen: packets, seconds and
commands come in, packets and events go out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from fairdeck.channel import Channel, ChannelEvent, Opened, PeerSynced, PostArrived, RecordArrived
from fairdeck.errors import LocalError, Malformed
from fairdeck.game import IllegalAction
from fairdeck.log import Tag
from fairdeck.wire import Start0, Start1
from p2pdurak.events import Accept, Claim, Command, Decline, Leave, Play, Refused, Rematch, Resign, Say, Trouble
from p2pdurak.rules.actions import Action
from p2pdurak.rules.match import Match
from p2pdurak.rules.view import View
from p2pdurak.table.between import Between
from p2pdurak.table.chair import PostKind
from p2pdurak.table.chat import Chat
from p2pdurak.table.coming_back import hear_sync, is_former, sit_again, tell_story
from p2pdurak.table.consent import Consent
from p2pdurak.table.ending import exit_of
from p2pdurak.table.kept_game import Comeback
from p2pdurak.table.line_watch import LineWatch
from p2pdurak.table.one_game import OneGame
from p2pdurak.table.parting import NOT_YET, Parting
from p2pdurak.table.players import Exit, Player, World
from p2pdurak.table.sitting import BETWEEN, LAST_RECORD_S, UNFINISHED, Phase, Sitting

MEET_WAIT_S: Final = 30.0
"""How long a friend who has shown the right code may take to open the channel."""

UNDEALT_SILENCE_S: Final = 30.0
"""How long a host waits for a friend who falls silent before the first deal: there is no game yet to come back to."""

NOT_HEARD: Final = f"Your friend was not heard for {UNDEALT_SILENCE_S:.0f} s before the deal, so there is no game."


class Duel:
    """The match of one player. Feed it packets, commands and time; ask `packets` and `next_deadline`."""

    def __init__(self, player: Player, secret: bytes, world: World, back: Comeback | None = None) -> None:
        """Sit down over a secret that both sides share.

        Args:
            player: who plays, and how.
            secret: 32 bytes from the meeting.
            world: store, listener, randomness.
            back: the game that a dead process of ours has left; None: we come for the first time.

        Raises:
            LocalError: nothing can go on from what is left.
        """
        self.channel = Channel(secret, player.seat, world.rng)
        self.sitting = Sitting(player, world, self.channel, secret, player.options)
        self._consent = Consent(self.sitting)
        self._between = Between(self.sitting, self._open_game, self._settle)
        self._meet_by = math.inf
        friends, returning = player.friends_broker, back is not None
        self._line = LineWatch(self.channel, 1 - player.seat, world.show, friends, returning=returning)
        self._parting = Parting(self.sitting, self._line, self._between)
        self._chat = Chat(self.channel, player.seat, world.show)
        self._story_due = returning
        if back is not None:
            sit_again(self.sitting, back, self._consent.thoughts)
            self._between.begin()

    # What the driver asks.

    @property
    def phase(self) -> Phase:
        """Where the match stands."""
        return self.sitting.phase

    @property
    def exit(self) -> Exit:
        """How the match ends for the program, as far as is known."""
        return self.sitting.exit

    @property
    def match(self) -> Match:
        """The games so far."""
        return self.sitting.match

    @property
    def game(self) -> OneGame | None:
        """The game that goes on, or was played last."""
        return self.sitting.game

    @property
    def player(self) -> Player:
        """Who sits here."""
        return self.sitting.player

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
    def knocked(self) -> bool:
        """Whether somebody waits to be let in."""
        return self.phase is Phase.KNOCKED

    @property
    def met(self) -> bool:
        """Whether the other side has been heard in the channel: then he knows that he was let in."""
        return self.game is not None

    @property
    def resting(self) -> bool:
        """Whether no game is going on that leaving would break off."""
        return self.phase is Phase.RESTING or self.sitting.leaving

    @property
    def asks(self) -> bool:
        """Whether a move of the player is awaited, or his word about another game."""
        playing = self.phase is Phase.PLAYING and self.game is not None and self.game.asks
        return playing or (self.phase is Phase.RESTING and not self.player.games)

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
        close_at = self.sitting.close_at
        times = [self.channel.next_deadline(), self._line.due if close_at is None else close_at]
        if self.game is not None and self.phase is Phase.PLAYING:
            times.append(self.game.next_deadline())
        if self.game is None:
            times.append(self._meet_by)
        if self.sitting.peer_left and self.phase is Phase.PLAYING:
            times.append(self.sitting.left_at + LAST_RECORD_S)
        return min((time for time in times if time is not None), default=None)

    # What happens.

    def close(self) -> None:
        """Let go of the files of the last game. Until then a late game key of the other side is still saved.

        Whoever is not told to leave comes back, and whoever holds an end that the other side may lack.
        """
        game = self.game
        self.sitting.let_go(for_good=self.sitting.leaving)
        if game is not None:
            lacking = game.verdict.final and not self.channel.settled
            open_end = lacking if game.ended else not game.session.reconciled
            game.close(for_good=self.sitting.leaving and not open_end)

    def up(self, now: float) -> None:
        """The transport is connected, for the first time or again."""
        self._line.own_back(now)
        self._meet_by = now + MEET_WAIT_S
        self.channel.connect(now)
        if self._story_due:
            self._story_due, self._parting.record_at = False, now
            tell_story(self.sitting, now)
            self._go_on(now)

    def _go_on(self, now: float) -> None:
        """Do what needs no decision, unless the player is to decide first who gets in."""
        if self.game is not None and not self.knocked:
            self.game.go_on(now)
            self._settle(now)

    def down(self, attempt: int) -> None:
        """Our own link to the broker is gone."""
        self._line.own_down(attempt)

    def receive(self, payload: bytes, now: float) -> None:
        """Take in one packet from our inbox."""
        self._line.notice_sleep(self.next_deadline(), now)
        try:
            events = self.channel.receive(payload, now)
        except Malformed as error:
            events = []
            if self.game is not None and self.phase in {Phase.PLAYING, Phase.JUDGING, Phase.RESTING}:
                self.game.fail(error, Tag.RECORD, b"")
            else:
                self.sitting.end_badly(str(error), now)
        for event in events:
            if not self.sitting.leaving or isinstance(event, PostArrived | PeerSynced):
                self._take(event, now)
        self._reconcile(now)
        self._settle(now)

    def _reconcile(self, now: float) -> None:
        """After a crash of ours: sign again as soon as it is sure what the other side holds, and we have it."""
        game = self.game
        if game is not None and self.channel.peer_moved_on and game.reconcile(self.channel.peer_next, now):
            self._go_on(now)

    def tick(self, now: float) -> None:
        """Let time pass."""
        self._line.notice_sleep(self.next_deadline(), now)
        self._between.now = now
        self.channel.tick(now)
        if self.channel.settled:
            self._chat.settled()
        if self.game is not None and self.phase is Phase.PLAYING:
            self.game.tick(now)
        self._settle(now)
        if not self.sitting.leaving:
            self._line.look(self._parting.owing, now)
            if not (self._line.peer_up and self.channel.settled):
                self._between.unsteady(now)
            if self.player.habits.bot is not None:
                self._parting.stop_waiting(now)
                self._settle(now)
            if self._guest_is_lost(now):
                self.sitting.world.show(Trouble("left", NOT_HEARD))
                self.sitting.close(now, Exit.NOT_FINISHED)

    def _guest_is_lost(self, now: float) -> bool:
        """Whether a host waits for a guest who has gone without a word, and no card was dealt."""
        at, game = self.sitting, self.game
        # A guest who has answered has it on his disk, and may come back.
        answered = at.phase is Phase.PLAYING and game is not None and len(game.session.records) > 1
        undealt = at.player.seat == 0 and at.match.games == 0 and self.view is None and at.phase in UNFINISHED
        return undealt and not answered and self._line.gone(now, UNDEALT_SILENCE_S)

    def command(self, command: Command, now: float) -> None:
        """Do what the player asks, or refuse it with a sentence."""
        self._line.notice_sleep(self.next_deadline(), now)
        match command:
            case Play(action):
                self._play(action, now)
            case Say(text):
                self._chat.say(text, self.sitting.peer_name, now)
            case Resign():
                self._parting.resign(now)
            case Claim():
                self._parting.claim(now)
            case Rematch():
                self._between.want_again(now)
            case Leave():
                self._parting.leave(now)
            case Accept():
                self._accept(now)
            case Decline():
                self._consent.decline(now)
        self._settle(now)

    def _accept(self, now: float) -> None:
        if self.knocked:
            self._parting.record_at = now  # the deal begins here, however long the player has thought
        self._consent.accept(now)

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
            case PeerSynced() as sync:
                if self.game is not None and self.game.number == sync.game:
                    self.game.tell_notes_again(now)
                hear_sync(self.sitting, sync, now)
                self._between.hear_sync(sync.game, now)

    def _open_game(self, now: float) -> None:
        self._between.begin()
        self._consent.open_game(now)
        self._parting.record_at = now

    def _take_record(self, record: bytes, now: float) -> None:
        game = self.game
        if game is None or self.phase is Phase.OFFERED or self.sitting.leaving:
            return
        self._parting.record_at = now
        followed = game.take_record(record, now)
        if followed is None:
            return
        match followed.record.body:
            case Start0() as start if followed.record.seat != game.seat:
                self._consent.propose(start, now)
            case Start1() as start if followed.record.seat != game.seat:
                self._consent.answer(start, now)
            case _:
                game.go_on(now)

    def _take_post(self, kind: int, body: bytes, now: float) -> None:
        match kind:
            case PostKind.NOTE:
                if self.game is not None and self.game.log is not None and not is_former(self.sitting, body):
                    self.game.take_note(body, now)
            case PostKind.CHAT:
                self._chat.hear(body, now)
            case PostKind.REFUSE:
                self._consent.refused(body, now)
            case PostKind.AGAIN:
                self._between.hear_wish(body, now)
            case PostKind.BYE:
                self.sitting.hear_goodbye(now)
            case _:
                # A newer program may say more; what we do not know changes nothing here.
                pass

    # A game goes on.

    def _play(self, action: Action, now: float) -> None:
        game = self.game
        if game is None or self.phase is not Phase.PLAYING or game.ended:
            self._refuse("play", "There is no game in which to play that.")
            return
        if not game.session.reconciled:
            self._refuse("play", NOT_YET)
            return
        try:
            game.play(action, now)
        except (LocalError, IllegalAction) as error:
            self._refuse("play", str(error))

    def _refuse(self, word: str, sentence: str) -> None:
        self.sitting.world.show(Refused(word, sentence))

    # A game ends.

    def _settle(self, now: float) -> None:
        """Notice what the last event has brought to its end."""
        at, game = self.sitting, self.game
        if game is not None and at.phase is Phase.PLAYING and game.ended:
            game.go_on(now)
            if game.complete(now) or at.peer_left:
                self._between.judge(game, now)
        if at.phase in BETWEEN and game is not None and game.trouble is not None:
            at.close(now, exit_of(game))
        if at.phase is Phase.RESTING:
            self._between.rest(now)
        if at.phase is Phase.MEETING and game is None and now >= self._meet_by:
            at.world.show(Trouble("left", "Your friend had the right code and then did not come to the table."))
            at.close(now, Exit.NOT_FINISHED)
        if at.peer_left and at.phase in UNFINISHED:
            self._between.left_alone(now)
        at.shut(now)
