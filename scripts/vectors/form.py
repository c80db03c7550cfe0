"""The form of a vector file, which is Wycheproof's: groups of tests, each with its inputs, its result and its flags.

It owns the dataclasses and their JSON; it knows no cryptography and no attack (those are explained in `flags`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from vectors.flags import NOTES

GENERATOR_VERSION: Final = "1"

COMMON: Final = (
    "Byte strings are hexadecimal digits; a scalar is 32 bytes, little-endian. A test has every field of its group",
    "that it does not name itself. Fields that only some tests have are values on the way, to find a mistake by.",
)

Value = Any
"""What stands under a name: bytes become hexadecimal digits, everything else is JSON already."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case: what it shows, the flags of the attack or slip it names, whether it holds, and its named values."""

    comment: str
    flags: tuple[str, ...]
    holds: bool
    values: Mapping[str, Value]


def valid(comment: str, *flags: str, **values: Value) -> Case:
    """A case that every reader must accept."""
    return Case(comment, flags, holds=True, values=values)


def invalid(comment: str, *flags: str, **values: Value) -> Case:
    """A case that every reader must refuse; it names at least one flag."""
    return Case(comment, flags, holds=False, values=values)


@dataclass(frozen=True, slots=True)
class Group:
    """Tests of one type, with the values that they share."""

    type: str
    tests: Sequence[Case]
    values: Mapping[str, Value] = field(default_factory=dict)


def sharing(kind: str, shared: Mapping[str, Value], cases: Iterable[Case]) -> Group:
    """A group whose tests leave out what they have in common with it."""
    tests = []
    for case in cases:
        own = {name: value for name, value in case.values.items() if shared.get(name) != value}
        tests.append(replace(case, values=own))
    return Group(kind, tests, shared)


@dataclass(frozen=True, slots=True)
class VectorFile:
    """One file: its title in SPEC.md, what its fields mean, and its groups."""

    name: str
    section: str
    header: Sequence[str]
    groups: Sequence[Group]

    def text(self) -> str:
        """The file as it is written."""
        flags = sorted({flag for group in self.groups for test in group.tests for flag in test.flags})
        content = {
            "algorithm": f"p2pdurak/1 {self.section}",
            "generatorVersion": GENERATOR_VERSION,
            "numberOfTests": sum(len(group.tests) for group in self.groups),
            "header": [*self.header, *COMMON],
            "notes": {flag: {"bugType": NOTES[flag][0], "description": NOTES[flag][1]} for flag in flags},
            "testGroups": self._groups(),
        }
        return json.dumps(_plain(content), indent=1, ensure_ascii=True) + "\n"

    def _groups(self) -> list[dict[str, Value]]:
        groups, number = [], 0
        for group in self.groups:
            tests = []
            for test in group.tests:
                number += 1
                head = {"tcId": number, "comment": test.comment}
                tests.append(head | dict(test.values) | _tail(test))
            groups.append({"type": group.type, **group.values, "tests": tests})
        return groups


def _tail(test: Case) -> dict[str, Value]:
    return {"result": "valid" if test.holds else "invalid", "flags": list(test.flags)}


def _plain(value: Value) -> Value:
    match value:
        case bytes():
            return value.hex()
        case dict():
            return {name: _plain(part) for name, part in value.items()}
        case list() | tuple():
            return [_plain(part) for part in value]
        case _:
            return value
