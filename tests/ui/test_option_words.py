"""What a game is played by, in sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.rules.options import CLASSIC, NAMED, OPTION_NAMES, option_pairs, set_option
from p2pdurak.ui.option_words import offered_sentences, rule_sentences

OTHER_VALUES = [
    ("first_attacker", "host"),
    ("first_attacker", "coin"),
    ("trumpless", "host"),
    ("rematch_first", "alternate"),
    ("after_draw", "other"),
    ("first_bout_limit", "5"),
    ("pile_on", "off"),
    ("move_timer", "0"),
    ("move_timer", "60"),
    ("open", "off"),
]


def test_the_classic_rules_need_one_sentence():
    assert rule_sentences(CLASSIC) == ("The classic rules: 25 s a move.",)


def test_what_differs_is_told_a_sentence_each():
    assert rule_sentences(replace(NAMED["club"], pile_on=False)) == (
        "The classic rules, 25 s a move, but:",
        "In a rematch the other player attacks first (classic: the winner does).",
        "The attacker may not pile on once the defender takes (classic: he may).",
    )


def test_another_clock_is_told_where_it_differs():
    assert rule_sentences(set_option(CLASSIC, "move_timer", "60")) == (
        "The classic rules, but:",
        "The clock gives 60 s a move (classic: 25 s a move).",
    )


@pytest.mark.parametrize(("name", "value"), OTHER_VALUES)
def test_every_value_has_a_sentence_that_names_no_option(name: str, value: str) -> None:
    _, sentence = rule_sentences(set_option(CLASSIC, name, value))
    assert sentence.endswith(".")
    assert "(classic: " in sentence
    assert not any(option in sentence.split() for option in OPTION_NAMES if "_" in option)


def test_every_option_has_other_values_here():
    assert {name for name, _ in OTHER_VALUES} == set(OPTION_NAMES)


def test_an_option_that_we_do_not_know_is_told_as_it_came():
    assert offered_sentences((*option_pairs(CLASSIC), ("jokers", "2\x1b[2J")))[1] == "jokers: 2[2J."
