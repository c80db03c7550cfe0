"""Games between real programs while brokers, nodes of a cluster and players are killed.

It owns the faults, the driving of both programs and the figures; what is told about a game comes from the programs.
"""
