"""How fast the protocol is, next to the fastest that the same libsodium calls could be; `scripts/bench` runs it.

It owns measuring and printing; it sets no limit in seconds, because those belong to a machine.
"""
