"""One daemon at a time per state folder.

The lock is the kernel's and goes with the process, however that ends. Invariant: whoever has a `Hold` may change
anything below the state folder; nobody else does.
"""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from drums.local.machines.machine import MachineError
from drums.local.machines.runc import area

if TYPE_CHECKING:
    from drums.local.machines.runc.layout import Layout


class Hold:
    """The state folder is ours until `release`."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def release(self) -> None:
        """Let go of it."""
        os.close(self._fd)


def take(layout: Layout) -> Hold:
    """Take the state folder and mount what is not mounted.

    Raises:
        MachineError: Another process has it, or it was not set up.
    """
    if not layout.state.is_dir():
        raise MachineError(f"there is nothing at {layout.state}; run: drums setup")
    fd = os.open(layout.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise MachineError(f"another daemon or set-up uses {layout.state}; end it, or set DRUMS_DESKTOPS_DIR") from None
    try:
        area.mount(layout)
    except BaseException:
        os.close(fd)
        raise
    return Hold(fd)
