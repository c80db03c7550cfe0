"""What a player brings to one game: himself, what he proposes, his secrets, and how he introduces himself with them.

It owns the making of start0 and start1, and what only the two at the table can check of each other's; it knows no chain
and no note. What anybody can check is the referee's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fairdeck.errors import LocalError, Unexpected
from fairdeck.game import A, S, Seat
from fairdeck.group import Group, times_base
from fairdeck.referee import Referee, commitment, present, session_id
from fairdeck.sigma import Rng, prove_key
from fairdeck.sign import SigningKey
from fairdeck.transcript import context, hash64
from fairdeck.wire import ZEROS, Record, Start0, Start1

UNUSED_PROOF: Final = bytes(64)


@dataclass(frozen=True, slots=True)
class Seating:
    """What a player brings to one game.

    Attributes:
        identity: his signing key.
        name: at most 64 bytes of UTF-8.
        exporter: 32 bytes that bind the game to the channel: equal on both sides.
        number: the number of the game in its match, from 1.
        link: 32 bytes that name the previous game of the match; zeros in the first.
        peer: the other player's identity key (32 bytes) where it is known already, as in a rematch.
    """

    identity: SigningKey
    name: str
    exporter: bytes
    number: int = 1
    link: bytes = ZEROS
    peer: bytes | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the host proposes: the options as the game encodes them, who opens, and the date in his words."""

    options: bytes
    opener: int
    date: str
    suite: int = 1


@dataclass(frozen=True, slots=True)
class Kept:
    """What our disk holds of a game that we come back to in a new process.

    Attributes:
        entropy: 64 bytes, as `Session.secrets` gave them.
        nonce: 32 bytes, likewise.
        records: the chain, as signed, in order.
        notes: the notes of both seats, as signed, in the order in which they were saved.
    """

    entropy: bytes
    nonce: bytes
    records: Sequence[bytes] = ()
    notes: Sequence[bytes] = ()

    def __repr__(self) -> str:
        return f"Kept({len(self.records)} records)"  # the game key must not reach a traceback or a log


def game_key(group: Group, entropy: bytes) -> int:
    """The secret x of one seat in one game: uniform in [1, order - 1], from 64 random bytes (SPEC: Own secrets)."""
    return int.from_bytes(hash64("game key", entropy), "little") % (group.order - 1) + 1


def propose(referee: Referee[S, A], seating: Seating, proposal: Proposal, entropy: bytes, nonce: bytes) -> Start0:
    """The host's introduction, which binds him to a game key that nobody sees yet.

    Args:
        referee: the state before the first record.
        seating: who he is, and which game of the match this is.
        proposal: what is to be played.
        entropy: the 64 bytes behind his game key.
        nonce: 32 bytes that hide the key in the commitment.

    Raises:
        LocalError: the group is one that this program does not know.
    """
    if proposal.suite not in referee.suites:
        raise LocalError("A group that this program does not know.")
    group = referee.suites[proposal.suite]
    return Start0(
        suite=proposal.suite,
        cards=referee.game.layout.cards,
        options=proposal.options,
        name=seating.name,
        date=proposal.date,
        vk=seating.identity.public,
        commit=commitment(nonce, times_base(group, game_key(group, entropy)).data),
        exporter=seating.exporter,
        game=seating.number,
        link=seating.link,
        opener=proposal.opener,
    )


def answer(referee: Referee[S, A], seating: Seating, entropy: bytes, nonce: bytes, rng: Rng) -> Start1:
    """The guest's introduction, which completes the session id and proves that he knows his game key.

    Args:
        referee: the state after start0.
        seating: who he is.
        entropy: the 64 bytes behind his game key.
        nonce: his 32 bytes of the session id.
        rng: gives the randomness of the proof.
    """
    x = game_key(referee.group, entropy)
    Y = times_base(referee.group, x)
    vk, name = seating.identity.public, seating.name
    unproven = Start1(name, vk, nonce, Y.data, UNUSED_PROOF)
    ctx = context(session_id(present(referee.start0), unproven), 1, "key")
    return Start1(name, vk, nonce, Y.data, prove_key(ctx, x, Y, rng))


def check_introduction(seating: Seating, seat: Seat, record: Record) -> None:
    """What only the two of us can know: that this game belongs to this channel, this match and these players.

    Args:
        seating: what we bring.
        seat: ours.
        record: found right by the referee; of any kind.

    Raises:
        Unexpected: it introduces somebody else, or another game.
    """
    body = record.body
    if not isinstance(body, (Start0, Start1)):
        return
    if (body.vk == seating.identity.public) != (record.seat == seat):
        raise Unexpected("The other side uses your own identity key, or takes your own seat.")
    if record.seat != seat and seating.peer not in {None, body.vk}:
        raise Unexpected("The other side came back as somebody else.")
    if isinstance(body, Start0):
        if body.exporter != seating.exporter:
            raise Unexpected("A game that belongs to another connection.")
        if (body.game, body.link) != (seating.number, seating.link):
            raise Unexpected("A game that does not follow the last one of this match.")


def check_kept_secrets(referee: Referee[S, A], seat: Seat, kept: Kept) -> None:
    """Demand that our secrets are those of our own introduction, as far as the chain has come.

    Secrets that lie beside the log of another game would make us sign what nobody can follow.

    Raises:
        Unexpected: they are another game's.
    """
    start0, start1 = referee.start0, referee.start1
    if start0 is None:
        return
    Y, ours = times_base(referee.group, game_key(referee.group, kept.entropy)).data, True
    if seat == 0:
        ours = start0.commit == commitment(kept.nonce, Y)
    elif start1 is not None:
        ours = (start1.nonce, start1.Y) == (kept.nonce, Y)
    if not ours:
        raise Unexpected("The secrets beside it belong to another game.")
