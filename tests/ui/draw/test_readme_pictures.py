"""The pictures of the README are what the renderer draws today."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A tree with the script and its pictures."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "pictures.py", tmp_path / "scripts")
    shutil.copytree(ROOT / "docs" / "pictures", tmp_path / "docs" / "pictures")
    return tmp_path


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "protocol")])}
    command = [sys.executable, str(root / "scripts" / "pictures.py"), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_pictures_are_fresh():
    told = run(ROOT, "--check")

    assert (told.returncode, told.stderr) == (0, "")


def test_stale_missing_and_forgotten_pictures_are_named(copy):
    pictures = copy / "docs" / "pictures"
    (pictures / "end.svg").write_text("<svg/>")
    (pictures / "replay.svg").unlink()
    (pictures / "forgotten.svg").write_text("<svg/>")

    told = run(copy, "--check")

    assert told.returncode == 1
    assert told.stderr == (
        "Stale in docs/pictures: end.svg, replay.svg, forgotten.svg. Draw them anew with scripts/pictures.py.\n"
    )


def test_drawing_makes_them_fresh(copy):
    (copy / "docs" / "pictures" / "end.svg").write_text("<svg/>")

    run(copy)

    assert run(copy, "--check").returncode == 0
