import json
import subprocess
import sys
from pathlib import Path

import pytest

from p2pdurak.rules.cases import WAYS, BadFile, Failure, check, main, opened, read_cases
from p2pdurak.rules.state import Hand

FILE = Path(__file__).parent / "cases" / "rules.json"
DATA = json.loads(FILE.read_text(encoding="utf-8"))
IDS = [case["id"] for case in DATA["cases"]]


def the_case(name: str) -> dict:
    """A copy that a test may alter."""
    return json.loads(json.dumps(next(case for case in DATA["cases"] if case["id"] == name)))


def file_of(*cases: dict) -> str:
    return json.dumps({"about": "", "cases": list(cases)})


def verdict(case: dict) -> str | None:
    """None if the case passes, else its line."""
    (read,) = read_cases(file_of(case))
    try:
        check(read)
    except Failure as failure:
        return str(failure)
    return None


# ---- the cases hold, and can fail ----


@pytest.mark.parametrize("name", IDS)
def test_a_case_of_the_file_holds(name):
    assert verdict(the_case(name)) is None


def test_there_are_four_ways_to_run_a_case():
    assert {(way.known, way.auto_done) for way in WAYS} == {(a, b) for a in (True, False) for b in (True, False)}


def test_half_of_the_ways_hide_all_cards_from_the_rules():
    (case,) = read_cases(file_of(the_case("R12")))
    for way in WAYS:
        game = opened(case, way)
        assert game.hands == case.hands
        assert game.state.hands == (
            (Hand(case.hands[0], 0), Hand(case.hands[1], 0)) if way.known else (Hand((), 1), Hand((), 2))
        )


def falsified(key: str, value: object) -> object:
    """Another value that the form allows for this expectation."""
    match key:
        case "A" | "B" | "talon" | "discard":
            return " ".join(value.split()[1:]) or ("6c" if value == "As" else "As")
        case "table":
            return value[1:] or ["6c/As"]
        case "legal":
            return value[1:] or ["take"]
        case "phase":
            return "attack" if value == "pileon" else "pileon"
        case "result":
            return "draw" if value == "win" else "win"
        case _:
            return "B" if value == "A" else "A"


@pytest.mark.parametrize("name", IDS)
def test_each_expectation_of_a_case_is_checked(name):
    """Turned into something false, every single expectation makes the case fail and is named in its line."""
    for key, value in the_case(name)["expect"].items():
        case = the_case(name)
        case["expect"][key] = falsified(key, value)
        line = verdict(case)
        assert line is not None
        assert line.startswith(f"{name} failed (cards known, forced done played): {key} is ")


@pytest.mark.parametrize(
    ("name", "key", "wrong"),
    [
        ("R08", "discard", "6c"),
        ("R02", "legal", ["Qc"]),
        ("R05", "durak", "A"),
        ("R14", "turn", "A"),
        ("R31", "talon", "9h"),
        ("R12", "table", ["6c/-"]),
    ],
)
def test_an_expectation_that_the_case_did_not_have_is_checked_too(name, key, wrong):
    case = the_case(name)
    case["expect"][key] = wrong
    assert f"{key} is " in verdict(case)


def test_cards_are_compared_as_sets_and_the_talon_in_order():
    case = the_case("R11")
    case["steps"], case["expect"] = [], {"A": "Kc 9h 9d 6c", "talon": "Jc Jd Jh As"}
    assert verdict(case) is None
    case["expect"]["talon"] = "Jd Jc Jh As"
    assert "talon is [Jc Jd Jh As], expected [Jd Jc Jh As]" in verdict(case)


def test_a_card_too_many_in_a_hand_makes_a_case_fail():
    case = the_case("R12")
    case["expect"]["A"] = "As 6c"
    assert "A is [As], expected [6c As]" in verdict(case)


def test_a_step_that_must_be_refused_and_is_not_makes_a_case_fail():
    case = the_case("R12")
    case["steps"][0] += " !"
    assert "step 'A 6c !' was accepted" in verdict(case)


@pytest.mark.parametrize("step", ["A Kd", "B 7c", "A take", "A done", "A 7c", "A 6s"])
def test_a_step_that_is_refused_and_must_not_be_makes_a_case_fail(step):
    case = the_case("R12")
    case["steps"] = [step]
    assert f"step {step!r} was refused: " in verdict(case)


def test_a_card_not_held_is_refused_with_hidden_cards_too():
    case = the_case("R12")
    case["steps"], case["expect"] = ["A Kd !", "A 7c !", "A As !"], {"A": "6c", "turn": "A"}
    assert verdict(case) is None


def test_a_forced_done_played_by_the_runner_leaves_none_to_send():
    case = the_case("R11")
    case["steps"][-1] = "A done"
    assert "(cards known, forced done played): step 'A done' was refused" in verdict(case)


def test_a_forced_done_not_sent_shows_in_the_other_ways():
    case = the_case("R11")
    del case["steps"][-1]
    assert "(cards known, forced done not played): " in verdict(case)


# ---- bad files ----


def altered(name: str, **changes: object) -> str:
    return file_of({**the_case(name), **changes})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "this is not JSON"),
        ("[" * 100_000, "this is not JSON"),
        ('{"cases": [], "cases": []}', "stands twice"),
        ("[]", "must be one object"),
        ('{"cases": {}}', "must be one object"),
        ('{"cases": [], "more": 1}', "must be one object"),
        ('{"about": ""}', "must be one object"),
        (file_of(), "holds no cases"),
        ('{"cases": [7]}', "case number 1 is no object"),
        ('{"cases": [{"id": 7}]}', "case number 1 is no object"),
        (altered("R12", id=""), "cannot be printed"),
        (altered("R12", id="R\n12"), "cannot be printed"),
        (file_of(the_case("R12"), the_case("R12")), "two cases R12"),
        (altered("R12", options={}), "case R12: unknown key 'options'"),
        (file_of({key: value for key, value in the_case("R12").items() if key != "talon"}), "missing key 'talon'"),
        (altered("R12", trump="x"), "no suit"),
        (altered("R12", trump=["s"]), "no suit"),
        (altered("R12", attacker="C"), "no seat"),
        (altered("R12", A="6x"), "is no card"),
        (altered("R12", A=["6c"]), "should be a text"),
        (altered("R12", A=""), "empty hand"),
        (altered("R12", A="6c 7c"), "two places"),
        (altered("R12", A="Jd", talon="Jd As"), "two places"),
        (altered("R12", trump="h"), "indicator must be a trump"),
        (altered("R12", steps="A 6c"), "should be a list"),
        (altered("R12", steps=[7]), "should be a text"),
        (altered("R12", steps=["A"]), "should be a seat"),
        (altered("R12", steps=["A 6c ! !"]), "should be a seat"),
        (altered("R12", steps=["A 6c ?"]), "should be a seat"),
        (altered("R12", steps=["C 6c"]), "no seat"),
        (altered("R12", steps=["A pass"]), "is no card"),
        (altered("R12", expect=[]), "should be an object"),
        (altered("R12", expect={"hand": "6c"}), "unknown expectation 'hand'"),
        (altered("R12", expect={"phase": "defence"}), "none of attack"),
        (altered("R12", expect={"result": "loss"}), "none of win, draw"),
        (altered("R12", expect={"turn": "C"}), "no seat"),
        (altered("R12", expect={"table": ["6c"]}), "is no card"),
        (altered("R12", expect={"table": "6c/7c"}), "should be a list"),
        (altered("R12", expect={"legal": ["pass"]}), "is no card"),
        (altered("R12", expect={"discard": None}), "should be a text"),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(BadFile, match=sentence):
        read_cases(text)


# ---- the program ----


def test_the_program_passes_the_whole_file(capsys):
    assert main([str(FILE)]) == 0
    assert capsys.readouterr() == ("24 passed, 0 failed\n", "")


def test_the_program_prints_a_line_for_each_failed_case(tmp_path, capsys):
    first, second = the_case("R12"), the_case("R13")
    first["expect"]["A"] = ""
    second["steps"] = ["A 6c !"]
    path = tmp_path / "cases.json"
    path.write_text(file_of(first, the_case("R14"), second))
    assert main([str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["R12", "R13", "1"]
    assert lines[-1] == "1 passed, 2 failed"


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b'{"cases": []}', None])
def test_the_program_says_in_one_sentence_that_a_file_is_bad(content, tmp_path, capsys):
    path = tmp_path / "cases.json"
    if content is not None:
        path.write_bytes(content)
    assert main([str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(str(path))
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["a", "b"]])
def test_the_program_wants_one_file(arguments, capsys):
    assert main(arguments) == 2
    assert capsys.readouterr().err == "usage: python -m p2pdurak.rules.cases FILE\n"


@pytest.mark.parametrize("flags", [[], ["-O"]])
def test_the_program_runs_as_a_module(flags):
    command = [sys.executable, *flags, "-m", "p2pdurak.rules.cases", str(FILE)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert (run.returncode, run.stdout, run.stderr) == (0, "24 passed, 0 failed\n", "")
