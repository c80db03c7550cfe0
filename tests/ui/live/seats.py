"""A seat at a table in any position, and two seats that play each other by keys alone.

It owns positions and presses; what must come of them stands in the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from p2pdurak.events import Dealt, Event, Moved, Play, Reason, Result, Turn
from p2pdurak.rules.actions import Action, Attack, Beat, Done, Take
from p2pdurak.rules.cards import Card, Suit, card_text, parse_card
from p2pdurak.rules.engine import apply, to_act
from p2pdurak.rules.positions import position
from p2pdurak.rules.state import Hand, Phase
from p2pdurak.rules.view import View
from p2pdurak.ui.draw.render import render
from p2pdurak.ui.draw.themes import Theme
from p2pdurak.ui.live.keys import Wish
from p2pdurak.ui.live.play_model import PlayModel
from tests.table.pairs import Pair

START_S: Final = 100.0
LATER_S: Final = 101.0
"""Long enough after the turn began for a press to count."""

NAMES: Final = ("ilya", "mira")
OWN: Final = "6c 9c 9d Kd 7h As"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


def view_after(seat: int, own: str, *moves: Action, talon: int = 24) -> View:
    """Seat 0 leads in a game with hearts as trump; each seat holds six cards, and the view's own are `own`."""
    sealed = Hand((), 6)
    indicator = parse_card("Kh") if talon else None
    state = position(Suit.HEARTS, (sealed, sealed), 0, indicator=indicator, talon=talon)
    for move in moves:
        state = apply(state, move).state
    gone = {getattr(move, "card", None) for move in moves}
    return View(seat, state, tuple(sorted(card for card in cards(own) if card not in gone)))


NINE_C, TEN_C, NINE_D = cards("9c Tc 9d")
LEADING: Final = view_after(0, OWN)
LED: Final = view_after(0, OWN, Attack(NINE_C))
BEATEN: Final = view_after(0, OWN, Attack(NINE_C), Beat(TEN_C))
TAKEN: Final = view_after(0, OWN, Attack(NINE_C), Take())
DEFENDING: Final = view_after(1, "8c Tc 6d 7d Jh As", Attack(NINE_C))
HELPLESS: Final = view_after(1, "8c 7c 6d 7d Qs As", Attack(NINE_C))
WAITING: Final = view_after(1, "8c Tc 6d 7d Jh As")


def dealt(view: View, game: int = 1) -> Dealt:
    return Dealt(game, view.seat, NAMES, view.hand, parse_card("Kh"), view)


def turn(view: View, seconds: int = 25) -> Turn:
    return Turn(present(to_act(view.state)), view, seconds)


def present(seat: int | None) -> int:
    """The seat of who is to act, in a position that is not over."""
    if seat is None:
        raise ValueError("nobody is to act")
    return seat


def seated(*events: Event, view: View = LEADING) -> PlayModel:
    """A player's seat after the deal and what followed, all at one moment."""
    model = PlayModel("k7q2m")
    for event in (dealt(view), *events):
        model.show(event, START_S)
    return model


def at_turn(view: View, seconds: int = 25) -> PlayModel:
    """A seat at the beginning of a turn, ours or the other's."""
    return seated(turn(view, seconds), view=view)


def moved(seat: int, action: Action, view: View, *, auto: bool = False) -> Moved:
    return Moved(20, seat, action, auto, view)


def typed(model: PlayModel, keys: str, now: float = LATER_S) -> Wish | None:
    """Press keys one after another, named between blanks; the last one's wish."""
    wish = None
    for key in keys.split():
        wish = model.press(key, now)
    return wish


def say(model: PlayModel, text: str, now: float = LATER_S) -> None:
    """Type text key by key."""
    for char in text:
        model.press("space" if char == " " else char, now)


def result(outcome: str = "win", reason: Reason = Reason.CARDS, **changes: object) -> Result:
    """The end of a game that seat 0 sees."""
    durak = {"win": 1, "loss": 0}.get(outcome)
    fields: dict[str, object] = {
        "outcome": outcome,
        "durak": durak,
        "reason": reason,
        "names": NAMES,
        "seat": 0,
        "log": "/home/ilya/7.dlog",
        "head": "ab",
        "verified": True,
        "hands": ((), cards("8c 6d")),
        "score": (2, 1, 0),
        "more": True,
        **changes,
    }
    return Result(**fields)  # type: ignore[arg-type]


def card_key(card: Card) -> str:
    """The key that jumps to a card's rank."""
    rank = card_text(card)[0].lower()
    return "0" if rank == "t" else rank


def play_by_keys(pair: Pair, models: tuple[PlayModel, PlayModel], policy: Callable[[View], Action]) -> Iterator[int]:
    """Play a game by pressing keys at both seats; yields the seat after each of its moves."""
    heard = [0, 0]

    def listen() -> None:
        for seat, side in enumerate(pair.sides):
            for event in side.events[heard[seat] :]:
                models[seat].show(event, pair.now)
            heard[seat] = len(side.events)

    listen()
    while not pair.host.game.ended:
        pair.now += 1.0
        seat = pair.mover
        wish = press_move(models[seat], policy(pair.mover_view), pair.now)
        if not isinstance(wish, Play):
            raise TypeError(f"the keys asked for no move: {models[seat].screen(pair.now)}")
        pair.do(seat, wish)
        listen()
        yield seat
    pair.run(lambda: all(side.events and isinstance(side.events[-1], Result) for side in pair.sides))
    listen()


def press_move(model: PlayModel, action: Action, now: float) -> Wish | None:
    """Press the keys of a move."""
    match action:
        case Attack(card) | Beat(card):
            for _ in range(4):
                if model.screen(now).focus == card:
                    break
                model.press(card_key(card), now)
            return model.press("enter", now)
        case Take():
            return model.press("t", now)
        case Done():
            return model.press("d", now)
        case _:
            return None


def beaten_off_last() -> PlayModel:
    """A seat whose game has ended with a bout that is still shown."""
    over = replace(LEADING, state=replace(LEADING.state, phase=Phase.OVER))
    return seated(moved(0, Done(), over), result(), view=BEATEN)


def read_whole(model: PlayModel, columns: int, rows: int, theme: Theme) -> str:
    """All that is seen while the panel in the picture is scrolled from its beginning to its end, without blanks."""
    lines: list[str] = []
    for _ in range(10):
        _scrolled(model, "pageup", columns, rows, theme)
    for _ in range(100):
        shown = _scrolled(model, "", columns, rows, theme)
        lines += shown if not lines else shown[-1:]
        if shown == _scrolled(model, "down", columns, rows, theme):
            break
    return "".join("".join(lines).split())


def _scrolled(model: PlayModel, key: str, columns: int, rows: int, theme: Theme) -> list[str]:
    """The lines of the panel in the picture, after a key."""
    if key:
        model.press(key, LATER_S)
    screen = model.screen(LATER_S)
    picture = render(screen, columns, rows, theme)
    model.scrollable(picture.scrollable)
    drawn = picture.text().splitlines()
    top = next(y for y, line in enumerate(drawn) if "╭" in line)
    left, right = drawn[top].index("╭"), drawn[top].index("╮")
    bottom = next(y for y, line in enumerate(drawn) if y > top and line[left : left + 1] == "╰")
    keys = 1 if screen.panel is not None and screen.panel.hints else 0
    return [line[left + 1 : right] for line in drawn[top + 1 : bottom - keys]]
