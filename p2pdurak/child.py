"""A process of our own beside this one, that is asked over its standard input and answers on its standard output.

It owns how such a process begins, what memory it may use and how it ends; it knows nothing of what it is asked.

The process ends with its parent, however that ends: its standard input is the pipe, and the end of that is its own.
It stands in a session of its own, so that Ctrl-C in the terminal is the parent's to answer.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from typing import Final

END_S_MAX: Final = 2.0
"""How long a process that is told to end may finish what it does."""

MEMORY_BYTES_MAX: Final = 1 << 29
"""What a process that searches may use where the system can limit it; the largest search needs half of it."""

# The path is handed over, so that the process runs the code of its parent wherever that was found.
_START: Final = "import sys; sys.path[:] = {path!r}; from {module} import serve; serve()"


def begin(module: str) -> subprocess.Popen[bytes]:
    """Start a process that runs the function `serve` of a module.

    Args:
        module: its dotted name, one of ours.
    """
    return subprocess.Popen(  # noqa: S603 -- our own interpreter and our own code
        [sys.executable, "-c", _START.format(path=sys.path, module=module)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def end(process: subprocess.Popen[bytes]) -> int:
    """Let a process end that is asked nothing more, and kill it if it does not.

    Returns:
        Its exit code.
    """
    with suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
    try:
        code = process.wait(END_S_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    if process.stdout is not None:
        process.stdout.close()
    return code


def limit_memory() -> None:
    """Let this process have `MEMORY_BYTES_MAX` bytes and no more, where the system can refuse them."""
    try:
        import resource  # noqa: PLC0415 -- not on every system
    except ImportError:
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
