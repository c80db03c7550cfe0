"""The part of the contract that a game of tests has no opinion about: no options, a seat opens, actions are one byte.

It knows no cards and no turns.
"""

from __future__ import annotations

from fairdeck.game import IllegalAction


class BareContract:
    """What the small games of the tests have in common."""

    def check_options(self, options: bytes) -> None:
        if options:
            raise IllegalAction("This game has no options.")

    def check_opener(self, options: bytes, opener: int, *, first: bool) -> None:
        if opener > 1:
            raise IllegalAction("In this game a seat opens.")

    def encode(self, action: int) -> bytes:
        return bytes([action])

    def decode(self, data: bytes) -> int:
        if len(data) != 1:
            raise IllegalAction("An action is one byte.")
        return data[0]
