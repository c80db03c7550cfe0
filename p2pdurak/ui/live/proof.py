"""What has been proven to this player so far, and what has not, in plain words.

It owns the count of proofs in a game that runs, from what the table tells; it checks none of them itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from p2pdurak.events import Event, Moved, Peer, Seat, Shuffling
from p2pdurak.rules.actions import Attack, Beat, Deny, Show
from p2pdurak.rules.cards import Card
from p2pdurak.rules.engine import reveals
from p2pdurak.rules.state import State
from p2pdurak.rules.view import View
from p2pdurak.ui.card_words import CardStyle, sort_hand
from p2pdurak.ui.draw.screen import Notice, Tone
from p2pdurak.ui.scene import Scene, safe

_STYLE: Final = CardStyle()


@dataclass(slots=True)
class Proofs:
    """The proofs of one game.

    Attributes:
        shuffled: who has shuffled with a proof, as the table names him.
        records: how many records there were when the last move was made.
        opened: cards that each seat has opened with a proof.
        public: cards that each seat played and that everybody knew to be his.
        denied: cards of which a seat has proven that it holds none.
    """

    shuffled: list[str] = field(default_factory=list)
    records: int = 0
    opened: list[int] = field(default_factory=lambda: [0, 0])
    public: list[int] = field(default_factory=lambda: [0, 0])
    denied: list[tuple[Seat, tuple[Card, ...]]] = field(default_factory=list)


class ProofLedger:
    """Follows a match and tells what is proven in the game that runs."""

    def __init__(self) -> None:
        self._safety = ""
        self._proofs = Proofs()

    def take(self, event: Event, before: State | None) -> None:
        """Follow what is told; `before` is the public state before a move."""
        match event:
            case Peer(safety=safety):
                self._safety = safety
            case Shuffling(who, proofs):
                if proofs == 1:
                    self._proofs = Proofs()
                self._proofs.shuffled.append(who)
            case Moved():
                self._take_move(event, before)
            case _:
                pass

    def _take_move(self, moved: Moved, before: State | None) -> None:
        proofs = self._proofs
        proofs.records = moved.n + 1
        match moved.action:
            case Attack() | Beat() | Show() if before is not None:
                counts = proofs.public if reveals(before, moved.action) is None else proofs.opened
                counts[moved.seat] += 1
            case Deny(cards):
                proofs.denied.append((moved.seat, cards))
            case _:
                pass

    def lines(self, scene: Scene, view: View | None) -> tuple[Notice, ...]:
        """What is proven, what is known, and what is not proven."""
        proven = [*self._shuffles(), *self._chain(), *self._openings(scene), *self._denials(scene)]
        known = [] if view is None else [self._known(scene, view)]
        return (
            *(Notice(f"✓ {line}", Tone.GOOD) for line in proven),
            *map(Notice, known),
            *map(Notice, self._unproven(scene)),
        )

    def _shuffles(self) -> list[str]:
        shuffled = self._proofs.shuffled
        if not shuffled:
            return []
        by = " and ".join(safe(who) for who in shuffled)
        end = ": nobody can know or choose the order" if len(shuffled) == 2 else ""
        return [f"Shuffles proven: {len(shuffled)} of 2, by {by}{end}."]

    def _chain(self) -> list[str]:
        count = self._proofs.records
        return [f"Up to the last move {count} records are signed, each bound to the one before."] if count else []

    def _openings(self, scene: Scene) -> list[str]:
        lines = []
        for seat in (0, 1) if scene.seat is None else (scene.seat, 1 - scene.seat):
            opened, public = self._proofs.opened[seat], self._proofs.public[seat]
            if opened or public:
                known = f"; {_cards(public)} more had been seen before" if public else ""
                lines.append(f"{scene.does(seat, 'opened', 'opened')} {_cards(opened)} with a proof{known}.")
        return lines

    def _denials(self, scene: Scene) -> list[str]:
        return [
            f"{scene.does(seat, 'have', 'has')} proven to hold none of {_STYLE.cards(cards)} at the deal."
            for seat, cards in self._proofs.denied
        ]

    def _known(self, scene: Scene, view: View) -> str:
        cards = _STYLE.cards(sort_hand(view.their_known, view.state.trump))
        return f"Cards known in the hand of {scene.peer()}: {cards or 'none'}."

    def _unproven(self, scene: Scene) -> list[str]:
        peer = scene.peer()
        words = f" Yours are {safe(self._safety)}." if self._safety else ""
        return [
            f"Not proven: who {peer} is. Compare the safety words, best by voice.{words}",
            f"Not proven: that nobody else looks on and helps {peer}.",
        ]


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
