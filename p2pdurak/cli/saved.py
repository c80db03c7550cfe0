"""What the commands on saved games share: the store without a player, and errors as sentences.

It owns no decision about a log.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from fairdeck.errors import LocalError
from fairdeck.group import self_test
from p2pdurak.replay import NothingToShowError, ReplayError
from p2pdurak.settings import SettingsError, load
from p2pdurak.store import Store, StoreError

USAGE, UNFINISHED, INVALID = 2, 4, 5


def with_store(command: Callable[[Store], int]) -> int:
    """Run a command on the player's saved games.

    Returns:
        Its exit code; 2 for a setting or a file that cannot be used, 4 for a game that never got to its cards, 5 for a
        log that cannot be trusted.
    """
    try:
        self_test()
        return command(Store(load().data))
    except (SettingsError, StoreError, LocalError) as error:
        return fail(str(error), USAGE)
    except NothingToShowError as error:
        return fail(str(error), UNFINISHED)
    except ReplayError as error:
        return fail(str(error), INVALID)


def fail(sentence: str, code: int) -> int:
    """Say what is wrong on standard error."""
    print(sentence, file=sys.stderr)
    return code
