"""The model of the session holds what it promises, and its mutants do not."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

TREE = Path(__file__).parents[2]
SCRIPT = TREE / "scripts" / "check-model"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_model_of_the_session_is_as_expected() -> None:
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        reason = "spin or gcc is not installed (Debian: apt-get install spin gcc)"
        pytest.fail(reason) if "CI" in os.environ else pytest.skip(reason)
    done = subprocess.run([SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = [line.split()[-1] for line in done.stdout.splitlines()]
    assert (verdicts.count("holds"), verdicts.count("fails")) == (7, 6)


def test_machine_without_spin_is_told_what_to_install(tmp_path: Path) -> None:
    for name in ("sh", "readlink", "dirname"):
        program = shutil.which(name)
        assert program is not None
        (tmp_path / name).symlink_to(program)
    done = subprocess.run([SCRIPT], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "apt-get install spin" in done.stderr
