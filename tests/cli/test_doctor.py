"""The doctor's report: a line a check, what it comes to, and the exit code."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from p2pdurak.cli import doctor, main
from p2pdurak.cli.doctor import Report, fields
from p2pdurak.doctor.finding import Area, Finding, Outcome
from p2pdurak.ui.line_out import LineOut
from tests.e2e.brokers import free_port

GOOD = Finding("python", Outcome.OK, "Python is there.")
DRAWBACK = Finding("disk", Outcome.WARNING, "Little room.", "Make room.")
BROKER = Finding("login", Outcome.FAILED, "Refused.", "Ask.", Area.BROKER, "h:1", {"code": 5})
SETTINGS = Finding("settings", Outcome.FAILED, "No TOML.", "", Area.SETTINGS)
PROGRAM = Finding("group", Outcome.FAILED, "Wrong.")


def report(*findings: Finding, as_json: bool = False) -> tuple[list[str], int]:
    out = io.StringIO()
    one = Report(LineOut(out), as_json=as_json)
    for finding in findings:
        one.add(finding)
    code = one.close()
    return out.getvalue().splitlines(), code


def test_lines_name_outcome_check_sentence_and_advice_and_the_broker_once() -> None:
    lines, _ = report(GOOD, DRAWBACK, BROKER, BROKER)
    assert lines == [
        "ok       python           Python is there.",
        "warning  disk             Little room. Make room.",
        "Broker h:1:",
        "failed   login            Refused. Ask.",
        "failed   login            Refused. Ask.",
        "2 checks failed.",
    ]


@pytest.mark.parametrize(
    ("findings", "last", "code"),
    [
        ((GOOD,), "All is well.", 0),
        ((GOOD, DRAWBACK), "All works; there is 1 warning.", 0),
        ((DRAWBACK, DRAWBACK), "All works; there are 2 warnings.", 0),
        ((DRAWBACK, BROKER), "1 check failed.", 3),
        ((BROKER, SETTINGS), "2 checks failed.", 2),
        ((BROKER, SETTINGS, PROGRAM), "3 checks failed.", 1),
    ],
)
def test_exit_code_is_that_of_the_deepest_fault(findings: tuple[Finding, ...], last: str, code: int) -> None:
    lines, found = report(*findings)
    assert (lines[-1], found) == (last, code)


def test_json_is_one_object_a_check_and_nothing_else() -> None:
    lines, code = report(GOOD, BROKER, as_json=True)
    assert [json.loads(line) for line in lines] == [fields(GOOD), fields(BROKER)]
    assert code == 3
    assert fields(BROKER) == {
        "check": "login",
        "broker": "h:1",
        "outcome": "failed",
        "message": "Refused.",
        "advice": "Ask.",
        "figures": {"code": 5},
    }


def test_report_ends_when_nobody_reads_it() -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        Report(LineOut(Gone()), as_json=True).add(GOOD)


# The command itself, in this process.


@pytest.fixture
def examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Examined:
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.delenv("P2PDURAK_BROKER", raising=False)
    monkeypatch.setattr("p2pdurak.doctor.self_test.CARDS", 4)
    return Examined(tmp_path / "p2pdurak" / "config.toml", capsys)


class Examined:
    def __init__(self, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.config = config
        self._capsys = capsys

    def run(self, *arguments: str) -> tuple[dict[str, dict[str, object]], int]:
        """The findings by check, and the exit code."""
        code = main.run(["doctor", "--json", *arguments])
        lines = self._capsys.readouterr().out.splitlines()
        return {found["check"]: found for found in map(json.loads, lines)}, code

    def set(self, text: str) -> None:
        self.config.parent.mkdir(mode=0o700)
        self.config.write_text(text)


def test_without_a_broker_the_embedded_one_is_started_and_examined(examined: Examined) -> None:
    pytest.importorskip("amqtt")
    found, code = examined.run()
    assert code == 0
    assert {one["outcome"] for one in found.values()} <= {"ok", "warning"}
    assert str(found["embedded broker"]["message"]).startswith("It starts")
    assert found["round trip"]["figures"].keys() >= {"p50_ms", "p99_ms"}  # type: ignore[attr-defined]


def test_broker_of_the_settings_is_examined_and_its_password_shown_nowhere(examined: Examined) -> None:
    examined.set(f'broker = "mqtt://mira:s3cret@127.0.0.1:{free_port()}"')
    found, code = examined.run()
    assert (found["tcp"]["outcome"], code) == ("failed", 3)
    assert "s3cret" not in json.dumps(found)


def test_without_the_embedded_broker_one_can_still_join(examined: Examined, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "p2pdurak.transport.strict", None)
    found, code = examined.run()
    assert (found["embedded broker"]["outcome"], code) == ("warning", 0)
    assert 'pip install "p2pdurak[broker]"' in str(found["embedded broker"]["message"])


def test_page_of_the_doctor_names_every_check_and_figure(examined: Examined) -> None:
    pytest.importorskip("amqtt")
    page = (Path(__file__).parents[2] / "docs" / "doctor.md").read_text("utf-8")
    found, _ = examined.run()
    named = set(found)
    for check, one in found.items():
        if check not in {"libraries", "broker extra"}:  # versions by the names of libraries
            named |= set(one["figures"])  # type: ignore[call-overload]
    assert {name for name in named if f"`{name}`" not in page} == set()


def test_embedded_broker_that_is_set_is_not_taken_for_a_name(examined: Examined) -> None:
    pytest.importorskip("amqtt")
    examined.set('broker = "embedded"')
    assert "embedded broker" in examined.run()[0]


def test_flag_can_ask_for_the_embedded_broker(examined: Examined) -> None:
    pytest.importorskip("amqtt")
    examined.set(f'broker = "127.0.0.1:{free_port()}"')
    found, code = examined.run("--broker", "embedded")
    assert ("embedded broker" in found, code) == (True, 0)


def test_flag_comes_before_the_settings(examined: Examined) -> None:
    examined.set('broker = "nowhere.invalid"')
    port = free_port()
    found, code = examined.run("--broker", f"127.0.0.1:{port}")
    assert (found["tcp"]["broker"], code) == (f"127.0.0.1:{port}", 3)


def test_address_that_is_none_is_told_without_repeating_it(examined: Examined) -> None:
    found, code = examined.run("--broker", "http://mira:s3cret@h")
    assert (found["address"]["outcome"], code) == ("failed", 3)
    assert "s3cret" not in json.dumps(found)


def test_broken_settings_are_told_with_file_and_line_and_the_rest_is_examined(examined: Examined) -> None:
    examined.set("theme =\n")
    found, code = examined.run("--broker", f"127.0.0.1:{free_port()}")
    assert str(examined.config) in str(found["settings"]["message"])
    assert "line 1" in str(found["settings"]["message"])
    assert (found["tcp"]["outcome"], code) == ("failed", 2)


def test_library_that_cannot_be_loaded_is_a_finding(examined: Examined, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ImportError("libsodium.so: cannot open shared object file")

    monkeypatch.setattr(doctor, "_check_the_rest", broken)
    found, code = examined.run()
    assert (found["loading"]["outcome"], code) == ("failed", 1)
    assert "libsodium.so" in str(found["loading"]["message"])
