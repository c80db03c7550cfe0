"""The faces of the game: line mode, JSON lines, and the full screen.

It owns what people see and type; it refuses to know the protocol and the network, and only meets the table's events.
"""
