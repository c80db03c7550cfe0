"""Where settings come from: environment before file before default, and what is said about a broken file."""

from __future__ import annotations

import getpass
from pathlib import Path

import pytest

from p2pdurak import settings
from p2pdurak.settings import SettingsError, load


def environment(folder: Path, file: str | bytes | None = None, **variables: str) -> dict[str, str]:
    """XDG folders of this test, with a settings file in them if one is given."""
    if file is not None:
        config = folder / "config" / "p2pdurak" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_bytes(file.encode() if isinstance(file, str) else file)
    return {"XDG_CONFIG_HOME": str(folder / "config"), "XDG_DATA_HOME": str(folder / "data"), **variables}


def test_environment_comes_before_the_file(tmp_path: Path) -> None:
    found = load(
        environment(tmp_path, 'name = "file"\nbroker = "file:1"', P2PDURAK_NAME="env", P2PDURAK_BROKER="env:2")
    )
    assert (found.name, found.brokers) == ("env", ("env:2",))


def test_file_comes_before_the_default(tmp_path: Path) -> None:
    found = load(environment(tmp_path, 'name = "file"\nbroker = "file:1"'))
    assert (found.name, found.brokers) == ("file", ("file:1",))


def test_empty_variable_sets_nothing(tmp_path: Path) -> None:
    found = load(environment(tmp_path, 'name = "file"', P2PDURAK_NAME=""))
    assert found.name == "file"


def test_without_anything_the_login_plays_and_no_broker_is_named(tmp_path: Path) -> None:
    found = load(environment(tmp_path))
    assert (found.name, found.brokers, found.program) == (getpass.getuser(), (), "p2pdurak")


def test_user_without_a_login_name_is_called_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(settings.getpass, "getuser", nobody)
    assert load(environment(tmp_path)).name == "player"


def test_several_brokers_may_be_listed_with_commas_or_spaces(tmp_path: Path) -> None:
    found = load(environment(tmp_path, P2PDURAK_BROKER="one:1, two:2  mqtts://three"))
    assert found.brokers == ("one:1", "two:2", "mqtts://three")


def test_program_is_named_as_it_was_started(tmp_path: Path) -> None:
    assert load(environment(tmp_path, P2PDURAK_PROG="scripts/p2pdurak")).program == "scripts/p2pdurak"


def test_games_and_settings_lie_in_the_xdg_folders(tmp_path: Path) -> None:
    found = load(environment(tmp_path))
    assert (found.data, found.config) == (tmp_path / "data/p2pdurak", tmp_path / "config/p2pdurak/config.toml")


@pytest.mark.parametrize("relative", ["config", "./config", "", "~/config"])
def test_relative_xdg_folder_is_ignored(relative: str) -> None:
    found = load({"XDG_CONFIG_HOME": relative, "XDG_DATA_HOME": relative})
    assert found.data.is_absolute()
    assert found.config.is_absolute()


@pytest.mark.parametrize(
    "file",
    ["name = ", "[", 'name = "a"\nname = "b"', b"name = \xff", b"\x00", "= 1"],
    ids=["no value", "open table", "name twice", "no UTF-8", "null byte", "no key"],
)
def test_broken_file_is_named_in_a_sentence(tmp_path: Path, file: str | bytes) -> None:
    given = environment(tmp_path, file)
    with pytest.raises(SettingsError, match=r"^The settings file .*config\.toml cannot be read: .*\.$"):
        load(given)


def test_folder_in_place_of_the_file_is_named_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "config/p2pdurak/config.toml").mkdir(parents=True)
    with pytest.raises(SettingsError, match="cannot be read"):
        load(environment(tmp_path))


@pytest.mark.parametrize("line", ["name = 7", 'broker = ["a", "b"]', "name = true", "broker = 1979-05-27"])
def test_value_of_another_type_is_refused_with_an_example(tmp_path: Path, line: str) -> None:
    key = line.split(maxsplit=1)[0]
    with pytest.raises(SettingsError, match=rf'{key} must be a text, such as {key} = "\.\.\."'):
        load(environment(tmp_path, line))


def test_keys_of_a_newer_program_change_nothing(tmp_path: Path) -> None:
    assert load(environment(tmp_path, 'name = "mira"\nlang = "uk"\n[colours]\ntrump = 3')).name == "mira"


def test_reading_settings_writes_nothing(tmp_path: Path) -> None:
    load(environment(tmp_path))
    assert list(tmp_path.iterdir()) == []


# Looks and habits.


LOOKS = {"theme": "terminal", "suits": 4, "sort": "suit", "mouse": True, "bell": False, "auto_done": "masked"}


def looks(folder: Path, file: str | None = None, **variables: str) -> dict[str, object]:
    found = load(environment(folder, file, **variables))
    return {name: getattr(found, name) for name in LOOKS}


def test_without_anything_looks_and_habits_are_the_defaults(tmp_path: Path) -> None:
    assert looks(tmp_path) == LOOKS


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ('theme = "mono"', "theme", "mono"),
        ('theme = "Dark"', "theme", "dark"),
        ("suits = 2", "suits", 2),
        ('suits = "2"', "suits", 2),
        ('sort = "rank"', "sort", "rank"),
        ("mouse = false", "mouse", False),
        ('mouse = "off"', "mouse", False),
        ("bell = true", "bell", True),
        ('auto_done = "ask"', "auto_done", "ask"),
    ],
)
def test_line_of_the_file_sets_one_thing(tmp_path: Path, line: str, key: str, value: object) -> None:
    assert looks(tmp_path, line) == {**LOOKS, key: value}


@pytest.mark.parametrize(
    ("variable", "text", "key", "value"),
    [
        ("P2PDURAK_THEME", "light", "theme", "light"),
        ("P2PDURAK_SUITS", "2", "suits", 2),
        ("P2PDURAK_SORT", " Rank ", "sort", "rank"),
        ("P2PDURAK_MOUSE", "0", "mouse", False),
        ("P2PDURAK_BELL", "Yes", "bell", True),
        ("P2PDURAK_AUTO_DONE", "instant", "auto_done", "instant"),
    ],
)
def test_variable_sets_one_thing(tmp_path: Path, variable: str, text: str, key: str, value: object) -> None:
    assert looks(tmp_path, **{variable: text}) == {**LOOKS, key: value}


def test_variable_comes_before_a_line_of_the_file_and_an_empty_one_does_not(tmp_path: Path) -> None:
    given = environment(tmp_path, 'theme = "dark"\nbell = true', P2PDURAK_THEME="mono", P2PDURAK_BELL="")
    assert (load(given).theme, load(given).bell) == ("mono", True)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('theme = "pink"', "theme must be one of: terminal, dark, light, mono"),
        ("theme = 3", "theme must be one of"),
        ("suits = 3", "suits must be one of: 4, 2"),
        ("suits = true", "suits must be one of: 4, 2"),
        ("suits = 4.0", "suits must be one of: 4, 2"),
        ("sort = []", "sort must be one of: suit, rank"),
        ("mouse = 1", "mouse must be true or false"),
        ('bell = "loud"', "bell must be true or false"),
        ('auto_done = ""', "auto_done must be one of: masked, instant, ask"),
    ],
)
def test_value_that_is_not_allowed_is_refused_with_what_is(tmp_path: Path, line: str, told: str) -> None:
    given = environment(tmp_path, line)
    with pytest.raises(SettingsError, match=rf"^In .*config\.toml, {told}.*\.$"):
        load(given)


@pytest.mark.parametrize(("variable", "text"), [("P2PDURAK_THEME", "pink"), ("P2PDURAK_MOUSE", "maybe")])
def test_wrong_variable_is_named(tmp_path: Path, variable: str, text: str) -> None:
    given = environment(tmp_path, **{variable: text})
    with pytest.raises(SettingsError, match=f"^{variable} must be "):
        load(given)
