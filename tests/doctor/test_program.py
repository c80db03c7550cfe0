"""What is installed, compared with what is needed."""

from __future__ import annotations

from importlib import metadata

import pytest

from p2pdurak.doctor import program
from p2pdurak.doctor.finding import Finding, Outcome
from p2pdurak.doctor.program import check_program

LINES = ["pynacl>=1.6.2", "aiomqtt<3,>=2.5", 'amqtt<0.13,>=0.12.1; extra == "broker"', 'ruff>=0.9; extra == "dev"']


@pytest.fixture(autouse=True)
def demanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program.metadata, "requires", lambda _: LINES)


def findings(**versions: str) -> dict[str, Finding]:
    def version(name: str) -> str:
        if name not in versions:
            raise metadata.PackageNotFoundError(name)
        return versions[name]

    return {finding.check: finding for finding in check_program(version)}


def test_all_libraries_in_time_are_named_with_their_versions() -> None:
    found = findings(pynacl="1.6.2", aiomqtt="2.10.0rc1", amqtt="0.12.1")
    assert {one.outcome for one in found.values()} == {Outcome.OK}
    assert found["libraries"].figures == {"pynacl": "1.6.2", "aiomqtt": "2.10.0rc1"}


@pytest.mark.parametrize("old", ["1.6.1", "1.5", "0.9.9"])
def test_library_that_is_too_old_is_named(old: str) -> None:
    found = findings(pynacl=old, aiomqtt="2.5", amqtt="0.12.1")["libraries"]
    assert (found.outcome, f"pynacl {old} is older than 1.6.2" in found.message) == (Outcome.FAILED, True)


def test_library_that_is_missing_is_named() -> None:
    found = findings(aiomqtt="2.5")["libraries"]
    assert (found.outcome, "pynacl is missing" in found.message) == (Outcome.FAILED, True)


def test_without_the_embedded_broker_it_is_said_how_to_get_it() -> None:
    found = findings(pynacl="1.6.2", aiomqtt="2.5")["broker extra"]
    assert (found.outcome, 'pip install "p2pdurak[broker]"' in found.advice) == (Outcome.WARNING, True)


def test_program_that_was_never_installed_compares_no_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(program.metadata, "requires", missing)
    assert findings(amqtt="0.12.1")["libraries"].outcome is Outcome.WARNING


def test_python_that_is_too_old_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "PYTHON_MIN", (99, 0))
    assert findings()["python"].outcome is Outcome.FAILED
