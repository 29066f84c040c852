"""The machine `sim`: desktops in memory, on any operating system.

It starts, captures and ends; the desktops do the rest. Invariant: a saved state and the desktops made from it share
nothing that can change, so a fork is a copy of a few references.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.faults import Faults
from drums.local.machines.machine import CheckpointId, DesktopGone, ImageInfo, RestoreError, TreeChanged

from .desktop import SimDesktop
from .guest import EPOCH_S, Guest
from .image import IMAGE, base_disk
from .picture.screen import Screens
from .shell.interpreter import PROGRAM_NAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from drums.local.machines.machine import Desktop, ProcessTree, SlotId

ALIVE_GATE_S = 0.2
"""Nothing dies in a simulated desktop by itself: long enough to show that this gate comes after the others."""


@dataclass(frozen=True, slots=True)
class _Source:
    """An image or a saved state: a guest that never runs."""

    guest: Guest
    digest: str

    @property
    def size_bytes(self) -> int:
        return self.guest.disk.root.size_bytes


class SimMachine:
    """Runs simulated desktops.

    Args:
        faults: What must go wrong; None: nothing.
        alive_gate_s: Seconds after which it is looked whether a desktop's processes still run.
    """

    name = "sim"
    live_fork = True

    def __init__(self, faults: Faults | None = None, alive_gate_s: float = ALIVE_GATE_S) -> None:
        self.faults: Faults = faults or Faults()
        self._alive_gate_s = alive_gate_s
        self._screens = Screens()
        self._desktops: dict[SlotId, SimDesktop] = {}
        base = Guest(base_disk(PROGRAM_NAMES, EPOCH_S))
        self._images = {CheckpointId(IMAGE): _Source(base, base.digest())}
        self._states: dict[CheckpointId, _Source] = {}

    async def start(self) -> None:
        """Make ready: there is nothing to prepare."""

    async def stop(self) -> None:
        """End every desktop."""
        for slot in list(self._desktops):
            await self.destroy(slot)

    def images(self) -> Sequence[ImageInfo]:
        """The base states that `create` accepts."""
        return [ImageInfo(name, source.size_bytes) for name, source in self._images.items()]

    async def survivors(self) -> tuple[Mapping[SlotId, Desktop], Sequence[ImageInfo]]:
        """What this machine object holds: after a restart of the process that is nothing."""
        states = [ImageInfo(name, source.size_bytes) for name, source in self._states.items()]
        return dict(self._desktops), states

    async def create(self, slot: SlotId, source: CheckpointId) -> SimDesktop:
        """Start a desktop from an image or a saved state.

        Raises:
            RestoreError: It did not come up; nothing of it is left.
        """
        found = self._states.get(source) or self._images.get(source)
        if found is None:
            raise RestoreError(f"there is no image or state {source}")
        if self.faults.take_restore():
            raise RestoreError(f"a fault was ordered: {source} did not come up")
        await self.destroy(slot)
        self.faults.found(slot)
        desktop = SimDesktop(
            slot,
            found.guest.copy(),
            source_digest=found.digest,
            screens=self._screens,
            faults=self.faults,
            alive_gate_s=self._alive_gate_s,
            neighbours=lambda: self._neighbours(slot),
        )
        self._desktops[slot] = desktop
        return desktop

    def _neighbours(self, slot: SlotId) -> Collection[SimDesktop]:
        return [desktop for other, desktop in self._desktops.items() if other != slot]

    async def capture(self, slot: SlotId, checkpoint: CheckpointId, expected: ProcessTree) -> ImageInfo:
        """Save a running desktop; it goes on running.

        Raises:
            TreeChanged: Its processes are not `expected`.
            DesktopGone: There is no desktop any more.
        """
        if slot not in self._desktops:
            raise DesktopGone("the desktop no longer runs")
        desktop = self._desktops[slot]
        if await desktop.processes() != expected:
            raise TreeChanged("a process started or ended before the capture")
        guest = desktop.guest.copy()
        source = self._states[checkpoint] = _Source(guest, guest.digest())
        return ImageInfo(checkpoint, source.size_bytes)

    async def destroy(self, slot: SlotId) -> None:
        """End a desktop; one that is gone is no error."""
        desktop = self._desktops.pop(slot, None)
        if desktop is not None:
            desktop.end()

    async def delete(self, checkpoint: CheckpointId) -> None:
        """Delete a saved state; one that is gone is no error."""
        self._states.pop(checkpoint, None)
