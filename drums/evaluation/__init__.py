"""Runs a policy over tasks and tells what it is worth: what `drums eval` does, as a library.

It drives desktops by the public SDK alone; the command's options and its progress bars are in `drums.cli`. Invariant: a
number is made only of episodes that are valid; all others are counted beside it, with their reasons.

For who writes a policy: `Policy` says what it is, `Seen` what it is shown, `Decision` what it may answer.
"""

from drums.evaluation.policy import Decision, Policy, PolicyError, Seen, Taken, Turn, Usage

__all__ = ["Decision", "Policy", "PolicyError", "Seen", "Taken", "Turn", "Usage"]
