"""Brokers to play over on this machine, for trying, testing and measuring.

It owns how each kind is set up and started; it knows nothing of the game but the topics that it may use.
"""
