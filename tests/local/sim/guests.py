"""Fresh simulated desktops without a machine around them."""

from __future__ import annotations

from functools import cache

from drums.local.machines.sim.guest import EPOCH_S, Guest
from drums.local.machines.sim.image import base_disk
from drums.local.machines.sim.shell.interpreter import PROGRAM_NAMES


@cache
def _image() -> Guest:
    return Guest(base_disk(PROGRAM_NAMES, EPOCH_S))


def a_guest() -> Guest:
    """A desktop in which nothing was done."""
    return _image().copy()
