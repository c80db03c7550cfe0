"""Why an action can be refused.

It owns the reasons and their sentences; it does not know when one applies.
"""

from __future__ import annotations

from enum import Enum


class Refusal(Enum):
    """Why an action is not legal; the value is a sentence for the player."""

    GAME_OVER = "The game is over."
    NOT_YOUR_TURN = "It is the other player's turn."
    NOT_HELD = "That card is not in this hand."
    NO_SUCH_CARD = "There is no such card in a deck of 36."
    MUST_LEAD = "The attacker must lead a card: a bout cannot begin with done."
    RANK_NOT_ON_TABLE = "Only a card whose rank lies on the table may be added."
    BEAT_OR_TAKE = "The attack on the table must be beaten, or the cards taken, before anything else."
    DOES_NOT_BEAT = "That card does not beat the attack."
    NOTHING_TO_BEAT = "There is no unbeaten attack to answer."
    ANSWER_FIRST = "First it must be found out who holds the lowest trump."
    NOT_ASKED = "Nobody is asking for the lowest trump now."
    WRONG_ANSWER = "The answer must be about exactly the cards that were asked for."
    CANNOT_DENY = "Both hands cannot be without all of these cards: there are not enough others."


class IllegalAction(Exception):
    """The action is not legal in this state; `refusal` says why, and nothing has changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal
