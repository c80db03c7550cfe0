"""A second engine for the same rules, written from the rule page alone: whole hands as lists of texts, nothing hidden.

It is slow and plain on purpose and shares no line with `p2pdurak.rules`.
"""

from __future__ import annotations

ORDER = ["6", "7", "8", "9", "T", "J", "Q", "K", "A"]
SUITS = ["c", "d", "h", "s"]


class NaiveGame:
    """Moves are texts: `attack 6c`, `beat 7c`, `take`, `done`."""

    def __init__(
        self,
        hands: list[list[str]],
        talon: list[str],
        trump: str,
        attacker: int,
        pile_on: bool = True,
        first_limit: int = 6,
    ) -> None:
        self.hands = [list(hands[0]), list(hands[1])]
        self.talon = list(talon)
        self.trump = trump
        self.attacker = attacker
        self.pile_on = pile_on
        self.discard: list[str] = []
        self.attacks: list[str] = []
        self.defences: list[str] = []
        self.taking = False
        self.bout = 1
        self.over = False
        self.limit = min(first_limit, len(self.hands[1 - attacker]))

    def turn(self) -> int | None:
        if self.over:
            return None
        if not self.taking and len(self.attacks) > len(self.defences):
            return 1 - self.attacker
        return self.attacker

    def phase(self) -> str:
        if self.over:
            return "over"
        if self.taking:
            return "pileon"
        return "defend" if self.turn() != self.attacker else "attack"

    def moves(self) -> set[str]:
        phase = self.phase()
        if phase == "over":
            return set()
        if phase == "defend":
            mine = self.hands[1 - self.attacker]
            return {f"beat {card}" for card in mine if self.stronger(card, self.attacks[-1])} | {"take"}
        mine = self.hands[self.attacker]
        lying = self.attacks + self.defences
        if not lying:
            return {f"attack {card}" for card in mine}
        matching = [card for card in mine if any(card[0] == other[0] for other in lying)]
        return {f"attack {card}" for card in matching} | {"done"}

    def stronger(self, card: str, attack: str) -> bool:
        if card[1] == attack[1]:
            return ORDER.index(card[0]) > ORDER.index(attack[0])
        return card[1] == self.trump

    def do(self, move: str) -> None:
        if move not in self.moves():
            raise ValueError(move)
        word, _, card = move.partition(" ")
        if word == "attack":
            self.hands[self.attacker].remove(card)
            self.attacks.append(card)
        elif word == "beat":
            self.hands[1 - self.attacker].remove(card)
            self.defences.append(card)
        elif word == "take":
            self.taking = True
        if word == "done" or self.ends_by_itself():
            self.finish_bout()

    def ends_by_itself(self) -> bool:
        attacker_out = self.hands[self.attacker] == []
        defender_out = self.hands[1 - self.attacker] == []
        full = len(self.attacks) == self.limit
        if self.taking:
            return full or attacker_out or not self.pile_on
        return len(self.attacks) == len(self.defences) and (full or attacker_out or defender_out)

    def finish_bout(self) -> None:
        defender = 1 - self.attacker
        lying = self.attacks + self.defences
        if self.taking:
            self.hands[defender] += lying
        else:
            self.discard += lying
        for player in (self.attacker, defender):
            while len(self.hands[player]) < 6 and self.talon:
                self.hands[player].append(self.talon.pop(0))
        if not self.taking:
            self.attacker = defender
        self.attacks, self.defences, self.taking = [], [], False
        if not self.talon and [] in self.hands:
            self.over = True
            return
        self.bout += 1
        self.limit = min(6, len(self.hands[1 - self.attacker]))

    def winner(self) -> int | None:
        empty = [player for player in (0, 1) if not self.hands[player]]
        return empty[0] if len(empty) == 1 else None

    def all_cards(self) -> list[str]:
        return self.hands[0] + self.hands[1] + self.talon + self.discard + self.attacks + self.defences


def naive_opener(hands: list[list[str]], trump: str, host_if_trumpless: bool = False) -> tuple[int, str | None]:
    """Who attacks first, and the card that shows it."""
    held = [(player, card) for player in (0, 1) for card in hands[player]]
    trumps = [(ORDER.index(card[0]), player, card) for player, card in held if card[1] == trump]
    if trumps:
        _, player, card = min(trumps)
        return player, card
    if host_if_trumpless:
        return 0, None
    _, player, _, card = min((ORDER.index(card[0]), player, SUITS.index(card[1]), card) for player, card in held)
    return player, card
