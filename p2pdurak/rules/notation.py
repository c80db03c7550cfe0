r"""The text of a game: tags, the deal, then one line a bout.

It owns the grammar below, both ways; it does not know the rules beyond the shape of a bout, so a text that can be read
may still hold a game that cannot be played.

    [Seat0 "ilya"]                            tags, then an empty line; in a value \" \\ and \u{hex} stand for quotes,
                                              backslashes and what cannot be printed
    deal Kh {0 6c 7d 9h Jd Qs Ks, 1 ?? ...}   the indicator (- if none), the dealt hands; ?? is a card not seen
    first asked 0-6h 1-6h 1-7h 0+7h           answers for the lowest trump: - denies (0-6c,6d,6s), + shows;
                                              or `first seat 1` where it was settled before
    1. 0> 6c/9c 9d/Ad . {0 8h ??, 1 7s}       bout 1, seat 0 attacks: 6c beaten by 9c, 9d by Ad, done; who drew what
    2. 1> Qs/7h 7d~ + Qd .~                   + the defender takes, then what was piled on; ~ played by the clock
    durak 1                                   or `draw`, or `*` for no result

Every record has one text and every readable text one record: `parse_game(format_game(x)) == x`, and the reverse.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from p2pdurak.rules.actions import Attack, Beat, Deny, Done, Show, Take, action_word
from p2pdurak.rules.cards import Card, card_text, parse_card
from p2pdurak.rules.records import Answer, BoutRecord, Drawn, GameRecord, Played, Seen
from p2pdurak.rules.state import Outcome, Seat

_UNSEEN: Final = "??"
_AUTO: Final = "~"
_NO_RESULT: Final = "*"

# What may follow what in a bout: (where the bout stands, the next action) -> where it stands then.
_SHAPE: Final = {
    ("new", "attack"): "unbeaten",
    ("unbeaten", "beat"): "beaten",
    ("unbeaten", "take"): "taking",
    ("beaten", "attack"): "unbeaten",
    ("beaten", "done"): "ended",
    ("taking", "attack"): "taking",
    ("taking", "done"): "ended",
}

_TAG_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_TAG: Final = re.compile(r'\[(\S+) "(.*)"\]')
_ESCAPE: Final = re.compile(r'\\(["\\]|u\{([0-9a-f]{1,6})\})')
_DEAL: Final = re.compile(r"deal (-|..) \{(.*)\}")
_FIRST_SEAT: Final = re.compile(r"first seat ([01])")
_FIRST_ASKED: Final = re.compile(r"first asked(( [01][-+]\S+)*)")
_BOUT: Final = re.compile(r"([1-9][0-9]{0,8})\. ([01])> ([^{}]+?)(?: \{(.*)\})?")
_GROUP: Final = re.compile(r"([01])((?: \S\S)*)")
_WORD: Final = re.compile(r"(?:(\w\w)(~?)(?:/(\w\w)(~?))?|([+.])(~?))", re.ASCII)


class NotationError(ValueError):
    """The text of a game cannot be read.

    Attributes:
        line: the number of the line at fault, from 1.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line


# ---- writing ----


def format_game(record: GameRecord) -> str:
    """The one text of a record; every line ends with a line break.

    Raises:
        ValueError: if the record holds what no game can: a name that is no tag name, or a bout out of order.
    """
    lines = [_tag_line(name, value) for name, value in record.tags]
    if lines:
        lines.append("")
    indicator = "-" if record.indicator is None else card_text(record.indicator)
    dealt = _groups(Drawn(seat, cards) for seat, cards in enumerate(record.hands))
    lines.append(f"deal {indicator} {dealt}")
    lines.append(opening_line(record.opening))
    lines.extend(bout_line(number, bout) for number, bout in enumerate(record.bouts, start=1))
    lines.append(_result_line(record.result))
    return "".join(line + "\n" for line in lines)


def _tag_line(name: str, value: str) -> str:
    if not _TAG_NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot name a tag: it takes letters, digits, _ and -")
    return f'[{name} "{"".join(map(_escaped, value))}"]'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if character.isprintable() else f"\\u{{{ord(character):x}}}"


def _groups(groups: Iterable[Drawn]) -> str:
    texts = (" ".join([str(group.seat), *map(_seen_text, group.cards)]) for group in groups)
    return "{" + ", ".join(texts) + "}"


def _seen_text(card: Card | None) -> str:
    return _UNSEEN if card is None else card_text(card)


def opening_line(opening: Seat | tuple[Answer, ...]) -> str:
    """The line about who attacks first, also of answers that are not complete yet."""
    if isinstance(opening, int):
        return f"first seat {opening}"
    return " ".join(["first asked", *map(_answer_text, opening)])


def _answer_text(answer: Answer) -> str:
    match answer.action:
        case Show(card):
            return f"{answer.seat}+{card_text(card)}"
        case Deny(cards):
            if not cards:
                raise ValueError("an answer denies at least one card")
            return f"{answer.seat}-{','.join(map(card_text, cards))}"
        case _:
            assert_never(answer.action)


def bout_line(number: int, bout: BoutRecord) -> str:
    """The line of a bout, also of one that is not over yet.

    Raises:
        ValueError: if its moves are out of order.
    """
    misplaced = _misplaced(bout.played)
    if misplaced is not None:
        raise ValueError(f"bout {number}: {misplaced}")
    words: list[str] = []
    for played in bout.played:
        mark = _AUTO if played.auto else ""
        match played.action:
            case Attack(card):
                words.append(card_text(card) + mark)
            case Beat(card):
                words[-1] += "/" + card_text(card) + mark
            case Take():
                words.append("+" + mark)
            case Done():
                words.append("." + mark)
            case _:
                assert_never(played.action)
    drawn = [_groups(bout.draws)] if bout.draws else []
    return " ".join([f"{number}.", f"{bout.attacker}>", *words, *drawn])


def _misplaced(bout: Sequence[Played]) -> str | None:
    """What is wrong with the order of a bout, as a sentence; None if nothing is."""
    if not bout:
        return "a bout begins with an attack"
    stands = "new"
    for played in bout:
        word = action_word(played.action)
        follows = _SHAPE.get((stands, word))
        if follows is None:
            return f"{word!r} has no place where the bout is {stands}"
        stands = follows
    return None


def _result_line(result: Outcome | None) -> str:
    if result is None:
        return _NO_RESULT
    if result == Outcome(None, None):
        return "draw"
    if result.durak in (0, 1) and result.winner == 1 - result.durak:
        return f"durak {result.durak}"
    raise ValueError("a game has one winner and one durak, or neither")


# ---- reading ----


def parse_game(text: str) -> GameRecord:
    """Read the text of a game; the strict inverse of `format_game`.

    Raises:
        NotationError: with the line at fault, for anything that `format_game` does not write.
    """
    lines = text.split("\n")
    body = 0
    tags: list[tuple[str, str]] = []
    while body < len(lines) and lines[body].startswith("["):
        tags.append(_parse_tag(body + 1, lines[body]))
        body += 1
    if tags:
        if lines[body : body + 1] != [""]:
            raise NotationError(body + 1, "an empty line must follow the tags")
        body += 1
    if len(lines) < body + 4:
        raise NotationError(len(lines), "the text ends before its result; it may have been cut off")
    indicator, hands = _parse_deal(body + 1, lines[body])
    opening = _parse_opening(body + 2, lines[body + 1])
    bouts = tuple(
        _parse_bout(at, line, number)
        for number, (at, line) in enumerate(enumerate(lines[body + 2 : -2], start=body + 3), start=1)
    )
    result = _parse_result(len(lines) - 1, lines[-2])
    record = GameRecord(tuple(tags), indicator, hands, opening, bouts, result)
    _require_canonical(text, format_game(record))
    return record


def _require_canonical(text: str, canonical: str) -> None:
    if text == canonical:
        return
    pairs = zip(text.split("\n"), canonical.split("\n"), strict=True)
    at = next(number for number, (given, written) in enumerate(pairs, start=1) if given != written)
    raise NotationError(at, "this is not the one way to write it; a space or an escape may be out of place")


def _parse_tag(at: int, line: str) -> tuple[str, str]:
    found = _TAG.fullmatch(line)
    if found is None or not _TAG_NAME.fullmatch(found[1]):
        raise NotationError(at, 'a tag is written [Name "value"]')
    try:
        return found[1], _ESCAPE.sub(_unescaped, found[2])
    except (ValueError, OverflowError):
        raise NotationError(at, "an escape names no character") from None


def _unescaped(found: re.Match[str]) -> str:
    return found[1] if found[2] is None else chr(int(found[2], 16))


def _parse_deal(at: int, line: str) -> tuple[Card | None, tuple[Seen, Seen]]:
    found = _DEAL.fullmatch(line)
    if found is None:
        raise NotationError(at, "the deal is written as in: deal Kh {0 6c 7d, 1 ?? ??}")
    indicator = None if found[1] == "-" else _parse_card(at, found[1])
    match _parse_groups(at, found[2]):
        case (Drawn(0, host), Drawn(1, guest)):
            return indicator, (host, guest)
        case _:
            raise NotationError(at, "the deal names the hand of seat 0 and then that of seat 1")


def _parse_groups(at: int, text: str) -> tuple[Drawn, ...]:
    groups: list[Drawn] = []
    for part in text.split(", "):
        found = _GROUP.fullmatch(part)
        if found is None:
            raise NotationError(at, f"{part!r} is not a seat and its cards")
        cards = tuple(None if card == _UNSEEN else _parse_card(at, card) for card in found[2].split())
        groups.append(Drawn(int(found[1]), cards))
    return tuple(groups)


def _parse_card(at: int, text: str) -> Card:
    try:
        return parse_card(text)
    except ValueError as problem:
        raise NotationError(at, str(problem)) from None


def _parse_opening(at: int, line: str) -> Seat | tuple[Answer, ...]:
    if found := _FIRST_SEAT.fullmatch(line):
        return int(found[1])
    found = _FIRST_ASKED.fullmatch(line)
    if found is None:
        raise NotationError(at, "the opening is written `first seat 1`, or `first asked` and the answers")
    return tuple(_parse_answer(at, word) for word in found[1].split())


def _parse_answer(at: int, word: str) -> Answer:
    seat, sign, cards = int(word[0]), word[1], word[2:]
    if sign == "+":
        return Answer(seat, Show(_parse_card(at, cards)))
    return Answer(seat, Deny(tuple(_parse_card(at, card) for card in cards.split(","))))


def _parse_bout(at: int, line: str, number: int) -> BoutRecord:
    found = _BOUT.fullmatch(line)
    if found is None:
        raise NotationError(at, "a bout is written as in: 2. 1> Qs/7h 7d + Qd .")
    if int(found[1]) != number:
        raise NotationError(at, f"this should be bout {number}")
    played = tuple(action for word in found[3].split(" ") for action in _parse_word(at, word))
    misplaced = _misplaced(played)
    if misplaced is not None:
        raise NotationError(at, misplaced)
    draws = () if found[4] is None else _parse_groups(at, found[4])
    return BoutRecord(int(found[2]), played, draws)


def _parse_word(at: int, word: str) -> tuple[Played, ...]:
    found = _WORD.fullmatch(word)
    if found is None:
        raise NotationError(at, f"{word!r} is neither a card, nor + or .")
    attack, attack_auto, beat, beat_auto, sign, sign_auto = found.groups()
    if sign is not None:
        return (Played(Take() if sign == "+" else Done(), sign_auto == _AUTO),)
    lead = Played(Attack(_parse_card(at, attack)), attack_auto == _AUTO)
    if beat is None:
        return (lead,)
    return lead, Played(Beat(_parse_card(at, beat)), beat_auto == _AUTO)


def _parse_result(at: int, line: str) -> Outcome | None:
    results = {
        _NO_RESULT: None,
        "draw": Outcome(None, None),
        "durak 0": Outcome(1, 0),
        "durak 1": Outcome(0, 1),
    }
    if line not in results:
        raise NotationError(at, "the last line is `durak 0`, `durak 1`, `draw` or `*`")
    return results[line]
