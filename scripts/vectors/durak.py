"""Vectors of the game that the protocol carries: the bytes of its actions and options, and of its public state.

It owns bytes only; which action is legal when is shown by the whole games in the vectors of logs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from fairdeck.referee import present
from p2pdurak.rules.cards import Card, card_text
from p2pdurak.rules.options import CLASSIC, NAMED, AfterDraw, FirstAttacker, RematchFirst, Trumpless, format_options
from p2pdurak.rules.state import State, digest, encode_state
from vectors.form import Case, Group, VectorFile, invalid, valid
from vectors.games import model

HEADER: Final = (
    "Action: action is the bytes of a move's first part; name and cards say what it is.",
    "Options: options is the text in start0, to be read as UTF-8 and taken in its one canonical form only.",
    "State: fields in their order, their framed encoding, and the digest of the game over it.",
    "Cards are numbers: suit * 9 + rank, suits c d h s, ranks 6 7 8 9 T J Q K A. In a state 255 is no card.",
)


def durak() -> VectorFile:
    """durak.json."""
    groups = (
        Group("Action", tuple(_actions())),
        Group("Options", tuple(_options())),
        Group("State", tuple(_states())),
    )
    return VectorFile("durak.json", "Annex A: the game Durak", HEADER, groups)


def _actions() -> Iterator[Case]:
    for data, name, cards in (
        *((b"\x00\x00", "attack", [0]), (b"\x00\x23", "attack", [35]), (b"\x01\x07", "beat", [7])),
        *((b"\x02", "take", []), (b"\x03", "done", []), (b"\x04\x09", "show", [9])),
        *((b"\x05\x09", "deny", [9]), (b"\x05\x00\x09\x12", "deny", [0, 9, 18]), (b"\x05\x00\x09", "deny", [0, 9])),
    ):
        yield valid(
            f"{name} {' '.join(card_text(Card(card)) for card in cards)}".strip(), action=data, name=name, cards=cards
        )
    for comment, data in (
        ("nothing", b""),
        ("an unknown kind", b"\x06"),
        ("kind 255", b"\xff"),
        ("an attack without a card", b"\x00"),
        ("an attack with two cards", b"\x00\x01\x02"),
        ("a beat without a card", b"\x01"),
        ("take with a card", b"\x02\x01"),
        ("done with a card", b"\x03\x01"),
        ("a show without a card", b"\x04"),
        ("a show of two cards", b"\x04\x01\x02"),
        ("a denial of nothing", b"\x05"),
        ("a denial of four cards", b"\x05\x00\x09\x12\x1b"),
        ("card 36", b"\x00\x24"),
        ("card 255", b"\x01\xff"),
        ("a denial of card 36", b"\x05\x00\x24"),
        ("the digit 0 for an attack", b"0\x07"),
        ("64 bytes", bytes(64)),
    ):
        yield invalid(comment, "NoAction", action=data)


def _options() -> Iterator[Case]:
    for name, options in NAMED.items():
        yield valid(f"the set {name}", options=format_options(options).encode())
    for comment, options in (
        ("a coin", replace(CLASSIC, first_attacker=FirstAttacker.COIN)),
        ("the host attacks first", replace(CLASSIC, first_attacker=FirstAttacker.HOST, trumpless=Trumpless.HOST)),
        ("a limit of five", replace(CLASSIC, first_bout_limit=5)),
        ("no piling on, hands stay hidden", replace(CLASSIC, pile_on=False, open=False)),
        ("turns about", replace(CLASSIC, rematch_first=RematchFirst.ALTERNATE, after_draw=AfterDraw.OTHER)),
        ("the longest clock", replace(CLASSIC, move_timer=86_400)),
        ("the shortest clock", replace(CLASSIC, move_timer=5)),
    ):
        yield valid(comment, options=format_options(options).encode())
    text = format_options(CLASSIC)
    lines = text.split("\n")
    for comment, wrong in (
        ("nothing", ""),
        ("a line break at the end", text + "\n"),
        ("a line break at the beginning", "\n" + text),
        ("the last option left out", "\n".join(lines[:-1])),
        ("two options swapped", "\n".join([lines[1], lines[0], *lines[2:]])),
        ("an option twice", "\n".join([*lines, lines[-1]])),
        ("an unknown option", text + "\njokers=on"),
        ("an unknown value", text.replace("pile_on=on", "pile_on=maybe")),
        ("a line without =", text.replace("pile_on=on", "pile_on")),
        ("spaces around =", text.replace("pile_on=on", "pile_on = on")),
        ("capitals", text.replace("pile_on=on", "pile_on=ON")),
        ("carriage returns", text.replace("\n", "\r\n")),
        ("a limit of four", text.replace("first_bout_limit=6", "first_bout_limit=4")),
        ("a clock of four seconds", text.replace("move_timer=25", "move_timer=4")),
        ("a clock of 86,401 seconds", text.replace("move_timer=25", "move_timer=86401")),
        ("a clock with a leading zero", text.replace("move_timer=25", "move_timer=025")),
        ("a clock with a sign", text.replace("move_timer=25", "move_timer=+25")),
        ("a clock in another script", text.replace("move_timer=25", "move_timer=\u0662\u0665")),
    ):
        yield invalid(comment, "NoOptions", options=wrong.encode())
    yield invalid("no UTF-8", "NoOptions", options=b"\xff" + text.encode())


def _fields(state: State) -> dict[str, Any]:
    return {
        "options": format_options(state.options).encode(),
        "trump": int(state.trump),
        "indicator": None if state.indicator is None else int(state.indicator),
        "known0": list(state.hands[0].known),
        "hidden0": state.hands[0].hidden,
        "known1": list(state.hands[1].known),
        "hidden1": state.hands[1].hidden,
        "attacker": state.attacker,
        "phase": state.phase.value,
        "table": [[pair.attack, pair.beaten_by] for pair in state.table],
        "cap": state.cap,
        "talon": state.talon,
        "discard": list(state.discard),
        "bout": state.bout,
        "question": state.question,
    }


def _states() -> Iterator[Case]:
    states = [present(referee.state) for referee in (*model().before[5:], model().referee)]
    for i, state in enumerate(states[::6]):
        yield valid(f"state {6 * i}", fields=_fields(state), encoded=encode_state(state), digest=digest(state))
    last = states[-1]
    yield valid("the end", fields=_fields(last), encoded=encode_state(last), digest=digest(last))
    for i, (state, after) in enumerate(zip(states[::6], states[1::6], strict=False)):
        values = {"fields": _fields(state), "encoded": encode_state(state)}
        if digest(state) != digest(after):
            yield invalid(f"state {6 * i} with the digest of the next", "FalseDigest", **values, digest=digest(after))
    for name, changed in (
        ("the number of the bout", replace(last, bout=last.bout + 1)),
        ("the attacker", replace(last, attacker=1 - last.attacker)),
        ("a card of the discard", replace(last, discard=last.discard[1:])),
        ("the cap", replace(last, cap=1)),
    ):
        values = {"fields": _fields(last), "encoded": encode_state(last)}
        yield invalid(f"{name} is another", "FalseDigest", **values, digest=digest(changed))
