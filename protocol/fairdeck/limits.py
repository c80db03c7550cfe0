"""Every maximum of the protocol, each with its reason.

It owns numbers only; the checks stand where the bytes arrive.
"""

from typing import Final

RECORD_BYTES_MAX: Final = 12 * 1024
"""A record with its signature. The largest honest one is shuffle1 of 52 cards: 52 x 64 + 6,816 + shares = 10.7 KiB."""

HANDSHAKE_RECORD_BYTES_MAX: Final = 1024
"""start0 and start1 hold keys, names and options: under 600 bytes when honest."""

MOVE_RECORD_BYTES_MAX: Final = 8 * 1024
"""A move with a remask of a 35-card hand would be 7 KiB; an honest one of six cards is 2 KiB."""

NOTE_BYTES_MAX: Final = 1024
"""A note is a signed statement of at most 200 bytes when honest."""

CHAT_BYTES_MAX: Final = 1024
"""What fits in 200 cells of text, with room for four-byte letters."""

NAME_BYTES_MAX: Final = 64
"""A name is shown in 24 cells; 64 bytes hold 16 of the widest letters."""

OPTIONS_BYTES_MAX: Final = 512
"""Ten options of `name=value` are under 250 bytes."""

PACKET_BYTES_MAX: Final = 16 * 1024
"""One broker message: a record of the largest size, its header and padding. Brokers accept 256 KiB and more."""

HAND_CARDS_MAX: Final = 35
"""The bound of the rules: one seat can never hold all 36 cards."""

LOG_BYTES_MAX: Final = 8 * 1024 * 1024
"""A log of the longest possible game (342 bouts of 12 records) is under 4 MiB."""

RECORDS_MAX: Final = 8192
"""342 bouts of at most 6 attacks, 6 beats, a done and two shares records are 5,130 records."""

NOTES_MAX: Final = 16
"""Two seats with at most one resign, leave, claim, desync and open each are ten."""

RECORDS_AHEAD_MAX: Final = 8
"""Records that arrive before their predecessor. Only one step is owed at a time, so an honest peer is one ahead."""

POSTS_AHEAD_MAX: Final = 32
"""Notes and chat lines that arrive before their predecessor."""

THINK_MS_MAX: Final = 2**31
"""How long a move took, in the mover's word: more than three weeks count as three weeks."""
