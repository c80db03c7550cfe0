"""The command line: one module a command, imported only when it is used.

It owns flags, exit codes and the wiring of parts; every decision is made in the parts.
"""
