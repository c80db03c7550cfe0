"""What may keep a game from working, checked one thing at a time: this machine, the libraries, each broker.

It owns the checks and their sentences; it plays nothing and repairs nothing.
"""
