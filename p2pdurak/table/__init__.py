"""A table for two: meeting, playing game after game, talking, waiting, leaving.

It owns everything between the rules and protocol below and a terminal above. `driver` alone knows asyncio; the other
modules are fed packets, commands and seconds one at a time, and give packets and events.
"""
