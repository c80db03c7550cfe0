"""One seat's side of a game in lockstep: takes actions and bytes, gives records and notes.

It owns the secrets of one game and the making of records; every check of a record is the referee's.
It knows no clock, no file and no network: the caller stores what it gives before sending it, and hands in randomness.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Generic

from fairdeck import limits
from fairdeck.elgamal import encode_deck, first_deck
from fairdeck.errors import FairdeckError, LocalError, RemoteError, Unexpected
from fairdeck.game import A, Absent, Game, Open, S, Seat
from fairdeck.group import SUITES, Group, encode_scalar, times_base
from fairdeck.hand import Holder
from fairdeck.notes import NOTE_LABEL, Verdict, check_ahead, check_among, check_beside, check_note, judge
from fairdeck.referee import (
    RECORD_LABEL,
    Followed,
    Referee,
    act,
    check_equivocation,
    dealt_by_guest,
    follow,
    new_referee,
    present,
    session_id,
)
from fairdeck.seating import Kept, Proposal, Seating, answer, check_introduction, check_kept_secrets, game_key, propose
from fairdeck.shuffle import shuffle
from fairdeck.sigma import Rng, prove_key
from fairdeck.transcript import context, hash32
from fairdeck.wire import (
    Body,
    Kind,
    Move,
    Note,
    NoteKind,
    Shares,
    Shuffle0,
    Shuffle1,
    Start0,
    Start1,
    decode_record,
    encode_note,
    encode_record,
)

SILENCING: Final = frozenset({NoteKind.RESIGN, NoteKind.LEAVE, NoteKind.CLAIM})
"""After one of these its author signs no further record."""


class Session(Generic[S, A]):
    """A game of one seat, from the proposal to the end.

    The caller loops: `owes_step` -> `step()`, or `act(action)` on its turn, or `receive(bytes)`. After an error from
    the peer's side the session is in error for good.
    """

    def __init__(
        self,
        game: Game[S, A],
        seat: Seat,
        seating: Seating,
        rng: Rng,
        proposal: Proposal | None = None,
        suites: Mapping[int, Group] = SUITES,
        kept: Kept | None = None,
    ) -> None:
        """Sit down, or come back to a game after a crash.

        A session that comes back signs nothing before `reconcile` has told it what the peer holds: a record of ours
        that our disk has lost would be signed anew and differently, which proves equivocation.

        Args:
            game: the rules.
            seat: 0 for the host, who makes the `proposal`; 1 for the guest.
            seating: identity, name and place in the match.
            rng: gives fresh random bytes, other ones in every process.
            proposal: the host's; None for the guest.
            suites: the groups that this program knows, by suite id.
            kept: what our disk holds of this game; None for a new one.

        Raises:
            LocalError: what is kept is not of this game and seat, or is damaged.
        """
        self.seat = seat
        self.seating = seating
        self.records: list[bytes] = []
        self.notes: list[Note] = []
        self.referee: Referee[S, A] = new_referee(game, suites)
        self.failed: FairdeckError | None = None
        self._proposal = proposal
        self._rng = rng
        self._accepted = seat == 0
        self._silent = False
        self._peer_holds: int | None = 0
        self._entropy, self._nonce = (rng(64), rng(32)) if kept is None else (kept.entropy, kept.nonce)
        self._holder: Holder | None = None
        self._last: Followed[S, A] | None = None
        if kept is not None:
            self._come_back(kept)

    # What the caller asks.

    @property
    def owes_step(self) -> bool:
        """Whether a record is due from us that needs no decision of the player."""
        owed = self.referee.owed
        if owed is None or owed.seat != self.seat or owed.kind is Kind.MOVE or not self._may_sign:
            return False
        return owed.kind is not Kind.START1 or self._accepted

    @property
    def our_move(self) -> bool:
        """Whether the player has to act, with all his cards known."""
        owed = self.referee.owed
        ours = owed is not None and (owed.seat, owed.kind) == (self.seat, Kind.MOVE)
        return ours and self._may_sign

    @property
    def reconciled(self) -> bool:
        """Whether we have had all that the peer holds of this game; until then we sign nothing and take no note."""
        return self._peer_holds is not None and len(self.records) >= self._peer_holds

    @property
    def _may_sign(self) -> bool:
        return self.reconciled and not self._silent and self.failed is None

    @property
    def state(self) -> S | None:
        """The public state of the game; None before the deal."""
        return self.referee.state

    @property
    def last(self) -> Followed[S, A]:
        """The last record of either seat, and what it did.

        Raises:
            Unexpected: there is none yet.
        """
        return present(self._last)

    @property
    def hidden_cards(self) -> tuple[int, ...]:
        """Our hidden cards that we can see by now, in the order of the hidden hand."""
        deck = self.referee.deck
        return () if deck is None else self.holder.cards(deck)

    @property
    def holder(self) -> Holder:
        """Our secret in this game."""
        if self._holder is None:
            self._holder = Holder(self.seat, self.x, self._rng)
        return self._holder

    @property
    def x(self) -> int:
        """The game key of this seat: in [1, order - 1], from entropy that was drawn when the session began."""
        return game_key(self.referee.group, self._entropy)

    @property
    def secrets(self) -> tuple[bytes, bytes]:
        """What must be on disk before our first record is sent: 64 bytes behind x, and the 32 bytes of our nonce."""
        return self._entropy, self._nonce

    def accept(self) -> None:
        """The guest agrees to the host's proposal; `step()` then answers it."""
        self._accepted = True

    # Coming back after a crash.

    def reconcile(self, held: int) -> None:
        """Take in what the peer says he holds, once the channel says that he has moved on to the present epoch.

        Before that, a late packet with a record of ours could reach him after he has said so. Records beyond ours are
        adopted by `receive`, our own among them, before anything is signed again. Once is enough: from then on he can
        hold none of ours that we do not, and what he says can silence us no more.

        Args:
            held: how many records of this game are on the peer's disk.
        """
        if not self.reconciled:
            self._peer_holds = held

    def _demand_reconciled(self) -> None:
        if not self.reconciled:
            raise LocalError("What the other side holds of this game is not here yet.")

    def _come_back(self, kept: Kept) -> None:
        """Take in our own log; what is wrong with it is our disk's fault: the peer's part was right when it came."""
        try:
            for data in kept.records:
                self.receive(data)
            for data in kept.notes:
                note = check_note(self.referee, self.records, data)
                check_among(self.referee, self.notes, note)
                self._keep(note)
            check_kept_secrets(self.referee, self.seat, kept)
        except FairdeckError as error:
            raise LocalError(f"The saved game cannot be gone on with. {error}") from error
        self._peer_holds = None

    # Our own records.

    def step(self) -> bytes:
        """Make the record that we owe and that needs no decision.

        Returns:
            The record with its signature: store it, then send it.

        Raises:
            LocalError: nothing is owed by us now.
        """
        owed = self.referee.owed
        if not self.owes_step or owed is None:
            raise LocalError("There is nothing to send now.")
        makers: dict[Kind, Callable[[], Body]] = {
            Kind.START0: self._start0,
            Kind.START1: self._start1,
            Kind.SHUFFLE0: self._shuffle0,
            Kind.SHUFFLE1: self._shuffle1,
            Kind.SHARES: self._shares,
        }
        return self._append(makers[owed.kind]())

    def act(self, action: A, *, auto: bool = False, think_ms: int = 0) -> bytes:
        """Make the record of our own action.

        Args:
            action: must be legal now.
            auto: whether the clock played it.
            think_ms: how long the player thought, in milliseconds; his own word, for replays.

        Raises:
            LocalError: it is not our turn, or we do not hold the card.
            IllegalAction: the rules refuse it.
        """
        if not self.our_move:
            raise LocalError("It is not your turn.")
        game, state, deck = self.referee.game, present(self.referee.state), present(self.referee.deck)
        remask: tuple[bytes, ...] = ()
        proof: tuple[bytes, ...] = ()
        match game.demand(state, action):
            case Open(card=card):
                game.apply(state, action)
                remasked, remask = self.holder.remask(deck)
                proof = (self.holder.opening(remasked, card),)
            case Absent(cards=cards):
                proof = (self.holder.denial(deck, cards),)
            case None:
                pass
        acted = act(self.referee, self.seat, action, remask, proof, verify=False)
        owed = () if acted.over else present(acted.deck).owed(self.seat)
        shares = (self.holder.shares(present(acted.deck)),) if owed else ()
        thought = min(max(0, think_ms), limits.THINK_MS_MAX)
        return self._append(Move(game.encode(action), auto, thought, remask, proof, shares))

    def _append(self, body: Body) -> bytes:
        referee = self.referee
        sid = session_id(present(referee.start0), body) if isinstance(body, Start1) else referee.sid
        after = referee.after(self.seat, body, verify=False)
        signed = encode_record(sid, referee.seq, self.seat, referee.head, body, after.digest())
        data = signed + self.seating.identity.sign(RECORD_LABEL, signed)
        record = decode_record(data)
        action = referee.game.decode(body.action) if isinstance(body, Move) else None
        self._took(Followed(record, action, referee.append(record, after)), data)
        return data

    def _took(self, followed: Followed[S, A], data: bytes) -> None:
        self.records.append(data)
        self.referee = followed.referee
        self._last = followed

    def _start0(self) -> Start0:
        if self._proposal is None:
            raise LocalError("Only the host can propose a game.")
        return propose(self.referee, self.seating, self._proposal, self._entropy, self._nonce)

    def _start1(self) -> Start1:
        return answer(self.referee, self.seating, self._entropy, self._nonce, self._rng)

    def _shuffle0(self) -> Shuffle0:
        referee = self.referee
        Y0, Y1 = times_base(referee.group, self.x), present(referee.keys[1])
        possession = prove_key(context(referee.sid, 0, "key"), self.x, Y0, self._rng)
        before = first_deck(referee.group, Y0 + Y1, present(referee.start0).cards)
        shuffled = shuffle(context(referee.sid, 0, "shuffle"), self.x, Y0 + Y1, before, self._rng)
        return Shuffle0(self._nonce, Y0.data, possession, encode_deck(shuffled.out), shuffled.proof)

    def _shuffle1(self) -> Shuffle1:
        referee = self.referee
        Y = present(referee.keys[0]) + present(referee.keys[1])
        shuffled = shuffle(context(referee.sid, 1, "shuffle"), self.x, Y, referee.shuffled, self._rng)
        data = encode_deck(shuffled.out)
        deck = dealt_by_guest(referee, data, shuffled.proof, verify=False)
        return Shuffle1(data, shuffled.proof, self.holder.shares(deck))

    def _shares(self) -> Shares:
        return Shares(self.holder.shares(present(self.referee.deck)))

    # The peer's records.

    def receive(self, data: bytes) -> Followed[S, A]:
        """Check the peer's next record and follow it: store it before anything is answered.

        Raises:
            Malformed, Unexpected, Cheating, Desync: as `follow` says; the session is then in error for good.
        """
        if self.failed:
            raise Unexpected("This game has ended with an error.")
        try:
            record = decode_record(data)
            if record.seq < len(self.records):
                check_equivocation(self.referee, self.records[record.seq], data)
            followed = follow(self.referee, data)
            check_beside(self.notes, record)
            for place, note in enumerate(self.notes):
                check_ahead(followed.referee, note)
                if note.seq == followed.referee.seq:
                    check_among(followed.referee, self.notes[:place], note)
            check_introduction(self.seating, self.seat, followed.record)
        except FairdeckError as error:
            self.failed = error
            raise
        self._took(followed, data)
        return followed

    # Notes: signed statements outside the chain.

    def note(self, kind: NoteKind, body: bytes = b"") -> bytes:
        """Sign a note about what we have seen so far: store it, then send it.

        After a resign, a leave or a claim of ours we sign no further record, but accept what arrives.
        A note that cannot be made now raises LocalError.
        """
        self._demand_reconciled()
        seq, head = len(self.records), self.referee.head
        signed = encode_note(self.referee.sid, self.seat, kind, seq, head, body)
        data = signed + self.seating.identity.sign(NOTE_LABEL, signed)
        try:
            note = check_note(self.referee, self.records, data)
            check_among(self.referee, self.notes, note)
        except RemoteError as error:
            raise LocalError(str(error)) from error
        self._keep(note)
        return data

    def _keep(self, note: Note) -> None:
        self.notes.append(note)
        self._silent = self._silent or (note.seat == self.seat and note.kind in SILENCING)

    def open_note(self) -> bytes:
        """Reveal our game key, for the replay of both hands and an audit that trusts no proof.

        Raises:
            LocalError: the game has not ended by the rules or a resign.
        """
        if not self.verdict.final:
            raise LocalError("The game key is shown only after the end of the game.")
        return self.note(NoteKind.OPEN, encode_scalar(self.x))

    def receive_note(self, data: bytes) -> Note | None:
        """Check a note of the peer; None for one that we hold already.

        Before we are `reconciled`, a note may tell of records that we have lost: it is to be handed in after that.

        Raises:
            LocalError: we are not reconciled.
            Malformed, Unexpected: it is no note of the peer about this game.
            Cheating: it contradicts a record of his that we have.
        """
        self._demand_reconciled()
        note = check_note(self.referee, self.records, data)
        if note.seat == self.seat:
            raise Unexpected("A note in our own name came from the other side.")
        if any(note.data == held.data for held in self.notes):
            return None
        check_ahead(self.referee, note)
        check_among(self.referee, self.notes, note)
        for record in self.records[note.seq :]:
            check_beside((note,), decode_record(record))
        self._keep(note)
        return note

    @property
    def verdict(self) -> Verdict:
        """How the game stands: by the chain, and behind it by the notes."""
        return judge(self.referee, self.notes)

    @property
    def link(self) -> bytes:
        """32 bytes by which the next game of the match names this one."""
        decided = self.verdict.note
        return hash32("link", self.referee.head, b"" if decided is None else decided.data)
