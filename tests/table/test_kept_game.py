"""What is kept of a game for a new process: read as it was written, and refused as a sentence in any other form."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2pdurak.files import StoreError
from p2pdurak.rules.match import GameEnd, Match
from p2pdurak.rules.options import CLASSIC
from p2pdurak.safe_text import SafeText
from p2pdurak.store import Secrets, Store, secrets_path
from p2pdurak.table.kept_game import KeptError, KeptGame, WayBack, comeback, kept_beside, kept_game

WAY = WayBack(2, ("mqtts://mira:s3cret@broker.example:8883",), "127.0.0.1", 40001)
LAST = GameEnd(opener=1, winner=0, durak=1, finished=True, resigned=True, claimed=False)
KEPT = KeptGame(
    secret=bytes(range(32)),
    way=WAY,
    name=SafeText("Mira"),
    stem="k7q2m",
    number=3,
    link=b"l" * 32,
    former=b"f" * 32,
    peer_key=b"p" * 32,
    peer_name=SafeText("Oleg"),
    options=CLASSIC,
    match=Match((0, 1), 1, 1, 0, 0, LAST),
    games=5,
    confirm=True,
    friends_broker="192.0.2.7:1883",
)
ANYTHING: tuple[Any, ...] = (
    *(None, True, -1, 1 << 40, 0.5, "", "x", "\x1b[2J", "й" * 5000, "zz" * 32, [], ["a", 3], {}, [[]], {"last": 1}),
)


def as_json(kept: KeptGame) -> dict[str, Any]:
    value = json.loads(json.dumps(kept.fields()))
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize(
    "kept",
    [
        KEPT,
        replace(KEPT, peer_key=None, peer_name=SafeText(""), friends_broker=None, match=Match(), confirm=False),
        replace(KEPT, way=WayBack(1, bot="easy")),
    ],
)
def test_what_is_kept_is_read_as_it_was_written(kept: KeptGame) -> None:
    assert kept_game(as_json(kept)) == kept


@pytest.mark.parametrize("name", sorted(KEPT.fields()))
def test_a_missing_field_is_a_sentence(name: str) -> None:
    fields = as_json(KEPT)
    del fields[name]
    with pytest.raises(KeptError, match="The file of secrets beside it"):
        kept_game(fields)


@pytest.mark.parametrize("name", sorted(KEPT.fields()))
@pytest.mark.parametrize("value", ANYTHING)
def test_any_other_value_of_a_field_is_taken_or_a_sentence(name: str, value: object) -> None:
    kept = None
    with suppress(KeptError):
        kept = kept_game({**as_json(KEPT), name: value})
    if kept is not None:
        assert "\x1b" not in kept.name + kept.peer_name
        assert kept_game(as_json(kept)) == kept


@pytest.mark.parametrize("name", ["score", "draws", "resigned", "claimed", "unfinished", "last"])
@pytest.mark.parametrize("value", ANYTHING)
def test_a_score_that_no_match_has_is_a_sentence(name: str, value: object) -> None:
    fields = as_json(KEPT)
    fields["match"][name] = value
    if name == "last" and value is None:
        assert kept_game(fields).match.last is None
        return
    with pytest.raises(KeptError):
        kept_game(fields)


def test_neither_password_nor_secret_is_in_the_text_of_the_value() -> None:
    assert "s3cret" not in repr(KEPT)
    assert repr(KEPT.secret) not in repr(KEPT)


@pytest.mark.parametrize(
    ("secrets", "said"),
    [
        (Secrets(1, b"e" * 64, b"n" * 32), "does not say how to go on"),
        (Secrets(1, b"e" * 64, b"n" * 32, {"format": 99}), "another version"),
        (Secrets(1, b"e" * 63, b"n" * 32, KEPT.fields()), "is damaged"),
        (Secrets(1, b"e" * 64, b"", KEPT.fields()), "is damaged"),
    ],
)
def test_a_file_that_does_not_say_how_to_go_on_is_told_so(tmp_path: Path, secrets: Secrets, said: str) -> None:
    log = Store(tmp_path / "p").new_log("game")
    log.save_secrets(secrets)
    with pytest.raises(KeptError, match=said):
        kept_beside(log.path)


def test_a_log_without_secrets_is_told_so(tmp_path: Path) -> None:
    log = Store(tmp_path / "p").new_log("game")
    with pytest.raises(KeptError, match="no secrets beside it"):
        comeback(log.path)


def test_a_game_that_a_running_program_has_is_refused_until_it_is_let_go(tmp_path: Path) -> None:
    log = Store(tmp_path / "p").new_log("game")
    log.save_secrets(Secrets(1, b"e" * 64, b"n" * 32, KEPT.fields()))
    with pytest.raises(StoreError, match="is being played by another program"):
        comeback(log.path)
    log.close()
    back = comeback(log.path)
    assert (back.kept, back.records, back.notes) == (KEPT, (), ())
    assert secrets_path(log.path).stat().st_mode & 0o777 == 0o600
