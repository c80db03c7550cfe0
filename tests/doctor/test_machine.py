"""The data folder and the terminal: what is well, what is a drawback, and what stops a game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from p2pdurak.doctor import machine
from p2pdurak.doctor.finding import Finding, Outcome
from p2pdurak.doctor.machine import Screen, check_files, check_settings, check_terminal
from p2pdurak.settings import Settings
from p2pdurak.store import Secrets, Store

WIDE = Screen(
    is_terminal=True, columns=80, rows=24, encoding="utf-8", variables={"TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "data", tmp_path / "config.toml", "mira", (), "p2pdurak")


def files(settings: Settings) -> dict[str, Finding]:
    return {finding.check: finding for finding in check_files(settings)}


def terminal(screen: Screen) -> dict[str, Finding]:
    return {finding.check: finding for finding in check_terminal(screen)}


def test_fresh_folder_is_well(settings: Settings) -> None:
    found = files(settings)
    assert list(found) == ["data folder", "disk", "privacy", "saved games"]
    assert {one.outcome for one in found.values()} == {Outcome.OK}


def test_folder_that_others_may_write_to_stops_a_game(settings: Settings) -> None:
    settings.data.mkdir()
    settings.data.chmod(0o777)
    found = files(settings)
    assert list(found) == ["data folder"]
    assert (found["data folder"].outcome, "chmod" in found["data folder"].message) == (Outcome.FAILED, True)


def test_file_in_place_of_the_folder_stops_a_game(settings: Settings) -> None:
    settings.data.write_text("")
    assert files(settings)["data folder"].outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("free", "outcome"),
    [
        (2**20 - 1, Outcome.FAILED),
        (2**20, Outcome.WARNING),
        (100 * 2**20 - 1, Outcome.WARNING),
        (100 * 2**20, Outcome.OK),
    ],
)
def test_disk_that_is_nearly_full_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, free: int, outcome: Outcome
) -> None:
    whole = machine.shutil.disk_usage(settings.config.parent)
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda _: whole._replace(free=free))
    assert (files(settings)["disk"].outcome, files(settings)["disk"].figures) == (outcome, {"free_bytes": free})


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_key_that_others_may_read_is_named_with_what_to_run(settings: Settings, mode: int) -> None:
    key = Store(settings.data).folder / "player-1.key"
    key.write_bytes(bytes(32))
    key.chmod(mode)
    found = files(settings)["privacy"]
    assert found.outcome is Outcome.WARNING
    assert found.advice == f"Run: chmod -R go= '{key}'"


@pytest.mark.parametrize(("broker", "outcome"), [("mqtts://mira:s3cret@h", Outcome.WARNING), ("h:1", Outcome.OK)])
def test_settings_that_others_may_read_matter_where_a_password_is_in_them(
    settings: Settings, broker: str, outcome: Outcome
) -> None:
    settings.config.write_text(f'broker = "{broker}"')
    settings.config.chmod(0o644)
    found = files(replace(settings, brokers=(broker,)))["privacy"]
    assert found.outcome is outcome
    assert "s3cret" not in f"{found}"


def test_games_that_are_not_finished_are_counted(settings: Settings) -> None:
    store = Store(settings.data)
    for stem in ("one", "two"):
        store.new_log(stem).close()
    log = store.new_log("three")
    log.save_secrets(Secrets(0, bytes(64), bytes(32)))
    log.close()
    found = files(settings)["saved games"]
    assert found.figures == {"games": 3, "unfinished": 1}
    assert found.advice == "List them: p2pdurak logs"


def test_settings_file_that_is_not_there_is_no_fault(settings: Settings) -> None:
    found = check_settings(settings)
    assert (found.outcome, found.figures["exists"]) == (Outcome.OK, False)


def test_good_terminal_is_well() -> None:
    found = terminal(WIDE)
    assert list(found) == ["terminal", "colours", "signs"]
    assert {one.outcome for one in found.values()} == {Outcome.OK}


@pytest.mark.parametrize(
    ("screen", "check"),
    [
        (replace(WIDE, columns=39), "terminal"),
        (replace(WIDE, rows=11), "terminal"),
        (replace(WIDE, variables={"TERM": "dumb"}), "terminal"),
        (replace(WIDE, variables={}), "terminal"),
        (replace(WIDE, encoding="latin-1"), "signs"),
        (replace(WIDE, encoding="nonesuch"), "signs"),
        (replace(WIDE, variables={"TERM": "xterm", "LANG": "ar_EG.UTF-8"}), "direction"),
        (replace(WIDE, variables={"TERM": "xterm", "LANG": "en", "LC_ALL": "he_IL"}), "direction"),
    ],
)
def test_terminal_with_a_drawback_is_told(screen: Screen, check: str) -> None:
    found = {name: one for name, one in terminal(screen).items() if one.outcome is not Outcome.OK}
    assert list(found) == [check]
    assert found[check].outcome is Outcome.WARNING
    assert found[check].advice


def test_output_that_goes_to_no_terminal_is_no_drawback() -> None:
    assert terminal(replace(WIDE, is_terminal=False, columns=1))["terminal"].outcome is Outcome.OK


@pytest.mark.parametrize(
    ("variables", "colours"),
    [
        ({"NO_COLOR": "1", "COLORTERM": "truecolor"}, "none, for NO_COLOR is set"),
        ({"COLORTERM": "truecolor"}, "16 million"),
        ({"TERM": "screen-256color"}, "256"),
        ({"TERM": "linux"}, "16"),
    ],
)
def test_colours_are_counted(variables: dict[str, str], colours: str) -> None:
    assert terminal(replace(WIDE, variables=variables))["colours"].figures == {"colours": colours}
