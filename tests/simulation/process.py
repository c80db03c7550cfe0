"""One life of one seat: a real session over a real channel, on a disk that outlives it.

It owns the order in which things are made, stored and sent, and the points at which a process may die. It knows no
line: packets go to a callable. This is the order of the real table; whoever builds on a session must keep it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Final, Generic

from fairdeck.channel import Channel, ChannelEvent, Opened, PeerSynced, PostArrived, RecordArrived
from fairdeck.errors import FairdeckError, LocalError
from fairdeck.game import A, Game, S
from fairdeck.group import Group
from fairdeck.log import Tag
from fairdeck.notes import End, Verdict
from fairdeck.seating import Proposal, Seating
from fairdeck.session import Session
from fairdeck.wire import NoteKind, decode_note
from tests.fairdeck.cheap import IDENTITIES
from tests.simulation.disk import Disk
from tests.simulation.watch import CHAT_POST, NOTE_POST, Invariant, Violation, Watch

SECRET: Final = b"what both seats know, 32 bytes.."
NAMES: Final = ("Mira", "Oleg")
THINKING_S: Final = 0.2
CHATTING_S: Final = 5.0
CHAT_MAX: Final = 20
TICK_MIN_S: Final = 0.005
"""A deadline that is due at once still lets time pass, as in the table's driver."""

OVERDUE_MAX: Final = 20
"""So many ticks at most may not be enough to do what is due."""


class Killed(Exception):
    """The process has died; the text says at which point."""


@dataclass(frozen=True, slots=True)
class Play(Generic[S, A]):
    """What is played, and how: `choose` picks a legal action of a session whose turn it is."""

    game: Game[S, A]
    proposal: Proposal
    suites: Mapping[int, Group]
    choose: Callable[[Session[S, A], Random], A]


@dataclass(frozen=True, slots=True)
class Around:
    """What a process needs from the world.

    Attributes:
        watch: sees everything.
        send: takes a packet for the other seat.
        tell: takes a line of the story.
        may_die: asked at every point where dying could hurt; raises `Killed`.
    """

    watch: Watch
    send: Callable[[bytes], None]
    tell: Callable[[str], None]
    may_die: Callable[[str], None]


class Process(Generic[S, A]):
    """A running program. Feed it packets and seconds; a call that raises `Killed` is its last one.

    Attributes:
        seat: whose it is.
        life: how many processes of this seat there were before.
        session: its game.
        channel: its end of the line.
        posts_sent: how many chat lines it has sent.
    """

    def __init__(
        self, play: Play[S, A], seat: int, life: int, seed: str, disk: Disk, around: Around, now: float
    ) -> None:
        self.seat, self.life, self.disk, self.posts_sent = seat, life, disk, 0
        self._play, self._around = play, around
        self._chance = Random(f"{seed}/{seat}/{life}")  # other random bytes in every life
        self.channel = Channel(SECRET, seat, self._chance.randbytes)
        kept = disk.start()
        seating = Seating(IDENTITIES[seat], NAMES[seat], self.channel.exporter)
        proposal = play.proposal if seat == 0 else None
        self.session: Session[S, A] = Session(
            play.game, seat, seating, self._chance.randbytes, proposal, play.suites, kept
        )
        self.session.accept()
        around.may_die("before the secrets are stored")
        disk.secrets = self.session.secrets
        self.channel.open_game(1)
        for record in disk.records:
            self.channel.append(record, now)
        self.channel.connect(now)
        self._move_at = self._chat_at = self._give_up_at = inf
        if self._chance.random() < 0.5:
            self._chat_at = now + self._chance.expovariate(1 / CHATTING_S)
        if self._chance.random() < 0.15:
            self._give_up_at = now + self._chance.uniform(0, 10)
        self._notes: list[bytes] = []  # heard, and to be looked at when we have what the other side holds
        self._judged: tuple[tuple[int, int], Verdict] = ((0, 0), Verdict(End.RUNNING))
        self._overdue = 0
        self.due = now

    # What happens to it.

    def up(self, now: float) -> None:
        """Its transport is connected again."""
        self.channel.connect(now)
        self._flush(now)

    def receive(self, packet: bytes, now: float) -> None:
        """A packet comes from the line, whoever sent it."""
        try:
            for event in self.channel.receive(packet, now):
                self._take(event, now)
            if self.channel.peer_moved_on:
                self.session.reconcile(self.channel.peer_next)
            self._go_on(now)
        except FairdeckError as error:
            raise Violation(Invariant.ACCUSED, f"seat {self.seat} refuses what came: {error!r}") from error
        self._flush(now)

    def tick(self, now: float) -> None:
        """Time has passed."""
        self.channel.tick(now)
        if now >= self._chat_at:
            self._chat(now)
        if now >= self._give_up_at:
            self._give_up(now)
        if now >= self._move_at and self.session.our_move and not self.ended:
            self._move_at = inf
            action = self._play.choose(self.session, self._chance)
            self._commit(self.session.act(action), now)
        self._go_on(now)
        self._flush(now)
        self._overdue = self._overdue + 1 if self._wanted <= now else 0
        if self._overdue > OVERDUE_MAX:
            raise Violation(Invariant.ENDS, f"a deadline of seat {self.seat} stays in the past")

    # How far it is.

    @property
    def verdict(self) -> Verdict:
        """How its session judges the game."""
        place = (self._count, len(self.session.notes))
        if self._judged[0] != place:  # asked for at every event, and it changes with a record or a note only
            self._judged = (place, self.session.verdict)
        return self._judged[1]

    @property
    def ended(self) -> bool:
        """Whether nobody has to play on: an end by the rules or by a note, or a claim, even a void one."""
        seen = self.session.referee.seq
        claimed = any(note.kind is NoteKind.CLAIM and note.seq <= seen for note in self.session.notes)
        return claimed or self.verdict.end is not End.RUNNING

    @property
    def finished(self) -> bool:
        """Whether it has ended and shown its key, and the other side has everything."""
        shown = self._has_noted(NoteKind.OPEN) or not self.verdict.final
        return self.ended and shown and self.channel.settled

    def _has_noted(self, kind: NoteKind) -> bool:
        return any((note.seat, note.kind) == (self.seat, kind) for note in self.session.notes)

    # What it does.

    def _take(self, event: ChannelEvent, now: float) -> None:
        match event:
            case RecordArrived(seq, record):
                self._take_record(seq, record, now)
            case PostArrived(kind, body):
                if kind == NOTE_POST:
                    self._notes.append(body)
                else:
                    self._around.watch.heard(self.seat, self.life, body)
            case PeerSynced(_, held, _):
                self._around.tell(f"seat {self.seat} hears that the other holds {held} records, and has {self._count}")
                for note in self.disk.notes:
                    if decode_note(note).seat == self.seat:  # the process that acknowledged it may have died since
                        self.channel.post(NOTE_POST, note, now)
            case Opened():
                pass

    @property
    def _count(self) -> int:
        return len(self.session.records)

    def _take_record(self, seq: int, record: bytes, now: float) -> None:
        self._around.watch.arrived(self.seat, seq, self._count)
        self.session.receive(record)
        self._around.may_die(f"between hearing record {seq} and storing it")
        self._store(Tag.RECORD, record)
        self._around.may_die(f"between storing record {seq} and acknowledging it")
        self.channel.append(record, now)

    def _take_notes(self) -> None:
        """Look at the notes that can be judged by now.

        A game key may come before the resign that allows it: a process of ours acknowledged the resign, died before it
        had stored it, and gets it again behind the key.
        """
        waiting, self._notes = sorted(self._notes, key=is_key), []
        for data in waiting:
            if not self.session.reconciled or (is_key(data) and not self.verdict.final):
                self._notes.append(data)
            elif self.session.receive_note(data) is not None:
                self._around.may_die("between hearing a note and storing it")
                self._store(Tag.NOTE, data)

    def _go_on(self, now: float) -> None:
        self._take_notes()
        while self.session.owes_step and not self.ended:
            self._commit(self.session.step(), now)
        if not self.session.our_move or self.ended:
            self._move_at = inf
        elif self._move_at == inf:
            self._move_at = now + self._chance.expovariate(1 / THINKING_S)
        if self.verdict.final and self.session.reconciled and not self._has_noted(NoteKind.OPEN):
            self._send_note(self.session.open_note(), now)

    def _commit(self, record: bytes, now: float) -> None:
        place = self._count - 1
        self._around.tell(f"seat {self.seat} makes record {place}")
        self._around.may_die(f"between making record {place} and storing it")
        self._store(Tag.RECORD, record)
        self._around.may_die(f"between storing record {place} and sending it")
        self.channel.append(record, now)

    def _send_note(self, note: bytes, now: float) -> None:
        self._around.tell(f"seat {self.seat} makes a note: {decode_note(note).kind.name.lower()}")
        self._around.may_die("between making a note and storing it")
        self._store(Tag.NOTE, note)
        self._around.may_die("between storing a note and sending it")
        self.channel.post(NOTE_POST, note, now)

    def _store(self, tag: Tag, payload: bytes) -> None:
        try:
            self._around.may_die("while it writes")
        except Killed:
            self.disk.tear(tag, payload, self._chance.random())
            raise
        self.disk.write(tag, payload)
        if tag is Tag.RECORD:
            place = len(self.disk.records) - 1
            self._around.watch.took(self.seat, place, payload, self.session.referee.digest())

    def _chat(self, now: float) -> None:
        self.channel.post(CHAT_POST, b"%d:%d" % (self.life, self.posts_sent), now)
        self.posts_sent += 1
        more = self.posts_sent < CHAT_MAX and not self.ended
        self._chat_at = now + self._chance.expovariate(1 / CHATTING_S) if more else inf

    def _give_up(self, now: float) -> None:
        """Resign, leave or claim, as far as that is allowed now."""
        self._give_up_at = inf
        if self.session.referee.counts and not self.ended:
            kind = self._chance.choice((NoteKind.RESIGN, NoteKind.LEAVE, NoteKind.CLAIM))
            try:
                note = self.session.note(kind)
            except LocalError:  # a claim on our own turn, or we do not know yet what the other holds
                return
            self._send_note(note, now)

    def _flush(self, now: float) -> None:
        for packet in self.channel.packets_to_send():
            self._around.may_die("while it sends")
            self._around.send(packet)
        self.due = max(self._wanted, now + TICK_MIN_S)

    @property
    def _wanted(self) -> float:
        due = (self.channel.next_deadline(), self._move_at, self._chat_at, self._give_up_at)
        return min(at_s for at_s in due if at_s is not None)


def is_key(note: bytes) -> bool:
    """Whether a note shows a game key."""
    return decode_note(note).kind is NoteKind.OPEN
