"""What the host proposes and how the guest looks at it, before anything of a game is kept.

It owns pure decisions about options, opener and pins; it sends nothing and shows nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from fairdeck.limits import NAME_BYTES_MAX
from fairdeck.seating import Proposal
from fairdeck.wire import Start0
from p2pdurak.rules.match import Match, next_opener
from p2pdurak.rules.options import Options, format_options, option_pairs, parse_options
from p2pdurak.table.players import Player


@dataclass(frozen=True, slots=True)
class Fits:
    """A proposal that may be accepted; `ask` says whether the player has to be asked first."""

    options: Options
    ask: bool


@dataclass(frozen=True, slots=True)
class Differs:
    """A proposal against the guest's pins: each name with his value and the host's."""

    values: tuple[tuple[str, str, str], ...]

    def __str__(self) -> str:
        return "; ".join(f"{name}: the guest wants {mine}, the host {theirs}" for name, mine, theirs in self.values)


@dataclass(frozen=True, slots=True)
class Strange:
    """A proposal that no honest program makes in this match."""


def propose(options: Options, match: Match, today: datetime, suite: int) -> Proposal:
    """The host's proposal for the next game of a match."""
    opener = next_opener(options, match).value
    return Proposal(format_options(options).encode("utf-8"), opener, today.strftime("%Y-%m-%dT%H:%M:%SZ"), suite)


def consider(start: Start0, agreed: Options | None, match: Match, player: Player) -> Fits | Differs | Strange:
    """Look at a proposal whose record was found right.

    Args:
        start: the host's first record.
        agreed: the options of this match, from its second game on.
        match: the games so far.
        player: the guest, with what he insists on.
    """
    options = parse_options(start.options.decode("utf-8"))
    if agreed not in {None, options} or next_opener(options, match).value != start.opener:
        return Strange()
    proposed = dict(option_pairs(options))
    differing = tuple((name, value, proposed[name]) for name, value in player.pins if proposed[name] != value)
    if differing:
        return Differs(differing)
    known = agreed is not None or set(proposed) <= {name for name, _ in player.pins}
    return Fits(options, ask=player.ask and not known)


def name_on_the_wire(name: str) -> str:
    """A name cut to what a record may hold, at a whole character."""
    return name.encode("utf-8")[:NAME_BYTES_MAX].decode("utf-8", "ignore")
