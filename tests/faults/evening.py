"""An evening for two at which programs and disks fail: who dies comes back, and the script goes on.

It owns the script, the restarts and what each seat has signed; what must hold afterwards stands in the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from fairdeck.log import read
from fairdeck.wire import NoteKind, Start0, decode_note, decode_record
from p2pdurak.events import Command, Leave, Play, Rematch, Resign
from p2pdurak.files import StoreError
from p2pdurak.rules.state import Phase as GamePhase
from p2pdurak.store import read_log, secrets_path
from p2pdurak.table.duel import Duel
from p2pdurak.table.kept_game import Comeback, KeptError, comeback, kept_beside
from p2pdurak.table.players import Player
from p2pdurak.table.sitting import Phase
from tests.fairdeck.cheap import lowest
from tests.faults.seam import Killed, Plan, Seam
from tests.table.pairs import NAMES, Pair, Side

AWAY_S: Final = 3.0
"""How long a player takes to start his program again."""

EVENING_MAX_S: Final = 1200.0
ALONE_S: Final = 90.0
"""So long a player waits for a friend who cannot come back."""


Place = tuple[bytes, int]
"""A place in the chain of a game: the game, and the number of the record."""


def place_of(record: bytes) -> Place:
    """Where a record stands. The first one of a game does not name it yet: there the number of the game has to do."""
    decoded = decode_record(record)
    game = bytes([decoded.body.game]) if isinstance(decoded.body, Start0) else decoded.sid
    return game, decoded.seq


class WornPair(Pair):
    """Two players whose disks and lines go through a seam.

    Attributes:
        signed: every record that a seat has given to its line.
    """

    def __init__(self, folder: Path, plan: Plan, **options: Any) -> None:
        self.seam = Seam([folder / name for name in NAMES], plan)
        self.signed: tuple[set[bytes], set[bytes]] = (set(), set())
        super().__init__(folder, **options)

    def _sit(
        self, player: Player, folder: Path, seed: str, *, wait_aside: bool = False, back: Comeback | None = None
    ) -> Side:
        side = super()._sit(player, folder, seed, wait_aside=wait_aside, back=back)
        channel = side.duel.channel
        give = channel.append

        def append(record: bytes, now: float) -> None:
            if decode_record(record).seat == player.seat:
                self.signed[player.seat].add(record)
            give(record, now)

        channel.append = append  # type: ignore[method-assign]
        return side

    def take_up(self, seat: int, path: Path) -> None:
        """Start the program of a seat anew on a log of its folder."""
        old, back = self.sides[seat], comeback(path)
        player = replace(old.duel.player, games=back.kept.games, confirm=back.kept.confirm)
        self.dead.discard(seat)
        self.sides[seat] = self._sit(player, old.store.folder, f"boot {next(self._boots)}", back=back)
        self.sides[seat].duel.up(self.now)

    def _collect(self) -> None:
        for seat, side in enumerate(self.sides):
            if seat in self.dead:
                continue
            for _topic, packet in side.duel.packets():
                self._leave(seat, packet)

    def _leave(self, seat: int, packet: bytes) -> None:
        def send() -> None:
            self.sent.append((seat, packet))
            self._send(1 - seat, packet)

        try:
            self.seam.call(seat, "send", "", send)
        except OSError:
            return  # a packet that the line loses


class Evening:
    """Two people, or bots, play a match to its end, whatever fails on the way.

    Attributes:
        pair: the two.
        lost: seats that had nothing to come back to.
        stories: what was said when a program stopped.
        gone_without_keys: whether secrets were dropped that no log holds.
    """

    def __init__(self, pair: WornPair, games: int = 1, resign_at: int | None = None) -> None:
        self.pair = pair
        self.lost: set[int] = set()
        self.stories: list[str] = []
        self.gone_without_keys = False
        self._games = games
        self._resign_at = resign_at
        self._back_at: dict[int, float] = {}
        self._asked: set[tuple[int, int, int]] = set()
        self._done: set[int] = set()
        self._alone_at: float | None = None

    def pass_by(self) -> Evening:
        """Play until both have left."""
        pair = self.pair
        with pair.seam:
            for seat in (0, 1):
                self._try(lambda seat=seat: pair.sides[seat].duel.up(pair.now))  # type: ignore[misc]
            end = pair.now + EVENING_MAX_S
            while len(self._done) < 2:
                self._try(self._go_on)
                if pair.now >= end:
                    raise AssertionError(f"the evening has no end: {[side.duel.phase for side in pair.sides]}")
        return self

    def _try(self, do: Callable[[], object]) -> None:
        """Do something in which a program may die or stop."""
        pair = self.pair
        try:
            do()
        except Killed as death:
            self._fall(death.seat)
        except StoreError as error:
            seat = pair.seam.refused
            self.stories.append(str(error))
            self._close(seat)
            self._fall(seat)

    def _close(self, seat: int) -> None:
        """Tidy up as a program does that stops with a sentence."""
        try:
            self.pair.sides[seat].duel.close()
        except Killed:
            return

    def _fall(self, seat: int) -> None:
        pair = self.pair
        pair.seam.bury(seat)
        pair.dead.add(seat)
        pair.line = type(pair.line)(packet for packet in pair.line if packet[0] != seat)
        if seat not in self._done:
            self._back_at[seat] = pair.now + AWAY_S

    def _go_on(self) -> None:
        pair = self.pair
        for seat, at in list(self._back_at.items()):
            if pair.now >= at:
                del self._back_at[seat]
                self._return(seat)
        pair.pump()
        for seat in (0, 1):
            if seat not in pair.dead and seat not in self._done and self._act(seat, pair.sides[seat].duel):
                return
        pair._step(min([pair.now + 1.0, *self._back_at.values()]))

    def _return(self, seat: int) -> None:
        pair = self.pair
        pair.seam.revive(seat)
        path = newest_kept(pair.sides[seat])
        if path is None and any(secrets_path(log).exists() for log in pair.sides[seat].logs()[-1:]):
            path = newest_kept(pair.sides[seat])  # a call failed once: the player starts his program once more
        if path is None:
            self.gone_without_keys |= lacks_keys(pair.sides[seat])
            self.lost.add(seat)
            self._done.add(seat)
            return
        try:
            pair.take_up(seat, path)
        except StoreError as error:
            self.stories.append(str(error))
            self._fall(seat)

    def _act(self, seat: int, duel: Duel) -> bool:
        """Do what the player of a seat does now, if anything."""
        if duel.closed:
            self._done.add(seat)
            duel.close()
            return True
        command = self._wish(seat, duel)
        if command is None:
            return False
        duel.command(command, self.pair.now)
        return True

    def _wish(self, seat: int, duel: Duel) -> Command | None:
        if 1 - seat in self.lost and not duel.sitting.leaving:
            self._alone_at = self.pair.now + ALONE_S if self._alone_at is None else self._alone_at
            return self._once(seat, duel, Leave()) if self.pair.now >= self._alone_at else None
        if duel.player.habits.bot is not None:
            return None
        match duel.phase:
            case Phase.PLAYING:
                return self._move(seat, duel)
            case Phase.RESTING:
                return self._once(seat, duel, Rematch() if duel.match.games < self._games else Leave())
            case _:
                return None

    def _once(self, seat: int, duel: Duel, command: Command) -> Command | None:
        key = (seat, id(duel), duel.match.games + 100 * isinstance(command, Leave))
        if key in self._asked:
            return None
        self._asked.add(key)
        return command

    def _move(self, seat: int, duel: Duel) -> Command | None:
        game, view = duel.game, duel.view
        if game is None or view is None or game.ended or view.state.phase is GamePhase.QUESTION:
            return None
        if not (game.session.our_move and game.session.reconciled and view.complete):
            return None
        late = self._resign_at is not None and len(game.session.records) >= self._resign_at
        return Resign() if late else Play(lowest(view))


def lacks_keys(side: Side) -> bool:
    """Whether the newest game of this side has an end, and not both keys, in its log."""
    logs = [saved for path in side.logs() if (saved := read(read_log(path))).notes]
    return bool(logs) and sum(decode_note(note).kind is NoteKind.OPEN for note in logs[-1].notes) < len((0, 1))


def newest_kept(side: Side) -> Path | None:
    """The log that a new process of this side takes up: the newest whose secrets say how."""
    for path in reversed(side.logs()):
        with suppress(KeptError):
            kept_beside(path)
            return path
    return None
