"""The pages tell the truth: what they show can be run, and what they name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def pages() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("protocol/*.md")])


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8"))

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_session_of_the_architecture_page_plays_a_whole_game(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    code = page.split("```python\n")[1].split("```")[0]

    exec(compile(code, "docs/architecture.md", "exec"), {})

    assert "End.CARDS" in capsys.readouterr().out


@pytest.mark.parametrize("package", ["p2pdurak", "p2pdurak/table", "protocol/fairdeck"])
def test_the_architecture_page_names_every_module(package: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    names = {path.stem for path in (ROOT / package).iterdir() if path.suffix == ".py" or path.is_dir()}
    names -= {"__init__", "__main__", "__pycache__"}

    assert {name for name in names if f"`{name}`" not in page and f"`{name}/`" not in page} == set()
