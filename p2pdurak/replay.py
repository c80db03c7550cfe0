"""From a saved log to a recording: audited, followed, and every hand that the known game keys open.

It owns which cards may be seen afterwards: both hands once both keys are in the log, our own with our own key.
It does not know how a recording is shown.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeck.audit import Audit, Finding, audit
from fairdeck.group import card_numbers, times_base
from fairdeck.hand import Holder
from fairdeck.notes import End, opened_keys
from fairdeck.referee import Followed, Stage
from fairdeck.seating import game_key
from fairdeck.wire import Move, NoteKind
from p2pdurak.durak import DURAK, LAYOUT
from p2pdurak.files import StoreError
from p2pdurak.recording import Hands, RecordedMove, Recording
from p2pdurak.rules.actions import Action
from p2pdurak.rules.cards import Card
from p2pdurak.rules.engine import apply
from p2pdurak.rules.state import Outcome, Seat, State
from p2pdurak.safe_text import clean, clean_name
from p2pdurak.store import read_log, read_secrets

DATE_CELLS_MAX: Final = 20

VOID: Final = "void"
"""The end of a game whose win was claimed while the step was already on its way."""

Key = int | None
"""A game key, where it is known."""


class ReplayError(Exception):
    """A log that cannot be trusted: the verdict on it, and why."""


class NothingToShowError(Exception):
    """A log that holds no dealt cards: of a game that ended before them, or cut off there."""


def find_log(name: str, folder: list[Path]) -> Path:
    """The log that a player means.

    Args:
        name: a path, `last`, or a part of the name of exactly one saved game.
        folder: the saved logs, oldest first.

    Raises:
        StoreError: there is none, or more than one.
    """
    if name == "last":
        if folder:
            return folder[-1]
        raise StoreError("No game has been saved yet.")
    with suppress(OSError):  # a name that no file can have
        if Path(name).exists():
            return Path(name)
    fitting = [path for path in folder if name in path.name]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        shown = ", ".join(path.name for path in fitting[-4:])
        raise StoreError(f"{len(fitting)} saved games fit {name!r}. Say more of the name, such as {shown}.")
    raise StoreError(f"There is no log {name!r}: neither a file nor a part of the name of a saved game.")


@dataclass(frozen=True, slots=True)
class _Sight:
    """What can be seen with the keys that are known: hands, and stock cards on their way into a hand."""

    holders: tuple[Holder | None, Holder | None]
    stock: tuple[Card | None, ...]

    def hands(self, step: Followed[State, Action]) -> Hands:
        """Both hands after a record."""
        return self._hand(step, 0), self._hand(step, 1)

    def _hand(self, step: Followed[State, Action], seat: Seat) -> tuple[Card, ...] | None:
        deck, state, holder = step.referee.deck, step.referee.state, self.holders[seat]
        if deck is None or state is None:
            return None
        known, hidden = state.hands[seat].known, state.hands[seat].hidden
        if hidden == 0:
            return known
        if holder is None:
            return None
        drawn = (self.stock[card.position - LAYOUT.stock[0]] for card in deck.drawn[seat])
        return tuple(sorted((*known, *map(Card, holder.cards(deck)), *(card for card in drawn if card is not None))))


def load(path: Path, own_keys: Collection[bytes], seat: Seat | None = None, *, proofs: bool = True) -> Recording:
    """Audit a log and follow it.

    Args:
        path: the file.
        own_keys: identity keys of this player, to find his seat.
        seat: show it from this side instead.
        proofs: as for `audit`.

    Raises:
        StoreError: the file cannot be read.
        ReplayError: it cannot be trusted.
        NothingToShowError: the cards were never dealt.
    """
    found = audit(read_log(path), DURAK, proofs=proofs)
    if not found.finding.readable:
        raise ReplayError(f"{found.finding.value}: {found.checks[-1].text}")
    return recording(found, _keys(found, path) if proofs else (None, None), own_keys, seat)


def recording(
    found: Audit[State, Action], keys: tuple[Key, Key], own_keys: Collection[bytes], seat: Seat | None
) -> Recording:
    """The recording of an audited log.

    Args:
        found: the audit; hands are opened only where it has checked the proofs.
        keys: the game keys to open hands with, by seat.
        own_keys: identity keys of this player, to find his seat.
        seat: show it from this side instead.

    Raises:
        NothingToShowError: the cards were never dealt.
    """
    steps = [step for step in found.steps if step.referee.stage is Stage.PLAY]
    last = found.referee
    start = steps[0].referee.state if steps else None
    if start is None or last is None or last.start0 is None or last.start1 is None:
        torn = found.finding is Finding.TORN
        whole = "The game ended before the cards were dealt."
        raise NothingToShowError("The file is cut off before the cards were dealt." if torn else whole)
    stock = _stock(steps, keys)
    sight = _Sight(_holders(keys), stock)
    verdict = found.verdict
    viewpoint = seat if seat is not None else _own_seat((last.start0.vk, last.start1.vk), own_keys)
    return Recording(
        names=(clean_name(last.start0.name), clean_name(last.start1.name)),
        keys=(last.start0.vk.hex(), last.start1.vk.hex()),
        date=clean(last.start0.date, DATE_CELLS_MAX),
        number=last.start0.game,
        sid=last.sid.hex(),
        head=last.head.hex(),
        options=start.options,
        start=start,
        dealt=sight.hands(steps[0]),
        stock=stock,
        moves=tuple(_moves(steps, sight)),
        result=Outcome(verdict.winner, verdict.loser) if verdict.final else None,
        end=VOID if void_claim(found) is not None else verdict.end.value,
        finding=found.finding.value,
        seat=viewpoint,
    )


def void_claim(found: Audit[State, Action]) -> Seat | None:
    """Whose claim the chain has overtaken: it ended the game, and counts for nobody."""
    if found.verdict.end is not End.RUNNING or found.referee is None:
        return None
    seen = found.referee.seq
    claims = (note.seat for note in found.notes if note.kind is NoteKind.CLAIM and note.seq < seen)
    return next(claims, None)


def _keys(found: Audit[State, Action], path: Path) -> tuple[Key, Key]:
    """The game keys that the log or our own secrets give, each the one that the log is about."""
    opened: list[Key] = list(opened_keys(found.notes))
    secrets, referee = read_secrets(path), found.referee
    if secrets is not None and referee is not None and referee.start0 is not None and opened[secrets.seat] is None:
        x = game_key(referee.group, secrets.entropy)
        if times_base(referee.group, x) == referee.keys[secrets.seat]:  # else it is the file of another game
            opened[secrets.seat] = x
    return opened[0], opened[1]


def _holders(keys: tuple[Key, Key]) -> tuple[Holder | None, Holder | None]:
    made = [None if x is None else Holder(seat, x, bytes) for seat, x in enumerate(keys)]
    return made[0], made[1]


def _own_seat(keys: tuple[bytes, bytes], own: Collection[bytes]) -> Seat:
    return 1 if keys[1] in own and keys[0] not in own else 0


def _moves(steps: list[Followed[State, Action]], sight: _Sight) -> list[RecordedMove]:
    moves = []
    before = steps[0].referee.state
    for step in steps[1:]:
        after, body = step.referee.state, step.record.body
        if isinstance(body, Move) and step.action is not None and before is not None and after is not None:
            moves.append(
                RecordedMove(
                    n=step.record.seq,
                    seat=step.record.seat,
                    action=step.action,
                    auto=body.auto,
                    think_ms=body.think_ms,
                    after=after,
                    bout_end=apply(before, step.action).bout_end,
                    hands=sight.hands(step),
                )
            )
        before = after
    return moves


def _stock(steps: list[Followed[State, Action]], keys: tuple[Key, Key]) -> tuple[Card | None, ...]:
    """The face-down talon: all of it with both keys, else what the owner of a known key could see of his draws."""
    deck = steps[0].referee.deck
    if deck is None:
        return ()
    numbers = card_numbers(deck.group, len(deck.cards))
    if keys[0] is not None and keys[1] is not None:
        x = keys[0] + keys[1]
        masked = [deck.cards[position] for position in LAYOUT.stock]
        return tuple(Card(numbers[(one.C2 - x * one.C1).data]) for one in masked)
    places = {deck.cards[position].C1.data: i for i, position in enumerate(LAYOUT.stock)}
    seen: list[Card | None] = [None] * len(places)
    for step in steps:
        dealt = step.referee.deck
        for seat, key in enumerate(keys):
            if key is None or dealt is None:
                continue
            for entry in dealt.hands[seat]:
                place = places.get(entry.A.data)
                if place is not None and seen[place] is None:
                    seen[place] = Card(numbers[(entry.B - key * entry.A).data])
    return tuple(seen)
