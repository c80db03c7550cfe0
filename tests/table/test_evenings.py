"""Evenings of two honest players over a line from hell: whatever they do and whenever, nobody is accused.

Everything comes from a seed; `test_...[17]` plays evening 17 again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from fairdeck.audit import Finding
from p2pdurak.events import Accept, Claim, Command, Leave, Play, Rematch, Resign, Result, Say, Trouble
from p2pdurak.rules.options import CLASSIC
from p2pdurak.table.clock import AutoDone
from p2pdurak.table.sitting import Phase
from tests.table.pairs import Pair, Side

Sit = Callable[..., Pair]

STEPS = 300


class Evening:
    """Two players who do anything at any time."""

    def __init__(self, sit: Sit, seed: int) -> None:
        self.chance = Random(seed)
        chance = self.chance
        self.pair = sit(
            options=replace(CLASSIC, open=chance.random() < 0.6, move_timer=chance.choice((0, 5, 25))),
            ask=chance.random() < 0.3,
            auto_done=chance.choice(list(AutoDone)),
            wait_aside=chance.random() < 0.3,
            games=chance.choice(((0, 0), (2, 2))),
            seed=f"evening {seed}",
        )
        self.offline: set[int] = set()
        if chance.random() < 0.8:
            self.pair.spoil(seed)

    def play(self) -> Pair:
        self.pair.connect()
        for _ in range(STEPS):
            seat = self.chance.randint(0, 1)
            side = self.pair.sides[seat]
            if side.duel.closed:
                self._wait(1.0)
            elif side.aside and self.chance.random() < 0.5:
                side.aside.popleft()()
                self.pair.pump()
            else:
                self._something(seat, side)
        return self._calm()

    def _something(self, seat: int, side: Side) -> None:
        events: list[tuple[int, Callable[[], object]]] = [
            (70, lambda: self._move(seat, side)),
            (12, lambda: self._say(seat)),
            (6, lambda: self._wait(self.chance.choice((0.5, 1.0, 5.0, 20.0)))),
            (1, lambda: self._wait(self.chance.choice((65.0, 130.0)))),
            (3, lambda: self.pair.silent.symmetric_difference_update({seat})),
            (3, self._hold_or_release),
            (3, lambda: self._pull_or_mend(seat, side)),
        ]
        weights, acts = zip(*events, strict=True)
        self.chance.choices(acts, weights)[0]()

    def _move(self, seat: int, side: Side) -> None:
        duel = side.duel
        if duel.offered:
            self.pair.do(seat, Accept())
        elif duel.phase is Phase.PLAYING and duel.view is not None and side.game.session.our_move:
            self.pair.do(seat, Play(self.chance.choice(duel.view.legal_actions())))
        else:
            self.pair.wait(0.1)

    def _say(self, seat: int) -> None:
        words: dict[Command, int] = {Say("well"): 8, Resign(): 3, Claim(): 3, Rematch(): 10, Leave(): 1}
        self.pair.do(seat, self.chance.choices(list(words), list(words.values()))[0])

    def _hold_or_release(self) -> None:
        if self.pair.holding:
            self.pair.release()
        else:
            self.pair.holding = {0, 1}

    def _pull_or_mend(self, seat: int, side: Side) -> None:
        if seat in self.offline:
            self.offline.discard(seat)
            self.pair.silent.discard(seat)
            side.duel.up(self.pair.now)
        else:
            self.offline.add(seat)
            self.pair.silent.add(seat)
            side.duel.down(1)

    def _wait(self, seconds: float) -> None:
        """Let time pass; a check of a log takes a second at most."""
        end = self.pair.now + seconds
        while self.pair.now < end:
            self.pair.wait(min(1.0, end - self.pair.now))
            for side in self.pair.sides:
                while side.aside:
                    side.aside.popleft()()

    def _calm(self) -> Pair:
        """Mend everything, and give both the time to agree."""
        pair = self.pair
        pair.silent.clear()
        for seat in self.offline:
            pair.sides[seat].duel.up(pair.now)
        pair.release()
        self._wait(60.0)
        return pair


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_honest_players_are_never_accused_and_never_disagree_whatever_the_line_does(sit: Sit, seed: int) -> None:
    pair = Evening(sit, seed).play()
    for side in pair.sides:
        assert [event for event in side.told(Trouble) if event.kind != "left"] == []
        findings = {pair.audit(path).finding for path in side.logs()}
        assert findings <= {Finding.OK, Finding.INCOMPLETE}
    for host, guest in zip(*(side.logs() for side in pair.sides), strict=False):
        one, other = sorted((pair.audit(path).saved.chain for path in (host, guest)), key=len)
        assert other.startswith(one)
    if all(side.duel.phase is Phase.RESTING for side in pair.sides):
        ends = [(result.durak, result.head, result.score) for result in (side.told(Result)[-1] for side in pair.sides)]
        assert ends[0] == ends[1]
