"""The sentences about a recorded game, told from outside: the players by name, in the past where it has ended.

It owns the wording that line mode and the replay's screen share; it does not know how a line is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final, assert_never

from p2pdurak.events import Names
from p2pdurak.recording import Recording
from p2pdurak.rules.engine import asked
from p2pdurak.rules.state import BoutOutcome, Phase, State
from p2pdurak.safe_text import SafeText
from p2pdurak.ui.card_words import CardStyle
from p2pdurak.ui.option_words import rule_sentences

SEATS: Final = SafeText("host"), SafeText("guest")


class Shown(Enum):
    """Whose hands a replay shows."""

    MINE = "mine"
    ALL = "all"
    NONE = "none"


_FINDINGS: Final = {
    "ok": "The deal, both shuffles and every move are proven.",
    "followed": "Every move is by the rules and signed; the proofs were not looked at.",
    "incomplete": "All that the log holds is proven, but it proves no result.",
    "torn": "The end of the log is cut off. All that stands before it is proven.",
}

_ENDS: Final = {
    "claimed": "The win was claimed: the other side was gone. A claim is no proof.",
    "left": "Somebody left before the end. There is no result.",
    "desync": "Both programs disagreed. There is no result.",
    "running": "The log ends here. The game is not finished.",
}


def with_roles(game: Recording) -> tuple[str, str]:
    """Both names, each with its seat."""
    return f"{game.names[0]} (host)", f"{game.names[1]} (guest)"


def called(game: Recording) -> Names:
    """What the players are called: by their names, or by their seats where one name could be taken for the other."""
    host, guest = game.names
    return SEATS if host.casefold() == guest.casefold() else game.names


def game_line(game: Recording) -> str:
    """Which game it is."""
    host, guest = with_roles(game)
    return f"Game {game.number}, {game.date}: {host} and {guest}"


def rules_line(game: Recording) -> str:
    """What it was played by."""
    return " ".join(rule_sentences(game.options))


def audit_line(game: Recording) -> str:
    """The verdict on the log, and what it means."""
    return f"Audit: {game.finding}. {_FINDINGS.get(game.finding, '')}".rstrip()


def ending(game: Recording) -> str:
    """How it ended, or that it did not."""
    if game.result is None:
        return _ENDS.get(game.end, _ENDS["running"])
    if game.result.durak is None:
        return "A draw: nobody is the durak"
    return f"{called(game)[game.result.durak]} is the durak{' by resigning' if game.end == 'resign' else ''}"


def first_attack(name: str) -> str:
    """Who attacks first."""
    return f"{name} attacks first"


def bout_end(outcome: BoutOutcome) -> str:
    """How a bout ended."""
    return "Beaten off." if outcome is BoutOutcome.BEATEN else "Taken."


def what_is_next(state: State, names: Names, style: CardStyle) -> str:
    """Who does what next, as an onlooker says it; nothing where the game is over."""
    attacker, defender = names[state.attacker], names[state.defender]
    match state.phase:
        case Phase.QUESTION:
            seat, cards = asked(state)
            return f"{names[seat]} is asked for {_either(style.card(card) for card in cards)}"
        case Phase.ATTACK if state.table:
            return f"{attacker} may throw in"
        case Phase.ATTACK:
            return first_attack(attacker) if state.bout == 1 else f"{attacker} attacks"
        case Phase.DEFEND:
            return f"{defender} defends"
        case Phase.PILE_ON:
            return f"{defender} takes - {attacker} may pile on"
        case Phase.OVER:
            return ""
        case _:
            assert_never(state.phase)


def _either(cards: Iterable[str]) -> str:
    *others, last = cards
    return f"{', '.join(others)} or {last}" if others else last
