"""Real desktops on this machine that fork live.

runc starts the first one of an image, CRIU and btrfs copy it from then on.

What is here joins those engines; it has no rules of its own. Invariant: every deed can be cut off by SIGKILL at any
moment, and `recovery` finds from the file system and the cgroups alone what is whole and what has to go.
"""
