"""What an analysis says: blunders by name, hindsight apart from what could be known, and lines that fit."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from p2pdurak.analysis.judge import Budget, analyse
from p2pdurak.analysis.report import Analysis, Depth
from p2pdurak.recording import Recording
from p2pdurak.ui.analysis_lines import analysis_lines
from p2pdurak.ui.analysis_words import SIGNS, change, missing_line, resigned_line
from p2pdurak.ui.card_words import CardStyle
from tests.analysis.recordings import blinded, played, resigned

ASCII = CardStyle(ascii=True)


def judged(game: Recording) -> Analysis:
    return analyse(game, Depth.QUICK, budgets={Depth.QUICK: Budget(10, 30, 10_000)})


@cache
def example() -> tuple[Recording, Analysis]:
    game = played(1, ("easy", "easy"))
    return game, judged(game)


def lines(style: CardStyle = ASCII, width: int = 60) -> list[str]:
    return list(analysis_lines(*example(), style, width))


def test_blunder_is_called_so_with_what_it_threw_away() -> None:
    game, analysis = example()
    told = {move.blunder: change(game, analysis, move, ASCII) for move in analysis.moves if move.best is not None}
    assert told[True].startswith("A blunder: ")
    assert "blunder" not in told[False].casefold()
    assert " could know" in told[False]


def test_every_row_and_the_chart_fit_60_columns() -> None:
    rows = lines()[2:]
    chart = rows[: rows.index("Turning points:") - 1]
    assert max(map(len, chart[1:])) <= 60


def test_every_move_has_its_row() -> None:
    game, _ = example()
    numbers = [int(line[1:5]) for line in lines() if line[1:5].strip().isdigit() and line[5:9].strip().isdigit()]
    assert numbers == list(range(1, len(game.moves) + 1))


def test_turning_points_carry_the_sign_that_the_chart_has() -> None:
    _, analysis = example()
    signs = SIGNS[: len(analysis.turning_points)]
    axis = next(line for line in lines() if line.startswith("   +"))
    assert [sign for sign in axis if sign in SIGNS] == list(signs)
    assert [line[0] for line in lines() if line[1:7] == "  Move"] == list(signs)


def test_spoken_report_has_no_chart_and_spells_its_cards() -> None:
    told = lines(CardStyle(words=True))
    assert not any(line.startswith(("100", "   ")) for line in told)
    assert any(" of spades" in line for line in told)


def test_chances_are_told_for_the_seat_that_the_game_is_seen_from() -> None:
    game, analysis = example()
    other = list(analysis_lines(replace(game, seat=1), analysis, ASCII, 60))
    rows = [(a, b) for a, b in zip(lines(), other, strict=True) if a[1:5].strip() == "20"]
    host, guest = rows[0]
    assert sum(int(line[37:43]) for line in (host, guest)) == 100


def test_missing_key_is_said_in_a_sentence() -> None:
    game = blinded(played(3), seat=0)
    assert "does not show the cards of Oleg" in missing_line(game, judged(game))
    assert missing_line(*example()) == ""


def test_what_was_resigned_is_told() -> None:
    game = resigned(played(3), 30, seat=0)
    assert resigned_line(game, judged(game)).startswith("Mira resigned with a chance of ")
    late = resigned(played(3), len(played(3).moves) - 1, seat=1)
    assert resigned_line(late, judged(late)) in (
        "Oleg resigned with a forced win.",
        "Oleg resigned a game that was lost.",
        "Oleg resigned with a sure draw.",
    )
    assert resigned_line(*example()) == ""
