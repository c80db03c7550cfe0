"""A hostile line between two seats, by seed: what it does to each packet, and when it arrives.

It owns the faults of the network and knows neither keys nor what a packet says; the clock is handed in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final

from fairdeck.packets import PACKET_SIZES
from fairdeck.sealing import HELLO, SEALED

LATE_S: Final = (0.02, 0.3, 2.0)
"""Longest delays on the line: a good one, a far broker, one that sends old packets after new ones."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What goes wrong, how often.

    Attributes:
        loss: chance for a packet to vanish; `double` `replay` `reflect` `forge` `truncate` likewise: to come twice;
            and that an old packet, one to its own sender, an altered one, or a shortened one comes beside it.
        delay_s: the longest way; a packet takes any time up to it.
        cut_s: mean time from one partition to the next; 0 for none. `kill_s` `again_s` likewise: until a process is
            killed from outside, and until a transport has lost its link and is connected again.
        die: chance for a process to die at each point where that could hurt.
        older: chance for a process that starts again to find an older copy of its log, which lacks what the other has.
        forget: chance for that copy to lack also what nobody else has, or has yet.
    """

    loss: float = 0.0
    double: float = 0.0
    replay: float = 0.0
    reflect: float = 0.0
    forge: float = 0.0
    truncate: float = 0.0
    delay_s: float = LATE_S[0]
    cut_s: float = 0.0
    kill_s: float = 0.0
    again_s: float = 0.0
    die: float = 0.0
    older: float = 0.0
    forget: float = 0.0


CALM: Final = Faults()

STRANGER: Final = Faults(replay=0.5, reflect=0.3, forge=0.5)
"""A calm line on which somebody replays and forges for ever, who cannot stop what others send."""


def storm(chance: Random) -> Faults:
    """Some of all faults: each is left out of many runs, so that none can hide another in all of them."""

    def some(most: float) -> float:
        return chance.uniform(0, most) if chance.random() < 0.6 else 0.0

    def now_and_then() -> float:
        return chance.uniform(3.0, 60.0) if chance.random() < 0.6 else 0.0

    return Faults(
        loss=some(0.4),
        double=some(0.4),
        replay=some(0.3),
        reflect=some(0.2),
        forge=some(0.3),
        truncate=some(0.1),
        delay_s=chance.choice(LATE_S),
        cut_s=now_and_then(),
        kill_s=now_and_then(),
        again_s=now_and_then(),
        die=some(0.02),
        older=some(1.0),
        forget=some(1.0) if chance.random() < 0.3 else 0.0,
    )


@dataclass(slots=True)
class Line:
    """The way between the seats.

    Attributes:
        chance: every fault hangs on it alone.
        faults: what goes wrong now.
        cut: seats to which nothing comes through.
        history: every packet ever sent, with its receiver.
        counts: how often each fault struck.
    """

    chance: Random
    faults: Faults = CALM
    cut: frozenset[int] = frozenset()
    history: list[tuple[int, bytes]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def carry(self, receiver: int, packet: bytes) -> list[tuple[float, int, bytes, str]]:
        """Take a packet.

        Returns:
            What comes of it: seconds from now, seat, bytes, and what was done to it.
        """
        self.history.append((receiver, packet))
        out = [(seat, data, what) for seat, data, what in self._came(receiver, packet) if seat not in self.cut]
        if receiver in self.cut:
            self._count("cut off")
        return [(self.chance.uniform(0.001, self.faults.delay_s), *each) for each in out]

    def _came(self, receiver: int, packet: bytes) -> list[tuple[int, bytes, str]]:
        faults = self.faults
        out = [] if self._strikes(faults.loss, "lost") else [(receiver, packet, "")]
        if self._strikes(faults.double, "doubled"):
            out.append((receiver, packet, "doubled"))
        if self._strikes(faults.replay, "replayed"):
            out.append((*self.chance.choice(self.history), "replayed"))
        if self._strikes(faults.reflect, "reflected"):
            out.append((1 - receiver, packet, "reflected"))
        if self._strikes(faults.forge, "forged"):
            out.append((self.chance.randrange(2), self._forged(packet), "forged"))
        if self._strikes(faults.truncate, "shortened"):
            sizes = [size for size in (*PACKET_SIZES, self.chance.randrange(len(packet))) if size < len(packet)]
            out.append((receiver, packet[: self.chance.choice(sizes)], "shortened"))
        return out

    def _strikes(self, rate: float, what: str) -> bool:
        struck = rate > 0 and self.chance.random() < rate
        if struck:
            self._count(what)
        return struck

    def _count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def _forged(self, packet: bytes) -> bytes:
        """A packet that nobody sent: one bit, a field of the header, parts of two packets, or noise."""
        other = self.chance.choice(self.history)[1]
        forged = bytearray(packet)
        match self.chance.randrange(6):
            case 0:
                forged[self.chance.randrange(len(forged))] ^= 1 << self.chance.randrange(8)
            case 1:
                forged[0] = self.chance.choice((HELLO, SEALED, 0, 255))
            case 2:
                forged[17] ^= 1  # the sender's seat in a sealed packet
            case 3:
                forged[18:26] = (2**63 + self.chance.randrange(2**62)).to_bytes(8, "big")  # its counter
            case 4:
                forged[26:] = other[26:]
            case _:
                forged[9:] = self.chance.randbytes(len(forged) - 9)
        return bytes(forged)
