"""What holds for every screen at every size."""

from __future__ import annotations

import pytest

pytest.importorskip("hypothesis")

from collections import defaultdict
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from p2pdurak.rules.cards import Card
from p2pdurak.ui.draw.canvas import Canvas, Touch, cells
from p2pdurak.ui.draw.render import render
from p2pdurak.ui.draw.sentences import card_words, rank_words
from p2pdurak.ui.draw.themes import ASCII_TWINS, Depth, make_theme
from tests.ui.draw import demo
from tests.ui.draw.strategies import charts, screens
from tests.ui.draw.test_pictures import DRAWN

UNICODE = make_theme("mono", depth=Depth.MONO)
ASCII = make_theme("mono", ascii=True, depth=Depth.MONO)

any_width, any_height = st.integers(1, 130), st.integers(1, 50)


@given(screens, any_width, any_height)
def test_every_row_has_exactly_the_width_asked_for(screen, width, height):
    canvas = render(screen, width, height, UNICODE)

    assert [sum(cells(run.text) for run in canvas.runs(y)) for y in range(height)] == [width] * height


@given(screens, any_width, any_height)
def test_every_place_for_the_mouse_lies_inside(screen, width, height):
    canvas = render(screen, width, height, UNICODE)

    for hit in canvas.hits:
        assert 0 <= hit.x < hit.x + hit.width <= width
        assert 0 <= hit.y < hit.y + hit.height <= height


@given(screens, st.integers(40, 130), st.integers(12, 50))
def test_every_card_of_the_hand_can_be_read_and_clicked(screen, width, height):
    canvas = render(replace(screen, panel=None), width, height, UNICODE)
    seen = seen_cards(canvas)

    assert [card for card in screen.bottom.cards if card is not None and rank_words(card) not in seen[card]] == []


def seen_cards(canvas: Canvas) -> dict[Card, str]:
    """For each card that can be clicked the text of the cells that stand for it and for no other."""
    seen: dict[Card, str] = defaultdict(str)
    for hit in canvas.hits:
        for y in range(hit.y, hit.y + hit.height):
            row = [char for run in canvas.runs(y) for char in run.text if cells(char)]
            for x in range(hit.x, hit.x + hit.width):
                if isinstance(hit.target, Touch) and canvas.at(x, y) == hit.target:
                    seen[hit.target.card] += row[x]
    return seen


@pytest.mark.parametrize("picture", DRAWN)
def test_everything_that_is_drawn_takes_one_cell_and_has_an_ascii_twin(picture):
    drawn = {char for char in DRAWN[picture] if not char.isascii()}

    assert {char for char in drawn - braille() if ord(char) not in ASCII_TWINS and char not in foreign()} == set()
    assert {char for char in drawn - foreign() if wcwidth(char) != 1} == set()


def braille() -> set[str]:
    """Characters of charts, which are drawn in another way with ASCII."""
    return set(map(chr, range(0x2800, 0x2900)))


def foreign() -> set[str]:
    """Characters of names and chat, which are nobody's to translate."""
    return set(demo.NAMES.top.name + demo.NAMES.bottom.name + demo.LONG_NAME + "你好مرحبا")


def test_ascii_twins_are_ascii():
    assert all(twin.isascii() and len(twin) == 1 and twin.isprintable() for twin in ASCII_TWINS.values())


@given(screens, st.integers(40, 110), st.integers(12, 32))
def test_ascii_changes_characters_and_no_place(screen, width, height):
    drawn, twin = (render(screen, width, height, theme) for theme in (UNICODE, ASCII))

    assert drawn.hits == twin.hits
    if screen.panel is not None:  # a chart has signs of its own
        screen = replace(screen, panel=replace(screen.panel, chart=None))
    drawn, twin = (render(screen, width, height, theme) for theme in (UNICODE, ASCII))
    assert drawn.text().translate(ASCII_TWINS) == twin.text()


@given(charts, st.integers(40, 110), st.integers(12, 32))
def test_a_chart_in_ascii_is_ascii(chart, width, height):
    screen = replace(demo.ANALYSIS, panel=replace(demo.ANALYSIS.panel, chart=chart))

    assert render(screen, width, height, ASCII).text().isascii()


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12)])
def test_the_pairs_do_not_jump_while_a_bout_grows(size):
    """A lead keeps its cells while five more pairs are laid beside it."""
    lead = demo.SIX_PAIRS.table[:1]

    few, many = (
        render(replace(demo.SIX_PAIRS, table=table), *size, UNICODE).text() for table in (lead, demo.SIX_PAIRS.table)
    )

    assert place(few, card_words(lead[0].attack)) == place(many, card_words(lead[0].attack))


def place(text: str, words: str) -> tuple[int, int]:
    """Row and column where words stand left of the log."""
    rows = [row[:64] for row in text.split("\n")[4:-4]] if "│" in text else [row[:64] for row in text.split("\n")]
    y = next(y for y, row in enumerate(rows) if words in row)
    return y, rows[y].index(words)
