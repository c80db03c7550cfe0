"""How strong the bots are, measured against each other in mirrored games; `scripts/arena` runs it.

It owns pairing, counting and the statistics; it knows a bot only by its function from a view to an action.
"""
