"""A recording as text or JSON, for people and programs that do not have this one.

It owns the JSON form; the text is the rules' own notation. Neither proves anything: only `verify` on the log does.
"""

from __future__ import annotations

import json

from p2pdurak.recording import Hands, RecordedMove, Recording
from p2pdurak.rules.actions import Attack, Beat, Deny, Show, action_word
from p2pdurak.rules.cards import Card, card_text
from p2pdurak.rules.notation import format_game
from p2pdurak.rules.options import option_pairs

FORMAT = "p2pdurak game 1"


def to_text(game: Recording) -> str:
    """The game in the record text of `rules.notation`."""
    return format_game(game.record())


def to_json(game: Recording) -> str:
    """The game as one JSON object; cards are two letters, hands that cannot be seen are null."""
    value = {
        "format": FORMAT,
        "names": list(game.names),
        "keys": list(game.keys),
        "date": game.date,
        "game": game.number,
        "session": game.sid,
        "head": game.head,
        "verdict": game.finding,
        "options": dict(option_pairs(game.options)),
        "indicator": None if game.start.indicator is None else card_text(game.start.indicator),
        "hands": _hands(game.dealt),
        "talon": [None if card is None else card_text(card) for card in game.stock],
        "moves": [_move(move) for move in game.moves],
        "end": game.end,
        "winner": None if game.result is None else game.result.winner,
        "durak": None if game.result is None else game.result.durak,
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _move(move: RecordedMove) -> dict[str, object]:
    value: dict[str, object] = {"n": move.n, "seat": move.seat, "do": action_word(move.action)}
    match move.action:
        case Attack(card) | Beat(card) | Show(card):
            value["card"] = card_text(card)
        case Deny(cards):
            value["cards"] = _cards(cards)
        case _:
            value["card"] = None
    value |= {"auto": move.auto, "think_ms": move.think_ms, "talon": move.after.talon, "hands": _hands(move.hands)}
    if move.bout_end is not None:
        value["bout"] = move.bout_end.outcome.value
    return value


def _hands(hands: Hands) -> list[list[str] | None]:
    return [None if cards is None else _cards(cards) for cards in hands]


def _cards(cards: tuple[Card, ...]) -> list[str]:
    return [card_text(card) for card in cards]
