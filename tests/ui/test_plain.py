"""Line mode: the lines of every event, and what never reaches the terminal."""

from __future__ import annotations

import io
import random
import re
import unicodedata
from dataclasses import fields, replace

import pytest

from p2pdurak.events import (
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
from p2pdurak.rules.options import NAMED, option_pairs
from p2pdurak.rules.positions import position
from p2pdurak.rules.state import BoutOutcome, Hand
from p2pdurak.rules.view import View
from p2pdurak.ui.commands import Problem, Query
from p2pdurak.ui.plain import PlainFace

DESYNC = "The two programs disagree about the game: a fault of the software, nobody cheated. The game has no result."
SGR = re.compile(r"\x1b\[\d+m")


def cards(text: str):
    return tuple(map(parse_card, text.split()))


def view_after(seat: int, own: str, *moves, talon: int = 24) -> View:
    """Seat 0 leads in a game with hearts as trump; each seat holds six cards, and the view's own are `own`."""
    sealed = Hand((), 6)
    indicator = parse_card("Kh") if talon else None
    state = position(Suit.HEARTS, (sealed, sealed), 0, indicator=indicator, talon=talon)
    for move in moves:
        state = apply(state, move).state
    gone = {getattr(move, "card", None) for move in moves}
    return View(seat, state, tuple(sorted(card for card in cards(own) if card not in gone)))


SIX_C, NINE_C, TEN_C, NINE_D, NINE_H, KING_H, QUEEN_S = cards("6c 9c Tc 9d 9h Kh Qs")
OWN = "6c 9c 9d Kd 7h As"
LEADING = view_after(0, OWN)
LED = view_after(0, OWN, Attack(NINE_C))
BEATEN = view_after(0, OWN, Attack(NINE_C), Beat(TEN_C))
TAKEN = view_after(0, OWN, Attack(NINE_C), Take())
DEFENDING = view_after(1, "8c Tc 6d 7d Jh As", Attack(NINE_C))
HELPLESS = view_after(1, "8c 7c 6d 7d Qs As", Attack(NINE_C))
DEALT = Dealt(1, 0, ("ilya", "mira"), LEADING.hand, KING_H, LEADING)
RESULT = Result(
    "win",
    1,
    Reason.CARDS,
    ("ilya", "mira"),
    0,
    "/home/ilya/games/7.dlog",
    "ab" * 32,
    True,
    ((), cards("6d 8c")),
    (0, 1, 0),
    True,
)
ALL = [
    Broker("mqtt://127.0.0.1:1883", 3),
    Broker("mqtt://127.0.0.1:1883"),
    Code("k7q2m-otter-kiosk-lamp", "p2pdurak join k7q2m-otter-kiosk-lamp@127.0.0.1:1883"),
    Waiting("Nobody is here yet."),
    WrongTry(7),
    WrongTry(1),
    Peer("mira", "ab" * 32, "copper-lamp"),
    Knock("mira", "copper-lamp"),
    Offer(option_pairs(NAMED["table"]), ask=True),
    Shuffling("you", 1),
    DEALT,
    Opener(0, parse_card("7h")),
    Turn(0, LEADING, 25),
    Moved(17, 0, Attack(NINE_C), False, LED),
    Turn(1, LED, 25),
    Moved(18, 1, Beat(TEN_C), False, BEATEN),
    Turn(0, BEATEN, 0),
    Drew(cards("Qs 8h"), LEADING),
    Drew((), LEADING),
    Bout(BoutOutcome.BEATEN, 0, (6, 6), 12),
    Bout(BoutOutcome.PICKUP, 0, (6, 8), 10),
    Said(0, "hi"),
    Said(1, "good luck"),
    *(LinkState(state, rtt_ms, claim) for state in Link for rtt_ms in (None, 38) for claim in (None, 42, 0)),
    Late(1, 30, False),
    Late(1, 130, True),
    Late(0, 30, True),
    Refused("take", "It is not your turn."),
    RESULT,
    Again(0),
    Again(1),
    *(replace(RESULT, reason=reason, durak=durak) for reason in Reason for durak in (None, 0, 1)),
    Trouble("broker", "127.0.0.1:1883 does not answer; is it running?"),
    Trouble("cheating", "a card was played twice", 1, "/home/ilya/games/7.evidence"),
]


def lines(*events, **style: bool) -> list[str]:
    """What a face prints for the last of these events."""
    out = io.StringIO()
    face = PlainFace(out, **style)
    for event in events[:-1]:
        face.show(event)
    start = len(out.getvalue())
    face.show(events[-1])
    return out.getvalue()[start:].splitlines()


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (Broker("mqtt://127.0.0.1:1883", 3), ["Broker mqtt://127.0.0.1:1883: ok, 3 ms"]),
        (Broker("mqtt://127.0.0.1:1883"), ["Broker mqtt://127.0.0.1:1883: ok"]),
        (
            Code("k7q2m-otter-kiosk-lamp", "p2pdurak join k7q2m-otter-kiosk-lamp"),
            [
                "Your code:",
                "k7q2m-otter-kiosk-lamp",
                "Or the whole line that your friend types:",
                "p2pdurak join k7q2m-otter-kiosk-lamp",
            ],
        ),
        (Waiting("Nobody is here yet."), ["Nobody is here yet."]),
        (WrongTry(7), ["Somebody tried a wrong code; 7 tries are left before a fresh code is made."]),
        (WrongTry(1), ["Somebody tried a wrong code; 1 try is left before a fresh code is made."]),
        (
            Peer("mira", "ab", "copper-lamp"),
            [
                "mira joined, safety words copper-lamp",
                "If your friend sees other safety words, leave: somebody sits between you.",
            ],
        ),
        (
            Knock("mira", "copper-lamp"),
            ["Does mira see the same words, copper-lamp? Type yes to let your friend in, or no."],
        ),
        (Shuffling("mira", 2), ["Shuffling: mira ok, proofs 2/2"]),
    ],
)
def test_the_lobby_is_told_stage_by_stage(event, expected):
    assert lines(event) == expected


def test_an_offer_tells_what_differs_from_classic_and_asks():
    assert lines(Offer(option_pairs(NAMED["table"]), ask=True)) == [
        "The classic rules, but:",
        "Where nobody holds a trump, the host attacks first (classic: whoever holds the lowest card).",
        "After a draw the other player attacks first (classic: the same one).",
        "There is no clock (classic: 25 s a move).",
        "Play by these rules? Press Enter, or type no.",
    ]


def test_an_offer_that_asks_nothing_ends_without_a_question():
    assert lines(Offer(option_pairs(NAMED["classic"]), ask=False)) == ["The classic rules: 25 s a move."]


def test_a_deal_tells_the_hand_with_trumps_last():
    assert lines(DEALT) == [
        "Game 1 against mira. You are the host.",
        "Your hand: 6♣, 9♣, 9♦, K♦, A♠, 7♥",
        "Trump: hearts. K♥ lies under the talon and is drawn last.",
    ]


def test_words_spell_every_card():
    assert lines(DEALT, words=True)[1:] == [
        "Your hand: six of clubs, nine of clubs, nine of diamonds, king of diamonds, ace of spades, seven of hearts",
        "Trump: hearts. king of hearts lies under the talon and is drawn last.",
    ]


def test_the_first_attacker_is_told_with_the_reason():
    assert lines(DEALT, Opener(0, parse_card("7h"))) == ["You attack first: 7♥ is the lowest trump in the two hands."]


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (Turn(0, LEADING, 25), "Your move: 6♣, 9♣, 9♦, K♦, A♠, 7♥ (attack). 25 s left."),
        (Turn(0, LEADING, 0), "Your move: 6♣, 9♣, 9♦, K♦, A♠, 7♥ (attack)"),
        (Turn(1, DEFENDING, 9), "Beat 9♣: 10♣, J♥; or take. 9 s left."),
        (Turn(1, HELPLESS, 0), "Nothing beats 9♣: take"),
        (Turn(0, BEATEN, 0), "Throw in: 9♦; or done"),
        (Turn(0, view_after(0, "9c 6c 7c 8c Kd Ah", Attack(NINE_C), Beat(TEN_C)), 0), "Nothing to throw in: done"),
        (Turn(0, TAKEN, 0), "Pile on: 9♦; or done"),
        (Turn(0, view_after(0, "9c 6c 7c 8c Kd Ah", Attack(NINE_C), Take()), 0), "Nothing to pile on: done"),
    ],
)
def test_the_own_turn_says_what_is_possible(turn, expected):
    assert lines(turn) == [expected]


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (view_after(1, OWN), "ilya has to attack."),
        (replace(BEATEN, seat=1), "ilya may throw in or be done."),
        (replace(TAKEN, seat=1), "ilya may pile on or be done."),
    ],
)
def test_the_turn_of_an_attacking_friend_is_told(view, expected):
    assert lines(replace(DEALT, seat=1), Turn(0, view, 25)) == [expected]


def test_the_turn_of_a_defending_friend_is_told():
    assert lines(DEALT, Turn(1, LED, 25)) == ["mira has to beat 9♣ or take."]


@pytest.mark.parametrize(
    ("before", "moved", "expected"),
    [
        (LEADING, Moved(1, 0, Attack(NINE_C), False, LED), "you: attack 9♣"),
        (LED, Moved(2, 1, Beat(TEN_C), False, BEATEN), "mira: beat 10♣"),
        (BEATEN, Moved(3, 0, Attack(NINE_D), False, BEATEN), "you: throw in 9♦"),
        (TAKEN, Moved(3, 0, Attack(NINE_D), False, TAKEN), "you: pile on 9♦"),
        (TAKEN, Moved(3, 0, Attack(NINE_D), False, LEADING), "you: pile on 9♦"),
        (LED, Moved(2, 1, Take(), True, TAKEN), "mira: take (played by the clock)"),
        (BEATEN, Moved(3, 0, Done(), False, LEADING), "you: done"),
        (LEADING, Moved(1, 1, Show(NINE_H), False, LEADING), "mira: show 9♥"),
        (LEADING, Moved(1, 1, Deny((NINE_C, NINE_D)), False, LEADING), "mira: no 9♣, 9♦"),
    ],
)
def test_every_move_is_one_line_with_a_name_and_a_noun(before, moved, expected):
    assert lines(DEALT, Turn(0, before, 0), moved) == [expected]


def test_a_move_that_comes_first_of_all_is_still_told():
    assert lines(Moved(1, 0, Attack(NINE_C), False, LED)) == ["you: attack 9♣"]
    assert lines(Moved(1, 0, Attack(NINE_D), False, BEATEN)) == ["you: throw in 9♦"]


def test_own_draws_are_told():
    assert lines(DEALT, Drew(cards("8h Qs"), LEADING)) == ["you: draw Q♠, 8♥"]
    assert lines(DEALT, Drew((), LEADING)) == []


@pytest.mark.parametrize(
    ("bout", "expected"),
    [
        (Bout(BoutOutcome.BEATEN, 1, (6, 5), 12), "Beaten off. You 6, mira 5, talon 12."),
        (Bout(BoutOutcome.PICKUP, 0, (6, 8), 10), "mira takes the cards. You 6, mira 8, talon 10."),
        (Bout(BoutOutcome.PICKUP, 1, (9, 6), 0), "You take the cards. You 9, mira 6, talon 0."),
    ],
)
def test_a_bout_ends_with_the_counts(bout, expected):
    assert lines(DEALT, bout) == [expected]


def test_chat_never_looks_like_a_move():
    assert lines(DEALT, Said(1, "attack Q♠")) == ["mira says: attack Q♠"]
    assert lines(DEALT, Said(0, "ha")) == ["you say: ha"]


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        (LinkState(Link.SLOW, 38, None, 6), "mira is slow, 6 s"),
        (LinkState(Link.DOWN, None, 42), "mira is offline and may return (0:42)"),
        (LinkState(Link.DOWN, None), "mira is offline and may return"),
        (LinkState(Link.DOWN, None, 0), "mira is offline. Type claim to claim the win, or keep waiting."),
        (LinkState(Link.OWN_DOWN, None, attempt=3), "you are offline, reconnecting (3)"),
    ],
)
def test_the_link_is_told_in_words(link, expected):
    assert lines(DEALT, link) == [expected]


def test_that_the_line_is_there_is_told_only_after_it_was_missed():
    assert lines(DEALT, LinkState(Link.UP, 38)) == []
    assert lines(DEALT, LinkState(Link.SLOW, None, None, 6), LinkState(Link.UP, None)) == ["mira is connected"]


def test_a_link_that_only_counts_is_told_once():
    down = LinkState(Link.DOWN, None, 42)
    assert lines(DEALT, LinkState(Link.UP, 38), LinkState(Link.UP, 40)) == []
    assert lines(DEALT, down, replace(down, claim_in_s=41)) == []
    assert lines(DEALT, down, replace(down, claim_in_s=0)) == []
    assert lines(DEALT, down, replace(down, claim_in_s=None)) == []
    assert lines(DEALT, down, LinkState(Link.UP, 40)) == ["mira is connected, 40 ms"]


def test_a_late_friend_is_told_once_and_again_when_the_win_may_be_claimed():
    late = Late(1, 30, False)
    assert lines(DEALT, late) == ["mira is late, 30 s"]
    assert lines(DEALT, late, replace(late, seconds=31)) == []
    assert lines(DEALT, late, Late(1, 130, True)) == [
        "mira is late, 130 s. Type claim to claim the win, or keep waiting."
    ]
    assert lines(DEALT, late, Moved(2, 1, Take(), False, TAKEN), late) == ["mira is late, 30 s"]


def test_nobody_is_told_to_claim_against_himself():
    assert lines(DEALT, Late(0, 130, True)) == ["You are late, 130 s"]


def test_a_refusal_is_the_reason_alone():
    assert lines(Refused("take", "It is not your turn.")) == ["It is not your turn."]
    assert lines(Refused("", "It is not your turn.")) == ["It is not your turn."]


def test_a_result_tells_the_durak_the_hands_the_proofs_the_log_and_what_next():
    assert lines(DEALT, RESULT) == [
        "mira is the durak. You win!",
        "mira holds: 8♣, 6♦",
        "Verified: the deal, both shuffles and every move are proven.",
        "Log: /home/ilya/games/7.dlog",
        "Durak so far: you 0, mira 1, draws 0.",
        "Type rematch to play again, or leave.",
    ]


def test_a_lost_last_game_without_proof_or_log_says_so():
    lost = replace(
        RESULT,
        outcome="loss",
        durak=0,
        hands=(cards("7h 6c"), None),
        verified=False,
        log="",
        score=(3, 1, 2),
        more=False,
    )
    assert lines(DEALT, lost) == [
        "You are the durak. mira wins.",
        "You hold: 6♣, 7♥",
        "Not everything is verified; p2pdurak verify on the log tells what is.",
        "Durak so far: you 3, mira 1, draws 2.",
        "The match is over.",
    ]


@pytest.mark.parametrize(
    ("reason", "outcome", "durak", "expected"),
    [
        (Reason.CARDS, "draw", None, "A draw: both hands are empty, and nobody is the durak."),
        (Reason.RESIGN, "win", 1, "mira resigned. mira is the durak. You win!"),
        (Reason.RESIGN, "loss", 0, "You resigned. You are the durak. mira wins."),
        (
            Reason.CLAIMED,
            "win",
            None,
            "You claim the win of an unfinished game; a claim is a note in the log, and proves nothing.",
        ),
        (
            Reason.CLAIMED,
            "loss",
            None,
            "mira claims the win of an unfinished game; a claim is a note in the log, and proves nothing.",
        ),
        (Reason.LEFT, "none", None, "The table was left before the end. The game has no result."),
        (Reason.CHEAT, "win", None, "The game ends because cheating is proven. You win!"),
        (Reason.CHEAT, "loss", None, "The game ends because cheating is proven. mira wins."),
        (
            Reason.DESYNC,
            "none",
            None,
            DESYNC,
        ),
        (Reason.MALFORMED, "none", None, "mira sent something that cannot be read. The game has no result."),
    ],
)
def test_every_ending_has_its_sentence(reason, outcome, durak, expected):
    assert lines(DEALT, replace(RESULT, reason=reason, outcome=outcome, durak=durak))[0] == expected


def test_a_wish_for_a_rematch_is_told_to_both():
    assert lines(DEALT, RESULT, Again(1)) == ["mira wants to play again."]
    assert lines(DEALT, RESULT, Again(0)) == ["mira is asked for a rematch."]


def test_a_friend_with_our_name_begins_sentences_with_a_capital_letter():
    same = replace(DEALT, names=("ilya", "ilya"))
    lost = replace(RESULT, names=("ilya", "ilya"), outcome="loss", durak=0)
    assert lines(same, Again(1)) == ["Your friend wants to play again."]
    assert lines(same, lost)[0] == "You are the durak. Your friend wins."
    assert lines(same, Bout(BoutOutcome.PICKUP, 0, (6, 8), 10)) == [
        "Your friend takes the cards. You 6, your friend 8, talon 10."
    ]
    assert lines(same, Shuffling("ilya", 2)) == ["Shuffling: your friend ok, proofs 2/2"]


def test_chat_of_a_friend_with_our_name_is_not_changed():
    assert lines(replace(DEALT, names=("ilya", "ilya")), Said(1, "hi. your friend is here")) == [
        "Your friend says: hi. your friend is here"
    ]


def test_trouble_is_one_line_with_the_reason_who_and_the_evidence():
    assert lines(DEALT, Trouble("cheating", "a card was played twice", 1, "/tmp/7.evidence")) == [
        "a card was played twice. mira is accused. The evidence: /tmp/7.evidence"
    ]
    assert lines(DEALT, Trouble("cheating", "It is false.", 0)) == ["It is false. You are accused."]
    assert lines(Trouble("broker", "127.0.0.1:1883 does not answer.")) == ["127.0.0.1:1883 does not answer."]


def answers(query: Query, view: View | None, *events) -> list[str]:
    out = io.StringIO()
    face = PlainFace(out)
    for event in events:
        face.show(event)
    start = len(out.getvalue())
    face.answer(query, view)
    return out.getvalue()[start:].splitlines()


def test_the_hand_is_told_when_asked():
    assert answers(Query.HAND, LEADING) == ["Your hand: 6♣, 9♣, 9♦, K♦, A♠, 7♥"]
    assert answers(Query.HAND, replace(LEADING, hand=(NINE_C,))) == ["Your hand: 9♣, and 5 still face down"]
    assert answers(Query.HAND, None) == ["The cards are not dealt yet."]


def test_the_table_is_told_when_asked():
    assert answers(Query.TABLE, BEATEN, DEALT) == [
        "Table: 9♣ beaten by 10♣",
        "Trump: hearts. You 5, mira 5, talon 24, discard 0.",
        "You attack.",
        "Throw in: 9♦; or done",
    ]
    assert answers(Query.TABLE, LED, DEALT)[0] == "Table: 9♣"
    assert answers(Query.TABLE, None) == ["The cards are not dealt yet."]


def test_the_table_tells_what_is_known_of_the_other_hand():
    known = (Hand((), 6), Hand(cards("6d Th"), 4))
    state = position(Suit.HEARTS, known, 1, indicator=KING_H, talon=24)
    assert answers(Query.TABLE, View(0, state, LEADING.hand), DEALT) == [
        "Table: empty",
        "Trump: hearts. You 6, mira 6, talon 24, discard 0.",
        "Known in the hand of mira: 6♦, 10♥",
        "You defend.",
    ]


def test_the_score_is_told_when_asked():
    assert answers(Query.SCORE, None, DEALT) == ["No game of this match has ended yet."]
    assert answers(Query.SCORE, None, DEALT, RESULT) == ["Durak so far: you 0, mira 1, draws 0."]


def test_help_names_every_command():
    text = " ".join(answers(Query.HELP, None))
    others = {"take", "done", "hint", "chat", "claim", "resign", "rematch", "leave", "yes", "no"}
    assert others | {query.value for query in Query} <= set(re.findall(r"\w+", text))


def test_the_rules_tell_which_options_differ():
    table = replace(LEADING.state, options=NAMED["table"])
    assert answers(Query.RULES, None)[-1] == "The classic rules: 25 s a move."
    assert answers(Query.RULES, replace(LEADING, state=table))[-1] == "There is no clock (classic: 25 s a move)."


def test_a_problem_with_a_typed_line_is_told():
    out = io.StringIO()
    PlainFace(out).tell(Problem("It is not your turn."), "9c")
    assert out.getvalue() == "It is not your turn.\n"


def with_hostile_texts(event, text: str):
    """Put `text` into every field of an event that holds text, lists of text included."""

    def spoiled(value):
        if isinstance(value, str):
            return value + text
        if isinstance(value, tuple):
            return tuple(map(spoiled, value))
        return value

    return replace(event, **{field.name: spoiled(getattr(event, field.name)) for field in fields(event)})


HOSTILE = "\x1b]0;x\x07\x1b[2J\x9b2J\r\n\u2028\u202e\u2066\ud800\ue000\u0301\u0302\u0303\u0304\x00\u200b\t"


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("event", ALL)
def test_no_text_from_outside_reaches_the_terminal_unclean(event, colour):
    out = io.StringIO()
    face = PlainFace(out, colour=colour)
    for shown in (with_hostile_texts(DEALT, HOSTILE), with_hostile_texts(event, HOSTILE)):
        face.show(shown)

    text = SGR.sub("", out.getvalue()) if colour else out.getvalue()
    bad = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert {char for char in text if unicodedata.category(char) in bad} <= {"\n"}


def test_hostile_text_adds_no_line():
    assert len(lines(DEALT, Said(1, "a" + HOSTILE + "mira: take"))) == 1


def test_colours_only_add_to_the_same_text():
    plain, coloured = io.StringIO(), io.StringIO()
    faces = PlainFace(plain), PlainFace(coloured, colour=True)
    for event in ALL:
        for face in faces:
            face.show(event)

    assert SGR.sub("", coloured.getvalue()) == plain.getvalue()
    assert "\x1b" not in plain.getvalue()
    assert all(line.count("\x1b[1m") == line.count("\x1b[22m") for line in coloured.getvalue().splitlines())


def test_colour_marks_suits_the_own_turn_and_trouble():
    assert lines(DEALT, Turn(0, BEATEN, 0), colour=True) == ["\x1b[1mThrow in: \x1b[94m9♦\x1b[39m; or done\x1b[22m"]
    assert lines(Trouble("broker", "gone."), colour=True) == ["\x1b[31mgone.\x1b[39m"]


def test_ascii_writes_only_ascii():
    out = io.StringIO()
    face = PlainFace(out, ascii=True)
    for event in ALL:
        face.show(event)
    for query in Query:
        face.answer(query, BEATEN)

    assert out.getvalue().isascii()
    assert "Beat 9c: 10c, Jh; or take" in lines(Turn(1, DEFENDING, 0), ascii=True)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_stream_without_suit_signs_gets_letters(encoding):
    raw = io.BytesIO()
    face = PlainFace(io.TextIOWrapper(raw, encoding=encoding))

    face.show(replace(DEALT, names=("ilya", "Мира")))

    assert raw.getvalue().decode(encoding).splitlines()[:2] == [
        "Game 1 against ????. You are the host.",
        "Your hand: 6c, 9c, 9d, Kd, As, 7h",
    ]


def test_a_stream_with_suit_signs_keeps_them():
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="utf-8")
    PlainFace(stream).show(Turn(1, DEFENDING, 0))
    assert raw.getvalue().decode().splitlines() == ["Beat 9♣: 10♣, J♥; or take"]


def test_any_order_of_events_is_survived():
    rng = random.Random(7)
    for _ in range(50):
        face = PlainFace(io.StringIO(), colour=True)
        for event in rng.sample(ALL, len(ALL)):
            face.show(event)
        assert not face.closed


class ClosedPipe(io.StringIO):
    """A stream whose reader has gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_closed_pipe_is_remembered_and_raises_nothing():
    face = PlainFace(ClosedPipe())
    for event in ALL:
        face.show(event)
    face.answer(Query.HELP, None)
    face.tell(Problem("x"), "x")

    assert face.closed


def test_colours_break_no_line():
    out = io.StringIO()
    PlainFace(out, colour=True, columns=lambda: 40).show(replace(RESULT, hands=(None, tuple(cards("6d Qd Ah 8s")))))
    assert next(line for line in out.getvalue().splitlines() if "hold" in line).count(",") == 3


def test_a_narrow_terminal_gets_whole_words_and_a_code_in_one_piece():
    out = io.StringIO()
    face = PlainFace(out, columns=lambda: 20)
    face.show(Waiting("If your friend sees other safety words, leave."))
    face.show(Code("k7q2m-otter-kiosk-lamp", "p2pdurak join k7q2m-otter-kiosk-lamp"))
    lines = out.getvalue().splitlines()
    assert lines[:3] == ["If your friend sees", "other safety words,", "leave."]
    assert "p2pdurak join k7q2m-otter-kiosk-lamp" in lines
