"""Runs a file of rule cases: positions with moves and the right outcome.

It owns the form of such a file and the verdict on each case; it refuses to know the rules themselves.

    python -m p2pdurak.rules.cases FILE

Every case runs in four ways: all cards known or all hidden, the forced `done` played by the runner or not. It passes
only if all four do. Exit code 0: all passed; 1: some failed; 2: the file is no file of cases.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from p2pdurak.rules.actions import Action, Attack, Beat, Done, Take, action_text
from p2pdurak.rules.cards import SUIT_LETTERS, Card, Suit, card_text, parse_card
from p2pdurak.rules.engine import IllegalAction, outcome, position, to_act
from p2pdurak.rules.open_game import OpenGame
from p2pdurak.rules.state import Hand, Phase, Seat, State

SEAT_LETTERS: Final = "AB"
_CASE_KEYS: Final = ("id", "trump", "attacker", "A", "B", "talon", "steps", "expect")
_CASE_NOTES: Final = ("symptom", "source", "note")
_PHASES: Final = ("attack", "defend", "pileon", "over")


class BadFile(Exception):
    """The file does not hold cases of the known form; the text is a sentence that says where."""


# ---- the form of the file ----


@dataclass(frozen=True, slots=True)
class Move:
    """A step of a case: who does what; `refused` if it must be, `if_open` if it is only for a bout that goes on."""

    text: str
    seat: Seat
    word: str
    card: Card | None
    refused: bool
    if_open: bool


Value = str | tuple[str, ...] | None
"""What an expectation compares: sets of cards as sorted tuples of texts."""


@dataclass(frozen=True, slots=True)
class Case:
    """One position with moves and what must hold after them."""

    name: str
    trump: Suit
    attacker: Seat
    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    talon: tuple[Card, ...]
    moves: tuple[Move, ...]
    expect: Mapping[str, Value]


def read_cases(text: str) -> tuple[Case, ...]:
    """Read the text of a cases file.

    Raises:
        BadFile: with a sentence, if it is not of the known form.
    """
    try:
        data = json.loads(text, object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError) as problem:
        raise BadFile(f"this is not JSON: {problem}") from None
    if not isinstance(data, dict) or not set(data) <= {"about", "cases"} or not isinstance(data.get("cases"), list):
        raise BadFile("the file must be one object with `about` and the list `cases`")
    if not data["cases"]:
        raise BadFile("the file holds no cases")
    cases = tuple(_read_case(number, item) for number, item in enumerate(data["cases"], start=1))
    names = [case.name for case in cases]
    for name in names:
        if names.count(name) > 1:
            raise BadFile(f"there are two cases {name}")
    return cases


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"the key {key!r} stands twice in one object")
    return dict(pairs)


def _read_case(number: int, item: object) -> Case:
    if not isinstance(item, dict) or not isinstance(item.get("id"), str):
        raise BadFile(f"case number {number} is no object with an `id`")
    name = item["id"]
    if not (name.isascii() and name.isprintable() and name):
        raise BadFile(f"case number {number} has an `id` that cannot be printed everywhere")
    try:
        _require_keys(item, _CASE_KEYS, _CASE_NOTES)
        hands = (_read_cards(item["A"]), _read_cards(item["B"]))
        case = Case(
            name,
            _read_suit(item["trump"]),
            _read_seat(item["attacker"]),
            hands,
            _read_cards(item["talon"]),
            tuple(_read_move(step) for step in _read_list(item["steps"])),
            _read_expectations(item["expect"]),
        )
        _require_position(case)
    except ValueError as problem:
        raise BadFile(f"case {name}: {problem}") from None
    return case


def _require_position(case: Case) -> None:
    _start(case, known=True)
    cards = (*case.hands[0], *case.hands[1], *case.talon)
    if len(set(cards)) != len(cards):
        raise ValueError("a card lies at two places")


def _require_keys(item: Mapping[str, object], needed: Sequence[str], also: Sequence[str]) -> None:
    missing = [key for key in needed if key not in item]
    unknown = [key for key in item if key not in needed and key not in also]
    if missing or unknown:
        raise ValueError(f"{'missing' if missing else 'unknown'} key {(missing or unknown)[0]!r}")


def _read_text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} should be a text")  # noqa: TRY004 -- one kind of error for a bad file
    return value


def _read_list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError(f"{value!r} should be a list")  # noqa: TRY004 -- one kind of error for a bad file
    return value


def _read_cards(value: object) -> tuple[Card, ...]:
    return tuple(parse_card(word) for word in _read_text(value).split())


def _read_suit(value: object) -> Suit:
    if value not in tuple(SUIT_LETTERS):
        raise ValueError(f"{value!r} is no suit of {SUIT_LETTERS}")
    return Suit(SUIT_LETTERS.index(_read_text(value)))


def _read_seat(value: object) -> Seat:
    if value not in tuple(SEAT_LETTERS):
        raise ValueError(f"{value!r} is no seat: a seat is A or B")
    return SEAT_LETTERS.index(_read_text(value))


def _read_move(value: object) -> Move:
    text = _read_text(value)
    words = text.split()
    refused = words[2:] == ["!"]
    if len(words) != 2 + refused:
        raise ValueError(f"the step {text!r} should be a seat and a card, take, done or done?")
    seat, word = _read_seat(words[0]), words[1]
    if word in ("take", "done", "done?"):
        return Move(text, seat, word.rstrip("?"), None, refused, word == "done?")
    return Move(text, seat, "card", parse_card(word), refused, if_open=False)


def _read_expectations(value: object) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise ValueError("`expect` should be an object")  # noqa: TRY004 -- one kind of error for a bad file
    return {key: _read_expectation(key, item) for key, item in value.items()}


def _read_expectation(key: str, value: object) -> Value:
    """The value in the form of `_observed`: sets of cards sorted, sequences in their order."""
    match key:
        case "A" | "B" | "discard":
            return _card_set(_read_cards(value))
        case "talon":
            return tuple(map(card_text, _read_cards(value)))
        case "table":
            return tuple(_read_pair(item) for item in _read_list(value))
        case "legal":
            return tuple(sorted(_read_legal(item) for item in _read_list(value)))
        case "attacker" | "turn" | "winner" | "durak":
            return None if value is None else SEAT_LETTERS[_read_seat(value)]
        case "phase":
            return _one_of(value, _PHASES)
        case "result":
            return None if value is None else _one_of(value, ("win", "draw"))
        case _:
            raise ValueError(f"unknown expectation {key!r}")


def _one_of(value: object, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise ValueError(f"{value!r} is none of {', '.join(allowed)}")
    return _read_text(value)


def _read_pair(value: object) -> str:
    attack, _, beaten_by = _read_text(value).partition("/")
    return f"{card_text(parse_card(attack))}/{beaten_by if beaten_by == '-' else card_text(parse_card(beaten_by))}"


def _read_legal(value: object) -> str:
    text = _read_text(value)
    return text if text in ("take", "done") else card_text(parse_card(text))


def _card_set(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple(map(card_text, sorted(cards)))


# ---- one case, four ways ----


@dataclass(frozen=True, slots=True)
class Way:
    """One of the four ways to run a case."""

    known: bool
    """All cards are known to both players from the start, or all hidden."""
    auto_done: bool
    """The runner plays a `done` that is the only thing left to do."""

    def __str__(self) -> str:
        cards = "cards known" if self.known else "cards hidden"
        return f"{cards}, forced done {'played' if self.auto_done else 'not played'}"


WAYS: Final = tuple(Way(known, auto_done) for known in (True, False) for auto_done in (True, False))


class Failure(Exception):
    """A case does not hold; the text says where."""


def check(case: Case) -> None:
    """Run a case in all four ways.

    Raises:
        Failure: with one line that names the first way that fails, and how.
    """
    for way in WAYS:
        try:
            _check_way(case, way)
        except Failure as failure:
            raise Failure(f"{case.name} failed ({way}): {failure}") from None


def opened(case: Case, way: Way) -> OpenGame:
    """The position of a case before its first step, with as much known to the rules as this way says."""
    hands = (tuple(sorted(case.hands[0])), tuple(sorted(case.hands[1])))
    return OpenGame(_start(case, known=way.known), hands, case.talon)


def _check_way(case: Case, way: Way) -> None:
    game = opened(case, way)
    for move in case.moves:
        if move.if_open and not game.state.table:
            continue
        game = _stepped(game, move)
        seat = to_act(game.state)
        if way.auto_done and seat is not None and game.view(seat).forced_done:
            game, _ = game.play(seat, Done())
    observed = _observed(game)
    wrong = [
        f"{key} is {_shown(observed[key])}, expected {_shown(value)}"
        for key, value in case.expect.items()
        if observed[key] != value
    ]
    if wrong:
        raise Failure("; ".join(wrong))


def _stepped(game: OpenGame, move: Move) -> OpenGame:
    """The game after a step of the case; the same game after one that had to be refused."""
    try:
        after, _ = game.play(move.seat, _action(game.state, move))
    except IllegalAction as illegal:
        if move.refused:
            return game
        raise Failure(f"step {move.text!r} was refused: {illegal}") from None
    if move.refused:
        raise Failure(f"step {move.text!r} was accepted")
    return after


def _action(state: State, move: Move) -> Action:
    if move.card is not None:
        return Beat(move.card) if state.phase is Phase.DEFEND else Attack(move.card)
    return Take() if move.word == "take" else Done()


def _observed(game: OpenGame) -> dict[str, Value]:
    """Everything that a case may expect, as it is."""
    state, seat, end = game.state, to_act(game.state), outcome(game.state)
    return {
        "A": _card_set(game.hands[0]),
        "B": _card_set(game.hands[1]),
        "discard": _card_set(state.discard),
        "talon": tuple(map(card_text, game.talon)),
        "table": tuple(
            f"{card_text(pair.attack)}/{'-' if pair.beaten_by is None else card_text(pair.beaten_by)}"
            for pair in state.table
        ),
        "legal": tuple(sorted(action_text(action) for action in game.legal_actions())),
        "attacker": SEAT_LETTERS[state.attacker],
        "turn": None if seat is None else SEAT_LETTERS[seat],
        "phase": state.phase.value,
        "result": None if end is None else "draw" if end.winner is None else "win",
        "winner": None if end is None or end.winner is None else SEAT_LETTERS[end.winner],
        "durak": None if end is None or end.durak is None else SEAT_LETTERS[end.durak],
    }


def _shown(value: Value) -> str:
    if isinstance(value, tuple):
        return "[" + " ".join(value) + "]"
    return "none" if value is None else value


def _start(case: Case, *, known: bool) -> State:
    hands = [Hand(cards, 0) if known else Hand((), len(cards)) for cards in case.hands]
    return position(
        case.trump,
        (hands[0], hands[1]),
        case.attacker,
        indicator=case.talon[-1] if case.talon else None,
        talon=len(case.talon),
    )


# ---- the program ----


def main(arguments: Sequence[str]) -> int:
    """Run the file named by the one argument; print a line per failed case and the closing line."""
    if len(arguments) != 1:
        print("usage: python -m p2pdurak.rules.cases FILE", file=sys.stderr)
        return 2
    try:
        cases = read_cases(Path(arguments[0]).read_text(encoding="utf-8"))
    except OSError as problem:
        print(f"{arguments[0]} cannot be read: {problem.strerror}", file=sys.stderr)
        return 2
    except (BadFile, UnicodeDecodeError) as problem:
        print(f"{arguments[0]}: {problem}", file=sys.stderr)
        return 2
    failed = 0
    for case in cases:
        try:
            check(case)
        except Failure as failure:
            failed += 1
            print(failure)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
