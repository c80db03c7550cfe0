"""How each theme makes roles look, compared with `looks/*.txt`.

After a wanted change, write them anew with `P2PDURAK_WRITE_PICTURES=1 pytest tests/ui/draw`, and read the difference.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from p2pdurak.ui.draw.canvas import Role, cells
from p2pdurak.ui.draw.render import render
from p2pdurak.ui.draw.themes import THEMES, Depth, Look, Theme, make_theme
from tests.ui.draw import demo
from tests.ui.draw.test_pictures import WRITES

LOOKS = Path(__file__).with_name("looks")
SUITS = (Role.CLUBS, Role.DIAMONDS, Role.HEARTS, Role.SPADES)


def told(look: Look) -> str:
    weights = [name for name in ("bold", "dim", "italic", "underline", "reverse") if getattr(look, name)]
    return " ".join([look.fg or "own", "on", look.bg or "own", *weights])


def page(theme: Theme) -> str:
    """The look of each role, and then a picture run by run."""
    roles = [f"{role.value}: {told(theme.look((role,)))}" for role in Role]
    canvas = render(demo.ATTACK, 60, 20, theme)
    runs = [
        f"{y} {run.text.strip()!r} {told(theme.look(run.roles))}"
        for y in range(canvas.height)
        for run in canvas.runs(y)
        if run.text.strip()
    ]
    return "\n".join([*roles, "", *runs, ""])


PAGES = {f"{name}_{depth.name.lower()}": page(make_theme(name, depth=depth)) for name, depth in product(THEMES, Depth)}


@pytest.mark.parametrize("name", PAGES)
def test_a_theme_looks_as_it_was_accepted(name):
    file = LOOKS / f"{name}.txt"
    if WRITES:
        file.write_text(PAGES[name], "utf-8")

    assert PAGES[name] == file.read_text("utf-8")


@pytest.mark.parametrize("theme", [make_theme(name, depth=depth) for name, depth in product(THEMES, Depth)])
def test_the_roles_of_a_picture_have_the_colours_that_the_depth_allows(theme):
    colours = {colour for role in Role for look in [theme.look((role,))] for colour in (look.fg, look.bg) if colour}

    match theme.depth:
        case Depth.MONO:
            assert colours == set()
        case Depth.ANSI:
            assert all(colour.startswith("ansi") for colour in colours)
        case _:
            assert all(colour.startswith(("ansi", "#")) for colour in colours)


@pytest.mark.parametrize("name", ["terminal", "dark", "light"])
def test_four_suits_have_four_colours(name):
    theme = make_theme(name, suits=4, depth=Depth.TRUE)

    assert len({theme.look((suit,)).fg for suit in SUITS}) == 4


@pytest.mark.parametrize("name", ["terminal", "dark", "light"])
def test_two_suits_are_red_and_two_as_text_where_two_colours_are_wanted(name):
    theme = make_theme(name, suits=2, depth=Depth.TRUE)
    clubs, diamonds, hearts, spades = (theme.look((suit,)) for suit in SUITS)

    assert (diamonds, clubs) == (hearts, spades)
    assert clubs != hearts


def test_the_terminals_own_theme_leaves_its_background_alone():
    theme = make_theme("terminal", depth=Depth.TRUE)

    assert {theme.look((role,)).bg for role in Role} == {""}


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("depth", [Depth.ANSI, Depth.INDEXED, Depth.TRUE])
def test_dark_and_light_bring_their_own_ground(name, depth):
    theme = make_theme(name, depth=depth)

    assert theme.look(()).bg
    assert theme.look(()).fg


def test_later_roles_lie_over_earlier_ones():
    theme = make_theme("terminal", depth=Depth.ANSI)

    assert theme.look((Role.HEARTS, Role.BLOCKED)) == Look("ansired", dim=True)


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(look: Look) -> float:
    """As WCAG counts it, from 1 to 21."""
    light, dark = sorted((luminance(look.fg), luminance(look.bg)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("role", Role)
def test_every_role_of_dark_and_light_can_be_read(name, role):
    theme = make_theme(name, depth=Depth.TRUE)

    assert contrast(theme.look((role,))) >= 4.5
    assert contrast(theme.look((Role.PANEL, role))) >= 4.5


def test_an_unknown_theme_is_an_error():
    with pytest.raises(KeyError):
        make_theme("solarized", depth=Depth.TRUE)


@pytest.mark.parametrize(("encoding", "plain"), [("utf-8", False), ("latin-1", True), ("koi8-r", True)])
def test_a_terminal_that_does_not_know_all_our_signs_gets_them_in_ascii(encoding, plain):
    assert bool(make_theme("terminal", encoding=encoding).glyphs) is plain


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "koi8-r", "cp437", "utf-8"])
@pytest.mark.parametrize("size", [(110, 32), (80, 24), (40, 12)])
def test_a_picture_has_only_what_its_encoding_knows_and_nothing_moves(encoding, size):
    canvas = render(demo.NAMES, *size, make_theme("mono", encoding=encoding))

    assert canvas.text().encode(encoding)
    assert [sum(cells(run.text) for run in canvas.runs(y)) for y in range(size[1])] == [size[0]] * size[1]
