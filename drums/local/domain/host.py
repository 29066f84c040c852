"""The daemon's present: what lives, what is counted, and how a deed is done. The operations are functions beside it.

`lifecycle` makes, resets and ends slots, `acting` drives desktops, `rewards` verifies, `saving`, `branching`
and `prefork` copy them, `looking` reads, `reaper` ends leases, `restart` reconciles. All run on one event loop,
so that between two awaits nothing else happens. Invariant: `slot.row` and the store's row are the same but for
`last_used_at`.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from drums.local.domain import prefork, reaper, restart, slots
from drums.local.domain.clock import Clock, SystemClock, within
from drums.local.domain.limits import Admission, Limits
from drums.local.domain.live import LiveSlot
from drums.local.domain.metrics import HostTime, Ledger, Price, Window
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import SlotId

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator

    from drums.local.domain.metrics import Cause, OperationName, Verdict
    from drums.local.machines.machine import CheckpointId, Machine
    from drums.local.osworld import TaskLibrary
    from drums.local.store import CheckpointRow, SlotRow, Store

T = TypeVar("T")

DAEMON_VERSION = "0.5.0"
"""The version of the API that it speaks: `info.version` of the spec."""
STOP_WITHIN_S = 30.0
"""How long an orderly end waits for what the machine is doing."""


class Host:
    """One daemon, without its HTTP.

    Args:
        machine: What runs the desktops.
        store: Where records are kept; the host does not close it.
        tasks: The tasks that are known by id.
        limits: How much it takes on.
        clock: The time.
        price: What the host costs.
        check_at_start: Whether it is found out what a task's checker gives where nothing was done, to tell a score that
            was there from the start (`starts`).
    """

    def __init__(
        self,
        machine: Machine,
        store: Store,
        tasks: TaskLibrary,
        *,
        limits: Limits | None = None,
        clock: Clock | None = None,
        price: Price | None = None,
        check_at_start: bool = True,
    ) -> None:
        self.machine = machine
        self.store = store
        self.tasks = tasks
        self.limits: Limits = limits or Limits()
        self.clock: Clock = clock or SystemClock()
        self.price: Price = price or Price()
        self.check_at_start = check_at_start
        self.log: logging.Logger = logging.getLogger("drums.local")
        self.status: Literal["starting", "ok", "draining"] = "starting"
        self.slots: dict[SlotId, LiveSlot] = {}
        self.states: dict[CheckpointId, CheckpointRow] = {}
        self.names_in_work: set[CheckpointId] = set()
        """Ids of states that are being captured or deleted: not free, and not there."""
        self.admission: Admission = Admission(self.limits, lambda: (len(self.slots), len(self.states)))
        self.started: float = self.clock.monotonic()
        self.window: Window = Window(1, self.clock.now(), self.started)
        self.host_time: HostTime = HostTime(self.started)
        self.leases_changed: asyncio.Event = asyncio.Event()
        self.probes: int = 0
        """Desktops of the daemon's own that an audit has, or is about to have."""
        self.scores_of_nothing: dict[tuple[CheckpointId, str], asyncio.Task[float | None]] = {}
        """By image (or state) and hash of the task: what its checker gives where nothing was done, or will give."""
        self._deeds: set[asyncio.Task[Any]] = set()
        self._background: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Start the machine, make the store and what still runs agree, and begin to watch leases."""
        await self.machine.start()
        self.window.id = self.store.next_number("window")
        await restart.reconcile(self)
        self.in_background(reaper.watch(self))
        self.status = "ok"

    async def stop(self) -> None:
        """End every desktop and write it down; what the machine keeps of saved states stays."""
        self.status = "draining"
        for slot in list(self.slots.values()):
            slot.close_soon("daemon stopped")
            self.drop_prefork(slot, "daemon stopped")
        for task in self._background:
            task.cancel()
        try:
            await within(self.clock, STOP_WITHIN_S, self._all_ended())
        except TimeoutError:
            self.log.warning("%d deeds did not end in %g s and are cut off", len(self._deeds), STOP_WITHIN_S)
            for task in self._deeds:
                task.cancel()
            await self._all_ended()
        await self.machine.stop()
        restart.write_down_the_end(self)

    async def _all_ended(self) -> None:
        while waiting := self._deeds | self._background:
            await asyncio.wait(waiting)

    # Work

    async def deed(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something to its end, also when the caller goes away in the middle."""
        task = self._begin(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._tell_error)
            raise

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin something that nobody waits for and that must come to its end; `stop` waits for it."""
        task = self._begin(work)
        task.add_done_callback(self._tell_error)
        return task

    def _begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._deeds.add(task)
        task.add_done_callback(self._deeds.discard)
        return task

    def in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something that nobody waits for and that may be cut off anywhere; `stop` does so."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        task.add_done_callback(self._tell_error)
        return task

    def _tell_error(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, Refusal):
            self.log.error("work that nobody waits for ended with an error", exc_info=error)

    @contextmanager
    def timed(self, operation: OperationName, slot: LiveSlot) -> Generator[None]:
        """Count an operation and how long it takes; an exception makes it a failed one."""
        began = self.clock.monotonic()
        failed = True
        try:
            yield
            failed = False
        finally:
            seconds = self.clock.monotonic() - began
            for ledger in (self.window.ledger, slot.ledger):
                ledger.took(operation, seconds, failed=failed)

    # Slots

    def add(self, row: SlotRow) -> LiveSlot:
        """A slot begins to live."""
        now = self.clock.monotonic()
        self.host_time.changed(now, len(self.slots) + 1)
        slot = LiveSlot(row, Ledger(), now, self.host_time.mark(now))
        self.slots[row.id] = slot
        self.store.put_slot(row)
        self.leases_changed.set()
        return slot

    def remove(self, slot: LiveSlot) -> None:
        """A slot does not live any more; what the store keeps of it is the caller's to write."""
        del self.slots[slot.row.id]
        self.host_time.changed(self.clock.monotonic(), len(self.slots))
        self.leases_changed.set()

    def change(self, slot: LiveSlot, **changes: Any) -> None:
        """Change some fields (of `SlotRow`) of a slot's row, here and in the store."""
        slot.row = replace(slot.row, **changes)
        self.store.put_slot(slot.row)

    @contextmanager
    def using(self, id: str) -> Generator[LiveSlot]:
        """The live slot that a request names; it is in use until the block ends.

        Raises:
            Refusal: `not_found` or `gone`.
        """
        slot = self.slots.get(SlotId(id))
        if slot is None or slot.row.held:
            raise self._not_there(id)
        slot.requests += 1
        self._touch(slot)
        try:
            yield slot
        finally:
            slot.requests -= 1
            self._touch(slot)

    def drop_prefork(self, slot: LiveSlot, why: str) -> None:
        """Throw a slot's prepared fork away, if it has one."""
        prefork.drop(self, slot, why)

    def _touch(self, slot: LiveSlot) -> None:
        slot.row = replace(slot.row, last_used_at=self.clock.now())

    def _not_there(self, id: str) -> Refusal:
        row = self.store.slot(id)
        if row is None or row.held:
            return Refusal("not_found", f"there is no slot {id}")
        return slots.gone(row)

    # Figures

    def failed(self, cause: Cause, slot: LiveSlot) -> None:
        """Count a failure."""
        self.window.ledger.failures[cause] += 1
        slot.ledger.failures[cause] += 1

    def tried_again(self, cause: Cause, slot: LiveSlot) -> None:
        """Count a second try of the daemon's own."""
        self.window.ledger.retries[cause] += 1
        slot.ledger.retries[cause] += 1

    def count_episode(self, slot: LiveSlot, verdict: Verdict) -> None:
        """Count the running episode under its verdict; one that was counted under another moves.

        An episode of a prepared slot is not anybody's yet.
        """
        if slot.row.held:
            return
        before = slot.counted
        if before is not None and before[1] == verdict:
            return
        if before is not None:
            slot.ledger.episodes[before[1]] -= 1
            if before[0] is self.window:
                self.window.ledger.episodes[before[1]] -= 1
        slot.ledger.episodes[verdict] += 1
        self.window.ledger.episodes[verdict] += 1
        slot.counted = (self.window, verdict)
