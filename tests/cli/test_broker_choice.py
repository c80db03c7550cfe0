"""Which broker a host uses: what comes before what, who is asked, and that nobody is asked twice."""

from __future__ import annotations

import argparse
import io
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2pdurak.cli import broker_choice
from p2pdurak.cli.broker_choice import NOBODY, ONE_OF, OWN, ask_once, choose
from p2pdurak.cli.seating import UsageError
from p2pdurak.settings import Settings, load
from tests.cli.scripted import Person


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@dataclass
class Book:
    """As much of a guestbook as the choice reads."""

    options: argparse.Namespace
    settings: Settings
    unattended: bool = False


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "p2pdurak" / "config.toml"


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Standard input and error, both a terminal."""
    both = SimpleNamespace(stdin=Terminal(), stderr=Terminal())
    monkeypatch.setattr(broker_choice, "sys", both)
    return both


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch, streams: SimpleNamespace) -> Person:
    """Somebody at the terminal, who answers nothing unless the test gives him lines."""
    one = Person([])
    monkeypatch.setattr(broker_choice, "ask", one.ask)
    monkeypatch.setattr(broker_choice, "say", one.say)
    return one


def book(config: Path, *, broker: tuple[str, ...] = (), bind: str | None = None, port: int = 0, **more: Any) -> Any:
    settings = load({"XDG_CONFIG_HOME": str(config.parents[1]), "XDG_DATA_HOME": str(config.parents[1])})
    return Book(argparse.Namespace(broker=list(broker), bind=bind, port=port), settings, **more)


def set_broker(config: Path, text: str) -> None:
    config.parent.mkdir()
    config.write_text(f'broker = "{text}"\n')


# What comes before what.


def test_flag_comes_before_the_settings(config: Path, person: Person) -> None:
    set_broker(config, "set:1")
    assert choose(book(config, broker=("flag:1", "flag:2"))) == ("flag:1", "flag:2")


def test_settings_are_used_without_a_question(config: Path, person: Person) -> None:
    set_broker(config, "set:1 set:2")
    assert choose(book(config)) == ("set:1", "set:2")
    assert person.asked == []


def test_embedded_broker_that_is_set_is_used_without_a_question(config: Path, person: Person) -> None:
    set_broker(config, "embedded")
    assert (choose(book(config)), person.asked) == ((), [])


def test_flag_can_ask_for_the_embedded_broker(config: Path) -> None:
    set_broker(config, "set:1")
    assert choose(book(config, broker=("embedded",))) == ()


@pytest.mark.parametrize("flags", [{"bind": "127.0.0.1"}, {"port": 1883}])
def test_flags_of_the_embedded_broker_mean_it_and_nobody_is_asked(
    config: Path, person: Person, flags: dict[str, Any]
) -> None:
    set_broker(config, "set:1")
    assert (choose(book(config, **flags)), person.asked) == ((), [])


def test_program_that_plays_is_not_asked(config: Path, person: Person) -> None:
    assert (choose(book(config, unattended=True)), person.asked) == ((), [])


@pytest.mark.parametrize("stream", ["stdin", "stderr"])
def test_nobody_is_asked_through_a_pipe(config: Path, person: Person, streams: SimpleNamespace, stream: str) -> None:
    setattr(streams, stream, io.StringIO())
    assert (choose(book(config)), person.asked) == ((), [])


def test_setting_that_is_no_broker_is_told_with_where_it_stands(config: Path) -> None:
    set_broker(config, "http://h")
    with pytest.raises(UsageError, match=r"that is set in .*config\.toml cannot be used. http:// is not spoken"):
        choose(book(config))


# The question.


@pytest.mark.parametrize(
    ("lines", "chosen"),
    [
        ([""], ("embedded",)),
        (["1"], ("embedded",)),
        (["2", ""], ("emqx",)),
        (["2", "HiveMQ"], ("hivemq",)),
        (["2", "emxq", "emqx"], ("emqx",)),
        (["3", "h"], ("mqtt://h:1883",)),
        (["3", "mqtts://mira:a%2Cb@h"], ("mqtts://mira:a%2Cb@h:8883",)),
        (["3", "one:1, two:2"], ("mqtt://one:1", "mqtt://two:2")),
        (["3", "mosquitto"], ("mosquitto",)),
        (["4", "what?", "1"], ("embedded",)),
    ],
)
def test_answer_is_used_and_remembered_and_nobody_is_asked_again(
    config: Path, person: Person, lines: list[str], chosen: tuple[str, ...]
) -> None:
    person.lines = list(lines)
    meant = () if chosen == ("embedded",) else chosen
    assert choose(book(config)) == meant
    assert len(person.asked) == len(lines)
    assert any(str(config) in told and "--broker URL" in told for told in person.heard)
    assert (choose(book(config)), len(person.asked)) == (meant, len(lines))


def test_wrong_address_is_told_and_asked_for_again(config: Path) -> None:
    person = Person(["3", "", "mqtt://h:0", "h:1"])
    assert ask_once(config, person.ask, person.say) == ("mqtt://h:1",)
    assert person.heard[-4:-1] == [OWN, OWN, person.heard[-2]]
    assert "from 1 to 65535" in person.heard[-2]


def test_public_broker_is_chosen_with_its_notice_in_view(config: Path) -> None:
    person = Person(["2", ""])
    ask_once(config, person.ask, person.say)
    assert "it sees addresses, times and sizes" in person.heard[2]
    assert "broker.emqx.io" in person.heard[5]


def test_other_answer_than_a_number_is_told_what_to_type(config: Path) -> None:
    person = Person(["mqtt://h", "1"])
    ask_once(config, person.ask, person.say)
    assert person.heard.count(ONE_OF) == 2


@pytest.mark.parametrize("lines", [[], ["2"], ["3"]])
def test_closed_terminal_chooses_nothing(config: Path, lines: list[str]) -> None:
    person = Person(list(lines))
    with pytest.raises(UsageError, match=NOBODY):
        ask_once(config, person.ask, person.say)
    assert not config.exists()


def test_choice_that_cannot_be_remembered_is_used_all_the_same(config: Path) -> None:
    config.parent.write_text("a file in place of the folder")
    person = Person(["1"])
    assert ask_once(config, person.ask, person.say) == ("embedded",)
    assert 'broker = "embedded"' in person.heard[-1]
