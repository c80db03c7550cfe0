"""The page about threats names tests that exist, and the number of mutants that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.mutants.mutants import MUTANTS

TREE = Path(__file__).parents[2]
PAGE = (TREE / "docs" / "threat-model.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_named_test_exists(file: str, name: str) -> None:
    assert f"def {name}(" in (TREE / file).read_text(encoding="utf-8")


def test_page_names_what_holds_its_promises() -> None:
    assert len(NAMED) > 25


def test_number_of_mutants_is_that_of_the_list() -> None:
    assert f"{len(MUTANTS)} small changes" in PAGE
