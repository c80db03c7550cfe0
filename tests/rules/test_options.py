from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.rules.options import (
    CLASSIC,
    NAMED,
    OPTION_NAMES,
    AfterDraw,
    FirstAttacker,
    Options,
    RematchFirst,
    Trumpless,
    allowed_values,
    differences,
    format_options,
    option_pairs,
    parse_options,
    set_option,
)

options = st.builds(
    Options,
    st.sampled_from(FirstAttacker),
    st.sampled_from(Trumpless),
    st.sampled_from(RematchFirst),
    st.sampled_from(AfterDraw),
    st.sampled_from([5, 6]),
    st.booleans(),
    st.just(0) | st.integers(5, 86_400),
    st.booleans(),
)

CLASSIC_TEXT = (
    "first_attacker=lowest_trump\ntrumpless=lowest_card\nrematch_first=winner\nafter_draw=same\n"
    "first_bout_limit=6\npile_on=on\nmove_timer=25\nopen=on"
)


def test_the_canonical_text_of_the_defaults_is_fixed():
    assert format_options(CLASSIC) == CLASSIC_TEXT


def test_every_field_of_the_options_is_listed_in_its_order():
    assert tuple(field.name for field in fields(Options)) == OPTION_NAMES


@given(options)
def test_reading_is_the_inverse_of_writing(value):
    assert parse_options(format_options(value)) == value


@given(options)
def test_setting_each_option_from_its_text_rebuilds_the_options(value):
    built = NAMED["table"]
    for name, text in option_pairs(value):
        built = set_option(built, name, text)
    assert built == value


@given(options, options)
def test_two_sets_differ_exactly_where_their_texts_do(mine, theirs):
    found = differences(mine, theirs)
    assert (not found) == (mine == theirs)
    for name, my_value, their_value in found:
        assert set_option(mine, name, my_value) == mine
        assert set_option(theirs, name, their_value) == theirs
        assert my_value != their_value


def test_the_named_sets_are_those_of_the_rule_page():
    assert list(NAMED) == ["classic", "table", "club"]
    assert differences(CLASSIC, NAMED["classic"]) == ()
    assert differences(CLASSIC, NAMED["table"]) == (
        ("trumpless", "lowest_card", "host"),
        ("after_draw", "same", "other"),
        ("move_timer", "25", "0"),
    )
    assert differences(CLASSIC, NAMED["club"]) == (("rematch_first", "winner", "alternate"),)


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("first_attacker", "guest", "lowest_trump, host or coin"),
        ("first_attacker", "LOWEST_TRUMP", "lowest_trump, host or coin"),
        ("trumpless", "coin", "lowest_card or host"),
        ("rematch_first", "loser", "winner or alternate"),
        ("after_draw", "", "same or other"),
        ("first_bout_limit", "7", "6 or 5"),
        ("first_bout_limit", "06", "6 or 5"),
        ("pile_on", "yes", "on or off"),
        ("open", "True", "on or off"),
        ("move_timer", "4", "0 for no clock, or 5 to 86400 seconds"),
        ("move_timer", "-5", "0 for no clock"),
        ("move_timer", "+5", "0 for no clock"),
        ("move_timer", "025", "0 for no clock"),
        ("move_timer", "25 ", "0 for no clock"),
        ("move_timer", "2_5", "0 for no clock"),
        ("move_timer", "٢٥", "0 for no clock"),
        ("move_timer", "86401", "0 for no clock"),
        ("move_timer", "9" * 5000, "0 for no clock"),
        ("move_timer", "", "0 for no clock"),
    ],
)
def test_a_value_out_of_range_is_refused_with_those_allowed(name, text, allowed):
    with pytest.raises(ValueError, match=f"the option {name} cannot be .*; it is {allowed}"):
        set_option(CLASSIC, name, text)


def test_an_unknown_option_is_refused_with_the_names_there_are():
    with pytest.raises(ValueError, match="there is no option 'deck'; the options are first_attacker, trumpless"):
        set_option(CLASSIC, "deck", "52")
    with pytest.raises(ValueError, match="there is no option"):
        allowed_values("passing")


@pytest.mark.parametrize(
    "text",
    [
        "",
        CLASSIC_TEXT + "\n",
        "\n" + CLASSIC_TEXT,
        CLASSIC_TEXT + "\nopen=on",
        CLASSIC_TEXT.replace("pile_on=on\n", ""),
        CLASSIC_TEXT.replace("\n", "\r\n"),
        CLASSIC_TEXT.replace("move_timer=25\nopen=on", "open=on\nmove_timer=25"),
        CLASSIC_TEXT.replace("=", " = "),
        CLASSIC_TEXT.replace("25", "025"),
        CLASSIC_TEXT.replace("open=on", "open"),
        CLASSIC_TEXT + "\ndeck=36",
    ],
)
def test_a_text_that_is_not_canonical_is_refused(text):
    with pytest.raises(ValueError, match="option"):
        parse_options(text)


def test_a_missing_option_is_not_filled_in_by_its_default():
    lines = CLASSIC_TEXT.split("\n")
    for missing in range(len(lines)):
        with pytest.raises(ValueError, match="listed once each"):
            parse_options("\n".join(lines[:missing] + lines[missing + 1 :]))


def test_options_are_values_that_can_be_compared():
    assert replace(CLASSIC, pile_on=False) == Options(pile_on=False) != CLASSIC
