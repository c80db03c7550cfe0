"""Keys by their place on the keyboard."""

from __future__ import annotations

import string

import pytest

from p2pdurak.ui.live.keys import latin


@pytest.mark.parametrize("char", [*string.ascii_lowercase, *string.digits, *"/?[]-+="])
def test_what_is_latin_already_is_kept(char):
    assert latin(char) == char


def test_letters_are_folded_to_lower_case():
    assert latin("Q") == "q"
    assert latin("Й") == "q"


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("йцукенгшщзхъфывапролдячсмить", "qwertyuiop[]asdfghjklzxcvbnm"),
        ("іїІЇ", "s]s]"),
        ("ضصثقفغعهخحجد", "qwertyuiop[]"),
        ("شسيبلاتنم", "asdfghjkl"),
        ("ئءؤرىة", "zxcvnm"),
        ("٠١٢٣٤٥٦٧٨٩", "0123456789"),
        ("۰۱۲۳۴۵۶۷۸۹", "0123456789"),
    ],
)
def test_letters_and_digits_of_other_layouts_are_keys_by_their_place(typed, keys):
    assert "".join(map(latin, typed)) == keys


@pytest.mark.parametrize(("typed", "key"), [(".", "/"), (",", "?"), ("ظ", "/"), ("؟", "?")])
def test_the_slash_key_opens_chat_and_help_under_other_layouts_too(typed, key):
    assert latin(typed) == key


@pytest.mark.parametrize("char", ["ß", "İ", "你", "♥", "é"])
def test_a_character_of_no_known_layout_stays_one_character(char):
    assert len(latin(char)) == 1
