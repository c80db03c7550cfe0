"""A player's evening at a terminal: lines, the table, lines again."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial

import pytest
from prompt_toolkit.input import create_pipe_input

from p2pdurak.analysis.report import Depth as AnalysisDepth
from p2pdurak.events import Dealt, Event, Leave, Opener, Play, Reason, Result, Trouble, Turn, Waiting
from p2pdurak.rules.cards import parse_card
from p2pdurak.rules.options import CLASSIC
from p2pdurak.rules.positions import deal
from p2pdurak.rules.view import View
from p2pdurak.ui.draw.themes import Depth, make_theme
from p2pdurak.ui.live.face import TableFace
from p2pdurak.ui.live.host import FullScreen
from p2pdurak.ui.live.keys import Local, Wish
from p2pdurak.ui.live.mover import GUARD_S
from p2pdurak.ui.live.play_model import PlayModel
from p2pdurak.ui.live.replay_model import ReplayModel
from p2pdurak.ui.plain import PlainFace
from tests.ui.live.analyses import analysis_of
from tests.ui.live.recordings import opened
from tests.ui.live.stage import WAIT_S, Emulator

HAND = tuple(sorted(map(parse_card, ("6c", "9d", "Td", "Kh", "7s", "As"))))
VIEW = View(0, deal(CLASSIC, parse_card("Qh"), 0), HAND)
DEALT = Dealt(1, 0, ("ilya", "mira"), HAND, parse_card("Qh"), VIEW)
TURN = Turn(0, VIEW, 0)
RESULT = Result(
    outcome="win",
    durak=1,
    reason=Reason.RESIGN,
    names=("ilya", "mira"),
    seat=0,
    log="/games/one.dlog",
    head="00",
    verified=True,
    hands=(None, None),
    score=(0, 1, 0),
    more=True,
)


@dataclass
class Evening:
    """What a face shows and asks for."""

    face: TableFace
    emulator: Emulator
    lines: io.StringIO
    type: Callable[[str], None]
    wished: list[Wish] = field(default_factory=list)
    sat: list[bool] = field(default_factory=list)
    ended: list[Exception | None] = field(default_factory=list)

    def show(self, *events: Event) -> None:
        for event in events:
            self.face.show(event)

    async def until(self, seen: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not seen():  # noqa: ASYNC110 - what is waited for is a picture, which tells nobody
                await asyncio.sleep(0.005)

    async def sit(self) -> None:
        self.show(DEALT, Opener(0, None), TURN)
        await self.until(lambda: "Your attack" in self.emulator.text)

    @property
    def text(self) -> str:
        return self.lines.getvalue()


def spend(play: Callable[[Evening], Awaitable[None]], *, bell: bool = False) -> Evening:
    """Run a face until `play` is through, and close it."""
    spent: list[Evening] = []

    async def run() -> None:
        emulator, lines = Emulator(), io.StringIO()
        with create_pipe_input() as pipe:
            face = TableFace(
                PlainFace(lines),
                PlayModel(),
                make_theme("terminal", depth=Depth.ANSI),
                program="p2pdurak",
                bell=bell,
                make_screen=partial(FullScreen, source=pipe, sink=emulator.output()),
            )
            evening = Evening(face, emulator, lines, pipe.send_text)
            spent.append(evening)
            face.expect("k7q2m", evening.wished.append, lambda: evening.sat.append(True), evening.ended.append)
            try:
                await play(evening)
            finally:
                await face.close()

    asyncio.run(run())
    return spent[0]


def test_before_the_deal_events_are_lines_and_the_screen_is_not_touched() -> None:
    async def play(evening: Evening) -> None:
        evening.show(Waiting("Waiting for your friend."))

    evening = spend(play)
    assert evening.text == "Waiting for your friend.\n"
    assert (evening.emulator.raw, evening.sat) == ("", [])


def test_the_deal_takes_the_screen_and_typed_lines_are_read_no_more() -> None:
    async def play(evening: Evening) -> None:
        await evening.sit()
        assert "k7q2m" in evening.emulator.text
        assert evening.face.sitting

    assert spend(play).sat == [True]


def test_a_table_closed_in_the_step_of_the_deal_ends() -> None:
    async def play(evening: Evening) -> None:
        evening.show(DEALT)

    spend(play)


def test_the_last_words_stand_once_and_after_everything_else() -> None:
    async def play(evening: Evening) -> None:
        await evening.sit()
        evening.show(replace(RESULT, log="/games/first.dlog"), RESULT)
        await evening.until(lambda: "rematch" in evening.emulator.text)
        evening.type("\x03")  # q so soon would be meant for the game
        await evening.until(lambda: evening.wished == [Local.QUIT] or evening.wished == [Leave()])
        evening.show(Waiting("mira has left the table."))

    text = spend(play).text
    assert text.count("Log: ") == 1
    assert "Log: /games/one.dlog" in text
    assert text.rstrip().endswith("The match is over.")


def test_trouble_is_said_again_when_the_table_is_gone() -> None:
    async def play(evening: Evening) -> None:
        await evening.sit()
        evening.show(Trouble("cheat", "A proof does not hold.", 1, "/games/evidence.dlog"))

    text = spend(play).text
    assert "A proof does not hold" in text
    assert "/games/evidence.dlog" in text


def test_who_leaves_in_the_middle_is_told_how_to_look_at_the_game() -> None:
    async def play(evening: Evening) -> None:
        await evening.sit()

    assert "p2pdurak replay last" in spend(play).text


def test_a_rematch_forgets_the_last_words_of_the_game_before() -> None:
    async def play(evening: Evening) -> None:
        await evening.sit()
        evening.show(Trouble("cheat", "A proof does not hold.", 1, None), RESULT)
        assert evening.face.last_log == RESULT.log
        evening.show(replace(DEALT, game=2))
        assert evening.face.last_log == ""

    text = spend(play).text
    assert "proof" not in text
    assert "Log: " not in text


@pytest.mark.parametrize("seat", [0, 1])
def test_the_bell_rings_for_the_own_turn_only(seat: int) -> None:
    async def play(evening: Evening) -> None:
        evening.show(DEALT, Opener(0, None))
        await evening.until(lambda: "k7q2m" in evening.emulator.text)
        before = evening.emulator.raw.count("\a")
        evening.show(replace(TURN, seat=seat))
        assert evening.emulator.raw.count("\a") - before == (1 if seat == 0 else 0)

    spend(play, bell=True)


def test_no_bell_rings_unasked() -> None:
    async def play(evening: Evening) -> None:
        await evening.sit()

    assert "\a" not in spend(play).emulator.raw


def test_a_fault_at_the_table_is_handed_on() -> None:
    fault = ZeroDivisionError("ours")

    def raising(*_: object) -> None:
        raise fault

    async def play(evening: Evening) -> None:
        await evening.sit()
        evening.face._model.screen = raising  # type: ignore[method-assign]
        evening.show(TURN)
        await evening.until(lambda: bool(evening.ended))

    assert spend(play).ended == [fault]


def test_table_is_open_to_the_next_friend_when_the_first_turned_back_at_the_door() -> None:
    async def play(evening: Evening) -> None:
        evening.show(Trouble("refused", "Your friend does not want to play by these rules."))
        await evening.face.linger()
        await evening.sit()
        await asyncio.sleep(2 * GUARD_S)
        evening.type("\r")
        await evening.until(lambda: evening.wished != [])
        evening.wished.append(Local.NOW_LEAVE)
        evening.face.stop()

    assert isinstance(spend(play).wished[0], Play)


def test_who_looks_on_after_the_match_stays_until_he_leaves() -> None:
    async def play(evening: Evening) -> None:
        await evening.sit()
        evening.show(replace(RESULT, more=False))
        lingering = asyncio.create_task(evening.face.linger())
        await evening.until(lambda: "leave" in evening.emulator.text)
        await asyncio.sleep(0.05)
        assert not lingering.done()
        evening.type("\x03")  # q so soon would be meant for the game
        async with asyncio.timeout(WAIT_S):
            await lingering

    spend(play)


class Analyst:
    """Analyses at once, and writes down what is asked of it."""

    def __init__(self, model: ReplayModel, changed: Callable[[], None]) -> None:
        self._model = model
        self._changed = changed
        self.asked: list[AnalysisDepth] = []
        self.closed = False

    def ask(self, depth: AnalysisDepth) -> None:
        self.asked.append(depth)
        self._model.analysed(analysis_of(opened(), depth))
        self._changed()

    def close(self) -> None:
        self.closed = True


async def look_back(evening: Evening) -> Analyst:
    """Open the replay of the game just ended; give the one who analyses it."""
    hired: list[Analyst] = []

    def hire(model: ReplayModel, changed: Callable[[], None]) -> Analyst:
        hired.append(Analyst(model, changed))
        return hired[-1]

    await evening.sit()
    evening.face.replay(opened(), hire)
    await evening.until(lambda: "Mira - Oleg" in evening.emulator.text)
    return hired[0]


def test_the_game_just_ended_can_be_analysed_at_the_table() -> None:
    async def play(evening: Evening) -> None:
        analyst = await look_back(evening)
        evening.type("a")
        await evening.until(lambda: "Mira's chance" in evening.emulator.text)
        assert analyst.asked == [AnalysisDepth.QUICK]
        assert not analyst.closed

    assert spend(play).wished == []


@pytest.mark.parametrize("leave", ["by key", "by a new game", "by another look"])
def test_leaving_the_replay_dismisses_whoever_analyses_it(leave: str) -> None:
    async def play(evening: Evening) -> None:
        analyst = await look_back(evening)
        match leave:
            case "by key":
                evening.type("q")
            case "by a new game":
                evening.show(replace(DEALT, game=2))
            case _:
                evening.face.replay(opened(), Analyst)
        await evening.until(lambda: analyst.closed)

    spend(play)


def test_the_end_of_the_evening_dismisses_whoever_analyses() -> None:
    hired: list[Analyst] = []

    async def play(evening: Evening) -> None:
        hired.append(await look_back(evening))

    spend(play)
    assert hired[0].closed
