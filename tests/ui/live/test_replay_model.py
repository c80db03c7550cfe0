"""The replay's screen: what is seen after each number of moves, what every key does, and how it plays on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.recording import Recording
from p2pdurak.rules.cards import parse_card
from p2pdurak.rules.state import Phase
from p2pdurak.ui.draw.canvas import Jump, Press, Touch
from p2pdurak.ui.draw.screen import Notice, Panel, Screen, Tone
from p2pdurak.ui.live.keys import Local
from p2pdurak.ui.live.replay_frames import TOLD_MAX, Frames, Sight
from p2pdurak.ui.live.replay_model import BOUT_END_S, MOVE_S, SPEEDS, TOLD_S, ReplayModel
from p2pdurak.ui.replay_words import Shown
from tests.ui.live.recordings import (
    by_clock,
    draw,
    ended_as,
    half_sealed,
    opened,
    sealed,
    settled_before,
    trumpless,
)

NOW = 100.0
MIRA, OLEG = 0, 1


def model(game: Recording | None = None, **options) -> ReplayModel:
    return ReplayModel(opened() if game is None else game, **options)


def press(shown: ReplayModel, *keys: str, now: float = NOW) -> Screen:
    for key in keys:
        shown.press(key, now)
    return shown.screen(now)


def at(shown: ReplayModel) -> int:
    progress = shown.screen(NOW).progress
    return -1 if progress is None else progress.at


def after(moves: int, game: Recording | None = None, **options) -> Screen:
    return model(game, at=moves, **options).screen(NOW)


def every_screen(game: Recording, **options) -> list[Screen]:
    shown = model(game, **options)
    return [shown.screen(NOW), *(press(shown, "right") for _ in game.moves)]


def played(shown: ReplayModel, seconds: float, begin: float = NOW) -> float:
    """Let time pass as the host does: from one due moment to the next."""
    now, end = begin, begin + seconds
    while (due := shown.due(now)) is not None and now + due <= end:
        now += due
        shown.advance(now)
    return end


def move_of(game: Recording, word: str) -> int:
    """After how many moves a word is the newest in the log."""
    return next(count for count in range(1, len(game.moves) + 1) if after(count, game).told[-1].word == word)


# What is seen.


@pytest.mark.parametrize("game", [opened, trumpless, sealed, half_sealed, draw], ids=lambda game: game.__name__)
@pytest.mark.parametrize("shown", list(Shown))
def test_after_every_move_the_cards_are_36(game, shown: Shown) -> None:
    for screen in every_screen(game(), shown=shown):
        on_table = sum(1 if pair.beaten_by is None else 2 for pair in screen.table)
        hands = len(screen.top.cards) + len(screen.bottom.cards)
        assert hands + on_table + screen.talon + screen.beaten == 36


def test_with_both_hands_open_no_card_is_seen_twice() -> None:
    for screen in every_screen(opened()):
        cards = [*screen.top.cards, *screen.bottom.cards]
        cards += [card for pair in screen.table for card in (pair.attack, pair.beaten_by) if card is not None]
        cards += [screen.indicator] if screen.indicator is not None else []
        assert None not in cards
        assert len(set(cards)) == len(cards)


def test_title_tells_date_and_names() -> None:
    assert after(0).title == "2026-11-30 Mira - Oleg"
    assert after(0, replace(opened(), date="2026-11-30T20:41:02Z")).title == "2026-11-30 Mira - Oleg"


def test_players_of_the_same_name_are_told_apart() -> None:
    screen = after(0, replace(opened(), names=("ilya", "ilya")))

    assert (screen.bottom.name, screen.top.name) == ("host", "guest")


def test_answers_about_the_lowest_trump_are_moves_too() -> None:
    screen = after(1)

    assert screen.bout == 0
    assert (screen.told[0].who, screen.told[0].word, screen.told[0].bout) == ("Mira", "no", 0)
    assert screen.prompt == "Oleg is asked for 6♦"


def test_question_for_plain_cards_names_all_of_them() -> None:
    assert any(screen.prompt.endswith(" is asked for 6♣, 6♥ or 6♠") for screen in every_screen(trumpless()))


def test_word_of_each_move_stands_in_the_log() -> None:
    words = {screen.told[-1].word for screen in every_screen(opened())[1:]}

    assert words == {"no", "show", "attack", "beat", "throw in", "pile on", "take", "done"}


def test_move_by_the_clock_is_marked() -> None:
    assert after(11, by_clock(opened(), 10)).told[-1].auto


def test_log_holds_the_moves_so_far_and_only_the_last_of_them() -> None:
    screens = every_screen(trumpless())

    assert [len(screen.told) for screen in screens] == [min(TOLD_MAX, moves) for moves in range(126)]
    assert screens[-1].told[0] == screens[TOLD_MAX + 50].told[-5]


def test_move_of_a_bout_is_told_with_its_number() -> None:
    told = after(14).told

    assert [line.bout for line in told] == [0] * 6 + [1] * 5 + [2] * 3


def test_prompt_tells_who_attacks_first() -> None:
    assert after(6).prompt == "Oleg attacks first"


def test_prompt_tells_who_defends() -> None:
    assert after(7).prompt == "Mira defends"


def test_prompt_tells_who_may_throw_in() -> None:
    assert after(8).prompt == "Oleg may throw in"


def test_prompt_tells_that_the_bout_before_was_beaten_off() -> None:
    assert after(11).prompt == "Beaten off. Mira attacks"


def test_prompt_tells_who_may_pile_on() -> None:
    assert after(16).prompt == "Mira takes - Oleg may pile on"


def test_prompt_tells_that_the_cards_were_taken() -> None:
    assert after(17).prompt == "Taken. Oleg attacks"


def test_prompt_at_the_end_tells_the_durak() -> None:
    assert after(65).prompt == "Mira is the durak"


def test_prompt_at_the_end_tells_of_a_draw() -> None:
    assert after(78, draw()).prompt == "A draw: nobody is the durak"


def test_prompt_at_the_end_tells_of_resigning() -> None:
    resigned = replace(opened(), moves=opened().moves[:30], end="resign")

    assert after(30, resigned).prompt == "Mira is the durak by resigning"
    assert after(29, resigned).prompt == "Mira defends"


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("running", "The log ends here. The game is not finished."),
        ("left", "Somebody left before the end. There is no result."),
        ("claimed", "The win was claimed: the other side was gone. A claim is no proof."),
        ("desync", "Both programs disagreed. There is no result."),
    ],
)
def test_prompt_at_the_end_of_an_unfinished_game_says_so(end: str, told: str) -> None:
    assert after(20, ended_as(opened(), end, 20)).prompt == told


def test_turn_is_of_whoever_moves_next() -> None:
    for game in (opened(), draw()):
        screens = every_screen(game)
        for screen, move in zip(screens, game.moves, strict=False):
            assert (screen.bottom.turn, screen.top.turn) == (move.seat == MIRA, move.seat == OLEG)


@pytest.mark.parametrize(("end", "turns"), [("left", (False, False)), ("running", (False, True))])
def test_turn_stays_where_the_log_just_ends_and_is_nobodys_in_an_ended_game(end: str, turns) -> None:
    screen = after(8, ended_as(opened(), end, 8))

    assert (screen.bottom.turn, screen.top.turn) == turns


def test_done_of_the_player_at_the_top_is_said_at_the_table() -> None:
    assert after(11).said == "Oleg: done"


def test_word_of_the_player_at_the_bottom_is_not_said_at_the_table() -> None:
    assert after(11, seat=OLEG).said == ""


def test_take_is_said_until_the_bout_ends() -> None:
    assert [after(moves, seat=OLEG).said for moves in (46, 47, 48, 49)] == ["", "Mira: take", "Mira: take", ""]


def test_notation_shows_the_bout_as_far_as_it_goes() -> None:
    assert [after(moves).notation for moves in (0, 6, 7, 8, 9, 11, 16, 17)] == [
        "first asked",
        "first asked 0-6d 1-6d 1-8d 0-8d 0-9d 1+9d",
        "1. 1> 9h",
        "1. 1> 9h/Th",
        "1. 1> 9h/Th 9c",
        "1. 1> 9h/Th 9c/Jc .",
        "3. 1> 9d +",
        "3. 1> 9d + .",
    ]


def test_notation_of_a_long_search_shows_its_last_answers() -> None:
    assert after(18, trumpless()).notation == "first asked … 1-Qd 1-Kd 0-Kd 0-6c,6h,6s 1+6s".replace("… ", "… 0-Qd ")


def test_notation_marks_a_move_by_the_clock() -> None:
    assert after(11, by_clock(opened(), 10)).notation == "1. 1> 9h/Th 9c/Jc .~"


def test_game_whose_first_attacker_was_settled_before_begins_with_its_first_bout() -> None:
    game = settled_before(opened())

    assert (after(0, game).notation, after(0, game).bout) == ("first seat 1", 1)
    assert after(1, game).notation == "1. 1> 9h"
    assert after(0, game).prompt == "Oleg attacks first"


def test_mark_is_where_a_bout_ends() -> None:
    progress = after(0).progress

    assert progress is not None
    assert progress.marks == tuple(at for at, move in enumerate(opened().moves, 1) if move.bout_end is not None)


# Hands.


def test_own_hand_alone_lies_open_where_only_that_is_shown() -> None:
    screen = after(30, shown=Shown.MINE)

    assert None not in screen.bottom.cards
    assert set(screen.top.cards) == {None}


def test_no_hand_lies_open_where_none_is_shown() -> None:
    screen = after(30, shown=Shown.NONE)

    assert {*screen.bottom.cards, *screen.top.cards} == {None}


def test_hand_that_was_never_opened_shows_the_cards_that_everybody_knows() -> None:
    hand = sealed().moves[16].after.hands[MIRA]
    cards = after(17, sealed()).bottom.cards

    assert {card for card in cards if card is not None} == set(hand.known) != set()
    assert cards.count(None) == hand.hidden > 0


def test_hand_of_a_known_key_lies_open_also_where_the_other_does_not() -> None:
    screen = after(0, half_sealed(), seat=OLEG)

    assert None not in screen.bottom.cards
    assert set(screen.top.cards) == {None}


def test_cards_lie_by_suit_with_the_trumps_last() -> None:
    assert after(0, seat=OLEG).bottom.cards == tuple(map(parse_card, ("9c", "6h", "9h", "Qh", "As", "9d")))


def test_h_hides_the_hand_of_the_other_player_and_shows_it_again() -> None:
    shown = model()
    before = shown.screen(NOW)

    hidden = press(shown, "h")
    again = press(shown, "h")

    assert (set(hidden.top.cards), hidden.bottom.cards) == ({None}, before.bottom.cards)
    assert again.top.cards == before.top.cards


def test_h_shows_both_hands_where_none_was_shown() -> None:
    screen = press(model(shown=Shown.NONE), "h")

    assert None not in {*screen.bottom.cards, *screen.top.cards}


def test_h_says_which_hands_were_never_opened() -> None:
    screen = press(model(half_sealed(), shown=Shown.MINE), "h")

    assert screen.notice is not None
    assert screen.notice.text == "The hidden cards of Mira were never opened."


def test_h_says_whose_hand_is_shown() -> None:
    screen = press(model(), "h")

    assert screen.notice is not None
    assert screen.notice.text == "Only the hand of Mira is shown."


def test_notice_is_gone_with_the_next_key() -> None:
    assert press(model(), "h", "right").notice is None


def test_flipped_seats_change_places() -> None:
    before = after(30)

    screen = press(model(at=30), "f")

    assert (screen.bottom, screen.top) == (before.top, before.bottom)


def test_seats_flipped_twice_are_where_they_were() -> None:
    for moves in range(66):
        assert press(model(at=moves), "f", "f") == after(moves)


def test_hidden_hand_stays_the_one_at_the_top_when_the_seats_are_flipped() -> None:
    screen = press(model(at=30), "h", "f")

    assert set(screen.top.cards) == {None}
    assert None not in screen.bottom.cards


# Moving about.


@pytest.mark.parametrize(("begin", "key", "end"), [(5, "right", 6), (5, "left", 4), (0, "left", 0), (65, "right", 65)])
def test_arrow_steps_by_a_move_and_stays_in_the_game(begin: int, key: str, end: int) -> None:
    shown = model(at=begin)
    press(shown, key)

    assert at(shown) == end


@pytest.mark.parametrize(
    ("begin", "key", "end"),
    [(0, "]", 6), (6, "]", 11), (8, "]", 11), (64, "]", 65), (65, "]", 65), (13, "[", 11), (11, "[", 6), (3, "[", 0)],
)
def test_bracket_goes_from_bout_to_bout(begin: int, key: str, end: int) -> None:
    shown = model(at=begin)
    press(shown, key)

    assert at(shown) == end


def test_left_bracket_at_the_beginning_stays() -> None:
    shown = model()
    press(shown, "[")

    assert at(shown) == 0


def test_home_shows_what_was_seen_first() -> None:
    assert press(model(at=40), "home") == after(0)


def test_end_shows_what_stepping_shows() -> None:
    assert press(model(), "end") == every_screen(opened())[-1]


@pytest.mark.parametrize("moves", [0, 1, 22, 65])
def test_going_to_a_number_shows_what_stepping_shows(moves: int) -> None:
    assert press(model(at=30), "g", *str(moves), "enter") == every_screen(opened())[moves]


def test_asking_for_a_number_says_which_there_are() -> None:
    screen = press(model(), "g", "4")

    assert (screen.entry, screen.prompt, screen.tone) == ("4", "Go to which move? 0 to 65", Tone.MINE)


def test_number_that_is_too_large_is_refused_and_can_be_mended() -> None:
    shown = model(at=3)
    refused = press(shown, "g", "6", "6", "enter")

    assert (refused.prompt, refused.tone) == ("There is no move 66. Go to which? 0 to 65", Tone.ALARM)
    assert (refused.entry, at(shown)) == ("66", 3)
    assert press(shown, "backspace", "enter") == after(6)


def test_escape_gives_up_the_number() -> None:
    assert press(model(at=3), "g", "9", "escape") == after(3)


def test_enter_without_a_number_gives_it_up() -> None:
    assert press(model(at=3), "g", "enter") == after(3)


@pytest.mark.parametrize("key", ["c-u", "c-w"])
def test_number_can_be_erased_at_once(key: str) -> None:
    assert press(model(), "g", "1", "2", key).entry == ""


@pytest.mark.parametrize("key", ["q", "h", "space", "left", "x", "-", "²"])
def test_only_digits_go_into_a_number(key: str) -> None:
    assert press(model(), "g", "1", key).entry == "1"


def test_digits_of_another_script_are_digits() -> None:
    assert press(model(), "g", "٤", "۲").entry == "42"


def test_number_is_not_longer_than_any_game() -> None:
    assert press(model(), "g", *"1234567").entry == "12345"


def test_digits_can_be_pasted_where_a_number_is_asked_for() -> None:
    shown = model()
    press(shown, "g")
    shown.paste("move 12\n", NOW)

    assert shown.screen(NOW).entry == "12"


def test_pasted_text_does_nothing_elsewhere() -> None:
    shown = model(at=3)
    shown.paste("q12\n", NOW)

    assert shown.screen(NOW) == after(3)


@pytest.mark.parametrize(("begin", "seen"), [(-1, 0), (12, 12), (999, 65)])
def test_beginning_outside_of_the_game_is_moved_into_it(begin: int, seen: int) -> None:
    assert at(model(at=begin)) == seen


def test_click_on_the_bar_goes_there() -> None:
    shown = model()
    shown.touch(Jump(22), NOW)

    assert shown.screen(NOW) == after(22)


def test_click_on_a_hint_is_its_key() -> None:
    shown = model(at=5)
    shown.touch(Press("right"), NOW)

    assert at(shown) == 6


def test_click_on_a_card_does_nothing() -> None:
    shown = model(at=10)

    assert shown.touch(Touch(parse_card("9h")), NOW) is None
    assert shown.screen(NOW) == after(10)


# Playing.


def test_replay_does_not_play_at_first() -> None:
    assert model().due(NOW) is None


def test_space_plays_and_the_first_move_comes_after_its_time() -> None:
    shown = model()
    press(shown, "space")

    assert shown.due(NOW) == pytest.approx(MOVE_S)
    shown.advance(NOW + MOVE_S / 2)
    assert at(shown) == 0
    shown.advance(NOW + MOVE_S)
    assert at(shown) == 1


def test_playing_shows_in_progress_and_hints() -> None:
    screen = press(model(), "space")

    assert screen.progress is not None
    assert screen.progress.playing
    assert screen.hints[0].text == "pause"


def test_end_of_a_bout_stays_longer() -> None:
    shown = model(at=11)
    press(shown, "space")

    assert shown.due(NOW) == pytest.approx(BOUT_END_S)


def test_space_pauses() -> None:
    assert press(model(at=3), "space", "space") == after(3)


def test_playing_reaches_the_end_and_stays() -> None:
    shown = model()
    press(shown, "space")

    end = played(shown, 1000.0)

    assert shown.due(end) is None
    assert shown.screen(end) == after(65)
    shown.advance(end + 1000.0)
    assert shown.screen(end) == after(65)


def test_whole_game_takes_the_time_of_its_moves() -> None:
    shown = model()
    press(shown, "space")
    bouts = sum(move.bout_end is not None for move in opened().moves[:-1])
    seconds = 65 * MOVE_S + bouts * (BOUT_END_S - MOVE_S)

    played(shown, seconds - 0.1)
    assert at(shown) == 64
    played(shown, seconds + 0.1)
    assert at(shown) == 65


def test_space_at_the_end_plays_from_the_beginning() -> None:
    shown = model(at=65)
    press(shown, "space")

    assert at(shown) == 0
    assert shown.due(NOW) is not None


def test_after_a_long_sleep_the_game_goes_on_where_it_was() -> None:
    shown = model()
    press(shown, "space")
    shown.advance(NOW + 1000.0)

    assert at(shown) == 1
    assert shown.due(NOW + 1000.0) == pytest.approx(MOVE_S)


def test_looking_changes_nothing() -> None:
    shown = model()
    press(shown, "space")

    assert shown.screen(NOW + 1000.0) == shown.screen(NOW)


@pytest.mark.parametrize("key", ["left", "right", "g", "i", "?"])
def test_looking_closely_ends_the_playing(key: str) -> None:
    shown = model(at=20)
    press(shown, "space", key)

    assert shown.due(NOW) is None


@pytest.mark.parametrize("key", ["[", "]", "home", "+", "h", "f"])
def test_playing_goes_on_from_another_place_or_in_another_way(key: str) -> None:
    shown = model(at=20)
    press(shown, "space", key)

    assert shown.due(NOW) is not None


def test_going_to_the_end_ends_the_playing() -> None:
    shown = model()
    press(shown, "space", "end")

    assert shown.due(NOW) is None


def test_speeds_go_from_the_slowest_to_the_fastest_and_no_further() -> None:
    shown = model()
    slower = [press(shown, "-").progress.speed for _ in range(3)]
    faster = [press(shown, key).progress.speed for key in "+=+=+="]

    assert slower == [0.5, 0.25, 0.25]
    assert faster == [*SPEEDS[1:], SPEEDS[-1]]


def test_speed_shortens_the_wait() -> None:
    shown = model(speed=4.0)
    press(shown, "space")

    assert shown.due(NOW) == pytest.approx(MOVE_S / 4)


@pytest.mark.parametrize(("wanted", "given"), [(1.5, 1.5), (0.0, 0.25), (-1.0, 0.25), (100.0, 8.0)])
def test_speed_stays_within_what_can_be_watched(wanted: float, given: float) -> None:
    progress = after(0, speed=wanted).progress

    assert progress is not None
    assert progress.speed == given


def test_speed_between_the_steps_goes_to_the_next_one() -> None:
    assert press(model(speed=1.5), "+").progress.speed == 2.0
    assert press(model(speed=1.5), "-").progress.speed == 1.0


def test_game_without_a_move_does_not_play() -> None:
    shown = model(ended_as(opened(), "running", 0))

    assert press(shown, "space", "right", "]", "end").prompt == "The log ends here. The game is not finished."
    assert shown.due(NOW) is None


# What lies over it, and leaving.


def test_question_mark_shows_the_keys_and_escape_takes_them_away() -> None:
    shown = model(at=3)
    screen = press(shown, "?")

    assert screen.panel is not None
    assert screen.panel.title == "Keys"
    assert press(shown, "escape") == after(3)


def test_i_shows_what_the_log_proves() -> None:
    panel = press(model(), "i").panel

    assert panel is not None
    lines = [line.text for line in panel.lines]
    assert lines[:5] == [
        "Audit: ok. The deal, both shuffles and every move are proven.",
        "Every card of both hands can be seen.",
        "Game 1, 2026-11-30: Mira (host) and Oleg (guest)",
        "The classic rules: 25 s a move.",
        "Mira is the durak",
    ]
    assert lines[5] == "Key of Mira: " + " ".join(opened().keys[0][i : i + 4] for i in (0, 4, 8, 12))
    assert panel.lines[0].tone is Tone.GOOD


def test_log_without_a_result_is_not_said_to_prove_one() -> None:
    panel = press(model(ended_as(opened(), "left", 20)), "i").panel

    assert panel is not None
    assert panel.lines[0].text == "Audit: incomplete. All that the log holds is proven, but it proves no result."
    assert panel.lines[0].tone is Tone.PLAIN


@pytest.mark.parametrize("key", ["i", "q", "escape", "enter"])
def test_what_lies_over_the_table_is_taken_away_by(key: str) -> None:
    shown = model(at=3)

    assert press(shown, "i").panel is not None
    assert shown.press(key, NOW) is None
    assert shown.screen(NOW) == after(3)


def test_one_panel_follows_another() -> None:
    panel = press(model(), "i", "?").panel

    assert panel is not None
    assert panel.title == "Keys"


def test_keys_of_the_replay_are_off_under_a_panel() -> None:
    shown = model(at=3)
    press(shown, "?", "right", "g", "f", "]", "escape")

    assert shown.screen(NOW) == after(3)


@pytest.mark.parametrize(
    ("keys", "scroll"),
    [(["down"], 1), (["down", "up", "up"], 0), (["pagedown"], 8), (["space"], 8), (["pagedown", "home"], 0)],
)
def test_panel_scrolls_and_not_above_its_beginning(keys: list[str], scroll: int) -> None:
    panel = press(model(), "?", *keys).panel

    assert panel is not None
    assert panel.scroll == scroll


def test_panel_does_not_scroll_endlessly() -> None:
    panel = press(model(), "?", *["pagedown"] * 20).panel

    assert panel is not None
    assert panel.scroll == 2 * len(panel.lines)


@pytest.mark.parametrize("key", ["q", "escape", "c-c", "f10", "й"])
def test_key_leaves_the_replay(key: str) -> None:
    assert model().press(key, NOW) is Local.QUIT


@pytest.mark.parametrize("key", ["q", "escape", "c-c"])
def test_key_leads_back_to_the_table(key: str) -> None:
    assert model(from_table=True).press(key, NOW) is Local.TABLE


@pytest.mark.parametrize("before", ["g", "i"])
def test_ctrl_c_leaves_from_anywhere(before: str) -> None:
    shown = model()
    press(shown, before)

    assert shown.press("c-c", NOW) is Local.QUIT


@pytest.mark.parametrize(("key", "wish"), [("c-l", Local.REDRAW), ("m", Local.MOUSE)])
def test_key_for_the_screen_itself_is_passed_on(key: str, wish: Local) -> None:
    assert model().press(key, NOW) is wish


@pytest.mark.parametrize(("typed", "meant"), [("р", "h"), ("а", "f"), ("х", "["), ("ъ", "]"), ("ب", "f")])
def test_letter_of_another_layout_works_by_its_place(typed: str, meant: str) -> None:
    assert press(model(at=20), typed) == press(model(at=20), meant)


@pytest.mark.parametrize("key", ["up", "enter", "tab", "delete"])
def test_key_without_a_meaning_does_nothing(key: str) -> None:
    shown = model(at=3)

    assert shown.press(key, NOW) is None
    assert shown.screen(NOW) == after(3)


@pytest.mark.parametrize("key", ["x", "t", "日"])
def test_letter_without_a_meaning_says_where_the_keys_are_listed(key: str) -> None:
    screen = press(model(at=3), key)

    assert screen.notice == Notice(f"{key} is no key here; ? lists them.")
    assert replace(screen, notice=None) == after(3)


def test_step_beyond_the_last_move_says_that_this_is_the_end() -> None:
    assert press(model(at=64), "right").notice is None
    assert press(model(at=65), "right").notice == Notice("This is the end.")


def test_mouse_says_whose_it_is_now() -> None:
    shown = model()

    assert press(shown, "m").notice == Notice("The mouse is the terminal's now.")
    assert not shown.mouse
    assert press(shown, "m").notice == Notice("The mouse is the table's now.")


def test_news_from_the_table_stays_for_a_while_whatever_is_pressed() -> None:
    shown = model(from_table=True)
    shown.tell("mira wants to play again.", NOW)

    assert press(shown, "right").notice == Notice("mira wants to play again.", Tone.MINE)
    assert shown.due(NOW) == TOLD_S
    shown.advance(NOW + TOLD_S)
    assert shown.screen(NOW + TOLD_S).notice is None
    assert shown.due(NOW + TOLD_S) is None


def test_nothing_told_is_no_news() -> None:
    shown = model(from_table=True)
    shown.tell("", NOW)

    assert shown.due(NOW) is None


def test_panel_scrolls_to_its_end_as_far_as_the_picture_says() -> None:
    shown = model()
    press(shown, "?")
    shown.scrollable(5)

    assert [(press(shown, key).panel or Panel("", ())).scroll for key in ("end", "down", "up", "home")] == [5, 5, 4, 0]


def test_help_explains_the_line_of_the_bout() -> None:
    panel = press(model(), "?").panel

    assert panel is not None
    text = "\n".join(line.text for line in panel.lines)
    for sign in ("0> 1>", "6c/9c", "+", ".", "~", "T"):
        assert f"\n{sign}  " in text


def test_every_hint_is_a_key_that_does_something() -> None:
    for hint in after(20).hints:
        shown = model(at=20, speed=2.0)
        assert shown.press(hint.key, NOW) is not None or shown.screen(NOW) != after(20, speed=2.0), hint


def test_stops_of_a_game_are_where_a_bout_begins() -> None:
    frames = Frames(opened())
    begins = [
        moves
        for moves in range(1, 65)
        if (state := opened().moves[moves - 1].after).phase is Phase.ATTACK and not state.table
    ]

    assert list(frames.stops) == [0, *begins, 65]


def test_sight_of_none_sees_nobody() -> None:
    assert not any(Sight(MIRA, Shown.NONE).sees(seat) for seat in (MIRA, OLEG))


KEYS = ["space", "left", "right", "[", "]", "-", "+", "home", "end", "g", "1", "7", "enter", "escape", "h", "f", "i"]
KEYS += ["?", "down", "pageup", "backspace", "q", "c-u", "x", "time"]


def test_whatever_is_pressed_the_table_is_one_of_the_game() -> None:
    hypothesis = pytest.importorskip("hypothesis")
    strategies = hypothesis.strategies

    @hypothesis.given(keys=strategies.lists(strategies.sampled_from(KEYS), max_size=40))
    def check(keys: list[str]) -> None:
        shown, now = model(), NOW
        for key in keys:
            if key == "time":
                now += shown.due(now) or 1.0
                shown.advance(now)
            else:
                shown.press(key, now)
            screen, due = shown.screen(now), shown.due(now)
            assert screen.progress is not None
            assert 0 <= screen.progress.at <= 65
            assert len(screen.told) == min(TOLD_MAX, screen.progress.at)
            assert (due is not None) == screen.progress.playing
            assert due is None or (due >= 0 and screen.progress.at < 65)
            assert due is None or (screen.panel is None and screen.entry is None)

    check()
