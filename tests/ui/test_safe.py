"""Text from strangers: every code point there is, and lines to a stream that may go away."""

from __future__ import annotations

import io
import sys
import unicodedata

import pytest
from wcwidth import wcswidth, wcwidth

from p2pdurak.safe_text import CHAT_CELLS_MAX, NAME_CELLS_MAX, NAMELESS, clean, clean_chat, clean_name
from p2pdurak.ui.line_out import LineOut

EVERY_CHARACTER = [chr(number) for number in range(sys.maxunicode + 1)]
BAD_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
INVISIBLE = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5"


JOINED_BY_SOME = "\u20e3" + "".join(map(chr, (*range(0x1F1E6, 0x1F200), *range(0x1F3FB, 0x1F400))))
"""Keycaps, flags and tones of skin: one picture with what stands before them here, two there."""


def is_bad(char: str) -> bool:
    return char in INVISIBLE + JOINED_BY_SOME or unicodedata.category(char) in BAD_CATEGORIES


def test_no_forbidden_code_point_survives_after_a_letter():
    everything = "".join("a" + char for char in EVERY_CHARACTER)

    shown = set(clean(everything, len(everything) * 2))

    assert sorted(char for char in shown if is_bad(char)) == []


def test_every_forbidden_code_point_alone_leaves_nothing():
    left = [char for char in EVERY_CHARACTER if is_bad(char) and clean(char, 9) != ""]

    assert left == []


def test_every_other_code_point_stays_alone_unless_it_is_a_mark_and_stays_stable():
    for char in EVERY_CHARACTER:
        if is_bad(char) or "VARIATION SELECTOR" in unicodedata.name(char, ""):
            continue
        shown = clean(char, 9)
        is_mark = unicodedata.category(char)[0] == "M" or wcwidth(char) == 0
        if is_mark:
            assert shown == "" or not unicodedata.combining(shown[0]), hex(ord(char))
        else:
            assert shown == unicodedata.normalize("NFC", char), hex(ord(char))
        after_a_letter = clean("a" + char, 9)
        assert clean(after_a_letter, 9) == after_a_letter, hex(ord(char))
        assert wcswidth(after_a_letter) <= 9, hex(ord(char))


def test_escape_sequences_lose_their_escape():
    assert clean("\x1b]52;c;aGk=\x07mira\x9b2J", 24) == "]52;c;aGk=mira2J"


def test_bidi_overrides_are_dropped():
    assert clean("a\u202eb\u2066c\u2069", 24) == "abc"


def test_lone_surrogates_are_dropped():
    assert clean("a\ud800b\udfff", 24) == "ab"


def test_line_breaks_of_every_kind_are_dropped():
    assert clean("a\nb\rc\x85d\u2028e\u2029f\vg\fh", 24) == "abcdefgh"


def test_letters_and_marks_are_composed():
    assert clean("e\u0302\u0301", 24) == "\u1ebf"


def test_at_most_two_marks_stay_on_a_base():
    assert clean("q" + "\u0323\u0301\u0302\u0303", 24) == "q\u0323\u0301"


def test_marks_of_the_next_base_are_counted_anew():
    assert clean("q\u0301\u0302\u0303x\u0301\u0302\u0303", 24) == "q\u0301\u0302x\u0301\u0302"


def test_a_mark_without_a_base_is_dropped():
    assert clean("\u0301\u0488mira", 24) == "mira"


def test_zero_width_letters_cannot_pile_up():
    assert len(clean("\u1100" + "\u11f0" * 50, 24)) <= 3


def test_text_is_cut_by_cells_and_not_by_characters():
    assert clean("字" * 30, 24) == "字" * 12


def test_a_wide_character_is_never_cut_in_half():
    assert clean("a" + "字" * 30, 24) == "a" + "字" * 11


def test_marks_of_the_last_character_that_fits_stay():
    assert clean("ab\u0323cd", 2) == "a\u1e05"


def test_a_cut_never_leaves_a_later_short_character():
    assert clean("a字b", 2) == "a"


def test_ascii_is_cut_too():
    assert clean("a" * 30, 24) == "a" * 24


def test_a_name_has_at_most_24_cells_and_single_spaces():
    assert clean_name("  mira \u3000 the\u00a0\u200b great  ") == "mira the great"
    assert clean_name("m" * 25) == "m" * NAME_CELLS_MAX


@pytest.mark.parametrize("text", ["", "   ", "\u3164\u3164", "\x1b\x00", "\u0301"])
def test_a_name_of_nothing_visible_gets_a_stand_in(text):
    assert clean_name(text) == NAMELESS


def test_chat_has_at_most_200_cells():
    assert clean_chat(" good luck \n") == "good luck"
    assert clean_chat("x" * 300) == "x" * CHAT_CELLS_MAX


def test_any_text_cleans_to_short_stable_safe_text():
    hypothesis = pytest.importorskip("hypothesis")
    marks = hypothesis.strategies.sampled_from("\u0301\u0323\u0903\u1160\u11a8\u1100\uac00e字\u093f")
    texts = hypothesis.strategies.text(hypothesis.strategies.characters() | marks, max_size=40)

    @hypothesis.given(texts, hypothesis.strategies.integers(0, 30))
    def holds(text: str, cells: int) -> None:
        shown = clean(text, cells)
        assert not any(is_bad(char) for char in shown)
        assert wcswidth(shown) <= cells
        assert unicodedata.is_normalized("NFC", shown)
        assert clean(shown, cells) == shown

    holds()


class ClosedPipe(io.StringIO):
    """A stream whose reader has gone."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = 0

    def write(self, text: str) -> int:
        self.writes += 1
        raise BrokenPipeError


def test_a_closed_pipe_is_remembered_and_left_alone():
    pipe = ClosedPipe()
    out = LineOut(pipe)

    out.write("one")
    out.write("two")

    assert out.closed
    assert pipe.writes == 1


def test_a_pipe_that_closes_at_the_flush_is_noticed():
    class Flushes(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError

    out = LineOut(Flushes())
    out.write("one")

    assert out.closed


def test_a_stream_that_we_closed_is_noticed():
    stream = io.StringIO()
    stream.close()
    out = LineOut(stream)

    out.write("one")

    assert out.closed


def test_characters_that_a_stream_cannot_take_become_question_marks():
    raw = io.BytesIO()
    out = LineOut(io.TextIOWrapper(raw, encoding="latin-1"))

    out.write("zoë 字: ok")

    assert raw.getvalue().decode("latin-1").splitlines() == ["zoë ?: ok"]
    assert not out.closed
