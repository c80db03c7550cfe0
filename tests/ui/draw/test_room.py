"""What gives way where there is little room, and what never does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.rules.actions import Deny
from p2pdurak.rules.cards import parse_card
from p2pdurak.ui.draw.canvas import Press, Role
from p2pdurak.ui.draw.screen import Clock, Notice, Screen, Told, Tone
from tests.ui.draw import demo
from tests.ui.draw.test_cues import QUIET, SIZES, drawn, everywhere, in_both, roles_of

SIDE_LOGS = [(80, 24), (84, 24), (90, 24), (99, 24)]
LONG = demo.LONG_NAMES


def rows(screen: Screen, size: tuple[int, int]) -> list[str]:
    return drawn(screen, size).text().split("\n")


def row_with(words: str, screen: Screen, size: tuple[int, int]) -> str:
    return next((row for row in rows(screen, size) if words in row), "")


# Trumps without frames.


@in_both
def test_a_trump_that_is_written_has_a_mark(theme):
    text = drawn(demo.PILE_ON, (40, 12), theme).text()

    assert ("9♥*" in text or "9h*" in text, "9♠*" in text or "9s*" in text) == (True, False)


@pytest.mark.parametrize(
    ("focus", "playable", "words"), [("Th", "Th", "[10♥*]"), ("Th", "7d", "(10♥*)"), ("7d", "7d", "┆10♥*")]
)
def test_the_mark_of_a_trump_goes_with_every_other(focus, playable, words):
    screen = replace(demo.DEFENCE, focus=parse_card(focus), playable=frozenset(demo.cards(playable)))

    assert words in drawn(screen, (40, 12)).text()


def test_a_trump_in_a_written_pair_has_a_mark():
    assert "6♣/10♥*" in drawn(replace(demo.DEFENCE, table=demo.pairs("6c/Th")), (40, 12)).text()


@pytest.mark.parametrize("size", SIZES)
def test_a_trump_of_an_open_hand_has_a_mark(size):
    trump, other = (
        drawn(replace(QUIET, table=(), indicator=None, top=replace(QUIET.top, cards=demo.cards(card))), size).text()
        for card in ("9h", "9s")
    )

    assert ("═" in trump or "9♥*" in trump, "═" in other or "*" in other) == (True, False)


@pytest.mark.parametrize("number", range(1, 14))
def test_an_open_hand_that_is_cut_ends_with_an_ellipsis(number):
    hand = demo.cards("6s 7s 8s 9s Ts Js Qs 7c Tc Ad Kd Jd 9d")[:number]
    line = rows(replace(demo.SHOWN, top=replace(demo.SHOWN.top, cards=hand)), (44, 14))[1]
    shown = line.partition("cards" if number > 1 else "card")[2].split()

    assert shown[-1] == "…" or len(shown) == number


# The clock under a panel.


@everywhere
def test_a_panel_does_not_hide_the_clock(size):
    edge = row_with("─ Keys ", demo.HELP_PANEL, size)

    assert "14s ─╮" in edge


@everywhere
@in_both
def test_a_low_clock_has_its_sign_in_a_panel_too(size, theme):
    canvas = drawn(replace(demo.HELP_PANEL, clock=Clock(4, 30)), size, theme)
    edge = next(row for row in canvas.text().split("\n") if " Keys " in row)

    assert "!4s" in edge
    assert Role.CLOCK_LOW in roles_of(canvas, "!4s")


def test_a_panel_without_a_clock_has_a_whole_edge():
    assert "─ Keys ─" in row_with("Keys", replace(demo.HELP_PANEL, clock=None), (40, 12))
    assert "s ─╮" not in row_with("Keys", replace(demo.HELP_PANEL, clock=None), (40, 12))


@in_both
def test_more_of_a_panel_is_told_with_the_key_that_brings_it(theme):
    scrolled = replace(demo.HELP_PANEL, panel=replace(demo.HELP_PANEL.panel, scroll=3))
    canvas = drawn(scrolled, (40, 12), theme)

    assert "Up: more" in canvas.text()
    assert "Down: more" in canvas.text()
    assert {Press("up"), Press("down")} <= {hit.target for hit in canvas.hits}


@everywhere
def test_a_picture_tells_how_far_its_panel_can_be_scrolled(size):
    most = drawn(demo.HELP_PANEL, size).scrollable
    last, before = (
        drawn(replace(demo.HELP_PANEL, panel=replace(demo.HELP_PANEL.panel, scroll=scroll)), size).text()
        for scroll in (most, most - 1)
    )

    assert ("Down: more" in last, "this help" in last) == (False, True)
    assert most == 0 or "Down: more" in before


def test_a_picture_without_a_panel_cannot_be_scrolled():
    assert drawn(QUIET, (40, 12)).scrollable == 0


# Names.


@pytest.mark.parametrize("size", SIDE_LOGS, ids=str)
def test_the_side_log_cuts_names_and_neither_cards_nor_words(size):
    told = (*LONG.told, Told(LONG.top.name, Deny(demo.cards("Th")), "no"))
    ends = [row[64:] for row in rows(replace(LONG, told=told), size)]

    for words in ("8♦", "9♦", "9♣", "take~", "10♥", "no 10♥"):
        assert any(row.endswith(f" {words}") for row in ends)


def test_the_side_log_tells_more_where_there_is_more_room():
    assert "▸ ilya 8♦" in drawn(demo.PILE_ON, (80, 24)).text()
    assert "▸ ilya attack 8♦" in drawn(demo.PILE_ON, (90, 24)).text()


@pytest.mark.parametrize("size", SIDE_LOGS[2:], ids=str)
def test_the_side_log_shows_longer_names_where_there_is_more_room(size):
    assert "Bartholomäus Kor" in row_with("▸ X", LONG, size) + row_with("x Barth", LONG, size)


@pytest.mark.parametrize("width", range(81, 100))
def test_the_side_log_ends_where_the_clock_does(width):
    lines = rows(replace(demo.PILE_ON, told=demo.told("1 ilya throw in Th ~, 1 mira take ~")), (width, 24))

    assert max(len(line) for line in lines if "~" in line[64:]) == len(next(line for line in lines if "17s" in line))


@everywhere
def test_what_the_other_player_said_is_always_told(size):
    said = [row for row in rows(replace(LONG, told=()), size) if row.endswith("take") or "take  " in row]

    assert said


def test_a_short_row_tells_a_name_once():
    assert "mira: take" in drawn(demo.PILE_ON, (60, 20)).text()
    assert row_with("5 cards", LONG, (60, 20)).endswith("durak x1   take")
    assert row_with("5 cards", LONG, (40, 12)).endswith("…  5 cards   take")


@everywhere
def test_a_prompt_that_is_too_long_cuts_the_name_before_the_verb(size):
    assert " takes - pile on, or finish" in drawn(LONG, size).text()


@pytest.mark.parametrize("size", [(100, 24), (60, 20), (40, 12)])
def test_a_name_that_is_cut_in_a_prompt_has_an_ellipsis(size):
    assert "… takes" in drawn(LONG, size).text()


def test_two_names_of_a_prompt_give_way_alike():
    prompt = f"{LONG.top.name} takes - {LONG.bottom.name} may pile on"

    assert (
        " Bartholomäu… takes - X emulbnroK… may pile on"
        in drawn(replace(LONG, prompt=prompt, clock=None), (48, 14)).text()
    )


def test_a_short_name_is_not_cut_for_a_long_one():
    prompt = f"mira takes - {LONG.bottom.name} may pile on"
    screen = replace(LONG, top=replace(LONG.top, name="mira"), prompt=prompt, clock=None)

    assert " mira takes - X emulbnroK … may pile on" in drawn(screen, (40, 12)).text()


def test_a_name_that_is_cut_in_a_prompt_has_still_no_suits_colour():
    named = replace(QUIET, told=(), notice=None, top=replace(QUIET.top, name="Q♥ " * 8))
    canvas = drawn(replace(named, prompt=f"{named.top.name} takes - pile on, or finish"), (60, 20))
    y = next(y for y in range(20) if "takes" in canvas.line(y))

    assert not any(Role.HEARTS in canvas.roles(x, y) for x in range(60))


@everywhere
def test_the_last_move_is_never_cut(size):
    assert ": throw in 10♥" in drawn(LONG, size).text()


# The log.


@pytest.mark.parametrize("width", range(100, 111))
def test_a_move_takes_one_row_of_the_log_column(width):
    column = [row[77:] for row in rows(LONG, (width, 24)) if row[75:76] == "│"]

    assert [row.strip() for row in column if row.startswith(" ")] == []
    assert len([row for row in column if ": " in row]) == len(LONG.told)


@pytest.mark.parametrize("height", range(24, 33))
def test_the_log_does_not_begin_within_an_entry(height):
    entries = [demo.said("mira", f"{number} and a word that is too long for a row") for number in range(30)]
    column = [row[77:] for row in rows(replace(QUIET, told=tuple(entries)), (100, height)) if row[75:76] == "│"]

    assert next(row for row in column if row.strip()).startswith("/ mira: ")


def test_of_an_entry_that_is_longer_than_the_log_its_beginning_is_seen():
    told = (demo.said("mira", " ".join(map(str, range(400)))),)
    column = [row[77:] for row in rows(replace(QUIET, told=told), (100, 20)) if row[75:76] == "│"]

    assert column[0].startswith("/ mira: 0 1 2")
    assert column[-1].endswith("…")


# Notices.


def test_a_long_notice_goes_on_in_the_free_rows_below_it():
    assert rows(demo.LONG_CHAT, (80, 24))[22].startswith("     7 more")


@everywhere
def test_a_notice_longer_than_its_rows_ends_with_an_ellipsis(size):
    long = replace(demo.LONG_CHAT, told=(), notice=Notice("x" * 900, Tone.CHAT))

    assert next(row for row in reversed(rows(long, size)) if "xx" in row).endswith("x…")


@everywhere
def test_a_long_notice_covers_neither_keys_nor_progress(size):
    screen = replace(demo.REPLAY, notice=Notice("word " * 90))

    assert rows(screen, size)[-1] == rows(demo.REPLAY, size)[-1]
    assert "21/57" in drawn(screen, size).text()


# Keys and header.


@pytest.mark.parametrize("width", range(40, 111))
def test_keys_that_share_their_words_are_seen_together_or_not_at_all(width):
    last = rows(demo.REPLAY, (width, 24))[-1].split()

    for one, other in (("<", ">"), ("[", "]"), ("-", "+")):
        assert (one in last) == (other in last)
    assert ("-" in last) == ("speed" in last)


@pytest.mark.parametrize("width", [58, 60, 80])
def test_a_title_is_not_cut_while_there_is_room_beside_the_bout(width):
    assert "a title of 22 letters " in rows(replace(QUIET, title="a title of 22 letters", line=None), (width, 20))[0]


@pytest.mark.parametrize(
    ("game", "bout", "words"),
    [(0, 5, "bout 5"), (1, 5, "bout 5"), (2, 5, "game 2 · bout 5"), (2, 0, "game 2")],
)
def test_the_header_counts_games_from_the_second_on(game, bout, words):
    assert rows(replace(QUIET, game=game, bout=bout), (60, 20))[0].split("  ■")[0].split("k7q2m")[1].strip() == words


def test_the_number_of_the_game_gives_way_where_there_is_no_room():
    assert " bout 1 " in rows(replace(QUIET, game=2), (40, 12))[0]
    assert "game" not in rows(replace(QUIET, game=2), (40, 12))[0]


def test_the_number_of_the_game_is_worth_more_than_the_word_behind_the_seal():
    assert "game 2 · bout 1  ■  ●" in rows(replace(QUIET, game=2), (45, 14))[0].replace("   ", "  ")
