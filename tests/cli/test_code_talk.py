"""Asking for a code: what is said about a mistyped one, what Enter takes, and when nobody answers."""

from __future__ import annotations

import pytest

from p2pdurak.cli.code_talk import EMPTY, QUESTION, NoCodeError, ask_code
from p2pdurak.codes import EXAMPLE, parse_code
from tests.cli.scripted import Person


def talk(person: Person, given: str = "") -> str:
    return str(ask_code(given, person.ask, person.say))


def test_right_code_that_was_given_is_taken_without_a_word() -> None:
    person = Person([])
    assert talk(person, EXAMPLE) == EXAMPLE
    assert (person.asked, person.heard) == ([], [])


def test_without_a_code_one_is_asked_for() -> None:
    person = Person([EXAMPLE])
    assert talk(person) == EXAMPLE
    assert (person.asked, person.heard) == ([QUESTION], [])


def test_whole_line_that_was_pasted_is_taken() -> None:
    assert talk(Person([f"./scripts/p2pdurak join {EXAMPLE}@emqx"])) == f"{EXAMPLE}@emqx"


def test_empty_answer_asks_again() -> None:
    person = Person(["", "  ", EXAMPLE])
    assert talk(person) == EXAMPLE
    assert person.heard == [EMPTY, EMPTY]


def test_mistyped_word_is_named_and_enter_takes_the_mended_code() -> None:
    person = Person([""])
    assert talk(person, "k7q2m-ottre-kiosk-lamp") == EXAMPLE
    wrong, offer = person.heard
    assert wrong.startswith("'ottre' is not a word of any code. Did you mean otter")
    assert offer == f"Enter takes {EXAMPLE}, or type the code again."


def test_mended_code_need_not_be_taken() -> None:
    other = "k7q2m-abacus-kiosk-lamp"
    assert talk(Person([other]), "k7q2m-ottre-kiosk-lamp") == other


def test_enter_takes_only_what_was_offered_last() -> None:
    person = Person(["k7q2m-ottre-kiosk", "", EXAMPLE])
    assert talk(person, "k7q2m-ottre-kiosk-lamp") == EXAMPLE
    assert person.heard[-1] == EMPTY


def test_question_comes_again_until_the_code_is_right() -> None:
    person = Person(["k7q2m", "otter-kiosk-lamp", "k7q2m-otter-kiosk-qqqqqq", EXAMPLE])
    assert talk(person) == EXAMPLE
    assert len(person.heard) == 3


@pytest.mark.parametrize("given", ["", "k7q2m-ottre-kiosk-lamp"])
def test_closed_terminal_ends_the_talk(given: str) -> None:
    with pytest.raises(NoCodeError):
        talk(Person([]), given)


def test_wrong_words_are_told_by_their_spelling_and_no_try_is_spent_on_them() -> None:
    person = Person([EXAMPLE])
    assert talk(person, "k7q2m otter kiosk zzzzzz") == str(parse_code(EXAMPLE))
    assert person.heard == ["'zzzzzz' is not a word of any code. Please check it with your friend."]


CHOICE = ["  1  k7q2m-otter-song-lamp", "  2  k7q2m-otter-sponge-lamp"]
WHICH = "Type 1 or 2 to take that code, or type the code again."


@pytest.mark.parametrize("answer", ["2", "sponge", "Sponge", "k7q2m-otter-sponge-lamp"])
def test_code_with_two_near_words_is_chosen_by_number_or_by_word(answer: str) -> None:
    person = Person([answer])
    assert talk(person, "k7q2m-otter-songe-lamp") == "k7q2m-otter-sponge-lamp"
    assert person.heard[1:] == [*CHOICE, WHICH]


def test_enter_takes_neither_of_two_codes() -> None:
    person = Person(["", "1"])
    assert talk(person, "k7q2m-otter-songe-lamp") == "k7q2m-otter-song-lamp"
    assert person.heard[1:] == [*CHOICE, WHICH, WHICH]


@pytest.mark.parametrize("answer", ["3", "lamp", "spong"])
def test_answer_that_names_neither_of_two_codes_is_read_as_a_code(answer: str) -> None:
    person = Person([answer, EXAMPLE])
    assert talk(person, "k7q2m-otter-songe-lamp") == EXAMPLE
