"""Every maximum of the protocol, each with its reason.

It owns numbers only; the checks stand where the bytes arrive. A maximum that stands in a log is part of the format.
"""

from typing import Final

# Records and notes.

RECORD_BYTES_MAX: Final = 12 * 1024
"""A record with its signature. The largest honest one is shuffle1 of 52 cards: 52 x 64 + 6,816 + shares = 10.7 KiB."""

HANDSHAKE_RECORD_BYTES_MAX: Final = 1024
"""start0 and start1 hold keys, names and options: under 600 bytes when honest, 983 with every field at its longest."""

MOVE_RECORD_BYTES_MAX: Final = 8 * 1024
"""A move with a remask of a 35-card hand would be 7 KiB; an honest one of six cards is 2 KiB."""

NOTE_BYTES_MAX: Final = 1024
"""A note is a signed statement of at most 200 bytes when honest."""

NOTE_BODY_BYTES_MAX: Final = 256
"""What a note says beside its kind: a game key of 32 bytes, or nothing; the rest is room for kinds to come."""

NAME_BYTES_MAX: Final = 64
"""A name is shown in 24 cells; 64 bytes hold 16 of the widest letters."""

OPTIONS_BYTES_MAX: Final = 512
"""Ten options of `name=value` are under 250 bytes."""

DATE_LETTERS_MAX: Final = 20
"""A date to the second in UTC, `2026-11-30T22:31:00Z`, has exactly 20."""

ACTION_BYTES_MAX: Final = 64
"""An action of durak has 4 bytes at most; other games may have longer ones."""

GAMES_MAX: Final = 2**31
"""The number of a game in its match: a game a second for 68 years."""

THINK_MS_MAX: Final = 2**31
"""How long a move took, in the mover's word: more than three weeks count as three weeks."""

ARRAY_PARTS_MAX: Final = 64
"""Parts of one msgpack array: a start0 has 11, and no array of this protocol more; it bounds what is built of bytes."""

# Logs.

LOG_BYTES_MAX: Final = 8 * 1024 * 1024
"""A log of the longest possible game (342 bouts of 12 records) is under 4 MiB."""

RECORDS_MAX: Final = 8192
"""342 bouts of at most 6 attacks, 6 beats, a done and two shares records are 5,130 records."""

NOTES_MAX: Final = 16
"""Two seats with at most one resign, leave, claim, desync and open each are ten."""

# The channel.

PACKET_BYTES_MAX: Final = 16 * 1024
"""One broker message: a record of the largest size, its header and padding. Brokers accept 256 KiB and more."""

COUNT_MAX: Final = 2**53
"""Any number of a sealed message: exact in every language's numbers."""

CHAT_BYTES_MAX: Final = 1024
"""What fits in 200 cells of text, with room for four-byte letters."""

POST_BYTES_MAX: Final = 2 * NOTE_BYTES_MAX
"""A refusal names two sets of options (512 bytes each) and a sentence; a note or a chat line is shorter."""

RECORDS_AHEAD_MAX: Final = 8
"""Records that arrive before their predecessor. Only one step is owed at a time, so an honest peer is one ahead."""

POSTS_AHEAD_MAX: Final = 32
"""Notes and chat lines that arrive before their predecessor."""

FLIGHT_MAX: Final = 16
"""Records or posts on their way at once. A peer who lost his file is served in such flights of at most 256 KiB."""

POSTS_WAITING_MAX: Final = 256
"""Unacknowledged posts of ours. A peer who is away for minutes gets no more chat than this; memory 512 KiB."""

LATE_PACKETS_MAX: Final = 1024
"""Counters, the newest among them, that may still arrive: far more than a broker ever reorders."""

PINGS_OPEN_MAX: Final = 4
"""Pings whose answer still counts: one that is 12 s late says nothing about the line as it is now."""

NONCES_KEPT: Final = 256
"""Nonces of the peer that are remembered, 32 bytes each. Forgetting one costs an answer to a replay, not safety."""

HELLOS_WAITING_MAX: Final = 16
"""HELLOs between two calls for packets. What is left out is repeated, by us or by the peer."""
