"""Carrying opaque packets between two programs: the contract, and what may be told about the link.

It owns the names that the table needs; each way of carrying is a module of its own, imported only when used
(`memory` in one process, `mqtt` over a broker, `broker` to run one here).
"""

from p2pdurak.transport.base import (
    Down,
    NotAllowed,
    Packet,
    Transport,
    TransportError,
    Unreachable,
    Up,
)

__all__ = ["Down", "NotAllowed", "Packet", "Transport", "TransportError", "Unreachable", "Up"]
