"""Join codes: the word list, the form of a code, and what a player reads about a mistyped one."""

from __future__ import annotations

import random
import re

import pytest

from p2pdurak.codes import (
    EXAMPLE,
    MENDED_MAX,
    NAMEPLATE_LETTERS,
    CodeError,
    JoinCode,
    new_code,
    parse_code,
    safety_words,
    suggest,
    words,
)

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

CODE = JoinCode("k7q2m", ("otter", "kiosk", "lamp"))


def one_edit_away(word: str) -> set[str]:
    """Every string that one slip makes of a word: a letter lost, added, changed, or swapped with its neighbour."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    lost = {a + b[1:] for a, b in cuts if b}
    added = {a + letter + b for a, b in cuts for letter in letters}
    changed = {a + letter + b[1:] for a, b in cuts if b for letter in letters}
    swapped = {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
    return (lost | added | changed | swapped) - {word}


def refusal(text: str) -> str:
    """What a player reads about this code; nothing if it is taken."""
    try:
        parse_code(text)
    except CodeError as error:
        return str(error)
    return ""


def offers(text: str) -> tuple[str, ...]:
    """The codes that are offered in place of this one."""
    try:
        parse_code(text)
    except CodeError as error:
        return error.mended
    return ()


codes = st.builds(
    JoinCode,
    st.text(NAMEPLATE_LETTERS, min_size=5, max_size=5),
    st.tuples(*[st.sampled_from(words())] * 3),
    st.sampled_from([None, "192.168.1.20:1883", "emqx", "[fe80::1]:1883", "mqtts://mira:pw@broker.example:8883"]),
)


# The list


def test_list_has_exactly_eleven_bits_of_words() -> None:
    assert len(words()) == len(set(words())) == 2048


def test_words_have_four_to_seven_lower_case_letters() -> None:
    assert [word for word in words() if not re.fullmatch("[a-z]{4,7}", word)] == []


def test_list_is_sorted() -> None:
    assert list(words()) == sorted(words())


def test_no_two_words_begin_with_the_same_four_letters() -> None:
    assert len({word[:4] for word in words()}) == 2048


def test_one_slip_never_makes_another_word() -> None:
    known = set(words())
    assert {word: known & one_edit_away(word) for word in words() if known & one_edit_away(word)} == {}


def test_no_word_is_read_over_the_phone_as_a_letter_or_a_digit() -> None:
    spoken = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec"
    spoken += " romeo sierra tango uniform victor whiskey yankee zulu zero three four five seven eight nine dash hyphen"
    assert set(words()) & set(spoken.split()) == set()


# Making


def test_new_code_is_drawn_from_the_given_randomness() -> None:
    assert new_code(random.Random(1).randbytes) == new_code(random.Random(1).randbytes)
    assert new_code(random.Random(1).randbytes) != new_code(random.Random(2).randbytes)


def test_all_bits_zero_and_all_bits_one_are_the_ends_of_alphabet_and_list() -> None:
    assert str(new_code(bytes)) == "00000-abacus-abacus-abacus"
    assert str(new_code(lambda count: b"\xff" * count)) == "zzzzz-zoom-zoom-zoom"


def test_each_random_bit_changes_the_code() -> None:
    def with_bit(bit: int) -> str:
        """Make a code of zeros in 25 + 33 bits but for one."""
        draws = iter([1 << bit & (1 << 25) - 1, 1 << bit >> 25])
        return str(new_code(lambda count: next(draws).to_bytes(count, "big")))

    assert len({with_bit(bit) for bit in range(58)}) == 58


def test_code_is_written_with_its_address() -> None:
    assert str(CODE) == "k7q2m-otter-kiosk-lamp" == EXAMPLE
    assert str(JoinCode(*("k7q2m", CODE.words), "emqx")) == "k7q2m-otter-kiosk-lamp@emqx"
    assert new_code(random.Random(1).randbytes, "host:1883").address == "host:1883"


def test_words_do_not_show_in_a_repr() -> None:
    assert "otter" not in repr(CODE)


# Reading


@given(codes)
def test_every_code_is_read_back_as_it_was_written(code: JoinCode) -> None:
    assert parse_code(str(code)) == code


@pytest.mark.parametrize(
    "typed",
    [
        "K7Q2M-OTTER-KIOSK-LAMP",
        "  k7q2m otter  kiosk\tlamp\n",
        "k7q2m—otter – kiosk‑lamp",
        "`k7q2m_otter_kiosk_lamp`",
        "k7q2m-otte-kios-lamp",
        "k7q2m-OTTE-kiosk-lamp",
        "ｋ７ｑ２ｍ-otter-kiosk-lamp",
    ],
)
def test_case_spaces_dashes_and_short_words_do_not_matter(typed: str) -> None:
    assert parse_code(typed) == CODE


@pytest.mark.parametrize(("typed", "meant"), [("O1lLi", "01111"), ("oIuUv", "01vvv"), ("KO0i1", "k0011")])
def test_look_alike_letters_of_the_nameplate_are_mapped(typed: str, meant: str) -> None:
    assert parse_code(f"{typed}-otter-kiosk-lamp").nameplate == meant


def test_secret_is_the_same_however_the_words_were_typed() -> None:
    assert parse_code("K7Q2M OTTE KIOS LAMP").secret == CODE.secret == b"otter-kiosk-lamp"


@pytest.mark.parametrize(
    "address", ["host:1883", "emqx", "[::1]:1883", "mqtts://broker.example:8883", "mqtt://mira:s3@cret@Host:1"]
)
def test_address_is_kept_as_it_was_typed(address: str) -> None:
    assert parse_code(f"{CODE}@{address}").address == address
    assert parse_code(f"{CODE} @ {address} ").address == address


@pytest.mark.parametrize(
    "line",
    [
        "p2pdurak join k7q2m-otter-kiosk-lamp@192.168.1.20:1883",
        "./scripts/p2pdurak join k7q2m-otter-kiosk-lamp@192.168.1.20:1883\n",
        "  '/opt/my games/p2pdurak'   JOIN  'k7q2m-otter-kiosk-lamp@192.168.1.20:1883'",
        "mira@home:~$ p2pdurak join k7q2m-otter-kiosk-lamp@192.168.1.20:1883 --plain --name mira",
        "join k7q2m otter kiosk lamp @ 192.168.1.20:1883",
        "`p2pdurak join k7q2m-otter-kiosk-lamp@192.168.1.20:1883`",
        "'k7q2m-otter-kiosk-lamp@192.168.1.20:1883'",
    ],
)
def test_code_is_found_in_the_whole_line_that_a_friend_was_to_type(line: str) -> None:
    assert parse_code(line) == JoinCode("k7q2m", CODE.words, "192.168.1.20:1883")


def test_no_word_of_a_code_can_be_mistaken_for_the_command_join() -> None:
    assert "join" not in words()


# Refusing


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "No code was given"),
        (" - ", "No code was given"),
        ("@host:1883", "No code was given"),
        ("k7q2m", "lacks its three words"),
        ("k7q2m@host:1883", "lacks its three words"),
        ("k7q2m-otter", "has 1 of its three words"),
        ("k7q2m-otter-kiosk", "has 2 of its three words"),
        ("k7q2m-otter-kiosk-lamp-lamp", "has 4 words instead of three"),
        ("otter-kiosk-lamp", "The first part of this code is missing"),
        ("k7q2-otter-kiosk-lamp", "begins with five letters or digits"),
        ("k7q2mm-otter-kiosk-lamp", "begins with five letters or digits"),
        ("k7q2é-otter-kiosk-lamp", "begins with five letters or digits"),
        ("k7q2m-otter-kiosk-qqqqqq", "'qqqqqq' is not a word of any code"),
        ("k7q2m-ott-kiosk-lamp", "'ott' is not a word of any code"),
        ("k7q2m-otter-kiosk-lamp@", "it is empty"),
        ("k7q2m-otter-kiosk-lamp@ho st", "cannot be an address"),
        ("k7q2m-otter-kiosk-lamp@ho\x1b[31mst", "cannot be an address"),
        ("k7q2m-otter-kiosk-lamp@" + "a" * 301, "cannot be an address"),
    ],
)
def test_wrong_code_is_refused_with_what_is_wrong(typed: str, told: str) -> None:
    with pytest.raises(CodeError, match=re.escape(told)):
        parse_code(typed)


@pytest.mark.parametrize("typed", ["ottre", "oter", "ottter", "ottar", "otters", "otte1"])
def test_mistyped_word_is_named_with_the_word_that_was_meant(typed: str) -> None:
    with pytest.raises(CodeError, match=f"'{typed}' is not a word of any code. Did you mean otter"):
        parse_code(f"k7q2m-{typed}-kiosk-lamp")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("k7q2m-ottre-kiosk-lamp", "k7q2m-otter-kiosk-lamp"),
        ("K7Q2M otter kiosq lanp", "k7q2m-otter-kiosk-lamp"),
        ("k7q2m-otte-kios-lampp", "k7q2m-otter-kiosk-lamp"),
        ("p2pdurak join k7q2m-ottre-kiosk-lamp@emqx", "k7q2m-otter-kiosk-lamp@emqx"),
    ],
)
def test_code_with_wrong_words_is_mended_where_each_has_a_near_one(typed: str, meant: str) -> None:
    assert offers(typed) == (meant,)
    assert str(parse_code(meant)) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "k7q2m-ottre-kiosk-qqqqqq",
        "k7q2-ottre-kiosk-lamp",
        "k7q2m-ottre-kiosk",
        "k7q2m-ottre-kiosk-lamp@",
        "otter-kiosk-lamp",
        "",
    ],
)
def test_nothing_else_about_a_code_is_mended(typed: str) -> None:
    assert refusal(typed)
    assert offers(typed) == ()


@given(codes, st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8), min_size=3, max_size=3))
def test_what_is_offered_can_be_taken_and_leads_to_the_same_place(code: JoinCode, typed: list[str]) -> None:
    text = str(JoinCode(code.nameplate, (typed[0], typed[1], typed[2]), code.address))
    for taken in map(parse_code, offers(text)):
        assert (taken.nameplate, taken.address) == (code.nameplate, code.address)


def test_word_that_is_near_two_others_gives_both_codes_the_likeliest_first() -> None:
    assert offers("k7q2m-otter-songe-lamp@emqx") == ("k7q2m-otter-song-lamp@emqx", "k7q2m-otter-sponge-lamp@emqx")


def test_more_codes_than_anybody_would_look_through_are_not_offered() -> None:
    assert len(offers("k7q2m-songe-songe-lamp")) == MENDED_MAX
    assert offers("k7q2m-songe-songe-songe") == ()


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_printable_sentence(text: str) -> None:
    assert refusal(text).isprintable()
    assert len(refusal(text)) < 200


# Near words


def test_word_is_found_after_a_slip_behind_its_first_letter() -> None:
    rng = random.Random(7)
    slips = [(word[0] + rng.choice(sorted(one_edit_away(word[1:]))), word) for word in rng.sample(words(), 60)]
    assert [(slip, word) for slip, word in slips if word not in suggest(slip)] == []


def test_two_slips_are_forgiven_in_a_long_word_only() -> None:
    assert suggest("lamtrrn") == ("lantern",)
    assert "lamp" not in suggest("lqqp")


def test_longer_word_with_the_same_beginning_is_suggested() -> None:
    assert suggest("lanternfish") == ("lantern",)


def test_three_letters_suggest_what_begins_with_them() -> None:
    assert suggest("zebulon") == ("zebra",)


def test_nothing_is_suggested_for_nonsense() -> None:
    assert suggest("qqqqqq") == ()


def test_at_most_three_words_are_suggested() -> None:
    assert max(len(suggest(word[:3])) for word in words()[::100]) <= 3


# Safety words


def test_safety_words_are_two_words_for_22_bits() -> None:
    assert safety_words(0) == "abacus-abacus"
    assert safety_words((1 << 22) - 1) == "zoom-zoom"
    copper, lamp = words().index("copper"), words().index("lamp")
    assert safety_words(copper << 11 | lamp) == "copper-lamp"


@pytest.mark.parametrize("bits", [-1, 1 << 22])
def test_safety_words_of_another_size_are_refused(bits: int) -> None:
    with pytest.raises(ValueError, match="22 bits"):
        safety_words(bits)
