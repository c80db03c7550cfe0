"""The page of attacks, written from the zoo itself: `python -m tests.zoo.page` prints it.

It owns the form of docs/attacks.md; it knows no attack's inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairdeck.errors import Cheating, Desync, Malformed, Unexpected, Unsupported
from tests.zoo.cage import Animal
from tests.zoo.elsewhere import ELSEWHERE
from tests.zoo.families import FAMILIES

WHO: Final = {(0, 1): "either", (0,): "host", (1,): "guest"}

BLAMED: Final = {
    Cheating: "the cheater, by his signature",
    Desync: "the cheater, by the log",
    Malformed: "nobody",
    Unexpected: "nobody",
    Unsupported: "nobody",
}

HEAD: Final = """# Attacks

Every attack that this protocol must withstand, who tries it, what stops it, and who is blamed.
A section is one of [the specification](../protocol/SPEC.md).

The first tables are the zoo, `tests/zoo`: peers that deviate once from the protocol, each against an honest session, in
each seat that can try it. `tests/zoo/test_zoo.py` lets every one of them loose and asks:
the victim refuses for the right reason, in a sentence; the accused is the author, or nobody where nothing is proven;
the evidence bears the author's signature throughout;
the victim keeps his chain, and signs nothing more after a bad record;
whoever reads the saved evidence finds the same seat; no log makes the victim the accused;
the cheater's own program, honest for once, would not have taken it either.

"Nobody" is blamed for bytes that anybody could have sent, and for what another version of the program may know.

This page is made by `python -m tests.zoo.page`, and a test compares them.
"""


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def table(*head: str) -> Iterator[str]:
    yield row(*head)
    yield f"|{'---|' * len(head)}"


def animal_row(animal: Animal) -> str:
    return row(animal.name, WHO[animal.seats], animal.section, animal.error.__name__, BLAMED[animal.error])


def page() -> str:
    """The whole page."""
    lines = [HEAD]
    for family in FAMILIES:
        lines += [f"## {family.title}", ""]
        lines += [*table("attack", "by", "section", "ends in", "blamed"), *map(animal_row, family.members), ""]
    lines += ["# Attacks that other tests carry out", ""]
    for title, rows in ELSEWHERE.items():
        lines += [f"## {title}", "", *table("attack", "section", "test", "blamed")]
        lines += [*(row(one.attack, one.section, f"`{one.test}`", one.blamed) for one in rows), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page(), end="")
