"""The analysis in a replay: how it is asked for, what its progress and its end look like, and where its keys lead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.analysis.report import Analysis, Depth
from p2pdurak.rules.actions import Beat
from p2pdurak.rules.cards import parse_card
from p2pdurak.ui.draw.canvas import Jump, cells
from p2pdurak.ui.draw.render import render
from p2pdurak.ui.draw.screen import Chart, Panel, Screen, Tone
from p2pdurak.ui.draw.themes import Depth as Colours
from p2pdurak.ui.draw.themes import make_theme
from p2pdurak.ui.live.analysis_panels import BAR_CELLS, bar_line
from p2pdurak.ui.live.keys import AskAnalysis
from p2pdurak.ui.live.replay_model import ReplayModel
from tests.ui.live.analyses import TURNS, analysis_of, flat
from tests.ui.live.recordings import half_sealed, opened

NOW = 100.0
THERE = "The analysis is there: a shows it."


def model(**options) -> ReplayModel:
    return ReplayModel(opened(), **options)


def press(shown: ReplayModel, *keys: str) -> Screen:
    for key in keys:
        shown.press(key, NOW)
    return shown.screen(NOW)


def analysed(found: Analysis | None = None, **options) -> ReplayModel:
    """A replay with an analysis that is there and not shown."""
    shown = model(**options)
    shown.analysed(analysis_of(opened()) if found is None else found)
    press(shown, "f", "f")  # the next key takes the news of it away
    return shown


def at(shown: ReplayModel) -> int:
    progress = shown.screen(NOW).progress
    return -1 if progress is None else progress.at


def panel_of(screen: Screen) -> Panel:
    if screen.panel is None:
        raise AssertionError("no panel")
    return screen.panel


def chart_of(screen: Screen) -> Chart:
    chart = panel_of(screen).chart
    if chart is None:
        raise AssertionError("no chart")
    return chart


def lines(screen: Screen) -> list[str]:
    return [line.text for line in panel_of(screen).lines]


def said(screen: Screen) -> str:
    return "" if screen.notice is None else screen.notice.text


# Asking, and waiting.


@pytest.mark.parametrize(
    ("key", "depth"), [("a", Depth.QUICK), ("ф", Depth.QUICK), ("A", Depth.QUICK), ("d", Depth.FULL)]
)
def test_key_asks_for_an_analysis(key: str, depth: Depth) -> None:
    assert model().press(key, NOW) == AskAnalysis(depth)


def test_progress_is_a_bar_with_its_share_below_the_table() -> None:
    shown = model()
    begun = said(press(shown, "a"))
    shown.analysing(3, 12)

    assert begun == "Analysing (quick) " + "╌" * 12 + "   0%"
    assert said(shown.screen(NOW)) == "Analysing (quick) ━━━╌╌╌╌╌╌╌╌╌  25%"
    assert said(press(shown, "right")) == said(shown.screen(NOW))


def test_bar_fits_the_narrowest_picture_and_is_full_at_the_end() -> None:
    assert cells(bar_line(Depth.QUICK, 7, 9)) <= 40 - 4
    assert bar_line(Depth.FULL, 9, 9) == "Analysing (full) " + "━" * BAR_CELLS + " 100%"


def test_second_press_asks_for_nothing_while_an_analysis_goes_on() -> None:
    shown = model()
    shown.press("a", NOW)

    assert shown.press("a", NOW) is None


def test_full_depth_is_asked_for_while_a_quick_analysis_goes_on_and_not_the_other_way_round() -> None:
    shown = model()
    shown.press("a", NOW)

    assert shown.press("d", NOW) == AskAnalysis(Depth.FULL)
    assert shown.press("a", NOW) is None


def test_asking_ends_the_playing() -> None:
    shown = model()
    press(shown, "space", "a")

    assert shown.due(NOW) is None


def test_who_waits_is_shown_the_analysis() -> None:
    shown = model()
    press(shown, "a")
    shown.analysed(analysis_of(opened()))
    screen = shown.screen(NOW)

    assert panel_of(screen).title == "Analysis (quick): Mira's chance"
    assert screen.notice is None


@pytest.mark.parametrize("key", ["right", "space", "h", "?"])
def test_who_has_gone_on_is_told_that_the_analysis_is_there(key: str) -> None:
    shown = model()
    before = press(shown, "a", key).panel
    shown.analysed(analysis_of(opened()))

    assert shown.screen(NOW).panel == before
    assert said(shown.screen(NOW)) == THERE


def test_analysis_that_comes_while_a_number_is_typed_does_not_disturb() -> None:
    shown = model()
    press(shown, "a", "g", "1")
    shown.analysed(analysis_of(opened()))
    screen = shown.screen(NOW)

    assert (screen.panel, screen.entry, screen.prompt) == (None, "1", "Go to which move? 0 to 65")


def test_reason_why_there_is_none_is_said_and_it_can_be_asked_for_again() -> None:
    shown = model()
    press(shown, "a")
    shown.not_analysed("This game is not finished.")

    assert said(shown.screen(NOW)) == "This game is not finished."
    assert said(press(shown, "right")) == ""
    assert shown.press("a", NOW) == AskAnalysis(Depth.QUICK)


# The panel.


def test_a_shows_what_is_there_and_takes_it_away_again() -> None:
    shown = analysed()

    assert shown.press("a", NOW) is None
    assert shown.screen(NOW).panel is not None
    assert shown.press("a", NOW) is None
    assert shown.screen(NOW).panel is None


def test_full_depth_is_asked_for_over_the_quick_analysis_and_its_progress_stands_in_the_panel() -> None:
    shown = analysed()
    press(shown, "a")

    assert shown.press("d", NOW) == AskAnalysis(Depth.FULL)
    shown.analysing(1, 2)
    assert lines(shown.screen(NOW))[0] == "Analysing (full) ━━━━━━╌╌╌╌╌╌  50%"
    assert shown.screen(NOW).notice is None
    shown.analysed(analysis_of(opened(), Depth.FULL))
    assert panel_of(shown.screen(NOW)).title == "Analysis (full): Mira's chance"


@pytest.mark.parametrize("key", ["a", "d"])
def test_full_analysis_that_is_there_is_shown_for_either_key(key: str) -> None:
    shown = analysed(analysis_of(opened(), Depth.FULL))

    assert shown.press(key, NOW) is None
    assert [hint.key for hint in panel_of(shown.screen(NOW)).hints] == ["p", "n", "escape"]


def test_analysis_follows_another_panel() -> None:
    assert panel_of(press(analysed(), "?", "a")).chart is not None
    assert panel_of(press(analysed(), "a", "?")).chart is None


def test_chart_shows_the_chance_after_every_move_with_its_turning_points() -> None:
    chart = chart_of(press(analysed(at=7), "a"))

    assert chart.points == (0.42, *(0.3,) * 59, 1.0, 1.0, *(0.0,) * 4)
    assert chart.signs == ((20, "1"), (40, "2"), (62, "3"))
    assert chart.at == 7


def test_chart_from_the_other_seat_shows_the_other_chance() -> None:
    screen = press(analysed(), "f", "a")

    assert panel_of(screen).title == "Analysis (quick): Oleg's chance"
    assert chart_of(screen).points[:2] == pytest.approx((0.58, 0.7))


@pytest.mark.parametrize(("key", "end"), [("right", 31), ("left", 29), ("[", 26), ("]", 31), ("n", 40), ("p", 20)])
def test_moving_on_under_the_analysis_moves_its_mark(key: str, end: int) -> None:
    screen = press(analysed(at=30), "a", key)

    assert chart_of(screen).at == end
    assert f"Move {end}, bout" in lines(screen)[0]


def test_other_keys_are_off_under_the_analysis() -> None:
    shown = analysed(at=30)
    before = press(shown, "a")

    assert press(shown, "h", "g", "+", "f") == before


def test_click_on_the_chart_goes_there_and_leaves_it_open() -> None:
    shown = analysed()
    press(shown, "a")
    shown.touch(Jump(22), NOW)

    assert chart_of(shown.screen(NOW)).at == 22


def test_panel_tells_the_turning_points_but_for_the_one_that_is_shown_above_them() -> None:
    elsewhere, there = lines(press(analysed(), "a")), lines(press(analysed(at=62), "a"))

    assert elsewhere[0] == "Mira's chance after the deal: 42% with every card seen."
    assert elsewhere[1] == "Turning points:"
    assert [line[0] for line in elsewhere[2:5]] == ["1", "2", "3"]
    assert there[0].startswith("Move 62, bout 16: Mira, take. Turning point 3. A blunder: Mira had a forced win, and ")
    assert there[1] == "Other turning points:"
    assert [line[0] for line in there[2:4]] == ["1", "2"]
    assert not any("Move 62" in line for line in there[2:])


def test_panel_says_from_where_on_it_is_exact_and_what_the_numbers_are() -> None:
    told = lines(press(analysed(), "a"))

    assert "From move 61 on positions are solved: there the result with best play is certain." in told
    assert any(line.startswith("Analysis (quick): Mira's chance to win after each move") for line in told)
    assert told[-1] == "Seen: with every card in sight. Known: as far as the player who moved could know."


def test_panel_of_a_game_without_a_turning_point_says_so() -> None:
    screen = press(analysed(flat(analysis_of(opened()))), "a")

    assert "There is no turning point: no move changed the game much." in lines(screen)
    assert [hint.key for hint in panel_of(screen).hints] == ["d", "escape"]


def test_hand_that_was_never_opened_leaves_no_hindsight_and_that_is_said() -> None:
    shown = ReplayModel(half_sealed(), at=30)
    shown.analysed(analysis_of(half_sealed(), blind=True))
    screen = press(shown, "a")

    assert any("does not show the cards of Mira" in line for line in lines(screen))
    assert "seen" not in screen.judged[0]
    assert screen.judged[0].endswith("% as Mira could know") or screen.judged[0].endswith("% as Oleg could know")


# Below the table, move by move.


def judged(moves: int, **options) -> tuple[str, ...]:
    return analysed(at=moves, **options).screen(NOW).judged


def test_without_an_analysis_nothing_is_said_of_a_move() -> None:
    assert model(at=30).screen(NOW).judged == ()


def test_hindsight_is_told_apart_from_what_could_be_known() -> None:
    assert judged(24) == (
        "Mira's chance: 30% with every card seen, 45% as Mira could know",
        "Mira: 30% with every card seen, 45% as Mira could know",
        "Mira: 30% seen, 45% known",
    )


def test_chance_is_told_for_whoever_sits_at_the_bottom() -> None:
    assert judged(24, seat=1)[-1] == "Oleg: 70% seen, 55% known"


def test_deal_has_a_chance_too() -> None:
    assert judged(0) == ("Mira's chance after the deal: 42% with every card seen", "Mira: 42% seen")


def test_turning_point_is_called_so_and_where_it_is_narrow_by_its_sign() -> None:
    forms = judged(40)

    assert forms[0] == "Turning point 2 · Mira's chance: 30% with every card seen, 45% as Oleg could know"
    assert forms[-1] == "2 · Mira: 30% seen, 45% known"


def test_better_move_is_named_where_there_is_room_for_it() -> None:
    best = Beat(parse_card("9h"))
    forms = analysed(analysis_of(opened(), best=best), at=20).screen(NOW).judged

    assert [form.partition("better: ")[2] for form in forms[:2]] == ["beat 9♥ +20", ""]


def test_exact_result_is_told_as_such() -> None:
    assert judged(60) == ("Exact: Mira wins with best play", "Exact: Mira wins")
    assert judged(63) == ("Exact: Oleg wins with best play", "Exact: Oleg wins")


def test_blunder_says_what_was_thrown_away() -> None:
    forms = judged(62)

    assert forms[1] == "Turning point 3 · A blunder: Mira had a forced win, and after it the game is lost"
    assert forms[-1] == "3 · A blunder: Mira had a forced win"


def test_blunder_of_a_player_with_any_name_keeps_it() -> None:
    game = replace(opened(), names=("Dr. No, and Co", "Oleg"))
    shown = ReplayModel(game, at=62)
    shown.analysed(analysis_of(game))

    assert shown.screen(NOW).judged[-1] == "3 · A blunder: Dr. No, and Co had a forced win"


def test_nothing_but_a_blunder_is_called_one() -> None:
    forms = [form for moves in range(66) if moves != 62 for form in judged(moves)]

    assert not any("blunder" in form for form in forms)


def test_bar_of_the_replay_shows_where_the_turning_points_are() -> None:
    before, after = model().screen(NOW).progress, analysed().screen(NOW).progress

    assert before is not None
    assert after is not None
    assert before.signs == ()
    assert after.signs == ((20, "1"), (40, "2"), (62, "3"))


@pytest.mark.parametrize("size", ["80x24", "60x20", "44x14", "40x12"])
def test_what_is_said_of_a_move_is_drawn_whole_in_every_layout(size: str) -> None:
    width, height = map(int, size.split("x"))
    text = render(analysed(at=24).screen(NOW), width, height, make_theme("mono", depth=Colours.MONO)).text()

    assert any(form in text for form in judged(24))


# From turning point to turning point.


def test_n_and_p_lead_through_the_turning_points_and_stay_at_the_last() -> None:
    shown = analysed()
    forth = [(press(shown, "n"), at(shown))[1] for _ in range(4)]
    back = [(press(shown, "p"), at(shown))[1] for _ in range(3)]

    assert forth == [*TURNS, TURNS[-1]]
    assert back == [40, 20, 20]


@pytest.mark.parametrize(("moves", "key", "told"), [(62, "n", "after"), (20, "p", "before")])
def test_end_of_the_turning_points_is_said(moves: int, key: str, told: str) -> None:
    assert said(press(analysed(at=moves), key)) == f"There is no turning point {told} this."


def test_without_an_analysis_the_way_to_one_is_said() -> None:
    assert said(press(model(), "n")) == "There is no analysis yet: a makes one."


def test_going_to_a_turning_point_ends_the_playing() -> None:
    shown = analysed()
    press(shown, "space", "n")

    assert shown.due(NOW) is None


def test_keys_of_the_analysis_are_named() -> None:
    hints = [hint.key for hint in analysed().screen(NOW).hints]

    assert "a" in [hint.key for hint in model().screen(NOW).hints]
    assert {"a", "n", "p"} <= set(hints)
    assert {"a", "n, p", "d"} <= {line.partition(":")[0] for line in lines(press(model(), "?"))}


KEYS = ["a", "d", "n", "p", "left", "right", "[", "]", "home", "end", "down", "space", "f", "g", "1", "enter", "escape"]
KEYS += ["i", "?", "begin", "quick", "full", "none"]


def test_whatever_is_pressed_and_whatever_comes_the_screen_can_be_drawn() -> None:
    hypothesis = pytest.importorskip("hypothesis")
    strategies = hypothesis.strategies
    theme = make_theme("mono", depth=Colours.MONO)
    quick, full = analysis_of(opened()), analysis_of(opened(), Depth.FULL)
    comes = {
        "begin": lambda shown: shown.analysing(1, 3),
        "quick": lambda shown: shown.analysed(quick),
        "full": lambda shown: shown.analysed(full),
        "none": lambda shown: shown.not_analysed("no"),
    }

    @hypothesis.settings(max_examples=50)
    @hypothesis.given(keys=strategies.lists(strategies.sampled_from(KEYS), max_size=30))
    def check(keys: list[str]) -> None:
        shown = model()
        for key in keys:
            if key in comes:
                comes[key](shown)
            else:
                shown.press(key, NOW)
            screen = shown.screen(NOW)
            assert shown.due(NOW) is None or screen.panel is None
            assert screen.panel is None or screen.entry is None
            assert screen.judged == () or screen.progress is not None
        canvas = render(shown.screen(NOW), 60, 20, theme)
        shown.scrollable(canvas.scrollable)

    check()


def test_notice_that_the_analysis_is_there_is_good_news() -> None:
    shown = model()
    shown.analysed(analysis_of(opened()))
    notice = shown.screen(NOW).notice

    assert notice is not None
    assert notice.tone is Tone.GOOD
