"""The machine `runc`: real desktops on this host.

It runs the engine's blocking deeds beside the event loop and hands out desktops. Invariant: a deed that was begun is
finished even when whoever asked for it goes away, so that a later `destroy` finds all of it or nothing.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakValueDictionary

from drums.local.faults import Faults
from drums.local.machines.machine import CheckpointId, DesktopGone, ImageInfo, MachineError, RestoreError, SlotId
from drums.local.machines.runc import boot, cgroups, facts, hold, merging, recovery
from drums.local.machines.runc.desktop import RuncDesktop
from drums.local.machines.runc.engine import Engine, checked
from drums.local.machines.runc.images import installed
from drums.local.machines.runc.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from drums.local.machines.machine import Desktop, ProcessTree
    from drums.local.machines.runc.criu import Criu
    from drums.local.machines.runc.facts import DesktopFacts, StateFacts
    from drums.local.machines.runc.layout import StatePaths

log: logging.Logger = logging.getLogger("drums.local.runc")
T = TypeVar("T")

ALIVE_GATE_S = 5.0
WORKERS = 40
"""Threads for what blocks; most of their time is waiting for a child process."""
PR_SET_CHILD_SUBREAPER = 36
PR_SET_MEMORY_MERGE = 67


class RuncMachine:
    """Runs real desktops.

    Args:
        criu: The CRIU to use.
        layout: Where everything lies; None: as the environment says.
        limits: What each desktop may use.
        faults: What must go wrong.
        alive_gate_s: Seconds after which it is looked whether a desktop's processes still run.
        merge_pages: Whether the kernel merges equal pages of the desktops; its switch is turned back at the end.
    """

    name = "runc"
    live_fork = True

    def __init__(
        self,
        criu: Criu,
        layout: Layout | None = None,
        *,
        limits: cgroups.Limits | None = None,
        faults: Faults | None = None,
        alive_gate_s: float = ALIVE_GATE_S,
        merge_pages: bool = False,
    ) -> None:
        self.layout: Layout = layout or Layout.from_environment()
        self.engine: Engine = Engine(self.layout, criu, limits or cgroups.Limits())
        self._faults = faults or Faults()
        self._alive_gate_s = alive_gate_s
        self._merge_pages = merge_pages
        self._workers = ThreadPoolExecutor(WORKERS, "desktops")
        self._desktops: dict[SlotId, RuncDesktop] = {}
        self._images: dict[CheckpointId, ImageInfo] = {}
        self._booted: dict[CheckpointId, StatePaths] = {}
        self._hold: hold.Hold | None = None
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def start(self) -> None:
        """Take the state folder, and bring every installed image up that is not captured yet.

        Raises:
            MachineError: Another daemon has the folder, or an image does not come up.
        """
        self._hold = await self._blocking(lambda: hold.take(self.layout))
        adopt_orphans()
        merging.end(self.layout)
        if self._merge_pages:
            merging.begin(self.layout)
            allow_merging()
        self.engine.criu.prepare()
        await self._blocking(self._boot_images)

    def _boot_images(self) -> None:
        for image in installed(self.layout):
            record = facts.read_state(self.layout.booted(image.name).facts)
            if record is None or not self.layout.booted(image.name).disk.is_dir():
                record = boot.boot(self.engine, image.name)
            size_bytes = image.size_bytes + record.size_bytes
            # Each of its names is listed, so that a slot's record holds the name that was asked for.
            for name in map(CheckpointId, (image.name, *image.aliases)):
                self._images[name] = ImageInfo(name, size_bytes)
                self._booted[name] = self.layout.booted(image.name)

    async def stop(self) -> None:
        """End every desktop and let go of the state folder; saved states and images stay."""
        if self._hold is None:
            return
        await asyncio.gather(*(self.destroy(slot) for slot in list(self._desktops)))
        merging.end(self.layout)
        self._hold.release()
        self._hold = None
        self._workers.shutdown(wait=False)

    def images(self) -> Sequence[ImageInfo]:
        """The base states that `create` accepts."""
        return list(self._images.values())

    async def survivors(self) -> tuple[Mapping[SlotId, Desktop], Sequence[ImageInfo]]:
        """Desktops and states that an earlier daemon left and that still work; what is half made has been removed."""
        desktops, states = await self._blocking(lambda: recovery.recover(self.engine))
        for record in desktops.values():
            self._adopt(record)
        saved = [ImageInfo(CheckpointId(name), record.size_bytes) for name, record in states.items()]
        return dict(self._desktops), saved

    async def create(self, slot: SlotId, source: CheckpointId) -> Desktop:
        """Start a desktop from an image or a saved state.

        Raises:
            RestoreError: It did not come up; nothing of it is left.
        """
        if self._faults.take_restore():
            raise RestoreError("a fault was ordered for this restore")
        state = self._state(source)
        record = await self._deed(slot, lambda: self.engine.restore(slot, source, state))
        self._faults.found(slot)
        log.info("restore %s from %s", slot, source)
        return self._adopt(record)

    def _state(self, source: CheckpointId) -> StatePaths:
        """The paths of an image's or a saved state's capture."""
        return self._booted.get(source) or self.layout.saved_state(checked(source))

    def _adopt(self, record: DesktopFacts) -> RuncDesktop:
        slot = SlotId(record.slot)
        paths, cgroup = self.layout.desktop(slot), self.engine.cgroup(slot)
        desktop = RuncDesktop(
            record, paths, cgroup, self._workers, faults=self._faults, alive_gate_s=self._alive_gate_s
        )
        self._desktops[slot] = desktop
        return desktop

    def desktop(self, made: Desktop) -> RuncDesktop:
        """A desktop of this machine with all that this machine knows of it.

        Raises:
            DesktopGone: It is not one of its own.
        """
        for own in self._desktops.values():
            if own is made:
                return own
        raise DesktopGone("it is not a desktop of this machine")

    async def capture(self, slot: SlotId, checkpoint: CheckpointId, expected: ProcessTree) -> ImageInfo:
        """Save a running desktop, disk and live processes; it goes on running.

        Raises:
            TreeChanged: What was captured is not `expected`; nothing is left of it.
        """
        desktop = self._desktops.get(slot)
        if desktop is None:
            raise DesktopGone(f"{slot} no longer runs")
        desktop.demand_running()
        target = self.layout.saved_state(checked(checkpoint))

        async def deed() -> StateFacts:
            async with desktop.line.capture():
                return await self._blocking(lambda: self.engine.capture(desktop.facts, target, expected))

        saved = await self._finished(f"state {checkpoint}", deed)
        log.info("capture %s as %s: %d MB", slot, checkpoint, saved.size_bytes >> 20)
        return ImageInfo(checkpoint, saved.size_bytes)

    async def destroy(self, slot: SlotId) -> None:
        """End a desktop and free all that was its own. One that is already gone is no error."""
        self._desktops.pop(slot, None)
        await self._deed(slot, lambda: self.engine.end(slot))

    async def delete(self, checkpoint: CheckpointId) -> None:
        """Delete a saved state. One that is already gone is no error."""
        target = self.layout.saved_state(checked(checkpoint))
        await self._deed(f"state {checkpoint}", lambda: self.engine.delete(target))

    async def _deed(self, what: str, work: Callable[[], T]) -> T:
        return await self._finished(what, lambda: self._blocking(work))

    async def _finished(self, what: str, deed: Callable[[], Awaitable[T]]) -> T:
        """Do a deed to its end, also when whoever waits for it is cancelled; one at a time on the same thing."""
        turn = self._turns.setdefault(what, asyncio.Lock())

        async def in_turn() -> T:
            async with turn:
                return await deed()

        return await asyncio.shield(asyncio.ensure_future(in_turn()))

    async def _blocking(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._workers, work)
        except OSError as fault:
            raise MachineError(f"the host refused: {fault.strerror or fault}") from fault


def adopt_orphans() -> None:
    """Become the parent of what CRIU leaves running, so that its end can be seen and no zombie stays."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def allow_merging() -> None:
    """Let the kernel merge equal pages of the desktops that this process restores from now on."""
    prctl(PR_SET_MEMORY_MERGE, 1)


def prctl(option: int, value: int) -> None:
    """The system call of that name, with one argument."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
