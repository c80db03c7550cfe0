"""What it costs to shuffle, to prove and to check, for each kind of proof that a game is made of.

It owns the positions that are measured and the table of their costs; it plays no game (that is `game`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from secrets import token_bytes
from typing import Final

from benchmarks.floor import Measured, Operation, measure
from fairdeck.deck import Deck, check_absent, deal, draw, take_opening, take_remask, take_shares
from fairdeck.elgamal import Ciphertext, encode_deck, first_deck
from fairdeck.group import EDWARDS25519, Point, times_base
from fairdeck.hand import Holder
from fairdeck.seating import game_key
from fairdeck.shuffle import Statement, check_shuffle, permute, prove_shuffle, shuffle
from fairdeck.transcript import context
from p2pdurak.durak import LAYOUT

CARDS: Final = 36
HAND: Final = 6
PROOF_BYTES: Final = 4_768
"""What the design demands of the proof of a shuffle: 32 (4 * 36 + 5)."""

RATIO_MAX: Final = 1.2
"""How far above its floor an operation may be by the design."""

SID: Final = bytes(32)
HOST, GUEST = 0, 1


@dataclass(frozen=True, slots=True)
class Case:
    """An operation to measure.

    Attributes:
        name: what it does.
        operation: one run of it.
        size: the bytes that it puts on the wire, or reads from there.
        design_ms: what it took on the machine of the design, where the design says so.
    """

    name: str
    operation: Operation
    size: int
    design_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A case and what it costs."""

    case: Case
    measured: Measured

    def text(self) -> str:
        """One line under `HEAD`."""
        case, measured = self.case, self.measured
        design = "" if case.design_ms is None else f"{case.design_ms:.1f}"
        return (
            f"{case.name:<26}{1000 * measured.operation_s:>9.3f}{1000 * measured.floor_s:>9.3f}"
            f"{measured.ratio:>7.2f}{measured.calls:>7}{case.size:>8,}{design:>8}"
        )

    def data(self) -> dict[str, object]:
        """The same for programs."""
        return {
            "name": self.case.name,
            "operation_ms": 1000 * self.measured.operation_s,
            "floor_ms": 1000 * self.measured.floor_s,
            "ratio": self.measured.ratio,
            "libsodium_calls": self.measured.calls,
            "bytes": self.case.size,
            "design_ms": self.case.design_ms,
        }


HEAD: Final = f"{'':<26}{'ms':>9}{'floor':>9}{'ratio':>7}{'calls':>7}{'bytes':>8}{'design':>8}"


@dataclass(frozen=True, slots=True)
class DealReport:
    """Every row, and the length of the proof of a shuffle in bytes."""

    repetitions: int
    rows: tuple[Row, ...]
    proof_bytes: int

    def text(self) -> str:
        """The table and the two demands of the design."""
        right = "as designed" if self.proof_bytes == PROOF_BYTES else f"and not {PROOF_BYTES:,}"
        over = [row.case.name for row in self.rows if row.measured.ratio > RATIO_MAX]
        limit = f"over {RATIO_MAX} times the floor: {', '.join(over)}" if over else f"every ratio is within {RATIO_MAX}"
        return "\n".join(
            [
                f"{CARDS} cards, edwards25519; medians of {self.repetitions}",
                "",
                HEAD,
                *(row.text() for row in self.rows),
                "",
                f"proof of a shuffle: {self.proof_bytes:,} bytes, {right}",
                limit,
                "floor: the same libsodium calls through PyNaCl in a bare loop; design: its ms on its machine",
            ]
        )

    def data(self) -> dict[str, object]:
        """The same for programs."""
        return {
            "repetitions": self.repetitions,
            "proof_bytes": self.proof_bytes,
            "rows": [row.data() for row in self.rows],
        }


def measure_deal(repetitions: int) -> DealReport:
    """Measure every case, each `repetitions` times in turn with its floor."""
    scene = set_scene()
    rows = tuple(Row(case, measure(case.operation, repetitions)) for case in (*deck_cases(scene), *hand_cases(scene)))
    return DealReport(repetitions, rows, len(scene.proof))


@dataclass(frozen=True, slots=True)
class Scene:
    """A game at the moments that are measured.

    Attributes:
        x: the guest's secret.
        joint_key: the sum of both public keys, under which the deck is masked.
        inp: the deck as the host shuffled it.
        out: the same as the guest shuffled it again.
        proof: the guest's proof of that.
        holders: both seats, each with its secret.
        dealt: both hands of six seen, the host's in one batch.
        waiting: six cards more are drawn for the host and lack the guest's shares.
        refilled: the host has played three cards and drawn three: six cards in two batches.
    """

    x: int
    joint_key: Point
    inp: tuple[Ciphertext, ...]
    out: tuple[Ciphertext, ...]
    proof: bytes
    holders: tuple[Holder, Holder]
    dealt: Deck
    waiting: Deck
    refilled: Deck


def set_scene() -> Scene:
    """Deal a game with fresh keys and play to the moments of a `Scene`."""
    group = EDWARDS25519
    x0, x1 = game_key(group, token_bytes(64)), game_key(group, token_bytes(64))
    keys = (times_base(group, x0), times_base(group, x1))
    joint = keys[HOST] + keys[GUEST]
    once = shuffle(context(SID, HOST, "shuffle"), x0, joint, first_deck(group, joint, CARDS), token_bytes)
    twice = shuffle(context(SID, GUEST, "shuffle"), x1, joint, once.out, token_bytes)
    host, guest = Holder(HOST, x0, token_bytes), Holder(GUEST, x1, token_bytes)

    dealt = deal(group, SID, keys, twice.out, LAYOUT)
    dealt = take_shares(dealt, GUEST, guest.shares(dealt))
    dealt = take_shares(dealt, HOST, host.shares(dealt))
    refilled = dealt
    for card in host.cards(dealt)[: HAND // 2]:
        refilled = take_opening(refilled, HOST, card, (), host.opening(refilled, card))
    refilled = draw(refilled, HOST, HAND // 2)
    refilled = take_shares(refilled, GUEST, guest.shares(refilled))
    return Scene(x1, joint, once.out, twice.out, twice.proof, (host, guest), dealt, draw(dealt, HOST, HAND), refilled)


def deck_cases(scene: Scene) -> Iterator[Case]:
    """The shuffle of the deck by the guest, its proof, and the host's check."""
    ctx, x, joint, inp = context(SID, GUEST, "shuffle"), scene.x, scene.joint_key, scene.inp
    permuted = permute(ctx, x, joint, inp, token_bytes)
    statement = Statement(ctx, joint, inp, permuted.out)
    data, both = encode_deck(scene.out), CARDS * 64 + len(scene.proof)

    def check() -> object:
        return check_shuffle(ctx, joint, inp, data, scene.proof)

    def all_three() -> None:
        shuffle(ctx, x, joint, inp, token_bytes)
        check()

    yield Case("shuffle", lambda: permute(ctx, x, joint, inp, token_bytes), len(data))
    yield Case("prove", lambda: prove_shuffle(statement, x, permuted, token_bytes), len(scene.proof))
    yield Case("verify", check, both)
    yield Case("shuffle, prove, verify", all_three, both, 49.0)


def hand_cases(scene: Scene) -> Iterator[Case]:
    """What the host proves about his hand of six, and what the guest checks."""
    host, guest = scene.holders
    dealt, waiting, refilled = scene.dealt, scene.waiting, scene.refilled
    hand = host.cards(dealt)
    host.cards(refilled)  # a player has seen a card before he opens or denies one

    card = hand[0]
    opening = host.opening(dealt, card)
    yield Case("opening", lambda: host.opening(dealt, card), len(opening))
    yield Case("check the opening", lambda: take_opening(dealt, HOST, card, (), opening), len(opening))

    _, remask = host.remask(refilled)
    size = sum(map(len, remask))
    yield Case(f"remask of {HAND}", lambda: host.remask(refilled), size, 3.4)
    yield Case("check the remask", lambda: take_remask(refilled, HOST, remask), size, 5.1)

    absent = next((card,) for card in range(CARDS) if card not in hand)
    denial = host.denial(dealt, absent)
    yield Case(f"denial by {HAND} cards", lambda: host.denial(dealt, absent), len(denial), 2.4)
    yield Case("check the denial", lambda: check_absent(dealt, HOST, absent, denial), len(denial), 2.1)

    shares = guest.shares(waiting)
    yield Case(f"shares for {HAND}", lambda: guest.shares(waiting), len(shares))
    yield Case("check the shares", lambda: take_shares(waiting, GUEST, shares), len(shares))
