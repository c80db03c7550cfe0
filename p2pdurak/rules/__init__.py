"""The game of two-player Podkidnoy Durak, as an onlooker at the table sees it.

It owns every rule and the state that both players share; it refuses to know networks, proofs, clocks, chance.
"""
