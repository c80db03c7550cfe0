"""fairdeck: a deck of cards shuffled by two players who do not trust each other, and a game played with it.

It owns the cryptography, the records and the lockstep between two seats.
It knows no game (that is an argument), no socket, no file, no clock, and no randomness but what is passed in.
"""
