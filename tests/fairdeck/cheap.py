"""A group without secrets for fast tests, seeded randomness, and two sessions that play each other.

It owns the test-only suite 0 and the table of two honest players; it knows no cheater (those are in `forge`).

In the integers modulo the order every logarithm is plain to see, so nothing is hidden and anything can be forged. But
all formulas are the same, and they run at Python's speed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha512
from typing import Final

from fairdeck.game import Seat
from fairdeck.group import SUITES, Group
from fairdeck.referee import OPENER_COIN, Referee, present
from fairdeck.seating import Proposal, Seating
from fairdeck.session import Session
from fairdeck.sign import SigningKey
from fairdeck.wire import Kind, Move, NoteKind, decode_record
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Action, Attack, Beat, Done, Take
from p2pdurak.rules.match import Match, next_opener
from p2pdurak.rules.options import CLASSIC, FirstAttacker, Options, format_options
from p2pdurak.rules.state import Phase, State
from p2pdurak.rules.view import View, lowest_lead


class Integers:
    """The integers modulo the order of the real group, under addition; the base point is 1."""

    suite_id: Final = 0
    order: Final = 2**252 + 27742317777372353535851937790883648493
    identity: Final = bytes(32)

    def is_element(self, data: bytes) -> bool:
        return 0 < int.from_bytes(data, "little") < self.order

    def add_encoded(self, p: bytes, q: bytes) -> bytes:
        return self._encode(int.from_bytes(p, "little") + int.from_bytes(q, "little"))

    def sub_encoded(self, p: bytes, q: bytes) -> bytes:
        return self._encode(int.from_bytes(p, "little") - int.from_bytes(q, "little"))

    def mul_encoded(self, s: int, p: bytes) -> bytes:
        return self._encode(s * int.from_bytes(p, "little"))

    def mul_base(self, s: int) -> bytes:
        return self._encode(s)

    def map_uniform(self, data: bytes) -> bytes:
        return self._encode(int.from_bytes(sha512(data).digest(), "little"))

    def _encode(self, value: int) -> bytes:
        return (value % self.order).to_bytes(32, "little")


CHEAP: Final = Integers()
CHEAP_SUITES: Final[Mapping[int, Group]] = {CHEAP.suite_id: CHEAP}


class SeededRng:
    """SHA-512 in counter mode: the same seed gives the same bytes for ever."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._counter = 0

    def __call__(self, count: int) -> bytes:
        out = b""
        while len(out) < count:
            out += sha512(self._seed + b"/" + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
        return out[:count]

    def below(self, limit: int) -> int:
        return int.from_bytes(self(16), "big") % limit


HOST: Final = SigningKey.from_seed(b"host" * 8)
GUEST: Final = SigningKey.from_seed(b"guestkey" * 4)
IDENTITIES: Final = (HOST, GUEST)
EXPORTER: Final = bytes(range(32))

DurakSession = Session[State, Action]
DurakReferee = Referee[State, Action]
Policy = Callable[[View], Action]


def lowest(view: View) -> Action:
    """Play the cheapest card that may be played, and throw in whatever fits."""
    actions = view.legal_actions()
    if view.state.phase is Phase.QUESTION:
        return view.answer()
    cards = [action.card for action in actions if isinstance(action, (Attack, Beat))]
    if not cards:
        return Take() if view.state.phase is Phase.DEFEND else Done()
    card = lowest_lead(cards, view.state.trump)
    return Beat(card) if view.state.phase is Phase.DEFEND else Attack(card)


def randomly(seed: str) -> Policy:
    """Play any legal action; the same seed plays the same game."""
    rng = SeededRng(seed)

    def choose(view: View) -> Action:
        actions = view.legal_actions()
        return actions[rng.below(len(actions))]

    return choose


def view_of(session: DurakSession) -> View:
    """The game as this session's player sees it."""
    state = present(session.state)
    hand = (*state.hands[session.seat].known, *session.hidden_cards)
    return View(session.seat, state, tuple(sorted(hand)))  # type: ignore[arg-type]


@dataclass(slots=True)
class Pair:
    """Two honest sessions, and every record with the public state before it.

    Attributes:
        seats: host and guest.
        before: the referee before each record of the chain.
    """

    seats: tuple[DurakSession, DurakSession]
    before: list[DurakReferee] = field(default_factory=list)

    @property
    def host(self) -> DurakSession:
        return self.seats[0]

    @property
    def guest(self) -> DurakSession:
        return self.seats[1]

    @property
    def records(self) -> list[bytes]:
        return self.host.records

    @property
    def referee(self) -> DurakReferee:
        return self.host.referee

    @property
    def mover(self) -> DurakSession:
        """The session that owes the next record."""
        return self.seats[present(self.referee.owed).seat]

    def make(self, policy: Policy = lowest) -> bytes:
        """The next record, made by whoever owes it and not delivered yet."""
        session = self.mover
        self.before.append(session.referee)
        if session.owes_step:
            return session.step()
        return session.act(policy(view_of(session)))

    def step(self, policy: Policy = lowest) -> bytes:
        """One record from the one to the other."""
        session = self.mover
        data = self.make(policy)
        self.seats[1 - session.seat].receive(data)
        return data

    def play(self, policy: Policy = lowest, until: Callable[[Pair], bool] = lambda _: False) -> Pair:
        """Play until the end, or until `until` is true."""
        while not self.referee.over and not until(self):
            self.step(policy)
        return self

    def note(self, seat: Seat, kind: NoteKind, body: bytes = b"") -> bytes:
        """A note from one to the other."""
        data = self.seats[seat].note(kind, body)
        self.seats[1 - seat].receive_note(data)
        return data

    def open_both(self) -> None:
        """Both show their keys at the end of the game."""
        for seat in (0, 1):
            self.seats[1 - seat].receive_note(self.seats[seat].open_note())

    def at(self, kind: Kind, nth: int = 0, having: Callable[[Move], bool] = lambda _: True) -> int:
        """The place of the nth record of a kind; of moves, only those `having` something."""
        places = []
        for place, data in enumerate(self.records):
            body = decode_record(data).body
            if decode_record(data).kind is kind and (not isinstance(body, Move) or having(body)):
                places.append(place)
        return places[nth]


def sit_down(
    seed: str = "a game",
    *,
    options: Options = CLASSIC,
    opener: int = 2,
    suite: int = 0,
    suites: Mapping[int, Group] | None = None,
) -> Pair:
    """Two sessions before their first record; the guest accepts whatever is proposed.

    Who opens otherwise than the options say for a first game does so in the second one of a match; a coin is always
    in the options.
    """
    if opener == OPENER_COIN:
        options = replace(options, first_attacker=FirstAttacker.COIN)
    known = suites if suites is not None else (CHEAP_SUITES if suite == 0 else SUITES)
    match = {} if opener == next_opener(options, Match()).value else {"number": 2, "link": b"link" * 8}
    proposal = Proposal(format_options(options).encode(), opener, "2026-11-30", suite)
    host = Session(DURAK, 0, seating(0, **match), SeededRng(f"{seed}/host"), proposal, known)
    guest = Session(DURAK, 1, seating(1, **match), SeededRng(f"{seed}/guest"), None, known)
    guest.accept()
    return Pair((host, guest))


def seating(seat: Seat, **changes: object) -> Seating:
    """What a player of these tests brings along."""
    brought: dict[str, object] = {"identity": IDENTITIES[seat], "name": ("Mira", "Oleg")[seat], "exporter": EXPORTER}
    return Seating(**(brought | changes))  # type: ignore[arg-type]


def dealt(pair: Pair) -> bool:
    """Whether the rules have begun."""
    return pair.referee.state is not None


def in_bout(pair: Pair) -> bool:
    """Whether the opener is known, so that cards are played."""
    return dealt(pair) and present(pair.referee.state).phase is not Phase.QUESTION
