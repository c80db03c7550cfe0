"""The single lines of the picture: header, players, prompt and clock, notice, progress, keys.

It owns what such a line leaves out when it is narrow; it does not know in which row it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from p2pdurak.events import Link
from p2pdurak.rules.cards import Suit
from p2pdurak.ui.draw.canvas import Area, Jump, Press, Role, cells, fit
from p2pdurak.ui.draw.hand import MARGIN
from p2pdurak.ui.draw.log import move_words
from p2pdurak.ui.draw.screen import Clock, Hint, Line, Progress, Screen, Seated
from p2pdurak.ui.draw.sentences import CHAT_SIGN, Ink, marked_words, signed, suit_role, with_short_names

CLOCK_LOW_S: Final = 5
_CURSOR: Final = "█"
_MOVES_SHOWN: Final = 3
_GAP: Final = 3
_TITLE_MIN: Final = 8
"""A nameplate is this long; longer titles are cut before the state of the line is."""

_MIDDLE_DOT: Final = " · "

_Status = list[tuple[str, Role]]
"""What is said of the line to the other player, in pieces."""


def draw_header(area: Area, screen: Screen) -> None:
    """Write title, game and bout, and the state of the line; the title is what gives way."""
    left = 1 + cells("durak") + 2
    bout, status = _header_words(screen, area.width - left)
    right = area.width - 1 - _status_width(status)
    middle = max(left, right - cells(bout) - (_GAP if status else 0))
    if screen.progress is None:
        middle = min(middle, max((area.width - cells(bout)) // 2, left + cells(screen.title) + _GAP))
    area.put(1, 0, "durak", Role.TITLE)
    area.put(left, 0, fit(screen.title, (middle if bout else right) - left - 2), Role.DIM)
    area.put(middle, 0, bout, Role.TITLE)
    for text, role in status:
        right = area.put(right, 0, text, role) + 2


def _header_words(screen: Screen, room: int) -> tuple[str, _Status]:
    """Game and bout, and what is said of the line, in the longest forms for which there is room beside the title."""
    bout = f"bout {screen.bout}" if screen.bout else ""
    forms = [] if screen.line is None else _status_forms(screen.line)
    if screen.game > 1:
        game = f"game {screen.game}{_MIDDLE_DOT if bout else ''}{bout}"
        free = room - cells(screen.title) - cells(game) - 2 * _GAP
        # The number of the game is worth less than how fast the line is, and more than a word behind its seal.
        fitting = [form for form in forms[:2] or [[]] if _status_width(form) <= free]
        if fitting:
            return game, fitting[0]
    free = room - min(cells(screen.title), _TITLE_MIN) - cells(bout) - 2 * _GAP
    return bout, next((form for form in forms if _status_width(form) <= free), forms[-1] if forms else [])


def _status_forms(line: Line) -> list[_Status]:
    """What is said of the line, the longest form first."""
    sign, short, long = _link_words(line)
    role = {Link.UP: Role.UP, Link.SLOW: Role.SLOW, Link.DOWN: Role.DOWN, Link.OWN_DOWN: Role.DOWN}[line.state]
    return [
        [(seal, Role.SEAL), (f"{sign} {words}".rstrip(), role)]
        for words, seal in ((long, "■ sealed"), (long, "■"), (short, "■ sealed"), (short, "■"))
    ]


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


def draw_seat(area: Area, seated: Seated, *, trump: Suit | None = None) -> int:
    """Write a player's line: arrow, name, cards, games lost; give the column after it.

    With `trump` the cards that can be seen are written too, as many as there is room for.
    """
    hand = [] if trump is None else [card for card in seated.cards if card is not None]
    words = [] if trump is None else [marked_words(card, trump) for card in hand]
    facts = _facts(seated)
    while len(facts) > 1 and area.width - MARGIN - 3 - _joined([*facts, *words]) < min(cells(seated.name), 12):
        facts.pop()
    if seated.turn:
        area.put(1, 0, "▸", Role.TURN)
    x = area.put(MARGIN, 0, fit(seated.name, area.width - MARGIN - 3 - _joined(facts)), Role.NAME)
    x = area.put(x + 2, 0, "  ".join(facts), Role.DIM)
    for number, (card, word) in enumerate(zip(hand, words, strict=True)):
        x += 1 if number else 2
        if x + cells(word) + (2 if number + 1 < len(hand) else 0) > area.width:
            return area.put(min(x, area.width - 1), 0, "…", Role.DIM)
        x = area.put(x, 0, word, suit_role(card))
    return x


def _facts(seated: Seated) -> list[str]:
    """What is told of a player, the most important first."""
    count, unseen = len(seated.cards), seated.cards.count(None)
    facts = [f"{count} {'card' if count == 1 else 'cards'}"]
    if 0 < unseen < count:
        facts[0] += f", {unseen} unseen"
    if seated.duraks:
        facts.append(f"durak x{seated.duraks}")
    return facts


def _joined(facts: Sequence[str]) -> int:
    return cells("  ".join(facts))


def draw_prompt(area: Area, screen: Screen) -> None:
    """Write what is to be done now, with the clock at the right; a name gives way before the verb does."""
    left = area.width if screen.clock is None else _draw_clock(area, screen.clock)
    x = 1 if area.width < 58 else MARGIN
    prompt = area.part(x, 0, left - 1 - x, 1)
    names = (screen.top.name, screen.bottom.name)
    # The sign of its tone comes before it.
    room = prompt.width - cells(signed(screen.prompt, screen.tone)) + cells(screen.prompt)
    words, short = with_short_names(screen.prompt, names, room)
    Ink((*names, *short)).toned(prompt, words, screen.tone)


def clock_words(clock: Clock) -> tuple[str, Role]:
    """The seconds left, with a sign when they are few."""
    low = clock.left_s <= CLOCK_LOW_S
    return f"{'!' * low}{max(0, clock.left_s)}s", Role.CLOCK_LOW if low else Role.CLOCK


def _draw_clock(area: Area, clock: Clock) -> int:
    """Draw a bar and the seconds left; give the first column that is taken."""
    words, role = clock_words(clock)
    words = words.rjust(6)
    bar = 16 if area.width >= 70 else 10 if area.width >= 58 else 0
    x = start = area.width - 1 - cells(words) - bar
    filled = 0 if clock.of_s <= 0 else min(bar, max(0, -(-clock.left_s * bar // clock.of_s)))
    x = area.put(x, 0, "━" * filled, role)
    x = area.put(x, 0, "╌" * (bar - filled), Role.CLOCK_EMPTY)
    area.put(x, 0, words, role)
    return start


def draw_said(area: Area, x: int, said: str, ink: Ink) -> None:
    """Write what the other player has just said at the table; without his name where there is no room for it."""
    if cells(said) > area.width - x:
        said = said_alone(said)
    ink.sentence(area, x, 0, said, Role.NOTICE)


def said_alone(said: str) -> str:
    """`mira: take` without the name, which has a place of its own."""
    return said.rpartition(": ")[2]


def draw_notice(area: Area, screen: Screen, ink: Ink) -> None:
    """Write the chat line that is being typed, else the notice in all rows, else what the replay or the log tells."""
    if screen.entry is not None:
        _draw_entry(area, screen.entry, "go to move " if screen.progress is not None else CHAT_SIGN)
    elif screen.notice is not None:
        ink.toned(area.part(MARGIN, 0, area.width, area.height), screen.notice.text, screen.notice.tone)
    elif screen.judged:
        room = area.width - MARGIN - 1
        words = next((form for form in screen.judged if cells(form) <= room), screen.judged[-1])
        ink.sentence(area.part(0, 0, area.width - 1, 1), MARGIN, 0, words, Role.NOTICE)
        ink.sentence(area, MARGIN, 1, screen.notation, Role.DIM)
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
    """Write the last moves, fewer where they do not fit; of the last one the name gives way."""
    moves = [told for told in screen.told if told.action is not None][-_MOVES_SHOWN:]
    room = area.width - MARGIN - 1
    while len(moves) > 1 and sum(cells(f"{m.who}: {move_words(m)}") + 3 for m in moves) - 3 > room:
        del moves[0]
    x = MARGIN
    for number, told in enumerate(moves):
        words = move_words(told)
        x = area.put(x, 0, _MIDDLE_DOT, Role.DIM) if number else x
        x = area.put(x, 0, f"{fit(told.who, max(1, room - cells(words) - 2))}: ", Role.LOG)
        x = Ink().sentence(area, x, 0, words, Role.AUTO if told.auto else Role.LOG)


def draw_hints(area: Area, hints: Sequence[Hint], *roles: Role) -> None:
    """Write keys and what they do, the most important first, as many as there is room for; each can be clicked."""
    x, gap = 0, 3 if hints_width(hints, 3) <= area.width else 2
    for group in _together(hints):
        if x + hints_width(group, 0) > area.width:
            return
        for hint in group:
            width = cells(_hint_words(hint))
            area.hit(x, 0, width, 1, Press(hint.key))
            area.put(x, 0, _hint_words(hint), *roles, Role.HINT)
            area.put(x, 0, hint.label, *roles, Role.KEY)
            x += width + (gap if hint.text else 1)


def _together(hints: Sequence[Hint]) -> Iterator[list[Hint]]:
    """Keys that share what is said of them; none of `- + speed` stands alone."""
    group: list[Hint] = []
    for hint in hints:
        group.append(hint)
        if hint.text:
            yield group
            group = []
    if group:
        yield group


def hints_width(hints: Sequence[Hint], gap: int) -> int:
    """The cells that a line of keys takes; a key without a text stands close to the next one, as in `< > step`."""
    return sum(cells(_hint_words(hint)) + (gap if hint.text else 1) for hint in hints) - gap


def _hint_words(hint: Hint) -> str:
    return f"{hint.label} {hint.text}" if hint.text else hint.label


def draw_progress(area: Area, progress: Progress, bout: int) -> None:
    """Draw a bar with marks, each cell of which can be clicked, and the place in numbers.

    It is marked where a bout ends; and where a move is worth a look, with the sign of that.
    """
    of = max(1, progress.of)
    width = len(str(progress.of))
    playing = "▸" if progress.playing else " "
    words = f"  {progress.at:>{width}}/{progress.of}  bout {bout}  {playing}{progress.speed:g}x"
    bar = max(2, area.width - MARGIN - 1 - cells(words))
    done = round(min(progress.at, of) * (bar - 1) / of)
    marks = {round(min(mark, of) * (bar - 1) / of): "|" for mark in progress.marks}
    signs = {round(min(at, of) * (bar - 1) / of): sign for at, sign in progress.signs}
    for cell in range(bar):
        lit = cell <= done and progress.at > 0
        sign = signs.get(cell) or marks.get(cell) or ("━" if lit else "╌")
        role = Role.KEY if cell in signs else Role.PROGRESS if lit else Role.PROGRESS_EMPTY
        area.put(MARGIN + cell, 0, sign, role, *((Role.PROGRESS_MARK,) if cell in marks and lit else ()))
        area.hit(MARGIN + cell, 0, 1, 1, Jump(round(cell * progress.of / (bar - 1))))
    area.put(MARGIN + bar, 0, words, Role.DIM)
