"""What the table tells whoever sits at it, and what a player can ask of the table.

It owns the vocabulary between the driver and every user interface (line mode, JSON, the full screen, bots).
It knows no terminal, no protocol bytes and no network; text from the peer is already safe when it is in here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from p2pdurak.rules.actions import Action
from p2pdurak.rules.cards import Card
from p2pdurak.rules.match import Opener as OpensBy
from p2pdurak.rules.state import BoutOutcome
from p2pdurak.rules.view import View
from p2pdurak.safe_text import SafeText

Seat = int

Names = tuple[SafeText, SafeText]
"""What the players are called, by seat."""


class Link(Enum):
    """How the peer's side of the line looks from here."""

    UP = "up"
    SLOW = "slow"
    DOWN = "down"
    OWN_DOWN = "own_down"


class Reason(Enum):
    """Why a game ended."""

    CARDS = "cards"
    RESIGN = "resign"
    CLAIMED = "claimed"
    LEFT = "left"
    CHEAT = "cheat"
    DESYNC = "desync"
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class Broker:
    """The broker answered; `address` is how it was named, `round_trip_ms` its own echo time if measured."""

    address: str
    round_trip_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Code:
    """A code to read out; `join` is the whole line that the friend types."""

    code: str
    join: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something takes longer than expected; `text` says what and what can be done."""

    text: str


@dataclass(frozen=True, slots=True)
class WrongTry:
    """Somebody tried a wrong code at this host; `left` tries remain before a fresh code is made."""

    left: int


@dataclass(frozen=True, slots=True)
class Peer:
    """The friend is here: name, identity key (hex), safety words that both sides can compare."""

    name: SafeText
    key: str
    safety: str


@dataclass(frozen=True, slots=True)
class Knock:
    """The friend waits to be let in: the host answers with Accept, or with Decline, which ends it without a game."""

    name: SafeText
    safety: str


@dataclass(frozen=True, slots=True)
class Offer:
    """The options of the game that starts; the guest answers with Accept or Decline where `ask` is set."""

    options: tuple[tuple[str, str], ...]
    ask: bool


@dataclass(frozen=True, slots=True)
class Shuffling:
    """A stage of the deal: `who` is `you` or the peer's name, `proofs` of 2 shuffle proofs verified so far."""

    who: SafeText
    proofs: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """Own six cards and the indicator are known. `game` counts the games of this match from 1."""

    game: int
    seat: Seat
    names: Names
    hand: tuple[Card, ...]
    indicator: Card
    view: View


@dataclass(frozen=True, slots=True)
class Opener:
    """Who attacks first, and the card that was shown to find it out, if any."""

    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class Turn:
    """`seat` has to act; `view` is ours, `seconds` the clock of the mover (0: none)."""

    seat: Seat
    view: View
    seconds: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A move of either seat was made; `n` is its number in the chain, `auto` says the clock played it."""

    n: int
    seat: Seat
    action: Action
    auto: bool
    view: View


@dataclass(frozen=True, slots=True)
class Drew:
    """Cards that we drew and can now see."""

    cards: tuple[Card, ...]
    view: View


@dataclass(frozen=True, slots=True)
class Bout:
    """A bout ended and both refilled; card counts after that."""

    outcome: BoutOutcome
    attacker: Seat
    hands: tuple[int, int]
    talon: int


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint that we asked for: what a bot would play in our place, which sees our `view` and no more.

    `value` is what that is worth for certain, against a player who makes no mistake: 1 a win, 0 a draw, -1 a defeat;
    None where it is not known. `trials` is how many deals of the hidden cards every move was tried in; 1 where both
    hands are known and the ending is too long to be worked out, 0 where nothing was tried.
    """

    action: Action
    view: View
    value: int | None
    trials: int


@dataclass(frozen=True, slots=True)
class Said:
    """A chat line of either seat."""

    seat: Seat
    text: SafeText


@dataclass(frozen=True, slots=True)
class LinkState:
    """The line to the peer changed.

    `silent_s` is how long he has not been heard, `claim_in_s` counts down to the moment a claim may be made, and
    `attempt` counts our own tries to return to the broker.
    """

    state: Link
    rtt_ms: int | None
    claim_in_s: int | None = None
    silent_s: int = 0
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Late:
    """The peer is over the clock; `claimable` when the win may be claimed."""

    seat: Seat
    seconds: int
    claimable: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """A command that cannot be done now, with the reason in a sentence."""

    command: str
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """The game is over. `durak` is None for a draw and for a game without a result.

    `outcome` is `win`, `loss`, `draw` or `none`; `by` is who left, claimed or cheated where that ended it. `hands` are
    the cards left, None where they were never shown. `score` counts the duraks of seat 0 and seat 1 in this match so
    far, and its draws. `more` says whether a rematch can be asked for, and
    `next_opener` how it is settled who attacks first in it.
    """

    outcome: str
    durak: Seat | None
    reason: Reason
    names: Names
    seat: Seat
    log: str
    head: str
    verified: bool
    hands: tuple[tuple[Card, ...] | None, tuple[Card, ...] | None]
    score: tuple[int, int, int]
    more: bool
    by: Seat | None = None
    next_opener: OpensBy | None = None


@dataclass(frozen=True, slots=True)
class Again:
    """A seat asks for a rematch: the peer asks us, or we have asked him."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something went wrong and cannot be mended by itself; `accused` where a seat is proven to have cheated."""

    kind: str
    message: str
    accused: Seat | None = None
    evidence: str | None = None


Event = (
    Broker | Code | Waiting | WrongTry | Peer | Knock | Offer | Shuffling | Dealt | Opener | Turn | Moved | Drew
    | Bout | Advice | Said | LinkState | Late | Refused | Result | Again | Trouble
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Play:
    """Play this action, which the view listed as legal."""

    action: Action


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up: complete, and the resigner is the durak."""


@dataclass(frozen=True, slots=True)
class Say:
    """Send a chat line."""

    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """Note that the peer is gone and the win is claimed."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Play again with the same friend."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept the offered options, or let the friend in who knocks."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline the offered options, or do not let the friend in, and leave."""


Command = Play | Resign | Say | Claim | Rematch | Leave | Accept | Decline
