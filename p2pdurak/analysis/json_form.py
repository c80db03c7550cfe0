"""An analysis as JSON, for programs and to be kept, and back.

It owns the form and every check of what is read; it knows no file.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, assert_never

import msgspec
from msgspec import Meta, Struct

from p2pdurak.analysis.report import Analysis, Depth, Exact, MoveReport
from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take, action_word
from p2pdurak.rules.cards import Card, card_text, parse_card

FORMAT: Final = "p2pdurak analysis 1"

_Chance = Annotated[float, Meta(ge=0, le=1)]
_Count = Annotated[int, Meta(ge=0, le=1 << 32)]


class _Do(Struct, frozen=True, forbid_unknown_fields=True):
    """An action: its word, and its cards as two letters each."""

    do: Literal["attack", "beat", "take", "done", "show", "deny"]
    cards: tuple[str, ...]


class _Move(Struct, frozen=True, forbid_unknown_fields=True):
    n: _Count
    index: _Count
    seat: Literal[0, 1]
    action: _Do
    forced: bool
    chance_seen: _Chance | None
    chance_known: _Chance | None
    exact_before: Exact | None
    exact_after: Exact | None
    best: _Do | None
    gain: _Chance | None
    turning: bool
    blunder: bool


class _Analysis(Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["p2pdurak analysis 1"]
    head: str
    depth: Depth
    version: _Count
    start_chance: _Chance | None
    moves: tuple[_Move, ...]


def to_json(analysis: Analysis) -> str:
    """The analysis as one JSON object on one line."""
    value = _Analysis(
        FORMAT,
        analysis.head,
        analysis.depth,
        analysis.version,
        analysis.start_chance,
        tuple(map(_written, analysis.moves)),
    )
    return msgspec.json.encode(value).decode("utf-8")


def from_json(data: bytes) -> Analysis:
    """Read an analysis; the inverse of `to_json`.

    Raises:
        ValueError: it is none, of another form, or damaged.
    """
    value = msgspec.json.decode(data, type=_Analysis)  # its errors are ValueErrors
    moves = tuple(map(_read, value.moves))
    return Analysis(value.head, value.depth, value.version, value.start_chance, moves)


def _written(move: MoveReport) -> _Move:
    return _Move(
        move.n,
        move.index,
        0 if move.seat == 0 else 1,
        _do(move.action),
        move.forced,
        move.chance_seen,
        move.chance_known,
        move.exact_before,
        move.exact_after,
        None if move.best is None else _do(move.best),
        move.gain,
        move.turning,
        move.blunder,
    )


def _read(move: _Move) -> MoveReport:
    return MoveReport(
        move.n,
        move.index,
        move.seat,
        _action(move.action),
        move.forced,
        move.chance_seen,
        move.chance_known,
        move.exact_before,
        move.exact_after,
        None if move.best is None else _action(move.best),
        move.gain,
        move.turning,
        move.blunder,
    )


def _do(action: Action) -> _Do:
    cards: tuple[Card, ...]
    match action:
        case Attack(card) | Beat(card) | Show(card):
            cards = (card,)
        case Deny(denied):
            cards = denied
        case Take() | Done():
            cards = ()
        case _:
            assert_never(action)
    return _Do(action_word(action), tuple(map(card_text, cards)))  # type: ignore[arg-type]


def _action(value: _Do) -> Action:
    cards = tuple(map(parse_card, value.cards))
    match value.do, cards:
        case "attack", (card,):
            return Attack(card)
        case "beat", (card,):
            return Beat(card)
        case "show", (card,):
            return Show(card)
        case "deny", _:
            return Deny(cards)
        case "take", ():
            return Take()
        case "done", ():
            return Done()
        case _:
            raise ValueError(f"{value.do!r} with {len(cards)} cards is no action")
