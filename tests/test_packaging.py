"""What a user installs: the two packages with their data, one command, and a first answer that loads little."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import fairdeck
import p2pdurak

TREE = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((TREE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGES = {"p2pdurak": TREE / "p2pdurak", "fairdeck": TREE / "protocol" / "fairdeck"}


def command(*arguments: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run the game as `python -m` does, on the same packages as this test."""
    homes = [str(Path(package.__path__[0]).parent) for package in (p2pdurak, fairdeck)]
    return subprocess.run(
        [sys.executable, "-P", *options, "-m", "p2pdurak", *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(homes)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_version_of_the_package_is_that_of_the_project() -> None:
    assert PROJECT["version"] == p2pdurak.__version__


def test_command_names_a_function_that_exists() -> None:
    module, name = PROJECT["scripts"]["p2pdurak"].split(":")
    assert callable(getattr(importlib.import_module(module), name))


def test_version_is_told() -> None:
    done = command("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"p2pdurak {p2pdurak.__version__}\n", "")


def test_version_loads_nothing_heavy() -> None:
    done = command("--version", options=("-X", "importtime"))
    loaded = {line.rsplit("|")[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert (done.returncode, "p2pdurak" in loaded) == (0, True)
    assert loaded.isdisjoint({"asyncio", "prompt_toolkit", "aiomqtt", "paho", "amqtt", "nacl", "cryptography"})


@pytest.mark.parametrize("package", [p2pdurak, fairdeck], ids=["p2pdurak", "fairdeck"])
def test_package_says_that_it_is_typed(package: ModuleType) -> None:
    assert (Path(package.__path__[0]) / "py.typed").is_file()


def test_every_dependency_says_what_it_is_for() -> None:
    text = (TREE / "pyproject.toml").read_text(encoding="utf-8")
    block = re.search(r"^dependencies = \[\n(.*?)^\]", text, re.DOTALL | re.MULTILINE)
    assert block is not None
    assert all(re.match(r'  ".+", +# \S', line) for line in block[1].splitlines())


# The wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.Path:
    """Build the wheel; the build tool comes from the package index, which a user's machine may not reach."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--retries", "1", "--wheel-dir", str(folder)]
    done = subprocess.run([*build, str(TREE)], capture_output=True, text=True, check=False)
    if done.returncode and "No matching distribution found for hatchling" in done.stderr and "CI" not in os.environ:
        pytest.skip("no package index here to take hatchling from")
    assert done.returncode == 0, done.stderr
    return zipfile.Path(next(folder.glob("*.whl")))


def files_in(wheel: zipfile.Path) -> set[str]:
    return set(wheel.root.namelist())


@pytest.mark.slow
def test_wheel_holds_every_file_of_both_packages(wheel: zipfile.Path) -> None:
    meant = {
        f"{name}/{path.relative_to(home).as_posix()}"
        for name, home in PACKAGES.items()
        for path in home.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert meant <= files_in(wheel)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["p2pdurak/words.txt", "p2pdurak/py.typed", "fairdeck/py.typed"])
def test_wheel_holds_the_data_that_the_program_reads(wheel: zipfile.Path, name: str) -> None:
    assert name in files_in(wheel)


@pytest.mark.slow
def test_wheel_holds_nothing_else(wheel: zipfile.Path) -> None:
    tops = {name.split("/")[0] for name in files_in(wheel)}
    assert tops == {"p2pdurak", "fairdeck", f"p2pdurak-{p2pdurak.__version__}.dist-info"}


@pytest.mark.slow
def test_wheel_brings_the_command_and_the_licence(wheel: zipfile.Path) -> None:
    info = wheel / f"p2pdurak-{p2pdurak.__version__}.dist-info"
    assert "p2pdurak = p2pdurak.__main__:main" in (info / "entry_points.txt").read_text(encoding="utf-8")
    assert "MIT License" in (info / "licenses" / "LICENSE").read_text(encoding="utf-8")
