"""Runs a policy over tasks and tells what it is worth: what `drums eval` does, as a library.

It drives desktops by the public SDK alone; the command's options and its progress bars are in `drums.cli`. Invariant: a
number is made only of episodes that are valid; all others are counted beside it, with their reasons.
"""
