from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.rules.actions import Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import DECK, parse_card
from p2pdurak.rules.engine import IllegalAction, Refusal, deal
from p2pdurak.rules.notation import NotationError, format_game, parse_game
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import CLASSIC, NAMED
from p2pdurak.rules.records import Answer, BoutRecord, Drawn, GameRecord, Played, from_moves, to_moves
from p2pdurak.rules.state import Outcome
from tests.rules.games import at, cards, random_choice, shuffled, steps

TEXT = r"""[Game "k7q2m"]
[Seat0 "ilya \"the \\ fox\" \u{1b}\u{d800}"]
[Seat1 ""]

deal Kh {0 6c 7d 9h Jd Qs Ks, 1 ?? ?? ?? ?? ?? ??}
first asked 0-6h 1-6h 1-7h 0-7h 0+9h
1. 0> 6c/9c 9h/Jh~ Jd/Qd . {0 8h ?? Td, 1 ?? ?? ??}
2. 1> Qc/Qs~ 7c + Td .~
3. 1> 8d +~
durak 1
"""

RECORD = GameRecord(
    tags=(("Game", "k7q2m"), ("Seat0", 'ilya "the \\ fox" \x1b\ud800'), ("Seat1", "")),
    indicator=parse_card("Kh"),
    hands=(cards("6c 7d 9h Jd Qs Ks"), (None,) * 6),
    opening=(
        Answer(0, Deny(cards("6h"))),
        Answer(1, Deny(cards("6h"))),
        Answer(1, Deny(cards("7h"))),
        Answer(0, Deny(cards("7h"))),
        Answer(0, Show(parse_card("9h"))),
    ),
    bouts=(
        BoutRecord(
            0,
            (
                Played(Attack(parse_card("6c"))),
                Played(Beat(parse_card("9c"))),
                Played(Attack(parse_card("9h"))),
                Played(Beat(parse_card("Jh")), auto=True),
                Played(Attack(parse_card("Jd"))),
                Played(Beat(parse_card("Qd"))),
                Played(Done()),
            ),
            (Drawn(0, (parse_card("8h"), None, parse_card("Td"))), Drawn(1, (None, None, None))),
        ),
        BoutRecord(
            1,
            (
                Played(Attack(parse_card("Qc"))),
                Played(Beat(parse_card("Qs")), auto=True),
                Played(Attack(parse_card("7c"))),
                Played(Take()),
                Played(Attack(parse_card("Td"))),
                Played(Done(), auto=True),
            ),
        ),
        BoutRecord(1, (Played(Attack(parse_card("8d"))), Played(Take(), auto=True))),
    ),
    result=Outcome(0, 1),
)


# ---- text ----


def test_a_record_is_written_as_the_module_says():
    assert format_game(RECORD) == TEXT


def test_a_text_is_read_as_the_module_says():
    assert parse_game(TEXT) == RECORD


@pytest.mark.parametrize(
    ("result", "line"),
    [(Outcome(1, 0), "durak 0"), (Outcome(0, 1), "durak 1"), (Outcome(None, None), "draw"), (None, "*")],
)
def test_the_last_line_is_the_result(result, line):
    text = format_game(replace(RECORD, result=result))
    assert text.endswith(f"\n{line}\n")
    assert parse_game(text).result == result


def test_a_record_without_tags_begins_with_the_deal():
    text = format_game(replace(RECORD, tags=(), opening=1, bouts=()))
    assert text == "deal Kh {0 6c 7d 9h Jd Qs Ks, 1 ?? ?? ?? ?? ?? ??}\nfirst seat 1\ndurak 1\n"


seen_cards = st.lists(st.none() | st.sampled_from(DECK), max_size=8).map(tuple)
answers = st.builds(
    Answer,
    st.integers(0, 1),
    st.builds(Show, st.sampled_from(DECK))
    | st.builds(Deny, st.lists(st.sampled_from(DECK), min_size=1, max_size=3).map(tuple)),
)


@st.composite
def bouts(draw: st.DrawFn) -> BoutRecord:
    """Any order of actions that a bout can have, cut short anywhere."""
    card = st.sampled_from(DECK)
    played = [Attack(draw(card))]
    for _ in range(draw(st.integers(0, 5))):
        played += [Beat(draw(card)), Attack(draw(card))]
    match draw(st.sampled_from(["cut", "beaten", "done", "take", "take and done"])):
        case "beaten":
            played.append(Beat(draw(card)))
        case "done":
            played += [Beat(draw(card)), Done()]
        case "take":
            played += [Take(), *map(Attack, draw(st.lists(card, max_size=3)))]
        case "take and done":
            played += [Take(), *map(Attack, draw(st.lists(card, max_size=3))), Done()]
    flags = draw(st.lists(st.booleans(), min_size=len(played), max_size=len(played)))
    drawn = draw(st.lists(st.builds(Drawn, st.integers(0, 1), seen_cards), max_size=2))
    return BoutRecord(
        draw(st.integers(0, 1)), tuple(Played(*both) for both in zip(played, flags, strict=True)), tuple(drawn)
    )


records = st.builds(
    GameRecord,
    st.lists(st.tuples(st.from_regex(r"[A-Za-z][A-Za-z0-9_-]*", fullmatch=True), st.text(max_size=12)), max_size=3).map(
        tuple
    ),
    st.none() | st.sampled_from(DECK),
    st.tuples(seen_cards, seen_cards),
    st.integers(0, 1) | st.lists(answers, max_size=4).map(tuple),
    st.lists(bouts(), max_size=4).map(tuple),
    st.sampled_from([None, Outcome(None, None), Outcome(0, 1), Outcome(1, 0)]),
)


@given(records)
def test_reading_is_the_inverse_of_writing(record):
    assert parse_game(format_game(record)) == record


@given(st.data())
def test_a_changed_text_is_refused_or_is_the_text_of_another_game(data):
    """Whatever can be read is written back to the same characters, so no two texts mean one game."""
    at_index = data.draw(st.integers(0, len(TEXT)))
    cut = data.draw(st.integers(0, 3))
    piece = data.draw(
        st.text(max_size=3) | st.sampled_from([" ", "\n", "~", "/", ".", "+", "6c", "{", "}", ", ", "\\", '"'])
    )
    changed = TEXT[:at_index] + piece + TEXT[at_index + cut :]
    try:
        record = parse_game(changed)
    except NotationError as refusal:
        line = refusal.line
    else:
        line = 1
        assert format_game(record) == changed
    assert 1 <= line <= changed.count("\n") + 1


@given(st.text())
def test_any_other_text_is_refused_with_a_line(text):
    with pytest.raises(NotationError, match=r"^line \d+: "):
        parse_game(text)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('[Game "k7q2m"]', '[Game k7q2m"]', 1),
        ('[Game "k7q2m"]', '[9Game "k7q2m"]', 1),
        ('[Game "k7q2m"]', '[Game "k7"q2m"]', 1),
        ('[Game "k7q2m"]', '[Game "k7\\q2m"]', 1),
        ('[Game "k7q2m"]', '[Game "\\u{41}"]', 1),
        ('[Game "k7q2m"]', '[Game "\\u{110000}"]', 1),
        ('[Game "k7q2m"]', '[Game "\u2028"]', 1),
        ('[Game "k7q2m"]', ' [Game "k7q2m"]', 1),
        ("]\n\n", "]\n", 4),
        ("deal Kh", "deal kh", 5),
        ("deal Kh", "deal", 5),
        ("0 6c 7d", "1 6c 7d", 5),
        (", 1 ?? ?? ?? ?? ?? ??}", "}", 5),
        ("7d 9h", "7d  9h", 5),
        ("0-6h 1-6h", "0-6h, 1-6h", 6),
        ("0-6h 1-6h", "0-6h,1-6h", 6),
        ("0-6h 1-6h", "0-6h 2-6h", 6),
        ("first asked", "first seat 1", 6),
        ("first asked", "first", 6),
        ("1. 0>", "2. 0>", 7),
        ("1. 0>", "1. 2>", 7),
        ("1. 0>", "1. >", 7),
        ("6c/9c", "6c/9x", 7),
        ("6c/9c", "6c/", 7),
        ("6c/9c", "/9c", 7),
        ("Jd/Qd .", "Jd .", 7),
        ("Jd/Qd .", "Jd/Qd . 6d", 7),
        ("Jd/Qd .", "Jd/Qd +", 7),
        ("6c/9c 9h", "6c 9h", 7),
        ("6c/9c 9h", "6c + 9h", 7),
        ("6c/9c 9h", ". 9h", 7),
        ("{0 8h ?? Td,", "{0 8h ? Td,", 7),
        ("{0 8h ?? Td,", "{0 8h ?? Td", 7),
        ("{0 8h ?? Td,", "{2 8h ?? Td,", 7),
        ("+ Td .~", "+ Td .~~", 8),
        ("+ Td .~", "+ Td/9d .~", 8),
        ("+ Td .~", "+ + .~", 8),
        ("3. 1>", "4. 1>", 9),
        ("durak 1\n", "durak 2\n", 10),
        ("durak 1\n", "durak 1", 9),
        ("durak 1\n", "durak 1\n\n", 10),
        ("durak 1\n", "", 9),
    ],
)
def test_a_malformed_text_is_refused_with_its_line(old, new, line):
    assert TEXT.count(old) == 1
    with pytest.raises(NotationError) as caught:
        parse_game(TEXT.replace(old, new))
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


def test_a_bout_with_another_number_is_named():
    with pytest.raises(NotationError, match="line 8: this should be bout 2"):
        parse_game(TEXT.replace("2. 1>", "3. 1>"))


@pytest.mark.parametrize("text", ["", "\n", "*\n", "deal Kh {0, 1}\n*\n", '[A "b"]', '[A "b"]\n', '[A "b"]\n\n'])
def test_a_text_that_is_cut_off_is_refused(text):
    with pytest.raises(NotationError):
        parse_game(text)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"tags": (("two words", ""),)}, "cannot name a tag"),
        ({"tags": (("", ""),)}, "cannot name a tag"),
        ({"opening": (Answer(0, Deny(())),)}, "denies at least one card"),
        ({"bouts": (BoutRecord(0, ()),)}, "bout 1: a bout begins with an attack"),
        ({"bouts": (BoutRecord(0, (Played(Done()),)),)}, "'done' has no place where the bout is new"),
        ({"bouts": (BoutRecord(0, (Played(Beat(parse_card("6c"))),)),)}, "'beat' has no place"),
        ({"bouts": (BoutRecord(0, (Played(Attack(parse_card("6c"))), Played(Done()))),)}, "the bout is unbeaten"),
        ({"result": Outcome(0, 0)}, "one winner and one durak"),
        ({"result": Outcome(None, 1)}, "one winner and one durak"),
    ],
)
def test_a_record_that_no_game_leaves_is_not_written(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        format_game(replace(RECORD, **wrong))


# ---- records from games ----


def played_game(rng: Random, opener: int | None, name: str = "classic") -> tuple[OpenGame, list, OpenGame]:
    start = deal_open(NAMED[name], shuffled(rng), opener)
    moves, end = [], start
    for _, seat, action, _, after in steps(start, random_choice(rng)):
        end = after
        auto = not isinstance(action, Show | Deny) and rng.random() < 0.1
        moves.append((seat, action, auto))
    return start, moves, end


@pytest.mark.parametrize("opener", [None, 0, 1])
def test_a_game_can_be_recorded_written_read_and_played_again(opener):
    rng = Random(17)
    for number in range(40):
        start, moves, end = played_game(rng, opener, ["classic", "table"][number % 2])
        record = from_moves([("Game", "x")], start.state, moves, hands=start.hands, stock=start.talon)
        again = parse_game(format_game(record))
        assert again == record
        assert to_moves(again) == tuple(moves)
        assert again.result is not None
        assert again.result.durak == (None if not any(end.hands) else int(bool(end.hands[1])))


def test_a_full_record_names_every_card_of_the_deck_where_it_was_dealt_or_drawn():
    start, moves, end = played_game(Random(23), 0)
    record = from_moves([], start.state, moves, hands=start.hands, stock=start.talon)
    named = [
        *record.hands[0],
        *record.hands[1],
        *(card for bout in record.bouts for draw in bout.draws for card in draw.cards),
    ]
    assert None not in named
    assert sorted(named) == list(DECK)
    assert end.talon == ()


def test_the_indicator_is_the_last_card_drawn():
    start, moves, _ = played_game(Random(23), 0)
    record = from_moves([], start.state, moves)
    drawn = [card for bout in record.bouts for draw in bout.draws for card in draw.cards]
    assert drawn[-1] == start.state.indicator
    assert set(drawn[:-1]) == {None}


def test_a_player_records_the_cards_that_he_saw():
    start, moves, _ = played_game(Random(29), 1)
    whole = from_moves([], start.state, moves, hands=start.hands, stock=start.talon)
    owners = [(draw.seat, card) for bout in whole.bouts for draw in bout.draws for card in draw.cards]
    stock = [card if seat == 0 else None for seat, card in owners]
    mine = from_moves([], start.state, moves, hands=(start.hands[0], ()), stock=stock)
    assert mine.hands == (start.hands[0], (None,) * 6)
    for known, full in zip(mine.bouts, whole.bouts, strict=True):
        assert known.played == full.played
        for seen, draw in zip(known.draws, full.draws, strict=True):
            hidden = tuple(card if card == start.state.indicator else None for card in draw.cards)
            assert seen.cards == (draw.cards if draw.seat == 0 else hidden)
    assert parse_game(format_game(mine)) == mine


def test_a_game_cut_short_keeps_its_last_bout_and_takes_the_given_result():
    start, moves, _ = played_game(Random(31), 0)
    record = from_moves([], start.state, moves[:1], result=Outcome(1, 0))
    assert record.bouts == (BoutRecord(0, (Played(moves[0][1], moves[0][2]),)),)
    assert record.result == Outcome(1, 0)
    assert from_moves([], start.state, moves[:1]).result is None
    assert parse_game(format_game(record)) == record


def test_a_game_cut_short_among_the_answers_has_no_bout():
    record = from_moves([], deal(CLASSIC, parse_card("Kh"), None), [(0, Deny(cards("6h")), False)])
    assert record.opening == (Answer(0, Deny(cards("6h"))),)
    assert record.bouts == ()
    assert parse_game(format_game(record)) == record


def test_a_result_by_the_rules_stands_above_a_given_one():
    start, moves, _ = played_game(Random(31), 0)
    by_the_rules = from_moves([], start.state, moves).result
    assert by_the_rules is not None
    swapped = Outcome(by_the_rules.durak, by_the_rules.winner)
    assert from_moves([], start.state, moves, result=swapped).result == by_the_rules


def test_a_position_without_talon_is_recorded_with_its_known_hands():
    state = at("h", "6c Kd", "7c ?1")
    record = from_moves([], state, [(0, Attack(parse_card("6c")), False)])
    assert format_game(record) == "deal - {0 6c Kd, 1 7c ??}\nfirst seat 0\n1. 0> 6c\n*\n"


def test_illegal_moves_and_the_wrong_seat_are_not_recorded():
    state = at("h", "6c Kd ?1", "7c ?1")
    for move, reason in [
        ((1, Attack(parse_card("8c")), False), Refusal.NOT_YOUR_TURN),
        ((0, Done(), False), Refusal.MUST_LEAD),
    ]:
        with pytest.raises(IllegalAction) as caught:
            from_moves([], state, [move])
        assert caught.value.refusal is reason


def test_more_cards_than_were_dealt_are_refused():
    with pytest.raises(ValueError, match="seat 1 was dealt 2 cards, and 3 are named"):
        from_moves([], at("h", "6c Kd", "7c ?1"), [], hands=((), cards("8c 9c")))


def test_a_random_game_takes_about_a_kilobyte():
    rng = Random(37)
    sizes = []
    for _ in range(60):
        start, moves, _ = played_game(rng, 0)
        sizes.append(len(format_game(from_moves([], start.state, moves, hands=start.hands, stock=start.talon))))
    assert sum(sizes) / len(sizes) < 1000
