"""Simulated desktops: files, a shell, windows, a mouse and a keyboard in memory, with a screen that is drawn.

For tests, demonstrations and any host that runs no real desktops. It is no security boundary: nothing in a desktop
reaches the host's files, processes or network, but what runs in one takes the daemon's own time and memory, within
the limits in disk.py, pace.py and shell.py. Invariant: deterministic. The same actions give the same screen, files
and state hash everywhere.
"""

from .machine import SimMachine

__all__ = ["SimMachine"]
