"""The full screen while somebody sits at it: what events and keys do to the picture, and the terminal that shows it.

It owns focus, panels and typed chat; it decides no game, and only `host` knows the terminal's library.
"""
