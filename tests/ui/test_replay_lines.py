"""A recorded game in line mode: its head, its bouts from any place on, and its end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.recording import Recording
from p2pdurak.ui.card_words import ASCII_CARDS, sort_hand
from p2pdurak.ui.replay_lines import replay_lines
from p2pdurak.ui.replay_words import Shown
from tests.ui.live.recordings import by_clock, draw, ended_as, opened, sealed, settled_before

FIRST_BOUT = [
    "Oleg attacks first",
    "Bout 1",
    "  Oleg: attack 9h",
    "  Mira: beat 10h",
    "  Oleg: throw in 9c",
    "  Mira: beat Jc",
    "  Oleg: done",
    "  Beaten off. Mira 6, Oleg 6, talon 20",
]


def lines(game: Recording, shown: Shown = Shown.NONE, begin: int = 0) -> list[str]:
    return list(replay_lines(game, ASCII_CARDS, shown, begin))


def test_game_is_told_from_its_head_on() -> None:
    assert lines(opened())[:6] == [
        "Game 1, 2026-11-30: Mira (host) and Oleg (guest)",
        "The classic rules: 25 s a move.",
        "Audit: ok. The deal, both shuffles and every move are proven.",
        "Trump: diamonds. 7d lies under the talon",
        "  Mira: no 6d",
        "  Oleg: no 6d",
    ]


def test_bout_is_told_move_by_move_with_its_end() -> None:
    assert lines(opened())[10:18] == FIRST_BOUT


def test_game_with_a_settled_first_attacker_begins_with_its_first_bout() -> None:
    assert lines(settled_before(opened()))[4:12] == FIRST_BOUT


def test_taken_cards_are_told_with_what_was_piled_on() -> None:
    told = lines(opened())

    begin = told.index("Bout 12")
    assert told[begin : begin + 6] == [
        "Bout 12",
        "  Oleg: attack 6h",
        "  Mira: take",
        "  Oleg: pile on 6c",
        "  Oleg: done",
        "  Taken. Mira 8, Oleg 6, talon 0",
    ]


def test_end_tells_the_durak_and_his_cards() -> None:
    assert lines(opened())[-2:] == ["Mira is the durak", f"  Mira is left with {left_cards(opened())}"]


def left_cards(game: Recording) -> str:
    state, hands = game.after(len(game.moves))
    return next(ASCII_CARDS.cards(sort_hand(hand, state.trump)) for hand in hands if hand)


def test_end_tells_of_a_draw() -> None:
    assert lines(draw())[-1] == "A draw: nobody is the durak"


def test_end_of_an_unfinished_game_tells_that_the_log_ends() -> None:
    assert lines(ended_as(opened(), "running", 20))[-1] == "The log ends here. The game is not finished."


def test_hands_that_cannot_be_seen_are_said_to_be_unseen() -> None:
    assert "  Oleg holds unseen cards" in lines(sealed(), Shown.ALL)


@pytest.mark.parametrize(("shown", "who"), [(Shown.NONE, set()), (Shown.MINE, {"Mira"}), (Shown.ALL, {"Mira", "Oleg"})])
def test_only_the_wanted_hands_are_told(shown: Shown, who: set[str]) -> None:
    told = lines(opened(), shown)

    assert {line.split()[0] for line in told if " holds " in line} == who


def test_move_by_the_clock_says_so() -> None:
    assert "  Oleg: done (by the clock)" in lines(by_clock(opened(), 10))


def test_players_of_the_same_name_are_told_apart() -> None:
    assert "  host: beat 10h" in lines(replace(opened(), names=("ilya", "ilya")))


def test_changed_rules_are_named() -> None:
    changed = replace(opened(), options=replace(opened().options, pile_on=False))

    assert lines(changed)[1] == (
        "The classic rules, 25 s a move, but: The attacker may not pile on once the defender takes (classic: he may)."
    )


@pytest.mark.parametrize("begin", [11, 12, 13])
def test_game_can_be_told_from_the_bout_of_a_move_on(begin: int) -> None:
    told, whole = lines(opened(), Shown.ALL, begin), lines(opened(), Shown.ALL)

    assert told[:4] == whole[:4]
    second = whole.index("Bout 2")
    assert told[4:] == whole[second - 2 :]


def test_game_told_from_within_the_search_for_the_first_attacker_is_told_whole() -> None:
    assert lines(opened(), begin=5) == lines(opened())


@pytest.mark.parametrize("begin", [65, 9999])
def test_game_told_from_its_end_is_head_and_end(begin: int) -> None:
    assert lines(opened(), Shown.ALL, begin) == [*lines(opened())[:4], *lines(opened())[-2:]]
