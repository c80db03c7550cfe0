"""What a finished game was worth after every move, and where it turned.

It owns the judgement of moves by search; it knows neither the protocol nor how a judgement is shown.
"""
