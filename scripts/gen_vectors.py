"""Writes the test vectors of the protocol, protocol/vectors/*.json, from fixed seeds; `--check` says which are stale.

It owns the command; what each file holds, and why, is in the package `vectors` beside it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "protocol" / "vectors"

sys.path[:0] = [str(ROOT), str(ROOT / "protocol"), str(ROOT / "scripts")]  # the tree, whatever else is installed


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files named, or all; with --check only compare."""
    from vectors.catalogue import FILES

    parser = argparse.ArgumentParser(description="Write protocol/vectors/*.json.")
    parser.add_argument("names", nargs="*", choices=[*FILES, []], help="which files; all if none is named")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file differs")
    chosen = parser.parse_args(arguments)
    stale = []
    for name in chosen.names or FILES:
        path, text = FOLDER / name, FILES[name]().text()
        if path.exists() and path.read_text(encoding="ascii") == text:
            continue
        stale.append(name)
        if not chosen.check:
            path.write_text(text, encoding="ascii")
    if chosen.check and not chosen.names:
        stale += sorted(f"{path.name} (not in the catalogue)" for path in FOLDER.glob("*") if path.name not in FILES)
    if stale:
        print("stale:" if chosen.check else "written:", ", ".join(stale))
    return int(chosen.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
