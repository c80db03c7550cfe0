"""Pictures of the table: from one frozen value to a canvas of cells, for play, replay and the pictures in the docs.

It owns what is drawn where; it knows no terminal library, no clock and no key.
"""
