"""Recordings of games that were never sealed: dealt, played by the levels and written down in memory.

It owns the way from an open game to a recording; it judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from random import Random

from p2pdurak.bots import LEVELS, dice
from p2pdurak.recording import Hands, RecordedMove, Recording
from p2pdurak.rules.actions import Action
from p2pdurak.rules.cards import DECK, Card
from p2pdurak.rules.engine import outcome, to_act
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import CLASSIC, Options
from p2pdurak.rules.state import Outcome, Phase
from p2pdurak.rules.view import View
from p2pdurak.safe_text import clean_name

HEAD = "ab" * 32

Player = Callable[[View], Action]


def player(level: str, seed: str = "") -> Player:
    """A level with its dice; whoever is asked for the lowest trump answers."""
    return lambda view: (
        view.answer() if view.state.phase is Phase.QUESTION else LEVELS[level](view, dice(f"{seed} {view.seat}", view))
    )


def shuffled(seed: int) -> list[Card]:
    deck = list(DECK)
    Random(seed).shuffle(deck)
    return deck


@cache
def played(
    seed: int, levels: tuple[str, str] = ("medium", "medium"), options: Options = CLASSIC, opener: int | None = None
) -> Recording:
    """A whole game between two levels."""
    players = [player(level, str(seed)) for level in levels]
    return recorded(deal_open(options, shuffled(seed), opener), lambda view: players[view.seat](view))


def recorded(start: OpenGame, choose: Player, moves_max: int = 1000) -> Recording:
    """What is recorded of a game that is played on to its end."""
    game, moves = start, []
    while (seat := to_act(game.state)) is not None and len(moves) < moves_max:
        action = choose(game.view(seat))
        game, step = game.play(seat, action)
        moves.append(RecordedMove(5 + 2 * len(moves), seat, action, False, 0, step.state, step.bout_end, game.hands))
    indicator = start.state.indicator
    return Recording(
        names=(clean_name("Mira"), clean_name("Oleg")),
        keys=("00" * 32, "11" * 32),
        date="2026-11-30",
        number=1,
        sid="22" * 16,
        head=HEAD,
        options=start.state.options,
        start=start.state,
        dealt=start.hands,
        stock=start.talon if indicator is None else start.talon[:-1],
        moves=tuple(moves),
        result=outcome(game.state),
        end="running" if outcome(game.state) is None else "cards",
        finding="ok",
        seat=0,
    )


def scripted(actions: Iterable[Action]) -> Player:
    """Plays what is written down, whoever has the turn."""
    script = iter(actions)
    return lambda _view: next(script)


def resigned(game: Recording, moves: int, seat: int) -> Recording:
    """The game as if `seat` had given it up after so many moves."""
    return replace(game, moves=game.moves[:moves], result=Outcome(1 - seat, seat), end="resign")


def blinded(game: Recording, seat: int) -> Recording:
    """The game as the player at `seat` sees it when the other never shows his key."""

    def sight(hands: Hands, known: Sequence[Card]) -> Hands:
        other = tuple(known)
        return (hands[0], other) if seat == 0 else (other, hands[1])

    def hide(hands: Hands, move: RecordedMove | None) -> Hands:
        state = game.start if move is None else move.after
        hand = state.hands[1 - seat]
        if not hand.hidden:
            return sight(hands, hand.known)
        return (hands[0], None) if seat == 0 else (None, hands[1])

    return replace(
        game,
        dealt=hide(game.dealt, None),
        stock=(None,) * len(game.stock),
        moves=tuple(replace(move, hands=hide(move.hands, move)) for move in game.moves),
    )


def swapped(game: Recording, one: Card, other: Card) -> Recording:
    """The same game with two cards in each other's place, wherever nobody has seen them yet."""
    places = {one: other, other: one}

    def swap(hands: Hands) -> Hands:
        first, second = (None if hand is None else tuple(sorted(places.get(c, c) for c in hand)) for hand in hands)
        return first, second

    return replace(
        game,
        dealt=swap(game.dealt),
        stock=tuple(None if card is None else places.get(card, card) for card in game.stock),
        moves=tuple(replace(move, hands=swap(move.hands)) for move in game.moves),
    )


def open_at(game: Recording, moves: int) -> OpenGame:
    """The game with every card in sight after so many moves."""
    state, (first, second) = game.after(moves)
    if first is None or second is None:
        raise AssertionError("a hand is hidden")
    down = max(0, state.talon - 1)
    stock = tuple(card for card in game.stock if card is not None)
    talon = stock[len(stock) - down :] + (() if state.indicator is None else (state.indicator,))
    return OpenGame(state, (first, second), talon)


def naive(game: OpenGame, known: dict[OpenGame, int]) -> int:
    """What a game is worth to seat 0, by the rules engine and by looking at everything."""
    if game not in known:
        seat, end = to_act(game.state), outcome(game.state)
        if seat is None:
            winner = None if end is None else end.winner
            known[game] = 0 if winner is None else 1 - 2 * winner
        else:
            values = [naive(game.play(seat, action)[0], known) for action in game.legal_actions()]
            known[game] = min(values) if seat else max(values)
    return known[game]
