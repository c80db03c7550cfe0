"""Two duels in a temporary folder, for every test of the driver layer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.table.pairs import Pair


@pytest.fixture
def sit(tmp_path: Path) -> Callable[..., Pair]:
    """Seat two players; takes the keywords of `Pair`."""
    return partial(Pair, tmp_path)
