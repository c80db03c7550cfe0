"""One game from one seat: session, log and move clock together, told as events.

It owns the order in which things become durable: a record is in the log before the channel may send it, and a peer's
record is in the log before the channel acknowledges it. It does not know how packets travel, nor any screen.
"""

from __future__ import annotations

from pathlib import Path

from fairdeck.errors import Cheating, Desync, FairdeckError, RemoteError
from fairdeck.log import Tag
from fairdeck.notes import End, Verdict, opened_keys
from fairdeck.referee import Followed
from fairdeck.session import Session
from fairdeck.wire import Kind, NoteKind
from p2pdurak.bots import Bot
from p2pdurak.events import Names, Trouble, Turn
from p2pdurak.rules.actions import Action, Attack, Done
from p2pdurak.rules.cards import Card
from p2pdurak.rules.options import Options
from p2pdurak.rules.state import Phase, Seat, State
from p2pdurak.rules.view import View
from p2pdurak.store import GameLog, Secrets
from p2pdurak.table.beside import Beside
from p2pdurak.table.chair import Chair
from p2pdurak.table.clock import SILENCE_CLAIM_S, AutoDone, Turning
from p2pdurak.table.last_word import OPEN_WAIT_S, claimed_by, has_all, opens
from p2pdurak.table.telling import Before, Teller

Cards = tuple[int, ...]
"""Our hidden cards, as the protocol numbers them."""


class OneGame:
    """A game in progress. The owner feeds it records, notes, commands and time, and asks `ended`."""

    def __init__(self, chair: Chair, session: Session[State, Action], names: Names, number: int) -> None:
        """Sit down to game `number` of the match.

        Args:
            chair: channel, log and listener.
            session: fresh, for our seat.
            names: as they are shown, by seat; the peer's is safe text or not known yet.
            number: from 1.
        """
        self.chair = chair
        self.session = session
        self.number = number
        self._teller = Teller(chair.show, session.seat, number, names)
        self.options: Options | None = None
        self.trouble: FairdeckError | None = None
        self.evidence: Path | None = None
        self.claimed_unfairly = False
        self._notes = Beside(chair, session)
        self._turn = Turning()
        self._ended_at: float | None = None
        self._asked_at = -1
        self._now = 0.0
        self._may_sign = session.reconciled

    # What the owner asks.

    @property
    def seat(self) -> Seat:
        """Our seat."""
        return self.session.seat

    @property
    def log(self) -> GameLog | None:
        """Where it is saved; None before our first record."""
        return self._notes.log

    @property
    def names(self) -> Names:
        """As they are shown, by seat."""
        return self._teller.names

    @names.setter
    def names(self, names: Names) -> None:
        self._teller.names = names

    @property
    def opener(self) -> Seat | None:
        """Who attacked first, once that is known."""
        return self._teller.opener

    @property
    def verdict(self) -> Verdict:
        """How the game stands by chain and notes."""
        return self.session.verdict

    @property
    def view(self) -> View | None:
        """The game as we see it; None before the deal."""
        state = self.session.state
        return None if state is None else view_of(self.session, state)

    @property
    def timer_s(self) -> int:
        """The agreed seconds a move; 0 for none."""
        return 0 if self.options is None else self.options.move_timer

    @property
    def peer_owes(self) -> bool:
        """Whether the other side owes the next step of a game that counts."""
        owed = self.session.referee.owed
        return self.session.referee.counts and not self.ended and owed is not None and owed.seat != self.seat

    @property
    def asks(self) -> bool:
        """Whether the player has been told to move; an automatic `done` comes without him."""
        return self._our_turn and self._turn.records == len(self.session.records) and self._turn.auto_done_at is None

    @property
    def ended(self) -> bool:
        """Whether there is an end, by the rules, by a note or by trouble.

        Whoever has claimed the win signs no more records: even if his claim is void, the game cannot go on.
        """
        return self.trouble is not None or self.verdict.end is not End.RUNNING or self.claimed_by is not None

    @property
    def claimed_by(self) -> Seat | None:
        """Who has claimed the win, rightly or not."""
        return claimed_by(self.session)

    def complete(self, now: float) -> bool:
        """Whether nothing more is to be waited for at the end: both keys are shown, or will not be."""
        if not self.ended:
            return False
        if self._ended_at is None:
            self._ended_at = now
        nothing_comes = self.trouble is not None or has_all(self.session, self.chair.channel, opens=self._opens)
        return nothing_comes or now >= self._ended_at + OPEN_WAIT_S

    @property
    def _opens(self) -> bool:
        return self.options is not None and opens(self.session, self.options)

    def next_deadline(self) -> float | None:
        """When `tick` must be called at the latest."""
        if self._ended_at is not None:
            return self._ended_at + OPEN_WAIT_S
        if not self._our_turn:
            return None
        times = [self._turn.auto_done_at, self._turn.since + self.timer_s if self.timer_s else None]
        return min((time for time in times if time is not None), default=None)

    @property
    def _our_turn(self) -> bool:
        return self.session.our_move and self._turn.announced and not self.ended

    # What happens to it.

    def begin(self, options: Options, now: float) -> None:
        """Make our first record: the host's proposal, or the guest's answer to an accepted one.

        Raises:
            StoreError: the game cannot be saved.
        """
        self.options = options
        log = self._notes.log = self.chair.new_log()
        entropy, nonce = self.session.secrets
        for record in self.session.records:
            log.append(Tag.RECORD, record)
            self.chair.channel.append(record, now)
        log.save_secrets(Secrets(self.seat, entropy, nonce, self.chair.keep(options)))
        self.session.accept()
        self.go_on(now)

    def begin_again(self, options: Options, log: GameLog) -> None:
        """Go on with what a dead process of ours has saved; nothing is signed before `reconcile`."""
        self.options, self._notes.log = options, log
        for record in self.session.records:
            self.chair.channel.append(record, 0.0)  # the line is not open yet: no time counts
        self.session.accept()

    def tell_story(self, followed: Followed[State, Action], before: Before, view: View | None, hidden: Cards) -> None:
        """Tell a record that was followed in another process, as it was told there."""
        self._teller.tell(followed, before, view, hidden)

    def reconcile(self, held: int, now: float) -> bool:
        """Take in how many records of this game the peer holds, once the channel is sure of it.

        Returns:
            Whether we may sign again from now on, and could not before.
        """
        self.session.reconcile(held)
        if self._may_sign or not self.session.reconciled:
            return False
        self._may_sign = True
        self._notes.take_waiting(lambda data: self.take_note(data, now))
        return True

    def tell_notes_again(self, now: float) -> None:
        """Send our notes again: the peer has begun a new epoch, and may be a new process."""
        self._notes.tell_again(now)

    def take_record(self, data: bytes, now: float) -> Followed[State, Action] | None:
        """Follow a record of the peer; None if it ended the game with trouble.

        Raises:
            StoreError: it cannot be saved.
        """
        try:
            before = self._before
            followed = self.session.receive(data)
        except FairdeckError as error:
            self.fail(error, Tag.RECORD, data)
            if isinstance(error, Desync) and self.log is not None:
                self.note(NoteKind.DESYNC, now)  # the other side has seen nothing wrong yet
            return None
        if self.log is not None:
            self.log.append(Tag.RECORD, data)
            self.chair.channel.append(data, now)
            self._notes.catch_up()
        self._tell(followed, before)
        return followed

    def take_note(self, data: bytes, now: float) -> None:
        """Keep a note of the peer, unless it is known already or ends the game with trouble.

        A note that tells of records which have not come is judged when they have, and saved only then.
        """
        if not self.session.reconciled:
            self._notes.wait(data)
            return
        in_time = self._our_turn and now - self._turn.since < SILENCE_CLAIM_S
        try:
            note = self.session.receive_note(data)
        except RemoteError as error:
            self.fail(error, Tag.NOTE, data)
            return
        if note is None:
            return
        ahead = self._notes.keep(note)
        if note.kind is NoteKind.CLAIM and (in_time or ahead):
            self.claimed_unfairly = True

    def fail(self, error: FairdeckError, tag: Tag, data: bytes) -> None:
        """End the game with trouble; what is proven is saved behind a copy of the log. The first trouble counts.

        Args:
            error: what is wrong.
            tag: what shows it: a record or a note.
            data: its bytes, or none.
        """
        if self.trouble is not None:
            return
        self.trouble = error
        accused = error.accused if isinstance(error, Cheating) else None
        if isinstance(error, Cheating | Desync):
            proof = error.evidence if isinstance(error, Cheating) else ()
            self.evidence = self._notes.save_evidence(proof, (tag, data))
        kind = {Cheating: "cheat", Desync: "desync"}.get(type(error), "malformed")
        path = None if self.evidence is None else str(self.evidence)
        self.chair.show(Trouble(kind, str(error), accused, path))

    def play(self, action: Action, now: float, *, auto: bool = False) -> None:
        """Play an action of ours that the view lists as legal.

        Raises:
            LocalError: it is not our turn.
            StoreError: it cannot be saved, and was not sent.
        """
        took_s = max(0.0, now - self._turn.since)
        if not auto and isinstance(action, Attack | Done):
            self.chair.thoughts.remember(took_s)
        self._act(action, auto=auto, think_ms=int(1000 * took_s), now=now)
        self.go_on(now)

    def note(self, kind: NoteKind, now: float, body: bytes = b"") -> None:
        """Sign a note, save it, send it."""
        self._notes.write(kind, body, now)

    def tick(self, now: float) -> None:
        """Play for the player where the clock or the rules leave him nothing to do."""
        view, self._now = self.view, now
        if self._asked_at >= 0 and not self.ended:
            self.go_on(now)  # a bot may have thought of its move since
        if not self._our_turn or view is None:
            return
        out_of_time = self.timer_s and now >= self._turn.since + self.timer_s
        if view.forced_done:
            # Nothing was decided here, so it is neither flagged nor remembered as a thought.
            if out_of_time or (self._turn.auto_done_at is not None and now >= self._turn.auto_done_at):
                self._act(Done(), auto=False, think_ms=int(1000 * (now - self._turn.since)), now=now)
                self.go_on(now)
        elif out_of_time:
            self.play(view.timeout_action(), now, auto=True)

    def go_on(self, now: float) -> None:
        """Do everything that needs no decision of the player, then say whose turn it is."""
        while not self.ended and self._automatic(now):
            pass
        self._announce_turn(now)
        if self.ended and self._ended_at is None:
            self._ended_at = now
        if self.ended:
            self._show_key(now)

    def close(self, *, for_good: bool = True) -> None:
        """Let go of the log; our secrets go once both keys stand in it.

        Args:
            for_good: nobody comes back to this game, in no other process.
        """
        log, self._notes.log = self.log, None
        if log is None:
            return
        if None not in opened_keys(self.session.notes):
            log.drop_secrets()
        elif for_good:
            log.end_match()
        log.close()

    # How it does it.

    def _automatic(self, now: float) -> bool:
        """Make one record that needs no decision; False if there is none."""
        if self.session.owes_step:
            before = self._before
            self._commit(self.session.step(), before, now)
            return True
        view = self.view
        if view is None or not self.session.our_move or not view.complete:
            return False
        if view.state.phase is Phase.QUESTION:
            self._act(view.answer(), auto=False, think_ms=0, now=now)
            return True
        habits = self.chair.habits
        if habits.bot is None and not (view.forced_done and habits.auto_done is AutoDone.INSTANT):
            return False
        self._announce_turn(now)
        if habits.bot is not None:
            return self._ask(habits.bot, view, now)
        self._act(Done(), auto=False, think_ms=int(1000 * (now - self._turn.since)), now=now)
        return True

    def _ask(self, bot: Bot, view: View, now: float) -> bool:
        """Let a bot think, once a turn; False while it does."""
        place, self._now = len(self.session.records), now
        if self._asked_at == place:
            return False
        self._asked_at = place
        self.chair.ask(bot, view, lambda action: self._thought(action, place))
        return len(self.session.records) > place

    def _thought(self, action: Action, place: int) -> None:
        """Play what a bot has thought of, unless the game went on without it: by the clock, or to its end."""
        if len(self.session.records) == place and self.session.our_move and not self.ended:
            now = self._now
            self._act(action, auto=False, think_ms=int(1000 * (now - self._turn.since)), now=now)

    def _act(self, action: Action, *, auto: bool, think_ms: int, now: float) -> None:
        before = self._before
        self._commit(self.session.act(action, auto=auto, think_ms=think_ms), before, now)

    def _commit(self, data: bytes, before: Before, now: float) -> None:
        """Save our record, then give it to the channel: never the other way round."""
        if self.log is None:
            raise RuntimeError("a game has a log before its first record")
        self.log.append(Tag.RECORD, data)
        self.chair.channel.append(data, now)
        self._tell(self.session.last, before)

    @property
    def _before(self) -> Before:
        return Before(self.session.referee, self.session.hidden_cards)

    def _tell(self, followed: Followed[State, Action], before: Before) -> None:
        self._teller.tell(followed, before, self.view, self.session.hidden_cards)

    def _show_key(self, now: float) -> None:
        """Show our game key, once, and not before the peer has said what he holds of the game."""
        shown = opened_keys(self.session.notes)[self.seat] is not None
        if self.trouble is None and self._opens and self.session.reconciled and not shown:
            self._notes.send(self.session.open_note(), now)

    def _announce_turn(self, now: float) -> None:
        view, owed = self.view, self.session.referee.owed
        if view is None or owed is None or owed.kind is not Kind.MOVE or self.ended:
            return
        if view.state.phase is Phase.QUESTION or self._turn.records == len(self.session.records):
            return
        if owed.seat == self.seat and not (view.complete and self.session.reconciled):
            return
        self._turn = Turning(len(self.session.records), now, announced=True)
        if owed.seat == self.seat and view.forced_done and self.chair.habits.auto_done is AutoDone.MASKED:
            self._turn.auto_done_at = now + self.chair.thoughts.like_one(self.timer_s)
        self.chair.show(Turn(owed.seat, view, self.timer_s))


def view_of(session: Session[State, Action], state: State) -> View:
    """The game as the session's seat sees it."""
    hidden = map(Card, session.hidden_cards)
    return View(session.seat, state, tuple(sorted((*state.hands[session.seat].known, *hidden))))
