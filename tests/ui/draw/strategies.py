"""Any screen, for properties: not every one can come up in a game, and each must be drawn all the same.

It owns the bounds of what a screen may hold; it asserts nothing.
"""

from __future__ import annotations

from hypothesis import strategies as st

from p2pdurak.events import Link
from p2pdurak.rules.actions import Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import DECK, Suit
from p2pdurak.rules.state import Pair
from p2pdurak.safe_text import clean_chat, clean_name
from p2pdurak.ui.draw.screen import Chart, Clock, Hint, Line, Notice, Panel, Progress, Screen, Seated, Told, Tone

cards = st.sampled_from(DECK)
names = st.text(max_size=30).map(clean_name)
texts = st.text(max_size=60).map(clean_chat) | st.sampled_from(["", "Beat 10♥: K♥, or take", "x" * 200, "王" * 90])
tones = st.sampled_from(Tone)
small = st.integers(0, 400)

actions = (
    st.builds(Attack, cards)
    | st.builds(Beat, cards)
    | st.builds(Take)
    | st.builds(Done)
    | st.builds(Show, cards)
    | st.builds(Deny, st.lists(cards, max_size=3).map(tuple))
)
hands = st.lists(cards | st.none(), max_size=36, unique_by=lambda card: object() if card is None else card).map(tuple)
seats = st.builds(Seated, names, hands, st.none() | small, st.booleans())
notices = st.builds(Notice, texts, tones)
hints = st.lists(st.builds(Hint, st.just("x"), st.sampled_from(["x", "Enter", "^C"]), texts), max_size=9).map(tuple)
signs = st.lists(st.tuples(small, st.sampled_from("12z")), max_size=5).map(tuple)
charts = st.builds(Chart, st.lists(st.none() | st.floats(0, 1), max_size=200).map(tuple), signs, small)
panels = st.builds(Panel, texts, st.lists(notices, max_size=30).map(tuple), hints, small, st.none() | charts)
lines = st.builds(Line, st.sampled_from(Link), st.none() | small, st.none() | small, small)
pairs = st.builds(Pair, cards, st.none() | cards)
tolds = st.builds(Told, names | st.just(""), st.none() | actions, texts, st.booleans(), small)
progresses = st.builds(
    Progress,
    small,
    small,
    st.lists(small, max_size=20).map(tuple),
    st.booleans(),
    st.sampled_from([0.25, 1.0, 8.0]),
    signs,
)

screens = st.builds(
    Screen,
    title=texts,
    bout=small,
    top=seats,
    bottom=seats,
    trump=st.sampled_from(Suit),
    indicator=st.none() | cards,
    talon=st.integers(0, 36),
    beaten=st.integers(0, 36),
    table=st.lists(pairs, max_size=8).map(tuple),
    prompt=texts,
    tone=tones,
    said=texts,
    choosing=st.booleans(),
    playable=st.frozensets(cards),
    focus=st.none() | cards,
    by_suit=st.booleans(),
    clock=st.none() | st.builds(Clock, st.integers(-5, 900), st.integers(0, 900)),
    line=st.none() | lines,
    told=st.lists(tolds, max_size=20).map(tuple),
    notice=st.none() | notices,
    entry=st.none() | texts,
    hints=hints,
    panel=st.none() | panels,
    progress=st.none() | progresses,
    notation=texts,
    judged=st.lists(texts, max_size=3).map(tuple),
    game=small,
)
