"""Who was asleep gains nothing by it, and no clock that is wrong costs a game."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from fairdeck.audit import Finding, audit
from fairdeck.notes import End
from p2pdurak.durak import DURAK
from p2pdurak.events import Claim, Late, Refused, Rematch, Resign
from p2pdurak.store import read_log
from p2pdurak.table.clock import SILENCE_CLAIM_S
from p2pdurak.table.sitting import Phase
from tests.e2e.seats import Seat
from tests.faults.killing import BOT, is_kept
from tests.table import pairs
from tests.table.pairs import Pair

HOUR_S = 3600.0
Sit = Callable[..., Pair]


def thinks_forever(*_: object) -> None:
    """A bot that never answers."""


def asleep_for_an_hour(pair: Pair, seat: int) -> None:
    """The computer of a seat sleeps; nothing that is sent to it arrives, and its clock runs on."""
    pair.dead.add(seat)
    pair.wait(50.0)  # the other might claim after a minute, and he is a patient man
    pair.line.clear()
    pair.now += HOUR_S
    pair.dead.discard(seat)


@pytest.fixture
def sit(tmp_path: Path) -> Sit:
    """Seat two players in a fresh folder; takes the keywords of `Pair`."""
    return lambda **options: Pair(tmp_path / "table", **options)


@pytest.mark.parametrize("moves", [4, 5])
@pytest.mark.parametrize("seat", [0, 1])
def test_who_wakes_up_after_an_hour_may_not_claim_and_is_not_told_so(sit: Sit, seat: int, moves: int) -> None:
    pair = sit().deal()
    for _ in range(moves):
        pair.move()
    asleep_for_an_hour(pair, seat)
    sleeper = pair.sides[seat]
    sleeper.duel.command(Claim(), pair.now)
    sleeper.duel.tick(pair.now)
    assert not [late for late in sleeper.told(Late) if late.claimable]
    assert len(sleeper.told(Refused)) == 1
    pair.wait(20.0).play().run(lambda: all(side.duel.phase is Phase.RESTING for side in pair.sides))
    assert [side.game.verdict.end for side in pair.sides] == [End.CARDS, End.CARDS]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_that_wakes_up_after_an_hour_claims_nothing(sit: Sit, seat: int) -> None:
    pair = sit(bots=True, asks=thinks_forever).connect()
    asleep_for_an_hour(pair, seat)
    pair.sides[seat].duel.tick(pair.now)
    assert pair.sides[seat].game.session.notes == []


def test_who_woke_up_may_claim_when_the_other_stays_away_for_as_long_as_ever(sit: Sit) -> None:
    pair = sit().deal()
    for _ in range(4):
        pair.move()
    seat = 1 - pair.mover
    asleep_for_an_hour(pair, seat)
    pair.dead.add(1 - seat)
    sleeper = pair.sides[seat]
    sleeper.duel.tick(pair.now)
    pair.wait(SILENCE_CLAIM_S - 5.0)
    assert not [late for late in sleeper.told(Late) if late.claimable]
    pair.wait(10.0)
    assert [late for late in sleeper.told(Late) if late.claimable]


@pytest.mark.parametrize("days", [-1, 1])
@pytest.mark.parametrize("seats", [(0,), (1,), (0, 1)])
def test_a_wall_clock_that_is_set_by_a_day_changes_no_game(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, seats: tuple[int, ...], days: int
) -> None:
    pair = sit().deal()
    for _ in range(3):
        pair.move()
    monkeypatch.setattr(pairs, "TODAY", pairs.TODAY + timedelta(days=days))
    pair.crash(*seats).come_back(*seats).run(lambda: all(side.game.session.reconciled for side in pair.sides))
    pair.move().do(pair.mover, Resign()).run(lambda: all(side.duel.phase is Phase.RESTING for side in pair.sides))
    pair.do(0, Rematch()).do(1, Rematch()).run(lambda: pair._in_play)
    pair.play().run(lambda: all(side.duel.phase is Phase.RESTING for side in pair.sides))
    for side in pair.sides:
        assert [pair.audit(path).finding for path in side.logs()] == [Finding.OK, Finding.OK]


@pytest.mark.slow
@pytest.mark.parametrize("who", ["host", "guest"])
def test_a_program_that_is_stopped_until_it_is_missed_goes_on_when_it_is_continued(tmp_path: Path, who: str) -> None:
    for role in ("host", "guest"):
        (tmp_path / role).mkdir()
    with ExitStack() as running:
        host = Seat(tmp_path / "host", "host", *BOT, "--bind", "127.0.0.1")
        running.callback(host.close)
        code = host.until("code")["code"]
        guest = Seat(tmp_path / "guest", "join", code, *BOT)
        running.callback(guest.close)
        sleeper, other = (host, guest) if who == "host" else (guest, host)
        sleeper.until("move")
        sleeper.process.send_signal(signal.SIGSTOP)
        other.until("link", lambda event: event["state"] != "up")
        sleeper.process.send_signal(signal.SIGCONT)
        assert (host.end(), guest.end()) == (0, 0)
        results = [program.results()[-1] for program in (host, guest)]
    assert [result["reason"] for result in results] == ["cards", "cards"]
    assert results[0]["head"] == results[1]["head"]
    for result in results:
        assert audit(read_log(Path(result["log"])), DURAK).finding is Finding.OK


def test_a_bot_that_comes_back_on_its_own_turn_to_nobody_leaves_after_a_minute_and_may_come_back_again(
    sit: Sit,
) -> None:
    pair = sit(bots=True, asks=thinks_forever).connect()
    seat = pair.mover
    pair.crash(0, 1).come_back(seat).wait(SILENCE_CLAIM_S + 5.0)
    assert pair.sides[seat].duel.closed
    pair.sides[seat].duel.close()
    assert is_kept(pair.sides[seat].logs()[0])
    assert pair.sides[seat].saved().notes == ()
