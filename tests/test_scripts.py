"""The scripts at the door, each started as a user starts it, in a copy of the checkout.

Real: the shell, Python, `venv`. Played by small programs on the paths: pip, the game, pytest. Nothing is fetched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[1]

PIP = """
import json, os, sys
if "--version" not in sys.argv:
    with open(os.environ["PIP_LOG"], "a") as log:
        print(json.dumps(sys.argv[1:]), file=log)
    exec(os.environ.get("PIP_DOES", ""))
"""

GAME = """
import json, os, sys
print(json.dumps({"arguments": sys.argv[1:], "prog": os.environ["P2PDURAK_PROG"]}))
raise SystemExit(int(os.environ.get("GAME_EXIT", "0")))
"""

PYTEST = "import json, os, sys; print(json.dumps([os.getcwd(), *sys.argv[1:]]))"

TOOL = """#!/bin/sh
echo ran TOOL $* PYTHONPATH=$PYTHONPATH
case " $FAILING " in *" TOOL "*) exit 1 ;; esac
"""

TOOLS = f"""
import pathlib
for name in ("ruff", "mypy", "lint-imports"):
    tool = pathlib.Path(".venv/bin", name)
    tool.write_text({TOOL!r}.replace("TOOL", name))
    tool.chmod(0o755)
"""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A copy of what the scripts need, on a machine that holds only what `programs` and `modules` hold."""

    root: Path
    programs: Path
    modules: Path

    def run(self, *words: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=cwd or self.root, env=self.env(**env), capture_output=True, text=True, check=False
        )

    def start(self, *words: str, **env: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            words, cwd=self.root, env=self.env(**env), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def env(self, **more: str) -> dict[str, str]:
        fixed = {"PATH": str(self.programs), "PYTHONPATH": str(self.modules), "PIP_LOG": str(self.modules / "log")}
        return fixed | more

    def installs(self) -> list[str]:
        """What pip was asked to install, in order: the last argument of each call."""
        log = self.modules / "log"
        return [json.loads(line)[-1] for line in log.read_text().splitlines()] if log.exists() else []

    def customize(self, code: str) -> None:
        """Let every Python of this machine run `code` first."""
        (self.modules / "sitecustomize.py").write_text(code)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    made = Checkout(tmp_path / "a checkout", tmp_path / "programs", tmp_path / "modules")
    for folder in (made.root, made.programs, made.modules):
        folder.mkdir()
    shutil.copytree(TREE / "scripts", made.root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TREE / "pyproject.toml", made.root)
    for name in ("sh", "cksum", "readlink", "dirname", "basename"):
        program = shutil.which(name)
        assert program is not None
        (made.programs / name).symlink_to(program)
    (made.programs / "python3").write_text(f"#!/bin/sh\nexec '{sys.executable}' \"$@\"\n")
    (made.programs / "python3").chmod(0o755)
    for name, code in {"pip": PIP, "p2pdurak": GAME, "pytest": PYTEST}.items():
        (made.modules / f"{name}.py").write_text(code)
    return made


# What a start does


def test_first_start_installs_the_game_with_the_broker_and_says_so_in_one_line(checkout: Checkout) -> None:
    done = checkout.run("./scripts/p2pdurak", "host")
    assert done.returncode == 0
    assert checkout.installs() == [".[broker]"]
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("p2pdurak: setting up, once:")


def test_pip_prints_nothing_of_its_own(checkout: Checkout) -> None:
    done = checkout.run("./scripts/p2pdurak", PIP_DOES="print('chatter'); print('chatter', file=sys.stderr)")
    assert "chatter" not in done.stdout + done.stderr


def test_later_start_installs_nothing_and_says_nothing(checkout: Checkout) -> None:
    checkout.run("./scripts/p2pdurak")
    done = checkout.run("./scripts/p2pdurak")
    assert (done.stderr, checkout.installs()) == ("", [".[broker]"])


def test_later_start_needs_no_python_but_its_own(checkout: Checkout) -> None:
    checkout.run("./scripts/p2pdurak")
    (checkout.programs / "python3").unlink()
    assert checkout.run("./scripts/p2pdurak").returncode == 0


def test_new_set_up_of_a_made_environment_needs_no_python_but_its_own(checkout: Checkout) -> None:
    checkout.run("./scripts/p2pdurak")
    (checkout.programs / "python3").unlink()
    (checkout.root / ".venv" / "ready-broker").unlink()
    assert checkout.run("./scripts/p2pdurak").returncode == 0


def test_changed_pyproject_is_installed_again(checkout: Checkout) -> None:
    checkout.run("./scripts/p2pdurak")
    with (checkout.root / "pyproject.toml").open("a") as file:
        file.write("# another dependency\n")
    checkout.run("./scripts/p2pdurak")
    assert checkout.installs() == [".[broker]", ".[broker]"]


def test_moved_checkout_is_installed_again(checkout: Checkout, tmp_path: Path) -> None:
    checkout.run("./scripts/p2pdurak")
    moved = checkout.root.rename(tmp_path / "elsewhere")
    assert checkout.run("./scripts/p2pdurak", cwd=moved).returncode == 0
    assert checkout.installs() == [".[broker]", ".[broker]"]


def test_environment_that_stands_already_is_kept_and_added_to(checkout: Checkout) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", checkout.root / ".venv"], check=True)
    mark = checkout.root / ".venv" / "mine"
    mark.touch()
    assert checkout.run("./scripts/p2pdurak").returncode == 0
    assert mark.exists()


def test_environment_whose_python_is_gone_is_made_anew(checkout: Checkout) -> None:
    checkout.run("./scripts/p2pdurak")
    python = checkout.root / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert checkout.run("./scripts/p2pdurak").returncode == 0
    assert checkout.installs() == [".[broker]", ".[broker]"]


def test_environment_that_is_no_environment_is_made_anew_before_pip_touches_the_system(checkout: Checkout) -> None:
    checkout.run("./scripts/p2pdurak")
    (checkout.root / ".venv" / "pyvenv.cfg").write_text("")
    (checkout.root / ".venv" / "ready-broker").unlink()
    done = checkout.run("./scripts/p2pdurak", PIP_DOES="assert sys.prefix != sys.base_prefix, 'the system'")
    assert done.returncode == 0


def test_two_first_starts_at_once_install_once(checkout: Checkout) -> None:
    env = {"PIP_DOES": "import time; time.sleep(0.3)"}
    starts = [checkout.start("./scripts/p2pdurak", **env) for _ in range(3)]
    told = [start.communicate()[1] for start in starts]
    assert [start.returncode for start in starts] == [0, 0, 0]
    assert checkout.installs() == [".[broker]"]
    assert sum("setting up, once" in text for text in told) == 1


@pytest.mark.parametrize("victim", ["os.getppid()", "os.getpid()"], ids=["the set-up", "pip"])
def test_killed_set_up_is_finished_by_the_next_start(checkout: Checkout, victim: str) -> None:
    killed = checkout.run("./scripts/p2pdurak", PIP_DOES=f"os.kill({victim}, 9)")
    assert killed.returncode != 0
    done = checkout.run("./scripts/p2pdurak", "host")
    assert json.loads(done.stdout)["arguments"] == ["host"]
    assert checkout.installs() == [".[broker]", ".[broker]"]


def test_set_up_stopped_by_the_user_says_so_without_a_traceback(checkout: Checkout) -> None:
    done = checkout.run("./scripts/p2pdurak", PIP_DOES="os.kill(os.getppid(), 2)")
    assert done.returncode == 130
    assert done.stderr.splitlines()[1:] == ["p2pdurak: the set-up was stopped; the next start goes on with it."]


def test_scripts_add_to_one_environment_and_the_largest_serves_all(checkout: Checkout) -> None:
    for script in ("p2pdurak", "test", "check", "test", "p2pdurak"):
        checkout.run(f"./scripts/{script}")
    assert checkout.installs() == [".[broker]", ".[test]", ".[dev]"]


# What the game is given


def test_arguments_reach_the_game_as_they_were_typed(checkout: Checkout) -> None:
    arguments = ["join", "k7q2m-otter kiosk-lamp@[::1]:1883", "", "*", "--name", "Мира"]
    done = checkout.run("./scripts/p2pdurak", *arguments)
    assert json.loads(done.stdout)["arguments"] == arguments


def test_exit_code_of_the_game_passes_through(checkout: Checkout) -> None:
    assert checkout.run("./scripts/p2pdurak", GAME_EXIT="5").returncode == 5


def test_game_is_told_the_name_that_was_typed(checkout: Checkout) -> None:
    done = checkout.run("./scripts/p2pdurak")
    assert json.loads(done.stdout)["prog"] == "./scripts/p2pdurak"


def test_link_to_the_script_works_from_another_folder_and_keeps_its_name(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "durak").symlink_to("../link")
    (tmp_path / "link").symlink_to(checkout.root / "scripts" / "p2pdurak")
    done = checkout.run("bin/durak", cwd=tmp_path)
    assert json.loads(done.stdout)["prog"] == "bin/durak"


def test_folder_with_the_name_of_the_game_is_not_taken_for_it(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "p2pdurak.py").write_text("raise SystemExit(99)")
    assert checkout.run(str(checkout.root / "scripts" / "p2pdurak"), cwd=tmp_path).returncode == 0


# What it says when it cannot


def only_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The one line on stderr of a start that failed before the game, apart from the line of progress."""
    lines = [line for line in done.stderr.splitlines() if "setting up, once" not in line]
    assert (done.returncode, done.stdout, len(lines)) == (1, "", 1), done
    return lines[0]


def test_machine_without_python_is_told_what_to_install(checkout: Checkout) -> None:
    (checkout.programs / "python3").unlink()
    sentence = only_sentence(checkout.run("./scripts/p2pdurak"))
    assert "needs Python 3.11 or newer and finds none" in sentence
    assert "apt install python3 python3-venv" in sentence


def test_python_that_is_too_old_is_named(checkout: Checkout) -> None:
    checkout.customize("import sys; sys.version_info = (3, 9, 18)")
    sentence = only_sentence(checkout.run("./scripts/p2pdurak"))
    assert "needs Python 3.11 or newer and finds only 3.9" in sentence


def test_newer_python_beside_an_old_python3_is_found(checkout: Checkout) -> None:
    (checkout.programs / "python3").rename(checkout.programs / "python3.12")
    (checkout.programs / "python3").write_text("#!/bin/sh\necho 3.9 old 2\n")
    (checkout.programs / "python3").chmod(0o755)
    assert checkout.run("./scripts/p2pdurak").returncode == 0


def test_program_called_python3_that_fails_is_passed_over(checkout: Checkout) -> None:
    (checkout.programs / "python3").rename(checkout.programs / "python3.11")
    (checkout.programs / "python3").write_text("#!/bin/sh\necho 'not set up' >&2; exit 127\n")
    (checkout.programs / "python3").chmod(0o755)
    assert checkout.run("./scripts/p2pdurak").returncode == 0


@pytest.mark.parametrize("part", ["venv", "ensurepip"])
def test_python_without_its_venv_part_is_told_which_package_brings_it(checkout: Checkout, part: str) -> None:
    checkout.customize(f"import sys; sys.modules['{part}'] = None")
    assert "apt install python3-venv" in only_sentence(checkout.run("./scripts/p2pdurak"))


@pytest.mark.parametrize("part", ["venv", "ensurepip"])
def test_python_whose_venv_part_fails_is_told_which_package_brings_it(checkout: Checkout, part: str) -> None:
    (checkout.modules / f"{part}.py").write_text("raise SystemExit(1)")
    (checkout.modules / "pip.py").write_text("raise SystemExit(1)")
    sentence = only_sentence(checkout.run("./scripts/p2pdurak"))
    assert "apt install python3-venv" in sentence
    assert not list(checkout.root.glob(".venv/ready-*"))


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("ERROR: No matching distribution found for spake2<1,>=0.9", "the package spake2 could not be had: go online"),
        ("ERROR: Failed building wheel for pynacl", "the package pynacl could not be built: install a C compiler"),
        ("ERROR: Failed to build 'msgpack' when getting requirements", "the package msgpack could not be built"),
        ("OSError: [Errno 28] No space left on device", "look at the network and the free space on the disk"),
    ],
)
def test_package_that_cannot_be_had_is_named(checkout: Checkout, printed: str, said: str) -> None:
    done = checkout.run("./scripts/p2pdurak", PIP_DOES=f"print({printed!r}); raise SystemExit(1)")
    sentence = only_sentence(done)
    assert said in sentence
    assert printed in Path(sentence.split("Details: ")[1]).read_text()


def test_failed_install_is_tried_again_at_the_next_start(checkout: Checkout) -> None:
    checkout.run("./scripts/p2pdurak", PIP_DOES="raise SystemExit(1)")
    assert checkout.run("./scripts/p2pdurak").returncode == 0
    assert len(checkout.installs()) == 2


def test_failed_update_leaves_nothing_marked_as_ready(checkout: Checkout) -> None:
    checkout.run("./scripts/check")
    with (checkout.root / "pyproject.toml").open("a") as file:
        file.write("# another dependency\n")
    checkout.run("./scripts/p2pdurak", PIP_DOES="raise SystemExit(1)")
    assert not list(checkout.root.glob(".venv/ready-*"))


def test_folder_that_cannot_take_the_environment_is_named(checkout: Checkout) -> None:
    (checkout.root / ".venv").touch()
    sentence = only_sentence(checkout.run("./scripts/p2pdurak"))
    assert sentence.startswith(f"p2pdurak: cannot make {checkout.root / '.venv'} (File exists)")


@pytest.mark.parametrize("script", ["test", "check"])
def test_every_script_stops_where_the_set_up_stops(checkout: Checkout, script: str) -> None:
    assert "could not be" in only_sentence(checkout.run(f"./scripts/{script}", PIP_DOES="raise SystemExit(1)"))


# The developer's two


def test_test_script_runs_pytest_in_the_checkout_with_its_arguments(checkout: Checkout, tmp_path: Path) -> None:
    done = checkout.run(str(checkout.root / "scripts" / "test"), "-k", "bout and not slow", cwd=tmp_path)
    on_all_cores = ["-n", "auto", "--maxprocesses", "4"]
    asked = ["-k", "bout and not slow"]
    assert json.loads(done.stdout) == [str(checkout.root), "--timeout", "300", *on_all_cores, *asked]


def test_quick_leaves_out_what_is_slow_or_needs_a_broker(checkout: Checkout) -> None:
    done = checkout.run("./scripts/test", "--quick", "-x")
    assert json.loads(done.stdout)[-3:] == ["-m", "not slow and not broker", "-x"]


def test_check_runs_all_four_on_the_tree(checkout: Checkout) -> None:
    done = checkout.run("./scripts/check", PIP_DOES=TOOLS)
    assert done.returncode == 0
    assert ran_by(done) == ["ruff check .", "ruff format --check .", "mypy", "lint-imports"]


def test_check_judges_the_tree_and_not_an_installed_copy(checkout: Checkout) -> None:
    assert "PYTHONPATH=.:protocol" in checkout.run("./scripts/check", PIP_DOES=TOOLS).stdout


def test_check_goes_on_after_a_failure_and_fails_at_the_end(checkout: Checkout) -> None:
    done = checkout.run("./scripts/check", PIP_DOES=TOOLS, FAILING="ruff mypy")
    assert done.returncode == 1
    assert ran_by(done)[-1] == "lint-imports"
    assert done.stderr.splitlines()[-1] == "p2pdurak: something was found by: ruff check, ruff format, mypy"


def ran_by(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line.removeprefix("ran ").split(" PYTHONPATH=")[0] for line in done.stdout.splitlines() if "ran " in line]


# What git must keep


@pytest.mark.parametrize(
    "name", ["scripts/p2pdurak", "scripts/test", "scripts/check", "scripts/check-model", ".ci/run"]
)
def test_script_may_be_executed(name: str) -> None:
    assert os.access(TREE / name, os.X_OK)
