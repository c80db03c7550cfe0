"""Remembering the broker: one line of the settings file changes, and nothing else of it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from p2pdurak.config import remember_broker
from p2pdurak.files import StoreError
from p2pdurak.settings import load


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config" / "p2pdurak" / "config.toml"


def read_back(config: Path) -> tuple[tuple[str, ...], bool]:
    found = load({"XDG_CONFIG_HOME": str(config.parents[1]), "XDG_DATA_HOME": str(config.parents[1])})
    return found.brokers, found.embedded


def write(config: Path, text: str) -> None:
    config.parent.mkdir(parents=True)
    config.write_text(text)


@pytest.mark.parametrize(
    ("value", "brokers", "embedded"),
    [
        ("embedded", (), True),
        ("emqx", ("emqx",), False),
        ("mqtt://one:1 mqtt://two:2", ("mqtt://one:1", "mqtt://two:2"), False),
        ('mqtts://m"a\\:ü@h?cafile=/a%20b', ('mqtts://m"a\\:ü@h?cafile=/a%20b',), False),
    ],
)
def test_what_was_remembered_is_what_the_next_program_reads(
    config: Path, value: str, brokers: tuple[str, ...], embedded: bool
) -> None:
    remember_broker(config, value)
    assert read_back(config) == (brokers, embedded)


def test_file_and_its_folder_are_for_the_owner_alone(config: Path) -> None:
    remember_broker(config, "emqx")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (config, config.parent)] == [0o600, 0o700]


def test_other_lines_stay_also_below_a_table(config: Path) -> None:
    before = '# mine\ntheme = "dark"\n\n[colours]\nbroker_colour = 3\n'
    write(config, before)
    remember_broker(config, "emqx")
    assert config.read_text() == 'broker = "emqx"\n' + before


def test_earlier_choice_is_replaced(config: Path) -> None:
    write(config, 'theme = "dark"\nbroker = "" # none\nbell = true')
    remember_broker(config, "emqx")
    assert config.read_text() == 'broker = "emqx"\ntheme = "dark"\nbell = true'


def test_link_to_the_file_stays_a_link(config: Path, tmp_path: Path) -> None:
    write(config, "")
    config.unlink()
    config.symlink_to(tmp_path / "dotfiles.toml")
    remember_broker(config, "emqx")
    assert config.is_symlink()
    assert (tmp_path / "dotfiles.toml").read_text() == 'broker = "emqx"\n'


@pytest.mark.parametrize(
    "before",
    ["theme = ", '[table]\nbroker = "x"\n', 'note = """\nbroker = "x"\n"""\n'],
    ids=["no TOML", "a key of that name in a table", "such a line in a text"],
)
def test_file_that_cannot_be_changed_by_one_line_stays_and_the_line_is_told(config: Path, before: str) -> None:
    write(config, before)
    with pytest.raises(StoreError, match=r'Write this line at the top of .*config\.toml: broker = "emqx"'):
        remember_broker(config, "emqx")
    assert config.read_text() == before


def test_folder_that_cannot_be_made_is_told_in_a_sentence(config: Path) -> None:
    config.parents[1].write_text("a file")
    with pytest.raises(StoreError, match="cannot be remembered"):
        remember_broker(config, "emqx")
