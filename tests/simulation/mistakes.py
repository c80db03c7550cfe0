"""Faults put into the program on purpose, to see whether the simulator finds them.

It owns a patch for each mistake, and which invariant that breaks in what kind of run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from fairdeck import epochs, sealing, streams
from fairdeck.channel import Channel
from fairdeck.log import Tag
from fairdeck.packets import Post
from fairdeck.sealing import Epoch, StrayPacketError
from fairdeck.session import Session
from fairdeck.streams import PostArrived, RecordArrived
from tests.simulation.bulk import Kind
from tests.simulation.process import Process
from tests.simulation.watch import Invariant


class Patch(Protocol):
    """pytest's monkeypatch, as far as it is needed here."""

    def setattr(self, target: object, name: str, value: object) -> None:
        """Replace an attribute until the test is over."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A fault of the program.

    Attributes:
        name: what is wrong, in words.
        kind: of the run that shows it.
        breaks: the invariant that it breaks there.
        make: makes the mistake.
    """

    name: str
    kind: Kind
    breaks: Invariant
    make: Callable[[Patch], None]


def sends_before_it_writes(patch: Patch) -> None:
    def commit(self: Process[Any, Any], record: bytes, now: float) -> None:
        self.channel.append(record, now)
        self._flush(now)
        self._around.may_die("between sending a record and storing it")
        self._store(Tag.RECORD, record)

    patch.setattr(Process, "_commit", commit)


def acknowledges_before_it_writes(patch: Patch) -> None:
    def take(self: Process[Any, Any], seq: int, record: bytes, now: float) -> None:
        self.session.receive(record)
        self.channel.append(record, now)
        self._flush(now)
        self._store(Tag.RECORD, record)

    patch.setattr(Process, "_take_record", take)


def signs_before_it_has_heard_the_peer(patch: Patch) -> None:
    patch.setattr(Session, "reconciled", property(lambda _: True))


def hands_out_records_again(patch: Patch) -> None:
    patch.setattr(streams.Records, "_compare", lambda _self, seq, record: [RecordArrived(seq, record)])


def hands_out_posts_again(patch: Patch) -> None:
    right = streams.Posts.arrive

    def arrive(self: streams.Posts, post: Post) -> list[PostArrived]:
        again = post.boot == self.their_boot and post.n < self.their_next
        return [PostArrived(post.kind, post.body)] if again else right(self, post)

    patch.setattr(streams.Posts, "arrive", arrive)


def repeats_nothing(patch: Patch) -> None:
    patch.setattr(Channel, "_rewind", lambda _: None)


def does_not_count(patch: Patch) -> None:
    right = Epoch.seal

    def seal(self: Epoch, message: bytes) -> bytes:
        packet = right(self, message)
        self._counter = 0
        return packet

    patch.setattr(Epoch, "seal", seal)


def offers_the_same_again(patch: Patch) -> None:
    right = epochs.Epochs.hear_hello

    def hear(self: epochs.Epochs, packet: bytes, now: float) -> None:
        offer = self._offer
        right(self, packet, now)
        self._offer = self._offer or offer

    patch.setattr(epochs.Epochs, "hear_hello", hear)


def opens_replays(patch: Patch) -> None:
    patch.setattr(Epoch, "_was_seen", lambda _self, _counter: False)


def lets_forgeries_move_the_window(patch: Patch) -> None:
    right = Epoch.open

    def opened(self: Epoch, packet: bytes) -> bytes:
        try:
            return right(self, packet)
        except StrayPacketError:
            counter = int.from_bytes(packet[18:26], "big")
            if not self._was_seen(counter):
                self._note(counter)
            raise

    patch.setattr(Epoch, "open", opened)


def has_one_key_for_both_directions(patch: Patch) -> None:
    right = sealing._derive

    def derive(secret: bytes, label: str, size: int = 32, salt: bytes | None = None) -> bytes:
        return right(secret, label.replace("channel key 1", "channel key 0"), size, salt)

    patch.setattr(sealing, "_derive", derive)


MISTAKES: Final = (
    Mistake("sends before it writes", Kind.SAFETY, Invariant.WRITE_AHEAD, sends_before_it_writes),
    Mistake("acknowledges before it writes", Kind.SAFETY, Invariant.WRITE_AHEAD, acknowledges_before_it_writes),
    Mistake("signs before it has heard the peer", Kind.SAFETY, Invariant.PREFIX, signs_before_it_has_heard_the_peer),
    Mistake("hands out records again", Kind.SAFETY, Invariant.ONCE, hands_out_records_again),
    Mistake("hands out posts again", Kind.SAFETY, Invariant.ONCE, hands_out_posts_again),
    Mistake("repeats nothing", Kind.LIVENESS, Invariant.ENDS, repeats_nothing),
    Mistake("does not count its packets", Kind.SAFETY, Invariant.NONCE, does_not_count),
    Mistake("offers the same nonce again", Kind.SAFETY, Invariant.NONCE, offers_the_same_again),
    Mistake("opens replays", Kind.SAFETY, Invariant.REPLAY, opens_replays),
    Mistake("lets forgeries move the window", Kind.LIVENESS, Invariant.ENDS, lets_forgeries_move_the_window),
    Mistake("has one key for both directions", Kind.SAFETY, Invariant.NONCE, has_one_key_for_both_directions),
)
