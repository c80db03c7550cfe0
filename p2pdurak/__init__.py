"""Two-player Podkidnoy Durak in the terminal, peer to peer, with a deck that nobody deals."""

__version__ = "0.1.0"
