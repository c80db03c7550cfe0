"""The single lines of the picture: header, players, prompt and clock, notice, progress, keys.

It owns what such a line leaves out when it is narrow; it does not know in which row it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from p2pdurak.events import Link
from p2pdurak.ui.draw.canvas import Area, Jump, Press, Role, cells, fit
from p2pdurak.ui.draw.hand import MARGIN
from p2pdurak.ui.draw.log import move_words
from p2pdurak.ui.draw.screen import Clock, Hint, Line, Progress, Screen, Seated
from p2pdurak.ui.draw.sentences import CHAT_SIGN, Ink, card_words, suit_role

CLOCK_LOW_S: Final = 5
_CURSOR: Final = "█"
_MOVES_SHOWN: Final = 3
_GAP: Final = 3
_TITLE_MIN: Final = 8
"""A nameplate is this long; longer titles are cut before the state of the line is."""

_MIDDLE_DOT: Final = " · "


def draw_header(area: Area, screen: Screen) -> None:
    """Write title, bout, and the state of the line; the title is what gives way."""
    bout = f"bout {screen.bout}" if screen.bout else ""
    left = 1 + cells("durak") + 2
    room = area.width - left - min(cells(screen.title), _TITLE_MIN) - cells(bout) - 2 * _GAP
    status = [] if screen.line is None else _status(screen.line, room)
    right = area.width - 1 - _status_width(status)
    middle = max(left, right - cells(bout) - (_GAP if status else 0))
    if screen.progress is None:
        middle = min((area.width - cells(bout)) // 2, middle)
    area.put(1, 0, "durak", Role.TITLE)
    area.put(left, 0, fit(screen.title, (middle if bout else right) - left - 2), Role.DIM)
    area.put(middle, 0, bout, Role.TITLE)
    for text, role in status:
        right = area.put(right, 0, text, role) + 2


_Status = list[tuple[str, Role]]


def _status(line: Line, room: int) -> _Status:
    """What is said of the line, in the longest form for which there is room."""
    sign, short, long = _link_words(line)
    role = {Link.UP: Role.UP, Link.SLOW: Role.SLOW, Link.DOWN: Role.DOWN, Link.OWN_DOWN: Role.DOWN}[line.state]
    forms: list[_Status] = [
        [(seal, Role.SEAL), (f"{sign} {words}".rstrip(), role)]
        for words, seal in ((long, "■ sealed"), (long, "■"), (short, "■ sealed"), (short, "■"))
    ]
    return next((form for form in forms if _status_width(form) <= room), forms[-1])


def _status_width(status: _Status) -> int:
    return sum(cells(text) + 2 for text, _ in status) - 2 if status else 0


def _link_words(line: Line) -> tuple[str, str, str]:
    """A sign, the few words that the narrowest picture has room for, and the usual ones."""
    match line.state:
        case Link.UP:
            return "●", "", "" if line.rtt_ms is None else f"{line.rtt_ms} ms"
        case Link.SLOW:
            wait = "" if line.seconds is None else f"{line.seconds} s"
            return "◐", wait, f"slow {wait}"
        case Link.DOWN:
            left = "" if line.seconds is None else f"{line.seconds // 60}:{line.seconds % 60:02}"
            return "○", left, f"offline {left}"
        case Link.OWN_DOWN:
            tries = f"({line.attempt})" if line.attempt else ""
            return "○", f"you {tries}", f"you are offline {tries}"
        case _:
            assert_never(line.state)


def draw_seat(area: Area, seated: Seated, *, open_hand: bool = False) -> int:
    """Write a player's line: arrow, name, cards, games lost; give the column after it.

    With `open_hand` his cards are written too, as many as there is room for.
    """
    count = len(seated.cards)
    unseen = seated.cards.count(None)
    facts = [f"{count} {'card' if count == 1 else 'cards'}"]
    if 0 < unseen < count:
        facts[0] += f", {unseen} unseen"
    if seated.duraks:
        facts.append(f"durak x{seated.duraks}")
    while len(facts) > 1 and area.width - MARGIN - 3 - _joined(facts) < min(cells(seated.name), 12):
        facts.pop()
    if seated.turn:
        area.put(1, 0, "▸", Role.TURN)
    x = area.put(MARGIN, 0, fit(seated.name, area.width - MARGIN - 3 - _joined(facts)), Role.NAME)
    x = area.put(x + 2, 0, "  ".join(facts), Role.DIM)
    if open_hand:
        x += 1
        for card in seated.cards:
            if card is not None and x + 1 + cells(card_words(card)) <= area.width:
                x = area.put(x + 1, 0, card_words(card), suit_role(card))
    return x


def _joined(facts: Sequence[str]) -> int:
    return cells("  ".join(facts))


def draw_prompt(area: Area, screen: Screen, ink: Ink) -> None:
    """Write what is to be done now, with the clock at the right."""
    left = area.width if screen.clock is None else _draw_clock(area, screen.clock)
    prompt = area.part(0, 0, left - 1, 1)
    ink.toned(prompt, 1 if area.width < 58 else MARGIN, 0, screen.prompt, screen.tone)


def _draw_clock(area: Area, clock: Clock) -> int:
    """Draw a bar and the seconds left, `!` when they are few; give the first column that is taken."""
    low = clock.left_s <= CLOCK_LOW_S
    words = f"{'!' * low}{max(0, clock.left_s)}s".rjust(6)
    bar = 16 if area.width >= 70 else 10 if area.width >= 58 else 0
    x = start = area.width - 1 - cells(words) - bar
    filled = 0 if clock.of_s <= 0 else min(bar, max(0, -(-clock.left_s * bar // clock.of_s)))
    role = Role.CLOCK_LOW if low else Role.CLOCK
    x = area.put(x, 0, "━" * filled, role)
    x = area.put(x, 0, "╌" * (bar - filled), Role.CLOCK_EMPTY)
    area.put(x, 0, words, role)
    return start


def draw_said(area: Area, x: int, screen: Screen, ink: Ink) -> None:
    """Write what the other player has just said at the table."""
    if screen.said:
        ink.sentence(area, x, 0, screen.said, Role.NOTICE)


def draw_notice(area: Area, screen: Screen, ink: Ink) -> None:
    """Write the chat line that is being typed, else the notice, else the notation or the last moves."""
    if screen.entry is not None:
        _draw_entry(area, screen.entry, "go to move " if screen.progress is not None else CHAT_SIGN)
    elif screen.notice is not None:
        ink.toned(area, MARGIN, 0, screen.notice.text, screen.notice.tone)
    elif screen.notation:
        ink.sentence(area, MARGIN, 0, screen.notation, Role.DIM)
    else:
        _draw_last_moves(area, screen)


def _draw_entry(area: Area, typed: str, sign: str) -> None:
    """The end of a line that is longer than the place is what one is typing."""
    x = area.put(MARGIN, 0, sign, Role.KEY)
    room = max(0, area.width - x - 2)
    if cells(typed) > room:
        while cells(typed) > max(0, room - 1):
            typed = typed[1:]
        typed = f"…{typed}"
    area.put(area.put(x, 0, typed, Role.ENTRY), 0, _CURSOR, Role.ENTRY)


def _draw_last_moves(area: Area, screen: Screen) -> None:
    """Write the last moves, fewer where they do not fit."""
    moves = [told for told in screen.told if told.action is not None][-_MOVES_SHOWN:]
    room = area.width - MARGIN - 1
    while len(moves) > 1 and sum(cells(f"{m.who}: {move_words(m)}") + 3 for m in moves) - 3 > room:
        del moves[0]
    x = MARGIN
    for number, told in enumerate(moves):
        x = area.put(x, 0, _MIDDLE_DOT, Role.DIM) if number else x
        x = area.put(x, 0, f"{told.who}: ", Role.LOG)
        x = Ink().sentence(area, x, 0, move_words(told), Role.AUTO if told.auto else Role.LOG)


def draw_hints(area: Area, hints: Sequence[Hint], *roles: Role) -> None:
    """Write keys and what they do, the most important first, as many as there is room for; each can be clicked."""
    x, gap = 0, 3 if hints_width(hints, 3) <= area.width else 2
    for hint in hints:
        width = cells(_hint_words(hint))
        if x + width > area.width:
            return
        area.hit(x, 0, width, 1, Press(hint.key))
        area.put(x, 0, _hint_words(hint), *roles, Role.HINT)
        area.put(x, 0, hint.label, *roles, Role.KEY)
        x += width + (gap if hint.text else 1)


def hints_width(hints: Sequence[Hint], gap: int) -> int:
    """The cells that a line of keys takes; a key without a text stands close to the next one, as in `< > step`."""
    return sum(cells(_hint_words(hint)) + (gap if hint.text else 1) for hint in hints) - gap


def _hint_words(hint: Hint) -> str:
    return f"{hint.label} {hint.text}" if hint.text else hint.label


def draw_progress(area: Area, progress: Progress, bout: int) -> None:
    """Draw a bar with a mark where a bout ends, each cell of which can be clicked, and the place in numbers."""
    of = max(1, progress.of)
    width = len(str(progress.of))
    playing = "▸" if progress.playing else " "
    words = f"  {progress.at:>{width}}/{progress.of}  bout {bout}  {playing}{progress.speed:g}x"
    bar = max(2, area.width - MARGIN - 1 - cells(words))
    done = round(min(progress.at, of) * (bar - 1) / of)
    marks = {round(min(mark, of) * (bar - 1) / of) for mark in progress.marks}
    for cell in range(bar):
        lit = cell <= done and progress.at > 0
        sign = "|" if cell in marks else "━" if lit else "╌"
        role = Role.PROGRESS if lit else Role.PROGRESS_EMPTY
        area.put(MARGIN + cell, 0, sign, role, *((Role.PROGRESS_MARK,) if cell in marks and lit else ()))
        area.hit(MARGIN + cell, 0, 1, 1, Jump(round(cell * progress.of / (bar - 1))))
    area.put(MARGIN + bar, 0, words, Role.DIM)
