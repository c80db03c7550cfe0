"""Cells: what is cut, what takes two of them, and what answers to the mouse."""

from __future__ import annotations

import pytest

from p2pdurak.ui.draw.canvas import Area, Canvas, Press, Role, Run, fit
from p2pdurak.ui.draw.screen import Tone
from p2pdurak.ui.draw.sentences import Ink, signed, wrap

ENTER, TAKE = Press("enter"), Press("t")


def canvas_with(*puts: tuple[int, int, str], width: int = 6, height: int = 1) -> Canvas:
    canvas = Canvas(width, height)
    for put in puts:
        canvas.put(*put)
    return canvas


@pytest.mark.parametrize(
    ("put", "text"),
    [
        ((0, 0, "durak"), "durak"),
        ((4, 0, "durak"), "    du"),
        ((-2, 0, "durak"), "rak"),
        ((0, 1, "durak"), ""),
        ((0, -1, "durak"), ""),
        ((5, 0, "王"), ""),
        ((4, 0, "王"), "    王"),
        ((0, 0, "e\u0301a"), "e\u0301a"),
        ((0, 0, "\u0301a"), "a"),
        ((0, 0, "a\tb\nc\x1b"), "abc"),
    ],
)
def test_what_does_not_fit_is_cut(put, text):
    assert canvas_with(put).text() == text


@pytest.mark.parametrize(("x", "row"), [(1, " a    "), (2, "  a   "), (0, "a王   ")])
def test_half_of_a_wide_character_does_not_stay(x, row):
    assert [run.text for run in canvas_with((1, 0, "王"), (x, 0, "a")).runs(0)] == [row]


def test_runs_are_neighbours_with_the_same_roles():
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "ab", Role.KEY)
    canvas.put(2, 0, "c", Role.HINT)

    assert list(canvas.runs(0)) == [Run("ab", (Role.KEY,)), Run("c", (Role.HINT,)), Run(" ", ())]


def test_a_later_place_lies_over_an_earlier_one():
    canvas = Canvas(4, 1)
    canvas.hit(0, 0, 4, 1, ENTER)
    canvas.hit(2, 0, 1, 1, TAKE)

    assert [canvas.at(x, 0) for x in range(5)] == [ENTER, ENTER, TAKE, ENTER, None]


def test_cleared_places_answer_no_more():
    canvas = Canvas(4, 1)
    canvas.hit(0, 0, 4, 1, ENTER)
    canvas.clear_hits()

    assert (canvas.at(0, 0), canvas.hits) == (None, ())


def test_an_area_is_left_by_nothing_drawn_in_it():
    canvas = Canvas(8, 3)
    area = Area(canvas, 2, 1, 4, 1)
    area.put(1, 0, "durak")
    area.put(0, 1, "below")
    area.hit(-1, -1, 99, 99, ENTER)

    assert canvas.text() == "\n   du…\n"
    assert [(hit.x, hit.y, hit.width, hit.height) for hit in canvas.hits] == [(2, 1, 4, 1)]


def test_a_part_of_an_area_lies_inside_it():
    area = Area(Canvas(8, 3), 2, 1, 4, 2)

    assert area.part(1, 1, 99, 99) == Area(area.canvas, 3, 2, 3, 1)
    assert area.part(9, 9, 1, 1).width == 0


@pytest.mark.parametrize(
    ("text", "width", "fitted"),
    [
        ("durak", 5, "durak"),
        ("durak", 4, "dur…"),
        ("王王", 3, "王…"),
        ("王王", 2, "…"),
        ("durak", 1, "…"),
        ("durak", 0, ""),
    ],
)
def test_a_text_is_cut_by_cells(text, width, fitted):
    assert fit(text, width) == fitted


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("take the cards", 14, ["take the cards"]),
        ("take the cards", 9, ["take the", "cards"]),
        ("! take the cards", 10, ["! take the", "  cards"]),
        ("  take the cards", 10, ["  take the", "  cards"]),
        ("/home/ilya/game.log", 8, ["/home/", "ilya/", "game.log"]),
        ("~/games/2026-11-30-mira-7.log", 16, ["~/games/", "2026-11-30-mira-", "7.log"]),
        ("~/games/2026-11-30-mira-7.log", 20, ["~/games/", "2026-11-30-mira-", "7.log"]),
        ("a/bcdefghijk", 8, ["a/bcdefg", "hijk"]),
        ("王王王", 4, ["王王", "王"]),
        ("王", 1, ["王"]),
        ("", 4, [""]),
    ],
)
def test_a_sentence_is_broken_at_blanks_where_it_can_be(text, width, rows):
    assert wrap(text, width) == rows


@pytest.mark.parametrize(
    ("text", "tone", "sentence"),
    [
        ("late", Tone.ALARM, "! late"),
        ("! late", Tone.ALARM, "! late"),
        ("✓ proven", Tone.GOOD, "✓ proven"),
        ("/ no sign but chat", Tone.CHAT, "/ / no sign but chat"),
        ("take", Tone.MINE, "take"),
        ("take", Tone.PLAIN, "take"),
    ],
)
def test_a_tone_has_a_sign(text, tone, sentence):
    assert signed(text, tone) == sentence


@pytest.mark.parametrize("width", range(1, 14))
def test_a_sentence_with_cards_is_cut_like_any_other(width):
    canvas = Canvas(width, 1)
    Ink(("mira",)).sentence(Area(canvas, 0, 0, width, 1), 0, 0, "10♥, mira 6♠")

    assert canvas.text() == fit("10♥, mira 6♠", width)


@pytest.mark.parametrize(
    ("text", "encoding", "row"),
    [
        ("mira", "ascii", "mira  "),
        ("mirä", "ascii", "mir?  "),
        ("mirä", "latin-1", "mirä  "),
        ("王x", "latin-1", "??x   "),
        ("e\u0301x", "ascii", "ex    "),
        ("Ж\u0301x", "ascii", "?x    "),
        ("Ж\u0301x", "utf-8", "Ж\u0301x    "),
    ],
)
def test_what_an_encoding_does_not_know_is_replaced_cell_by_cell(text, encoding, row):
    canvas = canvas_with((0, 0, text))
    canvas.keep(encoding)

    assert "".join(run.text for run in canvas.runs(0)) == row


@pytest.mark.parametrize("mark", ["\u093e", "\u0940"])
def test_a_spacing_mark_has_a_cell_of_its_own(mark):
    assert [run.text for run in canvas_with((0, 0, f"क{mark}|")).runs(0)] == [f"क{mark}|   "]
