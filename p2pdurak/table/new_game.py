"""A fresh game of a match: its session, its log's name and its place in the match.

It owns how a game is put together from who sits there; it begins nothing and sends nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairdeck.channel import Channel
from fairdeck.session import Proposal, Seating, Session
from fairdeck.transcript import hash32
from p2pdurak.durak import DURAK
from p2pdurak.rules.actions import Action
from p2pdurak.rules.state import State
from p2pdurak.safe_text import SafeText
from p2pdurak.store import GameLog
from p2pdurak.table.agreement import name_on_the_wire
from p2pdurak.table.chair import Chair, at_once
from p2pdurak.table.clock import Thoughts
from p2pdurak.table.one_game import OneGame
from p2pdurak.table.players import Player, World


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


def new_game(
    player: Player, world: World, channel: Channel, thoughts: Thoughts, place: Place, proposal: Proposal | None
) -> OneGame:
    """Sit down to the next game.

    Args:
        player: who plays on our side.
        world: store, listener, randomness.
        channel: the line to the other side.
        thoughts: how long this player takes, over the whole match.
        place: where the game stands in its match.
        proposal: the host's; None for a guest.
    """
    seating = Seating(
        identity=player.key,
        name=name_on_the_wire(player.name),
        exporter=hash32("exporter", channel.exporter),
        number=place.number,
        link=place.link,
        peer=place.peer_key,
    )
    session: Session[State, Action] = Session(DURAK, player.seat, seating, world.rng, proposal, world.suites)
    chair = Chair(
        channel=channel,
        show=world.show,
        new_log=lambda: _new_log(player, world, place.number),
        ask=world.ask or at_once(world.random),
        thoughts=thoughts,
        habits=player.habits,
    )
    names = (player.name, place.peer_name) if player.seat == 0 else (place.peer_name, player.name)
    return OneGame(chair, session, names, place.number)


def _new_log(player: Player, world: World, number: int) -> GameLog:
    role = "host" if player.seat == 0 else "guest"
    return world.store.new_log(f"{world.today():%Y-%m-%d}-{player.stem}-{number}-{role}")
