"""Makes the `.venv` of this checkout hold what a script needs; setup.sh starts it when that is not so yet.

It owns the order of the steps, the lock that keeps two terminals apart, and the sentences when a step fails.
It knows no command of the game, and no package but the ones that Python brings.
"""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOG = VENV / "setup.log"

EXTRAS = ("broker", "test", "dev")
"""In this order, because each holds the ones before it: who has `dev` is ready for `test` too."""

IS_OUR_VENV = "import sys; sys.exit(sys.version_info < (3, 11) or sys.prefix == sys.base_prefix)"
"""A set-up that was cut off may leave a Python that runs and yet would install into the system."""


class SetupError(Exception):
    """A step that failed; its text is one sentence that says what to do."""


def main(extra: str, state: str) -> int:
    """Set up for `extra`, unless another terminal has just done it.

    Args:
        extra: one of EXTRAS.
        state: what is being installed, in one line, which setup.sh compares with the stamp at each start.

    Returns:
        The exit code: 0 when `.venv` is ready, 1 when a step failed, 130 when the user stopped it.
    """
    try:
        with _one_at_a_time() as lock:
            if not _is_stamped(extra, state):
                _say("setting up, once: making .venv and fetching packages, about a minute ...")
                _make_environment(lock)
                _install(extra, lock)
                _stamp(extra, state)
    except SetupError as error:
        _say(str(error))
        return 1
    except OSError as error:
        _say(f"cannot make {VENV} ({error.strerror}): put the checkout where you may write, and start again.")
        return 1
    except KeyboardInterrupt:
        _say("the set-up was stopped; the next start goes on with it.")
        return 130
    return 0


@contextmanager
def _one_at_a_time() -> Iterator[int]:
    """Hold the set-up's lock, which the system drops by itself if we die; yields its file descriptor."""
    with (ROOT / "pyproject.toml").open("r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say("another terminal is setting up this folder; waiting for it ...")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def _make_environment(lock: int) -> None:
    """Make `.venv`, or what a set-up that was cut off left out of it."""
    VENV.mkdir(exist_ok=True)
    for stamp in VENV.glob("ready-*"):
        stamp.unlink()  # from here to the new stamp nothing is ready
    if not PYTHON.exists() or _run(lock, PYTHON, "-c", IS_OUR_VENV).returncode:
        made = _run(lock, sys.executable, "-m", "venv", "--clear", "--without-pip", VENV)
        _demand(
            made,
            "Python could not make .venv: install its venv part (Debian, Ubuntu: apt install python3-venv)",
        )
    if _run(lock, PYTHON, "-m", "pip", "--version").returncode:
        made = _run(lock, PYTHON, "-m", "ensurepip", "--default-pip")
        _demand(
            made,
            "Python could not put pip into .venv: delete .venv, install Python's venv part"
            " (Debian, Ubuntu: apt install python3-venv)",
        )


def _install(extra: str, lock: int) -> None:
    """Install the checkout as it stands, editable, with `extra`."""
    quiet = ("--quiet", "--no-input", "--disable-pip-version-check", "--retries", "2")
    done = _run(lock, PYTHON, "-m", "pip", "install", *quiet, "--editable", f".[{extra}]")
    absent = re.search(r"No matching distribution found for ([\w.-]+)", done.stdout)
    unbuilt = re.search(r"(?:Failed building wheel for|Failed to build:?) '?([\w.-]+)", done.stdout)
    if absent:
        sentence = f"the package {absent[1]} could not be had: go online, or name a mirror in PIP_INDEX_URL"
    elif unbuilt:
        sentence = f"the package {unbuilt[1]} could not be built: install a C compiler and Python's headers"
    else:
        sentence = "the packages could not be installed: look at the network and the free space on the disk"
    _demand(done, sentence)


def _stamp(extra: str, state: str) -> None:
    """Leave the sign by which setup.sh knows that nothing is to be done."""
    for name in EXTRAS[: EXTRAS.index(extra) + 1]:
        (VENV / f"ready-{name}").write_bytes(_stamp_text(state))


def _is_stamped(extra: str, state: str) -> bool:
    stamp = VENV / f"ready-{extra}"
    return stamp.exists() and stamp.read_bytes() == _stamp_text(state)


def _stamp_text(state: str) -> bytes:
    """Two lines: the state, and the very Python that it was installed for (a system upgrade changes it)."""
    return os.fsencode(f"{state}\n{PYTHON.resolve()}\n")


def _run(lock: int, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a step in silence. It holds the lock too: should it outlive us, the next set-up waits for it."""
    return subprocess.run(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        pass_fds=(lock,),
        check=False,
    )


def _demand(done: subprocess.CompletedProcess[str], sentence: str) -> None:
    """Raise `sentence` if the step failed, and keep what it printed for whoever wants the whole story."""
    if done.returncode:
        LOG.write_text(done.stdout, encoding="utf-8", errors="replace")
        raise SetupError(f"{sentence}, and start again. Details: {LOG}")


def _say(sentence: str) -> None:
    print(f"p2pdurak: {sentence}", file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
