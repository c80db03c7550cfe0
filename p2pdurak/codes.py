"""Join codes: made, written, read back from what a player typed, and the word list behind them.

It owns the form of a code and the sentences about a mistyped one. It does not know who waits behind a code, nor what
an address means: that part is kept as it was typed.

    k7q2m-otter-kiosk-lamp@192.168.1.20:1883
    nameplate  three words  address, if the friend needs one

The nameplate (25 bits) is public: it alone names the place where two programs meet. The words (33 bits) are the
secret, and nothing that anybody else can see is ever computed from them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import product
from math import prod
from typing import Final

NAMEPLATE_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Base 32 without `i l o u`, which are read as 1, 1, 0 and v."""

NAMEPLATE_CHARS: Final = 5
WORDS_PER_CODE: Final = 3
WORD_BITS: Final = 11
EXAMPLE: Final = "k7q2m-otter-kiosk-lamp"

SUGGESTIONS_MAX: Final = 3

MENDED_MAX: Final = 4
"""A longer list of codes helps nobody: he types his own again."""

SHORT_CHARS_MAX: Final = 5
"""Up to here, a word that is two slips away has hardly anything in common any more."""

ADDRESS_CHARS_MAX: Final = 300
"""A host name has at most 255; scheme, user and port come on top."""

_LOOK_ALIKES: Final = str.maketrans("ilou", "110v")
_PREFIX_CHARS: Final = 4
_SEPARATORS: Final = re.compile(r"[\W_]+")
_SHOWN_CHARS_MAX: Final = 24


_JOIN_LINE: Final = re.compile(r"(?:\S.*\s)?join\s+(.*)", re.IGNORECASE | re.DOTALL)
"""No code has the word `join` in it: what stands before it is a program's name, and behind it may stand flags."""

_FLAGS: Final = re.compile(r"\s--[a-z].*", re.DOTALL)
_QUOTES: Final = "'\"`“”‘’"


class CodeError(ValueError):
    """A code cannot be used; the text says what is wrong with it, in words for the player who typed it.

    Attributes:
        mended: the codes that may have been meant, each wrong word replaced by a near one; the likeliest first.
    """

    def __init__(self, sentence: str, mended: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.mended = mended


@dataclass(frozen=True, slots=True)
class JoinCode:
    """What a guest needs to find a host and to prove that the host invited him.

    Attributes:
        nameplate: 5 characters of `NAMEPLATE_LETTERS`; public.
        words: three words of the list; secret, and therefore not in `repr`.
        address: what stood behind `@`, as typed: `host:port`, the name of a preset, or a URL; None without.
    """

    nameplate: str
    words: tuple[str, str, str] = field(repr=False)
    address: str | None = None

    def __str__(self) -> str:
        code = "-".join((self.nameplate, *self.words))
        return code if self.address is None else f"{code}@{self.address}"

    @property
    def secret(self) -> bytes:
        """The words as bytes, the same on both sides however they were typed."""
        return "-".join(self.words).encode("ascii")


def new_code(rng: Callable[[int], bytes], address: str | None = None) -> JoinCode:
    """Make a code of 25 + 33 random bits.

    Args:
        rng: gives that many random bytes.
        address: what the friend needs to reach the broker, or None if his own setting will do.
    """
    return JoinCode(_nameplate(_bits(rng, 25)), _words_of(_bits(rng, WORDS_PER_CODE * WORD_BITS)), address)


def parse_code(text: str) -> JoinCode:
    """Read a code that a person typed or pasted.

    Letter case does not matter, any spaces or dashes may separate the parts, four letters are enough for a word, and
    look-alike letters in the nameplate are mapped. The whole line `p2pdurak join CODE` is read too.

    Raises:
        CodeError: with a sentence that says which part is wrong, and near words for a wrong one.
    """
    body, at, address = _code_in(text).partition("@")
    parts = [part for part in _SEPARATORS.split(unicodedata.normalize("NFKC", body).lower()) if part]
    if not parts:
        raise CodeError(f"No code was given. A code looks like {EXAMPLE}.")
    if len(parts) == WORDS_PER_CODE and all(_find(part) for part in parts):
        raise CodeError(f"The first part of this code is missing: five characters, as in {EXAMPLE}.")
    nameplate = _read_nameplate(parts[0])
    if len(parts) != 1 + WORDS_PER_CODE:
        raise CodeError(_wrong_count(len(parts) - 1))
    where = _read_address(address) if at else None
    match [_find(part) for part in parts[1:]]:
        case [str(first), str(second), str(third)]:
            return JoinCode(nameplate, (first, second, third), where)
        case _:
            raise _wrong_words(nameplate, parts[1:], where)


def suggest(word: str) -> tuple[str, ...]:
    """Give up to three words of the list that somebody may have meant, the likeliest first."""
    word = word.lower()
    slips = 1 if len(word) <= SHORT_CHARS_MAX else 2
    near = [
        (distance, known[0] != word[:1], known)
        for known in words()
        if abs(len(known) - len(word)) <= slips and (distance := _distance(word, known)) <= slips
    ]
    found = [known for _, _, known in sorted(near)]
    for length in (_PREFIX_CHARS, _PREFIX_CHARS - 1):
        if not found and len(word) >= length:
            found = [known for known in words() if known.startswith(word[:length])]
    return tuple(found[:SUGGESTIONS_MAX])


def safety_words(bits: int) -> str:
    """Spell 22 bits as two words that both players can compare aloud, such as `copper-lamp`.

    Raises:
        ValueError: `bits` is negative or above 22 bits.
    """
    if not 0 <= bits < 1 << 2 * WORD_BITS:
        raise ValueError("Safety words spell exactly 22 bits.")
    return f"{words()[bits >> WORD_BITS]}-{words()[bits & (1 << WORD_BITS) - 1]}"


@lru_cache(maxsize=1)
def words() -> tuple[str, ...]:
    """The list: 2,048 words, sorted, no two with the same four letters at the start or within one slip of the pen."""
    return tuple(files("p2pdurak").joinpath("words.txt").read_text(encoding="ascii").split())


@lru_cache(maxsize=1)
def _by_prefix() -> dict[str, str]:
    return {word[:_PREFIX_CHARS]: word for word in words()}


def _bits(rng: Callable[[int], bytes], count: int) -> int:
    return int.from_bytes(rng((count + 7) // 8), "big") & (1 << count) - 1


def _nameplate(bits: int) -> str:
    shifts = range(5 * (NAMEPLATE_CHARS - 1), -1, -5)
    return "".join(NAMEPLATE_LETTERS[bits >> shift & 31] for shift in shifts)


def _words_of(bits: int) -> tuple[str, str, str]:
    mask = (1 << WORD_BITS) - 1
    return words()[bits >> 2 * WORD_BITS & mask], words()[bits >> WORD_BITS & mask], words()[bits & mask]


def _code_in(text: str) -> str:
    """Take a code out of the line that a friend was to type."""
    text = text.strip().strip(_QUOTES)
    line = _JOIN_LINE.fullmatch(text)
    return text if line is None else _FLAGS.sub("", line[1]).strip().strip(_QUOTES)


def _read_nameplate(part: str) -> str:
    nameplate = part.translate(_LOOK_ALIKES)
    if len(nameplate) != NAMEPLATE_CHARS or not set(nameplate) <= set(NAMEPLATE_LETTERS):
        raise CodeError(f"A code begins with five letters or digits, as in {EXAMPLE}; this one with '{_shown(part)}'.")
    return nameplate


def _wrong_count(given: int) -> str:
    if given == 0:
        return f"This code lacks its three words. A whole code looks like {EXAMPLE}."
    if given < WORDS_PER_CODE:
        return f"This code has {given} of its three words. A whole code looks like {EXAMPLE}."
    return f"This code has {given} words instead of three. A code looks like {EXAMPLE}."


def _wrong_words(nameplate: str, parts: list[str], address: str | None) -> CodeError:
    """Name the first wrong word, and mend all of them if each has words that are near."""
    wrong = next(part for part in parts if _find(part) is None)
    near = suggest(wrong)
    hint = f" Did you mean {' or '.join(near)}?" if near else " Please check it with your friend."
    sentence = f"'{_shown(wrong)}' is not a word of any code.{hint}"
    return CodeError(sentence, _mended(nameplate, parts, address))


def _mended(nameplate: str, parts: list[str], address: str | None) -> tuple[str, ...]:
    """Every code that near words give, unless there are too many to choose from."""
    near = [suggest(part) if (found := _find(part)) is None else (found,) for part in parts]
    if prod(map(len, near)) > MENDED_MAX:
        return ()
    return tuple(str(JoinCode(nameplate, (one, two, three), address)) for one, two, three in product(*near))


def _find(part: str) -> str | None:
    """Give the word that `part` is, or begins with at least four letters."""
    word = _by_prefix().get(part[:_PREFIX_CHARS])
    return word if word is not None and word.startswith(part) else None


def _read_address(text: str) -> str:
    address = text.strip()
    if not address:
        raise CodeError("After the @ of a code stands where to meet, such as 192.168.1.20:1883. Here it is empty.")
    if len(address) > ADDRESS_CHARS_MAX or not address.isprintable() or " " in address:
        raise CodeError("What stands after the @ of this code cannot be an address: it has spaces or is too long.")
    return address


def _shown(part: str) -> str:
    return part if len(part) <= _SHOWN_CHARS_MAX else part[:_SHOWN_CHARS_MAX] + "…"


def _distance(a: str, b: str) -> int:
    """Count the letters to insert, delete, replace, or swap with their neighbour, to turn one word into the other."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        earlier, before, row = before, row, [i]
        for j, other in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]
