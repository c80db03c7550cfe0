"""JSON lines: the exact fields of every event."""

from __future__ import annotations

import io
import json

import pytest

from p2pdurak.events import (
    Advice,
    Again,
    Bout,
    Broker,
    Code,
    Dealt,
    Drew,
    Knock,
    Late,
    Link,
    LinkState,
    Moved,
    Offer,
    Opener,
    Peer,
    Reason,
    Refused,
    Result,
    Said,
    Shuffling,
    Trouble,
    Turn,
    Waiting,
    WrongTry,
)
from p2pdurak.rules.actions import Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import Suit, parse_card
from p2pdurak.rules.engine import apply
from p2pdurak.rules.match import Opener as OpensBy
from p2pdurak.rules.positions import position
from p2pdurak.rules.state import BoutOutcome, Hand
from p2pdurak.rules.view import View
from p2pdurak.ui.commands import Problem, Query
from p2pdurak.ui.jsonl import QUERY_REASON, JsonFace


def cards(text: str):
    return tuple(map(parse_card, text.split()))


NINE_C, TEN_H, KING_H = cards("9c Th Kh")
STATE = position(Suit.HEARTS, (Hand((), 6), Hand((), 6)), 0, indicator=KING_H, talon=24)
LEADING = View(0, STATE, cards("6c 9c 9d Kd 7h As"))
DEFENDING = View(1, apply(STATE, Attack(NINE_C)).state, cards("8c Tc 6d 7d Jh As"))
RESULT = Result(
    "win",
    1,
    Reason.RESIGN,
    ("ilya", "mira"),
    0,
    "/games/7.dlog",
    "ab" * 32,
    True,
    (None, cards("8c 6d")),
    (0, 1, 0),
    False,
    next_opener=OpensBy.SEAT1,
)


def moved(action, auto=False):
    return Moved(17, 1, action, auto, LEADING)


def move(do, card, auto=False):
    return {"event": "move", "n": 17, "seat": 1, "do": do, "card": card, "auto": auto}


CASES = [
    (Broker("mqtt://127.0.0.1:1883", 3), {"event": "broker", "address": "mqtt://127.0.0.1:1883", "rtt_ms": 3}),
    (Code("k7q2m-a-b-c", "p2pdurak join x"), {"event": "code", "code": "k7q2m-a-b-c", "join": "p2pdurak join x"}),
    (Waiting("Nobody yet."), {"event": "waiting", "text": "Nobody yet."}),
    (WrongTry(7), {"event": "wrong_try", "left": 7}),
    (
        Peer("mira", "ab", "copper-lamp"),
        {"event": "peer", "name": "mira", "key": "ab", "safety": "copper-lamp"},
    ),
    (Knock("mira", "copper-lamp"), {"event": "knock", "name": "mira", "safety": "copper-lamp"}),
    (
        Offer((("pile_on", "off"), ("open", "on")), ask=True),
        {"event": "offer", "options": {"pile_on": "off", "open": "on"}, "ask": True},
    ),
    (Shuffling("you", 1), {"event": "shuffling", "who": "you", "proofs": 1}),
    (
        Dealt(1, 0, ("ilya", "mira"), LEADING.hand, KING_H, LEADING),
        {
            "event": "dealt",
            "game": 1,
            "seat": 0,
            "names": ["ilya", "mira"],
            "hand": ["6c", "9c", "9d", "Kd", "7h", "As"],
            "trump": "Kh",
        },
    ),
    (Opener(0, TEN_H), {"event": "opener", "seat": 0, "card": "Th"}),
    (Opener(1, None), {"event": "opener", "seat": 1, "card": None}),
    (Turn(1, DEFENDING, 25), {"event": "turn", "seat": 1, "seconds": 25, "legal": ["Tc", "Jh", "take"]}),
    (Turn(0, DEFENDING, 25), {"event": "turn", "seat": 0, "seconds": 25}),
    (moved(Attack(NINE_C)), move("attack", "9c")),
    (moved(Beat(TEN_H)), move("beat", "Th")),
    (moved(Take(), auto=True), move("take", None, auto=True)),
    (moved(Done()), move("done", None)),
    (moved(Show(TEN_H)), move("show", "Th")),
    (moved(Deny((NINE_C, TEN_H))), {**move("deny", None), "cards": ["9c", "Th"]}),
    (Drew(cards("8h Qs"), LEADING), {"event": "draw", "cards": ["8h", "Qs"]}),
    (
        Bout(BoutOutcome.PICKUP, 0, (6, 8), 10),
        {"event": "bout", "outcome": "pickup", "attacker": 0, "hands": [6, 8], "talon": 10},
    ),
    (
        Bout(BoutOutcome.BEATEN, 1, (6, 6), 12),
        {"event": "bout", "outcome": "beaten", "attacker": 1, "hands": [6, 6], "talon": 12},
    ),
    (
        Advice(Attack(NINE_C), LEADING, None, 400),
        {"event": "hint", "do": "attack", "card": "9c", "exact": None, "trials": 400},
    ),
    (Advice(Take(), DEFENDING, 1, 0), {"event": "hint", "do": "take", "card": None, "exact": "win", "trials": 0}),
    (Advice(Take(), DEFENDING, 0, 0), {"event": "hint", "do": "take", "card": None, "exact": "draw", "trials": 0}),
    (Advice(Take(), DEFENDING, -1, 0), {"event": "hint", "do": "take", "card": None, "exact": "loss", "trials": 0}),
    (Said(1, "hi"), {"event": "chat", "seat": 1, "text": "hi"}),
    (LinkState(Link.UP, 38), {"event": "link", "state": "up", "rtt_ms": 38, "claim_in_s": None, "own": False}),
    (LinkState(Link.SLOW, 6000), {"event": "link", "state": "slow", "rtt_ms": 6000, "claim_in_s": None, "own": False}),
    (
        LinkState(Link.DOWN, None, 42),
        {"event": "link", "state": "down", "rtt_ms": None, "claim_in_s": 42, "own": False},
    ),
    (
        LinkState(Link.OWN_DOWN, None),
        {"event": "link", "state": "down", "rtt_ms": None, "claim_in_s": None, "own": True},
    ),
    (Late(1, 30, True), {"event": "late", "seat": 1, "seconds": 30, "claimable": True}),
    (Refused("take", "Not now."), {"event": "refused", "command": "take", "reason": "Not now."}),
    (
        RESULT,
        {
            "event": "result",
            "outcome": "win",
            "durak": 1,
            "reason": "resign",
            "by": None,
            "log": "/games/7.dlog",
            "head": "ab" * 32,
            "verified": True,
            "seat": 0,
            "names": ["ilya", "mira"],
            "hands": [None, ["8c", "6d"]],
            "score": [0, 1, 0],
            "more": False,
            "next_opener": "seat1",
        },
    ),
    (
        Again(1),
        {"event": "again", "seat": 1},
    ),
    (
        Trouble("cheating", "A card was played twice.", 1, "/games/7.evidence"),
        {
            "event": "error",
            "kind": "cheating",
            "accused": 1,
            "message": "A card was played twice.",
            "evidence": "/games/7.evidence",
        },
    ),
]


@pytest.mark.parametrize(("event", "expected"), CASES)
def test_an_event_is_one_json_object_on_one_line(event, expected):
    out = io.StringIO()
    JsonFace(out).show(event)

    assert out.getvalue().count("\n") == 1
    assert json.loads(out.getvalue()) == expected
    assert out.getvalue().startswith('{"event":"')


def test_hostile_text_stays_in_its_string():
    text = 'a"\n\x1b[2J\u2028\ud800\u202e}'
    out = io.StringIO()
    JsonFace(out).show(Said(1, text))

    assert out.getvalue()[:-1].isprintable()
    assert out.getvalue().isascii()
    assert json.loads(out.getvalue())["text"] == text


class Recorder(io.StringIO):
    """Records writes and flushes in order."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def write(self, text: str) -> int:
        self.calls.append("write")
        return super().write(text)

    def flush(self) -> None:
        self.calls.append("flush")


def test_each_line_is_flushed_at_once():
    out = Recorder()
    face = JsonFace(out)
    face.show(WrongTry(7))
    face.show(WrongTry(6))

    assert out.calls == ["write", "flush", "write", "flush"]


def test_a_bad_line_is_refused_with_the_reason():
    out = io.StringIO()
    JsonFace(out).tell(Problem("It is not your turn."), "9c\n")
    assert json.loads(out.getvalue()) == {"event": "refused", "command": "9c", "reason": "It is not your turn."}


def test_a_question_is_refused():
    out = io.StringIO()
    JsonFace(out).answer(Query.HAND, LEADING)
    assert json.loads(out.getvalue()) == {"event": "refused", "command": "hand", "reason": QUERY_REASON}


def test_a_closed_pipe_is_remembered_and_raises_nothing():
    class ClosedPipe(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    face = JsonFace(ClosedPipe())
    for event, _ in CASES:
        face.show(event)

    assert face.closed
