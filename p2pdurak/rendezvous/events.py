"""What a meeting tells its driver, and the sentences that a player reads about it.

It owns both; it does not know how they come about, nor how they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from p2pdurak.rendezvous.packets import Why

# Sentences of the host

WRONG_TRY: Final = "Somebody tried to join with a wrong code. Tries left on this code: {left}."
STALLED_TRY: Final = "Somebody began to join and did not finish. Tries left on this code: {left}."
CODE_SPENT: Final = "This code has been tried too often and is void. Give your friend the new one."
CODE_EXPIRED: Final = "This code was not used in time and is void. Give your friend the new one."

# Sentences of the guest

NOBODY_THERE: Final = "Nobody answers to this code yet. Is your friend hosting, with the same broker? Still waiting."
HOST_BUSY: Final = "Somebody else is trying this code just now. Waiting for our turn."
WRONG_CODE: Final = (
    "The code does not match: it was mistyped, or somebody without the code tried to answer for your friend. "
    "Ask your friend which code is shown now, and try again."
)
HOST_GONE: Final[Mapping[Why, str]] = {
    Why.TAKEN: "Somebody else has already joined with this code: the table is taken. Ask your friend for a new code.",
    Why.SPENT: "This code has been tried too often and is void. Ask your friend for the new one.",
    Why.EXPIRED: "This code is too old and is void. Ask your friend for the new one.",
}

# And of both

OTHER_VERSION: Final = (
    "Somebody with this code speaks version {theirs} of the protocol, and this program version {ours}. "
    "If it is your friend, install the same release of p2pdurak on both sides."
)


@dataclass(frozen=True, slots=True)
class Met:
    """Both sides have shown that they have the same code. `session_secret` (32 bytes) is for the sealed channel."""

    session_secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """A packet of version `theirs` came; told once, and not believed: anybody can write one."""

    theirs: int


@dataclass(frozen=True, slots=True)
class WrongTry:
    """Host: a run ended with a wrong confirmation."""

    left: int


@dataclass(frozen=True, slots=True)
class StalledTry:
    """Host: a run was opened and not finished in time; it may have been a guess, so it counts."""

    left: int


@dataclass(frozen=True, slots=True)
class CodeSpent:
    """Host, final: all tries are used up. A fresh code needs a new meeting."""


@dataclass(frozen=True, slots=True)
class CodeExpired:
    """Host, final: the life of the code is over. A fresh code needs a new meeting."""


@dataclass(frozen=True, slots=True)
class NobodyThere:
    """Guest: ten seconds without any answer; told once, and the meeting goes on."""


@dataclass(frozen=True, slots=True)
class HostBusy:
    """Guest: somebody else's run is open; told once, and the meeting goes on."""


@dataclass(frozen=True, slots=True)
class HostGone:
    """Guest: the host says that this code is no longer good; told once a reason.

    The meeting goes on, since anybody can write this; a driver that believes it stops.
    """

    why: Why


@dataclass(frozen=True, slots=True)
class WrongCode:
    """Guest, final: the host's words are not ours, or somebody answered in the host's place."""


HostEvent = Met | OtherVersion | WrongTry | StalledTry | CodeSpent | CodeExpired
GuestEvent = Met | OtherVersion | NobodyThere | HostBusy | HostGone | WrongCode
