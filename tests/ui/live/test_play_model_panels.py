"""What lies over the table of a player: that all of it can be read at every size, and what breaks a game off."""

from __future__ import annotations

import pytest

from p2pdurak.events import Again, Event, Late, Leave, Link, LinkState, Reason, Resign, Said, Shuffling, Trouble
from p2pdurak.rules.actions import Attack
from p2pdurak.ui.draw.canvas import Press
from p2pdurak.ui.draw.render import render
from p2pdurak.ui.draw.screen import Told, Tone
from p2pdurak.ui.draw.themes import Depth, Theme, make_theme
from p2pdurak.ui.live.keys import Local
from p2pdurak.ui.live.last_bout import SHOWN_S
from p2pdurak.ui.live.mover import END_GUARD_S
from p2pdurak.ui.live.play_model import PlayModel
from p2pdurak.ui.live.story import KEPT_MAX, Story
from p2pdurak.ui.scene import Scene
from tests.ui.live.seats import (
    LATER_S,
    LEADING,
    LED,
    NINE_C,
    START_S,
    TEN_C,
    at_turn,
    beaten_off_last,
    dealt,
    moved,
    read_whole,
    result,
    seated,
    turn,
    typed,
)

THEME: Theme = make_theme("terminal", depth=Depth.ANSI)
PATH = "/home/ilya/.local/share/p2pdurak/2026-11-30T18-22-10-mira.evidence.dlog"
CHEAT = Trouble("cheat", "The proof of the second shuffle does not hold", 1, PATH)
GONE = Late(1, 60, claimable=True)


def panel(model: PlayModel, now: float = LATER_S) -> list[str]:
    shown = model.screen(now).panel
    return [] if shown is None else [shown.title, *(line.text for line in shown.lines)]


def after(*events: Event, keys: str = "") -> PlayModel:
    model = seated(turn(LED), *events, view=LED)
    typed(model, keys)
    return model


PANELS = {
    "help": lambda: after(keys="?"),
    "proofs": lambda: after(keys="i"),
    "leave": lambda: after(keys="c-c"),
    "leave before the deal": lambda: after(result(), Shuffling("you", 1), keys="c-c"),
    "claim": lambda: after(GONE),
    "claim that is only asked for": lambda: after(keys="v"),
    "trouble": lambda: after(CHEAT),
    "end": lambda: after(result(), Again(1)),
    "end with trouble": lambda: after(CHEAT, result("none", Reason.CHEAT, by=1)),
    "chat": lambda: after(*(Said(1, f"{n} {'good luck ' * 8}{n}.") for n in range(10)), keys="/"),
}


@pytest.mark.parametrize(("columns", "rows"), [(40, 12), (44, 14), (60, 20), (80, 24), (110, 30)])
@pytest.mark.parametrize("name", PANELS)
def test_every_word_of_every_panel_can_be_read_at_every_size(name: str, columns: int, rows: int) -> None:
    model = PANELS[name]()
    shown = model.screen(LATER_S).panel
    assert shown is not None
    seen = read_whole(model, columns, rows, THEME)
    assert [line.text for line in shown.lines if "".join(line.text.split()) not in seen] == []


@pytest.mark.parametrize("name", sorted(PANELS.keys() - {"leave before the deal"}))
def test_a_click_on_more_scrolls_every_panel(name: str) -> None:
    model = PANELS[name]()
    before = render(model.screen(LATER_S), 40, 12, THEME)
    model.scrollable(before.scrollable)
    more = Press("up" if name == "chat" else "down")
    assert before.scrollable > 0
    model.touch(more, LATER_S)
    assert render(model.screen(LATER_S), 40, 12, THEME).text() != before.text()


def test_an_open_chat_stays_at_its_end_when_something_is_said():
    model = PANELS["chat"]()
    model.scrollable(4)
    model.show(Said(1, "and one more"), LATER_S)
    assert "mira:andonemore" in "".join(render(model.screen(LATER_S), 40, 12, THEME).text().split())


# What breaks a game off.


@pytest.mark.parametrize(
    ("trouble", "lines"),
    [
        (
            CHEAT,
            [
                "Cheating is proven",
                "The proof of the second shuffle does not hold.",
                "mira is accused.",
                "The evidence: ~/.local/share/p2pdurak/2026-11-30T18-22-10-mira.evidence.dlog",
            ],
        ),
        (Trouble("desync", "The hands differ."), ["The two programs disagree", "The hands differ."]),
        (Trouble("malformed", "A record is cut."), ["Something that cannot be read came", "A record is cut."]),
    ],
)
def test_what_breaks_the_game_is_told_whole_and_again_at_the_end(trouble: Trouble, lines: list[str]) -> None:
    model = PlayModel(home="/home/ilya")
    for event in (dealt(LEADING), turn(LEADING), trouble):
        model.show(event, START_S)
    assert panel(model) == lines
    model.show(result("none", Reason.CHEAT), START_S)
    assert [line for line in panel(model) if line in lines[1:]] == lines[1:]
    model.show(dealt(LEADING, 2), START_S)
    model.show(result(), START_S)
    assert not set(lines[1:]) & set(panel(model))


def test_trouble_of_another_kind_has_no_panel():
    assert panel(seated(Trouble("left", "Your friend has left."))) == []


def test_a_broken_game_offers_no_play():
    model = at_turn(LEADING)
    model.show(CHEAT, START_S)
    typed(model, "escape")
    shown = model.screen(LATER_S)
    assert (shown.prompt, shown.choosing, shown.clock) == ("The game is broken off", False, None)
    assert (shown.tone, shown.top.turn, shown.bottom.turn) == (Tone.PLAIN, False, False)
    assert typed(model, "enter", LATER_S + 1) is None


def test_what_broke_the_game_is_not_closed_by_a_key_that_was_to_play():
    model = at_turn(LEADING)
    model.show(CHEAT, START_S)
    typed(model, "enter q t d")
    assert panel(model)[0] == "Cheating is proven"


def test_whoever_wants_to_go_from_a_broken_game_is_not_asked():
    assert typed(after(CHEAT), "c-c") is Local.QUIT


# A claim.


def test_a_claim_is_offered_again_when_the_friend_is_heard_and_still_does_not_move():
    model = after(LinkState(Link.DOWN, None, 0), GONE, keys="w")
    model.show(LinkState(Link.UP, 40), LATER_S)
    assert panel(model) == []
    model.show(Late(1, 130, claimable=True), LATER_S)
    assert panel(model)[1] == "mira can be heard but does not make the next step."


def test_a_claim_that_was_asked_for_is_not_offered_once_more():
    model = after(keys="v")
    model.show(GONE, LATER_S)
    assert panel(model)[1] == "mira can be heard but does not make the next step."
    typed(model, "w")
    assert panel(model) == []


@pytest.mark.parametrize(("state", "keys"), [(Link.DOWN, ["r", "q"]), (Link.UP, ["n", "r", "/", "q"])])
def test_after_a_claim_only_who_is_there_can_be_asked(state: Link, keys: list[str]) -> None:
    model = after(LinkState(Link.DOWN, None, 0), result("win", Reason.CLAIMED, durak=None), LinkState(state, None))
    shown = model.screen(LATER_S).panel
    assert shown is not None
    assert [hint.key for hint in shown.hints] == keys
    assert ("mira is not there, and may return." in panel(model)) == (state is Link.DOWN)


def test_a_line_that_is_to_be_claimed_soon_counts_to_one_second_and_not_to_none():
    model = after(LinkState(Link.DOWN, None, 40))
    notice = model.screen(START_S + 50).notice
    assert notice is not None
    assert notice.text == "mira is offline and may return (0:01)"


# The end.


@pytest.mark.parametrize("key", ["q", "n", "r", "k", "0"])
def test_a_key_of_the_game_does_nothing_when_the_game_has_just_ended(key: str) -> None:
    model = after(result())
    before = model.screen(START_S + 0.001)
    assert model.press(key, START_S + 0.001) is None
    assert model.screen(START_S + 0.001) == before


@pytest.mark.parametrize("key", ["q", "r"])
def test_the_same_key_pressed_later_is_meant_for_the_end(key: str) -> None:
    model = after(result())
    model.press(key, START_S)
    assert model.press(key, START_S + END_GUARD_S) in {Local.QUIT, Local.REPLAY}


def test_the_end_that_waits_for_the_last_bout_is_guarded_from_when_it_is_seen():
    model = beaten_off_last()
    assert model.press("q", START_S + SHOWN_S + 0.5) is None
    assert model.press("q", START_S + SHOWN_S + END_GUARD_S) is Local.QUIT


def test_the_key_that_uncovers_the_end_is_not_meant_for_it():
    model = beaten_off_last()
    assert model.press("q", START_S + SHOWN_S - 0.1) is None
    assert model.press("q", START_S + SHOWN_S + END_GUARD_S - 0.05) is Local.QUIT


# Leaving.


@pytest.mark.parametrize(
    ("events", "resigns"),
    [
        ((result(), Shuffling("you", 1)), False),
        ((result(), Shuffling("you", 1), Shuffling("mira", 2)), True),
        ((), True),
    ],
)
def test_leaving_is_noted_from_the_second_shuffle_on(events: tuple[Event, ...], resigns: bool) -> None:
    model = after(*events, keys="c-c")
    early = "Nobody knows a card yet: leaving now counts for nothing."
    noted = "l: leave. The game counts as unfinished, left by you, and mira is told."
    assert (early in panel(model), noted in panel(model)) == (not resigns, resigns)
    assert model.press("r", LATER_S) == (Resign() if resigns else None)


def test_who_leaves_before_the_deal_leaves():
    assert typed(after(result(), Shuffling("you", 1)), "c-c l") == Leave()


# The log.


def test_the_log_keeps_no_more_than_so_many_lines():
    story = Story()
    for number in range(KEPT_MAX + 1):
        story.take(Said(1, str(number)), Scene(("ilya", "mira"), 0), None)
    assert (len(story.told), story.told[0].word) == (KEPT_MAX, "1")


def test_bouts_are_counted_anew_after_a_rematch_with_chat():
    model = seated(moved(0, Attack(NINE_C), LED), Said(1, "gg"), result(), dealt(LEADING, 2), view=LEADING)
    model.show(moved(0, Attack(TEN_C), LED), START_S)
    assert model.screen(START_S).told == (
        Told("mira", None, "gg"),
        Told("ilya", Attack(TEN_C), "attack", bout=1),
    )
