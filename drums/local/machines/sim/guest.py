"""One simulated desktop's whole state, and how it is copied.

It does nothing by itself: no thread, no timer, no chance. Invariant: everything below it is immutable and replaced as
a whole, so a copy shares all of it and no two desktops can ever see each other's changes.
"""

from __future__ import annotations

import hashlib
from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING

from .files.disk import Disk
from .processes import Processes
from .windows.scene import Scene

if TYPE_CHECKING:
    from .files.tree import Folder

EPOCH_S = 1_767_258_000.0
"""What a new desktop's clock shows: 2026-01-01 09:00 UTC. It goes on only by what happens in the desktop."""


@dataclass
class Guest:
    """A desktop: its files, what is on its screen, its processes, its time."""

    root: InitVar[Folder]
    """The files that it starts with."""
    disk: Disk = field(init=False)
    scene: Scene = field(default_factory=Scene)
    processes: Processes = field(default_factory=Processes.of_session)
    clock_s: float = EPOCH_S
    """Seconds since 1970, in the desktop."""

    def __post_init__(self, root: Folder) -> None:
        self.disk = Disk(root, self.now)

    def now(self) -> float:
        """The desktop's time."""
        return self.clock_s

    def pass_time(self, seconds: float) -> None:
        """Let the desktop's time go on."""
        self.clock_s += seconds

    def copy(self) -> Guest:
        """An independent desktop in exactly this state."""
        return Guest(self.disk.root, scene=self.scene, processes=self.processes, clock_s=self.clock_s)

    def digest(self) -> str:
        """What makes it what it is: files, windows, processes. Equal for a copy, and after nothing happened."""
        hashed = hashlib.blake2b(self.disk.root.digest, digest_size=16)
        hashed.update(repr(self.scene).encode("utf-8", "surrogateescape"))
        hashed.update(repr(sorted(self.processes.table.items())).encode())
        return hashed.hexdigest()
