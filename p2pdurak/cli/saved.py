"""What the commands on saved games share: the store without a player, and every error as a sentence.

It owns no decision about a log.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fairdeck.errors import LocalError
from fairdeck.group import self_test
from p2pdurak.cli.crash import crash
from p2pdurak.cli.descriptors import complain
from p2pdurak.files import StoreError
from p2pdurak.replay import NothingToShowError, ReplayError
from p2pdurak.settings import SettingsError, load
from p2pdurak.store import Store

INTERNAL, USAGE, UNFINISHED, INVALID = 1, 2, 4, 5


def with_store(command: Callable[[Store], int]) -> int:
    """Run a command on the player's saved games.

    Returns:
        Its exit code; 1 for a fault of ours, 2 for a setting or a file that cannot be used, 4 for a game that never got
        to its cards, 5 for a log that cannot be trusted.

    Raises:
        OSError: what is printed finds no reader.
    """
    folder = Path()
    try:
        self_test()
        folder = load().data
        return command(Store(folder))
    except (SettingsError, StoreError, LocalError) as error:
        return fail(str(error), USAGE)
    except NothingToShowError as error:
        return fail(str(error), UNFINISHED)
    except ReplayError as error:
        return fail(str(error), INVALID)
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of ours becomes a file and a sentence
        return fail(crash(folder, error), INTERNAL)


def fail(sentence: str, code: int) -> int:
    """Say what is wrong on standard error."""
    complain(sentence)
    return code
