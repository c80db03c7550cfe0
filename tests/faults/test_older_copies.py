"""An older copy of a player's folder, of any moment of a game: nothing is signed twice, and the game goes on."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from fairdeck.audit import Finding
from fairdeck.log import MAGIC, Tag, encode_entry
from fairdeck.notes import End
from p2pdurak.events import Trouble
from p2pdurak.store import save_over
from p2pdurak.table.sitting import Phase
from tests.faults.evening import WornPair, place_of

MOVES = 9


def played(folder: Path) -> WornPair:
    """A game in the middle; every record that leaves is noted, and nothing fails."""
    pair = WornPair(folder, {})
    pair.deal()
    for _ in range(MOVES):
        pair.move()
    return pair


def restore(pair: WornPair, seat: int, records: int) -> None:
    """The folder of a seat as it was after so many records."""
    side = pair.sides[seat]
    path, saved = side.logs()[0], side.saved()
    pair.crash(seat)
    save_over(path, MAGIC + b"".join(encode_entry(Tag.RECORD, record) for record in saved.records[:records]))


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_every_older_copy_takes_in_its_own_records_before_it_signs(tmp_path: Path, seat: int) -> None:
    length = len(played(tmp_path / "whole").sides[seat].saved().records)
    for records in range(1 + seat, length + 1):
        pair = played(tmp_path / str(records))
        restore(pair, seat, records)
        pair.come_back(seat).run(lambda pair=pair: all(side.game.session.reconciled for side in pair.sides))
        pair.play().run(lambda pair=pair: all(side.duel.phase is Phase.RESTING for side in pair.sides))
        host, guest = (side.saved().records for side in pair.sides)
        assert host == guest
        for side in pair.sides:
            assert side.game.verdict.end is End.CARDS
            assert pair.audit(side.logs()[0]).finding is Finding.OK
            assert side.told(Trouble) == []
        for signed in pair.signed:
            assert len({place_of(record) for record in signed}) == len(signed), records
        with suppress(OSError):
            shutil.rmtree(tmp_path / str(records))


@pytest.mark.slow
def test_older_copies_on_both_sides_never_sign_twice_for_a_record_that_one_of_them_holds(tmp_path: Path) -> None:
    for back in range(1, 6):
        pair = played(tmp_path / str(back))
        length = len(pair.host.saved().records)
        for seat, records in ((0, length - back), (1, length - 1)):
            restore(pair, seat, records)
        pair.come_back(0, 1).run(lambda pair=pair: all(side.game.session.reconciled for side in pair.sides))
        held = pair.guest.saved().records[: length - 1]
        assert pair.host.saved().records[: length - 1] == held
        assert not any(side.told(Trouble) for side in pair.sides)
