"""What holds for the shape of the whole tree: its layers, its house rules, and that `python -O` changes nothing.

Each rule is a small function over a syntax tree, shown to find what it looks for, and then put to every module.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[1]
PRODUCT = [*TREE.glob("p2pdurak/**/*.py"), *TREE.glob("protocol/**/*.py")]
FUNCTION_LINES_MAX = 60

Function = ast.FunctionDef | ast.AsyncFunctionDef


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def found_in(paths: Iterable[Path], rule: Callable[[ast.Module], object]) -> dict[str, object]:
    """Map each module in which `rule` finds something to what it found."""
    found = {str(path.relative_to(TREE)): rule(parse(path)) for path in paths}
    return {name: what for name, what in found.items() if what}


# Layers


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the tree under `root`; without it, skip on a user's machine and fail in CI."""
    program = Path(sys.executable).with_name("lint-imports")
    if not program.exists():
        assert "CI" not in os.environ, "import-linter is not installed"
        pytest.skip("import-linter is not installed: scripts/check brings it")
    env = os.environ | {"PYTHONPATH": f".{os.pathsep}protocol"}
    return subprocess.run([program, "--no-cache"], cwd=root, env=env, capture_output=True, text=True, check=False)


def test_every_import_keeps_to_the_layers() -> None:
    done = lint_imports(TREE)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "forbidden", "told"),
    [
        ("protocol/fairdeck/limits.py", "import time", "fairdeck.limits -> time"),
        ("protocol/fairdeck/limits.py", "import fairdeck.wire", "fairdeck.limits -> fairdeck.wire"),
        ("protocol/fairdeck/wire.py", "import nacl.bindings", "fairdeck.wire -> nacl"),
        ("protocol/fairdeck/game.py", "import p2pdurak.rules.cards", "fairdeck.game -> p2pdurak.rules.cards"),
        ("p2pdurak/rules/cards.py", "import random", "p2pdurak.rules.cards -> random"),
        ("p2pdurak/rules/cards.py", "import p2pdurak.events", "p2pdurak.rules.cards -> p2pdurak.events"),
        ("p2pdurak/ui/commands.py", "import fairdeck.wire", "p2pdurak.ui.commands -> fairdeck.wire"),
        ("p2pdurak/ui/commands.py", "import p2pdurak.transport", "p2pdurak.ui.commands -> p2pdurak.transport"),
        ("p2pdurak/events.py", "import aiomqtt", "p2pdurak.events -> aiomqtt"),
        ("p2pdurak/events.py", "import prompt_toolkit", "p2pdurak.events -> prompt_toolkit"),
        ("protocol/fairdeck/channel.py", "import fairdeck.deck", "fairdeck.channel -> fairdeck.deck"),
    ],
)
def test_import_against_the_layers_is_found(tmp_path: Path, module: str, forbidden: str, told: str) -> None:
    shutil.copy(TREE / "pyproject.toml", tmp_path)
    for package in ("p2pdurak", "protocol"):
        shutil.copytree(TREE / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{forbidden}\n")
    done = lint_imports(tmp_path)
    assert done.returncode != 0
    assert told in " ".join(done.stdout.split())


def foreign_imports(tree: ast.Module) -> list[str]:
    """List each module imported that is neither the standard library's nor of the rules."""
    modules: list[str] = []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules += [name.name for name in names]
            case ast.ImportFrom(module=str(module), level=0):
                modules.append(module)
            case _:
                pass
    return [name for name in modules if not is_of_the_rules(name) and name.split(".")[0] not in sys.stdlib_module_names]


def is_of_the_rules(module: str) -> bool:
    return f"{module}.".startswith("p2pdurak.rules.")


def test_foreign_imports_are_found() -> None:
    code = (
        "import msgpack, ast\nfrom p2pdurak.rules.cards import Card\nfrom p2pdurak.rulesets import x\nimport p2pdurak"
    )
    assert foreign_imports(ast.parse(code)) == ["msgpack", "p2pdurak.rulesets", "p2pdurak"]


def test_rules_need_the_standard_library_only() -> None:
    assert found_in(TREE.glob("p2pdurak/rules/**/*.py"), foreign_imports) == {}


# python -O


def lost_under_optimization(tree: ast.Module) -> list[int]:
    """Give the lines of what `python -O` takes away: asserts, and whatever asks for __debug__."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert) or (isinstance(node, ast.Name) and node.id == "__debug__")
    ]


def test_asserts_and_debug_branches_are_found() -> None:
    code = "def f(x):\n    assert x\n    if __debug__:\n        return assert_never(x)"
    assert lost_under_optimization(ast.parse(code)) == [2, 3]


def test_product_is_the_same_under_python_O() -> None:
    assert found_in(PRODUCT, lost_under_optimization) == {}


def is_rewritten(path: Path) -> bool:
    """Tell whether pytest rewrites the asserts of `path` into code of its own, which -O leaves alone."""
    return path.name == "conftest.py" or path.name.startswith("test_")


def test_helpers_of_tests_check_nothing_by_asserts_that_O_would_drop() -> None:
    helpers = [path for path in TREE.glob("tests/**/*.py") if not is_rewritten(path)]
    assert found_in(helpers, lost_under_optimization) == {}, "raise AssertionError, or return what the test asserts"


def test_false_assert_of_a_test_fails_under_python_O(tmp_path: Path) -> None:
    (tmp_path / "test_false.py").write_text("def test_false() -> None:\n    assert not __debug__\n    assert 1 == 2\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")
    done = subprocess.run(
        [sys.executable, "-O", "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed" in done.stdout
    assert "assert 1 == 2" in done.stdout


# House rules


def long_functions(tree: ast.Module) -> list[str]:
    return [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, Function) and (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES_MAX
    ]


def test_long_functions_are_found_and_full_ones_are_let_be() -> None:
    code = "def full():\n" + "    x = 1\n" * 59 + "class C:\n    async def long(self):\n" + "        x = 1\n" * 60
    assert long_functions(ast.parse(code)) == ["long"]


def test_no_function_is_longer_than_a_page() -> None:
    assert found_in(PRODUCT, long_functions) == {}


def has_no_docstring(tree: ast.Module) -> bool:
    return not ast.get_docstring(tree)


def test_module_without_a_docstring_is_found() -> None:
    assert has_no_docstring(ast.parse("x = 1"))


def test_every_module_says_what_it_owns() -> None:
    assert found_in([*PRODUCT, *TREE.glob("scripts/**/*.py")], has_no_docstring) == {}


def test_tests_are_no_packages_so_that_two_may_share_a_name() -> None:
    assert not list(TREE.glob("tests/**/__init__.py"))
