"""Two duels in a temporary folder, for every test of the driver layer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.table.pairs import Pair


@pytest.fixture
def sit(tmp_path: Path) -> Callable[..., Pair]:
    """Seat two players in a fresh folder; takes the keywords of `Pair`."""
    tables = count(1)

    def seat(**options: Any) -> Pair:
        return Pair(tmp_path / str(next(tables)), **options)

    return seat
