"""Whatever is pressed, clicked and pasted at any moment: the seat stays whole and asks only for what is allowed."""

from __future__ import annotations

import pytest

pytest.importorskip("hypothesis")

from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.events import Again, Late, Link, LinkState, Play, Said, Trouble, Waiting
from p2pdurak.rules.actions import Attack, Beat, Done, Take
from p2pdurak.rules.cards import DECK
from p2pdurak.ui.draw.canvas import Press, Touch
from tests.ui.live.seats import (
    BEATEN,
    DEFENDING,
    LEADING,
    LED,
    NINE_C,
    START_S,
    TAKEN,
    TEN_C,
    WAITING,
    dealt,
    moved,
    result,
    seated,
    turn,
    view_after,
)

NAMED = (
    "left right up down tab s-tab enter space escape backspace delete home end pageup pagedown c-c c-l c-u c-w f1 f10"
)
keys = st.sampled_from(NAMED.split()) | st.sampled_from("67890jqkatd/smi?nrqwvl") | st.characters(categories=["L", "N"])
touches = st.sampled_from([Touch(card) for card in DECK]) | keys.map(Press)
ONLY_TRUMPS = view_after(0, "9c 6c 7c 8c 9h Ah", Attack(NINE_C), Beat(TEN_C))
events = st.sampled_from(
    [
        turn(LEADING),
        turn(LED),
        turn(BEATEN),
        turn(TAKEN, 0),
        moved(0, Attack(NINE_C), LED),
        moved(1, Beat(TEN_C), BEATEN),
        moved(1, Take(), TAKEN, auto=True),
        LinkState(Link.UP, 40),
        LinkState(Link.SLOW, 40, None, 7),
        LinkState(Link.DOWN, None, 30, 20),
        LinkState(Link.OWN_DOWN, None, attempt=2),
        Late(1, 60, claimable=True),
        Said(1, "hi"),
        Waiting("Wait."),
        Again(0),
        Again(1),
        moved(0, Done(), LEADING),
        turn(ONLY_TRUMPS),
        Trouble("left", "Gone."),
        result(),
        dealt(LEADING, 2),
    ]
)
steps = st.lists(st.tuples(st.floats(0, 20), keys | touches | events | st.text().map(lambda text: [text])), max_size=40)


@given(st.sampled_from([LEADING, DEFENDING, WAITING]), steps)
def test_any_keys_at_any_moment_ask_only_for_what_is_legal(view, steps):
    model, now = seated(turn(view), view=view), START_S
    for passed, step in steps:
        now += passed
        model.advance(now)
        match step:
            case str():
                wish = model.press(step, now)
            case Touch() | Press():
                wish = model.touch(step, now)
            case [text]:
                wish = model.paste(text, now)
            case _:
                wish = model.show(step, now)
        if isinstance(wish, Play):
            assert model.view is not None
            assert wish.action in model.view.legal_actions()
        screen, due = model.screen(now), model.due(now)
        assert screen.focus is None or screen.focus in screen.bottom.cards
        assert screen.playable <= set(screen.bottom.cards)
        assert due is None or due >= 0
        assert screen == model.screen(now)
