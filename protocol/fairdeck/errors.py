"""Every error of the protocol, and what each one proves.

It owns the tree below; it does not know how an error is shown or saved.

    FairdeckError
    ├── LocalError            our own caller asked for something impossible; nothing was sent
    ├── RemoteError           bytes from the peer, or from a saved log, are not right
    │   ├── Malformed         they cannot be read: proves only that somebody sent them
    │   ├── Unexpected        well formed, but not now: proves nothing unless the record is signed
    │   │   └── Unsupported   it may be right to another version of this program: proves nothing
    │   └── Cheating          a signed record that no honest program would make: names the accused seat
    ├── Desync                both sides acted legally and hold different states: a fault of the software
    └── WrongCode             the join code of the two sides differs

Any other exception that leaves fairdeck is a fault in fairdeck.
"""

from __future__ import annotations


class FairdeckError(Exception):
    """The root of all errors here; its text is a sentence for a player."""


class LocalError(FairdeckError):
    """Our own caller asked for a step that is not ours to take now; nothing was signed or sent."""


class RemoteError(FairdeckError):
    """Something that came from outside is not as the protocol demands."""


class Malformed(RemoteError):
    """Bytes that no honest program writes and that cannot be read; they prove nothing about their author."""


class Unexpected(RemoteError):
    """A message that can be read but has no place in this state; unsigned, it proves nothing about its author."""


class Unsupported(Unexpected):
    """Something that this version of the program does not know, and another one may: nobody is to blame for it."""


class Cheating(RemoteError):
    """A record signed by `accused` that no honest program would have made.

    Attributes:
        accused: the seat (0 or 1) whose signature stands under the record.
        reason: one sentence that says what is wrong.
        evidence: the signed record or records, as received, that show it to anyone.
    """

    def __init__(self, accused: int, reason: str, evidence: tuple[bytes, ...] = ()) -> None:
        super().__init__(reason)
        self.accused = accused
        self.reason = reason
        self.evidence = evidence


class Desync(FairdeckError):
    """Both sides played by the rules and yet hold different states: to the players a fault of the software.

    Attributes:
        accused: the seat (0 or 1) that signed a state which its record does not give; a log names it, for whoever
            follows the chain can tell which of the two states is right.
        seq: the record's place in the chain.
    """

    def __init__(self, accused: int, seq: int) -> None:
        super().__init__(f"Both sides hold different states after record {seq}; its author is seat {accused}.")
        self.accused = accused
        self.seq = seq


class WrongCode(FairdeckError):
    """The code was mistyped, or somebody without the code tried to join."""
