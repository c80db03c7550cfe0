"""Writes into protocol/SPEC.md what the code has as tables: the state machine and the limits. `--check` compares.

It owns how they are drawn; it does not know what a record means, nor what a limit is for.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import sys
from itertools import pairwise
from pathlib import Path
from typing import Final

from fairdeck import limits
from fairdeck.referee import TRANSITIONS, Stage
from fairdeck.wire import Kind

SPEC: Final = Path(__file__).resolve().parents[1] / "protocol" / "SPEC.md"
BEGIN: Final = "<!-- begin {}: made by scripts/spec_tables.py -->\n"
END: Final = "<!-- end -->\n"

IN_PLAY: Final = (
    ("the seat to act, if no card is on its way to it", Kind.MOVE),
    ("the other seat, if one is", Kind.SHARES),
)
"""What the table leaves to the rules of the game: who is owed in play. A played game holds this against the code."""


def steps() -> list[tuple[str, str, str, str]]:
    """Every line of the state machine: stage, who owes, which record, the stage after it."""
    lines = []
    for stage, transition in TRANSITIONS.items():
        owed = transition.owed
        due = IN_PLAY if owed is None else ((f"seat {owed.seat}", owed.kind),)
        lines += [(stage.name, who, kind.name.lower(), transition.then.name) for who, kind in due]
    return lines


def state_machine() -> str:
    """The state machine as a table and as a Mermaid diagram."""
    rows = [f"| {stage} | {who} | `{kind}` | {then} |" for stage, who, kind, then in steps()]
    table = ["| in stage | owes | a record | then |", "|---|---|---|---|", *rows]
    edges = [f"    {stage} --> {then}: {kind} by {who}" for stage, who, kind, then in steps()]
    first, last = next(iter(Stage)).name, list(Stage)[-1].name
    ends = [f"    [*] --> {first}", *edges, f"    {last} --> [*]: the game is over"]
    return "\n".join([*table, "", "```mermaid", "stateDiagram-v2", *ends, "```"]) + "\n"


def limits_table() -> str:
    """Every limit with its value and the reason that stands below it in the code."""
    rows = ["| limit | value | because |", "|---|---|---|"]
    for statement, below in pairwise(ast.parse(inspect.getsource(limits)).body):
        match statement, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(reason))):
                rows.append(f"| `{name}` | {getattr(limits, name)} | {' '.join(reason.split())} |")
            case ast.AnnAssign(), _:
                raise ValueError(f"limits.py, line {statement.lineno}: a limit without its reason")
            case _:
                pass
    return "\n".join(rows) + "\n"


def written(text: str) -> str:
    """The specification with the parts between the marks made anew."""
    for name, part in {"state machine": state_machine(), "limits": limits_table()}.items():
        before, rest = text.split(BEGIN.format(name))
        text = before + BEGIN.format(name) + part + END + rest.split(END, 1)[1]
    return text


def main() -> int:
    """Write the specification, or only say whether it is as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a table is stale")
    check = parser.parse_args().check
    text = SPEC.read_text("utf-8")
    new = written(text)
    if not check:
        SPEC.write_text(new, "utf-8")
    elif new != text:
        print("protocol/SPEC.md: its tables are not those of the code. Run scripts/spec_tables.py.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
