"""Put a mutant in place of its module: for this process only, and without touching a file.

It owns the import of one changed module; it does not know which tests are run against it.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType

from tests.mutants.mutants import Mutant


class StaleMutantError(Exception):
    """The list names a text that its module does not hold exactly once any more."""


def source_of(module: str) -> str:
    """The source of a module as it stands."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise StaleMutantError(f"There is no module {module} to change.")
    return Path(spec.origin).read_text(encoding="utf-8")


def mutated(mutant: Mutant, source: str) -> str:
    """The source with the change made, or an error that says what to mend."""
    count = source.count(mutant.old)
    if count != 1:
        sentence = f"The text to change occurs {count} times in {mutant.module}, so this mutant must be written anew"
        raise StaleMutantError(f"{sentence}: {mutant.name}.")
    return source.replace(mutant.old, mutant.new)


class _Loader(SourceFileLoader):
    def __init__(self, mutant: Mutant, path: str) -> None:
        super().__init__(mutant.module, path)
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        """Compile the changed source; neither read nor write a compiled file, which would outlive the mutant."""
        path = self.get_filename(fullname)
        return compile(mutated(self._mutant, Path(path).read_text(encoding="utf-8")), path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if fullname != self._mutant.module:
            return None
        spec = PathFinder.find_spec(fullname, path)  # type: ignore[arg-type]
        if spec is None or spec.origin is None:
            return None
        spec.loader = _Loader(self._mutant, spec.origin)
        return spec


def inject(mutant: Mutant) -> None:
    """From now on `import` of the mutant's module gives the changed one."""
    if mutant.module in sys.modules:
        raise RuntimeError(f"{mutant.module} is imported already, so the change would come too late")
    sys.meta_path.insert(0, _Finder(mutant))
