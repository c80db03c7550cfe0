"""The public state of a game of cards, and the one table that says who owes which record next.

It owns every check that anybody who reads the chain can make: both players while they play, and `verify` afterwards.
It knows no secret; making records is the work of `session`.

The proofs of one record are checked in this order: its place in the chain, the signature, whose turn it is, then the
body (remask, opening or denial, the rules, the shares owed), and last the digest of the state that follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Generic, TypeVar

from fairdeck.deck import Deck, check_absent, deal, draw, take_opening, take_shares
from fairdeck.elgamal import Ciphertext, first_deck
from fairdeck.errors import Cheating, Desync, Malformed, Unexpected, Unsupported
from fairdeck.game import A, Absent, Game, IllegalAction, Open, S, Seat
from fairdeck.group import SUITES, Group, Point, decode_point
from fairdeck.shuffle import check_shuffle
from fairdeck.sigma import verify_key
from fairdeck.sign import check_public_key, is_signed
from fairdeck.transcript import context, hash32
from fairdeck.wire import (
    VERSION,
    ZEROS,
    Body,
    Kind,
    Move,
    Record,
    Shares,
    Shuffle0,
    Shuffle1,
    Start0,
    Start1,
    decode_record,
    pack,
)

OPENER_ASK: Final = 2
OPENER_COIN: Final = 3
RECORD_LABEL: Final = "sign record"

T = TypeVar("T")


class Stage(Enum):
    """How far the game has come."""

    START0 = "start0"
    START1 = "start1"
    SHUFFLE0 = "shuffle0"
    SHUFFLE1 = "shuffle1"
    DEAL = "deal"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Owed:
    """The one record that may come next."""

    seat: Seat
    kind: Kind


@dataclass(frozen=True, slots=True)
class Transition:
    """A line of the table: what is owed in a stage, and the stage after it. In play the rules say who is owed."""

    owed: Owed | None
    then: Stage


TRANSITIONS: Final = {
    Stage.START0: Transition(Owed(0, Kind.START0), Stage.START1),
    Stage.START1: Transition(Owed(1, Kind.START1), Stage.SHUFFLE0),
    Stage.SHUFFLE0: Transition(Owed(0, Kind.SHUFFLE0), Stage.SHUFFLE1),
    Stage.SHUFFLE1: Transition(Owed(1, Kind.SHUFFLE1), Stage.DEAL),
    Stage.DEAL: Transition(Owed(0, Kind.SHARES), Stage.PLAY),
    Stage.PLAY: Transition(None, Stage.PLAY),
}


@dataclass(frozen=True, slots=True)
class Referee(Generic[S, A]):
    """Everything public about a game after `seq` records; each record gives a new value.

    Attributes:
        game: the rules.
        suites: the groups that this program knows, by suite id.
        stage: how far the game has come.
        seq: how many records there are.
        head: 32 bytes, the hash of the last record (zeros before the first).
        sid: 32 bytes, zeros before start1.
        start0: the host's proposal once made.
        start1: the guest's answer once given.
        keys: the public keys Y known so far, by seat.
        shuffled: the host's shuffle, until the guest has shuffled it again.
        deck: the dealt deck from shuffle1 on.
        state: the state of the game from the deal on.
    """

    game: Game[S, A]
    suites: Mapping[int, Group]
    stage: Stage = Stage.START0
    seq: int = 0
    head: bytes = ZEROS
    sid: bytes = ZEROS
    start0: Start0 | None = None
    start1: Start1 | None = None
    keys: tuple[Point | None, Point | None] = (None, None)
    shuffled: tuple[Ciphertext, ...] = ()
    deck: Deck | None = None
    state: S | None = None

    @property
    def group(self) -> Group:
        """The suite of this game; known from start0 on."""
        return self.suites[present(self.start0).suite]

    @property
    def counts(self) -> bool:
        """Whether leaving is recorded: from shuffle1 on somebody may know a card."""
        return self.stage in {Stage.DEAL, Stage.PLAY}

    @property
    def over(self) -> bool:
        """Whether the rules have ended the game."""
        return self.stage is Stage.PLAY and self.game.to_act(present(self.state)) is None

    @property
    def owed(self) -> Owed | None:
        """Who must send what next: exactly one seat may speak in every state. None: the game is over."""
        fixed = TRANSITIONS[self.stage].owed
        if fixed is not None:
            return fixed
        actor = self.game.to_act(present(self.state))
        if actor is None:
            return None
        if present(self.deck).drawn[actor]:
            return Owed(1 - actor, Kind.SHARES)
        return Owed(actor, Kind.MOVE)

    def verification_key(self, seat: Seat) -> bytes | None:
        """The identity key (32 bytes) of a seat, once its first record is in."""
        start = self.start0 if seat == 0 else self.start1
        return None if start is None else start.vk

    def digest(self) -> bytes:
        """32 bytes over the public state; zeros before the deal."""
        if self.stage is not Stage.PLAY:
            return ZEROS
        deck = present(self.deck)
        owed = ((), ()) if self.over else (deck.owed(0), deck.owed(1))
        return hash32(
            "state",
            self.game.digest(present(self.state)),
            deck.hand_hash(0),
            deck.hand_hash(1),
            bytes([deck.stock_drawn]),
            bytes(owed[0]),
            bytes(owed[1]),
        )

    def after(self, seat: Seat, body: Body, *, verify: bool = True) -> Referee[S, A]:
        """The public state after a record body by `seat`, without its place in the chain.

        Args:
            seat: the author.
            body: must be of the kind owed.
            verify: False only for a body that we made ourselves: its proofs are not checked again.

        Raises:
            Malformed, IllegalAction: what is wrong with the body.
        """
        match body:
            case Start0():
                after = _start0(self, body)
            case Start1():
                after = _start1(self, body)
            case Shuffle0():
                after = _shuffle0(self, body, verify=verify)
            case Shuffle1():
                after = _shuffle1(self, body, verify=verify)
            case Shares():
                after = _shares(self, seat, body, verify=verify)
            case Move():
                after = _move(self, seat, body, verify=verify)
        return replace(after, stage=TRANSITIONS[self.stage].then)

    def append(self, record: Record, body_state: Referee[S, A]) -> Referee[S, A]:
        """`body_state` with the record in its chain."""
        return replace(body_state, seq=self.seq + 1, head=record.head)


@dataclass(frozen=True, slots=True)
class Followed(Generic[S, A]):
    """A record that was found right, what it did, and the state after it."""

    record: Record
    action: A | None
    referee: Referee[S, A]


def new_referee(game: Game[S, A], suites: Mapping[int, Group] = SUITES) -> Referee[S, A]:
    """The state before the first record."""
    return Referee(game, suites)


def follow(referee: Referee[S, A], data: bytes, *, verify: bool = True) -> Followed[S, A]:
    """Check one record in full and apply it.

    Args:
        referee: the state before.
        data: the record and its signature, as received or read.
        verify: False only where a list of logs is followed without looking at proofs.

    Raises:
        Malformed: it cannot be read, or is not signed by the seat it names: proves nothing.
        Unexpected: it belongs to another place or another game: proves nothing.
        Cheating: it is signed and breaks the protocol or the rules; the author is named.
        Desync: it is legal, but its author's state differs from ours.
    """
    record = decode_record(data)
    _check_place(referee, record)
    _check_author(referee, record)
    owed = referee.owed
    if owed is None or owed != Owed(record.seat, record.kind):
        raise Cheating(record.seat, "A record was sent out of turn.", (data,))
    try:
        body_state = referee.after(record.seat, record.body, verify=verify)
    except (Malformed, IllegalAction) as error:
        raise Cheating(record.seat, str(error), (data,)) from error
    if body_state.digest() != record.digest:
        raise Desync(record.seat, record.seq)
    action = referee.game.decode(record.body.action) if isinstance(record.body, Move) else None
    return Followed(record, action, referee.append(record, body_state))


def _check_place(referee: Referee[S, A], record: Record) -> None:
    if record.seq != referee.seq:
        raise Unexpected(f"Record {record.seq} came where record {referee.seq} belongs.")
    if record.prev != referee.head:
        raise Unexpected("A record that does not follow the last one.")
    if record.sid != _sid_for(referee, record):
        raise Unexpected("A record of another game.")


def _sid_for(referee: Referee[S, A], record: Record) -> bytes:
    """What the record must name as its session: nothing yet in start0, and in start1 what itself completes."""
    if referee.stage is Stage.START1 and isinstance(record.body, Start1):
        return session_id(present(referee.start0), record.body)
    return referee.sid


def _check_author(referee: Referee[S, A], record: Record) -> None:
    match record.body:
        case Start0() | Start1() if referee.owed == Owed(record.seat, record.kind):
            key = check_public_key(record.body.vk)
        case _:
            known = referee.verification_key(record.seat)
            if known is None:
                raise Unexpected("A record of a seat that has not introduced itself.")
            key = known
    if not is_signed(key, RECORD_LABEL, record.signed, record.signature):
        raise Malformed("A record that is not signed by the seat it names.")


def check_equivocation(referee: Referee[S, A], ours: bytes, theirs: bytes) -> None:
    """Look at a record for a place that is already taken.

    Args:
        referee: any state of the same game in which both seats are known.
        ours: the record that stands in our chain.
        theirs: the one that came now, for the same place.

    Raises:
        Cheating: both are signed by one seat: the proof that he signed two different records for one place.
        Unexpected: it is something else; it proves nothing.
    """
    mine, other = decode_record(ours), decode_record(theirs)
    same_place = (mine.sid, mine.seat, mine.seq) == (other.sid, other.seat, other.seq)
    key = referee.verification_key(other.seat)
    if (
        same_place
        and ours != theirs
        and other.sid != ZEROS
        and key is not None
        and is_signed(key, RECORD_LABEL, other.signed, other.signature)
    ):
        raise Cheating(other.seat, "Two different records were signed for one place.", (ours, theirs))
    raise Unexpected("A record for a place that is already taken.")


def session_id(start0: Start0, start1: Start1) -> bytes:
    """32 bytes that name this game, recomputable by anyone from the first two records (SPEC: Session id)."""
    return hash32(
        "sid",
        pack(
            [
                VERSION,
                start0.suite,
                start0.cards,
                start0.options,
                start0.vk,
                start1.vk,
                start0.commit,
                start1.nonce,
                start0.exporter,
                start0.game,
                start0.link,
                start0.opener,
            ]
        ),
    )


def commitment(nonce: bytes, Y: bytes) -> bytes:
    """What the host is bound to before he sees the guest's key."""
    return hash32("commit", nonce, Y)


def present(value: T | None) -> T:
    """What the stage of the game guarantees to be there."""
    if value is None:
        raise Unexpected("A part of the game is asked for before it exists.")
    return value


# One function for each kind of body: the state before and the body give the state after.


def _start0(referee: Referee[S, A], body: Start0) -> Referee[S, A]:
    """What this program does not know may be known to another version of it, so it accuses nobody."""
    if body.suite not in referee.suites:
        raise Unsupported("A group that this program does not know.")
    if body.cards != referee.game.layout.cards:
        raise Unsupported(f"A deck of {body.cards} cards, which this program does not play with.")
    try:
        referee.game.check_options(body.options)
    except IllegalAction as error:
        raise Unsupported(str(error)) from error
    if (body.game == 1) != (body.link == ZEROS):
        raise Malformed("The first game of a match follows no other, and every later one does.")
    try:
        referee.game.check_opener(body.options, body.opener, first=body.game == 1)
    except IllegalAction as error:
        raise Unexpected(str(error)) from error
    return replace(referee, start0=body)


def _start1(referee: Referee[S, A], body: Start1) -> Referee[S, A]:
    start0 = present(referee.start0)
    if body.vk == start0.vk:
        raise Malformed("Both seats have the same identity key.")
    Y1 = decode_point(referee.group, body.Y)
    sid = session_id(start0, body)
    _check_possession(sid, 1, Y1, body.possession)
    return replace(referee, start1=body, sid=sid, keys=(None, Y1))


def _shuffle0(referee: Referee[S, A], body: Shuffle0, *, verify: bool) -> Referee[S, A]:
    if commitment(body.nonce, body.Y) != present(referee.start0).commit:
        raise Malformed("The commitment was opened to something else.")
    Y0, Y1 = decode_point(referee.group, body.Y), present(referee.keys[1])
    if Y0 == Y1 or (Y0 + Y1).is_identity:
        raise Malformed("A key that mirrors the other seat's key.")
    _check_possession(referee.sid, 0, Y0, body.possession)
    before = first_deck(referee.group, Y0 + Y1, present(referee.start0).cards)
    ctx = context(referee.sid, 0, "shuffle")
    shuffled = check_shuffle(ctx, Y0 + Y1, before, body.deck, body.proof, verify=verify)
    return replace(referee, keys=(Y0, Y1), shuffled=shuffled)


def _check_possession(sid: bytes, seat: Seat, Y: Point, proof: bytes) -> None:
    if not verify_key(context(sid, seat, "key"), Y, proof):
        raise Malformed("A key whose owner does not know its secret.")


def _shuffle1(referee: Referee[S, A], body: Shuffle1, *, verify: bool) -> Referee[S, A]:
    deck = dealt_by_guest(referee, body.deck, body.proof, verify=verify)
    return replace(referee, deck=take_shares(deck, 1, body.shares, verify=verify), shuffled=())


def dealt_by_guest(referee: Referee[S, A], data: bytes, proof: bytes, *, verify: bool) -> Deck:
    """The deck after the guest's shuffle of the host's shuffle, before any share (used by the guest himself too)."""
    keys = (present(referee.keys[0]), present(referee.keys[1]))
    Y = keys[0] + keys[1]
    cards = check_shuffle(context(referee.sid, 1, "shuffle"), Y, referee.shuffled, data, proof, verify=verify)
    return deal(referee.group, referee.sid, keys, cards, referee.game.layout)


def _shares(referee: Referee[S, A], seat: Seat, body: Shares, *, verify: bool) -> Referee[S, A]:
    deck = take_shares(present(referee.deck), seat, body.shares, verify=verify)
    if referee.stage is Stage.PLAY:
        return replace(referee, deck=deck)
    start0 = present(referee.start0)
    state = referee.game.start(start0.options, deck.upcards(), _opener(referee.sid, start0.opener, deck))
    return replace(referee, deck=deck, state=state)


def _opener(sid: bytes, opener: int, deck: Deck) -> Seat | None:
    """Who opens. The coin is a bit that the host's key has fixed and nobody knew before the cards were dealt."""
    if opener == OPENER_COIN:
        return hash32("coin", sid, deck.upcard_shares[0][0].data)[0] & 1
    return None if opener == OPENER_ASK else opener


def _move(referee: Referee[S, A], seat: Seat, body: Move, *, verify: bool) -> Referee[S, A]:
    action = referee.game.decode(body.action)
    acted = act(referee, seat, action, body.remask, body.proof, verify=verify)
    deck = present(acted.deck)
    owed = () if acted.over else deck.owed(seat)
    if len(body.shares) != (1 if owed else 0):
        raise Malformed(f"A move that owes shares for {len(owed)} cards gives {len(body.shares)} lists of them.")
    if not owed:
        return acted
    return replace(acted, deck=take_shares(deck, seat, body.shares[0], verify=verify))


def act(
    referee: Referee[S, A], seat: Seat, action: A, remask: tuple[bytes, ...], proof: tuple[bytes, ...], *, verify: bool
) -> Referee[S, A]:
    """The state after an action with its proofs, before the shares that its author owes after it.

    Raises:
        Malformed, IllegalAction: the proof demanded is missing, surplus or false, or the rules refuse the action.
    """
    state, deck = present(referee.state), present(referee.deck)
    demand = referee.game.demand(state, action)
    if len(proof) != (0 if demand is None else 1) or (remask and not isinstance(demand, Open)):
        raise Malformed("A move with a proof missing or one too many.")
    match demand:
        case Open(card=card):
            deck = take_opening(deck, seat, card, remask, proof[0], verify=verify)
        case Absent(cards=cards):
            if verify:
                check_absent(deck, seat, cards, proof[0])
        case None:
            pass
    state, draws = referee.game.apply(state, action)
    for given in draws:
        deck = draw(deck, given.seat, given.count)
    return replace(referee, state=state, deck=deck)
