"""What a player may type, and the sentence for what cannot be."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2pdurak.events import Accept, Claim, Decline, Leave, Play, Rematch, Resign, Say
from p2pdurak.rules.actions import Attack, Beat, Done, Show, Take, action_text
from p2pdurak.rules.cards import DECK, Suit, parse_card
from p2pdurak.rules.engine import apply, to_act
from p2pdurak.rules.options import CLASSIC
from p2pdurak.rules.positions import deal, position
from p2pdurak.rules.state import Hand, Phase
from p2pdurak.rules.view import View
from p2pdurak.ui.card_words import CardStyle
from p2pdurak.ui.commands import AskHint, CommandReader, Problem, Query, Question, parse_command, read_card
from p2pdurak.ui.prompts import ACCEPT_QUESTION, KNOCK_QUESTION


def cards(text: str):
    return tuple(map(parse_card, text.split()))


def view_after(seat: int, own: str, *moves) -> View:
    """Seat 0 leads in a game with hearts as trump; each seat holds six cards, and the view's own are `own`."""
    sealed = Hand((), 6)
    state = position(Suit.HEARTS, (sealed, sealed), 0, indicator=parse_card("Kh"), talon=24)
    for move in moves:
        state = apply(state, move).state
    gone = {getattr(move, "card", None) for move in moves}
    return View(seat, state, tuple(sorted(card for card in cards(own) if card not in gone)))


SIX_C, NINE_C, TEN_C = cards("6c 9c Tc")
LEADING = view_after(0, "6c 9c 9d Kd 7h As")
DEFENDING = view_after(1, "8c Tc 6d 7d Jh As", Attack(NINE_C))
THROWING_IN = view_after(0, "6c 9c Td Kd 7h As", Attack(NINE_C), Beat(TEN_C))
PILING_ON = view_after(0, "6c 9c 9d Kd 7h As", Attack(NINE_C), Take())


def random_game(seed: int) -> Iterator[View]:
    """Play a whole game at random, and give the view of the seat to act before each action."""
    rng = random.Random(seed)
    deck = list(DECK)
    rng.shuffle(deck)
    hands, stock = [set(deck[0:12:2]), set(deck[1:12:2])], iter(deck[12:35])
    state = deal(CLASSIC, deck[35], None)
    while (seat := to_act(state)) is not None:
        view = View(seat, state, tuple(sorted(hands[seat])))
        yield view
        action = rng.choice(view.legal_actions())
        if isinstance(action, Attack | Beat):
            hands[seat].remove(action.card)
        step = apply(state, action)
        state = step.state
        for draw in step.draws:
            hands[draw.seat].update(next(stock) for _ in range(draw.count))
        for owner in (0, 1):
            hands[owner].update(state.hands[owner].known)


@pytest.mark.parametrize("typed", ["9c", "9C", " 9c ", "9♣", "9♣\ufe0f", "nine of clubs", "Nine  of  Clubs\n"])
def test_a_card_may_be_typed_in_many_ways(typed):
    assert parse_command(typed, LEADING) == Play(Attack(NINE_C))


@pytest.mark.parametrize("typed", ["tc", "TC", "10c", "10C", "10♣", "T♣", "ten of clubs"])
def test_a_ten_may_be_typed_in_many_ways(typed):
    assert parse_command(typed, DEFENDING) == Play(Beat(TEN_C))


@pytest.mark.parametrize("style", [CardStyle(), CardStyle(ascii=True), CardStyle(words=True)])
def test_every_card_reads_back_as_it_is_shown(style):
    assert [read_card(style.card(card)) for card in DECK] == list(DECK)


@pytest.mark.parametrize(
    "typed", ["", "1", "c", "5c", "1c", "0c", "100c", "10", "tt", "9x", "9cc", "９c", "nine clubs"]
)
def test_what_is_no_card_reads_as_none(typed):
    assert read_card(typed) is None


@pytest.mark.parametrize("seed", range(20))
def test_every_legal_action_of_a_game_reads_back_as_itself(seed):
    for view in random_game(seed):
        for action in view.legal_actions():
            assert parse_command(action_text(action), view) == Play(action)


@pytest.mark.parametrize("seed", range(3))
def test_a_typed_card_is_played_exactly_when_it_is_legal(seed):
    styles = CardStyle(), CardStyle(ascii=True), CardStyle(words=True)
    for number, view in enumerate(random_game(seed)):
        legal = {action.card for action in view.legal_actions() if isinstance(action, Attack | Beat)}
        for card in DECK:
            typed = parse_command(styles[number % 3].card(card), view)
            assert isinstance(typed, Play if card in legal else Problem)


def test_take_and_done_are_picked_when_legal():
    assert parse_command("take", DEFENDING) == parse_command("T", DEFENDING) == Play(Take())
    assert parse_command("done", THROWING_IN) == parse_command("d", PILING_ON) == Play(Done())


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("resign", Resign()),
        ("ReMatch", Rematch()),
        ("n", Rematch()),
        ("hint", AskHint()),
        ("h", AskHint()),
        ("claim", Claim()),
        ("v", Claim()),
        ("leave", Leave()),
        ("quit", Leave()),
        ("accept", Accept()),
        ("yes", Accept()),
        ("decline", Decline()),
        ("no", Decline()),
    ],
)
@pytest.mark.parametrize("view", [None, LEADING, DEFENDING])
def test_commands_read_the_same_at_any_time(typed, command, view):
    assert parse_command(typed, view) == command


@pytest.mark.parametrize("query", list(Query))
def test_questions_are_recognised_at_any_time(query):
    assert parse_command(query.value.upper(), None) is query


def test_an_empty_line_and_single_letters_answer_an_offer_that_waits():
    assert parse_command("\n", None, offer=True) == parse_command("y", None, offer=True) == Accept()
    assert parse_command("n", None, offer=True) == Decline()


def test_a_friend_who_knocks_is_let_in_by_a_word_and_never_by_an_empty_line():
    assert parse_command("yes", None, knock=True) == parse_command("Y", None, knock=True) == Accept()
    assert parse_command("n", None, knock=True) == parse_command("no", None, knock=True) == Decline()
    assert parse_command("\n", None, knock=True) == Problem(KNOCK_QUESTION)


@pytest.mark.parametrize("typed", ["help", "hand", "9c", "take", "rematch", "maybe", "?"])
def test_a_question_before_the_deal_is_repeated_where_the_answer_is_none(typed: str) -> None:
    assert parse_command(typed, None, offer=True) == Problem(ACCEPT_QUESTION)
    assert parse_command(typed, None, knock=True) == Problem(KNOCK_QUESTION)


@pytest.mark.parametrize("asked", [{"offer": True}, {"knock": True}])
def test_one_can_leave_and_chat_while_something_is_asked(asked: dict[str, bool]) -> None:
    assert parse_command("leave", None, **asked) == Leave()
    assert parse_command("/who is it?", None, **asked) == Say("who is it?")


def test_an_empty_line_answers_nothing_when_no_offer_waits():
    assert parse_command("", LEADING) == Problem("Type a card such as 7d, or take, done, or help.")


@pytest.mark.parametrize("typed", ["chat Good Luck", "/Good Luck", "  CHAT   Good Luck\r\n", "/ Good Luck"])
def test_chat_keeps_its_case(typed):
    assert parse_command(typed, None) == Say("Good Luck")


def test_chat_that_looks_like_a_command_stays_chat():
    assert parse_command("/take", DEFENDING) == Say("take")
    assert parse_command("chat yes", None, offer=True) == Say("yes")


def test_own_chat_is_cleaned_and_cut():
    assert parse_command("/a\x1b[2J\u202eb" + "x" * 300, None) == Say("a[2Jb" + "x" * 195)


@pytest.mark.parametrize("typed", ["chat", "chat  ", "/", "/ \u200b "])
def test_empty_chat_is_a_problem(typed):
    assert parse_command(typed, None) == Problem("Type what you want to say after the word chat.")


@pytest.mark.parametrize(
    ("view", "typed", "sentence"),
    [
        (None, "9c", "The cards are not dealt yet."),
        (None, "take", "The cards are not dealt yet."),
        (LEADING, "8c", "You do not hold 8c."),
        (LEADING, "done", "The table is empty: lead a card first."),
        (LEADING, "take", "Only the defender takes, and you attack."),
        (DEFENDING, "8c", "8c does not beat 9c. Beat it with another card, or take."),
        (DEFENDING, "As", "As does not beat 9c. Beat it with another card, or take."),
        (DEFENDING, "10h", "You do not hold 10h."),
        (DEFENDING, "d", "Only the attacker says done. You defend: beat the card, or take."),
        (THROWING_IN, "Kd", "No king lies on the table, so Kd cannot be thrown in."),
        (THROWING_IN, "t", "Only the defender takes, and you attack."),
        (PILING_ON, "6c", "No six lies on the table, so 6c cannot be piled on."),
        (PILING_ON, "9s", "You do not hold 9s."),
    ],
)
def test_a_problem_says_why(view, typed, sentence):
    assert parse_command(typed, view) == Problem(sentence)


def test_a_problem_writes_cards_in_the_players_style():
    assert parse_command("8c", DEFENDING, style=CardStyle(words=True)) == Problem(
        "eight of clubs does not beat nine of clubs. Beat it with another card, or take."
    )


@pytest.mark.parametrize("typed", ["9c", "8c", "take", "done"])
def test_nobody_plays_out_of_turn(typed):
    waiting = replace(DEFENDING, seat=0, hand=LEADING.hand)
    assert parse_command(typed, waiting) == Problem("It is not your turn.")


@pytest.mark.parametrize("typed", ["9c", "8c", "take", "done"])
def test_nobody_plays_after_the_end(typed):
    over = replace(LEADING, state=replace(LEADING.state, phase=Phase.OVER))
    assert parse_command(typed, over) == Problem("This game is over.")


def test_nobody_plays_while_the_first_attacker_is_sought():
    asked = View(0, deal(CLASSIC, parse_card("Kh"), None), cards("6c 9c Td Kd 7h As"))
    assert parse_command("9c", asked) == Problem("Wait a moment: the two programs find out who attacks first.")


def test_only_the_true_answer_is_given_about_the_first_attack():
    asked = View(0, deal(CLASSIC, parse_card("Kh"), None), cards("6c 6h Td Kd 7h As"))
    assert parse_command("show 6h", asked) == Play(Show(parse_card("6h")))
    assert isinstance(parse_command("deny 6h", asked), Problem)


def test_an_unknown_word_is_repeated_safely():
    assert parse_command("\x1b[31mfold\u202e" + "!" * 99, LEADING) == Problem(
        f'"[31mfold{"!" * 32}" is no command. Type a card such as 7d, or take, done, or help.'
    )


def test_any_line_at_all_can_be_read():
    hypothesis = pytest.importorskip("hypothesis")
    views = hypothesis.strategies.sampled_from([None, LEADING, DEFENDING, THROWING_IN, PILING_ON])

    @hypothesis.given(hypothesis.strategies.text(max_size=30), views, hypothesis.strategies.booleans())
    def holds(line: str, view: View | None, offer: bool) -> None:
        typed = parse_command(line, view, offer=offer)
        assert not isinstance(typed, Play) or typed.action in view.legal_actions()
        assert not isinstance(typed, Problem) or typed.sentence.isprintable()

    holds()


@pytest.mark.parametrize(("word", "command"), [("resign", Resign()), ("leave", Leave()), ("quit", Leave())])
@pytest.mark.parametrize("answer", ["same", "yes", "y", "Yes\n"])
def test_giving_up_a_running_game_is_asked_back_once(word, command, answer):
    reader = CommandReader(confirm=True)

    assert isinstance(reader.read(word, LEADING), Question)
    assert reader.read(word if answer == "same" else answer, LEADING) == command


@pytest.mark.parametrize("answer", ["no", "n", "decline"])
def test_a_no_keeps_the_game(answer):
    reader = CommandReader(confirm=True)
    reader.read("resign", LEADING)

    assert reader.read(answer, LEADING) == Problem("Nothing was done; the game goes on.")
    assert isinstance(reader.read("resign", LEADING), Question)


@pytest.mark.parametrize("between", ["9c", "", "hand", "/wait", "nonsense", "leave"])
def test_any_other_line_withdraws_the_question(between):
    reader = CommandReader(confirm=True)
    reader.read("resign", LEADING)

    reader.read(between, LEADING)

    assert reader.read("yes", LEADING) != Resign()
    assert isinstance(reader.read("resign", LEADING), Question)


def test_a_move_in_answer_to_the_question_is_played():
    reader = CommandReader(confirm=True)
    reader.read("resign", LEADING)

    assert reader.read("9c", LEADING) == Play(Attack(NINE_C))


def test_an_empty_line_never_confirms():
    reader = CommandReader(confirm=True)
    reader.read("resign", LEADING)

    assert isinstance(reader.read("", LEADING), Problem)


def test_leaving_asks_nothing_outside_a_running_game():
    over = replace(LEADING, state=replace(LEADING.state, phase=Phase.OVER))

    assert CommandReader(confirm=True).read("leave", None) == Leave()
    assert CommandReader(confirm=True).read("leave", over) == Leave()


def test_programs_are_not_asked_back():
    reader = CommandReader(confirm=False)

    assert reader.read("resign", LEADING) == Resign()
    assert reader.read("leave", LEADING) == Leave()
