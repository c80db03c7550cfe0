"""What tells states apart when every style is stripped, what has a colour, and what can be clicked."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from p2pdurak.events import Link
from p2pdurak.rules.cards import Suit, parse_card
from p2pdurak.ui.draw.canvas import Canvas, Jump, Press, Role, Touch
from p2pdurak.ui.draw.render import render
from p2pdurak.ui.draw.screen import Clock, Hint, Line, Notice, Panel, Screen, Told, Tone
from p2pdurak.ui.draw.sentences import rank_words
from p2pdurak.ui.draw.themes import Depth, make_theme
from tests.ui.draw import demo

SIZES = [(110, 32), (80, 24), (60, 20), (40, 12)]
THEMES = [make_theme("mono", ascii=letters, depth=Depth.MONO) for letters in (False, True)]

everywhere = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
in_both = pytest.mark.parametrize("theme", THEMES, ids=["unicode", "ascii"])

ATTACK = demo.ATTACK
QUIET = replace(demo.WAITING, notice=None)
TRUMP_HAND = replace(ATTACK, focus=None, choosing=False, bottom=replace(ATTACK.bottom, cards=demo.cards("7d")))

CUES: dict[str, tuple[Screen, Screen]] = {
    "a card can be played or not": (ATTACK, replace(ATTACK, playable=frozenset(demo.cards("6s 7d")))),
    "the card in focus can be played or not": (ATTACK, replace(ATTACK, playable=frozenset(demo.cards("6s")))),
    "which card is in focus": (ATTACK, replace(ATTACK, focus=parse_card("6s"))),
    "one chooses or waits": (ATTACK, replace(ATTACK, choosing=False)),
    "whose turn it is": (ATTACK, replace(ATTACK, bottom=replace(ATTACK.bottom, turn=False))),
    "what is trump": (demo.SIX_PAIRS, replace(demo.SIX_PAIRS, trump=demo.REPLAY.trump)),
    "a pair is beaten or not": (ATTACK, replace(ATTACK, table=demo.pairs("Qs"))),
    "a card has been drawn or is on its way": (QUIET, replace(QUIET, bottom=replace(QUIET.bottom, cards=(None,) * 5))),
    "a prompt is an alarm": (QUIET, replace(QUIET, tone=Tone.ALARM)),
    "a notice is an alarm": (
        replace(QUIET, notice=Notice("mira is late")),
        replace(QUIET, notice=Notice("mira is late", Tone.ALARM)),
    ),
    "a notice was said by a player": (
        replace(QUIET, notice=Notice("mira: take")),
        replace(QUIET, notice=Notice("mira: take", Tone.CHAT)),
    ),
    "a chat line is being typed": (
        replace(QUIET, notice=Notice("hello", Tone.CHAT)),
        replace(QUIET, entry="hello"),
    ),
    "a replay runs or rests": (
        demo.REPLAY,
        replace(demo.REPLAY, progress=replace(demo.REPLAY.progress, playing=False)),
    ),
    "a move is worth a look": (
        demo.JUDGED,
        replace(demo.JUDGED, progress=replace(demo.JUDGED.progress, signs=()), judged=demo.JUDGED.judged[2:]),
    ),
    "which move a chart is looked at from": (
        demo.ANALYSIS,
        replace(demo.ANALYSIS, panel=replace(demo.ANALYSIS.panel, chart=replace(demo.ANALYSIS.panel.chart, at=50))),
    ),
    "there is more of a panel": (demo.HELP_PANEL, replace(demo.HELP_PANEL, panel=Panel("Keys", (), (demo.CLOSE,)))),
}


def drawn(screen: Screen, size=(80, 24), theme=THEMES[0]) -> Canvas:
    return render(screen, *size, theme)


@pytest.mark.parametrize("cue", CUES)
@everywhere
@in_both
def test_a_cue_needs_no_colour(cue, size, theme):
    one, other = CUES[cue]

    assert drawn(one, size, theme).text() != drawn(other, size, theme).text()


@everywhere
@in_both
def test_the_states_of_the_line_need_no_colour(size, theme):
    pictures = [drawn(replace(QUIET, line=Line(state)), size, theme).text() for state in Link]

    assert all(one != other for one, other in combinations(pictures, 2))


@everywhere
@in_both
@pytest.mark.parametrize("seconds", [0, 4, 5])
def test_a_low_clock_has_a_sign(seconds, size, theme):
    low, high = (drawn(replace(QUIET, clock=Clock(left, 90)), size, theme).text() for left in (seconds, 6))

    assert f"!{seconds}s" in low
    assert "!" not in high


@pytest.mark.parametrize("size", [(110, 32), (80, 24), (60, 20)])
def test_a_trump_in_the_hand_has_a_double_edge(size):
    trump = replace(TRUMP_HAND, trump=Suit.DIAMONDS, table=(), indicator=None)

    assert ("═" in drawn(trump, size).text(), "═" in drawn(replace(trump, trump=Suit.CLUBS), size).text()) == (
        True,
        False,
    )


def test_the_side_log_marks_what_the_clock_played():
    assert "take~" in drawn(QUIET).text()


def test_the_log_column_says_what_the_clock_played():
    assert "ilya: take (clock)" in drawn(QUIET, (110, 32)).text()


@everywhere
def test_chat_can_pass_for_no_move_in_the_log(size):
    lie = replace(QUIET, told=(Told("ilya", None, "attack 6♣"),))
    truth = replace(QUIET, told=demo.told("1 ilya attack 6c"))

    assert "ilya: attack 6♣" not in drawn(lie, size).text().replace("/ ilya", "")
    assert drawn(lie, size).text() != drawn(truth, size).text()


def test_chat_that_goes_on_in_the_next_row_begins_there_like_no_entry():
    told = (Told("mira", None, "x" * 20 + " ilya: attack 6♣"),)

    assert (
        "\n".join(row[75:] for row in drawn(replace(QUIET, told=told), (110, 32)).text().split("\n")).count("ilya") == 1
    )
    assert "│   ilya: attack 6♣" in drawn(replace(QUIET, told=told), (110, 32)).text()


def roles_of(canvas: Canvas, words: str) -> set[Role]:
    """The roles of the cells where words stand first."""
    y = next(y for y in range(canvas.height) if words in canvas.line(y))
    x = canvas.line(y).index(words)
    return {role for cell in range(x, x + len(words)) for role in canvas.roles(cell, y)}


def test_a_card_in_a_sentence_has_its_suits_colour():
    assert Role.HEARTS in roles_of(drawn(replace(QUIET, prompt="Beat 10♥")), "10♥")


@pytest.mark.parametrize("said", ["nice 10♥", "a ♥"])
def test_a_card_in_chat_has_no_suits_colour(said):
    notice = replace(QUIET, told=(), notice=Notice(f"mira: {said}", Tone.CHAT))

    assert roles_of(drawn(notice), said) == {Role.CHAT}


def test_a_card_in_a_name_has_no_suits_colour():
    named = replace(QUIET, notice=None, told=(), prompt="Q♥ defends", top=replace(QUIET.top, name="Q♥"))

    assert Role.HEARTS not in roles_of(drawn(named), "Q♥ defends")


@everywhere
def test_every_card_of_a_row_answers_to_the_mouse(size):
    canvas = drawn(demo.with_hand(35, "9h", "9h"), size)

    assert {hit.target.card for hit in canvas.hits if isinstance(hit.target, Touch)} == set(
        demo.with_hand(35, "9h", "9h").bottom.cards
    )


def test_a_raised_card_answers_where_it_is_seen():
    canvas = drawn(ATTACK)

    assert canvas.at(28, 13) == Touch(parse_card("7d"))
    assert canvas.at(28, 18) is None


@everywhere
def test_keys_in_the_last_row_can_be_clicked(size):
    canvas = drawn(ATTACK, size)

    assert canvas.at(2, size[1] - 1) == Press("enter")


@everywhere
def test_a_panel_lets_only_itself_and_the_keys_be_clicked(size):
    canvas = drawn(demo.CLAIM, size)

    assert {type(hit.target) for hit in canvas.hits} == {Press}
    assert {Press("w"), Press("v")} <= {hit.target for hit in canvas.hits}


@everywhere
def test_the_progress_bar_reaches_from_the_first_move_to_the_last(size):
    jumps = [hit.target.moves for hit in drawn(demo.REPLAY, size).hits if isinstance(hit.target, Jump)]

    assert (jumps[0], jumps[-1]) == (0, 57)
    assert jumps == sorted(jumps)


@everywhere
@pytest.mark.parametrize("number", [0, 1, 6, 15, 16, 30, 35])
def test_the_number_of_the_other_players_cards_is_told(number, size):
    top = replace(ATTACK.top, cards=demo.backs(number))

    assert f"{number} card{'' if number == 1 else 's'} " in drawn(replace(ATTACK, top=top), size).text()


@pytest.mark.parametrize("size", [(110, 32), (80, 24), (60, 20)])
@pytest.mark.parametrize("number", [1, 15, 16, 35])
def test_an_open_hand_of_the_other_player_shows_every_card(number, size):
    top = replace(ATTACK.top, cards=demo.with_hand(number, "9h", "9h").bottom.cards)
    rows = drawn(replace(ATTACK, top=top, told=()), size).text().split("\n")
    line = next(y for y, row in enumerate(rows) if "mira" in row)
    faces = "".join(rows[line + 1 : line + 3])

    for rank in "6789JQKA":
        wanted = sum(rank_words(card) == rank for card in top.cards)
        assert faces.count(rank) == wanted


@everywhere
def test_a_panel_that_is_scrolled_to_its_end_shows_its_last_line(size):
    panel = replace(demo.HELP_PANEL.panel, scroll=999)

    assert "this help" in drawn(replace(demo.HELP_PANEL, panel=panel), size).text()


@everywhere
def test_below_the_table_the_line_of_a_replay_is_asked_for_a_move(size):
    assert "go to move 12█" in drawn(replace(demo.REPLAY, entry="12"), size).text()


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        ((39, 12), "needs 40x12, has 39x12"),
        ((40, 11), "needs 40x12, has 40x11"),
        ((9, 3), "needs 40…"),
        ((1, 1), "…"),
    ],
)
def test_too_small_a_terminal_is_told_what_is_needed(size, sentence):
    assert drawn(ATTACK, size).text().rstrip("\n") == sentence


def test_a_key_without_words_stands_close_to_the_next():
    hints = (Hint("[", "[", ""), Hint("]", "]", "bout"))

    assert drawn(replace(ATTACK, hints=hints)).line(23) == " [ ] bout"
