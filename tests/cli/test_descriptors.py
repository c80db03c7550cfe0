"""Standard input, output and error that are closed, before the program begins or while it writes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.seats import PATIENCE_S, ROOT

pytestmark = pytest.mark.slow

JOIN = "join k7q2m-otter-kiosk-lamp --broker 127.0.0.1:1"


def in_a_shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run the program as a shell reads its line."""
    path = os.pathsep.join((str(ROOT), str(ROOT / "protocol")))
    return subprocess.run(
        ["sh", "-c", f"exec '{sys.executable}' -m p2pdurak {line}"],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=PATIENCE_S,
        check=False,
        env={**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PYTHONPATH": path},
    )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    ("command", "code"), [("", 2), ("logs", 0), ("verify last", 2), (JOIN, 3), (f"{JOIN} --json", 3)]
)
def test_closed_descriptor_changes_no_exit_code(tmp_path: Path, command: str, code: int, closed: str) -> None:
    done = in_a_shell(tmp_path, f"{command} {closed}")
    assert done.returncode == code
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("command", ["logs", "verify last"])
def test_standard_error_on_a_full_disk_changes_no_exit_code(tmp_path: Path, command: str) -> None:
    usual = in_a_shell(tmp_path, command)
    assert in_a_shell(tmp_path, f"{command} 2>/dev/full").returncode == usual.returncode


def test_saved_game_never_lands_in_a_descriptor_that_was_closed(tmp_path: Path) -> None:
    done = in_a_shell(tmp_path, "verify /etc/hostname nowhere >&-")
    assert done.returncode == 5
    assert done.stderr.startswith("There is no log 'nowhere'")
