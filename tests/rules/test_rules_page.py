"""docs/rules.md says what the code does."""

from pathlib import Path

import pytest

from p2pdurak.rules.cards import card_text
from p2pdurak.rules.engine import to_act
from p2pdurak.rules.notation import format_game, parse_game
from p2pdurak.rules.open_game import OpenGame
from p2pdurak.rules.options import CLASSIC, NAMED, OPTION_NAMES, differences, option_pairs, set_option
from p2pdurak.rules.records import from_moves, to_moves
from tests.rules.games import at, cards

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
RULES = Path(__file__).parents[2] / "p2pdurak" / "rules"

ATTACKER, DEFENDER, TALON = "7c 9d 9s Kc", "9c Jd Qs As 6h", "8d 8s Ah"
ENDINGS = [line.strip() for line in PAGE.splitlines() if line.startswith("    1. 0> ")]


def rows(first_cell: str) -> list[list[str]]:
    """The rows of the table whose head begins with this cell."""
    table = PAGE.split(f"| {first_cell} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip().replace("`", "") for cell in row.strip("|").split("|")] for row in table]


def replayed(bout: str) -> tuple[OpenGame, str]:
    """The worked bout played through, and its line as the code writes it."""
    start = OpenGame(
        at("h", f"{ATTACKER}", f"{DEFENDER}", indicator="Ah", talon=3),
        (tuple(sorted(cards(ATTACKER))), tuple(sorted(cards(DEFENDER)))),
        cards(TALON),
    )
    moves = to_moves(parse_game(f"deal Ah {{0, 1}}\nfirst seat 0\n{bout}\n*\n"))
    game = start
    for seat, action, _ in moves:
        game, _ = game.play(seat, action)
    record = from_moves([], start.state, moves, stock=start.talon)
    return game, format_game(record).splitlines()[2]


def test_both_endings_of_the_worked_bout_can_be_played():
    beaten, pickup = ENDINGS
    game, line = replayed(beaten)
    assert line == beaten
    assert len(game.state.discard) == 6
    assert [sorted(map(card_text, hand)) for hand in game.hands] == [["8d", "8s", "Ah", "Kc"], ["As", "Qs"]]
    assert to_act(game.state) == 1
    game, line = replayed(pickup)
    assert line == pickup
    assert game.state.discard == ()
    assert len(game.hands[1]) == 8
    assert set(cards("7c 9c 9d 9s")) <= set(game.hands[1])
    assert len(game.hands[0]) == 4
    assert to_act(game.state) == 0


def test_the_table_of_options_lists_names_defaults_and_values():
    table = rows("option")
    assert [row[0] for row in table] == list(OPTION_NAMES)
    assert tuple((row[0], row[1]) for row in table) == option_pairs(CLASSIC)
    for name, _, others, _ in table:
        for value in others.replace(" to ", ", ").split(", "):
            assert dict(option_pairs(set_option(CLASSIC, name, value)))[name] == value


@pytest.mark.parametrize("row", rows("set"), ids=lambda row: row[0])
def test_the_table_of_sets_lists_their_differences(row):
    changed = [f"{name}={value}" for name, _, value in differences(CLASSIC, NAMED[row[0]])]
    assert row[1] == (" ".join(changed) or "nothing")


def test_every_set_is_on_the_page():
    assert [row[0] for row in rows("set")] == list(NAMED)


def test_every_module_of_the_rules_is_on_the_page():
    named = {name for row in rows("module") for name in row[0].split(", ")}
    assert named == {path.stem for path in RULES.glob("*.py")} - {"__init__"}
