"""docs/attacks.md says what the zoo does, names sections that exist, and tests that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.zoo.elsewhere import ELSEWHERE
from tests.zoo.families import FAMILIES
from tests.zoo.page import page

ROOT = Path(__file__).parents[2]


@cache
def names_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_page_is_the_one_that_the_zoo_writes() -> None:
    written = (ROOT / "docs" / "attacks.md").read_text("utf-8")
    assert written == page(), "python -m tests.zoo.page > docs/attacks.md"


@pytest.mark.parametrize("test", [row.test for rows in ELSEWHERE.values() for row in rows])
def test_named_test_exists(test: str) -> None:
    path, name = test.split("::")
    assert name in names_in(path)


def test_every_section_is_one_of_the_specification() -> None:
    headings = set(re.findall(r"^#+ (.+)$", (ROOT / "protocol" / "SPEC.md").read_text("utf-8"), re.MULTILINE))
    named = {animal.section for family in FAMILIES for animal in family.members}
    named |= {row.section for rows in ELSEWHERE.values() for row in rows}
    assert named - headings == set()


def test_zoo_holds_no_fewer_animals_than_are_told() -> None:
    assert sum(len(family.members) for family in FAMILIES) >= 180
