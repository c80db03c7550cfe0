"""protocol/SPEC.md taken apart: headings, links, tables, examples.

It owns how the page is read; it judges nothing.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PROTOCOL: Final = ROOT / "protocol"
MODULES: Final = tuple(path for path in sorted((PROTOCOL / "fairdeck").glob("*.py")) if path.stem != "__init__")

Row = tuple[str, ...]


@cache
def spec() -> str:
    """The page."""
    return (PROTOCOL / "SPEC.md").read_text("utf-8")


def sources() -> str:
    """Every module that hashes or signs in the name of the protocol."""
    paths = [*MODULES, *(ROOT / "p2pdurak").rglob("*.py")]
    return "\n".join(path.read_text("utf-8") for path in paths)


def headings(page: str) -> dict[str, str]:
    """The titles of a page by the anchor that a link to them has."""
    prose = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-"): title for title in titles}


def section(title: str) -> str:
    """The text of a section, up to the next heading of its level or above."""
    marks, rest = re.split(rf"^(#+) {re.escape(title)}$", spec(), flags=re.MULTILINE)[1:3]
    return re.split(rf"^#{{1,{len(marks)}}} ", rest, flags=re.MULTILINE)[0]


def paragraph(start: str) -> str:
    """What stands behind the bold word that begins it, up to the next one."""
    return re.split(r"^\*\*", spec().split(f"**{start}**", 1)[1], flags=re.MULTILINE)[0]


def tables(text: str) -> list[list[Row]]:
    """Every table of a text, without its head; cells without the marks of code."""
    found: list[list[Row]] = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        lines = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in block.splitlines()]
        found.append(lines[2:])
    return found


def examples() -> dict[str, str]:
    """Name and hexadecimal digits of every line in a block of examples."""
    blocks = re.findall(r"^```example\n(.*?)^```", spec(), re.MULTILINE | re.DOTALL)
    lines = [line.rsplit(" = ", 1) for block in blocks for line in block.splitlines()]
    return dict(lines)


def annotated_bytes() -> bytes:
    """The record that is shown byte by byte."""
    (block,) = re.findall(r"^```bytes\n(.*?)^```", spec(), re.MULTILINE | re.DOTALL)
    return bytes.fromhex("".join(line.split("#")[0] for line in block.splitlines()))


def code(cell: str) -> list[str]:
    """What stands in marks of code in a cell."""
    return re.findall(r"`([^`]+)`", cell)
