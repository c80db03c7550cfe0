"""All vector files, in the order in which a second implementation is best tested against them.

It owns the list; each module beside it owns what its files hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vectors.channel import packets, pake
from vectors.copies import copies
from vectors.durak import durak
from vectors.encoding import encoding
from vectors.form import VectorFile
from vectors.group import groups, scalars
from vectors.hands import denials, openings
from vectors.hashing import hashing
from vectors.logarithms import equal_logarithms, key_proofs
from vectors.logs import logs
from vectors.notes import notes
from vectors.sessions import digests, session_ids
from vectors.shares import shares
from vectors.shuffles import shuffles
from vectors.signatures import signatures

FILES: Final[dict[str, Callable[[], VectorFile]]] = {
    "hashing.json": hashing,
    "group.json": groups,
    "scalars.json": scalars,
    "signatures.json": signatures,
    "key_proof.json": key_proofs,
    "equal.json": equal_logarithms,
    "shuffle.json": shuffles,
    "shares.json": shares,
    "openings.json": openings,
    "denials.json": denials,
    "encoding.json": encoding,
    "session_id.json": session_ids,
    "digests.json": digests,
    "durak.json": durak,
    "notes.json": notes,
    "logs.json": logs,
    "copies.json": copies,
    "pake.json": pake,
    "packets.json": packets,
}
