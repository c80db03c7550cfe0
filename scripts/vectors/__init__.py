"""The test vectors of the protocol, made from fixed seeds; `scripts/gen_vectors.py` writes them.

It owns what each file in protocol/vectors holds and why; it checks nothing: the tests put each vector to the program.
"""
