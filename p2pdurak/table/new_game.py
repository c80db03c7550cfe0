"""A fresh game of a match: its session, its log's name and its place in the match.

It owns how a game is put together from who sits there; it begins nothing and sends nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairdeck.channel import Channel
from fairdeck.seating import Kept, Proposal, Seating
from fairdeck.session import Session
from fairdeck.transcript import hash32
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Action
from p2pdurak.rules.options import Options
from p2pdurak.rules.state import State
from p2pdurak.safe_text import SafeText
from p2pdurak.store import GameLog
from p2pdurak.table.agreement import name_on_the_wire
from p2pdurak.table.chair import Chair, at_once
from p2pdurak.table.clock import Thoughts
from p2pdurak.table.kept_game import KeptGame
from p2pdurak.table.one_game import OneGame
from p2pdurak.table.players import Player, World
from p2pdurak.table.sitting import Sitting


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game stands in its match.

    Attributes:
        number: from 1.
        link: 32 bytes that name the game before; zeros in the first.
        peer_key: the other player's identity key (32 bytes), known from the second game on.
        peer_name: his name, safe to show; empty before he has introduced himself.
    """

    number: int
    link: bytes
    peer_key: bytes | None
    peer_name: SafeText

    def seating(self, player: Player, channel: Channel) -> Seating:
        """What our side brings to it."""
        return Seating(
            identity=player.key,
            name=name_on_the_wire(player.name),
            exporter=hash32("exporter", channel.exporter),
            number=self.number,
            link=self.link,
            peer=self.peer_key,
        )


def new_game(
    sitting: Sitting, thoughts: Thoughts, place: Place, proposal: Proposal | None, saved: Kept | None = None
) -> OneGame:
    """Sit down to the next game, or once more to the one that a dead process of ours has left.

    Args:
        sitting: who plays on our side, and what stands around him.
        thoughts: how long this player takes, over the whole match.
        place: where the game stands in its match.
        proposal: the host's; None for a guest.
        saved: what our disk holds of this very game; None for a new one.

    Raises:
        LocalError: what is saved is not of this game and seat, or is damaged.
    """
    player, world, channel = sitting.player, sitting.world, sitting.channel
    seating = place.seating(player, channel)
    session: Session[State, Action] = Session(DURAK, player.seat, seating, world.rng, proposal, world.suites, saved)
    chair = Chair(
        channel=channel,
        show=world.show,
        new_log=lambda: _new_log(player, world, place.number),
        ask=world.ask or at_once(world.random),
        thoughts=thoughts,
        keep=lambda options: _kept(sitting, options, place.number),
        habits=player.habits,
    )
    names = (player.name, place.peer_name) if player.seat == 0 else (place.peer_name, player.name)
    return OneGame(chair, session, names, place.number)


def _kept(sitting: Sitting, options: Options, number: int) -> dict[str, object] | None:
    """What a new process needs to go on with this game; None where it would not find the table."""
    player = sitting.player
    if player.way_back is None:
        return None
    return KeptGame(
        secret=sitting.secret,
        way=player.way_back,
        name=player.name,
        stem=player.stem,
        number=number,
        link=sitting.link,
        former=sitting.former,
        peer_key=sitting.peer_key,
        peer_name=sitting.peer_name,
        options=options,
        match=sitting.match,
        games=player.games,
        confirm=player.confirm,
        friends_broker=player.friends_broker,
    ).fields()


def _new_log(player: Player, world: World, number: int) -> GameLog:
    role = "host" if player.seat == 0 else "guest"
    return world.store.new_log(f"{world.today():%Y-%m-%d}-{player.stem}-{number}-{role}")
